//! What stands near each link of a page (002 §2, "the words found in the neighborhood of the corresponding
//! hyperlink"), taken up while the page is read: every word is kept as half its hash, and links are places among
//! them. So a page costs a number for each word, and a link costs nothing until somebody asks for its words.

/// Most words that are kept of a page; links behind them have no neighbourhood.
const MOST_KEPT: usize = 1 << 16;
/// Most words of an anchor, of a heading, and before a link or behind it.
const MOST_ANCHOR: u32 = 16;
const MOST_HEADING: u32 = 12;
const MOST_AROUND: u32 = 12;

/// From where to where.
type NearbyWord = (u32, u32);

/// Where a link stands among the words of its page.
#[derive(Clone, Copy, Debug, Default)]
struct LinkSpot {
    anchor: NearbyWord,
    heading: NearbyWord,
    /// Blocks that ended before the link began, and before it ended.
    blocks: NearbyWord,
    is_named: bool,
}

/// The words of a page and the links among them, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub struct Nearby {
    words: Vec<u32>,
    links: Vec<LinkSpot>,
    /// Where blocks end.
    blocks: Vec<u32>,
    heading: NearbyWord,
    /// Where the heading that is being read began.
    heading_start: Option<u32>,
    is_open: bool,
}

/// What stands near one link, as the upper halves of the words' hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Near<'a> {
    pub anchor: &'a [u32],
    /// In the same block.
    pub before: &'a [u32],
    pub after: &'a [u32],
    /// The heading above it.
    pub heading: &'a [u32],
    /// A keyword of the subject ends in its anchor.
    pub is_named: bool,
}

impl Nearby {
    fn here(&self) -> u32 {
        self.words.len() as u32
    }

    /// The next word of the page, by its hash.
    #[inline]
    pub fn word(&mut self, hash: u64) {
        if self.words.len() < MOST_KEPT {
            self.words.push((hash >> 32) as u32);
        }
    }

    /// A link begins …
    pub fn open(&mut self) {
        let (here, block) = (self.here(), self.blocks.len() as u32);
        let (anchor, blocks) = ((here, here), (block, block));
        self.links.push(LinkSpot { anchor, heading: self.heading, blocks, is_named: false });
        self.is_open = true;
    }

    /// … a keyword stands in its anchor …
    pub fn name(&mut self) {
        if let Some(link) = self.links.last_mut().filter(|_| self.is_open) {
            link.is_named = true;
        }
    }

    /// … and ends.
    pub fn close(&mut self) {
        let (here, block) = (self.here(), self.blocks.len() as u32);
        if let Some(link) = self.links.last_mut().filter(|_| self.is_open) {
            (link.anchor.1, link.blocks.1) = (here, block);
        }
        self.is_open = false;
    }

    /// A block of text begins or ends.
    #[inline]
    pub fn block(&mut self) {
        let here = self.here();
        // A link without words has a block of its own, too.
        let is_behind_link = || self.links.last().is_some_and(|link| link.anchor.1 == here);
        if self.blocks.last() != Some(&here) || is_behind_link() {
            self.blocks.push(here);
        }
    }

    /// A heading begins …
    pub fn heading(&mut self) {
        self.block();
        self.heading_start = Some(self.here());
    }

    /// … and ends.
    pub fn heading_end(&mut self) {
        if let Some(start) = self.heading_start.take() {
            self.heading = (start, self.here());
        }
        self.block();
    }

