//! What is known about the pond: topics and relevance, twins, canonical forms, main text,
//! languages, and queries with graded judgements by two simulated judges (source 000, evaluation).
//!
//! Truth speaks of the core hosts only, whatever the size of the pond, and lists only pages that a
//! well-behaved crawler may fetch and index. Home and list pages have no topic and answer no query.
//! Of hazard hosts it lists, after all others, the pages of kind `hazard` that twins and aliases
//! name; a copy of a page counts as that page.

use std::collections::{BTreeMap, BTreeSet};

use encoding_rs::UTF_8;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::departments::{Departments, Lookalike, TruePaper};
use crate::hazards::{self, prose};
use crate::plan;
use crate::render::PondPage;
use crate::sites::{self, Change};
use crate::words::{PondDice, SUBS, hash, lines, topics};
use crate::{Ask, Body, Pond, Size};

#[derive(Clone, Debug, Serialize)]
pub struct Truth {
    pub seed: u64,
    /// Size of the core that this truth describes.
    pub hosts: usize,
    pub topics: Vec<&'static str>,
    pub pages: Vec<PageTruth>,
    pub twins: Vec<TrueTwin>,
    pub aliases: Vec<Alias>,
    pub changes: Vec<Change>,
    pub queries: Vec<PondQuery>,
    pub qrels: Vec<Qrel>,
    /// Of departments, in the place of all else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub papers: Vec<TruePaper>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lookalikes: Vec<Lookalike>,
}

