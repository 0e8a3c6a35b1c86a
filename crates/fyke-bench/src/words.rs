//! Documents and queries of made words whose frequencies follow Zipf's law (003 §4.2): what full-text
//! indexes are measured on when a million real texts are not at hand.

use fyke_eval::random::Random;
use std::fmt::Write as _;

/// Different words there are in all.
const VOCABULARY: f64 = 2_000_000.0;
/// The most frequent words, which no query is made of alone.
const FUNCTION_WORDS: f64 = 60.0;
const SYLLABLES: [&str; 32] = [
    "ba", "de", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "ze", "ga", "he", "ji", "ko",
    "lu", "ma", "ne", "pi", "ro", "su", "ta", "ve", "wi", "yo", "zu", "cha", "dre", "fli", "gro",
    "sta",
];

/// A document.
#[derive(Debug, Default)]
pub(crate) struct MadeDocument {
    pub url: String,
    pub title: String,
    pub body: String,
}

/// Makes the same documents and queries for the same seed.
#[derive(Debug)]
pub(crate) struct MadeWords {
    random: Random,
}

impl MadeWords {
    pub(crate) fn new(seed: u64) -> MadeWords {
        MadeWords { random: Random::new(seed) }
    }

    /// The document of this number: from 100 to 500 words, in sentences.
    pub(crate) fn document(&mut self, number: u64, made: &mut MadeDocument) {
        made.url.clear();
        let _ = write!(made.url, "http://h{}.test/p/{number}", number % 1_000);
        made.title.clear();
        self.sentence(6, &mut made.title);
        made.body.clear();
        let words = 100 + self.random.below(401);
        let mut done = 0;
        while done < words {
            let length = (5 + self.random.below(16)).min(words - done);
            self.sentence(length, &mut made.body);
            made.body.push_str(". ");
            done += length;
        }
    }

    /// A query of one to four words.
    pub(crate) fn query(&mut self) -> String {
        let words = 1 + self.random.below(4);
        let mut query = String::new();
        for _ in 0..words {
            let rank = FUNCTION_WORDS * (VOCABULARY / FUNCTION_WORDS).powf(self.share());
            spell(rank as u64, &mut query);
            query.push(' ');
        }
        query
    }

    /// The word of this rank.
    pub(crate) fn frequent(rank: u64) -> String {
        let mut word = String::new();
        spell(rank, &mut word);
        word
    }

    /// A number from 0 to 1.
    fn share(&mut self) -> f64 {
        (self.random.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn sentence(&mut self, words: usize, text: &mut String) {
        for place in 0..words {
            if place > 0 {
                text.push(' ');
            }
            // The share of the words up to a rank grows with its logarithm.
            spell(VOCABULARY.powf(self.share()) as u64, text);
        }
    }
}

/// The word of a rank: the more frequent, the shorter.
fn spell(mut rank: u64, text: &mut String) {
    loop {
        text.push_str(SYLLABLES[(rank % 32) as usize]);
        rank /= 32;
        if rank == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_the_same_for_the_same_seed_and_have_the_words_they_should() {
        let (mut first, mut second) = (MadeDocument::default(), MadeDocument::default());
        let (mut words, mut other) = (MadeWords::new(7), MadeWords::new(7));
        let mut lengths = Vec::new();
        for number in 0..200 {
            words.document(number, &mut first);
            other.document(number, &mut second);
            assert_eq!(first.body, second.body);
            lengths.push(first.body.split_whitespace().count());
        }
        assert!(lengths.iter().all(|length| (100..=500).contains(length)), "{lengths:?}");
        let mean = lengths.iter().sum::<usize>() / lengths.len();
        assert!((280..=320).contains(&mean), "{mean}");
        assert!((1..=4).contains(&words.query().split_whitespace().count()));
    }
}
