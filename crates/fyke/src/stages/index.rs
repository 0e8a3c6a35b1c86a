//! Index: documents, anchor texts and the twin column become postings, in the order of ids. One
//! commit at the end: until then the former index answers, and a crash leaves it as it was.

use super::{Step, twins::Twin};
use crate::config::Config;
use fyke_index::{Entry, Index, IndexError};
use fyke_store::{Collection, Reason, StoreError};
use fyke_web::{Document, Url, UrlId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Distinct anchor texts that one document is found by.
const ANCHORS: usize = 64;

/// Brings the index up to date; returns how many documents it holds.
///
/// # Errors
/// When documents cannot be read or the index cannot be written.
pub fn index(
    collection: &Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<u64> {
    let index = open_index(collection)?;
    let mark = mark(collection, config)?;
    if index.mark() == mark {
        return Ok(index.len()?);
    }
    let out = left_out(collection)?;
    let copies = copies(&out);
    let mut gone = without_document(collection)?;
    let total = Some(collection.ledger.counts()?.get(&Reason::Kept).copied().unwrap_or(0));
    let mut writer = index.writer()?;
    let mut indexed = 0;
    for document in collection.documents.all() {
        let document = document?;
        if out.contains_key(&document.id) {
            gone.insert(document.id);
            continue;
        }
        let anchors = anchors(collection, &copies, document.id)?;
        writer.put(&entry(&document, &anchors))?;
        indexed += 1;
        if indexed % 64 == 0 {
            observe(Step { stage: "index", done: indexed, total });
        }
    }
    gone.iter().for_each(|id| writer.delete(id.0));
    writer.commit(&mark)?;
    Ok(indexed)
}

/// Opens the index. One that cannot be read is derived all the same: it is made anew.
///
/// # Errors
/// When it cannot be made.
pub fn open_index(collection: &Collection) -> anyhow::Result<Index> {
    let dir = collection.index_dir();
    match Index::open(&dir) {
        Err(IndexError::Old(_) | IndexError::Broken { .. }) => {
            std::fs::remove_dir_all(&dir)?;
            Ok(Index::open(&dir)?)
        }
        other => Ok(other?),
    }
}

/// What the index depends on, as a text: unchanged, there is nothing to do.
fn mark(collection: &Collection, config: &Config) -> Result<String, StoreError> {
    let (file, offset) = collection.documents.mark()?;
    let corpus = &config.corpus;
    let languages = corpus.languages.join(",");
    Ok(format!("{file}:{offset} near={} languages={languages}", corpus.near_duplicate))
}

/// Documents that are not searched: copies (with what they are copies of) and other languages.
fn left_out(collection: &Collection) -> Result<BTreeMap<UrlId, Option<UrlId>>, StoreError> {
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

/// URLs that were once fetched and have no document now.
fn without_document(collection: &Collection) -> Result<BTreeSet<UrlId>, StoreError> {
    let mut gone = BTreeSet::new();
    for row in collection.ledger.rows() {
        let (id, row) = row?;
        if row.capture.is_some() && row.reason != Reason::Kept {
            gone.insert(id);
        }
    }
    Ok(gone)
}

/// Distinct anchor texts of links to a document or to one of its copies, most used first.
fn anchors(
    collection: &Collection,
    copies: &HashMap<UrlId, Vec<UrlId>>,
    id: UrlId,
) -> Result<String, StoreError> {
    let mut uses: BTreeMap<String, u32> = BTreeMap::new();
    for target in std::iter::once(&id).chain(copies.get(&id).into_iter().flatten()) {
        for (source, anchor) in collection.documents.anchors(*target)? {
            if source != id && !anchor.is_empty() {
                *uses.entry(anchor).or_default() += 1;
            }
        }
    }
    let mut texts: Vec<(String, u32)> = uses.into_iter().collect();
    texts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let texts: Vec<String> = texts.into_iter().take(ANCHORS).map(|(text, _)| text).collect();
    Ok(texts.join("\n"))
}

fn entry<'a>(document: &'a Document, anchors: &'a str) -> Entry<'a> {
    Entry {
        id: document.id.0,
        url: &document.url,
        host: host(&document.url),
        title: &document.title,
        headings: &document.headings,
        body: &document.text,
        pages: &document.pages,
        anchors,
        language: &document.language,
        time: document.time,
    }
}

/// The host within a stored URL's text.
fn host(url: &str) -> &str {
    let host = Url::parse(url).map(|url| url.host().to_string()).unwrap_or_default();
    url.find(&host).map_or("", |at| &url[at..at + host.len()])
}
