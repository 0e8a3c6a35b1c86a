//! The first page: the search box, and what the collection is about: examples of its own words, its topics, its
//! newest documents.

use super::answer::{self, PageFrame, RequestTrouble};
use super::{Site, private};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use fyke_derive::whole::topics;
use fyke_index::Hit;
use fyke_stages::corpus;
use fyke_stages::show::{self, count};
use fyke_store::{HostRow, StoreError};
use fyke_text::stop;
use fyke_web::UrlId;
use std::sync::Arc;

/// Topics and documents shown at the most.
const TOPICS: usize = 12;
const NEWEST: usize = 5;
/// Letters of a word that is shown as an example.
const LEAST_LETTERS: usize = 5;
/// Letters of which an example shows the beginning of a word.
const BEGINNING: usize = 4;
const DAY: i64 = 86_400_000;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    site: PageFrame,
    hosts: String,
    /// Two words of the collection, and the beginning of the first.
    words: [String; 3],
    /// With the number of their documents.
    topics: Vec<(String, String)>,
    newest: Vec<NewDocument>,
}

/// A document with its date.
struct NewDocument {
    key: String,
    title: String,
    host: String,
    date: String,
}

pub(crate) async fn page(State(site): State<Arc<Site>>) -> Response {
    answer::page(site, page_of).await
}

fn page_of(site: &Site) -> Result<HomePage, RequestTrouble> {
    // What is made of all documents is not told to others where some are private.
    let is_told = !site.hides_private();
    Ok(HomePage {
        site: PageFrame::of(site, ""),
        hosts: count(site.view().ledger.hosts().filter(fetched_from).count() as u64),
        words: words(site, is_told)?,
        topics: if is_told { largest_topics(site)? } else { Vec::new() },
        newest: newest(site)?,
    })
}

fn fetched_from(host: &Result<(String, HostRow), StoreError>) -> bool {
    host.as_ref().is_ok_and(|(_, row)| row.pages > 0)
}

/// The most frequent words that say something, or two of anybody's.
fn words(site: &Site, is_told: bool) -> Result<[String; 3], RequestTrouble> {
    let last = if is_told { corpus::last(site.view())? } else { None };
    let languages: Vec<&str> = stop::languages().collect();
    let says = |word: &String| {
        word.chars().count() >= LEAST_LETTERS
            && word.chars().all(char::is_alphabetic)
            && !languages.iter().any(|language| fyke_text::is_stop(language, word))
    };
    let top = last.into_iter().flat_map(|corpus| corpus.vocabulary.top).map(|(word, _)| word);
    let mut top = top.filter(says);
    let (first, second) = match (top.next(), top.next()) {
        (Some(first), Some(second)) => (first, second),
        _ => ("tidal".to_owned(), "turbine".to_owned()),
    };
    let beginning = first.chars().take(BEGINNING).collect();
    Ok([first, second, beginning])
}

fn largest_topics(site: &Site) -> Result<Vec<(String, String)>, RequestTrouble> {
    let figures = topics::figures(site.view())?.unwrap_or_default();
    let mut rows: Vec<_> = figures.topics.into_iter().filter(|topic| topic.documents > 0).collect();
    rows.sort_by(|a, b| b.documents.cmp(&a.documents).then_with(|| a.name.cmp(&b.name)));
    let rows = rows.into_iter().take(TOPICS);
    Ok(rows.map(|topic| (topic.name, count(topic.documents))).collect())
}

/// The documents of the latest dates that are not to come, without those that are kept back.
fn newest(site: &Site) -> Result<Vec<NewDocument>, RequestTrouble> {
    let is_shown = |id| Ok::<_, RequestTrouble>(!private::is_kept_back(site, UrlId(id))?);
    let found = site.index().newest_shown(show::now() / DAY, NEWEST, is_shown)?;
    let row = |(day, hit): (i64, Hit)| {
        let date = show::moment(day * DAY);
        let date = date.split(' ').next().unwrap_or_default().to_owned();
        let title = if hit.title.is_empty() { hit.url } else { hit.title };
        NewDocument { key: answer::key(hit.id), title, host: hit.host, date }
    };
    Ok(found.into_iter().map(row).collect())
}
