//! Import: records of other people's archives, files and mail become captures and ledger rows, with
//! the reasons a crawl would have given them. A capture that is known, or older than the one that is there, is
//! skipped, so importing again adds nothing and an import that was cut short can be run again.

mod deriving;
mod files;

use fyke_crawl::Control;
use fyke_derive::{Derived, derive_pages, store_pages};
use fyke_store::archive::{Archive, FoundRecord, RecordSpot, Skip, SkippedRecord, TakenCapture};
use fyke_store::warc::payload_digest;
use fyke_store::{Collection, Reason, Round, Row};
use fyke_web::{Capture, UrlId};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// A round is committed when it holds so many captures …
const MOST_CAPTURES: usize = 256;
/// … or so many payload bytes.
const MOST_BYTES: usize = 32 << 20;
/// What is derived of a round at once may take about so many bytes.
const MOST_DERIVED: usize = 64 << 20;
/// Places named in the report of one file.
const MOST_PLACES: usize = 10;

/// What became of one file.
#[derive(Debug, Default, Serialize)]
pub struct Imported {
    pub file: PathBuf,
    /// What it is: the kind of archive, a mailbox, JSON lines or a file; empty when not known.
    pub format: &'static str,
    /// Records looked at.
    pub records: u64,
    /// Captures added.
    pub added: u64,
    /// Records that held a capture, added or not.
    #[serde(skip)]
    pub read: u64,
    /// Records that gave none, by reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// The first records with which something is wrong.
    pub troubles: Vec<ImportTrouble>,
    /// Why the file could not be read (to its end).
    pub error: Option<String>,
}

/// A record with which something is wrong.
#[derive(Debug, Serialize)]
pub struct ImportTrouble {
    #[serde(flatten)]
    pub spot: RecordSpot,
    pub reason: &'static str,
    pub what: String,
}

/// How an import goes: limits, and who watches.
pub struct ImportOptions<'a> {
    /// Payloads are cut here, as a fetch would.
    pub most_bytes: usize,
    pub stop: &'a Control,
    /// Told now and then: bytes of the current file read so far.
    pub observe: &'a mut dyn FnMut(u64),
}

impl std::fmt::Debug for ImportOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("most_bytes", &self.most_bytes).finish_non_exhaustive()
    }
}

/// Imports one file.
///
/// # Errors
/// Trouble with the collection; trouble with the file is in the report.
pub fn import(
    collection: &mut Collection,
    path: &Path,
    options: &mut ImportOptions<'_>,
) -> anyhow::Result<Imported> {
    let mut imported = Imported { file: path.to_owned(), ..Imported::default() };
    let mut records = match ImportRecords::open(path) {
        Ok((format, records)) => {
            imported.format = format;
            records
        }
        Err(error) => {
            imported.error = Some(error.to_string());
            return Ok(imported);
        }
    };
    // What came before must have its documents: those of the import are put behind them.
    derive_pages(collection, |_| {})?;
    let undated = crate::files::modified(path);
    let mut batch =
        CaptureBatch { collection, captures: Vec::new(), rows: HashMap::new(), bytes: 0 };
    while let Some((spot, taken)) = records.next().filter(|_| !options.stop.is_stopped()) {
        imported.records += 1;
        match taken {
            Err(SkippedRecord { why, what }) => imported.skip(spot, why, what),
            Ok(mut taken) => {
                imported.read += 1;
                fit(&mut taken, undated, options.most_bytes);
                match batch.take(taken)? {
                    None => imported.added += 1,
                    Some(name) => *imported.skipped.entry(name).or_default() += 1,
                }
            }
        }
        if imported.records.is_multiple_of(64) {
            (options.observe)(records.position());
        }
    }
    batch.commit()?;
    Ok(imported)
}

/// Where captures come from.
enum ImportRecords {
    Archive(Box<Archive>),
    Files(Box<dyn Iterator<Item = files::ImportRecord>>),
}

impl ImportRecords {
    /// Opens a file, and says what it is.
    fn open(path: &Path) -> std::io::Result<(&'static str, ImportRecords)> {
        if let Some(archive) = Archive::open(path)? {
            return Ok((archive.format.name(), ImportRecords::Archive(Box::new(archive))));
        }
        let (kind, records) = files::records(path)?;
        Ok((kind.name(), ImportRecords::Files(records)))
    }

    fn next(&mut self) -> Option<files::ImportRecord> {
        match self {
            ImportRecords::Archive(archive) => {
                archive.next().map(|FoundRecord { spot, taken }| (spot, taken))
            }
            ImportRecords::Files(records) => records.next(),
        }
    }

    /// Bytes of the file read so far, where that is known.
    fn position(&mut self) -> u64 {
        match self {
            ImportRecords::Archive(archive) => Archive::position(archive),
            ImportRecords::Files(_) => 0,
        }
    }
}

impl Imported {
    fn skip(&mut self, spot: RecordSpot, why: Skip, what: String) {
        *self.skipped.entry(why.name()).or_default() += 1;
        if why.is_trouble() && self.troubles.len() < MOST_PLACES {
            self.troubles.push(ImportTrouble { spot, reason: why.name(), what });
        }
    }
}

/// Gives a capture what a fetch would have: a time, and a size within the limit.
fn fit(taken: &mut TakenCapture, undated: i64, most_bytes: usize) {
    let capture = &mut taken.capture;
    if !taken.is_dated {
        capture.time = undated;
    }
    if capture.payload.len() > most_bytes {
        capture.payload.truncate(most_bytes);
        capture.truncated = Some("length".to_owned());
    }
}

