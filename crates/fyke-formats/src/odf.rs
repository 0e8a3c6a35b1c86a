//! OpenDocument: texts, presentations (a slide a page) and spreadsheets (cells that repeat are
//! bounded), which differ only in what stands in the body.

mod style;

use super::markup::Markup;
use super::properties::{ODF, with_properties};
use super::xml::{Events, XmlEvent, attribute};
use super::zip::{self, Zip};
use super::{Converted, Inner};
use fyke_web::html::{Tag, TagName, name};
use style::OdfStyles;

/// Most cells that are written, copies included.
const MOST_CELLS: usize = 2_000_000;
/// Most copies of a cell or a row that are written; a sheet is often filled up with thousands.
const MOST_COPIES: usize = 100;

/// Elements that no reader of the text sees.
const SKIPPED: &[TagName] = &[
    name("annotation"),
    name("tracked-changes"),
    name("note-citation"),
    name("automatic-styles"),
    name("scripts"),
    name("font-face-decls"),
    name("forms"),
    name("sequence-decls"),
    name("date-time-decl"),
    name("footer-decl"),
    name("header-decl"),
];
const H: TagName = name("h");
const P: TagName = name("p");
const A: TagName = name("a");
const S: TagName = name("s");
const SPAN: TagName = name("span");
const LIST: TagName = name("list");
const ITEM: TagName = name("list-item");
const LIST_HEADER: TagName = name("list-header");
const TABLE: TagName = name("table");
const ROW: TagName = name("table-row");
const CELL: TagName = name("table-cell");
const PAGE: TagName = name("page");
const BREAK: TagName = name("line-break");
const TAB: TagName = name("tab");

/// Whether bytes are an archive that calls itself OpenDocument of this kind.
pub(super) fn is(bytes: &[u8], kind: &str) -> bool {
    const TYPE: &[u8] = b"mimetypeapplication/vnd.oasis.opendocument.";
    // It comes first and unpacked, so that it stands at a fixed place.
    let rest = bytes.get(30..).and_then(|rest| rest.strip_prefix(TYPE));
    match rest {
        Some(rest) => zip::holds(bytes, |_| true) && rest.starts_with(kind.as_bytes()),
        None => false,
    }
}

pub(super) fn convert(inner: &Inner<'_>) -> Converted {
    let mut zip = Zip::open(inner.source.bytes, inner.budget);
    let Some(content) = zip.read_xml("content.xml") else {
        return Converted::failed("no content inside").with_trouble(&zip.trouble);
    };
    let mut reading = OdfReading {
        markup: Markup::default(),
        styles: OdfStyles::read(&content),
        is_sheet: is(inner.source.bytes, "spreadsheet"),
        pages: 0,
        open: Vec::new(),
        spans: Vec::new(),
        left: MOST_CELLS,
        gap: 0,
    };
    reading.run(&content);
    let trouble = if reading.left == 0 { "more cells than are read" } else { "" };
    let found = with_properties(&mut zip, ODF, Converted::from(reading.markup));
    found.with_trouble(trouble).with_trouble(&zip.trouble)
}

struct OdfReading {
    markup: Markup,
    styles: OdfStyles,
    is_sheet: bool,
    pages: usize,
    /// What the open paragraphs became.
    open: Vec<&'static str>,
    /// What the open spans became.
    spans: Vec<(bool, bool)>,
    /// Cells that may still be written.
    left: usize,
    /// Empty cells that come before the next full one.
    gap: usize,
}

