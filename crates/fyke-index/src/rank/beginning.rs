//! Which words of a dictionary begin with a prefix, diacritics aside: `haus` begins `haus` and
//! `häuser`. The dictionary asks byte by byte, and leaves out whole branches that cannot match.

use fyke_text::bare::bare_letter;
use tantivy_fst::Automaton;

/// A prefix without diacritics.
pub(super) struct Beginning<'a> {
    prefix: &'a str,
}

/// How far a word has been read.
#[derive(Clone, Copy, Default)]
pub(super) struct WordState {
    /// Bytes of the prefix that it has; none when it has another beginning.
    matched: Option<usize>,
    /// The bytes of a character that is not yet whole.
    bytes: [u8; 4],
    len: usize,
}

impl<'a> Beginning<'a> {
    pub fn new(prefix: &'a str) -> Beginning<'a> {
        Beginning { prefix }
    }

    /// The bytes of the prefix that are matched with one more character.
    fn with(&self, matched: usize, c: char) -> Option<usize> {
        let mut buffer = [0; 4];
        let letters = bare_letter(c).unwrap_or(c.encode_utf8(&mut buffer));
        let rest = &self.prefix[matched..];
        match rest.starts_with(letters) {
            true => Some(matched + letters.len()),
            false => letters.starts_with(rest).then_some(self.prefix.len()),
        }
    }
}

impl Automaton for Beginning<'_> {
    type State = WordState;

    fn start(&self) -> WordState {
        WordState { matched: Some(0), ..WordState::default() }
    }

    fn is_match(&self, state: &WordState) -> bool {
        state.matched == Some(self.prefix.len())
    }

    fn can_match(&self, state: &WordState) -> bool {
        state.matched.is_some()
    }

    fn will_always_match(&self, state: &WordState) -> bool {
        self.is_match(state)
    }

    fn accept(&self, state: &WordState, byte: u8) -> WordState {
        let Some(matched) = state.matched.filter(|_| !self.is_match(state)) else { return *state };
        let WordState { mut bytes, len, .. } = *state;
        let Some(place) = bytes.get_mut(len) else { return WordState::default() };
        *place = byte;
        match str::from_utf8(&bytes[..=len]) {
            Err(error) if error.error_len().is_none() => {
                WordState { bytes, len: len + 1, ..*state }
            }
            Err(_) => WordState::default(),
            Ok(text) => {
                let matched = text.chars().next().and_then(|c| self.with(matched, c));
                WordState { matched, ..WordState::default() }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn begins(prefix: &str, word: &str) -> bool {
        let beginning = Beginning::new(prefix);
        let read = |state, byte: &u8| beginning.accept(&state, *byte);
        beginning.is_match(&word.as_bytes().iter().fold(beginning.start(), read))
    }

    #[test]
    fn words_begin_with_a_prefix_diacritics_aside() {
        let check = |prefix: &str, word: &str, expected: bool| {
            assert_eq!(begins(prefix, word), expected, "{prefix} {word}");
        };
        check("haus", "häuser", true);
        check("strass", "straße", true);
        check("stras", "straße", true);
        check("cafe", "cafe\u{301}s", true);
        check("важн", "важнейшими", true);
        check("", "anything", true);
        check("haus", "hau", false);
        check("haus", "maus", false);
        check("東", "東京", true);
    }

    proptest! {
        #[test]
        fn it_is_what_bare_words_say(prefix in "[a-z東]{0,3}", word in "[a-zäéß東]{0,6}") {
            let expected = fyke_text::bare(&word).starts_with(&prefix);
            prop_assert_eq!(begins(&prefix, &word), expected);
        }

        #[test]
        fn no_bytes_make_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            let beginning = Beginning::new("né");
            let read = |state, byte: &u8| beginning.accept(&state, *byte);
            let _ = beginning.is_match(&bytes.iter().fold(beginning.start(), read));
        }
    }
}
