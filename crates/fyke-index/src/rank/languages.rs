//! The languages of an index: which stemmers are used, and in which language a query is.

use crate::languages::QueryLanguages;
use crate::schema::language_code;
use fyke_text::WordRules;
use fyke_text::stem::STEMMERS;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use tantivy::columnar::Column;

/// In so many languages the forms of a word are looked for.
const MOST_LANGUAGES: usize = 6;
/// Documents in no language known are taken for English ones.
const ENGLISH: u64 = language_code("en");
const UNKNOWN: [u64; 2] = [language_code(""), language_code("und")];
/// Both written forms of Norwegian have the one stemmer.
const NORWEGIAN: u64 = language_code("no");
const NYNORSK: u64 = language_code("nn");

/// The language by whose stemmer the forms of a document's words are told.
pub(super) fn stem_language(languages: &Column<u64>, doc: u32) -> u64 {
    by_stemmer(languages.first(doc).unwrap_or(0))
}

fn by_stemmer(code: u64) -> u64 {
    match code {
        unknown if UNKNOWN.contains(&unknown) => ENGLISH,
        NYNORSK => NORWEGIAN,
        known => known,
    }
}

/// The language by whose words a document is read; one that is not known is taken for English.
pub(super) fn of(code: &str) -> &'static str {
    fyke_text::stop::languages().find(|known| *known == code).unwrap_or("en")
}

/// The languages with a stemmer that one of a hundred documents is in, the most frequent first.
/// English is one of them: documents in no language known are taken for it. Of all segments together,
/// or what is found would depend on how documents are spread over them.
pub(super) fn stemmed(
    codes: &HashMap<u64, u64>,
    documents: u64,
    rules: &Arc<WordRules>,
) -> QueryLanguages {
    let mut counts: HashMap<u64, u64> = HashMap::new();
    for (code, count) in codes {
        *counts.entry(by_stemmer(*code)).or_default() += count;
    }
    let count = |code: &str| counts.get(&language_code(code)).copied().unwrap_or(0);
    let rows = STEMMERS.iter().map(|row| (count(row.language), row.language));
    let few = documents / 100;
    let mut found: Vec<_> = rows.filter(|(n, code)| *n > few || *code == "en").collect();
    found.sort_by_key(|(count, _)| Reverse(*count));
    found.dedup();
    let codes = found.into_iter().take(MOST_LANGUAGES).map(|(_, code)| code);
    QueryLanguages::new(codes.collect(), rules)
}

/// The languages with a stop list that a third of the documents are in, or else the first of all.
pub(super) fn main_languages(
    codes: &HashMap<u64, u64>,
    documents: u64,
    rules: &Arc<WordRules>,
) -> QueryLanguages {
    let count = |code: &str| codes.get(&language_code(code)).copied().unwrap_or(0);
    let rows = rules.languages_with_stops().map(|code| (count(code), code));
    let mut rows: Vec<(u64, &'static str)> = rows.filter(|(count, _)| *count > 0).collect();
    rows.sort_by_key(|(count, _)| Reverse(*count));
    let main = rows.iter().filter(|(count, _)| 3 * count >= documents).map(|row| row.1);
    let main: Vec<_> = main.collect();
    let codes = match (main.is_empty(), rows.first()) {
        (false, _) => main,
        (true, Some((_, code))) => vec![*code],
        (true, None) => vec!["en"],
    };
    QueryLanguages::new(codes, rules)
}
