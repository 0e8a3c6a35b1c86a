//! The words of a text with their hashes, found many bytes at a time: for those who look at every page
//! fetched and have no time for more.
//!
//! Departures from `tokens`: a word is a run of ASCII letters and digits and of letters beyond
//! them; apostrophes and character references end it, only ASCII is taken to lower case, and
//! characters of the scripts written without spaces are words of their own.

use crate::eight::{hash, short_hash, word_bytes};
use crate::sixteen::Sixteen;

/// Shows to `see` every word of a text, as it stands there, with the hash of its lower case.
#[inline]
pub fn each_word(text: &str, see: impl FnMut(u64, &str)) {
    each_word_of(TextPart::of(text), see);
}

/// As [`each_word`] for a part of a text.
#[inline]
pub(crate) fn each_word_of(part: TextPart<'_>, mut see: impl FnMut(u64, &str)) {
    each_span(part, &mut |hash, from: usize, to: usize| see(hash, &part.whole[from..to]));
}

/// A part of a longer text, read with what comes after it: a look at many bytes need not stop where
/// the part does.
#[derive(Clone, Copy, Debug)]
pub struct TextPart<'a> {
    whole: &'a str,
    from: usize,
    to: usize,
}

impl<'a> TextPart<'a> {
    /// A text that is all there is.
    #[must_use]
    pub fn of(whole: &'a str) -> TextPart<'a> {
        TextPart { whole, from: 0, to: whole.len() }
    }

    /// `text` as a part of the text that it was cut out of, or of itself alone if it was not.
    #[must_use]
    pub fn within(whole: &'a str, text: &'a str) -> TextPart<'a> {
        let from = text.as_ptr().addr().wrapping_sub(whole.as_ptr().addr());
        match from.checked_add(text.len()).filter(|&to| to <= whole.len()) {
            Some(to) => TextPart { whole, from, to },
            None => TextPart::of(text),
        }
    }

    /// What stands between two places of the whole.
    #[inline]
    #[must_use]
    pub fn slice(&self, from: usize, to: usize) -> &'a str {
        &self.whole[from..to]
    }

    /// The byte at a place of the whole.
    #[inline]
    #[must_use]
    pub fn byte(&self, at: usize) -> u8 {
        self.whole.as_bytes()[at]
    }

    /// Whether it is short and has no word in it, as what stands between two tags; most often seen at one
    /// look.
    #[inline]
    #[must_use]
    pub fn is_gap(&self) -> bool {
        let length = self.to - self.from;
        let sixteen = Sixteen::at(self.whole.as_bytes(), self.from).filter(|_| length <= 16);
        sixteen.is_some_and(|sixteen| sixteen.of_words() & ((1 << length) - 1) == 0)
    }
}

/// Who takes up the words of a part.
pub trait WordTaker {
    /// A word by the hash of its lower case, and where it stands in the whole.
    fn take(&mut self, hash: u64, from: usize, to: usize);
}

impl<F: FnMut(u64, usize, usize)> WordTaker for F {
    #[inline(always)]
    fn take(&mut self, hash: u64, from: usize, to: usize) {
        self(hash, from, to);
    }
}

/// Gives every word of a part to `taker`.
#[inline]
pub fn each_span(part: TextPart<'_>, taker: &mut impl WordTaker) {
    let mut at = part.from;
    while at < part.to {
        at = each_in_block(part, at, taker);
    }
}

/// The words of the 64 bytes at `at` that end there; says where to go on.
#[inline]
fn each_in_block(part: TextPart<'_>, at: usize, taker: &mut impl WordTaker) -> usize {
    let bytes = part.whole.as_bytes();
    let left = (part.to - at).min(64);
    let inside = word_bytes(bytes, at) & u64::MAX >> (64 - left);
    let open = match bytes[at..].first_chunk() {
        Some(block) if !may_refer(block) && !bytes[part.from..at].last().is_some_and(refers) => {
            each_run(inside, |from, to| match short_hash(eight_at(block, from), to - from) {
                Some(hash) => taker.take(hash, at + from, at + to),
                None => letters(part.whole, at + from, at + to, taker),
            })
        }
        _ => each_run(inside, |from, to| word(part, at + from, at + to, taker)),
    };
    match open {
        None => at + left,
        Some(0) => long_word(part, at, taker),
        Some(from) => at + from,
    }
}

/// Shows each run of ones, by where it begins and ends; says where one begins that has no end.
#[inline(always)]
fn each_run(ones: u64, mut show: impl FnMut(usize, usize)) -> Option<usize> {
    let mut starts = ones & !(ones << 1);
    let mut ends = !ones & ones << 1;
    while ends != 0 {
        show(starts.trailing_zeros() as usize, ends.trailing_zeros() as usize);
        starts &= starts - 1;
        ends &= ends - 1;
    }
    (starts != 0).then(|| starts.trailing_zeros() as usize)
}

/// A block with as many bytes behind it as a hash looks at.
type PaddedBlock = [u8; 64 + 8];

