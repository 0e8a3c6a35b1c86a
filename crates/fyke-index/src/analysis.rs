//! Text to terms, the same for documents and queries (003 §4.3): tokens and folding from
//! `fyke-text`, Porter2 for English at query time, never a word left out of the index.

use frostem::{Algorithm, Stemmer};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Under this name the schema's text fields know the analysis.
pub(crate) const NAME: &str = "fyke";

/// A text with one of each trouble; its terms are written into the index's folder, so that any
/// change of the analysis is noticed without a version number that somebody must remember.
const SAMPLE: &str = "The C++ e-mail of U.S.A.'s O'Neil, 3.14% & Ærøskøbing's čakanje \
    Straße ΟΔΟΣ İstanbul l'eau 東京都 한국어 ไทย x@a.test http://a.test/b_c?d=e don’t F# 1,000";

/// A word of a text: its folded form and where it stands.
#[derive(Debug, PartialEq)]
pub(crate) struct Word<'a> {
    pub form: std::borrow::Cow<'a, str>,
    pub start: usize,
    pub end: usize,
}

/// The words of `text`, folded.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    fyke_text::tokens(text)
        .map(|token| Word {
            form: fyke_text::fold(token.text),
            start: token.start,
            end: token.start + token.text.len(),
        })
        .filter(|word| !word.form.is_empty())
}

/// Whether a query may go without this word.
pub(crate) fn is_stop(form: &str) -> bool {
    fyke_text::is_stop("en", form)
}

/// The terms of the sample text, one to a line.
pub(crate) fn fingerprint() -> String {
    words(SAMPLE).map(|word| word.form.into_owned()).collect::<Vec<_>>().join("\n")
}

/// A word asked for, with what is needed to recognise its other forms.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub form: String,
    /// Empty where only the form itself is wanted.
    stem: String,
    prefix: usize,
}

impl Wanted {
    /// The form alone.
    pub fn exactly(form: &str) -> Wanted {
        Wanted { form: form.to_owned(), stem: String::new(), prefix: 0 }
    }

    /// The form and what shares its English stem.
    pub fn with_variants(form: &str) -> Wanted {
        if form.len() < 3 || !form.bytes().all(|b| b.is_ascii_lowercase()) {
            return Wanted::exactly(form);
        }
        let stem = stem(form).into_owned();
        let prefix = shared_prefix(&stem);
        Wanted { form: form.to_owned(), stem, prefix }
    }

    /// What every variant begins with, if there are variants.
    pub fn prefix(&self) -> Option<&str> {
        (!self.stem.is_empty()).then(|| &self.stem[..self.prefix])
    }

    /// Whether `form` is another form of the same word.
    pub fn is_variant(&self, form: &str) -> bool {
        self.prefix().is_some_and(|prefix| form.starts_with(prefix) && stem(form) == self.stem)
    }
}

fn stem(form: &str) -> std::borrow::Cow<'_, str> {
    Stemmer::new(Algorithm::English).stem(form)
}

/// Length of the part of a stem that its words begin with: Porter2 writes a final y as i (`flies`,
/// `fly`: `fli`), puts back the e of short words (`caring`: `care`) and writes `bility` as `bl`;
/// all else only takes letters away at the end.
fn shared_prefix(stem: &str) -> usize {
    let cut = stem.ends_with(['e', 'i', 'y']) || stem.ends_with("bl");
    stem.len() - usize::from(cut)
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
    words: Box<dyn Iterator<Item = Word<'a>> + 'a>,
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

    fn check(asked: &str, found: &str, expected: bool) {
        let wanted = Wanted::with_variants(asked);
        assert_eq!(wanted.is_variant(found), expected, "{asked} {found} {wanted:?}");
    }

    #[test]
    fn forms_of_a_word_are_recognised_by_their_stem() {
        check("turbines", "turbine", true);
        check("turbine", "turbines", true);
        check("fly", "flies", true);
        check("flies", "flying", true);
        check("possible", "possibility", true);
        check("possibility", "possible", true);
        check("hopping", "hops", true);
        check("care", "caring", true);
        check("skies", "sky", true);
        check("turbine", "turbulence", false);
        check("wind", "window", false);
    }

    #[test]
    fn short_and_foreign_words_have_no_variants() {
        for form in ["as", "čaka", "東京", "3.14", "c++"] {
            assert_eq!(Wanted::with_variants(form).prefix(), None, "{form}");
        }
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
