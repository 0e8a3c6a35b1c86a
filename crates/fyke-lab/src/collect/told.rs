//! How a collecting run stands, for the terminal, for the site and for later: figures, the current query, the
//! terms by odds ratio, what the learner believes.

use super::log::{CollectEvent, CollectStart, CollectVerdict};
use super::numbers::TermNumbers;
use super::sample::JudgedSample;
use super::vocabulary::VocabularyGrowth;
use fyke_learn::capture::{Estimate, Samples};
use fyke_learn::terms::builder::CorpusBuilder;
use fyke_learn::terms::learners::{LearntShare, QueryChoice};
use fyke_learn::terms::{DocumentSide, TermCounts, TermPick, log_odds_ratio, selector};
use fyke_stages::show;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Terms that are shown of a side.
const TERMS: usize = 8;
/// Common words that an engine is tried with.
const COMMON: usize = 5;
/// The file is written no more often than this.
const EVERY: Duration = Duration::from_millis(700);
/// A run that said nothing for so long, in milliseconds, runs no more.
const STALE: i64 = 30_000;

/// A term that tells the language from others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownTerm {
    pub word: String,
    /// Logarithm of its odds ratio to base 2.
    pub odds: f64,
    /// Documents that have it, in the language and others.
    pub documents: [u32; 2],
}

/// A value that the learner may choose, and its probability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownShare {
    pub parameter: String,
    pub value: String,
    pub share: f64,
}

/// How a run stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CollectNow {
    pub run: u32,
    pub lang: String,
    pub engine: String,
    pub learner: String,
    /// Why it ended; empty while it runs.
    pub end: String,
    /// When it said so, in milliseconds since 1970.
    pub time: i64,
    /// Queries that were sent, those without a hit among them, and those whose answers were known.
    pub queries: u64,
    pub empty: u64,
    pub known: u64,
    /// Hits that were looked at, and what they were.
    pub documents: u64,
    pub found: u64,
    pub wrong: u64,
    /// In the language, but off the subject.
    #[serde(default)]
    pub off: u64,
    pub copies: u64,
    pub thin: u64,
    pub dead: u64,
    /// Pages of hosts with a high yield that were crawled, and those of them that are new documents in the language; they
    /// count nowhere else, since no query found them.
    #[serde(default)]
    pub host_pages: u64,
    #[serde(default)]
    pub host_found: u64,
    pub words: u64,
    /// New documents of the last hundred queries.
    pub late: u64,
    pub query: String,
    pub way: String,
    pub include: Vec<ShownTerm>,
    pub exclude: Vec<ShownTerm>,
    pub shares: Vec<ShownShare>,
    pub notes: Vec<String>,
    /// What can be said of how much there is.
    pub how_much: String,
    /// The error of the filter, by a judged sample; empty when none was judged.
    #[serde(default)]
    pub sample: String,
}

impl CollectNow {
    /// Of the documents that were read, those in the language.
    #[must_use]
    pub fn precision(&self) -> f64 {
        self.found as f64 / (self.found + self.wrong).max(1) as f64
    }

    /// running, ended, or interrupted: a run that was killed says no more.
    #[must_use]
    pub fn state(&self, now: i64) -> &'static str {
        match self.end.is_empty() {
            false => "ended",
            true if now - self.time > STALE => "interrupted",
            true => "running",
        }
    }

    pub(super) fn take(&mut self, event: &CollectEvent) {
        match event {
            CollectEvent::Start(_)
            | CollectEvent::Manners { .. }
            | CollectEvent::Belief { .. }
            | CollectEvent::Judged { .. } => {}
            CollectEvent::Rejected { words, is_of_host, .. } => {
                match is_of_host {
                    true => self.host_found = self.host_found.saturating_sub(1),
                    false => {
                        self.found = self.found.saturating_sub(1);
                        self.wrong += 1;
                    }
                }
                self.words = self.words.saturating_sub(u64::from(*words));
            }
            CollectEvent::Query(query) => {
                self.queries += u64::from(!query.was_known);
                self.known += u64::from(query.was_known);
                self.empty += u64::from(query.hits == 0);
                self.query.clone_from(&query.query);
                self.way.clone_from(&query.way);
            }
            CollectEvent::Document(document) => {
                self.documents += 1;
                *match document.verdict {
                    CollectVerdict::Found => &mut self.found,
                    CollectVerdict::Wrong => &mut self.wrong,
                    CollectVerdict::Offtopic => &mut self.off,
                    CollectVerdict::Copy => &mut self.copies,
                    CollectVerdict::Empty => &mut self.thin,
                    CollectVerdict::Dead => &mut self.dead,
                } += 1;
                if document.verdict == CollectVerdict::Found {
                    self.words += u64::from(document.words);
                }
            }
            CollectEvent::HostPage(page) => {
                self.host_pages += 1;
                if page.verdict == CollectVerdict::Found {
                    self.host_found += 1;
                    self.words += u64::from(page.words);
                }
            }
            CollectEvent::Note { text, .. } => self.notes.push(text.clone()),
        }
    }
}

