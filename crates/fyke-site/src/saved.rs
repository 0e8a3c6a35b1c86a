//! What a form has written beside the collection is taken up: derivations that depend on it run, and the site shows
//! what came of them.

use crate::Site;
use crate::answer::RequestTrouble;
use fyke_store::StoreError;
use std::sync::{MutexGuard, TryLockError};

/// One at a time: each takes seconds and the memory of a sample.
pub(crate) fn alone(site: &Site) -> Result<MutexGuard<'_, ()>, RequestTrouble> {
    match site.learning.try_lock() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(RequestTrouble::Busy(
            "the last change is being taken up just now; try again in a moment".to_owned(),
        )),
    }
}

/// Brings derivations and index up to date. Where another process writes the collection, `what` says what is saved
/// and when it counts.
pub(crate) fn take_up(site: &Site, what: &str) -> Result<(), RequestTrouble> {
    let collection = match site.writer() {
        Err(held @ StoreError::Held(..)) => {
            return Err(RequestTrouble::Busy(format!("{what}: {held}")));
        }
        opened => opened?,
    };
    fyke_stages::run(&collection, &site.config, &mut |_| {})?;
    Ok(site.renew()?)
}
