//! "Did you mean" (spelling): a noisy channel over the collection's own words. What was
//! meant is the word that is likely here, by how often it stands beside the other words of the
//! query, and likely to have been typed so.

mod edits;
mod runs;

use std::collections::BTreeMap;

use tantivy::Term;
use tantivy::query::FuzzyTermQuery;

use crate::analysis::{self, WantedWord};
use crate::error::{IndexError, engine};
use crate::guard::guarded;
use crate::index::Index;
use crate::query::{Clause, ClauseScope, Form, Query};
use crate::rank::segment::Snapshot;
use crate::schema::{BODY, FIELDS, TITLE};
use crate::together::{DocumentSample, Ties, frequency};

/// Shorter words, in characters, are near too many others.
const MIN_CHARS: usize = 4;

/// Of a word shorter than this, in characters, one edit makes another word more often than not.
const SHORT: usize = 6;

/// From this length on two edits are allowed.
const LONG: usize = 7;

/// More than this, in edits, is a doubtful correction.
const DOUBTFUL: f32 = 1.3;

/// So many words of a query are looked at.
const MAX_WORDS: usize = 8;

/// So many words near one are weighed, of each segment.
const MAX_NEAR: usize = 2_000;

/// Of those, so many are looked at in view of the other words.
const MAX_WEIGHED: usize = 12;

/// So many documents with the other words are looked at.
const MAX_SAMPLE: usize = 300;

/// A word is frequent that stands in more than one of so many documents.
const FREQUENT: u32 = 1_000;

/// The logarithm of how much rarer a word becomes with each edit.
const EDIT: f32 = 4.0;

/// A correction is offered when it is so many times as frequent as what was typed.
const CLEARLY: u32 = 10;

/// So many documents of the whole collection are added to each sample.
const SMOOTHING: f32 = 10.0;

/// What it counts to stand directly after the word before, against standing in the same text.
const AFTER: f32 = 5.0;

impl Index {
    /// The text with words that were probably mistyped set right; nothing when it is well as it is.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn spelling(&self, text: &str) -> Result<Option<String>, IndexError> {
        let snapshot = self.snapshot()?;
        let (query, broken) = (snapshot.query(text), |e| engine(self.dir(), e));
        let found = guarded(self.dir(), || corrections(&snapshot, &query).map_err(broken))?;
        Ok((!found.is_empty()).then(|| corrected(text, &found)))
    }
}

/// A word of the query with the number of its documents.
struct QueryWord<'a> {
    form: &'a str,
    count: u32,
}

impl QueryWord<'_> {
    fn is_frequent(&self, snapshot: &Snapshot) -> bool {
        let most = (snapshot.documents / u64::from(FREQUENT)).max(2);
        u64::from(self.count) > most
    }
}

/// For each mistyped form the one that was meant.
fn corrections(snapshot: &Snapshot, query: &Query) -> tantivy::Result<BTreeMap<String, String>> {
    let mut asked = Vec::new();
    for clause in query.clauses().iter().filter(|clause| is_plain(clause)).take(MAX_WORDS) {
        let form = clause.words[0].as_str();
        let count = frequency(snapshot, BODY, form)? + frequency(snapshot, TITLE, form)?;
        asked.push(QueryWord { form, count });
    }
    let mut found = BTreeMap::new();
    for (place, word) in asked.iter().enumerate() {
        if !is_word(word.form) || word.is_frequent(snapshot) {
            continue;
        }
        let near = near(snapshot, word.form)?;
        let wanted = WantedWord::with_variants(word.form, snapshot.languages.stemmers());
        if near.iter().any(|(form, _)| wanted.variant(form).is_some()) {
            continue;
        }
        let sample = beside(snapshot, &asked, place)?;
        let mut meant = meant(snapshot, word, near, &sample)?;
        if meant.is_none() && word.count == 0 {
            meant = runs::parted(snapshot, word.form)?;
        }
        found.extend(meant.map(|meant| (word.form.to_owned(), meant)));
    }
    Ok(found)
}

