//! How papers refer to works: as one of several styles has it, with the abbreviations, missing fields and slips that
//! lists of references have.

use super::works::{TrueAuthor, TrueWork, Venue};
use crate::words::PondDice;
use serde::Serialize;

/// What a reference stands under, and how the text cites it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum MarkStyle {
    /// `[3]`
    Bracket,
    /// `3.`, cited as `[3]`
    Number,
    /// `[Gra95]`, `[GH95]`
    Label,
    /// None; cited as `(Grant and Hook, 1995)`
    AuthorYear,
    /// `[Grant and Hook, 1995]`
    LongLabel,
    /// A footnote where it is cited.
    Footnote,
}

/// The order of fields and the signs between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldOrder {
    /// `A. Grant and B. Hook. Title. Journal, 3(2):12-19, 1995.`
    Plain,
    /// `A. Grant and B. Hook, "Title," Journal, vol. 3, no. 2, pp. 12-19, 1995.`
    Quoted,
    /// `Grant, A., & Hook, B. (1995). Title. Journal, 3, 12-19.`
    YearFirst,
    /// `Grant, A. and Hook, B. Title. Journal 3, 2 (1995), 12-19.`
    FamilyFirst,
}

/// How a paper writes all its references.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReferenceStyle {
    pub(super) mark: MarkStyle,
    pub(super) order: FieldOrder,
    /// Given names in full.
    pub(super) full_names: bool,
    /// Venues by their short names.
    pub(super) short_venues: bool,
}

/// A part of a reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrueField {
    pub field: &'static str,
    pub text: String,
}

/// A reference and which work it names.
#[derive(Clone, Debug, Serialize)]
pub struct TrueReference {
    /// The number of the work: below the number of papers it stands in the pond.
    pub work: usize,
    /// Without brackets; empty where it has none.
    pub mark: String,
    /// Without its mark.
    pub text: String,
    pub fields: Vec<TrueField>,
    /// How sentences name it, where they do not by its mark.
    pub names: String,
    /// As it is written; none where it was left out.
    pub year: Option<usize>,
    /// Stands behind the year of works of the same people and year.
    pub letter: String,
}

impl ReferenceStyle {
    pub(super) fn roll(dice: &mut PondDice) -> ReferenceStyle {
        let mark = match dice.below(100) {
            0..=31 => MarkStyle::Bracket,
            32..=47 => MarkStyle::Number,
            48..=62 => MarkStyle::Label,
            63..=82 => MarkStyle::AuthorYear,
            83..=94 => MarkStyle::LongLabel,
            _ => MarkStyle::Footnote,
        };
        let order = match (mark, dice.below(10)) {
            (MarkStyle::AuthorYear, 0..=6) => FieldOrder::YearFirst,
            (MarkStyle::Bracket | MarkStyle::Number, 0..=2) => FieldOrder::Quoted,
            (MarkStyle::Bracket | MarkStyle::Number, 3..=4) => FieldOrder::FamilyFirst,
            (MarkStyle::AuthorYear, 7) => FieldOrder::FamilyFirst,
            _ => FieldOrder::Plain,
        };
        ReferenceStyle { mark, order, full_names: dice.percent(25), short_venues: dice.percent(40) }
    }

    /// Whether names stand before marks in an order of their own.
    pub(super) fn is_sorted(self) -> bool {
        !matches!(self.mark, MarkStyle::Bracket | MarkStyle::Number | MarkStyle::Footnote)
    }
}

/// All references of a paper to these works.
pub(super) fn references(
    works: &[TrueWork],
    style: ReferenceStyle,
    dice: &mut PondDice,
) -> Vec<TrueReference> {
    let mut works: Vec<&TrueWork> = works.iter().collect();
    if style.is_sorted() || dice.percent(60) {
        let key = |work: &&TrueWork| {
            let families: Vec<String> =
                work.authors.iter().map(|name| name.family.clone()).collect();
            (families, work.year, work.number)
        };
        works.sort_by_cached_key(key);
    }
    let letters = letters(&works);
    let mut marks: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for (at, (work, letter)) in works.into_iter().zip(letters).enumerate() {
        let mut mark = mark(work, style.mark, at);
        if style.mark == MarkStyle::LongLabel {
            mark.push_str(&letter);
        }
        let twins = marks.iter().filter(|known| known.starts_with(&mark)).count();
        if style.mark == MarkStyle::Label && twins > 0 {
            mark.push(char::from(b'a' + twins as u8 % 26));
        }
        marks.push(mark.clone());
        let letter =
            if matches!(style.mark, MarkStyle::AuthorYear) { letter } else { String::new() };
        found.push(write(work, style, ReferenceMark { mark, letter }, dice));
    }
    found
}

