//! The crawl's side of the store: what is not yet on disk, looked at before what is; group commit.

use fyke_store::{Collection, HostRow, Reason, Round, Row, StoreError, StoredLink};
use fyke_web::{Capture, Document, UrlId};
use std::collections::HashMap;

/// A round is committed when it holds so many captures …
const MOST_CAPTURES: usize = 64;
/// … or so many payload bytes …
const MOST_BYTES: usize = 32 << 20;
/// … or is so old, in milliseconds.
const OLDEST: u64 = 200;
/// URLs remembered in memory in front of the ledger.
const RECENT: usize = 1 << 19;

/// Rows, captures and documents on their way to disk.
#[derive(Debug)]
pub(super) struct Journal<'a> {
    pub(super) collection: &'a mut Collection,
    rows: HashMap<UrlId, Row>,
    captures: Vec<(Vec<u8>, Capture)>,
    documents: Vec<(UrlId, Option<Document>, Vec<StoredLink>)>,
    bytes: usize,
    /// Pages among the captures: redirects and sitemaps are none.
    pages: u64,
    due: Option<u64>,
    recent: HashMap<UrlId, (Reason, u16)>,
    /// `recent` holds the whole ledger.
    complete: bool,
    known: u64,
}

impl<'a> Journal<'a> {
    pub(super) fn new(collection: &'a mut Collection) -> Result<Journal<'a>, StoreError> {
        let known = collection.ledger.counts()?.values().sum();
        Ok(Journal {
            collection,
            rows: HashMap::new(),
            captures: Vec::new(),
            documents: Vec::new(),
            bytes: 0,
            pages: 0,
            due: None,
            recent: HashMap::new(),
            complete: known == 0,
            known,
        })
    }

    /// URLs in the ledger, those on their way included.
    pub(super) fn known(&self) -> u64 {
        self.known
    }

    /// A URL's row.
    pub(super) fn row(&self, id: UrlId) -> Result<Option<Row>, StoreError> {
        match self.rows.get(&id) {
            Some(row) => Ok(Some(row.clone())),
            None => self.collection.ledger.get(id),
        }
    }

    /// A URL's reason and depth: the duplicate URL eliminator (000).
    pub(super) fn standing(&mut self, id: UrlId) -> Result<Option<(Reason, u16)>, StoreError> {
        if let Some(standing) = self.recent.get(&id) {
            return Ok(Some(*standing));
        }
        if self.complete {
            return Ok(None);
        }
        let standing = self.row(id)?.map(|row| (row.reason, row.depth));
        if let Some(standing) = standing {
            self.remember(id, standing);
        }
        Ok(standing)
    }

    fn remember(&mut self, id: UrlId, standing: (Reason, u16)) {
        if self.recent.len() >= RECENT {
            self.recent.clear();
            self.complete = false;
        }
        self.recent.insert(id, standing);
    }

    /// Writes a row; `is_new` when the URL was not known before.
    pub(super) fn put(&mut self, id: UrlId, row: Row, is_new: bool, now: u64) {
        self.known += u64::from(is_new);
        self.remember(id, (row.reason, row.depth));
        self.rows.insert(id, row);
        self.touch(now);
    }

    /// Writes an answer and what was derived from it; its row must be put beside it.
    pub(super) fn put_capture(
        &mut self,
        request: Vec<u8>,
        capture: Capture,
        document: Option<Document>,
        links: Vec<StoredLink>,
    ) {
        self.bytes += capture.payload.len();
        self.documents.push((capture.url.id(), document, links));
        self.captures.push((request, capture));
    }

    /// One of the captures is a page.
    pub(super) fn count_page(&mut self) {
        self.pages += 1;
    }

    /// Links out of a page that was fetched.
    pub(super) fn links(&self, id: UrlId) -> Result<Vec<StoredLink>, StoreError> {
        match self.documents.iter().rev().find(|(known, ..)| *known == id) {
            Some((_, _, links)) => Ok(links.clone()),
            None => self.collection.documents.links(id),
        }
    }

    /// There is something to write.
    pub(super) fn touch(&mut self, now: u64) {
        self.due.get_or_insert(now + OLDEST);
    }

    /// Commit as soon as possible.
    pub(super) fn hurry(&mut self, now: u64) {
        self.due = Some(now);
    }

    /// When the round must be committed, if there is one.
    pub(super) fn due(&self) -> Option<u64> {
        match self.captures.len() >= MOST_CAPTURES || self.bytes >= MOST_BYTES {
            true => Some(0),
            false => self.due,
        }
    }

    /// Makes everything durable: the round first, then the documents derived from it. Returns how
    /// many more pages and documents are safe now.
    pub(super) fn commit(
        &mut self,
        hosts: Vec<(String, HostRow)>,
    ) -> Result<(u64, u64), StoreError> {
        self.due = None;
        self.bytes = 0;
        let captures = std::mem::take(&mut self.captures);
        let pages = std::mem::take(&mut self.pages);
        let has_captures = !captures.is_empty();
        let rows: Vec<(UrlId, Row)> = self.rows.drain().collect();
        if rows.is_empty() && hosts.is_empty() && !has_captures {
            return Ok((0, 0));
        }
        let documents = std::mem::take(&mut self.documents);
        let collection = &mut *self.collection;
        blocking(move || {
            collection.commit(Round { captures, rows, hosts })?;
            if has_captures {
                collection.documents.put(&documents, collection.captures.end())?;
            }
            let made = documents.iter().filter(|(_, document, _)| document.is_some()).count();
            Ok((pages, made as u64))
        })
    }
}

/// Runs a blocking step without stopping the other tasks of this thread.
fn blocking<T>(step: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(step),
        _ => step(),
    }
}
