//! How often words occur in each class, words being hashes folded into a table of fixed size: memory does
//! not grow with the vocabulary, and it can be counted at any time (002 §3.1, N(w, c)).

/// What has been counted so far, for `CLASSES` classes.
#[derive(Clone, Debug)]
pub struct HashedCounts<const CLASSES: usize> {
    rows: Vec<[f32; CLASSES]>,
    totals: [f64; CLASSES],
}

impl<const CLASSES: usize> HashedCounts<CLASSES> {
    /// Nothing counted yet, in so many places, rounded up to a power of two. With seven times as many
    /// places as words, one word in fourteen shares its place.
    #[must_use]
    pub fn new(places: usize) -> HashedCounts<CLASSES> {
        let places = places.next_power_of_two();
        HashedCounts { rows: vec![[0.; CLASSES]; places], totals: [0.; CLASSES] }
    }

    /// How many places there are.
    #[must_use]
    pub fn places(&self) -> usize {
        self.rows.len()
    }

    /// The place of a word.
    #[inline]
    #[must_use]
    pub fn place(&self, word: u32) -> usize {
        word as usize & (self.rows.len() - 1)
    }

    /// Counts a word as belonging to a class; the row that it has then.
    pub fn add(&mut self, word: u32, class: usize, times: f32) -> &[f32; CLASSES] {
        let place = self.place(word);
        let row = &mut self.rows[place];
        row[class] += times;
        self.totals[class] += f64::from(times);
        row
    }

    /// How often a word, or one that shares its place, was counted in each class.
    #[inline]
    #[must_use]
    pub fn row(&self, word: u32) -> &[f32; CLASSES] {
        &self.rows[self.place(word)]
    }

    /// The sums of all rows.
    #[must_use]
    pub fn totals(&self) -> &[f64; CLASSES] {
        &self.totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_counted_by_class(
            words in prop::collection::vec((0u32..9, 0usize..3, 1u8..5), 0..40),
        ) {
            let mut counts = HashedCounts::<3>::new(16);
            for &(word, class, times) in &words {
                counts.add(word, class, times.into());
            }
            for class in 0..3 {
                let of = words.iter().filter(|(_, c, _)| *c == class);
                let total: u32 = of.clone().map(|(.., times)| u32::from(*times)).sum();
                prop_assert_eq!(counts.totals()[class], f64::from(total));
                for word in 0..9 {
                    let sum = of.clone().filter(|(w, ..)| *w == word).map(|w| f32::from(w.2)).sum();
                    prop_assert_eq!(counts.row(word)[class], sum);
                }
            }
        }
    }
}
