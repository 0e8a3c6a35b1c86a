//! The pond's two judges, written down as people's judgements are: the tour's lab has topics, a pool
//! and agreement to show at once.

use fyke_lab::judging::{JudgeVerdict, Judgement, Judging, LabTopic, Pooled, topic};
use fyke_pond::Truth;
use fyke_pond::truth::{PondQuery, Qrel};
use std::path::Path;

type Grade = fn(&Qrel) -> u8;

/// Names of the judges, and the grade of each.
const JUDGES: [(&str, Grade); 2] =
    [("judge a", |qrel| qrel.grade_a), ("judge b", |qrel| qrel.grade_b)];

/// Writes topics, pool and judgements into a collection's folder.
///
/// # Errors
/// When they cannot be written.
pub fn write_judgements(root: &Path, truth: &Truth, time: i64) -> anyhow::Result<()> {
    let mut judging = Judging::open(root)?;
    let topics: Vec<LabTopic> = truth.queries.iter().map(topic).collect();
    judging.topics.append(&topics)?;
    let rows: Vec<Pooled> = truth.qrels.iter().map(pooled).collect();
    judging.pools.append(&rows)?;
    let lines = |(judge, grade): (&'static str, Grade)| {
        let line = move |qrel: &Qrel| {
            let Pooled { query, document } = pooled(qrel);
            let (judge, verdict) = (judge.to_owned(), JudgeVerdict::Grade(grade(qrel).into()));
            Judgement { time, judge, query, document, verdict, note: String::new() }
        };
        truth.qrels.iter().map(line)
    };
    let lines: Vec<Judgement> = JUDGES.into_iter().flat_map(lines).collect();
    judging.log.append(&lines)
}

/// Who looks for products wants to do something with them.
fn topic(query: &PondQuery) -> LabTopic {
    LabTopic {
        id: query.id.to_string(),
        query: query.text.to_owned(),
        need: query.need.to_owned(),
        kind: match query.kind {
            Some("product") => topic::NeedKind::Transactional,
            _ => topic::NeedKind::Informational,
        },
    }
}

fn pooled(qrel: &Qrel) -> Pooled {
    Pooled { query: qrel.query.to_string(), document: qrel.url.clone() }
}
