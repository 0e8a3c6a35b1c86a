//! Counts as evidence: a word that occurs ten times says less than ten words, a word of every document
//! says nothing, and a long document is no surer than a short one. Naive Bayes takes words for
//! independent and is far too sure of itself; EM then believes its first guesses. Every document is
//! therefore given the same small length (ours; 002 §3 counts plainly).

use crate::bayes::Occurrence;
use serde::{Deserialize, Serialize};

/// The length of every document: so many words speak independently of each other.
const LENGTH: f32 = 15.;

/// What the words of a collection weigh.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Damping {
    /// ln(documents / documents with the word), for each word.
    rarity: Vec<f32>,
}

impl Damping {
    /// Learns how rare words are; words are numbers below `words`.
    #[must_use]
    pub fn learn(documents: &[Vec<Occurrence>], words: usize) -> Damping {
        let mut holding = vec![0_u32; words];
        for (word, _) in documents.iter().flatten() {
            holding[*word as usize] += 1;
        }
        let all = documents.len().max(1) as f32;
        Damping { rarity: holding.iter().map(|n| (all / (*n).max(1) as f32).ln()).collect() }
    }

    /// A document with its words weighed; words it does not know are left out.
    #[must_use]
    pub(crate) fn damp(&self, document: &[Occurrence]) -> Vec<Occurrence> {
        let weigh = |&(word, times): &Occurrence| {
            let weight = (1. + times).ln() * self.rarity.get(word as usize)?;
            (weight > 0.).then_some((word, weight))
        };
        let mut damped: Vec<Occurrence> = document.iter().filter_map(weigh).collect();
        let sum: f32 = damped.iter().map(|(_, weight)| weight).sum();
        damped.iter_mut().for_each(|(_, weight)| *weight *= LENGTH / sum);
        damped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_weigh_more_and_words_of_all_documents_nothing() {
        let documents = [vec![(0, 1.), (1, 1.)], vec![(0, 3.), (2, 1.)], vec![(0, 1.), (2, 2.)]];
        let damping = Damping::learn(&documents, 3);
        let damped = damping.damp(&[(0, 5.), (1, 1.), (2, 1.), (7, 4.)]);
        assert_eq!(damped.iter().map(|(word, _)| *word).collect::<Vec<_>>(), [1, 2]);
        // ln 3 to ln 1.5.
        let (a, b) = (3_f32.ln(), 1.5_f32.ln());
        assert!((damped[0].1 - LENGTH * a / (a + b)).abs() < 1e-4);
        assert!((damped.iter().map(|w| w.1).sum::<f32>() - LENGTH).abs() < 1e-4);
        assert!(damping.damp(&[(0, 5.)]).is_empty());
    }
}
