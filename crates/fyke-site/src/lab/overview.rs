//! The lab's first page: topics, progress of each judge, agreement, and how good the index is by what
//! they say. One standing is page and JSON alike.

use super::figures::{self, LabFigures, SHOWN};
use crate::Site;
use crate::answer::{PageFrame, RequestTrouble};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use fyke_lab::judging::agreement::{self, JudgePair};
use fyke_lab::judging::judgement::SETTLED;
use fyke_lab::judging::{Judging, LabTopic};
use fyke_stages::show::count;
use serde::Serialize;
use std::sync::Arc;

/// How the lab stands.
#[derive(Debug, Serialize)]
pub(crate) struct LabStanding {
    /// Documents to judge, of all topics.
    pub pooled: usize,
    /// Judgements that hold.
    pub judgements: usize,
    pub judges: Vec<JudgeProgress>,
    pub agreement: Vec<JudgePair>,
    pub to_settle: usize,
    /// Lines of the files that could not be understood.
    pub passed_over: u64,
    pub measures: &'static [&'static str],
    /// Of the index as it is now.
    pub figures: Vec<LabFigures>,
    pub topics: Vec<TopicRow>,
}

/// One judge's progress.
#[derive(Debug, Serialize)]
pub(crate) struct JudgeProgress {
    pub name: String,
    /// Documents of the pool that are judged.
    pub judged: usize,
    pub cannot_judge: usize,
    /// Of the pool, in per cent.
    pub share: String,
    /// When the latest judgement was made, in milliseconds since 1970.
    #[serde(serialize_with = "fyke_stages::moments::one")]
    pub last: i64,
}

/// One topic.
#[derive(Debug, Serialize)]
pub(crate) struct TopicRow {
    #[serde(flatten)]
    pub topic: LabTopic,
    pub pooled: usize,
    /// Documents of its pool that somebody judged.
    pub judged: usize,
    /// Documents that somebody found relevant.
    pub relevant: usize,
    /// The first measure of the index as it is now, by all judges.
    pub figure: Option<f64>,
}

#[derive(Template)]
#[template(path = "lab.html")]
struct LabPage {
    site: PageFrame,
    takes: bool,
    facts: Vec<(&'static str, String)>,
    standing: LabStanding,
}

pub(crate) async fn page(State(site): State<Arc<Site>>) -> Response {
    super::page(site, |site| {
        let takes = site.lab.token.is_some();
        let standing = standing(site)?;
        Ok(LabPage { site: PageFrame::of(site, ""), takes, facts: facts(&standing), standing })
    })
    .await
}

fn facts(standing: &LabStanding) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("topics", count(standing.topics.len() as u64)),
        ("documents to judge", count(standing.pooled as u64)),
        ("judgements", count(standing.judgements as u64)),
        ("judges", count(standing.judges.len() as u64)),
    ];
    if let [pair] = standing.agreement.as_slice() {
        facts.push(("kappa", format!("{:.3}", pair.relevance.value)));
    }
    let all = standing.figures.first().filter(|figures| figures.judgements > 0);
    let means = all.into_iter().flat_map(|figures| &figures.means);
    facts.extend(SHOWN.iter().zip(means).map(|(name, mean)| (*name, format!("{mean:.4}"))));
    facts
}

/// How the lab stands now.
pub(crate) fn standing(site: &Site) -> Result<LabStanding, RequestTrouble> {
    let run = figures::answers(site)?;
    let judging = site.lab.judging()?;
    let judged = figures::judged(&judging);
    let figures = figures::of(&run, &judged)?;
    let found = fyke_eval::evaluate(&judged[0].1, &run, &SHOWN[..1])?;
    let topics = judging.topics.account().list().iter();
    let topics: Vec<TopicRow> = topics
        .map(|topic| {
            let figure = found.queries.get(&topic.id).and_then(|figures| figures.first().copied());
            row(&judging, topic, figure)
        })
        .collect();
    let pooled = topics.iter().map(|row| row.pooled).sum();
    let judgements = judging.log.account();
    let apart = agreement::disagreements(judgements);
    Ok(LabStanding {
        pooled,
        judgements: judgements.holding().filter(|line| line.judge != SETTLED).count(),
        judges: judgements.judges().into_iter().map(|name| judge(&judging, name, pooled)).collect(),
        agreement: agreement::pairs(judgements),
        to_settle: apart.iter().filter(|row| row.settled.is_none()).count(),
        passed_over: judging.passed_over(),
        measures: SHOWN,
        figures,
        topics,
    })
}

fn judge(judging: &Judging, name: &str, pooled: usize) -> JudgeProgress {
    let lines = judging.log.account().holding().filter(|line| line.judge == name);
    let (mut judged, mut cannot_judge, mut last) = (0, 0, 0);
    for line in lines {
        judged += usize::from(judging.pools.account().has(&line.query, &line.document));
        cannot_judge += usize::from(line.verdict.grade().is_none());
        last = last.max(line.time);
    }
    let share = format!("{:.1}", 100.0 * judged as f64 / pooled.max(1) as f64);
    JudgeProgress { name: name.to_owned(), judged, cannot_judge, share, last }
}

fn row(judging: &Judging, topic: &LabTopic, figure: Option<f64>) -> TopicRow {
    let (mut pooled, mut judged, mut relevant) = (0, 0, 0);
    for document in judging.pools.account().of(&topic.id) {
        let grades: Vec<_> = judging.log.account().on(&topic.id, document).collect();
        let is_relevant = grades.iter().any(|line| line.verdict.grade() > Some(0));
        pooled += 1;
        judged += usize::from(!grades.is_empty());
        relevant += usize::from(is_relevant);
    }
    TopicRow { topic: topic.clone(), pooled, judged, relevant, figure }
}
