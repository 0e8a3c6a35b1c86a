//! Near copies made on purpose: words replaced and dropped, passages moved, until the exact Jaccard
//! coefficient has come down to what is wanted.

use fyke_text::sketch::{HashedText, jaccard, shingle_set};

/// The coefficients that copies come down to, most of them near 0.8.
const WANTED: [f64; 9] = [0.95, 0.9, 0.85, 0.82, 0.805, 0.795, 0.78, 0.7, 0.5];

/// The first `count` texts and a copy of each for every wanted coefficient.
pub(crate) fn mutations(texts: &[String], count: usize) -> Vec<String> {
    let mut chance = MutationDice(1);
    let mut all = Vec::new();
    for (at, text) in texts.iter().take(count).enumerate() {
        let copy = mutated(text, WANTED[at % WANTED.len()], &mut chance);
        all.extend([text.clone(), copy]);
    }
    all
}

fn mutated(text: &str, wanted: f64, chance: &mut MutationDice) -> String {
    let original = shingle_set(&HashedText::read(text).words);
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    loop {
        let copy = words.join(" ");
        if words.len() < 4
            || jaccard(&original, &shingle_set(&HashedText::read(&copy).words)) <= wanted
        {
            return copy;
        }
        let at = chance.below(words.len());
        match chance.below(10) {
            0 => {
                let length = (words.len() / 10).max(1);
                let passage: Vec<String> = words
                    .splice(at.min(words.len() - length)..(at + length).min(words.len()), [])
                    .collect();
                let to = chance.below(words.len() + 1);
                words.splice(to..to, passage);
            }
            1..4 => drop(words.remove(at)),
            _ => words[at] = format!("word{}", chance.below(100_000)),
        }
    }
}

/// Numbers that look like chance, the same in every run.
pub(crate) struct MutationDice(pub u64);

impl MutationDice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 29
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutation_comes_down_to_the_wanted_coefficient_and_not_far_below() {
        let text: String = (0..400).map(|n| format!("w{n} ")).collect();
        let set = |text: &str| shingle_set(&HashedText::read(text).words);
        for wanted in WANTED {
            let copy = mutated(&text, wanted, &mut MutationDice(7));
            let found = jaccard(&set(&text), &set(&copy));
            assert!(found <= wanted && found > wanted - 0.03, "{found} for {wanted}");
        }
        assert_eq!(mutated("a b", 0.5, &mut MutationDice(1)), "a b");
    }
}
