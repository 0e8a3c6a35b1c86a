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

#[cfg(test)]
mod tests {
    use super::super::blocks as of_html;
    use super::*;

    #[test]
    fn the_stretch_of_words_between_tags_is_kept() {
        let menu = "<ul><li><a>x</a><li><a>y</a><li><a>z</a></ul>";
        let page = format!("{menu}<p>one two three four five six</p>{menu}");
        assert_eq!(run(&of_html(&page)), vec![3]);
        assert_eq!(run(&of_html("")), Vec::<usize>::new());
        assert_eq!(run(&of_html(menu)), Vec::<usize>::new());
    }
}
