//! Names that a page gives itself outside its headings: what stands in elements named as a title, and the last
//! of its breadcrumbs.

use super::block::{Block, Blocks, place};

/// Names of a page that are looked at, and most words of one.
const MOST: usize = 3;
const MOST_WORDS: u32 = 30;
/// Where titles are those of other pages.
const AWAY: u32 = place::NAV
    | place::FOOTER
    | place::ASIDE
    | place::COMMENT
    | place::RELATED
    | place::PROMO
    | place::HIDDEN;

/// The texts of the first elements that are named as a title.
pub(crate) fn marked(blocks: &Blocks) -> Vec<String> {
    let is_marked = |block: &&Block| {
        block.words <= MOST_WORDS
            && block.link_words < block.words
            && !block.is_in(AWAY)
            && blocks.elements[block.element as usize].own & place::TITLE != 0
    };
    let found = blocks.list.iter().filter(is_marked).take(MOST);
    found.map(|block| blocks.text_of(block).to_owned()).collect()
}

/// The last of the first breadcrumbs; empty where there are none.
pub(crate) fn crumb(blocks: &Blocks) -> String {
    let is_crumb = |block: &&Block| block.is_in(place::CRUMB);
    let first = blocks.list.iter().skip_while(|block| !is_crumb(block));
    let last = first.take_while(is_crumb).last().filter(|block| block.words <= MOST_WORDS);
    let text = last.map_or("", |block| blocks.text_of(block));
    let text = text.trim_end_matches(is_arrow);
    text.rsplit(is_arrow).next().unwrap_or_default().trim().to_owned()
}

/// What stands between breadcrumbs, and spaces behind the last.
fn is_arrow(c: char) -> bool {
    matches!(c, '»' | '›' | '>' | '→' | '/' | '·' | '|')
}

#[cfg(test)]
mod tests {
    use super::super::blocks;
    use super::*;

    #[test]
    fn the_last_breadcrumb_is_the_page() {
        let check = |html: &str, expected: &str| {
            assert_eq!(crumb(&blocks(html)), expected, "{html}");
        };
        check("<ul class=breadcrumb><li><a href=/>Home</a><li>Eels</ul><p>text", "Eels");
        check(
            "<div class=breadcrumbs><a href=/>Home</a> » <a href=/f>Fish</a> » Eels</div>",
            "Eels",
        );
        check("<div class=breadcrumbs><a href=/>Home</a> » Eels »</div>", "Eels");
        check("<ul><li>Home<li>Eels</ul>", "");
    }

    #[test]
    fn what_is_named_as_a_title_is_a_name() {
        let page = "<div class=header><div class=title>Net Class Reference</div></div><p>text</p>\
                    <div class=related><div class=title>Others</div></div>";
        assert_eq!(marked(&blocks(page)), ["Net Class Reference"]);
    }
}
