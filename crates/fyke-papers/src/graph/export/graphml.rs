//! GraphML: papers as nodes, citations as edges from the citing to the cited, for programs that draw and measure graphs.

use super::{CitationFormat, key, line};
use crate::escape::escaped;
use crate::graph::CitationGraph;
use std::fmt::Write as _;

pub(super) const ROW: CitationFormat = CitationFormat {
    name: "graphml",
    what: "the graph itself: papers with titles, authors and years, and who cites whom",
    ending: "graphml",
    write,
};

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="title" for="node" attr.name="title" attr.type="string"/>
<key id="authors" for="node" attr.name="authors" attr.type="string"/>
<key id="venue" for="node" attr.name="venue" attr.type="string"/>
<key id="year" for="node" attr.name="year" attr.type="int"/>
<key id="held" for="node" attr.name="held" attr.type="boolean"/>
<graph id="citations" edgedefault="directed">
"#;

fn write(graph: &CitationGraph) -> String {
    let mut text = HEAD.to_owned();
    for entry in graph.entries() {
        let fields = &entry.fields;
        let year = fields.year().map(|year| year.to_string()).unwrap_or_default();
        let rows = [
            ("title", escaped(&line(&fields.title))),
            ("authors", escaped(&line(&fields.authors))),
            ("venue", escaped(&line(&fields.venue))),
            ("year", year),
            ("held", entry.is_held.to_string()),
        ];
        let _ = writeln!(text, r#"<node id="{}">"#, key(entry));
        for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
            let _ = writeln!(text, r#"  <data key="{name}">{value}</data>"#);
        }
        text.push_str("</node>\n");
    }
    for (place, entry) in (0..).zip(graph.entries()) {
        for cited in graph.references(place) {
            let target = key(&graph.entries()[*cited as usize]);
            let _ = writeln!(text, r#"<edge source="{}" target="{target}"/>"#, key(entry));
        }
    }
    text.push_str("</graph>\n</graphml>\n");
    text
}
