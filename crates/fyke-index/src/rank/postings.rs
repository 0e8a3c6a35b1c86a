//! A clause's posting lists in one segment: the word's forms, a phrase, a condition (003 §5.3).

use std::io;

use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption::{Basic, WithFreqs, WithFreqsAndPositions};
use tantivy::{DocSet, TERMINATED, Term};

use super::segment::{Segment, Weighed};
use crate::analysis::Wanted;
use crate::query::{Clause, Scope};
use crate::schema::{FIELDS, TEXTS, TITLE, language_code};

/// So many dictionary entries are looked at for forms of one word.
const MAX_SCAN: usize = 20_000;

/// So many other forms of one word are taken, per field.
const MAX_VARIANTS: usize = 64;

const ENGLISH: u64 = language_code("en");
const UNKNOWN: [u64; 2] = [language_code(""), language_code("und")];

/// Postings of one field that count for a clause.
pub(super) struct Source {
    pub field: usize,
    /// One posting list, or those of a phrase's words in order.
    terms: Vec<TermInfo>,
    /// An English variant: it counts a little less, and only in English documents.
    variant: bool,
}

/// All postings of a clause in a segment; none for conditions.
pub(super) fn sources(segment: &Segment, clause: &Clause) -> io::Result<Vec<Source>> {
    let mut found = Vec::new();
    let fields = match clause.scope {
        Scope::Anywhere => 0..TEXTS,
        Scope::Title => TITLE..TITLE + 1,
        Scope::Site | Scope::Language => 0..0,
    };
    for field in fields {
        let dictionary = segment.texts[field].postings.terms();
        let forms = clause.words.iter().map(|word| dictionary.get(word));
        let terms = forms.collect::<io::Result<Option<Vec<_>>>>()?;
        found.extend(terms.map(|terms| Source { field, terms, variant: false }));
        if let ([word], false) = (&clause.words[..], clause.exact) {
            variants(segment, field, &Wanted::with_variants(word), &mut found)?;
        }
    }
    Ok(found)
}

/// Adds the posting lists of the word's other forms. A lone character of a script that is indexed
/// by pairs stands for all pairs that begin with it.
fn variants(
    segment: &Segment,
    field: usize,
    wanted: &Wanted,
    found: &mut Vec<Source>,
) -> io::Result<()> {
    let lone = is_lone(&wanted.form);
    let Some(prefix) = wanted.prefix().or(lone.then_some(&wanted.form)) else { return Ok(()) };
    let dictionary = segment.texts[field].postings.terms();
    let mut forms = dictionary.range().ge(prefix).into_stream()?;
    let mut taken = 0;
    for _ in 0..MAX_SCAN {
        let Some((key, info)) = forms.next() else { break };
        let Some(form) = str::from_utf8(key).ok().filter(|form| form.starts_with(prefix)) else {
            break;
        };
        if form != wanted.form && (lone || wanted.is_variant(form)) {
            found.push(Source { field, terms: vec![info.clone()], variant: !lone });
            taken += 1;
        }
        if taken == MAX_VARIANTS {
            break;
        }
    }
    Ok(())
}

pub(crate) fn is_lone(form: &str) -> bool {
    let mut chars = form.chars();
    // Latin, Greek, Cyrillic and their neighbours lie below; one letter is a word there.
    chars.next().is_some_and(|c| c >= '\u{e00}') && chars.next().is_none()
}

impl Source {
    /// Whether what is found in `doc` counts.
    fn counts_in(&self, segment: &Segment, doc: u32) -> bool {
        let english = || {
            let language = segment.languages.first(doc).unwrap_or(0);
            language == ENGLISH || UNKNOWN.contains(&language)
        };
        !segment.reader.is_deleted(doc) && (!self.variant || english())
    }

    /// What `occurrences` in `doc` count, by field, length and form.
    fn weight(&self, index: &Weighed, segment: &Segment, doc: u32, occurrences: u32) -> f32 {
        let class = segment.texts[self.field].lengths.fieldnorm_id(doc);
        let form = if self.variant { index.weights.variant } else { 1.0 };
        form * occurrences as f32 * index.norms[self.field][class as usize]
    }

