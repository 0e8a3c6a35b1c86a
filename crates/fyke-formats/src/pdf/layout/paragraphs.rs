//! Lines to paragraphs: by spacing, indents, sizes and bullets.

use super::{TextColumn, TextLine};

/// Lines further apart than this many times the usual are of two paragraphs.
const APART: f32 = 1.3;
/// Indents count from this part of the size on.
const INDENT: f32 = 0.7;
/// Sizes differ from this part on.
const DIFFERENT: f32 = 0.08;
/// Signs that begin an item of a list.
const BULLETS: &[char] = &[
    '•', '◦', '▪', '■', '●', '○', '‣', '∙', '·', '❖', '➢', '✓', '□', '–', '—', '\u{F0B7}',
    '\u{F0A7}',
];

/// Lines that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Paragraph {
    pub(super) lines: Vec<TextLine>,
    /// It began with a bullet, which is gone.
    pub(super) item: bool,
}

/// What the lines of a block have in common.
struct BlockMeasure {
    left: f32,
    right: f32,
    /// Usual distance of base lines.
    pitch: f32,
}

pub(super) fn paragraphs(block: TextColumn) -> Vec<Paragraph> {
    let measure = measure(&block);
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    for line in block {
        let last = paragraphs.last_mut();
        match last.filter(|paragraph| !breaks(&paragraph.lines, &line, &measure)) {
            Some(paragraph) => paragraph.lines.push(line),
            None => paragraphs.push(begin(line)),
        }
    }
    paragraphs
}

fn begin(mut line: TextLine) -> Paragraph {
    let item = is_item(&line);
    if item {
        let first = &mut line.words[0];
        first.text = first.text.trim_start_matches(BULLETS).to_owned();
        if first.text.is_empty() {
            line.words.remove(0);
        }
    }
    Paragraph { lines: vec![line], item }
}

/// Whether a line begins with a bullet and goes on.
fn is_item(line: &TextLine) -> bool {
    let Some(first) = line.words.first() else { return false };
    let rest = first.text.trim_start_matches(BULLETS);
    rest.is_empty() && line.words.len() > 1
        || rest.len() < first.text.len() && !first.text.starts_with(['–', '—']) && !rest.is_empty()
}

fn measure(block: &TextColumn) -> BlockMeasure {
    let mut gaps: Vec<f32> = block
        .windows(2)
        .filter(|pair| !is_different(pair[0].size, pair[1].size))
        .map(|pair| pair[0].base - pair[1].base)
        .collect();
    gaps.sort_by(f32::total_cmp);
    let size = block.first().map_or(0.0, |line| line.size);
    // The smaller half is lines within paragraphs.
    let usual = gaps.get(gaps.len() * 2 / 5).copied();
    BlockMeasure {
        left: block.iter().map(|line| line.left).fold(f32::INFINITY, f32::min),
        right: block.iter().map(|line| line.right).fold(f32::NEG_INFINITY, f32::max),
        pitch: usual.unwrap_or(size * 1.2).max(size * 0.8),
    }
}

pub(super) fn is_different(one: f32, other: f32) -> bool {
    (one - other).abs() > DIFFERENT * one.max(other)
}

fn is_bold(line: &TextLine) -> bool {
    line.words.iter().all(|word| word.bold)
}

fn breaks(lines: &[TextLine], line: &TextLine, measure: &BlockMeasure) -> bool {
    let Some(last) = lines.last() else { return true };
    let size = line.size;
    if is_different(last.size, size)
        || last.base - line.base > APART * measure.pitch.min(3.0 * size)
    {
        return true;
    }
    if is_item(line) || is_bold(last) != is_bold(line) {
        return true;
    }
    let width = measure.right - measure.left;
    let ended = last
        .words
        .last()
        .is_some_and(|word| word.text.ends_with(['.', '!', '?', ':', '”', '"', '。', ')']));
    let short = last.right < measure.right - 0.2 * width;
    let indented = line.left - last.left > INDENT * size;
    let outdented = last.left - line.left > INDENT * size;
    (indented && (ended || short))
        || (outdented && lines.len() > 1 && (ended || short))
        || (short && ended)
        || last.right < measure.right - 0.6 * width
}
