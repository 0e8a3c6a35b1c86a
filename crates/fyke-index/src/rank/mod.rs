//! Ranking in two stages. The first: BM25F over the fields for every document
//! that matches, times the share of words matched. The second, for the best few hundred: signals.
//! In between, where it is likely to help, the words of the best documents join the query.

mod accumulators;
mod beginning;
mod explain;
mod feedback;
mod languages;
pub(crate) mod part;
pub(crate) mod postings;
pub(crate) mod rankers;
pub(crate) mod segment;
pub(crate) mod signals;
pub(crate) mod tuning;
mod variants;
pub(crate) mod weighted;
pub(crate) mod weights;

use tantivy::DocAddress;

use crate::facets::MAX_COUNTED;
use crate::query::{Clause, Conditions, Query};
use accumulators::{Accumulators, Best, order};
use part::Part;
use segment::{Snapshot, Weighed};
use signals::Head;
use weights::Weights;

pub(crate) use explain::explain;

/// A document that matches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub segment: usize,
    pub doc: u32,
    pub id: u64,
    pub score: f32,
    /// Whether it was looked at in the second stage.
    pub is_head: bool,
}

impl Candidate {
    /// Where its document lies.
    pub fn address(&self) -> DocAddress {
        DocAddress::new(self.segment as u32, self.doc)
    }

    /// One whose id is still to be looked up.
    fn new(segment: usize, doc: u32, score: f32) -> Candidate {
        Candidate { segment, doc, id: u64::MAX, score, is_head: false }
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
    let mut accumulators = snapshot.pool.take(snapshot);
    let ranked = ranked(&snapshot.weighed(weights), query, depth, &mut accumulators)?;
    snapshot.pool.give(accumulators);
    Ok(ranked)
}

fn ranked(
    index: &Weighed,
    query: &Query,
    depth: usize,
    accumulators: &mut [Accumulators],
) -> tantivy::Result<Ranked> {
    let conditions = Conditions::of(query);
    let mut parts = Vec::new();
    for (place, clause) in query.clauses().iter().enumerate() {
        parts.extend(accumulate(index, clause, 1 << place, accumulators)?);
    }
    let scored = conditions.scored.count_ones();
    coordinate(index, &conditions, accumulators);
    let depth = depth.max(index.weights.head);
    let mut matching = vec![Vec::new(); accumulators.len()];
    let mut best = Best::new(&index.snapshot.segments, depth);
    let total = see(index, &conditions, accumulators, |seen, candidate| {
        if seen <= MAX_COUNTED {
            matching[candidate.segment].push(candidate.doc);
        }
        best.push(candidate);
    });
    let mut best = best.finish();
    second_stage(index, &parts, &mut best)?;
    let feedback = feedback::join(index, &parts, &mut best)?;
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

/// Adds one clause to the accumulators; gives its part if it is scored.
fn accumulate(
    index: &Weighed,
    clause: &Clause,
    bit: u64,
    accumulators: &mut [Accumulators],
) -> tantivy::Result<Option<Part>> {
    if clause.scope.is_condition() {
        for (segment, accumulators) in index.snapshot.segments.iter().zip(accumulators) {
            for doc in postings::condition(segment, clause)? {
                accumulators.add(doc, bit, 0.0);
            }
        }
        return Ok(None);
    }
    let (part, found) = Part::find(index, clause, accumulators)?;
    let worth = f32::from(u8::from(clause.is_scored()));
    for (found, accumulators) in found.into_iter().zip(accumulators) {
        for (doc, sum) in found {
            accumulators.add(doc, bit, worth * part.amount(sum, index.weights.k1));
        }
    }
    Ok(clause.is_scored().then_some(part))
}

/// What the share of the query's clauses that were found does to a score. Who types two words wants
/// both; of twenty words some are only a manner of speaking.
fn coordination(found: u32, scored: u32, power: f32) -> f32 {
    let scored = scored.max(1) as f32;
    (found as f32 / scored).powf(power / scored)
}

/// Multiplies every score by the share of clauses that were found.
fn coordinate(index: &Weighed, conditions: &Conditions, accumulators: &mut [Accumulators]) {
    let scored = conditions.scored.count_ones();
    let power = index.weights.coordination;
    let factors: Vec<f32> = (0..=scored).map(|found| coordination(found, scored, power)).collect();
    for Accumulators { scores, masks, touched, .. } in accumulators {
        for &doc in touched.iter() {
            let found = (masks[doc as usize] & conditions.scored).count_ones() as usize;
            scores[doc as usize] *= factors[found];
        }
    }
}

/// Shows every document that matches, with its number from 1; says how many there are.
fn see(
    index: &Weighed,
    conditions: &Conditions,
    accumulators: &[Accumulators],
    mut take: impl FnMut(usize, Candidate),
) -> usize {
    let mut total = 0;
    for (at, (segment, accumulators)) in
        index.snapshot.segments.iter().zip(accumulators).enumerate()
    {
        let mut look = |doc: u32| {
            if conditions.hold(accumulators.masks[doc as usize]) {
                total += 1;
                let score = accumulators.scores[doc as usize];
                take(total, Candidate::new(at, doc, score));
            }
        };
        // What is only forbidden or ruled out leaves all other documents.
        match conditions.hold(0) {
            true => segment.reader.doc_ids_alive().for_each(look),
            false => accumulators.touched.iter().for_each(|doc| look(*doc)),
        }
    }
    total
}
