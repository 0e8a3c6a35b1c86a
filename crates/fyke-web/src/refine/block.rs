//! Blocks: the pieces of text that a reader sees apart (paragraphs, headings, items, cells), with
//! what is needed to tell content from noise.

/// What kind of piece a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    Paragraph,
    /// h1 to h6.
    Heading(u8),
    Item,
    /// A term of a list of definitions, and what is said of it.
    Term,
    Definition,
    Cell,
    /// Text whose lines and spaces count: code, output.
    Pre,
    Caption,
    /// Text straight inside a container.
    Other,
}

/// Where a block stands: bits, since places nest.
pub(crate) mod place {
    pub(crate) const NAV: u32 = 1;
    pub(crate) const HEADER: u32 = 1 << 1;
    pub(crate) const FOOTER: u32 = 1 << 2;
    /// Beside the content by its element.
    pub(crate) const ASIDE: u32 = 1 << 3;
    /// Beside the content by a word in class or id.
    pub(crate) const SIDE: u32 = 1 << 4;
    pub(crate) const COMMENT: u32 = 1 << 5;
    pub(crate) const MAIN: u32 = 1 << 6;
    pub(crate) const ARTICLE: u32 = 1 << 7;
    /// Not seen by a reader: its text is passed over.
    pub(crate) const SKIP: u32 = 1 << 8;
    /// The place was told by a word in class or id, which may mislead.
    pub(crate) const HINTED: u32 = 1 << 9;
    /// Leads to other pages: related, recommended, most read.
    pub(crate) const RELATED: u32 = 1 << 10;
    /// Advertisements, subscriptions, sign-ups.
    pub(crate) const PROMO: u32 = 1 << 11;
    /// Buttons to share.
    pub(crate) const SHARE: u32 = 1 << 12;
    /// Who wrote it and when.
    pub(crate) const BYLINE: u32 = 1 << 13;
    /// Text about a picture.
    pub(crate) const CAPTION: u32 = 1 << 14;
    /// Named as the body of the content.
    pub(crate) const BODY: u32 = 1 << 15;
    /// Named as a title.
    pub(crate) const TITLE: u32 = 1 << 16;
    /// Goods: price, cart, specification.
    pub(crate) const PRODUCT: u32 = 1 << 17;
    /// A contribution to a thread.
    pub(crate) const POST: u32 = 1 << 18;
    /// In a form.
    pub(crate) const FORM: u32 = 1 << 19;
    /// Quoted.
    pub(crate) const QUOTE: u32 = 1 << 20;
    /// In a table.
    pub(crate) const TABLE: u32 = 1 << 21;
    /// In a list.
    pub(crate) const LIST: u32 = 1 << 22;
    /// In a figure.
    pub(crate) const FIGURE: u32 = 1 << 23;
    /// Named as documentation.
    pub(crate) const DOCS: u32 = 1 << 24;
    /// Lines and spaces count.
    pub(crate) const PRE: u32 = 1 << 25;
    /// For browsers without scripts: passed over, and counted.
    pub(crate) const UNREAD: u32 = 1 << 26;
    /// Not shown by a browser until something is clicked: a tab, a fold.
    pub(crate) const HIDDEN: u32 = 1 << 27;
    /// Where the page stands in its site, step by step.
    pub(crate) const CRUMB: u32 = 1 << 28;
    /// Beside the content in one way or another.
    pub(crate) const BESIDE: u32 = ASIDE | SIDE | RELATED | PROMO | SHARE | BYLINE | CAPTION;
    /// Anything that is not content.
    pub(crate) const NOISE: u32 = NAV | HEADER | FOOTER | BESIDE | COMMENT | HIDDEN;
}

/// Words outside links from which on a block is running text.
const SENTENCE: f64 = 12.0;

/// A piece of text.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Byte range in the text of all blocks.
    pub start: usize,
    pub end: usize,
    pub kind: BlockKind,
    pub words: u32,
    /// Those of the words that are link text.
    pub link_words: u32,
    /// Tags between the block before and this one.
    pub tags_before: u32,
    /// Tags inside it.
    pub tags_inside: u32,
    /// Those of either that only shape text: fonts, headings, tables.
    pub shaping_before: u32,
    pub shaping_inside: u32,
    pub(crate) places: u32,
    /// Number of the outermost article it stands in, 0 for none.
    pub(crate) article: u32,
    /// Place of its innermost element in the list of all.
    pub(crate) element: u32,
    /// Number of the row of a table that it stands in, 0 for none.
    pub(crate) row: u32,
    /// How many lists are around it.
    pub(crate) lists: u8,
    /// The item of a list that it stands in, counted over the page, and its number in an ordered list; 0 for none.
    pub(crate) item: u32,
    pub(crate) number: u32,
}

