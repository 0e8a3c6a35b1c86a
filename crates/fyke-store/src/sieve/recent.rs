//! Keys that are known, remembered in front of everything: on most pages most links are known, and
//! most of those were found not long ago. Each key has one place, so that the newest stays.
//!
//! It grows with the sieve, to between half and all of the sieve's number of keys, up to a limit:
//! so it costs at most eight bytes a key.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

/// Places at first; a power of two.
const FIRST: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct RecentKeys {
    /// A power of two of them; empty until there is something to remember.
    places: RwLock<Box<[AtomicU64]>>,
    most: usize,
}

impl RecentKeys {
    /// Remembers at most `most` keys.
    pub(super) fn new(most: usize) -> RecentKeys {
        RecentKeys { places: RwLock::default(), most }
    }

    /// Whether this key is remembered.
    pub(super) fn has(&self, key: u64) -> bool {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        let place = places.get(place(key, places.len()));
        place.is_some_and(|place| place.load(Ordering::Relaxed) == key)
    }

    pub(super) fn add(&self, key: u64) {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        match places.get(place(key, places.len())) {
            Some(place) => place.store(key, Ordering::Relaxed),
            None => {
                drop(places);
                self.resize(FIRST);
                self.add(key);
            }
        }
    }

    pub(super) fn forget(&self, key: u64) {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = places.get(place(key, places.len())) {
            // A key of another place is no key of this one.
            let _ = place.compare_exchange(key, !key, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Makes room for a sieve of so many keys, if it is used at all.
    pub(super) fn grow(&self, len: u64) {
        if self.memory() > 0 {
            let half = usize::try_from(len / 2 + 1).unwrap_or(usize::MAX / 2).next_power_of_two();
            self.resize(half.min(self.most.next_power_of_two()));
        }
    }

    fn resize(&self, wanted: usize) {
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        if places.len() < wanted {
            let old = std::mem::replace(&mut *places, empty(wanted));
            let keys = old.iter().map(|place| place.load(Ordering::Relaxed)).enumerate();
            for (_, key) in keys.filter(|&(at, key)| place(key, old.len()) == at) {
                places[place(key, wanted)] = AtomicU64::new(key);
            }
        }
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> u64 {
        size_of_val(&**self.places.read().unwrap_or_else(PoisonError::into_inner)) as u64
    }
}

/// The place of a key among so many.
fn place(key: u64, places: usize) -> usize {
    key as usize & places.wrapping_sub(1)
}

/// Places that remember nothing: 0 belongs into the first alone, which holds a key of another.
fn empty(places: usize) -> Box<[AtomicU64]> {
    let places: Box<[AtomicU64]> = (0..places).map(|_| AtomicU64::new(0)).collect();
    places[0].store(1, Ordering::Relaxed);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_was_added_and_outlives_growth() {
        let recent = RecentKeys::new(1 << 20);
        recent.grow(1_000);
        assert_eq!(recent.memory(), 0);
        let keys = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        assert!((0..10).all(|n| !recent.has(keys(n))));
        (0..1_000).for_each(|n| recent.add(keys(n)));
        let held = |recent: &RecentKeys| (0..1_000).filter(|&n| recent.has(keys(n))).count();
        let before = held(&recent);
        assert!(before > 980, "{before} of 1,000");
        recent.grow(1_000_000);
        assert_eq!(recent.memory(), 8 << 19);
        assert!(held(&recent) >= before);
        assert!((1_000..100_000).all(|n| !recent.has(keys(n))));
        recent.grow(1 << 40);
        assert_eq!(recent.memory(), 8 << 20);
    }

    #[test]
    fn nothing_is_remembered_by_mistake() {
        let recent = RecentKeys::new(FIRST);
        assert!(!recent.has(0));
        recent.add(7);
        assert!(!recent.has(0) && !recent.has(1) && recent.has(7));
        recent.add(0);
        assert!(recent.has(0) && !recent.has(FIRST as u64));
        recent.forget(0);
        recent.forget(8);
        assert!(!recent.has(0) && !recent.has(8) && recent.has(7));
    }
}
