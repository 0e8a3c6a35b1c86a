//! How large two engines are (001 "Size of the web"): the latest study of `fyke lab size`, as plots with
//! intervals, the same as a table, and how each method errs.

use crate::Site;
use crate::answer::{self, PageFrame};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use fyke_lab::plot::Plot;
use fyke_lab::size::{SizeReport, SizeRow, shown_share, size_plots};
use fyke_stages::show;
use std::sync::Arc;

/// What the template shows of a study, in words.
struct ShownStudy {
    facts: Vec<(&'static str, String)>,
    plots: Vec<String>,
    rows: Vec<ShownMethod>,
    shares: String,
    warnings: Vec<String>,
    /// Engine, words, found again, hits.
    strengths: Vec<[String; 4]>,
    addresses: Option<String>,
}

struct ShownMethod {
    row: SizeRow,
    /// Figure, interval, bootstrap and number; none where there is no figure.
    cells: Option<[String; 4]>,
    reason: String,
}

#[derive(Template)]
#[template(path = "size.html")]
struct SizePage {
    site: PageFrame,
    study: Option<ShownStudy>,
}

pub(crate) async fn page(State(site): State<Arc<Site>>) -> Response {
    answer::page(site, |site| {
        let study = SizeReport::read(site.view().root()).map(ShownStudy::of);
        Ok(SizePage { site: PageFrame::of(site, ""), study })
    })
    .await
}

impl ShownStudy {
    fn of(report: SizeReport) -> ShownStudy {
        let [a, b] = report.shares.map(shown_share);
        let plots = size_plots(&report).iter().map(Plot::inline).collect();
        let strengths = report.strengths.iter().map(|row| {
            let found = format!("{} of {}", row.there, row.of);
            [row.engine.clone(), row.words.to_string(), found, row.hits.to_string()]
        });
        let addresses = report.addresses.as_ref().map(|found| {
            format!(
                "{} drawn: {} empty, {} closed, {} excluded, {} with servers of {} pages. Keywords or a \
                 description in {} of the home pages, Dublin Core in {}.",
                found.drawn,
                found.empty,
                found.closed,
                found.excluded,
                found.servers,
                found.pages,
                shown_share(found.meta),
                shown_share(found.dublin_core)
            )
        });
        ShownStudy {
            facts: facts(&report),
            plots,
            shares: format!("Of A's pages B has {a}; of B's pages A has {b}."),
            strengths: strengths.collect(),
            addresses,
            rows: report.rows.into_iter().map(ShownMethod::of).collect(),
            warnings: report.warnings,
        }
    }
}

impl ShownMethod {
    fn of(row: SizeRow) -> ShownMethod {
        let cells = row.value.map(|value| {
            let ends = [row.interval, row.bootstrap].map(|ends| row.shown_ends(ends));
            let [interval, bootstrap] = ends;
            [row.shown(value), interval, bootstrap, row.number.to_string()]
        });
        let reason = row.reason.clone().unwrap_or_default();
        ShownMethod { row, cells, reason }
    }
}

fn facts(report: &SizeReport) -> Vec<(&'static str, String)> {
    let engine = |name: &str, known: Option<u64>| {
        let pages = known.map(|pages| format!(", {} pages", show::count(pages)));
        format!("{name}{}", pages.unwrap_or_default())
    };
    let [to_a, to_b] = report.asked;
    let mut facts = vec![
        ("A", engine(&report.first, report.known[0])),
        ("B", engine(&report.second, report.known[1])),
        ("made", show::moment(report.time)),
        ("queries sent", format!("{to_a} to A, {to_b} to B; {} pages fetched", report.fetched)),
    ];
    facts.extend(report.ended.clone().map(|why| ("ended early", why)));
    facts
}
