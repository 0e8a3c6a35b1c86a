//! The words of a text with their hashes, found eight bytes at a time: for those who look at every page
//! fetched and have no time for more.
//!
//! Departures from `tokens`: a word is a run of ASCII letters and digits and of letters beyond
//! them; apostrophes and character references end it, only ASCII is taken to lower case, and
//! characters of the scripts written without spaces are words of their own.

use crate::eight::{hash, short_hash, word_bytes};

/// Shows to `see` every word of a text, as it stands there, with the hash of its lower case.
#[inline]
pub fn each_word(text: &str, mut see: impl FnMut(u64, &str)) {
    let mut at = 0;
    while at < text.len() {
        at = each_in_block(text, at, &mut see);
    }
}

/// The words of the 64 bytes at `at` that end there; says where to go on.
#[inline]
fn each_in_block(text: &str, at: usize, see: &mut impl FnMut(u64, &str)) -> usize {
    let inside = word_bytes(text.as_bytes(), at);
    let mut starts = inside & !(inside << 1);
    let mut ends = !inside & inside << 1;
    while starts != 0 {
        let from = at + starts.trailing_zeros() as usize;
        if ends == 0 {
            return if from > at { from } else { long_word(text, from, see) };
        }
        word(text, from, at + ends.trailing_zeros() as usize, see);
        starts &= starts - 1;
        ends &= ends - 1;
    }
    at + u64::BITS as usize
}

/// The word at `from`, which fills a block at least; says where it ends.
#[cold]
fn long_word(text: &str, from: usize, see: &mut impl FnMut(u64, &str)) -> usize {
    let gap = |b: &u8| b.is_ascii() && !b.is_ascii_alphanumeric();
    let length = text.as_bytes()[from..].iter().position(gap);
    let to = length.map_or(text.len(), |length| from + length);
    word(text, from, to, see);
    to
}

#[inline]
fn word(text: &str, from: usize, to: usize, see: &mut impl FnMut(u64, &str)) {
    let bytes = text.as_bytes();
    if from > 0 && matches!(bytes[from - 1], b'&' | b'#') && is_reference(bytes, from, to) {
        return;
    }
    match short_hash(bytes, from, to) {
        Some(hash) => see(hash, &text[from..to]),
        None => letters(text, from, to, see),
    }
}

/// The words of a run that is long or in which there are characters beyond ASCII.
#[inline(never)]
fn letters(text: &str, from: usize, to: usize, see: &mut impl FnMut(u64, &str)) {
    let mut start = from;
    let mut show = |from: usize, to: usize| see(hash(text.as_bytes(), from, to), &text[from..to]);
    if text.as_bytes()[from..to].is_ascii() {
        return show(from, to);
    }
    for (at, c) in text[from..to].char_indices() {
        let kind = Kind::of(c);
        if kind == Kind::Letter {
            continue;
        }
        let (at, after) = (from + at, from + at + c.len_utf8());
        if start < at {
            show(start, at);
        }
        if kind == Kind::Word {
            show(at, after);
        }
        start = after;
    }
    if start < to {
        show(start, to);
    }
}

/// What a character beyond ASCII does to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    /// A word by itself.
    Word,
    Gap,
}

impl Kind {
    fn of(c: char) -> Kind {
        match c {
            '\u{80}'..='\u{A9}'
            | '\u{AB}'..='\u{B4}'
            | '\u{B6}'..='\u{B9}'
            | '\u{BB}'..='\u{BF}' => Kind::Gap,
            '\u{2000}'..='\u{206F}' | '\u{2190}'..='\u{2BFF}' | '\u{3000}'..='\u{3004}' => {
                Kind::Gap
            }
            '\u{3008}'..='\u{3020}' | '\u{FE10}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF0F}' => {
                Kind::Gap
            }
            '\u{FF1A}'..='\u{FF20}' | '\u{FEFF}' | '\u{FFFD}' => Kind::Gap,
            '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' => Kind::Word,
            '\u{2E80}'..='\u{FAFF}' | '\u{20000}'.. => Kind::Word,
            _ => Kind::Letter,
        }
    }
}

/// Whether the run is the name or number of a character reference; what stands before it is `&` or
/// `#`.
#[cold]
fn is_reference(bytes: &[u8], from: usize, to: usize) -> bool {
    let opens = bytes[from - 1] == b'&' || from > 1 && bytes[from - 2] == b'&';
    opens && bytes.get(to) == Some(&b';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_shown_as_they_stand_and_hashed_in_lower_case() {
        let check = |text: &str, expected: &[&str]| {
            let mut found = Vec::new();
            each_word(text, |hash, word| found.push((hash, word.to_owned())));
            let words: Vec<&str> = found.iter().map(|(_, word)| word.as_str()).collect();
            assert_eq!(words, expected, "{text}");
            let mut lower = Vec::new();
            each_word(&text.to_ascii_lowercase(), |hash, _| lower.push(hash));
            assert_eq!(found.iter().map(|(hash, _)| *hash).collect::<Vec<_>>(), lower, "{text}");
        };
        check("", &[]);
        check("The Net, of Herring", &["The", "Net", "of", "Herring"]);
        check("fish &amp; Chips&nbsp;now", &["fish", "Chips", "now"]);
        check("Überraschungen in 東京", &["Überraschungen", "in", "東", "京"]);
    }
}
