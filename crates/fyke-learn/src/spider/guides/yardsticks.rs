//! What guides are measured against in a replay, a row each: one that knows the truth, best-first by a page
//! classifier, and the spiders of the paper, *immediate* and *future* by naive Bayes, with what is added to
//! them one thing after the other (002 §2.1). No crawl is led by them: the first cannot be had, and the others
//! are behind [`super::GUIDES`].

use super::Promise;
use super::best_first;
use crate::bayes::Occurrence;
use crate::shuffle::shuffle;
use crate::spider::{LinkValue, Policy, RecordedWeb, ReplayedPage, rewards};

/// A way to choose links on a recorded web.
#[derive(Debug)]
pub struct Yardstick {
    pub name: &'static str,
    /// In a sentence.
    pub what: &'static str,
    /// Makes one that has learned from these webs.
    pub train: fn(&[&RecordedWeb]) -> Box<dyn Policy>,
}

/// From knowing the truth to what comes near the guides.
pub const YARDSTICKS: [Yardstick; 6] = [
    Yardstick {
        name: "targets-first",
        what: "links to targets at once, the others in the order in which they are found",
        train: |_| Box::new(TargetsFirst),
    },
    Yardstick {
        name: "best-first",
        what: "links of the pages that look most like pages with links to targets",
        train: |webs| Box::new(best_first::train(webs)),
    },
    Yardstick {
        name: "immediate-plain",
        what: "as in the paper: naive Bayes, two bins, no future",
        train: |webs| Box::new(BayesSpider::new(0., [0., 0.5]).trained(webs)),
    },
    Yardstick {
        name: "future-plain",
        what: "as in the paper: naive Bayes, three bins; a reward one link further counts half",
        train: |webs| Box::new(BayesSpider::new(HALF, THREE_BINS).trained(webs)),
    },
    Yardstick {
        name: "future-online",
        what: "future-plain that learns from each link it follows",
        train: |webs| {
            Box::new(
                BayesSpider { online: true, ..BayesSpider::new(HALF, THREE_BINS) }.trained(webs),
            )
        },
    },
    Yardstick {
        name: "future-places",
        what: "future-online that also uses folders and what stands beside a link",
        train: |webs| {
            let plain = BayesSpider::new(HALF, THREE_BINS);
            Box::new(BayesSpider { online: true, all_words: true, ..plain }.trained(webs))
        },
    },
];

/// γ of *future*.
const HALF: f64 = 0.5;
/// No reward, one to come, one at once.
const THREE_BINS: [f64; 3] = [0., 0.01, 1.];
/// Places of words.
const PLACES: usize = 1 << 17;
/// What a link of the site at hand counts, beside one of the sites learned from.
const ONLINE: f64 = 2.;

struct TargetsFirst;

impl Policy for TargetsFirst {
    fn worth(&self, web: &RecordedWeb, link: u32) -> f64 {
        f64::from(u8::from(web.is_target(web.leads(link))))
    }
}

/// Naive Bayes over bins of reward.
struct BayesSpider<const BINS: usize> {
    value: LinkValue<BINS>,
    discount: f64,
    online: bool,
    all_words: bool,
}

impl<const BINS: usize> BayesSpider<BINS> {
    fn new(discount: f64, edges: [f64; BINS]) -> BayesSpider<BINS> {
        let value = LinkValue::new(edges, f64::INFINITY, PLACES);
        BayesSpider { value, discount, online: false, all_words: false }
    }

    fn words<'a>(
        &self,
        web: &'a RecordedWeb,
        link: u32,
    ) -> impl Iterator<Item = Occurrence> + use<'a, BINS> {
        let words = if self.all_words { web.words(link) } else { web.said(link) };
        words.iter().map(|word| (*word, 1.))
    }

    /// Learns from every link of the webs, in an order that mixes them.
    fn trained(mut self, webs: &[&RecordedWeb]) -> BayesSpider<BINS> {
        let worth: Vec<Vec<f64>> =
            webs.iter().map(|web| rewards(&web.graph(), web.targets(), self.discount)).collect();
        let links =
            |(at, web): (usize, &&RecordedWeb)| (0..web.len() as u32).map(move |link| (at, link));
        let mut links: Vec<(usize, u32)> = webs.iter().enumerate().flat_map(links).collect();
        shuffle(&mut links, &mut 1);
        for (at, link) in links {
            let reward = worth[at].get(webs[at].leads(link) as usize).copied().unwrap_or(0.);
            self.value.learn(self.words(webs[at], link), reward);
        }
        self
    }
}

impl<const BINS: usize> Policy for BayesSpider<BINS> {
    fn worth(&self, web: &RecordedWeb, link: u32) -> f64 {
        self.value.q(self.words(web, link))
    }

    fn fetched(&mut self, web: &RecordedWeb, fetched: &ReplayedPage<'_>) {
        let mut promise = Promise::default();
        fetched.new.iter().for_each(|(_, worth)| promise.add(*worth));
        let reward = match web.is_target(fetched.page) {
            true => 1.,
            false => promise.worth(self.discount),
        };
        for &link in fetched.by {
            self.value.learn_weighed(self.words(web, link), reward, ONLINE);
        }
    }

    fn learns(&self) -> bool {
        self.online
    }
}
