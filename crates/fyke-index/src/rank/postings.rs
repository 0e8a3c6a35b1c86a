//! A clause's posting lists in one segment: the word's forms, a phrase, a condition.

use std::fmt::Debug;
use std::io;
use std::ops::RangeInclusive;

use tantivy::columnar::Column;
use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::Field;
use tantivy::schema::IndexRecordOption::{Basic, WithFreqs, WithFreqsAndPositions};
use tantivy::termdict::TermDictionary;
use tantivy::{DocSet, TERMINATED, Term};

use super::languages::stem_language;
use super::repetition;
use super::segment::{Segment, Snapshot, WeighedIndex};
use super::variants::Variants;
use crate::analysis::{Variant, is_stop_in};
use crate::fact::span;
use crate::query::{Clause, ClauseScope, Form, days};
use crate::schema::{DATE, FIELDS, KEYS, TEXTS, fact_field, language_code};

/// So many dictionary entries are looked at for words with one beginning, per field.
const MAX_BEGINNING_SCAN: usize = 20_000;

/// So many of them are taken.
const MAX_BEGINNING: usize = 128;

/// What opening a posting list costs, in steps.
pub(super) const OPENING: u64 = 64;

/// What going on in several lists at once costs beside an entry of one.
const STEP: u64 = 3;

/// Positions of a word in a document that are expected: where too few are, the last of many phrases would
/// find nothing left.
const PLACES: u64 = 8;

/// Postings of one field that count for a clause.
pub(super) struct PostingSource {
    pub field: usize,
    /// One posting list, or those of a phrase's words in order.
    terms: Vec<TermInfo>,
    /// Another form of the word: it counts a little less, and only where it is one.
    variant: Option<Variant>,
    /// So many other words may stand among those of `terms`, in any order; none for a phrase.
    among: Option<u32>,
}

/// All postings of a clause by segment; none for conditions. Other forms of a word are looked for where that
/// `is_stemmed`.
pub(super) fn sources(
    snapshot: &Snapshot,
    clause: &Clause,
    is_stemmed: bool,
) -> io::Result<Vec<Vec<PostingSource>>> {
    let others = match (&clause.words[..], clause.form) {
        ([word], Form::Stem) if is_stemmed => snapshot.variants.of(&snapshot.segments, word)?,
        _ => Variants::none(),
    };
    snapshot.segments.iter().map(|segment| sources_in(segment, clause, &others)).collect()
}

fn sources_in(
    segment: &Segment,
    clause: &Clause,
    others: &[(String, Option<Variant>)],
) -> io::Result<Vec<PostingSource>> {
    let mut found = Vec::new();
    let among = if let Form::Near(among) = clause.form { Some(among) } else { None };
    let is_stop = |field: &usize| match &clause.words[..] {
        [word] => clause.scope == ClauseScope::Anywhere && is_stop_in(*field, word),
        _ => false,
    };
    // What is in quotes is looked for as it is written: where keys are, that is not known.
    let has_keys = matches!(clause.form, Form::Stem | Form::Whole);
    let end = if has_keys { TEXTS } else { KEYS };
    let has_words = |field: &usize| segment.texts[*field].postings.terms().num_terms() > 0;
    let fields = clause.scope.fields().filter(|field| *field < end && has_words(field));
    for field in fields.filter(|field| !is_stop(field)) {
        if clause.form == Form::Prefix {
            beginning(segment, field, &clause.words[0], &mut found)?;
            continue;
        }
        let dictionary = segment.texts[field].postings.terms();
        let forms = clause.words.iter().map(|word| dictionary.get(word));
        let terms = forms.collect::<io::Result<Option<Vec<_>>>>()?;
        found.extend(terms.map(|terms| PostingSource { field, terms, variant: None, among }));
        for (form, variant) in others.iter().filter(|_| field < KEYS) {
            found.extend(source_of(segment, field, form, variant.clone())?);
        }
    }
    Ok(found)
}

/// The postings of one form in a field.
pub(super) fn source_of(
    segment: &Segment,
    field: usize,
    form: &str,
    variant: Option<Variant>,
) -> io::Result<Option<PostingSource>> {
    let term = segment.texts[field].postings.terms().get(form)?;
    Ok(term.map(|term| PostingSource { field, terms: vec![term], variant, among: None }))
}

