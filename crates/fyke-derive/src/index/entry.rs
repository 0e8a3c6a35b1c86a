//! A document as the index takes it: its fields, its anchor texts, its rank, and every fact that a derivation
//! declares for the index.

use super::anchors::{Anchors, anchors};
use crate::DeriveError;
use crate::facts::facts_of;
use crate::page::papers::PAPERS;
use crate::page::print::PRINTS;
use crate::whole::compounds::Compounds;
use crate::whole::graph::RANKS;
use crate::whole::reasons::{self, REASONS};
use crate::whole::titles::TITLES;
use crate::whole::twins::COPIES;
use fyke_index::{DocumentWriter, Entry, EntrySection};
use fyke_papers::names::PersonName;
use fyke_store::{Cells, Reason, Row, StoreError, View};
use fyke_web::{Document, UrlId, host_of};
use std::cell::OnceCell;

/// What entries are made from.
pub(super) struct EntrySource<'a> {
    view: &'a View,
    cells: &'a Cells,
    compounds: OnceCell<Compounds>,
}

impl<'a> EntrySource<'a> {
    pub(super) fn new(view: &'a View, cells: &'a Cells) -> EntrySource<'a> {
        EntrySource { view, cells, compounds: OnceCell::new() }
    }

    /// Not a copy, not in a language that nobody wants, and still kept by the ledger, as far as that knows
    /// of a capture of the page.
    pub(super) fn is_searched(&self, id: UrlId) -> Result<bool, StoreError> {
        let found_out = self.cells.get(&REASONS, id)?;
        let is_read = |row: &Row| row.capture.is_some() && !row.stands_in_feed();
        let row = self.view.ledger.get(id)?.filter(is_read);
        let ledger = row.map_or(Reason::Kept, |row| row.reason);
        Ok(reasons::is_searched(reasons::effective(ledger, found_out)))
    }

    pub(super) fn put(
        &self,
        document: &Document,
        writer: &mut DocumentWriter,
    ) -> Result<(), DeriveError> {
        let (id, cells) = (document.id, self.cells);
        let title = cells.get(&TITLES, id)?;
        let title = title.as_deref().unwrap_or(&document.title);
        let copies = cells.get(&COPIES, id)?.unwrap_or_default();
        let site = cells.get(&PRINTS, id)?.map_or(0, |print| print.site);
        let anchors = anchors(cells, &copies, id, site)?;
        let rank = cells.get(&RANKS, id)?.unwrap_or(0.0);
        let names = names(self.view, &copies, document)?;
        let parts = match Compounds::are_in(document) {
            true => self.compounds()?.parts(document),
            false => String::new(),
        };
        let author = author(cells, document)?;
        let found = facts_of(cells, id)?;
        let facts: Vec<_> = found.iter().map(|fact| (fact.name, fact.found.value())).collect();
        let (names, parts, facts, sections) = (&names, &parts, &facts, &sections(document));
        let found = Entry {
            title,
            author: &author,
            rank,
            names,
            parts,
            facts,
            sections,
            ..entry(document, &anchors)
        };
        writer.put(&found)?;
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

/// Who wrote a document: as it says itself, or as the header of a paper says.
fn author(cells: &Cells, document: &Document) -> Result<String, StoreError> {
    if !document.author.is_empty() {
        return Ok(document.author.clone());
    }
    let authors = cells.get(&PAPERS, document.id)?.map(|paper| paper.header.authors);
    let names: Vec<String> = authors.iter().flatten().map(PersonName::full).collect();
    Ok(names.join(", "))
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

/// The parts of a document that a hit can lead to.
#[must_use]
pub fn sections(document: &Document) -> Vec<EntrySection<'_>> {
    let sections = document.sections().into_iter().filter_map(|section| {
        let start = u32::try_from(section.start).ok()?;
        let fyke_web::shape::Section { level, heading, anchor, .. } = section;
        Some(EntrySection { start, level, heading, anchor })
    });
    sections.collect()
}

/// A document as it is found, but for its sections, its rank and what else is found out later.
#[must_use]
pub fn entry<'a>(document: &'a Document, anchors: &'a Anchors) -> Entry<'a> {
    Entry {
        id: document.id.0,
        url: &document.url,
        host: host_of(&document.url),
        title: &document.title,
        headings: &document.headings,
        emphasis: &document.emphasis,
        description: &document.description,
        author: &document.author,
        body: &document.text,
        pages: &document.pages,
        anchors: &anchors.others,
        own_anchors: &anchors.own,
        keywords: &document.keywords,
        link_titles: &document.link_titles,
        language: &document.language,
        format: &document.format,
        date: day(&document.date),
        time: document.time,
        ..Entry::default()
    }
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
