//! From markup to blocks: a walk over the tokens with a stack of the open block elements. No tree
//! is built; end tags that were left out or that fit nothing are dealt with as browsers do,
//! roughly.

use super::block::{Block, BlockKind, Blocks, Element, count_words, place};
use super::{Emphasis, element, hint};
use crate::html::{HtmlToken, Scanner, Tag, fold_into, name};
use crate::metadata::Gatherer;

/// Deepest nesting that is followed; deeper elements count as part of their parents.
const MOST_DEPTH: usize = 128;
/// Most blocks of a page; more text than that joins the last one.
const MOST_BLOCKS: usize = 200_000;

const A: u128 = name("a");
const BR: u128 = name("br");
const SECTION: u128 = name("section");
const TD: u128 = name("td");
const TH: u128 = name("th");
const TR: u128 = name("tr");

/// An open element.
#[derive(Clone, Copy)]
struct Open {
    name: u128,
    kind: BlockKind,
    /// All places it stands in, and those that it opens itself.
    places: u32,
    own: u32,
    article: u32,
    path: u64,
    /// Its place in the list of elements, once there is text in it.
    number: Option<u32>,
}

const GROUND: Open =
    Open { name: 0, kind: BlockKind::Other, places: 0, own: 0, article: 0, path: 0, number: None };

struct BlockWalk {
    blocks: Blocks,
    open: Vec<Open>,
    /// Block elements opened beyond the deepest nesting.
    beyond: usize,
    articles: u32,
    /// Where the block now built begins in the text.
    start: usize,
    link_words: u32,
    /// Where the open link begins in the text.
    link: Option<usize>,
    tags_before: u32,
    tags_inside: u32,
    breaks: u32,
}

