//! The words of a header as 002 §4.1 takes them: abstract, introduction and end of page are a word each; case, signs
//! and lines are removed; "a few special classes of words" become a word of their kind each, of which 002 names mail
//! alone. Optionally rare words are told by their kind, too, which is ours.

use crate::tagged::{LINE, TaggedText};
use std::collections::HashMap;

/// How words are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordRule {
    pub special: SpecialWords,
    /// A word that was not learnt more often than this becomes its kind: its last letter, or letters and digits.
    pub rare: u32,
}

/// Which words become a word of their kind; each of these has those before it, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SpecialWords {
    #[default]
    None,
    /// Addresses of mail: `+email+`.
    Mail,
    /// Addresses of web pages: `+web+`.
    Web,
    /// Years, and other numbers by how many digits they have: `+year+`, `+5+`.
    Numbers,
}

/// What addresses of web pages contain.
const WEB: [&str; 4] = ["http:", "https:", "ftp:", "www."];

/// Fields that are one word.
const WHOLE: &[&str] = &["abstract", "intro", "page"];

/// The words of a header, each with its field.
#[must_use]
pub fn words<'a>(header: &TaggedText<'a>, rule: &WordRule) -> Vec<(String, &'a str)> {
    let mut words: Vec<(String, &str)> = Vec::new();
    for (word, field) in header.words.iter().zip(&header.fields) {
        if *word == LINE {
            continue;
        }
        if WHOLE.contains(field) {
            if words.last().is_none_or(|(_, last)| last != field) {
                words.push((format!("+{field}+"), field));
            }
        } else if rule.special >= SpecialWords::Mail && word.contains('@') {
            words.push(("+email+".to_owned(), field));
        } else if rule.special >= SpecialWords::Web && WEB.iter().any(|part| word.contains(part)) {
            words.push(("+web+".to_owned(), field));
        } else {
            let bare = word.chars().filter(char::is_ascii_alphanumeric);
            let bare: String = bare.map(|c| c.to_ascii_lowercase()).collect();
            if !bare.is_empty() {
                let is_told = rule.special >= SpecialWords::Numbers;
                words.push((if is_told { number_kind(bare) } else { bare }, field));
            }
        }
    }
    words
}

/// A number's kind: a year, or how many digits it has; any other word as it is.
fn number_kind(word: String) -> String {
    match word.len() {
        _ if !word.bytes().all(|byte| byte.is_ascii_digit()) => word,
        4 if word.starts_with("19") || word.starts_with("20") => "+year+".to_owned(),
        digits => format!("+{}+", digits.min(7)),
    }
}

/// Numbers of words, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub struct WordNumbers {
    numbers: HashMap<String, u32>,
    counts: HashMap<String, u32>,
}

impl WordNumbers {
    /// Counts a word that is learnt from.
    pub fn learn(&mut self, word: &str) {
        *self.counts.entry(word.to_owned()).or_default() += 1;
    }

    /// The number of a word, of its kind where it was learnt too rarely.
    pub fn number(&mut self, word: &str, rule: &WordRule) -> u32 {
        let is_rare = self.counts.get(word).copied().unwrap_or_default() <= rule.rare;
        let word = if rule.rare > 0 && is_rare { rare_kind(word) } else { word.to_owned() };
        let next = self.numbers.len() as u32;
        *self.numbers.entry(word).or_insert(next)
    }
}

fn rare_kind(word: &str) -> String {
    let mut kind = String::from("~");
    if word.starts_with("http") || word.starts_with("www") {
        kind.push_str("web");
    } else if word.bytes().any(|byte| byte.is_ascii_digit()) {
        for byte in word.bytes() {
            let of = if byte.is_ascii_digit() { '9' } else { 'a' };
            if !kind.ends_with(of) {
                kind.push(of);
            }
        }
    } else if word.len() == 1 {
        kind.push('1');
    } else {
        kind.extend(word.chars().next_back());
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tagged::headers;

    fn check(rule: &WordRule, expected: &str) {
        let file = "<NEW_HEADER> <title> On-line C++ & Nets, 1999 +L+ </title> <email> a@b.c 12345 </email> \
                    <web> http://b.c/ </web> <abstract> Abstract +L+ We fish. </abstract> <page> +PAGE+ </page>";
        let words: Vec<String> =
            words(&headers(file)[0], rule).into_iter().map(|(w, _)| w).collect();
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn case_signs_and_lines_are_removed_and_abstracts_are_a_word() {
        let special = |special: SpecialWords| WordRule { special, rare: 0 };
        check(&WordRule::default(), "online c nets 1999 abc 12345 httpbc +abstract+ +page+");
        let mail = "online c nets 1999 +email+ 12345 httpbc +abstract+ +page+";
        check(&special(SpecialWords::Mail), mail);
        let web = "online c nets 1999 +email+ 12345 +web+ +abstract+ +page+";
        check(&special(SpecialWords::Web), web);
        let numbers = "online c nets +year+ +email+ +5+ +web+ +abstract+ +page+";
        check(&special(SpecialWords::Numbers), numbers);
    }

    #[test]
    fn rare_words_are_their_kind() {
        let mut numbers = WordNumbers::default();
        ["nets", "nets", "hooks"].iter().for_each(|word| numbers.learn(word));
        let rule = WordRule { special: SpecialWords::Numbers, rare: 1 };
        let [nets, hooks, boats, git] =
            ["nets", "hooks", "boats", "git92"].map(|word| numbers.number(word, &rule));
        assert_ne!(nets, hooks);
        assert_eq!(hooks, boats);
        assert_ne!(boats, git);
        assert_eq!(rare_kind("gitcc92x"), "~a9a");
        assert_eq!(rare_kind("httpwwwx"), "~web");
        assert_eq!(rare_kind("q"), "~1");
    }
}
