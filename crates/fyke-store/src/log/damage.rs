//! Damage of a log, named once, however many records cannot be read because of it.

use crate::StoreError;
use crate::tail::locked;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;

/// Damaged places that are remembered; whatever is found after so many is not named any more.
const MOST: usize = 1000;

/// A damaged stretch of the log: from one position to another.
#[derive(Debug)]
pub(crate) struct Damage {
    pub(crate) bytes: Range<u64>,
    pub(crate) error: StoreError,
}

/// What was named: by first byte, with the byte after the last.
#[derive(Debug, Default)]
pub(super) struct NamedDamage(Mutex<BTreeMap<u64, (u64, String)>>);

impl NamedDamage {
    /// Warns of damage, unless some of these bytes were named before.
    pub(super) fn name(&self, damage: &Damage) {
        let mut named = locked(&self.0);
        let Range { start, end } = damage.bytes;
        let before = named.range(..end.max(start.saturating_add(1))).next_back();
        if before.is_some_and(|(_, (end, _))| *end > start) || named.len() >= MOST {
            return;
        }
        let error = &damage.error;
        tracing::warn!(%error, "a damaged part of the log is skipped; the rest is read");
        named.insert(start, (end, error.to_string()));
    }

    /// All that was named, in the order of the log.
    pub(super) fn all(&self) -> Vec<String> {
        locked(&self.0).values().map(|(_, what)| what.clone()).collect()
    }

    pub(super) fn has(&self, position: u64) -> bool {
        let named = locked(&self.0);
        named.range(..=position).next_back().is_some_and(|(_, (end, _))| *end > position)
    }
}
