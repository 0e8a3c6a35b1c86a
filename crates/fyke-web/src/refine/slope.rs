//! The document slope curve (Finn, Kushmerick and Smyth; 003 §3.8). A page is a row of bits: 1 for a tag, 0
//! for a word, and 0 for a tag that is mainly there to shape text: fonts, headings and tables. The main text is
//! the stretch that maximises ones before it + zeros inside it + ones after it. That is the stretch with the
//! largest sum when a zero counts +1 and a one −1, found in one pass. Words and tags are taken block by
//! block, so the stretch begins and ends with a block.

use super::Blocks;
use super::block::Block;
use super::names::NameTable;
use crate::html::{TagName, name};
use std::sync::LazyLock;

/// Tags that only shape text.
const SHAPING: [&str; 34] = [
    "font", "basefont", "b", "i", "u", "s", "em", "strong", "big", "small", "tt", "strike",
    "center", "sub", "sup", "mark", "ins", "del", "h1", "h2", "h3", "h4", "h5", "h6", "table",
    "tr", "td", "th", "tbody", "thead", "tfoot", "caption", "col", "colgroup",
];

static NAMES: LazyLock<NameTable> =
    LazyLock::new(|| NameTable::of(SHAPING.iter().map(|text| name(text))));

/// Whether a tag counts as a word does, since it only shapes text.
pub(super) fn is_shaping(name: TagName) -> bool {
    NAMES.find(name).is_some()
}

/// Zeros less ones, between the block before and this one.
fn before(block: &Block) -> i64 {
    2 * i64::from(block.shaping_before) - i64::from(block.tags_before)
}

/// Zeros less ones inside a block.
fn inside(block: &Block) -> i64 {
    i64::from(block.words) + 2 * i64::from(block.shaping_inside) - i64::from(block.tags_inside)
}

pub(super) fn run(blocks: &Blocks) -> Vec<usize> {
    let (mut best, mut kept) = (0, 0..0);
    // The best stretch that ends with the block before: its sum and where it begins.
    let (mut sum, mut from) = (0, 0);
    for (at, block) in blocks.list.iter().enumerate() {
        sum += before(block);
        if at == 0 || sum <= 0 {
            (sum, from) = (0, at);
        }
        sum += inside(block);
        if sum > best {
            (best, kept) = (sum, from..at + 1);
        }
    }
    kept.collect()
}

/// The document slope curve of a page (003 figure 3.17): after each block, the words and the tags that
/// count so far.
#[must_use]
pub fn slope_curve(blocks: &Blocks) -> Vec<(u64, u64)> {
    let mut points = vec![(0, 0)];
    let (mut words, mut tags) = (0, 0);
    for block in &blocks.list {
        tags += u64::from(block.tags_before - block.shaping_before);
        points.push((words, tags));
        words += u64::from(block.words);
        tags += u64::from(block.tags_inside - block.shaping_inside);
        points.push((words, tags));
    }
    points
}

/// The stretches of words that a choice of blocks takes, as places on the curve.
#[must_use]
pub fn stretches(blocks: &Blocks, kept: &[usize]) -> Vec<(u64, u64)> {
    let mut found: Vec<(u64, u64)> = Vec::new();
    let mut words = 0;
    for (at, block) in blocks.list.iter().enumerate() {
        let end = words + u64::from(block.words);
        if kept.binary_search(&at).is_ok() {
            match found.last_mut().filter(|last| last.1 == words) {
                Some(last) => last.1 = end,
                None => found.push((words, end)),
            }
        }
        words = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::blocks as of_html;
    use super::*;
    use proptest::prelude::*;

    /// Ones outside plus zeros inside, for the blocks `from..to`.
    fn objective(blocks: &Blocks, from: usize, to: usize) -> u32 {
        let outside = |at: usize| at < from || at >= to;
        let list = blocks.list.iter().enumerate();
        list.map(|(at, block)| {
            let inside = match outside(at) {
                true => block.tags_inside - block.shaping_inside,
                false => block.words + block.shaping_inside,
            };
            // Tags before the first block of the stretch stand outside it.
            let before = match outside(at) || at == from {
                true => block.tags_before - block.shaping_before,
                false => block.shaping_before,
            };
            inside + before
        })
        .sum()
    }

    proptest! {
        #[test]
        fn no_other_stretch_has_more_ones_outside_and_zeros_inside(
            pieces in prop::collection::vec("(<p>|<b>|</b>|<li>|<a>|<td>|<h2>|</h2>|one |two three |<br>){1,6}", 0..9)
        ) {
            let blocks = of_html(&pieces.concat());
            let kept = run(&blocks);
            let found = match (kept.first(), kept.last()) {
                (Some(&first), Some(&last)) => objective(&blocks, first, last + 1),
                _ => objective(&blocks, 0, 0),
            };
            for from in 0..blocks.list.len() {
                for to in from + 1..=blocks.list.len() {
                    prop_assert!(objective(&blocks, from, to) <= found);
                }
            }
        }
    }

    #[test]
    fn the_curve_ends_with_all_words_and_tags_and_stretches_lie_on_it() {
        let blocks = of_html("<ul><li>a<li>b c</ul><p>d <b>e</b> f</p>");
        // The ends of `<p>` and of bold text: two of the tags only shape it.
        assert_eq!(slope_curve(&blocks).last(), Some(&(6, 6)));
        assert_eq!(stretches(&blocks, &[0, 2]), [(0, 1), (3, 6)]);
        assert_eq!(stretches(&blocks, &[1, 2]), [(1, 6)]);
        assert_eq!(slope_curve(&of_html("")), [(0, 0)]);
    }

    #[test]
    fn tags_that_shape_text_are_zeros() {
        let shaped =
            of_html("<div><table><tr><td><h2><font>one</font></h2></td></tr></table></div>");
        assert_eq!(shaped.list.iter().map(|block| block.words).sum::<u32>(), 1);
        assert_eq!(run(&shaped), [0]);
        // Between two pieces of text, tags of a table keep them together and other tags part them.
        let long = "one two three four five six seven";
        let kept = |between: &str| run(&of_html(&format!("<p>{long}{between}{long}")));
        assert_eq!(kept("<table><tr><td>"), [0, 1]);
        let apart = "<ul><li><a></a><li><a></a><li><a></a></ul><div></div><p>";
        assert_eq!(kept(apart).len(), 1);
    }

    #[test]
    fn the_stretch_of_words_between_tags_is_kept() {
        let menu = "<ul><li><a>x</a><li><a>y</a><li><a>z</a></ul>";
        let page = format!("{menu}<p>one two three four five six</p>{menu}");
        assert_eq!(run(&of_html(&page)), vec![3]);
        assert_eq!(run(&of_html("")), Vec::<usize>::new());
        assert_eq!(run(&of_html(menu)), Vec::<usize>::new());
    }
}
