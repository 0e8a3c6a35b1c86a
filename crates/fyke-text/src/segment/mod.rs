//! Words of Chinese text, which has no spaces (003 §4.7): of all ways to part a run of characters into
//! words of a dictionary, the likeliest. A word's likelihood comes from text that is not parted: it is
//! what the word gets when every way to part the text counts by its own likelihood (`learn`). What a
//! dictionary cannot hold comes from rules: numbers, dates, names.
//!
//! Overlapping pairs of characters (`token`) remain what is indexed; this needs a dictionary, a list of
//! words from the user.

mod lattice;
mod rules;

use lattice::{Edge, likely_uses, shortest};
use std::collections::HashMap;

/// Longest word of a dictionary that is taken, in characters.
const LONGEST: usize = 16;
/// What a word costs before anything is learnt: about that of one in ten thousand.
const UNLEARNT: f32 = 9.0;
/// What is found by a rule costs this much, and a character that no word begins with this much.
const BY_RULE: f32 = 9.0;
const UNKNOWN: f32 = 16.0;
/// So often a word was seen before it is seen.
const UNSEEN: f32 = 0.5;
/// Two characters behind a family name are a given name when as words they would cost so much.
const UNLIKELY: f32 = 14.0;

/// A dictionary with what its words cost.
#[derive(Clone, Debug)]
pub struct Segmenter {
    costs: HashMap<String, f32>,
    longest: usize,
}

impl Segmenter {
    /// A segmenter by a list of words.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Segmenter {
        let words = words.into_iter().map(|word| word.trim().chars().map(narrow).collect());
        let fits = |word: &String| (1..=LONGEST).contains(&word.chars().count());
        let costs: HashMap<String, f32> = words.filter(fits).map(|word| (word, UNLEARNT)).collect();
        let longest = costs.keys().map(|word| word.chars().count()).max().unwrap_or(0);
        Segmenter { costs, longest }
    }

    /// Learns from text that is not parted what words are likely; the more rounds the surer.
    pub fn learn(&mut self, texts: &[&str], rounds: usize) {
        for _ in 0..rounds {
            let mut uses: HashMap<String, f32> = HashMap::new();
            for text in texts {
                let text = CharText::new(text);
                likely_uses(text.len(), &self.edges(&text), |edge, share| {
                    if edge.is_word {
                        *uses.entry(text.narrowed(edge.from, edge.to).to_owned()).or_default() +=
                            share;
                    }
                });
            }
            let all = uses.values().sum::<f32>() + UNSEEN * self.costs.len() as f32;
            for (word, cost) in &mut self.costs {
                let seen = uses.get(word).copied().unwrap_or(0.0);
                *cost = -((seen + UNSEEN) / all).ln();
            }
        }
    }

    /// The words of a text; signs and spaces are words of their own.
    #[must_use]
    pub fn segment<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let ready = CharText::new(text);
        let path = shortest(ready.len(), &self.edges(&ready));
        let words = self.named(&ready, &path);
        words.into_iter().map(|(from, to)| &text[ready.places[from]..ready.places[to]]).collect()
    }

    /// Every word that stands somewhere in the text.
    fn edges(&self, text: &CharText) -> Vec<Edge> {
        let mut edges = Vec::new();
        for from in 0..text.len() {
            let mut is_single = false;
            for to in from + 1..=(from + self.longest).min(text.len()) {
                if let Some(&cost) = self.costs.get(text.narrowed(from, to)) {
                    edges.push(Edge { from, to, cost, is_word: true });
                    is_single |= to == from + 1;
                }
            }
            if !is_single {
                edges.push(Edge { from, to: from + 1, cost: UNKNOWN, is_word: false });
            }
            rules::ends(&text.chars, from, |to| {
                edges.push(Edge { from, to, cost: BY_RULE, is_word: false });
            });
        }
        edges
    }

    /// The path with given names put together behind family names.
    fn named(&self, text: &CharText, path: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let mut words: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        while at < path.len() {
            let joined = match path[at..] {
                [family, first, second, ..] => self.is_name(text, family, first, second),
                _ => false,
            };
            words.push(path[at]);
            if joined {
                words.push((path[at + 1].0, path[at + 2].1));
            }
            at += if joined { 3 } else { 1 };
        }
        words
    }

    fn is_name(
        &self,
        text: &CharText,
        family: (usize, usize),
        first: (usize, usize),
        second: (usize, usize),
    ) -> bool {
        let is_single =
            |(from, to): (usize, usize)| to == from + 1 && rules::is_han(text.chars[from]);
        let cost = |(from, to)| self.costs.get(text.narrowed(from, to)).copied().unwrap_or(UNKNOWN);
        is_single(family)
            && rules::is_family_name(text.chars[family.0])
            && is_single(first)
            && is_single(second)
            && cost(first) + cost(second) > UNLIKELY
    }
}

