//! Pseudo-relevance feedback ("relevance models", RM3): the words that are frequent in the
//! best documents join the query, each by its share in them. They change the order of the best,
//! never what is found, so that their cost does not grow with the collection.

use std::collections::HashMap;
use std::io;

use tantivy::TantivyDocument;
use tantivy::schema::Value;

use super::part::{Part, idf};
use super::postings::{frequency, source_of};
use super::segment::{Segment, Weighed};
use super::{Candidate, languages};
use crate::analysis;
use crate::schema::{BODY, FIELDS, TITLE};

/// So many of the best documents are read.
const DOCUMENTS: usize = 10;
/// Bytes of each that are read.
const MOST_BYTES: usize = 64 << 10;
/// So many of their words join the query.
const TERMS: usize = 20;
/// So many of their most frequent forms are looked at for these.
const FORMS: usize = 100;
/// Documents count as so many words longer than they are: of a title alone little can be learnt.
const LONGER: f32 = 50.0;
/// A word that fewer of the best documents have says nothing about them all.
const LEAST_DOCUMENTS: u32 = 2;
/// A word that a larger part of all documents has says nothing about these.
const MOST_COMMON: f32 = 0.1;
/// Where the last of the best documents scores below this part of the first, the first is what was
/// looked for, and the others would only lead away from it.
const PLATEAU: f32 = 0.4;

/// A word that the best documents have in common.
#[derive(Default)]
struct Shared {
    share: f32,
    /// A bit for each document that has it.
    documents: u16,
    /// Its forms, the most frequent first.
    forms: Vec<String>,
}

/// A form in the best documents: its share, a bit for each document, the language of the last.
#[derive(Clone, Copy, Default)]
struct Seen {
    share: f32,
    documents: u16,
    language: &'static str,
}

/// The words that join the query; none where they are not likely to help. What they count is added
/// to the scores of the best documents, which are then to be put in order again.
pub(super) fn join(
    index: &Weighed,
    typed: &[Part],
    best: &mut [Candidate],
) -> tantivy::Result<Vec<Part>> {
    let words = typed.iter().filter(|part| part.is_word).count();
    let first = &best[..best.len().min(DOCUMENTS)];
    if index.weights.feedback == 0.0 || words == 0 || !is_plateau(first) {
        return Ok(Vec::new());
    }
    let model = model(index, first)?;
    let all: f32 = model.iter().map(|word| word.share).sum();
    let mut parts = Vec::with_capacity(model.len());
    for word in model {
        let mut part = word.part(index)?;
        part.weight = index.weights.feedback * words as f32 * word.share / all;
        part.add(index, best)?;
        parts.push(part);
    }
    Ok(parts)
}

fn is_plateau(best: &[Candidate]) -> bool {
    let (Some(first), Some(last)) = (best.first(), best.last()) else { return false };
    best.len() == DOCUMENTS && last.score >= PLATEAU * first.score
}

/// The words of the best documents, the most frequent first.
fn model(index: &Weighed, best: &[Candidate]) -> tantivy::Result<Vec<Shared>> {
    let all: f32 = best.iter().map(|candidate| candidate.score).sum();
    let mut seen: HashMap<String, Seen> = HashMap::new();
    for (place, candidate) in best.iter().enumerate() {
        let stored: TantivyDocument = index.snapshot.searcher.doc(candidate.address())?;
        see(&stored, place, candidate.score / all, &mut seen);
    }
    let mut forms: Vec<(String, Seen)> = seen.into_iter().collect();
    forms.sort_unstable_by(|a, b| b.1.share.total_cmp(&a.1.share).then_with(|| a.0.cmp(&b.0)));
    forms.truncate(FORMS);
    let mut model: Vec<(String, Shared)> = Vec::new();
    for (form, seen) in forms {
        let stem = fyke_text::stem(seen.language, &form).into_owned();
        let known = model.iter().position(|(known, _)| *known == stem);
        let at = known.unwrap_or_else(|| {
            model.push((stem, Shared::default()));
            model.len() - 1
        });
        let word = &mut model[at].1;
        word.share += seen.share;
        word.documents |= seen.documents;
        word.forms.push(form);
    }
    let most = MOST_COMMON * index.snapshot.documents as f32;
    let most = most.max(DOCUMENTS as f32);
    let mut model: Vec<Shared> = model.into_iter().map(|(_, word)| word).collect();
    model.retain(|word| word.documents.count_ones() >= LEAST_DOCUMENTS);
    model.sort_by(|a, b| b.share.total_cmp(&a.share));
    let mut kept = Vec::with_capacity(TERMS);
    for word in model {
        if kept.len() < TERMS && word.frequency(&index.snapshot.segments)? as f32 <= most {
            kept.push(word);
        }
    }
    Ok(kept)
}

/// Adds the words of a document but for stop words.
fn see(stored: &TantivyDocument, place: usize, weight: f32, seen: &mut HashMap<String, Seen>) {
    let text = |field| stored.get_first(field).and_then(|value| value.as_str()).unwrap_or_default();
    let language = languages::of(text(FIELDS.language));
    let body = text(FIELDS.body);
    let body = &body[..body.floor_char_boundary(MOST_BYTES)];
    let words: Vec<_> = analysis::words(text(FIELDS.title)).chain(analysis::words(body)).collect();
    let share = weight / (words.len() as f32 + LONGER);
    for word in words {
        if word.form.len() < 2 || fyke_text::is_stop(language, &word.form) {
            continue;
        }
        let row = match seen.get_mut(&*word.form) {
            Some(row) => row,
            None => seen.entry(word.form.into_owned()).or_default(),
        };
        row.share += share;
        row.documents |= 1 << place;
        row.language = language;
    }
}

impl Shared {
    /// Live documents with one of its forms in their body; those with several count for each.
    fn frequency(&self, segments: &[Segment]) -> io::Result<u64> {
        let mut sum = 0;
        for segment in segments {
            for form in &self.forms {
                sum += frequency(segment, BODY, form)?;
            }
        }
        Ok(sum)
    }

    /// It as a part of the query: the forms that the best documents have, in title and body.
    fn part(&self, index: &Weighed) -> io::Result<Part> {
        let mut sources = Vec::new();
        for segment in &index.snapshot.segments {
            let mut found = Vec::new();
            for (form, field) in self.forms.iter().flat_map(|f| [(f, TITLE), (f, BODY)]) {
                found.extend(source_of(segment, field, form, None)?);
            }
            sources.push(found);
        }
        let found = self.frequency(&index.snapshot.segments)? as usize;
        Ok(Part::new(&self.forms[0], idf(index.snapshot.documents, found), sources))
    }
}
