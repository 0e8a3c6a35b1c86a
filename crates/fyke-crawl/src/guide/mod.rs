//! The judge of a focused crawl (002 §2; C12, L1): it judges every page by its subject, gives links the priorities
//! that a guide (`fyke_learn::spider::GUIDES`) takes them to be worth, and learns from what they led to.
//!
//! All threads share one [`Spider`]: pages and links are judged under a lock that many may hold, and what a
//! page taught is taken up under one that is held for some microseconds, once a page.

mod harvest;
mod reading;
mod subject;
mod targets;
mod trail;

pub use harvest::Harvest;
pub use reading::{GuidePage, GuideReading, LinkWords, Readers};
pub use targets::Targets;

use crate::frontier::PRIORITIES;
use fyke_learn::spider::{FUTURE, LinkGuide, LinkValues, Promise, SpiderModel, Worth};
use fyke_text::Keywords;
use fyke_text::keywords::of_examples;
use fyke_web::{Capture, Url, UrlId};
use harvest::HarvestTally;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use subject::Subject;
use trail::{LeadStanding, Trail, WordedLead};
pub(crate) use trail::{Leads, Reweighed};

/// From this relevance on a page is about the subject, unless the settings say another.
const ON_SUBJECT: f32 = 0.5;
/// Priority of a link that is not to be followed.
pub(crate) const REFUSED: u8 = u8::MAX;
/// A value that deserves the first priority: a page about the subject that leads to another.
const MOST: f64 = 1.5;
/// Links that wait are weighed again after so many pages, then after twice as many, and so on.
const AGAIN: u64 = 16;
/// Words that are told, of either kind.
const MOST_TOLD: usize = 12;
/// Words whose names are remembered for people to see.
const MOST_NAMES: usize = 20_000;

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
    pub guide: &'static LinkGuide,
    /// The relevance from which on a page is about the subject.
    pub threshold: f32,
    /// Pages off the subject that may lie between two on it.
    pub tunnel: u8,
    /// Collections that were recorded before, to learn from.
    pub learn_from: Vec<PathBuf>,
    /// What a guide learned before, to begin with.
    pub model: Option<SpiderModel>,
    /// Only these are worth a reward; without them it is every page about the subject.
    pub targets: Option<Arc<Targets>>,
}

/// A tunnel that goes on for ever: links are followed wherever they stand.
pub const ENDLESS: u8 = u8::MAX;

impl Default for FocusOptions {
    fn default() -> FocusOptions {
        FocusOptions {
            keywords: Vec::new(),
            language: "en".to_owned(),
            examples: Vec::new(),
            example_urls: Vec::new(),
            guide: FUTURE,
            threshold: ON_SUBJECT,
            tunnel: 3,
            learn_from: Vec::new(),
            model: None,
            targets: None,
        }
    }
}

/// What a page is to the subject.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct JudgedPage {
    pub(crate) relevance: f32,
    /// Pages off the subject since the last one on it, this one counted.
    pub(crate) off: u8,
    /// What finding it is worth, 0 to 1.
    pub(crate) reward: f32,
    /// Whether that is what is looked for.
    pub(crate) is_wanted: bool,
}

impl JudgedPage {
    /// Whether it is about the subject.
    pub(crate) fn is_on(self) -> bool {
        self.off == 0
    }
}

/// A link as it goes into the frontier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WeighedLink {
    pub(crate) value: f64,
    /// None: by its distance from a seed.
    pub(crate) priority: Option<u8>,
    pub(crate) off: u8,
}

/// What was remembered of a link, when it is no longer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TakenLead {
    pub(crate) weighed: WeighedLink,
    pub(crate) words: Vec<u32>,
}

/// The page on which links stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Referrer<'a> {
    pub(crate) url: &'a Url,
    pub(crate) reading: &'a GuideReading,
    pub(crate) judged: JudgedPage,
}

/// What the guide has learned.
#[derive(Debug)]
struct GuideState {
    subject: Subject,
    values: LinkValues,
    trail: Trail,
    tally: HarvestTally,
    names: HashMap<u32, String>,
}

