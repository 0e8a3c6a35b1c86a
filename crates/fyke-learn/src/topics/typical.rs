//! What is typical of a topic: words by the odds ratio of standing in its documents against standing in
//! others, surest first; and what topics are taken for each other.

use super::Tree;
use super::labels::Labels;
use crate::bayes::Occurrence;
use serde::{Deserialize, Serialize};

/// A word in fewer documents is typical of nothing.
const LEAST_DOCUMENTS: f32 = 3.;

/// A typical word.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Typical {
    pub word: u32,
    /// How many times greater the odds of the word are in the topic's documents than in others.
    pub odds: f32,
    /// The share of the word's documents that belong to the topic.
    pub share: f32,
    /// Documents with the word.
    pub documents: u32,
}

/// For every node with all below it, and last for the documents that belong to none, so many words.
#[must_use]
pub fn typical(
    documents: &[Vec<Occurrence>],
    labels: &Labels,
    (tree, classes): (&Tree, &[usize]),
    words: usize,
    many: usize,
) -> Vec<Vec<Typical>> {
    let nodes = tree.len() + 1;
    let (mut holding, mut all) = (vec![0_f32; words * nodes], vec![0_f32; nodes]);
    let mut documents_with = vec![0_u32; words];
    for (document, row) in documents.iter().zip(labels.rows()) {
        let shares = node_shares(row, tree, classes);
        all.iter_mut().zip(&shares).for_each(|(sum, share)| *sum += share);
        for (word, _) in document {
            documents_with[*word as usize] += 1;
            let cells = holding[*word as usize * nodes..].iter_mut().zip(&shares);
            cells.for_each(|(cell, share)| *cell += share);
        }
    }
    let count = documents.len() as f32;
    let of = |node: usize| {
        let words =
            documents_with.iter().enumerate().filter(|(_, n)| **n as f32 >= LEAST_DOCUMENTS);
        let mut rated: Vec<(f32, Typical)> = words
            .map(|(word, with)| {
                let inside = holding[word * nodes + node];
                let (sure, odds) = odds(inside, *with as f32, all[node], count);
                let share = inside / *with as f32;
                (sure, Typical { word: word as u32, odds, share, documents: *with })
            })
            .filter(|(sure, _)| *sure > 0.)
            .collect();
        rated.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.word.cmp(&b.1.word)));
        rated.into_iter().take(many).map(|(_, typical)| typical).collect()
    };
    (0..nodes).map(of).collect()
}

/// A row's share of every node, what lies below counted in, and last what is left.
fn node_shares(row: &[f32], tree: &Tree, classes: &[usize]) -> Vec<f32> {
    let mut own = vec![0.; tree.len()];
    row.iter().zip(classes).for_each(|(share, node)| own[*node] = f64::from(*share));
    let left = 1. - own.iter().sum::<f64>();
    let sums = tree.sums(&own).into_iter().chain([left.max(0.)]);
    sums.map(|share| share as f32).collect()
}

/// How many standard errors the logarithm of the odds ratio lies above nought, and the odds ratio: of
/// `with` documents that have the word, `inside` are among the `of` documents of the topic.
fn odds(inside: f32, with: f32, of: f32, all: f32) -> (f32, f32) {
    let cells = [inside, of - inside, with - inside, all - of - with + inside];
    let [a, b, c, d] = cells.map(|cell| cell.max(0.) + 0.5);
    let odds = a * d / (b * c);
    (odds.ln() / (1. / a + 1. / b + 1. / c + 1. / d).sqrt(), odds)
}

/// For each class the mean share of every class in its documents, each counted by its share of the class.
#[must_use]
pub fn confusion(labels: &Labels) -> Vec<Vec<f32>> {
    let classes = labels.classes();
    let mut sums = vec![vec![0.; classes]; classes];
    for row in labels.rows() {
        for (own, sums) in row.iter().zip(&mut sums) {
            sums.iter_mut().zip(row).for_each(|(sum, share)| *sum += own * share);
        }
    }
    for (row, all) in sums.iter_mut().zip(labels.sums()) {
        row.iter_mut().for_each(|sum| *sum /= all.max(1e-9) as f32);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_odds_ratio_is_of_the_four_cells() {
        // 9 of 10 inside, 10 of 90 outside, each with a half more: 9.5 · 80.5 / (1.5 · 10.5).
        let (sure, ratio) = odds(9., 19., 10., 100.);
        assert!((ratio - 9.5 * 80.5 / (1.5 * 10.5)).abs() < 1e-3);
        assert!(sure > 3.);
        assert!(odds(1., 10., 10., 100.).0.abs() < 0.5);
    }

    #[test]
    fn words_of_a_topic_are_typical_of_it_and_of_what_is_above() {
        let tree = Tree::new(vec![None, Some(0), Some(0)]).unwrap();
        let mut documents = vec![vec![(0, 1.), (1, 1.)]; 5];
        documents.extend(vec![vec![(0, 1.), (2, 1.)]; 5]);
        documents.extend(vec![vec![(3, 1.)]; 5]);
        let labels = Labels::sure(2, (0..15).map(|d| (d < 10).then_some(d / 5)));
        let typical = typical(&documents, &labels, (&tree, &[1, 2]), 4, 2);
        let words = |node: usize| typical[node].iter().map(|t| t.word).collect::<Vec<_>>();
        assert_eq!((words(0)[0], words(1)[0], words(2)[0], words(3)), (0, 1, 2, vec![3]));
        assert_eq!((typical[0][0].share, typical[1][0].documents), (1., 5));
    }

    #[test]
    fn classes_are_confused_as_far_as_their_documents_share_them() {
        let mut labels = Labels::none(3, 2);
        let rows = [[0.5, 0.5], [0.0, 1.0], [0.5, 0.0]];
        labels.rows_mut().zip(rows).for_each(|(row, shares)| row.copy_from_slice(&shares));
        // (¼ + ¼) and ¼ of 1; ¼ and (¼ + 1) of 1½.
        assert_eq!(confusion(&labels), [[0.5, 0.25], [1. / 6., 5. / 6.]]);
    }
}
