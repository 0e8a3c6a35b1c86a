//! Judging: one document at a time, in an order that says nothing about which engine found it, beside
//! the information need. Works as plain forms; a small script adds keys.

use super::document::{self, ShownDocument};
use crate::Site;
use crate::answer::{PageFrame, RequestTrouble, SearchRequest};
use askama::Template;
use axum::extract::{Query as Behind, State};
use axum::response::Response;
use fyke_lab::judging::{Judging, LabTopic, judgement};
use std::sync::Arc;

/// The grades and what they mean.
const GRADES: [(&str, &str); 4] =
    [("0", "not relevant"), ("1", "touches on it"), ("2", "relevant"), ("3", "highly relevant")];

#[derive(Template)]
#[template(path = "judge.html")]
struct JudgePage {
    site: PageFrame,
    /// Empty until somebody said who judges.
    judge: String,
    /// Empty where no judgements are taken.
    token: String,
    trouble: String,
    /// Names of those who judged before.
    known: Vec<String>,
    grades: [(&'static str, &'static str); 4],
    progress: JudgingProgress,
    /// What the judge said last.
    last: Option<LastVerdict>,
    /// None when all is judged.
    subject: Option<JudgedSubject>,
}

/// What a judge said of a document.
struct LastVerdict {
    query: String,
    document: String,
    verdict: String,
}

/// How far the judge is.
#[derive(Default)]
struct JudgingProgress {
    judged: usize,
    pooled: usize,
    share: String,
}

/// What is to be judged now.
struct JudgedSubject {
    topic: LabTopic,
    /// Which of its topic's documents this is, in this judge's order.
    place: usize,
    of: usize,
    /// What the judge said of it before, with the note.
    before: Option<(String, String)>,
    shown: ShownDocument,
}

pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    super::page(site, move |site| page_of(site, &asked)).await
}

fn page_of(site: &Site, asked: &SearchRequest) -> Result<JudgePage, RequestTrouble> {
    let typed = asked.text("judge");
    let (judge, trouble) = match judgement::name(&typed) {
        Ok(judge) => (judge, String::new()),
        Err(_) if typed.is_empty() => (String::new(), String::new()),
        Err(trouble) => (String::new(), trouble),
    };
    let judging = site.lab.judging()?;
    let known = judging.log.account().judges().into_iter().map(str::to_owned).collect();
    let found = match judge.is_empty() {
        true => None,
        false => subject(&judging, &judge, (&asked.text("query"), &asked.text("document"))),
    };
    let last = judging.log.account().last_by(&judge).map(|line| LastVerdict {
        query: line.query.clone(),
        document: line.document.clone(),
        verdict: line.verdict.to_string(),
    });
    let progress = progress(&judging, &judge);
    // Documents are read without holding up the other judges.
    drop(judging);
    let subject = found.map(|found| found.read(site)).transpose()?;
    let token = site.lab.token.clone().unwrap_or_default();
    let site = PageFrame::of(site, "");
    let grades = GRADES;
    Ok(JudgePage { site, judge, token, trouble, known, grades, progress, last, subject })
}

fn progress(judging: &Judging, judge: &str) -> JudgingProgress {
    let (mut judged, mut pooled) = (0, 0);
    for topic in judging.topics.account().list() {
        for document in judging.pools.account().of(&topic.id) {
            pooled += 1;
            judged += usize::from(judging.log.account().by(judge, &topic.id, document).is_some());
        }
    }
    let share = format!("{:.1}", 100.0 * judged as f64 / pooled.max(1) as f64);
    JudgingProgress { judged, pooled, share }
}

/// A subject whose document is not read yet.
struct PendingSubject {
    topic: LabTopic,
    place: usize,
    of: usize,
    before: Option<(String, String)>,
    document: String,
}

impl PendingSubject {
    fn read(self, site: &Site) -> Result<JudgedSubject, RequestTrouble> {
        let shown = document::shown(site, &self.document, &self.topic.query)?;
        let PendingSubject { topic, place, of, before, .. } = self;
        Ok(JudgedSubject { topic, place, of, before, shown })
    }
}

/// What was asked for, or else the first that this judge has not judged.
fn subject(
    judging: &Judging,
    judge: &str,
    (query, document): (&str, &str),
) -> Option<PendingSubject> {
    let (pools, log) = (judging.pools.account(), judging.log.account());
    let is_asked = pools.has(query, document);
    for topic in judging.topics.account().list() {
        if is_asked && topic.id != query {
            continue;
        }
        let order = pools.order(judge, &topic.id);
        let is_it = |name: &&str| match is_asked {
            true => *name == document,
            false => log.by(judge, &topic.id, name).is_none(),
        };
        let Some(place) = order.iter().position(is_it) else { continue };
        let before = log.by(judge, &topic.id, order[place]);
        return Some(PendingSubject {
            topic: topic.clone(),
            place: place + 1,
            of: order.len(),
            before: before.map(|line| (line.verdict.to_string(), line.note.clone())),
            document: order[place].to_owned(),
        });
    }
    None
}
