//! Softmax regression (maximum entropy) on the labels that EM found: a second look that takes no words
//! for independent. It is wrong about other documents than naive Bayes, so that both together are right
//! about more than either (ours; 002 §3.2 asks for "better discriminative training with unlabeled data").

use super::labels::{Labels, normalise};
use crate::bayes::Occurrence;
use crate::shuffle::shuffle;
use serde::{Deserialize, Serialize};

/// Passes over the documents, how fast it learns in the first, and how fast it forgets.
const PASSES: usize = 8;
const RATE: f32 = 2.;
const DECAY: f32 = 1e-4;

/// The bias of a class follows so much more slowly than its words.
const BIAS: f32 = 0.1;

/// A weight for each word and class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TopicRegression {
    classes: usize,
    weights: Vec<f32>,
    biases: Vec<f32>,
}

impl TopicRegression {
    /// Learns from documents whose words are numbers below `words`, in an order that is mixed but always
    /// the same.
    #[must_use]
    pub fn learn(documents: &[Vec<Occurrence>], labels: &Labels, words: usize) -> TopicRegression {
        let classes = labels.classes();
        let (weights, biases) = (vec![0.; words * classes], vec![0.; classes]);
        let mut model = TopicRegression { classes, weights, biases };
        let rows: Vec<&[f32]> = labels.rows().collect();
        let labelled = |at: &usize| rows[*at].iter().any(|share| *share > 0.);
        let mut order: Vec<usize> = (0..documents.len()).filter(labelled).collect();
        let mut seed = 1;
        for pass in 0..PASSES {
            shuffle(&mut order, &mut seed);
            let rate = RATE / (1. + pass as f32 / 2.);
            order.iter().for_each(|at| model.step(&unit(&documents[*at]), rows[*at], rate));
        }
        model
    }

    /// One step along the gradient of a document's likelihood.
    fn step(&mut self, document: &[Occurrence], wanted: &[f32], rate: f32) {
        let mut pull = self.scores_of_unit(document);
        normalise(&mut pull);
        pull.iter_mut().zip(wanted).for_each(|(pull, wanted)| *pull = (wanted - *pull) * rate);
        self.biases.iter_mut().zip(&pull).for_each(|(bias, pull)| *bias += BIAS * pull);
        for &(word, weight) in document {
            let row = &mut self.weights[word as usize * self.classes..][..self.classes];
            for (cell, pull) in row.iter_mut().zip(&pull) {
                *cell += weight * pull - rate * DECAY * *cell;
            }
        }
    }

    /// The logarithms of what is in proportion to P(c | d).
    #[must_use]
    pub fn scores(&self, document: &[Occurrence]) -> Vec<f32> {
        self.scores_of_unit(&unit(document))
    }

    fn scores_of_unit(&self, document: &[Occurrence]) -> Vec<f32> {
        let mut scores = self.biases.clone();
        for &(word, weight) in document {
            let place = word as usize * self.classes;
            let row = self.weights.get(place..place + self.classes).unwrap_or_default();
            scores.iter_mut().zip(row).for_each(|(score, cell)| *score += weight * cell);
        }
        scores
    }
}

/// The document as a vector of length one.
fn unit(document: &[Occurrence]) -> Vec<Occurrence> {
    let squares: f32 = document.iter().map(|(_, weight)| weight * weight).sum();
    let length = squares.sqrt().max(f32::MIN_POSITIVE);
    document.iter().map(|&(word, weight)| (word, weight / length)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_learns_what_parts_two_classes_and_passes_over_documents_without_a_label() {
        let documents = [vec![(0, 1.), (2, 1.)], vec![(1, 3.), (2, 3.)], vec![(0, 1.), (3, 9.)]];
        let labels = Labels::sure(2, [Some(0), Some(1), None]);
        let model = TopicRegression::learn(&documents, &labels, 4);
        let leads = |document: &[Occurrence]| {
            let scores = model.scores(document);
            scores[0] - scores[1]
        };
        assert!(leads(&[(0, 1.)]) > 1. && leads(&[(1, 1.)]) < -1.);
        assert!(leads(&[(2, 1.)]).abs() < 0.5);
        assert_eq!(leads(&[(3, 1.)]), leads(&[(9, 1.)]));
        assert_eq!(model, TopicRegression::learn(&documents, &labels, 4));
    }
}
