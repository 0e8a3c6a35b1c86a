//! Of an embedded TrueType font only what tells characters: its `cmap` and the names in `post`.

use super::super::fuel::Fuel;
use super::program::{Program, u16_at, u32_at};
use super::{cff, glyphs};

/// Characters of all tables of a font; more is an attack. Steps that one costs.
const MOST: usize = 1 << 18;
const CHARACTER: usize = 6;
/// Tables of characters that are looked at.
const MOST_TABLES: usize = 64;

pub(super) fn read(font: &[u8], program: &mut Program, fuel: &Fuel) -> Option<()> {
    let count = u16_at(font, 4)?;
    let table = |tag: &[u8]| {
        let rows = (0..usize::from(count)).map(|row| 12 + 16 * row);
        let row =
            rows.take_while(|at| at + 16 <= font.len()).find(|&at| font[at..at + 4] == *tag)?;
        font.get(u32_at(font, row + 8)? as usize..)
    };
    if let Some(cff) = table(b"CFF ") {
        cff::read(cff, program, fuel);
    }
    if let Some(post) = table(b"post") {
        names(post, program, fuel);
    }
    if let Some(cmap) = table(b"cmap") {
        tables(cmap, program, fuel);
    }
    Some(())
}

fn tables(cmap: &[u8], program: &mut Program, fuel: &Fuel) -> Option<()> {
    let mut left = MOST;
    let mut read = Vec::new();
    for row in 0..usize::from(u16_at(cmap, 2)?).min(MOST_TABLES) {
        let at = 4 + 8 * row;
        let kind = (u16_at(cmap, at)?, u16_at(cmap, at + 2)?);
        let place = u32_at(cmap, at + 4)?;
        let table = cmap.get(place as usize..)?;
        let unicode = matches!(kind, (0, _) | (3, 1 | 10));
        // Several rows may lead to one table.
        if read.contains(&(place, unicode)) {
            continue;
        }
        read.push((place, unicode));
        pairs(table, &mut |code, glyph| {
            if unicode {
                let text = char::from_u32(code).filter(|_| glyph > 0).map(String::from);
                text.map(|text| program.texts.entry(glyph).or_insert(text));
            } else if glyph > 0 {
                program.codes.entry(code).or_insert(glyph);
            }
            left = left.saturating_sub(1);
            left > 0 && fuel.spend(CHARACTER)
        });
    }
    Some(())
}

/// Names of glyphs that are not in Macintosh's list of 258.
fn names(post: &[u8], program: &mut Program, fuel: &Fuel) -> Option<()> {
    if u32_at(post, 0)? != 0x0002_0000 {
        return None;
    }
    let count = usize::from(u16_at(post, 32)?);
    if !fuel.spend(CHARACTER * count) {
        return None;
    }
    let mut names = Vec::new();
    let mut at = 34 + 2 * count;
    while let Some(&length) = post.get(at) {
        names.push(post.get(at + 1..at + 1 + usize::from(length))?);
        at += 1 + usize::from(length);
        if names.len() > count {
            break;
        }
    }
    for glyph in 0..count {
        let index = usize::from(u16_at(post, 34 + 2 * glyph)?);
        let name = index.checked_sub(258).and_then(|index| names.get(index));
        if let Some(text) = name.and_then(|name| glyphs::text(name)) {
            program.texts.insert(glyph as u32, text);
        }
    }
    Some(())
}

/// Calls `each` with every code and glyph of a table until it says no.
fn pairs(table: &[u8], each: &mut dyn FnMut(u32, u32) -> bool) -> Option<()> {
    match u16_at(table, 0)? {
        0 => {
            let mut glyphs = (0..).zip(table.get(6..262)?);
            glyphs.all(|(code, &glyph)| each(code, u32::from(glyph))).then_some(())
        }
        4 => segments(table, each),
        6 => {
            let first = u32::from(u16_at(table, 6)?);
            for at in 0..u32::from(u16_at(table, 8)?) {
                if !each(first + at, u32::from(u16_at(table, 10 + 2 * at as usize)?)) {
                    return None;
                }
            }
            Some(())
        }
        12 => groups(table, each),
        _ => None,
    }
}

fn segments(table: &[u8], each: &mut dyn FnMut(u32, u32) -> bool) -> Option<()> {
    let count = usize::from(u16_at(table, 6)?) / 2;
    for segment in 0..count {
        let field = |which: usize| {
            u16_at(table, 14 + 2 * (which * count + segment) + 2 * usize::from(which > 0))
        };
        let (last, first, delta, offset) = (field(0)?, field(1)?, field(2)?, field(3)?);
        for code in first..=last {
            let glyph = if offset == 0 {
                code.wrapping_add(delta)
            } else {
                let base = 16 + 2 * (3 * count + segment);
                let at = base + usize::from(offset) + 2 * usize::from(code - first);
                let glyph = u16_at(table, at).unwrap_or(0);
                if glyph == 0 { 0 } else { glyph.wrapping_add(delta) }
            };
            if !each(u32::from(code), u32::from(glyph)) {
                return None;
            }
        }
    }
    Some(())
}

fn groups(table: &[u8], each: &mut dyn FnMut(u32, u32) -> bool) -> Option<()> {
    for group in 0..u32_at(table, 12)? as usize {
        let at = group.checked_mul(12)?.checked_add(16)?;
        let (first, last) = (u32_at(table, at)?, u32_at(table, at + 4)?);
        let glyph = u32_at(table, at + 8)?;
        for code in first..=last.min(0x10_FFFF) {
            if !each(code, glyph.wrapping_add(code - first)) {
                return None;
            }
        }
    }
    Some(())
}
