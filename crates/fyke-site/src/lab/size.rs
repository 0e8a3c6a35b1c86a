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

#[derive(Template)]
#[template(path = "size.html")]
struct SizePage {
    site: PageFrame,
    report: Option<SizeReport>,
    plots: Vec<String>,
}

pub(crate) async fn page(State(site): State<Arc<Site>>) -> Response {
    answer::page(site, |site| {
        let report = SizeReport::read(site.view().root());
        let plots = report.as_ref().map(plots).unwrap_or_default();
        Ok(SizePage { site: PageFrame::of(site, ""), report, plots })
    })
    .await
}

fn plots(report: &SizeReport) -> Vec<String> {
    size_plots(report).iter().map(Plot::inline).collect()
}

fn cells(row: &SizeRow) -> [String; 4] {
    let value = row.value.map_or("–".to_owned(), |value| row.shown(value));
    [value, row.shown_ends(row.interval), row.shown_ends(row.bootstrap), row.number.to_string()]
}

fn pages(known: Option<u64>) -> String {
    known.map_or(String::new(), |pages| format!(", {} pages", show::count(pages)))
}

fn when(report: &SizeReport) -> String {
    show::moment(report.time)
}
