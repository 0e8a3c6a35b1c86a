//! Facts: what others find out of a document and the index takes by name. A row declares one: whether
//! it is a number or a label, whether it ranks (a signal), narrows (a filter of the query language) or
//! is counted (a facet). The table of rows is handed over when the index is opened, so that a fact
//! stands with whoever finds it out, and nothing here knows any.
//!
//! A number is kept as a column, a label as a term and a column. `name:>0.5`, `name:<=3`,
//! `name:0.2..0.5` (both ends in), `name:0.2..<0.5` (the last one out) and `name:7` ask for numbers,
//! `name:forum` for a label. A label with slashes lies in all that is above it: `forum/thread` is found
//! by `forum`. A table with another name, kind or version makes an index old.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use crate::query::is_scope;
use crate::rank::rankers::is_dial;

/// A row of a table of facts.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    /// Its name in the query language, in explanations, as a weight and in the API: small letters,
    /// digits and `-`.
    pub name: &'static str,
    pub kind: FactKind,
    /// Raise it when the same name comes to mean something else: indexes are then made anew.
    pub version: u32,
    /// What it says of a document, in one line.
    pub what: &'static str,
    /// How it ranks, if it does; numbers only.
    pub signal: Option<FactSignal>,
    /// Whether the query language knows it.
    pub filter: bool,
    /// How it is counted, if it is; only what is a filter.
    pub facet: Option<FactFacet>,
}

/// What a fact is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactKind {
    /// One number, or none.
    Number,
    /// Any number of short texts, the main one first.
    Label,
}

/// A number as a signal of the ranking.
#[derive(Clone, Copy, Debug)]
pub struct FactSignal {
    /// What the value 1 of the curve counts in the standard ranker; not below 0.
    pub weight: f32,
    /// What a number is worth. Below 0 it speaks against a document; one without the number gets 0.
    pub curve: fn(f64) -> f32,
}

/// A fact as a facet.
#[derive(Clone, Copy, Debug)]
pub struct FactFacet {
    /// Its title on the page.
    pub title: &'static str,
    /// Where the classes of a number begin and end, ascending; of a label none.
    pub cuts: &'static [f64],
}

/// What is known of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FactValue<'a> {
    Number(f64),
    /// One to a line, the main one first.
    Labels(&'a str),
}

/// A table has no more rows: a ranker has a place for each.
pub(crate) const MOST_FACTS: usize = 32;

/// No name is longer.
const LONGEST_NAME: usize = 30;

impl Fact {
    /// A number that does nothing yet: `Fact { name: …, what: …, filter: true, ..Fact::NUMBER }`.
    pub const NUMBER: Fact = Fact {
        name: "",
        kind: FactKind::Number,
        version: 1,
        what: "",
        signal: None,
        filter: false,
        facet: None,
    };

    /// A label that does nothing yet.
    pub const LABEL: Fact = Fact { kind: FactKind::Label, ..Fact::NUMBER };

    /// Under this name the engine has it: no field of ours is called so.
    pub(crate) fn column(&self) -> String {
        format!("fact_{}", self.name)
    }

    /// The classes of a number, each as a filter asks for it.
    pub(crate) fn classes(&self) -> Vec<String> {
        let cuts = self.facet.map_or(&[][..], |facet| facet.cuts);
        let (Some(first), Some(last)) = (cuts.first(), cuts.last()) else { return Vec::new() };
        let inner = cuts.windows(2).map(|pair| format!("{}..<{}", pair[0], pair[1]));
        let below = std::iter::once(format!("<{first}"));
        below.chain(inner).chain([format!(">={last}")]).collect()
    }

    /// The class in which a number lies.
    pub(crate) fn class_of(&self, number: f64) -> usize {
        let cuts = self.facet.map_or(&[][..], |facet| facet.cuts);
        cuts.partition_point(|cut| *cut <= number)
    }

    fn wrong(&self) -> Option<&'static str> {
        let starts = self.name.starts_with(|c: char| c.is_ascii_lowercase());
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let is_name = starts && self.name.chars().all(fits) && self.name.len() <= LONGEST_NAME;
        let is_number = self.kind == FactKind::Number;
        let cuts = self.facet.map_or(&[][..], |facet| facet.cuts);
        let is_ascending =
            cuts.iter().all(|cut| cut.is_finite()) && cuts.is_sorted_by(|a, b| a < b);
        let rules = [
            (is_name, "its name must be small letters, digits and -"),
            (!is_scope(self.name), "the query language has this name already"),
            (!is_dial(self.name), "a weight has this name already"),
            (!self.what.is_empty(), "it must say what it is"),
            (self.signal.is_none() || is_number, "only a number can be a signal"),
            (self.signal.is_none_or(|s| s.weight >= 0.0), "its weight must not be below 0"),
            (self.facet.is_none() || self.filter, "what is a facet must be a filter"),
            (
                self.facet.is_none() || cuts.is_empty() != is_number,
                "numbers have cuts, labels none",
            ),
            (is_ascending, "its cuts must ascend"),
        ];
        rules.into_iter().find(|(holds, _)| !holds).map(|(_, rule)| rule)
    }
}

/// What is wrong with a table, if anything.
pub(crate) fn check(facts: &[Fact]) -> Result<(), String> {
    if facts.len() > MOST_FACTS {
        return Err(format!("{} facts; an index takes {MOST_FACTS}", facts.len()));
    }
    let mut names = HashSet::new();
    for fact in facts {
        let twice = (!names.insert(fact.name)).then_some("there are two of this name");
        if let Some(rule) = fact.wrong().or(twice) {
            return Err(format!("the fact {:?}: {rule}", fact.name));
        }
    }
    Ok(())
}

