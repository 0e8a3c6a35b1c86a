//! The templates of hosts: text on very many pages of one host does not count when its pages are
//! compared with others (see `fyke_text::sketch::template`).

use super::likeness::TwinPrint;
use crate::page::print::host;
use fyke_store::{Column, StoreError, View};
use fyke_text::Sketch;
use fyke_text::sketch::{self, HashedText, SAMPLE, shingle_set};
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
    sketch::own_shingles(whole(document), template)
}

fn whole(document: &Document) -> Vec<u64> {
    shingle_set(&HashedText::read(&document.text).words)
}

impl Templates {
    /// The template of every host that has one; the documents of such a host are sketched again without it.
    /// They come by id. A host is known by a sample of its pages, one for each text: those with the least
    /// ids. Ids are hashes, so the sample is of the whole host and does not depend on when pages came.
    ///
    /// # Errors
    /// When documents cannot be read.
    pub fn leave_out(
        collection: &View,
        documents: &mut [TwinPrint],
    ) -> Result<Templates, StoreError> {
        let mut templates = BTreeMap::new();
        let read =
            |id: UrlId| Ok::<_, StoreError>(collection.documents.get(id)?.map(|d| whole(&d)));
        for (host, HostPages { all, sample }) in by_host(documents) {
            if sample.len() < sketch::LEAST_PAGES {
                continue;
            }
            let (mut of, mut sets) = (Vec::new(), Vec::new());
            for page in sample {
                if let Some(set) = read(documents[page].id)? {
                    of.push(page);
                    sets.push(set);
                }
            }
            let mut template = sketch::template(&sets);
            template.truncate(MOST);
            if template.is_empty() {
                continue;
            }
            for page in all {
                let known = of.binary_search(&page).ok().map(|at| std::mem::take(&mut sets[at]));
                let set = known.map_or_else(|| read(documents[page].id), |set| Ok(Some(set)))?;
                if let Some(own) = set.and_then(|set| sketch::own_part(&set, &template)) {
                    documents[page].sketch = Sketch::of_shingles(&own);
                }
            }
            templates.insert(host, template);
        }
        Ok(Templates(templates))
    }

    /// As [`own_shingles`], by these templates.
    #[must_use]
    pub fn own_shingles(&self, host: UrlId, document: &Document) -> Vec<u64> {
        own(document, self.0.get(&host).map_or(&[], |template| template))
    }
}

/// Documents of a host, by their places among all.
#[derive(Default)]
struct HostPages {
    all: Vec<usize>,
    sample: Vec<usize>,
}

fn by_host(documents: &[TwinPrint]) -> BTreeMap<UrlId, HostPages> {
    let mut hosts: BTreeMap<UrlId, HostPages> = BTreeMap::new();
    for (at, print) in documents.iter().enumerate() {
        let HostPages { all, sample } = hosts.entry(print.host).or_default();
        all.push(at);
        let is_new = || sample.iter().all(|&other| documents[other].checksum != print.checksum);
        if (1..=LONGEST).contains(&print.words) && sample.len() < SAMPLE && is_new() {
            sample.push(at);
        }
    }
    hosts
}
