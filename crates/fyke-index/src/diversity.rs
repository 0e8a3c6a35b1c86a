//! Diversity on request (000 "summaries", maximal marginal relevance): of the best documents next
//! comes the one that is good and says what those above it do not say.

use std::collections::HashMap;

use tantivy::TantivyDocument;

use crate::analysis;
use crate::index::stored_text;
use crate::rank::Candidate;
use crate::rank::segment::Snapshot;
use crate::schema::FIELDS;

/// So many of the best are put in a new order.
const MAX_DOCUMENTS: usize = 100;

/// So much of a body is compared, in bytes.
const MAX_SCAN: usize = 4 << 10;

/// Puts the best of `candidates` into an order in which being unlike those before counts `share`
/// (between 0 and 1) and the score the rest.
pub(crate) fn diversify(
    snapshot: &Snapshot,
    candidates: &mut [Candidate],
    share: f32,
) -> tantivy::Result<()> {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let head = candidates.len().min(MAX_DOCUMENTS);
    let candidates = &mut candidates[..head];
    let sets = word_sets(snapshot, candidates)?;
    let top = candidates.first().map_or(1.0, |best| best.score.max(f32::MIN_POSITIVE));
    let scores: Vec<f32> = candidates.iter().map(|best| best.score / top).collect();
    let order = marginal_order(&scores, &sets, share);
    let old = candidates.to_vec();
    candidates.iter_mut().zip(order).for_each(|(place, from)| *place = old[from]);
    Ok(())
}

/// The places in the order of maximal marginal relevance.
fn marginal_order(scores: &[f32], sets: &[Vec<u32>], share: f32) -> Vec<usize> {
    let mut likeness = vec![0.0_f32; scores.len()];
    let mut left: Vec<usize> = (0..scores.len()).collect();
    let mut order = Vec::with_capacity(scores.len());
    while !left.is_empty() {
        let value = |at: usize| (1.0 - share) * scores[at] - share * likeness[at];
        let mut best = 0;
        for place in 1..left.len() {
            if value(left[place]) > value(left[best]) {
                best = place;
            }
        }
        let chosen = left.remove(best);
        order.push(chosen);
        for &at in &left {
            likeness[at] = likeness[at].max(overlap(&sets[at], &sets[chosen]));
        }
    }
    order
}

/// The distinct words of each document, as ascending numbers.
fn word_sets(snapshot: &Snapshot, candidates: &[Candidate]) -> tantivy::Result<Vec<Vec<u32>>> {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut sets = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let stored: TantivyDocument = snapshot.searcher.doc(candidate.address())?;
        let body = stored_text(&stored, FIELDS.body);
        let body = &body[..body.floor_char_boundary(MAX_SCAN)];
        let words =
            analysis::words(stored_text(&stored, FIELDS.title)).chain(analysis::words(body));
        let mut set = Vec::new();
        for word in words.filter(|word| !snapshot.languages.has_stop(&word.form)) {
            let next = numbers.len() as u32;
            set.push(*numbers.entry(word.form.into_owned()).or_insert(next));
        }
        set.sort_unstable();
        set.dedup();
        sets.push(set);
    }
    Ok(sets)
}

/// The cosine between two sets.
fn overlap(a: &[u32], b: &[u32]) -> f32 {
    let (mut common, mut at) = (0, 0);
    for number in a {
        at += b[at..].partition_point(|other| other < number);
        common += u32::from(b.get(at) == Some(number));
    }
    common as f32 / ((a.len() * b.len()).max(1) as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_go_behind_what_is_new() {
        let sets = [vec![1, 2, 3], vec![1, 2, 3], vec![4, 5], vec![]];
        let scores = [1.0, 0.9, 0.5, 0.1];
        let check = |share: f32, expected: [usize; 4]| {
            assert_eq!(marginal_order(&scores, &sets, share), expected, "{share}");
        };
        check(0.0, [0, 1, 2, 3]);
        check(0.5, [0, 2, 3, 1]);
        check(0.2, [0, 1, 2, 3]);
    }

    #[test]
    fn sets_are_alike_by_what_they_share() {
        assert_eq!(overlap(&[1, 2], &[1, 2]), 1.0);
        assert_eq!(overlap(&[1, 2], &[2, 3]), 0.5);
        assert_eq!(overlap(&[], &[2]), 0.0);
    }
}
