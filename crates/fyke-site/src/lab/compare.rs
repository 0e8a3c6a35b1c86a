//! The runs that are kept and the index as it is now, side by side; and how far the judges agree, with
//! what that does to the figures of these runs.

use super::figures;
use crate::Site;
use crate::answer::{PageFrame, RequestTrouble};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use fyke_eval::agreement::{JudgeEffect, agreement as agree, judge_effect};
use fyke_eval::compare::{Baseline, CompareOptions};
use fyke_eval::{Agreement, Comparison, Qrels, Ratings, Run, compare};
use fyke_lab::judging::{agreement, runs};
use fyke_lab::reports::{agreed, compared};
use serde::Serialize;
use std::sync::{Arc, PoisonError};

/// Runs compared at the most.
const MOST: usize = 12;
const MEASURES: &[&str] = &["nDCG@10", "AP"];
/// For tests and intervals that draw: the same runs give the same figures.
const SEED: u64 = 1;
/// The run that the others are compared with.
const NOW: &str = "index now";

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage {
    site: PageFrame,
    /// Runs that could not be read, and why.
    troubles: Vec<String>,
    of: compared::ComparisonPart,
}

#[derive(Template)]
#[template(path = "agreement.html")]
struct AgreementPage {
    site: PageFrame,
    /// None where nobody judged what another judged.
    of: Option<agreed::AgreementPart>,
}

/// How far judges agree, and what that does.
#[derive(Debug, Serialize)]
pub(crate) struct Agreed {
    #[serde(flatten)]
    agreement: Agreement,
    effect: JudgeEffect,
}

/// The agreement by a version of the log: intervals are drawn, which takes seconds of many documents.
pub(crate) type KnownAgreement = ((u64, u64), Agreement);

pub(crate) async fn page(State(site): State<Arc<Site>>) -> Response {
    super::page(site, |site| {
        let NamedRuns { read, troubles } = runs_of(site)?;
        let of = compared::ComparisonPart::new(&comparison(site, &read)?);
        Ok(ComparePage { site: PageFrame::of(site, ""), troubles, of })
    })
    .await
}

pub(crate) async fn agreement_page(State(site): State<Arc<Site>>) -> Response {
    super::page(site, |site| {
        let found = agreed_on(site)?.filter(|found| !found.agreement.pairs.is_empty());
        let of =
            found.map(|found| agreed::AgreementPart::new(&found.agreement, Some(&found.effect)));
        Ok(AgreementPage { site: PageFrame::of(site, ""), of })
    })
    .await
}

/// Each run with its name, the index as it is now first; and why others could not be read.
struct NamedRuns {
    read: Vec<(String, Run)>,
    troubles: Vec<String>,
}

fn runs_of(site: &Site) -> Result<NamedRuns, RequestTrouble> {
    let now = figures::answers(site)?;
    let dir = site.lab.judging()?.runs_dir();
    let (mut read, mut troubles) = (vec![(NOW.to_owned(), Run::clone(&now))], Vec::new());
    for (name, path) in runs::files(&dir)?.into_iter().take(MOST) {
        match runs::read(&path) {
            Ok(run) => read.push((name, run)),
            Err(error) => troubles.push(format!("{name}: {error:#}")),
        }
    }
    Ok(NamedRuns { read, troubles })
}

fn comparison(site: &Site, runs: &[(String, Run)]) -> Result<Comparison, RequestTrouble> {
    let merged: Qrels = figures::judged(&*site.lab.judging()?).swap_remove(0).1;
    let options = CompareOptions { measures: MEASURES, baseline: Baseline::First, seed: SEED };
    Ok(compare(&merged, runs, options)?)
}

/// The runs side by side, by all judges made one.
pub(crate) fn compared_runs(site: &Site) -> Result<Comparison, RequestTrouble> {
    comparison(site, &runs_of(site)?.read)
}

/// None where there are no two judges.
pub(crate) fn agreed_on(site: &Site) -> Result<Option<Agreed>, RequestTrouble> {
    let (version, judges) = {
        let judging = site.lab.judging()?;
        (judging.log.version(), agreement::by_judge(judging.log.account()))
    };
    if judges.len() < 2 {
        return Ok(None);
    }
    let effect = judge_effect(&judges, &runs_of(site)?.read, MEASURES[0])?;
    // One request at a time draws; the others wait and find it done.
    let mut known = site.lab.agreed.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, agreement)) = known.as_ref().filter(|(of, _)| *of == version) {
        return Ok(Some(Agreed { agreement: agreement.clone(), effect }));
    }
    let agreement = agree(&Ratings::new(&judges)?, SEED);
    *known = Some((version, agreement.clone()));
    Ok(Some(Agreed { agreement, effect }))
}
