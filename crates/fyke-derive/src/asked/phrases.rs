//! The most frequent phrases of the corpus (003 table 4.9): noun phrases of English documents, of
//! others runs of two and three words. One pass over what is kept; memory does not grow with it.

use crate::Step;
use crate::kept;
use fyke_store::{Reason, StoreError, View};
use fyke_text::{Vocabulary, phrase};
use serde::Serialize;

/// Distinct phrases counted exactly.
const MOST_PHRASES: usize = 1 << 21;

/// What was counted.
#[derive(Debug, Serialize)]
pub struct Phrases {
    /// Documents looked at.
    pub documents: u64,
    /// Phrases read.
    pub occurrences: u64,
    /// Distinct phrases.
    pub distinct: u64,
    /// Whether every phrase was counted, and not a sample.
    pub is_exact: bool,
    /// The most frequent, each with how often it occurs.
    pub top: Vec<(String, u64)>,
}

/// Counts the phrases of the documents that are kept.
///
/// # Errors
/// When documents cannot be read.
pub fn phrases(
    collection: &View,
    most: usize,
    observe: &mut dyn FnMut(Step),
) -> Result<Phrases, StoreError> {
    let mut vocabulary = Vocabulary::new(MOST_PHRASES);
    let mut documents = 0;
    let is_kept = |_: &_, reason| reason == Reason::Kept;
    kept::each(collection, is_kept, |kept| {
        let document = kept.document;
        count(&document.text, &document.language, &mut vocabulary);
        documents += 1;
        if u64::is_multiple_of(documents, 64) {
            observe(Step { stage: "phrases", done: documents, total: None });
        }
        Ok::<(), StoreError>(())
    })?;
    Ok(Phrases {
        documents,
        occurrences: vocabulary.occurrences(),
        distinct: vocabulary.size(),
        is_exact: vocabulary.is_exact(),
        top: vocabulary.top(most),
    })
}

fn count(text: &str, language: &str, vocabulary: &mut Vocabulary) {
    if language == "en" {
        return phrase::noun_phrases(text, |phrase| vocabulary.add(phrase));
    }
    for n in [2, 3] {
        phrase::ngrams(text, n, language, |phrase| vocabulary.add(phrase));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_gives_noun_phrases_and_other_languages_runs_of_words() {
        let mut vocabulary = Vocabulary::new(1 << 10);
        count("The peace process and the peace process.", "en", &mut vocabulary);
        count("vetrna elektrarna in morje", "sl", &mut vocabulary);
        let row = |phrase: &str, n| (phrase.to_owned(), n);
        let expected =
            [row("peace process", 2), row("elektrarna in morje", 1), row("vetrna elektrarna", 1)];
        assert_eq!(vocabulary.top(9), expected);
    }
}
