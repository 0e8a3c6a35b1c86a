//! The shape of a main text: which stretch of it is a heading, a paragraph, an item, a cell, code. It is kept with the
//! text, so that what a reader sees on the page is seen again in exports, on the site, and in a hit that names its section.

mod html;
mod markdown;
mod pieces;
mod xml;

pub use html::html;
pub use markdown::markdown;
pub(crate) use pieces::shaped;
use xml::annotated_xml;
pub use xml::xml;

use crate::document::Content;
use crate::refine::{Blocks, TextLink};
use crate::{Document, Url};
use serde::{Deserialize, Serialize};

/// The level of a term that is defined, below all headings.
pub const TERM_LEVEL: u8 = 7;
/// Pieces among which the next block is looked for: a rule may have cut one so that no block is like it.
const AHEAD: usize = 4;

/// A piece of a text. It begins one byte (a line end, or a tab between cells of a row) behind the end of the one
/// before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Where it ends in the text, in bytes.
    pub end: u32,
    pub kind: PieceKind,
}

/// What a piece is. The numbers of the variants are on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PieceKind {
    Paragraph,
    /// With its level, 1 to 6, and the name by which a link leads to it; empty when it has none.
    Heading {
        level: u8,
        anchor: String,
    },
    /// The beginning of an item of a list that stands in so many lists, with its number in an ordered one, else 0.
    Item {
        lists: u8,
        number: u32,
    },
    /// A further paragraph of an item.
    More {
        lists: u8,
    },
    /// A term that is defined.
    Term {
        anchor: String,
    },
    Definition,
    /// A cell of a table; cells of one row follow one another, the first opens it.
    Cell {
        opens_row: bool,
    },
    /// Lines as they stand, in a language; empty when it is not told.
    Code {
        language: String,
    },
    Quote,
    Caption,
}

/// A part of a text that can be named and linked to: it reaches to the next one of its level or above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'a> {
    /// Where its heading begins in the text, in bytes.
    pub start: usize,
    /// 1 to 6 of a heading, [`TERM_LEVEL`] of a term that is defined and can be linked to.
    pub level: u8,
    pub heading: &'a str,
    /// The fragment of a link to it (`page.html#anchor`); empty when there is none.
    pub anchor: &'a str,
}

/// A piece of a text with what it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldPiece<'a> {
    /// Where it begins in the text, in bytes.
    pub(crate) start: usize,
    pub(crate) text: &'a str,
    pub(crate) kind: &'a PieceKind,
}

impl<'a> HeldPiece<'a> {
    /// Its text in runs, each with where it leads if it is a link. Code has none.
    fn runs(&self, links: &'a [TextLink]) -> Vec<(&'a str, Option<&'a str>)> {
        let (mut runs, mut at) = (Vec::new(), self.start);
        let end = self.start + self.text.len();
        let first = links.partition_point(|link| (link.from as usize) < self.start);
        let inside = links[first..].iter().take_while(|link| (link.from as usize) < end);
        let is_code = matches!(self.kind, PieceKind::Code { .. });
        for link in inside.filter(|_| !is_code) {
            let (from, to) = ((link.from as usize).max(at), (link.to as usize).min(end));
            let Some(text) = self.between(from, to).filter(|text| !text.trim().is_empty()) else {
                continue;
            };
            let from = from + text.len() - text.trim_start().len();
            let text = text.trim();
            runs.extend(self.between(at, from).filter(|text| !text.is_empty()).map(|t| (t, None)));
            runs.push((text, Some(link.url.as_str())));
            at = from + text.len();
        }
        runs.extend(self.between(at, end).filter(|text| !text.is_empty()).map(|t| (t, None)));
        runs
    }

    /// A part of it, by places in the whole text.
    fn between(&self, from: usize, to: usize) -> Option<&'a str> {
        self.text.get(from.checked_sub(self.start)?..to.checked_sub(self.start)?)
    }
}

/// The pieces of a text. A text without a shape is paragraphs, a line each.
pub(crate) fn pieces<'a>(text: &'a str, shape: &'a [Piece]) -> Vec<HeldPiece<'a>> {
    const PARAGRAPH: &PieceKind = &PieceKind::Paragraph;
    let mut found = Vec::with_capacity(shape.len());
    let mut start = 0;
    for piece in shape {
        let end = piece.end as usize;
        let held = text.get(start..end).unwrap_or_default();
        found.push(HeldPiece { start, text: held, kind: &piece.kind });
        start = end + 1;
    }
    for line in text.get(start..).into_iter().flat_map(str::lines) {
        found.push(HeldPiece { start, text: line, kind: PARAGRAPH });
        start += line.len() + 1;
    }
    found
}

