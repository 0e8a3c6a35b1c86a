//! Corpora of small languages by learnt queries (004): the loop of `fyke_learn::terms` between a search
//! engine and a crawl. A query is sent, its hits are fetched by the crawl as seeds are, a filter says which are
//! in the language, the counts of terms follow, the next query is made of them.
//!
//! All that was done stands in `collect/` of the collection's folder: `steps.jsonl` (only added to),
//! `answers.jsonl` (what engines said) and `now.json` (how it stands, for those who watch). A run that was
//! killed is played again by these: the same seeds and dice choose the same queries, whose answers are known,
//! and pages that were fetched are read from their captures. Nothing is asked for twice.

mod before;
mod curves;
mod end;
mod filter;
mod hits;
mod hosts;
mod letters;
mod log;
mod made;
mod numbers;
mod run;
mod sample;
mod shared;
mod told;
mod vocabulary;

pub use curves::{BeliefCurve, CollectCurves, belief_plots, curves, plots};
pub use end::{CollectEnd, CollectLimits};
pub use filter::{FilterVerdict, JudgedText, LanguageFilter};
pub use log::{CollectEvent, CollectLog, CollectStart, CollectVerdict, DocumentDone, QueryDone};
pub use run::{CollectJob, StepObserver, collect};
pub use sample::{JudgedSample, JudgedUrl, judge, sample, text};
pub use told::{CollectNow, ShownShare, ShownTerm, read_now};

use std::path::{Path, PathBuf};

/// The folder of a collection in which all this stands.
#[must_use]
pub fn folder(root: &Path) -> PathBuf {
    root.join("collect")
}
