//! Phrases with which a block begins that leads away from the text or stands beside it: "read
//! more", "photo:", "copyright". They stand in a data file, by what they tell of.

use std::sync::LazyLock;

/// What the beginning of a block tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cue {
    /// Other pages, subscriptions.
    More,
    Picture,
    /// Rights, authors, dates.
    Right,
    /// What readers say.
    Talk,
}

/// Longest phrase looked for, in bytes.
const LONGEST: usize = 24;

static CUES: LazyLock<Vec<(&'static str, Cue)>> = LazyLock::new(|| {
    let file = include_str!("../../data/cues.txt");
    let mut rows: Vec<_> = file.lines().filter(|l| !l.starts_with('#')).filter_map(row).collect();
    rows.sort_unstable_by_key(|row| row.0);
    rows
});

fn row(line: &'static str) -> Option<(&'static str, Cue)> {
    let (cue, phrase) = line.split_once(' ')?;
    let cue = match cue {
        "more" => Cue::More,
        "picture" => Cue::Picture,
        "right" => Cue::Right,
        "talk" => Cue::Talk,
        _ => return None,
    };
    Some((phrase, cue))
}

/// Whether a phrase may begin with two bytes of ASCII, by the lowest five bits of each: a look that spares
/// most texts the rest.
static BEGINNINGS: LazyLock<[u32; 32]> = LazyLock::new(|| {
    let mut found = [0_u32; 32];
    for (phrase, _) in CUES.iter() {
        match *phrase.as_bytes() {
            [first, second, ..] => found[usize::from(first & 31)] |= 1 << (second & 31),
            [first] => found[usize::from(first & 31)] = u32::MAX,
            [] => found = [u32::MAX; 32],
        }
    }
    found
});

fn may_begin(text: &str) -> bool {
    match *text.as_bytes() {
        [first, second, ..] if first.is_ascii() && second.is_ascii() => {
            BEGINNINGS[usize::from(first & 31)] >> (second & 31) & 1 == 1
        }
        _ => true,
    }
}

/// The cue at the head of a text, if any.
pub(super) fn of(text: &str) -> Option<Cue> {
    let text = text.trim_start_matches(['[', '"', '“', '•', '→', '»', '>', '-', '–', ' ']);
    if !may_begin(text) {
        return None;
    }
    let head = text.get(..text.floor_char_boundary(LONGEST + 1))?.to_lowercase();
    let after = CUES.partition_point(|row| row.0 <= head.as_str());
    // Of the phrases that the text begins with, all sort before it and share its first letter.
    let first = head.chars().next()?;
    let near = CUES[..after].iter().rev().take_while(|row| row.0.starts_with(first));
    near.into_iter().find(|row| begins(&head, row.0)).map(|row| row.1)
}

/// Whether a text begins with a phrase, as words.
fn begins(text: &str, phrase: &str) -> bool {
    text.strip_prefix(phrase).is_some_and(|rest| {
        !phrase.ends_with(char::is_alphanumeric) || !rest.starts_with(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_block_tells_what_it_is() {
        let check = |text: &str, expected| assert_eq!(of(text), expected, "{text}");
        check("Read more: eels in the river", Some(Cue::More));
        check("» Siehe auch", Some(Cue::More));
        check("Photographs were taken", None);
        check("Photo by a fisher", Some(Cue::Picture));
        check("© 2020 the club", Some(Cue::Right));
        check("Comments (3)", Some(Cue::Talk));
        check("Commentary on the river", None);
        check("", None);
    }

    #[test]
    fn every_row_of_the_file_is_read() {
        let lines = include_str!("../../data/cues.txt").lines().filter(|l| !l.starts_with('#'));
        assert_eq!(lines.clone().count(), CUES.len());
        assert!(CUES.iter().all(|row| row.0.len() <= LONGEST && row.0 == row.0.to_lowercase()));
        // Every phrase is found, in capitals too.
        for (phrase, _) in CUES.iter() {
            assert!(of(phrase).is_some() && of(&phrase.to_uppercase()).is_some(), "{phrase}");
        }
    }
}
