//! Index: documents with their anchor texts, ranks and topics become postings. What has changed is put or
//! taken out; only where all has changed a new index is built, which takes the place of the one before.
//! One commit at the end, with the mark: until then the former index answers, and a crash leaves it as it
//! was.

use super::anchors::{Anchors, anchors};
use super::{Step, topics};
use crate::facts::{FACTS, TOPIC};
use fyke_derive::page::print::PRINTS;
use fyke_derive::whole::compounds::Compounds;
use fyke_derive::whole::graph::RANKS;
use fyke_derive::whole::reasons::REASONS;
use fyke_derive::whole::twins::{COPIES, is_left_out};
use fyke_derive::{
    DerivedMark, Due, INDEX, Orders, Pace, cpu_micros, due, finish_index, index_mark, totals,
};
use fyke_index::{Entry, FactValue, Index, IndexError, Writer};
use fyke_store::{Cells, Collection, Reason, StoreError, View};
use fyke_web::{Document, Url, UrlId};
use std::cell::OnceCell;

/// Brings the index up to date; returns how many documents it holds.
///
/// # Errors
/// When documents cannot be read or the index cannot be written.
pub fn index(collection: &Collection, orders: &mut Orders<'_>) -> anyhow::Result<u64> {
    let index = match Index::open_with(&collection.index_dir(), FACTS) {
        // Derived all the same: one that cannot be read is made anew.
        Err(IndexError::Old(_) | IndexError::Broken { .. }) => {
            return index_anew(collection, orders);
        }
        opened => opened?,
    };
    let (cells, mark) = (collection.cells(), mark_in(&index));
    match due(&INDEX, mark.as_ref(), &cells, orders.settings, orders.pace)? {
        Due::All(_) if orders.pace != Pace::Fresh => return index_anew(collection, orders),
        Due::Some { pages, late } => {
            let start = cpu_micros();
            let done = Due::Some { pages: Vec::new(), late };
            let mark = index_mark(mark.as_ref(), &done, &cells, orders.settings)?;
            take_up(collection, &cells, &index, &pages, &mark)?;
            finish_index(collection, &mark, cpu_micros().saturating_sub(start))?;
        }
        _ => {}
    }
    Ok(index.len()?)
}

/// Puts these pages into an index as they are now, or takes them out; returns how many were put.
pub(super) fn take_up(
    collection: &Collection,
    cells: &Cells,
    index: &Index,
    pages: &[UrlId],
    mark: &DerivedMark,
) -> anyhow::Result<u64> {
    let mut writer = index.writer()?;
    let source = Source::new(collection, cells);
    let mut put = 0;
    for id in pages {
        let document = if source.is_searched(*id)? { collection.documents.get(*id)? } else { None };
        match document {
            Some(document) => {
                source.put(&document, &mut writer)?;
                put += 1;
            }
            None => writer.delete(id.0)?,
        }
    }
    writer.commit(&serde_json::to_string(mark)?)?;
    Ok(put)
}

/// The mark in an index's last commit.
pub(super) fn mark_in(index: &Index) -> Option<DerivedMark> {
    serde_json::from_str(&index.mark()).ok()
}

/// Makes a new index, which takes the place of the one before when it is done; returns how many
/// documents it holds.
///
/// # Errors
/// As [`index`].
pub fn index_anew(collection: &Collection, orders: &mut Orders<'_>) -> anyhow::Result<u64> {
    let (cells, start) = (collection.cells(), cpu_micros());
    let before = fyke_derive::mark_of(&cells, &INDEX);
    let all = Due::All("");
    let mark = index_mark(before.as_ref(), &all, &cells, orders.settings)?;
    let indexed = collection.replace_index(|dir| {
        let index = Index::open_with(dir, FACTS)?;
        fill(collection, &cells, &index, &mark, orders.observe)
    })?;
    finish_index(collection, &mark, cpu_micros().saturating_sub(start))?;
    Ok(indexed)
}

/// Puts every document into an empty index, in one commit.
fn fill(
    collection: &Collection,
    cells: &Cells,
    index: &Index,
    mark: &DerivedMark,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<u64> {
    let total = Some(totals(cells)?.documents);
    let source = Source::new(collection, cells);
    let mut writer = index.writer()?;
    let mut indexed = 0;
    for document in collection.documents.all() {
        let document = document?;
        if !source.is_searched(document.id)? {
            continue;
        }
        source.put(&document, &mut writer)?;
        indexed += 1;
        if indexed % 64 == 0 {
            observe(Step { stage: "index", done: indexed, total });
        }
    }
    writer.commit(&serde_json::to_string(mark)?)?;
    Ok(indexed)
}

/// What entries are made from.
struct Source<'a> {
    view: &'a View,
    cells: &'a Cells,
    compounds: OnceCell<Compounds>,
}

