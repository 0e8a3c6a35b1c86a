//! Ranking in two stages. The first: BM25F over the fields for every document
//! that matches, times the share of words matched. The second, for the best few hundred: signals.
//! In between, where it is likely to help, the words of the best documents join the query.

mod beginning;
mod best;
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
use part::Part;
use segment::{Segment, Snapshot, Weighed};
use signals::Head;
use weights::Weights;
use window::{Entry, Lists};

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
    parts: Vec<Part>,
    /// Words that the best documents brought in.
    feedback: Vec<Part>,
    scored: u32,
}

/// The `depth` best documents for `query`, the best first; equal scores by id.
pub(crate) fn rank(
    snapshot: &Snapshot,
    query: &Query,
    depth: usize,
    weights: &Weights,
) -> tantivy::Result<Ranked> {
    let index = &snapshot.weighed(weights);
    let conditions = Conditions::of(query);
    let mut lists: Vec<Lists> = snapshot.segments.iter().map(|_| Lists::default()).collect();
    let mut parts = Vec::new();
    for (place, clause) in query.clauses().iter().enumerate() {
        parts.extend(accumulate(index, clause, 1 << place, &mut lists)?);
    }
    let scored = conditions.scored.count_ones();
    let mut matching = vec![Vec::new(); lists.len()];
    let mut best = Best::new(&snapshot.segments, depth.max(weights.head));
    let total = see(index, &conditions, &lists, |seen, candidate| {
        if seen <= MAX_COUNTED {
            matching[candidate.segment].push(candidate.doc);
        }
        best.push(candidate);
    });
    let mut best = best.finish();
    second_stage(index, &parts, &mut best)?;
    let fed = if depth < FED { FED.min(weights.head) } else { depth.max(weights.head) };
    let fed = best.len().min(fed);
    let feedback = feedback::join(index, &parts, &mut best[..fed])?;
    best.sort_unstable_by(order);
    Ok(Ranked { total, best, matching, parts, feedback, scored })
}

/// Adds the signals to the best few hundred.
fn second_stage(index: &Weighed, parts: &[Part], best: &mut [Candidate]) -> tantivy::Result<()> {
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

/// Adds one clause to the lists; gives its part if it is scored.
fn accumulate(
    index: &Weighed,
    clause: &Clause,
    mask: u64,
    lists: &mut [Lists],
) -> tantivy::Result<Option<Part>> {
    if clause.scope.is_condition() {
        for (segment, lists) in index.snapshot.segments.iter().zip(lists) {
            let found = postings::condition(segment, clause)?.into_iter();
            lists.push(found.map(|doc| Entry { doc, score: 0.0, mask }).collect());
        }
        return Ok(None);
    }
    let (part, found) = Part::find(index, clause)?;
    let worth = f32::from(u8::from(clause.is_scored()));
    let score = |sum| worth * part.amount(sum, index.weights.k1);
    for (mut found, lists) in found.into_iter().zip(lists) {
        found.iter_mut().for_each(|entry| (entry.score, entry.mask) = (score(entry.score), mask));
        lists.push(found);
    }
    Ok(clause.is_scored().then_some(part))
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
    index: &Weighed,
    conditions: &Conditions,
    lists: &[Lists],
    mut take: impl FnMut(usize, Candidate),
) -> usize {
    let scored = conditions.scored.count_ones();
    let power = index.weights.coordination;
    let factors: Vec<f32> = (0..=scored).map(|found| coordination(found, scored, power)).collect();
    let mut total = 0;
    for (at, (segment, lists)) in index.snapshot.segments.iter().zip(lists).enumerate() {
        let mut look = |entry: Entry| {
            if conditions.hold(entry.mask) {
                total += 1;
                let found = (entry.mask & conditions.scored).count_ones() as usize;
                take(total, Candidate::new(at, entry.doc, entry.score * factors[found]));
            }
        };
        // What is only forbidden or ruled out leaves all other documents.
        match conditions.hold(0) {
            true => every(segment, lists, look),
            false => lists.each(&mut look),
        }
    }
    total
}

/// Shows every live document, also those that no list has, with what the lists say of it.
fn every(segment: &Segment, lists: &Lists, mut look: impl FnMut(Entry)) {
    let none = |doc| Entry { doc, score: 0.0, mask: 0 };
    let mut all: Vec<Entry> = (0..segment.reader.max_doc()).map(none).collect();
    lists.each(|entry| all[entry.doc as usize] = entry);
    segment.reader.doc_ids_alive().for_each(|doc| look(all[doc as usize]));
}
