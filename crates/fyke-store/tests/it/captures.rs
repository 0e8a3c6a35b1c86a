//! Captures go into WARC files and come back the same.

use crate::{capture, new_collection, round, warc};
use fyke_store::{
    Captures, Collection, Packer, Rest, RevisitProfile, Round, Spot, StoreError, WarcRecord,
    WarcRecords,
};
use fyke_web::{Capture, Url};
use proptest::prelude::*;
use std::fs;

fn check_round_trip(collection: &Collection, captures: &[Capture]) {
    let start = collection.captures.end();
    let with_requests = captures.iter().map(|c| (b"GET".to_vec(), c.clone())).collect();
    let places = collection.commit(Round { captures: with_requests, ..Round::default() }).unwrap();
    let back: Vec<_> = collection.captures.from(start).map(Result::unwrap).collect();
    assert_eq!(back, places.iter().copied().zip(captures.to_vec()).collect::<Vec<_>>());
    for (place, capture) in places.iter().zip(captures) {
        assert_eq!(collection.captures.read(*place).unwrap(), *capture);
        // The rest of the file starts right after it.
        let rest = collection.captures.from(place.after()).count();
        assert_eq!(rest, places.iter().filter(|other| *other > place).count());
    }
}

prop_compose! {
    fn any_capture()(
        path in "[a-z0-9/ %?&=é]{0,40}",
        time in 0i64..4_000_000_000_000,
        status in 100u16..600,
        headers in prop::collection::vec(("[A-Za-z-]{1,20}", "[!-~é]([ -~é]{0,20}[!-~])?"), 0..5),
        odd in prop::sample::subsequence(vec![
            ("Transfer-Encoding", "chunked"), ("content-length", "7"), ("x-crawler-a", "b"),
            ("X-Crawler-Transfer-Encoding", "gzip"), ("Content-Length", "0"),
        ], 0..4),
        payload in prop::collection::vec(any::<u8>(), 0..3000),
        truncated in prop::sample::select(vec![None, Some("length"), Some("time")]),
    ) -> Capture {
        let odd = odd.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        Capture {
            url: Url::parse(&format!("http://a.test/{path}")).unwrap(),
            time,
            status,
            headers: headers.into_iter().chain(odd).collect(),
            payload,
            truncated: truncated.map(str::to_owned),
        }
    }
}

pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn any_capture_comes_back_as_it_was() {
    let (_dir, collection) = new_collection();
    proptest!(cases(40), |(captures in prop::collection::vec(any_capture(), 0..5))| {
        check_round_trip(&collection, &captures);
    });
}

#[test]
fn the_reader_takes_any_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.warc.gz");
    let bytes = || prop::collection::vec(any::<u8>(), 0..2000);
    proptest!(cases(200), |(mut bytes in bytes(), at in 0usize..2000)| {
        // Now and then something that looks like a member.
        if bytes.len() > at + 3 {
            bytes[at..at + 3].copy_from_slice(&[0x1f, 0x8b, 0x08]);
        }
        fs::write(&path, &bytes).unwrap();
        let read: u64 = WarcRecords::open(&path, 0, u64::MAX).unwrap().map(|found| found.length).sum();
        prop_assert_eq!(read, bytes.len() as u64);
    });
}

#[test]
fn a_visit_that_found_nothing_new_names_the_capture_that_still_holds() {
    let (dir, collection) = new_collection();
    let first = capture(7);
    let captures = vec![(b"GET".to_vec(), first.clone())];
    let places = collection.commit(Round { captures, ..Round::default() }).unwrap();
    let origin = collection.captures.origin(places[0]).unwrap();
    let headers = vec![("ETag".to_owned(), "\"7\"".to_owned())];
    let answer =
        Capture { time: first.time + 1000, status: 304, headers, payload: Vec::new(), ..first };
    let mut packer = Packer::repeatable(1);
    let packed = packer.pack_revisit(b"GET", &answer, &origin, RevisitProfile::NotModified);
    let place = collection.captures.append(&packed).unwrap();
    let same = Capture { status: 200, ..answer };
    let same = packer.pack_revisit(b"GET", &same, &origin, RevisitProfile::SamePayload);
    collection.captures.append(&same).unwrap();
    collection.sync().unwrap();
    collection.settle().unwrap();
    let records = records(&warc(dir.path()));
    let (response, revisit) = (&records[2], &records[4]);
    assert!(response.is_response() && revisit.is_revisit() && !revisit.is_response());
    for (of, to) in [
        ("WARC-Target-URI", "WARC-Refers-To-Target-URI"),
        ("WARC-Date", "WARC-Refers-To-Date"),
        ("WARC-Payload-Digest", "WARC-Payload-Digest"),
    ] {
        assert!(response.header(of).is_some());
        assert_eq!(response.header(of), revisit.header(to));
    }
    assert!(revisit.header("WARC-Profile").unwrap().ends_with("/server-not-modified"));
    assert_eq!(revisit.block, b"HTTP/1.1 304 Not Modified\r\nETag: \"7\"\r\n\r\n");
    assert!(place > places[0]);
    assert_eq!(collection.captures.from(Spot::START).count(), 1, "it is no capture of its own");
    let lines = fs::read_to_string(warc(dir.path()).with_extension("").with_extension("cdxj"));
    let lines = lines.unwrap();
    assert_eq!(lines.lines().count(), 2, "a 304 is no page to replay: {lines}");
    let last = lines.lines().nth(1).unwrap();
    assert!(last.contains("\"warc/revisit\"") && last.contains("\"status\":\"-\""), "{lines}");
}

