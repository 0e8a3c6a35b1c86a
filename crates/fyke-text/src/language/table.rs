//! Weights by n-gram and lane: what a model is made of. The bytes are those of the file, so that
//! reading a model is one pass over it.
//!
//! For each value of a key's upper bits there is a bucket: the number of its rows; then each row:
//! the key's lower eight bits, the number of entries, the entries (lane, weight); or, where more
//! than half of the lanes have one, 255 and a weight for every lane. Rows with many entries come
//! first in their bucket, since they are looked up most.

use super::ngrams::KEY_BITS;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Lanes there can be.
pub(crate) const LANES: usize = 256;

const BUCKETS: usize = 1 << (KEY_BITS - 8);
/// Rows of a bucket, which are counted in one byte.
const MOST: usize = 255;
/// In place of the number of entries: every lane has one.
const DENSE: u8 = 255;
/// Keys that are looked up together.
const TOGETHER: usize = 32;
/// Weights that are added at once.
const STEP: usize = 16;

/// Weights of n-grams, by key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NgramTable {
    bytes: Cow<'static, [u8]>,
    /// Where each bucket begins.
    starts: Vec<u32>,
    lanes: usize,
}

/// The weights of one n-gram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NgramRow<'a> {
    /// Lane and weight.
    Sparse(&'a [[u8; 2]]),
    /// A weight for every lane.
    Dense(&'a [u8]),
}

/// Rows of a table before it is written: for each key weights by lane.
pub type NgramRows = BTreeMap<u32, Vec<(u8, u8)>>;

impl NgramTable {
    /// Reads a table from the start of `bytes`, whose lanes are below `lanes`; gives also the rest.
    #[must_use]
    pub fn read(
        bytes: Cow<'static, [u8]>,
        lanes: usize,
    ) -> Option<(NgramTable, Cow<'static, [u8]>)> {
        let mut starts = Vec::with_capacity(BUCKETS + 1);
        let mut at = 0;
        for _ in 0..BUCKETS {
            starts.push(u32::try_from(at).ok()?);
            let rows = *bytes.get(at)?;
            at += 1;
            for _ in 0..rows {
                let (row, _) = row(bytes.get(at + 1..)?, lanes)?;
                at += 2 + match row {
                    NgramRow::Dense(weights) => weights.len(),
                    NgramRow::Sparse(entries) => {
                        let fits = entries.iter().all(|entry| usize::from(entry[0]) < lanes);
                        fits.then_some(2 * entries.len())?
                    }
                };
            }
        }
        let (own, rest) = split(bytes, at);
        Some((NgramTable { bytes: own, starts, lanes }, rest))
    }

    /// The bytes of a table with these rows and so many lanes.
    #[must_use]
    pub fn write(rows: &NgramRows, lanes: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = rows.iter().peekable();
        for bucket in 0..BUCKETS as u32 {
            let mut own = Vec::new();
            while let Some((key, entries)) = rest.next_if(|(key, _)| *key >> 8 == bucket) {
                own.push((*key as u8, entries));
            }
            own.sort_by_key(|(low, entries)| (std::cmp::Reverse(entries.len()), *low));
            own.truncate(MOST);
            bytes.push(own.len() as u8);
            for (low, entries) in own {
                bytes.push(low);
                write_row(&mut bytes, entries, lanes);
            }
        }
        bytes
    }

    /// The rows, as they were before they were written.
    #[must_use]
    pub(crate) fn rows(&self) -> NgramRows {
        let mut rows = NgramRows::new();
        for (bucket, &start) in self.starts.iter().enumerate() {
            let mut rest = &self.bytes[start as usize + 1..];
            for _ in 0..self.bytes[start as usize] {
                let Some((&low, after)) = rest.split_first() else { break };
                let Some((found, after)) = row(after, self.lanes) else { break };
                let entries = match found {
                    NgramRow::Sparse(entries) => entries.iter().map(|&[l, w]| (l, w)).collect(),
                    NgramRow::Dense(weights) => {
                        let entries = weights.iter().enumerate().filter(|entry| *entry.1 != 0);
                        entries.map(|(lane, &weight)| (lane as u8, weight)).collect()
                    }
                };
                rows.insert((bucket as u32) << 8 | u32::from(low), entries);
                rest = after;
            }
        }
        rows
    }

    /// The bytes of a table that is part of the program.
    #[must_use]
    pub fn shipped(&self) -> Option<&'static [u8]> {
        match self.bytes {
            Cow::Borrowed(bytes) => Some(bytes),
            Cow::Owned(_) => None,
        }
    }

    /// Lanes there are.
    #[must_use]
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// Adds the weights of an n-gram, read by `read`, to the sums of the lanes.
    pub fn add<T: AddAssign>(&self, key: u32, sums: &mut [T; LANES], read: impl Fn(u8) -> T) {
        if let Some(&start) = self.starts.get((key >> 8) as usize) {
            self.add_from(start, key, sums, &read);
        }
    }

    /// As [`NgramTable::add`] for all these keys. Where they lie is looked up for several together, since
    /// it is the memory that takes the time and it can be asked for many places at once.
    pub fn add_all<T: AddAssign>(
        &self,
        keys: &[u32],
        sums: &mut [T; LANES],
        read: impl Fn(u8) -> T,
    ) {
        for keys in keys.chunks(TOGETHER) {
            let mut starts = [0; TOGETHER];
            for (start, key) in starts.iter_mut().zip(keys) {
                *start = self.starts.get((key >> 8) as usize).copied().unwrap_or(u32::MAX);
            }
            // Buckets without a row need no second look.
            let mut filled = [false; TOGETHER];
            for (filled, start) in filled.iter_mut().zip(&starts).take(keys.len()) {
                *filled = self.bytes.get(*start as usize).is_some_and(|rows| *rows > 0);
            }
            for ((start, key), _) in starts.iter().zip(keys).zip(filled).filter(|row| row.1) {
                self.add_from(*start, *key, sums, &read);
            }
        }
    }

    /// Adds the weights of an n-gram whose bucket begins here.
    fn add_from<T: AddAssign>(
        &self,
        start: u32,
        key: u32,
        sums: &mut [T; LANES],
        read: &impl Fn(u8) -> T,
    ) {
        match self.row(start, key) {
            None => {}
            Some(NgramRow::Sparse(entries)) => {
                for &[lane, weight] in entries {
                    sums[usize::from(lane)] += read(weight);
                }
            }
            Some(NgramRow::Dense(weights)) => add_dense(weights, sums, read),
        }
    }

    /// The weights of an n-gram, if it is known; its bucket begins at `start`.
    fn row(&self, start: u32, key: u32) -> Option<NgramRow<'_>> {
        let (&rows, mut bucket) = self.bytes.get(start as usize..)?.split_first()?;
        for _ in 0..rows {
            let (&low, rest) = bucket.split_first()?;
            let (row, rest) = row(rest, self.lanes)?;
            if low == key as u8 {
                return Some(row);
            }
            bucket = rest;
        }
        None
    }
}

