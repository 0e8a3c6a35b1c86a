//! Repetition saturates (001 "Simplest forms": "pure word density cannot be trusted as an IR signal"). BM25 lets
//! more of the same count less and less, but never against a page. No text says one word in every second place: from
//! the share on that a word has of honest texts, more of it counts less than none of it would.

use crate::schema::TEXTS;

/// The share of a text that one of its words may have: the most frequent word of a language has about six percent,
/// the subject of a page less.
const SHARE: f32 = 0.04;

/// Occurrences that count in full however short the text is, by field; no limit where others write the text, as
/// in anchors, and where a word comes once.
const LEAST: [f32; TEXTS] = {
    let mut least = [f32::INFINITY; TEXTS];
    least[0] = 1.5; // title
    least[1] = 6.0; // headings
    least[2] = 6.0; // emphasis
    least[5] = 6.0; // body
    least[7] = 2.0; // description
    least[10] = 2.0; // keywords
    least
};

/// What so many occurrences in a text of this length count: all of them up to what is allowed, and beyond that the
/// less, the more there are, by the square of how many times too many.
pub(in crate::rank) fn counted(
    field: usize,
    occurrences: u32,
    length: impl FnOnce() -> u32,
) -> f32 {
    let all = occurrences as f32;
    let least = LEAST[field];
    if all <= least {
        return all;
    }
    let allowed = least + SHARE * length() as f32;
    if all <= allowed { all } else { allowed * (allowed / all).powi(2) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::weights::WEIGHTS;
    use proptest::prelude::*;

    const BODY: usize = 5;

    #[test]
    fn the_limits_are_those_of_the_fields_that_a_page_writes_itself() {
        let limited = WEIGHTS.fields.iter().zip(LEAST).filter(|(_, least)| least.is_finite());
        let names: Vec<_> = limited.map(|(field, _)| field.name).collect();
        let expected = ["title", "headings", "emphasis", "body", "description", "keywords"];
        assert_eq!(names, expected);
        assert_eq!(WEIGHTS.fields[BODY].name, "body");
    }

    #[test]
    fn what_an_honest_text_says_of_its_subject_counts_in_full() {
        let check = |occurrences, length, expected| {
            assert_eq!(counted(BODY, occurrences, || length), expected);
        };
        check(5, 40, 5.0);
        check(12, 200, 12.0);
        check(90, 2_500, 90.0);
    }

    #[test]
    fn a_phrase_four_hundred_times_counts_no_more_than_a_few_words() {
        assert!(counted(BODY, 400, || 800) < 4.0);
        assert!(counted(0, 3, || 6) < 1.1);
        assert_eq!(counted(3, 400, || 800), 400.0);
    }

    proptest! {
        #[test]
        fn more_than_is_allowed_never_counts_more(length in 1_u32..100_000, more in 0_u32..1_000) {
            let allowed = (LEAST[BODY] + SHARE * length as f32).ceil() as u32;
            let first = counted(BODY, allowed + more, || length);
            prop_assert!(counted(BODY, allowed + more + 1, || length) <= first);
            prop_assert!(first > 0.0 && first <= (allowed + more) as f32);
        }
    }
}
