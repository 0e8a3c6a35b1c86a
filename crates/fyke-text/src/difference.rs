//! What differs between two texts, word by word, so that a near copy can be shown against what it copies
//! (003 §3.7: "the differences"). The row of deletions and insertions is found by Myers's algorithm (1986,
//! crate `similar`), which gives up looking for the shortest one where the search becomes expensive and asks no
//! clock. Where two texts differ over more than `MOST_WORDS` words, what stands between their common
//! beginning and end is one deletion and one insertion.

use crate::token::is_unspaced;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Words between the common beginning and end of two texts that are compared at the most; the same ones in
/// the opposite order take a third of a second.
const MOST_WORDS: usize = 50_000;

/// To which of two texts words belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Both,
    First,
    Second,
}

impl Side {
    /// Its name for programs and style sheets.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Side::Both => "both",
            Side::First => "first",
            Side::Second => "second",
        }
    }
}

/// Some words in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordSpan<'a> {
    pub side: Side,
    pub words: Vec<&'a str>,
}

/// The parts of two texts, in order: those of both, and those of one alone.
#[must_use]
pub fn difference<'a>(first: &'a str, second: &'a str) -> Vec<WordSpan<'a>> {
    let (a, b) = (pieces(first), pieces(second));
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (left, right) = (&a[same..], &b[same..]);
    let end = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[..left.len() - end], &right[..right.len() - end]);
    let mut parts = WordSpans::default();
    parts.push(Side::Both, &a[..same]);
    for edit in edits(left, right) {
        if let DiffOp::Equal { .. } = edit {
            parts.push(Side::Both, &left[edit.old_range()]);
        } else {
            parts.push(Side::First, &left[edit.old_range()]);
            parts.push(Side::Second, &right[edit.new_range()]);
        }
    }
    parts.push(Side::Both, &a[a.len() - end..]);
    parts.0
}

/// The difference as it is shown: of words that both texts have only those near what differs, an
/// ellipsis in the place of the others, and no more than `most` words in all.
#[must_use]
pub fn excerpt(parts: &[WordSpan<'_>], near: usize, most: usize) -> Vec<(Side, String)> {
    let mut shown: Vec<(Side, String)> = Vec::new();
    let mut left = most;
    for (at, WordSpan { side, words }) in parts.iter().enumerate() {
        let (before, after) = match side {
            Side::Both => (near * usize::from(at > 0), near * usize::from(at + 1 < parts.len())),
            _ => (words.len(), 0),
        };
        let text = match words.len() <= before + after + 1 && words.len() <= left {
            true => words.join(" "),
            false => {
                let before = before.min(words.len()).min(left);
                let after = after.min(words.len() - before).min(left - before);
                let tail = &words[words.len() - after..];
                [&words[..before], &["…"], tail].concat().join(" ")
            }
        };
        left = left.saturating_sub(words.len().min(before + after));
        shown.push((*side, text));
        if left == 0 && at + 1 < parts.len() {
            shown.push((Side::Both, "…".to_owned()));
            break;
        }
    }
    shown
}

#[derive(Default)]
struct WordSpans<'a>(Vec<WordSpan<'a>>);

impl<'a> WordSpans<'a> {
    /// Appends words, to the last part where it is of the same side.
    fn push(&mut self, side: Side, words: &[&'a str]) {
        match self.0.last_mut() {
            _ if words.is_empty() => {}
            Some(last) if last.side == side => last.words.extend(words),
            _ => self.0.push(WordSpan { side, words: words.to_vec() }),
        }
    }
}

/// The words of a text with what hangs on them; characters of scripts without spaces are words.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    for word in text.split_whitespace() {
        let mut from = 0;
        for (at, _) in word.char_indices().filter(|&(at, c)| at > 0 && is_unspaced(c)) {
            pieces.push(&word[from..at]);
            from = at;
        }
        pieces.push(&word[from..]);
    }
    pieces
}

