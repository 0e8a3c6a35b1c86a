//! Glyphs to words: a space, a gap or a new base line ends a word. Text in other directions is
//! turned upright and kept apart.

use super::super::sheet::{Glyph, PdfSheet};
use super::{GlyphWord, accents, bidi};
use std::collections::HashMap;

/// A gap of this part of the size is a space.
pub(super) const SPACE: f32 = 0.11;
/// How far a glyph may step back and still belong to the word.
const BACK: f32 = 0.35;
/// How far the base line may move within a word, and sizes differ.
const LIFT: f32 = 0.12;
/// Two equal glyphs nearer than this are one, drawn twice to look bold.
pub(super) const TWICE: f32 = 0.12;
/// Directions this near to an axis are meant to be on it.
const ASKEW: i16 = 5;

/// Words by their direction in degrees, the direction with the most glyphs first.
pub(super) fn by_direction(sheet: &PdfSheet) -> Vec<(i16, Vec<GlyphWord>)> {
    let mut groups: Vec<(i16, Vec<Glyph>)> = Vec::new();
    let mut places: HashMap<i16, usize> = HashMap::new();
    for glyph in &sheet.glyphs {
        let angle = straight(glyph.pen.angle);
        let place = *places.entry(angle).or_insert_with(|| {
            groups.push((angle, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(turn(glyph, angle));
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.1.len()));
    groups.into_iter().map(|(angle, glyphs)| (angle, words(sheet, &glyphs))).collect()
}

fn straight(angle: i16) -> i16 {
    let axis = (f32::from(angle) / 90.0).round() as i16 * 90;
    if (angle - axis).abs() > ASKEW {
        angle
    } else if axis == -180 {
        180
    } else {
        axis
    }
}

fn turn(glyph: &Glyph, angle: i16) -> Glyph {
    if angle == 0 {
        return *glyph;
    }
    let (sin, cos) = f32::from(angle).to_radians().sin_cos();
    let mut turned = *glyph;
    turned.pen.x = glyph.pen.x * cos + glyph.pen.y * sin;
    turned.pen.y = glyph.pen.y * cos - glyph.pen.x * sin;
    turned
}

fn words(sheet: &PdfSheet, glyphs: &[Glyph]) -> Vec<GlyphWord> {
    let mut words: Vec<GlyphWord> = Vec::new();
    let mut before: Option<&Glyph> = None;
    for glyph in glyphs {
        let text = sheet.text(glyph);
        let joined = match (words.last_mut(), before) {
            (Some(word), Some(last)) => join(word, (sheet.text(last), last), (text, glyph)),
            _ => false,
        };
        if !joined {
            words.push(first(text, glyph));
        }
        before = Some(glyph);
    }
    words
}

fn first(glyph_text: &str, glyph: &Glyph) -> GlyphWord {
    let mut text = String::new();
    bidi::push_glyph(&mut text, glyph_text);
    GlyphWord {
        text,
        left: glyph.pen.x,
        right: glyph.pen.x + glyph.pen.advance,
        base: glyph.pen.y,
        size: glyph.pen.size,
        bold: glyph.pen.bold,
        italic: glyph.pen.italic,
        spaced: glyph.spaced,
        link: None,
    }
}

/// Adds a glyph to the word before it, if it belongs there.
fn join(word: &mut GlyphWord, last: (&str, &Glyph), (text, glyph): (&str, &Glyph)) -> bool {
    if is_same(last, (text, glyph)) || accents::join(word, last.0, text, glyph) {
        word.right = word.right.max(glyph.pen.x + glyph.pen.advance);
        return true;
    }
    let continues = continues(word, glyph);
    if continues {
        bidi::push_glyph(&mut word.text, text);
        word.right = word.right.max(glyph.pen.x + glyph.pen.advance);
    }
    continues
}

fn is_same((one, last): (&str, &Glyph), (other, glyph): (&str, &Glyph)) -> bool {
    (last.pen.x - glyph.pen.x).abs() < TWICE * glyph.pen.size
        && (last.pen.y - glyph.pen.y).abs() < TWICE * glyph.pen.size
        && one == other
}

fn continues(word: &GlyphWord, glyph: &Glyph) -> bool {
    let size = word.size.max(glyph.pen.size);
    let gap = glyph.pen.x - word.right;
    !glyph.spaced
        && (word.base - glyph.pen.y).abs() <= LIFT * size
        && (word.size - glyph.pen.size).abs() <= 0.4 * size
        && (-BACK * size..=SPACE * size).contains(&gap)
}