/// A letter for each of several works of the same first author and year.
fn letters(works: &[&TrueWork]) -> Vec<String> {
    let key = |work: &TrueWork| (work.authors[0].family.clone(), work.year);
    let of = |(at, work): (usize, &&TrueWork)| {
        let same = |other: &&&TrueWork| key(other) == key(work);
        let (before, all) =
            (works[..at].iter().filter(same).count(), works.iter().filter(same).count());
        if all > 1 { char::from(b'a' + before as u8 % 26).to_string() } else { String::new() }
    };
    works.iter().enumerate().map(of).collect()
}

struct ReferenceMark {
    mark: String,
    letter: String,
}

fn mark(work: &TrueWork, style: MarkStyle, at: usize) -> String {
    match style {
        MarkStyle::Bracket | MarkStyle::Number | MarkStyle::Footnote => (at + 1).to_string(),
        MarkStyle::AuthorYear => String::new(),
        MarkStyle::LongLabel => format!("{}, {}", named(work), work.year),
        MarkStyle::Label => {
            let first = |name: &TrueAuthor, letters: usize| -> String {
                name.family.chars().filter(|c| c.is_alphabetic()).take(letters).collect()
            };
            let names: String = match work.authors.as_slice() {
                [one] => first(one, 3),
                more => more.iter().take(3).map(|name| first(name, 1)).collect(),
            };
            format!("{names}{:02}", work.year % 100)
        }
    }
}

/// `Grant`, `Grant and Hook`, `Grant et al.`
fn named(work: &TrueWork) -> String {
    match work.authors.as_slice() {
        [one] => one.family.clone(),
        [one, other] => format!("{} and {}", one.family, other.family),
        more => format!("{} et al.", more[0].family),
    }
}

fn write(
    work: &TrueWork,
    style: ReferenceStyle,
    ReferenceMark { mark, letter }: ReferenceMark,
    dice: &mut PondDice,
) -> TrueReference {
    let year = (!dice.percent(3) || style.mark == MarkStyle::AuthorYear).then_some(work.year);
    let date = year.map(|year| format!("{year}{letter}"));
    let written = WrittenReference { work, style, date, title: title(work, dice) };
    let fields = written.fields(dice);
    let texts: Vec<&str> = fields.iter().map(|part| part.text.as_str()).collect();
    TrueReference {
        work: work.number,
        mark,
        text: texts.join(" "),
        names: named(work),
        year,
        letter,
        fields,
    }
}

/// With a slip in one of ten.
fn title(work: &TrueWork, dice: &mut PondDice) -> String {
    let mut words: Vec<String> = work.title.split(' ').map(str::to_owned).collect();
    let at = dice.below(words.len());
    match dice.below(40) {
        0 => drop(words.remove(at)),
        1..=3 => words[at] = mistyped(&words[at], dice),
        _ => {}
    }
    words.join(" ")
}

/// With two letters swapped or one left out.
fn mistyped(word: &str, dice: &mut PondDice) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    if letters.len() < 4 {
        return word.to_owned();
    }
    let at = 1 + dice.below(letters.len() - 2);
    if dice.percent(50) {
        letters.swap(at, at - 1);
    } else {
        letters.remove(at);
    }
    letters.into_iter().collect()
}

/// A reference while it is written.
struct WrittenReference<'a> {
    work: &'a TrueWork,
    style: ReferenceStyle,
    date: Option<String>,
    title: String,
}

