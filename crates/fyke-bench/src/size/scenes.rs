//! The scenes: two crawls of one pond, and a switch for each error of 001. Each scene says what the engines hold,
//! which figure errs, in which direction 001 predicts it, and what is the truth.

use super::model::{HeldPage, ModelEngine, ModelPage, ModelWeb};
use fyke_learn::size::{
    EngineSide, NoSize, SizeBias, SizeEvidence, SizeFigure, method, overlap, share_in_other,
};
use fyke_learn::terms::Dice;
use std::collections::{HashMap, HashSet};

/// Where an error leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predicted {
    TooSmall,
    TooLarge,
}

/// What the truth is taken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrueFigure {
    Ratio,
    /// Of A's pages those that B has.
    Share,
}

type SizeEstimator = fn(&SizeEvidence) -> Result<SizeFigure, NoSize>;

/// A scene with one error switched on.
pub(super) struct Scene {
    pub name: &'static str,
    pub engines: fn(&mut ModelWeb, &mut Dice) -> [ModelEngine; 2],
    pub truth: TrueFigure,
    pub raw: SizeEstimator,
    pub corrected: SizeEstimator,
    pub predicted: Predicted,
    /// Results that the engines give.
    pub results: usize,
}

/// Chance of a page that an engine prefers, and of one that it does not.
const PREFERRED: [f64; 2] = [0.85, 0.15];
/// First words that a restricted engine holds.
const FIRST_WORDS: usize = 200;

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "query bias: B prefers long pages",
        engines: |web, dice| {
            let middle = middle(web, |page| page.page.words.len());
            let first = some(web, dice, |_| 0.5);
            let second =
                some(web, dice, |page| PREFERRED[usize::from(page.page.words.len() < middle)]);
            [first, second].map(|held| ModelEngine::new(held, usize::MAX))
        },
        truth: TrueFigure::Ratio,
        raw: |evidence| overlap(evidence, &[SizeBias::Query]),
        corrected: |evidence| overlap(evidence, &[]),
        predicted: Predicted::TooSmall,
        results: 100,
    },
    Scene {
        name: "ranking bias: 20 results by links, B prefers linked pages",
        engines: |web, dice| {
            let first = some(web, dice, |_| 0.7);
            let second = some_linked(web, dice);
            [first, second].map(|held| ModelEngine::new(held, usize::MAX))
        },
        truth: TrueFigure::Ratio,
        raw: |evidence| overlap(evidence, &[SizeBias::Query, SizeBias::Ranking]),
        corrected: |evidence| overlap(evidence, &[]),
        predicted: Predicted::TooSmall,
        results: 20,
    },
    Scene {
        name: "checking bias: B holds other forms of addresses",
        engines: |web, dice| {
            let first = some(web, dice, |_| 0.5);
            let mut second = some(web, dice, |_| 0.5);
            for held in second.iter_mut().step_by(3) {
                held.url = web.other_form(&held.page);
            }
            [first, second].map(|held| ModelEngine::new(held, usize::MAX))
        },
        truth: TrueFigure::Share,
        raw: |evidence| share_in_other(evidence, EngineSide::First, &[SizeBias::Address]),
        corrected: |evidence| share_in_other(evidence, EngineSide::First, &[]),
        predicted: Predicted::TooSmall,
        results: 100,
    },
    Scene {
        name: "checking bias: B holds near-copies",
        engines: |web, dice| {
            let first = some(web, dice, |_| 0.5);
            let mut second = some(web, dice, |_| 0.5);
            for held in second.iter_mut().step_by(3) {
                held.page = web.mirror(&held.page);
                held.url.clone_from(&held.page.url);
            }
            [first, second].map(|held| ModelEngine::new(held, usize::MAX))
        },
        truth: TrueFigure::Share,
        raw: |evidence| share_in_other(evidence, EngineSide::First, &[SizeBias::Copies]),
        corrected: |evidence| share_in_other(evidence, EngineSide::First, &[]),
        predicted: Predicted::TooSmall,
        results: 100,
    },
    Scene {
        name: "document restriction: B holds the first 200 words",
        engines: |web, dice| {
            let [first, second] = [some(web, dice, |_| 0.5), some(web, dice, |_| 0.5)];
            [ModelEngine::new(first, usize::MAX), ModelEngine::new(second, FIRST_WORDS)]
        },
        truth: TrueFigure::Ratio,
        raw: |evidence| overlap(evidence, &[SizeBias::Restriction]),
        corrected: |evidence| overlap(evidence, &[]),
        predicted: Predicted::TooLarge,
        results: 100,
    },
    Scene {
        name: "mean of ratios: searches",
        engines: |web, dice| {
            let [first, second] = [some(web, dice, |_| 0.6), some(web, dice, |_| 0.3)];
            [first, second].map(|held| ModelEngine::new(held, usize::MAX))
        },
        truth: TrueFigure::Ratio,
        raw: |evidence| row("searches-raw", evidence),
        corrected: |evidence| row("searches", evidence),
        predicted: Predicted::TooLarge,
        results: 100,
    },
    Scene {
        name: "degree: walks, B prefers linked pages",
        engines: |web, dice| {
            let first = some(web, dice, |_| 0.7);
            let second = some_linked(web, dice);
            [first, second].map(|held| ModelEngine::new(held, usize::MAX))
        },
        truth: TrueFigure::Ratio,
        raw: |evidence| row("walk-raw", evidence),
        corrected: |evidence| row("walk", evidence),
        predicted: Predicted::TooSmall,
        results: 100,
    },
    Scene {
        name: "power law: addresses, B takes 10 pages of a host",
        engines: |web, dice| {
            let first = some(web, dice, |_| 0.7);
            let second = crawled(web, usize::MAX, 10);
            [first, second].map(|held| ModelEngine::new(held, usize::MAX))
        },
        truth: TrueFigure::Ratio,
        raw: |evidence| row("addresses-raw", evidence),
        corrected: |evidence| row("addresses", evidence),
        predicted: Predicted::TooSmall,
        results: 100,
    },
];