/// The run that an event is of.
pub(super) fn run_of(event: &CollectEvent) -> u32 {
    match event {
        CollectEvent::Start(start) => start.run,
        CollectEvent::Manners { run, .. }
        | CollectEvent::Belief { run, .. }
        | CollectEvent::Judged { run, .. }
        | CollectEvent::Rejected { run, .. }
        | CollectEvent::Note { run, .. } => *run,
        CollectEvent::Query(query) => query.run,
        CollectEvent::Document(page) | CollectEvent::HostPage(page) => page.run,
    }
}

/// Keeps [`CollectNow`] up to date, in memory and in `collect/now.json`.
#[derive(Debug)]
pub(super) struct NowTeller {
    pub(super) now: CollectNow,
    path: PathBuf,
    written: Option<Instant>,
    /// Documents found when each of the last queries was sent.
    late: Vec<u64>,
    /// URLs that earlier runs found.
    others: BTreeMap<u32, HashSet<String>>,
    found: HashSet<String>,
    /// The words of the language in this run.
    pub(super) vocabulary: VocabularyGrowth,
}

impl NowTeller {
    /// A teller that goes on from the steps so far.
    pub(super) fn new(root: &Path, start: &CollectStart, events: &[CollectEvent]) -> NowTeller {
        let mut teller = NowTeller {
            now: CollectNow {
                run: start.run,
                lang: start.lang.clone(),
                engine: start.engine.clone(),
                learner: start.learner.clone(),
                ..CollectNow::default()
            },
            path: super::folder(root).join("now.json"),
            written: None,
            late: Vec::new(),
            others: BTreeMap::new(),
            found: HashSet::new(),
            vocabulary: VocabularyGrowth::default(),
        };
        events.iter().for_each(|event| teller.count(event));
        teller.now.sample = JudgedSample::of(events).words();
        teller
    }

    fn count(&mut self, event: &CollectEvent) {
        let run = run_of(event);
        if let CollectEvent::Document(document) = event
            && document.verdict == CollectVerdict::Found
        {
            let found = match run == self.now.run {
                true => &mut self.found,
                false => self.others.entry(run).or_default(),
            };
            found.insert(document.url.clone());
        }
        if let CollectEvent::Rejected { url, .. } = event {
            self.found.remove(url);
            for found in self.others.values_mut() {
                found.remove(url);
            }
        }
        if run != self.now.run {
            return;
        }
        self.now.take(event);
        if let CollectEvent::Query(_) = event {
            self.late.push(self.now.found);
            if self.late.len() > 100 {
                self.late.remove(0);
            }
        }
        self.now.late = self.now.found.saturating_sub(self.late.first().copied().unwrap_or(0));
    }

    /// Takes in a step; the file is written now and then.
    pub(super) fn take(
        &mut self,
        event: &CollectEvent,
        builder: &CorpusBuilder,
        numbers: &TermNumbers,
    ) -> anyhow::Result<()> {
        self.count(event);
        match self.written.is_none_or(|written| written.elapsed() >= EVERY) {
            true => self.tell(builder, numbers),
            false => Ok(()),
        }
    }

    /// Says how it ended.
    pub(super) fn end(
        mut self,
        builder: &CorpusBuilder,
        numbers: &TermNumbers,
        words: &str,
    ) -> anyhow::Result<CollectNow> {
        words.clone_into(&mut self.now.end);
        self.tell(builder, numbers)?;
        Ok(self.now)
    }

    fn tell(&mut self, builder: &CorpusBuilder, numbers: &TermNumbers) -> anyhow::Result<()> {
        self.written = Some(Instant::now());
        let now = &mut self.now;
        now.time = show::now();
        now.include = terms(builder.counts(), DocumentSide::Relevant, numbers);
        now.exclude = terms(builder.counts(), DocumentSide::Other, numbers);
        now.shares = shares(builder);
        let how_much = how_much(&self.found, &self.others);
        now.how_much = format!("{how_much}; {}", self.vocabulary.words());
        let new = self.path.with_extension("new");
        std::fs::write(&new, serde_json::to_vec(now)?)?;
        Ok(std::fs::rename(new, &self.path)?)
    }
}

