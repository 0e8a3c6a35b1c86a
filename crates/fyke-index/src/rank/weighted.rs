//! A query of words with weights: BM25F with each word counted by its weight.

use super::best::Best;
use super::part::Part;
use super::segment::Snapshot;
use super::weights::WEIGHTS;
use super::window::Lists;
use super::{Candidate, part};
use crate::query::{Clause, Form};

/// The `depth` best documents for `words`, each form as it stands, the best first; equal ones by id.
pub(crate) fn weighted(
    snapshot: &Snapshot,
    words: &[(String, f32)],
    depth: usize,
) -> tantivy::Result<Vec<Candidate>> {
    let index = snapshot.weighed(&WEIGHTS);
    let mut lists: Vec<Lists> = snapshot.segments.iter().map(|_| Lists::default()).collect();
    for (form, weight) in words {
        let clause = Clause::wish(form.clone(), Form::Typed);
        let (_, found) = Part::find(&index, &clause)?;
        for (mut found, lists) in found.into_iter().zip(&mut lists) {
            let score = |sum| weight * part::saturate(sum, WEIGHTS.k1);
            found.iter_mut().for_each(|entry| entry.score = score(entry.score));
            lists.push(found);
        }
    }
    let mut best = Best::new(&snapshot.segments, depth);
    for (segment, lists) in lists.iter().enumerate() {
        lists.each(|entry| best.push(Candidate::new(segment, entry.doc, entry.score)));
    }
    Ok(best.finish())
}
