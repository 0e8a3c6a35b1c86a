//! Blocks: the pieces of text that a reader sees apart (paragraphs, headings, items, cells), with
//! what is needed to tell content from noise.

/// What kind of piece a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Paragraph,
    /// h1 to h6.
    Heading(u8),
    Item,
    Cell,
    Pre,
    Caption,
    /// Text straight inside a container.
    Other,
}

/// Where a block stands: bits, since places nest.
pub(crate) mod place {
    pub(crate) const NAV: u16 = 1;
    pub(crate) const HEADER: u16 = 2;
    pub(crate) const FOOTER: u16 = 4;
    /// Beside the content by its element.
    pub(crate) const ASIDE: u16 = 8;
    /// Beside the content by a word in class or id.
    pub(crate) const SIDE: u16 = 16;
    pub(crate) const COMMENT: u16 = 32;
    pub(crate) const MAIN: u16 = 64;
    pub(crate) const ARTICLE: u16 = 128;
    /// Not seen by a reader: its text is passed over.
    pub(crate) const SKIP: u16 = 256;
    /// The place was told by a word in class or id, which may mislead.
    pub(crate) const HINTED: u16 = 512;
    /// Anything that is not content.
    pub(crate) const NOISE: u16 = NAV | HEADER | FOOTER | ASIDE | SIDE | COMMENT;
}

/// A piece of text.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Byte range in the text of all blocks.
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
    pub words: u32,
    /// Those of the words that are link text.
    pub link_words: u32,
    /// Tags between the block before and this one.
    pub tags_before: u32,
    /// Tags inside it.
    pub tags_inside: u32,
    pub(crate) places: u16,
    /// Number of the outermost article it stands in, 0 for none.
    pub(crate) article: u32,
}

impl Block {
    /// Share of the words that are link text.
    #[must_use]
    pub fn link_density(&self) -> f64 {
        f64::from(self.link_words) / f64::from(self.words.max(1))
    }

    pub(crate) fn is_in(&self, places: u16) -> bool {
        self.places & places != 0
    }
}

/// The blocks of a page in document order.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// Their texts, a block a line.
    pub text: String,
    pub list: Vec<Block>,
}

impl Blocks {
    /// The text of a block.
    #[must_use]
    pub fn text_of(&self, block: &Block) -> &str {
        self.text.get(block.start..block.end).unwrap_or_default()
    }
}

/// Words of a folded text: runs between spaces; in scripts without spaces, two characters a word.
pub(crate) fn count_words(text: &str) -> u32 {
    let bytes = text.trim_ascii().as_bytes();
    if bytes.is_empty() {
        return 0;
    }
    let spaces = memchr::memchr_iter(b' ', bytes).count();
    // E3 to E9 open the characters of kana and Han.
    let dense = bytes.iter().filter(|b| (0xE3..=0xE9).contains(*b)).count();
    u32::try_from(spaces + 1 + dense / 2).unwrap_or(u32::MAX)
}
