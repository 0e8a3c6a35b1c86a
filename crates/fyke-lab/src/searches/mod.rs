//! The log of searches and clicks (000 "clickthrough", "A/B testing"), for whoever runs the site:
//! local, off unless asked for, and without anything about the person: no address, no cookie, no
//! browser, the time to the minute. A search has a random id, by which a click finds it again.
//!
//! Lines are written by a thread of their own; what was shown or clicked a moment before a crash
//! may be missing from the log, and a search is never kept waiting or refused because of it.

mod experiment;
mod log;
mod mine;
mod popular;
mod read;
mod recent;
mod record;
mod results;

pub use experiment::Experiment;
pub use log::forget;
pub use mine::{Mined, mine};
pub use read::{Logged, Searched, read};
pub use record::{Click, LoggedSearch, SearchRecord, Setup, ShownResult};
pub use results::{ExperimentResult, POSITION_BIAS, SearchFindings, SplitResult, Traffic};

use fyke_stages::config::Config;
use fyke_stages::show;
use log::SearchLog;
use recent::RecentSearches;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where the log of a collection is.
#[must_use]
pub fn folder(root: &Path) -> PathBuf {
    root.join("searches")
}

/// The log of a site that keeps one, and the experiment that is on.
#[derive(Debug)]
pub struct Searches {
    log: SearchLog,
    recent: Mutex<RecentSearches>,
    experiment: Option<Experiment>,
    /// Days a search is kept, for the note to the people who search.
    pub days: u32,
    /// Keyed with random bytes of the system, so that nobody guesses the id of a search.
    ids: RandomState,
    given: AtomicU64,
}

impl Searches {
    /// The log of the collection at `root`; none unless the settings ask for it.
    #[must_use]
    pub fn open(root: &Path, config: &Config) -> Option<Searches> {
        let keys = &config.serve;
        keys.log_searches.then(|| Searches {
            recent: Mutex::new(RecentSearches::of(read::last(root))),
            log: SearchLog::open(folder(root), keys.log_days, keys.log_bytes),
            experiment: Experiment::of(&config.experiment),
            days: keys.log_days,
            ids: RandomState::new(),
            given: AtomicU64::new(0),
        })
    }

    /// The id of a search that begins.
    #[must_use]
    pub fn begin(&self) -> u64 {
        self.ids.hash_one(self.given.fetch_add(1, Ordering::Relaxed))
    }

    /// Whether a page from `start` on is the next one, or an earlier one, of a search we know.
    #[must_use]
    pub fn goes_on(&self, id: u64, query: &str, start: usize) -> bool {
        let known = self.recent();
        let Some(search) = known.get(id) else { return false };
        let setup = self.experiment(id).map(|experiment| &experiment.setup);
        search.query == query && start <= search.shown.len() && search.setup.as_ref() == setup
    }

    /// The experiment, if the search of this id takes part.
    #[must_use]
    pub fn experiment(&self, id: u64) -> Option<&Experiment> {
        self.experiment.as_ref().filter(|experiment| experiment.takes(id))
    }

    /// Keeps what was shown. Says whether its links can be followed: not if these ranks were shown
    /// with other results before.
    #[must_use]
    pub fn shown(&self, mut search: LoggedSearch) -> bool {
        let now = show::now();
        search.time = record::minute(now);
        let (is_new, is_so) = {
            let mut recent = self.recent();
            (recent.remember(&search), recent.has(&search))
        };
        if is_new {
            self.log.append(now, &SearchRecord::Search(search));
        }
        is_so
    }

    /// The URL shown at a rank (from 1) of a search, told by the texts of a link; none for any
    /// other text. Where it `counts`, the click is kept.
    #[must_use]
    pub fn follow(&self, id: &str, rank: &str, counts: bool) -> Option<String> {
        let (id, rank) = (record::id(id)?, rank.parse::<usize>().ok()?);
        let url = self.recent().get(id)?.shown.get(rank.checked_sub(1)?)?.url.clone();
        if counts {
            let now = show::now();
            self.log
                .append(now, &SearchRecord::Click(Click { id, time: record::minute(now), rank }));
        }
        Some(url)
    }

    /// What others often search for that begins like this.
    #[must_use]
    pub fn beginning(&self, text: &str, limit: usize) -> Vec<String> {
        self.recent().popular().beginning(text, limit)
    }

    /// What others often search for with some of these words.
    #[must_use]
    pub fn related(&self, text: &str, limit: usize) -> Vec<String> {
        self.recent().popular().related(text, limit)
    }

    fn recent(&self) -> MutexGuard<'_, RecentSearches> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
