//! One subject against everything else (002 §3: keywords give first labels, naive Bayes makes a classifier of them).
//! Keywords say of each document how surely it is about the subject. Those that say so plainly are the examples,
//! those without a keyword the counter-examples; a document that names the subject a little teaches neither side,
//! until the rest of its words speaks for it.
//!
//! Where it departs from the source: there is no EM over all documents. On webs where most pages are about something
//! else it lets a small subject grow over its neighbours; here unlabelled documents never become examples, they only
//! cease to be counter-examples.

use super::damping::Damping;
use crate::bayes::Occurrence;
use serde::{Deserialize, Serialize};

/// Evidence from which on a document is an example …
const SURELY: f32 = 0.7;
/// … unless there are fewer than this: then the best there are, too.
const LEAST: usize = 5;
/// A document that names the subject a little is an example when its words make it so probable.
const LIKELY: f64 = 0.8;
/// One that does not name it is no counter-example when they make it this probable.
const PERHAPS: f64 = 0.5;
/// Occurrences lent to either side, spread as the words of all documents are.
const LENT: f32 = 200.;
/// What evidence adds to the logarithm of the odds, for all of it; how much of it adds nothing; and what is taken
/// off where there is none.
const EVIDENCE: f64 = 2.;
const NEUTRAL: f64 = 0.3;
const UNNAMED: f64 = 1.;

/// What one keyword more makes of the doubt that is left; words of a text that count as one keyword is expected to
/// stand there; how a longer text makes each of them count less; and what a keyword in the title says.
const KEYWORD: f32 = 0.35;
const LENGTH: f32 = 150.;
const LONGER: f32 = 0.3;
const TITLE: f32 = 0.6;

/// How surely a text is about a subject by its keywords alone, 0 to 1: how many stand in so many words, and whether
/// one stands in the title.
#[must_use]
pub fn evidence(keywords: u32, words: u32, is_titled: bool) -> f32 {
    let counts = keywords as f32 * (LENGTH / (words as f32).max(LENGTH)).powf(LONGER);
    let named = 1. - (-KEYWORD * counts).exp();
    (named + if is_titled { TITLE } else { 0. }).min(1.)
}

/// A document that is learned from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubjectDocument {
    /// Words as numbers, with how often they occur.
    pub words: Vec<Occurrence>,
    /// What the keywords say, from 0 (none stands there) to 1.
    pub evidence: f32,
    /// What a person said, if anybody did: that it is about the subject, or that it is not.
    pub told: Option<bool>,
}

/// What was learned of a subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearntSubject {
    damping: Damping,
    /// How much more probable each word is in documents about the subject, as a logarithm.
    odds: Vec<f32>,
    /// The logarithm of the odds of a document to be about it.
    prior: f64,
    /// Documents that were examples, and counter-examples.
    pub examples: u64,
    pub others: u64,
    /// Whether a person named one of the examples.
    is_told: bool,
}

/// Learns from documents whose words are numbers below `words`. Nothing is known when there is no example.
#[must_use]
pub fn learn_subject(documents: &[SubjectDocument], words: usize) -> LearntSubject {
    let bags: Vec<Vec<Occurrence>> =
        documents.iter().map(|document| document.words.clone()).collect();
    let damping = Damping::learn(&bags, words);
    let damped: Vec<Vec<Occurrence>> = bags.iter().map(|words| damping.damp(words)).collect();
    let first = first_sides(documents);
    let is_told = documents.iter().any(|document| document.told == Some(true));
    let learnt = LearntSubject { damping, is_told, ..LearntSubject::default() };
    let learnt = learnt.estimate(&damped, &first, words);
    let second = documents
        .iter()
        .zip(&damped)
        .zip(&first)
        .map(|((document, words), side)| second_side(*side, document, learnt.probable(words)));
    let second: Vec<Option<f32>> = second.collect();
    learnt.estimate(&damped, &second, words)
}

