//! What is seen of a word in its sentence: itself, its ends and shape, and its neighbours. A feature
//! is the hash of what it is and of its strings; a model knows the hashes only.

use crate::sequence::{SeenSequence, feature};

/// A sentence made ready: each word as written, in small letters with all digits alike, and its shape.
pub(crate) struct TaggedSentence<'a> {
    words: Vec<TaggedWord<'a>>,
}

pub(crate) struct TaggedWord<'a> {
    text: &'a str,
    form: String,
    shape: String,
}

/// Outside the sentence.
const BEFORE: &str = "<s>";
const BEHIND: &str = "</s>";

impl<'a> TaggedSentence<'a> {
    pub fn new(words: &[&'a str]) -> TaggedSentence<'a> {
        let word =
            |text: &&'a str| TaggedWord { text, form: form(text), shape: word_shape(text.chars()) };
        TaggedSentence { words: words.iter().map(word).collect() }
    }

    /// The form of the word so many places away.
    fn form(&self, at: usize, away: isize) -> &str {
        match at.checked_add_signed(away) {
            None => BEFORE,
            Some(place) => self.words.get(place).map_or(BEHIND, |word| &word.form),
        }
    }

    fn shape(&self, at: usize, away: isize) -> &str {
        let place = at.checked_add_signed(away);
        place.and_then(|place| self.words.get(place)).map_or("", |word| &word.shape)
    }

    /// The features of all words.
    pub fn seen(&self) -> SeenSequence {
        let of = |at: usize| {
            let mut features = Vec::new();
            self.features(at, &mut |feature| features.push(feature));
            features
        };
        SeenSequence { features: (0..self.words.len()).map(of).collect(), joints: Vec::new() }
    }

    /// Shows the features of the word at a place.
    fn features(&self, at: usize, see: &mut impl FnMut(u32)) {
        let mut see = |kind: u64, parts: &[&str]| see(feature(kind, parts));
        self.of_word(at, &mut see);
        let (word, shape) = (self.form(at, 0), self.shape(at, 0));
        let (one, two) = (self.form(at, -1), self.form(at, -2));
        let (next, after) = (self.form(at, 1), self.form(at, 2));
        see(40, &[one]);
        see(41, &[next]);
        see(42, &[two]);
        see(43, &[after]);
        see(44, &[one, word]);
        see(45, &[word, next]);
        see(46, &[one, next]);
        see(47, &[two, one]);
        see(48, &[next, after]);
        see(50, &[ending(one, 3)]);
        see(51, &[ending(next, 3)]);
        see(52, &[ending(word, 3), one]);
        see(53, &[ending(word, 3), next]);
        see(54, &[ending(next, 2)]);
        see(55, &[ending(one, 2)]);
        let (left, right) = (self.shape(at, -1), self.shape(at, 1));
        see(60, &[shape, right]);
        see(61, &[left, shape]);
        see(62, &[left, shape, right]);
    }

    /// What a word says without its neighbours.
    fn of_word(&self, at: usize, see: &mut impl FnMut(u64, &[&str])) {
        let TaggedWord { text, form, shape } = &self.words[at];
        see(0, &[]);
        see(1, &[form]);
        see(2, &[text]);
        let letters = form.chars().count();
        for length in (1..=5).filter(|length| *length < letters) {
            see(10 + length as u64, &[ending(form, length)]);
        }
        for length in (1..=4).filter(|length| *length < letters) {
            see(20 + length as u64, &[beginning(form, length)]);
        }
        see(30, &[shape]);
        see(31, &[shape, if at == 0 { BEFORE } else { "" }]);
    }
}

fn form(word: &str) -> String {
    let alike = |c: char| if c.is_ascii_digit() { '0' } else { c };
    word.chars().flat_map(char::to_lowercase).map(alike).collect()
}

/// Capitals, small letters, digits and signs; of a run of one kind no more than two.
#[must_use]
pub fn word_shape(word: impl Iterator<Item = char>) -> String {
    let mut shape = String::new();
    let mut ends = [' '; 2];
    for c in word {
        let kind = match c {
            _ if c.is_uppercase() => 'X',
            _ if c.is_lowercase() => 'x',
            _ if c.is_numeric() => '0',
            _ => c,
        };
        if ends != [kind; 2] {
            shape.push(kind);
            ends = [ends[1], kind];
        }
    }
    shape
}

/// The last letters of a word, so many or all.
fn ending(word: &str, letters: usize) -> &str {
    let from = word.char_indices().rev().nth(letters - 1);
    from.map_or(word, |(from, _)| &word[from..])
}

fn beginning(word: &str, letters: usize) -> &str {
    word.char_indices().nth(letters).map_or(word, |(to, _)| &word[..to])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_tell_names_numbers_and_acronyms() {
        let check =
            |word: &str, expected: &str| assert_eq!(word_shape(word.chars()), expected, "{word}");
        check("Bush", "Xxx");
        check("NASA", "XX");
        check("15-year", "00-xx");
        check("$1,000", "$0,00");
        check("", "");
    }

    #[test]
    fn a_word_is_seen_with_its_neighbours() {
        let of = |words: &[&str], at: usize| {
            let mut seen = Vec::new();
            TaggedSentence::new(words).features(at, &mut |feature| seen.push(feature));
            seen
        };
        assert_ne!(of(&["to", "fish"], 1), of(&["the", "fish"], 1));
        assert_eq!(of(&["a", "fish"], 1), of(&["a", "fish"], 1));
    }
}
