//! Stem classes made better by a corpus (003 §4.3.4: a stem dictionary by statistics of a text, for the expansion
//! of queries). The words that a stemmer gives one stem are a class; two of them belong together only if they
//! are met together more often than chance would have it. Classes are taken apart into the connected
//! components of such pairs: `organ organs` and `organization organizations` part, as their texts do.
//!
//! The measure is like Dice's: `(n_ab − n_a n_b / N) / (n_a + n_b)`, where n counts windows of a text.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Words of a window.
pub const WINDOW: usize = 100;
/// A pair belongs together from this measure on.
pub const LEAST: f64 = 0.01;
/// Words known at most; later ones are passed over.
const MOST_WORDS: usize = 1 << 20;
/// Words of a class at most, so that pairs stay few.
const MOST_OF_A_CLASS: usize = 64;

/// Counts words and pairs of them by windows.
#[derive(Debug)]
pub struct StemClassCounter {
    size: usize,
    numbers: HashMap<String, u32>,
    /// The class of each word, and how many windows have it.
    words: Vec<ClassWord>,
    /// By stem, the words of a class.
    classes: HashMap<String, Vec<u32>>,
    pairs: HashMap<(u32, u32), u32>,
    windows: u32,
    /// The words of the window that is read, with repetitions, by class.
    open: BTreeMap<u32, BTreeSet<u32>>,
    filled: usize,
}

#[derive(Debug)]
struct ClassWord {
    text: String,
    /// The first word of its class stands for the class.
    class: u32,
    windows: u32,
}

impl StemClassCounter {
    /// Nothing counted yet, in windows of `size` words.
    #[must_use]
    pub fn new(size: usize) -> StemClassCounter {
        StemClassCounter {
            size: size.max(2),
            numbers: HashMap::new(),
            words: Vec::new(),
            classes: HashMap::new(),
            pairs: HashMap::new(),
            windows: 0,
            open: BTreeMap::new(),
            filled: 0,
        }
    }

    /// Reads the next word of a text, which is folded; `stem` is asked once for each word.
    pub fn add(&mut self, word: &str, stem: impl Fn(&str) -> String) {
        let number = self.numbers.get(word).copied().or_else(|| self.enter(word, stem));
        if let Some(number) = number {
            self.open.entry(self.words[number as usize].class).or_default().insert(number);
        }
        self.filled += 1;
        if self.filled >= self.size {
            self.end();
        }
    }

    fn enter(&mut self, word: &str, stem: impl Fn(&str) -> String) -> Option<u32> {
        if self.words.len() >= MOST_WORDS {
            return None;
        }
        let number = self.words.len() as u32;
        let class = self.classes.entry(stem(word)).or_default();
        if class.len() >= MOST_OF_A_CLASS {
            return None;
        }
        class.push(number);
        self.words.push(ClassWord { text: word.to_owned(), class: class[0], windows: 0 });
        self.numbers.insert(word.to_owned(), number);
        Some(number)
    }

    /// Ends a text, and with it the window.
    pub fn end(&mut self) {
        if self.filled == 0 {
            return;
        }
        for found in std::mem::take(&mut self.open).into_values() {
            for (nth, &one) in found.iter().enumerate() {
                self.words[one as usize].windows += 1;
                for &other in found.iter().skip(nth + 1) {
                    *self.pairs.entry((one, other)).or_default() += 1;
                }
            }
        }
        self.windows += 1;
        self.filled = 0;
    }

    /// How far a pair belongs together: 0 for what chance would give.
    fn measure(&self, (one, other): (u32, u32), together: u32) -> f64 {
        let windows = |number: u32| f64::from(self.words[number as usize].windows);
        let (one, other) = (windows(one), windows(other));
        let expected = one * other / f64::from(self.windows.max(1));
        (f64::from(together) - expected) / (one + other)
    }

    /// The classes: sorted lists of words that belong together by a measure of `least` or more, sorted by
    /// their first word. Words that stand alone are left out.
    #[must_use]
    pub fn classes(mut self, least: f64) -> Vec<Vec<String>> {
        self.end();
        let mut parents: Vec<u32> = (0..self.words.len() as u32).collect();
        for (&pair, &together) in &self.pairs {
            if self.measure(pair, together) >= least {
                let (one, other) = (root(&mut parents, pair.0), root(&mut parents, pair.1));
                parents[one.max(other) as usize] = one.min(other);
            }
        }
        let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for (number, word) in (0..).zip(&self.words) {
            found.entry(root(&mut parents, number)).or_default().push(word.text.clone());
        }
        let mut classes: Vec<Vec<String>> =
            found.into_values().filter(|words| words.len() > 1).collect();
        classes.iter_mut().for_each(|words| words.sort_unstable());
        classes.sort_unstable();
        classes
    }
}

/// The least number of a word's component so far.
fn root(parents: &mut [u32], mut of: u32) -> u32 {
    while parents[of as usize] != of {
        let above = parents[parents[of as usize] as usize];
        parents[of as usize] = above;
        of = above;
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stem;
    use proptest::prelude::*;

    fn classes(texts: &[String], least: f64) -> Vec<String> {
        let mut counter = StemClassCounter::new(WINDOW);
        for text in texts {
            for word in text.split(' ') {
                counter.add(word, |word| (stem::named("porter").unwrap().stem)(word).into_owned());
            }
            counter.end();
        }
        counter.classes(least).into_iter().map(|words| words.join(" ")).collect()
    }

    /// Words of 003 table 4.7 that Porter's stemmer puts together by mistake, in texts that keep them apart.
    fn corpus() -> Vec<String> {
        let texts = [
            "the organ of the church is older than the organs of the town",
            "the organization was founded after other organizations had failed",
            "a university of the north and the universities of the south",
            "the universe has a beginning and other universes may have none",
        ];
        texts.iter().map(|text| (*text).to_owned()).cycle().take(40).collect()
    }

    #[test]
    fn classes_of_the_stemmer_part_where_the_texts_do() {
        let expected = [
            "organ organs",
            "organization organizations",
            "universe universes",
            "universities university",
        ];
        assert_eq!(classes(&corpus(), LEAST), expected);
        // Where everything is near enough the classes are those of the stemmer.
        let whole = [
            "organ organization organizations organs",
            "universe universes universities university",
        ];
        let together: Vec<String> = corpus().chunks(4).map(|texts| texts.join(" ")).collect();
        assert_eq!(classes(&together, -1.0), whole);
    }

    #[test]
    fn pairs_that_meet_by_chance_only_do_not_belong_together() {
        // Each word is in every second window, so one window in four has both.
        let texts = ["organ", "organs", "organ organs", "church"].map(str::to_owned);
        let texts: Vec<String> = texts.iter().cycle().take(400).cloned().collect();
        assert_eq!(classes(&texts, LEAST), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn every_word_is_in_one_class_at_most(text in "((organ|organs|organize|cat|cats|a) ){0,60}") {
            let found = classes(&[text.trim().to_owned()], LEAST).join(" ");
            let mut words: Vec<&str> = found.split(' ').collect();
            let all = words.len();
            words.sort_unstable();
            words.dedup();
            prop_assert_eq!(words.len(), all);
        }
    }
}
