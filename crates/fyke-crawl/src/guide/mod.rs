//! Guides: who says which link is worth following first (002 §2; C12, L1). A focused crawl judges every
//! page by its subject, gives links their priorities, and learns from what they led to.
//!
//! All threads share one [`Spider`]: pages and links are judged under a lock that many may hold, and what a
//! page taught is taken up under one that is held for some microseconds, once a page.

mod examples;
mod harvest;
mod reading;
mod subject;
mod trail;

pub use harvest::Harvest;
pub use reading::{Reader, Reading};

use crate::frontier::PRIORITIES;
use fyke_learn::bayes::Occurrence;
use fyke_learn::spider::Regression;
use fyke_text::Keywords;
use fyke_web::{Url, UrlId};
use harvest::Tally;
use reading::Readers;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use subject::Subject;
pub(crate) use trail::Leads;
use trail::Trail;

/// From this relevance on a page is about the subject.
pub const ON_SUBJECT: f32 = 0.5;
/// Priority of a link that is not to be followed.
pub(crate) const REFUSED: u8 = u8::MAX;
/// γ: what a reward one link further on counts.
pub(crate) const DISCOUNT: f32 = 0.5;
/// A value that deserves the first priority: a page about the subject that leads to another.
const MOST: f32 = 1.5;
/// The centres of the bins of reward, and places for the words of links.
const CENTRES: [f64; 4] = [0., 0.5, 1., 1.5];
const PLACES: usize = 1 << 16;
/// Links that wait are weighed again after so many pages, then after twice as many, and so on.
const AGAIN: u64 = 16;
/// Words that are told, of either kind.
const MOST_TOLD: usize = 12;
/// Words whose names are remembered for people to see.
const MOST_NAMES: usize = 20_000;
/// Words that do not stand on the page: how relevant the page is, one for links that hold a keyword and
/// another for those that do not, and whether a link stays on its host. Were they the same for both, a link
/// that does not name the subject would be taken for what those beside it were worth that do.
const NAMED: u32 = 1;
const UNNAMED: u32 = 5;
const STEPS: f32 = 3.99;
const SAME_HOST: u32 = 16;
const OTHER_HOST: u32 = 17;
/// What links like these are worth, before anything was learned; they count as so many links of each kind.
const TAUGHT: usize = 20;
const LESSONS: [(&[u32], f64); 4] = [
    (&[reading::KEYWORD, NAMED + 3], 1.2),
    (&[reading::KEYWORD], 1.0),
    (&[UNNAMED + 3], 0.6),
    (&[UNNAMED], 0.1),
];

/// What a focused crawl is told.
#[derive(Clone, Debug)]
pub struct FocusOptions {
    pub keywords: Vec<String>,
    /// Whose stems the keywords have.
    pub language: String,
    /// Texts of pages about the subject, each with its title …
    pub examples: Vec<(String, String)>,
    /// … and pages that are examples once they are fetched.
    pub example_urls: Vec<UrlId>,
    pub guide: &'static Guide,
    /// Pages off the subject that may lie between two on it.
    pub tunnel: u8,
    /// Collections that were recorded before, to learn from.
    pub learn_from: Vec<PathBuf>,
}

impl Default for FocusOptions {
    fn default() -> FocusOptions {
        FocusOptions {
            keywords: Vec::new(),
            language: "en".to_owned(),
            examples: Vec::new(),
            example_urls: Vec::new(),
            guide: &GUIDES[2],
            tunnel: 3,
            learn_from: Vec::new(),
        }
    }
}

/// What is known of a link when it is weighed.
#[derive(Clone, Copy, Debug)]
struct Seen<'a> {
    words: &'a [u32],
    /// Of the page it stands on.
    relevance: f32,
}

/// A way to weigh links.
#[derive(Debug)]
pub struct Guide {
    pub name: &'static str,
    pub what: &'static str,
    /// What a link is worth, 0 to 1.5; none: the order in which they came.
    value: Option<fn(&State, Seen<'_>) -> f32>,
    /// It changes its mind as it learns.
    is_learned: bool,
}

/// All guides.
pub const GUIDES: [Guide; 3] = [
    Guide {
        name: "breadth-first",
        what: "links in the order in which they were found, nearest to the seeds first",
        value: None,
        is_learned: false,
    },
    Guide {
        name: "classifier",
        what: "links of pages about the subject first, and those whose anchor names it",
        value: Some(by_classifier),
        is_learned: false,
    },
    Guide {
        name: "learned",
        what: "links whose words led to pages about the subject before",
        value: Some(by_value),
        is_learned: true,
    },
];

/// The guide of this name.
///
/// # Errors
/// When there is none; the message names those there are.
pub fn guide_named(name: &str) -> Result<&'static Guide, String> {
    let names = || GUIDES.each_ref().map(|guide| guide.name).join(", ");
    let found = GUIDES.iter().find(|guide| guide.name == name);
    found.ok_or_else(|| format!("{name:?} is no guide ({})", names()))
}