    /// Calls `take` with every live document of a segment and what the source counts there.
    pub fn each(
        &self,
        index: &Weighed,
        at: usize,
        mut take: impl FnMut(u32, f32),
    ) -> io::Result<()> {
        let segment = &index.snapshot.segments[at];
        let mut take = |doc, occurrences| {
            if self.counts_in(segment, doc) {
                take(doc, self.weight(index, segment, doc, occurrences));
            }
        };
        let reader = &segment.texts[self.field].postings;
        let [term] = &self.terms[..] else { return self.each_phrase(segment, take) };
        let mut postings = reader.read_postings_from_terminfo(term, WithFreqs)?;
        while postings.doc() != TERMINATED {
            take(postings.doc(), postings.term_freq());
            postings.advance();
        }
        Ok(())
    }

    fn each_phrase(&self, segment: &Segment, mut take: impl FnMut(u32, u32)) -> io::Result<()> {
        let mut lists = self.lists(segment)?;
        let mut doc = 0;
        while let Some(next) = next_common(&mut lists, doc) {
            let starts = phrase_starts(&mut lists);
            if !starts.is_empty() {
                take(next, starts.len() as u32);
            }
            doc = next + 1;
        }
        Ok(())
    }

    fn lists(&self, segment: &Segment) -> io::Result<Vec<SegmentPostings>> {
        let reader = &segment.texts[self.field].postings;
        let read = |term| reader.read_postings_from_terminfo(term, WithFreqsAndPositions);
        self.terms.iter().map(read).collect()
    }

    /// For each of `docs` (ascending) of a segment: what the source counts there and at which
    /// positions.
    pub fn look_up(
        &self,
        index: &Weighed,
        segment: usize,
        docs: &[u32],
        mut take: impl FnMut(usize, f32, &[u32]),
    ) -> io::Result<()> {
        let segment = &index.snapshot.segments[segment];
        let mut lists = self.lists(segment)?;
        for (at, &doc) in docs.iter().enumerate() {
            let here = next_common(&mut lists, doc);
            if here == Some(doc) && self.counts_in(segment, doc) {
                let starts = phrase_starts(&mut lists);
                take(at, self.weight(index, segment, doc, starts.len() as u32), &starts);
            }
        }
        Ok(())
    }
}

/// The first document from `doc` on that is in all lists; they stand on it then.
fn next_common(lists: &mut [SegmentPostings], mut doc: u32) -> Option<u32> {
    loop {
        let before = doc;
        for list in lists.iter_mut() {
            if list.doc() < doc {
                list.seek(doc);
            }
            doc = list.doc();
            if doc == TERMINATED {
                return None;
            }
        }
        if doc == before {
            return Some(doc);
        }
    }
}

/// Where the words of the lists stand one after the other, in the document they stand on.
fn phrase_starts(lists: &mut [SegmentPostings]) -> Vec<u32> {
    let mut starts = Vec::new();
    let mut positions = Vec::new();
    for (place, list) in lists.iter_mut().enumerate() {
        if place == 0 {
            list.positions(&mut starts);
        } else {
            list.positions(&mut positions);
            starts.retain(|start| positions.binary_search(&(start + place as u32)).is_ok());
        }
    }
    starts
}

/// The live documents that fulfil a condition (`site:`, `lang:`).
pub(super) fn condition(segment: &Segment, clause: &Clause) -> tantivy::Result<Vec<u32>> {
    let field = if clause.scope == Scope::Site { FIELDS.site } else { FIELDS.language };
    let term = Term::from_field_text(field, &clause.words[0]);
    let mut found = Vec::new();
    if let Some(mut postings) = segment.reader.inverted_index(field)?.read_postings(&term, Basic)? {
        while postings.doc() != TERMINATED {
            if !segment.reader.is_deleted(postings.doc()) {
                found.push(postings.doc());
            }
            postings.advance();
        }
    }
    Ok(found)
}
