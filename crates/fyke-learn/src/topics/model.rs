//! A topic tree learnt from keywords alone: training, and the topics of a document: none, one or
//! several, in inner nodes too (002 §3.2 "future work").

use super::damping::Damping;
use super::em::{em, expect};
use super::frequencies::{CollectionWords, Frequencies, count, unseen};
use super::labels::{Labels, normalise};
use super::regression::TopicRegression;
use super::rules::{FoundKeyword, agreement, first_found, weighed};
use super::typical::{Typical, confusion, typical};
use super::{Keyword, TopicOptions, Tree};
use crate::bayes::Occurrence;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A document belongs where more than this share of it lies.
const SURE: f64 = 0.5;

/// It belongs to another topic as well that has this share, and to so many at the most.
const ALSO: f64 = 0.25;
const MOST_TOPICS: usize = 3;

/// Typical words that are kept of a topic.
const TYPICAL: usize = 30;

/// Documents to learn from, words as numbers below `words`.
#[derive(Clone, Debug, Default)]
pub struct Bags {
    pub documents: Vec<Vec<Occurrence>>,
    /// The keywords found in each document.
    pub found: Vec<Vec<FoundKeyword>>,
    pub words: usize,
}

/// What was learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearntTopics {
    tree: Tree,
    /// The node of each class: those with keywords.
    classes: Vec<usize>,
    damping: Damping,
    bayes: Frequencies,
    regression: TopicRegression,
    /// How well each keyword agrees with the other words of its documents, from 0 to 1.
    pub agreement: Vec<f64>,
    /// Typical words of each node, and last of the documents without a topic.
    pub typical: Vec<Vec<Typical>>,
    /// For each node with keywords, by their order, the mean share of every other in its documents; last
    /// what belongs to none.
    pub confusion: Vec<Vec<f32>>,
}

/// What the documents of no topic weigh against those of all topics together.
const REST: f32 = 2.7;

/// Learns a model; linear in the words of the documents.
#[must_use]
pub fn train(
    bags: &Bags,
    tree: &Tree,
    keywords: &[Keyword],
    options: TopicOptions,
) -> LearntTopics {
    let mut classes: Vec<usize> = keywords.iter().map(|keyword| keyword.node).collect();
    classes.sort_unstable();
    classes.dedup();
    let class = |keyword: &Keyword| classes.binary_search(&keyword.node).unwrap_or(0);
    let of: Vec<usize> = keywords.iter().map(class).collect();
    let damping = Damping::learn(&bags.documents, bags.words);
    let documents: Vec<_> = bags.documents.iter().map(|words| damping.damp(words)).collect();
    // What belongs to no topic is a class of its own, the last, which begins with the collection's words.
    let all = classes.len() + usize::from(options.rest);
    let learning = Learning {
        documents: &documents,
        collection: CollectionWords::count(&documents, bags.words),
        options,
        topics: classes.len(),
    };
    let agreement = {
        let rules = first_found(&bags.found, &of, all);
        let others = without(&documents, keywords);
        let labels = expect(&others, &learning.estimate(&rules, &others));
        agreement(&bags.found, &of, &labels)
    };
    let first = weighed(&bags.found, &of, &agreement, all);
    let (bayes, labels) = learning.bootstrap(&first);
    let regression = TopicRegression::learn(&documents, &labels, bags.words);
    let tree = tree.clone();
    let (typical, confusion) = (Vec::new(), Vec::new());
    let mut model =
        LearntTopics { tree, classes, damping, bayes, regression, agreement, typical, confusion };
    let unseen = unseen(&documents, &labels, &learning.collection, &model.bayes);
    model.describe(bags, &unseen);
    model
}

/// What stays the same through all rounds.
struct Learning<'a> {
    documents: &'a [Vec<Occurrence>],
    collection: CollectionWords,
    options: TopicOptions,
    topics: usize,
}

