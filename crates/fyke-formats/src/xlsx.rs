//! Excel workbooks: a heading and a table for every sheet. Strings come from the table that sheets
//! share, dates are numbers that a format makes dates.

mod number;

use super::markup::Markup;
use super::ooxml::{main_part, relations};
use super::properties::{OOXML, with_properties};
use super::xml::{Events, XmlEvent, attribute, relationship};
use super::zip::Zip;
use super::{Converted, Inner};
use fyke_web::html::{Tag, TagName, name};
use number::NumberFormats;

/// Most cells that are read.
const MOST_CELLS: usize = 2_000_000;
/// Most sheets.
const MOST_SHEETS: usize = 1_000;
/// Empty cells in a row that are kept for the sake of the columns.
const MOST_GAP: usize = 32;

const C: TagName = name("c");
const ROW: TagName = name("row");
const SI: TagName = name("si");
const T: TagName = name("t");
const V: TagName = name("v");
const RPH: TagName = name("rPh");

pub(super) fn convert(inner: &Inner<'_>) -> Converted {
    let mut zip = Zip::open(inner.source.bytes, inner.budget);
    let part = main_part(&mut zip, "xl/workbook.xml");
    let links = relations(&mut zip, &part);
    let target = |kind: &str| links.values().find(|r| r.kind == kind).map(|r| r.target.clone());
    let workbook = zip.read_xml(&part).unwrap_or_default();
    let shared = target("sharedStrings").and_then(|path| zip.read_xml(&path)).unwrap_or_default();
    let styles = target("styles").and_then(|path| zip.read_xml(&path)).unwrap_or_default();
    let mut reading = XlsxReading {
        markup: Markup::default(),
        shared: shared_strings(&shared),
        numbers: NumberFormats::read(&styles, &workbook),
        left: MOST_CELLS,
    };
    let sheets = sheets(&workbook);
    for (title, id) in &sheets {
        let Some(sheet) = links.get(id).filter(|relation| relation.kind == "worksheet") else {
            continue;
        };
        let text = zip.read_xml(&sheet.target).unwrap_or_default();
        reading.markup.open("section");
        reading.markup.element("h2", title);
        reading.sheet(&text);
        reading.markup.close("section");
    }
    let trouble = match (sheets.is_empty(), reading.left) {
        (true, _) => "no sheets inside",
        (_, 0) => "more cells than are read",
        _ => "",
    };
    let found = with_properties(&mut zip, OOXML, Converted::from(reading.markup));
    found.with_trouble(trouble).with_trouble(&zip.trouble)
}

/// Names of the sheets with their relationships, in order.
fn sheets(workbook: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for event in Events::new(workbook) {
        let XmlEvent::Start(tag) = event else { continue };
        if tag.name == name("sheet")
            && found.len() < MOST_SHEETS
            && let (Some(title), Some(id)) = (attribute(&tag, "name"), relationship(&tag))
        {
            found.push((title.into_owned(), id.into_owned()));
        }
    }
    found
}

/// The strings that cells name by number; how a word is pronounced is no part of it.
fn shared_strings(text: &str) -> Vec<String> {
    let mut strings = Vec::new();
    let mut string = String::new();
    let mut events = Events::new(text);
    while let Some(event) = events.next() {
        match event {
            XmlEvent::Start(tag) if tag.name == RPH => events.skip_element(RPH),
            XmlEvent::Start(tag) if tag.name == T => string.push_str(&events.text_in(T)),
            XmlEvent::End(SI) if strings.len() < MOST_CELLS => {
                strings.push(std::mem::take(&mut string));
            }
            XmlEvent::Start(_) | XmlEvent::End(_) | XmlEvent::Text(_) => {}
        }
    }
    strings
}

struct XlsxReading {
    markup: Markup,
    shared: Vec<String>,
    numbers: NumberFormats,
    /// Cells that may still be read.
    left: usize,
}

impl XlsxReading {
    fn sheet(&mut self, text: &str) {
        let mut events = Events::new(text);
        let mut column = 0;
        self.markup.open("table");
        while let Some(event) = events.next() {
            match event {
                XmlEvent::Start(tag) if tag.name == ROW => {
                    self.markup.open("tr");
                    column = 0;
                }
                XmlEvent::End(ROW) => self.markup.close("tr"),
                XmlEvent::Start(tag) if tag.name == C => {
                    if self.left == 0 || self.markup.is_full() {
                        break;
                    }
                    self.left -= 1;
                    let value = self.value(&tag, &mut events);
                    let place = attribute(&tag, "r").and_then(|place| column_of(&place));
                    let gap = place.unwrap_or(column).saturating_sub(column);
                    column = column.max(place.unwrap_or(column));
                    if !value.is_empty() {
                        self.cells(gap, &value);
                        column += 1;
                    }
                }
                XmlEvent::Start(_) | XmlEvent::End(_) | XmlEvent::Text(_) => {}
            }
        }
        self.markup.close("table");
    }

    /// Writes a cell behind so many empty ones.
    fn cells(&mut self, gap: usize, value: &str) {
        for _ in 0..gap.min(MOST_GAP) {
            self.markup.open("td");
            self.markup.close("td");
        }
        self.markup.open("td");
        self.markup.text(value);
        self.markup.close("td");
    }

    /// What a cell shows.
    fn value(&self, cell: &Tag<'_>, events: &mut Events<'_>) -> String {
        let mut value = String::new();
        let mut inline = String::new();
        while let Some(event) = events.next() {
            match event {
                XmlEvent::Start(tag) if tag.name == V => value = events.text_in(V),
                XmlEvent::Start(tag) if tag.name == T => inline.push_str(&events.text_in(T)),
                XmlEvent::Start(tag) if tag.name == RPH => events.skip_element(RPH),
                XmlEvent::End(C) => break,
                XmlEvent::Start(_) | XmlEvent::End(_) | XmlEvent::Text(_) => {}
            }
        }
        match attribute(cell, "t").as_deref() {
            Some("s") => {
                let place = value.trim().parse().ok();
                place.and_then(|place: usize| self.shared.get(place)).cloned().unwrap_or_default()
            }
            Some("inlineStr") => inline,
            Some("b") => if value.trim() == "1" { "TRUE" } else { "FALSE" }.to_owned(),
            Some("str" | "e" | "d") => value,
            _ => {
                let style = attribute(cell, "s").and_then(|style| style.parse().ok());
                self.numbers.show(value.trim(), style.unwrap_or(0))
            }
        }
    }
}

/// The column, from 0, of a place such as "AB12".
fn column_of(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic).take(4);
    let number =
        letters.fold(0, |sum, b| sum * 26 + usize::from(b.to_ascii_uppercase() - b'A') + 1);
    number.checked_sub(1)
}
