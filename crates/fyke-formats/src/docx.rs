//! Word documents: headings by their style, lists, tables, links, notes, bold and italic. Deleted
//! and hidden text is left out, and so are headers and footers, which repeat on every page.

mod style;

use super::markup::Markup;
use super::ooxml::{Relation, main_part, relations};
use super::properties::{OOXML, with_properties};
use super::xml::{Events, XmlEvent, attribute, relationship};
use super::zip::Zip;
use super::{Converted, Inner};
use fyke_web::html::{Tag, TagName, name};
use std::collections::BTreeMap;
use style::DocxStyles;

const BODY_PARTS: &[&str] = &["footnotes", "endnotes"];
/// Elements passed over: the second form of a drawing, text that was moved away, changed properties.
const SKIPPED: &[TagName] = &[
    name("Fallback"),
    name("moveFrom"),
    name("rPrChange"),
    name("pPrChange"),
    name("sectPr"),
    name("delText"),
];
const P: TagName = name("p");
const PPR: TagName = name("pPr");
const R: TagName = name("r");
const T: TagName = name("t");
const TBL: TagName = name("tbl");
const TR: TagName = name("tr");
const TC: TagName = name("tc");
const HYPERLINK: TagName = name("hyperlink");
const INSTR_TEXT: TagName = name("instrText");
const FOOTNOTE: TagName = name("footnote");
const ENDNOTE: TagName = name("endnote");

pub(super) fn convert(inner: &Inner<'_>) -> Converted {
    let mut zip = Zip::open(inner.source.bytes, inner.budget);
    let part = main_part(&mut zip, "word/document.xml");
    let links = relations(&mut zip, &part);
    let target = |kind: &str| links.values().find(|r| r.kind == kind).map(|r| r.target.clone());
    let styles = target("styles").and_then(|path| zip.read_xml(&path)).unwrap_or_default();
    let lists = target("numbering").and_then(|path| zip.read_xml(&path)).unwrap_or_default();
    let styles = DocxStyles::read(&styles, &lists);
    let mut markup = Markup::default();
    let Some(body) = zip.read_xml(&part) else {
        return Converted::failed("no document inside").with_trouble(&zip.trouble);
    };
    DocxReading::new(&mut markup, &styles, &links).run(&body);
    for kind in BODY_PARTS {
        let Some(path) = target(kind) else { continue };
        let links = relations(&mut zip, &path);
        let text = zip.read_xml(&path).unwrap_or_default();
        DocxReading::new(&mut markup, &styles, &links).run(&text);
    }
    let found = with_properties(&mut zip, OOXML, Converted::from(markup));
    found.with_trouble(&zip.trouble)
}

/// What a paragraph is, known before its first text.
#[derive(Clone, Debug, Default)]
struct DocxParagraph {
    style: String,
    outline: Option<usize>,
    list: Option<String>,
    level: usize,
    /// The element it became.
    open: Option<&'static str>,
}

struct DocxReading<'a> {
    markup: &'a mut Markup,
    styles: &'a DocxStyles,
    links: &'a BTreeMap<String, Relation>,
    /// Paragraphs stand in each other where text stands in a drawing.
    paragraphs: Vec<DocxParagraph>,
    in_properties: bool,
    in_run: bool,
    is_bold: bool,
    is_italic: bool,
    is_hidden: bool,
    /// The code of the field now read.
    field: String,
    /// The lists that are open.
    lists: Vec<&'static str>,
}

