//! Names by a hidden Markov model (003 §4.6.1, figure 4.14): a start, an end and a state for each kind of name and for
//! what is none. States emit words; a rare one stands for its kind (capitals, digits), and a word depends on the word
//! before it, too. It is measured beside the random field; nothing else uses it.

use super::{LabelledSentence, LabelledSpan};
use crate::tag::word_shape;
use fyke_learn::hmm::{Emissions, Hmm, LabelledWords, SMOOTHINGS, Structure};
use std::collections::HashMap;

/// A word that was met less often stands for its kind.
const LEAST: u32 = 2;

/// A model of sentences with names.
#[derive(Debug)]
pub struct EntityHmm {
    hmm: Hmm,
    numbers: HashMap<String, u32>,
    classes: Vec<String>,
}

impl EntityHmm {
    /// Learns from sentences whose words have labels; `smoothing` is a row of [`SMOOTHINGS`].
    #[must_use]
    pub fn learn(sentences: &[LabelledSentence<'_>], smoothing: usize) -> EntityHmm {
        let mut counts: HashMap<&str, u32> = HashMap::new();
        sentences
            .iter()
            .flat_map(|sentence| &sentence.words)
            .for_each(|word| *counts.entry(word).or_default() += 1);
        let (mut numbers, mut classes) = (HashMap::new(), Vec::<String>::new());
        let mut learnt = Vec::new();
        for LabelledSentence { words, labels } in sentences {
            let mut sequence = LabelledWords::default();
            for (word, label) in words.iter().zip(labels) {
                let key = match counts[word] < LEAST {
                    true => rare(word),
                    false => (*word).to_owned(),
                };
                let next = numbers.len() as u32;
                sequence.words.push(*numbers.entry(key).or_insert(next));
                let class = label.split_once('-').map_or("", |(_, class)| class);
                let place = classes.iter().position(|known| known == class);
                sequence.classes.push(place.unwrap_or_else(|| {
                    classes.push(class.to_owned());
                    classes.len() - 1
                }));
            }
            learnt.push(sequence);
        }
        let smoothing = &SMOOTHINGS[smoothing.min(SMOOTHINGS.len() - 1)];
        let emissions = Emissions::new(&learnt, classes.len(), smoothing).with_pairs(&learnt);
        EntityHmm { hmm: Hmm::new(&Structure::baseline(&learnt), emissions), numbers, classes }
    }

    /// The names of a sentence: runs of words of one kind.
    #[must_use]
    pub fn names(&self, words: &[&str]) -> Vec<LabelledSpan<'_>> {
        let number = |word: &&str| {
            let known = self.numbers.get(*word).or_else(|| self.numbers.get(&rare(word)));
            known.copied().unwrap_or(u32::MAX)
        };
        let numbers: Vec<u32> = words.iter().map(number).collect();
        let mut spans: Vec<LabelledSpan<'_>> = Vec::new();
        for (at, class) in self.hmm.classes(&numbers).into_iter().enumerate() {
            let label = self.classes[class].as_str();
            match spans.last_mut().filter(|span| span.to == at && span.label == label) {
                Some(span) => span.to = at + 1,
                None if label.is_empty() => {}
                None => spans.push(LabelledSpan { label, from: at, to: at + 1 }),
            }
        }
        spans
    }
}

/// What stands for a rare word: its capitals, digits and signs.
fn rare(word: &str) -> String {
    format!("\u{0}{}", word_shape(word.chars().take(20)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_start_and_end_are_names_or_not() {
        let sentence = |text: &'static str, labels: &'static str| LabelledSentence {
            words: text.split(' ').collect(),
            labels: labels.split(' ').collect(),
        };
        let mut sentences = Vec::new();
        for _ in 0..5 {
            sentences.push(sentence("Mr. Ann Lee met us", "O B-person I-person O O"));
            sentences.push(sentence("we met in Dover", "O O O B-location"));
        }
        sentences.push(sentence("Mr. Bob met us", "O B-person O O"));
        let hmm = EntityHmm::learn(&sentences, 1);
        let names = hmm.names(&["Mr.", "Ann", "Lee", "met", "us"]);
        assert_eq!(names, [LabelledSpan { label: "person", from: 1, to: 3 }]);
        let names = hmm.names(&["Mr.", "Zoe", "met", "us"]);
        assert_eq!(
            names,
            [LabelledSpan { label: "person", from: 1, to: 2 }],
            "a rare word with a capital"
        );
        assert!(hmm.names(&[]).is_empty());
    }
}
