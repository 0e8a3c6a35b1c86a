//! PowerPoint presentations: a slide a page, its title a heading, its notes below. Numbers, dates
//! and footers that repeat on every slide are left out.

use super::markup::Markup;
use super::ooxml::{Relation, main_part, relations};
use super::properties::{OOXML, with_properties};
use super::xml::{Events, XmlEvent, attribute, relationship};
use super::zip::Zip;
use super::{Converted, Inner};
use fyke_web::html::{Tag, TagName, name};
use std::collections::BTreeMap;

/// Most slides that are read.
const MOST_SLIDES: usize = 5_000;

const P: TagName = name("p");
const PH: TagName = name("ph");
const SP: TagName = name("sp");
const T: TagName = name("t");
const TBL: TagName = name("tbl");
const TR: TagName = name("tr");
const TC: TagName = name("tc");
const BR: TagName = name("br");
const R: TagName = name("r");
const LINK: TagName = name("hlinkClick");
const FALLBACK: TagName = name("Fallback");

pub(super) fn convert(inner: &Inner<'_>) -> Converted {
    let mut zip = Zip::open(inner.source.bytes, inner.budget);
    let part = main_part(&mut zip, "ppt/presentation.xml");
    let slides = slides(&mut zip, &part);
    let mut markup = Markup::default();
    for (number, path) in slides.iter().enumerate() {
        if markup.is_full() || inner.budget.left() == 0 {
            break;
        }
        markup.page(number + 1);
        slide(&mut zip, &mut markup, path);
        markup.close("section");
    }
    let found = with_properties(&mut zip, OOXML, Converted::from(markup));
    let trouble = if slides.is_empty() { "no slides inside" } else { "" };
    found.with_trouble(trouble).with_trouble(&zip.trouble)
}

/// The slides in the order in which they are shown.
fn slides(zip: &mut Zip<'_>, part: &str) -> Vec<String> {
    let links = relations(zip, part);
    let text = zip.read_xml(part).unwrap_or_default();
    let mut slides = Vec::new();
    for event in Events::new(&text) {
        let XmlEvent::Start(tag) = event else { continue };
        if tag.name == name("sldId")
            && slides.len() < MOST_SLIDES
            && let Some(relation) = relationship(&tag).and_then(|id| links.get(id.as_ref()))
        {
            slides.push(relation.target.clone());
        }
    }
    slides
}

fn slide(zip: &mut Zip<'_>, markup: &mut Markup, path: &str) {
    let links = relations(zip, path);
    let text = zip.read_xml(path).unwrap_or_default();
    PptxReading::new(markup, &links).run(&text);
    for relation in links.values() {
        if matches!(relation.kind.as_str(), "diagramData" | "notesSlide") {
            let text = zip.read_xml(&relation.target).unwrap_or_default();
            PptxReading::new(markup, &BTreeMap::new()).run(&text);
        }
    }
}

struct PptxReading<'a> {
    markup: &'a mut Markup,
    links: &'a BTreeMap<String, Relation>,
    /// What the paragraphs of the shape become; none when it repeats on every slide.
    element: Option<&'static str>,
    /// Where the run leads.
    link: Option<&'a str>,
}

impl<'a> PptxReading<'a> {
    fn new(markup: &'a mut Markup, links: &'a BTreeMap<String, Relation>) -> PptxReading<'a> {
        PptxReading { markup, links, element: Some("p"), link: None }
    }

    fn run(mut self, text: &str) {
        let mut events = Events::new(text);
        while let Some(event) = events.next() {
            match event {
                XmlEvent::Start(tag) if tag.name == FALLBACK => events.skip_element(FALLBACK),
                XmlEvent::Start(tag) if tag.name == T => {
                    let text = events.text_in(T);
                    self.text(&text);
                }
                XmlEvent::Start(tag) => self.start(&tag),
                XmlEvent::End(P) => {
                    for name in ["h1", "h2", "p"] {
                        self.markup.close_within(name, &["td", "section"]);
                    }
                }
                XmlEvent::End(SP) => self.element = Some("p"),
                XmlEvent::End(TC) => self.markup.close("td"),
                XmlEvent::End(TR) => self.markup.close("tr"),
                XmlEvent::End(TBL) => self.markup.close("table"),
                XmlEvent::End(_) | XmlEvent::Text(_) => {}
            }
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag.name {
            PH => {
                self.element = match attribute(tag, "type").as_deref() {
                    Some("title" | "ctrTitle") => Some("h1"),
                    Some("subTitle") => Some("h2"),
                    Some("sldNum" | "dt" | "ftr" | "hdr" | "sldImg") => None,
                    _ => Some("p"),
                };
            }
            P => {
                if let Some(element) = self.element {
                    self.markup.open(element);
                }
            }
            R => self.link = None,
            LINK => {
                let target = relationship(tag).and_then(|id| self.links.get(id.as_ref()));
                self.link = target.map(|relation| relation.target.as_str());
            }
            BR => self.text("\n"),
            TBL => self.markup.open("table"),
            TR => self.markup.open("tr"),
            TC => self.markup.open("td"),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.element.is_none() {
            return;
        }
        match self.link.take() {
            Some(link) if !link.ends_with(".xml") => {
                self.markup.link(link);
                self.markup.text(text);
                self.markup.close("a");
            }
            _ => self.markup.text(text),
        }
    }
}
