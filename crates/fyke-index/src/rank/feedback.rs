//! Pseudo-relevance feedback ("relevance models", RM3): the words that are frequent in the
//! best documents join the query, each by its share in them. They change the order of the best,
//! never what is found, so that their cost does not grow with the collection.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use tantivy::TantivyDocument;

use super::part::{Places, ScoredClause, idf};
use super::postings::source_of;
use super::segment::WeighedIndex;
use super::{Candidate, languages};
use crate::analysis;
use crate::index::stored_text;
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
struct CommonWord<'a> {
    share: f32,
    /// A bit for each document that has it.
    documents: u16,
    /// Its forms, the most frequent first.
    forms: Vec<Cow<'a, str>>,
}

/// A form in the best documents: its share, a bit for each document, the language of the last.
#[derive(Clone, Copy, Default)]
struct SeenForm {
    share: f32,
    documents: u16,
    language: &'static str,
}

/// The forms of the best documents.
type FeedbackForms<'a> = HashMap<Cow<'a, str>, SeenForm>;

/// The words that join the query; none where they are not likely to help. What they count is added
/// to the scores of the candidates, the best of which are read; these are then to be put in order again.
pub(super) fn join(
    index: &WeighedIndex,
    typed: &[ScoredClause],
    candidates: &mut [Candidate],
) -> tantivy::Result<Vec<ScoredClause>> {
    let words = typed.iter().filter(|part| part.is_word).count();
    let first = &candidates[..candidates.len().min(DOCUMENTS)];
    if index.weights.feedback == 0.0 || words == 0 || !is_plateau(first) {
        return Ok(Vec::new());
    }
    let stored = first.iter().map(|candidate| index.snapshot.searcher.doc(candidate.address()));
    let stored = stored.collect::<tantivy::Result<Vec<TantivyDocument>>>()?;
    let chosen = chosen(index, model(&stored, first))?;
    let all: f32 = chosen.iter().map(|(share, _)| share).sum();
    let places = Places::of(index, candidates);
    let mut parts = Vec::with_capacity(chosen.len());
    for (share, mut part) in chosen {
        part.weight = index.weights.feedback * words as f32 * share / all;
        part.add(index, &places, candidates)?;
        parts.push(part);
    }
    candidates.iter_mut().for_each(|candidate| candidate.is_fed = true);
    Ok(parts)
}

fn is_plateau(best: &[Candidate]) -> bool {
    let (Some(first), Some(last)) = (best.first(), best.last()) else { return false };
    best.len() == DOCUMENTS && last.score >= PLATEAU * first.score
}

/// The words that several of the best documents have, those of the largest share first.
fn model<'a>(stored: &'a [TantivyDocument], best: &[Candidate]) -> Vec<CommonWord<'a>> {
    let all: f32 = best.iter().map(|candidate| candidate.score).sum();
    let mut seen = FeedbackForms::new();
    for (place, (stored, candidate)) in stored.iter().zip(best).enumerate() {
        see(stored, place, candidate.score / all, &mut seen);
    }
    let mut model: Vec<(String, CommonWord)> = Vec::new();
    for (form, seen) in most_frequent(seen) {
        let stem = fyke_text::stem(seen.language, &form).into_owned();
        let known = model.iter().position(|(known, _)| *known == stem);
        let at = known.unwrap_or_else(|| {
            model.push((stem, CommonWord::default()));
            model.len() - 1
        });
        let word = &mut model[at].1;
        word.share += seen.share;
        word.documents |= seen.documents;
        word.forms.push(form);
    }
    let mut model: Vec<CommonWord> = model.into_iter().map(|(_, word)| word).collect();
    model.retain(|word| word.documents.count_ones() >= LEAST_DOCUMENTS);
    model.sort_by(|a, b| b.share.total_cmp(&a.share));
    model
}

/// Adds the words of a document.
fn see<'a>(stored: &'a TantivyDocument, place: usize, weight: f32, seen: &mut FeedbackForms<'a>) {
    let language = languages::of(stored_text(stored, FIELDS.language));
    let (title, body) = (stored_text(stored, FIELDS.title), stored_text(stored, FIELDS.body));
    let body = &body[..body.floor_char_boundary(MOST_BYTES)];
    let words: Vec<_> = analysis::words(title).chain(analysis::words(body)).collect();
    let share = weight / (words.len() as f32 + LONGER);
    for word in words {
        let row = seen.entry(word.form).or_default();
        row.share += share;
        row.documents |= 1 << place;
        row.language = language;
    }
}

/// The forms of the largest share but for stop words, in their order.
fn most_frequent(seen: FeedbackForms) -> Vec<(Cow<str>, SeenForm)> {
    let is_word = |(form, seen): &(Cow<str>, SeenForm)| {
        form.len() >= 2 && !fyke_text::is_stop(seen.language, form)
    };
    let mut forms: Vec<_> = seen.into_iter().filter(is_word).collect();
    let order = |a: &(Cow<str>, SeenForm), b: &(Cow<str>, SeenForm)| {
        b.1.share.total_cmp(&a.1.share).then_with(|| a.0.cmp(&b.0))
    };
    if forms.len() > FORMS {
        forms.select_nth_unstable_by(FORMS, order);
        forms.truncate(FORMS);
    }
    forms.sort_unstable_by(order);
    forms
}

/// The first words of the model that are not too common, as parts of the query with their shares.
fn chosen(index: &WeighedIndex, model: Vec<CommonWord>) -> io::Result<Vec<(f32, ScoredClause)>> {
    let most = MOST_COMMON * index.snapshot.documents as f32;
    let most = most.max(DOCUMENTS as f32);
    let mut chosen = Vec::with_capacity(TERMS);
    for word in model {
        if chosen.len() == TERMS {
            break;
        }
        let (found, part) = word.part(index)?;
        if found as f32 <= most {
            chosen.push((word.share, part));
        }
    }
    Ok(chosen)
}

impl CommonWord<'_> {
    /// It as a part of the query: the forms that the best documents have, in title and body; and the
    /// live documents with one of them in their body, those with several counted for each.
    fn part(&self, index: &WeighedIndex) -> io::Result<(u64, ScoredClause)> {
        let (mut sources, mut found) = (Vec::new(), 0);
        for segment in &index.snapshot.segments {
            let mut here = Vec::new();
            for form in &self.forms {
                here.extend(source_of(segment, TITLE, form, None)?);
                if let Some(source) = source_of(segment, BODY, form, None)? {
                    found += source.frequency(segment)?;
                    here.push(source);
                }
            }
            sources.push(here);
        }
        let idf = idf(index.snapshot.documents, found as usize);
        Ok((found, ScoredClause::new(&self.forms[0], idf, sources)))
    }
}
