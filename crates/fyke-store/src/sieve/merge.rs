//! Several sorted sequences as one; of equal keys the newest counts. And which runs to merge.

use super::run::SieveEntry;
use crate::StoreError;
use std::iter::Peekable;
use std::ops::Range;

type MergeSource = Box<dyn Iterator<Item = Result<SieveEntry, StoreError>> + Send>;

/// The entries of all sources, by key.
pub(crate) struct SieveMerge {
    /// Newest first.
    sources: Vec<Peekable<MergeSource>>,
}

impl SieveMerge {
    /// `sources` come newest first, each by key.
    pub(crate) fn new(sources: Vec<MergeSource>) -> SieveMerge {
        SieveMerge { sources: sources.into_iter().map(Iterator::peekable).collect() }
    }
}

impl Iterator for SieveMerge {
    type Item = Result<SieveEntry, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut best: Option<(usize, u64)> = None;
        for (at, source) in self.sources.iter_mut().enumerate() {
            match source.peek() {
                None => {}
                Some(Err(_)) => return source.next(),
                Some(Ok((key, _))) if best.is_none_or(|(_, least)| *key < least) => {
                    best = Some((at, *key));
                }
                Some(Ok(_)) => {}
            }
        }
        let (at, key) = best?;
        for source in &mut self.sources[at + 1..] {
            source.next_if(|entry| matches!(entry, Ok((other, _)) if *other == key));
        }
        self.sources[at].next()
    }
}

/// Which of the runs (sizes oldest first) to merge, if any: the newest stretch in which a run is not
/// at least twice as large as the newer ones of the stretch together. So runs are few, and an entry
/// is written again only when its run has doubled.
pub(crate) fn due(sizes: &[u64]) -> Option<Range<usize>> {
    (2..=sizes.len()).rev().find_map(|end| {
        let mut first = end - 1;
        let mut sum = sizes[first];
        while first > 0 && sizes[first - 1] < 2 * sum {
            first -= 1;
            sum += sizes[first];
        }
        (first + 1 < end).then_some(first..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_stay_few_and_are_seldom_written_again() {
        let (mut sizes, mut written) = (Vec::new(), 0);
        for _ in 0..1000 {
            sizes.push(1);
            if let Some(range) = due(&sizes) {
                let sum: u64 = sizes.drain(range).sum();
                written += sum;
                sizes.push(sum);
            }
            assert!(sizes.len() <= 10, "{sizes:?}");
        }
        assert_eq!(sizes.iter().sum::<u64>(), 1000);
        assert!(written < 1000 * 10, "{written}");
    }

    #[test]
    fn runs_that_wait_behind_a_small_one_are_merged_too() {
        let check = |sizes: &[u64], expected| assert_eq!(due(sizes), expected, "{sizes:?}");
        check(&[], None);
        check(&[5], None);
        check(&[500, 8], None);
        check(&[500, 8, 8], Some(1..3));
        check(&[500, 31, 31, 31, 15, 7], Some(1..4));
        check(&[8, 8, 500], Some(0..3));
    }
}
