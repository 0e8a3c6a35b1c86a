//! Suggestions while typing (query suggestion): how the last word may go on, in view of
//! the words before it, and titles with these words. It is asked at every key, so each step has a
//! bound that does not grow with the index.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use tantivy::{DocAddress, TantivyDocument};

use crate::analysis::{self, WantedWord};
use crate::error::{IndexError, engine};
use crate::guard::guarded;
use crate::index::{Index, stored_text};
use crate::keywords::body;
use crate::languages::QueryLanguages;
use crate::rank::postings::with_beginning;
use crate::rank::segment::Snapshot;
use crate::schema::{BODY, FIELDS, RANK, TITLE};
use crate::together::{DocumentSample, frequency};

/// So many dictionary entries are looked at for words with one beginning, over all segments.
const MAX_SCAN: usize = 20_000;

/// A beginning of fewer characters is looked up among the words of titles, which are fewer.
const SHORT: usize = 3;

/// So many of the most frequent ways to go on are compared in view of the words before.
const MAX_FORMS: usize = 30;

/// So many of them are taken over from each segment.
const SEGMENT_FORMS: usize = 60;

/// So many documents with the words before are looked at.
const MAX_SAMPLE: usize = 300;

/// So many of these are read.
const MAX_READ: usize = 15;

/// So many words before the last are taken into account.
const MAX_BEFORE: usize = 3;

/// So many ways to go on are looked up in titles.
const TITLE_FORMS: usize = 6;

/// So many titles are compared, for each of them.
const TITLE_SAMPLE: usize = 30;

/// So many titles are read.
const MAX_TITLES: usize = 12;

/// No title is suggested that is longer, in characters.
const TITLE_CHARS: usize = 80;

/// What it counts to stand directly after the word before, against standing in the same text.
const AFTER: f32 = 8.0;

/// No more suggestions are given.
const MAX_SUGGESTIONS: usize = 50;

/// A typed text, taken apart.
struct TypedText<'a> {
    /// What stands before the last word, as typed.
    head: &'a str,
    /// The words before, folded, without stop words unless there are no others.
    before: Vec<String>,
    /// The beginning of the last word; empty after a space.
    last: String,
}

impl Index {
    /// At most `limit` texts that `typed` could become: first the last word with its ending, then
    /// titles, the better first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn suggest(&self, typed: &str, limit: usize) -> Result<Vec<String>, IndexError> {
        let snapshot = self.snapshot()?;
        let (typed, limit) =
            (TypedText::read(typed, &snapshot.languages), limit.min(MAX_SUGGESTIONS));
        let broken = |e| engine(self.dir(), e);
        guarded(self.dir(), || suggestions(&snapshot, &typed, limit).map_err(broken))
    }
}

impl TypedText<'_> {
    fn read<'a>(text: &'a str, languages: &QueryLanguages) -> TypedText<'a> {
        let text = text.trim_start();
        let mut words: Vec<_> = analysis::words(text).collect();
        let is_open = text.ends_with(|c: char| !c.is_whitespace());
        let last = if is_open { words.pop() } else { None };
        let head = &text[..last.as_ref().map_or(text.len(), |word| word.start)];
        let mut before: Vec<String> = words.into_iter().map(|w| w.form.into_owned()).collect();
        if before.iter().any(|form| !languages.has_stop(form)) {
            before.retain(|form| !languages.has_stop(form));
        }
        let before = before.split_off(before.len().saturating_sub(MAX_BEFORE));
        TypedText { head, before, last: last.map_or(String::new(), |word| word.form.into_owned()) }
    }

    /// The whole of it, as beginnings are compared.
    fn start(&self) -> String {
        format!("{}{}", self.head, self.last).to_lowercase()
    }
}

fn suggestions(
    snapshot: &Snapshot,
    typed: &TypedText,
    limit: usize,
) -> tantivy::Result<Vec<String>> {
    if typed.last.is_empty() && typed.before.is_empty() {
        return Ok(Vec::new());
    }
    let forms = endings(snapshot, typed)?;
    let titles = titles(snapshot, typed, &forms)?;
    let ended = forms.iter().map(|form| format!("{}{form}", typed.head));
    let words_first = limit.saturating_sub(titles.len().min(limit / 2));
    let (first, rest) = (ended.clone().take(words_first), ended.skip(words_first));
    let mut known = vec![typed.start()];
    let mut found = Vec::new();
    for text in first.chain(titles).chain(rest) {
        let folded = text.to_lowercase();
        if found.len() < limit && !known.contains(&folded) {
            known.push(folded);
            found.push(text);
        }
    }
    Ok(found)
}