impl Learning<'_> {
    fn estimate(&self, labels: &Labels, documents: &[Vec<Occurrence>]) -> Frequencies {
        let model = Frequencies::pooled(&count(documents, labels), &self.collection);
        if self.options.rest { model.expecting(REST) } else { model }
    }

    /// EM from the first labels on; the last labels are those that the model gives.
    fn bootstrap(&self, first: &Labels) -> (Frequencies, Labels) {
        let even = |labels: &mut Labels| {
            if self.options.even {
                labels.even(self.topics);
            }
        };
        let first = self.estimate(first, self.documents);
        let (model, mut labels) = em(self.documents, first, self.options.rounds, |labels| {
            even(labels);
            self.estimate(labels, self.documents)
        });
        even(&mut labels);
        (model, labels)
    }
}

/// Documents without the words of keywords.
fn without(documents: &[Vec<Occurrence>], keywords: &[Keyword]) -> Vec<Vec<Occurrence>> {
    let hidden: HashSet<u32> =
        keywords.iter().flat_map(|keyword| &keyword.words).copied().collect();
    let others = |words: &Vec<Occurrence>| {
        words.iter().filter(|(word, _)| !hidden.contains(word)).copied().collect()
    };
    documents.iter().map(others).collect()
}

impl LearntTopics {
    /// What is typical by what it says of documents, and what is confused by what is said of them unseen.
    fn describe(&mut self, bags: &Bags, unseen: &Labels) {
        let mut labels = Labels::none(bags.documents.len(), self.classes.len());
        for (document, row) in bags.documents.iter().zip(labels.rows_mut()) {
            row.copy_from_slice(&self.posterior(document));
        }
        let places = (&self.tree, &self.classes[..]);
        self.typical = typical(&bags.documents, &labels, places, bags.words, TYPICAL);
        self.confusion = confusion(unseen);
    }

    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The nodes with keywords, in order.
    #[must_use]
    pub fn classes(&self) -> &[usize] {
        &self.classes
    }

    /// P(c | d) of every class: the geometric mean of naive Bayes and the regression. What is left
    /// belongs to none.
    #[must_use]
    pub fn posterior(&self, document: &[Occurrence]) -> Vec<f32> {
        let damped = self.damping.damp(document);
        let scores = self.bayes.scores(&damped).into_iter().zip(self.regression.scores(&damped));
        let mut both: Vec<f32> = scores.map(|(bayes, other)| (bayes + other) / 2.).collect();
        normalise(&mut both);
        both.truncate(self.classes.len());
        both
    }

    /// The share of a document that lies at each node itself.
    #[must_use]
    pub fn shares(&self, document: &[Occurrence]) -> Vec<f64> {
        let mut shares = vec![0.; self.tree.len()];
        let posterior = self.posterior(document);
        posterior.iter().zip(&self.classes).for_each(|(p, node)| shares[*node] = f64::from(*p));
        shares
    }

    /// The topics of a document with their shares, the main one first: from the top down as long as
    /// a child holds more than half of it, then other topics with much of it; none where no topic
    /// at the top holds half.
    #[must_use]
    pub fn topics(&self, shares: &[f64]) -> Vec<(usize, f64)> {
        let sums = self.tree.sums(shares);
        let (mut place, mut at) = (None, None);
        while let Some(node) = self.tree.children(at).max_by(|a, b| sums[*a].total_cmp(&sums[*b]))
            && sums[node] > SURE
        {
            (place, at) = (Some((node, sums[node])), Some(node));
        }
        let Some((main, share)) = place else { return Vec::new() };
        let mut topics = vec![(main, share)];
        let apart = |node: &usize| !self.tree.is_within(*node, main);
        let mut others: Vec<usize> = self
            .classes
            .iter()
            .copied()
            .filter(|node| shares[*node] >= ALSO)
            .filter(apart)
            .collect();
        others.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
        topics.extend(others.into_iter().take(MOST_TOPICS - 1).map(|node| (node, shares[node])));
        topics
    }
}
