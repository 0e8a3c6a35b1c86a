//! Analyse: looks at all documents at once and writes columns ("twin" and "copies", "reason",
//! "template", "sketch", "compounds", anchor texts).

use super::canonical;
use super::compounds::Counted;
use super::reasons::{self, COLUMN};
use super::similar;
use super::templates::Templates;
use super::twins::{Fingerprint, Likeness, Twin};
use crate::config::Config;
use fyke_store::{Collection, Reason, StoreError, View};
use fyke_text::sketch::jaccard;
use fyke_web::{Document, UrlId};
use std::collections::BTreeMap;

/// The column of what the last analysis saw, with the mark it holds for; written last.
const ANALYSED: &str = "analysed";

/// What analysis finds and writes is of this form; a change makes it anew.
const FORM: u32 = 3;

/// What analysis saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analysed {
    pub documents: u64,
    pub twins: u64,
}

impl Analysed {
    /// As a cell, with the mark that it holds for.
    fn cell(self, mark: &str) -> Vec<u8> {
        [&self.documents.to_le_bytes()[..], &self.twins.to_le_bytes(), mark.as_bytes()].concat()
    }

    /// Reads a cell; none when it holds for another mark.
    fn read(cell: &[u8], mark: &str) -> Option<Analysed> {
        let (documents, rest) = cell.split_first_chunk()?;
        let (twins, of) = rest.split_first_chunk()?;
        let (documents, twins) = (u64::from_le_bytes(*documents), u64::from_le_bytes(*twins));
        (of == mark.as_bytes()).then_some(Analysed { documents, twins })
    }
}

/// Finds twins and the reasons that follow from all documents together.
///
/// # Errors
/// When documents cannot be read or columns written.
pub fn analyse(collection: &Collection, config: &Config) -> Result<Analysed, StoreError> {
    let mark = mark(collection, config)?;
    if let Some(analysed) = collection.documents.cell(ANALYSED, UrlId(0))?
        && let Some(analysed) = Analysed::read(&analysed, &mark)
    {
        return Ok(analysed);
    }
    let (mut prints, mut soft) = (Vec::new(), Vec::new());
    let mut counted = Counted::default();
    for document in collection.documents.all() {
        let document = document?;
        let reason = alone(config, &document);
        counted.see(&document);
        soft.extend(reason.map(|reason| (document.id, reason)));
        if reason != Some(Reason::Lang) {
            prints.push(Fingerprint::of(document));
        }
    }
    let templates = Templates::find(collection, &prints)?;
    templates.leave_out(collection, &mut prints)?;
    let found = represented(collection, config, &templates, &prints)?;
    // A copy is a copy first, thin or not.
    soft.retain(|(id, _)| !found.contains_key(id));
    let kind = |twin: &Twin| if twin.exact { Reason::DupExact } else { Reason::DupNear };
    soft.extend(found.iter().map(|(id, twin)| (*id, kind(twin))));
    soft.sort_unstable();
    let cells: Vec<_> = found.iter().map(|(id, twin)| (*id, twin.cell())).collect();
    collection.documents.put_column("twin", &cells)?;
    let cells: Vec<_> = soft.iter().map(|(id, reason)| (*id, reasons::cell(*reason))).collect();
    collection.documents.put_column(COLUMN, &cells)?;
    templates.store(collection)?;
    similar::store_copies(collection, found.iter().map(|(id, twin)| (*id, twin.of)))?;
    similar::store_sketches(collection, &prints)?;
    collection.documents.gather_anchors()?;
    counted.write(collection)?;
    let analysed = Analysed { documents: prints.len() as u64, twins: found.len() as u64 };
    collection.documents.put_column(ANALYSED, &[(UrlId(0), analysed.cell(&mark))])?;
    Ok(analysed)
}

/// What analysis depends on, as a text: unchanged, there is nothing to do.
pub(super) fn mark(collection: &View, config: &Config) -> Result<String, StoreError> {
    let (file, offset) = collection.documents.mark()?;
    let corpus = &config.corpus;
    let (near, words, languages) =
        (corpus.near_duplicate, corpus.min_words, corpus.languages.join(","));
    Ok(format!("{FORM} {file}:{offset} near={near} words={words} languages={languages}"))
}

/// Every copy with the document that stands for it.
fn represented(
    collection: &Collection,
    config: &Config,
    templates: &Templates,
    prints: &[Fingerprint],
) -> Result<BTreeMap<UrlId, Twin>, StoreError> {
    let shingles = |index: usize| {
        let Fingerprint { id, host, .. } = prints[index];
        let document = collection.documents.get(id)?;
        Ok(document.map_or(Vec::new(), |document| templates.own_shingles(host, &document)))
    };
    // Pairs come by their first document.
    let mut first: Option<(usize, Vec<u64>)> = None;
    let mut exact = |a: usize, b: usize| {
        if first.as_ref().is_none_or(|(index, _)| *index != a) {
            first = Some((a, shingles(a)?));
        }
        let second = shingles(b)?;
        Ok(first.as_ref().map_or(0.0, |(_, first)| jaccard(first, &second)))
    };
    let threshold = config.corpus.near_duplicate;
    let mut likeness = Likeness { documents: prints, threshold, exact: &mut exact };
    let groups = likeness.groups()?;
    let copies = groups.iter().flatten().map(|index| prints[*index].id);
    likeness.represent(&groups, &canonical::named(collection, copies)?)
}

/// The document this one is a copy of.
///
/// # Errors
/// When the column cannot be read.
pub fn twin(collection: &View, id: UrlId) -> Result<Option<Twin>, StoreError> {
    Ok(collection.documents.cell("twin", id)?.and_then(|cell| Twin::read(&cell)))
}

/// Why a document is no part of the corpus, as far as it can be told from it alone.
#[must_use]
pub fn alone(config: &Config, document: &Document) -> Option<Reason> {
    let wanted = &config.corpus.languages;
    if !wanted.is_empty() && !wanted.contains(&document.language) {
        return Some(Reason::Lang);
    }
    (document.words < config.corpus.min_words).then_some(Reason::Thin)
}

#[cfg(test)]
mod tests {
    use super::Analysed;

    #[test]
    fn what_was_analysed_holds_for_its_mark_only() {
        let analysed = Analysed { documents: 12, twins: 3 };
        let cell = analysed.cell("1:20 near=0.9");
        assert_eq!(Analysed::read(&cell, "1:20 near=0.9"), Some(analysed));
        assert_eq!(Analysed::read(&cell, "1:21 near=0.9"), None);
        assert_eq!(Analysed::read(b"short", "1:20 near=0.9"), None);
    }
}
