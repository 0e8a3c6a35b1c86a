//! A dictionary over an algorithm (003 §4.3.4): words whose stems somebody knows better than the
//! rules do; all others go to the stemmer.

use super::Stemmer;
use crate::token::fold;
use std::borrow::Cow;
use std::collections::HashMap;

/// Words with the stems they have, whatever the algorithm says.
#[derive(Clone, Debug, Default)]
pub struct Exceptions(HashMap<String, String>);

impl Exceptions {
    /// Reads lines of a word and its stem with white space between; a word alone is its own stem, a
    /// line with `#` first is a remark.
    ///
    /// # Errors
    /// The number of the first line that has more than two words.
    pub fn read(text: &str) -> Result<Exceptions, usize> {
        let mut known = HashMap::new();
        for (nth, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                [] => {}
                [word] => _ = known.insert(fold(word).into_owned(), fold(word).into_owned()),
                [word, stem] => _ = known.insert(fold(word).into_owned(), fold(stem).into_owned()),
                _ => return Err(nth + 1),
            }
        }
        Ok(Exceptions(known))
    }

    /// The stem of a folded word: the known one, else that of `stemmer`.
    #[must_use]
    pub fn stem<'a>(&'a self, stemmer: &Stemmer, folded: &'a str) -> Cow<'a, str> {
        self.0.get(folded).map_or_else(|| (stemmer.stem)(folded), |stem| Cow::Borrowed(stem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stem::STEMMERS;

    #[test]
    fn known_words_have_their_stems_and_others_those_of_the_rules() {
        let known = Exceptions::read("# irregular\nMice mouse\nnews\n\n").unwrap();
        let check = |word: &str, stem: &str| {
            assert_eq!(known.stem(&STEMMERS[0], word), stem, "{word}");
        };
        check("mice", "mouse");
        check("news", "news");
        check("turbines", "turbin");
    }

    #[test]
    fn a_line_that_cannot_be_meant_is_named() {
        assert_eq!(Exceptions::read("a b\n\na b c\n").unwrap_err(), 3);
    }
}
