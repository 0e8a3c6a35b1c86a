//! Ranking: BM25F over the fields, times the share of words matched, plus nearness for the best
//! (003 §5.7 term-at-a-time evaluation with accumulators, §7.2).

mod near;
pub(crate) mod postings;
pub(crate) mod rankers;
pub(crate) mod segment;
pub(crate) mod weights;

use std::io;

use crate::query::{Clause, Occur, Query, Scope};
use postings::Source;
use segment::{Snapshot, Weighed};
use weights::Weights;

/// A document that matches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub segment: usize,
    pub doc: u32,
    pub id: u64,
    pub score: f32,
}

/// The best documents of a query, and what it takes to explain them.
pub(crate) struct Ranked {
    pub total: usize,
    pub best: Vec<Candidate>,
    parts: Vec<Part>,
    scored: u32,
}

/// A scored clause with its posting lists, by segment.
struct Part {
    name: String,
    is_word: bool,
    idf: f32,
    sources: Vec<Vec<Source>>,
}

/// Which bits of a document's mask decide whether it is a hit.
#[derive(Default)]
pub(crate) struct Conditions {
    scored: u64,
    must: u64,
    must_not: u64,
    /// One of several sites or languages is enough.
    any: [u64; 2],
}

impl Conditions {
    pub fn of(clauses: &[Clause]) -> Conditions {
        let mut conditions = Conditions::default();
        for (place, clause) in clauses.iter().enumerate() {
            let bit = 1 << place;
            match (clause.occur, clause.scope) {
                (Occur::MustNot, _) => conditions.must_not |= bit,
                (_, Scope::Site) => conditions.any[0] |= bit,
                (_, Scope::Language) => conditions.any[1] |= bit,
                (Occur::Must, _) => conditions.must |= bit,
                (Occur::Should, _) => {}
            }
            conditions.scored |= if clause.is_scored() { bit } else { 0 };
        }
        conditions
    }

    pub fn hold(&self, mask: u64) -> bool {
        let one_of = |group: u64| group == 0 || mask & group != 0;
        mask & self.must == self.must
            && mask & self.must_not == 0
            && self.any.into_iter().all(one_of)
            && one_of(self.scored)
    }
}

/// What is known of each document of a segment while the clauses are gone through.
struct Accumulators {
    scores: Vec<f32>,
    masks: Vec<u64>,
}

/// The `depth` best documents for `query`, the best first; equal scores by id.
pub(crate) fn rank(
    snapshot: &Snapshot,
    query: &Query,
    depth: usize,
    weights: &Weights,
) -> tantivy::Result<Ranked> {
    let index = snapshot.weighed(weights);
    let conditions = Conditions::of(query.clauses());
    let sizes = snapshot.segments.iter().map(|segment| segment.reader.max_doc() as usize);
    let mut accumulators: Vec<_> =
        sizes.map(|n| Accumulators { scores: vec![0.0; n], masks: vec![0; n] }).collect();
    let mut parts = Vec::new();
    for (place, clause) in query.clauses().iter().enumerate() {
        parts.extend(accumulate(&index, clause, 1 << place, &mut accumulators)?);
    }
    let scored = conditions.scored.count_ones();
    let depth = depth.max(weights.head);
    let (total, mut best) = best(&index, &conditions, &accumulators, depth);
    let head = best.len().min(weights.head);
    let bonuses = near::bonuses(&index, &parts, &best[..head])?;
    for (candidate, bonus) in best.iter_mut().zip(bonuses) {
        candidate.score += bonus;
    }
    best[..head].sort_unstable_by(order);
    Ok(Ranked { total, best, parts, scored })
}

/// Adds one clause to the accumulators; gives its part if it is scored.
fn accumulate(
    index: &Weighed,
    clause: &Clause,
    bit: u64,
    accumulators: &mut [Accumulators],
) -> tantivy::Result<Option<Part>> {
    let snapshot = index.snapshot;
    if matches!(clause.scope, Scope::Site | Scope::Language) {
        for (segment, accumulators) in snapshot.segments.iter().zip(accumulators) {
            for doc in postings::condition(segment, clause)? {
                accumulators.masks[doc as usize] |= bit;
            }
        }
        return Ok(None);
    }
    let sources = snapshot.segments.iter().map(|segment| postings::sources(segment, clause));
    let sources = sources.collect::<io::Result<Vec<_>>>()?;
    let found = (0..sources.len()).map(|at| matches(index, at, &sources[at]));
    let found = found.collect::<io::Result<Vec<_>>>()?;
    let idf = idf(snapshot.documents, found.iter().map(Vec::len).sum());
    for (found, accumulators) in found.into_iter().zip(accumulators) {
        for (doc, weight) in found {
            accumulators.masks[doc as usize] |= bit;
            accumulators.scores[doc as usize] +=
                if clause.is_scored() { idf * saturate(weight, index.weights.k1) } else { 0.0 };
        }
    }
    let is_word = clause.scope == Scope::Anywhere && clause.words.len() == 1;
    let part = Part { name: clause.words.join(" "), is_word, idf, sources };
    Ok(clause.is_scored().then_some(part))
}

