//! What the ranking knows of all documents together: lengths of fields, languages, the newest day. They
//! are sums over the live documents, one for each segment, so that a commit costs what it changed: a
//! segment that was there before keeps its sums, one that lost documents has these taken off (a look
//! at a bit for each of its documents), and only a new one is read through. A process reads every
//! segment once. Whatever way they came about, they are those of an index made anew.

use std::collections::HashMap;

use super::segment::Segment;
use crate::schema::TEXTS;

/// LiveSums over the live documents of a segment, or of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LiveSums {
    /// Of each field the lengths of all documents, in words.
    pub lengths: [u64; TEXTS],
    /// Documents in each language, by its code.
    pub languages: HashMap<u64, u64>,
    /// The newest day that a document bears.
    pub newest: Option<i64>,
}

impl LiveSums {
    /// Those of a segment: from those of the segment before the commit, if it was there.
    pub fn of(segment: &Segment, before: Option<&Segment>) -> LiveSums {
        match before {
            Some(before) => LiveSums::after(segment, before),
            None => LiveSums::over(segment, live(segment)),
        }
    }

    /// Those of all segments together.
    pub fn total<'a>(all: impl Iterator<Item = &'a LiveSums>) -> LiveSums {
        let mut total = LiveSums::default();
        for sums in all {
            total.lengths.iter_mut().zip(sums.lengths).for_each(|(sum, more)| *sum += more);
            for (code, count) in &sums.languages {
                *total.languages.entry(*code).or_default() += count;
            }
            total.newest = total.newest.max(sums.newest);
        }
        total
    }

    fn over(segment: &Segment, docs: impl Iterator<Item = u32> + Clone) -> LiveSums {
        let mut sums = LiveSums::default();
        for (sum, text) in sums.lengths.iter_mut().zip(&segment.texts) {
            *sum = docs.clone().map(|doc| u64::from(text.lengths.fieldnorm(doc))).sum();
        }
        // Neighbours are in one language more often than not.
        let (mut code, mut count) = (0, 0);
        for doc in docs.clone() {
            let next = segment.languages.first(doc).unwrap_or(0);
            if next != code && count > 0 {
                *sums.languages.entry(code).or_default() += std::mem::take(&mut count);
            }
            (code, count) = (next, count + 1);
        }
        if count > 0 {
            *sums.languages.entry(code).or_default() += count;
        }
        sums.newest = docs.filter_map(|doc| segment.date(doc)).max();
        sums
    }

    /// What is left of a segment's sums when some of its documents are gone.
    fn after(segment: &Segment, before: &Segment) -> LiveSums {
        let mut sums = before.sums.clone();
        if segment.reader.delete_opstamp() == before.reader.delete_opstamp() {
            return sums;
        }
        let is_gone =
            |doc: &u32| segment.reader.is_deleted(*doc) && !before.reader.is_deleted(*doc);
        let gone: Vec<u32> = (0..segment.reader.max_doc()).filter(is_gone).collect();
        let dead = before.reader.num_deleted_docs() as usize + gone.len();
        if segment.reader.num_deleted_docs() as usize != dead {
            // Some came back: an older copy of the folder was put in its place.
            return LiveSums::of(segment, None);
        }
        let lost = LiveSums::over(segment, gone.iter().copied());
        sums.lengths.iter_mut().zip(lost.lengths).for_each(|(sum, less)| *sum -= less);
        for (code, count) in lost.languages {
            sums.languages.entry(code).and_modify(|sum| *sum -= count);
        }
        sums.languages.retain(|_, count| *count > 0);
        if lost.newest.is_some() && lost.newest == sums.newest {
            sums.newest = live(segment).filter_map(|doc| segment.date(doc)).max();
        }
        sums
    }
}

fn live(segment: &Segment) -> impl Iterator<Item = u32> + Clone {
    (0..segment.reader.max_doc()).filter(|doc| !segment.reader.is_deleted(*doc))
}
