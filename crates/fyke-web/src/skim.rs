//! What a crawl reads of a capture while it runs: where it leads, and what decides whether a document will be
//! made of it. Content and anchor texts are passed by and not copied; who wants to know the page again, or to
//! judge it by its words, sees them on the way.

use crate::html::{TagName, name};
use crate::page::{Format, Note};
use crate::read::{Onlooker, OpenCapture, Outlink, Outlinks, Said};
use crate::{Url, fingerprint};
use fyke_text::fingerprint::{Fingerprint, PageWordHashes};
use fyke_text::words::{WordTaker, each_span};
use fyke_text::{OpenPiece, TextPart, TextPiece, TextPieces, each_word};

/// A capture that has been skimmed. Its members say what those of [`crate::Page`] say.
#[derive(Clone, Debug)]
pub struct Skim {
    pub format: Format,
    pub title: String,
    pub trouble: String,
    /// Those of [`crate::Page::links`], without their anchor texts.
    pub links: Vec<Outlink>,
    pub canonical: Option<Url>,
    pub noindex: bool,
    pub nofollow: bool,
    pub refresh: Option<Url>,
    /// Feeds that it names (`rel=alternate`).
    pub feeds: Vec<Url>,
    pub lists_pages: bool,
    pub notes: Vec<Note>,
    /// The pieces of its text, where its words were looked at. Of a page whose URL stands for a date, without
    /// dates and numbers.
    pub pieces: Vec<TextPiece>,
}

impl Skim {
    fn new(said: Said, links: Vec<Outlink>, pieces: Vec<TextPiece>) -> Skim {
        Skim {
            format: said.format,
            title: said.title,
            trouble: said.trouble,
            links,
            canonical: said.canonical,
            noindex: said.noindex,
            nofollow: said.nofollow,
            refresh: said.refresh,
            feeds: said.feeds,
            lists_pages: said.lists_pages,
            notes: said.notes,
            pieces,
        }
    }
}

/// A page that was skimmed while somebody looked at its words.
#[derive(Debug)]
pub struct SeenSkim {
    pub skim: Skim,
    pub fingerprint: Fingerprint,
    /// Which of the links met each of the page's links is: of those with one target, the first that has a name.
    pub order: Vec<u32>,
}

impl OpenCapture<'_> {
    /// Skims it. Never fails; trouble becomes notes.
    #[must_use]
    pub fn skim(self) -> Skim {
        let OpenCapture { capture, mut said, content } = self;
        let found = said.read(&capture.url, &content, &mut ());
        Skim::new(said, found.targets, Vec::new())
    }

    /// As [`OpenCapture::skim`], with the page's [`fingerprint`], for which a page of HTML is not scanned again.
    #[must_use]
    pub fn skim_with_fingerprint(self) -> (Skim, Fingerprint) {
        let OpenCapture { capture, mut said, content } = self;
        let (words, pieces) = (PageWordHashes::default(), pieces_of(&capture.url));
        let mut counted = CountedWords { content: &content, words, pieces };
        let found = said.read(&capture.url, &content, &mut counted);
        let (print, pieces) = printed(said.format, &content, (&counted.words, counted.pieces));
        (Skim::new(said, found.targets, pieces), print)
    }

    /// As [`OpenCapture::skim_with_fingerprint`], and `seer` is shown the links and the words of the page, and where
    /// blocks and headings begin and end: of markup, words of all links, the first 400 words outside them, and from
    /// there on those of every eighth piece of text, which are enough to judge it by; of the others their hashes, for
    /// those who want to know what stands near a link.
    #[must_use]
    pub fn skim_seen(self, seer: &mut impl SkimSeer) -> SeenSkim {
        let OpenCapture { capture, mut said, content } = self;
        let (words, pieces) = (PageWordHashes::default(), pieces_of(&capture.url));
        let mut shown = ShownWords { content: &content, seer, words, pieces, met: 0, shown: 0 };
        let Outlinks { targets, order, .. } = said.read(&capture.url, &content, &mut shown);
        let (print, pieces) = printed(said.format, &content, (&shown.words, shown.pieces));
        if matches!(said.format, Format::Text | Format::Xml) {
            each_word(&content, |hash, word| seer.see(SkimEvent::Word(hash, word)));
        }
        SeenSkim { skim: Skim::new(said, targets, pieces), fingerprint: print, order }
    }
}