    /// What stands near a link, by the order in which they were met; nothing where there is none.
    #[must_use]
    pub fn of(&self, link: usize) -> Near<'_> {
        let Some(&LinkSpot { anchor, heading, blocks, is_named }) = self.links.get(link) else {
            return Near::default();
        };
        let words = |(from, to): NearbyWord| &self.words[from as usize..to as usize];
        let first = |(from, to): NearbyWord, most: u32| words((from, to.min(from + most)));
        let block = (blocks.0 as usize).checked_sub(1).map_or(0, |before| self.blocks[before]);
        let end = self.blocks.get(blocks.1 as usize).copied().unwrap_or(self.here());
        Near {
            anchor: first(anchor, MOST_ANCHOR),
            before: words((block.max(anchor.0.saturating_sub(MOST_AROUND)), anchor.0)),
            after: first((anchor.1, end.max(anchor.1)), MOST_AROUND),
            heading: first(heading, MOST_HEADING),
            is_named,
        }
    }

    /// Forgets the page; its room serves another.
    pub fn clear(&mut self) {
        self.words.clear();
        self.links.clear();
        self.blocks.clear();
        (self.heading, self.heading_start, self.is_open) = ((0, 0), None, false);
    }

    /// Words that it has room for.
    #[must_use]
    pub fn room(&self) -> usize {
        self.words.capacity().max(self.links.capacity())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::each_word;

    /// Reads a page written as words, with `[` and `]` around links, `{` and `}` around headings and `/`
    /// between blocks; a word in capitals is a keyword.
    fn read(page: &str) -> Nearby {
        let mut nearby = Nearby::default();
        for piece in page.split_inclusive(['[', ']', '{', '}', '/']) {
            each_word(piece, |hash, word| {
                nearby.word(hash);
                if word.starts_with(char::is_uppercase) {
                    nearby.name();
                }
            });
            match piece.as_bytes().last() {
                Some(b'[') => nearby.open(),
                Some(b']') => nearby.close(),
                Some(b'{') => nearby.heading(),
                Some(b'}') => nearby.heading_end(),
                Some(b'/') => nearby.block(),
                _ => {}
            }
        }
        nearby
    }

    /// Checks the last link: anchor, before, after, heading.
    fn check(page: &str, expected: [&str; 4]) {
        let nearby = read(page);
        let found = nearby.of(nearby.links.len() - 1);
        let numbers = |text: &str| {
            let mut numbers = Vec::new();
            each_word(text, |hash, _| numbers.push((hash >> 32) as u32));
            numbers
        };
        let found = [found.anchor, found.before, found.after, found.heading];
        assert_eq!(found.map(<[u32]>::to_vec), expected.map(numbers), "{page}");
    }

    #[test]
    fn a_link_stands_between_the_words_of_its_block_under_a_heading() {
        check("see [the eel] there", ["the eel", "see", "there", ""]);
        check("{fish} all / an [eel] long / more", ["eel", "an", "long", "fish"]);
        check("{old} a {new} [b]", ["b", "", "", "new"]);
        check("[x] and [y] or [z]", ["z", "x and y or", "", ""]);
        check("a [b / c] d", ["b c", "a", "d", ""]);
        check("a / [] / b", ["", "", "", ""]);
        check("a {b [c] d} e", ["c", "b", "d", ""]);
    }

    #[test]
    fn what_is_near_is_bounded() {
        let many = "word ".repeat(100);
        let nearby = read(&format!("{{{many}}} {many} [{many}] {many}"));
        let near = nearby.of(0);
        let lengths = [near.anchor, near.before, near.after, near.heading].map(<[u32]>::len);
        assert_eq!(
            lengths,
            [MOST_ANCHOR, MOST_AROUND, MOST_AROUND, MOST_HEADING].map(|n| n as usize)
        );
        assert_eq!(nearby.of(1), Near::default());
        let nearby = read(&format!("{} [a]", "word ".repeat(MOST_KEPT)));
        assert!(nearby.of(0).anchor.is_empty());
    }

    #[test]
    fn a_keyword_names_the_link_in_which_it_stands_and_nothing_is_left_for_the_next_page() {
        let mut nearby = read("Bees [a] [Bees b] Bees [c]");
        assert_eq!([0, 1, 2].map(|link| nearby.of(link).is_named), [false, true, false]);
        nearby.clear();
        assert_eq!(nearby.of(0), Near::default());
    }
}