/// A text by its characters, letters and digits of full width as those of ASCII.
struct CharText {
    chars: Vec<char>,
    /// Where each character begins in the text as given, and where it ends.
    places: Vec<usize>,
    narrow: String,
    /// The same in the narrow text.
    narrow_places: Vec<usize>,
}

impl CharText {
    fn new(text: &str) -> CharText {
        let chars: Vec<char> = text.chars().map(narrow).collect();
        let ends = |chars: &mut dyn Iterator<Item = char>| {
            let mut places = vec![0];
            chars.for_each(|c| places.push(places[places.len() - 1] + c.len_utf8()));
            places
        };
        CharText {
            places: ends(&mut text.chars()),
            narrow: chars.iter().collect(),
            narrow_places: ends(&mut chars.iter().copied()),
            chars,
        }
    }

    fn len(&self) -> usize {
        self.chars.len()
    }

    fn narrowed(&self, from: usize, to: usize) -> &str {
        &self.narrow[self.narrow_places[from]..self.narrow_places[to]]
    }
}

fn narrow(c: char) -> char {
    let is_wide = matches!(c, '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ');
    if is_wide { char::from_u32(c as u32 - 0xFEE0).unwrap_or(c) } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WORDS: &str = "研究 研究生 生命 命 起源 的 共同 创造 美好 新 世纪 新年 同志 们 在 北京 大学 北京大学 学生 生活 江 张";

    fn segmenter() -> Segmenter {
        Segmenter::new(WORDS.split(' '))
    }

    fn check(segmenter: &Segmenter, text: &str, expected: &str) {
        assert_eq!(segmenter.segment(text).join(" "), expected);
    }

    #[test]
    fn words_of_the_dictionary_are_found_in_the_fewest_steps() {
        check(&segmenter(), "共同创造美好的新世纪", "共同 创造 美好 的 新 世纪");
        check(&segmenter(), "在北京大学", "在 北京大学");
        check(&segmenter(), "", "");
    }

    #[test]
    fn what_is_learnt_from_text_decides_between_ways() {
        let mut segmenter = segmenter();
        segmenter.learn(&["研究的起源", "研究在北京", "生命的生命", "生命们"], 3);
        check(&segmenter, "研究生命的起源", "研究 生命 的 起源");
    }

    #[test]
    fn numbers_dates_and_names_are_words_by_rule() {
        check(&segmenter(), "二○○一年新年", "二○○一年 新年");
        check(&segmenter(), "2001年12月31日", "2001年 12月 31日");
        check(&segmenter(), "１９９８年", "１９９８年");
        check(&segmenter(), "江泽民", "江 泽民");
        check(&segmenter(), "WTO的", "WTO 的");
    }

    proptest! {
        #[test]
        fn no_character_is_lost(text in "[研究生命起源的新世纪0-9０-９年月a-zé ，江泽民]{0,40}|\\PC{0,40}") {
            let mut segmenter = segmenter();
            prop_assert_eq!(segmenter.segment(&text).concat(), text.as_str());
            segmenter.learn(&[&text], 2);
            prop_assert_eq!(segmenter.segment(&text).concat(), text);
        }
    }
}
