//! What has been drawn on a page: glyphs with their places, in the order of drawing.

use super::forms;
use super::layout::is_right_to_left;

/// Glyphs of one page that are kept.
const MOST_GLYPHS: usize = 400_000;
/// Bytes of text of one page that are kept.
const MOST_TEXT: usize = 8 << 20;

/// The place and look of a glyph. Its place is on the page, its advance along the direction of
/// writing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) advance: f32,
    pub(super) size: f32,
    /// Direction of writing in whole degrees, 0 to the right, 90 upwards.
    pub(super) angle: i16,
    pub(super) bold: bool,
    pub(super) italic: bool,
}

/// A glyph that was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Glyph {
    pub(super) pen: Pen,
    /// A space was drawn before it.
    pub(super) spaced: bool,
    /// Where its text stands in [`PdfSheet::text`].
    text: (u32, u32),
}

#[derive(Debug, Default)]
pub(super) struct PdfSheet {
    text: String,
    pub(super) glyphs: Vec<Glyph>,
    /// A space was drawn after the last glyph.
    spaced: bool,
    /// Glyphs whose meaning nobody says.
    pub(super) lost: usize,
    pub(super) full: bool,
}

impl PdfSheet {
    pub(super) fn text(&self, glyph: &Glyph) -> &str {
        &self.text[glyph.text.0 as usize..glyph.text.1 as usize]
    }

    /// Draws `text`: one glyph, or one for each word of it.
    pub(super) fn draw(&mut self, text: &str, pen: Pen) {
        if text.contains(char::is_whitespace) {
            self.draw_words(text, pen);
        } else {
            self.draw_word(text, pen);
        }
    }

    fn draw_words(&mut self, text: &str, mut pen: Pen) {
        let (sin, cos) = f32::from(pen.angle).to_radians().sin_cos();
        let step = pen.advance / text.chars().count().max(1) as f32;
        if text.contains(is_right_to_left) {
            // Its first word stands rightmost.
            for word in text.split_whitespace().rev() {
                let length = word.chars().count() as f32;
                self.draw_word(word, Pen { advance: step * length, ..pen });
                self.spaced = true;
                pen.x += cos * step * (length + 1.0);
                pen.y += sin * step * (length + 1.0);
            }
            return;
        }
        for piece in text.split_inclusive(char::is_whitespace) {
            let word = piece.trim_end();
            let length = piece.chars().count() as f32;
            if !word.is_empty() {
                self.draw_word(word, Pen { advance: step * word.chars().count() as f32, ..pen });
            }
            self.spaced = self.spaced || word.len() < piece.len();
            pen.x += cos * step * length;
            pen.y += sin * step * length;
        }
    }

    fn draw_word(&mut self, text: &str, pen: Pen) {
        if self.glyphs.len() >= MOST_GLYPHS || self.text.len() >= MOST_TEXT {
            self.full = true;
            return;
        }
        let from = self.text.len() as u32;
        text.chars().for_each(|character| spell(character, &mut self.text));
        let (spaced, text) = (std::mem::take(&mut self.spaced), (from, self.text.len() as u32));
        if text.0 < text.1 {
            self.glyphs.push(Glyph { pen, spaced, text });
        }
    }

    /// Puts `text` in the place of all glyphs from number `first` on, if these stand in one line.
    pub(super) fn replace(&mut self, first: usize, text: &str) {
        let glyphs = self.glyphs.get(first..).unwrap_or_default();
        let (Some(one), Some(last)) = (glyphs.first().copied(), glyphs.last().copied()) else {
            return;
        };
        let (spaced, one, last) = (one.spaced, one.pen, last.pen);
        let (sin, cos) = f32::from(one.angle).to_radians().sin_cos();
        let (x, y) = (last.x - one.x, last.y - one.y);
        let (along, across) = (x * cos + y * sin, y * cos - x * sin);
        if across.abs() > one.size / 2.0 || one.angle != last.angle || along < 0.0 {
            return;
        }
        self.glyphs.truncate(first);
        self.spaced = spaced;
        self.draw(text, Pen { advance: along + last.advance, ..one });
    }
}

/// Writes a character; ligatures and presentation forms of Latin letters as the letters they join.
fn spell(character: char, text: &mut String) {
    match character {
        '\u{FB00}' => text.push_str("ff"),
        '\u{FB01}' => text.push_str("fi"),
        '\u{FB02}' => text.push_str("fl"),
        '\u{FB03}' => text.push_str("ffi"),
        '\u{FB04}' => text.push_str("ffl"),
        '\u{FB05}' | '\u{FB06}' => text.push_str("st"),
        // Said by fonts of TeX where two parts of a word must not join.
        '\u{200B}'..='\u{200D}' | '\u{FEFF}' => {}
        c if c.is_control() => {}
        c => match forms::letters(c) {
            Some(letters) => text.push_str(letters),
            None => text.push(c),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pen(x: f32) -> Pen {
        Pen { x, y: 0.0, advance: 10.0, size: 10.0, angle: 0, bold: false, italic: false }
    }

    fn texts(sheet: &PdfSheet) -> Vec<(&str, f32, bool)> {
        sheet.glyphs.iter().map(|glyph| (sheet.text(glyph), glyph.pen.x, glyph.spaced)).collect()
    }

    #[test]
    fn ligatures_are_spelt_and_spaces_remembered() {
        let mut sheet = PdfSheet::default();
        sheet.draw("\u{FB03}", pen(0.0));
        sheet.draw(" ", pen(10.0));
        sheet.draw("x", pen(20.0));
        assert_eq!(texts(&sheet), [("ffi", 0.0, false), ("x", 20.0, true)]);
    }

    #[test]
    fn actual_text_takes_the_place_of_glyphs() {
        let mut sheet = PdfSheet::default();
        sheet.draw("a", pen(0.0));
        sheet.draw("?", pen(10.0));
        sheet.draw("!", pen(20.0));
        sheet.replace(1, "b c");
        assert_eq!(
            texts(&sheet),
            [("a", 0.0, false), ("b", 10.0, false), ("c", 10.0 + 40.0 / 3.0, true)]
        );
    }
}
