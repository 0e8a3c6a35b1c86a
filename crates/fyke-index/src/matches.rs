//! Whether one document is what a query asks for, without an index: the filter of exports, which also
//! looks at documents that no index holds. It finds what a search finds, by the same rules.

use crate::analysis::{self, WantedWord};
use crate::fact::{FactValue, kept, labels, span};
use crate::query::{Clause, ClauseScope, Conditions, Form, Query, days};
use crate::rank::postings::{is_lone, windows};
use crate::schema::KEYS;
use crate::writer::{Entry, domains};
use fyke_text::stem::Stemmer;

/// An entry as clauses look at it.
struct ReadEntry {
    /// The words of its fields.
    fields: Vec<Vec<String>>,
    stemmer: Option<&'static Stemmer>,
}

impl Query {
    /// Whether a search would find this entry. An empty query finds nothing.
    #[must_use]
    pub fn matches(&self, entry: &Entry) -> bool {
        let asks_words = |clause: &Clause| !clause.scope.is_condition();
        let language = if matches!(entry.language, "und" | "") { "en" } else { entry.language };
        let read = ReadEntry {
            fields: match self.clauses().iter().any(asks_words) {
                true => fields(entry),
                false => Vec::new(),
            },
            stemmer: self.languages().rules().stemmer(language),
        };
        let conditions = Conditions::of(self);
        let mut mask = 0;
        for (place, clause) in self.clauses().iter().enumerate() {
            let is_found = match clause.scope.is_condition() {
                true => fulfils(entry, clause),
                false => is_found(clause, &read),
            };
            mask |= if is_found { conditions.bits[place] } else { 0 };
        }
        !self.is_empty() && conditions.hold(mask)
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

/// The forms of every field, or its keys.
fn fields(entry: &Entry) -> Vec<Vec<String>> {
    let forms = |text: &str| analysis::words(text).map(|word| word.form.into_owned()).collect();
    let keys = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect();
    let texts = entry.texts();
    let texts = texts.iter().enumerate();
    texts.map(|(field, text)| if field < KEYS { forms(text) } else { keys(text) }).collect()
}

/// Whether a clause is found in one of its fields; of a whole, it or one of its parts.
fn is_found(clause: &Clause, entry: &ReadEntry) -> bool {
    let part = |word: &String| {
        let part = Clause { words: vec![word.clone()], form: Form::Stem, ..*clause };
        is_found(&part, entry)
    };
    match clause.form {
        Form::Whole => clause.words.iter().any(part),
        Form::Stem => {
            let mut keys =
                entry.fields[KEYS..].iter().filter(|_| clause.scope == ClauseScope::Anywhere);
            let is_key = keys.any(|keys| keys.contains(&clause.words[0]));
            is_key || is_in_words(clause, entry)
        }
        Form::Typed | Form::Prefix | Form::Near(_) => is_in_words(clause, entry),
    }
}

fn is_in_words(clause: &Clause, entry: &ReadEntry) -> bool {
    let places = clause.scope.fields();
    entry.fields[places.start..places.end.min(KEYS)].iter().any(|field| is_in(clause, field, entry))
}

/// Whether a clause's word, one of its other forms, or its phrase stands in a field.
fn is_in(clause: &Clause, field: &[String], entry: &ReadEntry) -> bool {
    let words = &clause.words[..];
    let word = &words[0];
    match clause.form {
        Form::Near(among) => !windows(&places(words, field), among).is_empty(),
        Form::Typed => field.windows(words.len()).any(|forms| *forms == *words),
        Form::Prefix => field.iter().any(|form| form.starts_with(word)),
        Form::Stem | Form::Whole => {
            let wanted = WantedWord::with_variants(word, entry.stemmer.into_iter());
            let lone = is_lone(word);
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
