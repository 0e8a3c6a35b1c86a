//! A crawl that runs in this process, between the thread that crawls and the site that shows it.

use super::rates::Rates;
use anyhow::Context;
use fyke_crawl::{Control, CrawlProgress, HostNow};
use fyke_stages::Step;
use fyke_store::Reason;
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// What the crawl said of its hosts is as good as new for so long; and it says more within so long.
const FRESH: Duration = Duration::from_secs(1);
const ANSWER: Duration = Duration::from_millis(300);

/// URLs by reason.
pub(crate) type ReasonCounts = BTreeMap<Reason, u64>;

/// Where the command is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    #[default]
    Crawling,
    /// The fetching has ended; documents and index are made.
    Making(Option<Step>),
    /// All is done.
    Over,
}

/// One crawl and its controls.
#[derive(Debug)]
pub struct Live {
    pub control: Control,
    seen: Mutex<SeenProgress>,
    asked: Mutex<Option<Instant>>,
    phase: watch::Sender<Phase>,
}

/// What the crawl told last.
#[derive(Debug, Default)]
pub struct SeenProgress {
    pub progress: CrawlProgress,
    pub rates: Rates,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    #[must_use]
    pub fn new(control: Control) -> Live {
        Live {
            control,
            seen: Mutex::default(),
            asked: Mutex::default(),
            phase: watch::Sender::new(Phase::Crawling),
        }
    }

    /// The crawl tells how it is doing.
    pub fn observe(&self, progress: &CrawlProgress) {
        let mut seen = lock(&self.seen);
        seen.rates.note(progress.elapsed, progress.fetched);
        seen.progress = progress.clone();
    }

    /// The fetching is over.
    pub fn fetched(&self) {
        self.phase.send_replace(Phase::Making(None));
    }

    /// The stages tell how far they are.
    pub fn making(&self, step: Step) {
        self.phase.send_replace(Phase::Making(Some(step)));
    }

    /// A crawl that goes on for ever begins another round, or waits for it.
    pub fn goes_on(&self) {
        self.phase.send_replace(Phase::Crawling);
    }

    /// Everything is over.
    pub fn end(&self) {
        self.phase.send_replace(Phase::Over);
    }

    #[must_use]
    pub(crate) fn phase(&self) -> Phase {
        *self.phase.borrow()
    }

    /// Waits for the end.
    pub async fn over(&self) {
        // It cannot be closed: the sender is ours.
        let _ = self.phase.subscribe().wait_for(|phase| *phase == Phase::Over).await;
    }

    /// What was told last.
    pub fn seen(&self) -> impl std::ops::Deref<Target = SeenProgress> + '_ {
        lock(&self.seen)
    }

    /// The hosts, as told last.
    #[must_use]
    pub fn hosts(&self) -> Vec<HostNow> {
        *lock(&self.asked) = Some(Instant::now());
        self.control.hosts()
    }

    /// Has the crawl tell of its hosts, unless it did so just now.
    pub async fn refresh(&self) {
        let is_fresh = lock(&self.asked).is_some_and(|asked| asked.elapsed() < FRESH);
        if !is_fresh && self.phase() == Phase::Crawling {
            drop(self.hosts());
            tokio::time::sleep(ANSWER).await;
        }
    }
}

/// A text nobody can guess: pages elsewhere cannot send orders without it.
pub(crate) fn token() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    let source = "/dev/urandom";
    let mut file = std::fs::File::open(source).with_context(|| format!("cannot open {source}"))?;
    file.read_exact(&mut bytes).with_context(|| format!("cannot read {source}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
