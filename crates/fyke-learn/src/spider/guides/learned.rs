//! Guides that value a link by its words: *immediate* and *future* as in 002 §2.1, and what is added to
//! them here, one thing after the other.

use super::Guide;
use crate::bayes::Occurrence;
use crate::spider::replay::Fetched;
use crate::spider::{Model, Policy, Regression, Value, Web, rewards};

pub(super) const IMMEDIATE_PLAIN: Guide = Guide {
    name: "immediate-plain",
    what: "as in the paper: naive Bayes, two bins, no future",
    train: |webs| Box::new(Learned::plain(0., [0., 0.5]).trained(webs)),
};

pub(super) const FUTURE_PLAIN: Guide = Guide {
    name: "future-plain",
    what: "as in the paper: naive Bayes, three bins; a reward one link further counts half",
    train: |webs| Box::new(Learned::plain(HALF, THREE_BINS).trained(webs)),
};

pub(super) const FUTURE_ONLINE: Guide = Guide {
    name: "future-online",
    what: "future-plain that learns from each link it follows",
    train: |webs| {
        Box::new(Learned { online: true, ..Learned::plain(HALF, THREE_BINS) }.trained(webs))
    },
};

pub(super) const FUTURE_PLACES: Guide = Guide {
    name: "future-places",
    what: "future-online that also uses folders and the text around a link",
    train: |webs| {
        let plain = Learned::plain(HALF, THREE_BINS);
        Box::new(Learned { online: true, all_words: true, ..plain }.trained(webs))
    },
};

pub(super) const IMMEDIATE: Guide = Guide {
    name: "immediate",
    what: "regression over two bins, on-line, with folders; no future",
    train: |webs| Box::new(Learned::whole(0., Regression::new(&[0., 1.])).trained(webs)),
};

pub(super) const FUTURE: Guide = Guide {
    name: "future",
    what: "regression over three bins, on-line, with folders: future-places, better learned",
    train: |webs| Box::new(Learned::whole(HALF, Regression::new(CENTRES)).trained(webs)),
};

/// Trains *future* on these webs, to be kept.
#[must_use]
pub fn model(webs: &[&Web], trained_on: &str) -> Model {
    let learned = Learned::whole(HALF, Regression::new(CENTRES)).trained(webs);
    Model { trained_on: trained_on.to_owned(), regression: learned.learner }
}

/// *Future* as it was trained before.
#[must_use]
pub fn with_model(model: &Model) -> Box<dyn Policy> {
    Box::new(Learned::whole(HALF, model.regression.clone()))
}

/// γ of *future*.
const HALF: f64 = 0.5;
/// No reward, one to come, one at once.
/// Places of words.
const PLACES: usize = 1 << 17;
const THREE_BINS: [f64; 3] = [0., 0.01, 1.];
const CENTRES: &[f64] = &[0., 0.5, 1.];
/// What a link of the site at hand counts, beside one of the sites learned from.
const ONLINE: f64 = 2.;
/// How often regression is shown what it learns from.
const ROUNDS: usize = 3;
/// Links that count in what a page promises.
const MOST_LINKS: usize = 12;
/// A link worth more than this most likely leads to a target itself.
const SURE: f64 = 0.9;

/// Values links by their words.
trait Learner {
    fn q(&self, words: &[Occurrence]) -> f64;
    fn learn(&mut self, words: &[Occurrence], reward: f64, weight: f64);
}

impl<const BINS: usize> Learner for Value<BINS> {
    fn q(&self, words: &[Occurrence]) -> f64 {
        self.q(words.iter().copied())
    }

    fn learn(&mut self, words: &[Occurrence], reward: f64, weight: f64) {
        self.learn_weighed(words.iter().copied(), reward, weight);
    }
}

impl Learner for Regression {
    fn q(&self, words: &[Occurrence]) -> f64 {
        self.q(words.iter().copied())
    }

    fn learn(&mut self, words: &[Occurrence], reward: f64, weight: f64) {
        self.learn_weighed(words.iter().copied(), reward, weight);
    }
}

struct Learned<L> {
    learner: L,
    discount: f64,
    rounds: usize,
    online: bool,
    all_words: bool,
}

impl<const BINS: usize> Learned<Value<BINS>> {
    fn plain(discount: f64, edges: [f64; BINS]) -> Learned<Value<BINS>> {
        let learner = Value::new(edges, f64::INFINITY, PLACES);
        Learned { learner, discount, rounds: 1, online: false, all_words: false }
    }
}

impl Learned<Regression> {
    fn whole(discount: f64, learner: Regression) -> Learned<Regression> {
        Learned { learner, discount, rounds: ROUNDS, online: true, all_words: true }
    }
}

impl<L: Learner> Learned<L> {
    fn words<'a>(&self, web: &'a Web, link: u32) -> &'a [Occurrence] {
        if self.all_words { web.words(link) } else { web.said(link) }
    }

    /// Learns from every link of the webs, in an order that mixes them.
    fn trained(mut self, webs: &[&Web]) -> Learned<L> {
        let worth: Vec<Vec<f64>> =
            webs.iter().map(|web| rewards(&web.graph(), web.targets(), self.discount)).collect();
        let links = |(at, web): (usize, &&Web)| (0..web.len() as u32).map(move |link| (at, link));
        let mut links: Vec<(usize, u32)> = webs.iter().enumerate().flat_map(links).collect();
        shuffle(&mut links);
        for _ in 0..self.rounds {
            for &(at, link) in &links {
                let reward = worth[at].get(webs[at].leads(link) as usize).copied().unwrap_or(0.);
                let words = self.words(webs[at], link);
                self.learner.learn(words, reward, 1.);
            }
        }
        self
    }

    /// What a page that was fetched turned out to be worth: itself, and what its new links promise, each
    /// a step later than the one before; or what the best of them promises, if that is more.
    fn reward(&self, web: &Web, fetched: &Fetched<'_>) -> f64 {
        if web.is_target(fetched.page) {
            return 1.;
        }
        let best = fetched.new.iter().map(|(_, worth)| *worth).fold(0., f64::max);
        let sure = fetched.new.iter().filter(|(_, worth)| *worth > SURE).count().min(MOST_LINKS);
        let steps = (1..=sure as i32).map(|step| self.discount.powi(step));
        steps.sum::<f64>().max(self.discount * best)
    }
}

impl<L: Learner> Policy for Learned<L> {
    fn worth(&self, web: &Web, link: u32) -> f64 {
        self.learner.q(self.words(web, link))
    }

    fn fetched(&mut self, web: &Web, fetched: &Fetched<'_>) {
        let reward = self.reward(web, fetched);
        for &link in fetched.by {
            let words = self.words(web, link);
            self.learner.learn(words, reward, ONLINE);
        }
    }

    fn learns(&self) -> bool {
        self.online
    }
}

/// Puts a list into an order of no meaning, always the same for the same length.
fn shuffle<T>(list: &mut [T]) {
    let mut state: u64 = 1;
    for at in (1..list.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        list.swap(at, (state >> 33) as usize % (at + 1));
    }
}
