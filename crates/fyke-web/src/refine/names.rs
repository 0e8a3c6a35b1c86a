//! A list of names that is looked into for every tag of every page: one multiplication leads to the place.

use crate::html::TagName;

/// Finds the place of a name in a list.
pub(super) struct NameTable {
    names: Vec<TagName>,
    /// One more than a place in the list, or 0; four times as many as names at least.
    slots: Vec<u16>,
    shift: u32,
}

impl NameTable {
    /// Of fewer than 16,384 names.
    pub(super) fn of(names: impl Iterator<Item = TagName>) -> NameTable {
        let names: Vec<TagName> = names.collect();
        let size = (4 * names.len()).next_power_of_two().max(2);
        let shift = u64::BITS - size.ilog2();
        let mut table = NameTable { names: Vec::new(), slots: vec![0; size], shift };
        for (at, &name) in (1..).zip(&names) {
            let mut slot = table.slot(name);
            while table.slots[slot] != 0 {
                slot = (slot + 1) % size;
            }
            table.slots[slot] = at;
        }
        NameTable { names, ..table }
    }

    fn slot(&self, name: TagName) -> usize {
        let folded = name as u64 ^ (name >> 64) as u64;
        (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    #[inline]
    pub(super) fn find(&self, name: TagName) -> Option<usize> {
        let mut slot = self.slot(name);
        loop {
            let at = usize::from(self.slots[slot]).checked_sub(1)?;
            if self.names[at] == name {
                return Some(at);
            }
            slot = (slot + 1) % self.slots.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::name;

    #[test]
    fn every_name_is_found_at_its_place_and_no_other() {
        let check = |list: &[&str], other: &str| {
            let table = NameTable::of(list.iter().map(|text| name(text)));
            for (at, text) in list.iter().enumerate() {
                assert_eq!(table.find(name(text)), Some(at), "{text}");
            }
            assert_eq!(table.find(name(other)), None);
        };
        check(&[], "p");
        check(&["p"], "q");
        check(&["p", "div", "blockquote", "h1", "h2", "h3", "h4", "figcaption"], "span");
    }
}
