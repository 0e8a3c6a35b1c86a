//! CSL-JSON, as citation managers and pandoc read it.

use super::{CitationFormat, authors, key, line, pages};
use crate::graph::{CitationGraph, PaperEntry};
use serde_json::{Map, Value, json};

pub(super) const ROW: CitationFormat = CitationFormat {
    name: "csl-json",
    what: "a list of items of the Citation Style Language",
    ending: "json",
    write,
};

fn write(graph: &CitationGraph) -> String {
    let items: Vec<Value> =
        graph.entries().iter().map(|entry| Value::Object(item(entry))).collect();
    Value::Array(items).to_string()
}

fn item(entry: &PaperEntry) -> Map<String, Value> {
    let fields = &entry.fields;
    let kind = match (fields.venue.is_empty(), fields.venue.to_lowercase().contains("proc")) {
        (true, _) => "document",
        (_, true) => "paper-conference",
        _ => "article-journal",
    };
    let mut item = Map::new();
    item.insert("id".into(), json!(key(entry)));
    item.insert("type".into(), json!(kind));
    let names = authors(entry).into_iter();
    let names: Vec<Value> = names
        .map(|name| json!({ "family": name.written_surname, "given": name.written_given }))
        .collect();
    if !names.is_empty() {
        item.insert("author".into(), Value::Array(names));
    }
    if let Some(year) = fields.year() {
        item.insert("issued".into(), json!({ "date-parts": [[year]] }));
    }
    let pages = pages(entry).map(|(first, last)| match last {
        Some(last) => format!("{first}-{last}"),
        None => first,
    });
    let texts = [
        ("title", line(&fields.title)),
        ("container-title", line(&fields.venue)),
        ("volume", line(&fields.volume)),
        ("page", pages.unwrap_or_default()),
    ];
    for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        item.insert(name.into(), json!(text));
    }
    item
}
