//! The store from outside: round trips, crashes, damage, and what other archive tools expect.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod archive;
mod captures;
mod cells;
mod check;
mod commits;
mod crashes;
mod damage;
mod derived;
mod faults;
mod index;
mod ledger;
mod readers;
mod sieve;

use fyke_store::{Collection, HostRow, PlacedRow, Reason, Round, Row, Spot, View};
use fyke_web::{Capture, Url};
use std::path::Path;

/// An empty collection in a folder of its own.
fn new_collection() -> (tempfile::TempDir, Collection) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("fyke.toml"), "").unwrap();
    let collection = Collection::open(dir.path()).unwrap();
    (dir, collection)
}

fn url(n: u64) -> Url {
    Url::parse(&format!("http://a.test/page/{n}?q={n}")).unwrap()
}

fn capture(n: u64) -> Capture {
    Capture {
        url: url(n),
        time: 1_795_000_000_000 + n as i64,
        status: 200,
        headers: vec![("Content-Type".into(), "text/html; charset=utf-8".into())],
        payload: format!("<p>page {n}").repeat(n as usize % 7 + 1).into_bytes(),
        truncated: None,
    }
}

fn row(n: u64, reason: Reason) -> Row {
    Row {
        parent: (n > 0).then(|| url(n - 1).id()),
        depth: 3,
        priority: (n % 3) as u8 + 1,
        ..Row::new(url(n).as_str(), reason, 1_795_000_000_000 - n as i64)
    }
}

/// One page fetched and kept, two links found.
fn round(n: u64) -> Round {
    let captures = vec![(b"GET / HTTP/1.1\r\n\r\n".to_vec(), capture(n))];
    let found = [1_000 + 2 * n, 1_001 + 2 * n].map(|m| (url(m).id(), row(m, Reason::Queued)));
    let rows = [(url(n).id(), row(n, Reason::Kept))].into_iter().chain(found).collect();
    let hosts = vec![("a.test".to_owned(), HostRow { pages: n + 1, ..HostRow::default() })];
    Round { captures, rows, hosts }
}

/// Asserts that the collection holds the first `n` rounds, whole, and nothing else.
fn check_holds(collection: &Collection, n: u64) {
    check_view(collection, n);
}

/// The same of what can be read of one.
fn check_view(collection: &View, n: u64) {
    let all: Result<Vec<_>, _> = collection.captures.from(Spot::START).collect();
    let taken: Vec<Capture> = all.unwrap().into_iter().map(|(_, capture)| capture).collect();
    assert_eq!(taken, (0..n).map(capture).collect::<Vec<_>>());
    let rows: Vec<_> = collection.ledger.rows().map(Result::unwrap).collect();
    assert_eq!(rows.len() as u64, 3 * n);
    for m in 0..n {
        let row = collection.ledger.get(url(m).id()).unwrap().unwrap();
        assert_eq!(collection.captures.read(row.capture.unwrap()).unwrap(), capture(m));
    }
    let host = collection.ledger.host("a.test").unwrap().unwrap_or_default();
    assert_eq!(host.pages, n);
    check_counts(collection);
}

/// Asserts that the counts are those of a scan, and the queue that of the rows.
fn check_counts(collection: &View) {
    let rows: Vec<_> = collection.ledger.rows().map(Result::unwrap).collect();
    let mut counts = std::collections::BTreeMap::new();
    for (_, row) in &rows {
        *counts.entry(row.reason).or_insert(0) += 1;
    }
    assert_eq!(collection.ledger.counts().unwrap(), counts);
    assert_eq!(collection.ledger.len(), rows.len() as u64);
    let waiting: Vec<_> =
        rows.into_iter().filter(|(_, row)| row.reason == Reason::Queued).collect();
    let queued: Vec<_> = collection.ledger.queued().map(Result::unwrap).collect();
    for PlacedRow { position, id, row } in &queued {
        assert_eq!(collection.ledger.at(*position).unwrap(), Some((*id, row.clone())));
    }
    let queued: Vec<_> = queued.into_iter().map(|queued| (queued.id, queued.row)).collect();
    assert_eq!(queued, waiting);
}

fn warc(root: &Path) -> std::path::PathBuf {
    root.join("captures/00000.warc.gz")
}
