//! A paper and its references as BibTeX entries. What came from a file cannot end a field or an entry: braces are
//! balanced or left out.

use crate::names::PersonName;
use crate::paper::Paper;
use crate::reference::{PaperReference, year};
use std::collections::HashSet;
use std::fmt::Write as _;

/// An entry being written.
struct BibtexEntry {
    kind: &'static str,
    fields: Vec<(&'static str, String)>,
}

/// The paper itself where it has a title, then its references in their order.
#[must_use]
pub fn bibtex(paper: &Paper) -> String {
    let mut keys = HashSet::new();
    let mut out = String::new();
    if !paper.header.title.is_empty() {
        let key = key(&paper.header.authors, year(&paper.header.date), &paper.header.title);
        write_entry(&own(paper), &free(&key, &mut keys), &mut out);
    }
    for reference in &paper.references {
        let key = key(&reference.authors, reference.year, &reference.title);
        write_entry(&of_reference(reference), &free(&key, &mut keys), &mut out);
    }
    out
}

fn own(paper: &Paper) -> BibtexEntry {
    let header = &paper.header;
    let year = year(&header.date).map(|year| year.to_string());
    let fields = vec![
        ("author", authors(&header.authors)),
        ("title", header.title.clone()),
        ("year", year.unwrap_or_default()),
        ("abstract", header.abstract_text.clone()),
        ("keywords", header.keywords.join(", ")),
    ];
    BibtexEntry { kind: "misc", fields }
}

fn of_reference(reference: &PaperReference) -> BibtexEntry {
    let field = |name: &str| reference.field(name).to_owned();
    let has = |name: &str| !reference.field(name).is_empty();
    let (kind, venue) = match () {
        () if has("journal") => ("article", "journal"),
        () if has("booktitle") => ("inproceedings", "booktitle"),
        () if is_thesis(reference) => ("phdthesis", "school"),
        () if has("tech") => ("techreport", "type"),
        () if has("publisher") => ("book", "series"),
        () => ("misc", "howpublished"),
    };
    let parts = reference.volume_parts();
    let institution = if kind == "phdthesis" { "school" } else { "institution" };
    let note = if reference.title.is_empty() { reference.text.clone() } else { field("note") };
    let fields = vec![
        ("author", authors(&reference.authors)),
        ("title", reference.title.clone()),
        (venue, if kind == "techreport" { field("tech") } else { reference.venue.clone() }),
        ("editor", authors(&crate::names::of_reference(reference.field("editor")))),
        ("volume", parts.volume.to_owned()),
        ("number", parts.number.to_owned()),
        ("pages", pages(parts.pages)),
        ("publisher", field("publisher")),
        (institution, field("institution")),
        ("address", field("location")),
        ("year", reference.year.map(|year| year.to_string()).unwrap_or_default()),
        ("note", note),
    ];
    BibtexEntry { kind, fields }
}

fn is_thesis(reference: &PaperReference) -> bool {
    let kind = format!("{} {}", reference.field("tech"), reference.field("note")).to_lowercase();
    kind.contains("thesis") || kind.contains("dissertation")
}

fn authors(names: &[PersonName]) -> String {
    let one = |name: &PersonName| match name.given.as_str() {
        "" => name.family.clone(),
        given => format!("{}, {given}", name.family),
    };
    names.iter().map(one).collect::<Vec<_>>().join(" and ")
}

/// `pages 12-19` as `12--19`.
fn pages(text: &str) -> String {
    let from = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let parts = text[from..].split(['-', '\u{2013}', '\u{2014}']).map(str::trim);
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("--")
}

/// `fisher1999nets`
fn key(names: &[PersonName], year: Option<u16>, title: &str) -> String {
    let word = title.split_whitespace().find(|word| word.chars().count() > 3);
    let name = names.first().map_or("", |name| name.family.as_str());
    let year = year.map(|year| year.to_string()).unwrap_or_default();
    let all = format!("{name}{year}{}", word.unwrap_or_default());
    let kept = all.chars().filter(char::is_ascii_alphanumeric).take(60);
    let key: String = kept.map(|c| c.to_ascii_lowercase()).collect();
    if key.is_empty() { "entry".to_owned() } else { key }
}

/// A key that no entry has yet.
fn free(key: &str, taken: &mut HashSet<String>) -> String {
    let mut own = key.to_owned();
    let mut number = 2_u32;
    while !taken.insert(own.clone()) {
        own = format!("{key}-{number}");
        number += 1;
    }
    own
}

fn write_entry(entry: &BibtexEntry, key: &str, out: &mut String) {
    let _ = writeln!(out, "@{}{{{key},", entry.kind);
    for (name, value) in entry.fields.iter().filter(|(_, value)| !value.trim().is_empty()) {
        let _ = writeln!(out, "  {name} = {{{}}},", escaped(value));
    }
    out.push_str("}\n\n");
}

/// Text in braces: the signs that TeX takes for its own are escaped, braces and control characters left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash "),
            '~' => out.push_str("\\textasciitilde "),
            '^' => out.push_str("\\textasciicircum "),
            '{' | '}' => {}
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::PaperModels;
    use crate::paper::take_apart;
    use crate::paper::tests::lines;
    use proptest::prelude::*;

    #[test]
    fn references_are_entries_with_keys_of_their_own() {
        let text = "References\n\
            [1] A. Fisher. Nets & hooks by night. Journal of Tides, 3(2):12-19, 1999.\n\
            [2] A. Fisher. Nets and hooks by night. In Proceedings of the Conference on Fish, pages 1-9, 1999.\n";
        let out = bibtex(&take_apart(&lines(text), PaperModels::shipped()));
        assert!(out.starts_with("@article{fisher1999nets,\n  author = {Fisher, A.},\n"), "{out}");
        assert!(out.contains("title = {Nets \\& hooks by night}"), "{out}");
        assert!(out.contains("pages = {12--19}") && out.contains("year = {1999}"), "{out}");
        assert!(out.contains("@inproceedings{fisher1999nets-2,"), "{out}");
    }

    proptest! {
        #[test]
        fn any_text_stays_inside_its_braces(text in "[\\PC{}\\\\&\n]{0,60}") {
            let out = escaped(&text);
            let is_inside = !out.contains(['{', '}', '\n']);
            prop_assert!(is_inside);
        }
    }
}
