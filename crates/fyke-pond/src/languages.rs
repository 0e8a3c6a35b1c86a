//! Pages in other tongues and other encodings: for each language a stock of sentences written for
//! the pond, encoded once into the charset its pages are served in (encoding on every request
//! would cost more than the page).

use std::sync::LazyLock;

use encoding_rs::Encoding;

use crate::words::template::number;
use crate::words::{PondDice, lines, topics};

#[derive(Debug)]
pub struct Language {
    pub code: &'static str,
    /// What its speakers call it, in UTF-8.
    pub name: &'static str,
    pub encoding: &'static Encoding,
    /// Words of the page's frame, already encoded, by English key.
    frame: Vec<(&'static str, Vec<u8>)>,
    pub places: Vec<Vec<u8>>,
    pub people: Vec<Vec<u8>>,
    /// Sentences that suit every page.
    pub plain: Vec<SentenceLine>,
    pub chapters: Vec<Chapter>,
}

/// What a language has to say about one topic.
#[derive(Debug)]
pub struct Chapter {
    /// The topic's number.
    pub topic: usize,
    pub titles: Vec<SentenceLine>,
    pub sentences: Vec<SentenceLine>,
}

/// A sentence in its charset, with holes for names and numbers.
#[derive(Debug)]
pub struct SentenceLine(Vec<LinePart>);

#[derive(Debug)]
enum LinePart {
    Text(Vec<u8>),
    Number,
    Year,
    Place,
    Person,
}

pub const CODES: [&str; 11] = ["en", "de", "fr", "es", "cs", "sl", "pl", "ru", "ja", "zh", "ko"];

const FILES: [&str; CODES.len()] = [
    include_str!("../data/languages/en.txt"),
    include_str!("../data/languages/de.txt"),
    include_str!("../data/languages/fr.txt"),
    include_str!("../data/languages/es.txt"),
    include_str!("../data/languages/cs.txt"),
    include_str!("../data/languages/sl.txt"),
    include_str!("../data/languages/pl.txt"),
    include_str!("../data/languages/ru.txt"),
    include_str!("../data/languages/ja.txt"),
    include_str!("../data/languages/zh.txt"),
    include_str!("../data/languages/ko.txt"),
];

static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| CODES.iter().zip(FILES).map(|(code, file)| read(code, file)).collect());

pub fn all() -> &'static [Language] {
    &LANGUAGES
}

/// English when the code is unknown.
pub(crate) fn by_code(code: &str) -> &'static Language {
    &LANGUAGES[CODES.iter().position(|c| *c == code).unwrap_or(0)]
}

impl Language {
    /// A word of the page's frame ("home", "comments"), encoded.
    pub fn word(&self, key: &str) -> &[u8] {
        self.frame.iter().find(|(k, _)| *k == key).map_or(&[], |(_, word)| word)
    }

    pub fn chapter(&self, n: usize) -> &Chapter {
        &self.chapters[n % self.chapters.len()]
    }

    pub fn fill(&self, line: &SentenceLine, dice: &mut PondDice, out: &mut Vec<u8>) {
        for part in &line.0 {
            match part {
                LinePart::Text(bytes) => out.extend_from_slice(bytes),
                LinePart::Number => number(2 + dice.below(88), out),
                LinePart::Year => number(1890 + dice.below(136), out),
                LinePart::Place => out.extend_from_slice(dice.pick::<Vec<u8>>(&self.places)),
                LinePart::Person => out.extend_from_slice(dice.pick::<Vec<u8>>(&self.people)),
            }
        }
    }
}

fn read(code: &'static str, file: &'static str) -> Language {
    let mut language = Language {
        code,
        name: code,
        encoding: encoding_rs::UTF_8,
        frame: Vec::new(),
        places: Vec::new(),
        people: Vec::new(),
        plain: Vec::new(),
        chapters: Vec::new(),
    };
    for (key, value) in lines(file) {
        let encoding = language.encoding;
        match (key, language.chapters.last_mut()) {
            ("charset", _) => {
                language.encoding = Encoding::for_label(value.as_bytes()).unwrap_or(encoding);
            }
            ("name", _) => language.name = value,
            ("places", _) => language.places = list(encoding, value),
            ("people", _) => language.people = list(encoding, value),
            ("topic", _) => language.chapters.push(Chapter {
                topic: topics().iter().position(|t| t.name == value).unwrap_or(0),
                titles: Vec::new(),
                sentences: Vec::new(),
            }),
            ("title", Some(chapter)) => chapter.titles.push(line(encoding, value)),
            ("say", Some(chapter)) => chapter.sentences.push(line(encoding, value)),
            ("say", None) => language.plain.push(line(encoding, value)),
            (word, _) => language.frame.push((word, encode(encoding, value))),
        }
    }
    language
}

fn encode(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    encoding.encode(text).0.into_owned()
}

fn list(encoding: &'static Encoding, value: &str) -> Vec<Vec<u8>> {
    value.split(',').map(|word| encode(encoding, word.trim())).collect()
}

fn line(encoding: &'static Encoding, text: &str) -> SentenceLine {
    let mut parts = Vec::new();
    for (n, piece) in text.split(['{', '}']).enumerate() {
        parts.push(match (n % 2, piece) {
            (1, "num") => LinePart::Number,
            (1, "year") => LinePart::Year,
            (1, "place") => LinePart::Place,
            (1, "person") => LinePart::Person,
            _ => LinePart::Text(encode(encoding, piece)),
        });
    }
    SentenceLine(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_is_whole_and_its_charset_holds_its_letters() {
        for (language, file) in all().iter().zip(FILES) {
            let code = language.code;
            let (_, _, lost) = language.encoding.encode(file);
            assert!(!lost, "{code}: {} has no room for some letter", language.encoding.name());
            assert!(language.chapters.len() >= 3 && language.plain.len() >= 6, "{code}");
            for chapter in &language.chapters {
                assert!(chapter.sentences.len() >= 8 && chapter.titles.len() >= 3, "{code}");
            }
            for word in ["home", "comments", "related", "about", "contact", "footer", "next"] {
                assert!(!language.word(word).is_empty(), "{code}: {word}");
            }
        }
    }
}
