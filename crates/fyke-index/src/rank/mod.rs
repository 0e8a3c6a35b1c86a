//! Ranking in two stages. The first: BM25F over the fields for every document
//! that matches, times the share of words matched. The second, for the best few hundred: signals.
//! In between, where it is likely to help, the words of the best documents join the query.

mod beginning;
mod best;
pub(crate) mod budget;
mod explain;
mod feedback;
mod languages;
pub(crate) mod part;
pub(crate) mod postings;
pub(crate) mod rankers;
pub(crate) mod segment;
pub(crate) mod signals;
mod sums;
pub(crate) mod tuning;
mod variants;
pub(crate) mod weighted;
pub(crate) mod weights;
mod window;

use tantivy::DocAddress;

use crate::facets::MAX_COUNTED;
use crate::query::{Clause, Conditions, Query};
use best::{Best, order};
use budget::{CutOff, QueryBudget, Reach};
use part::ScoredClause;
use postings::PostingSource;
use segment::{Snapshot, WeighedIndex};
use signals::Head;
use weights::Weights;
use window::{Amount, Lists, WindowEntry};

pub(crate) use explain::explain;

/// So many of the best are put in a new order by feedback where fewer are asked for: what a first page
/// shows. Who asks for as many or more gets all that the second stage looks at.
const FED: usize = 100;

/// A document that matches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub segment: usize,
    pub doc: u32,
    pub id: u64,
    pub score: f32,
    /// Whether it was looked at in the second stage.
    pub is_head: bool,
    /// Whether words of the best documents were looked for in it.
    pub is_fed: bool,
}

impl Candidate {
    /// Where its document lies.
    pub fn address(&self) -> DocAddress {
        DocAddress::new(self.segment as u32, self.doc)
    }

    /// One whose id is still to be looked up.
    fn new(segment: usize, doc: u32, score: f32) -> Candidate {
        Candidate { segment, doc, id: u64::MAX, score, is_head: false, is_fed: false }
    }
}

/// The best documents of a query, and what it takes to explain them.
pub(crate) struct Ranked {
    pub total: usize,
    pub best: Vec<Candidate>,
    /// Documents that match, by segment; of very many the first.
    pub matching: Vec<Vec<u32>>,
    parts: Vec<ScoredClause>,
    /// Words that the best documents brought in.
    feedback: Vec<ScoredClause>,
    scored: u32,
    /// What was not looked at.
    pub cut: Option<CutOff>,
}

/// The `depth` best documents for `query`, the best first; equal scores by id.
pub(crate) fn rank(
    snapshot: &Snapshot,
    query: &Query,
    depth: usize,
    (weights, budget): (&Weights, QueryBudget),
) -> tantivy::Result<Ranked> {
    let index = &snapshot.weighed(weights);
    let conditions = Conditions::of(query);
    let QueryRead { mut lists, parts, reach } = read(index, query, budget)?;
    let scored = conditions.scored.count_ones();
    let mut matching = vec![Vec::new(); lists.len()];
    let mut best = Best::new(&snapshot.segments, depth.max(weights.head));
    let total = see(index, &conditions, (&mut lists, &reach), |seen, candidate| {
        if seen <= MAX_COUNTED {
            matching[candidate.segment].push(candidate.doc);
        }
        best.push(candidate);
    });
    drop(lists);
    let mut best = best.finish();
    second_stage(index, &parts, &mut best)?;
    let fed = if depth < FED { FED.min(weights.head) } else { depth.max(weights.head) };
    let fed = best.len().min(fed);
    let feedback = feedback::join(index, &parts, &mut best[..fed])?;
    best.sort_unstable_by(order);
    let cut = reach.cut(&snapshot.segments, signals::is_nearness_cut(weights, &parts));
    Ok(Ranked { total, best, matching, parts, feedback, scored, cut })
}

/// What is read for a query.
struct QueryRead {
    /// The documents of its clauses, by segment.
    lists: Vec<Lists>,
    /// The clauses that are scored.
    parts: Vec<ScoredClause>,
    /// How far the reading went.
    reach: Reach,
}

