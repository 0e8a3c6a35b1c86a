//! What links are worth to a guide, by what it has learned so far: the state of a guide, in a live crawl and in a
//! replay alike (002 §2.1: learned off-line from webs that are known, on-line from every link followed).

use super::{LinkGuide, Worth};
use crate::bayes::Occurrence;
use crate::shuffle::shuffle;
use crate::spider::signs::{KEYWORD, LESSONS, TAUGHT};
use crate::spider::{FOLDER, LinkRegression, NEARBY, RecordedWeb, SpiderModel, rewards};

/// No reward, one to come, one at once, one at once and another to come.
const CENTRES: [f64; 4] = [0., 0.5, 1., 1.5];
/// What a host or folder counts beside the other words of a link. They are another web's everywhere else, so a crawl
/// knows nothing of them when it begins, and would learn from its first links that all depends on where they lie.
const PLACE: f32 = 0.5;
/// What a word around a link, in the heading above it or in the title of its page counts: all links of a page share
/// most of these, and there are more of them than of the link's own.
const NEAR: f32 = 0.25;
/// How often the regression is shown what it learns from.
const ROUNDS: usize = 3;
/// Links that count in what a page promises.
const MOST_LINKS: i32 = 12;
/// A link worth more than this most likely leads to a target itself.
const SURE: f64 = 0.9;
/// What a keyword in its words adds to a link of a page about the subject.
const IS_NAMED: f64 = 0.5;

/// The new links of a page, by what they are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Promise {
    best: f64,
    /// Links that most likely lead to targets.
    sure: i32,
}

impl Promise {
    /// Takes up a link that was not known before.
    pub fn add(&mut self, value: f64) {
        self.best = self.best.max(value);
        self.sure += i32::from(value > SURE);
    }

    /// All of them, each a step later than the one before; or the best of them, if that is more.
    pub(super) fn worth(self, discount: f64) -> f64 {
        let steps = (1..=self.sure.min(MOST_LINKS)).map(|step| discount.powi(step));
        steps.sum::<f64>().max(discount * self.best)
    }
}

/// A guide with what it has learned.
#[derive(Clone, Debug)]
pub struct LinkValues {
    guide: &'static LinkGuide,
    regression: LinkRegression,
}

/// Words of a link, each once, with what they count.
fn occurrences(words: &[u32]) -> impl Iterator<Item = Occurrence> + Clone {
    let counts = |word: u32| match word & FOLDER {
        FOLDER => PLACE,
        NEARBY => NEAR,
        _ => 1.,
    };
    words.iter().map(move |word| (*word, counts(*word)))
}

impl LinkValues {
    /// One that knows what signs of a subject say, and nothing else.
    #[must_use]
    pub fn new(guide: &'static LinkGuide) -> LinkValues {
        let mut regression = LinkRegression::new(&CENTRES);
        for (words, reward) in LESSONS.repeat(TAUGHT) {
            regression.learn(occurrences(words), reward);
        }
        LinkValues { guide, regression }
    }

    /// One that knows what a model does.
    #[must_use]
    pub fn with_model(guide: &'static LinkGuide, model: &SpiderModel) -> LinkValues {
        LinkValues { guide, regression: model.regression.clone() }
    }

    /// What it has learned, to be kept.
    #[must_use]
    pub fn model(&self, trained_on: &str) -> SpiderModel {
        SpiderModel { trained_on: trained_on.to_owned(), regression: self.regression.clone() }
    }

