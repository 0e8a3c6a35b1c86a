//! A query of words with weights: BM25F with each word counted by its weight.

use super::accumulators::{Accumulators, Best};
use super::part::Part;
use super::segment::{Snapshot, Weighed};
use super::weights::WEIGHTS;
use super::{Candidate, part};
use crate::query::{Clause, Form};

/// The `depth` best documents for `words`, each form as it stands, the best first; equal ones by id.
pub(crate) fn weighted(
    snapshot: &Snapshot,
    words: &[(String, f32)],
    depth: usize,
) -> tantivy::Result<Vec<Candidate>> {
    let mut accumulators = snapshot.pool.take(snapshot);
    let found = best(&snapshot.weighed(&WEIGHTS), words, depth, &mut accumulators)?;
    snapshot.pool.give(accumulators);
    Ok(found)
}

fn best(
    index: &Weighed,
    words: &[(String, f32)],
    depth: usize,
    accumulators: &mut [Accumulators],
) -> tantivy::Result<Vec<Candidate>> {
    for (form, weight) in words {
        let clause = Clause::wish(form.clone(), Form::Typed);
        let (_, found) = Part::find(index, &clause, accumulators)?;
        for (found, accumulators) in found.into_iter().zip(accumulators.iter_mut()) {
            for (doc, sum) in found {
                accumulators.add(doc, 1, weight * part::saturate(sum, WEIGHTS.k1));
            }
        }
    }
    let mut best = Best::new(&index.snapshot.segments, depth);
    for (segment, accumulators) in accumulators.iter().enumerate() {
        for &doc in &accumulators.touched {
            best.push(Candidate::new(segment, doc, accumulators.scores[doc as usize]));
        }
    }
    Ok(best.finish())
}