#[derive(Clone, Debug, Serialize)]
pub struct PageTruth {
    pub url: String,
    pub host: String,
    pub kind: &'static str,
    pub title: String,
    pub language: &'static str,
    pub charset: &'static str,
    pub topic: Option<&'static str>,
    pub subtopic: Option<&'static str>,
    /// Topics this page is relevant to, grades 1 to 3; all other grades are 0.
    pub relevance: Vec<Relevance>,
    pub main_text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Relevance {
    pub topic: &'static str,
    pub grade: u8,
}

/// Two URLs with the same or nearly the same main text.
#[derive(Clone, Debug, Serialize)]
pub struct TrueTwin {
    pub a: String,
    pub b: String,
    pub kind: &'static str,
    /// Of the sets of word 3-shingles of both main texts, exactly.
    pub jaccard: f64,
}

/// A URL and the URL that stands for it.
#[derive(Clone, Debug, Serialize)]
pub struct Alias {
    pub url: String,
    pub canonical: String,
}

/// A copy on a hazard's host, and the page it was taken from.
#[derive(Clone, Debug)]
pub struct Copied {
    pub url: String,
    pub of: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct PondQuery {
    pub id: u32,
    pub text: &'static str,
    pub topic: &'static str,
    pub subtopic: &'static str,
    /// Only pages of this kind answer fully.
    pub kind: Option<&'static str>,
    /// The information need in a sentence.
    pub need: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct Qrel {
    pub query: u32,
    pub url: String,
    pub grade_a: u8,
    pub grade_b: u8,
}

pub fn truth(pond: &Pond) -> Truth {
    if let Some(departments) = &pond.departments {
        return of_papers(departments);
    }
    let pages: Vec<(PageTruth, PondPage)> = pages(pond).collect();
    let queries = queries();
    let qrels = queries.iter().flat_map(|query| qrels(pond, query, &pages)).collect();
    let (copies, aliases) = (hazards::copies(pond), hazards::aliases(pond));
    let named = hazard_pages(pond, &copies, &aliases);
    Truth {
        seed: pond.seed,
        hosts: Size::default().hosts,
        topics: topics().iter().map(|topic| topic.name).collect(),
        twins: twins(&copies, &named),
        aliases,
        changes: sites::changes(pond),
        queries,
        qrels,
        papers: Vec::new(),
        lookalikes: Vec::new(),
        pages: pages.into_iter().map(|(truth, _)| truth).chain(named.into_values()).collect(),
    }
}

fn of_papers(departments: &Departments) -> Truth {
    Truth {
        seed: departments.seed,
        hosts: departments.hosts,
        topics: Vec::new(),
        pages: Vec::new(),
        twins: Vec::new(),
        aliases: Vec::new(),
        changes: Vec::new(),
        queries: Vec::new(),
        qrels: Vec::new(),
        papers: departments.papers().collect(),
        lookalikes: departments.lookalikes(),
    }
}

fn pages(pond: &Pond) -> impl Iterator<Item = (PageTruth, PondPage)> {
    plan::core_hosts(pond).flat_map(move |host| {
        let paths: Vec<String> = sites::paths(pond, &host).collect();
        paths.into_iter().filter_map(move |path| {
            let mut page = sites::page(pond, &host, &path, 0)?;
            let truth = page_truth(&host.name, &path, &page);
            page.html = Vec::new();
            Some((truth, page))
        })
    })
}

fn page_truth(host: &str, path: &str, page: &PondPage) -> PageTruth {
    let sub = page.topic.filter(|(_, sub)| *sub < SUBS);
    PageTruth {
        url: format!("http://{host}{path}"),
        host: host.into(),
        kind: page.kind,
        title: page.title.clone(),
        language: page.language,
        charset: page.encoding.name(),
        topic: page.topic.map(|(topic, _)| topics()[topic].name),
        subtopic: sub.map(|(topic, sub)| topics()[topic].subs[sub].names[0]),
        relevance: relevance(page),
        main_text: page.main_text(),
    }
}

/// Its own topic: 3 for what treats it at length, 2 else; the topic of a side remark: 1.
fn relevance(page: &PondPage) -> Vec<Relevance> {
    let row = |topic: usize, grade| Relevance { topic: topics()[topic].name, grade };
    let own = page.topic.map(|(topic, _)| row(topic, own_grade(page)));
    let aside = page.second.filter(|second| page.topic.is_some_and(|own| own.0 != second.0));
    own.into_iter().chain(aside.map(|(topic, _)| row(topic, 1))).collect()
}

fn own_grade(page: &PondPage) -> u8 {
    match page.kind {
        "paper" | "project" | "entry" | "article" | "foreign" => 3,
        _ => 2,
    }
}

/// The pages that twins and aliases name, by URL.
fn hazard_pages(pond: &Pond, copies: &[Copied], aliases: &[Alias]) -> BTreeMap<String, PageTruth> {
    let twins = copies.iter().flat_map(|copy| [&copy.of, &copy.url]);
    let urls: BTreeSet<&String> = twins.chain(aliases.iter().map(|a| &a.canonical)).collect();
    urls.into_iter().filter_map(|url| Some((url.clone(), hazard_page(pond, url)?))).collect()
}

fn hazard_page(pond: &Pond, url: &str) -> Option<PageTruth> {
    let rest = url.strip_prefix("http://")?;
    let (host, path) = rest.split_at(rest.find('/')?);
    let Body::Bytes(html) = pond.answer(&Ask::get(host, path)).body else { return None };
    let (title, main_text) = prose::read(std::str::from_utf8(&html).ok()?)?;
    Some(PageTruth {
        url: url.into(),
        host: host.into(),
        kind: "hazard",
        title,
        language: "en",
        charset: UTF_8.name(),
        topic: None,
        subtopic: None,
        relevance: Vec::new(),
        main_text,
    })
}

fn twins(copies: &[Copied], pages: &BTreeMap<String, PageTruth>) -> Vec<TrueTwin> {
    let twin = |copy: &Copied| {
        let (a, b) = (pages.get(&copy.of)?, pages.get(&copy.url)?);
        let jaccard = jaccard(&a.main_text, &b.main_text);
        let kind = if jaccard == 1.0 { "exact" } else { "near" };
        Some(TrueTwin { a: a.url.clone(), b: b.url.clone(), kind, jaccard })
    };
    copies.iter().filter_map(twin).collect()
}

/// Jaccard coefficient of the sets of word 3-shingles; words are runs of letters and digits, in
/// lower case.
pub fn jaccard(a: &str, b: &str) -> f64 {
    let (a, b) = (shingles(a), shingles(b));
    let shared = a.iter().filter(|shingle| b.binary_search(shingle).is_ok()).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 1.0 } else { shared as f64 / all as f64 }
}

fn shingles(text: &str) -> Vec<u64> {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let mut all: Vec<u64> =
        words.windows(3).map(|three| xxh3_64(three.join(" ").as_bytes())).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// `q: words | sub-topic | kind or * | need`
/// What people ask the pond for.
pub(crate) fn query_texts() -> Vec<&'static str> {
    queries().iter().map(|query| query.text).collect()
}

fn queries() -> Vec<PondQuery> {
    let rows = lines(include_str!("../data/queries.txt"));
    rows.enumerate()
        .filter_map(|(n, (_, row))| {
            let mut fields = row.split('|').map(str::trim);
            let (text, sub) = (fields.next()?, fields.next()?);
            let kind = fields.next().filter(|kind| *kind != "*");
            let need = fields.next()?;
            let topic =
                topics().iter().find(|topic| topic.subs.iter().any(|s| s.names[0] == sub))?;
            Some(PondQuery { id: n as u32 + 1, text, topic: topic.name, subtopic: sub, kind, need })
        })
        .collect()
}

/// Judgements for every page of the query's topic: the pool that two assessors would see.
fn qrels(pond: &Pond, query: &PondQuery, pages: &[(PageTruth, PondPage)]) -> Vec<Qrel> {
    let row = |(truth, page): &(PageTruth, PondPage)| {
        let grade_a = grade(query, page);
        let pooled = grade_a > 0 || (truth.topic == Some(query.topic) && truth.language == "en");
        let grade_b = second_opinion(pond, query, &truth.url, grade_a);
        pooled.then(|| Qrel { query: query.id, url: truth.url.clone(), grade_a, grade_b })
    };
    pages.iter().filter_map(row).collect()
}

fn grade(query: &PondQuery, page: &PondPage) -> u8 {
    let about = |topic: Option<(usize, usize)>| {
        topic
            .filter(|(_, sub)| *sub < SUBS)
            .is_some_and(|(topic, sub)| topics()[topic].subs[sub].names[0] == query.subtopic)
    };
    match query.kind {
        Some(kind) if about(page.topic) => {
            if page.kind == kind {
                3
            } else {
                1
            }
        }
        None if about(page.topic) => own_grade(page),
        None if about(page.second) => 1,
        _ => 0,
    }
}

/// Judge B differs from judge A by one grade in about fifteen cases of a hundred.
fn second_opinion(pond: &Pond, query: &PondQuery, url: &str, grade: u8) -> u8 {
    let mut dice = PondDice::new(hash(pond.seed ^ u64::from(query.id), url));
    match (dice.percent(15), grade, dice.percent(50)) {
        (false, ..) => grade,
        (_, 0, _) | (_, 1 | 2, true) => grade + 1,
        _ => grade - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jaccard_is_that_of_word_triples() {
        let check = |a: &str, b: &str, value: f64| assert_eq!(jaccard(a, b), value, "{a} / {b}");
        check("a b c d", "A, b. C d!", 1.0);
        check("a b c d", "a b c e", 1.0 / 3.0);
        check("a b c", "d e f", 0.0);
        check("", "", 1.0);
    }
}