/// Adds the posting lists of the words that begin with `prefix`, of very many the most frequent.
fn beginning(
    segment: &Segment,
    field: usize,
    prefix: &str,
    found: &mut Vec<PostingSource>,
) -> io::Result<()> {
    let dictionary = segment.texts[field].postings.terms();
    let numbered = with_beginning(dictionary, prefix, MAX_BEGINNING_SCAN)?;
    let mut infos: Vec<TermInfo> = numbered.into_iter().map(|(_, info)| info).collect();
    infos.sort_by_key(|info| std::cmp::Reverse(info.doc_freq));
    infos.truncate(MAX_BEGINNING);
    let source = |info| PostingSource { field, terms: vec![info], variant: None, among: None };
    found.extend(infos.into_iter().map(source));
    Ok(())
}

/// The first `most` words of a dictionary that begin with `prefix`, by number.
pub(crate) fn with_beginning(
    dictionary: &TermDictionary,
    prefix: &str,
    most: usize,
) -> io::Result<Vec<(u64, TermInfo)>> {
    // No byte of a text is 255: the last one can be one more.
    let mut after = prefix.as_bytes().to_vec();
    after.last_mut().into_iter().for_each(|last| *last += 1);
    let mut words = dictionary.range().ge(prefix).lt(after).without_keys().into_stream()?;
    let mut found = Vec::new();
    while found.len() < most && words.advance() {
        found.push((words.term_ord(), words.value().clone()));
    }
    Ok(found)
}

pub(crate) fn is_lone(form: &str) -> bool {
    let mut chars = form.chars();
    // Latin, Greek, Cyrillic and their neighbours lie below; one letter is a word there.
    chars.next().is_some_and(|c| c >= '\u{e00}') && chars.next().is_none()
}

impl PostingSource {
    /// Whether it is of another form of the word.
    pub fn is_variant(&self) -> bool {
        self.variant.is_some()
    }

    /// Whether what is found in `doc` counts.
    fn counts_in(&self, segment: &Segment, doc: u32) -> bool {
        let is_in = |languages: &[&'static str]| {
            let language = stem_language(&segment.languages, doc);
            languages.iter().any(|code| language_code(code) == language)
        };
        let counts = match &self.variant {
            None | Some(Variant::Everywhere) => true,
            Some(Variant::In(languages)) => is_in(languages),
        };
        counts && !segment.reader.is_deleted(doc)
    }

    /// What `occurrences` in `doc` count, by field, length and form.
    fn weight(&self, index: &WeighedIndex, segment: &Segment, doc: u32, occurrences: u32) -> f32 {
        let lengths = &segment.texts[self.field].lengths;
        let class = lengths.fieldnorm_id(doc);
        let form = if self.variant.is_some() { index.weights.variant } else { 1.0 };
        let counted = repetition::counted(self.field, occurrences, || lengths.fieldnorm(doc));
        form * counted * index.norms[self.field][class as usize]
    }

    /// Live documents of a segment with the one form. The engine's own count has deleted ones until
    /// they are merged away, and the ranking must not depend on when that is.
    pub fn frequency(&self, segment: &Segment) -> io::Result<u64> {
        let term = &self.terms[0];
        if !segment.reader.has_deletes() {
            return Ok(u64::from(term.doc_freq));
        }
        let reader = &segment.texts[self.field].postings;
        let mut postings = reader.read_postings_from_terminfo(term, Basic)?;
        let mut live = 0;
        while postings.doc() != TERMINATED {
            live += u64::from(!segment.reader.is_deleted(postings.doc()));
            postings.advance();
        }
        Ok(live)
    }

    /// Its documents in a segment, from the first on.
    pub fn cursor<'a>(&'a self, segment: &'a Segment) -> io::Result<Cursor<'a>> {
        let reader = &segment.texts[self.field].postings;
        let mut lists = match &self.terms[..] {
            [term] => vec![reader.read_postings_from_terminfo(term, WithFreqs)?],
            _ => self.lists(segment)?,
        };
        let next = next_common(&mut lists, 0);
        Ok(Cursor { source: self, segment, lists, places: Vec::new(), next })
    }

    fn lists(&self, segment: &Segment) -> io::Result<Vec<SegmentPostings>> {
        let reader = &segment.texts[self.field].postings;
        let read = |term| reader.read_postings_from_terminfo(term, WithFreqsAndPositions);
        self.terms.iter().map(read).collect()
    }

    /// What it is expected to cost to read it: entries of its list, or steps through those of a phrase.
    pub fn cost(&self) -> u64 {
        let rarest = self.terms.iter().map(|term| u64::from(term.doc_freq)).min().unwrap_or(0);
        let each =
            if self.terms.len() == 1 { 1 } else { (STEP + PLACES) * self.terms.len() as u64 };
        OPENING + rarest * each
    }

