//! The document slope curve with a window (Pinto et al.; 003 §3.8): not one plateau of the curve but
//! every stretch where it is flat. A window goes over the words and tags of the page; where it holds fewer
//! tags a word than half the page's average, its middle is content. Unlike the single stretch it
//! leaves advertisements inside a text out and finds texts in several parts.

use super::block::{Block, Blocks};

/// Words and tags that the window reaches to each side of a block.
const REACH: u32 = 60;
/// Share of the page's slope below which the curve counts as flat.
const FLAT: f64 = 0.5;
/// Fewer words than this in a block are nothing without flat ground on both sides.
const FEW: u32 = 4;

pub(super) fn run(blocks: &Blocks) -> Vec<usize> {
    let list = &blocks.list;
    let (words, tags) =
        list.iter().fold((0, 0), |sum, block| (sum.0 + block.words, sum.1 + tags_of(block)));
    let average = slope(tags, words);
    let mut window = BlockWindow::default();
    let mut kept = Vec::new();
    for (at, block) in list.iter().enumerate() {
        window.move_to(list, at);
        let is_flat = slope(window.tags, window.words) <= FLAT * average;
        if is_flat && (block.words >= FEW || block.link_words == 0) {
            kept.push(at);
        }
    }
    // A page that is equally flat everywhere is all text.
    if kept.is_empty() && tags <= words { (0..list.len()).collect() } else { kept }
}

fn tags_of(block: &Block) -> u32 {
    block.tags_before + block.tags_inside
}

fn size(block: &Block) -> u32 {
    block.words + tags_of(block)
}

/// Tags a word.
fn slope(tags: u32, words: u32) -> f64 {
    f64::from(tags) / f64::from(words.max(1))
}

/// The blocks `from..to` with their sums.
#[derive(Default)]
struct BlockWindow {
    from: usize,
    to: usize,
    words: u32,
    tags: u32,
    /// Words and tags before the block in the middle.
    before: u32,
}

impl BlockWindow {
    /// Moves so that `at` is in the middle; each block comes in once and goes out once.
    fn move_to(&mut self, list: &[Block], at: usize) {
        let middle = &list[at];
        if at > 0 {
            self.before += size(&list[at - 1]);
        }
        while self.to < list.len()
            && (self.to <= at || self.words + self.tags < self.before + size(middle) + REACH)
        {
            self.words += list[self.to].words;
            self.tags += tags_of(&list[self.to]);
            self.to += 1;
        }
        while self.from < at && self.before - size(&list[self.from]) >= REACH {
            let left = &list[self.from];
            self.words -= left.words;
            self.tags -= tags_of(left);
            self.before -= size(left);
            self.from += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks as of_html;
    use super::*;

    #[test]
    fn every_flat_stretch_is_kept_and_what_is_between_is_not() {
        let text = format!("<p>{}</p>", "one two three four five six seven ".repeat(30));
        let menu = "<ul><li><a>x</a></li><li><a>y</a></li><li><a>z</a></li></ul>".repeat(30);
        let blocks = of_html(&format!("{menu}{text}{menu}{text}{menu}"));
        let long = |at: &usize| blocks.list[*at].words > 100;
        assert_eq!(run(&blocks).into_iter().filter(long).count(), 2);
        assert!(run(&blocks).len() < 10, "{:?}", run(&blocks));
        assert_eq!(run(&of_html("")), Vec::<usize>::new());
        assert_eq!(run(&of_html("<p>one two three four</p>")), vec![0]);
    }
}