/// What an index says of its table.
pub(crate) fn fingerprint(facts: &[Fact]) -> String {
    let row = |fact: &Fact| {
        let kind = match fact.kind {
            FactKind::Number => "number",
            FactKind::Label => "label",
        };
        format!("{kind} {} {}\n", fact.name, fact.version)
    };
    facts.iter().map(row).collect()
}

/// The number as it is kept: zero has one sign, and what is no number is none.
pub(crate) fn kept(number: f64) -> Option<f64> {
    number.is_finite().then_some(number + 0.0)
}

/// The numbers that `text` stands for; nothing when it is no number.
pub(crate) fn span(text: &str) -> Option<RangeInclusive<f64>> {
    const ALL: RangeInclusive<f64> = f64::MIN..=f64::MAX;
    let number = |text: &str| {
        let plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.e".contains(&b));
        text.parse().ok().filter(|_| plain).and_then(kept)
    };
    if let Some(least) = text.strip_prefix(">=") {
        return Some(number(least)?..=*ALL.end());
    }
    if let Some(most) = text.strip_prefix("<=") {
        return Some(*ALL.start()..=number(most)?);
    }
    if let Some(below) = text.strip_prefix('>') {
        return Some(number(below)?.next_up()..=*ALL.end());
    }
    if let Some(above) = text.strip_prefix('<') {
        return Some(*ALL.start()..=number(above)?.next_down());
    }
    match text.split_once("..") {
        None => number(text).map(|number| number..=number),
        Some(("", "")) => None,
        Some((from, "")) => Some(number(from)?..=*ALL.end()),
        Some(("", to)) => Some(*ALL.start()..=number(to)?),
        Some((from, to)) => match to.strip_prefix('<') {
            Some(to) => Some(number(from)?..=number(to)?.next_down()),
            None => Some(number(from)?..=number(to)?),
        },
    }
}

/// The labels of a list, and after them whatever is above one of them; each once.
pub(crate) fn labels(list: &str) -> Vec<&str> {
    let mut all: Vec<&str> = Vec::new();
    let mut add = |label| {
        if !all.contains(&label) {
            all.push(label);
        }
    };
    let own = || list.lines().filter(|label| !label.is_empty());
    own().for_each(&mut add);
    for label in own() {
        let above = label.match_indices('/').map(|(at, _)| &label[..at]);
        above.filter(|above| !above.is_empty()).for_each(&mut add);
    }
    all
}

/// Whether a text can be a label; one of several words is asked for in quotes.
pub(crate) fn is_label(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || "-_./ '&".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SPAM: Fact = Fact {
        name: "spam",
        what: "how likely it is spam",
        filter: true,
        facet: Some(FactFacet { title: "Spam", cuts: &[0.2, 0.5] }),
        ..Fact::NUMBER
    };

    #[test]
    fn numbers_are_asked_for_by_their_ends() {
        let asks = |text: &str, inside: &[f64], outside: &[f64]| {
            let span = span(text).unwrap();
            assert!(inside.iter().all(|number| span.contains(number)), "{text}");
            assert!(!outside.iter().any(|number| span.contains(number)), "{text}");
        };
        asks("0.5", &[0.5], &[0.4999, 0.5001]);
        asks(">0.5", &[0.500_001, 1e300], &[0.5, -1.0]);
        asks(">=0.5", &[0.5, 1e300], &[0.499_999]);
        asks("<0.5", &[-1e300, 0.499_999], &[0.5]);
        asks("<=0.5", &[0.5, -1.0], &[0.500_001]);
        asks("-1..1", &[-1.0, 0.0, 1.0], &[1.01, -1.01]);
        asks("-1..<1", &[-1.0, 0.0], &[1.0]);
        asks("3..", &[3.0, 1e9], &[2.9]);
        asks("..3", &[3.0, -1e9], &[3.1]);
        asks("1e3", &[1_000.0], &[999.0]);
        asks("5..3", &[], &[3.0, 4.0, 5.0]);
        for wrong in ["", "..", ">", "nan", "inf", "<inf", "high", "1..x", "1e999", "0x5"] {
            assert_eq!(span(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_label_lies_in_all_that_is_above_it() {
        let lies = |list: &str, expected: &[&str]| assert_eq!(labels(list), expected, "{list}");
        lies("a/b/c\na/d", &["a/b/c", "a/d", "a", "a/b"]);
        lies("a\n\na", &["a"]);
        lies("", &[]);
    }

    #[test]
    fn a_table_that_cannot_work_is_refused() {
        let wrong = |change: fn(&mut Fact)| {
            let mut fact = SPAM;
            change(&mut fact);
            check(&[fact]).unwrap_err()
        };
        assert_eq!(check(&[SPAM]), Ok(()));
        assert!(check(&[SPAM, SPAM]).unwrap_err().contains("two"));
        assert!(wrong(|fact| fact.name = "Spam").contains("small letters"));
        assert!(wrong(|fact| fact.name = "site").contains("query language"));
        assert!(wrong(|fact| fact.name = "links").contains("weight"));
        assert!(wrong(|fact| fact.what = "").contains("say what"));
        assert!(wrong(|fact| fact.filter = false).contains("filter"));
        assert!(wrong(|fact| fact.kind = FactKind::Label).contains("cuts"));
    }

    proptest! {
        #[test]
        fn every_number_lies_in_the_one_class_that_asks_for_it(number in -1.0..2.0_f64) {
            let classes = SPAM.classes();
            prop_assert_eq!(&classes, &["<0.2", "0.2..<0.5", ">=0.5"]);
            for (at, class) in classes.iter().enumerate() {
                let is_in = span(class).is_some_and(|span| span.contains(&number));
                prop_assert_eq!(is_in, at == SPAM.class_of(number), "{}", class);
            }
        }
    }
}
