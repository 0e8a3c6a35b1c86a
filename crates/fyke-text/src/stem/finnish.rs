//! The Finnish stemmer as the Snowball project's vocabulary has it. The crate's is of a later
//! revision, which differs in the illative alone: it takes the n off where -hVn does not stand behind
//! its own vowel (`Bachin`), and knows -hun. In 49,957 words that is 103 stems.

use super::snowball;
use frostem::Algorithm;
use std::borrow::Cow;

const PARTICLES: [&str; 9] = ["kin", "kaan", "kään", "ko", "kö", "han", "hän", "pa", "pä"];
const ILLATIVES: [(&str, char); 6] =
    [("han", 'a'), ("hen", 'e'), ("hin", 'i'), ("hon", 'o'), ("hän", 'ä'), ("hön", 'ö')];

pub(super) fn stem(word: &str) -> Cow<'_, str> {
    let start = region(word);
    let strip = |word: &'_ str, end: &str| -> Option<usize> {
        let left = word.strip_suffix(end)?.len();
        (left >= start).then_some(left)
    };
    let particle = PARTICLES.iter().find_map(|end| strip(word, end));
    let particle = particle.filter(|left| word[..*left].ends_with(may_precede_particle));
    let rest = &word[..particle.unwrap_or(word.len())];
    let illative = ILLATIVES.iter().find_map(|(end, vowel)| Some((strip(rest, end)?, *vowel)));
    if illative.is_some_and(|(left, vowel)| !rest[..left].ends_with(vowel)) {
        return Cow::Borrowed(rest);
    }
    if strip(rest, "hun").is_some_and(|left| rest[..left].ends_with('u')) {
        return Cow::Borrowed(&rest[..rest.len() - 1]);
    }
    snowball(Algorithm::Finnish, word)
}

fn is_vowel(c: char) -> bool {
    "aeiouyäö".contains(c)
}

fn may_precede_particle(c: char) -> bool {
    is_vowel(c) || matches!(c, 'n' | 't')
}

/// Where endings may begin: behind the first consonant that follows a vowel.
fn region(word: &str) -> usize {
    let vowel = word.find(is_vowel).unwrap_or(word.len());
    let rest = &word[vowel..];
    let consonant = rest.char_indices().find(|(_, c)| !is_vowel(*c));
    vowel + consonant.map_or(rest.len(), |(at, c)| at + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_illative_is_taken_behind_its_own_vowel_alone() {
        let check = |word: &str, expected: &str| assert_eq!(stem(word), expected, "{word}");
        check("bachin", "bachin");
        check("ahtisaarihan", "ahtisaar");
        check("elokuuhun", "elokuuhu");
        check("henkilövahinko", "henkilövahin");
        check("hän", "hän");
        check("talossa", "talo");
    }
}
