//! Reading order: a page is cut at gutters into columns, and what reaches over a gutter (titles,
//! wide tables) parts what is above from what is below. After the XY-cut, but a gutter may be
//! crossed.

use super::super::fuel::Fuel;
use super::lines::{cut, lines};
use super::{GlyphWord, TextColumn, TextLine};
use std::borrow::Borrow;

/// A gap of this many sizes may be a gutter.
const GUTTER: f32 = 0.9;
/// Pieces of running text have so many characters, and reach over this part of their column.
const FEWEST_CHARACTERS: f32 = 18.0;
const FILLED: f32 = 0.5;
/// Such pieces a column must have, and this part of its characters they must be: less is a table.
const FEWEST_LINES: usize = 3;
const RUNNING: f32 = 0.6;
/// Of the pieces of a region at most this part may cross its gutter.
const CROSSING: f32 = 0.34;
/// Regions inside regions.
const DEEPEST: usize = 12;

/// Words in blocks, in reading order.
pub(super) fn read(words: Vec<GlyphWord>, fuel: &Fuel) -> Vec<TextColumn> {
    let pieces: Vec<TextLine> =
        lines(words).into_iter().flat_map(|line| cut(line, GUTTER)).collect();
    let mut blocks = Vec::new();
    part(pieces, DEEPEST, fuel, &mut blocks);
    blocks
}

/// Puts `pieces` in order: by columns, else by the widest gap between lines, else top to bottom.
fn part(pieces: Vec<TextLine>, depth: usize, fuel: &Fuel, blocks: &mut Vec<TextColumn>) {
    if pieces.is_empty() {
        return;
    }
    let words: usize = pieces.iter().map(|piece| 1 + piece.words.len()).sum();
    if depth == 0 || pieces.len() < 2 * FEWEST_LINES || !fuel.spend(4 * words) {
        blocks.push(whole(pieces));
    } else if let Some(gutter) = gutter(&pieces) {
        for (band, crossing) in bands(pieces, gutter) {
            if crossing {
                part(band, depth - 1, fuel, blocks);
                continue;
            }
            let (left, right): (Vec<_>, Vec<_>) =
                band.into_iter().partition(|piece| centre(piece) < gutter);
            if is_column(&left) || is_column(&right) || !is_aligned(&left, &right) {
                part(left, depth - 1, fuel, blocks);
                part(right, depth - 1, fuel, blocks);
            } else {
                blocks.push(whole([left, right].concat()));
            }
        }
    } else if let Some(at) = strip(&pieces) {
        let mut above = pieces;
        let below = above.split_off(at);
        part(above, depth - 1, fuel, blocks);
        part(below, depth - 1, fuel, blocks);
    } else {
        blocks.push(whole(pieces));
    }
}

/// Pieces put together into lines again.
fn whole(pieces: Vec<TextLine>) -> TextColumn {
    lines(pieces.into_iter().flat_map(|piece| piece.words).collect())
}

fn centre(piece: &TextLine) -> f32 {
    f32::midpoint(piece.left, piece.right)
}

fn extent(pieces: &[impl Borrow<TextLine>]) -> (f32, f32) {
    let pieces = || pieces.iter().map(Borrow::borrow);
    let left = pieces().map(|piece: &TextLine| piece.left).fold(f32::INFINITY, f32::min);
    let right = pieces().map(|piece| piece.right).fold(f32::NEG_INFINITY, f32::max);
    (left, right)
}

/// The middle of the gap that the fewest pieces cross, if columns stand on both of its sides.
fn gutter(pieces: &[TextLine]) -> Option<f32> {
    let (left, right) = extent(pieces);
    let margin = (right - left) * 0.12;
    let mut edges: Vec<(f32, i32)> =
        pieces.iter().flat_map(|piece| [(piece.left, 1), (piece.right, -1)]).collect();
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut candidates: Vec<(i32, f32, f32)> = Vec::new();
    let mut over = 0;
    for pair in edges.windows(2) {
        over += pair[0].1;
        let (from, to) = (pair[0].0, pair[1].0);
        let inside = from > left + margin && to < right - margin;
        if inside && to - from >= GUTTER / 2.0 * pieces[0].size {
            candidates.push((over, from - to, f32::midpoint(from, to)));
        }
    }
    candidates.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    candidates.iter().take(4).map(|candidate| candidate.2).find(|&at| divides(pieces, at))
}