/// To which side each document belongs by its keywords alone: 1 for an example, 0 for a counter-example.
fn first_sides(documents: &[SubjectDocument]) -> Vec<Option<f32>> {
    let mut best: Vec<f32> = documents.iter().map(|document| document.evidence).collect();
    best.sort_unstable_by(|a, b| b.total_cmp(a));
    let least = best.get(LEAST - 1).or(best.last()).copied().unwrap_or(0.);
    let from = if least > 0. { SURELY.min(least) } else { SURELY };
    let side = |document: &SubjectDocument| match (document.told, document.evidence) {
        (Some(told), _) => Some(f32::from(u8::from(told))),
        (None, evidence) if evidence >= from => Some(1.),
        (None, evidence) if evidence <= 0. => Some(0.),
        (None, _) => None,
    };
    documents.iter().map(side).collect()
}

/// The same with what its words say.
fn second_side(first: Option<f32>, document: &SubjectDocument, probable: f64) -> Option<f32> {
    match first {
        _ if document.told.is_some() => first,
        Some(side) if side > 0. => first,
        Some(_) => (probable <= PERHAPS).then_some(0.),
        None => (probable >= LIKELY).then_some(probable as f32),
    }
}

fn logistic(odds: f64) -> f64 {
    1. / (1. + (-odds).exp())
}

impl LearntSubject {
    /// Naive Bayes from the sides of documents with damped words; those without a side are left out.
    fn estimate(
        self,
        damped: &[Vec<Occurrence>],
        sides: &[Option<f32>],
        words: usize,
    ) -> LearntSubject {
        let mut counts = vec![[0_f32; 2]; words];
        let mut all = vec![0_f32; words];
        let (mut totals, mut documents, mut sum) = ([0_f64; 2], [0_f64; 2], 0_f64);
        for (bag, side) in damped.iter().zip(sides) {
            // What teaches neither side lends nothing either, or its words would speak for the smaller one.
            let Some(shares) = side.map(|on| [1. - on, on]) else { continue };
            documents.iter_mut().zip(shares).for_each(|(n, share)| *n += f64::from(share));
            for &(word, times) in bag {
                all[word as usize] += times;
                sum += f64::from(times);
                for (at, share) in shares.into_iter().enumerate() {
                    counts[word as usize][at] += share * times;
                    totals[at] += f64::from(share * times);
                }
            }
        }
        let lent = f64::from(LENT);
        let odds = |(counts, all): (&[f32; 2], &f32)| {
            let lends = lent * f64::from(*all) / sum.max(1e-9);
            let of =
                |at: usize| ((f64::from(counts[at]) + lends) / (totals[at] + lent)).max(1e-12).ln();
            (of(1) - of(0)) as f32
        };
        let odds = counts.iter().zip(&all).map(odds).collect();
        let prior = (documents[1].max(1.) / documents[0].max(1.)).ln();
        let [others, examples] = documents.map(|n| n.round() as u64);
        LearntSubject { odds, prior, examples, others, ..self }
    }

    /// How probable the subject is by damped words alone.
    fn probable(&self, damped: &[Occurrence]) -> f64 {
        logistic(self.by_words(damped))
    }

    fn by_words(&self, damped: &[Occurrence]) -> f64 {
        let odds = |(word, times): &Occurrence| {
            f64::from(*times) * f64::from(self.odds.get(*word as usize).copied().unwrap_or(0.))
        };
        self.prior + damped.iter().map(odds).sum::<f64>()
    }

