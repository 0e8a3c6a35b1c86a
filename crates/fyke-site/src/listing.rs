//! The results of one page: by the standard ranker, or interleaved from two rankers for a search
//! that takes part in an experiment; kept in the log of searches where there is one.

use super::Site;
use super::answer::RequestTrouble;
use fyke_eval::interleave::{InterleavedDocument, Team};
use fyke_index::{CutOff, Facets, Hit, Results, SearchOptions, Weights};
use fyke_lab::searches::{Experiment, LoggedSearch, Searches, ShownResult};
use std::collections::HashMap;

pub(crate) const PAGE: usize = 10;
/// Results past this are not listed: nobody reads them, and each costs a full ranking.
pub(crate) const LAST: usize = 1_000;
/// Results past this are neither logged nor interleaved, which would cost both whole rankings; the
/// list goes on by the standard ranker.
const LAST_LOGGED: usize = 100;

/// How much a hit loses that repeats the ones before, where variety is asked for.
const DIVERSITY: f32 = 0.5;

/// What a visitor asks for.
#[derive(Clone, Debug)]
pub(crate) struct WantedPage {
    pub words: String,
    /// Results to pass over.
    pub start: usize,
    /// The search this is a further page of.
    pub from: Option<u64>,
    /// Whether it is a person's visit, to be kept in the log.
    pub counts: bool,
    /// Whether what repeats the hits before is to come later.
    pub is_diverse: bool,
}

/// A page's results.
#[derive(Debug)]
pub(crate) struct Listing {
    pub total: usize,
    /// That only a part of the documents was looked at.
    pub cut: Option<CutOff>,
    pub start: usize,
    pub hits: Vec<Hit>,
    /// What all matches are like.
    pub facets: Facets,
    pub micros: u64,
    /// The search in the log by which links can be followed.
    pub search: Option<u64>,
}

impl Listing {
    /// Where the next page begins, if there is one.
    pub(crate) fn next(&self) -> Option<usize> {
        let shown = self.start + self.hits.len();
        (shown < self.total && shown < LAST && !self.hits.is_empty()).then_some(shown)
    }
}

/// Finds the results of a page, and keeps them in the log if there is one.
pub(crate) fn list(site: &Site, wanted: &WantedPage) -> Result<Listing, RequestTrouble> {
    let start = wanted.start.min(LAST - PAGE);
    let known = site.searches.as_ref().and_then(|searches| {
        let id = known(searches, wanted, start)?;
        Some((searches, id))
    });
    let Some((searches, id)) = known else { return plain(site, wanted, start) };
    let experiment = searches.experiment(id);
    let (mut listing, placed) = match experiment {
        Some(experiment) => interleaved(site, wanted, start, (id, experiment))?,
        None => (plain(site, wanted, start)?, HashMap::new()),
    };
    let is_known = searches.shown(LoggedSearch {
        id,
        time: String::new(),
        query: wanted.words.clone(),
        start: listing.start,
        total: listing.total,
        shown: listing.hits.iter().map(|hit| shown(hit, &placed)).collect(),
        setup: experiment.map(|experiment| experiment.setup.clone()),
    });
    listing.search = is_known.then_some(id);
    Ok(listing)
}

/// The id under which the log has or will have this search: a new one for a first page, that of the
/// first page for the next. None for a page that came from elsewhere.
fn known(searches: &Searches, wanted: &WantedPage, start: usize) -> Option<u64> {
    // The log is of rankings as they are.
    if !wanted.counts || wanted.is_diverse {
        return None;
    }
    if start == 0 {
        return Some(searches.begin());
    }
    let from = wanted.from.filter(|_| start < LAST_LOGGED);
    from.filter(|&id| searches.goes_on(id, &wanted.words, start))
}

fn shown(hit: &Hit, placed: &HashMap<u64, InterleavedDocument>) -> ShownResult {
    let placed = placed.get(&hit.id);
    ShownResult {
        document: hit.id,
        url: hit.url.clone(),
        team: placed.and_then(|placed| placed.team),
        ranks: placed.map_or([None, None], |placed| placed.ranks),
    }
}

fn plain(site: &Site, wanted: &WantedPage, start: usize) -> Result<Listing, RequestTrouble> {
    let page = |start| {
        let options = SearchOptions {
            offset: start,
            limit: PAGE,
            explain: true,
            facets: true,
            diversity: wanted.is_diverse.then_some(DIVERSITY),
            ..site.options
        };
        site.search(&wanted.words, &options)
    };
    let (mut start, mut results) = (start, page(start)?);
    if results.hits.is_empty() && results.total > 0 {
        // Past the end: the last page there is.
        start = (results.total - 1) / PAGE * PAGE;
        results = page(start)?;
    }
    let Results { total, cut, hits, facets, micros, .. } = results;
    let facets = facets.unwrap_or_default();
    Ok(Listing { total, cut, start, hits, facets, micros, search: None })
}

type Interleaved = (Listing, HashMap<u64, InterleavedDocument>);

/// Both rankings down to the end of the page, as one list. The pages before come out as they were
/// shown, since the id of the search decides every toss.
fn interleaved(
    site: &Site,
    wanted: &WantedPage,
    start: usize,
    (id, experiment): (u64, &Experiment),
) -> Result<Interleaved, RequestTrouble> {
    let depth = start + PAGE;
    let ranked = |weights: Weights| {
        let more = SearchOptions { explain: true, facets: true, ..site.options };
        let options = SearchOptions { limit: depth, weights, ..more };
        site.search(&wanted.words, &options)
    };
    let (a, b) = (ranked(experiment.a.weights)?, ranked(experiment.b.weights)?);
    let ids = |results: &Results| results.hits.iter().map(|hit| hit.id).collect::<Vec<_>>();
    let list = experiment.list(&ids(&a), &ids(&b), depth, id);
    let (total, micros, facets) = (a.total, a.micros + b.micros, a.facets.clone());
    let (cut, facets) = (a.cut.or(b.cut), facets.unwrap_or_default());
    let [mut a, mut b] = [a, b].map(|results| {
        results.hits.into_iter().map(|hit| (hit.id, hit)).collect::<HashMap<_, _>>()
    });
    let page = list.get(start..).unwrap_or_default();
    // A hit explains itself by the ranker that picked it.
    let hits = page.iter().filter_map(|placed| match placed.team {
        Some(Team::B) => b.remove(&placed.document),
        _ => a.remove(&placed.document).or_else(|| b.remove(&placed.document)),
    });
    let hits = hits.collect();
    let listing = Listing { total, cut, start, hits, facets, micros, search: None };
    Ok((listing, page.iter().map(|placed| (placed.document, *placed)).collect()))
}
