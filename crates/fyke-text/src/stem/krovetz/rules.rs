//! The rules of Krovetz's stemmer: inflections first (plural, past, -ing), then derivations. Of a
//! step the first rule that fits is taken.

use FormTrial::{Exchange, Single};
use Otherwise::{Choose, Keep, Take};

/// What is done with an ending.
pub(super) struct EndingRule {
    ending: &'static str,
    /// What else must hold of the word.
    when: fn(&str) -> bool,
    /// Tried in turn until the dictionary has one.
    pub trials: &'static [FormTrial],
    /// What is done where it has none.
    pub otherwise: Otherwise,
    /// -ed and -ing: what is made of them without the dictionary is looked at by later steps too.
    pub is_of_verbs: bool,
}

/// A form to try.
#[derive(Clone, Copy)]
pub(super) enum FormTrial {
    /// So many letters fewer, and these instead.
    Exchange(usize, &'static str),
    /// So many letters fewer, and of a doubled consonant that ends it then, one.
    Single(usize),
}

pub(super) enum Otherwise {
    Keep,
    Take(FormTrial),
    Choose(fn(&str) -> String),
}

impl EndingRule {
    pub fn fits(&self, word: &str) -> bool {
        word.len() > self.ending.len() && word.ends_with(self.ending) && (self.when)(word)
    }
}

impl FormTrial {
    /// The form of a word of plain letters.
    pub fn of(self, word: &str) -> Option<String> {
        match self {
            Exchange(fewer, instead) => Some([cut(word, fewer), instead].concat()),
            Single(fewer) => {
                let stem = cut(word, fewer);
                is_doubled(stem).then(|| cut(stem, 1).to_owned())
            }
        }
    }

