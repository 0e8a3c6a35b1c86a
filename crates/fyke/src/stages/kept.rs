//! Documents with what their captures say of their use, one after the other by id: what figures of the
//! corpus and exports are made from. Captures are read on all cores, a bounded batch at a time.

use super::{reasons, topics};
use fyke_store::{Place, Reason, StoreError, View};
use fyke_web::{Document, Rights, UrlId};
use std::collections::HashMap;

/// A batch is read when it holds so many documents or so many bytes of text.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 16 << 20;

/// A document on its way into figures or an export.
#[derive(Debug)]
pub struct Kept {
    pub document: Document,
    pub reason: Reason,
    /// Where its capture stands, if the ledger knows.
    pub place: Option<Place>,
    pub rights: Rights,
    /// Its topics, one to a line, the main one first.
    pub topics: String,
}

/// Shows every wanted document to `visit`, by id; returns how many documents there are in all.
///
/// # Errors
/// When the collection cannot be read, and what `visit` gives. A damaged capture is passed over: its
/// document comes without rights.
pub fn each(
    collection: &View,
    wanted: impl Fn(&Document, Reason) -> bool,
    mut visit: impl FnMut(Kept) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let found_out: HashMap<UrlId, Reason> = reasons::of_documents(collection)?.collect();
    let (mut batch, mut bytes, mut documents) = (Vec::new(), 0, 0);
    for document in collection.documents.all() {
        let document = document?;
        documents += 1;
        let row = collection.ledger.get(document.id)?;
        let reason = match row.as_ref().map_or(Reason::Kept, |row| row.reason) {
            Reason::Kept => found_out.get(&document.id).copied().unwrap_or(Reason::Kept),
            other => other,
        };
        if !wanted(&document, reason) {
            continue;
        }
        bytes += document.text.len();
        let place = row.and_then(|row| row.capture);
        let topics = topics::names_of(collection, document.id)?;
        batch.push(Kept { document, reason, place, rights: Rights::default(), topics });
        if batch.len() >= BATCH || bytes >= BATCH_BYTES {
            read_rights(collection, &mut batch)?;
            batch.drain(..).try_for_each(&mut visit)?;
            bytes = 0;
        }
    }
    read_rights(collection, &mut batch)?;
    batch.into_iter().try_for_each(visit)?;
    Ok(documents)
}

fn read_rights(collection: &View, batch: &mut [Kept]) -> Result<(), StoreError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let part = batch.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let read = |part: &mut [Kept]| {
            part.iter_mut().try_for_each(|kept| {
                kept.rights = rights(collection, kept.place)?;
                Ok(())
            })
        };
        let parts: Vec<_> =
            batch.chunks_mut(part).map(|part| scope.spawn(move || read(part))).collect();
        parts.into_iter().try_for_each(|part| part.join().expect("parsing does not panic"))
    })
}

fn rights(collection: &View, place: Option<Place>) -> Result<Rights, StoreError> {
    let Some(place) = place else { return Ok(Rights::default()) };
    match collection.captures.read(place) {
        Ok(capture) => Ok(Rights::of(&capture, &fyke_web::parse(&capture))),
        Err(damage @ StoreError::Damaged { .. }) => {
            tracing::warn!(%damage, "a capture was passed over");
            Ok(Rights::default())
        }
        Err(error) => Err(error),
    }
}