/// The words that the last one may become, the better first, each in one form only.
fn endings(snapshot: &Snapshot, typed: &TypedText) -> tantivy::Result<Vec<String>> {
    if typed.last.is_empty() {
        return Ok(Vec::new());
    }
    let sample = DocumentSample::take(snapshot, BODY, &typed.before, MAX_SAMPLE)?;
    let mut forms = frequent(snapshot, &typed.last)?;
    for form in followers(snapshot, &sample, typed)? {
        if !forms.iter().any(|(known, _)| *known == form) {
            let count = frequency(snapshot, BODY, &form)?;
            forms.push((form, count));
        }
    }
    if forms.iter().any(|(form, _)| !snapshot.languages.has_stop(form)) {
        forms.retain(|(form, _)| !snapshot.languages.has_stop(form));
    }
    let mut scored: Vec<(f32, String)> = Vec::new();
    for (form, count) in forms {
        let ties = sample.ties(snapshot, &form)?;
        let rarity = (1.0 + snapshot.documents as f32 / count as f32).ln();
        let tied = (AFTER * ties.after as f32 + ties.together as f32) * rarity;
        let score = if typed.before.is_empty() { count as f32 } else { tied };
        scored.push((score, form));
    }
    if scored.iter().any(|(score, _)| *score > 0.0) {
        scored.retain(|(score, _)| *score > 0.0);
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<String> = Vec::new();
    for (_, form) in scored {
        let wanted = WantedWord::with_variants(&form, snapshot.languages.stemmers());
        if !kept.iter().any(|known| wanted.variant(known).is_some()) {
            kept.push(form);
        }
    }
    Ok(kept)
}

/// Words with the beginning of the last one that follow the word before it in some documents: these
/// may be too rare to be among the most frequent.
fn followers(
    snapshot: &Snapshot,
    sample: &DocumentSample,
    typed: &TypedText,
) -> tantivy::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let Some(before) = typed.before.last() else { return Ok(found) };
    for address in sample.documents().take(MAX_READ) {
        let stored: TantivyDocument = snapshot.searcher.doc(address)?;
        let mut is_next = false;
        for word in analysis::words(body(&stored)) {
            if is_next && word.form.starts_with(&typed.last) && found.len() < MAX_FORMS {
                found.insert(word.form.clone().into_owned());
            }
            is_next = word.form == *before;
        }
    }
    Ok(found)
}

/// The most frequent words with a beginning, each with the number of its documents.
fn frequent(snapshot: &Snapshot, beginning: &str) -> tantivy::Result<Vec<(String, u32)>> {
    let field = if beginning.chars().count() < SHORT { TITLE } else { BODY };
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let most = MAX_SCAN / snapshot.segments.len().max(1);
    for segment in &snapshot.segments {
        let dictionary = segment.texts[field].postings.terms();
        let words = with_beginning(dictionary, beginning, most)?.into_iter();
        let mut counted: Vec<_> = words.map(|(number, info)| (info.doc_freq, number)).collect();
        counted.sort_unstable_by_key(|(count, _)| Reverse(*count));
        for (count, number) in counted.into_iter().take(SEGMENT_FORMS) {
            let mut form = Vec::new();
            dictionary.ord_to_term(number, &mut form)?;
            *counts.entry(String::from_utf8_lossy(&form).into_owned()).or_default() += count;
        }
    }
    let mut found: Vec<(String, u32)> = counts.into_iter().collect();
    found.sort_by_key(|(_, count)| Reverse(*count));
    found.truncate(MAX_FORMS);
    Ok(found)
}

/// Titles with the words before and the last word in one of its `forms`; those that begin as the
/// text does first, then by what links say of the document.
fn titles(
    snapshot: &Snapshot,
    typed: &TypedText,
    forms: &[String],
) -> tantivy::Result<Vec<String>> {
    let mut queries: Vec<Vec<String>> = Vec::new();
    if typed.last.is_empty() {
        queries.push(typed.before.clone());
    }
    for form in forms.iter().take(TITLE_FORMS) {
        queries.push(typed.before.iter().chain([form]).cloned().collect());
    }
    let mut found: Vec<(f64, DocAddress)> = Vec::new();
    for words in queries {
        let sample = DocumentSample::take(snapshot, TITLE, &words, TITLE_SAMPLE)?;
        for address in sample.documents() {
            let segment = &snapshot.segments[address.segment_ord as usize];
            let ranks = segment.reader.fast_fields().f64(RANK)?;
            found.push((ranks.first(address.doc_id).unwrap_or_default(), address));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.dedup_by_key(|(_, address)| *address);
    let mut titles = Vec::new();
    for (_, address) in found.into_iter().take(MAX_TITLES) {
        let stored: TantivyDocument = snapshot.searcher.doc(address)?;
        let title = stored_text(&stored, FIELDS.title).trim();
        if title.chars().count() <= TITLE_CHARS {
            titles.push(title.to_owned());
        }
    }
    let start = typed.start();
    titles.sort_by_key(|title| !title.to_lowercase().starts_with(&start));
    Ok(titles)
}