    /// Where the phrase or the words that stand near each other begin, in the lists' document. `places` is
    /// filled with the positions of each word that was looked at.
    fn starts(&self, lists: &mut [SegmentPostings], places: &mut Vec<Vec<u32>>) -> Vec<u32> {
        places.resize_with(lists.len(), Vec::new);
        places.iter_mut().for_each(Vec::clear);
        let Some(among) = self.among else { return phrase_starts(lists, places) };
        lists.iter_mut().zip(&mut *places).for_each(|(list, places)| list.positions(places));
        windows(places, among)
    }

    /// For each of `docs` (ascending) of a segment in which the one word stands: what it counts there.
    pub fn count(
        &self,
        index: &WeighedIndex,
        segment: usize,
        docs: &[u32],
        mut take: impl FnMut(usize, f32),
    ) -> io::Result<()> {
        let segment = &index.snapshot.segments[segment];
        self.occurrences(segment, docs, |at, occurrences| {
            take(at, self.weight(index, segment, docs[at], occurrences));
        })
    }

    /// For each of `docs` (ascending) of a segment in which the one word stands: how often it does.
    pub fn occurrences(
        &self,
        segment: &Segment,
        docs: &[u32],
        mut take: impl FnMut(usize, u32),
    ) -> io::Result<()> {
        let reader = &segment.texts[self.field].postings;
        for term in &self.terms {
            let mut postings = reader.read_postings_from_terminfo(term, WithFreqs)?;
            for (at, &doc) in docs.iter().enumerate() {
                if postings.doc() < doc {
                    postings.seek(doc);
                }
                if postings.doc() == doc && self.counts_in(segment, doc) {
                    take(at, postings.term_freq());
                }
            }
        }
        Ok(())
    }

    /// For each of `docs` (ascending) of a segment: what the source counts there and at which
    /// positions.
    pub fn look_up(
        &self,
        index: &WeighedIndex,
        segment: usize,
        docs: &[u32],
        mut take: impl FnMut(usize, f32, &[u32]),
    ) -> io::Result<()> {
        let segment = &index.snapshot.segments[segment];
        let (mut lists, mut starts, mut places) = (self.lists(segment)?, Vec::new(), Vec::new());
        for (at, &doc) in docs.iter().enumerate() {
            let here = next_common(&mut lists, doc);
            if here == Some(doc) && self.counts_in(segment, doc) {
                match &mut lists[..] {
                    [list] => list.positions(&mut starts),
                    lists => starts = self.starts(lists, &mut places),
                }
                take(at, self.weight(index, segment, doc, starts.len() as u32), &starts);
            }
        }
        Ok(())
    }
}

/// How far the documents of a source have been gone through.
pub(super) struct Cursor<'a> {
    source: &'a PostingSource,
    segment: &'a Segment,
    lists: Vec<SegmentPostings>,
    /// Where the words of a phrase stand in the document that was looked at last.
    places: Vec<Vec<u32>>,
    next: Option<u32>,
}

impl Cursor<'_> {
    /// The document that comes next; it may turn out not to count.
    pub fn next(&self) -> Option<u32> {
        self.next
    }

    /// Whether it reads one list, which costs the same for every document.
    pub fn is_plain(&self) -> bool {
        self.lists.len() == 1
    }

    /// Calls `take` with every live document before `end` and what the source counts there; takes what
    /// that costs off `steps`. Where they do not suffice, it stops: [`Cursor::next`] says at which document.
    pub fn until(
        &mut self,
        end: u32,
        index: &WeighedIndex,
        steps: &mut u64,
        mut take: impl FnMut(u32, f32),
    ) {
        let (source, segment) = (self.source, self.segment);
        let mut count = |doc, occurrences| {
            if occurrences > 0 && source.counts_in(segment, doc) {
                take(doc, source.weight(index, segment, doc, occurrences));
            }
        };
        if let [list] = &mut self.lists[..] {
            let mut read = 0;
            while list.doc() < end {
                count(list.doc(), list.term_freq());
                list.advance();
                read += 1;
            }
            *steps = steps.saturating_sub(read);
            self.next = Some(list.doc()).filter(|doc| *doc != TERMINATED);
            return;
        }
        while let Some(doc) = self.next.filter(|doc| *doc < end && *steps > 0) {
            count(doc, source.starts(&mut self.lists, &mut self.places).len() as u32);
            let looked_at: usize = self.places.iter().map(Vec::len).sum();
            let mut sought = usize::MAX;
            self.next = next_within(&mut self.lists, doc + 1, &mut sought);
            let cost = STEP * (usize::MAX - sought) as u64 + looked_at as u64;
            *steps = steps.saturating_sub(cost);
        }
    }
}

