//! Tables by keys that are hashes already, which need not be hashed again. Whoever can choose the keys
//! can make them fall into one place: only for tables whose size is bounded.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use xxhash_rust::xxh3::xxh3_64;

/// A table by hash.
pub type Hashed<V> = HashMap<u64, V, BuildHasherDefault<IdentityHasher>>;

/// Takes a number for its own hash.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}
