//! The tour of papers: what a crawl of the pond's departments found, and how its papers were read, against the truth.

use super::papers::{MOST_CITED, PaperScores, RightOf};
use super::truth::FoundOf;
use crate::cli::output::table;
use fyke_papers::graph::CitationGraph;
use fyke_papers::matching::CitedId;
use fyke_papers::models::PaperModels;
use fyke_pond::Departments;
use fyke_pond::departments::{TrueForm, TruePaper};
use fyke_stages::papers::{graph, read_paper, summary};
use fyke_stages::show::{count, size};
use fyke_store::{Place, Reason, RowKind, View};
use fyke_web::Url;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// What `fyke demo --papers --json` prints. The names are a promise to scripts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PapersScorecard {
    pub seed: u64,
    pub hosts: usize,
    pub pages_fetched: u64,
    pub budget_pages: u64,
    pub politeness_violations: u64,
    pub documents: u64,
    pub indexed: u64,
    pub papers_found: u64,
    pub papers_total: u64,
    /// Pages that were fetched until half of all papers were there; none where they never were.
    pub fetches_for_half: Option<u64>,
    pub header_words_right: f64,
    pub references_split_f1: f64,
    pub citing_sentences_f1: f64,
    pub references_matched_f1: f64,
    pub most_cited_agreement: f64,
    /// Which of the papers that are held cites which, by what the collection keeps.
    pub citations_f1: f64,
    /// Which share of the papers held that the collection lists as most cited are.
    pub listed_most_cited: f64,
    pub seconds: f64,
    pub peak_rss_bytes: u64,
}

/// The papers of a collection against the truth.
#[derive(Clone, Debug, Default)]
pub struct PaperFindings {
    pub papers: FoundOf,
    pub fetches_for_half: Option<u64>,
    pub scores: PaperScores,
    pub citations: RightOf,
    pub listed_most_cited: f64,
}

/// Reads all papers of the truth that the collection holds.
///
/// # Errors
/// When the collection cannot be read.
pub fn compare_papers(collection: &View, truth: &[TruePaper]) -> anyhow::Result<PaperFindings> {
    let models = Arc::new(PaperModels::shipped().clone());
    let mut findings = PaperFindings::default();
    let mut times = Vec::new();
    for paper in truth {
        let mut first: Option<i64> = None;
        for form in &paper.forms {
            let Some(held) = held(collection, form)? else { continue };
            let capture = collection.captures.read(held.0)?;
            if let Ok(read) = read_paper(&capture, &models) {
                findings.scores.add(paper, &read.paper, first.is_none());
            }
            first = Some(first.map_or(held.1, |before| before.min(held.1)));
        }
        findings.papers.all += 1;
        findings.papers.found += u64::from(first.is_some());
        times.extend(first);
    }
    times.sort_unstable();
    if let Some(half) = times.get((truth.len() / 2).saturating_sub(1)) {
        findings.fetches_for_half = Some(fetched_until(collection, *half)?);
    }
    let cites = Cites { held: held_papers(collection, truth)?, graph: graph(collection, true)? };
    (findings.citations, findings.listed_most_cited) =
        (cites.pairs(truth), cites.most_cited(truth));
    Ok(findings)
}

/// The papers that the collection holds, each at its place in the graph, by their numbers in the pond.
fn held_papers(collection: &View, truth: &[TruePaper]) -> anyhow::Result<HashMap<CitedId, usize>> {
    let forms =
        truth.iter().flat_map(|paper| paper.forms.iter().map(|form| (&form.url, paper.number)));
    let numbers: HashMap<&String, usize> = forms.collect();
    let mut held = HashMap::new();
    for entry in graph(collection, true)?.entries() {
        let Some(paper) = summary(collection, entry.id)? else { continue };
        let number = paper.documents.iter().find_map(|document| numbers.get(&document.url));
        held.extend(number.map(|number| (entry.id, *number)));
    }
    Ok(held)
}

/// Who cites whom, by the collection.
struct Cites {
    held: HashMap<CitedId, usize>,
    graph: CitationGraph,
}

impl Cites {
    fn number(&self, place: u32) -> Option<usize> {
        self.held.get(&self.graph.entries().get(place as usize)?.id).copied()
    }

