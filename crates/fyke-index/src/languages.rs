//! The languages that a word of a query may be in, and how words of them are treated.

use fyke_text::WordRules;
use fyke_text::stem::Stemmer;
use std::sync::Arc;

/// Some languages with the rules for their words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct QueryLanguages {
    codes: Vec<&'static str>,
    rules: Arc<WordRules>,
}

impl QueryLanguages {
    pub fn new(codes: Vec<&'static str>, rules: &Arc<WordRules>) -> QueryLanguages {
        QueryLanguages { codes, rules: Arc::clone(rules) }
    }

    pub fn codes(&self) -> &[&'static str] {
        &self.codes
    }

    pub fn rules(&self) -> &WordRules {
        &self.rules
    }

    /// Their stemmers, those of languages without one left out.
    pub fn stemmers(&self) -> impl Iterator<Item = &'static Stemmer> {
        self.codes.iter().filter_map(|code| self.rules.stemmer(code))
    }

    /// Whether a folded word is a stop word in one of them.
    pub fn has_stop(&self, form: &str) -> bool {
        self.codes.iter().any(|code| self.rules.is_stop(code, form))
    }
}

impl From<&[&'static str]> for QueryLanguages {
    /// As usual.
    fn from(codes: &[&'static str]) -> QueryLanguages {
        QueryLanguages { codes: codes.to_vec(), rules: Arc::default() }
    }
}
