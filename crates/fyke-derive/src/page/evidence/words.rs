//! Words and phrases: shares of the most frequent ones, repetition, and what a text of a language always has.

use super::{PageEvidence, SpamView, beyond};
use fyke_text::{each_form, is_stop};
use std::collections::{HashMap, HashSet};

/// Words of a text that are looked at.
const MOST: usize = 20_000;
/// A text of fewer words says nothing by its shares.
const FEW: u32 = 30;

/// The words of a text, counted.
#[derive(Debug, Default)]
pub(super) struct WordCounts {
    all: u32,
    stop: u32,
    /// Occurrences of the most frequent words that are no stop words, most first.
    top: [u32; 3],
    /// Phrases of three words, and how many of them stood there before.
    phrases: u32,
    again: u32,
    has_stop_list: bool,
}

/// A hash of a word, the same everywhere.
fn hash(word: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(word.as_bytes())
}

impl WordCounts {
    pub(super) fn of(text: &str, language: &str) -> WordCounts {
        let mut counts = WordCounts {
            has_stop_list: fyke_text::stop::words(language).next().is_some(),
            ..WordCounts::default()
        };
        let (mut by_word, mut met) = (HashMap::<u64, u32>::new(), HashSet::new());
        let mut last = [0_u64; 3];
        each_form(text, |word| {
            if counts.all as usize >= MOST {
                return;
            }
            counts.all += 1;
            let word_hash = hash(word);
            // Numbers and single letters fill tables and formulas.
            if is_stop(language, word) {
                counts.stop += 1;
            } else if word.chars().count() > 1 && !word.starts_with(|c: char| c.is_ascii_digit()) {
                *by_word.entry(word_hash).or_default() += 1;
            }
            last = [last[1], last[2], word_hash];
            if counts.all >= 3 {
                counts.phrases += 1;
                let phrase = last.iter().fold(0_u64, |sum, word| sum.rotate_left(21) ^ word);
                counts.again += u32::from(!met.insert(phrase));
            }
        });
        for count in by_word.into_values() {
            let place = counts.top.partition_point(|other| *other >= count);
            if place < counts.top.len() {
                counts.top[place..].rotate_right(1);
                counts.top[place] = count;
            }
        }
        counts
    }

    /// The share of a count among all words; 0 where these are few.
    fn share(&self, count: u32) -> f32 {
        if self.all < FEW { 0.0 } else { count as f32 / self.all as f32 }
    }
}

pub(super) const TOP_WORD: PageEvidence = PageEvidence {
    name: "top-word",
    what: "says one word again and again",
    value: |view| beyond(view.words.share(view.words.top[0]), 0.08, 0.12),
};

pub(super) const TOP_THREE: PageEvidence = PageEvidence {
    name: "top-three",
    what: "is made of a few words",
    value: |view| beyond(view.words.share(view.words.top.iter().sum()), 0.18, 0.25),
};

pub(super) const REPEATED: PageEvidence = PageEvidence {
    name: "repeated",
    what: "repeats its phrases",
    value: |view| {
        let WordCounts { phrases, again, .. } = view.words;
        let share = if phrases < FEW { 0.0 } else { again as f32 / phrases as f32 };
        beyond(share, 0.3, 0.4)
    },
};

/// Words that hold sentences together are missing, where the language's are known.
pub(super) const NO_STOP_WORDS: PageEvidence = PageEvidence {
    name: "no-stop-words",
    what: "is a heap of words without sentences",
    value: |view| {
        let WordCounts { all, stop, has_stop_list, .. } = view.words;
        if !has_stop_list || all < 2 * FEW || is_listed(view) {
            return 0.0;
        }
        beyond(0.2, stop as f32 / all as f32, 0.2)
    },
};

/// Whether most of the text stands in lists, tables or code, which have no sentences.
fn is_listed(view: &SpamView<'_>) -> bool {
    let lines = view.document.text.lines().filter(|line| !line.is_empty());
    let (mut short, mut all) = (0, 0);
    for line in lines {
        let length = line.len();
        all += length;
        short += if length < 80 { length } else { 0 };
    }
    short * 2 > all
}

pub(super) const FEW_WORDS: PageEvidence = PageEvidence {
    name: "few-words",
    what: "has hardly any text",
    value: |view| beyond(40.0, view.words.all as f32, 40.0),
};