impl Block {
    /// Share of the words that are link text.
    #[must_use]
    pub fn link_density(&self) -> f64 {
        f64::from(self.link_words) / f64::from(self.words.max(1))
    }

    /// Words outside links.
    pub(crate) fn plain(&self) -> f64 {
        f64::from(self.words.saturating_sub(self.link_words))
    }

    /// Whether it is as long as a sentence.
    pub(crate) fn is_sentence(&self) -> bool {
        self.plain() >= SENTENCE
    }

    /// Whether it stands where readers comment.
    #[must_use]
    pub fn is_comment(&self) -> bool {
        self.is_in(place::COMMENT)
    }

    pub(crate) fn is_in(&self, places: u32) -> bool {
        self.places & places != 0
    }
}

/// An element that has text in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    /// Place of the element around it; the ground is around itself.
    pub(crate) parent: u32,
    pub(crate) depth: u32,
    /// What its own name, class, id and role say.
    pub(crate) own: u32,
    /// The same for elements of the same name and class inside such elements.
    pub(crate) path: u64,
}

/// All places inside an element that opens some itself. What is named as the main part is content, whatever the
/// elements around it are called.
pub(crate) fn inside(around: u32, own: u32) -> u32 {
    let is_main = own & place::MAIN != 0;
    own | if is_main { around & !place::NOISE } else { around }
}

/// An element that is noise by its id alone.
#[derive(Clone, Debug)]
pub(crate) struct PartById {
    /// Its place in the list of elements, and that of its first block.
    pub(crate) element: u32,
    pub(crate) block: usize,
    /// The places that its id tells.
    pub(crate) by_id: u32,
    pub(crate) id: String,
}

/// The blocks of a page in document order.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// Their texts, a block a line.
    pub text: String,
    pub list: Vec<Block>,
    /// Elements with text in them, each after the one around it; the first is the ground.
    pub(crate) elements: Vec<Element>,
    /// What of the text stands out.
    pub(crate) emphasis: super::Emphasis,
    pub(crate) link_titles: super::LinkTitles,
    pub(crate) links: super::TextLinks,
    /// By block, ascending: the anchors of headings and terms, and the languages of code.
    pub(crate) anchors: Vec<(u32, String)>,
    pub(crate) languages: Vec<(u32, String)>,
    pub(crate) by_id: Vec<PartById>,
    /// What the page says it is for.
    pub(crate) declared: Option<super::Genre>,
    /// It says when it was published, and who wrote it.
    pub(crate) is_dated: bool,
    pub(crate) is_signed: bool,
}

impl Blocks {
    /// The sort of element that a block stands in.
    pub(crate) fn path_of(&self, block: &Block) -> u64 {
        self.elements.get(block.element as usize).map_or(0, |element| element.path)
    }

    /// Adds to what each element holds all that the elements inside it hold.
    pub(crate) fn add_up<T: Copy>(&self, held: &mut [T], add: impl Fn(&mut T, T)) {
        for at in (1..self.elements.len().min(held.len())).rev() {
            let inside = held[at];
            add(&mut held[self.elements[at].parent as usize], inside);
        }
    }

    /// The name by which a link leads to a block; empty when it has none.
    pub(crate) fn anchor_of(&self, at: usize) -> &str {
        named(&self.anchors, at)
    }

    /// The language that a block of code says it is in; empty when it says none.
    pub(crate) fn language_of(&self, at: usize) -> &str {
        named(&self.languages, at)
    }

    /// The text of a block.
    #[must_use]
    pub fn text_of(&self, block: &Block) -> &str {
        self.text.get(block.start..block.end).unwrap_or_default()
    }
}

fn named(list: &[(u32, String)], at: usize) -> &str {
    let found = list.binary_search_by_key(&at, |(block, _)| *block as usize);
    found.map_or("", |found| list[found].1.as_str())
}

/// Words of a folded text: runs between spaces; in scripts without spaces, two characters a word.
pub(crate) fn count_words(text: &str) -> u32 {
    let bytes = text.trim_ascii().as_bytes();
    if bytes.is_empty() {
        return 0;
    }
    let gaps = match memchr::memchr(b'\n', bytes) {
        None => memchr::memchr_iter(b' ', bytes).count(),
        // Where lines count, so do all their spaces.
        Some(_) => bytes.windows(2).filter(|two| two[0] > b' ' && two[1] <= b' ').count(),
    };
    // E3 to E9 open the characters of kana and Han.
    let dense = bytes.iter().filter(|b| (0xE3..=0xE9).contains(*b)).count();
    u32::try_from(gaps + 1 + dense / 2).unwrap_or(u32::MAX)
}