/// A text as Markdown, under its title.
fn titled(title: &str, (text, shape): (&str, &[Piece]), links: &[TextLink]) -> String {
    let whole = markdown(text, shape, links);
    let is_titled =
        shape.iter().take(3).any(|piece| matches!(piece.kind, PieceKind::Heading { level: 1, .. }));
    if is_titled || title.is_empty() {
        return whole;
    }
    let heading = PieceKind::Heading { level: 1, anchor: String::new() };
    let title = markdown(title, &[Piece { end: title.len() as u32, kind: heading }], &[]);
    if whole.is_empty() { title } else { format!("{title}\n\n{whole}") }
}

/// A text as an XML document, with what is known of it.
fn with_facts(facts: [(&str, &str); 6], body: &str) -> String {
    let mut out = "<doc".to_owned();
    for (name, value) in facts.into_iter().filter(|(_, value)| !value.is_empty()) {
        out.push_str(&format!(" {name}=\"{}\"", crate::escape::escape(value)));
    }
    format!("{out}>\n{body}</doc>")
}

/// The sections of a text, in order.
fn sections<'a>(text: &'a str, shape: &'a [Piece]) -> Vec<Section<'a>> {
    let section = |HeldPiece { start, text, kind }| {
        let (level, anchor) = match kind {
            PieceKind::Heading { level, anchor } => (*level, anchor.as_str()),
            PieceKind::Term { anchor } if !anchor.is_empty() => (TERM_LEVEL, anchor.as_str()),
            _ => return None,
        };
        Some(Section { start, level, heading: text, anchor })
    };
    pieces(text, shape).into_iter().filter_map(section).collect()
}

impl Document {
    /// Its text as Markdown, under its title.
    #[must_use]
    pub fn markdown(&self) -> String {
        titled(&self.title, (&self.text, &self.shape), &self.links)
    }

    /// Its text as an XML document, with what is known of it.
    #[must_use]
    pub fn xml(&self) -> String {
        let facts = [
            ("url", self.url.as_str()),
            ("title", &self.title),
            ("author", &self.author),
            ("date", &self.date),
            ("site", &self.site),
            ("language", &self.language),
        ];
        with_facts(facts, &xml(&self.text, &self.shape))
    }

    /// The sections of its text, in order.
    #[must_use]
    pub fn sections(&self) -> Vec<Section<'_>> {
        sections(&self.text, &self.shape)
    }

    /// Which blocks of its page its text is made of, whether it was found or chosen by a rule.
    #[must_use]
    pub fn kept_of(&self, blocks: &Blocks) -> Vec<usize> {
        let pieces = pieces(&self.text, &self.shape);
        let mut next = 0;
        let is_next = |at: &usize| {
            let text = blocks.text_of(&blocks.list[*at]);
            let ahead = &pieces[next..pieces.len().min(next + AHEAD)];
            let found = ahead.iter().position(|piece| piece.text == text);
            next += found.map_or(0, |found| found + 1);
            found.is_some()
        };
        (0..blocks.list.len()).filter(is_next).collect()
    }
}

/// The same of content, of which nothing is computed that nobody asks for.
impl Content {
    #[must_use]
    pub fn markdown(&self, url: &Url) -> String {
        titled(&self.title, (&self.text, &self.shape), &self.links.resolved(url))
    }

    /// With its URL, and the language that it is in.
    #[must_use]
    pub fn xml(&self, url: &str, language: &str) -> String {
        self.with_facts(url, language, &xml(&self.text, &self.shape))
    }

    /// As [`Content::xml`], and its entities are marked.
    #[must_use]
    pub fn annotated_xml(&self, url: &str, language: &str) -> String {
        self.with_facts(url, language, &annotated_xml(&self.text, &self.shape))
    }

    fn with_facts(&self, url: &str, language: &str, body: &str) -> String {
        let facts = [
            ("url", url),
            ("title", &self.title),
            ("author", &self.author),
            ("date", &self.date),
            ("site", &self.site),
            ("language", language),
        ];
        with_facts(facts, body)
    }

    #[must_use]
    pub fn sections(&self) -> Vec<Section<'_>> {
        sections(&self.text, &self.shape)
    }
}