fn divides(pieces: &[TextLine], at: f32) -> bool {
    let beside = |piece: &&TextLine| piece.right <= at || piece.left >= at;
    let (left, right): (Vec<&TextLine>, Vec<&TextLine>) =
        pieces.iter().filter(beside).partition(|piece| centre(piece) < at);
    let crossing = pieces.len() - left.len() - right.len();
    let running = crossing as f32 <= CROSSING * pieces.len() as f32;
    let apart = || crossing * 20 <= pieces.len() && !is_aligned(&left, &right);
    running && ((is_column(&left) && is_column(&right)) || apart())
}

/// Whether most lines on the shorter side stand beside one of the other, as in a table. Few lines
/// always do.
fn is_aligned<L: Borrow<TextLine>>(left: &[L], right: &[L]) -> bool {
    let (few, many) = if left.len() < right.len() { (left, right) } else { (right, left) };
    let beside = |piece: &TextLine| {
        let (high, low) = (piece.base + 0.1 * piece.size, piece.base - 0.1 * piece.size);
        let after = many.partition_point(|other| other.borrow().base > high);
        many.get(after).is_some_and(|other| other.borrow().base >= low)
    };
    let aligned = few.iter().filter(|piece| beside((*piece).borrow())).count();
    few.len() < 2 * FEWEST_LINES || 2 * aligned >= few.len()
}

/// Whether these are lines of running text below each other, not cells of a table.
fn is_column(pieces: &[impl Borrow<TextLine>]) -> bool {
    let (left, right) = extent(pieces);
    let (mut lines, mut running, mut all) = (0, 0.0, 0.0);
    for piece in pieces.iter().map(Borrow::borrow) {
        let characters = characters(piece);
        all += characters;
        let wide = piece.right - piece.left >= FILLED * (right - left);
        if wide && characters >= FEWEST_CHARACTERS {
            running += characters;
            lines += 1;
        }
    }
    lines >= FEWEST_LINES && running >= RUNNING * all
}

/// Characters of a piece; an ideograph says as much as two letters.
fn characters(piece: &TextLine) -> f32 {
    let weight = |c: char| if c >= '\u{2E80}' { 2.0 } else { 1.0 };
    piece.words.iter().flat_map(|word| word.text.chars()).map(weight).sum()
}

/// Parts pieces at those that cross the gutter: bands from top to bottom, and whether they cross.
fn bands(pieces: Vec<TextLine>, gutter: f32) -> Vec<(Vec<TextLine>, bool)> {
    let mut bands: Vec<(Vec<TextLine>, bool)> = Vec::new();
    for piece in pieces {
        let crossing = piece.left < gutter && piece.right > gutter;
        match bands.last_mut().filter(|band| band.1 == crossing) {
            Some(band) => band.0.push(piece),
            None => bands.push((vec![piece], crossing)),
        }
    }
    bands
}

/// The first piece below the widest empty strip, if that is wider than a line.
fn strip(pieces: &[TextLine]) -> Option<usize> {
    let strip = |pair: &[TextLine]| pair[0].base - pair[1].base - pair[1].size;
    let (at, width) =
        pieces.windows(2).map(strip).enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (width > pieces[at].size).then_some(at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(left: f32, right: f32, base: f32, text: &str) -> GlyphWord {
        let text = text.to_owned();
        let (bold, italic, spaced, link) = (false, false, false, None);
        GlyphWord { text, left, right, base, size: 10.0, bold, italic, spaced, link }
    }

    fn order(words: Vec<GlyphWord>) -> String {
        let blocks = read(words, &Fuel::default());
        let lines = blocks.iter().flatten();
        lines.map(|line| line.words[0].text[..2].to_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn columns_are_read_one_after_the_other_between_what_spans_them() {
        let mut words = vec![piece(50.0, 550.0, 800.0, "t1 a title over both columns")];
        for row in 0..4 {
            let base = 780.0 - 12.0 * row as f32;
            words.push(piece(50.0, 290.0, base, &format!("l{row} some words of the left column")));
            words.push(piece(
                310.0,
                550.0,
                base,
                &format!("r{row} some words of the right column"),
            ));
        }
        words.push(piece(50.0, 550.0, 700.0, "t2 a foot over both columns"));
        assert_eq!(order(words), "t1 l0 l1 l2 l3 r0 r1 r2 r3 t2");
    }

    #[test]
    fn a_table_is_read_row_by_row() {
        let mut words = Vec::new();
        for row in 0..5 {
            let base = 780.0 - 12.0 * row as f32;
            words.push(piece(50.0, 90.0, base, &format!("l{row}")));
            words.push(piece(310.0, 350.0, base, &format!("r{row}")));
        }
        let blocks = read(words, &Fuel::default());
        assert_eq!(blocks.len(), 1);
        assert!(blocks[0].iter().all(|line| line.words.len() == 2));
    }
}
