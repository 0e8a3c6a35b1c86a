//! Builds the blocks of a page from its tags and text: a stack of the open block elements, and the block that
//! is being read. No tree is built; end tags that were left out or that fit nothing are dealt with as
//! browsers do, roughly.

use super::block::{Block, BlockKind, Blocks, Element, PartById, count_words, inside, place};
use super::code;
use super::{Emphasis, element, hint, slope, tool};
use crate::html::{Tag, TagName, fold_into, name, value_of};

/// Deepest nesting that is followed; deeper elements count as part of their parents.
const MOST_DEPTH: usize = 128;
/// Most blocks of a page; more text than that joins the last one.
const MOST_BLOCKS: usize = 200_000;
/// Longest anchor, in bytes.
const MOST_ANCHOR: usize = 200;

const A: TagName = name("a");
const BASE: TagName = name("base");
const BR: TagName = name("br");
const LI: TagName = name("li");
const OL: TagName = name("ol");
const RP: TagName = name("rp");
const RT: TagName = name("rt");
const RUBY: TagName = name("ruby");
const TABLE: TagName = name("table");
const TR: TagName = name("tr");

/// An open element.
#[derive(Clone, Copy)]
struct Open<'a> {
    name: TagName,
    kind: BlockKind,
    /// All places it stands in, and those that it opens itself.
    places: u32,
    own: u32,
    /// Its id, where that alone tells some of its own places, and those.
    id: &'a str,
    by_id: u32,
    article: u32,
    path: u64,
    /// Its place in the list of elements, once there is text in it.
    number: Option<u32>,
    /// The row of a table, the number of lists around, the item, its number in an ordered list; of such a list
    /// itself, the number of its last item.
    row: u32,
    lists: u8,
    item: u32,
    ordinal: u32,
    /// The language its class names, for code.
    language: &'a str,
}

const GROUND: Open<'static> = Open {
    name: 0,
    kind: BlockKind::Other,
    places: 0,
    own: 0,
    id: "",
    by_id: 0,
    article: 0,
    path: 0,
    number: None,
    row: 0,
    lists: 0,
    item: 0,
    ordinal: 0,
    language: "",
};

/// What is read although a browser does not show it at once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reveal {
    /// What stands in `noscript`.
    pub(super) noscript: bool,
}

pub(super) struct BlockBuilder<'a> {
    pub(super) blocks: Blocks,
    reveal: Reveal,
    /// Bytes of text passed over because it stands in `noscript`.
    pub(super) unread: usize,
    open: Vec<Open<'a>>,
    /// Block elements opened beyond the deepest nesting.
    beyond: usize,
    articles: u32,
    rows: u32,
    items: u32,
    /// Where the block now built begins in the text.
    pub(super) start: usize,
    link_words: u32,
    /// Where the open link begins in the text.
    link: Option<usize>,
    tags_before: u32,
    tags_inside: u32,
    shaping_before: u32,
    shaping_inside: u32,
    breaks: u32,
    /// The inline element whose text is passed over, and how many of its name are open.
    passed: Option<(TagName, u32)>,
    /// The last name of a place since the block before.
    anchor: &'a str,
    classes: hint::MetClasses<'a>,
}

