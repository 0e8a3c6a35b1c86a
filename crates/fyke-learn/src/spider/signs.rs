//! Words of a link that do not stand on the page, as numbers: that it holds a keyword of the subject, how much
//! the page on which it stands is about that, and whether it stays on its host; and what links with such words
//! are worth before anything was learned.

use super::web::LYING;

/// A word that stands for any of the keywords.
pub const KEYWORD: u32 = LYING | 15;
/// How relevant the page is, one for links that hold a keyword and another for those that do not. Were they the
/// same for both, a link that does not name the subject would be taken for what those beside it were worth that
/// do.
const NAMED: u32 = LYING | 1;
const UNNAMED: u32 = LYING | 5;
const STEPS: f32 = 3.99;
const SAME_HOST: u32 = LYING | 16;
const OTHER_HOST: u32 = LYING | 17;

/// What links like these are worth; they count as so many links of each kind.
pub(super) const TAUGHT: usize = 20;
pub(super) const LESSONS: [(&[u32], f64); 4] =
    [(&[KEYWORD, NAMED + 3], 1.2), (&[KEYWORD], 1.0), (&[UNNAMED + 3], 0.6), (&[UNNAMED], 0.1)];

/// The signs of a link beside [`KEYWORD`]: whether it is named by one, and the relevance of its page, 0 to 1.
#[must_use]
pub fn signs(is_named: bool, relevance: f32, is_same_host: bool) -> [u32; 2] {
    let first = if is_named { NAMED } else { UNNAMED };
    let host = if is_same_host { SAME_HOST } else { OTHER_HOST };
    [first + (relevance.clamp(0., 1.) * STEPS) as u32, host]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_sign_is_a_word_of_its_own_about_where_a_link_lies() {
        let named = [true, false].into_iter();
        let all = named.flat_map(|is| [0., 0.3, 0.6, 1.].map(|relevance| (is, relevance)));
        let mut found: Vec<u32> = all.map(|(is, relevance)| signs(is, relevance, is)[0]).collect();
        found.extend([KEYWORD, SAME_HOST, OTHER_HOST]);
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), 11);
        assert!(found.iter().all(|word| *word >= LYING));
        assert_eq!(signs(true, 7., true), signs(true, 1., true));
    }
}
