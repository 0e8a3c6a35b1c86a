//! What two references say of each other, field by field. A field that one of them has not says nothing but that.

use super::form::{CitedForm, VenueKind};
use super::grams::{dice, set, shared, within};

/// How many features a pair has.
pub const FEATURES: usize = 34;

/// What each feature may say of two references: 1 only that they are of one paper, -1 only that they are not, 0
/// either. Papers that are marked are few: without it a weight learns what happens to be so among them.
pub const SIGNS: [i8; FEATURES] = [
    0, // always 1
    0, 1, 1, 1, 1, -1, 1, 1, 1, // titles
    1, 1, 1, -1, 0, 1, 1, // authors
    1, 0, -1, // years
    1, 1, 0, 1, -1, // venues
    1, -1, 1, -1, // volumes and pages
    1, 1, 1, 1, 1, // all words, and what comes together
];

/// The features of a pair.
pub type PairFeatures = [f32; FEATURES];

/// The features of two references; the first is 1 always.
#[must_use]
pub fn pair_features(a: &CitedForm, b: &CitedForm) -> PairFeatures {
    let mut to = [0.0; FEATURES];
    to[0] = 1.0;
    let title = titles(a, b, &mut to[1..10]);
    authors(a, b, &mut to[10..17]);
    let years = years(a, b, &mut to[17..20]);
    venues(a, b, &mut to[20..25]);
    places(a, b, &mut to[25..29]);
    to[29] = dice(&a.words, &b.words);
    to[30] = within(&a.words, &b.words);
    to[31] = if years == Some(true) { title } else { 0.0 };
    to[32] = title * to[16];
    to[33] = (title - 0.8).max(0.0) * to[16];
    to
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Missing; alike by letters, from .5, from .8 and from .9 on; words of the shorter one, letters; other numbers.
///
/// Where one has no title, the other's is looked for among all its words: it may stand in a wrong field.
fn titles(a: &CitedForm, b: &CitedForm, to: &mut [f32]) -> f32 {
    if a.title.is_empty() && b.title.is_empty() {
        to[0] = 1.0;
        return 0.0;
    }
    let words = [&a.title, &b.title].map(|title| set(title.to_vec()));
    let found = [found(&words[0], &b.words), found(&words[1], &a.words)];
    to[7] = found[0].min(found[1]);
    to[8] = (found[0].max(found[1]) - 0.5).max(0.0);
    let alike = dice(&a.title_grams, &b.title_grams);
    to[1] = alike;
    to[2] = (alike - 0.8).max(0.0);
    to[3] = within(&words[0], &words[1]);
    to[4] = within(&a.title_grams, &b.title_grams);
    to[5] = flag(a.title_numbers != b.title_numbers);
    to[6] = (alike - 0.5).max(0.0);
    alike.max(found[0].min(found[1]))
}

/// The share of some words that is among others; 1 where there are none.
fn found(words: &[u32], among: &[u32]) -> f32 {
    if words.is_empty() { 1.0 } else { shared(words, among) as f32 / words.len() as f32 }
}

/// Surnames that are the same; alike by letters; the first the same; initials that differ; missing; how many more.
fn authors(a: &CitedForm, b: &CitedForm, to: &mut [f32]) {
    let names = [&a.surnames, &b.surnames].map(|names| set(names.to_vec()));
    to[6] = found(&names[0], &b.words).max(found(&names[1], &a.words));
    if a.surnames.is_empty() || b.surnames.is_empty() {
        to[4] = 1.0;
        return;
    }
    to[0] = within(&names[0], &names[1]);
    to[1] = dice(&a.author_grams, &b.author_grams);
    to[2] = flag(a.surnames[0] == b.surnames[0]);
    to[3] = flag(initials_differ(a, b) || initials_differ(b, a));
    to[5] = within(&a.author_grams, &b.author_grams);
}

/// Whether somebody of the one has another initial in the other.
fn initials_differ(a: &CitedForm, b: &CitedForm) -> bool {
    a.surnames.iter().zip(&a.initials).any(|(name, initial)| {
        let at = b.surnames.iter().position(|other| other == name);
        at.is_some_and(|at| *initial != 0 && b.initials[at] != 0 && *initial != b.initials[at])
    })
}

/// The same, one apart, farther apart.
fn years(a: &CitedForm, b: &CitedForm, to: &mut [f32]) -> Option<bool> {
    if a.year == 0 || b.year == 0 {
        return None;
    }
    let apart = a.year.abs_diff(b.year);
    to[usize::from(apart.min(2))] = 1.0;
    Some(apart == 0)
}

/// Words shared; of the shorter one; missing; the same kind; another kind.
fn venues(a: &CitedForm, b: &CitedForm, to: &mut [f32]) {
    if a.venue.is_empty() || b.venue.is_empty() {
        to[2] = 1.0;
    } else {
        to[0] = dice(&a.venue, &b.venue);
        to[1] = within(&a.venue, &b.venue);
    }
    if a.kind != VenueKind::Unknown && b.kind != VenueKind::Unknown {
        to[if a.kind == b.kind { 3 } else { 4 }] = 1.0;
    }
}

/// Volume the same, another; pages the same, others.
fn places(a: &CitedForm, b: &CitedForm, to: &mut [f32]) {
    if a.volume > 0 && b.volume > 0 {
        to[usize::from(a.volume != b.volume)] = 1.0;
    }
    if a.pages[0] > 0 && b.pages[0] > 0 {
        to[if shared(&a.pages, &b.pages) > 0 { 2 } else { 3 }] = 1.0;
    }
}
