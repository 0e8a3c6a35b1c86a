//! What a class emits: its unigram, smoothed. What is held back from the words of a class goes to those that it did not
//! have, or to all words, each the same. 002 §4.1 says "a modified form of absolute discounting" and no more: how much
//! each count loses and who gets it are rows of a table, of which the best is chosen by trial.

use super::LabelledWords;
use std::collections::HashMap;

/// A way to smooth.
#[derive(Clone, Copy, Debug)]
pub struct Smoothing {
    pub name: &'static str,
    /// What it does, in a line.
    pub what: &'static str,
    /// Gives probabilities by the counts of a class.
    smooth: fn(&EmissionCounts<'_>) -> Smoothed,
}

/// All ways to smooth.
pub const SMOOTHINGS: &[Smoothing] = &[
    Smoothing {
        name: "absolute, for other words",
        what: "each count loses the same part of one, n1 / (n1 + 2 n2), which words of other classes get",
        smooth: |counted| to_others(counted, estimated(counted)),
    },
    Smoothing {
        name: "absolute, for all words",
        what: "each count loses the same part of one, n1 / (n1 + 2 n2), which all words share",
        smooth: |counted| to_all(counted, estimated(counted)),
    },
    Smoothing {
        name: "a half, for other words",
        what: "each count loses a half, which words of other classes get",
        smooth: |counted| to_others(counted, HALF),
    },
    Smoothing {
        name: "a half, for all words",
        what: "each count loses a half, which all words share",
        smooth: |counted| to_all(counted, HALF),
    },
    Smoothing {
        name: "Witten–Bell",
        what: "a class that has many different words keeps more for others",
        smooth: witten_bell,
    },
];

/// The words of a class.
struct EmissionCounts<'a> {
    /// How often each word occurs.
    words: &'a HashMap<u32, u64>,
    total: f64,
    /// How many words there are in all classes, unknown ones counted as one.
    vocabulary: f64,
}

/// How counts become probabilities: `(count - less) / over + known` for words of the class, `other` for any else.
struct Smoothed {
    less: f64,
    over: f64,
    known: f64,
    other: f64,
}

/// What a count loses by the words that occur once and twice in the class.
fn estimated(counted: &EmissionCounts<'_>) -> f64 {
    let times = |often: u64| counted.words.values().filter(|count| **count == often).count() as f64;
    let (once, twice) = (times(1), times(2));
    let less = if once > 0. { once / (once + 2. * twice) } else { HALF };
    // One that has no word twice would lose all it has.
    less.min(MOST_LESS)
}

fn to_others(counted: &EmissionCounts<'_>, less: f64) -> Smoothed {
    let kinds = counted.words.len() as f64;
    let over = counted.total.max(1.);
    let other = kinds.max(1.) * less / over / (counted.vocabulary - kinds).max(1.);
    Smoothed { less, over, known: 0., other }
}

fn to_all(counted: &EmissionCounts<'_>, less: f64) -> Smoothed {
    let over = counted.total.max(1.);
    let each = (counted.words.len() as f64).max(1.) * less / over / counted.vocabulary;
    Smoothed { less, over, known: each, other: each }
}

/// What counts lose where it is not estimated.
const HALF: f64 = 0.5;
/// Absolute discounting takes at most so much of each count.
const MOST_LESS: f64 = 0.99;

fn witten_bell(counted: &EmissionCounts<'_>) -> Smoothed {
    let kinds = (counted.words.len() as f64).max(1.);
    let over = counted.total + kinds;
    let other = kinds / over / (counted.vocabulary - kinds).max(1.);
    Smoothed { less: 0., over, known: 0., other }
}

/// What each class emits.
#[derive(Clone, Debug)]
pub struct Emissions {
    classes: Vec<ClassEmissions>,
}

/// Probabilities of one class.
#[derive(Clone, Debug, Default)]
struct ClassEmissions {
    words: HashMap<u32, f64>,
    /// Of any word that the class did not have.
    other: f64,
    /// How often words came behind each word of the class, and behind none where a run of the class began; empty
    /// where only words are counted.
    behind: HashMap<Option<u32>, HashMap<u32, u64>>,
}