fn by_classifier(_: &State, seen: Seen<'_>) -> f32 {
    let is_named = seen.words.contains(&reading::KEYWORD);
    seen.relevance + if is_named { 0.5 } else { 0. }
}

fn by_value(state: &State, seen: Seen<'_>) -> f32 {
    state.value.q(occurrences(seen.words)) as f32
}

/// What a page is to the subject.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Judged {
    pub(crate) relevance: f32,
    /// Pages off the subject since the last one on it, this one counted.
    pub(crate) off: u8,
}

/// A link as it goes into the frontier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weighed {
    pub(crate) value: f32,
    /// None: by its distance from a seed.
    pub(crate) priority: Option<u8>,
    pub(crate) off: u8,
}

/// The page on which links stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Referrer<'a> {
    pub(crate) url: &'a Url,
    pub(crate) reading: &'a Reading,
    pub(crate) judged: Judged,
}

/// Words of a link, which counts each as often as it has it.
fn occurrences(words: &[u32]) -> impl Iterator<Item = Occurrence> + Clone {
    words.iter().map(|word| (*word, 1.))
}

/// What the guide has learned.
#[derive(Debug)]
struct State {
    subject: Subject,
    value: Regression,
    trail: Trail,
    tally: Tally,
    names: HashMap<u32, String>,
}

/// A focused crawl's judge of pages and links.
#[derive(Debug)]
pub struct Spider {
    readers: Readers,
    guide: &'static Guide,
    tunnel: u8,
    examples: Vec<UrlId>,
    state: RwLock<State>,
}

impl Spider {
    #[must_use]
    pub fn new(options: &FocusOptions) -> Spider {
        let keywords = match options.keywords.as_slice() {
            [] => Keywords::new(&examples::keywords(&options.examples), &options.language),
            keywords => Keywords::new(keywords, &options.language),
        };
        let (mut state, readers) = (State::new(), Readers::new(keywords));
        for (title, text) in &options.examples {
            state.subject.learn_example(&readers.reader().read(title, text));
        }
        let (guide, tunnel, state) = (options.guide, options.tunnel, RwLock::new(state));
        Spider { readers, guide, tunnel, examples: options.example_urls.clone(), state }
    }

    fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the words of a page.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        self.readers.reader()
    }

    /// Judges a page that was reached over `off` pages off the subject, as the ledger has it.
    pub(crate) fn judge(&self, id: UrlId, reading: &Reading, off: u8) -> Judged {
        let state = self.state();
        let relevance = match self.examples.contains(&id) {
            true => 1.,
            false => state.subject.relevance(reading),
        };
        let off = state.trail.get(id).map_or(off, |lead| lead.off);
        let off = if relevance >= ON_SUBJECT { 0 } else { off.saturating_add(1) };
        Judged { relevance, off }
    }

    /// The words of the link at this place of a page, with those that do not stand there. They are those
    /// that [`Leads::keep`] keeps.
    pub(crate) fn words<'a>(
        &self,
        referrer: &Referrer<'_>,
        (at, url): (usize, &Url),
        leads: &'a mut Leads,
    ) -> &'a [u32] {
        let is_same_host = url.authority() == referrer.url.authority();
        let place = (referrer.judged.relevance, is_same_host);
        self.all_words((referrer.reading.anchor(at), url), place, leads)
    }

    fn all_words<'a>(
        &self,
        (anchor, url): (&[u32], &Url),
        (relevance, is_same_host): (f32, bool),
        leads: &'a mut Leads,
    ) -> &'a [u32] {
        let (words, start) = leads.next();
        reading::link_words(anchor, url, &self.readers.keywords, words);
        words.extend(others(&words[start..], relevance, is_same_host));
        &words[start..]
    }

    /// Weighs a link on a page so judged.
    pub(crate) fn weigh(&self, words: &[u32], judged: Judged) -> Weighed {
        let off = judged.off;
        let Some(value) = self.guide.value else {
            let priority = (off > self.tunnel).then_some(REFUSED);
            return Weighed { value: 0., priority, off };
        };
        let value = value(&self.state(), Seen { words, relevance: judged.relevance });
        let priority = if off > self.tunnel { REFUSED } else { priority(value) };
        Weighed { value, priority: Some(priority), off }
    }

    /// Weighs a URL that only a sitemap names: by its own words, and it must be worth something.
    pub(crate) fn weigh_listed(&self, url: &Url, leads: &mut Leads) -> Weighed {
        let words = self.all_words((&[], url), (0., true), leads);
        let weighed = self.weigh(words, Judged { relevance: 0., off: self.tunnel });
        let is_poor = weighed.priority.is_none_or(|found| found > PRIORITIES as u8 / 2);
        let priority = if is_poor { Some(REFUSED) } else { weighed.priority };
        Weighed { priority, ..weighed }
    }

    /// The priority under which a link to this page was queued; none if it is forgotten.
    pub(crate) fn standing(&self, id: UrlId) -> Option<u8> {
        self.state().trail.get(id).map(|lead| lead.priority)
    }

    /// Remembers links that were queued.
    pub(crate) fn remember(&self, leads: &Leads) {
        let mut state = self.state_mut();
        for (id, Weighed { priority, off, .. }, words) in leads.iter() {
            state.trail.remember(id, (priority.unwrap_or(1), off), words);
        }
    }

    /// Weighs the links that wait by what was learned since; those that are better than they were.
    pub(crate) fn weigh_again(&self) -> Vec<(UrlId, u8)> {
        let mut state = self.state_mut();
        state.tell_words();
        let State { trail, value, .. } = &mut *state;
        trail.weigh_again(|words| priority(value.q(occurrences(words)) as f32))
    }

    /// What was remembered of a link stands for where it redirects to.
    pub(crate) fn redirect(&self, from: UrlId, to: UrlId) -> Option<Weighed> {
        let mut state = self.state_mut();
        let lead = state.trail.take(from)?;
        let priority = self.guide.value.map(|_| lead.priority);
        let weighed = Weighed { value: 0., priority, off: lead.off };
        let words = state.trail.words(lead).to_vec();
        state.trail.remember(to, (lead.priority, lead.off), &words);
        Some(weighed)
    }

    /// A page came: learns of the subject from its text, and what the link to it was worth. True when it
    /// is time to weigh again what waits.
    pub(crate) fn learn(&self, id: UrlId, reading: &Reading, judged: Judged, best: f32) -> bool {
        let mut state = self.state_mut();
        state.tally.add(judged.relevance >= ON_SUBJECT);
        match self.examples.contains(&id) {
            true => state.subject.learn_example(reading),
            false => state.subject.learn(reading),
        }
        state.name(reading);
        state.learn_link(id, f64::from(judged.relevance + DISCOUNT * best));
        let pages = state.tally.harvest().pages;
        self.guide.is_learned
            && pages >= AGAIN
            && (pages / AGAIN).is_power_of_two()
            && pages.is_multiple_of(AGAIN)
    }

    /// A reading is needed no longer.
    pub(crate) fn take_back(&self, reading: Reading) {
        self.readers.take_back(reading);
    }

    /// What a link of an earlier run was worth.
    pub(crate) fn recall_link(&self, words: &[u32], reward: f64) {
        self.state_mut().value.learn(occurrences(words), reward);
    }

    /// A page of an earlier run.
    pub(crate) fn recall_text(&self, reading: &Reading) {
        let mut state = self.state_mut();
        state.subject.learn(reading);
        state.name(reading);
    }

    /// The link led to no page at all.
    pub(crate) fn learn_nothing(&self, id: UrlId) {
        self.state_mut().learn_link(id, 0.);
    }

    /// The harvest of this run.
    #[must_use]
    pub fn harvest(&self) -> Harvest {
        self.state().tally.harvest().clone()
    }
}

impl State {
    fn new() -> State {
        let mut value = Regression::with_places(&CENTRES, PLACES);
        for (words, reward) in LESSONS.repeat(TAUGHT) {
            value.learn(occurrences(words), reward);
        }
        State {
            subject: Subject::default(),
            value,
            trail: Trail::default(),
            tally: Tally::default(),
            names: HashMap::new(),
        }
    }

