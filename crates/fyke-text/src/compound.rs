//! Compounds (003 §4.7): German writes `Computerbild` for `Computer` and `Bild`. A word is parted where
//! its parts are words of the collection, and oftener than the whole.

/// No part is shorter, in letters.
const LEAST: usize = 4;
/// Most letters of a word that is parted, and most parts.
const LONGEST: usize = 60;
const MOST_PARTS: usize = 4;
/// What may stand between two parts.
const LINKS: [&str; 6] = ["", "s", "es", "n", "en", "er"];

/// The parts of a folded word, if it is a compound: those whose frequencies have the greatest geometric
/// mean, where that is more than the frequency of the whole. `frequency` tells how often a word occurs.
#[must_use]
pub fn parts<'w>(word: &'w str, frequency: &impl Fn(&str) -> u64) -> Vec<&'w str> {
    let letters = word.chars().count();
    if !(2 * LEAST..=LONGEST).contains(&letters) || !word.chars().all(char::is_alphabetic) {
        return Vec::new();
    }
    let mut best = (frequency(word) as f64, Vec::new());
    let mut before = Vec::new();
    search(word, frequency, &mut before, &mut best);
    best.1
}

/// Tries every first part, and every way to part what is behind it.
fn search<'w>(
    rest: &'w str,
    frequency: &impl Fn(&str) -> u64,
    before: &mut Vec<(&'w str, u64)>,
    best: &mut (f64, Vec<&'w str>),
) {
    let whole = frequency(rest);
    if !before.is_empty() && whole > 0 && rest.chars().count() >= LEAST {
        let logs = before.iter().map(|(_, count)| *count).chain([whole]).map(|n| (n as f64).ln());
        let mean = (logs.sum::<f64>() / (before.len() + 1) as f64).exp();
        if mean > best.0 {
            *best = (mean, before.iter().map(|(part, _)| *part).chain([rest]).collect());
        }
    }
    if before.len() + 1 >= MOST_PARTS {
        return;
    }
    for (at, _) in rest.char_indices().skip(LEAST) {
        let (first, behind) = rest.split_at(at);
        let count = frequency(first);
        if count == 0 {
            continue;
        }
        for behind in LINKS.iter().filter_map(|link| behind.strip_prefix(link)) {
            before.push((first, count));
            search(behind, frequency, before, best);
            before.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WORDS: [(&str, u64); 9] = [
        ("computer", 80),
        ("bild", 60),
        ("wind", 90),
        ("energie", 50),
        ("anlage", 40),
        ("arbeit", 70),
        ("zeit", 99),
        ("windenergie", 3),
        ("zeitung", 50),
    ];

    fn frequency(word: &str) -> u64 {
        WORDS.iter().find(|(known, _)| *known == word).map_or(0, |(_, count)| *count)
    }

    #[test]
    fn a_word_is_parted_where_its_parts_are_oftener_than_the_whole() {
        let check = |word: &str, expected: &str| {
            assert_eq!(parts(word, &frequency).join(" "), expected, "{word}");
        };
        check("computerbild", "computer bild");
        check("windenergieanlage", "wind energie anlage");
        check("windenergie", "wind energie");
        check("arbeitszeit", "arbeit zeit");
        check("zeitung", "");
        check("bildung", "");
        check("wind", "");
        check("", "");
    }

    proptest! {
        #[test]
        fn parts_stand_in_the_word_in_their_order(word in "(computer|bild|wind|energie|s|es|ü){0,6}") {
            let mut rest = word.as_str();
            for part in parts(&word, &frequency) {
                let at = rest.find(part);
                prop_assert!(at.is_some());
                rest = &rest[at.unwrap_or(0) + part.len()..];
            }
        }
    }
}
