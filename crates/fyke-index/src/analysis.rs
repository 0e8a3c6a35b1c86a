//! Text to terms, the same for documents and queries (003 §4.3): tokens and folding from
//! `fyke-text`, other forms and spellings at query time, never a word left out of the index.

use fyke_text::stem::{Forms, Stemmer};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::schema::{ANCHORS, OWN_ANCHORS, URL_WORDS};

/// Under this name the schema's text fields know the analysis.
pub(crate) const NAME: &str = "fyke";

/// Under this name its fields of keys: what stands between white space, as it is.
pub(crate) const KEYS_NAME: &str = "whitespace";

/// A text with one of each trouble; its terms are written into the index's folder, so that any
/// change of the analysis is noticed without a version number that somebody must remember.
const SAMPLE: &str = "The C++ e-mail of U.S.A.'s O'Neil, 3.14% & Ærøskøbing's čakanje \
    Straße ΟΔΟΣ İstanbul l'eau 東京都 한국어 ไทย x@a.test http://a.test/b_c?d=e don’t F# 1,000";

/// A word of a text: its folded form and where it stands.
#[derive(Debug, PartialEq)]
pub(crate) struct TextWord<'a> {
    pub form: std::borrow::Cow<'a, str>,
    pub start: usize,
    pub end: usize,
}

/// The words of `text`, folded.
pub(crate) fn words(text: &str) -> impl Iterator<Item = TextWord<'_>> {
    fyke_text::tokens(text)
        .map(|token| TextWord {
            form: fyke_text::fold(token.text),
            start: token.start,
            end: token.start + token.text.len(),
        })
        .filter(|word| !word.form.is_empty())
}

/// Stop words of single fields (003 §4.3.3): what any link may be called, and what stands in any URL.
const STOPS: [(usize, &[&str]); 3] = [
    (ANCHORS, &["click", "here", "link", "more", "page", "read", "site", "this", "website"]),
    (OWN_ANCHORS, &["click", "here", "home", "link", "more", "next", "page", "previous", "read"]),
    (URL_WORDS, &["com", "htm", "html", "http", "https", "index", "org", "php", "www"]),
];

/// Whether this word says nothing of a document where it stands in this field.
pub(crate) fn is_stop_in(field: usize, form: &str) -> bool {
    STOPS.iter().any(|(of, words)| *of == field && words.contains(&form))
}

/// Whether what a link is called is what any link may be called.
pub(crate) fn is_manner_of_speaking(name: &str) -> bool {
    let mut words = words(name);
    let first = words.next().is_none_or(|word| is_stop_in(OWN_ANCHORS, &word.form));
    first && words.next().is_none()
}

/// The terms of the sample text, one to a line.
pub(crate) fn fingerprint() -> String {
    words(SAMPLE).map(|word| word.form.into_owned()).collect::<Vec<_>>().join("\n")
}

/// A word asked for, with what is needed to recognise its other forms.
#[derive(Debug)]
pub(crate) struct WantedWord {
    pub form: String,
    others: Others,
}

/// What is wanted beside the form.
#[derive(Debug)]
enum Others {
    None,
    /// Whatever begins with the form.
    Longer,
    /// Other forms of the word, in the languages it may be in; spellings without diacritics.
    Forms(Forms),
}

/// Where another form counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// In every document: the same word with or without diacritics, or a longer one.
    Everywhere,
    /// In documents of these languages.
    In(Vec<&'static str>),
}

impl WantedWord {
    /// The form alone.
    pub fn exactly(form: &str) -> WantedWord {
        WantedWord { form: form.to_owned(), others: Others::None }
    }

    /// Whatever begins with the form.
    pub fn beginning(form: &str) -> WantedWord {
        WantedWord { form: form.to_owned(), others: Others::Longer }
    }

    /// The form, what shares its stem by one of the stemmers, and its spellings.
    pub fn with_variants(
        form: &str,
        stemmers: impl Iterator<Item = &'static Stemmer>,
    ) -> WantedWord {
        let others = Others::Forms(Forms::by(form, stemmers));
        WantedWord { form: form.to_owned(), others }
    }

    /// What every variant begins with, diacritics aside, if there are variants.
    pub fn prefix(&self) -> Option<&str> {
        match &self.others {
            Others::None => None,
            Others::Longer => Some(&self.form),
            Others::Forms(forms) => Some(forms.prefix()),
        }
    }

    /// Whether `form` is another form of the same word, and where.
    pub fn variant(&self, form: &str) -> Option<Variant> {
        match &self.others {
            _ if form == self.form => None,
            Others::None => None,
            Others::Longer => form.starts_with(&self.form).then_some(Variant::Everywhere),
            Others::Forms(forms) if forms.is_spelling(form) => Some(Variant::Everywhere),
            Others::Forms(forms) => {
                let languages: Vec<_> = forms.languages(form).collect();
                (!languages.is_empty()).then_some(Variant::In(languages))
            }
        }
    }
}

/// The engine's view of the analysis.
#[derive(Clone, Default)]
pub(crate) struct Analysis;

impl Tokenizer for Analysis {
    type TokenStream<'a> = Terms<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Terms<'a> {
        Terms { words: Box::new(words(text)), token: Token::default() }
    }
}

/// The terms of one text, as the engine takes them.
pub(crate) struct Terms<'a> {
    words: Box<dyn Iterator<Item = TextWord<'a>> + 'a>,
    token: Token,
}

impl TokenStream for Terms<'_> {
    fn advance(&mut self) -> bool {
        let Some(word) = self.words.next() else { return false };
        self.token.text.clear();
        self.token.text.push_str(&word.form);
        self.token.offset_from = word.start;
        self.token.offset_to = word.end;
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_text::stem::of;

    /// Checks where a form counts; nowhere is the empty text.
    fn check(asked: &str, found: &str, expected: &str) {
        let wanted =
            WantedWord::with_variants(asked, ["en", "sl", "de"].into_iter().filter_map(of));
        let counts = match wanted.variant(found) {
            None => String::new(),
            Some(Variant::Everywhere) => "everywhere".to_owned(),
            Some(Variant::In(languages)) => languages.join(" "),
        };
        assert_eq!(counts, expected, "{asked} {found} {wanted:?}");
    }

    #[test]
    fn forms_of_a_word_are_recognised_in_their_language() {
        check("turbines", "turbine", "en de");
        check("flies", "flying", "en");
        check("häuser", "haus", "de");
        check("turbine", "turbulence", "");
        check("wind", "window", "");
        check("wind", "wind", "");
    }

    #[test]
    fn spellings_without_diacritics_count_everywhere() {
        check("cafe", "café", "everywhere");
        check("čakanje", "cakanje", "everywhere");
        check("as", "ass", "");
        check("3.14", "3.141", "");
    }

    #[test]
    fn what_is_longer_is_wanted_where_a_beginning_was_asked_for() {
        let wanted = WantedWord::beginning("turb");
        assert_eq!(wanted.variant("turbine"), Some(Variant::Everywhere));
        assert_eq!(wanted.variant("tube"), None);
        assert_eq!(WantedWord::exactly("turb").variant("turbine"), None);
    }

    #[test]
    fn terms_stand_one_after_the_other() {
        let mut analysis = Analysis;
        let mut terms = analysis.token_stream("The Wind, the wind");
        let mut seen = Vec::new();
        while terms.advance() {
            seen.push((terms.token().text.clone(), terms.token().position));
        }
        let expected = [("the", 0), ("wind", 1), ("the", 2), ("wind", 3)];
        assert_eq!(seen, expected.map(|(text, at)| (text.to_owned(), at)));
    }
}
