//! Nearness: neighbouring words of the query that stand near each other in a document say more
//! than the two apart (sequential dependence). Measured on the best few hundred only.

use std::io;

use super::{Head, Signal};
use crate::rank::part::{ScoredClause, saturate};
use crate::rank::repetition;
use crate::rank::segment::WeighedIndex;
use crate::schema::BODY;

/// Fields lie this far apart when all positions of a document are put in one row.
const FIELD_GAP: u64 = 1 << 32;

/// So many posting lists of a segment are looked at; the words after them are not.
const MOST_LISTS: usize = 4_000;

pub(in crate::rank) const SIGNAL: Signal = Signal {
    name: "nearness",
    what: "neighbouring words of the query that stand near each other",
    weight: 0.4,
    values: bonuses,
};

/// The words that are looked at.
fn looked_at(parts: &[ScoredClause]) -> impl Iterator<Item = &ScoredClause> {
    let mut lists = 0;
    parts.iter().filter(|part| part.is_word).take_while(move |part| {
        lists += part.sources.iter().map(Vec::len).max().unwrap_or(0);
        lists <= MOST_LISTS
    })
}

/// Whether the words are too many to look at them all.
pub(super) fn is_cut(parts: &[ScoredClause]) -> bool {
    looked_at(parts).count() < parts.iter().filter(|part| part.is_word).count()
}

/// Two neighbouring words of the query.
pub(in crate::rank) struct NearPair {
    /// What the two count.
    idf: f32,
    /// How near they stand in each candidate.
    near: Vec<f32>,
}

/// What nearness says of each candidate.
fn bonuses(head: &Head) -> io::Result<Vec<f32>> {
    Ok(summed(&pairs(head)?, head.candidates.len(), head.index.weights.k1))
}

/// What pairs of words say of each of so many candidates.
pub(in crate::rank) fn summed(pairs: &[NearPair], candidates: usize, k1: f32) -> Vec<f32> {
    let mut bonuses = vec![0.0; candidates];
    for pair in pairs {
        for (bonus, near) in bonuses.iter_mut().zip(&pair.near).filter(|(_, near)| **near > 0.0) {
            *bonus += pair.idf * saturate(*near, k1);
        }
    }
    bonuses
}

/// How near the words of each neighbouring pair stand.
pub(in crate::rank) fn pairs(head: &Head) -> io::Result<Vec<NearPair>> {
    let (index, parts) = (head.index, head.parts);
    let words: Vec<&ScoredClause> = looked_at(parts).collect();
    let pair = |two: &[&ScoredClause]| NearPair {
        idf: two[0].idf.min(two[1].idf),
        near: vec![0.0; head.candidates.len()],
    };
    let mut pairs: Vec<NearPair> = words.windows(2).map(pair).collect();
    for segment in 0..index.snapshot.segments.len() {
        let (docs, here) = head.here(segment);
        let lengths = &index.snapshot.segments[segment].texts[BODY].lengths;
        let mut before: Option<Vec<Vec<u64>>> = None;
        for (at, word) in words.iter().enumerate().filter(|_| words.len() > 1 && !docs.is_empty()) {
            let places = places(index, word, segment, &docs)?;
            if let Some(left) = &before {
                for (place, &candidate) in here.iter().enumerate() {
                    let near = nearness(&left[place], &places[place], index.weights.near);
                    let times = near.ceil().max(1.0);
                    let length = || lengths.fieldnorm(docs[place]);
                    let counted = repetition::counted(BODY, times as u32, length);
                    pairs[at - 1].near[candidate] = near * counted / times;
                }
            }
            before = Some(places);
        }
    }
    Ok(pairs)
}

/// For each document, where the word stands in it: all fields in one ascending row.
fn places(
    index: &WeighedIndex,
    word: &ScoredClause,
    segment: usize,
    docs: &[u32],
) -> io::Result<Vec<Vec<u64>>> {
    let mut rows = vec![Vec::new(); docs.len()];
    for source in &word.sources[segment] {
        let offset = source.field as u64 * FIELD_GAP;
        source.look_up(index, segment, docs, |at, _, positions| {
            rows[at].extend(positions.iter().map(|&position| offset + u64::from(position)));
        })?;
    }
    rows.iter_mut().for_each(|row| row.sort_unstable());
    Ok(rows)
}

/// The sum over the right word's places of one over the squared distance to the nearest left
/// word, if that is within `near`; words in the wrong order count as one farther.
fn nearness(left: &[u64], right: &[u64], near: u32) -> f32 {
    let mut sum = 0.0;
    let mut at = 0;
    for &place in right {
        at += left[at..].partition_point(|&other| other < place);
        let before = at.checked_sub(1).map(|at| place - left[at]);
        let after = left.get(at).map(|&other| other - place + 1);
        let distance = before.into_iter().chain(after).min().unwrap_or(u64::MAX);
        if distance <= u64::from(near) {
            sum += 1.0 / (distance * distance) as f32;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &[u64], right: &[u64], expected: f32) {
        assert_eq!(nearness(left, right, 6), expected, "{left:?} {right:?}");
    }

    #[test]
    fn words_in_order_and_close_are_nearest() {
        check(&[4], &[5], 1.0);
        check(&[4], &[6], 0.25);
        check(&[5], &[4], 0.25);
        check(&[4], &[100], 0.0);
        check(&[4, 9], &[5, 10], 2.0);
        check(&[], &[5], 0.0);
        check(&[5], &[], 0.0);
        check(&[0], &[FIELD_GAP], 0.0);
    }
}
