//! Stemmers: one form for the words that are forms of one (003 §4.3.4); a row each.
//!
//! They take folded words ([`crate::fold`]). Algorithms of the Snowball project come from the crate
//! `frostem`, which is generated from its sources; Krovetz's and the suffix-s stemmer are our own.

pub mod classes;
mod exceptions;
mod finnish;
mod forms;
pub mod krovetz;
mod suffix_s;

use frostem::{Algorithm, Stemmer as Frostem};
use std::borrow::Cow;

pub use exceptions::Exceptions;
pub use forms::Forms;

/// A stemmer.
#[derive(Clone, Copy, Debug)]
pub struct Stemmer {
    /// What it is called on the command line.
    pub name: &'static str,
    /// Code of the language it is for.
    pub language: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// The stem of a folded word.
    pub stem: fn(&str) -> Cow<'_, str>,
}

/// All stemmers; of those for one language the first is the language's own.
pub const STEMMERS: &[Stemmer] = &[
    row("porter2", "en", "Porter's second, the usual one for English", |word| {
        snowball(Algorithm::English, word)
    }),
    row("porter", "en", "Porter's first, of 1980", |word| snowball(Algorithm::Porter, word)),
    row("krovetz", "en", "Krovetz's: rules checked by a dictionary", krovetz::stem),
    row("suffix-s", "en", "takes a final s away, nothing else", suffix_s::stem),
    row("arabic", "ar", "Snowball", |word| snowball(Algorithm::Arabic, word)),
    row("basque", "eu", "Snowball", |word| snowball(Algorithm::Basque, word)),
    row("czech", "cs", "Snowball", |word| snowball(Algorithm::Czech, word)),
    row("danish", "da", "Snowball", |word| snowball(Algorithm::Danish, word)),
    row("dutch", "nl", "Snowball", |word| snowball(Algorithm::Dutch, word)),
    row("finnish", "fi", "Snowball", finnish::stem),
    row("french", "fr", "Snowball", |word| snowball(Algorithm::French, word)),
    row("german", "de", "Snowball", |word| snowball(Algorithm::German, word)),
    row("hungarian", "hu", "Snowball", |word| snowball(Algorithm::Hungarian, word)),
    row("italian", "it", "Snowball", |word| snowball(Algorithm::Italian, word)),
    row("norwegian", "no", "Snowball", |word| snowball(Algorithm::Norwegian, word)),
    row("polish", "pl", "Snowball", |word| snowball(Algorithm::Polish, word)),
    row("portuguese", "pt", "Snowball", |word| snowball(Algorithm::Portuguese, word)),
    row("romanian", "ro", "Snowball", |word| snowball(Algorithm::Romanian, word)),
    row("russian", "ru", "Snowball", |word| snowball(Algorithm::Russian, word)),
    row("spanish", "es", "Snowball", |word| snowball(Algorithm::Spanish, word)),
    row("swedish", "sv", "Snowball", |word| snowball(Algorithm::Swedish, word)),
    row("turkish", "tr", "Snowball", |word| snowball(Algorithm::Turkish, word)),
];

const fn row(
    name: &'static str,
    language: &'static str,
    what: &'static str,
    stem: fn(&str) -> Cow<'_, str>,
) -> Stemmer {
    Stemmer { name, language, what, stem }
}

fn snowball(algorithm: Algorithm, word: &str) -> Cow<'_, str> {
    Frostem::new(algorithm).stem(word)
}

/// The stemmer with this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Stemmer> {
    STEMMERS.iter().find(|row| row.name == name)
}

/// The stemmer for a language, if it has one.
#[must_use]
pub fn of(language: &str) -> Option<&'static Stemmer> {
    // Both written forms of Norwegian have the one stemmer.
    let language = if matches!(language, "nb" | "nn") { "no" } else { language };
    STEMMERS.iter().find(|row| row.language == language)
}

/// The stem of a folded word of `language`; the word itself where the language has no stemmer.
#[must_use]
pub fn stem<'a>(language: &str, folded: &'a str) -> Cow<'a, str> {
    of(language).map_or(Cow::Borrowed(folded), |row| (row.stem)(folded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Words of each stemmer with their stems.
    const EXAMPLES: &[(&str, &str)] = &[
        ("porter2", "running run generically generic skies sky"),
        ("porter", "running run generically gener skies ski"),
        ("krovetz", "abolished abolish abettors abet italians italy"),
        ("suffix-s", "cakes cake dogs dog centuries centurie is i s s"),
        ("arabic", "الكتاب كتاب المكتبات مكتب"),
        ("basque", "aberastasuna aberas"),
        ("czech", "ženami žen"),
        ("danish", "undersøgelserne undersøg"),
        ("dutch", "lichamen lichaam"),
        ("finnish", "edeltäjiinsä edeltäj"),
        ("french", "continuellement continuel"),
        ("german", "aufeinanderfolgenden aufeinanderfolg"),
        ("hungarian", "babakocsijáért babakocs"),
        ("italian", "abbandonarono abbandon"),
        ("norwegian", "havnedistriktene havnedistrikt"),
        ("polish", "kobietami kobiet"),
        ("portuguese", "quilométricas quilométr"),
        ("romanian", "copiilor cop lucrătorii lucrat"),
        ("russian", "важнейшими важн"),
        ("spanish", "chicharrones chicharron"),
        ("swedish", "jaktkarlarne jaktkarl"),
        ("turkish", "evlerimizden ev gözlerinden göz"),
    ];

    #[test]
    fn every_row_has_a_name_of_its_own_and_a_worked_example() {
        for (nth, row) in STEMMERS.iter().enumerate() {
            assert!(STEMMERS[..nth].iter().all(|other| other.name != row.name), "{}", row.name);
            let (_, pairs) = EXAMPLES.iter().find(|(name, _)| *name == row.name).unwrap();
            let pairs: Vec<_> = pairs.split(' ').collect();
            for pair in pairs.chunks(2) {
                assert_eq!((row.stem)(pair[0]), pair[1], "{} of {}", row.name, pair[0]);
            }
        }
    }

    #[test]
    fn a_language_has_its_stemmer_and_others_leave_words_as_they_are() {
        assert_eq!(stem("en", "turbines"), "turbin");
        assert_eq!(stem("nn", "havnedistriktene"), "havnedistrikt");
        assert_eq!(stem("tlh", "turbines"), "turbines");
    }

    proptest! {
        #[test]
        fn no_stemmer_fails_on_any_word(word in "\\PC{0,40}", row in 0..STEMMERS.len()) {
            prop_assert!((STEMMERS[row].stem)(&word).len() <= 3 * word.len() + 3);
        }
    }
}