#[inline(always)]
fn eight_at(block: &PaddedBlock, at: usize) -> [u8; 8] {
    block[at % 64..at % 64 + 8].try_into().expect("eight bytes")
}

/// Whether a character reference may stand in a block.
#[inline(always)]
fn may_refer(block: &PaddedBlock) -> bool {
    let marks = |sixteen: &[u8; 16]| {
        let sixteen = Sixteen::of(*sixteen);
        sixteen.equal(b'&') | sixteen.equal(b'#')
    };
    block.as_chunks().0.iter().fold(0, |found, sixteen| found | marks(sixteen)) != 0
}

fn refers(byte: &u8) -> bool {
    matches!(byte, b'&' | b'#')
}

/// The word at `from`, which fills a block at least; says where it ends.
#[cold]
fn long_word(part: TextPart<'_>, from: usize, taker: &mut impl WordTaker) -> usize {
    let gap = |b: &u8| b.is_ascii() && !b.is_ascii_alphanumeric();
    let length = part.whole.as_bytes()[from..part.to].iter().position(gap);
    let to = length.map_or(part.to, |length| from + length);
    word(part, from, to, taker);
    to
}

/// The words of a run, unless it is the name or number of a character reference.
#[inline(never)]
fn word(part: TextPart<'_>, from: usize, to: usize, taker: &mut impl WordTaker) {
    let before = part.whole.as_bytes()[part.from..from].last();
    if !before.is_some_and(|byte| refers(byte) && is_reference(part, from, to)) {
        letters(part.whole, from, to, taker);
    }
}

/// The words of a run that is long or in which there are characters beyond ASCII.
#[inline(never)]
fn letters(text: &str, from: usize, to: usize, taker: &mut impl WordTaker) {
    let mut start = from;
    let mut show =
        |from: usize, to: usize| take_rare(hash(text.as_bytes(), from, to), from, to, taker);
    if text.as_bytes()[from..to].is_ascii() {
        return show(from, to);
    }
    for (at, c) in text[from..to].char_indices() {
        let kind = CharKind::of(c);
        if kind == CharKind::Letter {
            continue;
        }
        let (at, after) = (from + at, from + at + c.len_utf8());
        if start < at {
            show(start, at);
        }
        if kind == CharKind::Word {
            show(at, after);
        }
        start = after;
    }
    if start < to {
        show(start, to);
    }
}

/// Gives a word that is not short to its taker: one place for all of them, so that what takes a short one can lie
/// in the loop itself.
#[inline(never)]
fn take_rare(hash: u64, from: usize, to: usize, taker: &mut impl WordTaker) {
    taker.take(hash, from, to);
}

/// What a character beyond ASCII does to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CharKind {
    Letter,
    /// A word by itself.
    Word,
    Gap,
}

impl CharKind {
    fn of(c: char) -> CharKind {
        match c {
            '\u{80}'..='\u{A9}'
            | '\u{AB}'..='\u{B4}'
            | '\u{B6}'..='\u{B9}'
            | '\u{BB}'..='\u{BF}' => CharKind::Gap,
            '\u{2000}'..='\u{206F}' | '\u{2190}'..='\u{2BFF}' | '\u{3000}'..='\u{3004}' => {
                CharKind::Gap
            }
            '\u{3008}'..='\u{3020}' | '\u{FE10}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF0F}' => {
                CharKind::Gap
            }
            '\u{FF1A}'..='\u{FF20}' | '\u{FEFF}' | '\u{FFFD}' => CharKind::Gap,
            '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' => {
                CharKind::Word
            }
            '\u{2E80}'..='\u{FAFF}' | '\u{20000}'.. => CharKind::Word,
            _ => CharKind::Letter,
        }
    }
}

/// Whether the run is the name or number of a character reference; what stands before it is `&` or
/// `#`.
#[cold]
fn is_reference(part: TextPart<'_>, from: usize, to: usize) -> bool {
    let bytes = part.whole.as_bytes();
    let opens = bytes[from - 1] == b'&' || from > part.from + 1 && bytes[from - 2] == b'&';
    opens && to < part.to && bytes[to] == b';'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    fn found(part: TextPart<'_>) -> Vec<(u64, String)> {
        let mut found = Vec::new();
        each_word_of(part, |hash, word| found.push((hash, word.to_owned())));
        found
    }

    proptest! {
        #[test]
        fn what_stands_around_a_part_does_not_matter(
            texts in prop::collection::vec("([a-zA-Z]{1,12}|\\PC{0,9}|&amp;|&#|[ ;,]){0,30}", 3),
        ) {
            let whole = texts.concat();
            let text = &whole[texts[0].len()..whole.len() - texts[2].len()];
            let part = TextPart::within(&whole, text);
            prop_assert_eq!(found(part), found(TextPart::of(&texts[1])));
            prop_assert!(!part.is_gap() || found(part).is_empty());
            prop_assert_eq!(found(TextPart::within(&texts[0], text)), found(part));
        }
    }
}
