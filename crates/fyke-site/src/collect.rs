//! A corpus that is collected by queries, as it stands: figures, the current query, the terms that tell the
//! language from others, what the learner believes, and the curves. All is read from the collection's folder, so
//! it is the same whichever process collects; the page works without scripts.

use super::Site;
use super::answer::{self, PageFrame, RequestTrouble};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use fyke_lab::collect::{self, CollectLog, CollectNow, ShownTerm};
use fyke_lab::plot::Plot;
use fyke_stages::show::{count, moment, now};
use std::sync::Arc;

#[derive(Template)]
#[template(path = "collect.html")]
struct CollectPage {
    site: PageFrame,
    state: String,
    words: String,
    figures: Vec<(&'static str, String)>,
    facts: Vec<(&'static str, String)>,
    notes: Vec<String>,
    terms: Vec<TermTable>,
    /// Parameter, value, its probability, and the same as the width of a bar.
    shares: Vec<ShareRow>,
    /// In SVG of our own.
    plots: Vec<String>,
}

struct TermTable {
    title: &'static str,
    /// Heads the columns of documents.
    heads: [&'static str; 2],
    rows: Vec<ShownTerm>,
}

struct ShareRow {
    parameter: String,
    value: String,
    share: String,
    wide: String,
}

pub(crate) async fn page(State(site): State<Arc<Site>>) -> Response {
    answer::page(site, page_of).await
}

fn page_of(site: &Site) -> Result<CollectPage, RequestTrouble> {
    let root = site.view().root();
    let missing = || {
        let what = "this collection was not collected by queries; fyke collect does that";
        RequestTrouble::Missing(what.to_owned())
    };
    let told = collect::read_now(root).ok_or_else(missing)?;
    let events = CollectLog::read(root)?;
    let curves = collect::curves(&events);
    let mut plots: Vec<String> = collect::plots(&curves).iter().map(Plot::inline).collect();
    plots.extend(collect::belief_plots(&events).iter().map(Plot::inline));
    let state = told.state(now());
    let words = match state {
        "ended" => format!("Ended: {}.", told.end),
        "running" => "Running. This page is read again every five seconds.".to_owned(),
        _ => "Interrupted: it said nothing for a while. fyke collect continues it.".to_owned(),
    };
    let share = |one: &collect::ShownShare| ShareRow {
        parameter: one.parameter.clone(),
        value: one.value.clone(),
        share: format!("{:.3}", one.share),
        wide: format!("{:.1}", 100.0 * one.share),
    };
    Ok(CollectPage {
        site: PageFrame::of(site, ""),
        state: state.to_owned(),
        words,
        figures: figures(&told),
        facts: facts(&told),
        notes: told.notes.clone(),
        shares: told.shares.iter().map(share).collect(),
        terms: vec![
            TermTable {
                title: "Words of the language",
                heads: ["in it", "in others"],
                rows: told.include,
            },
            TermTable {
                title: "Words of other languages",
                heads: ["in others", "in it"],
                rows: told.exclude,
            },
        ],
        plots,
    })
}

fn figures(told: &CollectNow) -> Vec<(&'static str, String)> {
    let mut figures = vec![
        ("documents in the language", count(told.found)),
        ("words", count(told.words)),
        ("queries", count(told.queries)),
        ("documents a query", format!("{:.2}", told.found as f64 / told.queries.max(1) as f64)),
        ("by the last 100 queries", count(told.late)),
        ("precision by the filter", format!("{:.2}", told.precision())),
        ("in other languages", count(told.wrong)),
        ("off the subject", count(told.off)),
        ("copies", count(told.copies)),
        ("too short", count(told.thin)),
        ("not to be had", count(told.dead)),
    ];
    if told.host_pages > 0 {
        figures.push(("pages of hosts crawled", count(told.host_pages)));
        figures.push(("documents of these", count(told.host_found)));
    }
    figures
}

fn facts(told: &CollectNow) -> Vec<(&'static str, String)> {
    let current = if told.end.is_empty() { "current query" } else { "last query" };
    let mut facts = vec![
        ("language", told.lang.clone()),
        ("search engine", told.engine.clone()),
        ("run", format!("{}, queries by {}", told.run, told.learner)),
        (current, told.query.clone()),
        ("its way", told.way.clone()),
        ("how much there is", told.how_much.clone()),
        ("judged sample", told.sample.clone()),
        ("as of", moment(told.time)),
    ];
    facts.retain(|fact| !fact.1.is_empty());
    facts
}