    /// Pairs of papers of which one cites the other.
    fn pairs(&self, truth: &[TruePaper]) -> RightOf {
        let there: BTreeSet<(usize, usize)> = truth.iter().flat_map(cited_by).collect();
        let mut found = BTreeSet::new();
        for citing in 0..self.graph.entries().len() as u32 {
            let cited = self.graph.references(citing).iter();
            let pair = |cited: &u32| Some((self.number(citing)?, self.number(*cited)?));
            found.extend(cited.filter_map(pair));
        }
        let mut pairs = RightOf::default();
        pairs.add(found.intersection(&there).count(), there.len(), found.len());
        pairs
    }

    /// The share of the papers most cited by the collection that are among those most cited.
    fn most_cited(&self, truth: &[TruePaper]) -> f64 {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        let cited = truth.iter().flat_map(cited_by).collect::<BTreeSet<_>>();
        cited.iter().for_each(|(_, cited)| *counts.entry(*cited).or_default() += 1);
        let mut all: Vec<usize> = counts.values().copied().collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        let least = all.get(MOST_CITED - 1).copied().unwrap_or(1);
        let places = 0..self.graph.entries().len() as u32;
        let mut listed: Vec<(usize, u32)> =
            places.map(|place| (self.graph.cited_by(place).len(), place)).collect();
        listed.sort_unstable_by(|a, b| b.cmp(a));
        listed.truncate(MOST_CITED);
        let is_right = |(_, place): &&(usize, u32)| {
            self.number(*place).is_some_and(|number| counts.get(&number) >= Some(&least))
        };
        listed.iter().filter(is_right).count() as f64 / listed.len().max(1) as f64
    }
}

/// The papers of the pond that a paper cites, each with it.
fn cited_by(paper: &TruePaper) -> impl Iterator<Item = (usize, usize)> + '_ {
    let works = paper.references.iter().map(|reference| reference.work);
    works.filter(|work| *work < Departments::PAPERS).map(|work| (paper.number, work))
}

/// Where the capture of a file stands, and when it was fetched.
fn held(collection: &View, form: &TrueForm) -> anyhow::Result<Option<(Place, i64)>> {
    let row = collection.ledger.get(Url::parse(&form.url)?.id())?;
    let row = row.filter(|row| row.reason == Reason::Kept);
    Ok(row.and_then(|row| Some((row.capture?, row.fetched?))))
}

/// Pages that were fetched up to a time.
fn fetched_until(collection: &View, time: i64) -> anyhow::Result<u64> {
    let mut fetched = 0;
    for row in collection.ledger.rows() {
        let (_, row) = row?;
        let is_page = row.kind == RowKind::Page && row.capture.is_some();
        fetched += u64::from(is_page && row.fetched.is_some_and(|at| at <= time));
    }
    Ok(fetched)
}

/// The scorecard for people.
#[must_use]
pub fn show_papers(card: &PapersScorecard) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let found = card.papers_found as f64 / card.papers_total.max(1) as f64;
    let half = card.fetches_for_half.map_or_else(|| "never".to_owned(), count);
    let fetched = format!("{} (budget {})", count(card.pages_fetched), count(card.budget_pages));
    let rows: Vec<(&str, String)> = vec![
        ("pages fetched", fetched),
        ("politeness violations", count(card.politeness_violations)),
        (
            "papers found",
            format!("{} of {} ({})", card.papers_found, card.papers_total, percent(found)),
        ),
        ("pages for half of them", half),
        ("header words right", percent(card.header_words_right)),
        ("references split, F1", format!("{:.3}", card.references_split_f1)),
        ("citing sentences, F1", format!("{:.3}", card.citing_sentences_f1)),
        ("references matched, F1", format!("{:.3}", card.references_matched_f1)),
        ("most cited agreement", percent(card.most_cited_agreement)),
        ("citations kept, F1", format!("{:.3}", card.citations_f1)),
        ("most cited as listed", percent(card.listed_most_cited)),
        ("documents", count(card.documents)),
        ("time", format!("{:.1} s", card.seconds)),
        ("memory at most", size(card.peak_rss_bytes)),
    ];
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    table(&rows)
}