/// The pieces of a page to come, by its URL.
fn pieces_of(url: &Url) -> TextPieces {
    TextPieces::new(url.is_dated())
}

/// The fingerprint of a page and its pieces. Those of markup were taken up while it was read; what is none is
/// one piece.
fn printed(
    format: Format,
    content: &str,
    (words, pieces): (&PageWordHashes, TextPieces),
) -> (Fingerprint, Vec<TextPiece>) {
    if let Format::Html | Format::Converted(_) = format {
        return (words.finish(), pieces.finish());
    }
    let print = fingerprint(format, content);
    let words = u16::try_from(print.words).unwrap_or(u16::MAX);
    let whole = TextPiece { hash: print.checksum as u32, words };
    (print, Some(whole).filter(|whole| whole.words > 0).into_iter().collect())
}

/// Takes up the words of a page.
#[derive(Debug)]
struct CountedWords<'a> {
    content: &'a str,
    words: PageWordHashes,
    pieces: TextPieces,
}

impl<'a> Onlooker<'a> for CountedWords<'a> {
    #[inline]
    fn text(&mut self, text: &'a str) {
        self.words.add_piece(TextPart::within(self.content, text), &mut self.pieces);
    }

    #[inline]
    fn anchor(&mut self, text: &'a str) {
        self.text(text);
    }

    #[inline]
    fn aside(&mut self, text: &'a str) {
        self.text(text);
    }
}

/// Words outside links that are shown all; of what follows, one piece of text of so many.
const SHOWN: u32 = 400;
const EVERY: u32 = 8;

