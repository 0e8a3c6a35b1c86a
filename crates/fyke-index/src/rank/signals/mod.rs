//! The second stage: signals that are looked at for the best few hundred only, each a file and a row
//! ("combining evidence"). A signal gives a value for every candidate, its weight makes an
//! amount of it, and the amounts are added to the score of the first stage. Facts that are declared
//! as signals (`crate::Fact`) come after those of the table.

mod coverage;
mod depth;
mod fresh;
mod links;
mod name;
pub(in crate::rank) mod near;
mod whole;

use std::io;

use super::Candidate;
use super::names::TypedName;
use super::part::ScoredClause;
use super::segment::WeighedIndex;
use super::weights::Weights;

/// A row of the table of signals.
pub(in crate::rank) struct Signal {
    /// Its name in explanations and as a dial.
    pub name: &'static str,
    /// What it looks at, in one line.
    pub what: &'static str,
    /// What the value 1 counts in the standard ranker.
    pub weight: f32,
    /// The value for each candidate; 0 says nothing.
    pub values: fn(&Head) -> io::Result<Vec<f32>>,
}

/// Number of signals.
pub(crate) const COUNT: usize = 9;

/// Every signal.
pub(in crate::rank) const SIGNALS: [Signal; COUNT] = [
    near::SIGNAL,
    links::SIGNAL,
    depth::SIGNAL,
    name::SIGNAL,
    fresh::SIGNAL,
    whole::TITLE_SIGNAL,
    whole::SECTION_SIGNAL,
    whole::OPTION_SIGNAL,
    coverage::SIGNAL,
];

/// Whether nearness counts, but not that of all words of a query.
pub(in crate::rank) fn is_nearness_cut(weights: &Weights, parts: &[ScoredClause]) -> bool {
    let mut counted = SIGNALS.iter().zip(weights.signals);
    counted.any(|(signal, weight)| signal.name == near::SIGNAL.name && weight != 0.0)
        && near::is_cut(parts)
}

/// The candidates of the second stage, with what they were found by.
pub(in crate::rank) struct Head<'a> {
    pub index: &'a WeighedIndex<'a>,
    pub parts: &'a [ScoredClause],
    /// Whole names that were typed.
    pub names: &'a [TypedName],
    pub candidates: &'a [Candidate],
}

impl Head<'_> {
    /// The amounts of every signal that counts at all, for each candidate.
    pub fn amounts(&self) -> io::Result<Vec<(&'static str, Vec<f32>)>> {
        let counted = SIGNALS.iter().zip(self.index.weights.signals).filter(|(_, w)| *w != 0.0);
        let amounts = counted.map(|(signal, weight)| {
            let mut values = (signal.values)(self)?;
            values.iter_mut().for_each(|value| *value *= weight);
            Ok((signal.name, values))
        });
        amounts.chain(self.told().map(Ok)).collect()
    }

    /// The amounts of every fact that is a signal and counts at all.
    pub fn told(&self) -> impl Iterator<Item = (&'static str, Vec<f32>)> {
        let snapshot = self.index.snapshot;
        let facts = snapshot.facts.iter().enumerate();
        let signals = facts.filter_map(|(place, fact)| {
            let weight = self.index.weights.fact(place, fact);
            Some((place, fact.name, fact.signal?.curve, weight)).filter(|_| weight != 0.0)
        });
        signals.map(|(place, name, curve, weight)| {
            let values = self.each(|c| {
                let number = snapshot.segments[c.segment].number(place, c.doc);
                number.map(curve).filter(|value| value.is_finite()).map_or(0.0, |v| v * weight)
            });
            (name, values)
        })
    }

    /// The candidates of a segment: their documents, ascending, and their places among all.
    pub fn here(&self, segment: usize) -> (Vec<u32>, Vec<usize>) {
        let here = self.candidates.iter().enumerate().filter(|(_, c)| c.segment == segment);
        let mut here: Vec<(u32, usize)> = here.map(|(at, c)| (c.doc, at)).collect();
        here.sort_unstable();
        here.into_iter().unzip()
    }

    /// A value from each candidate alone.
    fn each(&self, value: impl Fn(&Candidate) -> f32) -> Vec<f32> {
        self.candidates.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_signal_has_a_name_of_its_own_and_says_what_it_looks_at() {
        let names: HashSet<_> = SIGNALS.iter().map(|signal| signal.name).collect();
        assert_eq!(names.len(), COUNT);
        assert!(SIGNALS.iter().all(|signal| !signal.what.is_empty() && signal.weight >= 0.0));
    }
}