/// Captures on their way to disk.
struct CaptureBatch<'a> {
    collection: &'a mut Collection,
    captures: Vec<Capture>,
    rows: HashMap<UrlId, Row>,
    bytes: usize,
}

impl CaptureBatch<'_> {
    /// Takes a capture in, or says why not.
    fn take(
        &mut self,
        TakenCapture { capture, is_dated }: TakenCapture,
    ) -> anyhow::Result<Option<&'static str>> {
        if capture.url.path_and_query() == "/robots.txt" {
            return Ok(Some("robots.txt"));
        }
        let id = capture.url.id();
        if capture.redirect().is_some_and(|to| to.is_ok_and(|to| to.id() == id)) {
            // The server wants another spelling of the same key; its answer to that one counts.
            return Ok(Some("respelled"));
        }
        let known = match self.rows.get(&id) {
            Some(row) => Some(row.clone()),
            None => self.collection.ledger.get(id)?,
        };
        let digest = payload_digest(&capture.payload);
        if let Some(row) = &known {
            let is_older = row.fetched.is_some_and(|time| capture.time <= time);
            let is_same = row.digest == Some(digest) && (is_older || !is_dated);
            let is_there = row.capture.is_some() || self.rows.contains_key(&id);
            if is_there && (is_same || is_older) {
                return Ok(Some(if is_same { "known" } else { "older" }));
            }
        }
        let known = match self.rows.contains_key(&id) {
            // A round has one capture of a URL, so that it can be stored in parts.
            true => {
                self.commit()?;
                self.collection.ledger.get(id)?
            }
            false => known,
        };
        let row = known.unwrap_or_else(|| new_row(&capture));
        self.rows.insert(id, asked(row, &capture, digest));
        self.bytes += capture.payload.len();
        self.captures.push(capture);
        if self.captures.len() >= MOST_CAPTURES || self.bytes >= MOST_BYTES {
            self.commit()?;
        }
        Ok(None)
    }

    /// Derives what the captures give and makes all of it durable.
    fn commit(&mut self) -> anyhow::Result<()> {
        self.bytes = 0;
        let mut captures = std::mem::take(&mut self.captures);
        while !captures.is_empty() {
            let derived = deriving::derive_some(self.collection, &captures, MOST_DERIVED);
            let captures = captures.drain(..derived.len()).collect();
            self.store(captures, derived)?;
        }
        Ok(())
    }

    fn store(&mut self, captures: Vec<Capture>, derived: Vec<Derived>) -> anyhow::Result<()> {
        let mut pages = Vec::with_capacity(captures.len());
        let mut rows = Vec::with_capacity(captures.len());
        for (capture, derived) in captures.iter().zip(derived) {
            if let Some((id, mut row)) = self.rows.remove_entry(&capture.url.id()) {
                judge(&mut row, capture, &derived);
                rows.push((id, row));
            }
            let (url, headers) = (capture.url.clone(), capture.headers.clone());
            let truncated = capture.truncated.clone();
            let (time, status, payload) = (capture.time, capture.status, Vec::new());
            pages.push((Capture { url, time, status, headers, payload, truncated }, derived));
        }
        let captures = captures.into_iter().map(|capture| (Vec::new(), capture)).collect();
        self.collection.commit(Round { captures, rows, hosts: Vec::new() })?;
        Ok(store_pages(self.collection, pages)?)
    }
}

fn new_row(capture: &Capture) -> Row {
    Row::new(capture.url.as_str(), Reason::Queued, capture.time)
}

/// The row of a URL whose answer came.
fn asked(row: Row, capture: &Capture, digest: [u8; 16]) -> Row {
    let mut row = Row {
        fetched: Some(capture.time),
        status: capture.status,
        tries: row.tries.saturating_add(1),
        redirect: None,
        ..row
    };
    row.take_answer(capture, digest);
    row
}

/// Gives the row the reason that a crawl would have given it.
fn judge(row: &mut Row, capture: &Capture, derived: &Derived) {
    let target = capture.redirect().and_then(Result::ok);
    (row.reason, row.detail) = match &target {
        Some(_) => (Reason::Redirect, String::new()),
        None => (derived.reason, derived.detail.clone()),
    };
    row.redirect = target.map(|url| url.as_str().to_owned());
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_derive::derive;
    use fyke_web::Url;

    #[test]
    fn reasons_are_those_of_a_crawl() {
        let check = |status: u16, location: &str, expected: Reason| {
            let capture = Capture {
                url: Url::parse("http://a.test/").unwrap(),
                time: 7,
                status,
                headers: vec![("Location".to_owned(), location.to_owned())],
                payload: b"some words".to_vec(),
                truncated: None,
            };
            let mut row = asked(new_row(&capture), &capture, [0; 16]);
            judge(&mut row, &capture, &derive(&capture));
            assert_eq!(row.reason, expected, "{status} {location}");
            assert_eq!(row.redirect.is_some(), expected == Reason::Redirect);
            assert_eq!((row.fetched, row.tries), (Some(7), 1));
        };
        check(200, "", Reason::Kept);
        check(301, "/b", Reason::Redirect);
        check(301, "mailto:a@b", Reason::HttpOther);
        check(304, "", Reason::HttpOther);
        check(404, "", Reason::Http4xx);
        check(503, "/b", Reason::Http5xx);
    }
}
