//! How the header of a paper is set: title, authors, where they work, abstract, in one of several orders.

use super::paper::{PaperPart, PartKind};
use super::stock::{University, stock};
use super::works::{Person, TrueWork, Venue};
use crate::words::PondDice;

const MONTHS: [&str; 6] = ["January", "March", "May", "June", "September", "November"];

/// The field that models of headers know such a part by; none for headings and what is no header.
pub(super) fn field(kind: PartKind) -> Option<&'static str> {
    Some(match kind {
        PartKind::Title => "title",
        PartKind::Author => "author",
        PartKind::Affiliation => "affiliation",
        PartKind::Address => "address",
        PartKind::Email => "email",
        PartKind::Date => "date",
        PartKind::Note => "note",
        PartKind::Abstract => "abstract",
        PartKind::Keywords => "keyword",
        _ => return None,
    })
}

fn university(person: &Person) -> &'static University {
    &stock().universities[person.department % stock().universities.len()]
}

/// What a department calls itself.
pub(super) fn department_name(department: usize) -> &'static str {
    let names = &stock().departments;
    names[department * 5 % names.len()]
}

/// A family name as addresses have it.
pub(super) fn plain_name(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect()
}

fn email(person: &Person) -> String {
    format!("{}@cs.{}.edu", plain_name(&person.name.family), university(person).host)
}

/// The addresses of mail of a work's authors.
pub(super) fn emails(work: &TrueWork) -> Vec<String> {
    work.people.iter().map(email).collect()
}

pub(super) fn header(work: &TrueWork, abstract_text: &str, dice: &mut PondDice) -> Vec<PaperPart> {
    let mut parts = Vec::new();
    let mut add = |kind, text: String| parts.push(PaperPart::new(kind, text));
    if let (Venue::Report(_), true) = (work.venue, dice.percent(70)) {
        add(
            PartKind::Note,
            format!("Technical Report CS-TR-{}-{:02}", work.year % 100, work.issue * 7),
        );
    } else if let (Venue::Conference(_, acronym), true) = (work.venue, dice.percent(20)) {
        add(PartKind::Note, format!("To appear in Proceedings of {acronym} {}", work.year));
    }
    add(PartKind::Title, work.title.clone());
    match dice.below(10) {
        0..=2 => together(work, &mut parts),
        3..=5 => one_by_one(work, &mut parts),
        6..=7 => by_numbers(work, &mut parts),
        _ => beside(work, &mut parts),
    }
    if dice.percent(20) {
        parts.push(PaperPart::new(
            PartKind::Date,
            format!("{} {}", MONTHS[dice.below(6)], work.year),
        ));
    }
    let heading = ["Abstract", "ABSTRACT", "Abstract", "Summary"][dice.below(4)];
    parts.push(PaperPart::new(PartKind::AbstractHeading, heading));
    parts.push(PaperPart::new(PartKind::Abstract, abstract_text));
    if dice.percent(30) {
        let words: Vec<&str> = (0..3).map(|_| dice.word(&work.area.objects)).collect();
        parts.push(PaperPart::new(PartKind::Keywords, format!("Keywords: {}", words.join(", "))));
    }
    parts
}

fn names(work: &TrueWork) -> String {
    let mut names: Vec<String> = work.authors.iter().map(super::works::TrueAuthor::full).collect();
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
}

/// The departments of a work's people, each once.
fn places(work: &TrueWork) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    for person in &work.people {
        if !places.contains(&person.department) {
            places.push(person.department);
        }
    }
    places
}

fn place(parts: &mut Vec<PaperPart>, department: usize, mark: &str) {
    let of = &stock().universities[department % stock().universities.len()];
    parts.push(PaperPart::new(
        PartKind::Affiliation,
        format!("{mark}{}", department_name(department)),
    ));
    parts.push(PaperPart::new(PartKind::Affiliation, of.name));
    parts.push(PaperPart::new(PartKind::Address, of.place));
}

/// All names, then all places, then all addresses of mail.
fn together(work: &TrueWork, parts: &mut Vec<PaperPart>) {
    parts.push(PaperPart::new(PartKind::Author, names(work)));
    for department in places(work) {
        place(parts, department, "");
    }
    for person in &work.people {
        parts.push(PaperPart::new(PartKind::Email, email(person)));
    }
}

fn one_by_one(work: &TrueWork, parts: &mut Vec<PaperPart>) {
    for person in &work.people {
        parts.push(PaperPart::new(PartKind::Author, person.name.full()));
        place(parts, person.department, "");
        parts.push(PaperPart::new(PartKind::Email, email(person)));
    }
}

/// Names with small numbers that places have, too.
fn by_numbers(work: &TrueWork, parts: &mut Vec<PaperPart>) {
    let places = places(work);
    let number = |person: &Person| {
        let at = places.iter().position(|known| *known == person.department);
        format!("{}^{}", person.name.full(), at.unwrap_or(0) + 1)
    };
    let names: Vec<String> = work.people.iter().map(number).collect();
    parts.push(PaperPart::new(PartKind::Author, names.join(", ")));
    for (at, department) in places.iter().enumerate() {
        place(parts, *department, &format!("^{} ", at + 1));
    }
    let emails: Vec<String> = work.people.iter().map(email).collect();
    parts.push(PaperPart::new(PartKind::Email, emails.join(", ")));
}

/// Three of them in a row, what belongs to each below its name.
fn beside(work: &TrueWork, parts: &mut Vec<PaperPart>) {
    for row in work.people.chunks(3) {
        let university = |person: &Person| university(person);
        let mut add = |kind, cells: Vec<String>| {
            let part = PaperPart::new(kind, cells.join(" "));
            parts.push(PaperPart { cells, ..part });
        };
        add(PartKind::Author, row.iter().map(|person| person.name.full()).collect());
        add(
            PartKind::Affiliation,
            row.iter().map(|p| department_name(p.department).to_owned()).collect(),
        );
        add(PartKind::Affiliation, row.iter().map(|p| university(p).name.to_owned()).collect());
        add(PartKind::Address, row.iter().map(|p| university(p).place.to_owned()).collect());
        add(PartKind::Email, row.iter().map(email).collect());
    }
}
