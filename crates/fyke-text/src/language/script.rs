//! Scripts: some are those of one language alone, which settles the matter before any n-gram is
//! looked at.

use super::Guess;
use super::letter::is_letter;

/// Scripts that one language has to itself, or almost: first and last character, code. Chinese
/// characters count as Chinese unless kana stand beside them.
const SOLE: [(char, char, &str); 22] = [
    ('\u{370}', '\u{3FF}', "el"),
    ('\u{531}', '\u{58F}', "hy"),
    ('\u{A00}', '\u{A7F}', "pa"),
    ('\u{A80}', '\u{AFF}', "gu"),
    ('\u{B00}', '\u{B7F}', "or"),
    ('\u{B80}', '\u{BFF}', "ta"),
    ('\u{C00}', '\u{C7F}', "te"),
    ('\u{C80}', '\u{CFF}', "kn"),
    ('\u{D00}', '\u{D7F}', "ml"),
    ('\u{D80}', '\u{DFF}', "si"),
    ('\u{E00}', '\u{E7F}', "th"),
    ('\u{E80}', '\u{EFF}', "lo"),
    ('\u{F00}', '\u{FFF}', "bo"),
    ('\u{1000}', '\u{109F}', "my"),
    ('\u{10A0}', '\u{10FF}', "ka"),
    ('\u{1780}', '\u{17FF}', "km"),
    ('\u{1F00}', '\u{1FFF}', "el"),
    ('\u{3041}', '\u{30FF}', "ja"),
    ('\u{3400}', '\u{9FFF}', "zh"),
    ('\u{AC00}', '\u{D7A3}', "ko"),
    ('\u{FF66}', '\u{FF9D}', "ja"),
    ('\u{20000}', '\u{323AF}', "zh"),
];

/// Codes of the languages known by their script.
pub fn codes() -> impl Iterator<Item = &'static str> {
    SOLE.iter().map(|row| row.2)
}

/// The language whose script most letters of `text` are in, if it has a script to itself.
#[must_use]
pub(crate) fn sole(text: &str) -> Option<Guess<'static>> {
    if text.is_ascii() {
        return None;
    }
    let mut counts = [0_u32; SOLE.len()];
    let mut letters = 0;
    for c in text.chars() {
        if c.is_ascii() {
            letters += u32::from(c.is_ascii_alphabetic());
            continue;
        }
        if !is_letter(c) {
            continue;
        }
        // A Chinese character or a syllable of Hangul stands for about three letters.
        let weight = if c >= '\u{3400}' { 3 } else { 1 };
        letters += weight;
        let shared = matches!(c, '\0'..'\u{370}' | '\u{400}'..'\u{530}' | '\u{590}'..'\u{A00}');
        if !shared {
            let row = SOLE.iter().position(|&(first, last, _)| (first..=last).contains(&c));
            row.into_iter().for_each(|row| counts[row] += weight);
        }
    }
    if counts == [0; SOLE.len()] {
        return None;
    }
    let of = |code: &str| -> u32 {
        SOLE.iter().zip(counts).filter(|(row, _)| row.2 == code).map(|(_, count)| count).sum()
    };
    let (kana, han) = (of("ja"), of("zh"));
    let share = |count: u32| count as f32 / letters.max(1) as f32;
    if kana * 20 > han && share(kana + han) >= 0.5 {
        return Some(Guess { code: "ja", confidence: share(kana + han) });
    }
    let most = SOLE.iter().map(|row| (of(row.2), row.2)).max()?;
    (share(most.0) >= 0.5).then(|| Guess { code: most.1, confidence: share(most.0) })
}

/// Name of the script that most letters of `text` are in, so that a language written in two of
/// them is learnt in both: the block of 1,024 characters, with all Latin letters in one.
pub(super) fn main(text: &str) -> u32 {
    let mut counts = std::collections::BTreeMap::new();
    for c in text.chars().filter(|c| is_letter(*c)) {
        *counts.entry(u32::from(c) >> 10).or_insert(0_u32) += 1;
    }
    counts
        .into_iter()
        .max_by_key(|&(block, count)| (count, std::cmp::Reverse(block)))
        .map_or(0, |most| most.0)
}