/// The blocks of a page, and what it says of itself.
pub(crate) fn of_html(content: &str) -> (Blocks, Gatherer) {
    let mut walk = BlockWalk::new();
    let mut gatherer = Gatherer::default();
    walk.blocks.text.reserve(content.len() / 4);
    for token in Scanner::new(content) {
        match token {
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
    walk.blocks.declared = gatherer.declared();
    (walk.blocks, gatherer)
}

/// The blocks of XML: the text of every element, a block each; nothing is known to be noise.
pub(crate) fn of_xml(content: &str) -> Blocks {
    let mut walk = BlockWalk::new();
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
    let mut walk = BlockWalk::new();
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
    let mut walk = BlockWalk::new();
    for line in content.lines() {
        if line.trim().is_empty() {
            walk.finish();
        } else {
            // Ampersands of plain text are ampersands.
            for word in line.split_whitespace() {
                walk.blocks.text.push_str(word);
                walk.blocks.text.push(' ');
            }
        }
    }
    walk.finish();
    walk.blocks
}

impl BlockWalk {
    fn new() -> BlockWalk {
        BlockWalk {
            blocks: Blocks::default(),
            open: vec![GROUND],
            beyond: 0,
            articles: 0,
            start: 0,
            link_words: 0,
            link: None,
            tags_before: 0,
            tags_inside: 0,
            breaks: 0,
        }
    }

    /// The innermost open element; the ground is never closed.
    fn top(&self) -> Open {
        self.open.last().copied().unwrap_or(GROUND)
    }

    fn text(&mut self, text: &str) {
        if self.top().places & place::SKIP != 0 {
            return;
        }
        let before = self.blocks.text.len();
        fold_into(&mut self.blocks.text, text, usize::MAX);
        if self.blocks.text.len() > before && text.len() > 1 {
            self.breaks = 0;
        }
    }

    /// Begins a cell of a row, behind a tab unless it is the first.
    fn cell(&mut self, is_first: bool) {
        if !is_first {
            let text = &mut self.blocks.text;
            text.truncate(text.trim_end_matches(' ').len().max(self.start));
            text.push('\t');
        }
    }

    /// A space inside a cell.
    fn gap(&mut self) {
        let text = &mut self.blocks.text;
        if text.len() > self.start && !text.ends_with([' ', '\t']) {
            text.push(' ');
        }
    }

    /// Ends a row; cells without text at its end are left out.
    fn end_row(&mut self) {
        let text = &mut self.blocks.text;
        text.truncate(text.trim_end_matches([' ', '\t']).len().max(self.start));
        self.finish();
    }

    fn start(&mut self, tag: &Tag<'_>) {
        self.count_tag();
        match tag.name {
            A => {
                self.close_link();
                self.link = Some(self.blocks.text.len());
            }
            BR => {
                self.breaks += 1;
                if self.breaks == 2 { self.finish() } else { self.text(" ") }
            }
            name if Emphasis::is(name) => self.blocks.emphasis.begin(self.blocks.text.len()),
            _ => {
                if let Some(row) = element::look_up(tag.name) {
                    self.finish();
                    self.push(row, tag);
                }
            }
        }
    }

    fn push(&mut self, row: &element::ElementRule, tag: &Tag<'_>) {
        if self.beyond > 0 || self.open.len() >= MOST_DEPTH {
            self.beyond += 1;
            return;
        }
        while let [_, .., open] = &self.open[..]
            && element::ends(row, open.name, open.kind)
        {
            self.open.pop();
        }
        let kept = element::kept_open(row.name, self.open.iter().map(|open| open.name));
        self.open.truncate(kept.max(1));
        if row.name == name("hr") {
            return;
        }
        let parent = self.top();
        let mut places = row.places;
        if places == place::HEADER && parent.places & (place::ARTICLE | place::MAIN) != 0 {
            places = 0; // the header of an article holds its beginning
        }
        let mut path = parent.path.rotate_left(5) ^ (row.name as u64);
        // Landmarks that hold the content are not renamed by a word of their class.
        if ![name("html"), name("body"), name("main"), name("article")].contains(&row.name) {
            let (told, class) = hint::places(tag);
            places |= told;
            path ^= class;
        }
        let mut article = parent.article;
        if places & place::ARTICLE != 0 && article == 0 {
            self.articles += 1;
            article = self.articles;
        }
        let own = places;
        let places = parent.places | places;
        let path = path.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (name, kind) = (row.name, row.kind);
        self.open.push(Open { name, kind, places, own, article, path, number: None });
    }

    fn end(&mut self, name: u128) {
        self.count_tag();
        if name == A {
            self.close_link();
            self.link = None;
        } else if Emphasis::is(name) {
            self.blocks.emphasis.end(self.blocks.text.len());
        } else if element::look_up(name).is_some() {
            self.finish();
            if self.beyond > 0 {
                self.beyond -= 1;
            } else if let Some(at) = self.open.iter().rposition(|open| open.name == name) {
                self.open.truncate(at.max(1));
            }
        }
    }

    fn count_tag(&mut self) {
        if self.blocks.text.len() > self.start {
            self.tags_inside += 1;
        } else {
            self.tags_before += 1;
        }
    }

    fn close_link(&mut self) {
        if let Some(from) = self.link {
            let from = from.max(self.start);
            self.link_words += count_words(self.blocks.text.get(from..).unwrap_or_default());
            self.link = Some(self.blocks.text.len());
        }
    }

    /// The place of the innermost open element in the list, where those around it come before it.
    fn number(&mut self) -> u32 {
        let mut parent = 0;
        for (depth, open) in self.open.iter_mut().enumerate() {
            parent = *open.number.get_or_insert_with(|| {
                let number = self.blocks.elements.len() as u32;
                let (depth, own, path) = (depth as u32, open.own, open.path);
                self.blocks.elements.push(Element { parent, depth, own, path });
                number
            });
        }
        parent
    }

    /// Ends the block now built, if there is one.
    fn finish(&mut self) {
        self.breaks = 0;
        let text = &mut self.blocks.text;
        text.truncate(text.trim_end_matches(' ').len().max(self.start));
        if text.len() == self.start {
            return;
        }
        self.close_link();
        let end = self.blocks.text.len();
        self.blocks.emphasis.end_all(end);
        if self.blocks.list.len() < MOST_BLOCKS {
            let element = self.number();
            let top = self.top();
            self.blocks.list.push(Block {
                start: self.start,
                end,
                kind: top.kind,
                words: count_words(self.blocks.text.get(self.start..).unwrap_or_default()),
                link_words: self.link_words,
                tags_before: self.tags_before,
                tags_inside: self.tags_inside,
                places: top.places,
                article: top.article,
                element,
            });
        } else if let Some(last) = self.blocks.list.last_mut() {
            last.end = end;
        }
        self.blocks.text.push('\n');
        self.start = self.blocks.text.len();
        self.link = self.link.map(|_| self.start);
        (self.link_words, self.tags_before, self.tags_inside) = (0, 0, 0);
    }
}
