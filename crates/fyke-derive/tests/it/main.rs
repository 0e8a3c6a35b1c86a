//! Derivations on whole collections: what is made in parts is what is made at once, and what was stopped
//! goes on.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod comments;
mod damage;
mod fresh;
mod memory;
mod names;
mod papers;
mod parts;
mod resume;
mod skims;
mod subject;
mod titles;
mod unfinished;

use fyke_derive::page::{anchors, canonical, print, rights};
use fyke_derive::whole::citations::KnownPapers;
use fyke_derive::whole::spam::KnownSpam;
use fyke_derive::whole::{
    compounds, corpus, graph, reasons, templates, titles as host_titles, topics, twins,
};
use fyke_derive::{DeriveSettings, Eagerness, Orders};
use fyke_store::{Collection, Column, Reason, Round, Row, Single};
use fyke_web::{Capture, Url, UrlId};
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use tempfile::TempDir;

pub fn new_collection() -> (TempDir, Collection) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("fyke.toml"), "").unwrap();
    let collection = Collection::open(dir.path()).unwrap();
    (dir, collection)
}

pub fn id(url: &str) -> UrlId {
    Url::parse(url).unwrap().id()
}

pub fn capture(url: &str, time: i64, html: &str) -> Capture {
    Capture {
        url: Url::parse(url).unwrap(),
        time,
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html; charset=utf-8".to_owned())],
        payload: html.as_bytes().to_vec(),
        truncated: None,
    }
}

/// Commits captures as a crawl would.
pub fn commit(collection: &Collection, captures: &[Capture]) {
    let rows = captures.iter().map(|capture| {
        let row = Row::new(capture.url.as_str(), Reason::Kept, capture.time);
        (capture.url.id(), row)
    });
    let rows = rows.collect();
    let captures = captures.iter().map(|capture| (Vec::new(), capture.clone())).collect();
    collection.commit(Round { captures, rows, hosts: Vec::new() }).unwrap();
}

pub fn settings() -> DeriveSettings {
    let outline = topics::Outline {
        names: vec!["sea".to_owned(), "land".to_owned()],
        keywords: vec![vec!["tide".to_owned()], vec!["hill".to_owned()]],
        even: false,
        rest: true,
    };
    DeriveSettings {
        near_duplicate: 0.8,
        min_words: 8,
        languages: Vec::new(),
        outline: Some(outline),
        subject: None,
        names: false,
        papers: KnownPapers::default(),
        spam: KnownSpam::default(),
    }
}

/// Makes pages and all that is due.
pub fn run(collection: &Collection, pace: Eagerness, only: Option<&'static str>) {
    let settings = settings();
    let mut orders = Orders { settings: &settings, pace, only, observe: &mut |_| () };
    fyke_derive::run(collection, &mut orders).unwrap();
}

/// Every cell but those that tell when it was made, as text.
pub fn dump(collection: &Collection) -> Vec<String> {
    fn all<T: DeserializeOwned + Debug>(collection: &Collection, column: &Column<T>) -> String {
        let cells: Vec<_> = collection.cells().all(column).map(Result::unwrap).collect();
        format!("{}: {cells:?}", column.declaration().name)
    }
    fn one<T: DeserializeOwned + Debug>(collection: &Collection, single: &Single<T>) -> String {
        let value = collection.cells().value(single).unwrap();
        format!("{}: {value:?}", single.declaration().name)
    }
    let anchors: Vec<_> =
        collection.cells().all_in(&anchors::ANCHORS).map(Result::unwrap).collect();
    let sketches: Vec<_> =
        collection.cells().all_in(&twins::SKETCHES).map(Result::unwrap).collect();
    let documents: Vec<_> = collection.documents.all().map(Result::unwrap).collect();
    let figures = topics::figures(collection).unwrap();
    let figures = figures.map(|figures| topics::TopicTreeFigures { trained: 0, ..figures });
    let totals = fyke_derive::totals(&collection.cells()).unwrap();
    vec![
        format!("{documents:?}"),
        format!("{anchors:?}"),
        format!("{figures:?}"),
        format!("{}", totals.documents),
        all(collection, &print::PRINTS),
        all(collection, &rights::RIGHTS),
        all(collection, &canonical::CANONICAL),
        all(collection, &twins::TWINS),
        all(collection, &twins::COPIES),
        format!("{sketches:?}"),
        all(collection, &templates::TEMPLATES),
        all(collection, &reasons::REASONS),
        all(collection, &host_titles::TITLES),
        all(collection, &graph::RANKS),
        all(collection, &topics::TOPICS),
        one(collection, &graph::GRAPH),
        one(collection, &compounds::COMPOUNDS),
        one(collection, &corpus::CORPUS),
    ]
}

/// Some pages: texts on two subjects, copies, thin ones, canonical links, licences, links between them.
pub fn pages(count: u64) -> Vec<Capture> {
    let page = |n: u64| {
        // Every fifth is a copy of the one before.
        let text = n - u64::from(n % 5 == 4);
        let subject = if text.is_multiple_of(2) { "tide" } else { "hill" };
        let length = if text % 7 == 3 { 3 } else { 60 };
        let words: Vec<String> =
            (0..length).map(|w| format!("{subject} word{}", (text * 31 + w * w) % 97)).collect();
        let links: Vec<String> =
            (1..4).map(|k| format!("<a href='/{}'>to {k}</a>", (n * 7 + k * k) % count)).collect();
        let canonical = if n % 5 == 4 { "<link rel=canonical href='/4'>" } else { "" };
        let licence = "<a rel=license href='https://creativecommons.org/licenses/by/4.0/'>cc</a>";
        let html = format!(
            "<html lang=en><title>Page {text}</title>{canonical}<body><p>{}</p>{} {licence}</body>",
            words.join(" "),
            links.join(" ")
        );
        capture(&format!("http://a.test/{n}"), 1_000 + n as i64, &html)
    };
    (0..count).map(page).collect()
}
