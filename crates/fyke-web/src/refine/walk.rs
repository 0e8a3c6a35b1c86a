//! From markup to blocks: a walk over the tokens, for each kind of content.

use super::block::Blocks;
use super::build::{BlockBuilder, Reveal};
use super::{chapter, stream};
use crate::html::{HtmlToken, Scanner, name};
use crate::metadata::Gatherer;
use crate::{Unseen, unseen};

/// Text in `noscript` that may be the content, in bytes.
const MUCH_UNREAD: usize = 200;

const A: u128 = name("a");
const SECTION: u128 = name("section");
const TD: u128 = name("td");
const TH: u128 = name("th");
const TR: u128 = name("tr");

/// The blocks of a page, and what it says of itself. What stands in `noscript` is read where it is more than all
/// the rest: a page that a script makes.
pub(crate) fn of_html(content: &str) -> (Blocks, Gatherer) {
    of_html_seen(content, |_| {})
}

/// The same; `see` is shown every piece of the page.
pub(crate) fn of_html_seen(content: &str, see: impl FnMut(&HtmlToken<'_>)) -> (Blocks, Gatherer) {
    let content = &*stream::assembled(content);
    let unseen = unseen(content);
    let (walk, gatherer) = walked((content, &unseen), Reveal::default(), see);
    let is_hidden = walk.unread >= MUCH_UNREAD && walk.unread > walk.blocks.text.len();
    let (walk, gatherer) = match is_hidden {
        true => walked((content, &unseen), Reveal { noscript: true }, |_| {}),
        false => (walk, gatherer),
    };
    let mut blocks = walk.blocks;
    blocks.declared = gatherer.declared();
    (blocks.is_dated, blocks.is_signed) = (gatherer.tells_date(), gatherer.tells_author());
    chapter::correct(&mut blocks);
    (blocks, gatherer)
}

fn walked<'a>(
    (content, unseen): (&'a str, &Unseen),
    reveal: Reveal,
    mut see: impl FnMut(&HtmlToken<'_>),
) -> (BlockBuilder<'a>, Gatherer) {
    let mut walk = BlockBuilder::new(reveal);
    let mut gatherer = Gatherer::of(content);
    walk.blocks.text.reserve(content.len() / 4);
    let has_unseen = !unseen.is_empty();
    let mut scanner = Scanner::new(content);
    while let Some(token) = scanner.next() {
        see(&token);
        match token {
            HtmlToken::Text(text)
                if has_unseen && unseen.is_hidden(scanner.place() - text.len()) => {}
            HtmlToken::Start(tag) => {
                gatherer.start(&tag);
                walk.start(&tag);
            }
            HtmlToken::End(name) => {
                gatherer.end(name);
                walk.end(name);
            }
            HtmlToken::Text(text) | HtmlToken::Cdata(text) => {
                gatherer.text(text);
                walk.text(text);
            }
            HtmlToken::Raw(name, text) => gatherer.raw(name, text),
        }
    }
    walk.finish();
    (walk, gatherer)
}

/// The blocks of XML: the text of every element, a block each; nothing is known to be noise.
pub(crate) fn of_xml(content: &str) -> Blocks {
    let mut walk = BlockBuilder::new(Reveal::default());
    for token in Scanner::xml(content) {
        match token {
            HtmlToken::Start(_) | HtmlToken::End(_) => walk.finish(),
            HtmlToken::Text(text) | HtmlToken::Cdata(text) => walk.text(text),
            HtmlToken::Raw(..) => {}
        }
    }
    walk.finish();
    walk.blocks
}

/// The blocks of the simple markup that formats become, and where their pages begin in the text. A
/// row of a table is one block, its cells apart by tabs.
pub(crate) fn of_markup(content: &str) -> (Blocks, Vec<u32>) {
    let mut walk = BlockBuilder::new(Reveal::default());
    let mut pages = Vec::new();
    let (mut cells, mut is_first) = (0_u32, true);
    for token in Scanner::new(content) {
        match token {
            HtmlToken::Start(tag) if matches!(tag.name, TD | TH) => {
                walk.cell(is_first);
                (cells, is_first) = (cells + 1, false);
            }
            HtmlToken::End(TD | TH) => cells = cells.saturating_sub(1),
            HtmlToken::End(TR) => walk.end_row(),
            HtmlToken::Start(tag) if tag.name == TR => {
                walk.end_row();
                is_first = true;
            }
            // What would be paragraphs elsewhere stands in one line inside a cell.
            HtmlToken::Start(tag) if cells > 0 && tag.name != A => walk.gap(),
            HtmlToken::End(name) if cells > 0 && name != A => walk.gap(),
            HtmlToken::Start(tag) => {
                walk.start(&tag);
                if tag.name == SECTION && tag.attribute("data-page").is_some() {
                    pages.push(u32::try_from(walk.start).unwrap_or(u32::MAX));
                }
            }
            HtmlToken::End(name) => walk.end(name),
            HtmlToken::Text(text) | HtmlToken::Cdata(text) => walk.text(text),
            HtmlToken::Raw(..) => {}
        }
    }
    walk.finish();
    (walk.blocks, pages)
}

/// The blocks of plain text: paragraphs between empty lines.
pub(crate) fn of_text(content: &str) -> Blocks {
    let mut walk = BlockBuilder::new(Reveal::default());
    for line in content.lines() {
        if line.trim().is_empty() {
            walk.finish();
        } else {
            // Ampersands of plain text are ampersands.
            for word in line.split_whitespace() {
                walk.word(word);
            }
        }
    }
    walk.finish();
    walk.blocks
}
