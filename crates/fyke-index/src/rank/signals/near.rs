//! Nearness: neighbouring words of the query that stand near each other in a document say more
//! than the two apart (sequential dependence). Measured on the best few hundred only.

use std::io;

use super::{Head, Signal};
use crate::rank::part::{ScoredClause, saturate};
use crate::rank::segment::WeighedIndex;

/// Fields lie this far apart when all positions of a document are put in one row.
const FIELD_GAP: u64 = 1 << 32;

/// So many posting lists of a segment are looked at; the words after them are not.
const MOST_LISTS: usize = 4_000;

pub(super) const SIGNAL: Signal = Signal {
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

/// What nearness says of each candidate.
fn bonuses(head: &Head) -> io::Result<Vec<f32>> {
    let (index, head, parts) = (head.index, head.candidates, head.parts);
    let mut bonuses = vec![0.0; head.len()];
    let words: Vec<&ScoredClause> = looked_at(parts).collect();
    for segment in 0..index.snapshot.segments.len() {
        let mut here: Vec<usize> =
            (0..head.len()).filter(|&at| head[at].segment == segment).collect();
        here.sort_unstable_by_key(|&at| head[at].doc);
        let docs: Vec<u32> = here.iter().map(|&at| head[at].doc).collect();
        let mut before: Option<(&ScoredClause, Vec<Vec<u64>>)> = None;
        for word in words.iter().copied().filter(|_| words.len() > 1 && !docs.is_empty()) {
            let places = places(index, word, segment, &docs)?;
            if let Some((left, left_places)) = &before {
                let idf = left.idf.min(word.idf);
                for (place, &at) in here.iter().enumerate() {
                    let near = nearness(&left_places[place], &places[place], index.weights.near);
                    bonuses[at] += idf * saturate(near, index.weights.k1);
                }
            }
            before = Some((word, places));
        }
    }
    Ok(bonuses)
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
