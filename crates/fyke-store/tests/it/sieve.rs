//! The sieve against a map in memory: inserts, tables written and merged, opened again.

use crate::captures::cases;
use fyke_store::{Sieve, SieveOptions, StoreError};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A table so small that runs are written and merged all the time.
const TINY: SieveOptions = SieveOptions { entries: 8, recent: 1 << 16 };

#[derive(Clone, Debug)]
enum Step {
    Insert(u64, u64),
    Flush,
    Reopen,
}

fn key() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0u64..60, 4 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX)]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        20 => (key(), any::<u64>()).prop_map(|(key, value)| Step::Insert(key, value)),
        1 => Just(Step::Flush),
        1 => Just(Step::Reopen),
    ]
}

fn check_same(sieve: &Sieve, model: &BTreeMap<u64, u64>, others: &[u64]) {
    assert_eq!(sieve.len(), model.len() as u64);
    for (&key, &value) in model {
        assert_eq!(sieve.get(key).unwrap(), Some(value), "{key}");
        assert!(sieve.contains(key).unwrap());
    }
    for key in others {
        assert_eq!(sieve.contains(*key).unwrap(), model.contains_key(key), "{key}");
    }
}

#[test]
fn a_sieve_is_a_map() {
    proptest!(cases(12), |(
        steps in prop::collection::vec(step(), 0..300),
        others in prop::collection::vec(key(), 100),
    )| {
        let dir = tempfile::tempdir().unwrap();
        let mut sieve = Sieve::open(dir.path(), TINY).unwrap();
        let mut model = BTreeMap::new();
        for step in steps {
            match step {
                Step::Insert(key, value) => {
                    prop_assert_eq!(sieve.insert(key, value).unwrap(), model.insert(key, value));
                }
                Step::Flush => sieve.flush().unwrap(),
                Step::Reopen => {
                    sieve.flush().unwrap();
                    drop(sieve);
                    sieve = Sieve::open(dir.path(), TINY).unwrap();
                }
            }
        }
        check_same(&sieve, &model, &others);
    });
}

#[test]
fn runs_are_merged_and_old_ones_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let sieve = Sieve::open(dir.path(), TINY).unwrap();
    for key in 0..2_000 {
        sieve.insert(key % 500, key).unwrap();
    }
    sieve.flush().unwrap();
    let runs = std::fs::read_dir(dir.path()).unwrap().count() - 1;
    assert!(runs <= 8, "{runs} runs");
    assert!(sieve.disk() < 2 * 500 * 40, "{} bytes", sieve.disk());
    check_same(&sieve, &(1_500..2_000).map(|key| (key % 500, key)).collect(), &[500, u64::MAX]);
}

#[test]
fn a_run_with_a_flipped_byte_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let sieve = Sieve::open(dir.path(), SieveOptions::default()).unwrap();
    for key in 0..200 {
        sieve.insert(key, key).unwrap();
    }
    sieve.flush().unwrap();
    drop(sieve);
    let run = dir.path().join("000000.run");
    let whole = std::fs::read(&run).unwrap();
    for at in (0..whole.len()).step_by(13) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        std::fs::write(&run, &bytes).unwrap();
        let read = || -> Result<(), StoreError> {
            let sieve = Sieve::open(dir.path(), SieveOptions::default())?;
            for key in 0..200 {
                assert_eq!(sieve.get(key)?, Some(key), "byte {at}");
            }
            Ok(())
        };
        // The spare bytes of a block's end hold nothing.
        let block = at < 4 * 1024 && at % 1024 >= 1016;
        match read() {
            Ok(()) => assert!(block, "a flip of byte {at} was not noticed"),
            Err(error) => {
                // It is refused from now on, unless that is taken back.
                let _ = std::fs::remove_file(dir.path().join("damaged"));
                let text = error.to_string();
                assert!(text.contains("000000.run") && text.contains("made again"), "{text}");
            }
        }
    }
}
