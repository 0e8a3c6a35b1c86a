//! The table of derivations: what each reads, what it writes, what it depends on. A derivation never opens
//! the disk, never asks for the time, and sees what it is handed; when it runs is decided in
//! [`crate::stale`]. What it finds out and the index should take is declared with it.

use crate::facts::DerivedFact;
use crate::index;
use crate::page::{self, PageRun};
use crate::whole::citations::KnownPapers;
use crate::whole::spam::KnownSpam;
use crate::whole::subject::SubjectSettings;
use crate::whole::topics::Outline;
use crate::whole::{self, WholeRun};
use fyke_store::{CellBatch, Declaration, StoreError};
use xxhash_rust::xxh3::xxh3_64;

/// One row of the table.
pub struct Derivation {
    pub name: &'static str,
    pub what: &'static str,
    /// Stands for it in the log of changes, below 64. Written to disk: never given to another.
    pub code: u8,
    /// Another number makes it run again, alone.
    pub version: u32,
    /// Derivations whose changes it takes up at once …
    pub reads: &'static [&'static str],
    /// … and those whose changes it takes up when they are many.
    pub late: &'static [&'static str],
    pub writes: &'static [Declaration],
    /// What the index takes of it.
    pub facts: &'static [DerivedFact],
    /// The settings that it reads, as a text.
    pub settings: fn(&DeriveSettings) -> String,
    pub tier: Tier,
}

/// From columns to columns.
pub(crate) type WholeStep = fn(&mut WholeRun<'_>) -> Result<(), StoreError>;

/// How a derivation runs.
pub enum Tier {
    /// From a capture with its page and document to cells, once, when the document is made.
    Page(fn(&PageRun<'_>, &mut CellBatch)),
    /// From columns to columns.
    Whole {
        /// For all pages.
        all: WholeStep,
        /// For pages that have changed, if it can.
        some: Option<WholeStep>,
        /// Whether what was made in parts is what would be made at once.
        is_exact: bool,
    },
    /// From documents and columns into the full-text index.
    Index,
}

impl Tier {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Tier::Page(_) => "page",
            Tier::Whole { .. } => "whole",
            Tier::Index => "index",
        }
    }
}

impl std::fmt::Debug for Tier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Debug for Derivation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Settings that derivations read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeriveSettings {
    /// The Jaccard coefficient from which on two texts are copies.
    pub near_duplicate: f64,
    /// Documents of fewer words are thin.
    pub min_words: u32,
    /// Languages that are wanted; none: all.
    pub languages: Vec<String>,
    /// The tree of topics, if there is one.
    pub outline: Option<Outline>,
    /// The subject of a focused collection.
    pub subject: Option<SubjectSettings>,
    /// Whether names of persons, places and organisations are looked for.
    pub names: bool,
    /// What people say of papers.
    pub papers: KnownPapers,
    /// What people say of pages and hosts.
    pub spam: KnownSpam,
}

/// Every derivation, in the order in which they run.
pub const DERIVATIONS: &[Derivation] = &[
    page::print::ROW,
    page::rights::ROW,
    page::canonical::ROW,
    page::anchors::ROW,
    page::missing::ROW,
    page::named::ROW,
    page::papers::ROW,
    page::private::ROW,
    page::evidence::ROW,
    #[cfg(test)]
    page::stuffing::ROW,
    whole::twins::ROW,
    whole::soft404::ROW,
    whole::spam::neighbours::ROW,
    whole::spam::ROW,
    whole::subject::MODEL_ROW,
    whole::subject::ROW,
    whole::reasons::ROW,
    whole::titles::ROW,
    whole::compounds::ROW,
    whole::graph::ROW,
    whole::topics::MODEL_ROW,
    whole::topics::ROW,
    whole::names::ROW,
    whole::citations::ROW,
    index::ROW,
    whole::corpus::ROW,
];

impl Derivation {
    /// The derivation of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Derivation> {
        DERIVATIONS.iter().find(|row| row.name == name)
    }

    /// Those whose changes it takes up at once; the index those that have facts, too.
    fn read(&self) -> impl Iterator<Item = &'static Derivation> + use<> {
        let (reads, is_index) = (self.reads, matches!(self.tier, Tier::Index));
        let is_read = move |row: &&Derivation| {
            reads.contains(&row.name) || (is_index && !row.facts.is_empty())
        };
        DERIVATIONS.iter().filter(is_read)
    }

    fn read_late(&self) -> impl Iterator<Item = &'static Derivation> + use<> {
        self.late.iter().filter_map(|name| Derivation::named(name))
    }

    /// All that it depends on.
    pub fn inputs(&self) -> impl Iterator<Item = &'static Derivation> + use<> {
        self.read().chain(self.read_late())
    }

    /// The bits of those whose changes it takes up at once …
    pub(crate) fn bits_read(&self) -> u64 {
        bits(self.read())
    }

    /// … and of those whose changes can wait.
    pub(crate) fn bits_late(&self) -> u64 {
        bits(self.read_late())
    }

    /// Its bit in the log of changes.
    pub(crate) fn bit(&self) -> u64 {
        1 << self.code
    }

    pub(crate) fn settings_hash(&self, settings: &DeriveSettings) -> u64 {
        xxh3_64((self.settings)(settings).as_bytes())
    }

    #[must_use]
    pub fn is_of_pages(&self) -> bool {
        matches!(self.tier, Tier::Page(_))
    }
}

fn bits(rows: impl Iterator<Item = &'static Derivation>) -> u64 {
    rows.fold(0, |bits, row| bits | row.bit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_has_a_name_a_code_and_columns_of_its_own_and_reads_what_stands_before_it() {
        let (mut names, mut codes, mut columns) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for row in DERIVATIONS {
            let named = row.reads.iter().chain(row.late).copied();
            for read in named.chain(row.inputs().map(|input| input.name)) {
                assert!(names.contains(read), "{row:?} reads {read}, which comes later");
            }
            assert!(names.insert(row.name) && codes.insert(row.code), "{row:?}");
            assert!(row.what.len() > 15 && row.code < 64, "{row:?}");
            row.writes.iter().for_each(|column| assert!(columns.insert(column.name), "{column:?}"));
        }
    }
}
