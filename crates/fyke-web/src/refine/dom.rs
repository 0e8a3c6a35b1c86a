//! Filters over the tree of elements (Gupta et al.; 003 §3.8): elements that hold advertisements,
//! forms, lists of links and tables without text are taken away with all that is in them; what stays
//! is the content.

use super::block::{Blocks, place};

/// Words of links for each word of other text above which an element is a list of links.
const LINKS: f64 = 0.5;
/// Words outside links below which a table is empty.
const EMPTY_TABLE: f64 = 5.0;
/// An element with more words outside links than this is no list of links.
const MUCH_TEXT: f64 = 200.0;

pub(super) fn run(blocks: &Blocks) -> Vec<usize> {
    let removed = removed(blocks);
    let is_kept = |at: &usize| {
        let block = &blocks.list[*at];
        !removed[block.element as usize] && block.link_density() <= LINKS
    };
    (0..blocks.list.len()).filter(is_kept).collect()
}

/// By element: whether it or one around it is taken away.
fn removed(blocks: &Blocks) -> Vec<bool> {
    let mut held = vec![(0.0, 0.0); blocks.elements.len()];
    for block in &blocks.list {
        let sum = &mut held[block.element as usize];
        *sum = (sum.0 + f64::from(block.link_words), sum.1 + block.plain());
    }
    blocks.add_up(&mut held, |outer, inner| *outer = (outer.0 + inner.0, outer.1 + inner.1));
    let mut removed = vec![false; held.len()];
    // The ground stays; those around come before those inside.
    for at in 1..held.len() {
        let element = &blocks.elements[at];
        let (links, plain) = held[at];
        let is_links = links > LINKS * plain && plain < MUCH_TEXT;
        let is_empty_table = element.own & place::TABLE != 0 && plain < EMPTY_TABLE;
        let is_other = element.own & (place::PROMO | place::FORM) != 0 && plain < MUCH_TEXT;
        removed[at] = removed[element.parent as usize] || is_links || is_empty_table || is_other;
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::super::blocks as of_html;
    use super::*;

    #[test]
    fn links_forms_advertisements_and_empty_tables_go() {
        let page = "<ul><li><a>one</a><li><a>two</a></ul><div class=ad>buy this now</div>\
            <form>your name here please</form><table><tr><td>a<td>b</table>\
            <div><p>some words that stay here for good</p></div>";
        let blocks = of_html(page);
        let texts: Vec<&str> =
            run(&blocks).iter().map(|&at| blocks.text_of(&blocks.list[at])).collect();
        assert_eq!(texts, ["some words that stay here for good"]);
        assert_eq!(run(&of_html("")), Vec::<usize>::new());
    }
}
