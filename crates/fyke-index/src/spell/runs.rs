//! Words run together (run-on errors): `windturbine` for `wind turbine`, told by the
//! collection's own words that stand one after the other.

use crate::rank::segment::Snapshot;
use crate::schema::BODY;
use crate::together::{DocumentSample, frequency};

/// No part is shorter, in characters: of short words any long one can be put together.
const MIN_CHARS: usize = 3;

/// A longer word, in characters, is not looked at.
const MAX_CHARS: usize = 40;

/// So many documents with both parts are looked at.
const MAX_SAMPLE: usize = 100;

/// The two words that `form` is made of, if they stand one after the other in some documents: the
/// pair that does so most often.
pub(super) fn parted(snapshot: &Snapshot, form: &str) -> tantivy::Result<Option<String>> {
    let count = form.chars().count();
    let mut best = (0, None);
    if count > MAX_CHARS {
        return Ok(None);
    }
    for (at, _) in form.char_indices().take(count.saturating_sub(MIN_CHARS - 1)).skip(MIN_CHARS) {
        let (left, right) = form.split_at(at);
        if frequency(snapshot, BODY, left)? == 0 || frequency(snapshot, BODY, right)? == 0 {
            continue;
        }
        let pair = [right.to_owned(), left.to_owned()];
        let sample = DocumentSample::take(snapshot, BODY, &pair, MAX_SAMPLE)?;
        let together = sample.ties(snapshot, right)?.after;
        if together > best.0 {
            best = (together, Some(format!("{left} {right}")));
        }
    }
    Ok(best.1)
}
