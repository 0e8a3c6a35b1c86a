//! Experiments on the site: who wins, how certain that is, and clickthrough by rank (000 "A/B
//! testing").

use crate::Site;
use crate::answer::{self, PageFrame, RequestTrouble};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use fyke_eval::clicks::Clickthrough;
use fyke_lab::searches::{self, POSITION_BIAS, SearchFindings};
use fyke_stages::show::count;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "experiments.html")]
struct ExperimentsPage {
    site: PageFrame,
    is_logging: bool,
    bias: &'static str,
    found: SearchFindings,
}

pub(crate) async fn page(State(site): State<Arc<Site>>) -> Response {
    answer::page(site, |site| {
        Ok(ExperimentsPage {
            site: PageFrame::of(site, ""),
            is_logging: site.searches.is_some(),
            bias: POSITION_BIAS,
            found: findings(site)?,
        })
    })
    .await
}

/// What the log says now.
pub(crate) fn findings(site: &Site) -> Result<SearchFindings, RequestTrouble> {
    let root = site.view().root().to_owned();
    Ok(SearchFindings::of(&searches::read(&root)?.searches))
}

/// A share and its interval as people read them.
fn percent(share: f64, [low, high]: [f64; 2]) -> String {
    format!("{:.1} % ({:.1} to {:.1})", share * 100.0, low * 100.0, high * 100.0)
}

fn row(rank: &Clickthrough) -> [String; 4] {
    let share = percent(rank.share, rank.interval);
    [rank.rank.to_string(), count(rank.shown), count(rank.clicked), share]
}
