//! Verifies a collection from end to end: every capture is read and its digest compared, every record of the ledger,
//! every document and every cell is read. Each trouble is told with what to do about it. Nothing is locked: a
//! crawl may run meanwhile.

use crate::captures::CapturesView;
use crate::cells::Cells;
use crate::collection::keep_captures_without_ledger;
use crate::documents::DocumentsView;
use crate::ledger::LedgerView;
use crate::sieve::Sieve;
use crate::{Spot, StoreError, warc};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

/// Damaged places of one part that are named; the rest is counted.
const MOST_NAMED: usize = 20;

const AGAIN: &str = "fyke rebuild makes it again";
const FETCH: &str = "put the file back from a copy; or fetch its pages again with: fyke crawl --missing; \
                     until then fyke rebuild refuses, and fyke rebuild --keep keeps their documents";

/// Something that is wrong with a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flaw {
    /// Captures, ledger, documents, columns or index.
    pub part: &'static str,
    pub what: String,
    /// What to do about it.
    pub advice: String,
}

/// What was read, and what is wrong.
#[derive(Debug, Default, Serialize)]
pub struct Checkup {
    pub captures: u64,
    pub urls: u64,
    pub documents: u64,
    pub cells: u64,
    /// Damaged places in the captures that no URL needs any more.
    pub unneeded: u64,
    pub troubles: Vec<Flaw>,
}

