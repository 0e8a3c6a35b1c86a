//! Noise removal (003 §3.8): ways to find the main text among the blocks of a page. One file a way,
//! one row each.

mod block;
mod build;
mod chapter;
mod classify;
mod code;
mod comments;
mod cue;
mod dom;
mod doubt;
pub(crate) mod element;
mod emphasis;
mod feature;
mod forest;
mod genre;
mod hint;
mod left_out;
mod link_title;
mod named;
mod names;
mod slope;
mod stream;
mod surroundings;
mod text_link;
mod tool;
mod walk;
mod whole;
mod window;

pub use block::{Block, BlockKind, Blocks};
pub(crate) use block::{count_words, place};
pub use classify::choose;
pub(crate) use comments::CommentZones;
pub(crate) use emphasis::{Emphasis, emphasis};
pub use feature::{FEATURES, features};
pub use genre::{Genre, genre};
pub use left_out::{WordShare, word_shares};
pub(crate) use link_title::{LinkTitles, link_titles};
pub(crate) use named::{crumb, marked};
pub use slope::{slope_curve, stretches};
pub(crate) use text_link::text_links;
pub use text_link::{TextLink, TextLinks};
pub(crate) use walk::{of_html, of_html_seen, of_markup, of_text, of_xml};

/// The blocks of a page of HTML.
#[must_use]
pub fn blocks(html: &str) -> Blocks {
    of_html(html).0
}

/// A way to choose the main text.
#[derive(Clone, Copy, Debug)]
pub struct Refiner {
    pub name: &'static str,
    /// What it does, in a line.
    pub what: &'static str,
    /// Places of the blocks kept, ascending.
    pub run: fn(&Blocks) -> Vec<usize>,
}

/// All ways; the first is the default.
pub const REFINERS: &[Refiner] = &[
    Refiner {
        name: "blocks",
        what: "blocks by text, links, tags, structure and neighbours, and by what the page is for",
        run: classify::run,
    },
    Refiner {
        name: "slope",
        what: "document slope curve: most tags outside, most words inside (Finn et al.)",
        run: slope::run,
    },
    Refiner {
        name: "window",
        what: "every stretch where the slope curve is flat under a window (Pinto et al.)",
        run: window::run,
    },
    Refiner {
        name: "dom",
        what: "elements of links, advertisements, forms and empty tables taken away (Gupta et al.)",
        run: dom::run,
    },
    Refiner { name: "whole", what: "all text of the page", run: whole::run },
];

/// The stretch `(from, to)`, `to` excluded, whose values have the largest sum; none when no value
/// is positive.
fn largest_stretch(values: impl Iterator<Item = f64>) -> Option<(usize, usize)> {
    let (mut best, mut found) = (0.0, None);
    let (mut sum, mut from) = (0.0, 0);
    for (at, value) in values.enumerate() {
        if sum <= 0.0 {
            (sum, from) = (0.0, at);
        }
        sum += value;
        if sum > best {
            (best, found) = (sum, Some((from, at + 1)));
        }
    }
    found
}

/// For tests of the parts: that the blocks of some HTML have these texts.
#[cfg(test)]
#[track_caller]
fn check_texts(html: &str, expected: &[&str]) {
    let blocks = blocks(html);
    let found: Vec<_> = blocks.list.iter().map(|block| blocks.text_of(block)).collect();
    assert_eq!(found, expected, "{html}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_stretch_is_found() {
        let check = |values: &[f64], expected| {
            assert_eq!(largest_stretch(values.iter().copied()), expected, "{values:?}");
        };
        check(&[], None);
        check(&[-1.0, -2.0], None);
        check(&[-1.0, 3.0, -1.0, 4.0, -9.0, 5.0], Some((1, 4)));
        check(&[1.0, -5.0, 2.0], Some((2, 3)));
    }

    #[test]
    fn every_refiner_has_a_name_of_its_own_and_keeps_the_text_of_a_plain_page() {
        let words = "the eel swims up the river every spring to feed on small fish ".repeat(4);
        let blocks = blocks(&format!("<ul><li><a href=/>home</a></ul><p>{words}</p>"));
        for (i, row) in REFINERS.iter().enumerate() {
            assert!(!row.what.is_empty());
            assert!(REFINERS[..i].iter().all(|other| other.name != row.name), "{}", row.name);
            let kept = (row.run)(&blocks);
            assert_eq!(kept.last(), Some(&1), "{}", row.name);
        }
    }
}
