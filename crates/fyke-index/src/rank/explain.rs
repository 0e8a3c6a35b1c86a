//! What a score is made of: every word in every field, what was missing, what the best documents'
//! words and each signal added.

use std::collections::BTreeSet;
use std::io;

use super::signals::Head;
use super::{Candidate, Ranked, coordination};
use crate::rank::segment::Snapshot;
use crate::rank::weights::Weights;
use crate::schema::TEXTS;

/// Amounts below this are not told.
const LEAST: f32 = 1e-5;

/// The amounts that a candidate's score is the sum of, each with its name.
pub(crate) fn explain(
    snapshot: &Snapshot,
    ranked: &Ranked,
    candidate: &Candidate,
    weights: &Weights,
) -> io::Result<Vec<(String, f32)>> {
    let index = snapshot.weighed(weights);
    let mut amounts = Vec::new();
    let (mut typed, mut found) = (0.0, BTreeSet::new());
    let feedback = ranked.feedback.iter().filter(|_| candidate.is_fed);
    for (place, part) in ranked.parts.iter().chain(feedback).enumerate() {
        let is_typed = place < ranked.parts.len();
        let mut counts = [0.0; TEXTS];
        for source in &part.sources[candidate.segment] {
            source.look_up(&index, candidate.segment, &[candidate.doc], |_, weight, _| {
                counts[source.field] += weight;
            })?;
        }
        let all: f32 = counts.iter().sum();
        found.extend((is_typed && all > 0.0).then_some(part.place));
        for (row, weight) in weights.fields.iter().zip(counts).filter(|(_, w)| *w > 0.0) {
            // The fields of a word are weighed as one; each gets its share.
            let amount = part.amount(all, weights.k1) * weight / all;
            let manner = if is_typed { "" } else { "feedback: " };
            typed += if is_typed { amount } else { 0.0 };
            amounts.push((format!("{manner}{} in {}", part.name, row.name), amount));
        }
    }
    let matched = typed * coordination(found.len() as u32, ranked.scored, weights.coordination);
    amounts.push(("words missing".to_owned(), matched - typed));
    let (parts, names) = (&ranked.parts, &ranked.names);
    let head = Head { index: &index, parts, names, candidates: &[*candidate] };
    if candidate.is_head {
        for (name, values) in head.amounts()? {
            amounts.push((name.to_owned(), values[0]));
        }
    }
    amounts.retain(|(_, amount)| amount.abs() > LEAST);
    Ok(amounts)
}
