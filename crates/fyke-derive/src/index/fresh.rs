//! Fresh documents: what a running crawl has fetched so far is made into documents and can be searched
//! (000 "index maintenance"). Copies and ranks take all documents together; they are found after the crawl.

use super::{ROW, discard_index, mark_in, open_index, take_up};
use crate::DeriveError;
use crate::mend::mending;
use crate::pages::derive_batches;
use crate::run::{Orders, run_one};
use crate::stale::{DerivedMark, Due, Eagerness, due};
use crate::table::DeriveSettings;
use crate::whole::reasons;
use fyke_index::IndexError;
use fyke_store::{Collection, StoreError};

/// What a round of freshening did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FreshRound {
    /// Documents that were put into the index.
    pub put: u64,
    /// Whether there was more to be taken up than one round takes.
    pub has_more: bool,
}

/// Why the deriving ended before its end.
enum Ended {
    /// It is enough for this round.
    Enough,
    Failed(StoreError),
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Ended {
        Ended::Failed(error)
    }
}

/// Makes documents of what was fetched since the last time and puts them into the index. The rest of the
/// index stays as it is. `is_enough` is asked with the captures read so far, after every few hundred: a round
/// that ends there can be searched at once, and the next one goes on from there.
///
/// # Errors
/// When the collection or the index cannot be read or written.
pub fn freshen(
    collection: &Collection,
    settings: &DeriveSettings,
    is_enough: &dyn Fn(u64) -> bool,
) -> Result<FreshRound, DeriveError> {
    let _turn = collection.begin_deriving();
    mending(collection, || freshen_once(collection, settings, is_enough))
}

fn freshen_once(
    collection: &Collection,
    settings: &DeriveSettings,
    is_enough: &dyn Fn(u64) -> bool,
) -> Result<FreshRound, DeriveError> {
    let mut made = Vec::new();
    let derived = derive_batches(collection, |read, batch| {
        made.extend(batch.iter().map(|page| page.id));
        if is_enough(read) { Err(Ended::Enough) } else { Ok(()) }
    });
    let has_more = match derived {
        Ok(_) => false,
        Err(Ended::Enough) => collection.documents.mark()? < collection.captures.end(),
        Err(Ended::Failed(error)) => return Err(error.into()),
    };
    if made.is_empty() {
        return Ok(FreshRound { put: 0, has_more });
    }
    let pace = Eagerness::Fresh;
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
    let put = match take_up(collection, (&cells, &index), (pages, &mark), &mut |_| ()) {
        Err(DeriveError::Index(error @ IndexError::Broken { .. })) => {
            tracing::warn!(%error, "the index is made again after the crawl");
            discard_index(collection)?;
            0
        }
        taken => taken?,
    };
    Ok(FreshRound { put, has_more })
}
