//! What a collection holds against what the pond knows.

use fyke_eval::{Qrels, Run, evaluate, kappa};
use fyke_index::SearchOptions;
use fyke_pond::Truth;
use fyke_stages::config::Config;
use fyke_stages::search;
use fyke_store::{Reason, View};
use fyke_web::{Url, UrlId};
use std::collections::HashMap;

/// Hits looked at for each query.
const DEPTH: usize = 100;

/// By which a URL is left out for what it looks like, or for what others like it brought.
const REFUSALS: [Reason; 7] = [
    Reason::TrapPath,
    Reason::TrapCalendar,
    Reason::TrapLength,
    Reason::TrapQuery,
    Reason::TrapSame,
    Reason::DupParameter,
    Reason::Mirror,
];

/// So many of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoundOf {
    pub found: u64,
    pub all: u64,
}

impl FoundOf {
    fn count(&mut self, is_found: bool) {
        self.all += 1;
        self.found += u64::from(is_found);
    }
}

/// How much of the truth was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    pub relevant: FoundOf,
    /// Pages of the truth that rules against traps and copies kept from being fetched, and that no document stands for.
    pub good_refused: u64,
    pub twins: FoundOf,
    pub languages: FoundOf,
    pub queries: usize,
    pub ndcg_at_10: f64,
    pub map: f64,
    pub judges_kappa: f64,
}

/// Compares the collection with the truth. Copies of a page count as the page.
///
/// # Errors
/// When the collection or its index cannot be read.
pub fn compare(collection: &View, truth: &Truth, near: f64) -> anyhow::Result<Findings> {
    let stands_for = stands_for(truth);
    let (mut relevant, mut languages) = (FoundOf::default(), FoundOf::default());
    let mut good_refused = 0;
    let found = found_pages(collection, &stands_for)?;
    for page in &truth.pages {
        let document = id(&page.url).and_then(|id| found.get(&id));
        good_refused += u64::from(document.is_none() && is_refused(collection, &page.url)?);
        if !page.relevance.is_empty() {
            relevant.count(document.is_some());
        }
        if let Some(language) = document {
            languages.count(language == page.language);
        }
    }
    let (qrels, run) = (qrels(truth), run(collection, truth, &stands_for)?);
    let figures = evaluate(&qrels, &run, &["nDCG@10", "AP"])?;
    let mean = |name: &str| figures.mean(name).unwrap_or(0.0);
    Ok(Findings {
        relevant,
        good_refused,
        twins: twins(collection, truth, near)?,
        languages,
        queries: truth.queries.len(),
        ndcg_at_10: mean("nDCG@10"),
        map: mean("AP"),
        judges_kappa: agreement(truth),
    })
}

fn id(url: &str) -> Option<UrlId> {
    Url::parse(url).ok().map(|url| url.id())
}

/// Whether a URL was refused by a rule against traps or copies.
fn is_refused(collection: &View, url: &str) -> anyhow::Result<bool> {
    let Some(id) = id(url) else { return Ok(false) };
    let row = collection.ledger.get(id)?;
    Ok(row.is_some_and(|row| REFUSALS.contains(&row.reason)))
}

/// Copies and other names of a page → the page the truth lists.
fn stands_for(truth: &Truth) -> HashMap<UrlId, UrlId> {
    let twins = truth.twins.iter().map(|twin| (&twin.b, &twin.a));
    let aliases = truth.aliases.iter().map(|alias| (&alias.url, &alias.canonical));
    twins.chain(aliases).filter_map(|(copy, page)| Some((id(copy)?, id(page)?))).collect()
}

/// Follows copies of copies; the bound keeps a loop in the tables from being one here.
fn page_of(stands_for: &HashMap<UrlId, UrlId>, mut id: UrlId) -> UrlId {
    for _ in 0..4 {
        match stands_for.get(&id) {
            Some(page) => id = *page,
            None => break,
        }
    }
    id
}

/// Pages of the truth that became documents, with their language. The page's own document wins
/// over a copy's.
fn found_pages(
    collection: &View,
    stands_for: &HashMap<UrlId, UrlId>,
) -> anyhow::Result<HashMap<UrlId, String>> {
    let mut found = HashMap::new();
    for document in collection.documents.all() {
        let document = document?;
        let page = page_of(stands_for, document.id);
        if page == document.id || !found.contains_key(&page) {
            found.insert(page, document.language);
        }
    }
    Ok(found)
}

/// Pairs that are copies at the collection's threshold, and how many of them share a representative.
fn twins(collection: &View, truth: &Truth, near: f64) -> anyhow::Result<FoundOf> {
    let mut found = FoundOf::default();
    let representative = |id: UrlId| -> anyhow::Result<Option<UrlId>> {
        if collection.documents.get(id)?.is_none() {
            return Ok(None);
        }
        Ok(Some(fyke_stages::twin(collection, id)?.map_or(id, |twin| twin.of)))
    };
    for twin in truth.twins.iter().filter(|twin| twin.jaccard >= near) {
        let (Some(a), Some(b)) = (id(&twin.a), id(&twin.b)) else { continue };
        let (a, b) = (representative(a)?, representative(b)?);
        found.count(a.is_some() && a == b);
    }
    Ok(found)
}

fn qrels(truth: &Truth) -> Qrels {
    let mut qrels = Qrels::default();
    for qrel in &truth.qrels {
        qrels.insert(&qrel.query.to_string(), &qrel.url, i32::from(qrel.grade_a));
    }
    qrels
}

/// Every query of the truth asked of the index; hits are named as the truth names the page.
fn run(
    collection: &View,
    truth: &Truth,
    stands_for: &HashMap<UrlId, UrlId>,
) -> anyhow::Result<Run> {
    let index = search::index(collection.root(), &Config::default())?;
    let names: HashMap<UrlId, &str> =
        truth.pages.iter().filter_map(|page| Some((id(&page.url)?, page.url.as_str()))).collect();
    let mut run = Run::new("fyke");
    for query in &truth.queries {
        let options = SearchOptions { limit: DEPTH, ..SearchOptions::default() };
        let results = search::search(&index, query.text, &options)?;
        for (rank, hit) in results.hits.iter().enumerate() {
            let page = page_of(stands_for, UrlId(hit.id));
            let name = names.get(&page).copied().unwrap_or(&hit.url);
            // The place, not the score: equal scores keep the order that people see.
            let score = (DEPTH - rank) as f32;
            let topic = query.id.to_string();
            let better = run.score(&topic, name).is_some();
            if !better {
                run.insert(&topic, name, score);
            }
        }
    }
    Ok(run)
}

fn agreement(truth: &Truth) -> f64 {
    let relevant = |grade: u8| grade > 0;
    let pairs: Vec<(bool, bool)> =
        truth.qrels.iter().map(|q| (relevant(q.grade_a), relevant(q.grade_b))).collect();
    kappa(&pairs).map_or(0.0, |agreement| agreement.value)
}
