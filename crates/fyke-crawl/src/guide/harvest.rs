//! The harvest of a focused crawl: how many of the pages fetched are about the subject, in all and of late.

use std::collections::VecDeque;

/// Pages that count as "of late".
const LATE: usize = 500;

/// What a crawl has brought in so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Harvest {
    /// Pages judged.
    pub pages: u64,
    /// Those about the subject.
    pub on: u64,
    /// Of the last [`LATE`] pages.
    pub late_pages: u64,
    pub late_on: u64,
    /// Words of links that led there, and of links that did not, as far as that was learned.
    pub best: Vec<String>,
    pub worst: Vec<String>,
}

impl Harvest {
    /// The share of pages about the subject.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.on as f64 / self.pages.max(1) as f64
    }

    /// The same of late.
    #[must_use]
    pub fn late_rate(&self) -> f64 {
        self.late_on as f64 / self.late_pages.max(1) as f64
    }
}

/// Counts the harvest.
#[derive(Debug, Default)]
pub struct HarvestTally {
    sum: Harvest,
    late: VecDeque<bool>,
}

impl HarvestTally {
    /// Counts a page.
    pub fn add(&mut self, is_on: bool) {
        self.sum.pages += 1;
        self.sum.on += u64::from(is_on);
        self.sum.late_on += u64::from(is_on);
        self.late.push_back(is_on);
        if self.late.len() > LATE {
            self.sum.late_on -= u64::from(self.late.pop_front() == Some(true));
        }
        self.sum.late_pages = self.late.len() as u64;
    }

    /// What was learned of the words of links.
    pub fn set_words(&mut self, best: Vec<String>, worst: Vec<String>) {
        (self.sum.best, self.sum.worst) = (best, worst);
    }

    /// The harvest so far.
    #[must_use]
    pub fn harvest(&self) -> &Harvest {
        &self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_are_those_of_a_plain_count(pages in prop::collection::vec(any::<bool>(), 0..1500)) {
            let mut tally = HarvestTally::default();
            pages.iter().for_each(|is_on| tally.add(*is_on));
            let on = |pages: &[bool]| pages.iter().filter(|is_on| **is_on).count() as u64;
            let found = tally.harvest();
            prop_assert_eq!((found.pages, found.on), (pages.len() as u64, on(&pages)));
            let late = &pages[pages.len().saturating_sub(LATE)..];
            prop_assert_eq!((found.late_pages, found.late_on), (late.len() as u64, on(late)));
        }
    }
}