/// Adds a weight for every lane. In steps of a fixed length, which the processor takes at once.
fn add_dense<T: AddAssign>(weights: &[u8], sums: &mut [T; LANES], read: &impl Fn(u8) -> T) {
    let (steps, rest) = weights.as_chunks::<STEP>();
    let (sums, _) = sums.as_chunks_mut::<STEP>();
    for (sums, weights) in sums.iter_mut().zip(steps) {
        for (sum, &weight) in sums.iter_mut().zip(weights) {
            *sum += read(weight);
        }
    }
    if let Some(sums) = sums.get_mut(steps.len()) {
        for (sum, &weight) in sums.iter_mut().zip(rest) {
            *sum += read(weight);
        }
    }
}

/// The row that `bytes` begin with, without its key, and what follows it.
fn row(bytes: &[u8], lanes: usize) -> Option<(NgramRow<'_>, &[u8])> {
    let (&entries, rest) = bytes.split_first()?;
    if entries == DENSE {
        let (weights, rest) = rest.split_at_checked(lanes)?;
        return Some((NgramRow::Dense(weights), rest));
    }
    let (entries, rest) = rest.split_at_checked(2 * usize::from(entries))?;
    Some((NgramRow::Sparse(entries.as_chunks().0), rest))
}

fn write_row(bytes: &mut Vec<u8>, entries: &[(u8, u8)], lanes: usize) {
    if 2 * entries.len() > lanes {
        let mut weights = vec![0; lanes];
        entries.iter().for_each(|&(lane, weight)| weights[usize::from(lane)] = weight);
        bytes.push(DENSE);
        bytes.extend(weights);
    } else {
        bytes.push(entries.len() as u8);
        bytes.extend(entries.iter().flat_map(|&(lane, weight)| [lane, weight]));
    }
}

/// `bytes` in two, without a copy where they are shipped with the program.
fn split(bytes: Cow<'static, [u8]>, at: usize) -> (Cow<'static, [u8]>, Cow<'static, [u8]>) {
    match bytes {
        Cow::Borrowed(bytes) => (Cow::Borrowed(&bytes[..at]), Cow::Borrowed(&bytes[at..])),
        Cow::Owned(mut bytes) => {
            let rest = bytes.split_off(at);
            (Cow::Owned(bytes), Cow::Owned(rest))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read_again(
            rows in proptest::collection::btree_map(
                0_u32..1 << KEY_BITS,
                proptest::collection::btree_map(0_u8..9, any::<u8>(), 1..9),
                0..40,
            ),
            rest: Vec<u8>,
        ) {
            let entries = |row: BTreeMap<u8, u8>| row.into_iter().collect();
            let rows: NgramRows = rows.into_iter().map(|(key, row)| (key, entries(row))).collect();
            let mut bytes = NgramTable::write(&rows, 9);
            bytes.extend(&rest);
            let (table, after) = NgramTable::read(Cow::Owned(bytes), 9).unwrap();
            prop_assert_eq!(after.as_ref(), &rest[..]);
            let filled = |row: &(u8, u8)| row.1 != 0;
            let without = |rows: NgramRows| -> NgramRows {
                rows.into_iter().map(|(k, r)| (k, r.into_iter().filter(filled).collect())).collect()
            };
            prop_assert_eq!(without(table.rows()), without(rows.clone()));
            for (key, entries) in &rows {
                let mut sums = [0_u32; LANES];
                table.add(*key, &mut sums, u32::from);
                for (lane, sum) in sums.into_iter().enumerate() {
                    let entry = entries.iter().find(|entry| usize::from(entry.0) == lane);
                    prop_assert_eq!(sum, entry.map_or(0, |entry| u32::from(entry.1)));
                }
            }
        }

        #[test]
        fn bytes_that_are_no_table_are_refused(bytes: Vec<u8>) {
            prop_assert_eq!(NgramTable::read(Cow::Owned(bytes), 9), None);
        }
    }
}
