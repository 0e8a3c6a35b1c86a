//! What a model sees of the words of a sentence in which it looks for names: what a tagger sees of them, their tags,
//! and the lists that they and their neighbours stand in.

use super::lexicon;
use crate::sequence::{SeenSequence, feature};
use crate::tag::{TaggedSentence, tags};

/// Features of all words of a sentence.
pub(super) fn seen(words: &[&str]) -> SeenSequence {
    let straight: Vec<String> = words.iter().map(|word| word.replace('’', "'")).collect();
    let words = &*straight.iter().map(String::as_str).collect::<Vec<&str>>();
    let (tags, mut seen) = (tags(words), TaggedSentence::new(words).seen());
    let lower: Vec<String> = words.iter().map(|word| bare(word).to_lowercase()).collect();
    let lists: Vec<u8> = lower.iter().map(|word| lexicon::lists(word)).collect();
    let capitals = words.iter().filter(|word| begins_great(word)).count();
    let letters = words.iter().filter(|word| word.starts_with(char::is_alphabetic)).count();
    let share = (capitals * 4 / letters.max(1)).to_string();
    for (at, features) in seen.features.iter_mut().enumerate() {
        let mut see = |kind: u64, parts: &[&str]| features.push(feature(kind, parts));
        let tag = |away: isize| near(&tags, at, away).copied().unwrap_or("");
        let list = |away: isize| near(&lists, at, away).copied().unwrap_or(0).to_string();
        for (kind, away) in [(100, 0), (101, -1), (102, 1), (103, -2), (104, 2)] {
            see(kind, &[tag(away)]);
            see(kind + 10, &[&list(away)]);
        }
        see(120, &[tag(-1), tag(0)]);
        see(121, &[tag(0), tag(1)]);
        see(122, &[tag(-1), tag(0), tag(1)]);
        see(123, &[&list(-1), &list(0)]);
        see(124, &[&list(0), &list(1)]);
        for bit in (0..8).filter(|bit| lists[at] >> bit & 1 == 1) {
            see(130, &[&bit.to_string()]);
            see(131, &[&bit.to_string(), if begins_great(words[at]) { "X" } else { "x" }]);
        }
        let great = if begins_great(words[at]) { "X" } else { "x" };
        see(140, &[&share, great]);
        see(141, &[if at == 0 { "first" } else { "" }, great, tag(0)]);
    }
    seen
}

fn begins_great(word: &str) -> bool {
    bare(word).starts_with(char::is_uppercase)
}

/// A word without the sign that makes it one of a network.
fn bare(word: &str) -> &str {
    word.trim_start_matches(['#', '@'])
}

fn near<T>(all: &[T], at: usize, away: isize) -> Option<&T> {
    at.checked_add_signed(away).and_then(|place| all.get(place))
}