    pub(crate) fn ends_in_e(self) -> bool {
        matches!(self, Exchange(_, "e"))
    }
}

const AGENT: &[FormTrial] = &[Single(2), Exchange(1, ""), Exchange(2, ""), Exchange(2, "e")];
const ADJECTIVE: &[FormTrial] = &[Exchange(2, ""), Single(2), Exchange(2, "e"), Exchange(2, "um")];
const ABLE: &[FormTrial] = &[Exchange(4, ""), Single(4), Exchange(4, "e"), Exchange(4, "ate")];
const NOUN: &[FormTrial] = &[Exchange(4, "e"), Exchange(4, "")];

pub(super) const STEPS: &[&[EndingRule]] = &[
    &[
        rule("ies", &[Exchange(1, "")], Take(Exchange(3, "y"))),
        rule("sses", &[Exchange(2, "")], Take(Exchange(1, ""))),
        rule("es", &[Exchange(1, ""), Exchange(2, "")], Take(Exchange(1, ""))),
        EndingRule { when: is_plural, ..rule("s", &[], Take(Exchange(1, ""))) },
    ],
    &[
        EndingRule {
            when: |w| w.len() > 4,
            ..rule("ied", &[Exchange(1, "")], Take(Exchange(3, "y")))
        },
        EndingRule {
            when: |word| word.len() > 4 && has_vowel(cut(word, 2)),
            is_of_verbs: true,
            ..rule("ed", &[Exchange(2, "e"), Exchange(2, ""), Single(2)], Choose(past))
        },
    ],
    &[EndingRule {
        when: |word| word.len() > 5 && has_vowel(cut(word, 3)),
        is_of_verbs: true,
        ..rule("ing", &[Exchange(3, "e"), Exchange(3, ""), Single(3)], Choose(aspect))
    }],
    &[
        rule("ility", &[Exchange(3, ""), Exchange(3, "e")], Take(Exchange(5, "le"))),
        rule("ivity", &[Exchange(3, ""), Exchange(3, "e")], Take(Exchange(3, "e"))),
        rule("ity", &[Exchange(3, ""), Exchange(3, "e")], Take(Exchange(3, ""))),
    ],
    &[rule("iness", &[], Take(Exchange(5, "y"))), rule("ness", &[], Take(Exchange(4, "")))],
    &[
        rule("ization", &[], Take(Exchange(5, "e"))),
        rule("ition", &[Exchange(5, "e"), Exchange(3, "e"), Exchange(3, "")], Keep),
        rule(
            "ication",
            &[
                Exchange(3, "e"),
                Exchange(5, "e"),
                Exchange(5, ""),
                Exchange(7, "y"),
                Exchange(3, ""),
            ],
            Keep,
        ),
        rule(
            "ation",
            &[Exchange(3, "e"), Exchange(5, "e"), Exchange(5, ""), Exchange(3, "")],
            Keep,
        ),
        rule("ion", &[Exchange(3, "e"), Exchange(3, "")], Keep),
    ],
    &[
        rule("izer", &[], Take(Exchange(1, ""))),
        rule("ier", &[Exchange(3, "y"), Exchange(1, ""), Exchange(2, ""), Exchange(2, "e")], Keep),
        rule("eer", &[Exchange(3, ""), Exchange(1, ""), Exchange(2, ""), Exchange(2, "e")], Keep),
        rule("er", AGENT, Keep),
        rule("or", AGENT, Keep),
    ],
    &[
        rule("ably", &[Exchange(1, "e"), Exchange(2, "")], Take(Exchange(1, "e"))),
        rule("ily", &[Exchange(1, "e"), Exchange(2, ""), Exchange(3, "y")], Take(Exchange(2, ""))),
        rule("ly", &[Exchange(1, "e"), Exchange(2, "")], Take(Exchange(2, ""))),
    ],
    &[
        rule(
            "ical",
            &[
                Exchange(2, ""),
                Exchange(2, "e"),
                Exchange(2, "um"),
                Exchange(4, ""),
                Exchange(4, "y"),
            ],
            Take(Exchange(2, "")),
        ),
        rule("ial", &[Exchange(2, ""), Exchange(2, "e"), Exchange(2, "um"), Exchange(3, "")], Keep),
        EndingRule { when: |word| word.len() > 3, ..rule("al", ADJECTIVE, Keep) },
    ],
    &[
        rule(
            "ative",
            &[
                Exchange(3, ""),
                Exchange(3, "e"),
                Exchange(5, "e"),
                Exchange(5, ""),
                Exchange(2, "on"),
            ],
            Keep,
        ),
        rule("ive", &[Exchange(3, ""), Exchange(3, "e"), Exchange(2, "on")], Keep),
    ],
    &[rule("ize", &[Exchange(3, ""), Single(3), Exchange(3, "e")], Keep)],
    &[rule("ment", &[Exchange(4, "")], Keep)],
    &[rule("able", ABLE, Keep), rule("ible", ABLE, Keep)],
    &[rule("ism", &[], Take(Exchange(3, "")))],
    &[rule("ic", &[Exchange(0, "al"), Exchange(2, "y"), Exchange(2, "e"), Exchange(2, "")], Keep)],
    &[
        rule("ency", &[Exchange(2, "t")], Take(Exchange(1, "e"))),
        rule("ancy", &[Exchange(2, "t")], Take(Exchange(1, "e"))),
    ],
    &[rule("ence", NOUN, Keep), rule("ance", NOUN, Keep)],
];

const fn rule(
    ending: &'static str,
    trials: &'static [FormTrial],
    otherwise: Otherwise,
) -> EndingRule {
    EndingRule { ending, when: |_| true, trials, otherwise, is_of_verbs: false }
}

/// A final s that is likely that of a plural.
fn is_plural(word: &str) -> bool {
    word.len() > 3 && !word.ends_with("ss") && !word.ends_with("ous")
}

/// `microcoded` is of `microcode`, `backfilled` of `backfill`; `un-` with -ed is an adjective.
fn past(word: &str) -> String {
    let stem = cut(word, 2);
    match is_doubled(stem) {
        true => stem.to_owned(),
        false if word.starts_with("un") => word.to_owned(),
        false => [stem, "e"].concat(),
    }
}

/// `microcoding` is of `microcode`, `footstamping` of `footstamp`.
fn aspect(word: &str) -> String {
    let stem = cut(word, 3);
    let last = stem.len() - 1;
    let ends_in_two = last > 0 && is_consonant(stem, last) && is_consonant(stem, last - 1);
    if ends_in_two { stem.to_owned() } else { [stem, "e"].concat() }
}

fn cut(word: &str, fewer: usize) -> &str {
    &word[..word.len().saturating_sub(fewer)]
}

/// Whether a word ends in a consonant written twice.
fn is_doubled(word: &str) -> bool {
    let [.., before, last] = word.as_bytes() else { return false };
    before == last && is_consonant(word, word.len() - 1)
}

fn has_vowel(word: &str) -> bool {
    (0..word.len()).any(|at| !is_consonant(word, at))
}

/// A y is one at the start and behind a vowel.
fn is_consonant(word: &str, at: usize) -> bool {
    match word.as_bytes()[at] {
        b'a' | b'e' | b'i' | b'o' | b'u' => false,
        b'y' if at > 0 => !is_consonant(word, at - 1),
        _ => true,
    }
}
