//! `fyke check` as a whole: what the store verifies, and the index, which is compared with its own checksums.

use crate::DeriveError;
use crate::facts::FACTS;
use crate::run::Step;
use fyke_index::{Index, IndexError};
use fyke_store::{Checkup, index_dir};
use serde::Serialize;
use std::path::Path;

const AGAIN: &str = "the next fyke crawl or fyke rebuild makes it again";

/// What was read of a collection, and what is wrong with it.
#[derive(Debug, Serialize)]
pub struct CollectionCheck {
    #[serde(flatten)]
    pub store: Checkup,
    /// Documents in the index.
    pub indexed: u64,
}

/// Verifies the collection at `root`, which may be written meanwhile.
///
/// # Errors
/// When something cannot be read for a reason other than damage.
pub fn check(root: &Path, observe: &mut dyn FnMut(Step)) -> Result<CollectionCheck, DeriveError> {
    let mut store = Checkup::of_store(root, &mut |stage, done, total| {
        observe(Step { stage, done, total });
    })?;
    observe(Step { stage: "index", done: 0, total: None });
    let dir = index_dir(root);
    let indexed = match Index::verify(&dir, &FACTS) {
        Ok(indexed) => indexed,
        Err(error @ (IndexError::Broken { .. } | IndexError::Old(_))) => {
            store.note("index", &error, AGAIN);
            0
        }
        Err(error) => return Err(error.into()),
    };
    if !dir.exists() && store.documents > 0 {
        store.note("index", &"there are documents and no index", AGAIN);
    }
    Ok(CollectionCheck { store, indexed })
}