fn row(name: &str, evidence: &SizeEvidence) -> Result<SizeFigure, NoSize> {
    method(name).map_or(Err(NoSize::NotAsked), |row| (row.estimate)(evidence))
}

/// Two crawls with different depths and caps of hosts, the second of the first 200 words of each page.
pub(super) fn crawls(web: &ModelWeb) -> [ModelEngine; 2] {
    let (first, second) = (crawled(web, 3, 150), crawled(web, usize::MAX, 60));
    [ModelEngine::new(first, usize::MAX), ModelEngine::new(second, 200)]
}

/// Two engines that know nothing of each other.
pub(super) fn independent(web: &ModelWeb, dice: &mut Dice) -> [ModelEngine; 2] {
    let [first, second] = [some(web, dice, |_| 0.5), some(web, dice, |_| 0.4)];
    [first, second].map(|held| ModelEngine::new(held, usize::MAX))
}

fn held(page: &ModelPage) -> HeldPage {
    HeldPage { url: page.page.url.clone(), page: page.page.clone(), rank: page.in_links }
}

/// Each page with a chance of its own.
fn some(web: &ModelWeb, dice: &mut Dice, chance: impl Fn(&ModelPage) -> f64) -> Vec<HeldPage> {
    web.pages.iter().filter(|page| dice.share() < chance(page)).map(held).collect()
}

fn some_linked(web: &ModelWeb, dice: &mut Dice) -> Vec<HeldPage> {
    let middle = middle(web, |page| page.in_links) + 1;
    some(web, dice, |page| PREFERRED[usize::from(page.in_links < middle)])
}

fn middle(web: &ModelWeb, of: impl Fn(&ModelPage) -> usize) -> usize {
    let mut all: Vec<usize> = web.pages.iter().map(of).collect();
    all.sort_unstable();
    all.get(all.len() / 2).copied().unwrap_or(0)
}

/// What a crawl to a depth holds, with so many pages of a host.
fn crawled(web: &ModelWeb, depth: usize, of_host: usize) -> Vec<HeldPage> {
    let mut hosts: HashMap<&str, usize> = HashMap::new();
    let mut found = Vec::new();
    for page in web.pages.iter().filter(|page| page.depth <= depth) {
        let pages = hosts.entry(&page.host).or_default();
        *pages += 1;
        if *pages <= of_host {
            found.push(held(page));
        }
    }
    found
}

/// |A|/|B|, or the share of A's pages that B has, over the pages that can be drawn.
pub(super) fn truth(
    of: TrueFigure,
    engines: &[ModelEngine; 2],
    is_drawn: impl Fn(&HeldPage) -> bool,
) -> f64 {
    let [first, second] = engines;
    let count = |engine: &ModelEngine| engine.held.iter().filter(|page| is_drawn(page)).count();
    match of {
        TrueFigure::Ratio => count(first) as f64 / count(second) as f64,
        TrueFigure::Share => {
            // Another form and a mirror are the same page.
            let key = |url: &str| url.replacen(":80/", "/", 1).replacen("//mirror.", "//", 1);
            let there: HashSet<String> = second.held.iter().map(|page| key(&page.url)).collect();
            let shared =
                first.held.iter().filter(|page| is_drawn(page) && there.contains(&page.url));
            shared.count() as f64 / count(first) as f64
        }
    }
}