fn edits(left: &[&str], right: &[&str]) -> Vec<DiffOp> {
    let (old_len, new_len) = (left.len(), right.len());
    if old_len.max(new_len) > MOST_WORDS {
        return vec![DiffOp::Replace { old_index: 0, old_len, new_index: 0, new_len }];
    }
    capture_diff_slices(Algorithm::Myers, left, right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As `same [-only first-] {+only second+}`.
    fn shown(first: &str, second: &str) -> String {
        let show = |part: &WordSpan<'_>| {
            let words = part.words.join(" ");
            match part.side {
                Side::Both => words,
                Side::First => format!("[-{words}-]"),
                Side::Second => format!("{{+{words}+}}"),
            }
        };
        difference(first, second).iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_of_one_text_alone_are_told_from_those_of_both() {
        let check = |a: &str, b: &str, expected: &str| assert_eq!(shown(a, b), expected);
        check("", "", "");
        check("a b", "a b", "a b");
        check("a b", "", "[-a b-]");
        check("", "a b", "{+a b+}");
        check("the tide comes in", "the tide goes in", "the tide [-comes-] {+goes+} in");
        check("a b c d", "b c x d e", "[-a-] b c {+x+} d {+e+}");
        check("a b\nc", "a  c", "a [-b-] c");
        check("東京へ", "東京に", "東 京 [-へ-] {+に+}");
    }

    #[test]
    fn very_different_texts_are_one_deletion_and_one_insertion() {
        let words =
            |from: usize| (from..from + 2_000).map(|n| format!("w{n} ")).collect::<String>();
        let (first, second) = (format!("a {}z", words(0)), format!("a {}z", words(9_000)));
        let parts = difference(&first, &second);
        let lengths: Vec<usize> = parts.iter().map(|part| part.words.len()).collect();
        assert_eq!(lengths, [1, 2_000, 2_000, 1]);
    }

    #[test]
    fn long_texts_in_another_order_are_compared_up_to_a_limit() {
        let words: Vec<String> = (0..MOST_WORDS + 2).map(|n| format!("w{n}")).collect();
        let backwards = |n: usize| words[..n].iter().rev().cloned().collect::<Vec<_>>().join(" ");
        let (all, most) = (words.join(" "), words[..MOST_WORDS].join(" "));
        let sides = |a: &str, b: &str| {
            let parts = difference(a, b);
            parts.iter().filter(|part| part.side == Side::Both).count()
        };
        assert_eq!(sides(&all, &backwards(words.len())), 0);
        assert_eq!(sides(&most, &backwards(MOST_WORDS)), 1);
    }

    #[test]
    fn an_excerpt_shows_what_differs_and_a_little_around_it() {
        let check = |a: &str, b: &str, near: usize, most: usize, expected: &str| {
            let shown = excerpt(&difference(a, b), near, most);
            let shown: Vec<String> =
                shown.into_iter().map(|(side, text)| format!("{side:?} {text}")).collect();
            assert_eq!(shown.join(" | "), expected);
        };
        check("a b c d e", "a b c d e", 2, 9, "Both …");
        check("a b c d x", "a b c d y", 2, 9, "Both … c d | First x | Second y");
        check("a b c x", "a b c y", 2, 9, "Both a b c | First x | Second y");
        check("x a b c d e z", "y a b c d e", 1, 9, "First x | Second y | Both a … e | First z");
        check("a b c", "", 1, 2, "First a b …");
        check("a b c d", "e f g", 1, 4, "First a b c d | Both …");
    }

    fn of(parts: &[WordSpan<'_>], side: Side) -> Vec<String> {
        let wanted = parts.iter().filter(|part| part.side == Side::Both || part.side == side);
        wanted.flat_map(|part| part.words.iter().map(|word| (*word).to_owned())).collect()
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_from_their_difference(a in "[abc ]{0,60}", b in "[abc ]{0,60}") {
            let parts = difference(&a, &b);
            prop_assert_eq!(of(&parts, Side::First), pieces(&a));
            prop_assert_eq!(of(&parts, Side::Second), pieces(&b));
            let neighbours = parts.windows(2).all(|pair| pair[0].side != pair[1].side);
            prop_assert!(neighbours && parts.iter().all(|part| !part.words.is_empty()));
        }

        /// Against the table of longest common subsequences.
        #[test]
        fn no_shorter_row_of_edits_exists(a in "([abc] ){0,12}", b in "([abc] ){0,12}") {
            let (x, y) = (pieces(&a), pieces(&b));
            let mut longest = vec![vec![0; y.len() + 1]; x.len() + 1];
            for (i, left) in x.iter().enumerate() {
                for (j, right) in y.iter().enumerate() {
                    longest[i + 1][j + 1] = if left == right {
                        longest[i][j] + 1
                    } else {
                        longest[i][j + 1].max(longest[i + 1][j])
                    };
                }
            }
            let parts = difference(&a, &b);
            let both = parts.iter().filter(|part| part.side == Side::Both);
            prop_assert_eq!(both.map(|part| part.words.len()).sum::<usize>(), longest[x.len()][y.len()]);
        }
    }
}
