//! From glyphs to text as people read it: glyphs make words, words rows, rows columns, columns
//! paragraphs; then markup.

mod accents;
mod bidi;
mod columns;
mod heads;
mod join;
mod lines;
mod markup;
mod paragraphs;
mod words;

pub(super) use bidi::is_right_to_left;
pub(super) use heads::drop_running;
pub(super) use markup::write;

use super::fuel::Fuel;
use super::links::PdfLink;
use super::sheet::PdfSheet;

/// Directions of writing on one page that are read; more are ornament.
const MOST_DIRECTIONS: usize = 8;

/// A run of glyphs without a space.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GlyphWord {
    pub(super) text: String,
    pub(super) left: f32,
    pub(super) right: f32,
    /// Height of the base line.
    pub(super) base: f32,
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) italic: bool,
    /// A space was drawn before it.
    pub(super) spaced: bool,
    /// Position of the link it belongs to in the page's list.
    pub(super) link: Option<usize>,
}

/// Words beside each other, from left to right.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TextLine {
    pub(super) words: Vec<GlyphWord>,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) base: f32,
    /// Size of most of its characters.
    pub(super) size: f32,
}

/// Lines below each other that are read together: a column or a part of one.
pub(super) type TextColumn = Vec<TextLine>;

/// The text of a page in reading order.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    pub(super) blocks: Vec<TextColumn>,
    pub(super) links: Vec<PdfLink>,
}

/// Puts what stands on a sheet in order; turned text comes last.
pub(super) fn arrange(sheet: &PdfSheet, links: Vec<PdfLink>, fuel: &Fuel) -> Leaf {
    let mut blocks = Vec::new();
    for (angle, mut words) in words::by_direction(sheet).into_iter().take(MOST_DIRECTIONS) {
        if angle == 0 {
            mark_links(&mut words, &links, fuel);
        }
        let is_mirrored = bidi::mirror(&mut words);
        let mut read = columns::read(words, fuel);
        for line in read.iter_mut().flatten() {
            bidi::read(&mut line.words, is_mirrored);
        }
        blocks.extend(read);
    }
    Leaf { blocks, links }
}

fn mark_links(words: &mut [GlyphWord], links: &[PdfLink], fuel: &Fuel) {
    for (number, link) in links.iter().enumerate() {
        if !fuel.search(words.len()) {
            return;
        }
        let [left, bottom, right, top] = link.frame;
        for word in words.iter_mut() {
            let (x, y) = (f32::midpoint(word.left, word.right), word.base + word.size * 0.3);
            if (left..=right).contains(&x) && (bottom..=top).contains(&y) {
                word.link = Some(number);
            }
        }
    }
}
