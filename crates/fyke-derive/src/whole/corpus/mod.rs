//! The corpus in figures: one pass over the documents that are kept (003 §4.2).

mod counting;
mod figures;

pub use counting::Counting;
pub use figures::{Bin, Corpus, CorpusPart, CorpusWords, Laws};

use super::WholeRun;
use crate::kept;
use crate::table::{Derivation, Tier};
use fyke_store::{Reason, Single, StoreError, View};

pub const ROW: Derivation = Derivation {
    name: "corpus",
    what: "the corpus in figures: words, languages, hosts, licences, laws",
    code: 10,
    version: 1,
    reads: &[],
    late: &["print", "rights", "twins", "reasons"],
    writes: &[CORPUS.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Whole { all: run, some: None, is_exact: true },
};

pub const CORPUS: Single<Corpus> = Single::new("corpus", 1);

fn run(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let corpus = measure(run.view, run.observe)?;
    run.batch.set(&CORPUS, &corpus)
}

/// The figures as they were made last, whatever has come since.
///
/// # Errors
/// When they cannot be read.
pub fn last(collection: &View) -> Result<Option<Corpus>, StoreError> {
    collection.cells().value(&CORPUS)
}

/// Counts what is kept; writes nothing.
///
/// # Errors
/// When documents cannot be read.
pub fn measure(
    collection: &View,
    observe: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Corpus, StoreError> {
    let mut counting = Counting::default();
    let mut done = 0;
    let is_kept = |_: &_, reason| reason == Reason::Kept;
    let documents = kept::each(collection, is_kept, |kept| {
        counting.add(&kept.document, &kept.rights);
        done += 1;
        if u64::is_multiple_of(done, 256) {
            observe(done, None);
        }
        Ok(())
    })?;
    Ok(Corpus { documents, ..counting.finish() })
}
