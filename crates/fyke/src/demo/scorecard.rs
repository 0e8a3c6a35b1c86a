//! The figures of a tour: the server's judgement of the crawler, and the truth's of what it made.

use crate::cli::output::table;
use fyke_stages::show::{count, size};
use serde::Serialize;

/// What `fyke demo --json` prints. The names are a promise to scripts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scorecard {
    pub seed: u64,
    pub hosts: usize,
    pub pages_fetched: u64,
    /// Different pages, by the server's count.
    pub pages_unique: u64,
    pub budget_pages: u64,
    pub politeness_violations: u64,
    pub disallowed_fetches: u64,
    pub retry_after_violations: u64,
    pub max_in_flight_per_host: u32,
    pub trap_fetches: u64,
    /// Good pages that rules against traps and copies refused.
    pub good_pages_refused: u64,
    /// All requests of the crawl, by the server's count, for each document.
    pub requests_per_document: f64,
    pub nofollow_fetches: u64,
    pub documents: u64,
    pub indexed: u64,
    /// Pages with a topic that became documents.
    pub relevant_found: u64,
    pub relevant_total: u64,
    /// Pairs of copies that were seen to be copies.
    pub twins_found: u64,
    pub twins_total: u64,
    pub languages_right: u64,
    pub languages_total: u64,
    pub queries: usize,
    pub ndcg_at_10: f64,
    pub map: f64,
    /// Agreement of the two judges on what is relevant.
    pub judges_kappa: f64,
    pub seconds: f64,
    pub peak_rss_bytes: u64,
}

/// The scorecard for people.
#[must_use]
pub fn show(card: &Scorecard) -> String {
    let of = |part: u64, whole: u64| {
        let share = 100.0 * part as f64 / whole.max(1) as f64;
        format!("{} of {} ({share:.1} %)", count(part), count(whole))
    };
    let must = |number: u64| match number {
        0 => "0".to_string(),
        _ => format!("{}  must be 0", count(number)),
    };
    let rows: Vec<(&str, String)> = vec![
        (
            "pages fetched",
            format!("{} (budget {})", count(card.pages_fetched), count(card.budget_pages)),
        ),
        ("different pages", count(card.pages_unique)),
        ("politeness violations", must(card.politeness_violations)),
        ("disallowed fetches", must(card.disallowed_fetches)),
        ("Retry-After violations", must(card.retry_after_violations)),
        ("most in flight per host", card.max_in_flight_per_host.to_string()),
        ("fetches into traps", count(card.trap_fetches)),
        ("good pages refused", must(card.good_pages_refused)),
        ("requests per document", format!("{:.2}", card.requests_per_document)),
        ("relevant pages found", of(card.relevant_found, card.relevant_total)),
        ("copies recognised", of(card.twins_found, card.twins_total)),
        ("languages right", of(card.languages_right, card.languages_total)),
        ("nDCG@10", format!("{:.4} over {} queries", card.ndcg_at_10, card.queries)),
        ("MAP", format!("{:.4}", card.map)),
        ("the judges' kappa", format!("{:.3}", card.judges_kappa)),
        ("time", format!("{:.1} s", card.seconds)),
        ("memory at most", size(card.peak_rss_bytes)),
    ];
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(|(name, value)| vec![name.to_string(), value]).collect();
    table(&rows)
}