/// A focused crawl's judge of pages and links.
#[derive(Debug)]
pub struct Spider {
    readers: Readers,
    guide: &'static LinkGuide,
    threshold: f32,
    tunnel: u8,
    examples: Vec<UrlId>,
    targets: Option<Arc<Targets>>,
    /// Whether pages are judged by a subject.
    has_subject: bool,
    state: RwLock<GuideState>,
}

impl Spider {
    #[must_use]
    pub fn new(options: &FocusOptions) -> Spider {
        let keywords = match options.keywords.as_slice() {
            [] => Keywords::new(&of_examples(&options.examples), &options.language),
            keywords => Keywords::new(keywords, &options.language),
        };
        let (mut state, readers) = (GuideState::new(options), Readers::new(keywords));
        for (title, text) in &options.examples {
            state.subject.learn_example(&readers.reader().read_text(title, text));
        }
        let FocusOptions { guide, threshold, tunnel, .. } = *options;
        let (examples, state) = (options.example_urls.clone(), RwLock::new(state));
        let targets = options.targets.clone();
        let is_told = !(options.keywords.is_empty() && options.examples.is_empty());
        let has_subject = is_told || !examples.is_empty() || targets.is_none();
        Spider { readers, guide, threshold, tunnel, examples, targets, has_subject, state }
    }

    fn state(&self) -> RwLockReadGuard<'_, GuideState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, GuideState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a page.
    pub(crate) fn read(&self, capture: &Capture) -> GuidePage {
        let mut page = self.readers.read(capture);
        page.reading.is_target = self.targets.as_ref().is_some_and(|targets| targets.has(capture));
        page
    }

    /// Whether pages are judged by a subject, and not by being looked for alone.
    pub(crate) fn has_subject(&self) -> bool {
        self.has_subject
    }

    /// Judges a page that was reached over `off` pages off the subject, as the ledger has it.
    pub(crate) fn judge(&self, id: UrlId, reading: &GuideReading, off: u8) -> JudgedPage {
        let state = self.state();
        let relevance = match self.examples.contains(&id) {
            true => 1.,
            false if !self.has_subject => f32::from(u8::from(reading.is_target)),
            false => state.subject.relevance(reading),
        };
        let is_on = relevance >= self.threshold;
        let is_wanted = is_on && (self.targets.is_none() || reading.is_target);
        let reward = if self.targets.is_none() || is_wanted { relevance } else { 0. };
        let off = match state.trail.get(id).map_or(off, |lead| lead.standing.off) {
            _ if is_on || !self.has_subject && self.tunnel == ENDLESS => 0,
            off => off.saturating_add(1),
        };
        JudgedPage { relevance, off, reward, is_wanted }
    }

