//! Related searches: the query with a word more, one that the best documents have in
//! common and others have not.

use std::collections::BTreeMap;

use crate::analysis::WantedWord;
use crate::error::{IndexError, engine};
use crate::guard::guarded;
use crate::index::Index;
use crate::keywords::{Weight, keywords, sort};
use crate::languages::QueryLanguages;
use crate::query::Query;
use crate::rank;
use crate::rank::budget::QueryBudget;
use crate::rank::segment::Snapshot;
use crate::rank::weights::WEIGHTS;

/// So many of the best documents are read.
const MAX_DOCUMENTS: usize = 10;

/// So many words of each.
const MAX_WORDS: usize = 20;

/// What finding them may cost: the best of a part of the documents will do.
const BUDGET: QueryBudget = QueryBudget { steps: 6_000_000 };

impl Index {
    /// At most `limit` searches that go on from `text`, the likelier first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn related(&self, text: &str, limit: usize) -> Result<Vec<String>, IndexError> {
        let snapshot = self.snapshot()?;
        let query = snapshot.query(text);
        if query.words().is_empty() {
            return Ok(Vec::new());
        }
        let broken = |e| engine(self.dir(), e);
        let words = guarded(self.dir(), || common(&snapshot, &query).map_err(broken))?;
        Ok(distinct(words, &query, &snapshot.languages, limit)
            .map(|word| format!("{} {word}", text.trim()))
            .collect())
    }
}

/// The words that several of the best documents have, with the sum of their weights.
fn common(snapshot: &Snapshot, query: &Query) -> tantivy::Result<Vec<Weight>> {
    let ranked = rank::rank(snapshot, query, MAX_DOCUMENTS, (&WEIGHTS, BUDGET))?;
    let mut sums: BTreeMap<String, (u32, f32)> = BTreeMap::new();
    for best in ranked.best.iter().take(MAX_DOCUMENTS) {
        for (form, weight) in keywords(snapshot, best.address())?.into_iter().take(MAX_WORDS) {
            let (documents, sum) = sums.entry(form).or_default();
            *documents += 1;
            *sum += weight;
        }
    }
    let several = sums.into_iter().filter(|(_, (documents, _))| *documents > 1);
    let mut words: Vec<Weight> = several.map(|(form, (_, sum))| (form, sum)).collect();
    sort(&mut words);
    Ok(words)
}

/// The first words that are neither in the query nor another form of one before.
fn distinct(
    words: Vec<Weight>,
    query: &Query,
    languages: &QueryLanguages,
    limit: usize,
) -> impl Iterator<Item = String> {
    let wanted = |word: &str| WantedWord::with_variants(word, languages.stemmers());
    let mut known: Vec<WantedWord> = query.words().into_iter().map(wanted).collect();
    let new = move |(form, _): Weight| {
        let is_known = known.iter().any(|word| word.form == form || word.variant(&form).is_some());
        known.push(wanted(&form));
        (!is_known).then_some(form)
    };
    words.into_iter().filter_map(new).take(limit)
}
