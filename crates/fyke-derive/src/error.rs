//! What can go wrong when facts are derived: trouble with the collection or with its index.

use fyke_index::IndexError;
use fyke_store::StoreError;

/// Trouble with the disk; what was made until then stays, and the next run goes on.
#[derive(Debug, thiserror::Error)]
pub enum DeriveError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Index(#[from] IndexError),
}