    /// The words of the links of a page, which lead to these.
    pub(crate) fn links<'a, 'l>(
        &'a self,
        referrer: &Referrer<'a>,
        targets: impl IntoIterator<Item = &'l Url>,
    ) -> LinkWords<'a> {
        let links = targets.into_iter().map(Url::as_str);
        let page = (referrer.url.as_str(), referrer.judged.relevance);
        let targets = self.targets.as_deref();
        self.readers.links(referrer.reading, page, links).looking_for(targets)
    }

    /// Weighs a link on a page so judged.
    pub(crate) fn weigh(&self, words: &[u32], judged: JudgedPage) -> WeighedLink {
        let off = judged.off;
        let state = self.state();
        let Some(value) = state.values.value(words, judged.relevance) else {
            let priority = (off > self.tunnel).then_some(REFUSED);
            return WeighedLink { value: 0., priority, off };
        };
        let value = value + self.prior(words, &state);
        let priority = if off > self.tunnel { REFUSED } else { priority(value) };
        WeighedLink { value, priority: Some(priority), off }
    }

    /// What a link is worth by its URL alone.
    fn prior(&self, words: &[u32], state: &GuideState) -> f64 {
        let found = state.tally.harvest().on;
        self.targets.as_ref().map_or(0., |targets| targets.prior(words, found))
    }

    /// Weighs a URL that only a sitemap names: by its own words, and it must be worth something.
    pub(crate) fn weigh_listed(&self, url: &Url, leads: &mut Leads) -> WeighedLink {
        let (reading, page) = (GuideReading::default(), (url.as_str(), 0.));
        let links = self.readers.links(&reading, page, []).looking_for(self.targets.as_deref());
        let words = leads.write(&links, (0, url));
        let weighed = self.weigh(words, JudgedPage { off: self.tunnel, ..JudgedPage::default() });
        let is_poor = weighed.priority.is_none_or(|found| found > PRIORITIES as u8 / 2);
        let is_refused = is_poor && self.tunnel != ENDLESS;
        let priority = if is_refused { Some(REFUSED) } else { weighed.priority };
        WeighedLink { priority, ..weighed }
    }

    /// The priority under which a link to this page was queued; none if it is forgotten.
    pub(crate) fn standing(&self, id: UrlId) -> Option<u8> {
        self.state().trail.get(id).map(|lead| lead.standing.priority)
    }

    /// Remembers links to URLs of a cell that were queued.
    pub(crate) fn remember(&self, leads: &Leads, cell: usize) {
        let mut state = self.state_mut();
        for WordedLead { id, weighed, words } in leads.iter() {
            state.trail.remember(id, LeadStanding::new(weighed, cell), words);
        }
    }

    /// Remembers one link to a URL of a cell.
    pub(crate) fn remember_link(
        &self,
        id: UrlId,
        weighed: WeighedLink,
        words: &[u32],
        cell: usize,
    ) {
        self.state_mut().trail.remember(id, LeadStanding::new(weighed, cell), words);
    }

    /// Weighs the links that wait by what was learned since; those that are better than they were, by cell.
    pub(crate) fn weigh_again(&self) -> Vec<Reweighed> {
        let mut state = self.state_mut();
        state.tell_words();
        let GuideState { trail, values, tally, .. } = &mut *state;
        let (found, targets) = (tally.harvest().on, self.targets.as_deref());
        let prior = |words: &[u32]| targets.map_or(0., |targets| targets.prior(words, found));
        trail.weigh_again(|words| priority(values.q(words) + prior(words)))
    }

    /// What was remembered of a link, to stand for where it redirects to.
    pub(crate) fn take_lead(&self, from: UrlId) -> Option<TakenLead> {
        let mut state = self.state_mut();
        let lead = state.trail.take(from)?;
        let LeadStanding { priority, off, .. } = lead.standing;
        let priority = (self.guide.by != Worth::Order).then_some(priority);
        let weighed = WeighedLink { value: 0., priority, off };
        Some(TakenLead { weighed, words: state.trail.words(lead).to_vec() })
    }

    /// A page came: learns of the subject from its text, and what the link to it was worth. True when it
    /// is time to weigh again what waits.
    pub(crate) fn learn(
        &self,
        id: UrlId,
        reading: &GuideReading,
        judged: JudgedPage,
        promise: Promise,
    ) -> bool {
        let mut state = self.state_mut();
        state.tally.add(judged.is_wanted);
        match self.examples.contains(&id) {
            true => state.subject.learn_example(reading),
            false if self.has_subject => state.subject.learn(reading),
            false => {}
        }
        state.name(reading);
        let reward = state.values.reward(judged.reward.into(), promise);
        state.learn_link(id, reward);
        let pages = state.tally.harvest().pages;
        self.guide.learns()
            && pages >= AGAIN
            && (pages / AGAIN).is_power_of_two()
            && pages.is_multiple_of(AGAIN)
    }

    /// A reading is needed no longer.
    pub(crate) fn take_back(&self, reading: GuideReading) {
        self.readers.take_back(reading);
    }

    /// What a link of an earlier run was worth.
    pub(crate) fn recall_link(&self, words: &[u32], reward: f64) {
        self.state_mut().values.learn_known(words, reward);
    }

    /// A page of an earlier run.
    pub(crate) fn recall_text(&self, reading: &GuideReading) {
        let mut state = self.state_mut();
        if self.has_subject {
            state.subject.learn(reading);
        }
        state.name(reading);
    }

    /// The link led to no page at all.
    pub(crate) fn learn_nothing(&self, id: UrlId) {
        self.state_mut().learn_link(id, 0.);
    }

    /// γ: what a reward one link further on counts.
    pub(crate) fn discount(&self) -> f64 {
        self.state().values.discount()
    }

    /// What the guide has learned, to be kept; none of one that does not learn.
    pub(crate) fn model(&self) -> Option<SpiderModel> {
        let state = self.state();
        let harvest = state.tally.harvest();
        let trained_on = format!("a crawl ({} pages, {} wanted)", harvest.pages, harvest.on);
        self.guide.learns().then(|| state.values.model(&trained_on))
    }

    /// The harvest of this run.
    #[must_use]
    pub fn harvest(&self) -> Harvest {
        self.state().tally.harvest().clone()
    }
}

