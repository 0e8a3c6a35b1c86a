//! Archives of others: every format in every packing, and what is left of them when they are
//! damaged.

use flate2::Compression;
use flate2::write::GzEncoder;
use fyke_store::Archive;
use fyke_store::archive::{ArchiveFormat, FoundRecord};
use proptest::prelude::*;
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn found(file: &[u8]) -> Option<(ArchiveFormat, Vec<FoundRecord>)> {
    found_in(file, "")
}

/// What is found in a file whose name ends so.
fn found_in(file: &[u8], suffix: &str) -> Option<(ArchiveFormat, Vec<FoundRecord>)> {
    let mut temporary = tempfile::Builder::new().suffix(suffix).tempfile().unwrap();
    temporary.write_all(file).unwrap();
    let archive = Archive::open(temporary.path()).unwrap()?;
    Some((archive.format, archive.collect()))
}

fn lines(file: &[u8]) -> Vec<String> {
    lines_in(file, "")
}

/// A line a record: status, URL and payload, or the reason why there is none.
fn lines_in(file: &[u8], suffix: &str) -> Vec<String> {
    let (_, found) = found_in(file, suffix).unwrap_or_else(|| panic!("no archive"));
    let line = |found: FoundRecord| match found.taken {
        Ok(taken) => {
            let (capture, dated) = (taken.capture, if taken.is_dated { "" } else { " undated" });
            let payload = String::from_utf8_lossy(&capture.payload).into_owned();
            format!("{} {} {payload:?}{dated}", capture.status, capture.url)
        }
        Err(skipped) => skipped.why.name().to_owned(),
    };
    found.into_iter().map(line).collect()
}

fn check(file: &[u8], expected: &[&str]) {
    assert_eq!(lines(file), expected, "{:?}", String::from_utf8_lossy(file));
}

/// A WARC record with a length that may lie.
fn record_of(version: &str, head: &str, block: &str, length: u64) -> Vec<u8> {
    format!("WARC/{version}\r\n{head}\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n").into()
}

fn record(head: &str, block: &str) -> Vec<u8> {
    record_of("1.0", head, block, block.len() as u64)
}

