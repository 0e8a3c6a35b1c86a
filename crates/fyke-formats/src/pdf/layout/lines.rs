//! Words to rows: what overlaps in height stands beside each other, raised and lowered signs too.

use super::words::TWICE;
use super::{GlyphWord, TextLine};

/// Height of a letter above the base line, as a part of the size.
const HEIGHT: f32 = 0.7;
/// This part of the lower of two words must overlap to be in one row.
const OVERLAP: f32 = 0.4;
/// Rows that a word is compared with.
const NEAREST: usize = 3;
/// Sizes of one line that are told apart.
const MOST_SIZES: usize = 64;

/// A row: its words, and the height of its largest one.
struct WordRow {
    words: Vec<GlyphWord>,
    bottom: f32,
    top: f32,
}

/// Words as lines, top to bottom, each from left to right.
pub(super) fn lines(mut words: Vec<GlyphWord>) -> Vec<TextLine> {
    words.sort_by(|a, b| b.base.total_cmp(&a.base));
    let mut rows: Vec<WordRow> = Vec::new();
    for word in words {
        let (bottom, top) = (word.base, word.base + HEIGHT * word.size);
        let fits = |row: &&mut WordRow| {
            let overlap = row.top.min(top) - row.bottom.max(bottom);
            overlap >= OVERLAP * (top - bottom).min(row.top - row.bottom)
        };
        match rows.iter_mut().rev().take(NEAREST).find(fits) {
            Some(row) => {
                if top - bottom > row.top - row.bottom {
                    (row.bottom, row.top) = (bottom, top);
                }
                row.words.push(word);
            }
            None => rows.push(WordRow { words: vec![word], bottom, top }),
        }
    }
    let mut lines: Vec<TextLine> = rows.into_iter().map(|row| line(row.words)).collect();
    lines.sort_by(|a, b| b.base.total_cmp(&a.base));
    lines
}

fn line(mut words: Vec<GlyphWord>) -> TextLine {
    words.sort_by(|a, b| a.left.total_cmp(&b.left));
    words.dedup_by(|next, kept| {
        let near = |a: f32, b: f32| (a - b).abs() < TWICE * kept.size;
        next.text == kept.text && near(next.left, kept.left) && near(next.base, kept.base)
    });
    measured(words)
}

/// A line of these words, which are in order.
pub(super) fn measured(words: Vec<GlyphWord>) -> TextLine {
    let mut sizes: Vec<(f32, usize)> = Vec::new();
    for word in &words {
        let place = sizes.iter().position(|size| (size.0 - word.size).abs() < 0.1);
        match place {
            Some(place) => sizes[place].1 += word.text.len(),
            None if sizes.len() < MOST_SIZES => sizes.push((word.size, word.text.len())),
            None => {}
        }
    }
    let size = sizes.iter().max_by_key(|size| size.1).map_or(0.0, |size| size.0);
    let main = words.iter().find(|word| (word.size - size).abs() < 0.1);
    TextLine {
        left: words.iter().map(|word| word.left).fold(f32::INFINITY, f32::min),
        right: words.iter().map(|word| word.right).fold(f32::NEG_INFINITY, f32::max),
        base: main.map_or(0.0, |word| word.base),
        size,
        words,
    }
}

/// Cuts a line where nothing stands for at least `gap` of the size.
pub(super) fn cut(line: TextLine, gap: f32) -> Vec<TextLine> {
    let mut pieces: Vec<Vec<GlyphWord>> = Vec::new();
    let mut end = f32::NEG_INFINITY;
    for word in line.words {
        let far = word.left - end > gap * line.size.max(word.size);
        end = end.max(word.right);
        match pieces.last_mut().filter(|_| !far) {
            Some(piece) => piece.push(word),
            None => pieces.push(vec![word]),
        }
    }
    pieces.into_iter().map(measured).collect()
}
