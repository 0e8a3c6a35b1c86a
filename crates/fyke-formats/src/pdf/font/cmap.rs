//! CMaps: which bytes make a code, and which text (ToUnicode) or which glyph (CID) a code means
//! (ISO 32000-1 §9.7.5, §9.10.3).

use super::super::fuel::Fuel;
use super::super::lexer::{Lexer, PdfItem};
use super::super::object::Object;
use std::collections::HashMap;

/// Characters of one code; more is an attack.
const LONGEST: usize = 64;

/// Operands of one section that are read, and steps that one costs where it is kept.
const MOST_OPERANDS: usize = 1 << 17;
const OPERAND: usize = 4;

/// Codes from the first to the second, and what the first of them means.
#[derive(Debug)]
struct Range<T> {
    first: u32,
    last: u32,
    meaning: T,
}

#[derive(Debug, Default)]
pub(super) struct CMap {
    /// Codes of one byte, of two, of three and of four: ranges in order that do not meet.
    spaces: [Vec<(u32, u32)>; 4],
    texts: HashMap<u32, String>,
    text_ranges: Vec<Range<String>>,
    cids: HashMap<u32, u32>,
    cid_ranges: Vec<Range<u32>>,
    pub(super) vertical: bool,
}

impl CMap {
    pub(super) fn parse(bytes: &[u8], fuel: &Fuel) -> Self {
        let mut cmap = Self::default();
        let mut lexer = Lexer::new(bytes, 0, fuel);
        let mut operands = Vec::new();
        while let Some(item) = lexer.item() {
            match item {
                PdfItem::Object(object) if operands.len() < MOST_OPERANDS => operands.push(object),
                PdfItem::Object(_) => {}
                PdfItem::Word(word) => {
                    if fuel.spend(OPERAND * operands.len()) {
                        cmap.section(word, &operands);
                    }
                    operands.clear();
                }
            }
        }
        cmap.spaces.iter_mut().for_each(merge);
        cmap.text_ranges.sort_by_key(|range| range.first);
        cmap.cid_ranges.sort_by_key(|range| range.first);
        cmap
    }

    fn section(&mut self, word: &[u8], operands: &[Object]) {
        match word {
            b"endcodespacerange" => {
                for pair in operands.chunks_exact(2) {
                    let length = pair[0].text().map_or(0, <[u8]>::len);
                    let space = length.checked_sub(1).and_then(|at| self.spaces.get_mut(at));
                    if let (Some(space), Some(first), Some(last)) =
                        (space, code(&pair[0]), code(&pair[1]))
                    {
                        space.push((first, last));
                    }
                }
            }
            b"endbfchar" => {
                for pair in operands.chunks_exact(2) {
                    if let (Some(code), Some(text)) = (code(&pair[0]), text(&pair[1])) {
                        self.texts.insert(code, text);
                    }
                }
            }
            b"endbfrange" => operands.chunks_exact(3).for_each(|row| self.text_range(row)),
            b"endcidchar" => {
                for pair in operands.chunks_exact(2) {
                    if let (Some(code), Some(cid)) = (code(&pair[0]), pair[1].count()) {
                        self.cids.insert(code, cid as u32);
                    }
                }
            }
            b"endcidrange" => {
                for row in operands.chunks_exact(3) {
                    let (Some(first), Some(last)) = (code(&row[0]), code(&row[1])) else {
                        continue;
                    };
                    let Some(cid) = row[2].count() else { continue };
                    self.cid_ranges.push(Range { first, last, meaning: cid as u32 });
                }
            }
            b"def" => {
                if let [Object::Name(name), Object::Integer(mode)] = operands
                    && **name == *b"WMode"
                {
                    self.vertical = *mode == 1;
                }
            }
            _ => {}
        }
    }

    fn text_range(&mut self, row: &[Object]) {
        let (Some(first), Some(last)) = (code(&row[0]), code(&row[1])) else { return };
        if let Some(meaning) = text(&row[2]) {
            self.text_ranges.push(Range { first, last, meaning });
        }
        for (code, member) in (first..=last).zip(row[2].array()) {
            if let Some(text) = text(member) {
                self.texts.insert(code, text);
            }
        }
    }

