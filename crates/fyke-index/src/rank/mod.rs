//! Ranking in two stages. The first: BM25F over the fields for every document
//! that matches, times the share of words matched. The second, for the best few hundred: signals.
//! In between, where it is likely to help, the words of the best documents join the query.

mod beginning;
mod best;
pub(crate) mod budget;
mod explain;
mod feedback;
mod languages;
mod names;
pub(crate) mod part;
pub(crate) mod postings;
pub(crate) mod rankers;
pub(crate) mod rehearsal;
mod repetition;
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
use crate::query::{Clause, Conditions, Form, Query};
use best::{Best, order};
use budget::{CutOff, QueryBudget, Reach};
use feedback::FeedbackUse;
use names::TypedName;
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

/// In queries of so many clauses it counts how many of them are found.
const COORDINATED: u32 = 3;

/// Of so many words other forms are looked for: each costs a walk through the dictionaries.
const MOST_STEMMED: usize = 256;

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
    /// Whole names that were typed.
    names: Vec<TypedName>,
    /// Words that the best documents brought in.
    feedback: Vec<ScoredClause>,
    /// Whether they did, and why.
    pub fed: FeedbackUse,
    /// Clauses that add to the score, unless they are very many.
    scored: Option<u32>,
    /// What was not looked at.
    pub cut: Option<CutOff>,
}

impl Ranked {
    /// How rare a word of the query is, where documents have it.
    pub fn rarity(&self, word: &str) -> Option<f32> {
        let is_found = |part: &&ScoredClause| part.sources.iter().any(|here| !here.is_empty());
        self.parts.iter().find(|part| part.name == word).filter(is_found).map(|part| part.idf)
    }
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
    let QueryRead { mut lists, parts, reach } = read(index, query, &conditions, budget)?;
    let scored = conditions.scored();
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
    let names = names::names(index, query)?;
    second_stage(index, (&parts, &names), &mut best)?;
    let fed = if depth < FED { FED.min(weights.head) } else { depth.max(weights.head) };
    let fed = best.len().min(fed);
    let (feedback, fed) = feedback::join(index, (&parts, &names), &mut best[..fed])?;
    best.sort_unstable_by(order);
    let cut = reach.cut(&snapshot.segments, signals::is_nearness_cut(weights, &parts));
    Ok(Ranked { total, best, matching, parts, names, feedback, fed, scored, cut })
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

/// A clause, or a part of one that is looked for by itself.
struct ReadClause {
    /// Place of the clause in the query.
    place: usize,
    clause: Clause,
    /// What it counts beside a word that was typed once.
    weight: f32,
}

/// What is looked for: the clauses, a whole apart from each of its parts.
fn looked_for(query: &Query, weights: &Weights) -> Vec<ReadClause> {
    let mut all = Vec::with_capacity(query.clauses().len());
    for (place, clause) in query.clauses().iter().enumerate() {
        let count = query.count(place) as f32;
        let mut add = |words: &[String], form, weight| {
            let clause = Clause { words: words.to_vec(), form, ..*clause };
            all.push(ReadClause { place, clause, weight: weight * count });
        };
        match (clause.form, &clause.words[..]) {
            (Form::Whole, [whole, parts @ ..]) => {
                add(std::slice::from_ref(whole), Form::Whole, weights.whole);
                parts.chunks(1).for_each(|part| add(part, Form::Stem, weights.part));
            }
            (form, words) => add(words, form, 1.0),
        }
    }
    all
}

/// Reads the posting lists of all clauses, within the budget.
fn read(
    index: &WeighedIndex,
    query: &Query,
    conditions: &Conditions,
    budget: QueryBudget,
) -> tantivy::Result<QueryRead> {
    let segments = &index.snapshot.segments;
    let asked = looked_for(query, index.weights);
    let sources =
        asked.iter().enumerate().map(|(at, read)| match read.clause.scope.is_condition() {
            true => Ok(Vec::new()),
            false => postings::sources(index.snapshot, &read.clause, at < MOST_STEMMED),
        });
    let sources = sources.collect::<std::io::Result<Vec<Vec<Vec<PostingSource>>>>>()?;
    let cost =
        |sources: &Vec<Vec<PostingSource>>| sources.iter().flatten().map(PostingSource::cost).sum();
    let mut reach = Reach::new(budget, segments, sources.iter().map(cost).collect());
    let new = |segment: &segment::Segment| Lists::new(segment.reader.max_doc());
    let mut lists: Vec<Lists> = segments.iter().map(new).collect();
    let mut parts = Vec::new();
    for (ReadClause { place, clause, weight }, sources) in asked.iter().zip(sources) {
        let mask = conditions.bits[*place];
        if clause.scope.is_condition() {
            condition(index, clause, mask, (&mut lists, &mut reach))?;
            continue;
        }
        let (mut part, found) =
            ScoredClause::find(index, (*place, clause), sources, reach.next_clause())?;
        part.weight = *weight;
        let worth = f32::from(u8::from(clause.is_scored()));
        accumulate(index, (&part, worth), mask, found, &mut lists);
        parts.extend(clause.is_scored().then_some(part));
    }
    Ok(QueryRead { lists, parts, reach })
}

/// Adds the signals to the best few hundred.
fn second_stage(
    index: &WeighedIndex,
    (parts, names): (&[ScoredClause], &[TypedName]),
    best: &mut [Candidate],
) -> tantivy::Result<()> {
    let head = best.len().min(index.weights.head);
    let best = &mut best[..head];
    let amounts = Head { index, parts, names, candidates: best }.amounts()?;
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
/// both; of many some are only a manner of speaking.
fn coordination(found: u32, scored: Option<u32>, power: f32) -> f32 {
    match scored {
        Some(scored @ 1..=COORDINATED) => {
            let scored = scored as f32;
            (found as f32 / scored).powf(power / scored)
        }
        _ => 1.0,
    }
}

/// Shows every document that matches, with its number from 1 and its score times what the share of
/// clauses found does to it; says how many there are.
fn see(
    index: &WeighedIndex,
    conditions: &Conditions,
    (lists, reach): (&mut [Lists], &Reach),
    mut take: impl FnMut(usize, Candidate),
) -> usize {
    let scored = conditions.scored();
    let power = index.weights.coordination;
    let factors: Vec<f32> =
        (0..=scored.unwrap_or(u64::BITS)).map(|found| coordination(found, scored, power)).collect();
    let mut total = 0;
    for (at, (segment, lists)) in index.snapshot.segments.iter().zip(lists).enumerate() {
        let mut look = |entry: WindowEntry| {
            if conditions.hold(entry.mask) {
                total += 1;
                let found = conditions.found(entry.mask) as usize;
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
