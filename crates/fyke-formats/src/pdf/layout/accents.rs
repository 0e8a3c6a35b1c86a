//! Accents that a file draws as glyphs of their own over or under a letter, as old fonts of TeX
//! need.

use super::super::sheet::Glyph;
use super::GlyphWord;

/// An accent, and letters each followed by the letter with that accent.
const ACCENTED: &[(&str, &str)] = &[
    ("`", "aàeèiìıìoòuùAÀEÈIÌOÒUÙnǹ"),
    ("´", "aáeéiíıíoóuúyýcćlĺnńrŕsśzźAÁEÉIÍOÓUÚYÝCĆLĹNŃRŔSŚZŹ"),
    ("ˆ", "aâeêiîıîoôuûcĉgĝhĥsŝwŵyŷAÂEÊIÎOÔUÛCĈGĜHĤSŜWŴYŶ"),
    ("˜", "aãnñoõiĩıĩuũAÃNÑOÕIĨUŨ"),
    ("¨", "aäeëiïıïoöuüyÿAÄEËIÏOÖUÜYŸ"),
    ("ˇ", "cčdďeělľnňrřsštťzžgǧCČDĎEĚLĽNŇRŘSŠTŤZŽGǦ"),
    ("˚", "aåuůAÅUŮ"),
    ("¸", "cçsşkķlļnņrŗtţgģCÇSŞKĶLĻNŅRŖTŢGĢ"),
    ("˛", "aąeęiįuųAĄEĘIĮUŲ"),
    ("˙", "cċeėgġzżCĊEĖGĠIİZŻ"),
    ("˝", "oőuűOŐUŰ"),
    ("¯", "aāeēiīıīoōuūAĀEĒIĪOŌUŪ"),
    ("˘", "aăgğuŭeĕAĂGĞUŬEĔ"),
];

/// Joins `glyph` to the accent before it, or the accent `glyph` to the letter before it, if they
/// overlap; whether it did.
pub(super) fn join(word: &mut GlyphWord, last: &str, text: &str, glyph: &Glyph) -> bool {
    let overlaps = glyph.pen.x < word.right - 0.2 * glyph.pen.size
        && glyph.pen.x > word.right - 1.2 * glyph.pen.size
        && (glyph.pen.y - word.base).abs() < 0.5 * glyph.pen.size;
    let Some(joined) = Some(()).filter(|()| overlaps).and_then(|()| composed(last, text)) else {
        return false;
    };
    word.text.truncate(word.text.len() - last.len());
    word.text.push(joined);
    if word.text.chars().nth(1).is_none() {
        word.base = word.base.min(glyph.pen.y);
    }
    true
}

fn composed(first: &str, second: &str) -> Option<char> {
    let find = |accent: &str, letter: &str| {
        let row = ACCENTED.iter().find(|row| row.0 == accent)?;
        let characters: Vec<char> = row.1.chars().collect();
        let pair =
            characters.as_chunks::<2>().0.iter().find(|pair| letter.chars().eq([pair[0]]))?;
        Some(pair[1])
    };
    find(first, second).or_else(|| find(second, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_find_their_letters() {
        assert_eq!(composed("ˇ", "c"), Some('č'));
        assert_eq!(composed("c", "¸"), Some('ç'));
        assert_eq!(composed("´", "ı"), Some('í'));
        assert_eq!(composed("a", "b"), None);
        assert_eq!(composed("´", "x"), None);
    }

    #[test]
    fn every_row_pairs_letters() {
        for (accent, letters) in ACCENTED {
            assert!(letters.chars().count() % 2 == 0, "{accent}");
            assert!(letters.chars().all(char::is_alphabetic), "{accent}");
        }
    }
}