impl<'a> Source<'a> {
    fn new(view: &'a View, cells: &'a Cells) -> Source<'a> {
        Source { view, cells, compounds: OnceCell::new() }
    }

    /// Not a copy, not in a language that nobody wants, and still kept by the ledger.
    fn is_searched(&self, id: UrlId) -> Result<bool, StoreError> {
        if self.cells.get(&REASONS, id)?.is_some_and(is_left_out) {
            return Ok(false);
        }
        let row = self.view.ledger.get(id)?;
        Ok(row.is_none_or(|row| row.capture.is_none() || row.reason == Reason::Kept))
    }

    fn put(&self, document: &Document, writer: &mut Writer) -> anyhow::Result<()> {
        let (id, cells) = (document.id, self.cells);
        let copies = cells.get(&COPIES, id)?.unwrap_or_default();
        let site = cells.get(&PRINTS, id)?.map_or(0, |print| print.site);
        let anchors = anchors(cells, &copies, id, site)?;
        let rank = cells.get(&RANKS, id)?.unwrap_or(0.0);
        let names = names(self.view, &copies, document)?;
        let parts = match Compounds::are_in(document) {
            true => self.compounds()?.parts(document),
            false => String::new(),
        };
        let topics = topics::names_of(cells, id)?;
        let facts = &[(TOPIC.name, FactValue::Labels(&topics))];
        let (names, parts) = (&names, &parts);
        writer.put(&Entry { rank, names, parts, facts, ..entry(document, &anchors) })?;
        Ok(())
    }

    /// Read when the first document needs them.
    fn compounds(&self) -> Result<&Compounds, StoreError> {
        if let Some(compounds) = self.compounds.get() {
            return Ok(compounds);
        }
        let compounds = Compounds::read(self.cells)?;
        Ok(self.compounds.get_or_init(|| compounds))
    }
}

/// Opens the index for whoever shows a crawl. One that cannot be read is of no use to them: they begin
/// with an empty one.
///
/// # Errors
/// When it cannot be made.
pub fn open_index(collection: &Collection) -> anyhow::Result<Index> {
    let dir = collection.index_dir();
    match Index::open_with(&dir, FACTS) {
        Err(IndexError::Old(_) | IndexError::Broken { .. }) => {
            std::fs::remove_dir_all(&dir)?;
            Ok(Index::open_with(&dir, FACTS)?)
        }
        other => Ok(other?),
    }
}

/// The names of a document and its copies in the collection they were imported from, one to a line.
fn names(collection: &View, copies: &[UrlId], document: &Document) -> Result<String, StoreError> {
    let mut names = document.docno.clone();
    if names.is_empty() {
        return Ok(names);
    }
    for copy in copies {
        if let Some(copy) = collection.documents.get(*copy)?.filter(|copy| !copy.docno.is_empty()) {
            names.push('\n');
            names.push_str(&copy.docno);
        }
    }
    Ok(names)
}

/// A document as it is found, but for its rank and what else is found out later.
pub(super) fn entry<'a>(document: &'a Document, anchors: &'a Anchors) -> Entry<'a> {
    Entry {
        id: document.id.0,
        url: &document.url,
        host: host(&document.url),
        title: &document.title,
        headings: &document.headings,
        emphasis: &document.emphasis,
        description: &document.description,
        body: &document.text,
        pages: &document.pages,
        anchors: &anchors.others,
        own_anchors: &anchors.own,
        language: &document.language,
        format: &document.format,
        date: day(&document.date),
        time: document.time,
        ..Entry::default()
    }
}

/// The host within a stored URL's text.
fn host(url: &str) -> &str {
    let host = Url::parse(url).map(|url| url.host().to_string()).unwrap_or_default();
    url.find(&host).map_or("", |at| &url[at..at + host.len()])
}

/// The day of a date as a document tells it ("2024-03-05", "2024-03", "2024" or with the time), counted
/// from 1970; the first of what it leaves open.
fn day(date: &str) -> Option<i64> {
    let day = date.get(..10).unwrap_or(date);
    let mut parts = day.split('-').map(|part| part.parse::<i16>().ok());
    let year = parts.next()??;
    let mut part = || i8::try_from(parts.next().unwrap_or(Some(1))?).ok();
    let (month, day) = (part()?, part()?);
    let date = jiff::civil::Date::new(year, month, day).ok()?;
    Some(date.duration_since(jiff::civil::date(1970, 1, 1)).as_hours() / 24)
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_counted_from_1970() {
        let check = |date: &str, expected| assert_eq!(day(date), expected, "{date}");
        check("1970-01-01", Some(0));
        check("1970-01-02T23:59:59Z", Some(1));
        check("1969-12-31", Some(-1));
        check("2024-03-05", Some(19_787));
        check("2024-03", Some(19_783));
        check("2024", Some(19_723));
        ["", "soon", "2024-13-01", "2023-02-29", "2024-1-x", "é", "99999-01-01"]
            .iter()
            .for_each(|date| check(date, None));
    }
}
