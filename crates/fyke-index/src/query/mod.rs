//! A query as it was understood (000 "query processing"): a flat list of clauses, and a
//! tree that says how they belong together. Parsing never fails, and `describe` says what was made
//! of the text. The grammar stands in `parse.rs`.

mod conditions;
mod dates;
mod parse;
mod pieces;
#[cfg(test)]
mod tests;
mod tree;
mod typed;

use crate::analysis::WantedWord;
use crate::fact::Fact;
use crate::schema::{ANCHORS, OWN_ANCHORS, TEXTS, TITLE, URL_WORDS};
use std::ops::Range;
use tree::{PartSequence, TreePart};

pub(crate) use conditions::Conditions;
pub(crate) use dates::{days, year};
pub use typed::typed_url;

/// No query has more clauses; the rest is left out. One bit of a `u64` each while ranking.
pub(crate) const MAX_CLAUSES: usize = 64;

/// Whether the language has a scope of this name whatever the facts are.
pub(crate) fn is_scope(name: &str) -> bool {
    pieces::SCOPES.iter().any(|(own, _)| own.strip_suffix(':') == Some(name))
}

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
pub enum ClauseScope {
    /// In all fields with words.
    Anywhere,
    /// In the title.
    Title,
    /// In the words of the URL.
    Url,
    /// In the text of links to the document.
    Anchor,
    /// At the host's name: itself or a domain it lies in.
    Site,
    /// At the document's language.
    Language,
    /// At the document's format.
    Format,
    /// At the document's date.
    Date,
    /// At a number of this name: a [`crate::Fact`].
    Number(&'static str),
    /// At the labels of this name: a [`crate::Fact`].
    Label(&'static str),
}

/// Which forms of its words a clause finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// What was typed, and what shares its stem.
    Stem,
    /// What was typed; several words are a phrase. It was in quotes, or is more than one word.
    Typed,
    /// What begins so.
    Prefix,
    /// All of the words, in any order, with so many others among them at most.
    Near(u32),
}

/// One word, phrase or condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Whether it must match. Inside of brackets: whether it speaks for a document or against it.
    pub occur: Occur,
    /// Where it looks.
    pub scope: ClauseScope,
    /// Folded words; of a condition, what it asks for.
    pub words: Vec<String>,
    /// Which forms are found.
    pub form: Form,
}

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    clauses: Vec<Clause>,
    tree: PartSequence,
    languages: Vec<&'static str>,
}

impl Query {
    /// Understands `text`: words, `"phrases"`, `+must`, `-not`, `AND`, `OR`, `NOT`, `( )`,
    /// `site:`, `lang:`, `type:`, `date:`, `title:`, `url:`, `inanchor:`, `begin*`, `"near by"~5`.
    /// Never fails: what does not fit is taken as words.
    #[must_use]
    pub fn parse(text: &str) -> Query {
        Query::parse_in(text, &["en"])
    }

    /// Understands a text that is in one of these languages: their stop words are left out where others
    /// remain, and other forms are marked by their stemmers.
    #[must_use]
    pub fn parse_in(text: &str, languages: &[&'static str]) -> Query {
        Query::parse_with(text, languages, &[])
    }

    /// The same, where these facts can be asked for by name, too.
    #[must_use]
    pub fn parse_with(text: &str, languages: &[&'static str], facts: &[Fact]) -> Query {
        let (clauses, tree) = parse::understand(text, languages, facts);
        Query { clauses, tree, languages: languages.to_vec() }
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
        tree::describe(&self.tree, &self.clauses)
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
    pub(crate) fn wanted(&self) -> Vec<WantedWord> {
        let scored = self.clauses.iter().filter(|clause| clause.is_scored());
        scored.flat_map(|clause| clause.wanted(&self.languages)).collect()
    }
}

impl ClauseScope {
    /// Whether it asks for a property of the document, not for words.
    pub(crate) fn is_condition(self) -> bool {
        self.fields().is_empty()
    }

    /// The fields with words in which it looks.
    pub(crate) fn fields(self) -> Range<usize> {
        match self {
            ClauseScope::Anywhere => 0..TEXTS,
            ClauseScope::Title => TITLE..TITLE + 1,
            ClauseScope::Url => URL_WORDS..URL_WORDS + 1,
            ClauseScope::Anchor => ANCHORS..OWN_ANCHORS + 1,
            ClauseScope::Site | ClauseScope::Language | ClauseScope::Format | ClauseScope::Date => {
                0..0
            }
            ClauseScope::Number(_) | ClauseScope::Label(_) => 0..0,
        }
    }

    /// Whether one of several values is enough where they are asked for side by side.
    fn is_choice(self) -> bool {
        matches!(
            self,
            ClauseScope::Site | ClauseScope::Language | ClauseScope::Format | ClauseScope::Label(_)
        )
    }

    /// As it is typed.
    fn name(self) -> String {
        if let ClauseScope::Number(name) | ClauseScope::Label(name) = self {
            return format!("{name}:");
        }
        let row = pieces::SCOPES.iter().find(|(_, scope)| *scope == self);
        row.map_or_else(String::new, |(name, _)| (*name).to_owned())
    }
}

impl Clause {
    /// A wish for a word.
    pub(crate) fn wish(word: String, form: Form) -> Clause {
        Clause { occur: Occur::Should, scope: ClauseScope::Anywhere, words: vec![word], form }
    }

    /// Whether it adds to a document's score.
    pub(crate) fn is_scored(&self) -> bool {
        self.occur != Occur::MustNot && !self.scope.is_condition()
    }

    /// Whether it must match even without a sign.
    fn is_must_by_itself(&self) -> bool {
        self.scope != ClauseScope::Anywhere || matches!(self.form, Form::Typed | Form::Near(_))
    }

    fn wanted(&self, languages: &[&str]) -> Vec<WantedWord> {
        let wanted = |word: &String| match self.form {
            Form::Stem => WantedWord::with_variants(word, languages),
            Form::Typed | Form::Near(_) => WantedWord::exactly(word),
            Form::Prefix => WantedWord::beginning(word),
        };
        self.words.iter().map(wanted).collect()
    }

    /// The clause as it could have been typed.
    #[must_use]
    pub fn describe(&self) -> String {
        self.written(self.occur)
    }

    fn written(&self, occur: Occur) -> String {
        let sign = match occur {
            Occur::MustNot => "-",
            Occur::Must if !self.is_must_by_itself() => "+",
            _ => "",
        };
        let (scope, words) = (self.scope.name(), self.words.join(" "));
        match self.form {
            Form::Stem => format!("{sign}{scope}{words}"),
            Form::Typed => format!("{sign}{scope}\"{words}\""),
            Form::Prefix => format!("{sign}{scope}{words}*"),
            Form::Near(among) => format!("{sign}{scope}\"{words}\"~{among}"),
        }
    }
}