impl<'a> BlockBuilder<'a> {
    pub(super) fn new(reveal: Reveal) -> BlockBuilder<'a> {
        BlockBuilder {
            blocks: Blocks::default(),
            reveal,
            unread: 0,
            open: vec![GROUND],
            beyond: 0,
            articles: 0,
            rows: 0,
            items: 0,
            start: 0,
            link_words: 0,
            link: None,
            tags_before: 0,
            tags_inside: 0,
            shaping_before: 0,
            shaping_inside: 0,
            breaks: 0,
            passed: None,
            anchor: "",
            classes: hint::MetClasses::default(),
        }
    }

    /// The innermost open element; the ground is never closed.
    fn top(&self) -> Open<'a> {
        self.open.last().copied().unwrap_or(GROUND)
    }

    fn is_in_pre(&self) -> bool {
        self.top().places & place::PRE != 0
    }

    pub(super) fn text(&mut self, text: &str) {
        let places = self.top().places;
        if places & place::SKIP != 0 || self.passed.is_some() {
            if places & place::UNREAD != 0 {
                self.unread += text.trim_ascii().len();
            }
            return;
        }
        if places & place::PRE != 0 {
            code::add_lines(&mut self.blocks.text, text);
            return;
        }
        let before = self.blocks.text.len();
        fold_into(&mut self.blocks.text, text, usize::MAX);
        if self.blocks.text.len() > before && text.len() > 1 {
            self.breaks = 0;
        }
    }

    /// A word of plain text, in which an ampersand is an ampersand.
    pub(super) fn word(&mut self, word: &str) {
        self.blocks.text.push_str(word);
        self.blocks.text.push(' ');
    }

    /// Begins a cell of a row, behind a tab unless it is the first.
    pub(super) fn cell(&mut self, is_first: bool) {
        if !is_first {
            let text = &mut self.blocks.text;
            text.truncate(text.trim_end_matches(' ').len().max(self.start));
            text.push('\t');
        }
    }

    /// A space inside a cell.
    pub(super) fn gap(&mut self) {
        let text = &mut self.blocks.text;
        if text.len() > self.start && !text.ends_with([' ', '\t']) {
            text.push(' ');
        }
    }

    /// Ends a row; cells without text at its end are left out.
    pub(super) fn end_row(&mut self) {
        let text = &mut self.blocks.text;
        text.truncate(text.trim_end_matches([' ', '\t']).len().max(self.start));
        self.finish();
    }

    pub(super) fn start(&mut self, tag: &Tag<'a>) {
        self.count_tag(tag.name);
        match tag.name {
            A => {
                self.close_link();
                let at = self.blocks.text.len();
                self.link = Some(at);
                self.target(tag, at);
                self.inline(tag);
            }
            BASE => self.blocks.links.base(href(tag)),
            BR if self.is_in_pre() => code::end_line(&mut self.blocks.text, self.start),
            BR => {
                self.breaks += 1;
                if self.breaks == 2 { self.finish() } else { self.text(" ") }
            }
            RT | RP => self.passed = Some((tag.name, 1)),
            name if Emphasis::is(name) => self.blocks.emphasis.begin(self.blocks.text.len()),
            name => match element::look_up(name) {
                Some(row) => self.start_block(row, tag),
                None => self.inline(tag),
            },
        }
    }

    /// Takes up where a link leads, and its title.
    fn target(&mut self, tag: &Tag<'a>, at: usize) {
        let (mut title, mut target) = (None, None);
        for (key, value) in tag.attributes() {
            match key {
                _ if target.is_none() && key.eq_ignore_ascii_case("href") => target = Some(value),
                _ if title.is_none() && key.eq_ignore_ascii_case("title") => title = Some(value),
                _ => {}
            }
        }
        let places = self.top().places;
        self.blocks.link_titles.begin(title, at, places);
        self.blocks.links.begin(target.filter(|_| places & place::SKIP == 0));
    }

    fn start_block(&mut self, row: &element::ElementRule, tag: &Tag<'a>) {
        // Inside a block of lines other elements are lines.
        match self.is_in_pre() {
            true => code::end_line(&mut self.blocks.text, self.start),
            false => self.finish(),
        }
        self.passed = None;
        self.push(row, tag);
    }

    /// An element inside a line. Where names and marks of the page's tools stand, its attributes are read.
    fn inline(&mut self, tag: &Tag<'a>) {
        if let Some((name, depth)) = &mut self.passed {
            *depth += u32::from(*name == tag.name);
            return;
        }
        let top = self.top();
        let is_empty = self.blocks.text.len() == self.start;
        match top.kind {
            BlockKind::Heading(_) | BlockKind::Term => self.mark(tag),
            BlockKind::Pre => {
                self.mark(tag);
                if top.language.is_empty()
                    && is_empty
                    && let Some(open) = self.open.last_mut()
                {
                    open.language = code::language(tag);
                }
            }
            _ if is_empty && tag.name == A => {
                if let Some(anchor) = hint::anchor(tag) {
                    self.anchor = anchor;
                }
            }
            _ => {}
        }
    }

    /// Takes up the name of an inline element, and passes over one that is a tool of the page.
    fn mark(&mut self, tag: &Tag<'a>) {
        let told = hint::inline(tag);
        if !told.anchor.is_empty() && (!told.is_link || self.anchor.is_empty()) {
            self.anchor = told.anchor;
        }
        if told.is_tool && !tag.closes_itself() {
            self.passed = Some((tag.name, 1));
        }
    }

    fn push(&mut self, row: &element::ElementRule, tag: &Tag<'a>) {
        if self.beyond > 0 || self.open.len() >= MOST_DEPTH {
            self.beyond += 1;
            return;
        }
        while let [_, .., open] = &self.open[..]
            && element::ends(row, open.name, open.kind)
        {
            self.leave(self.open.len() - 1);
        }
        let kept = element::kept_open(row.name, self.open.iter().map(|open| open.name));
        self.leave(kept.max(1));
        if row.name == name("hr") {
            return;
        }
        let open = self.opened(row, tag);
        self.open.push(open);
    }

    /// The element that begins with a tag.
    fn opened(&mut self, row: &element::ElementRule, tag: &Tag<'a>) -> Open<'a> {
        let parent = self.top();
        let mut places = row.places;
        if places == place::HEADER && parent.places & (place::ARTICLE | place::MAIN) != 0 {
            places = 0; // the header of an article holds its beginning
        }
        let mut path = parent.path.rotate_left(5) ^ (row.name as u64);
        let mut told = hint::places(tag, &mut self.classes);
        // The id of a term is made of the term.
        if row.kind == BlockKind::Term {
            told.places &= !told.by_id;
        }
        // Landmarks that hold the content are not renamed by a word of their class.
        if ![name("html"), name("body"), name("main"), name("article")].contains(&row.name) {
            places |= told.places;
            path ^= told.class;
        }
        places = self.revealed(row.name, tag, &told, places);
        if !told.anchor.is_empty() && told.anchor.len() <= MOST_ANCHOR {
            self.anchor = told.anchor;
        }
        let mut article = parent.article;
        if places & place::ARTICLE != 0 && article == 0 {
            self.articles += 1;
            article = self.articles;
        }
        let (own, places) = (places, inside(parent.places, places));
        let is_in_pre = parent.places & place::PRE != 0;
        let is_code = row.kind == BlockKind::Pre || told.class != 0;
        let language = if is_code { told.language } else { "" };
        let mut open = Open {
            name: row.name,
            kind: if is_in_pre { BlockKind::Pre } else { row.kind },
            places,
            own,
            id: told.anchor,
            by_id: told.by_id & own & !row.places,
            article,
            path: path.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            number: None,
            language: if language.is_empty() { parent.language } else { language },
            ..parent
        };
        self.count(&mut open, tag);
        open
    }

    /// The places of an element whose text is hidden from browsers and is content all the same.
    fn revealed(&self, name_: TagName, tag: &Tag<'a>, told: &hint::Told<'a>, places: u32) -> u32 {
        let is_shadow =
            || tag.attributes().any(|(key, _)| key.eq_ignore_ascii_case("shadowrootmode"));
        match name_ {
            n if n == name("noscript") => match self.reveal.noscript {
                true => places & !place::SKIP,
                false => places | place::UNREAD,
            },
            n if n == name("template") && is_shadow() => places & !place::SKIP,
            // What React sends later stands hidden until a script puts it in its place.
            n if n == name("div") && told.anchor.starts_with("S:") => places & !place::HIDDEN,
            _ => places,
        }
    }

    /// Rows of tables, lists and the numbers of their items.
    fn count(&mut self, open: &mut Open<'a>, tag: &Tag<'a>) {
        match open.name {
            TR => {
                self.rows += 1;
                open.row = self.rows;
            }
            TABLE => open.row = 0,
            LI => {
                self.items += 1;
                open.item = self.items;
                let list = self.open.iter_mut().rev().find(|around| around.own & place::LIST != 0);
                open.ordinal = match list.filter(|list| list.name == OL) {
                    Some(list) => {
                        list.ordinal += 1;
                        list.ordinal
                    }
                    None => 0,
                };
            }
            _ if open.own & place::LIST != 0 => {
                open.lists = open.lists.saturating_add(1);
                let first = |value: &str| value.trim().parse::<u32>().ok();
                let start = (open.name == OL).then(|| tag.attribute("start")).flatten();
                open.ordinal = start.and_then(|value| first(&value)).unwrap_or(1).saturating_sub(1);
            }
            _ => {}
        }
    }

    pub(super) fn end(&mut self, name: TagName) {
        self.count_tag(name);
        if let Some((passed, depth)) = &mut self.passed {
            *depth -= u32::from(*passed == name);
            if *depth == 0 || name == RUBY {
                self.passed = None;
            }
            if element::look_up(name).is_none() && name != A {
                return;
            }
        }
        if name == A {
            self.end_link();
        } else if Emphasis::is(name) {
            self.blocks.emphasis.end(self.blocks.text.len());
        } else if element::look_up(name).is_some() {
            self.end_block(name);
        }
    }

    fn end_block(&mut self, name: TagName) {
        self.passed = None;
        match self.is_in_pre() {
            true => code::end_line(&mut self.blocks.text, self.start),
            false => self.finish(),
        }
        if self.beyond > 0 {
            self.beyond -= 1;
        } else if let Some(at) = self.open.iter().rposition(|open| open.name == name) {
            self.leave(at.max(1));
        }
    }

    /// Closes all elements but so many; the end of a block of lines ends it.
    fn leave(&mut self, kept: usize) {
        let is_pre = |open: &Open<'_>| open.places & place::PRE != 0;
        let outside = self.open.get(kept.saturating_sub(1)).is_some_and(|open| !is_pre(open));
        if outside && self.is_in_pre() {
            self.finish();
        }
        self.open.truncate(kept);
    }

    fn count_tag(&mut self, name: TagName) {
        let shaping = u32::from(slope::is_shaping(name));
        if self.blocks.text.len() > self.start {
            self.tags_inside += 1;
            self.shaping_inside += shaping;
        } else {
            self.tags_before += 1;
            self.shaping_before += shaping;
        }
    }

    /// Ends the open link. One that is a tool of the page is taken away.
    fn end_link(&mut self) {
        if let Some(from) = self.link {
            let from = from.max(self.start);
            let is_name = matches!(self.top().kind, BlockKind::Heading(_) | BlockKind::Term);
            let text = self.blocks.text.get(from..).unwrap_or_default();
            if tool::is_sign(text) || is_name && from > self.start && tool::is_word(text) {
                self.blocks.text.truncate(from);
            }
        }
        self.close_link();
        self.link = None;
        self.blocks.links.begin(None);
    }

    fn close_link(&mut self) {
        if let Some(from) = self.link {
            let from = from.max(self.start);
            self.link_words += count_words(self.blocks.text.get(from..).unwrap_or_default());
            let end = self.blocks.text.len();
            self.blocks.links.stretch(from, end);
            self.link = Some(end);
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
                if open.by_id & place::NOISE != 0 {
                    let (block, by_id) = (self.blocks.list.len(), open.by_id);
                    let id = value_of(open.id).into_owned();
                    self.blocks.by_id.push(PartById { element: number, block, by_id, id });
                }
                number
            });
        }
        parent
    }

    /// Ends the block now built, if there is one.
    pub(super) fn finish(&mut self) {
        self.breaks = 0;
        let is_pre = self.is_in_pre();
        if is_pre {
            code::trim(&mut self.blocks.text, &mut self.start);
        }
        let text = &mut self.blocks.text;
        text.truncate(text.trim_end_matches(' ').len().max(self.start));
        if text.len() == self.start {
            return;
        }
        self.close_link();
        let end = self.blocks.text.len();
        self.blocks.emphasis.end_all(end);
        let words = count_words(self.blocks.text.get(self.start..).unwrap_or_default());
        let is_tool = self.link_words >= words
            && tool::is_word(self.blocks.text.get(self.start..).unwrap_or_default());
        if is_tool {
            self.blocks.text.truncate(self.start);
            self.blocks.links.cut(self.start);
            self.link = self.link.map(|_| self.start);
            self.link_words = 0;
            return;
        }
        if self.blocks.list.len() < MOST_BLOCKS {
            self.add(end, words);
        } else if let Some(last) = self.blocks.list.last_mut() {
            last.end = end;
        }
        self.blocks.text.push('\n');
        self.start = self.blocks.text.len();
        self.link = self.link.map(|_| self.start);
        (self.link_words, self.tags_before, self.tags_inside) = (0, 0, 0);
        (self.shaping_before, self.shaping_inside) = (0, 0);
        self.anchor = "";
    }

    /// Adds the block from the start to `end`.
    fn add(&mut self, end: usize, words: u32) {
        let element = self.number();
        let top = self.top();
        let at = self.blocks.list.len() as u32;
        if matches!(top.kind, BlockKind::Heading(_) | BlockKind::Term) && !self.anchor.is_empty() {
            self.blocks.anchors.push((at, value_of(self.anchor).into_owned()));
        }
        if top.kind == BlockKind::Pre && !top.language.is_empty() {
            self.blocks.languages.push((at, top.language.to_ascii_lowercase()));
        }
        self.blocks.list.push(Block {
            start: self.start,
            end,
            kind: top.kind,
            words,
            link_words: self.link_words,
            tags_before: self.tags_before,
            tags_inside: self.tags_inside,
            shaping_before: self.shaping_before,
            shaping_inside: self.shaping_inside,
            places: top.places,
            article: top.article,
            element,
            row: top.row,
            lists: top.lists,
            item: top.item,
            number: top.ordinal,
        });
    }
}

fn href<'a>(tag: &Tag<'a>) -> Option<&'a str> {
    let mut attributes = tag.attributes();
    attributes.find(|(key, _)| key.eq_ignore_ascii_case("href")).map(|(_, value)| value)
}
