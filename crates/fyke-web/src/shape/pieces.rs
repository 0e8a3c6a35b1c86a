//! From the blocks of a page to its text with the shape.

use super::{Piece, PieceKind};
use crate::refine::{Block, BlockKind, Blocks, place};

/// The text of these blocks, and its shape: a block a line, but for cells of one row, which stand in one line with
/// tabs between them, and code, which keeps its lines.
pub(crate) fn shaped(blocks: &Blocks, kept: &[usize]) -> (String, Vec<Piece>) {
    let mut text = String::with_capacity(blocks.text.len());
    let mut shape = Vec::with_capacity(kept.len());
    let mut last: Option<&Block> = None;
    for &at in kept {
        let Some(block) = blocks.list.get(at) else { continue };
        let is_same_row =
            last.is_some_and(|last| is_cell(last) && is_cell(block) && last.row == block.row);
        if last.is_some() {
            text.push(if is_same_row { '\t' } else { '\n' });
        }
        text.push_str(blocks.text_of(block));
        let is_same_item = last.is_some_and(|last| last.item == block.item);
        let kind = kind(blocks, at, (is_same_row, is_same_item));
        shape.push(Piece { end: u32::try_from(text.len()).unwrap_or(u32::MAX), kind });
        last = Some(block);
    }
    (text, shape)
}

/// A cell of a row; what is a paragraph or code inside a cell is none.
fn is_cell(block: &Block) -> bool {
    block.kind == BlockKind::Cell && block.row > 0
}

fn kind(blocks: &Blocks, at: usize, (is_same_row, is_same_item): (bool, bool)) -> PieceKind {
    let block = &blocks.list[at];
    let anchor = || blocks.anchor_of(at).to_owned();
    match block.kind {
        BlockKind::Heading(level) => PieceKind::Heading { level, anchor: anchor() },
        BlockKind::Pre => PieceKind::Code { language: blocks.language_of(at).to_owned() },
        BlockKind::Term => PieceKind::Term { anchor: anchor() },
        BlockKind::Cell if block.row > 0 => PieceKind::Cell { opens_row: !is_same_row },
        BlockKind::Caption => PieceKind::Caption,
        _ if block.item > 0 && is_same_item => PieceKind::More { lists: block.lists },
        _ if block.item > 0 => PieceKind::Item { lists: block.lists, number: block.number },
        BlockKind::Definition => PieceKind::Definition,
        _ if block.is_in(place::QUOTE) => PieceKind::Quote,
        _ => PieceKind::Paragraph,
    }
}
