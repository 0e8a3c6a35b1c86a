//! What stands around each link of a page: its anchor, the text before and after it, the heading above
//! (002 §2, "the words found in the neighborhood of the corresponding hyperlink"). The visible text of
//! the page near links is copied once, and links are places in it; so a page of a thousand links costs
//! little more than its text, and a long text without links costs nothing.

use crate::html::{Name, fold_into, name};
use crate::read::{Onlooker, OpenCapture, Outlink};

/// Most bytes of text that are kept of a page; links behind them have no neighbourhood.
const MOST_TEXT: usize = 1 << 18;
/// Most bytes of a heading, and of an anchor.
const MOST_HEADING: usize = 200;
/// Most bytes before a link, and as many behind it.
const MOST_AROUND: usize = 160;

/// The links of a page with what stands around each.
#[derive(Clone, Debug)]
pub struct Neighbourhoods {
    /// The page's title.
    pub title: String,
    /// Those of [`crate::Page::links`], without their anchor texts.
    pub links: Vec<Outlink>,
    /// What a reader sees near links; a new line for each block.
    text: String,
    /// As many as there are links.
    places: Vec<Place>,
}

impl OpenCapture<'_> {
    /// Reads the links with what stands around them. Never fails.
    #[must_use]
    pub fn neighbourhoods(self) -> Neighbourhoods {
        let OpenCapture { capture, mut said, content } = self;
        let mut around = Surroundings::default();
        let found = said.read(&capture.url, &content, &mut around);
        let places = found.order.iter().map(|nth| around.places[*nth as usize]).collect();
        Neighbourhoods { title: said.title, links: found.targets, text: around.text, places }
    }
}

/// Where an anchor stands in the text, and the heading above it.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    anchor: (usize, usize),
    heading: (usize, usize),
}

/// What stands around a link. White space is folded; new lines part blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbourhood<'a> {
    pub anchor: &'a str,
    pub before: &'a str,
    pub after: &'a str,
    pub heading: &'a str,
}

impl Neighbourhoods {
    /// What stands around a link, by its place in the list.
    #[must_use]
    pub fn of(&self, link: usize) -> Neighbourhood<'_> {
        let Some(&Place { anchor, heading }) = self.places.get(link) else {
            return Neighbourhood::default();
        };
        Neighbourhood {
            anchor: head(&self.text[anchor.0..anchor.1], MOST_HEADING).trim(),
            before: tail(&self.text[..anchor.0], MOST_AROUND).trim(),
            after: head(&self.text[anchor.1..], MOST_AROUND).trim(),
            heading: head(&self.text[heading.0..heading.1], MOST_HEADING).trim(),
        }
    }
}

/// The first bytes of a text, whole characters.
fn head(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// The last bytes of a text, whole characters.
fn tail(text: &str, most: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(most))..]
}

/// Notes the text of a page while it is read, and the places of links in it.
#[derive(Debug, Default)]
struct Surroundings<'a> {
    text: String,
    /// Of all links met.
    places: Vec<Place>,
    heading: (usize, usize),
    /// Where the heading that is being read began.
    heading_start: Option<usize>,
    /// The text is copied up to here in any case: a link is open, or was just before.
    until: usize,
    /// What was not copied since, and ends of blocks; of old pieces some are forgotten.
    passed: Vec<Option<&'a str>>,
}

/// Pieces that are remembered before old ones are forgotten.
const MOST_PASSED: usize = 256;
/// Bytes of markup before a link that are looked at: references are longer than what they stand for.
const MOST_BEFORE: usize = 2 * MOST_AROUND;

impl<'a> Onlooker<'a> for Surroundings<'a> {
    fn start(&mut self, tag: Name) {
        if is_heading(tag) {
            self.end_block();
            self.catch_up();
            self.heading_start = Some(self.text.len());
        } else if BLOCKS.contains(&tag) {
            self.end_block();
        }
    }

    fn end(&mut self, tag: Name) {
        if is_heading(tag) {
            if let Some(start) = self.heading_start.take() {
                self.heading = (start, self.text.len());
            }
            self.end_block();
        } else if BLOCKS.contains(&tag) {
            self.end_block();
        }
    }

    fn open(&mut self) {
        self.catch_up();
        self.until = usize::MAX;
        let here = self.text.len();
        self.places.push(Place { anchor: (here, here), heading: self.heading });
    }

    fn close(&mut self, is_named: bool) -> bool {
        if let Some(place) = self.places.last_mut() {
            place.anchor.1 = self.text.len();
        }
        self.until = self.text.len() + MOST_AROUND;
        is_named
    }

    fn text(&mut self, text: &'a str) {
        if self.is_wanted() { self.copy(text) } else { self.pass(Some(text)) }
    }

    fn anchor(&mut self, text: &'a str) {
        self.text(text);
    }

    /// It stands on no page, and is a word of its own.
    fn alternative(&mut self, text: &str) {
        [" ", text, " "].iter().for_each(|text| self.copy(text));
    }
}

impl<'a> Surroundings<'a> {
    fn copy(&mut self, text: &str) {
        fold_into(&mut self.text, text, MOST_TEXT);
    }

    fn is_wanted(&self) -> bool {
        self.heading_start.is_some() || self.text.len() < self.until
    }

    fn pass(&mut self, piece: Option<&'a str>) {
        if self.passed.len() >= MOST_PASSED {
            self.passed.drain(..MOST_PASSED / 2);
        }
        self.passed.push(piece);
    }

    /// Copies the end of what was passed over.
    fn catch_up(&mut self) {
        let mut passed = std::mem::take(&mut self.passed);
        let mut bytes = 0;
        let mut is_near = |piece: &Option<&str>| {
            let is_near = bytes < MOST_BEFORE;
            bytes += piece.map_or(0, str::len);
            is_near
        };
        let near = passed.iter().rev().take_while(|piece| is_near(piece)).count();
        let first = passed.len() - near;
        if first > 0 {
            self.break_line();
        }
        for piece in &passed[first..] {
            match piece {
                Some(text) => self.copy(tail(text, MOST_BEFORE)),
                None => self.break_line(),
            }
        }
        passed.clear();
        self.passed = passed;
    }

    fn end_block(&mut self) {
        if self.is_wanted() { self.break_line() } else { self.pass(None) }
    }

    /// A space at the end becomes the new line, so that places stay where they are.
    fn break_line(&mut self) {
        if self.text.ends_with(' ') {
            self.text.pop();
            self.text.push('\n');
        } else if !self.text.is_empty() && !self.text.ends_with('\n') && self.text.len() < MOST_TEXT
        {
            self.text.push('\n');
        }
    }
}

fn is_heading(tag: Name) -> bool {
    // The packed letters of h1 to h6 follow each other.
    (name("h1")..=name("h6")).contains(&tag)
}

/// Elements that begin a line of their own.
const BLOCKS: &[Name] = &[
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
];
