//! The other forms of a word: what has the same stem, or is the same word but for diacritics. An index
//! that keeps words as they are finds them from a prefix that they share: stemmers take letters away at
//! the end and change the last that stays, so that all forms of a word begin with the letters
//! that the word and its stem have in common, in some languages but for one, diacritics aside.
//! `cargo bench-fyke stems` tells how many forms are found so: nearly all; Dutch, whose stemmer also takes
//! `ge` off, has the fewest.

use super::{Stemmer, of};
use crate::bare::bare;

/// Shared letters that are needed; fewer would mean half the dictionary.
const LEAST: usize = 2;

/// A word with what its other forms are known by. Diacritics do not count in any of it.
#[derive(Clone, Debug)]
pub struct Forms {
    word: String,
    /// The languages that the word may be in, with its stem in each.
    stems: Vec<(&'static Stemmer, String)>,
    prefix: usize,
}

impl Forms {
    /// The forms of a folded word, which is in one of these languages.
    #[must_use]
    pub fn new(folded: &str, languages: &[&str]) -> Forms {
        Forms::by(folded, languages.iter().filter_map(|code| of(code)))
    }

    /// The forms of a folded word by one of these stemmers.
    #[must_use]
    pub fn by(folded: &str, stemmers: impl Iterator<Item = &'static Stemmer>) -> Forms {
        let word = bare(folded).into_owned();
        let mut stems: Vec<(&'static Stemmer, String)> = Vec::new();
        if word.chars().all(char::is_alphabetic) {
            for stemmer in stemmers {
                if stems.iter().all(|(known, _)| known.name != stemmer.name) {
                    stems.push((stemmer, bare(&(stemmer.stem)(folded)).into_owned()));
                }
            }
        }
        let prefixes = stems.iter().map(|(stemmer, stem)| shared(stemmer, stem, &word));
        let shortest = prefixes.min().unwrap_or(word.len());
        // Where too little is shared only the very word is wanted, with and without diacritics.
        let is_enough = word[..shortest].chars().count() >= LEAST;
        if !is_enough {
            stems.clear();
        }
        Forms { prefix: if is_enough { shortest } else { word.len() }, word, stems }
    }

    /// What every form begins with, diacritics aside.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.word[..self.prefix]
    }

    /// Whether a folded word is this one, diacritics aside.
    #[must_use]
    pub fn is_spelling(&self, folded: &str) -> bool {
        bare(folded) == self.word
    }

    /// The languages in which a folded word is another form of this one.
    pub fn languages(&self, folded: &str) -> impl Iterator<Item = &'static str> {
        let fits = bare(folded).starts_with(self.prefix());
        let stems = self.stems.iter().filter(move |_| fits);
        let same = move |(stemmer, stem): &&(&'static Stemmer, String)| {
            bare(&(stemmer.stem)(folded)) == *stem
        };
        stems.filter(same).map(|(stemmer, _)| stemmer.language)
    }
}

/// Length of what the forms of a word with this stem begin with.
fn shared(stemmer: &Stemmer, stem: &str, word: &str) -> usize {
    let same = stem.chars().zip(word.chars()).take_while(|(a, b)| a == b);
    let letters: Vec<char> = same.map(|(c, _)| c).collect();
    let kept = letters.len().saturating_sub(changed(stemmer, &letters));
    let kept = kept.max(letters.len().min(LEAST));
    letters[..kept].iter().map(|c| c.len_utf8()).sum()
}

/// How many of the letters that a word and its stem share are others in other forms. Of few letters
/// none are given away but for the likeliest: what begins so would be too many words.
fn changed(stemmer: &Stemmer, letters: &[char]) -> usize {
    let is_short = letters.len() <= LEAST + 1;
    match (stemmer.language, letters) {
        // fly and flies, care and caring, possible and possibility
        ("en", [.., 'e' | 'i' | 'y'] | [.., 'b', 'l']) => 1,
        ("fr", [.., 'i' | 'y']) => 1,
        ("cs" | "fi" | "fr", _) => usize::from(!is_short),
        ("nl", _) => 2 * usize::from(!is_short),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, languages: &[&str], form: &str, expected: &[&str]) {
        let forms = Forms::new(word, languages);
        let found: Vec<_> = forms.languages(form).collect();
        assert_eq!(found, expected, "{word} {form} {forms:?}");
    }

    #[test]
    fn forms_are_told_by_the_stemmers_of_the_languages() {
        check("turbines", &["en"], "turbine", &["en"]);
        check("fly", &["en"], "flies", &["en"]);
        check("flies", &["en"], "flying", &["en"]);
        check("possible", &["en"], "possibility", &["en"]);
        check("skies", &["en"], "sky", &["en"]);
        check("turbine", &["en"], "turbulence", &[]);
        check("haus", &["de"], "häuser", &["de"]);
        check("häuser", &["en", "de"], "haus", &["de"]);
        check("kobieta", &["pl", "en"], "kobietami", &["pl"]);
        check("etudiants", &["fr"], "étudiant", &["fr"]);
        check("turbines", &["nb", "nn"], "turbine", &["no"]);
    }

    #[test]
    fn spellings_with_and_without_diacritics_are_one_word() {
        let check = |word: &str, form: &str, expected: bool| {
            assert_eq!(Forms::new(word, &[]).is_spelling(form), expected, "{word} {form}");
        };
        check("cafe", "café", true);
        check("café", "cafe", true);
        check("strasse", "straße", true);
        check("cafe", "cafes", false);
    }

    #[test]
    fn where_little_is_shared_only_the_word_itself_is_wanted() {
        for word in ["as", "c++", "3.14", "東京"] {
            let forms = Forms::new(word, &["en"]);
            assert_eq!(forms.prefix(), word);
            assert_eq!(forms.languages("ases").count(), 0, "{word}");
        }
    }
}
