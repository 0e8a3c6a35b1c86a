//! A paper for people, and as JSON.

use crate::cli::output::{bold, tame};
use fyke_papers::names::PersonName;
use fyke_papers::reference::PaperReference;
use fyke_stages::papers::ReadPaper;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Sentences that cite a reference, of those that are shown.
const MOST_SENTENCES: usize = 3;

pub(super) fn json(path: &str, read: &ReadPaper) -> Value {
    let paper = &read.paper;
    json!({
        "path": path,
        "format": read.format,
        "pages": read.pages,
        "verdict": read.verdict,
        "header": paper.header,
        "sections": paper.sections,
        "references": paper.references,
        "contexts": paper.contexts,
        "notes": paper.notes,
        "trouble": read.trouble,
    })
}

/// Lines for a person; what a file says steers no terminal.
pub(super) fn text(path: &str, read: &ReadPaper) -> String {
    let (paper, header) = (&read.paper, &read.paper.header);
    let mut out = String::new();
    let title = if header.title.is_empty() { "(no title)" } else { &header.title };
    let _ = writeln!(out, "{}", bold(&tame(title)));
    let mut row = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(out, "{name:<13}{}", tame(value));
        }
    };
    row("File", path);
    row("Authors", &names(&header.authors, "; "));
    row("Affiliation", &header.affiliations.join("; "));
    row("Address", &header.addresses.join("; "));
    row("Email", &header.emails.join(", "));
    row("Phone", &header.phones.join("; "));
    row("Web", &header.web.join(" "));
    row("Date", &header.date);
    row("Degree", &header.degree);
    row("Number", &header.number);
    row("Keywords", &header.keywords.join(", "));
    row("Note", &header.note);
    row("Not found", &not_found(&paper.notes));
    row("Evidence", &read.verdict.evidence.join(", "));
    row("No paper", &read.verdict.note);
    row("Trouble", &read.trouble);
    if !header.abstract_text.is_empty() {
        let _ = writeln!(out, "\n{}\n{}", bold("Abstract"), tame(&header.abstract_text));
    }
    let titled = || paper.sections.iter().filter(|section| !section.title.is_empty());
    if titled().next().is_some() {
        let _ = writeln!(out, "\n{}", bold("Sections"));
        for section in titled() {
            let heading = format!("{} {}", section.number, section.title);
            let _ = writeln!(out, "  {} (page {})", tame(heading.trim()), section.page);
        }
    }
    if !paper.references.is_empty() {
        let _ = writeln!(out, "\n{}", bold(&format!("References ({})", paper.references.len())));
    }
    let mut cited: HashMap<usize, Vec<&str>> = HashMap::new();
    for context in &paper.contexts {
        cited.entry(context.reference).or_default().push(&context.sentence);
    }
    for (at, reference) in paper.references.iter().enumerate() {
        let _ = writeln!(out, "  {}", tame(&line(at, reference)));
        for sentence in cited.get(&at).into_iter().flatten().take(MOST_SENTENCES) {
            let _ = writeln!(out, "      “{}”", tame(sentence));
        }
    }
    out
}

/// Notes as "abstract, references".
fn not_found(notes: &[&str]) -> String {
    let found = notes.iter().map(|note| {
        note.strip_prefix("no ").and_then(|note| note.strip_suffix(" found")).unwrap_or(note)
    });
    found.collect::<Vec<_>>().join(", ")
}

fn names(authors: &[PersonName], between: &str) -> String {
    authors.iter().map(PersonName::full).collect::<Vec<_>>().join(between)
}

/// A reference in a line: its mark, authors, year, title and where it stands; as it is written where no title was
/// found.
fn line(at: usize, reference: &PaperReference) -> String {
    let mark =
        if reference.mark.is_empty() { (at + 1).to_string() } else { reference.mark.clone() };
    if reference.title.is_empty() {
        return format!("[{mark}] {}", reference.text);
    }
    let mut line = format!("[{mark}] {}", names(&reference.authors, ", "));
    if let Some(year) = reference.year {
        let _ = write!(line, " ({year})");
    }
    let _ = write!(line, ". {}.", reference.title);
    if !reference.venue.is_empty() {
        let _ = write!(line, " {}.", reference.venue);
    }
    line
}
