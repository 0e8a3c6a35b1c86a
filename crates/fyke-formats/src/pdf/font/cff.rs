//! Of a CFF font (Adobe Technical Note 5176) only its encoding and the names of its glyphs.

use super::super::fuel::Fuel;
use super::program::{Program, u16_at};
use super::{encoding, glyphs};

/// What the standard strings 150 to 228 name; those before are the standard encoding in its order.
const LATIN: &str =
    "¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž";
/// The first string that a font brings itself.
const OWN: usize = 391;
/// Steps that a glyph, a name or a code costs.
const GLYPH: usize = 4;

/// Offsets that the dictionary of a font gives.
#[derive(Default)]
struct Offsets {
    charset: usize,
    encoding: usize,
    glyphs: usize,
    /// Glyphs have numbers, not names.
    numbered: bool,
}

pub(super) fn read(font: &[u8], program: &mut Program, fuel: &Fuel) -> Option<()> {
    let (_, after) = index(font, usize::from(*font.get(2)?))?;
    let (fonts, after) = index(font, after)?;
    let (strings, _) = index(font, after)?;
    let offsets = offsets(fonts.first()?);
    if offsets.numbered {
        return None;
    }
    let (outlines, _) = index(font, offsets.glyphs)?;
    let length = strings.len() + outlines.len();
    fuel.spend(GLYPH * length).then_some(())?;
    let names = charset(font, offsets.charset, outlines.len())?;
    let standard: Vec<char> = encoding::standard().into_iter().filter(|&c| c != '\0').collect();
    for (glyph, &name) in names.iter().enumerate().skip(1) {
        let text = match name {
            1..=149 => standard.get(name - 1).map(char::to_string),
            150..OWN => LATIN.chars().nth(name - 150).map(String::from),
            _ => name.checked_sub(OWN).and_then(|own| glyphs::text(strings.get(own)?)),
        };
        text.map(|text| program.texts.insert(glyph as u32, text));
    }
    codes(font, offsets.encoding, program, fuel)
}

/// The members of an index, and where it ends.
fn index(font: &[u8], at: usize) -> Option<(Vec<&[u8]>, usize)> {
    let count = usize::from(u16_at(font, at)?);
    if count == 0 {
        return Some((Vec::new(), at + 2));
    }
    let size = usize::from(*font.get(at + 2)?);
    let offset = |member: usize| {
        let bytes = font.get(at + 3 + member * size..at + 3 + (member + 1) * size)?;
        Some(bytes.iter().fold(0, |value, &byte| value << 8 | usize::from(byte)))
    };
    let base = at + 2 + (count + 1) * size;
    if size > 4 {
        return None;
    }
    let member = |n: usize| font.get(base + offset(n)?..base + offset(n + 1)?);
    let members: Option<Vec<&[u8]>> = (0..count).map(member).collect();
    Some((members?, base + offset(count)?))
}

fn offsets(dict: &[u8]) -> Offsets {
    let mut offsets = Offsets::default();
    let (mut rest, mut operand) = (dict, 0usize);
    while let Some((&byte, after)) = rest.split_first() {
        let number = |length: usize| {
            let bytes = after.get(..length).unwrap_or_default();
            bytes.iter().fold(0, |value, &byte| value << 8 | usize::from(byte))
        };
        let (value, used) = match byte {
            28 => (number(2), 2),
            29 => (number(4), 4),
            30 => (0, after.iter().position(|b| b & 15 == 15).map_or(after.len(), |end| end + 1)),
            32..=246 => (usize::from(byte).saturating_sub(139), 0),
            247..=250 => ((usize::from(byte) - 247) * 256 + number(1) + 108, 1),
            251..=254 => (0, 1),
            _ => {
                match byte {
                    15 => offsets.charset = operand,
                    16 => offsets.encoding = operand,
                    17 => offsets.glyphs = operand,
                    12 if number(1) == 30 => offsets.numbered = true,
                    _ => {}
                }
                (0, usize::from(byte == 12))
            }
        };
        operand = value;
        rest = after.get(used..).unwrap_or_default();
    }
    offsets
}

/// The number of each glyph's name.
fn charset(font: &[u8], at: usize, count: usize) -> Option<Vec<usize>> {
    if at <= 2 {
        return Some((0..count.min(229)).collect());
    }
    let format = *font.get(at)?;
    let mut names = vec![0];
    let mut at = at + 1;
    while names.len() < count {
        let first = usize::from(u16_at(font, at)?);
        let (more, used) = match format {
            0 => (0, 2),
            1 => (usize::from(*font.get(at + 2)?), 3),
            _ => (usize::from(u16_at(font, at + 2)?), 4),
        };
        names.extend((first..=first + more).take(count - names.len()));
        at += used;
    }
    Some(names)
}

/// The font's own encoding.
fn codes(font: &[u8], at: usize, program: &mut Program, fuel: &Fuel) -> Option<()> {
    if at <= 1 {
        return None;
    }
    let (ranges, count) = (font.get(at)? & 0x7F == 1, usize::from(*font.get(at + 1)?));
    let mut glyph = 1;
    for row in 0..count {
        let (first, more) = if ranges {
            (*font.get(at + 2 + 2 * row)?, *font.get(at + 3 + 2 * row)?)
        } else {
            (*font.get(at + 2 + row)?, 0)
        };
        fuel.spend(GLYPH * (1 + usize::from(more))).then_some(())?;
        for code in u32::from(first)..=u32::from(first) + u32::from(more) {
            program.codes.insert(code, glyph);
            glyph += 1;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A font of the glyphs `A`, `ff` (its own name) and `Aacute`, at the codes 65, 11 and 200.
    fn font() -> Vec<u8> {
        let mut font = vec![1, 0, 4, 1];
        font.extend([0, 1, 1, 1, 2, b'N']);
        // Three offsets of five bytes each and their operators.
        font.extend([0, 1, 1, 1, 19]);
        for (value, operator) in [(45u32, 15), (52, 16), (57, 17)] {
            font.push(29);
            font.extend(value.to_be_bytes());
            font.push(operator);
        }
        font.extend([0, 1, 1, 1, 3, b'f', b'f']);
        font.extend([0, 0]);
        font.resize(45, 0);
        font.extend([0, 0, 34, 1, 135, 0, 171]);
        font.extend([0, 3, 65, 11, 200]);
        font.extend([0, 4, 1, 1, 1, 1, 1, 1]);
        font
    }

    #[test]
    fn a_font_tells_its_codes() {
        let program = Program::read(&font(), &Fuel::default());
        assert_eq!(program.text_of_code(65), Some("A"));
        assert_eq!(program.text_of_code(11), Some("\u{FB00}"));
        assert_eq!(program.text_of_code(200), Some("Á"));
        assert_eq!(program.text_of_code(66), None);
    }

    #[test]
    fn a_font_cut_anywhere_does_no_harm() {
        let font = font();
        for length in 0..font.len() {
            Program::read(&font[..length], &Fuel::default());
        }
    }
}