/// What a reader of a page meets, word by word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkimEvent<'a> {
    /// A link begins …
    Link,
    /// … and ends.
    LinkEnd,
    /// A block of text begins or ends, or a heading.
    Block,
    Heading,
    HeadingEnd,
    /// The hash of a word that is passed by.
    Passed(u64),
    /// A word with its hash …
    Word(u64, &'a str),
    /// … of the link that was met last: of its anchor, or of what stands for an image there.
    Anchor(u64, &'a str),
}

/// Who is shown what is met on a page. A trait, so that what it does with a word can lie in the loop over words.
pub trait SkimSeer {
    fn see(&mut self, event: SkimEvent<'_>);
}

impl<F: FnMut(SkimEvent<'_>)> SkimSeer for F {
    #[inline(always)]
    fn see(&mut self, event: SkimEvent<'_>) {
        self(event);
    }
}

/// Takes up the words of a page and shows them.
struct ShownWords<'a, 's, S> {
    content: &'a str,
    seer: &'s mut S,
    words: PageWordHashes,
    pieces: TextPieces,
    /// Pieces of text outside links that were met, and words of them that were met.
    met: u32,
    shown: u32,
}

/// What begins or ends with an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    Nothing,
    Block,
    Heading,
}

impl Begins {
    #[inline]
    fn of(tag: TagName) -> Begins {
        if BLOCK_BITS >> slot(tag) & 1 == 0 {
            return Begins::Nothing;
        }
        // The packed letters of h1 to h6 follow each other.
        match (H1..=H6).contains(&tag) {
            true => Begins::Heading,
            false if BLOCKS.contains(&tag) => Begins::Block,
            false => Begins::Nothing,
        }
    }
}

const H1: TagName = name("h1");
const H6: TagName = name("h6");

/// Elements that begin a line of their own.
const BLOCKS: [TagName; 21] = [
    name("p"),
    name("li"),
    name("tr"),
    name("dt"),
    name("div"),
    name("br"),
    name("hr"),
    name("ul"),
    name("ol"),
    name("dl"),
    name("table"),
    name("blockquote"),
    name("pre"),
    // Headings; so that the bits below are those of all.
    name("h1"),
    name("h2"),
    name("h3"),
    name("h4"),
    name("h5"),
    name("h6"),
    name("head"),
    name("body"),
];

/// One of 64 places for each name: most of those that are not blocks are seen at one look.
const fn slot(tag: TagName) -> u32 {
    let halves = (tag ^ tag >> 64) as u64;
    (halves.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as u32
}

const BLOCK_BITS: u64 = {
    let (mut bits, mut at) = (0, 0);
    while at < BLOCKS.len() {
        bits |= 1 << slot(BLOCKS[at]);
        at += 1;
    }
    bits
};

/// Takes up the words of one piece of text.
struct ShownPiece<'a, 'p, S, E> {
    part: TextPart<'a>,
    seer: &'p mut S,
    words: &'p mut PageWordHashes,
    pieces: &'p TextPieces,
    piece: OpenPiece,
    /// As what a word is shown.
    event: E,
}

impl<'a, S, E> WordTaker for ShownPiece<'a, '_, S, E>
where
    S: SkimSeer,
    E: Fn(TextPart<'a>, u64, usize, usize) -> Option<SkimEvent<'a>>,
{
    #[inline(always)]
    fn take(&mut self, hash: u64, from: usize, to: usize) {
        self.words.push(hash);
        self.pieces.push(&mut self.piece, hash, self.part.byte(from));
        if let Some(event) = (self.event)(self.part, hash, from, to) {
            self.seer.see(event);
        }
    }
}

impl<'a, S: SkimSeer> ShownWords<'a, '_, S> {
    /// Reads a piece of text and shows its words as `event` has them.
    #[inline]
    fn read(
        &mut self,
        part: TextPart<'a>,
        event: impl Fn(TextPart<'a>, u64, usize, usize) -> Option<SkimEvent<'a>>,
    ) {
        if part.is_gap() {
            return;
        }
        let ShownWords { seer, words, pieces, .. } = self;
        let piece = OpenPiece::default();
        let mut shown = ShownPiece { part, seer: &mut **seer, words, pieces, piece, event };
        each_span(part, &mut shown);
        let piece = shown.piece;
        pieces.add(piece);
    }
}

impl<'a, S: SkimSeer> Onlooker<'a> for ShownWords<'a, '_, S> {
    #[inline]
    fn start(&mut self, tag: TagName) {
        match Begins::of(tag) {
            Begins::Nothing => {}
            Begins::Block => self.seer.see(SkimEvent::Block),
            Begins::Heading => self.seer.see(SkimEvent::Heading),
        }
    }

    #[inline]
    fn end(&mut self, tag: TagName) {
        match Begins::of(tag) {
            Begins::Nothing => {}
            Begins::Block => self.seer.see(SkimEvent::Block),
            Begins::Heading => self.seer.see(SkimEvent::HeadingEnd),
        }
    }

    fn open(&mut self) {
        self.seer.see(SkimEvent::Link);
    }

    fn close(&mut self, is_named: bool) -> bool {
        self.seer.see(SkimEvent::LinkEnd);
        is_named
    }

    #[inline]
    fn text(&mut self, text: &'a str) {
        let part = TextPart::within(self.content, text);
        self.met += 1;
        let before = self.words.count();
        match self.shown < SHOWN || self.met.is_multiple_of(EVERY) {
            true => self.read(part, |part, hash, from, to| {
                Some(SkimEvent::Word(hash, part.slice(from, to)))
            }),
            false => self
                .read(part, |_, hash, from, to| (to - from > 1).then_some(SkimEvent::Passed(hash))),
        }
        self.shown += self.words.count() - before;
    }

    #[inline]
    fn anchor(&mut self, text: &'a str) {
        let part = TextPart::within(self.content, text);
        self.read(part, |part, hash, from, to| Some(SkimEvent::Anchor(hash, part.slice(from, to))));
    }

    fn alternative(&mut self, text: &str) {
        each_word(text, |hash, word| self.seer.see(SkimEvent::Anchor(hash, word)));
    }

    #[inline]
    fn aside(&mut self, text: &'a str) {
        self.text(text);
        self.seer.see(SkimEvent::Block);
    }
}
