//! Documents on which judges differ, to be looked at and settled together.

use crate::Site;
use crate::answer::{self, PageFrame, RequestTrouble, SearchRequest};
use askama::Template;
use axum::extract::{Query as Behind, State};
use axum::response::Response;
use fyke_lab::judging::agreement::{self, GradeDisagreement};
use fyke_web::Url;
use std::sync::Arc;

/// Documents on one page.
const PAGE: usize = 25;

#[derive(Template)]
#[template(path = "disagreements.html")]
struct DisagreementsPage {
    site: PageFrame,
    token: String,
    to_settle: usize,
    settled: usize,
    rows: Vec<DisagreementRow>,
    earlier: Option<usize>,
    later: Option<usize>,
}

struct DisagreementRow {
    apart: GradeDisagreement,
    topic: String,
    need: String,
    title: String,
    /// Of the document, where the collection holds it.
    key: Option<String>,
}

pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    super::page(site, move |site| page_of(site, asked.number("start").unwrap_or(0))).await
}

fn page_of(site: &Site, start: usize) -> Result<DisagreementsPage, RequestTrouble> {
    let (all, topics) = {
        let judging = site.lab.judging()?;
        let topics = judging.topics.account();
        let topic =
            |apart: &GradeDisagreement| topics.get(&apart.query).cloned().unwrap_or_default();
        let all = agreement::disagreements(judging.log.account());
        let topics: Vec<_> = all.iter().skip(start).take(PAGE).map(topic).collect();
        (all, topics)
    };
    let settled = all.iter().filter(|row| row.settled.is_some()).count();
    let (total, mut rows) = (all.len(), Vec::new());
    for (apart, topic) in all.into_iter().skip(start).zip(topics) {
        let held = match Url::stored(&apart.document) {
            Ok(url) => fyke_derive::document(site.view(), url.id())?,
            Err(_) => None,
        };
        let key = held.as_ref().map(|document| answer::key(document.id.0));
        let title = held.map(|document| document.title).filter(|title| !title.is_empty());
        let title = title.unwrap_or_else(|| apart.document.clone());
        rows.push(DisagreementRow { apart, topic: topic.query, need: topic.need, title, key });
    }
    let shown = start + rows.len();
    Ok(DisagreementsPage {
        site: PageFrame::of(site, ""),
        token: site.lab.token.clone().unwrap_or_default(),
        to_settle: total - settled,
        settled,
        rows,
        earlier: (start > 0).then(|| start.saturating_sub(PAGE)),
        later: (shown < total && shown > start).then_some(shown),
    })
}
