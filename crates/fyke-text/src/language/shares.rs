//! Shares of the languages of a mixed text: the blocks of a text are taken to be drawn from a
//! mixture of languages, whose shares are those that make the blocks most likely (expectation
//! maximisation). So a block that could be in either of two near languages counts for the one
//! that the rest of the text is in.

use super::{Languages, Place, script};
use std::collections::BTreeMap;

/// A block goes on over lines until it is this long, in bytes.
const LEAST_BLOCK: usize = 60;
/// No block is longer.
const MOST_BLOCK: usize = 160;
/// Of a text with more blocks this many are looked at, evenly spread.
const MOST_BLOCKS: usize = 10;
const TURNS: usize = 12;
/// How sure a block is whose script is that of one language, in natural logarithms.
const SCRIPT: f32 = 50.0;
/// What no language says of a block, so that every language has some chance.
const CHANCE: f32 = 1e-6;

/// A block: its length, and the logarithm of its likelihood in the languages that matter.
type Likelihoods<'a> = (f32, BTreeMap<&'a str, f32>);

impl Languages {
    /// Percent of `text` in each language, most first; languages below one percent are left out,
    /// and so is what is in no language. Of a long text a sample is looked at.
    #[must_use]
    pub fn shares(&self, text: &str) -> Vec<(&str, u8)> {
        let blocks: Vec<&str> = blocks(text, MOST_BLOCK).collect();
        let step = blocks.len().div_ceil(MOST_BLOCKS).max(1);
        let read: Vec<_> =
            blocks.iter().step_by(step).map(|block| self.likelihoods(block)).collect();
        let shares = self.without_rivals(mixture(&read));
        let mut percents: Vec<(&str, u8)> =
            shares.into_iter().map(|(code, share)| (code, (share * 100.0).round() as u8)).collect();
        percents.retain(|&(_, percent)| percent > 0);
        percents.sort_by_key(|&(code, percent)| (std::cmp::Reverse(percent), code));
        percents
    }

    fn likelihoods(&self, block: &str) -> Likelihoods<'_> {
        let length = block.chars().filter(|c| c.is_alphabetic()).count() as f32;
        if let Some(guess) = script::sole(block) {
            return (length, [(guess.code, SCRIPT)].into());
        }
        let mut scores = self.scores();
        self.weigh(block, &mut scores);
        let rated = self.rated(&scores);
        let mut known: BTreeMap<&str, f32> = BTreeMap::new();
        for &(place, score) in &rated {
            let most = known.entry(self.code(place)).or_insert(score);
            *most = most.max(score);
        }
        let best = rated.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        if best.is_none_or(|&(place, score)| self.is_nonsense(place, score, scores.seen)) {
            known.clear();
        }
        (length, known)
    }

    /// All that rivals have goes to the one of them that has most: blocks are too short to tell
    /// them apart.
    fn without_rivals<'a>(&'a self, mut shares: BTreeMap<&'a str, f32>) -> BTreeMap<&'a str, f32> {
        for (number, model) in self.models.iter().enumerate() {
            for group in &model.rivals {
                let code = |&lane: &u8| self.code(Place { model: number, lane });
                let of = |code: &str| shares.get(code).copied().unwrap_or(0.0);
                let first = group.iter().map(code).max_by(|a, b| of(a).total_cmp(&of(b)));
                let Some(first) = first.filter(|first| of(first) > 0.0) else { continue };
                let sum = group.iter().map(code).filter_map(|code| shares.remove(code)).sum();
                shares.insert(first, sum);
            }
        }
        shares
    }
}

/// The shares of the languages that make the blocks most likely.
fn mixture<'a>(blocks: &[Likelihoods<'a>]) -> BTreeMap<&'a str, f32> {
    let mut shares: BTreeMap<&str, f32> = BTreeMap::new();
    for _ in 0..TURNS {
        let mut next: BTreeMap<&str, f32> = BTreeMap::new();
        for (length, known) in blocks {
            let most = known.values().copied().fold(f32::MIN, f32::max);
            let prior = |code: &str| match shares.is_empty() {
                true => 1.0,
                false => shares.get(code).copied().unwrap_or(0.0) + CHANCE,
            };
            let odds =
                || known.iter().map(|(&code, like)| (code, prior(code) * (like - most).exp()));
            let sum: f32 = odds().map(|(_, odds)| odds).sum();
            for (code, odds) in odds().filter(|(_, odds)| *odds > 0.0) {
                *next.entry(code).or_default() += length * odds / sum;
            }
        }
        let all: f32 = next.values().sum();
        next.values_mut().for_each(|share| *share /= all);
        shares = next;
    }
    shares
}

/// A text in blocks: lines, short ones together, long ones cut at white space.
pub(super) fn blocks(text: &str, longest: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let window = &rest[..rest.floor_char_boundary(longest)];
        let from = window.floor_char_boundary(LEAST_BLOCK);
        let line = window[from..].find('\n').map(|at| from + at);
        let cut = match line {
            Some(end) => end,
            None if window.len() == rest.len() => window.len(),
            None => window.rfind(char::is_whitespace).unwrap_or(window.len()),
        };
        let (block, after) = rest.split_at(cut);
        rest = after;
        (!block.is_empty()).then_some(block)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ENGLISH: &str =
        "The net is set in the river in the evening and taken up in the morning.\n";
    const SLOVENE: &str = "Mrežo zvečer nastavimo v reki in jo zjutraj spet potegnemo na suho.\n";
    const GREEK: &str = "Το δίχτυ μπαίνει στο ποτάμι το βράδυ και σηκώνεται το πρωί.\n";

    #[test]
    fn a_mixed_text_gives_each_language_its_share() {
        let check = |parts: &[(&str, usize)], expected: &[&str]| {
            let text: String = parts.iter().map(|(text, times)| text.repeat(*times)).collect();
            let found = super::super::shares(&text);
            let codes: Vec<&str> = found.iter().map(|share| share.0).collect();
            assert_eq!(codes, expected, "{found:?}");
            let sum: u32 = found.iter().map(|share| u32::from(share.1)).sum();
            assert!((98..=102).contains(&sum) || found.is_empty(), "{found:?}");
        };
        check(&[(ENGLISH, 4)], &["en"]);
        check(&[(ENGLISH, 6), (SLOVENE, 3)], &["en", "sl"]);
        check(&[(SLOVENE, 12), (ENGLISH, 6), (GREEK, 3)], &["sl", "en", "el"]);
        check(&[(ENGLISH, 400), (SLOVENE, 100)], &["en", "sl"]);
        check(&[("12 34 56\n", 20)], &[]);
    }

    proptest! {
        #[test]
        fn blocks_are_short_and_lose_nothing_but_space(text in "(\\PC{0,40}[ \n]){0,30}") {
            let found: Vec<&str> = blocks(&text, MOST_BLOCK).collect();
            prop_assert!(found.iter().all(|block| block.len() <= MOST_BLOCK));
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(bare(&found.concat()), bare(&text));
        }
    }
}