impl WrittenReference<'_> {
    fn fields(&self, dice: &mut PondDice) -> Vec<TrueField> {
        let order = self.style.order;
        let mut fields = Vec::new();
        let mut add = |field, text: String| fields.push(TrueField { field, text });
        let authors = self.authors(dice);
        let date = self.date.clone();
        match order {
            FieldOrder::Plain => add("author", ended(&authors)),
            FieldOrder::Quoted => add("author", format!("{authors},")),
            FieldOrder::YearFirst | FieldOrder::FamilyFirst => add("author", authors),
        }
        if let Some(date) = date.as_ref().filter(|_| order == FieldOrder::YearFirst) {
            add("date", format!("({date})."));
        }
        match order {
            FieldOrder::Quoted => add("title", format!("\"{},\"", self.title)),
            _ => add("title", format!("{}.", self.title)),
        }
        self.venue(&mut add, dice);
        if let Some(date) = date.filter(|_| matches!(order, FieldOrder::Plain | FieldOrder::Quoted))
        {
            let month = ["May", "June", "October"][dice.below(3)];
            let with_month = dice.percent(20) && !matches!(self.work.venue, Venue::StockJournal(_));
            add("date", if with_month { format!("{month} {date}.") } else { format!("{date}.") });
        }
        if let Some(last) = fields.last_mut().filter(|last| last.text.ends_with(',')) {
            last.text.pop();
            last.text.push('.');
        }
        fields
    }

    fn authors(&self, dice: &mut PondDice) -> String {
        let ReferenceStyle { order, full_names, .. } = self.style;
        let family_first = matches!(order, FieldOrder::YearFirst | FieldOrder::FamilyFirst);
        let one = |name: &TrueAuthor| {
            let given =
                if full_names && !family_first { name.given.clone() } else { initials(name) };
            if family_first {
                format!("{}, {given}", name.family)
            } else {
                format!("{given} {}", name.family)
            }
        };
        let mut names: Vec<String> = self.work.authors.iter().map(one).collect();
        if names.len() > 2 && dice.percent(8) {
            return format!("{}, et al.", names[0]);
        }
        let last = names.pop().unwrap_or_default();
        let and = if order == FieldOrder::YearFirst { "&" } else { "and" };
        match names.as_slice() {
            [] => last,
            [one] if !family_first => format!("{one} {and} {last}"),
            more => format!("{}, {and} {last}", more.join(", ")),
        }
    }

    /// What stands behind the title, but for the year.
    fn venue(&self, add: &mut impl FnMut(&'static str, String), dice: &mut PondDice) {
        let range = format!("{}-{}", self.work.page, self.work.page + self.work.pages);
        let range = dice.percent(80).then_some(range);
        let is_short = self.style.short_venues != dice.percent(10);
        match self.work.venue {
            Venue::StockJournal(journal) => {
                self.journal(if is_short { journal.short } else { journal.name }, range, add);
            }
            Venue::Conference(name, acronym) => {
                let name = match (is_short, dice.below(3)) {
                    (true, 0) => format!("Proc. {acronym}"),
                    (true, _) => format!("Proc. {name} ({acronym})"),
                    (false, _) => format!("Proceedings of the {name}"),
                };
                add("booktitle", format!("In {name},"));
                self.date_between(add);
                if let Some(range) = range {
                    let is_plain = self.style.order == FieldOrder::Plain;
                    add("pages", format!("{} {range},", if is_plain { "pages" } else { "pp." }));
                }
            }
            Venue::Report(university) => {
                let number = self.work.issue * 7;
                add("tech", format!("Technical Report TR-{}-{number:02},", self.work.year % 100));
                add("institution", format!("{},", university.name));
                self.date_between(add);
            }
        }
    }

    /// The year where it stands in the middle.
    fn date_between(&self, add: &mut impl FnMut(&'static str, String)) {
        if let Some(date) =
            self.date.as_ref().filter(|_| self.style.order == FieldOrder::FamilyFirst)
        {
            add("date", format!("({date}),"));
        }
    }

    fn journal(
        &self,
        name: &str,
        range: Option<String>,
        add: &mut impl FnMut(&'static str, String),
    ) {
        let TrueWork { volume, issue, .. } = self.work;
        let order = self.style.order;
        let comma = if order == FieldOrder::FamilyFirst { "" } else { "," };
        add("journal", format!("{name}{comma}"));
        match (order, &range) {
            (FieldOrder::Plain, Some(range)) => {
                add("volume", format!("{volume}({issue}):{range},"));
            }
            (FieldOrder::Plain, None) => add("volume", format!("{volume}({issue}),")),
            (FieldOrder::Quoted, _) => add("volume", format!("vol. {volume}, no. {issue},")),
            (FieldOrder::YearFirst, _) => add("volume", format!("{volume},")),
            (FieldOrder::FamilyFirst, _) => add("volume", format!("{volume}, {issue}")),
        }
        self.date_between(add);
        if let Some(range) = range.filter(|_| order != FieldOrder::Plain) {
            let word = if order == FieldOrder::Quoted { "pp. " } else { "" };
            add("pages", format!("{word}{range},"));
        }
    }
}

fn initials(name: &TrueAuthor) -> String {
    let first = name.given.split(' ').filter_map(|word| word.chars().next());
    first.map(|letter| format!("{letter}.")).collect::<Vec<_>>().join(" ")
}

/// With a full stop at its end.
fn ended(text: &str) -> String {
    if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}
