//! A query of words with weights: BM25F with each word counted by its weight.

use super::best::Best;
use super::budget::{QueryBudget, Reach};
use super::part::ScoredClause;
use super::postings::{self, PostingSource};
use super::segment::{Segment, Snapshot};
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
    let new = |segment: &Segment| Lists::new(segment.reader.max_doc());
    let mut lists: Vec<Lists> = snapshot.segments.iter().map(new).collect();
    let clauses = words.iter().map(|(form, _)| Clause::wish(form.clone(), Form::Typed));
    let clauses: Vec<Clause> = clauses.collect();
    let sources = clauses.iter().map(|clause| postings::sources(snapshot, clause, false));
    let sources = sources.collect::<std::io::Result<Vec<Vec<Vec<PostingSource>>>>>()?;
    let cost =
        |sources: &Vec<Vec<PostingSource>>| sources.iter().flatten().map(PostingSource::cost).sum();
    let expected = sources.iter().map(cost).collect();
    let mut reach = Reach::new(QueryBudget::default(), &snapshot.segments, expected);
    for ((clause, sources), (_, weight)) in clauses.iter().zip(sources).zip(words) {
        let (_, found) = ScoredClause::find(&index, (0, clause), sources, reach.next_clause())?;
        for (mut found, lists) in found.into_iter().zip(&mut lists) {
            let score = |sum| weight * part::saturate(sum, WEIGHTS.k1);
            found.iter_mut().for_each(|amount| amount.score = score(amount.score));
            lists.push(1, found);
        }
    }
    let mut best = Best::new(&snapshot.segments, depth);
    for (segment, lists) in lists.iter().enumerate() {
        lists.each(reach.end(segment), |entry| {
            best.push(Candidate::new(segment, entry.doc, entry.score));
        });
    }
    Ok(best.finish())
}