/// The live documents of a segment in which a clause is found, each with its weight, the sum over
/// fields and forms.
fn matches(index: &Weighed, at: usize, sources: &[Source]) -> io::Result<Vec<(u32, f32)>> {
    if let [source] = sources {
        let mut found = Vec::new();
        source.each(index, at, |doc, w| found.push((doc, w)))?;
        return Ok(found);
    }
    if sources.is_empty() {
        return Ok(Vec::new());
    }
    let segment = &index.snapshot.segments[at];
    let mut sums = vec![0.0_f32; segment.reader.max_doc() as usize];
    let mut docs = Vec::new();
    for source in sources {
        source.each(index, at, |doc, weight| {
            let sum = &mut sums[doc as usize];
            if *sum == 0.0 {
                docs.push(doc);
            }
            *sum += weight;
        })?;
    }
    Ok(docs.into_iter().map(|doc| (doc, sums[doc as usize])).collect())
}

/// How much it says that a clause is found in `found` of `documents` (003 §7.2.2).
fn idf(documents: u64, found: usize) -> f32 {
    let (all, found) = (documents as f32, found as f32);
    (1.0 + (all - found + 0.5) / (found + 0.5)).ln()
}

/// More of the same counts less and less.
fn saturate(weight: f32, k1: f32) -> f32 {
    weight * (k1 + 1.0) / (weight + k1)
}

/// What the share of the query's clauses that were found does to a score. Who types two words wants
/// both; of twenty words some are only a manner of speaking.
fn coordination(found: u32, scored: u32, power: f32) -> f32 {
    let scored = scored.max(1) as f32;
    (found as f32 / scored).powf(power / scored)
}

fn best(
    index: &Weighed,
    conditions: &Conditions,
    accumulators: &[Accumulators],
    depth: usize,
) -> (usize, Vec<Candidate>) {
    let scored = conditions.scored.count_ones();
    let power = index.weights.coordination;
    let factors: Vec<f32> = (0..=scored).map(|found| coordination(found, scored, power)).collect();
    let (mut total, mut best, mut least) = (0, Vec::new(), f32::NEG_INFINITY);
    for (at, (segment, accumulators)) in
        index.snapshot.segments.iter().zip(accumulators).enumerate()
    {
        for (doc, &mask) in accumulators.masks.iter().enumerate() {
            // Without words every live document is looked at; with words only live ones have bits.
            let doc_id = doc as u32;
            let dead = mask == 0 && segment.reader.is_deleted(doc_id);
            if !conditions.hold(mask) || dead {
                continue;
            }
            total += 1;
            let found = (mask & conditions.scored).count_ones() as usize;
            let score = accumulators.scores[doc] * factors[found];
            if score >= least {
                best.push(Candidate { segment: at, doc: doc_id, id: segment.id(doc_id), score });
            }
            if best.len() >= 4 * depth {
                best.select_nth_unstable_by(depth - 1, order);
                best.truncate(depth);
                least = best[depth - 1].score;
            }
        }
    }
    best.sort_unstable_by(order);
    best.truncate(depth);
    (total, best)
}

/// The better first; of equals the one with the smaller id.
fn order(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then(a.id.cmp(&b.id))
}

/// The amounts that a candidate's score is the sum of, each with its name.
pub(crate) fn explain(
    snapshot: &Snapshot,
    ranked: &Ranked,
    candidate: &Candidate,
    weights: &Weights,
) -> io::Result<Vec<(String, f32)>> {
    let index = snapshot.weighed(weights);
    let mut amounts = Vec::new();
    let (mut sum, mut found) = (0.0, 0);
    for part in &ranked.parts {
        let mut counts = [0.0; crate::schema::TEXTS];
        for source in &part.sources[candidate.segment] {
            source.look_up(&index, candidate.segment, &[candidate.doc], |_, weight, _| {
                counts[source.field] += weight;
            })?;
        }
        let all: f32 = counts.iter().sum();
        found += u32::from(all > 0.0);
        for (row, weight) in weights.fields.iter().zip(counts).filter(|(_, w)| *w > 0.0) {
            // The fields of a word are weighed as one; each gets its share.
            let amount = part.idf * saturate(all, weights.k1) * weight / all;
            sum += amount;
            amounts.push((format!("{} in {}", part.name, row.name), amount));
        }
    }
    let matched = sum * coordination(found, ranked.scored, weights.coordination);
    let rest = [("words missing", matched - sum), ("nearness", candidate.score - matched)];
    amounts.extend(rest.map(|(name, amount)| (name.to_owned(), amount)));
    amounts.retain(|(_, amount)| amount.abs() > 1e-5);
    Ok(amounts)
}
