//! How the words of lines are put together: spaces between words, none between ideographs, hyphens
//! at the ends of lines taken away where they only part a word.

use super::words::SPACE;
use super::{GlyphWord, Leaf, TextLine};
use std::collections::HashSet;

/// Words with a hyphen inside, as the document writes them within lines; lower case.
pub(super) type Hyphenated = HashSet<String>;

/// Words kept to know hyphens by.
const MOST_KNOWN: usize = 100_000;

pub(super) fn hyphenated(leaves: &[Leaf]) -> Hyphenated {
    let lines = leaves.iter().flat_map(|leaf| leaf.blocks.iter().flatten());
    let words = lines.flat_map(|line| line.words.iter()).map(|word| plain(&word.text));
    words.filter(|word| word.contains('-')).map(str::to_lowercase).take(MOST_KNOWN).collect()
}

fn plain(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// What comes between the last word of a line and the first of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seam {
    Space,
    Nothing,
    /// The hyphen goes.
    Unhyphened,
}

/// Whether a space belongs between two words of a line.
pub(super) fn is_apart(before: &GlyphWord, word: &GlyphWord) -> bool {
    // Words from right to left among others may stand before those they are read behind.
    let is_turned = word.right <= before.left;
    let gap = if is_turned { before.left - word.right } else { word.left - before.right };
    let is_spaced = word.spaced || is_turned && before.spaced;
    let both = before.text.chars().next_back().is_some_and(is_ideograph)
        && word.text.chars().next().is_some_and(is_ideograph);
    // Ideographs are often set apart a little; a real gap is wider.
    let least = if both { 0.5 } else { SPACE };
    (is_spaced && gap > -SPACE * word.size && !both) || gap > least * before.size.min(word.size)
}

/// How a line goes on in the next.
pub(super) fn seam(line: &TextLine, next: &TextLine, known: &Hyphenated) -> Seam {
    let (Some(before), Some(word)) = (line.words.last(), next.words.first()) else {
        return Seam::Space;
    };
    let (end, start) = (before.text.chars().next_back(), word.text.chars().next());
    let (Some(end), Some(start)) = (end, start) else { return Seam::Space };
    if is_ideograph(end) && is_ideograph(start) {
        return Seam::Nothing;
    }
    let stem = before.text.trim_end_matches(end);
    if !matches!(end, '-' | '\u{2010}' | '\u{AD}') || !stem.ends_with(char::is_alphanumeric) {
        return Seam::Space;
    }
    let joined = format!("{}-{}", plain(stem), plain(&word.text)).to_lowercase();
    let parts = start.is_lowercase() && stem.ends_with(char::is_alphabetic);
    if end == '\u{AD}' || (parts && !known.contains(&joined)) {
        Seam::Unhyphened
    } else {
        Seam::Nothing
    }
}

/// Han, kana and their punctuation: written without spaces. (Hangul has them.)
fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{2E80}'..='\u{312F}' | '\u{3190}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}
