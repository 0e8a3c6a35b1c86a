//! Widths of the glyphs of a composite font (ISO 32000-1 §9.7.4.3). A file gives them in ranges, which stay
//! ranges: three numbers may speak of all glyphs there are.

use super::super::fuel::Fuel;
use std::collections::BTreeMap;

/// Ranges that are kept, and steps that one costs.
const MOST_RANGES: usize = 1 << 17;
const RANGE: usize = 4;

/// Ranges that do not overlap: by the first glyph of each its last one, and the width of all.
#[derive(Debug, Default)]
pub(super) struct CidWidths(BTreeMap<u32, (u32, f32)>);

impl CidWidths {
    pub(super) fn get(&self, cid: u32) -> Option<f32> {
        let (_, &(last, width)) = self.0.range(..=cid).next_back()?;
        (cid <= last).then_some(width)
    }

    /// Gives the glyphs from the first to the last a width, in the place of what they had; false at a limit.
    pub(super) fn insert(&mut self, (first, last): (u32, u32), width: f32, fuel: &Fuel) -> bool {
        if self.0.len() >= MOST_RANGES || !fuel.spend(RANGE) {
            return false;
        }
        if first > last {
            return true;
        }
        if let Some((&start, &(end, old))) = self.0.range(..first).next_back()
            && end >= first
        {
            self.0.insert(start, (first - 1, old));
            self.keep_rest(last, end, old);
        }
        // What is covered goes for ever, so that this is paid for by those that came.
        while let Some((&start, &(end, old))) = self.0.range(first..=last).next() {
            self.0.remove(&start);
            self.keep_rest(last, end, old);
        }
        self.0.insert(first, (last, width));
        true
    }

    /// What a covered range has behind `last` stays.
    fn keep_rest(&mut self, last: u32, end: u32, old: f32) {
        if end > last {
            self.0.insert(last + 1, (end, old));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn all_glyphs_there_are_cost_one_range() {
        let fuel = Fuel::of(1_000);
        let mut widths = CidWidths::default();
        assert!(widths.insert((0, u32::MAX), 500.0, &fuel));
        assert_eq!(widths.get(77), Some(500.0));
        assert!(fuel.left() > 990);
    }

    proptest! {
        #[test]
        fn ranges_give_what_a_table_of_single_glyphs_gives(
            ranges in proptest::collection::vec((0..40_u32, 0..40_u32, 0..9_u8), 0..12),
        ) {
            let (mut widths, mut table) = (CidWidths::default(), [None; 40]);
            for (first, last, width) in ranges {
                widths.insert((first, last), f32::from(width), &Fuel::default());
                (first..=last).for_each(|cid| table[cid as usize] = Some(f32::from(width)));
            }
            for (cid, expected) in (0..).zip(table) {
                prop_assert_eq!(widths.get(cid), expected);
            }
        }
    }
}
