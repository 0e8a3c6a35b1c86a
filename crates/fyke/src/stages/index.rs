//! Index: documents, anchor texts, ranks and the twin column become postings, in the order of ids. One
//! commit at the end: until then the former index answers, and a crash leaves it as it was.

use super::anchors::{Anchors, anchors};
use super::compounds::Compounds;
use super::sites::Sites;
use super::{Step, graph, topics, twins::Twin};
use crate::config::Config;
use crate::facts::FACTS;
use fyke_index::{Entry, FactValue, Index, IndexError};
use fyke_store::{Collection, Reason, StoreError, View};
use fyke_web::{Document, Url, UrlId};
use std::collections::{BTreeMap, HashMap};

/// What goes into the index is of this form; a change makes it anew.
const FORM: u32 = 4;

/// Brings the index up to date; returns how many documents it holds.
///
/// # Errors
/// When documents cannot be read or the index cannot be written.
pub fn index(
    collection: &Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<u64> {
    match Index::open_with(&collection.index_dir(), FACTS) {
        Ok(index) if index.mark() == mark(collection, config)? => Ok(index.len()?),
        Ok(index) => fill(collection, config, &index, observe),
        // Derived all the same: one that cannot be read is made anew.
        Err(IndexError::Old(_) | IndexError::Broken { .. }) => {
            index_anew(collection, config, observe)
        }
        Err(error) => Err(error.into()),
    }
}

/// Makes a new index, which takes the place of the one before when it is done; returns how many
/// documents it holds.
///
/// # Errors
/// As [`index`].
pub fn index_anew(
    collection: &Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<u64> {
    collection
        .replace_index(|dir| fill(collection, config, &Index::open_with(dir, FACTS)?, observe))
}

/// Puts every document into an index, in one commit.
fn fill(
    collection: &Collection,
    config: &Config,
    index: &Index,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<u64> {
    let mark = mark(collection, config)?;
    let out = left_out(collection)?;
    let copies = copies(&out);
    let mut sites = Sites::read(collection)?;
    let mut gone = std::mem::take(&mut sites.gone);
    let (ranks, compounds) = (graph::ranks(collection)?, Compounds::read(collection)?);
    let total = Some(collection.ledger.counts()?.get(&Reason::Kept).copied().unwrap_or(0));
    let mut writer = index.writer()?;
    let mut indexed = 0;
    for document in collection.documents.all() {
        let document = document?;
        if out.contains_key(&document.id) {
            gone.insert(document.id);
            continue;
        }
        let anchors = anchors(collection, &sites, &copies, document.id)?;
        let rank = ranks.binary_search_by_key(&document.id, |(id, _)| *id);
        let rank = rank.map_or(0.0, |at| ranks[at].1);
        let names = names(collection, &copies, &document)?;
        let (names, parts) = (&names, &compounds.parts(&document));
        let topics = topics::names_of(collection, document.id)?;
        let facts = &[(topics::FACT.name, FactValue::Labels(&topics))];
        writer.put(&Entry { rank, names, parts, facts, ..entry(&document, &anchors) })?;
        indexed += 1;
        if indexed % 64 == 0 {
            observe(Step { stage: "index", done: indexed, total });
        }
    }
    gone.iter().try_for_each(|id| writer.delete(id.0))?;
    writer.commit(&mark)?;
    Ok(indexed)
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

/// What the index depends on, as a text: unchanged, there is nothing to do.
fn mark(collection: &View, config: &Config) -> Result<String, StoreError> {
    let (file, offset) = collection.documents.mark()?;
    let corpus = &config.corpus;
    let languages = corpus.languages.join(",");
    let topics = topics::placed_mark(collection)?;
    let near = corpus.near_duplicate;
    Ok(format!("{FORM} {file}:{offset} near={near} languages={languages} topics={topics}"))
}

/// Documents that are not searched: copies (with what they are copies of) and other languages.
pub(super) fn left_out(collection: &View) -> Result<BTreeMap<UrlId, Option<UrlId>>, StoreError> {
    let mut out = BTreeMap::new();
    for (id, cell) in collection.documents.column(super::reasons::COLUMN)? {
        if cell == super::reasons::cell(Reason::Lang) {
            out.insert(id, None);
        }
    }
    for (id, cell) in collection.documents.column("twin")? {
        out.insert(id, Twin::read(&cell).map(|twin| twin.of));
    }
    Ok(out)
}

fn copies(out: &BTreeMap<UrlId, Option<UrlId>>) -> HashMap<UrlId, Vec<UrlId>> {
    let mut copies: HashMap<UrlId, Vec<UrlId>> = HashMap::new();
    for (id, of) in out {
        if let Some(of) = of {
            copies.entry(*of).or_default().push(*id);
        }
    }
    copies
}

/// The names of a document and its copies in the collection they were imported from, one to a line.
fn names(
    collection: &View,
    copies: &HashMap<UrlId, Vec<UrlId>>,
    document: &Document,
) -> Result<String, StoreError> {
    let mut names = document.docno.clone();
    if names.is_empty() {
        return Ok(names);
    }
    for copy in copies.get(&document.id).into_iter().flatten() {
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
