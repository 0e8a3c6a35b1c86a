//! Static summaries (000 "static summaries"): the same for every query. The first
//! sentence and the key sentences, by Luhn's significance factor: a word is significant when it is
//! frequent for the number of sentences, and a sentence when significant words stand close in it.

use std::collections::HashMap;
use std::ops::Range;

use crate::analysis;
use crate::snippet::{ends_sentence, single_spaced};

/// So much of a text is looked at, in bytes.
const MAX_SCAN: usize = 64 << 10;

/// So many words that are not significant may stand between two that are.
const MAX_GAP: usize = 4;

/// A sentence with fewer words is a heading, a date or a stray.
const MIN_WORDS: usize = 4;

/// A text with fewer sentences has words that are frequent by chance only.
const MIN_SENTENCES: usize = 3;

/// At most `sentences` sentences of `text`, in its order: the first, and those that say most.
#[must_use]
pub fn static_summary(text: &str, sentences: usize) -> String {
    let chosen = key_sentences(text, sentences);
    let chosen = chosen.into_iter().map(|place| single_spaced(text[place].trim()));
    chosen.collect::<Vec<_>>().join(" ")
}

/// Where the first sentence and the most significant others stand, in the order of the text.
pub(crate) fn key_sentences(text: &str, most: usize) -> Vec<Range<usize>> {
    let text = &text[..text.floor_char_boundary(MAX_SCAN)];
    let all: Vec<SummarySentence> =
        sentences(text).map(|place| SummarySentence::read(text, place)).collect();
    let significant = significant(&all);
    let mut scored: Vec<(f32, usize)> = Vec::new();
    let lead = all.iter().position(|sentence| sentence.forms.len() >= MIN_WORDS).unwrap_or(0);
    for (at, sentence) in all.iter().enumerate().filter(|(at, _)| *at != lead) {
        let factor = factor(sentence, &significant);
        if factor > 0.0 && sentence.forms.len() >= MIN_WORDS {
            scored.push((factor, at));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let rest = scored.into_iter().map(|(_, at)| at);
    let mut chosen: Vec<usize> = std::iter::once(lead).chain(rest).take(most).collect();
    chosen.sort_unstable();
    chosen.into_iter().filter_map(|at| all.get(at)).map(|s| s.place.clone()).collect()
}

/// A sentence with its words.
struct SummarySentence {
    place: Range<usize>,
    forms: Vec<String>,
}

impl SummarySentence {
    fn read(text: &str, place: Range<usize>) -> SummarySentence {
        let words = analysis::words(&text[place.clone()]);
        SummarySentence { forms: words.map(|word| word.form.into_owned()).collect(), place }
    }
}

/// Where the sentences of a text stand, those without any character left out.
fn sentences(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let mut ends = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let before_space = rest.peek().is_none_or(|(_, next)| next.is_whitespace());
        if ends_sentence(c, before_space) || rest.peek().is_none() {
            ends.push(at + c.len_utf8());
        }
    }
    ends.into_iter().filter_map(move |end| {
        let place = start + (text[start..end].len() - text[start..end].trim_start().len())..end;
        start = end;
        (!place.is_empty()).then_some(place)
    })
}

/// How often a word must stand in a text of so many sentences to be significant (Luhn).
fn threshold(sentences: usize) -> f32 {
    let sentences = sentences as f32;
    7.0 - 0.1 * (25.0 - sentences).max(0.0) + 0.1 * (sentences - 40.0).max(0.0)
}

/// The words that stand often enough in a text, with how often; stop words never do.
fn significant(all: &[SummarySentence]) -> HashMap<&str, u32> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for form in all.iter().flat_map(|sentence| &sentence.forms) {
        *counts.entry(form).or_default() += 1;
    }
    let least = if all.len() < MIN_SENTENCES { f32::MAX } else { threshold(all.len()) };
    let is_stop = |form| fyke_text::stop::languages().any(|code| fyke_text::is_stop(code, form));
    counts.retain(|form, count| *count as f32 >= least && !is_stop(form));
    counts
}

/// The largest of the sentence's brackets: significant words squared over all words between the
/// first and the last of them.
fn factor(sentence: &SummarySentence, significant: &HashMap<&str, u32>) -> f32 {
    let mut best = 0.0_f32;
    let mut bracket: Option<(usize, usize, f32)> = None;
    for (at, form) in sentence.forms.iter().enumerate() {
        if !significant.contains_key(form.as_str()) {
            continue;
        }
        bracket = match bracket {
            Some((start, last, count)) if at - last - 1 <= MAX_GAP => {
                Some((start, at, count + 1.0))
            }
            _ => Some((at, at, 1.0)),
        };
        if let Some((start, last, count)) = bracket {
            best = best.max(count * count / (last - start + 1) as f32);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_factor_is_significant_words_squared_over_the_bracket() {
        // w w s w s s w w s w w, with five words for a bracket from the first to the last s.
        let text = "w w eel w trap weir w w eel w w";
        let sentence = SummarySentence::read(text, 0..text.len());
        let known = HashMap::from([("eel", 9), ("trap", 9), ("weir", 9)]);
        assert_eq!(factor(&sentence, &known), 16.0 / 7.0);
        let far = SummarySentence::read("eel w w w w w trap weir", 0..23);
        assert_eq!(factor(&far, &known), 2.0);
    }

    #[test]
    fn a_word_must_be_more_frequent_in_a_longer_text() {
        let check = |sentences: usize, expected: f32| {
            assert!((threshold(sentences) - expected).abs() < 1e-4, "{sentences}");
        };
        check(5, 5.0);
        check(25, 7.0);
        check(40, 7.0);
        check(100, 13.0);
    }

    #[test]
    fn the_first_and_the_key_sentence_are_the_summary() {
        let filler: String = (0..3).map(|n| format!("One{n} two{n} three{n} four{n}. ")).collect();
        let text = format!(
            "2024\nThis page tells of fishing.  {filler}The eel trap holds the eel. {filler}\
             An eel trap is no eel weir. The eel in a trap sees another eel. Eel and trap."
        );
        assert_eq!(
            static_summary(&text, 2),
            "This page tells of fishing. The eel trap holds the eel."
        );
        assert_eq!(static_summary(&text, 1), "This page tells of fishing.");
        assert_eq!(static_summary(&text, 0), "");
        assert_eq!(static_summary("", 3), "");
        assert_eq!(static_summary("Wind. Sea.", 3), "Wind.");
    }

    proptest! {
        #[test]
        fn a_summary_is_made_of_the_text(text in "([a-c]{1,3}[ .!\n]|東。|\\PC){0,200}") {
            for place in key_sentences(&text, 4) {
                prop_assert!(!text[place].trim().is_empty());
            }
            prop_assert!(static_summary(&text, 4).len() <= text.len());
        }
    }
}