fn records(path: &std::path::Path) -> Vec<WarcRecord> {
    WarcRecords::open(path, 0, u64::MAX).unwrap().map(|found| found.record.unwrap()).collect()
}

#[test]
fn a_file_opens_with_a_warcinfo_and_each_capture_is_a_request_and_a_response() {
    let (dir, collection) = new_collection();
    collection.captures.set_operator("someone@a.test");
    collection.commit(round(0)).unwrap();
    collection.commit(round(1)).unwrap();
    let records = records(&warc(dir.path()));
    let kinds: Vec<_> = records.iter().map(|r| r.header("WARC-Type").unwrap()).collect();
    assert_eq!(kinds, ["warcinfo", "request", "response", "request", "response"]);
    let info = String::from_utf8(records[0].block.clone()).unwrap();
    assert!(info.contains("software: fyke/") && info.contains("operator: someone@a.test\r\n"));
    let ids: std::collections::BTreeSet<_> =
        records.iter().map(|r| r.header("WARC-Record-ID").unwrap()).collect();
    assert_eq!(ids.len(), 5);
    assert_eq!(records[1].header("WARC-Concurrent-To"), records[2].header("WARC-Record-ID"));
    assert_eq!(records[2].header("WARC-Date"), Some("2026-11-18T11:06:40.000Z"));
    for id in ids {
        let uuid = id.strip_prefix("<urn:uuid:").unwrap().strip_suffix('>').unwrap();
        assert_eq!(uuid.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
    }
}

#[test]
fn a_damaged_record_is_named_and_passed_over() {
    let (dir, collection) = new_collection();
    let places: Vec<_> = (0..4).flat_map(|n| collection.commit(round(n)).unwrap()).collect();
    let path = warc(dir.path());
    let mut bytes = fs::read(&path).unwrap();
    for at in places[1].offset + 40..places[1].offset + 60 {
        bytes[at as usize] ^= 0x55;
    }
    fs::write(&path, bytes).unwrap();
    let (good, bad): (Vec<_>, Vec<_>) =
        collection.captures.from(Spot::START).partition(Result::is_ok);
    let good: Vec<_> = good.into_iter().map(|found| found.unwrap().1).collect();
    assert_eq!(good, [capture(0), capture(2), capture(3)]);
    assert_eq!(bad.len(), 1);
    let error = bad.into_iter().next().unwrap().unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }));
    let place = format!("00000.warc.gz is damaged: record at byte {}", places[1].offset);
    assert!(error.to_string().contains(&place), "{error}");
    assert!(matches!(collection.captures.read(places[1]), Err(StoreError::Damaged { .. })));
}

#[test]
fn a_length_that_lies_takes_no_memory_and_is_damage() {
    use std::io::Write;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.warc.gz");
    for length in ["99999999999", "99999999999999999999999999", "-1", "100"] {
        let head = format!("WARC/1.1\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n");
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(head.as_bytes()).unwrap();
        fs::write(&path, gzip.finish().unwrap()).unwrap();
        let found: Vec<_> = WarcRecords::open(&path, 0, u64::MAX).unwrap().collect();
        assert_eq!(found.len(), 1);
        assert!(found[0].record.is_err(), "{length}");
    }
}

#[test]
fn whatever_a_crash_left_of_a_round_is_cut_off_at_any_byte() {
    let (dir, collection) = new_collection();
    collection.commit(round(0)).unwrap();
    let end = collection.captures.end();
    collection.commit(round(1)).unwrap();
    drop(collection);
    let bytes = fs::read(warc(dir.path())).unwrap();
    let copy = tempfile::tempdir().unwrap();
    let path = copy.path().join("00000.warc.gz");
    for cut in end.offset as usize..=bytes.len() {
        fs::write(&path, &bytes[..cut]).unwrap();
        fs::write(copy.path().join("00001.warc.gz"), b"a file begun").unwrap();
        let captures = Captures::open(copy.path(), end, Rest::Cut).unwrap();
        let left: Vec<_> = captures.from(Spot::START).map(|found| found.unwrap().1).collect();
        assert_eq!(left, [capture(0)]);
        assert_eq!(fs::metadata(&path).unwrap().len(), end.offset);
        assert!(!copy.path().join("00001.warc.gz").exists());
    }
}

#[test]
fn captures_that_were_acknowledged_and_are_gone_are_named_and_the_rest_goes_on() {
    for is_removed in [false, true] {
        let (dir, collection) = new_collection();
        let places = [0, 1].map(|n| collection.commit(round(n)).unwrap()[0]);
        drop(collection);
        let file = fs::OpenOptions::new().write(true).open(warc(dir.path())).unwrap();
        file.set_len(file.metadata().unwrap().len() - 1).unwrap();
        if is_removed {
            fs::remove_file(warc(dir.path())).unwrap();
        }
        for n in 2..4 {
            let collection = Collection::open(dir.path()).unwrap();
            let error = collection.captures.read(places[1]).unwrap_err();
            assert!(
                matches!(&error, StoreError::Damaged { path, .. } if *path == warc(dir.path()))
            );
            assert_eq!(collection.captures.read(places[0]).is_ok(), !is_removed);
            let place = collection.commit(round(n)).unwrap()[0];
            assert_eq!(place.file, 1);
            assert_eq!(collection.captures.read(place).unwrap(), capture(n));
        }
        let collection = Collection::open(dir.path()).unwrap();
        let (good, bad): (Vec<_>, Vec<_>) =
            collection.captures.from(Spot::START).partition(Result::is_ok);
        assert_eq!((good.len(), bad.len()), (if is_removed { 2 } else { 3 }, 1));
        assert!(matches!(bad[0], Err(StoreError::Damaged { .. })));
    }
}
