//! How much of a page's main text was found: precision and recall of shingles of words, as the
//! article extraction benchmark of Zyte counts them (003 §3.8 has no measure of its own).
//!
//! Words are runs of letters, digits and underscores, case kept; a text shorter than a shingle is
//! one shingle. Counts are of a bag: what stands twice must be found twice. Precision is averaged
//! over the pages where something was found, recall over those where something is to be found, and
//! F1 is that of the two averages.

use std::collections::HashMap;

/// Words of a shingle.
pub const SHINGLE: usize = 4;

/// What was found of one text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    /// Shingles in both texts.
    pub right: usize,
    /// Those of the found text, and of the true one.
    pub found: usize,
    pub wanted: usize,
}

/// Averages over pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extraction {
    pub precision: f64,
    pub recall: f64,
    pub f1: f64,
}

/// The words of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Compares the text found with the true one.
#[must_use]
pub fn overlap(wanted: &str, found: &str) -> Overlap {
    let wanted_words: Vec<&str> = words(wanted).collect();
    let found_words: Vec<&str> = words(found).collect();
    let mut open: HashMap<&[&str], usize> = HashMap::new();
    let mut result = Overlap::default();
    for shingle in shingles(&wanted_words) {
        *open.entry(shingle).or_default() += 1;
        result.wanted += 1;
    }
    for shingle in shingles(&found_words) {
        result.found += 1;
        if let Some(left) = open.get_mut(shingle).filter(|left| **left > 0) {
            *left -= 1;
            result.right += 1;
        }
    }
    result
}

fn shingles<'a>(words: &'a [&'a str]) -> impl Iterator<Item = &'a [&'a str]> {
    let short = Some(words).filter(|words| !words.is_empty() && words.len() < SHINGLE);
    words.windows(SHINGLE).chain(short)
}

/// Averages over pages; zeros where there is nothing to average.
#[must_use]
pub fn average(pages: &[Overlap]) -> Extraction {
    let mean = |part: fn(&Overlap) -> usize| {
        let counted: Vec<_> = pages.iter().filter(|page| part(page) > 0).collect();
        let sum: f64 = counted.iter().map(|page| page.right as f64 / part(page) as f64).sum();
        sum / counted.len().max(1) as f64
    };
    let (precision, recall) = (mean(|page| page.found), mean(|page| page.wanted));
    let f1 = if precision + recall > 0.0 {
        2.0 * precision * recall / (precision + recall)
    } else {
        0.0
    };
    Extraction { precision, recall, f1 }
}

/// Parts of a page found in a text: those that it must hold and those that it must not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartsFound {
    pub right: usize,
    pub wrong: usize,
    /// All that it must hold.
    pub wanted: usize,
}

/// Looks for the parts in a text, white space folded in both.
#[must_use]
pub fn parts(text: &str, with: &[String], without: &[String]) -> PartsFound {
    let fold = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = fold(text);
    let found = |parts: &[String]| parts.iter().filter(|part| text.contains(&fold(part))).count();
    PartsFound { right: found(with), wrong: found(without), wanted: with.len() }
}

/// Precision and recall over the parts of all pages.
#[must_use]
pub fn pooled(pages: &[PartsFound]) -> Extraction {
    let sum = |part: fn(&PartsFound) -> usize| pages.iter().map(part).sum::<usize>() as f64;
    let (right, wrong, wanted) = (sum(|p| p.right), sum(|p| p.wrong), sum(|p| p.wanted));
    let (precision, recall) = (right / (right + wrong).max(1.0), right / wanted.max(1.0));
    let f1 = 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE);
    Extraction { precision, recall, f1 }
}

/// Share of the words of the true text, counted as often as they stand and whatever their case, that
/// were found.
#[must_use]
pub fn word_recall(wanted: &str, found: &str) -> f64 {
    let (wanted, found) = (wanted.to_lowercase(), found.to_lowercase());
    let mut open: HashMap<&str, usize> = HashMap::new();
    words(&found).for_each(|word| *open.entry(word).or_default() += 1);
    let (mut right, mut all) = (0_usize, 0_usize);
    for word in words(&wanted) {
        all += 1;
        if let Some(left) = open.get_mut(word).filter(|left| **left > 0) {
            *left -= 1;
            right += 1;
        }
    }
    right as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shingles_are_counted_as_often_as_they_stand() {
        let check = |wanted: &str, found: &str, expected: (usize, usize, usize)| {
            let counted = overlap(wanted, found);
            assert_eq!((counted.right, counted.found, counted.wanted), expected);
        };
        check("a b c d e", "a b c d e", (2, 2, 2));
        check("a b c d e", "x a b c d", (1, 2, 2));
        check("a b c d", "a b c d a b c d", (1, 5, 1));
        check("Don't stop", "don't stop", (0, 1, 1));
        check("a-b", "a, b!", (1, 1, 1));
        check("", "", (0, 0, 0));
        check("a b c d", "", (0, 0, 1));
    }

    #[test]
    fn pages_without_text_do_not_count_in_the_average_that_they_cannot_tell() {
        let page = |right, found, wanted| Overlap { right, found, wanted };
        let all = average(&[page(1, 2, 1), page(0, 0, 4), page(0, 3, 0)]);
        assert_eq!((all.precision, all.recall), (0.25, 0.5));
        assert!((all.f1 - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(average(&[]), Extraction::default());
    }

    #[test]
    fn parts_are_counted_over_all_pages() {
        let list = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        let one = parts("the  eel\nswims", &list(&["eel swims", "pike"]), &list(&["menu", "eel"]));
        assert_eq!(one, PartsFound { right: 1, wrong: 1, wanted: 2 });
        let all = pooled(&[one, PartsFound { right: 2, wrong: 0, wanted: 2 }]);
        assert_eq!((all.precision, all.recall), (0.75, 0.75));
        assert_eq!(pooled(&[]), Extraction::default());
    }

    #[test]
    fn words_are_recalled_as_often_as_they_stand() {
        let check = |wanted, found, value: f64| {
            assert!((word_recall(wanted, found) - value).abs() < 1e-12, "{found}");
        };
        check("the Eel, the pike", "pike THE eel the", 1.0);
        check("the eel the pike", "the eel", 0.5);
        check("the eel", "", 0.0);
        check("", "eel", 0.0);
    }

    proptest! {
        #[test]
        fn a_text_finds_itself_and_swapping_swaps(a in "[ab ]{0,40}", b in "[ab ]{0,40}") {
            let same = overlap(&a, &a);
            prop_assert_eq!((same.right, same.right), (same.found, same.wanted));
            let (one, other) = (overlap(&a, &b), overlap(&b, &a));
            prop_assert_eq!((one.right, one.found), (other.right, other.wanted));
        }
    }
}
