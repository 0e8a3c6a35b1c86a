//! References to papers, as they come: which name the same paper as which.

use super::citation::{Citation, cut};
use super::features::FEATURES;
use super::form::CitedForm;
use super::weights::{MATCHING, score};
use fyke_learn::cluster::{AverageLink, Canopies, CanopyLimits, Clusters, Scored};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// How references are matched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupingOptions {
    pub weights: [f64; FEATURES],
    pub canopies: CanopyLimits,
    pub link: AverageLink,
}

impl Default for GroupingOptions {
    fn default() -> GroupingOptions {
        GroupingOptions {
            weights: MATCHING,
            canopies: CanopyLimits::default(),
            // Chosen on half of the papers of cora-matching (.2 to .4 are equally good there), and on made references.
            link: AverageLink { threshold: 0.2, ..AverageLink::default() },
        }
    }
}

/// The number of a paper that is referred to: of the first form in which it was met. It stays while references come.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct CitedId(pub u64);

impl CitedId {
    /// The number that a citation would found a paper with: a hash of its fields.
    #[must_use]
    pub fn of(citation: &Citation) -> CitedId {
        let fields = [
            &citation.authors,
            &citation.title,
            &citation.venue,
            &citation.volume,
            &citation.pages,
            &citation.date,
        ];
        let mut id = 0xcbf2_9ce4_8422_2325_u64;
        for field in fields {
            // White space counts as one space, whatever it is.
            let words = cut(field).split_whitespace();
            for byte in words.flat_map(|word| word.bytes().chain([b' '])).chain([0]) {
                id = (id ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        let mixed = (id ^ (id >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        CitedId(mixed ^ (mixed >> 32))
    }
}

/// Papers and the forms in which they are referred to.
#[derive(Clone, Debug, Default)]
pub struct Grouping {
    options: GroupingOptions,
    /// The number of each form.
    known: HashMap<CitedId, u32>,
    /// What each form would found, or was given when it was restored.
    founded: Vec<CitedId>,
    forms: Vec<CitedForm>,
    canopies: Canopies,
    clusters: Clusters,
}

impl Grouping {
    /// No references yet.
    #[must_use]
    pub fn new(options: GroupingOptions) -> Grouping {
        Grouping { options, ..Grouping::default() }
    }

    /// References that were grouped before, with the papers that they were found to name.
    #[must_use]
    pub fn restore<C: Borrow<Citation>>(
        options: GroupingOptions,
        grouped: impl IntoIterator<Item = (C, CitedId)>,
    ) -> Grouping {
        let mut grouping = Grouping::new(options);
        let mut first: HashMap<CitedId, u32> = HashMap::new();
        for (citation, paper) in grouped {
            let citation = citation.borrow();
            let id = CitedId::of(citation);
            if grouping.known.contains_key(&id) {
                continue;
            }
            let with = first.get(&paper).copied();
            let form = grouping.push(id, paper, CitedForm::of(citation), with);
            first.entry(paper).or_insert(form);
        }
        grouping
    }

    /// Adds references: they join papers that are there, or found new ones. The paper of each, in order. References
    /// that come together are grouped together, and it does not matter in which order they stand.
    pub fn add<C: Borrow<Citation>>(
        &mut self,
        citations: impl IntoIterator<Item = C>,
    ) -> Vec<CitedId> {
        let settled = self.forms.len() as u32;
        let (mut ids, mut new) = (Vec::new(), Vec::new());
        for citation in citations {
            let citation = citation.borrow();
            let id = CitedId::of(citation);
            ids.push(id);
            if let Entry::Vacant(place) = self.known.entry(id) {
                place.insert(u32::MAX);
                new.push((id, CitedForm::of(citation)));
            }
        }
        new.sort_unstable_by_key(|(id, _)| *id);
        self.forms.reserve_exact(new.len());
        for (id, form) in new {
            self.push(id, id, form, None);
        }
        let pairs = self.pairs(settled, self.options.link.threshold);
        let (forms, weights) = (&self.forms, &self.options.weights);
        let score = |a: u32, b: u32| score(weights, &forms[a as usize], &forms[b as usize]);
        self.options.link.unite(&mut self.clusters, &pairs, settled, score);
        ids.iter().map(|id| self.paper(self.known[id])).collect()
    }

    /// The number of a reference among those that differ.
    #[must_use]
    pub fn form_of(&self, citation: &Citation) -> Option<u32> {
        self.known.get(&CitedId::of(citation)).copied()
    }

    /// The paper that a reference names which would found this one.
    #[must_use]
    pub fn paper_of(&self, founded: CitedId) -> Option<CitedId> {
        self.known.get(&founded).map(|form| self.paper(*form))
    }

    /// How many different references there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// The pairs that canopies find for the forms from this one on, each once, with their scores: those that reach
    /// the least.
    #[must_use]
    pub fn pairs(&self, from: u32, least: f32) -> Vec<Scored> {
        let mut pairs = Vec::new();
        for new in from..self.forms.len() as u32 {
            let form = &self.forms[new as usize];
            for (other, _) in self.canopies.near(&form.keys(), &self.options.canopies) {
                if other == new {
                    continue;
                }
                let score = score(&self.options.weights, form, &self.forms[other as usize]);
                if score >= least {
                    pairs.push(Scored { a: new.min(other), b: new.max(other), score });
                }
            }
        }
        pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
        pairs.dedup_by_key(|pair| (pair.a, pair.b));
        pairs
    }

    fn push(&mut self, id: CitedId, paper: CitedId, form: CitedForm, with: Option<u32>) -> u32 {
        self.canopies.push(&form.keys(), &self.options.canopies);
        self.known.insert(id, self.forms.len() as u32);
        self.founded.push(paper);
        self.forms.push(form);
        self.clusters.push(with)
    }

    fn paper(&self, form: u32) -> CitedId {
        self.founded[self.clusters.of(form) as usize]
    }
}
