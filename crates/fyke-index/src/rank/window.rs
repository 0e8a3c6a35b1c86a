//! What is known of each document, put together from the query's clauses a window of documents at a
//! time ("term-at-a-time" within a window): the numbers of a window lie in the processor's
//! nearest memory, however large the index is. A search pays for the postings it reads.

/// Documents of a window.
pub(super) const WIDTH: usize = 2048;

/// Entries that wait to be put together; with more, those there are become one list.
const MOST_WAITING: usize = 4 << 20;

/// A document: which clauses it fulfils, and its score so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub doc: u32,
    pub score: f32,
    pub mask: u64,
}

/// Numbers of the documents of one window.
pub(super) struct Window {
    start: usize,
    scores: Vec<f32>,
    masks: Vec<u64>,
    /// Documents with a bit in their mask, counted from the start.
    touched: Vec<u16>,
}

impl Window {
    pub fn new() -> Window {
        Window { start: 0, scores: vec![0.0; WIDTH], masks: vec![0; WIDTH], touched: Vec::new() }
    }

    /// Goes to the window with this document; gives the first document after it.
    pub fn open(&mut self, doc: u32) -> u32 {
        self.start = doc as usize / WIDTH * WIDTH;
        u32::try_from(self.start + WIDTH).unwrap_or(u32::MAX)
    }

    /// Adds to a document of the window.
    #[inline]
    pub fn add(&mut self, doc: u32, mask: u64, score: f32) {
        let at = doc as usize % WIDTH;
        if self.masks[at] == 0 {
            self.touched.push(at as u16);
        }
        self.masks[at] |= mask;
        self.scores[at] += score;
    }

    /// Shows the documents of the window, and makes it ready for another.
    pub fn close(&mut self, mut take: impl FnMut(Entry)) {
        for at in self.touched.drain(..).map(usize::from) {
            let (score, mask) =
                (std::mem::take(&mut self.scores[at]), std::mem::take(&mut self.masks[at]));
            take(Entry { doc: (self.start + at) as u32, score, mask });
        }
    }
}

/// Lists of documents of one segment, each in the order of windows; within one in any order.
#[derive(Debug, Default)]
pub(super) struct Lists {
    lists: Vec<Vec<Entry>>,
    waiting: usize,
}

impl Lists {
    /// Adds the list of a clause.
    pub fn push(&mut self, list: Vec<Entry>) {
        self.waiting += list.len();
        self.lists.push(list);
        if self.waiting > MOST_WAITING {
            let mut one = Vec::new();
            self.each(|entry| one.push(entry));
            (self.lists, self.waiting) = (vec![one], 0);
        }
    }

    /// Shows every document once, with the sum of what the lists say of it.
    pub fn each(&self, mut take: impl FnMut(Entry)) {
        if let [list] = &self.lists[..] {
            return list.iter().copied().for_each(take);
        }
        let mut rests: Vec<&[Entry]> = self.lists.iter().map(Vec::as_slice).collect();
        let mut window = Window::new();
        loop {
            rests.retain(|rest| !rest.is_empty());
            let Some(next) = rests.iter().map(|rest| rest[0].doc as usize / WIDTH).min() else {
                return;
            };
            let end = window.open((next * WIDTH) as u32);
            for rest in &mut rests {
                let here = rest.iter().take_while(|entry| entry.doc < end);
                let here = here.map(|entry| window.add(entry.doc, entry.mask, entry.score)).count();
                *rest = &rest[here..];
            }
            window.close(&mut take);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn every_document_is_shown_once_with_the_sum_of_its_entries(
            lists in prop::collection::vec(prop::collection::btree_map(0_u32..9_000, 1_u8..9, 0..40), 0..5)
        ) {
            let mut expected: BTreeMap<u32, (f32, u64)> = BTreeMap::new();
            let mut all = Lists::default();
            for (bit, list) in lists.iter().enumerate() {
                for (doc, score) in list {
                    let row = expected.entry(*doc).or_default();
                    *row = (row.0 + f32::from(*score), row.1 | 1 << bit);
                }
                let entry = |(doc, score): (&u32, &u8)| Entry { doc: *doc, score: f32::from(*score), mask: 1 << bit };
                all.push(list.iter().map(entry).collect());
            }
            let mut found = BTreeMap::new();
            all.each(|entry| {
                assert!(found.insert(entry.doc, (entry.score, entry.mask)).is_none());
            });
            prop_assert_eq!(found, expected);
        }
    }
}
