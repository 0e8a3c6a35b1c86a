//! Test collections from use (000 "Evaluation", "TREC"): topics, pools of documents to judge, and
//! judgements by several people, in the folder `judgements/` of a collection. Ground state: nothing
//! here can be made again, so files are only added to.

pub mod agreement;
mod journal;
pub mod judgement;
pub mod merge;
mod pool;
pub mod runs;
pub mod topic;

pub use journal::Journal;
pub use judgement::{JudgeVerdict, Judgement, Judgements};
pub use pool::{Pooled, Pools};
pub use topic::{LabTopic, Topics};

use std::path::{Path, PathBuf};

/// The folder `judgements/` of a collection.
#[derive(Debug)]
pub struct Judging {
    dir: PathBuf,
    pub topics: Journal<Topics>,
    pub pools: Journal<Pools>,
    pub log: Journal<Judgements>,
}

impl Judging {
    /// Reads the folder; where there is none, there is nothing to judge yet.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn open(root: &Path) -> anyhow::Result<Judging> {
        let dir = root.join("judgements");
        Ok(Judging {
            topics: Journal::open(dir.join("topics.jsonl"))?,
            pools: Journal::open(dir.join("pool.jsonl"))?,
            log: Journal::open(dir.join("judgements.jsonl"))?,
            dir,
        })
    }

    /// Takes in what others wrote since.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn refresh(&mut self) -> anyhow::Result<()> {
        self.topics.refresh()?;
        self.pools.refresh()?;
        self.log.refresh()
    }

    /// Lines of all files that could not be understood.
    #[must_use]
    pub fn passed_over(&self) -> u64 {
        self.topics.passed_over() + self.pools.passed_over() + self.log.passed_over()
    }

    /// Where runs are kept.
    #[must_use]
    pub fn runs_dir(&self) -> PathBuf {
        self.dir.join("runs")
    }
}
