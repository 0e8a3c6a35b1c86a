//! Shares of the languages of a mixed text: the blocks of a text are taken to be drawn from a
//! mixture of languages, whose shares are those that make the blocks most likely (expectation
//! maximisation). So a block that could be in either of two near languages counts for the one
//! that the rest of the text is in.

use super::letter::is_letter;
use super::mixture::{BlockMixture, MOST_BLOCKS, shares_of_one};
use super::{Guess, LaneScores, Languages, script};

/// A block goes on over lines until it is this long, in bytes.
const LEAST_BLOCK: usize = 60;
/// No block is longer.
const MOST_BLOCK: usize = 160;
/// How sure a block is whose script is that of one language, in natural logarithms.
const SCRIPT: f32 = 50.0;

impl Languages {
    /// Percent of `text` in each language, most first; languages below one percent are left out,
    /// and so is what is in no language. Of a long text a sample is looked at.
    #[must_use]
    pub fn shares(&self, text: &str) -> Vec<(&str, u8)> {
        let blocks: Vec<&str> = blocks(text, MOST_BLOCK).collect();
        let step = blocks.len().div_ceil(MOST_BLOCKS).max(1);
        let languages = self.numbering.codes.len();
        let (mut mixture, mut likelihoods) = (BlockMixture::new(languages), vec![0.0; languages]);
        for block in blocks.iter().step_by(step) {
            if self.read_block(block, &mut likelihoods) {
                mixture.add(letters(block) as f32, &likelihoods);
            }
        }
        self.percents(mixture.shares())
    }

    /// The language of a text and its shares, as [`Languages::identify`] and [`Languages::shares`] tell them. What
    /// the n-grams of a short text say is found once for both.
    #[must_use]
    pub fn told(&self, text: &str) -> (Guess<'_>, Vec<(&str, u8)>) {
        if !is_block(text) || script::sole(text).is_some() {
            return (self.identify(text), self.shares(text));
        }
        let (guess, scores) = self.read_whole(text);
        let mut likelihoods = vec![f32::NEG_INFINITY; self.numbering.codes.len()];
        let is_told = letters(text) > 0 && self.rate_block(&scores, &mut likelihoods);
        let shares = is_told.then(|| self.percents(shares_of_one(&mut likelihoods)));
        (guess, shares.unwrap_or_default())
    }

    /// The shares in percent, most first, without those below one percent.
    fn percents(&self, mut shares: Vec<f32>) -> Vec<(&str, u8)> {
        self.without_rivals(&mut shares);
        let percents = shares.iter().map(|share| (share * 100.0).round() as u8);
        let codes = self.numbering.codes.iter().map(String::as_str);
        let mut percents: Vec<(&str, u8)> =
            codes.zip(percents).filter(|&(_, percent)| percent > 0).collect();
        percents.sort_by_key(|&(code, percent)| (std::cmp::Reverse(percent), code));
        percents
    }

    /// The logarithm of a block's likelihood in each language; false when it is in none.
    fn read_block(&self, block: &str, likelihoods: &mut [f32]) -> bool {
        likelihoods.fill(f32::NEG_INFINITY);
        if let Some(guess) = script::sole(block) {
            let number = self.numbering.find(guess.code);
            number.into_iter().for_each(|number| likelihoods[number] = SCRIPT);
            return number.is_some();
        }
        let mut scores = self.scores();
        self.weigh(block, &mut scores);
        self.rate_block(&scores, likelihoods)
    }

    /// The same of a block with these scores.
    fn rate_block(&self, scores: &LaneScores, likelihoods: &mut [f32]) -> bool {
        let rated = self.rated(scores);
        for &(place, score) in &rated {
            let most = &mut likelihoods[self.numbering.of_lane(place)];
            *most = most.max(score);
        }
        let best = rated.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.is_some_and(|&(place, score)| !self.is_nonsense(place, score, scores.seen))
    }

