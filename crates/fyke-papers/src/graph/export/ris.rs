//! RIS, as reference managers read it: a tag a line, `ER` ends a paper.

use super::{CitationFormat, authors, key, line, pages};
use crate::graph::{CitationGraph, PaperEntry};

pub(super) const ROW: CitationFormat = CitationFormat {
    name: "ris",
    what: "tagged lines, which every reference manager imports",
    ending: "ris",
    write,
};

fn write(graph: &CitationGraph) -> String {
    graph.entries().iter().map(one).collect()
}

fn one(entry: &PaperEntry) -> String {
    let fields = &entry.fields;
    let kind = match (fields.venue.is_empty(), fields.venue.to_lowercase().contains("proc")) {
        (true, _) => "GEN",
        (_, true) => "CONF",
        _ => "JOUR",
    };
    let mut text = format!("TY  - {kind}\r\n");
    let mut add = |tag: &str, value: String| {
        if !value.is_empty() {
            text.push_str(&format!("{tag}  - {value}\r\n"));
        }
    };
    add("ID", key(entry));
    for name in authors(entry) {
        let separator = if name.written_given.is_empty() { "" } else { ", " };
        add("AU", format!("{}{separator}{}", name.written_surname, name.written_given));
    }
    add("TI", line(&fields.title));
    add(if kind == "JOUR" { "JO" } else { "T2" }, line(&fields.venue));
    add("VL", line(&fields.volume));
    let (first, last) = pages(entry).unwrap_or_default();
    add("SP", first);
    add("EP", last.unwrap_or_default());
    add("PY", fields.year().map(|year| year.to_string()).unwrap_or_default());
    text.push_str("ER  - \r\n\r\n");
    text
}
