//! Letters without their diacritics: `cafe` beside `café`, `Strasse` beside `Straße`. An alternative to
//! the folded form at query time, never a replacement of it (003 §4.3.2).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Lines of bare letters and of those that are written with diacritics for them.
static LETTERS: LazyLock<HashMap<char, &str>> = LazyLock::new(|| {
    let rows = include_str!("../data/bare.txt").lines().filter_map(|line| line.split_once(' '));
    rows.flat_map(|(bare, marked)| marked.chars().map(move |c| (c, bare))).collect()
});

/// The folded word without diacritics.
#[must_use]
pub fn bare(folded: &str) -> Cow<'_, str> {
    if folded.is_ascii() {
        return Cow::Borrowed(folded);
    }
    let mut bare = String::with_capacity(folded.len());
    for c in folded.chars() {
        match bare_letter(c) {
            Some(letters) => bare.push_str(letters),
            None => bare.push(c),
        }
    }
    Cow::Owned(bare)
}

/// What stands for a letter with diacritics: one letter, two (`ß`: `ss`), or nothing for a mark alone;
/// none where it has no diacritics.
#[must_use]
pub fn bare_letter(c: char) -> Option<&'static str> {
    match c {
        _ if c.is_ascii() => None,
        '\u{300}'..='\u{36F}' => Some(""),
        _ => LETTERS.get(&c).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn diacritics_go_and_letters_stay() {
        let check = |word: &str, expected: &str| assert_eq!(bare(word), expected, "{word}");
        check("café", "cafe");
        check("cafe\u{301}", "cafe");
        check("čakanje", "cakanje");
        check("straße", "strasse");
        check("ærøskøbing", "aeroskobing");
        check("łódź", "lodz");
        check("việt", "viet");
        check("ёлка", "елка");
        check("йод", "йод");
        check("東京", "東京");
    }

    proptest! {
        #[test]
        fn what_is_bare_stays_as_it_is(word in "\\PC{0,30}") {
            let once = bare(&word).into_owned();
            prop_assert_eq!(bare(&once), once.as_str());
        }
    }
}
