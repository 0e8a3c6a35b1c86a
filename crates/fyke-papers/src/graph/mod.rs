//! The citation graph (002 §1: "to build a citation graph"; its future work: "automatically identifying seminal papers
//! with citation graph analysis"): papers that are held and papers that are only cited, who cites whom, what is cited
//! together, what cites the same, and which papers are seminal by PageRank. From references that were grouped
//! (`matching`); pure values, so that who stores them decides how.
//!
//! A paper counts each citing paper once, and none counts itself. Whatever is forged, a question looks at so many
//! papers and no more.

mod export;

pub use export::{CITATION_FORMATS, CitationFormat};

use crate::matching::{Citation, CitedId};
use fyke_learn::{Graph, InLinks, PageRank};
use serde::{Deserialize, Serialize};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// A paper of the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperEntry {
    pub id: CitedId,
    /// Its header's where it is held, else the best of what references say.
    pub fields: Citation,
    /// Whether its text is here: a paper may be cited and not held.
    pub is_held: bool,
}

/// One paper cites another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CitationEdge {
    pub citing: CitedId,
    pub cited: CitedId,
}

/// A paper that has something to do with another, by its place, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelatedPaper {
    pub place: u32,
    pub times: u32,
}

/// Papers between two that are looked at for what is related; of more, the first.
const MOST_BETWEEN: usize = 2_000;
/// References of each of those.
const MOST_BESIDE: usize = 500;

/// Papers with their references, each at its place in a list.
#[derive(Clone, Debug, Default)]
pub struct CitationGraph {
    entries: Vec<PaperEntry>,
    places: HashMap<CitedId, u32>,
    references: Graph,
    cited_by: InLinks,
}

impl CitationGraph {
    /// The graph of some papers and who of them cites whom; edges to or from others are left out, and so is a paper
    /// that comes a second time.
    #[must_use]
    pub fn new(papers: Vec<PaperEntry>, edges: &[CitationEdge]) -> CitationGraph {
        let (mut entries, mut places) = (Vec::with_capacity(papers.len()), HashMap::new());
        for entry in papers {
            if let Entry::Vacant(place) = places.entry(entry.id) {
                place.insert(entries.len() as u32);
                entries.push(entry);
            }
        }
        let mut pairs: Vec<(u32, u32)> = edges
            .iter()
            .filter_map(|edge| Some((*places.get(&edge.citing)?, *places.get(&edge.cited)?)))
            .filter(|(citing, cited)| citing != cited)
            .collect();
        pairs.sort_unstable();
        let mut references = Graph::default();
        let mut rest = &pairs[..];
        for place in 0..entries.len() as u32 {
            let (own, others) = rest.split_at(rest.partition_point(|(citing, _)| *citing == place));
            references.push(own.iter().map(|(_, cited)| *cited));
            rest = others;
        }
        let cited_by = InLinks::of(&references);
        CitationGraph { entries, places, references, cited_by }
    }

    /// All papers, each at its place.
    #[must_use]
    pub fn entries(&self) -> &[PaperEntry] {
        &self.entries
    }

    /// Where a paper stands.
    #[must_use]
    pub fn place(&self, id: CitedId) -> Option<u32> {
        self.places.get(&id).copied()
    }

    /// The papers that a paper cites.
    #[must_use]
    pub fn references(&self, place: u32) -> &[u32] {
        self.references.links(place as usize)
    }

    /// The papers that cite a paper.
    #[must_use]
    pub fn cited_by(&self, place: u32) -> &[u32] {
        self.cited_by.links(place as usize)
    }

    /// Papers that are cited together with one, those that are so most often first (co-citation).
    #[must_use]
    pub fn co_cited(&self, place: u32, most: usize) -> Vec<RelatedPaper> {
        let beside = |citing: &u32| self.references(*citing);
        related(place, self.cited_by(place), beside, most)
    }

    /// Papers that cite what one cites, those that share most references first (bibliographic coupling).
    #[must_use]
    pub fn coupled(&self, place: u32, most: usize) -> Vec<RelatedPaper> {
        let beside = |cited: &u32| self.cited_by(*cited);
        related(place, self.references(place), beside, most)
    }

    /// The rank of each paper: where a reader is found who follows references, or begins anew anywhere. Papers that
    /// are cited by seminal papers are seminal.
    #[must_use]
    pub fn ranks(&self, threads: usize) -> Vec<f64> {
        PageRank { threads, ..PageRank::default() }.of(&self.cited_by).values
    }

    /// The most cited papers of each year, at most so many; papers without a year are left out.
    #[must_use]
    pub fn most_cited_by_year(&self, most: usize) -> BTreeMap<u16, Vec<RelatedPaper>> {
        let mut years: BTreeMap<u16, Vec<RelatedPaper>> = BTreeMap::new();
        for (place, entry) in (0..).zip(&self.entries) {
            let times = self.cited_by(place).len() as u32;
            if let Some(year) = entry.fields.year().filter(|_| times > 0) {
                years.entry(year).or_default().push(RelatedPaper { place, times });
            }
        }
        years.values_mut().for_each(|papers| keep_most(papers, most));
        years
    }
}

/// What stands beside a paper with those between.
fn related<'a>(
    place: u32,
    between: &[u32],
    beside: impl Fn(&u32) -> &'a [u32],
    most: usize,
) -> Vec<RelatedPaper> {
    let mut times: HashMap<u32, u32> = HashMap::new();
    for paper in between.iter().take(MOST_BETWEEN) {
        for other in beside(paper).iter().take(MOST_BESIDE).filter(|other| **other != place) {
            *times.entry(*other).or_default() += 1;
        }
    }
    let papers = times.into_iter().map(|(place, times)| RelatedPaper { place, times });
    let mut papers: Vec<RelatedPaper> = papers.collect();
    keep_most(&mut papers, most);
    papers
}

fn keep_most(papers: &mut Vec<RelatedPaper>, most: usize) {
    papers.sort_unstable_by_key(|paper| (u32::MAX - paper.times, paper.place));
    papers.truncate(most);
}

/// The fields that stand for a paper that is only cited: of each field what most references say, of equally frequent
/// ones the longest.
#[must_use]
pub fn agreed(citations: &[Citation]) -> Citation {
    let field = |of: fn(&Citation) -> &String| -> String {
        let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
        for text in citations.iter().map(of).filter(|text| !text.trim().is_empty()) {
            *counts.entry(text).or_default() += 1;
        }
        let best = counts.into_iter().max_by_key(|(text, count)| (*count, text.len()));
        best.map(|(text, _)| text.clone()).unwrap_or_default()
    };
    Citation {
        authors: field(|citation| &citation.authors),
        title: field(|citation| &citation.title),
        venue: field(|citation| &citation.venue),
        volume: field(|citation| &citation.volume),
        pages: field(|citation| &citation.pages),
        date: field(|citation| &citation.date),
    }
}

#[cfg(test)]
mod tests;
