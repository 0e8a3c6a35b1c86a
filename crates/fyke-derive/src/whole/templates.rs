//! The templates of hosts: text on very many pages of one host does not count when its pages are
//! compared with others (see `fyke_text::sketch::template`).

use super::likeness::Fingerprint;
use crate::page::print::host;
use fyke_store::{Column, StoreError, View};
use fyke_text::Sketch;
use fyke_text::sketch::{self, SAMPLE, Text, shingle_set};
use fyke_web::{Document, UrlId};
use std::collections::BTreeMap;

/// The shingles of each host's template, sorted.
pub const TEMPLATES: Column<Vec<u64>> = Column::of_hosts("template", 1);
/// Pages of more words are no part of a sample.
const LONGEST: u32 = 20_000;
/// Shingles of a template at the most.
const MOST: usize = 65_536;

/// The shingles of each host's template, sorted, by the host's key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Templates(pub BTreeMap<UrlId, Vec<u64>>);

/// The shingles of a document without its host's template, as last found.
///
/// # Errors
/// When the column cannot be read.
pub fn own_shingles(collection: &View, document: &Document) -> Result<Vec<u64>, StoreError> {
    let template = collection.cells().get(&TEMPLATES, host(&document.url))?.unwrap_or_default();
    Ok(own(document, &template))
}

fn own(document: &Document, template: &[u64]) -> Vec<u64> {
    sketch::own_shingles(shingle_set(&Text::read(&document.text).words), template)
}

impl Templates {
    /// The template of every host that has one. The documents come by id. A host is known by a
    /// sample of its pages, one for each text: those with the least ids. Ids are hashes, so the
    /// sample is of the whole host and does not depend on when pages came.
    ///
    /// # Errors
    /// When documents cannot be read.
    pub fn find(collection: &View, documents: &[Fingerprint]) -> Result<Templates, StoreError> {
        let mut templates = BTreeMap::new();
        for (host, sample) in samples(documents) {
            let mut sets = Vec::with_capacity(sample.len());
            for print in sample {
                let document = collection.documents.get(print.id)?;
                sets.extend(document.map(|document| own(&document, &[])));
            }
            let mut template = sketch::template(&sets);
            template.truncate(MOST);
            if !template.is_empty() {
                templates.insert(host, template);
            }
        }
        Ok(Templates(templates))
    }

    /// As [`own_shingles`], by these templates.
    #[must_use]
    pub fn own_shingles(&self, host: UrlId, document: &Document) -> Vec<u64> {
        own(document, self.0.get(&host).map_or(&[], |template| template))
    }

    /// Sketches the documents of hosts with a template again, without it.
    ///
    /// # Errors
    /// When documents cannot be read.
    pub fn leave_out(
        &self,
        collection: &View,
        documents: &mut [Fingerprint],
    ) -> Result<(), StoreError> {
        for print in documents.iter_mut().filter(|print| self.0.contains_key(&print.host)) {
            if let Some(document) = collection.documents.get(print.id)? {
                print.sketch = Sketch::of_shingles(&self.own_shingles(print.host, &document));
            }
        }
        Ok(())
    }
}

fn samples(documents: &[Fingerprint]) -> BTreeMap<UrlId, Vec<&Fingerprint>> {
    let mut samples: BTreeMap<UrlId, Vec<&Fingerprint>> = BTreeMap::new();
    for print in documents.iter().filter(|print| (1..=LONGEST).contains(&print.words)) {
        let sample = samples.entry(print.host).or_default();
        let is_new = || sample.iter().all(|other| other.checksum != print.checksum);
        if sample.len() < SAMPLE && is_new() {
            sample.push(print);
        }
    }
    samples.retain(|_, sample| sample.len() >= sketch::LEAST_PAGES);
    samples
}
