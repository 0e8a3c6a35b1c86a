//! Pseudo-relevance feedback ("relevance models", RM3): the words that are frequent in the
//! best documents join the query, each by its share in them. They change the order of the best,
//! never what is found, so that their cost does not grow with the collection.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use fyke_text::WordRules;
use tantivy::TantivyDocument;

use super::names::TypedName;
use super::part::{Places, ScoredClause, idf};
use super::postings::source_of;
use super::segment::WeighedIndex;
use super::{Candidate, languages};
use crate::analysis;
use crate::index::stored_text;
use crate::schema::{BODY, FIELDS, TITLE};

/// So many of the best documents are read.
pub(super) const DOCUMENTS: usize = 10;
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

/// A word that no more documents have is rare …
const RARE: usize = 1;
/// … and decides among so few words; in a longer query it is one of many.
const SHORT: usize = 4;

/// A word that the best documents have in common.
#[derive(Default)]
pub(super) struct CommonWord<'a> {
    share: f32,
    /// A bit for each document that has it.
    documents: u16,
    /// Its forms, the most frequent first.
    forms: Vec<&'a str>,
}

/// A document as it is read for its words.
pub(super) struct FeedbackText<'a> {
    language: &'static str,
    words: usize,
    /// Its forms, each with how often it stands there; one may be there several times.
    forms: Vec<(Cow<'a, str>, u32)>,
}

/// A form in the best documents: its share, a bit for each document, the language of the last.
#[derive(Clone, Copy, Default)]
struct SeenForm {
    share: f32,
    documents: u16,
    language: &'static str,
}

/// The forms of the best documents.
type FeedbackForms<'a> = HashMap<&'a str, SeenForm>;

/// Whether the words of the best documents joined the query, and why or why not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FeedbackUse {
    /// The ranker does without.
    Off,
    /// Nothing was ranked, or nothing but phrases and conditions was asked for.
    NoWords,
    /// The words are the whole name of a document or a section.
    Named,
    /// A word that hardly any document has decides.
    Rare(String),
    /// There are too few documents to learn from.
    Few,
    /// The first hit scores far above the tenth: it is what was looked for.
    Steep,
    /// These words joined.
    Joined(Vec<String>),
}

impl FeedbackUse {
    /// It in a sentence.
    pub fn told(&self) -> String {
        let why = match self {
            FeedbackUse::Off => "the ranker does without".to_owned(),
            FeedbackUse::NoWords => "the query has no words to add to".to_owned(),
            FeedbackUse::Named => "the query is the name of a document or a section".to_owned(),
            FeedbackUse::Rare(word) => format!("hardly any document has {word:?}, which decides"),
            FeedbackUse::Few => format!("fewer than {DOCUMENTS} documents match"),
            FeedbackUse::Steep => "the first hit scores far above the tenth".to_owned(),
            FeedbackUse::Joined(words) => {
                let words = words.join(", ");
                return format!(
                    "feedback: used, since the first {DOCUMENTS} hits score alike; added words: {words}"
                );
            }
        };
        format!("feedback: not used, since {why}")
    }
}

/// Why no words join, if none do.
pub(super) fn reason_against(
    index: &WeighedIndex,
    (typed, names): (&[ScoredClause], &[TypedName]),
    best: &[Candidate],
) -> Option<FeedbackUse> {
    let words: Vec<&ScoredClause> = typed.iter().filter(|part| part.is_word).collect();
    let documents = index.snapshot.documents;
    let rare = idf(documents, RARE)..=idf(documents, 1);
    let rarest = words.iter().find(|part| rare.contains(&part.idf));
    let rarest = rarest.filter(|_| words.len() <= SHORT);
    match best {
        _ if index.weights.feedback == 0.0 => Some(FeedbackUse::Off),
        _ if words.is_empty() => Some(FeedbackUse::NoWords),
        _ if names.iter().any(|name| name.share == 1.0 && !name.is_option) => {
            Some(FeedbackUse::Named)
        }
        _ if let Some(part) = rarest => Some(FeedbackUse::Rare(part.name.clone())),
        best if best.len() < DOCUMENTS => Some(FeedbackUse::Few),
        best if !is_plateau(best) => Some(FeedbackUse::Steep),
        _ => None,
    }
}

/// The words that join the query; none where they are not likely to help. What they count is added
/// to the scores of the candidates, the best of which are read; these are then to be put in order again.
pub(super) fn join(
    index: &WeighedIndex,
    (typed, names): (&[ScoredClause], &[TypedName]),
    candidates: &mut [Candidate],
) -> tantivy::Result<(Vec<ScoredClause>, FeedbackUse)> {
    let words = typed.iter().filter(|part| part.is_word).count();
    let first = &candidates[..candidates.len().min(DOCUMENTS)];
    if let Some(against) = reason_against(index, (typed, names), first) {
        return Ok((Vec::new(), against));
    }
    let stored = first.iter().map(|candidate| index.snapshot.searcher.doc(candidate.address()));
    let stored = stored.collect::<tantivy::Result<Vec<TantivyDocument>>>()?;
    let texts: Vec<FeedbackText> = stored.iter().map(FeedbackText::of).collect();
    let read: Vec<&FeedbackText> = texts.iter().collect();
    let model = model(&read, first, index.snapshot.languages.rules());
    let chosen = chosen(index.snapshot.documents, model, |word| word.part(index))?;
    let all: f32 = chosen.iter().map(|(share, _)| share).sum();
    let places = Places::of(index, candidates);
    let mut parts = Vec::with_capacity(chosen.len());
    for (share, mut part) in chosen {
        part.weight = index.weights.feedback * words as f32 * share / all;
        part.add(index, &places, candidates)?;
        parts.push(part);
    }
    candidates.iter_mut().for_each(|candidate| candidate.is_fed = true);
    let joined = parts.iter().map(|part| part.name.clone()).collect();
    Ok((parts, FeedbackUse::Joined(joined)))
}

