//! What judges send: a grade, an undo, what was settled together. Taken only from our own pages (same
//! origin, and a token that only they know), and on the disk before it is answered.

use crate::Site;
use crate::answer::{self, Filled, RequestTrouble};
use crate::orders::is_ours;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use fyke_lab::judging::judgement::{self, SETTLED};
use fyke_lab::judging::{JudgeVerdict, Judgement};
use fyke_stages::show;
use fyke_store::archive::escaped;
use serde::Deserialize;
use std::sync::Arc;

/// What a form says.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SentJudgement {
    token: String,
    judge: String,
    query: String,
    document: String,
    grade: String,
    note: String,
}

/// What a form means.
struct TakenForm {
    judge: String,
    verdict: JudgeVerdict,
    /// The page to go to.
    next: String,
}

type FormReader = fn(&SentJudgement) -> Result<TakenForm, String>;

/// Every kind of form by the last part of its path.
const FORMS: &[(&str, FormReader)] = &[
    ("grade", |sent| {
        let judge = judgement::name(&sent.judge)?;
        let next = format!("/lab/judge?judge={}", escaped(judge.as_bytes()));
        Ok(TakenForm { judge, verdict: verdict(sent)?, next })
    }),
    ("undo", |sent| {
        let judge = judgement::name(&sent.judge)?;
        let [name, query, document] =
            [&judge, &sent.query, &sent.document].map(|text| escaped(text.as_bytes()));
        let back = format!("/lab/judge?judge={name}&query={query}&document={document}");
        Ok(TakenForm { judge, verdict: JudgeVerdict::TAKEN_BACK, next: back })
    }),
    ("settle", |sent| {
        let verdict = match sent.grade.as_str() {
            "reopen" => JudgeVerdict::TAKEN_BACK,
            _ => verdict(sent)?,
        };
        Ok(TakenForm { judge: SETTLED.to_owned(), verdict, next: "/lab/disagreements".to_owned() })
    }),
];

fn verdict(sent: &SentJudgement) -> Result<JudgeVerdict, String> {
    let found = JudgeVerdict::typed(&sent.grade);
    found.ok_or_else(|| format!("{:?} is no grade: 0, 1, 2, 3 or cannot judge", sent.grade))
}

/// Takes a form and goes on to the next page.
pub(crate) async fn take(
    State(site): State<Arc<Site>>,
    Path(what): Path<String>,
    headers: HeaderMap,
    Filled(sent): Filled<SentJudgement>,
) -> Response {
    if let Err(trouble) = check(&site, &headers, &sent) {
        return trouble.page(&site);
    }
    let taken = answer::read(&site, move |site| keep(site, &what, &sent)).await;
    match taken {
        Ok(next) => Redirect::to(&next).into_response(),
        Err(trouble) => trouble.page(&site),
    }
}

fn check(site: &Site, headers: &HeaderMap, sent: &SentJudgement) -> Result<(), RequestTrouble> {
    let open = "this site is open to other machines and takes no judgements; fyke lab judge does";
    let elsewhere = "judgements are taken only from the lab's own pages";
    is_ours(site.lab.token.as_deref(), (headers, &sent.token), [open, elsewhere])
}

/// Writes the judgement down; gives the page to go to.
fn keep(site: &Site, what: &str, sent: &SentJudgement) -> Result<String, RequestTrouble> {
    let row = FORMS.iter().find(|(known, _)| *known == what);
    let (_, read) =
        row.ok_or_else(|| RequestTrouble::Missing(format!("there is no form {what}")))?;
    let TakenForm { judge, verdict, next } = read(sent).map_err(RequestTrouble::Bad)?;
    let mut judging = site.lab.judging()?;
    let is_known = judging.pools.account().has(&sent.query, &sent.document)
        || judging.log.account().on(&sent.query, &sent.document).next().is_some();
    if !is_known {
        return Err(RequestTrouble::Missing(
            "this document is not in the pool of its topic".to_owned(),
        ));
    }
    judging.log.append(&[Judgement {
        time: show::now(),
        judge,
        query: sent.query.clone(),
        document: sent.document.clone(),
        verdict,
        note: judgement::note(&sent.note),
    }])?;
    Ok(next)
}
