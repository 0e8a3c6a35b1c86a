//! Columns are derived: when some are found damaged in mid-work, all are thrown away, and the work is done again.

use crate::DeriveError;
use fyke_store::{Collection, StoreError};

/// Does some work; when it meets damaged columns, clears them and does it once more.
pub(crate) fn mending<T>(
    collection: &Collection,
    mut work: impl FnMut() -> Result<T, DeriveError>,
) -> Result<T, DeriveError> {
    match work() {
        Err(DeriveError::Store(StoreError::Damaged { path, what }))
            if is_column(collection, &path) =>
        {
            let path = path.display();
            tracing::warn!(%path, what, "the columns are damaged and are made again");
            collection.cells.clear()?;
            work()
        }
        done => done,
    }
}

fn is_column(collection: &Collection, path: &std::path::Path) -> bool {
    collection.index_dir().parent().is_some_and(|root| path.starts_with(root.join("columns")))
}
