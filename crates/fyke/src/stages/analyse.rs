//! Analyse: looks at all documents at once and writes columns ("twin" and "copies", "reason",
//! "template", "sketch", anchor texts).

use super::reasons::{self, COLUMN};
use super::similar;
use super::templates::Templates;
use super::twins::{Fingerprint, Likeness, Twin};
use crate::config::Config;
use fyke_store::{Collection, Reason, StoreError};
use fyke_text::sketch::jaccard;
use fyke_web::{Document, UrlId};
use std::collections::{BTreeMap, HashMap};

/// What analysis saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analysed {
    pub documents: u64,
    pub twins: u64,
}

/// Finds twins and the reasons that follow from all documents together.
///
/// # Errors
/// When documents cannot be read or columns written.
pub fn analyse(collection: &Collection, config: &Config) -> Result<Analysed, StoreError> {
    let (mut prints, mut soft) = (Vec::new(), Vec::new());
    for document in collection.documents.all() {
        let document = document?;
        let reason = alone(config, &document);
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
    Ok(Analysed { documents: prints.len() as u64, twins: found.len() as u64 })
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
    likeness.represent(&groups, &named_as_canonical(collection, copies)?)
}

/// The document this one is a copy of.
///
/// # Errors
/// When the column cannot be read.
pub fn twin(collection: &Collection, id: UrlId) -> Result<Option<Twin>, StoreError> {
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

/// How many of these pages name which URL as their canonical form. Read from the captures: only
/// copies need it, and it is no part of a document.
fn named_as_canonical(
    collection: &Collection,
    copies: impl Iterator<Item = UrlId>,
) -> Result<HashMap<UrlId, u32>, StoreError> {
    let mut named = HashMap::new();
    for id in copies {
        let Some(place) = collection.ledger.get(id)?.and_then(|row| row.capture) else { continue };
        match collection.captures.read(place) {
            Ok(capture) => {
                if let Some(target) = fyke_web::parse(&capture).canonical {
                    *named.entry(target.id()).or_default() += 1;
                }
            }
            Err(damage @ StoreError::Damaged { .. }) => {
                tracing::warn!(%damage, "a capture was passed over");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(named)
}
