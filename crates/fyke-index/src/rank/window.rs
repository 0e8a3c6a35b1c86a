//! What is known of each document, put together from the query's clauses a window of documents at a
//! time ("term-at-a-time" within a window): the numbers of a window lie in the processor's
//! nearest memory, however large the index is. A search pays for the postings it reads.

/// Documents of a window.
pub(super) const WIDTH: usize = 2048;

/// A document: which clauses it fulfils, and its score so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WindowEntry {
    pub doc: u32,
    pub score: f32,
    pub mask: u64,
}

/// A document of one clause, and what the clause counts there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount {
    pub doc: u32,
    pub score: f32,
}

/// Numbers of the documents of one window.
pub(super) struct DocumentWindow {
    start: usize,
    scores: Vec<f32>,
    masks: Vec<u64>,
    /// Documents with a bit in their mask, counted from the start.
    touched: Vec<u16>,
}

impl DocumentWindow {
    pub fn new() -> DocumentWindow {
        DocumentWindow {
            start: 0,
            scores: vec![0.0; WIDTH],
            masks: vec![0; WIDTH],
            touched: Vec::new(),
        }
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
    pub fn close(&mut self, mut take: impl FnMut(WindowEntry)) {
        for at in self.touched.drain(..).map(usize::from) {
            let (score, mask) =
                (std::mem::take(&mut self.scores[at]), std::mem::take(&mut self.masks[at]));
            take(WindowEntry { doc: (self.start + at) as u32, score, mask });
        }
    }
}

/// Lists of documents of one segment, each in the order of windows; within one in any order. Where they
/// hold more than all documents would, they become one sum for each document: memory does not grow
/// with the number of clauses.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// Documents of the segment.
    documents: usize,
    lists: Vec<(u64, Vec<Amount>)>,
    waiting: usize,
    /// For each document the sum of the lists before.
    scores: Vec<f32>,
    masks: Vec<u64>,
}

impl Lists {
    /// Of a segment with so many documents.
    pub fn new(documents: u32) -> Lists {
        Lists { documents: documents as usize, ..Lists::default() }
    }

    /// Adds the list of a clause.
    pub fn push(&mut self, mask: u64, list: Vec<Amount>) {
        self.waiting += list.len();
        self.lists.push((mask, list));
        if !self.scores.is_empty() || self.waiting > self.documents + WIDTH {
            self.sum_up();
        }
    }

    fn sum_up(&mut self) {
        self.scores.resize(self.documents, 0.0);
        self.masks.resize(self.documents, 0);
        for (mask, list) in std::mem::take(&mut self.lists) {
            for Amount { doc, score } in list {
                self.scores[doc as usize] += score;
                self.masks[doc as usize] |= mask;
            }
        }
        self.waiting = 0;
    }

    /// Shows every document before `end` that a list has once, with the sum of what they say of it.
    pub fn each(&self, end: u32, mut take: impl FnMut(WindowEntry)) {
        if !self.scores.is_empty() {
            let all = (0..end).zip(self.scores.iter().zip(&self.masks));
            let all =
                all.map(|(doc, (score, mask))| WindowEntry { doc, score: *score, mask: *mask });
            return all.filter(|entry| entry.mask != 0).for_each(take);
        }
        if let [(mask, list)] = &self.lists[..] {
            let entry =
                |amount: &Amount| WindowEntry { doc: amount.doc, score: amount.score, mask: *mask };
            return list.iter().map(entry).filter(|entry| entry.doc < end).for_each(take);
        }
        let mut rests: Vec<_> = self.lists.iter().map(|(mask, list)| (*mask, &list[..])).collect();
        let mut window = DocumentWindow::new();
        loop {
            rests.retain(|(_, rest)| !rest.is_empty());
            let next = rests.iter().map(|(_, rest)| rest[0].doc as usize / WIDTH).min();
            let Some(next) = next.filter(|next| next * WIDTH < end as usize) else { return };
            let after = window.open((next * WIDTH) as u32);
            for (mask, rest) in &mut rests {
                let here = rest.iter().take_while(|amount| amount.doc < after);
                let here = here.map(|amount| window.add(amount.doc, *mask, amount.score)).count();
                *rest = &rest[here..];
            }
            window.close(|entry| {
                if entry.doc < end {
                    take(entry);
                }
            });
        }
    }

    /// Shows each of these documents (ascending), also those that no list has.
    pub fn each_of(&mut self, docs: impl Iterator<Item = u32>, mut take: impl FnMut(WindowEntry)) {
        self.sum_up();
        for doc in docs {
            let (score, mask) = (self.scores[doc as usize], self.masks[doc as usize]);
            take(WindowEntry { doc, score, mask });
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
            lists in prop::collection::vec(prop::collection::btree_map(0_u32..9_000, 1_u8..9, 0..40), 0..5),
            end in prop::sample::select(vec![0, 1, 2_000, 2_048, 5_000, 9_000]),
        ) {
            let mut expected: BTreeMap<u32, (f32, u64)> = BTreeMap::new();
            let mut all = Lists::new(9_000);
            for (bit, list) in lists.iter().enumerate() {
                for (doc, score) in list {
                    let row = expected.entry(*doc).or_default();
                    *row = (row.0 + f32::from(*score), row.1 | 1 << bit);
                }
                let amount = |(doc, score): (&u32, &u8)| Amount { doc: *doc, score: f32::from(*score) };
                all.push(1 << bit, list.iter().map(amount).collect());
            }
            let check = |all: &Lists, expected: &BTreeMap<u32, (f32, u64)>| {
                let mut found = BTreeMap::new();
                all.each(end, |entry| {
                    assert!(found.insert(entry.doc, (entry.score, entry.mask)).is_none());
                });
                assert_eq!(found, *expected);
            };
            expected.retain(|doc, _| *doc < end);
            check(&all, &expected);
            let mut every = 0;
            all.each_of(0..end, |entry| {
                let (score, mask) = expected.get(&entry.doc).copied().unwrap_or_default();
                assert_eq!(entry, WindowEntry { doc: entry.doc, score, mask });
                every += 1;
            });
            prop_assert_eq!(every, end);
            check(&all, &expected);
        }
    }

    #[test]
    fn memory_does_not_grow_with_the_number_of_lists() {
        let mut all = Lists::new(10_000);
        for bit in 0..60 {
            all.push(1 << bit, (0..10_000).map(|doc| Amount { doc, score: 1.0 }).collect());
            let held: usize = all.lists.iter().map(|(_, list)| list.len()).sum();
            assert!(held + all.scores.len() <= 10_000 + WIDTH, "{bit}: {held}");
        }
        let mut seen = 0;
        all.each(10_000, |entry| {
            assert_eq!((entry.score, entry.mask), (60.0, (1 << 60) - 1));
            seen += 1;
        });
        assert_eq!(seen, 10_000);
    }
}
