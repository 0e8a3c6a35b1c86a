//! Which URLs pages name as their canonical form. Only copies are asked, and it is no part of a
//! document, so it is read from their captures; a column keeps what each capture said, so that one is
//! read once.

use fyke_store::{Collection, Place, StoreError, View};
use fyke_web::UrlId;
use std::collections::{BTreeMap, HashMap};

/// The column: of each copy the place of its capture and the URL that it names, 0 for none.
const COLUMN: &str = "canonical";
/// Bytes of a cell: file, offset, id.
const CELL: usize = 4 + 8 + 8;

/// How many of these pages name which URL as their canonical form.
///
/// # Errors
/// When ledger, captures or the column cannot be read.
pub fn named(
    collection: &Collection,
    copies: impl Iterator<Item = UrlId>,
) -> Result<HashMap<UrlId, u32>, StoreError> {
    let (mut named, mut cells) = (HashMap::new(), BTreeMap::new());
    for id in copies {
        let Some(place) = collection.ledger.get(id)?.and_then(|row| row.capture) else { continue };
        let known = collection.documents.cell(COLUMN, id)?;
        let target = match known.as_deref().and_then(|cell| read(cell, place)) {
            Some(target) => target,
            None => ask(collection, place)?,
        };
        if target != UrlId(0) {
            *named.entry(target).or_default() += 1;
        }
        cells.insert(id, cell(place, target));
    }
    collection.documents.put_column(COLUMN, &cells.into_iter().collect::<Vec<_>>())?;
    Ok(named)
}

/// What a capture names as canonical; 0 for nothing.
fn ask(collection: &View, place: Place) -> Result<UrlId, StoreError> {
    match collection.captures.read(place) {
        Ok(capture) => Ok(fyke_web::parse(&capture).canonical.map_or(UrlId(0), |url| url.id())),
        Err(damage @ StoreError::Damaged { .. }) => {
            tracing::warn!(%damage, "a capture was passed over");
            Ok(UrlId(0))
        }
        Err(error) => Err(error),
    }
}

fn cell(place: Place, target: UrlId) -> Vec<u8> {
    let (file, offset) = (place.file.to_le_bytes(), place.offset.to_le_bytes());
    [&file[..], &offset, &target.0.to_le_bytes()].concat()
}

/// What a cell says of the capture at this place; none when it is of another.
fn read(bytes: &[u8], place: Place) -> Option<UrlId> {
    let target = UrlId(u64::from_le_bytes(*bytes.last_chunk()?));
    (bytes.len() == CELL && bytes == cell(place, target)).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_speaks_of_its_own_capture_only() {
        let place = Place { file: 3, offset: 99, length: 7 };
        let cell = cell(place, UrlId(5));
        assert_eq!(read(&cell, place), Some(UrlId(5)));
        assert_eq!(read(&cell, Place { offset: 98, ..place }), None);
        assert_eq!(read(&cell[1..], place), None);
        assert_eq!(read(b"", place), None);
    }
}
