//! Terms that have the same counts share a cell, so that what depends on the counts alone is computed
//! once a cell: a vocabulary of a million words has some ten thousand cells. A term changes its cell in
//! time that does not grow with the vocabulary.

use std::collections::BTreeMap;

/// Terms by a key.
#[derive(Clone, Debug, Default)]
pub struct TermCells<K> {
    cells: BTreeMap<K, Vec<u32>>,
    /// Of each term the key and the place in its cell.
    places: Vec<Option<(K, u32)>>,
}

impl<K: Ord + Copy> TermCells<K> {
    /// Puts a term into the cell of this key, out of the one where it was.
    pub fn put(&mut self, term: u32, key: K) {
        if self.places.len() <= term as usize {
            self.places.resize(term as usize + 1, None);
        }
        if let Some((old, place)) = self.places[term as usize] {
            self.take(old, place);
        }
        let cell = self.cells.entry(key).or_default();
        self.places[term as usize] = Some((key, cell.len() as u32));
        cell.push(term);
    }

    fn take(&mut self, key: K, place: u32) {
        let Some(cell) = self.cells.get_mut(&key) else { return };
        cell.swap_remove(place as usize);
        match cell.get(place as usize) {
            Some(&moved) => self.places[moved as usize] = Some((key, place)),
            None if cell.is_empty() => drop(self.cells.remove(&key)),
            None => {}
        }
    }

    /// The cells, the lowest key first; none is empty.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &[u32])> + Clone {
        self.cells.iter().map(|(key, terms)| (*key, terms.as_slice()))
    }

    /// The terms of a key.
    #[must_use]
    pub fn get(&self, key: K) -> &[u32] {
        self.cells.get(&key).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_term_stands_once_in_the_cell_of_its_last_key(
            moves in proptest::collection::vec((0..20_u32, 0..5_u8), 0..80),
        ) {
            let mut cells = TermCells::default();
            let mut expected = BTreeMap::new();
            for (term, key) in moves {
                cells.put(term, key);
                expected.insert(term, key);
            }
            let mut found: Vec<(u32, u8)> = cells
                .iter()
                .flat_map(|(key, terms)| terms.iter().map(move |term| (*term, key)))
                .collect();
            found.sort_unstable();
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
            prop_assert!(cells.iter().all(|(_, terms)| !terms.is_empty()));
        }
    }
}
