//! The glyphs of Adobe-Japan1, which fonts that are not embedded are numbered by: the part that
//! follows the order of JIS X 0208, and so needs no table of its own.

use encoding_rs::EUC_JP;

/// First and last glyph, and row and cell of the first in JIS X 0208; the last rows are the forms
/// for lines that run downwards.
const RANGES: &[(u32, u32, u32, u32)] = &[
    (633, 726, 1, 1),
    (727, 740, 2, 1),
    (780, 789, 3, 16),
    (790, 815, 3, 33),
    (816, 841, 3, 65),
    (842, 924, 4, 1),
    (925, 1010, 5, 1),
    (1011, 1034, 6, 1),
    (1035, 1058, 6, 33),
    (1059, 1091, 7, 1),
    (1092, 1124, 7, 49),
    (1125, 4089, 16, 1),
    (4090, 7477, 48, 1),
    (7887, 7888, 1, 2),
    (7889, 7890, 1, 17),
    (7891, 7893, 1, 28),
    (7894, 7898, 1, 33),
    (7899, 7916, 1, 42),
];

/// Small kana for such lines, from glyph 7918 on.
const SMALL: &str = "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ";

/// The text of a glyph.
pub(super) fn text(glyph: u32) -> Option<String> {
    let character = match glyph {
        1..=95 => char::from_u32(glyph + 0x1F),
        231..=325 => char::from_u32(glyph - 231 + 0x20),
        327..=389 => char::from_u32(glyph - 327 + 0xFF61),
        7918.. => SMALL.chars().nth(glyph as usize - 7918),
        _ => None,
    };
    character.map(String::from).or_else(|| kanji(glyph))
}

fn kanji(glyph: u32) -> Option<String> {
    let &(first, _, row, cell) = RANGES.iter().find(|row| (row.0..=row.1).contains(&glyph))?;
    let place = (cell - 1) + (glyph - first);
    let bytes = [0xA0 + row + place / 94, 0xA1 + place % 94].map(|byte| byte as u8);
    let (text, damaged) = EUC_JP.decode_without_bom_handling(&bytes);
    (!damaged).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_are_those_of_the_collection() {
        let check = |glyph, expected: &str| assert_eq!(text(glyph).as_deref(), Some(expected));
        check(34, "A");
        check(264, "A");
        check(634, "、");
        check(843, "あ");
        check(926, "ア");
        check(1125, "亜");
        check(4089, "腕");
        check(4090, "弌");
        check(7888, "。");
        check(7923, "っ");
        assert_eq!(text(600), None);
    }

    #[test]
    fn every_range_is_whole() {
        for &(first, last, ..) in RANGES {
            assert!(text(first).is_some() && text(last).is_some(), "{first} to {last}");
        }
    }
}