/// Reads the posting lists of all clauses, within the budget.
fn read(index: &WeighedIndex, query: &Query, budget: QueryBudget) -> tantivy::Result<QueryRead> {
    let segments = &index.snapshot.segments;
    let sources = query.clauses().iter().map(|clause| match clause.scope.is_condition() {
        true => Ok(Vec::new()),
        false => postings::sources(index.snapshot, clause),
    });
    let sources = sources.collect::<std::io::Result<Vec<Vec<Vec<PostingSource>>>>>()?;
    let cost =
        |sources: &Vec<Vec<PostingSource>>| sources.iter().flatten().map(PostingSource::cost).sum();
    let mut reach = Reach::new(budget, segments, sources.iter().map(cost).collect());
    let new = |segment: &segment::Segment| Lists::new(segment.reader.max_doc());
    let mut lists: Vec<Lists> = segments.iter().map(new).collect();
    let mut parts = Vec::new();
    for (place, (clause, sources)) in query.clauses().iter().zip(sources).enumerate() {
        let mask = 1 << place;
        match clause.scope.is_condition() {
            true => condition(index, clause, mask, (&mut lists, &mut reach))?,
            false => {
                let (part, found) =
                    ScoredClause::find(index, clause, sources, reach.next_clause())?;
                let worth = f32::from(u8::from(clause.is_scored()));
                accumulate(index, (&part, worth), mask, found, &mut lists);
                parts.extend(clause.is_scored().then_some(part));
            }
        }
    }
    Ok(QueryRead { lists, parts, reach })
}

/// Adds the signals to the best few hundred.
fn second_stage(
    index: &WeighedIndex,
    parts: &[ScoredClause],
    best: &mut [Candidate],
) -> tantivy::Result<()> {
    let head = best.len().min(index.weights.head);
    let best = &mut best[..head];
    let amounts = Head { index, parts, candidates: best }.amounts()?;
    for (_, values) in amounts {
        best.iter_mut().zip(values).for_each(|(candidate, value)| candidate.score += value);
    }
    best.iter_mut().for_each(|candidate| candidate.is_head = true);
    best.sort_unstable_by(order);
    Ok(())
}

/// Adds the documents that fulfil a condition to the lists.
fn condition(
    index: &WeighedIndex,
    clause: &Clause,
    mask: u64,
    (lists, reach): (&mut [Lists], &mut Reach),
) -> tantivy::Result<()> {
    let mut allowance = reach.next_clause();
    for (at, (segment, lists)) in index.snapshot.segments.iter().zip(lists).enumerate() {
        // A column is gone through at once: what it costs is only counted.
        allowance.spend(at, |end, steps| {
            let found = postings::condition(segment, clause, end)?;
            *steps = steps.saturating_sub(found.len() as u64);
            lists.push(mask, found.into_iter().map(|doc| Amount { doc, score: 0.0 }).collect());
            tantivy::Result::Ok(end)
        })?;
    }
    Ok(())
}

/// Adds what a clause counts to the lists.
fn accumulate(
    index: &WeighedIndex,
    (part, worth): (&ScoredClause, f32),
    mask: u64,
    found: part::ClauseMatches,
    lists: &mut [Lists],
) {
    for (mut found, lists) in found.into_iter().zip(lists) {
        let score = |sum| worth * part.amount(sum, index.weights.k1);
        found.iter_mut().for_each(|amount| amount.score = score(amount.score));
        lists.push(mask, found);
    }
}

/// What the share of the query's clauses that were found does to a score. Who types two words wants
/// both; of twenty words some are only a manner of speaking.
fn coordination(found: u32, scored: u32, power: f32) -> f32 {
    let scored = scored.max(1) as f32;
    (found as f32 / scored).powf(power / scored)
}

/// Shows every document that matches, with its number from 1 and its score times what the share of
/// clauses found does to it; says how many there are.
fn see(
    index: &WeighedIndex,
    conditions: &Conditions,
    (lists, reach): (&mut [Lists], &Reach),
    mut take: impl FnMut(usize, Candidate),
) -> usize {
    let scored = conditions.scored.count_ones();
    let power = index.weights.coordination;
    let factors: Vec<f32> = (0..=scored).map(|found| coordination(found, scored, power)).collect();
    let mut total = 0;
    for (at, (segment, lists)) in index.snapshot.segments.iter().zip(lists).enumerate() {
        let mut look = |entry: WindowEntry| {
            if conditions.hold(entry.mask) {
                total += 1;
                let found = (entry.mask & conditions.scored).count_ones() as usize;
                take(total, Candidate::new(at, entry.doc, entry.score * factors[found]));
            }
        };
        // What is only forbidden or ruled out leaves all other documents.
        match conditions.hold(0) {
            true => {
                let live = segment.reader.doc_ids_alive().take_while(|doc| *doc < reach.end(at));
                lists.each_of(live, look);
            }
            false => lists.each(reach.end(at), &mut look),
        }
    }
    total
}
