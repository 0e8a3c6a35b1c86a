//! A query as it was understood (000 "query processing"): a flat list of clauses, and a
//! tree that says how they belong together. Parsing never fails, and `describe` says what was made
//! of the text. The grammar stands in `parse.rs`.

mod conditions;
mod dates;
mod flags;
mod parse;
mod pieces;
#[cfg(test)]
mod tests;
mod tree;
mod typed;

use crate::analysis::WantedWord;
use crate::fact::Fact;
use crate::languages::QueryLanguages;
use crate::schema::{ANCHORS, AUTHOR, KEYWORDS, OWN_ANCHORS, TEXTS, TITLE, URL_WORDS};
use fyke_text::WordRules;
use std::ops::Range;
use std::sync::Arc;
use tree::{PartSequence, SignedPart, TreePart};

pub(crate) use conditions::Conditions;
pub(crate) use dates::{days, year};
pub use typed::typed_url;

/// No query has more clauses; the rest is left out. The budget of work ends a query long before.
pub(crate) const MAX_CLAUSES: usize = 4_096;

/// No query has more clauses that are bound by an operator, beside words that only stand there: each has a
/// bit of its own while ranking.
pub(crate) const MAX_BOUND: usize = 63;

/// Whether the language has a scope of this name whatever the facts are.
pub(crate) fn is_scope(name: &str) -> bool {
    pieces::SCOPES.iter().any(|(own, _)| own.strip_suffix(':') == Some(name))
}

/// Whether a clause must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occur {
    /// It counts when it matches.
    Should,
    /// Without it no hit.
    Must,
    /// With it no hit.
    MustNot,
}

/// Where a clause looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseScope {
    /// In all fields with words.
    Anywhere,
    /// In the title.
    Title,
    /// In the words of the URL.
    Url,
    /// In the text of links to the document.
    Anchor,
    /// In the names of who wrote it.
    Author,
    /// In what the page names as its keywords.
    Keyword,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// What was typed, and what shares its stem.
    Stem,
    /// What was typed; several words are a phrase. It was in quotes, or is more than one word.
    Typed,
    /// What begins so.
    Prefix,
    /// All of the words, in any order, with so many others among them at most.
    Near(u32),
    /// What was typed in one piece and is more than one word, as `e-bay` or `--amend`: the key of the
    /// whole is the first of the words, and after it come its parts, which are found, too.
    Whole,
}

/// One word, phrase or condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    /// How often each clause speaks for a document: who repeats a word means it more.
    counts: Vec<u32>,
    tree: PartSequence,
    languages: QueryLanguages,
    /// All its words in their order, where nothing but words was typed: what somebody may know a document by.
    name: Vec<String>,
}

/// Something that a document must not have, and the query that does not mind.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LeftOut {
    /// What is left out, as it could have been typed without its sign.
    pub what: String,
    /// The query that looks for a word instead, or goes without anything else.
    pub undo: String,
}