impl GuideState {
    fn new(options: &FocusOptions) -> GuideState {
        let values = match &options.model {
            Some(model) => LinkValues::with_model(options.guide, model),
            None => LinkValues::new(options.guide),
        };
        GuideState {
            subject: Subject::default(),
            values,
            trail: Trail::default(),
            tally: HarvestTally::default(),
            names: HashMap::new(),
        }
    }

    /// A link was followed, and was worth so much.
    fn learn_link(&mut self, id: UrlId, reward: f64) {
        if let Some(lead) = self.trail.take(id) {
            self.values.learn(self.trail.words(lead), reward);
        }
    }

    /// Says which words of links led to the subject, and which did not.
    fn tell_words(&mut self) {
        let alone = |word: u32| self.values.q(&[word]);
        let mut all: Vec<(f64, &String)> =
            self.names.iter().map(|(word, name)| (alone(*word), name)).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let mean = self.values.q(&[]);
        let best = all.iter().take(MOST_TOLD).filter(|(worth, _)| *worth > mean);
        let worst = all.iter().rev().take(MOST_TOLD).filter(|(worth, _)| *worth < mean);
        let best = best.map(|(_, name)| (*name).clone()).collect();
        let worst = worst.map(|(_, name)| (*name).clone()).collect();
        self.tally.set_words(best, worst);
    }

    /// Remembers how the words of a link are written.
    fn name(&mut self, reading: &GuideReading) {
        for (word, name) in &reading.names {
            if self.names.len() < MOST_NAMES && !self.names.contains_key(word) {
                self.names.insert(*word, name.clone());
            }
        }
    }
}

/// The priority of a value: equal steps, the best first.
fn priority(value: f64) -> u8 {
    let step = (value / MOST * PRIORITIES as f64) as u8;
    PRIORITIES as u8 - step.min(PRIORITIES as u8 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_learn::spider::GUIDES;

    #[test]
    fn the_best_value_has_the_first_priority_and_none_the_last() {
        let found = [0., 0.1, 0.7, 1.49, 1.5, 9.].map(priority);
        assert_eq!(found, [8, 8, 5, 1, 1, 1]);
    }

    #[test]
    fn only_targets_about_the_subject_are_worth_a_reward() {
        let targets = Some(Arc::new(Targets::new(&["*.pdf".to_owned()], None).unwrap()));
        let keywords = vec!["bees".to_owned()];
        let with = Spider::new(&FocusOptions {
            keywords,
            targets: targets.clone(),
            ..FocusOptions::default()
        });
        let without = Spider::new(&FocusOptions { targets, tunnel: 2, ..FocusOptions::default() });
        let check = |spider: &Spider, text: &str, is_target, expected: (bool, bool)| {
            let mut reading = spider.readers.reader().read_text("", text);
            reading.is_target = is_target;
            let judged = spider.judge(UrlId(1), &reading, 1);
            assert_eq!((judged.is_on(), judged.is_wanted), expected, "{text}");
            assert_eq!(judged.reward > 0., judged.is_wanted, "{text}");
        };
        check(&with, "bees bees bees", true, (true, true));
        check(&with, "bees bees bees", false, (true, false));
        check(&with, "cars", true, (false, false));
        check(&without, "cars", true, (true, true));
        check(&without, "bees", false, (false, false));
    }

    #[test]
    fn beyond_the_tunnel_links_are_refused_by_every_guide() {
        for guide in &GUIDES {
            let options = FocusOptions { guide, tunnel: 1, ..FocusOptions::default() };
            let spider = Spider::new(&options);
            let far =
                spider.weigh(&[], JudgedPage { relevance: 0.2, off: 2, ..JudgedPage::default() });
            assert_eq!(far.priority, Some(REFUSED), "{}", guide.name);
            let near =
                spider.weigh(&[], JudgedPage { relevance: 0.2, off: 1, ..JudgedPage::default() });
            assert_ne!(near.priority, Some(REFUSED), "{}", guide.name);
        }
    }
}
