//! WARC as we write and read it, and the archives of other tools.

use crate::{scratch, text};
use flate2::Compression;
use flate2::write::GzEncoder;
use fyke_store::warc::reader::read_member;
use fyke_store::{Archive, Packer, WarcRecords};
use fyke_web::{Capture, Url};
use std::cell::RefCell;
use std::io::Write;

/// A file of another tool.
pub fn archive(bytes: &[u8]) {
    let path = scratch::file("archive", bytes);
    let Ok(Some(archive)) = Archive::open(&path) else { return };
    // Each record that is found or passed over takes a byte at least, unpacked; and packing saves a thousandfold.
    for (number, found) in archive.enumerate() {
        assert!(number <= 1_100 * bytes.len() + 16, "records without end");
        assert!(found.spot.offset <= bytes.len() as u64);
        if let Ok(taken) = found.taken {
            let _ = taken.capture.body(1 << 16);
        }
    }
}

/// A record, packed here: its bytes reach the reader whatever they are.
pub fn warc(bytes: &[u8]) {
    let mut packer = GzEncoder::new(Vec::new(), Compression::none());
    packer.write_all(bytes).expect("memory takes it");
    let packed = packer.finish().expect("memory takes it");
    let one = read_member(&packed[..]);
    let path = scratch::file("member.warc.gz", &packed);
    let records: Vec<_> =
        WarcRecords::open(&path, 0, u64::MAX).expect("the file is there").collect();
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].offset, records[0].length), (0, packed.len() as u64));
    assert_eq!(records[0].record, one, "alone and in its file it is the same record");
    let Ok(record) = one else { return };
    assert!(record.block.len() <= bytes.len());
    if let Ok(capture) = record.into_capture() {
        returns(&capture);
    }
}

/// Packed bytes as they may stand in a file.
pub fn warc_member(bytes: &[u8]) {
    if let Ok(record) = read_member(bytes) {
        let _ = record.is_response();
        let _ = record.into_capture();
    }
    let path = scratch::file("members.warc.gz", bytes);
    let mut end = 0;
    for found in WarcRecords::open(&path, 0, u64::MAX).expect("the file is there") {
        assert!(found.offset == end && found.length > 0, "records stand behind each other");
        end = found.offset + found.length;
    }
    assert_eq!(end, bytes.len() as u64, "every byte is read or passed over");
}

/// A payload of any kind.
pub fn warc_round_trip(bytes: &[u8]) {
    let url = Url::parse("http://a.test/").expect("a URL");
    let headers =
        vec![("Content-Type".to_owned(), text(&bytes[..bytes.len().min(9)]).trim().to_owned())];
    let headers = if headers[0].1.contains(char::is_control) { Vec::new() } else { headers };
    returns(&Capture {
        url,
        time: 7,
        status: 200,
        headers,
        payload: bytes.to_vec(),
        truncated: None,
    });
}

thread_local! {
    static PACKER: RefCell<Packer> = RefCell::new(Packer::repeatable(7));
}

/// Packed and read back, a capture has the same payload and the same facts.
fn returns(capture: &Capture) {
    let packed = PACKER.with(|packer| packer.borrow_mut().pack(b"", capture));
    let record = read_member(packed.as_bytes()).expect("what was packed is read");
    assert!(record.is_response());
    let back = record.into_capture().expect("what was packed is a capture");
    assert_eq!((&back.url, back.time, back.status), (&capture.url, capture.time, capture.status));
    assert!(back.payload == capture.payload, "the payload differs");
    let clean = |text: &str| !text.contains(char::is_control) && !text.contains(':');
    if capture.headers.iter().all(|(name, value)| clean(name) && clean(value) && !name.is_empty()) {
        assert_eq!(back.headers, capture.headers);
    }
}