/// What can be said of how many documents there are: by the overlap of two runs that knew nothing of each other.
fn how_much(found: &HashSet<String>, others: &BTreeMap<u32, HashSet<String>>) -> String {
    let Some((run, other)) = others.iter().max_by_key(|(_, other)| other.len()) else {
        return "cannot say: there is one run only; another (--again, from other words) would tell"
            .to_owned();
    };
    let both = found.intersection(other).count() as u64;
    let samples = Samples { first: found.len() as u64, second: other.len() as u64, both };
    match samples.by_queries() {
        Ok(Estimate { interval: (least, most), .. }) => format!(
            "between {} and {} documents that the filter would take (overlap with run {run}: {both} of {} and {})",
            show::count(least as u64),
            show::count(most as u64),
            samples.first,
            samples.second
        ),
        Err(why) => format!("cannot say: {} (overlap with run {run}: {both})", why.explain()),
    }
}

/// What the learner believes.
pub(super) fn shares(builder: &CorpusBuilder) -> Vec<ShownShare> {
    let share = |one: LearntShare| ShownShare {
        parameter: one.parameter.to_owned(),
        value: one.value,
        share: one.share,
    };
    builder.learner().shares().into_iter().map(share).collect()
}

/// The best terms of a side by their odds ratio.
fn terms(counts: &TermCounts, side: DocumentSide, numbers: &TermNumbers) -> Vec<ShownTerm> {
    let Some(TermPick::Ranked(rank)) = selector("OR").map(|row| row.pick) else {
        return Vec::new();
    };
    let all = [counts.documents(side), counts.documents(side.swapped())];
    let shown = |term: u32| {
        let documents =
            [counts.uses(side, term).documents, counts.uses(side.swapped(), term).documents];
        let odds = log_odds_ratio(documents, all);
        ShownTerm { word: numbers.word(term).to_owned(), odds, documents }
    };
    rank(counts, side, TERMS).into_iter().map(shown).collect()
}

/// The most common words of the language by the documents known.
pub(super) fn common_words(counts: &TermCounts, numbers: &TermNumbers) -> Vec<String> {
    let mut words: Vec<u32> = counts.terms(DocumentSide::Relevant).to_vec();
    let key = |term: &u32| {
        let uses = counts.uses(DocumentSide::Relevant, *term);
        let others = counts.uses(DocumentSide::Other, *term).documents;
        (others, std::cmp::Reverse(uses.count), *term)
    };
    words.sort_by_key(key);
    words.iter().take(COMMON).map(|term| numbers.word(*term).to_owned()).collect()
}

/// A way to choose words, with the lengths, as people read it.
pub(super) fn way(choice: Option<&QueryChoice>) -> String {
    choice.map_or_else(String::new, |QueryChoice { include, exclude }| {
        let (first, second) = (include.selector.name, exclude.selector.name);
        let other = if first == second { String::new() } else { format!("{second}-") };
        format!("{first}-{}-{other}{}", include.length, exclude.length)
    })
}

/// Figures once more, after judgements.
pub(super) fn tell_again(root: &Path, events: &[CollectEvent]) -> anyhow::Result<()> {
    let Some(mut now) = read_now(root) else { return Ok(()) };
    let mut counted = CollectNow::default();
    events.iter().filter(|event| run_of(event) == now.run).for_each(|event| counted.take(event));
    (now.found, now.wrong, now.words) = (counted.found, counted.wrong, counted.words);
    now.host_found = counted.host_found;
    now.sample = JudgedSample::of(events).words();
    std::fs::write(super::folder(root).join("now.json"), serde_json::to_vec(&now)?)?;
    super::made::write(root, events, &now)
}

/// How the last run stands, as it said itself.
#[must_use]
pub fn read_now(root: &Path) -> Option<CollectNow> {
    let bytes = std::fs::read(super::folder(root).join("now.json")).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_much_there_is_is_said_only_where_it_can_be() {
        let found =
            |range: std::ops::Range<u32>| range.map(|n| n.to_string()).collect::<HashSet<_>>();
        let others = |range| BTreeMap::from([(1, found(range))]);
        assert!(how_much(&found(0..9), &BTreeMap::new()).starts_with("cannot say"));
        assert!(how_much(&found(0..9), &others(8..20)).starts_with("cannot say"));
        let said = how_much(&found(0..100), &others(25..125));
        assert!(said.starts_with("between 125 and 3"), "{said}");
    }

    #[test]
    fn a_run_that_says_no_more_was_interrupted() {
        let now = CollectNow { time: 1_000, ..CollectNow::default() };
        assert_eq!((now.state(2_000), now.state(60_000)), ("running", "interrupted"));
        let ended = CollectNow { end: "x".to_owned(), ..now };
        assert_eq!(ended.state(60_000), "ended");
    }
}