/// Whether a clause is one word that was typed to find it.
fn is_plain(clause: &Clause) -> bool {
    let is_scope = matches!(clause.scope, ClauseScope::Anywhere | ClauseScope::Title);
    is_scope && clause.is_scored() && clause.form == Form::Stem
}

/// Whether this is a word of letters, long enough, of a script with words of many letters.
fn is_word(form: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() && c < '\u{e00}';
    form.chars().count() >= MIN_CHARS && form.chars().all(is_letter)
}

/// The collection's words within one or two edits, each with the number of its documents.
fn near(snapshot: &Snapshot, form: &str) -> tantivy::Result<Vec<(String, u32)>> {
    let edits = if form.chars().count() < LONG { 1 } else { 2 };
    let term = Term::from_field_text(FIELDS.body, form);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for segment in &snapshot.segments {
        let automaton = FuzzyTermQuery::new(term.clone(), edits, true).automaton()?;
        let dictionary = segment.texts[BODY].postings.terms();
        let mut words = dictionary.search(automaton).into_stream()?;
        for _ in 0..MAX_NEAR {
            let Some((key, info)) = words.next() else { break };
            let word = str::from_utf8(key).unwrap_or_default();
            *counts.entry(word.to_owned()).or_default() += info.doc_freq;
        }
    }
    counts.remove(form);
    let is_worth = |word: &str| is_word(word) && !snapshot.languages.has_stop(word);
    Ok(counts.into_iter().filter(|(word, _)| is_worth(word)).collect())
}

/// Documents with the words that stand beside one of the words asked for, if these are known.
fn beside(
    snapshot: &Snapshot,
    asked: &[QueryWord],
    place: usize,
) -> tantivy::Result<DocumentSample> {
    let is_stop = |form: &str| snapshot.languages.has_stop(form);
    let known = |word: &&QueryWord| word.count > 0 && !is_stop(word.form);
    let after = asked[place + 1..].iter().find(known);
    let before = asked[..place].iter().rev().find(known);
    let words = after.into_iter().chain(before).map(|word| word.form.to_owned());
    let words: Vec<String> = words.collect();
    Ok(DocumentSample::take(snapshot, BODY, &words, MAX_SAMPLE)?)
}

/// The word of `near` that was meant, if it is clearly likelier than the one that was typed.
fn meant(
    snapshot: &Snapshot,
    typed: &QueryWord,
    near: Vec<(String, u32)>,
    sample: &DocumentSample,
) -> tantivy::Result<Option<String>> {
    let all = snapshot.documents.max(1) as f32;
    let likelihood = |count: u32, ties: Ties| {
        let seen = AFTER * ties.after as f32 + ties.together as f32;
        let share = (seen + SMOOTHING * count as f32 / all) / (sample.len() as f32 + SMOOTHING);
        share.max(1e-9).ln()
    };
    let costly = |(form, count): (String, u32)| {
        let cost = edits::cost(typed.form, &form);
        (-EDIT * cost + (count as f32).ln(), cost, form, count)
    };
    let mut weighed: Vec<_> = near.into_iter().map(costly).collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let own = likelihood(typed.count, sample.ties(snapshot, typed.form)?);
    let mut best = (if typed.count == 0 { f32::NEG_INFINITY } else { own }, None);
    for (_, cost, form, count) in weighed.into_iter().take(MAX_WEIGHED) {
        let ties = sample.ties(snapshot, &form)?;
        let score = likelihood(count, ties) - EDIT * cost;
        let is_doubtful = cost > DOUBTFUL || typed.form.chars().count() < SHORT;
        let is_supported = if sample.len() > 0 { ties.together > 0 } else { count > 1 };
        let is_clear = typed.count == 0 || count / CLEARLY >= typed.count;
        if is_clear && (is_supported || !is_doubtful) && score > best.0 {
            best = (score, Some(form));
        }
    }
    Ok(best.1)
}

/// The text with the words replaced, all else as it was.
fn corrected(text: &str, corrections: &BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for word in analysis::words(text) {
        if let Some(meant) = corrections.get(word.form.as_ref()) {
            out.push_str(&text[at..word.start]);
            out.push_str(meant);
            at = word.end;
        }
    }
    out.push_str(&text[at..]);
    out
}
