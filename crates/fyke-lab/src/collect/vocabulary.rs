//! How far the corpus has the words of the language (004 §7): how its vocabulary grows (Heaps' law), and how much of
//! a text that comes was known before, Callan's ctf ratio as far as it can be told without the whole language.
//!
//! The ratio is of texts that queries find, so it says nothing of texts that no query finds.

use fyke_learn::terms::TermCount;
use fyke_stages::show;
use fyke_text::Heaps;
use std::collections::VecDeque;

/// The documents that tell how much was known before they came; with fewer nothing is said.
const LAST: usize = 50;
/// A place of the curve is noted each time the text has grown by one part in so many.
const GROWTH: u64 = 10;

/// What a document had: its words, and those of them that were known.
#[derive(Clone, Copy, Debug)]
struct KnownShare {
    known: u64,
    all: u64,
}

/// The vocabulary as it grows.
#[derive(Debug, Default)]
pub(super) struct VocabularyGrowth {
    /// Words read, and different ones among them.
    read: u64,
    different: u64,
    /// The same now and then.
    curve: Vec<(u64, u64)>,
    last: VecDeque<KnownShare>,
}

impl VocabularyGrowth {
    /// Takes in a document of the language; each of its terms stands in `terms` once.
    pub(super) fn take(&mut self, terms: &[TermCount], is_known: impl Fn(u32) -> bool) {
        let mut share = KnownShare { known: 0, all: 0 };
        for TermCount { term, count } in terms.iter().copied() {
            let is_known = is_known(term);
            share.all += u64::from(count);
            share.known += if is_known { u64::from(count) } else { 0 };
            self.different += u64::from(!is_known);
        }
        self.read += share.all;
        let noted = self.curve.last().map_or(0, |place| place.0);
        if self.read > noted + noted / GROWTH {
            self.curve.push((self.read, self.different));
        }
        self.last.push_back(share);
        if self.last.len() > LAST {
            self.last.pop_front();
        }
    }

    /// The share of words that were known before, over the last documents.
    fn ratio(&self) -> Option<f64> {
        let sum = |of: fn(&KnownShare) -> u64| self.last.iter().map(of).sum::<u64>() as f64;
        (self.last.len() == LAST).then(|| sum(|one| one.known) / sum(|one| one.all).max(1.0))
    }

    /// As a sentence.
    pub(super) fn words(&self) -> String {
        let (Some(ratio), Some(heaps)) = (self.ratio(), Heaps::fit(&self.curve)) else {
            return format!("of the vocabulary nothing can be said before {LAST} documents");
        };
        let later = heaps.vocabulary(2.0 * self.read as f64).max(self.different as f64);
        format!(
            "{} different words among {}; of the words of the last {LAST} documents {:.1} % were known before; twice as \
             much text would have about {}",
            show::count(self.different),
            show::count(self.read),
            100.0 * ratio,
            show::count(later as u64),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_vocabulary_tells_how_much_was_known_and_how_it_grows() {
        let mut growth = VocabularyGrowth::default();
        let mut known: HashSet<u32> = HashSet::new();
        for document in 0..60_u32 {
            // Nine common words ten times each, and one that is new.
            let terms: Vec<TermCount> = (0..9)
                .map(|term| TermCount { term, count: 10 })
                .chain([TermCount { term: 100 + document, count: 10 }])
                .collect();
            growth.take(&terms, |term| known.contains(&term));
            known.extend(terms.iter().map(|term| term.term));
            assert_eq!(growth.words().starts_with("of the vocabulary nothing"), document < 49);
        }
        let said = growth.words();
        for part in ["69 different words among 6,000", "90.0 % were known", "twice as much text"] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}