    /// The text of a code.
    pub(super) fn text(&self, code: u32) -> Option<String> {
        if let Some(text) = self.texts.get(&code) {
            return Some(text.clone());
        }
        let (range, offset) = find(&self.text_ranges, code)?;
        let mut characters: Vec<char> = range.meaning.chars().collect();
        let last = characters.pop()?;
        characters.push(char::from_u32(u32::from(last).checked_add(offset)?)?);
        Some(characters.into_iter().collect())
    }

    /// The glyph of a code.
    pub(super) fn cid(&self, code: u32) -> Option<u32> {
        let single = self.cids.get(&code).copied();
        single.or_else(|| {
            let (range, offset) = find(&self.cid_ranges, code)?;
            range.meaning.checked_add(offset)
        })
    }

    /// The code at the head of `bytes` and its length, if a code space has it.
    pub(super) fn code(&self, bytes: &[u8]) -> Option<(u32, usize)> {
        (1..=4.min(bytes.len())).find_map(|length| {
            let (code, space) = (big_endian(&bytes[..length]), &self.spaces[length - 1]);
            let after = space.partition_point(|range| range.0 <= code);
            let fits = space[..after].last().is_some_and(|range| code <= range.1);
            fits.then_some((code, length))
        })
    }

    /// Whether it says nothing of texts.
    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.text_ranges.is_empty()
    }
}

/// Puts ranges in order and joins those that meet.
fn merge(ranges: &mut Vec<(u32, u32)>) {
    ranges.retain(|range| range.0 <= range.1);
    ranges.sort_unstable();
    ranges.dedup_by(|next, kept| {
        let meets = next.0 <= kept.1;
        kept.1 = if meets { kept.1.max(next.1) } else { kept.1 };
        meets
    });
}

fn find<T>(ranges: &[Range<T>], code: u32) -> Option<(&Range<T>, u32)> {
    let after = ranges.partition_point(|range| range.first <= code);
    let range = ranges[..after].last().filter(|range| code <= range.last)?;
    Some((range, code - range.first))
}

pub(super) fn big_endian(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |code, &byte| code << 8 | u32::from(byte))
}

fn code(object: &Object) -> Option<u32> {
    object.text().filter(|bytes| bytes.len() <= 4).map(big_endian)
}

/// UTF-16 as CMaps write it; a single byte is a character of its own.
fn text(object: &Object) -> Option<String> {
    let bytes = object.text()?;
    if let &[byte] = bytes {
        return Some(char::from(byte).to_string());
    }
    let units = bytes.as_chunks().0.iter().take(LONGEST).map(|unit| u16::from_be_bytes(*unit));
    Some(char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{FFFD}')).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_find_their_texts_and_glyphs() {
        let cmap = CMap::parse(
            b"/WMode 1 def 2 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange
            2 beginbfchar <01> <0041> <8002> <00660069> endbfchar
            2 beginbfrange <0010> <0012> <0061> <8010> <8011> [<0078> <D83DDE00>] endbfrange
            1 begincidrange <8000> <80FF> 500 endcidrange 1 begincidchar <05> 7 endcidchar",
            &Fuel::default(),
        );
        let text = |code| cmap.text(code);
        assert_eq!(text(1).as_deref(), Some("A"));
        assert_eq!(text(0x8002).as_deref(), Some("fi"));
        assert_eq!(text(0x12).as_deref(), Some("c"));
        assert_eq!(text(0x13), None);
        assert_eq!(text(0x8011).as_deref(), Some("😀"));
        assert_eq!((cmap.cid(0x8003), cmap.cid(5), cmap.cid(6)), (Some(503), Some(7), None));
        assert_eq!(cmap.code(&[0x41, 0x80]), Some((0x41, 1)));
        assert_eq!(cmap.code(&[0x80, 0x41]), Some((0x8041, 2)));
        assert_eq!(cmap.code(&[0x80]), None);
        assert!(cmap.vertical);
    }
}
