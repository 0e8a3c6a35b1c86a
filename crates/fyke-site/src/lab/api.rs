//! The lab as JSON: all of it, or a part; qrels as TREC has them.

use super::{compare, experiments, overview};
use crate::Site;
use crate::answer::{self, RequestTrouble, SearchRequest};
use crate::api::respond;
use axum::extract::{Path, Query as Behind, State};
use axum::response::{IntoResponse, Response};
use fyke_lab::judging::agreement;
use fyke_lab::judging::merge::{self, MERGES};
use fyke_lab::size::SizeReport;
use serde_json::{Value, json};
use std::sync::Arc;

type ApiPart = fn(&Site, &SearchRequest) -> Result<Value, RequestTrouble>;

/// Every part; those of the standing are found there.
const PARTS: &[(&str, ApiPart)] = &[
    ("disagreements", |site, _| {
        Ok(json!(agreement::disagreements(site.lab.judging()?.log.account())))
    }),
    ("compare", |site, _| Ok(json!(compare::compared_runs(site)?))),
    ("experiments", |site, _| Ok(json!(experiments::findings(site)?))),
    ("size", |site, _| Ok(json!(SizeReport::read(site.view().root())))),
    ("agreed", |site, _| Ok(json!(compare::agreed_on(site)?))),
    ("judgements", |site, asked| {
        let judging = site.lab.judging()?;
        let judge = asked.text("judge");
        let lines = judging.log.account().holding();
        let lines = lines.filter(|line| judge.is_empty() || line.judge == judge);
        Ok(json!(lines.collect::<Vec<_>>()))
    }),
    ("history", |site, _| Ok(json!(site.lab.judging()?.log.account().history()))),
];

pub(crate) async fn all(State(site): State<Arc<Site>>) -> Response {
    respond(&site, |site| Ok(json!(overview::standing(site)?))).await
}

pub(crate) async fn part(
    State(site): State<Arc<Site>>,
    Path(part): Path<String>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    if part == "qrels" {
        return match answer::read(&site, move |site| qrels(site, &asked)).await {
            Ok(text) => text.into_response(),
            Err(trouble) => trouble.answer(),
        };
    }
    respond(&site, move |site| {
        if let Some((_, read)) = PARTS.iter().find(|(name, _)| *name == part) {
            return read(site, &asked);
        }
        let standing = json!(overview::standing(site)?);
        let missing = || RequestTrouble::Missing(format!("the lab has no {part:?}"));
        standing.get(&part).cloned().ok_or_else(missing)
    })
    .await
}

/// The grades of one judge, or of all made one.
fn qrels(site: &Site, asked: &SearchRequest) -> Result<String, RequestTrouble> {
    let judging = site.lab.judging()?;
    let (judge, way) = (asked.text("judge"), asked.text("merge"));
    if !judge.is_empty() {
        return Ok(judging.log.account().qrels(&judge).to_string());
    }
    let way = if way.is_empty() { Some(&MERGES[0]) } else { merge::find(&way) };
    let way =
        way.ok_or_else(|| RequestTrouble::Bad("merge is majority, median or max".to_owned()))?;
    Ok(merge::merged(judging.log.account(), way).to_string())
}
