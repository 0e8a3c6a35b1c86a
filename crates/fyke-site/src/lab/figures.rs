//! Figures of the index as it is now, by each judge and by all: how far the judge decides about the
//! score (000 "Evaluation": absolute numbers depend on the judge, the order of systems hardly).

use crate::Site;
use crate::answer::RequestTrouble;
use fyke_eval::{Qrels, Run, evaluate};
use fyke_lab::engine;
use fyke_lab::judging::merge::{self, MERGES};
use fyke_lab::judging::{Judging, agreement};
use serde::Serialize;
use std::sync::{Arc, PoisonError};

/// Measures shown.
pub(crate) const SHOWN: &[&str] = &["nDCG@10", "AP", "P@10", "Judged@10"];
/// Documents asked for each topic.
const DEPTH: usize = 100;
/// Topics asked at the most.
const MOST: usize = 2_000;

/// The answers of the index, and what they are answers to.
#[derive(Debug)]
pub(crate) struct IndexAnswers {
    /// Of the topics' file and of the index.
    version: ((u64, u64), String),
    run: Arc<Run>,
}

/// Figures by one judge, or by all.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LabFigures {
    pub by: String,
    pub queries: usize,
    /// Grades they are from.
    pub judgements: usize,
    /// In the order of [`SHOWN`].
    pub means: Vec<f64>,
}

/// The judgements of every judge, those of all made one first.
pub(crate) fn judged(judging: &Judging) -> Vec<(String, Qrels)> {
    let judgements = judging.log.account();
    let usual = &MERGES[0];
    let merged = (format!("all, by {}", usual.name), merge::merged(judgements, usual));
    std::iter::once(merged).chain(agreement::by_judge(judgements)).collect()
}

/// What the index answers to every topic, asked again only when topics or index changed.
pub(crate) fn answers(site: &Site) -> Result<Arc<Run>, RequestTrouble> {
    let mut asked = site.lab.asked.lock().unwrap_or_else(PoisonError::into_inner);
    let (version, topics) = {
        let judging = site.lab.judging()?;
        let topics: Vec<_> = judging.topics.account().list().iter().take(MOST).cloned().collect();
        (judging.topics.version(), topics)
    };
    let version = (version, site.index().mark());
    if let Some(asked) = asked.as_ref().filter(|asked| asked.version == version) {
        return Ok(Arc::clone(&asked.run));
    }
    let mut run = Run::new("index");
    for topic in &topics {
        let found = engine::own((site.index(), &site.options), &topic.query, DEPTH)?;
        engine::record(&mut run, topic, &found);
    }
    let run = Arc::new(run);
    *asked = Some(IndexAnswers { version, run: Arc::clone(&run) });
    Ok(run)
}

/// The figures of a run by each of the judgements.
pub(crate) fn of(run: &Run, judged: &[(String, Qrels)]) -> Result<Vec<LabFigures>, RequestTrouble> {
    let row = |(by, qrels): &(String, Qrels)| {
        let found = evaluate(qrels, run, SHOWN)?;
        Ok(LabFigures {
            by: by.clone(),
            queries: qrels.queries().len(),
            judgements: qrels.len(),
            means: found.means,
        })
    };
    judged.iter().map(row).collect()
}