fn response(page: &str, text: &str) -> Vec<u8> {
    let head = format!(
        "WARC-Type: response\r\nWARC-Target-URI: http://a.test/{page}\r\n\
         WARC-Date: 2014-02-16T05:02:21Z\r\nContent-Type: application/http; msgtype=response"
    );
    record(&head, &format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{text}"))
}

const A: &str = "200 http://a.test/a \"first\"";
const B: &str = "200 http://a.test/b \"second\"";

#[test]
fn warc_is_read_in_every_packing() {
    let records =
        [record("WARC-Type: warcinfo", "x"), response("a", "first"), response("b", "second")];
    let expected = ["metadata", A, B];
    check(&records.concat(), &expected);
    check(&gzip(&records.concat()), &expected);
    check(&records.each_ref().map(|record| gzip(record)).concat(), &expected);
    let pieces: Vec<u8> = records.concat().chunks(100).flat_map(gzip).collect();
    check(&pieces, &expected);
    let frames = records.each_ref().map(|record| zstd::encode_all(&record[..], 1).unwrap());
    check(&frames.concat(), &expected);
}

#[test]
fn zstd_with_a_dictionary_in_front_is_read() {
    let dictionary = response("x", "words that stand in every page");
    let frame = |record: Vec<u8>| {
        let mut packer = zstd::bulk::Compressor::with_dictionary(1, &dictionary).unwrap();
        packer.compress(&record).unwrap()
    };
    let skippable = |content: &[u8]| {
        [&[0x5d, 0x2a, 0x4d, 0x18], &(content.len() as u32).to_le_bytes()[..], content].concat()
    };
    let frames = [frame(response("a", "first")), frame(response("b", "second"))].concat();
    check(&[skippable(&dictionary), frames.clone()].concat(), &[A, B]);
    let packed = zstd::encode_all(&dictionary[..], 1).unwrap();
    check(&[skippable(&packed), frames].concat(), &[A, B]);
}

#[test]
fn every_kind_of_warc_record_has_its_answer() {
    let of = |kind: &str, media: &str, block: &str| {
        let head = format!(
            "WARC-Type: {kind}\r\nWARC-Target-URI: <http://a.test/>\r\nWARC-Date: \
             2014-02-16T05:02:21Z\r\nContent-Type: {media}"
        );
        record(&head, block)
    };
    let http = "application/http;msgtype=response";
    check(&of("revisit", http, "HTTP/1.1 200 OK\r\n\r\n"), &["revisit"]);
    check(&of("request", "application/http", "GET / HTTP/1.1\r\n\r\n"), &["request"]);
    check(&of("metadata", "text/plain", "x"), &["metadata"]);
    check(&of("resource", "text/plain", "x"), &["200 http://a.test/ \"x\""]);
    check(&of("conversion", "text/plain", "x"), &["200 http://a.test/ \"x\""]);
    check(&of("response", http, "no head"), &["message"]);
    check(
        &of(
            "response",
            http,
            "HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        ),
        &["404 http://a.test/ \"x\""],
    );
    let other = |uri: &str, date: &str| {
        record(&format!("WARC-Type: resource\r\nWARC-Target-URI: {uri}\r\nWARC-Date: {date}"), "")
    };
    check(&other("dns:a.test", "2014-02-16T05:02:21Z"), &["scheme"]);
    check(&other("http://", "2014-02-16T05:02:21Z"), &["url"]);
    check(&other("http://a.test/", "once"), &["date"]);
    check(&other("http://a.test/", "2014-02"), &["200 http://a.test/ \"\""]);
    for version in ["0.17", "0.18", "1.0", "1.1"] {
        check(&record_of(version, "WARC-Type: revisit", "", 0), &["revisit"]);
    }
}

#[test]
fn lengths_that_lie_cost_their_record_and_no_other() {
    let lie = |length: u64| record_of("1.0", "WARC-Type: revisit", "abc", length);
    let ten_gigabytes = 10_000_000_000;
    for (length, expected) in [
        (3, "revisit"),
        (200, "damaged"),
        (1_000_000, "damaged"),
        (ten_gigabytes, "too-big"),
        (u64::MAX, "too-big"),
    ] {
        let file = [response("a", "first"), lie(length), response("b", "second")];
        check(&file.concat(), &[A, expected, B]);
        check(&file.each_ref().map(|record| gzip(record)).concat(), &[A, expected, B]);
    }
    check(&[lie(1), response("b", "second")].concat(), &["revisit", "damaged", B]);
    let nameless = b"WARC/1.0\r\nWARC-Type: revisit\r\n\r\nabc\r\n\r\n".to_vec();
    check(&[nameless, response("b", "second")].concat(), &["damaged", B]);
}

#[test]
fn a_cut_file_gives_what_stands_before_the_cut() {
    let whole = [response("a", "first"), response("b", "second")];
    let plain = whole.concat();
    check(&plain[..plain.len() - 20], &[A, "damaged"]);
    let packed = whole.each_ref().map(|record| gzip(record)).concat();
    check(&packed[..packed.len() - 20], &[A, "damaged"]);
    let one = gzip(&plain);
    assert_eq!(lines(&one[..one.len() - 1]).first().map(String::as_str), Some(A));
}

#[test]
fn arc_is_read_in_both_versions() {
    let block = "HTTP/1.1 200 OK\r\n\r\nfirst";
    let length = block.len();
    let one = format!(
        "filedesc://x.arc 0.0.0.0 20140216050221 text/plain 68\n1 0 Someone\nURL IP-address \
         Archive-date Content-type Archive-length\n\nhttp://a.test/a 1.2.3.4 20140216050221 \
         text/html {length}\n{block}\n\ndns:a.test 1.2.3.4 20140216050221 text/dns 3\nabc\n\
         http://a.test/b 1.2.3.4 20140216050221 text/html 6\nsecond\n"
    );
    let expected = ["metadata", A, "scheme", B];
    check(one.as_bytes(), &expected);
    check(&gzip(one.as_bytes()), &expected);
    let longer = one.replace("text/plain 68", "text/plain 90");
    check(longer.as_bytes(), &["damaged", A, "scheme", B]);
    let two = format!(
        "http://a.test/a 1.2.3.4 20140216050221 text/html 200 SUM - 0 x.arc {length}\n{block}\n"
    );
    check(two.as_bytes(), &[A]);
    let lies =
        format!("http://a.test/a 1.2.3.4 20140216050221 text/html 9999999999\n{block}\n{two}");
    check(lies.as_bytes(), &["too-big", "damaged", A]);
}

#[test]
fn trec_is_read_with_and_without_a_url() {
    let web = "<DOC>\n<DOCNO>WTX001-B01-1</DOCNO>\n<DOCHDR>\nhttp://a.test/a 1.2.3.4 \
               19970101013145 text/html 988\nHTTP/1.0 200 OK\nContent-type: text/html\n</DOCHDR>\n\
               first</DOC>\n";
    check(web.as_bytes(), &[A]);
    let dated = web
        .replace("19970101013145", "x")
        .replace("OK\n", "OK\nDate: Wed, 01 Jan 1997 01:21:13 GMT\n");
    check(dated.as_bytes(), &[A]);
    check(web.replace("19970101013145", "x").as_bytes(), &[&format!("{A} undated")]);
    let text = "<DOC><DOCNO> FT 911/3 </DOCNO><TEXT>x</TEXT></DOC>";
    let expected = "200 http://trec.invalid/FT%20911%2F3 \"<TEXT>x</TEXT>\" undated";
    check(text.as_bytes(), &[expected]);
    check(
        format!("{text}\n{web}<DOC>{text}<DOC><DOCNO>").as_bytes(),
        &[expected, A, expected, "damaged"],
    );
    check(format!("<DOC>x</DOC>{text}").as_bytes(), &["damaged", expected]);
}

#[test]
fn what_is_no_archive_is_none() {
    for bytes in
        [&b""[..], b"\n", b"<html><DOC></html>", b"WARC/2.0", b"\x1f\x8b\x08", b"a b c d 5"]
    {
        assert!(found(bytes).is_none(), "{bytes:?}");
    }
}

proptest! {
    #[test]
    fn a_damaged_member_costs_its_own_record_at_most(which in 0..5usize, at in 0.0..1.0, byte: u8) {
        let records: Vec<Vec<u8>> =
            (0..5).map(|n| gzip(&response(&n.to_string(), &format!("page {n}")))).collect();
        let start: usize = records[..which].iter().map(Vec::len).sum();
        let mut file = records.concat();
        let at = start + (at * records[which].len() as f64) as usize;
        file[at] = byte;
        // The magic of the first member is what tells that the file is packed.
        prop_assume!(at > 2);
        let (_, found) = found(&file).unwrap();
        let pages: Vec<String> = found
            .into_iter()
            .filter_map(|found| found.taken.ok())
            .map(|taken| taken.capture.url.path().to_owned())
            .collect();
        for other in (0..5).filter(|n| *n != which) {
            prop_assert!(pages.contains(&format!("/{other}")), "{other} of {pages:?}");
        }
    }

    #[test]
    fn no_bytes_make_a_reader_fail(
        opening in prop::sample::select(vec![
            "WARC/1.0\r\n", "WARC/1.0\r\nContent-Length: 5\r\n\r\n", "<DOC>\n<DOCNO>1</DOCNO>",
            "http://a.test/ 1.2.3.4 20140216050221 text/html 5\n",
        ]),
        pieces in prop::collection::vec(prop::sample::select(vec![
            "WARC/1.0\r\n", "Content-Length: 7\r\n", "WARC-Type: response\r\n", "\r\n\r\n", "\n", "<DOC>",
            "</DOC>", "<DOCHDR>", "</DOCHDR>", "HTTP/1.1 200 OK\r\n", "x", "\u{e9}", "<DOCNO>2</DOCNO>",
            "http://a.test/ 1.2.3.4 20140216050221 text/html 99\n", "filedesc:",
        ]), 0..40),
        packed: bool,
    ) {
        let file = format!("{opening}{}", pieces.concat()).into_bytes();
        let file = if packed { gzip(&file) } else { file };
        if let Some((_, found)) = found(&file) {
            prop_assert!(found.len() <= 100);
        }
    }
}

#[test]
fn junk_without_a_line_end_does_not_cost_the_record_in_the_next_member() {
    let [a, b] = [response("a", "first"), response("b", "second")].map(|record| gzip(&record));
    check(&[&a[..], &gzip(b"junk"), &b].concat(), &[A, "damaged", B]);
    check(&[&gzip(b"junk"), &a[..], &b].concat(), &["damaged", A, B]);
}

#[test]
fn an_archive_whose_start_is_damaged_is_known_by_its_name() {
    let records = [response("a", "first"), response("b", "second")];
    let packed = records.each_ref().map(|record| gzip(record)).concat();
    let mut zeroed = packed.clone();
    zeroed[..40].fill(0);
    assert_eq!(lines_in(&zeroed, ".warc.gz"), ["damaged", B]);
    let prefixed = [b"junk line\n", &packed[..]].concat();
    assert_eq!(lines_in(&prefixed, ".WARC.gz"), ["damaged", A, B]);
    let far = [&vec![b'x'; 100_000][..], b"\n", &records.concat()].concat();
    assert_eq!(lines_in(&far, ".warc"), ["damaged", A, B]);
    let arc = "http://a.test/a 127.0.0.1 20140216050221 text/html 26\nHTTP/1.0 200 OK\n\nfirst\n";
    let arc = arc.replace("26", &"HTTP/1.0 200 OK\n\nfirst".len().to_string());
    let prefixed = format!("junk line\n{arc}");
    assert_eq!(lines_in(prefixed.as_bytes(), ".arc"), ["damaged", A]);
    // What is plain in spite of its name is read as before, and what is nothing at all is named.
    assert_eq!(lines_in(&records.concat(), ".warc.gz"), [A, B]);
    assert_eq!(lines_in(b"<html>not found</html>", ".warc.gz"), ["damaged"]);
    assert!(found_in(&zeroed, ".bin").is_none());
}