impl<'a> DocxReading<'a> {
    fn new(
        markup: &'a mut Markup,
        styles: &'a DocxStyles,
        links: &'a BTreeMap<String, Relation>,
    ) -> DocxReading<'a> {
        DocxReading {
            markup,
            styles,
            links,
            paragraphs: Vec::new(),
            in_properties: false,
            in_run: false,
            is_bold: false,
            is_italic: false,
            is_hidden: false,
            field: String::new(),
            lists: Vec::new(),
        }
    }

    fn run(mut self, text: &str) {
        let mut events = Events::new(text);
        while let Some(event) = events.next() {
            match event {
                XmlEvent::Start(tag) if SKIPPED.contains(&tag.name) => {
                    events.skip_element(tag.name);
                }
                XmlEvent::Start(tag) if matches!(tag.name, FOOTNOTE | ENDNOTE) => {
                    // Those with a type are the lines between text and notes.
                    if attribute(&tag, "type").is_some_and(|kind| kind != "normal") {
                        events.skip_element(tag.name);
                    }
                }
                XmlEvent::Start(tag) if tag.name == T => {
                    let text = events.text_in(T);
                    self.text(&text);
                }
                XmlEvent::Start(tag) if tag.name == INSTR_TEXT => {
                    self.field.push_str(&events.text_in(INSTR_TEXT));
                    self.field.truncate(self.field.floor_char_boundary(4_096));
                }
                XmlEvent::Start(tag) => self.start(&tag),
                XmlEvent::End(name) => self.end(name),
                XmlEvent::Text(_) => {}
            }
        }
        self.close_lists(0);
    }

    fn start(&mut self, tag: &Tag<'_>) {
        if self.in_properties {
            return self.property(tag);
        }
        match tag.name {
            P => {
                self.paragraphs.push(DocxParagraph::default());
                self.paragraphs.truncate(64);
            }
            PPR => self.in_properties = true,
            R => {
                self.in_run = true;
                (self.is_bold, self.is_italic, self.is_hidden) = (false, false, false);
            }
            TBL => {
                self.close_lists(0);
                self.markup.open("table");
            }
            TR => self.markup.open("tr"),
            TC => self.markup.open("td"),
            HYPERLINK => {
                let target = relationship(tag).and_then(|id| self.links.get(id.as_ref()));
                if let Some(target) = target.map(|relation| relation.target.clone()) {
                    self.open_paragraph();
                    self.markup.link(&target);
                }
            }
            n if n == name("fldChar") => self.field_mark(tag),
            n if n == name("fldSimple") => {
                self.field = attribute(tag, "instr").unwrap_or_default().into_owned();
                self.open_field();
            }
            n if self.in_run => self.in_run(n, tag),
            _ => {}
        }
    }

    /// What stands in a run beside its text.
    fn in_run(&mut self, element: TagName, tag: &Tag<'_>) {
        let is_on = !attribute(tag, "val").is_some_and(|v| matches!(&*v, "0" | "false" | "none"));
        match element {
            n if n == name("b") => self.is_bold = is_on,
            n if n == name("i") => self.is_italic = is_on,
            n if n == name("vanish") => self.is_hidden = is_on,
            n if n == name("tab") => self.text("\t"),
            n if n == name("br") || n == name("cr") => self.text("\n"),
            n if n == name("noBreakHyphen") => self.text("\u{2011}"),
            _ => {}
        }
    }

    fn property(&mut self, tag: &Tag<'_>) {
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        let value = attribute(tag, "val").unwrap_or_default();
        match tag.name {
            n if n == name("pStyle") => paragraph.style = value.into_owned(),
            n if n == name("outlineLvl") => paragraph.outline = value.parse().ok(),
            n if n == name("numId") => paragraph.list = Some(value.into_owned()),
            n if n == name("ilvl") => paragraph.level = value.parse().unwrap_or(0),
            _ => {}
        }
    }

    fn end(&mut self, element: TagName) {
        match element {
            PPR => self.in_properties = false,
            _ if self.in_properties => {}
            P => {
                if let Some(open) = self.paragraphs.pop().and_then(|paragraph| paragraph.open) {
                    self.markup.close(open);
                }
            }
            R => self.in_run = false,
            HYPERLINK => self.markup.close("a"),
            n if n == name("fldSimple") => self.markup.close("a"),
            TC => {
                self.close_lists(0);
                self.markup.close("td");
            }
            TR => self.markup.close("tr"),
            TBL => self.markup.close("table"),
            _ => {}
        }
    }

    /// Begin, middle and end of a field: the code of a link stands before the middle.
    fn field_mark(&mut self, tag: &Tag<'_>) {
        match attribute(tag, "fldCharType").as_deref() {
            Some("begin") => self.field.clear(),
            Some("separate") => self.open_field(),
            Some("end") => self.markup.close("a"),
            _ => {}
        }
    }

    fn open_field(&mut self) {
        let code = std::mem::take(&mut self.field);
        let Some(rest) = code.trim().strip_prefix("HYPERLINK") else { return };
        let target = rest.trim().strip_prefix('"').and_then(|rest| rest.split('"').next());
        if let Some(target) = target.filter(|target| !target.is_empty()) {
            self.open_paragraph();
            self.markup.link(target);
        }
    }

    fn text(&mut self, text: &str) {
        if self.is_hidden {
            return;
        }
        self.open_paragraph();
        if self.is_bold {
            self.markup.open("b");
        }
        if self.is_italic {
            self.markup.open("i");
        }
        self.markup.text(text);
        if self.is_italic {
            self.markup.close("i");
        }
        if self.is_bold {
            self.markup.close("b");
        }
    }

    /// Opens what the paragraph is, before its first text.
    fn open_paragraph(&mut self) {
        const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];
        let Some(paragraph) = self.paragraphs.last().filter(|p| p.open.is_none()) else { return };
        let of_style = self.styles.look_up(&paragraph.style);
        let list = paragraph.list.as_ref().or(of_style.and_then(|style| style.list.as_ref()));
        let list = list.filter(|id| *id != "0");
        let heading = of_style.and_then(|style| style.heading).or(paragraph.outline);
        let element = match (heading, list) {
            (Some(level), _) if level < 9 => {
                self.close_lists(0);
                HEADINGS[level.min(5)]
            }
            (_, Some(list)) => {
                let kind = if self.styles.is_ordered(list) { "ol" } else { "ul" };
                let level = paragraph.level.min(8);
                self.close_lists(level + 1);
                while self.lists.len() <= level {
                    self.lists.push(kind);
                    self.markup.open(kind);
                }
                "li"
            }
            _ => {
                self.close_lists(0);
                "p"
            }
        };
        self.markup.open(element);
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.open = Some(element);
        }
    }

    fn close_lists(&mut self, keep: usize) {
        while self.lists.len() > keep {
            if let Some(kind) = self.lists.pop() {
                self.markup.close(kind);
            }
        }
    }
}
