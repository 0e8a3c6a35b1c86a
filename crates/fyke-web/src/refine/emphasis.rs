//! What stands out in the main text: bold, italic and marked words (003 §4.4, "document structure and
//! markup"), found in the same walk as the blocks.

use super::block::{BlockKind, Blocks};
use crate::html::{TagName, name};

const ELEMENTS: [TagName; 5] = [name("b"), name("i"), name("em"), name("strong"), name("mark")];

/// A longer stretch is the look of a page, not a word that stands out, in bytes.
const MOST_STRETCH: usize = 300;
/// Most stretches of a page, and most bytes of them all.
const MOST_STRETCHES: usize = 10_000;
const MOST_BYTES: usize = 20_000;

/// The stretches of a page's text that stand out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Emphasis {
    stretches: Vec<(usize, usize)>,
    /// Where the outermost open element begins in the text, and how many are open.
    start: usize,
    open: u32,
}

impl Emphasis {
    /// Whether this element makes its text stand out.
    #[inline]
    pub(super) fn is(name: TagName) -> bool {
        ELEMENTS.contains(&name)
    }

    pub(super) fn begin(&mut self, at: usize) {
        if self.open == 0 {
            self.start = at;
        }
        self.open += 1;
    }

    pub(super) fn end(&mut self, at: usize) {
        if self.open == 1 {
            self.end_all(at);
        }
        self.open = self.open.saturating_sub(1);
    }

    /// Ends what is open, as the end of a block does: an end tag that was forgotten ends there.
    pub(super) fn end_all(&mut self, at: usize) {
        let is_short = (1..=MOST_STRETCH).contains(&at.saturating_sub(self.start));
        if self.open > 0 && is_short && self.stretches.len() < MOST_STRETCHES {
            self.stretches.push((self.start, at));
        }
        self.open = 0;
    }
}

/// What stands out in these blocks, headings apart, one to a line.
pub(crate) fn emphasis(blocks: &Blocks, kept: &[usize]) -> String {
    let mut lines = String::new();
    let mut stretches = blocks.emphasis.stretches.iter().peekable();
    for block in kept.iter().filter_map(|&at| blocks.list.get(at)) {
        while stretches.next_if(|stretch| stretch.0 < block.start).is_some() {}
        while let Some(&(from, to)) = stretches.next_if(|stretch| stretch.0 < block.end) {
            let text = blocks.text.get(from..to.min(block.end)).unwrap_or_default().trim();
            let is_wanted = !matches!(block.kind, BlockKind::Heading(_))
                && text.contains(char::is_alphanumeric)
                && lines.len() + text.len() < MOST_BYTES;
            if is_wanted {
                lines.push_str(if lines.is_empty() { "" } else { "\n" });
                lines.push_str(text);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::blocks;
    use super::*;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        let blocks = blocks(html);
        let all: Vec<usize> = (0..blocks.list.len()).collect();
        assert_eq!(emphasis(&blocks, &all), expected, "{html}");
    }

    #[test]
    fn what_stands_out_is_found_once_and_ends_with_its_block() {
        check("<p>the <b>eel</b> and the <em>pike &amp; perch </em></p>", "eel\npike & perch");
        check("<p>an <b>old <i>grey</i> eel</b></p>", "old grey eel");
        check("<p>never <b>closed</p><p>so it ends</b> here</p>", "closed");
        check("<b><p>around a block</p></b><p>after</p>", "around a block");
        check("<h2>the <b>heading</b></h2><p><i class=icon></i><b>—</b> text</p>", "");
        check(&format!("<p><b>{}</b></p>", "long ".repeat(100)), "");
        check("</b></b><p>plain <mark>word</mark></p>", "word");
    }

    #[test]
    fn what_stands_out_beside_the_main_text_is_left_out() {
        let blocks = blocks("<p><b>one</b></p><p><b>two</b></p><p><b>three</b></p>");
        assert_eq!(emphasis(&blocks, &[0, 2]), "one\nthree");
        assert_eq!(emphasis(&blocks, &[]), "");
    }
}
