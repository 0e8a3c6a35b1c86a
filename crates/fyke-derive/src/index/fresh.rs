//! Fresh documents: what a running crawl has fetched so far is made into documents and can be searched
//! (000 "index maintenance"). Copies and ranks take all documents together; they are found after the crawl.

use super::{ROW, discard_index, mark_in, open_index, take_up};
use crate::DeriveError;
use crate::mend::mending;
use crate::pages::derive_batches;
use crate::run::{Orders, run_one};
use crate::stale::{DerivedMark, Due, Pace, due};
use crate::table::DeriveSettings;
use crate::whole::reasons;
use fyke_index::IndexError;
use fyke_store::Collection;

/// Makes documents of what was fetched since the last time and puts them into the index; returns how
/// many. The rest of the index stays as it is.
///
/// # Errors
/// When the collection or the index cannot be read or written.
pub fn freshen(collection: &Collection, settings: &DeriveSettings) -> Result<u64, DeriveError> {
    let _turn = collection.begin_deriving();
    mending(collection, || freshen_once(collection, settings))
}

fn freshen_once(collection: &Collection, settings: &DeriveSettings) -> Result<u64, DeriveError> {
    let mut made = Vec::new();
    derive_batches(collection, |_, batch| {
        made.extend(batch.iter().map(|(id, ..)| *id));
        Ok::<(), DeriveError>(())
    })?;
    if made.is_empty() {
        return Ok(0);
    }
    let pace = Pace::Fresh;
    let mut orders = Orders { settings, pace, only: None, observe: &mut |_| () };
    run_one(collection, &reasons::ROW, &mut orders)?;
    let (index, cells) = (open_index(collection)?, collection.cells());
    let before = mark_in(&index);
    let found = due(&ROW, before.as_ref(), &cells, settings, pace)?;
    let (pages, mark) = match found {
        Due::Some { ref pages, .. } => {
            (pages, DerivedMark::after(&ROW, before.as_ref(), &found, &cells, settings)?)
        }
        // All is to be made anew, which is done after the crawl.
        _ => (&made, before.unwrap_or_default()),
    };
    match take_up(collection, &cells, &index, pages, &mark) {
        Err(DeriveError::Index(error @ IndexError::Broken { .. })) => {
            tracing::warn!(%error, "the index is made again after the crawl");
            discard_index(collection)?;
            Ok(0)
        }
        taken => taken,
    }
}
