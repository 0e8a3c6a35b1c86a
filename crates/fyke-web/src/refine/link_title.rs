//! Titles of links (`<a title="…">`) in the main text: what the author says of a target beside the link's own words.

use super::block::{Blocks, place};
use crate::html::{folded, value_of};

/// Longest title, most of a page, and most bytes of them all.
const LONGEST: usize = 200;
const MOST: usize = 2_000;
const MOST_BYTES: usize = 20_000;

/// The titles of a page's links, by where the link begins in the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkTitles(Vec<(usize, String)>);

impl LinkTitles {
    /// Takes up a link that begins here, unless it stands where nothing is content.
    pub(super) fn begin(&mut self, title: Option<&str>, at: usize, places: u32) {
        if places & (place::NOISE | place::SKIP) != 0 || self.0.len() >= MOST {
            return;
        }
        let title = title.map(value_of).filter(|title| title.len() <= LONGEST);
        let title = title.map(|title| folded(&title, LONGEST)).filter(|title| !title.is_empty());
        self.0.extend(title.map(|title| (at, title)));
    }
}

/// The titles of links in these blocks that say more than the block does, one to a line, each once.
pub(crate) fn link_titles(blocks: &Blocks, kept: &[usize]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut bytes = 0;
    let mut titles = blocks.link_titles.0.iter().peekable();
    for block in kept.iter().filter_map(|&at| blocks.list.get(at)) {
        while titles.next_if(|title| title.0 < block.start).is_some() {}
        while let Some((_, title)) = titles.next_if(|title| title.0 < block.end) {
            let is_new =
                !blocks.text_of(block).contains(title.as_str()) && !lines.contains(&&**title);
            if is_new && bytes + title.len() < MOST_BYTES {
                bytes += title.len() + 1;
                lines.push(title);
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::blocks;
    use super::*;

    #[test]
    fn titles_that_say_more_than_the_link_are_kept_once() {
        let check = |html: &str, kept: &[usize], expected: &str| {
            assert_eq!(link_titles(&blocks(html), kept), expected, "{html}");
        };
        let page = "<p>an <a href=/e title='Anguilla  &amp; kin'>eel</a>, <a href=/p title=pike>pike</a></p>\
                    <p><a title='Anguilla &amp; kin' href=/e>again</a></p><nav><a title=Home href=/>x</a></nav>";
        check(page, &[0, 1], "Anguilla & kin");
        check(page, &[1], "Anguilla & kin");
        check(page, &[2], "");
        check(&format!("<p><a title='{}'>x</a></p>", "y".repeat(LONGEST + 1)), &[0], "");
    }
}