/// Who watches: the part, how much of it was read, and how much there is, if that is known.
pub type CheckWatch<'a> = &'a mut dyn FnMut(&'static str, u64, Option<u64>);

impl Checkup {
    /// Reads everything in the collection at `root` but for its index.
    ///
    /// # Errors
    /// When something cannot be read for a reason other than damage.
    pub fn of_store(root: &Path, watch: CheckWatch<'_>) -> Result<Checkup, StoreError> {
        if !root.join("fyke.toml").exists() {
            return Err(StoreError::Missing(root.into()));
        }
        let mut checkup = Checkup::default();
        let ledger = root.join("ledger");
        if let Err(error) = keep_captures_without_ledger(root) {
            checkup.note("ledger", &error, advice("ledger"));
        }
        if let Some(view) = checkup.opened("ledger", LedgerView::open_to_read(&ledger))? {
            checkup.ledger(&view, &ledger, watch)?;
            checkup.captures(root, &view, watch)?;
        }
        checkup.documents(root, watch)?;
        checkup.columns(root, watch)?;
        Ok(checkup)
    }

    /// Notes a trouble, unless many of its part are noted.
    pub fn note(&mut self, part: &'static str, what: &dyn Display, advice: &str) {
        let (what, advice) = (what.to_string(), advice.to_owned());
        match self.troubles.iter().filter(|trouble| trouble.part == part).count() {
            ..MOST_NAMED => self.troubles.push(Flaw { part, what, advice }),
            MOST_NAMED => {
                let what = "there is more of the like".to_owned();
                self.troubles.push(Flaw { part, what, advice });
            }
            _ => {}
        }
    }

    /// What was opened or read; damage is a trouble of its part.
    fn opened<T>(
        &mut self,
        part: &'static str,
        opened: Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match opened {
            Err(error @ StoreError::Damaged { .. }) => {
                self.note(part, &error, advice(part));
                Ok(None)
            }
            opened => opened.map(Some),
        }
    }

    fn ledger(
        &mut self,
        view: &LedgerView,
        dir: &Path,
        watch: CheckWatch<'_>,
    ) -> Result<(), StoreError> {
        let total = Some(view.len());
        for row in view.rows() {
            self.opened("ledger", row)?;
            self.urls += 1;
            if self.urls.is_multiple_of(1024) {
                watch("ledger", self.urls, total);
            }
        }
        for host in view.hosts() {
            self.opened("ledger", host)?;
        }
        for what in view.damage() {
            self.note("ledger", &what, advice("ledger"));
        }
        if let Some(lost) = view.lost(dir)? {
            let what = format!("{}/log has lost its last {lost} bytes", dir.display());
            self.note("ledger", &what, advice("ledger"));
        }
        for name in ["urls", "hosts"] {
            let read = Sieve::verify(&dir.join(name));
            if let Err(error @ StoreError::Damaged { .. }) = &read {
                let advice =
                    "nothing: the next fyke crawl or rebuild makes this index of the ledger again";
                self.note("ledger", error, advice);
            } else {
                read?;
            }
        }
        Ok(())
    }

    fn captures(
        &mut self,
        root: &Path,
        ledger: &LedgerView,
        watch: CheckWatch<'_>,
    ) -> Result<(), StoreError> {
        let captures = CapturesView::open_to_read(&root.join("captures"), ledger.end());
        let taken = taken(ledger);
        let (mut seen, mut damaged) = (Vec::new(), BTreeMap::new());
        for file in 0..=captures.end().file {
            for found in captures.in_file(file, 0) {
                let (place, capture) = match found {
                    Ok(found) => found,
                    Err(error @ StoreError::Damaged { .. }) => {
                        damaged.entry(file).or_insert_with(Vec::new).push(error.to_string());
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                self.captures += 1;
                seen.push(place.start());
                let at = taken.binary_search_by_key(&place.start(), |taken| taken.at);
                let is_other = |digest| digest != warc::payload_digest(&capture.payload);
                if at.is_ok_and(|at| is_other(taken[at].digest)) {
                    let (path, offset) = (captures.path(place.file), place.offset);
                    let url = &capture.url;
                    let what = format!(
                        "{}: the capture of {url} at byte {offset} is not the one that was taken",
                        path.display()
                    );
                    self.note("captures", &what, FETCH);
                }
                if self.captures.is_multiple_of(64) {
                    watch("captures", self.captures, None);
                }
            }
        }
        for (file, UnseenCaptures { count, url }) in missing(ledger, &seen) {
            let found = damaged.remove(&file).unwrap_or_default();
            let first = found.first().map_or(String::new(), |what| format!(" ({what})"));
            let path = captures.path(file);
            let what = format!(
                "{}: {count} captures that the ledger names cannot be read, that of {url} first{first}",
                path.display()
            );
            self.note("captures", &what, FETCH);
        }
        self.unneeded = damaged.values().map(|found| found.len() as u64).sum();
        Ok(())
    }

    fn documents(&mut self, root: &Path, watch: CheckWatch<'_>) -> Result<(), StoreError> {
        let opened = DocumentsView::open_to_read(root);
        let Some(documents) = self.opened("documents", opened)? else { return Ok(()) };
        let read = Sieve::verify(&root.join("documents/index"));
        self.opened("documents", read)?;
        for document in documents.all() {
            self.opened("documents", document)?;
            self.documents += 1;
            if self.documents.is_multiple_of(256) {
                watch("documents", self.documents, None);
            }
        }
        for links in documents.all_links() {
            self.opened("documents", links)?;
        }
        Ok(())
    }

    fn columns(&mut self, root: &Path, watch: CheckWatch<'_>) -> Result<(), StoreError> {
        let opened = Cells::open_reader(&root.join("columns"));
        let Some(cells) = self.opened("columns", opened)? else { return Ok(()) };
        let sizes = cells.sizes();
        for size in &sizes {
            watch("columns", self.cells, Some(sizes.iter().map(|size| size.cells).sum()));
            let read = cells.verify(&size.column);
            self.cells += self.opened("columns", read)?.unwrap_or(0);
        }
        if sizes.is_empty() && self.documents > 0 {
            let what = "there are documents and no columns";
            self.note("columns", &what, AGAIN);
        }
        Ok(())
    }
}

/// A capture that the ledger names.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct NamedCapture {
    at: Spot,
    digest: [u8; 16],
}

/// The captures that the ledger names, in order.
fn taken(ledger: &LedgerView) -> Vec<NamedCapture> {
    let mut taken = Vec::new();
    for row in ledger.rows() {
        // Rows that cannot be read were noted before.
        let Ok((_, row)) = row else { continue };
        let named = row.capture.zip(row.digest);
        taken.extend(named.map(|(place, digest)| NamedCapture { at: place.start(), digest }));
    }
    taken.sort_unstable();
    taken
}

/// Captures of a file that the ledger names and that were not seen.
struct UnseenCaptures {
    count: u64,
    /// The URL of the first.
    url: String,
}

/// The captures that the ledger names and that were not seen, by file.
fn missing(ledger: &LedgerView, seen: &[Spot]) -> BTreeMap<u32, UnseenCaptures> {
    let mut missing = BTreeMap::new();
    for row in ledger.rows() {
        let Ok((_, row)) = row else { continue };
        let Some(place) = row.capture else { continue };
        if seen.binary_search(&place.start()).is_err() {
            let first = UnseenCaptures { count: 0, url: row.url };
            missing.entry(place.file).or_insert(first).count += 1;
        }
    }
    missing
}

fn advice(part: &str) -> &'static str {
    match part {
        "captures" => FETCH,
        "ledger" => {
            "put ledger/ back from a copy; without one the rest of the ledger stands, and what is lost of it \
             is found again by the next crawl"
        }
        _ => AGAIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_many_troubles_some_are_named_and_the_rest_is_told_once() {
        let mut checkup = Checkup::default();
        for n in 0..100 {
            checkup.note("captures", &n, FETCH);
        }
        checkup.note("ledger", &"one", AGAIN);
        assert_eq!(checkup.troubles.len(), MOST_NAMED + 2);
        assert_eq!(checkup.troubles[MOST_NAMED].what, "there is more of the like");
        assert_eq!(checkup.troubles[MOST_NAMED + 1].part, "ledger");
    }
}
