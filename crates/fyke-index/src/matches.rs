//! Whether one document is what a query asks for, without an index: the filter of exports, which also
//! looks at documents that no index holds. It finds what a search finds, by the same rules.

use crate::analysis::{self, WantedWord};
use crate::fact::{FactValue, kept, labels, span};
use crate::query::{Clause, ClauseScope, Conditions, Form, Query, days};
use crate::rank::postings::{is_lone, windows};
use crate::writer::{Entry, domains};

impl Query {
    /// Whether a search would find this entry. An empty query finds nothing.
    #[must_use]
    pub fn matches(&self, entry: &Entry) -> bool {
        let asks_words = |clause: &Clause| !clause.scope.is_condition();
        let fields: Vec<Vec<String>> = match self.clauses().iter().any(asks_words) {
            true => entry.texts().iter().map(|text| forms(text)).collect(),
            false => Vec::new(),
        };
        let mut mask = 0;
        for (place, clause) in self.clauses().iter().enumerate() {
            let is_found = match clause.scope.is_condition() {
                true => fulfils(entry, clause),
                false => fields[clause.scope.fields()].iter().any(|f| is_in(clause, f, entry)),
            };
            mask |= u64::from(is_found) << place;
        }
        !self.is_empty() && Conditions::of(self).hold(mask)
    }
}

fn fulfils(entry: &Entry, clause: &Clause) -> bool {
    let name = clause.words[0].as_str();
    match clause.scope {
        ClauseScope::Site => domains(&entry.host.to_ascii_lowercase()).any(|site| site == name),
        ClauseScope::Language => entry.language == name,
        ClauseScope::Format => entry.format == name,
        ClauseScope::Number(fact) | ClauseScope::Label(fact) => {
            let values = entry.facts.iter().filter(|(known, _)| *known == fact);
            values.into_iter().any(|(_, value)| is_asked(*value, name))
        }
        _ => entry.date.zip(days(name)).is_some_and(|(day, days)| days.contains(&day)),
    }
}

/// Whether a value is what a condition asks for.
fn is_asked(value: FactValue, asked: &str) -> bool {
    match value {
        FactValue::Number(number) => {
            kept(number).zip(span(asked)).is_some_and(|(number, span)| span.contains(&number))
        }
        FactValue::Labels(list) => labels(&list.to_lowercase()).contains(&asked),
    }
}

fn forms(text: &str) -> Vec<String> {
    analysis::words(text).map(|word| word.form.into_owned()).collect()
}

/// Whether a clause's word, one of its other forms, or its phrase stands in a field.
fn is_in(clause: &Clause, field: &[String], entry: &Entry) -> bool {
    let words = &clause.words[..];
    let word = &words[0];
    match clause.form {
        Form::Near(among) => !windows(&places(words, field), among).is_empty(),
        Form::Typed => field.windows(words.len()).any(|forms| *forms == *words),
        Form::Prefix => field.iter().any(|form| form.starts_with(word)),
        Form::Stem => {
            let language = if matches!(entry.language, "und" | "") { "en" } else { entry.language };
            let (wanted, lone) = (WantedWord::with_variants(word, &[language]), is_lone(word));
            let is_variant = |form: &str| match lone {
                true => form.starts_with(word.as_str()),
                false => wanted.variant(form).is_some(),
            };
            field.iter().any(|form| form == word || is_variant(form))
        }
    }
}

/// Where each of the words stands.
fn places(words: &[String], field: &[String]) -> Vec<Vec<u32>> {
    let mut places = vec![Vec::new(); words.len()];
    for (place, form) in (0..).zip(field) {
        let same = words.iter().zip(&mut places).filter(|(word, _)| *word == form);
        same.for_each(|(_, places)| places.push(place));
    }
    places
}
