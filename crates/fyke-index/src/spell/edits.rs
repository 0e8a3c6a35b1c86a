//! How likely one word was typed for another (Damerau): deletions, insertions,
//! substitutions and swaps of neighbours, those cheaper that hands and ears make more often.

/// A letter doubled or halved, and a vowel for a vowel: so much of an edit.
const DOUBLED: f32 = 0.6;
const VOWEL: f32 = 0.8;

/// An error in the first letter is rarer: so much is added.
const FIRST: f32 = 0.5;

/// What it takes to turn `meant` into `typed`, in edits.
pub(super) fn cost(typed: &str, meant: &str) -> f32 {
    let typed: Vec<char> = typed.chars().collect();
    let meant: Vec<char> = meant.chars().collect();
    // Three rows of the table: a swap looks back by two.
    let mut before: Vec<f32> = Vec::new();
    let mut above: Vec<f32> = vec![0.0];
    for at in 1..=meant.len() {
        above.push(above[at - 1] + gap(&meant, at - 1));
    }
    for row in 1..=typed.len() {
        let mut here = vec![above[0] + gap(&typed, row - 1)];
        for column in 1..=meant.len() {
            let (a, b) = (typed[row - 1], meant[column - 1]);
            let mut least = above[column - 1] + substitution(a, b);
            least = least.min(above[column] + gap(&typed, row - 1));
            least = least.min(here[column - 1] + gap(&meant, column - 1));
            let is_swap =
                row > 1 && column > 1 && a == meant[column - 2] && b == typed[row - 2] && a != b;
            if is_swap {
                least = least.min(before[column - 2] + 1.0);
            }
            here.push(least);
        }
        before = std::mem::replace(&mut above, here);
    }
    let first = if typed.first() == meant.first() { 0.0 } else { FIRST };
    above.last().copied().unwrap_or_default() + first
}

/// What it costs that a letter stands in one word only.
fn gap(word: &[char], at: usize) -> f32 {
    let is_double = at > 0 && word[at - 1] == word[at] || word.get(at + 1) == Some(&word[at]);
    if is_double { DOUBLED } else { 1.0 }
}

fn substitution(a: char, b: char) -> f32 {
    let is_vowel = |c: char| "aeiouy".contains(c);
    match a == b {
        true => 0.0,
        false if is_vowel(a) && is_vowel(b) => VOWEL,
        false => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn likely_errors_cost_less() {
        let check = |typed: &str, meant: &str, expected: f32| {
            assert!((cost(typed, meant) - expected).abs() < 1e-5, "{typed} {meant}");
        };
        check("turbine", "turbine", 0.0);
        check("trubine", "turbine", 1.0);
        check("turbne", "turbine", 1.0);
        check("turbene", "turbine", 0.8);
        check("harbor", "harbour", 1.0);
        check("comitee", "committee", 1.2);
        check("durbine", "turbine", 1.5);
        check("tuzbime", "turbine", 2.0);
        check("", "ab", 2.5);
    }

    proptest! {
        #[test]
        fn only_the_same_word_costs_nothing(a in "[a-d]{0,6}", b in "[a-d]{0,6}") {
            prop_assert_eq!(cost(&a, &b) == 0.0, a == b);
            prop_assert!((cost(&a, &b) - cost(&b, &a)).abs() < 1e-4);
        }
    }
}
