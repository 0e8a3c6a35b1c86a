//! The memory that deriving takes is bounded by bytes: many small captures that unpack to large pages.

use crate::{capture, commit, new_collection};
use flate2::Compression;
use flate2::write::GzEncoder;
use fyke_web::Capture;
use std::io::Write;
use std::process::Command;

/// Set where the test runs as its own child, whose memory is measured.
const CHILD: &str = "FYKE_TEST_DERIVES";
const PAGES: usize = 16;
/// Bytes of each page, unpacked.
const LARGE: usize = 5 << 20;
/// What deriving may take, and more for each thread that has a page in hand; all pages at once take more.
const MOST: usize = 140 << 20;

/// A page whose few kilobytes unpack to a large text.
fn packed(number: usize) -> Capture {
    let line = format!("eels of river {number} swim to the sea at night and come back as glass\n");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(line.repeat(LARGE / line.len()).as_bytes()).unwrap();
    let payload = gzip.finish().unwrap();
    assert!(payload.len() < LARGE / 100);
    let headers = [("Content-Type", "text/plain"), ("Content-Encoding", "gzip")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    Capture { payload, headers, ..capture(&format!("http://a.test/{number}"), 0, "") }
}

/// The most memory that this process ever held, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[test]
fn small_captures_that_unpack_to_large_pages_take_little_memory() {
    if std::env::var_os(CHILD).is_none() {
        let name = "memory::small_captures_that_unpack_to_large_pages_take_little_memory";
        let mut child = Command::new(std::env::current_exe().unwrap());
        let child = child.args(["--exact", name, "--nocapture"]).env(CHILD, "1").output().unwrap();
        assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
        return;
    }
    let (_dir, collection) = new_collection();
    let captures: Vec<Capture> = (0..PAGES).map(packed).collect();
    commit(&collection, &captures);
    assert_eq!(fyke_derive::derive_pages(&collection, |_| ()).unwrap(), PAGES as u64);
    let whole = |document: Result<fyke_web::Document, _>| document.unwrap().text.len() > LARGE / 2;
    assert_eq!(collection.documents.all().map(whole).filter(|is| *is).count(), PAGES);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let most = MOST + threads * 2 * LARGE;
    assert!(peak() < most as u64, "{} MB, not {}", peak() >> 20, most >> 20);
}
