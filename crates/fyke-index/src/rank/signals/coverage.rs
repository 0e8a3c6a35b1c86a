//! Coverage: how much of the title the query has, and how much of the query the title. A title that
//! says what was asked for and nothing else is what was looked for.

use std::io;

use tantivy::fieldnorm::FieldNormReader;

use super::{Head, Signal};
use crate::schema::TITLE;

pub(super) const SIGNAL: Signal = Signal {
    name: "title-coverage",
    what: "the part of the title that was asked for",
    weight: 1.0,
    values,
};

fn values(head: &Head) -> io::Result<Vec<f32>> {
    let all: f32 = head.parts.iter().filter(|part| part.is_word).map(|part| part.idf).sum();
    let mut values = vec![0.0; head.candidates.len()];
    for segment in 0..head.index.snapshot.segments.len() {
        let (docs, places) = head.here(segment);
        let opened = &head.index.snapshot.segments[segment];
        let mut covered = vec![(0_u32, 0.0_f32); docs.len()];
        for part in head.parts.iter().filter(|part| part.is_word) {
            let mut seen = vec![0_u32; docs.len()];
            for source in part.sources[segment].iter().filter(|source| source.field == TITLE) {
                // Once, however often a title repeats it.
                source.occurrences(opened, &docs, |at, _| seen[at] = 1)?;
            }
            for ((words, idf), seen) in covered.iter_mut().zip(seen) {
                *words += seen;
                *idf += if seen > 0 { part.idf } else { 0.0 };
            }
        }
        let lengths = &opened.texts[TITLE].lengths;
        for (at, (words, idf)) in covered.into_iter().enumerate().filter(|(_, (w, _))| *w > 0) {
            let length = FieldNormReader::id_to_fieldnorm(lengths.fieldnorm_id(docs[at])).max(1);
            let of_title = (words as f32 / length as f32).min(1.0);
            values[places[at]] = of_title * idf * idf / all.max(f32::MIN_POSITIVE);
        }
    }
    Ok(values)
}