impl Emissions {
    /// Emissions of so many classes: a word depends on its class alone (002 §4.1).
    #[must_use]
    pub fn new(sequences: &[LabelledWords], classes: usize, smoothing: &Smoothing) -> Emissions {
        let mut counts = vec![HashMap::<u32, u64>::new(); classes];
        let mut all = std::collections::HashSet::new();
        for sequence in sequences {
            for (word, class) in sequence.words.iter().zip(&sequence.classes) {
                *counts[*class].entry(*word).or_default() += 1;
                all.insert(*word);
            }
        }
        let vocabulary = all.len() as f64 + 1.;
        let of = |words: HashMap<u32, u64>| {
            let total = words.values().sum::<u64>() as f64;
            let by = (smoothing.smooth)(&EmissionCounts { words: &words, total, vocabulary });
            let weigh =
                |(word, count): (u32, u64)| (word, (count as f64 - by.less) / by.over + by.known);
            let words = words.into_iter().map(weigh).collect();
            ClassEmissions { words, other: by.other, behind: HashMap::new() }
        };
        Emissions { classes: counts.into_iter().map(of).collect() }
    }

    /// Lets a word depend on the word before it, too, where both are of one class, and on that it is the first of its
    /// class; as often as was seen, the word alone weighing as Witten and Bell say.
    #[must_use]
    pub fn with_pairs(mut self, sequences: &[LabelledWords]) -> Emissions {
        for sequence in sequences {
            let mut last = None;
            for (word, class) in sequence.words.iter().zip(&sequence.classes) {
                let before = last.filter(|(_, of)| of == class).map(|(word, _)| word);
                let behind = self.classes[*class].behind.entry(before).or_default();
                *behind.entry(*word).or_default() += 1;
                last = Some((*word, *class));
            }
        }
        self
    }

    /// How likely a class emits a word behind a word of its own, or behind one of another class.
    #[must_use]
    pub fn of(&self, class: usize, word: u32, before: Option<u32>) -> f64 {
        let class = &self.classes[class];
        let alone = class.words.get(&word).copied().unwrap_or(class.other);
        let Some(behind) = class.behind.get(&before) else { return alone };
        let (kinds, total) = (behind.len() as f64, behind.values().sum::<u64>() as f64);
        let count = behind.get(&word).copied().unwrap_or_default() as f64;
        (count + kinds * alone) / (total + kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_a_class_emits_adds_up_to_one(
            words in prop::collection::vec((0u32..30, 0usize..3), 1..60),
        ) {
            let (words, classes) = words.into_iter().unzip();
            let sequences = [LabelledWords { words, classes }];
            let known: std::collections::BTreeSet<u32> = sequences[0].words.iter().copied().collect();
            for smoothing in SMOOTHINGS {
                let alone = Emissions::new(&sequences, 3, smoothing);
                for emissions in [alone.clone().with_pairs(&sequences), alone] {
                    for class in sequences[0].classes.iter().copied() {
                        for before in [None, Some(1), Some(99)] {
                            let of = |word: u32| emissions.of(class, word, before);
                            let sum = known.iter().map(|word| of(*word)).sum::<f64>() + of(99);
                            prop_assert!((sum - 1.).abs() < 1e-9, "{}: {sum}", smoothing.name);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_word_before_counts_where_pairs_are_learnt() {
        let sequences = [LabelledWords { words: vec![1, 2, 3, 2], classes: vec![0, 0, 0, 0] }];
        let alone = Emissions::new(&sequences, 1, &SMOOTHINGS[0]);
        assert_eq!(alone.of(0, 2, Some(1)), alone.of(0, 2, None));
        let pairs = alone.with_pairs(&sequences);
        assert!(pairs.of(0, 2, Some(1)) > pairs.of(0, 2, None));
        assert!(pairs.of(0, 1, None) > pairs.of(0, 1, Some(2)));
    }
}
