//! How the score's weights are learned: from references whose papers are known.

use super::citation::Citation;
use super::features::{FEATURES, SIGNS, pair_features};
use super::form::CitedForm;
use fyke_learn::cluster::{Canopies, CanopyLimits, LearntOdds, OddsLearner};
use std::collections::HashMap;

/// A citation and the number of the paper that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownCitation {
    pub citation: Citation,
    pub paper: u32,
}

/// As wide as canopies are for learning: what is near but another paper teaches most.
const WIDE: CanopyLimits =
    CanopyLimits { longest: 100_000, looked_at: 1_000_000, neighbours: 10_000, share: 0.1 };
/// How much the weights are held back.
const PENALTY: f64 = 0.1;
/// The pairs of two papers, or of one with itself, count together as their number to this power: else one paper that
/// is cited two hundred times would be all that is learned.
const POWER: f32 = 0.25;

/// The weights learned from the pairs that canopies find among these references.
#[must_use]
pub fn learn(known: &[KnownCitation]) -> [f64; FEATURES] {
    let mut examples = examples(known);
    let learner = OddsLearner { penalty: PENALTY };
    loop {
        let weights = learner.learn(&examples);
        let is_wrong = |at: &usize| f64::from(SIGNS[*at]) * weights[*at] < 0.0;
        let wrong: Vec<usize> = (0..FEATURES).filter(is_wrong).collect();
        if wrong.is_empty() {
            return weights;
        }
        // A feature that is nothing in all examples gets the weight 0.
        for example in &mut examples {
            wrong.iter().for_each(|at| example.features[*at] = 0.0);
        }
    }
}

fn examples(known: &[KnownCitation]) -> Vec<LearntOdds<FEATURES>> {
    let forms: Vec<CitedForm> = known.iter().map(|known| CitedForm::of(&known.citation)).collect();
    let mut canopies = Canopies::default();
    for form in &forms {
        canopies.push(&form.keys(), &WIDE);
    }
    let papers = |a: usize, b: usize| {
        let (a, b) = (known[a].paper, known[b].paper);
        (a.min(b), a.max(b))
    };
    let (mut pairs, mut counts) = (Vec::new(), HashMap::<(u32, u32), f32>::new());
    for (a, form) in forms.iter().enumerate() {
        for (b, _) in canopies.near(&form.keys(), &WIDE) {
            let b = b as usize;
            if a < b {
                *counts.entry(papers(a, b)).or_default() += 1.0;
                pairs.push((a, b));
            }
        }
    }
    let example = |(a, b): (usize, usize)| LearntOdds {
        features: pair_features(&forms[a], &forms[b]),
        is_same: known[a].paper == known[b].paper,
        weight: counts[&papers(a, b)].powf(POWER - 1.0),
    };
    pairs.into_iter().map(example).collect()
}
