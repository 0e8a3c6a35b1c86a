//! The numbers under a page of results: where each further page begins.

use super::listing::{LAST, PAGE};

/// Numbers shown at the most.
const SHOWN: usize = 9;

/// One page of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageNumber {
    /// From 1.
    pub number: usize,
    /// Results before it.
    pub start: usize,
    pub is_current: bool,
}

/// The pages around the one that begins at `start`; none where there is only one.
pub(crate) fn pages(total: usize, start: usize) -> Vec<PageNumber> {
    let count = total.min(LAST).div_ceil(PAGE);
    let current = start / PAGE;
    let first = current.saturating_sub(SHOWN / 2).min(count.saturating_sub(SHOWN));
    let numbered = (first..count.min(first + SHOWN)).map(|page| PageNumber {
        number: page + 1,
        start: page * PAGE,
        is_current: page == current,
    });
    if count > 1 { numbered.collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(total: usize, start: usize, numbers: &[usize]) {
        let found: Vec<usize> = pages(total, start).iter().map(|page| page.number).collect();
        assert_eq!(found, numbers, "{total} from {start}");
    }

    #[test]
    fn pages_stand_around_the_current_one() {
        check(0, 0, &[]);
        check(10, 0, &[]);
        check(11, 0, &[1, 2]);
        check(200, 0, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        check(200, 100, &[7, 8, 9, 10, 11, 12, 13, 14, 15]);
        check(200, 190, &[12, 13, 14, 15, 16, 17, 18, 19, 20]);
        check(1_000_000, 990, &[92, 93, 94, 95, 96, 97, 98, 99, 100]);
    }

    proptest! {
        #[test]
        fn one_of_several_pages_is_the_current_one(total in PAGE + 1..5_000, at in 0..5_000_usize) {
            let start = (at % total.min(LAST)) / PAGE * PAGE;
            let pages = pages(total, start);
            prop_assert!(pages.len() <= SHOWN);
            let current: Vec<_> = pages.iter().filter(|page| page.is_current).collect();
            prop_assert_eq!(current.len(), 1);
            prop_assert_eq!(current[0].start, start);
        }
    }
}