    #[must_use]
    pub fn guide(&self) -> &'static LinkGuide {
        self.guide
    }

    /// γ: what a reward one link further on counts.
    #[must_use]
    pub fn discount(&self) -> f64 {
        match self.guide.by {
            Worth::Words { discount } => discount,
            Worth::Order | Worth::Page => 0.,
        }
    }

    /// What following a link is worth, 0 to 1.5, by its words and by how much the page on which it stands is
    /// about the subject; none where links go in the order in which they came.
    #[must_use]
    pub fn value(&self, words: &[u32], relevance: f32) -> Option<f64> {
        match self.guide.by {
            Worth::Order => None,
            Worth::Page => {
                let is_named = words.contains(&KEYWORD);
                Some(f64::from(relevance) + if is_named { IS_NAMED } else { 0. })
            }
            Worth::Words { .. } => Some(self.q(words)),
        }
    }

    /// Q: what links with these words led to, whatever the guide makes of it.
    #[must_use]
    pub fn q(&self, words: &[u32]) -> f64 {
        self.regression.q(occurrences(words))
    }

    /// What a page that was fetched turned out to be worth: itself, 0 to 1, and what its new links promise.
    #[must_use]
    pub fn reward(&self, relevance: f64, promise: Promise) -> f64 {
        relevance + promise.worth(self.discount())
    }

    /// A link with these words was followed, and was worth so much.
    pub fn learn(&mut self, words: &[u32], reward: f64) {
        if self.guide.learns() {
            self.regression.learn(occurrences(words), reward);
        }
    }

    /// What a link of a web that is known is worth.
    pub fn learn_known(&mut self, words: &[u32], reward: f64) {
        self.regression.learn(occurrences(words), reward);
    }

    /// Learns from every link of the webs, in an order that mixes them.
    pub fn train(&mut self, webs: &[&RecordedWeb]) {
        if !self.guide.learns() {
            return;
        }
        let worth = |web: &&RecordedWeb| rewards(&web.graph(), web.targets(), self.discount());
        let worth: Vec<Vec<f64>> = webs.iter().map(worth).collect();
        let links =
            |(at, web): (usize, &&RecordedWeb)| (0..web.len() as u32).map(move |link| (at, link));
        let mut links: Vec<(usize, u32)> = webs.iter().enumerate().flat_map(links).collect();
        shuffle(&mut links, &mut 1);
        for _ in 0..ROUNDS {
            for &(at, link) in &links {
                let reward = worth[at].get(webs[at].leads(link) as usize).copied().unwrap_or(0.);
                self.learn_known(webs[at].words(link), reward);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spider::{FUTURE, GUIDES, signs};

    fn signed(words: &[u32], relevance: f32) -> Vec<u32> {
        let is_named = words.contains(&KEYWORD);
        [words, &signs(is_named, relevance, true)].concat()
    }

    #[test]
    fn a_link_that_names_the_subject_goes_before_others_from_the_start() {
        for guide in &GUIDES[1..] {
            let values = LinkValues::new(guide);
            let value = |words: &[u32], relevance: f32| {
                values.value(&signed(words, relevance), relevance).unwrap()
            };
            assert!(value(&[KEYWORD], 0.9) > value(&[], 0.9), "{}", guide.name);
            assert!(value(&[], 0.9) > value(&[], 0.1), "{}", guide.name);
            assert!(value(&[KEYWORD], 0.1) > value(&[], 0.1), "{}", guide.name);
        }
        assert_eq!(LinkValues::new(&GUIDES[0]).value(&[KEYWORD], 1.), None);
    }

    #[test]
    fn links_that_name_nothing_are_not_taken_for_those_beside_them_that_name_the_subject() {
        let mut values = LinkValues::new(FUTURE);
        let value = |values: &LinkValues, link: &[u32]| values.q(&signed(link, 0.9));
        let before = value(&values, &[77]);
        (100..150).for_each(|word| values.learn_known(&signed(&[word, KEYWORD], 0.9), 1.5));
        assert!(value(&values, &[99, KEYWORD]) > 1.2);
        let now = value(&values, &[77]);
        assert!(now < before + 0.3, "{before} to {now}");
    }

    #[test]
    fn a_page_promises_its_best_link_or_all_that_are_sure() {
        let promise = |values: &[f64]| {
            let mut promise = Promise::default();
            values.iter().for_each(|value| promise.add(*value));
            promise.worth(0.5)
        };
        assert_eq!(promise(&[]), 0.);
        assert_eq!(promise(&[0.2, 0.6, 0.4]), 0.3);
        assert_eq!(promise(&[0.95, 0.2, 1.2]), 0.75);
        assert_eq!(promise(&[1.6]), 0.8);
    }

    #[test]
    fn what_was_learned_goes_on_from_a_model() {
        let mut first = LinkValues::new(FUTURE);
        (0..50).for_each(|_| first.learn(&[7], 1.));
        let second = LinkValues::with_model(FUTURE, &first.model("eels"));
        assert_eq!(second.q(&[7]), first.q(&[7]));
        assert!(second.q(&[7]) > LinkValues::new(FUTURE).q(&[7]));
    }
}
