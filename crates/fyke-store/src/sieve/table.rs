//! The table in memory. Its keys are hashes already, but known ones: mixing them with a number nobody
//! outside knows keeps a hostile site from choosing URLs that fall into one place.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

pub(super) type SieveTable = HashMap<u64, u64, TableSeed>;

/// The number of one table.
#[derive(Clone, Debug)]
pub(super) struct TableSeed(u64);

impl Default for TableSeed {
    fn default() -> TableSeed {
        TableSeed(RandomState::new().hash_one(0u64))
    }
}

impl BuildHasher for TableSeed {
    type Hasher = Mixed;

    fn build_hasher(&self) -> Mixed {
        Mixed(self.0)
    }
}

/// A key mixed with the table's number.
#[derive(Debug)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn write_u64(&mut self, key: u64) {
        let product = u128::from(self.0 ^ key) * u128::from(self.0 | 1);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
