//! "More like this", the baseline of 004 §7.1: every document in the language is a query for those like it, and
//! where none is left a query of five terms of the highest odds ratios is.
//!
//! 004 asked AltaVista's "like:URL". Here those like a document are the best ten by BM25 for its ten terms that weigh
//! most, any of which may be missing.

use super::pool::{PoolIndex, PoolTerm};
use super::trial::{TrialLimits, TrialResult, TrialWeb};
use fyke_learn::terms::builder::{BuilderStep, CorpusBuilder};
use std::collections::{HashMap, HashSet, VecDeque};

/// Terms of a document that are asked for, and documents that are given.
const TERMS: usize = 10;
const HITS: usize = 10;

/// The documents most like this one, but for itself.
fn alike(web: &TrialWeb<'_>, document: u64) -> Vec<u64> {
    let index: &PoolIndex = &web.index;
    let terms = &web.pool.documents[document as usize].terms;
    let mut best: Vec<PoolTerm> = terms.iter().map(|term| index.weighed(*term)).collect();
    best.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.term.cmp(&b.term)));
    let mut scores: HashMap<u32, f64> = HashMap::new();
    for PoolTerm { term, .. } in best.into_iter().take(TERMS) {
        index.each(term, |document, score| *scores.entry(document).or_default() += score);
    }
    let mut found: Vec<(f64, u32)> = scores.into_iter().map(|(at, score)| (score, at)).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let others = found.into_iter().map(|one| u64::from(one.1)).filter(|one| *one != document);
    others.take(HITS).collect()
}

/// Runs it; `builder` makes the queries where no document is left to ask with.
pub(crate) fn run(
    web: &TrialWeb<'_>,
    mut builder: CorpusBuilder,
    limits: TrialLimits,
    known: &[u64],
) -> TrialResult {
    let mut result = TrialResult::default();
    let mut seen: HashSet<u64> = known.iter().copied().collect();
    let mut waiting: VecDeque<u64> = VecDeque::new();
    let mut likes = 0;
    while result.documents < limits.documents && likes + builder.tally().queries < limits.queries {
        let found = match waiting.pop_front() {
            Some(document) => {
                likes += 1;
                alike(web, document)
            }
            None => match builder.next_step() {
                BuilderStep::Stuck => break,
                BuilderStep::Look(document) => vec![document],
                BuilderStep::Ask(query) => {
                    builder.answer(&web.index.hits(&query, web.depth)).into_iter().collect()
                }
            },
        };
        for document in found {
            if result.documents == limits.documents || !seen.insert(document) {
                continue;
            }
            builder.know(std::iter::once(document));
            if web.look(document, likes + builder.tally().queries, &mut builder, &mut result) {
                waiting.push_back(document);
            }
        }
    }
    result.queries = likes + builder.tally().queries;
    result
}
