//! Whether one document is what a query asks for, without an index: the filter of exports, which also
//! looks at documents that no index holds. It finds what a search finds, by the same rules.

use crate::analysis::{self, Wanted};
use crate::query::{Clause, Query, Scope};
use crate::rank::Conditions;
use crate::rank::postings::is_lone;
use crate::schema::TITLE;
use crate::writer::{Entry, domains};

impl Query {
    /// Whether a search would find this entry. An empty query finds nothing.
    #[must_use]
    pub fn matches(&self, entry: &Entry) -> bool {
        let asks_words = |clause: &Clause| matches!(clause.scope, Scope::Anywhere | Scope::Title);
        let fields: Vec<Vec<String>> = match self.clauses().iter().any(asks_words) {
            true => entry.texts().iter().map(|text| forms(text)).collect(),
            false => Vec::new(),
        };
        let host = entry.host.to_ascii_lowercase();
        let sites: Vec<&str> = domains(&host).collect();
        let mut mask = 0;
        for (place, clause) in self.clauses().iter().enumerate() {
            let is_found = match clause.scope {
                Scope::Anywhere => fields.iter().any(|field| is_in(clause, field, entry)),
                Scope::Title => fields.get(TITLE).is_some_and(|field| is_in(clause, field, entry)),
                Scope::Site => clause.words.iter().all(|site| sites.contains(&site.as_str())),
                Scope::Language => clause.words.iter().all(|code| code == entry.language),
            };
            mask |= u64::from(is_found) << place;
        }
        !self.is_empty() && Conditions::of(self.clauses()).hold(mask)
    }
}

fn forms(text: &str) -> Vec<String> {
    analysis::words(text).map(|word| word.form.into_owned()).collect()
}

/// Whether a clause's word, one of its other forms, or its phrase stands in a field.
fn is_in(clause: &Clause, field: &[String], entry: &Entry) -> bool {
    let [word] = &clause.words[..] else {
        return field.windows(clause.words.len()).any(|words| *words == clause.words[..]);
    };
    if clause.exact {
        return field.contains(word);
    }
    let (wanted, lone) = (Wanted::with_variants(word), is_lone(word));
    let is_english = matches!(entry.language, "en" | "und" | "");
    let is_variant = |form: &str| match lone {
        true => form.starts_with(word.as_str()),
        false => is_english && wanted.is_variant(form),
    };
    field.iter().any(|form| form == word || is_variant(form))
}
