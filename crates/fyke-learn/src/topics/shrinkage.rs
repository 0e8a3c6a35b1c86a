//! Shrinkage up the tree (002 §3.1): the frequency of a word in a class is a weighted average of its own
//! estimate, those of the nodes above it (each pooled from all classes below), the collection's and a
//! uniform one. The weights of each class are fitted by EM, on documents left out of the estimates one
//! at a time: otherwise the class's own estimate would always win.

use super::Tree;
use super::frequencies::{CollectionWords, Frequencies};
use super::labels::Labels;
use crate::bayes::{Counts, Occurrence};

/// A share below this says nothing of a class's weights.
const LEAST_SHARE: f32 = 0.02;

/// The weights of each class: its own estimate, the nodes above it from the nearest on, the
/// collection, all words alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    pub weights: Vec<Vec<f64>>,
    /// For each class the nodes above it.
    above: Vec<Vec<usize>>,
    nodes: usize,
}

/// Counts pooled at each node, beside those of classes.
struct NodePools<'a> {
    counts: &'a Counts,
    collection: &'a CollectionWords,
    /// A row of nodes for each word.
    words: Vec<f64>,
    totals: Vec<f64>,
}

impl Mixture {
    /// All weights alike; `classes` are the nodes that documents belong to.
    #[must_use]
    pub fn new(tree: &Tree, classes: &[usize]) -> Mixture {
        let above: Vec<Vec<usize>> = classes.iter().map(|c| tree.above(*c).collect()).collect();
        let alike = |above: &Vec<usize>| vec![1. / (above.len() + 3) as f64; above.len() + 3];
        Mixture { weights: above.iter().map(alike).collect(), above, nodes: tree.len() }
    }

    /// One step of EM for the weights, then the frequencies by them.
    pub fn shrink(
        &mut self,
        counts: &Counts,
        collection: &CollectionWords,
        documents: &[Vec<Occurrence>],
        labels: &Labels,
    ) -> Frequencies {
        let pools = self.pool(counts, collection);
        self.fit(&pools, documents, labels);
        let classes = counts.classes();
        let mut ratios = Vec::with_capacity(collection.words() * classes);
        for (word, share) in collection.shares.iter().enumerate() {
            ratios.extend((0..classes).map(|class| {
                let levels = self.levels(&pools, class, word, (0., 0.));
                let mixed: f64 = levels.iter().sum();
                (mixed / share).ln() as f32
            }));
        }
        let priors = (0..classes).map(|class| counts.prior(class).ln() as f32).collect();
        Frequencies::from_parts(classes, ratios, priors)
    }

    fn pool<'a>(&self, counts: &'a Counts, collection: &'a CollectionWords) -> NodePools<'a> {
        let mut words = vec![0.; collection.words() * self.nodes];
        let mut totals = vec![0.; self.nodes];
        for word in 0..collection.words() {
            for (counted, above) in counts.row(word as u32).iter().zip(&self.above) {
                for node in above {
                    words[word * self.nodes + node] += counted;
                    totals[*node] += counted;
                }
            }
        }
        NodePools { counts, collection, words, totals }
    }

    /// The weighted estimates of a word, without so many occurrences of it and of all words.
    fn levels(
        &self,
        pools: &NodePools,
        class: usize,
        word: usize,
        (times, length): (f64, f64),
    ) -> Vec<f64> {
        let share = |counted: f64, total: f64| {
            if total - length <= 0. { 0. } else { (counted - times).max(0.) / (total - length) }
        };
        let own = pools.counts.row(word as u32).get(class).copied().unwrap_or(0.);
        let collection = pools.collection;
        let mut levels = vec![share(own, pools.counts.totals()[class])];
        levels.extend(
            self.above[class]
                .iter()
                .map(|node| share(pools.words[word * self.nodes + node], pools.totals[*node])),
        );
        levels.push(share(collection.shares[word] * collection.total, collection.total));
        levels.push(1. / collection.words() as f64);
        levels.iter_mut().zip(&self.weights[class]).for_each(|(level, weight)| *level *= weight);
        levels
    }

    fn fit(&mut self, pools: &NodePools, documents: &[Vec<Occurrence>], labels: &Labels) {
        // A little of everything: no weight may become nought for ever.
        let mut credit: Vec<Vec<f64>> =
            self.weights.iter().map(|weights| vec![1e-3; weights.len()]).collect();
        for (document, row) in documents.iter().zip(labels.rows()) {
            let length: f64 = document.iter().map(|(_, times)| f64::from(*times)).sum();
            for (class, share) in row.iter().enumerate().filter(|(_, share)| **share > LEAST_SHARE)
            {
                let share = f64::from(*share);
                for &(word, times) in document {
                    let times = f64::from(times) * share;
                    let levels = self.levels(pools, class, word as usize, (times, length * share));
                    let sum: f64 = levels.iter().sum();
                    let credit = credit[class].iter_mut().zip(levels);
                    credit.for_each(|(credit, level)| *credit += times * level / sum);
                }
            }
        }
        for (weights, credit) in self.weights.iter_mut().zip(credit) {
            let sum: f64 = credit.iter().sum();
            *weights = credit.into_iter().map(|credit| credit / sum).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::frequencies::count;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_class_of_one_document_leans_on_what_is_above_it() {
        let tree = Tree::new(vec![None, Some(0), Some(0)]).unwrap();
        // Many documents of class 0 with the same words; of class 1 a single one, left out of itself.
        let mut documents = vec![vec![(0, 3.), (1, 3.)]; 9];
        documents.push(vec![(0, 1.), (2, 1.)]);
        let labels = Labels::sure(2, (0..10).map(|d| Some(d / 9)));
        let collection = CollectionWords::count(&documents, 3);
        let mut mixture = Mixture::new(&tree, &[1, 2]);
        let counts = count(&documents, &labels);
        for _ in 0..20 {
            mixture.shrink(&counts, &collection, &documents, &labels);
        }
        let [many, one] = &mixture.weights[..] else { panic!() };
        assert!(many[0] > 0.3, "{many:?}");
        assert!(one[0] < 0.01, "{one:?}");
    }

    proptest! {
        #[test]
        fn weights_and_frequencies_sum_to_one(
            documents in prop::collection::vec(prop::collection::vec((0u32..6, 0.5f32..5.), 1..8), 2..9)
        ) {
            let tree = Tree::new(vec![None, Some(0), Some(0), None]).unwrap();
            let labels = Labels::sure(3, (0..documents.len()).map(|d| Some(d % 3)));
            let collection = CollectionWords::count(&documents, 6);
            let mut mixture = Mixture::new(&tree, &[1, 2, 3]);
            let counts = count(&documents, &labels);
            let model = mixture.shrink(&counts, &collection, &documents, &labels);
            for (class, weights) in mixture.weights.iter().enumerate() {
                prop_assert!((weights.iter().sum::<f64>() - 1.).abs() < 1e-9);
                // A class without documents has no estimate of its own to sum.
                if counts.totals()[class] > 0. {
                    let frequency = |w: usize| f64::from(model.ratios(w as u32)[class]).exp() * collection.shares[w];
                    let sum: f64 = (0..6).map(frequency).sum();
                    prop_assert!((sum - 1.).abs() < 1e-3, "{}", sum);
                }
            }
        }
    }
}