    /// A link was followed, and was worth so much.
    fn learn_link(&mut self, id: UrlId, reward: f64) {
        if let Some(lead) = self.trail.take(id) {
            self.value.learn(occurrences(self.trail.words(lead)), reward);
        }
    }

    /// Says which words of links led to the subject, and which did not.
    fn tell_words(&mut self) {
        let alone = |word: u32| self.value.q([(word, 1.)]);
        let mut all: Vec<(f64, &String)> =
            self.names.iter().map(|(word, name)| (alone(*word), name)).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let mean = self.value.q([]);
        let best = all.iter().take(MOST_TOLD).filter(|(worth, _)| *worth > mean);
        let worst = all.iter().rev().take(MOST_TOLD).filter(|(worth, _)| *worth < mean);
        let best = best.map(|(_, name)| (*name).clone()).collect();
        let worst = worst.map(|(_, name)| (*name).clone()).collect();
        self.tally.set_words(best, worst);
    }

    /// Remembers how the words of a link are written.
    fn name(&mut self, reading: &Reading) {
        for (word, name) in &reading.names {
            if self.names.len() < MOST_NAMES && !self.names.contains_key(word) {
                self.names.insert(*word, name.clone());
            }
        }
    }
}

/// The words of a link that do not stand there, beside those that do.
fn others(link: &[u32], relevance: f32, is_same_host: bool) -> [u32; 2] {
    let first = if link.contains(&reading::KEYWORD) { NAMED } else { UNNAMED };
    let host = if is_same_host { SAME_HOST } else { OTHER_HOST };
    [first + (relevance * STEPS) as u32, host]
}

/// The priority of a value: equal steps, the best first.
fn priority(value: f32) -> u8 {
    let step = (value / MOST * PRIORITIES as f32) as u8;
    PRIORITIES as u8 - step.min(PRIORITIES as u8 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_guide_has_a_name_of_its_own_and_says_what_it_does() {
        for (nth, guide) in GUIDES.iter().enumerate() {
            assert!(GUIDES[..nth].iter().all(|other| other.name != guide.name), "{}", guide.name);
            assert!(guide.what.len() > 20, "{}", guide.name);
        }
    }

    #[test]
    fn the_best_value_has_the_first_priority_and_none_the_last() {
        let found = [0., 0.1, 0.7, 1.49, 1.5, 9.].map(priority);
        assert_eq!(found, [8, 8, 5, 1, 1, 1]);
    }

    #[test]
    fn beyond_the_tunnel_links_are_refused_by_every_guide() {
        for guide in &GUIDES {
            let options = FocusOptions { guide, tunnel: 1, ..FocusOptions::default() };
            let spider = Spider::new(&options);
            let far = spider.weigh(&[], Judged { relevance: 0.2, off: 2 });
            assert_eq!(far.priority, Some(REFUSED), "{}", guide.name);
            let near = spider.weigh(&[], Judged { relevance: 0.2, off: 1 });
            assert_ne!(near.priority, Some(REFUSED), "{}", guide.name);
        }
    }

    #[test]
    fn a_link_that_names_the_subject_goes_before_others_from_the_start() {
        let spider = Spider::new(&FocusOptions::default());
        let weigh = |words: &[u32], relevance: f32| {
            let words = [words, &others(words, relevance, true)].concat();
            spider.weigh(&words, Judged { relevance, off: 0 }).value
        };
        assert!(weigh(&[reading::KEYWORD], 0.9) > weigh(&[], 0.9));
        assert!(weigh(&[], 0.9) > weigh(&[], 0.1));
        assert!(weigh(&[reading::KEYWORD], 0.1) > weigh(&[], 0.1));
    }

    #[test]
    fn links_that_name_nothing_are_not_taken_for_those_beside_them_that_name_the_subject() {
        let spider = Spider::new(&FocusOptions::default());
        let words = |link: &[u32]| [link, &others(link, 0.9, true)].concat();
        let value =
            |link: &[u32]| spider.weigh(&words(link), Judged { relevance: 0.9, off: 0 }).value;
        let before = value(&[77]);
        (100..150).for_each(|word| spider.recall_link(&words(&[word, reading::KEYWORD]), 1.5));
        assert!(value(&[99, reading::KEYWORD]) > 1.2);
        assert!(value(&[77]) < before + 0.3, "{before} to {}", value(&[77]));
    }
}