    /// All that rivals have goes to the one of them that has most: blocks are too short to tell
    /// them apart.
    fn without_rivals(&self, shares: &mut [f32]) {
        for group in &self.numbering.rivals {
            let first = group.iter().copied().max_by(|a, b| shares[*a].total_cmp(&shares[*b]));
            let Some(first) = first.filter(|first| shares[*first] > 0.0) else { continue };
            let sum = group.iter().map(|rival| std::mem::take(&mut shares[*rival])).sum();
            shares[first] = sum;
        }
    }
}

/// Whether a text is one block, with nothing around it.
fn is_block(text: &str) -> bool {
    text.len() <= MOST_BLOCK && blocks(text, MOST_BLOCK).next() == Some(text)
}

fn letters(block: &str) -> usize {
    match block.is_ascii() {
        true => block.bytes().filter(u8::is_ascii_alphabetic).count(),
        false => block.chars().filter(|c| is_letter(*c)).count(),
    }
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

    /// Sentences in many languages, a line each behind its code.
    const SENTENCES: &str = include_str!("../../tests/data/sentences.txt");
    /// What the first version, with maps by code, said of mixtures of them: a line each.
    const SHARES: &str = include_str!("../../tests/data/shares.txt");

    /// The text of a mixture: some of the sentences, each some times.
    fn mixed(number: usize) -> String {
        let lines: Vec<_> = SENTENCES.lines().filter_map(|line| line.split_once(' ')).collect();
        let sentence = |nth: usize| lines[(number + nth * 17) % lines.len()].1;
        let parts = 0..=number % 4;
        parts.map(|nth| format!("{}\n", sentence(nth)).repeat((number + nth) % 5 + 1)).collect()
    }

    #[test]
    fn the_shares_of_mixtures_are_those_of_the_first_version() {
        for (number, expected) in SHARES.lines().enumerate() {
            let found = super::super::shares(&mixed(number));
            let found: Vec<_> =
                found.iter().map(|(code, share)| format!("{code} {share}")).collect();
            assert_eq!(found.join(" "), expected, "mixture {number}");
        }
        assert!(SHARES.lines().count() >= 200);
    }

    #[test]
    fn what_is_told_of_a_text_is_its_language_and_its_shares() {
        let languages = Languages::shipped();
        let check = |text: &str| {
            let (guess, shares) = languages.told(text);
            let (alone, apart) = (languages.identify(text), languages.shares(text));
            assert_eq!((guess.code, guess.confidence), (alone.code, alone.confidence), "{text}");
            let first = |shares: &[(&str, u8)]| shares.first().map(|(code, _)| (*code).to_owned());
            assert_eq!(first(&shares), first(&apart), "{text}");
            // A text is read in pieces, between which an n-gram may be lost.
            let near = |(code, share): &(&str, u8)| {
                let other = apart.iter().find(|(known, _)| known == code).map_or(0, |row| row.1);
                share.abs_diff(other) <= 2
            };
            assert!(shares.iter().all(near), "{text}: {shares:?} {apart:?}");
        };
        for (_, text) in SENTENCES.lines().filter_map(|line| line.split_once(' ')) {
            check(text);
            check(&format!(" {text}\n"));
            check(&format!("{text}\n{text}"));
        }
        for text in ["", "12 34", "a", "東京", "xqzt kvvw"] {
            check(text);
        }
    }

    proptest! {
        #[test]
        fn shares_of_any_text_make_up_a_hundred_or_nothing(text in "(\\PC{0,60}[ \n]){0,40}") {
            let found = super::super::shares(&text);
            let sum: u32 = found.iter().map(|share| u32::from(share.1)).sum();
            // Each is rounded, and those below one percent are left out.
            prop_assert!(found.is_empty() || (85..=115).contains(&sum), "{:?}", found);
            prop_assert!(found.is_sorted_by(|a, b| a.1 >= b.1), "{:?}", found);
        }

        #[test]
        fn blocks_are_short_and_lose_nothing_but_space(text in "(\\PC{0,40}[ \n]){0,30}") {
            let found: Vec<&str> = blocks(&text, MOST_BLOCK).collect();
            prop_assert!(found.iter().all(|block| block.len() <= MOST_BLOCK));
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(bare(&found.concat()), bare(&text));
        }
    }
}
