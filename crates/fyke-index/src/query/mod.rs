//! A query as it was understood (000 "query processing", 003 §6.1): a flat list of clauses.
//! Parsing never fails, and `describe` says what was made of the text.

mod parse;

use crate::analysis::Wanted;

/// No query has more clauses; the rest is left out. One bit of a `u64` each while ranking.
pub(crate) const MAX_CLAUSES: usize = 64;

/// Whether a clause must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occur {
    /// It counts when it matches.
    Should,
    /// Without it no hit.
    Must,
    /// With it no hit.
    MustNot,
}

/// Where a clause looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In all fields with words.
    Anywhere,
    /// In the title.
    Title,
    /// At the host's name: itself or a domain it lies in.
    Site,
    /// At the document's language.
    Language,
}

/// One word, phrase or condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Whether it must match.
    pub occur: Occur,
    /// Where it looks.
    pub scope: Scope,
    /// Folded words; several are a phrase; of a site or language, its name.
    pub words: Vec<String>,
    /// Only the very forms: it was in quotes or is a phrase.
    pub exact: bool,
}

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    clauses: Vec<Clause>,
}

impl Query {
    /// Understands `text`: words, `"phrases"`, `+must`, `-not`, `site:`, `lang:`, `title:`. Never
    /// fails: stray signs and quotes without a partner are taken as they were probably meant.
    #[must_use]
    pub fn parse(text: &str) -> Query {
        Query { clauses: parse::clauses(text) }
    }

    /// The clauses, in the order of the text.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Whether nothing was asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }

    /// The query written plainly, as it was understood; parsed again it is the same query.
    #[must_use]
    pub fn describe(&self) -> String {
        self.clauses.iter().map(Clause::describe).collect::<Vec<_>>().join(" ")
    }

    /// The folded words that hits are found by and that are to be marked, each once.
    #[must_use]
    pub fn words(&self) -> Vec<&str> {
        let mut words = Vec::new();
        for word in self.clauses.iter().filter(|c| c.is_scored()).flat_map(|c| &c.words) {
            if !words.contains(&word.as_str()) {
                words.push(word);
            }
        }
        words
    }

    /// The words to be marked, with what their other forms are known by.
    pub(crate) fn wanted(&self) -> Vec<Wanted> {
        let scored = self.clauses.iter().filter(|clause| clause.is_scored());
        scored.flat_map(Clause::wanted).collect()
    }
}

impl Clause {
    /// Whether it adds to a document's score.
    pub(crate) fn is_scored(&self) -> bool {
        self.occur != Occur::MustNot && matches!(self.scope, Scope::Anywhere | Scope::Title)
    }

    pub(crate) fn wanted(&self) -> Vec<Wanted> {
        let wanted = if self.exact { Wanted::exactly } else { Wanted::with_variants };
        self.words.iter().map(|word| wanted(word)).collect()
    }

    /// The clause as it could have been typed.
    #[must_use]
    pub fn describe(&self) -> String {
        let must_by_itself = self.exact || self.scope != Scope::Anywhere;
        let sign = match self.occur {
            Occur::MustNot => "-",
            Occur::Must if !must_by_itself => "+",
            _ => "",
        };
        let scope = match self.scope {
            Scope::Anywhere => "",
            Scope::Title => "title:",
            Scope::Site => "site:",
            Scope::Language => "lang:",
        };
        let words = self.words.join(" ");
        if self.exact {
            format!("{sign}{scope}\"{words}\"")
        } else {
            format!("{sign}{scope}{words}")
        }
    }
}