    /// How much a document is about the subject, 0 to 1; from a half on it rather is than not. With few examples, none of
    /// them named by a person, nobody can say.
    #[must_use]
    pub fn relevance(&self, words: &[Occurrence], evidence: f32) -> Option<f32> {
        if self.examples < LEAST as u64 && !self.is_told {
            return None;
        }
        let evidence = f64::from(evidence);
        let named = if evidence > 0. { EVIDENCE * (evidence - NEUTRAL) } else { -UNNAMED };
        Some(logistic(self.by_words(&self.damping.damp(words)) + named) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words 0 to 9 are those of the subject, 10 to 19 of another, 20 to 29 of everybody.
    fn document(topic: u32, nth: u32, evidence: f32) -> SubjectDocument {
        let nth = nth / 10;
        let own = (0..5).map(|n| (10 * topic + (nth * 3 + n) % 10, 1.));
        let common = (0..4).map(|n| (20 + (nth + 2 * n) % 10, 1.));
        SubjectDocument { words: own.chain(common).collect(), evidence, told: None }
    }

    /// A tenth names the subject plainly, a tenth a little, a tenth not at all; the others are about something else,
    /// and some of those name it in passing.
    fn collection() -> Vec<SubjectDocument> {
        let of = |n: u32| match n % 10 {
            0 => document(0, n, 1.),
            1 => document(0, n, 0.3),
            2 => document(0, n, 0.),
            3 => document(1, n, 0.3),
            _ => document(1, n, 0.),
        };
        (0..200).map(of).collect()
    }

    #[test]
    fn pages_that_do_not_name_the_subject_are_known_by_their_words_and_those_that_name_it_in_passing_too()
     {
        let learnt = learn_subject(&collection(), 30);
        let relevance =
            |topic, evidence| learnt.relevance(&document(topic, 7, 0.).words, evidence).unwrap();
        assert!(relevance(0, 1.) > 0.9 && relevance(0, 0.3) > 0.9 && relevance(0, 0.) > 0.5);
        assert!(relevance(1, 0.) < 0.1 && relevance(1, 0.3) < 0.5, "{}", relevance(1, 0.3));
    }

    #[test]
    fn a_page_that_names_it_a_little_teaches_neither_side() {
        let plain = collection();
        // Pages of nothing but common words that name the subject a little.
        let with = |evidence| {
            let more = (0..200).map(|n| SubjectDocument { evidence, ..document(2, n, 0.) });
            learn_subject(&[plain.clone(), more.collect()].concat(), 30)
        };
        let (little, none) = (with(0.3), with(0.));
        // The twenty that do not name it are no counter-examples, since their words are those of the examples.
        assert_eq!((little.examples, little.others), (40, 120));
        assert_eq!((none.examples, none.others), (40, 320));
    }

    #[test]
    fn few_examples_are_made_up_by_the_best_there_are_and_people_are_believed() {
        let mut documents = collection();
        documents.iter_mut().for_each(|document| document.evidence = document.evidence.min(0.3));
        assert!(learn_subject(&documents, 30).examples >= LEAST as u64);
        documents.iter_mut().for_each(|document| document.evidence = 0.);
        let nothing = learn_subject(&documents, 30);
        assert_eq!((nothing.examples, nothing.relevance(&documents[0].words, 0.4)), (0, None));
        documents[0].evidence = 1.;
        let few = learn_subject(&documents, 30);
        assert_eq!((few.examples, few.relevance(&documents[0].words, 1.)), (1, None));
        (0..3).for_each(|n| documents[10 * n].told = Some(true));
        let told = learn_subject(&documents, 30);
        assert_eq!(told.examples, 3);
        assert!(
            told.relevance(&documents[50].words, 0.) > told.relevance(&documents[55].words, 0.)
        );
    }

    #[test]
    fn a_title_and_a_mention_are_as_good_as_a_text_full_of_keywords() {
        let check = |keywords, words, is_titled, at_least: f32, below: f32| {
            let found = evidence(keywords, words, is_titled);
            assert!((at_least..below).contains(&found), "{keywords} in {words}: {found}");
        };
        check(0, 100, false, 0., 1e-9);
        check(1, 100, false, 0.2, 0.4);
        check(1, 100, true, SURELY, 1.);
        check(4, 100, false, SURELY, 0.9);
        check(4, 5_000, false, 0.2, 0.5);
        check(60, 20_000, false, 0.95, 1.01);
    }

    #[test]
    fn nothing_is_learned_from_nothing() {
        let nothing = learn_subject(&[], 0);
        assert_eq!((nothing.examples, nothing.relevance(&[(3, 1.)], 0.2)), (0, None));
    }
}
