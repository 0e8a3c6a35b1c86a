//! Documents with what is known of their use, one after the other by id: what figures of the corpus and
//! exports are made from.

use crate::facts::{NamedFact, facts_of};
use crate::page::private::PRIVATE;
use crate::page::rights::RIGHTS;
use crate::whole::{reasons, titles};
use fyke_store::{Cells, Place, Reason, StoreError, View};
use fyke_web::{Document, Rights, UrlId};
use std::collections::HashMap;

/// A document on its way into figures or an export.
#[derive(Debug)]
pub struct Kept {
    pub document: Document,
    pub reason: Reason,
    /// Where its capture stands, if the ledger knows.
    pub place: Option<Place>,
    pub rights: Rights,
    /// Its capture was asked for with credentials.
    pub is_private: bool,
    /// What the index knows of it, by the names of the facts.
    pub facts: Vec<NamedFact>,
}

/// Shows every wanted document to `visit`, by id; returns how many documents there are in all.
///
/// # Errors
/// When the collection cannot be read, and what `visit` gives.
pub fn each<E: From<StoreError>>(
    collection: &View,
    wanted: impl Fn(&Document, Reason) -> bool,
    mut visit: impl FnMut(Kept) -> Result<(), E>,
) -> Result<u64, E> {
    let found_out: HashMap<UrlId, Reason> =
        reasons::of_documents(collection).collect::<Result<_, _>>()?;
    let cells = collection.cells();
    let mut documents = 0;
    for document in collection.documents.all() {
        let document = document?;
        documents += 1;
        let row = collection.ledger.get(document.id)?;
        let ledger = row.as_ref().map_or(Reason::Kept, |row| row.reason);
        let reason = reasons::effective(ledger, found_out.get(&document.id).copied());
        if wanted(&document, reason) {
            let is_private =
                is_private(row.as_ref().is_some_and(|row| row.private), &cells, document.id)?;
            let place = row.and_then(|row| row.capture);
            let rights = cells.get(&RIGHTS, document.id)?.unwrap_or_default();
            let facts = facts_of(&cells, document.id)?;
            let mut document = document;
            titles::retitle(&cells, &mut document)?;
            visit(Kept { document, reason, place, rights, is_private, facts })?;
        }
    }
    Ok(documents)
}

/// Whether a document is not for everybody: because the ledger says so, or because it was when it was derived. Its row may
/// have lost the mark before the document is derived again.
///
/// # Errors
/// When the cells cannot be read.
pub fn is_private(ledger_says: bool, cells: &Cells, id: UrlId) -> Result<bool, StoreError> {
    Ok(ledger_says || cells.get(&PRIVATE, id)?.unwrap_or(false))
}
