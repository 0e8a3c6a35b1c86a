//! BibTeX, as LaTeX reads it.

use super::{CitationFormat, authors, line, pages};
use crate::graph::{CitationGraph, PaperEntry};
use std::collections::HashMap;

pub(super) const ROW: CitationFormat = CitationFormat {
    name: "bibtex",
    what: "an entry a paper, with keys such as fisher1999nets",
    ending: "bib",
    write,
};

fn write(graph: &CitationGraph) -> String {
    let mut used: HashMap<String, usize> = HashMap::new();
    let mut text = String::new();
    for entry in graph.entries() {
        let key = citation_key(entry);
        let times = used.entry(key.clone()).or_default();
        *times += 1;
        let suffix = if *times == 1 { String::new() } else { format!("-{times}") };
        text.push_str(&one(entry, &format!("{key}{suffix}")));
    }
    text
}

/// The first author's surname, the year and the first long word of the title.
fn citation_key(entry: &PaperEntry) -> String {
    let ascii = |text: &str| -> String {
        let letters = text.chars().filter(char::is_ascii_alphanumeric).take(30);
        letters.map(|c| c.to_ascii_lowercase()).collect()
    };
    let surname = authors(entry).first().map(|name| ascii(&name.surname)).unwrap_or_default();
    let year = entry.fields.year().map(|year| year.to_string()).unwrap_or_default();
    let words = entry.fields.title.split_whitespace().map(ascii);
    let word = words.into_iter().find(|word| word.len() > 3).unwrap_or_default();
    let key = format!("{surname}{year}{word}");
    if key.is_empty() { super::key(entry) } else { key }
}

fn one(entry: &PaperEntry, key: &str) -> String {
    let fields = &entry.fields;
    let names = authors(entry).into_iter().map(|name| match name.written_given.is_empty() {
        true => escaped(&name.written_surname),
        false => escaped(&format!("{}, {}", name.written_surname, name.written_given)),
    });
    let names: Vec<String> = names.collect();
    let is_talk = fields.venue.to_lowercase().contains("proc");
    let (kind, venue) = match (fields.venue.is_empty(), is_talk) {
        (true, _) => ("misc", ""),
        (_, true) => ("inproceedings", "booktitle"),
        _ => ("article", "journal"),
    };
    let pages = pages(entry).map(|(first, last)| match last {
        Some(last) => format!("{first}--{last}"),
        None => first,
    });
    let rows = [
        ("author", names.join(" and ")),
        ("title", escaped(&line(&fields.title))),
        (venue, escaped(&line(&fields.venue))),
        ("volume", escaped(&line(&fields.volume))),
        ("pages", pages.unwrap_or_default()),
        ("year", fields.year().map(|year| year.to_string()).unwrap_or_default()),
    ];
    let rows = rows.iter().filter(|(name, value)| !name.is_empty() && !value.is_empty());
    let rows: String = rows.map(|(name, value)| format!("\n  {name} = {{{value}}},")).collect();
    format!("@{kind}{{{key},{rows}\n}}\n\n")
}

/// Signs that TeX would obey, so that it prints them. Braces are written by their names: BibTeX counts them even behind
/// a backslash.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '{' => escaped.push_str("\\textbraceleft{}"),
            '}' => escaped.push_str("\\textbraceright{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '$' | '&' | '#' | '_' | '%' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::{Citation, CitedId};

    #[test]
    fn an_entry_is_as_bibtex_reads_it() {
        let fields = Citation {
            authors: "Fisher, A., and B. Hook".into(),
            title: "Nets & hooks {at} 5%.".into(),
            venue: "Journal of Tides,".into(),
            volume: "7(2)".into(),
            pages: "pp. 12-19".into(),
            date: "May 1999.".into(),
        };
        let entry = |id| PaperEntry { id: CitedId(id), fields: fields.clone(), is_held: false };
        let text = write(&CitationGraph::new(vec![entry(1), entry(2)], &[]));
        let expected = "@article{fisher1999nets,\n  author = {Fisher, A. and Hook, B.},\n  \
            title = {Nets \\& hooks \\textbraceleft{}at\\textbraceright{} 5\\%},\n  journal = {Journal of Tides},\n  \
            volume = {7(2)},\n  pages = {12--19},\n  year = {1999},\n}\n\n";
        assert_eq!(text, format!("{expected}{}", expected.replace("nets,", "nets-2,")));
    }
}