fn is_plateau(best: &[Candidate]) -> bool {
    let (Some(first), Some(last)) = (best.first(), best.last()) else { return false };
    last.score >= PLATEAU * first.score
}

/// The words that several of the best documents have, those of the largest share first.
pub(super) fn model<'a>(
    texts: &[&'a FeedbackText],
    best: &[Candidate],
    rules: &WordRules,
) -> Vec<CommonWord<'a>> {
    let all: f32 = best.iter().map(|candidate| candidate.score).sum();
    let mut seen = FeedbackForms::new();
    for (place, (text, candidate)) in texts.iter().zip(best).enumerate() {
        see(text, place, candidate.score / all, &mut seen);
    }
    let mut model: Vec<(String, CommonWord)> = Vec::new();
    for (form, seen) in most_frequent(seen, rules) {
        let stem = rules.stem(seen.language, form).into_owned();
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

impl<'a> FeedbackText<'a> {
    pub fn of(stored: &'a TantivyDocument) -> FeedbackText<'a> {
        let language = languages::of(stored_text(stored, FIELDS.language));
        let (title, body) = (stored_text(stored, FIELDS.title), stored_text(stored, FIELDS.body));
        let body = &body[..body.floor_char_boundary(MOST_BYTES)];
        let words = analysis::words(title).chain(analysis::words(body));
        let forms: Vec<_> = words.map(|word| (word.form, 1)).collect();
        FeedbackText { language, words: forms.len(), forms }
    }

    /// The same by itself, each form once, to be read again and again.
    pub fn counted(&self) -> FeedbackText<'static> {
        let mut counts: HashMap<&str, u32> = HashMap::new();
        self.forms.iter().for_each(|(form, n)| *counts.entry(form).or_default() += n);
        let forms = counts.into_iter().map(|(form, n)| (form.to_owned().into(), n)).collect();
        FeedbackText { language: self.language, words: self.words, forms }
    }
}

/// Adds the words of a document.
fn see<'a>(text: &'a FeedbackText, place: usize, weight: f32, seen: &mut FeedbackForms<'a>) {
    let share = weight / (text.words as f32 + LONGER);
    for (form, count) in &text.forms {
        let row = seen.entry(form).or_default();
        row.share += share * *count as f32;
        row.documents |= 1 << place;
        row.language = text.language;
    }
}

/// The forms of the largest share but for stop words, in their order.
fn most_frequent<'a>(seen: FeedbackForms<'a>, rules: &WordRules) -> Vec<(&'a str, SeenForm)> {
    let is_word =
        |(form, seen): &(&str, SeenForm)| form.len() >= 2 && !rules.is_stop(seen.language, form);
    let mut forms: Vec<_> = seen.into_iter().filter(is_word).collect();
    let order = |a: &(&str, SeenForm), b: &(&str, SeenForm)| {
        b.1.share.total_cmp(&a.1.share).then_with(|| a.0.cmp(b.0))
    };
    if forms.len() > FORMS {
        forms.select_nth_unstable_by(FORMS, order);
        forms.truncate(FORMS);
    }
    forms.sort_unstable_by(order);
    forms
}

/// The first words of the model that are not too common, as parts of the query with their shares. `find`
/// gives the part of a word and the documents that have it.
pub(super) fn chosen<'a, P>(
    documents: u64,
    model: Vec<CommonWord<'a>>,
    mut find: impl FnMut(&CommonWord<'a>) -> io::Result<(u64, P)>,
) -> io::Result<Vec<(f32, P)>> {
    let most = (MOST_COMMON * documents as f32).max(DOCUMENTS as f32);
    let mut chosen = Vec::with_capacity(TERMS);
    for word in model {
        if chosen.len() == TERMS {
            break;
        }
        let (found, part) = find(&word)?;
        if found as f32 <= most {
            chosen.push((word.share, part));
        }
    }
    Ok(chosen)
}

impl CommonWord<'_> {
    /// Its forms.
    pub fn forms(&self) -> &[&str] {
        &self.forms
    }

    /// It as a part of the query: the forms that the best documents have, in title and body; and the
    /// live documents with one of them in their body, those with several counted for each.
    pub fn part(&self, index: &WeighedIndex) -> io::Result<(u64, ScoredClause)> {
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
        Ok((found, ScoredClause::new(self.forms[0], idf, sources)))
    }
}
