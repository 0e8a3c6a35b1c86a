//! The runs that are kept and the index as it is now, side by side.

use super::super::Site;
use super::super::answer::{Frame, Trouble};
use super::figures::{self, SHOWN};
use crate::judging::runs;
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use fyke_eval::{Run, evaluate};
use serde::Serialize;
use std::sync::Arc;

/// Runs compared at the most.
const MOST: usize = 20;

/// One run.
#[derive(Debug, Serialize)]
pub struct Compared {
    pub name: String,
    /// In the order of the measures.
    pub means: Vec<f64>,
    /// Why there are no figures.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub trouble: String,
}

/// All runs.
#[derive(Debug, Serialize)]
pub struct Comparison {
    pub measures: &'static [&'static str],
    pub queries: usize,
    pub runs: Vec<Compared>,
}

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage {
    site: Frame,
    of: Comparison,
}

pub async fn page(State(site): State<Arc<Site>>) -> Response {
    super::page(site, |site| Ok(ComparePage { of: comparison(site)?, site: Frame::of(site, "") }))
        .await
}

/// The runs with their figures by all judges.
pub fn comparison(site: &Site) -> Result<Comparison, Trouble> {
    let now = figures::answers(site)?;
    let (dir, qrels) = {
        let judging = site.lab.judging()?;
        let merged = figures::judged(&judging).swap_remove(0).1;
        (judging.runs_dir(), merged)
    };
    let measured = |run: &Run| evaluate(&qrels, run, SHOWN).map(|found| found.means);
    let now = Compared {
        name: "the index now".to_owned(),
        means: measured(&now)?,
        trouble: String::new(),
    };
    let mut all = vec![now];
    for (name, path) in runs::files(&dir)?.into_iter().take(MOST) {
        let (means, trouble) = match runs::read(&path) {
            Ok(run) => (measured(&run)?, String::new()),
            Err(error) => (Vec::new(), format!("{error:#}")),
        };
        all.push(Compared { name, means, trouble });
    }
    Ok(Comparison { measures: SHOWN, queries: qrels.queries().len(), runs: all })
}