impl Query {
    /// Understands `text`: words, `"phrases"`, `+must`, `-not`, `AND`, `OR`, `NOT`, `( )`,
    /// `site:`, `lang:`, `type:`, `date:`, `title:`, `url:`, `inanchor:`, `author:`, `keyword:`, `begin*`, `"near by"~5`.
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
        Query::parse_knowing(text, &languages.into(), facts, &|_| false)
    }

    /// Understands an English text by these stemmers and stop lists, with these facts.
    #[must_use]
    pub fn parse_by(text: &str, rules: &WordRules, facts: &[Fact]) -> Query {
        let languages = QueryLanguages::new(vec!["en"], &Arc::new(rules.clone()));
        Query::parse_knowing(text, &languages, facts, &|_| false)
    }

    /// The same, where `is_flag` says of a key (`-exec`) whether documents have such an option.
    pub(crate) fn parse_knowing(
        text: &str,
        languages: &QueryLanguages,
        facts: &[Fact],
        is_flag: &dyn Fn(&str) -> bool,
    ) -> Query {
        let (clauses, tree) = parse::understand(text, languages, facts, is_flag);
        let counts = tree::counts(&tree, clauses.len());
        let name = tree::name(&tree, &clauses);
        Query { clauses, counts, tree, languages: languages.clone(), name }
    }

    /// The same, where documents of which a condition holds (`private:yes`) are none, whatever else is said.
    #[must_use]
    pub fn without(mut self, condition: &str, facts: &[Fact]) -> Query {
        for clause in Query::parse_with(condition, &[], facts).clauses {
            let place = self.clauses.len();
            self.clauses.push(Clause { occur: Occur::MustNot, ..clause });
            self.counts.push(1);
            self.tree.push(SignedPart::clause(Occur::MustNot, place));
        }
        self
    }

    /// The clauses, in the order of the text.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// How often the clause at this place was asked for.
    pub(crate) fn count(&self, place: usize) -> u32 {
        self.counts.get(place).copied().unwrap_or(1).max(1)
    }

    /// All words in their order, where the query is nothing but words.
    pub(crate) fn name(&self) -> &[String] {
        &self.name
    }

    /// The keys of the options of commands among its wishes.
    pub(crate) fn options(&self) -> impl Iterator<Item = &str> {
        let wishes = self.clauses.iter().filter(|clause| clause.is_plain());
        let wholes = wishes.filter(|clause| clause.form == Form::Whole);
        wholes.map(|clause| clause.words[0].as_str()).filter(|key| key.starts_with('-'))
    }

    /// The languages it is in.
    pub(crate) fn languages(&self) -> &QueryLanguages {
        &self.languages
    }

    /// What documents must not have, in the order of the text.
    #[must_use]
    pub fn left_out(&self) -> Vec<LeftOut> {
        tree::left_out(&self.tree, &self.clauses)
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
        for word in self.clauses.iter().filter(|c| c.is_scored()).flat_map(Clause::plain_words) {
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
            ClauseScope::Author => AUTHOR..AUTHOR + 1,
            ClauseScope::Keyword => KEYWORDS..KEYWORDS + 1,
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

    /// Whether it is but a word that was typed.
    fn is_plain(&self) -> bool {
        let is_word = matches!(self.form, Form::Stem | Form::Whole);
        self.occur == Occur::Should && self.scope == ClauseScope::Anywhere && is_word
    }

    /// Its words, without the key of a whole.
    fn plain_words(&self) -> &[String] {
        if self.form == Form::Whole { &self.words[1..] } else { &self.words }
    }

    /// Whether it can be a wish: it need not be there even without a sign.
    pub(crate) fn is_wish(&self) -> bool {
        !self.is_must_by_itself()
    }

    /// Whether it must match even without a sign.
    fn is_must_by_itself(&self) -> bool {
        self.scope != ClauseScope::Anywhere || matches!(self.form, Form::Typed | Form::Near(_))
    }

    fn wanted(&self, languages: &QueryLanguages) -> Vec<WantedWord> {
        let wanted = |word: &String| match self.form {
            Form::Stem | Form::Whole => WantedWord::with_variants(word, languages.stemmers()),
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
            // A hyphen before one letter is an option of a command.
            Occur::MustNot if self.is_one_letter() => "NOT ",
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
            Form::Whole => format!("{sign}{scope}{}", self.written_whole()),
        }
    }

    fn is_one_letter(&self) -> bool {
        self.scope == ClauseScope::Anywhere
            && self.form == Form::Stem
            && self.words[0].chars().nth(1).is_none()
    }

    /// A whole as it could have been typed.
    fn written_whole(&self) -> String {
        match self.words.split_first() {
            Some((key, _)) if key.starts_with('-') => format!("-{key}"),
            Some((key, _)) if key.contains('.') => key.clone(),
            Some((_, parts)) => parts.join("-"),
            None => String::new(),
        }
    }
}
