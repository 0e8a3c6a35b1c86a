//! What a model sees of the words of a header or a reference: each word, its shape, its ends, the lists it stands
//! in, its neighbours, its line and where in the whole it stands.

use crate::lexicon;
use fyke_text::sequence::{SeenSequence, feature};
use fyke_text::tag::word_shape;

/// A word as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenWord<'a> {
    pub text: &'a str,
    /// Whether a line begins with it.
    pub begins_line: bool,
}

/// Letters of a word whose shape is looked at.
const LONGEST_SHAPE: usize = 40;
/// What stands between two words; which field follows which depends on it.
const JOINTS: usize = 6;

/// How many kinds of joints between words there are.
#[must_use]
pub const fn joints() -> usize {
    JOINTS
}

/// A word made ready.
struct ReadyWord {
    /// In small letters with all digits alike, without the signs around it.
    form: String,
    shape: String,
    /// Signs before and behind it.
    signs: String,
    /// Bits of the lists it stands in.
    lists: u8,
    line: usize,
}

/// A line: which words are its own, and what they are together.
struct SeenLine {
    from: usize,
    to: usize,
    about: Vec<u32>,
}

/// Features and joints of all words.
#[must_use]
pub fn seen(words: &[SeenWord<'_>]) -> SeenSequence {
    let ready = ready(words);
    let lines = lines(&ready);
    let features = (0..ready.len()).map(|at| features(&ready, &lines, at)).collect();
    let joint = |at: usize| joint(at.checked_sub(1).map(|before| words[before]), words[at]);
    SeenSequence { features, joints: (0..words.len()).map(joint).collect() }
}

fn ready(words: &[SeenWord<'_>]) -> Vec<ReadyWord> {
    let mut line = 0;
    let of = |(at, word): (usize, &SeenWord<'_>)| {
        line += usize::from(word.begins_line && at > 0);
        let bare = word.text.trim_matches(|c: char| !c.is_alphanumeric());
        let signs: String = word.text.chars().filter(|c| !c.is_alphanumeric()).take(4).collect();
        let lower = if bare.is_empty() { word.text } else { bare }.to_lowercase();
        let alike = |c: char| if c.is_ascii_digit() { '0' } else { c };
        let lists = lexicon::lists(&lower);
        ReadyWord {
            form: lower.chars().map(alike).collect(),
            shape: word_shape(word.text.chars().take(LONGEST_SHAPE)),
            signs,
            lists,
            line,
        }
    };
    words.iter().enumerate().map(of).collect()
}

fn joint(before: Option<SeenWord<'_>>, word: SeenWord<'_>) -> u8 {
    let end = before.and_then(|before| before.text.chars().next_back());
    let kind = match end {
        Some(',' | ';' | ':') => 1,
        Some('.' | '?' | '!' | ')' | '"' | '\u{201D}') => 2,
        _ => 0,
    };
    if word.begins_line { 3 + kind } else { kind }
}

/// Lines with their features.
fn lines(words: &[ReadyWord]) -> Vec<SeenLine> {
    let mut lines: Vec<SeenLine> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match lines.last_mut().filter(|_| at > 0 && words[at - 1].line == word.line) {
            Some(line) => line.to = at + 1,
            None => lines.push(SeenLine { from: at, to: at + 1, about: Vec::new() }),
        }
    }
    let count = lines.len();
    for (number, line) in lines.iter_mut().enumerate() {
        line.about = about(&words[line.from..line.to], number, count);
    }
    lines
}

/// What the words of a line are together.
fn about(words: &[ReadyWord], number: usize, count: usize) -> Vec<u32> {
    let mut about = Vec::new();
    let mut see = |kind: u64, value: usize| about.push(feature(kind, &[&value.to_string()]));
    see(100, number.min(15));
    see(101, (count - number).min(8));
    see(
        102,
        match words.len() {
            few @ 0..=4 => few,
            5..=6 => 5,
            7..=9 => 7,
            10..=13 => 10,
            _ => 14,
        },
    );
    for bit in 0..8 {
        let with = words.iter().filter(|word| word.lists >> bit & 1 == 1).count();
        see(110 + bit, with.min(3));
    }
    let share = |is: fn(&ReadyWord) -> bool| {
        words.iter().filter(|word| is(word)).count() * 4 / words.len().max(1)
    };
    see(120, share(|word| word.shape.starts_with('X')));
    see(121, share(|word| word.shape.starts_with("XX")));
    see(122, share(|word| word.shape.contains('0')));
    see(123, usize::from(words.iter().any(|word| word.signs.contains('@'))));
    see(124, share(|word| word.shape.len() <= 2 && word.shape.starts_with('X')));
    let ends = words.last().map_or("", |word| word.signs.as_str());
    see(125, usize::from(ends.ends_with(',')) + 2 * usize::from(ends.ends_with('.')));
    about
}

/// Outside of the text.
const BEFORE: &str = "<s>";
const BEHIND: &str = "</s>";

fn features(words: &[ReadyWord], lines: &[SeenLine], at: usize) -> Vec<u32> {
    let mut found = vec![feature(0, &[])];
    let word = &words[at];
    own(word, &mut found);
    let mut see = |kind: u64, parts: &[&str]| found.push(feature(kind, parts));
    let near = |away: isize| at.checked_add_signed(away).map(|place| words.get(place));
    let form =
        |away: isize| near(away).map_or(BEFORE, |word| word.map_or(BEHIND, |word| &word.form));
    let shape = |away: isize| near(away).flatten().map_or("", |word| &word.shape);
    for (kind, away) in [(40, -1), (41, 1), (42, -2), (43, 2), (44, -3), (45, 3)] {
        see(kind, &[form(away)]);
    }
    see(46, &[form(-1), form(0)]);
    see(47, &[form(0), form(1)]);
    see(48, &[form(-1), form(1)]);
    for (kind, away) in [(50, -1), (51, 1), (52, -2), (53, 2)] {
        see(kind, &[shape(away)]);
        let near = near(away).flatten();
        see(kind + 4, &[&near.map_or(0, |word| word.lists).to_string()]);
        see(kind + 20, &[near.map_or("", |word| &word.signs)]);
    }
    see(60, &[shape(-1), shape(0)]);
    see(61, &[shape(0), shape(1)]);
    see(62, &[shape(-1), shape(0), shape(1)]);
    see(63, &[shape(-2), shape(-1), shape(0)]);
    see(64, &[shape(0), shape(1), shape(2)]);
    let bin = (at * 10 / words.len().max(1)).to_string();
    see(80, &[&bin]);
    see(81, &[&bin, &word.shape]);
    see(82, &[&at.min(6).to_string()]);
    see(83, &[&(words.len() - 1 - at).min(4).to_string()]);
    in_line(words, lines, at, &mut found);
    found
}

/// What a word says without its neighbours.
fn own(word: &ReadyWord, found: &mut Vec<u32>) {
    let mut see = |kind: u64, parts: &[&str]| found.push(feature(kind, parts));
    let ReadyWord { form, shape, signs, lists, .. } = word;
    see(1, &[form]);
    see(2, &[form, shape]);
    let letters = form.chars().count();
    for length in (1..=4).filter(|length| *length < letters) {
        let from = form.char_indices().rev().nth(length - 1).map_or(0, |(from, _)| from);
        see(10 + length as u64, &[&form[from..]]);
        let to = form.char_indices().nth(length).map_or(form.len(), |(to, _)| to);
        see(20 + length as u64, &[&form[..to]]);
    }
    see(30, &[shape]);
    see(31, &[signs]);
    see(32, &[&lists.to_string()]);
    see(33, &[&lists.to_string(), shape]);
    for bit in (0..8).filter(|bit| lists >> bit & 1 == 1) {
        see(34, &[&bit.to_string()]);
    }
    see(35, &[&letters.min(12).to_string()]);
}

/// What a word's line says, the lines around it, and where in the line it stands.
fn in_line(words: &[ReadyWord], lines: &[SeenLine], at: usize, found: &mut Vec<u32>) {
    if lines.len() < 2 {
        return;
    }
    let number = words[at].line;
    let line = &lines[number];
    found.extend(&line.about);
    let first = |line: &SeenLine| words[line.from].form.as_str();
    let mut see = |kind: u64, parts: &[&str]| found.push(feature(kind, parts));
    let (from, to) = ((at - line.from).min(3), (line.to - 1 - at).min(2));
    see(130, &[&from.to_string()]);
    see(131, &[&to.to_string()]);
    see(132, &[first(line)]);
    see(133, &[&words[line.to - 1].form]);
    see(134, &[&words[line.from].shape]);
    let others =
        [(140, number.checked_sub(1)), (141, Some(number + 1)), (142, number.checked_sub(2))];
    for (kind, other) in others {
        let other = other.and_then(|other| lines.get(other));
        see(kind, &[other.map_or(BEFORE, first)]);
        for about in other.iter().flat_map(|line| &line.about[2..]) {
            see(kind + 10, &[&about.to_string()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words<'a>(lines: &[&'a str]) -> Vec<SeenWord<'a>> {
        let of = |line: &&'a str| {
            let words = line.split_whitespace().enumerate();
            words.map(|(at, text)| SeenWord { text, begins_line: at == 0 }).collect::<Vec<_>>()
        };
        lines.iter().flat_map(of).collect()
    }

    #[test]
    fn joints_tell_lines_and_signs_apart() {
        let seen = seen(&words(&["Nets, hooks", "A. Fisher", "Tides.", "Ports"]));
        assert_eq!(seen.joints, [3, 1, 3, 2, 3, 5]);
        assert!(seen.joints.iter().all(|joint| usize::from(*joint) < joints()));
    }

    #[test]
    fn a_word_is_seen_with_its_line() {
        let (one, other) =
            (words(&["Fishing by Night", "A. Fisher"]), words(&["Fishing by Night", "1999"]));
        assert_ne!(seen(&one).features[0], seen(&other).features[0]);
        assert_eq!(seen(&one).features[0], seen(&one).features[0]);
    }

    proptest! {
        #[test]
        fn any_words_are_seen(lines in prop::collection::vec("\\PC{0,20}", 0..8)) {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let words = words(&lines);
            let seen = seen(&words);
            prop_assert_eq!(seen.features.len(), words.len());
            prop_assert_eq!(seen.joints.len(), words.len());
        }
    }
}
