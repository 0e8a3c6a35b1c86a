//! Whole names: the query, or a part of it, is what this document or one of its sections is called. The
//! larger the part and the rarer the name, the more it says.

use std::io;

use super::{Head, Signal};
use crate::schema::{NAMES, SECTIONS};

pub(super) const TITLE_SIGNAL: Signal = Signal {
    name: "whole-name",
    what: "words of the query are a whole title, name in the URL or text of a link",
    weight: 1.0,
    values: |head| values(head, NAMES),
};

pub(super) const SECTION_SIGNAL: Signal = Signal {
    name: "whole-section",
    what: "words of the query are a whole heading",
    weight: 0.3,
    values: |head| values(head, SECTIONS),
};

/// For each candidate the best of the names that it bears.
fn values(head: &Head, field: usize) -> io::Result<Vec<f32>> {
    let mut values = vec![0.0_f32; head.candidates.len()];
    for segment in 0..head.index.snapshot.segments.len() {
        let (docs, places) = head.here(segment);
        for name in head.names.iter().filter(|name| name.field == field) {
            let Some(source) = &name.sources[segment] else { continue };
            source.count(head.index, segment, &docs, |at, _| {
                let value = &mut values[places[at]];
                *value = value.max(name.share * name.share * name.idf);
            })?;
        }
    }
    Ok(values)
}