/// The first document from `doc` on that is in all lists; they stand on it then.
fn next_common(lists: &mut [SegmentPostings], doc: u32) -> Option<u32> {
    let mut steps = usize::MAX;
    next_within(lists, doc, &mut steps)
}

/// The same, but nothing after so many steps.
pub(crate) fn next_within(
    lists: &mut [SegmentPostings],
    mut doc: u32,
    steps: &mut usize,
) -> Option<u32> {
    loop {
        let before = doc;
        for list in lists.iter_mut() {
            if list.doc() < doc {
                *steps = steps.checked_sub(1)?;
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

/// Where the words of the lists stand one after the other, in the document they stand on. Words are
/// looked at as long as a place is left.
fn phrase_starts(lists: &mut [SegmentPostings], places: &mut [Vec<u32>]) -> Vec<u32> {
    let mut starts = Vec::new();
    for (place, (list, positions)) in lists.iter_mut().zip(places).enumerate() {
        list.positions(positions);
        if place == 0 {
            starts.clone_from(positions);
        } else {
            starts.retain(|start| positions.binary_search(&(start + place as u32)).is_ok());
        }
        if starts.is_empty() {
            break;
        }
    }
    starts
}

/// Where the smallest windows begin that have a place of each word, in any order, and at most
/// `among` other words.
pub(crate) fn windows(places: &[Vec<u32>], among: u32) -> Vec<u32> {
    let most = places.len() as u32 + among;
    let mut rests: Vec<&[u32]> = places.iter().map(Vec::as_slice).collect();
    let mut last = vec![None; places.len()];
    let mut starts = Vec::new();
    while let Some((place, word)) = first_of(&mut rests) {
        last[word] = Some(place);
        let Some(start) = last.iter().copied().min().flatten() else { continue };
        if place - start < most && starts.last() != Some(&start) {
            starts.push(start);
        }
    }
    starts
}

/// Takes the first place of all off its list, with the number of the list.
fn first_of(rests: &mut [&[u32]]) -> Option<(u32, usize)> {
    let firsts = rests.iter().enumerate().filter_map(|(word, rest)| Some((*rest.first()?, word)));
    let (place, word) = firsts.min()?;
    rests[word] = &rests[word][1..];
    Some((place, word))
}

/// The live documents before `end` that fulfil a condition.
pub(super) fn condition(segment: &Segment, clause: &Clause, end: u32) -> tantivy::Result<Vec<u32>> {
    let name = &clause.words[0];
    match clause.scope {
        ClauseScope::Site => named(segment, FIELDS.site, name, end),
        ClauseScope::Language => named(segment, FIELDS.language, name, end),
        ClauseScope::Format => named(segment, FIELDS.format, name, end),
        ClauseScope::Label(fact) => match segment.fact(fact) {
            Some(place) => named(segment, fact_field(place), name, end),
            None => Ok(Vec::new()),
        },
        ClauseScope::Number(fact) => {
            let column = segment.fact(fact).and_then(|place| segment.numbers[place].as_ref());
            let found = |(column, span)| within(segment, column, span, end);
            Ok(column.zip(span(name)).map_or_else(Vec::new, found))
        }
        _ => days(name).map_or(Ok(Vec::new()), |days| dated(segment, days, end)),
    }
}

fn named(segment: &Segment, field: Field, name: &str, end: u32) -> tantivy::Result<Vec<u32>> {
    let term = Term::from_field_text(field, name);
    let mut found = Vec::new();
    if let Some(mut postings) = segment.reader.inverted_index(field)?.read_postings(&term, Basic)? {
        while postings.doc() < end {
            if !segment.reader.is_deleted(postings.doc()) {
                found.push(postings.doc());
            }
            postings.advance();
        }
    }
    Ok(found)
}

fn dated(segment: &Segment, days: RangeInclusive<i64>, end: u32) -> tantivy::Result<Vec<u32>> {
    let dates = segment.reader.fast_fields().column_opt::<i64>(DATE)?;
    Ok(dates.map_or_else(Vec::new, |dates| within(segment, &dates, days, end)))
}

/// The live documents whose number lies in a range.
fn within<T: PartialOrd + Copy + Debug + Send + Sync + 'static>(
    segment: &Segment,
    column: &Column<T>,
    range: RangeInclusive<T>,
    end: u32,
) -> Vec<u32> {
    let mut found = Vec::new();
    // The engine takes a range that ends before its least value for that value.
    if range.is_empty() || *range.end() < column.min_value() {
        return found;
    }
    column.get_docids_for_value_range(range, 0..end, &mut found);
    found.retain(|doc| !segment.reader.is_deleted(*doc));
    found
}
