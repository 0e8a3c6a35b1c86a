//! The document slope curve (Finn, Kushmerick and Smyth; 003 §3.8). A page is a row of tags and
//! words; the main text is the stretch that maximises tags before it + words inside it + tags after
//! it. That is the stretch with the largest sum when a word counts +1 and a tag −1, found in one
//! pass. Words and tags are taken block by block, so the stretch begins and ends with a block.

use super::Blocks;
use super::largest_stretch;

pub(super) fn run(blocks: &Blocks) -> Vec<usize> {
    let values = blocks.list.iter().flat_map(|block| {
        let inside = f64::from(block.words) - f64::from(block.tags_inside);
        [-f64::from(block.tags_before), inside]
    });
    match largest_stretch(values) {
        // Two values a block; a stretch of largest sum neither begins nor ends with tags.
        Some((from, to)) => (from / 2..to.div_ceil(2)).collect(),
        None => Vec::new(),
    }
}

/// The document slope curve of a page (003 figure 3.17): after each block, the words and the tags so
/// far.
#[must_use]
pub fn slope_curve(blocks: &Blocks) -> Vec<(u64, u64)> {
    let mut points = vec![(0, 0)];
    let (mut words, mut tags) = (0, 0);
    for block in &blocks.list {
        tags += u64::from(block.tags_before);
        points.push((words, tags));
        words += u64::from(block.words);
        tags += u64::from(block.tags_inside);
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

    /// Tags outside plus words inside, for the blocks `from..to`.
    fn objective(blocks: &Blocks, from: usize, to: usize) -> u32 {
        let outside = |at: usize| at < from || at >= to;
        let list = blocks.list.iter().enumerate();
        list.map(|(at, block)| {
            let inside = if outside(at) { block.tags_inside } else { block.words };
            // Tags before the first block of the stretch stand outside it.
            let before = if outside(at) || at == from { block.tags_before } else { 0 };
            inside + before
        })
        .sum()
    }

    proptest! {
        #[test]
        fn no_other_stretch_has_more_tags_outside_and_words_inside(
            pieces in prop::collection::vec("(<p>|<b>|</b>|<li>|<a>|one |two three |<br>){1,6}", 0..9)
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
        assert_eq!(slope_curve(&blocks).last(), Some(&(6, 8)));
        assert_eq!(stretches(&blocks, &[0, 2]), [(0, 1), (3, 6)]);
        assert_eq!(stretches(&blocks, &[1, 2]), [(1, 6)]);
        assert_eq!(slope_curve(&of_html("")), [(0, 0)]);
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
