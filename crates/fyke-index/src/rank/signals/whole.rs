//! Whole names: the query, or a part of it, is what this document or one of its sections is called. The
//! larger the part and the rarer the name, the more it says.

use std::io;

use super::{Head, Signal, TypedName};
use crate::schema::{NAMES, SECTIONS};

pub(super) const TITLE_SIGNAL: Signal = Signal {
    name: "whole-name",
    what: "words of the query are a whole title, name in the URL or text of a link",
    weight: 1.0,
    values: |head| values(head, |name| name.field == NAMES),
};

pub(super) const SECTION_SIGNAL: Signal = Signal {
    name: "whole-section",
    what: "words of the query are a whole heading",
    weight: 0.3,
    values: |head| values(head, |name| name.field == SECTIONS && !name.is_option),
};

pub(super) const OPTION_SIGNAL: Signal = Signal {
    name: "option",
    what: "a line begins with an option of the query",
    weight: 0.7,
    values: |head| values(head, |name| name.is_option),
};

/// For each candidate the best of the names that it bears.
fn values(head: &Head, is_one: fn(&TypedName) -> bool) -> io::Result<Vec<f32>> {
    let mut values = vec![0.0_f32; head.candidates.len()];
    for segment in 0..head.index.snapshot.segments.len() {
        let (docs, places) = head.here(segment);
        for name in head.names.iter().filter(|name| is_one(name)) {
            let Some(source) = &name.sources[segment] else { continue };
            source.count(head.index, segment, &docs, |at, _| {
                let value = &mut values[places[at]];
                *value = value.max(name.share * name.share * name.idf);
            })?;
        }
    }
    Ok(values)
}