impl OdfReading {
    fn run(&mut self, text: &str) {
        let mut events = Events::new(text);
        while let Some(event) = events.next() {
            match event {
                XmlEvent::Start(tag) if SKIPPED.contains(&tag.name) => {
                    events.skip_element(tag.name);
                }
                XmlEvent::Start(tag) if tag.name == CELL && self.is_sheet => {
                    self.cell(&tag, &mut events);
                }
                XmlEvent::Start(tag) => self.start(&tag),
                XmlEvent::End(name) => self.end(name),
                XmlEvent::Text(text) => {
                    if !self.open.is_empty() {
                        self.markup.text(&text);
                    }
                }
            }
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag.name {
            H => self.paragraph(heading(tag)),
            P => self.paragraph("p"),
            A => {
                if let Some(href) = attribute(tag, "href") {
                    self.markup.link(&href);
                }
            }
            S => self.markup.text(" "),
            TAB => self.markup.text("\t"),
            BREAK => self.markup.text("\n"),
            SPAN => self.span(tag),
            LIST => {
                let style = attribute(tag, "style-name").unwrap_or_default();
                self.markup.open(if self.styles.is_ordered(&style) { "ol" } else { "ul" });
            }
            ITEM | LIST_HEADER => self.markup.open("li"),
            TABLE => {
                if self.is_sheet {
                    self.markup.element("h2", &attribute(tag, "name").unwrap_or_default());
                }
                self.markup.open("table");
            }
            ROW => {
                self.gap = 0;
                self.markup.open("tr");
            }
            CELL => self.markup.open("td"),
            PAGE => {
                self.pages += 1;
                self.markup.page(self.pages);
            }
            _ => {}
        }
    }

    fn paragraph(&mut self, element: &'static str) {
        if self.open.len() < 64 {
            self.open.push(element);
            self.markup.open(element);
        }
    }

    fn span(&mut self, tag: &Tag<'_>) {
        let style = attribute(tag, "style-name").unwrap_or_default();
        let (is_bold, is_italic) = self.styles.of_text(&style);
        if is_bold {
            self.markup.open("b");
        }
        if is_italic {
            self.markup.open("i");
        }
        if self.spans.len() < 64 {
            self.spans.push((is_bold, is_italic));
        }
    }

    fn end(&mut self, element: TagName) {
        match element {
            H | P => {
                if let Some(open) = self.open.pop() {
                    self.markup.close(open);
                }
            }
            A => self.markup.close("a"),
            SPAN => {
                let (is_bold, is_italic) = self.spans.pop().unwrap_or_default();
                if is_italic {
                    self.markup.close("i");
                }
                if is_bold {
                    self.markup.close("b");
                }
            }
            LIST => {
                let kind = self.markup.innermost(&["ul", "ol"]);
                self.markup.close(kind.unwrap_or_default());
            }
            ITEM | LIST_HEADER => self.markup.close("li"),
            TABLE => self.markup.close("table"),
            ROW => self.markup.close("tr"),
            CELL => self.markup.close("td"),
            PAGE => self.markup.close("section"),
            _ => {}
        }
    }

    /// A cell of a sheet: its text, as often as it repeats; empty ones wait for a full one.
    fn cell(&mut self, tag: &Tag<'_>, events: &mut Events<'_>) {
        let copies = attribute(tag, "number-columns-repeated").and_then(|n| n.parse().ok());
        let copies: usize = copies.unwrap_or(1).clamp(1, MOST_COPIES);
        let text = cell_text(events);
        if text.trim().is_empty() {
            self.gap = (self.gap + copies).min(MOST_COPIES);
            return;
        }
        let gap = std::mem::take(&mut self.gap);
        for value in std::iter::repeat_n("", gap).chain(std::iter::repeat_n(text.as_str(), copies))
        {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            self.markup.open("td");
            self.markup.text(value);
            self.markup.close("td");
        }
    }
}

/// The text of the cell that has just begun, paragraphs a line each.
fn cell_text(events: &mut Events<'_>) -> String {
    let mut text = String::new();
    while let Some(event) = events.next() {
        match event {
            XmlEvent::Start(tag) if SKIPPED.contains(&tag.name) => events.skip_element(tag.name),
            XmlEvent::Start(tag) if tag.name == P && !text.is_empty() => text.push('\n'),
            XmlEvent::Start(tag) if matches!(tag.name, S | TAB | BREAK) => text.push(' '),
            XmlEvent::End(CELL) => break,
            XmlEvent::Text(piece) => text.push_str(&piece),
            XmlEvent::Start(_) | XmlEvent::End(_) => {}
        }
    }
    text
}

fn heading(tag: &Tag<'_>) -> &'static str {
    match attribute(tag, "outline-level").as_deref() {
        Some("2") => "h2",
        Some("3") => "h3",
        Some("4") => "h4",
        Some("5") => "h5",
        Some("6" | "7" | "8" | "9" | "10") => "h6",
        _ => "h1",
    }
}
