//! How much of a page's words the main text holds, and where the others stand: so that anybody can see what was
//! left out.

use super::block::{Block, Blocks, place};

/// Words of the blocks of one sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordShare {
    /// Where they stand on the page.
    pub what: &'static str,
    pub kept: u64,
    pub left_out: u64,
}

/// What places are called, the first that fits.
const PLACES: &[(u32, &str)] = &[
    (place::COMMENT, "comments"),
    (place::NAV, "navigation"),
    (place::FOOTER, "footer"),
    (place::HEADER, "header"),
    (place::RELATED, "related pages"),
    (place::PROMO | place::SHARE, "advertisements and sharing"),
    (place::HIDDEN, "hidden"),
    (place::ASIDE | place::SIDE, "beside the text"),
    (place::BYLINE | place::CAPTION, "bylines and captions"),
    (place::FORM, "forms"),
];

/// The words of a page by where they stand, kept and left out, largest first.
#[must_use]
pub fn word_shares(blocks: &Blocks, kept: &[usize]) -> Vec<WordShare> {
    let mut shares: Vec<WordShare> = Vec::new();
    for (at, block) in blocks.list.iter().enumerate() {
        let what = what(block);
        let place = shares.iter().position(|share| share.what == what).unwrap_or_else(|| {
            shares.push(WordShare { what, kept: 0, left_out: 0 });
            shares.len() - 1
        });
        let words = u64::from(block.words);
        match kept.binary_search(&at) {
            Ok(_) => shares[place].kept += words,
            Err(_) => shares[place].left_out += words,
        }
    }
    shares.sort_by_key(|share| std::cmp::Reverse(share.kept + share.left_out));
    shares
}

fn what(block: &Block) -> &'static str {
    let named = PLACES.iter().find(|(places, _)| block.is_in(*places)).map(|row| row.1);
    named.unwrap_or(if block.link_density() > 0.5 { "lists of links" } else { "text" })
}

#[cfg(test)]
mod tests {
    use super::super::blocks;
    use super::*;

    #[test]
    fn words_are_counted_by_where_they_stand() {
        let blocks = blocks("<nav>a b</nav><p>one two three</p><p>four</p><ul><li><a>x y</a></ul>");
        let share = |what, kept, left_out| WordShare { what, kept, left_out };
        assert_eq!(
            word_shares(&blocks, &[1]),
            [share("text", 3, 1), share("navigation", 0, 2), share("lists of links", 0, 2)]
        );
        assert_eq!(word_shares(&super::super::blocks(""), &[]), []);
    }
}
