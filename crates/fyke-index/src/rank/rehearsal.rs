//! A query whose documents are read once, to be ranked again and again by other weights, as learning them asks
//! for (`crate::tune`). What is kept is what the formulas of the ranking are given: how often words stand
//! in which field, what signals say, what the best documents are made of. Only the documents that the standard
//! weights rank first are among them; what other weights would bring up from behind them is not seen.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use tantivy::TantivyDocument;

use super::feedback::{self, CommonWord, FeedbackText};
use super::part::ScoredClause;
use super::repetition;
use super::segment::{Snapshot, WeighedIndex};
use super::signals::near::{self, NearPair};
use super::signals::{Head, SIGNALS};
use super::weights::{WEIGHTS, Weights};
use super::{Candidate, QueryBudget, Ranked, best, coordination, looked_for, rank};
use crate::query::Query;

/// What a search for one query reads, for any weights.
pub struct Rehearsal {
    snapshot: Arc<Snapshot>,
    query: Query,
    ranked: Ranked,
    /// By candidate: the clauses that it has.
    found: Vec<u32>,
    /// By part of the query: where it stands.
    places: Vec<Vec<TaughtOccurrence>>,
    pairs: Vec<NearPair>,
    /// By row of the table of signals, for each candidate; none for nearness, which is no plain factor.
    signals: Vec<Vec<f32>>,
    /// What facts say, by place in their table.
    facts: Vec<(usize, Vec<f32>)>,
    /// By candidate: the names that it and its copies have in runs.
    names: Vec<Vec<String>>,
    texts: HashMap<usize, FeedbackText<'static>>,
    words: HashMap<String, FeedbackWord>,
}

/// That a part of the query stands in a field of a candidate.
struct TaughtOccurrence {
    candidate: u32,
    field: u8,
    is_variant: bool,
    /// How often, as far as that counts.
    occurrences: f32,
    /// The field's length over the mean.
    length: f32,
}

/// A word that the best documents may bring in.
struct FeedbackWord {
    documents: u64,
    idf: f32,
    places: Vec<TaughtOccurrence>,
}

impl std::fmt::Debug for Rehearsal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rehearsal").field("query", &self.query).finish_non_exhaustive()
    }
}

impl Rehearsal {
    /// Reads what ranking the `depth` best documents takes; `name` gives a candidate's names in runs.
    pub(crate) fn read(
        snapshot: &Arc<Snapshot>,
        query: Query,
        depth: usize,
        name: impl Fn(&Candidate) -> tantivy::Result<Vec<String>>,
    ) -> tantivy::Result<Rehearsal> {
        let ranked = rank(snapshot, &query, depth, (&WEIGHTS, QueryBudget::UNLIMITED))?;
        let all = Weights { facts: [Some(1.0); _], ..WEIGHTS };
        let index = snapshot.weighed(&all);
        let (parts, names, candidates) = (&ranked.parts, &ranked.names, &ranked.best);
        let head = Head { index: &index, parts, names, candidates };
        let places = parts.iter().map(|part| occurrences(&head, part));
        let places = places.collect::<io::Result<Vec<_>>>()?;
        let values = SIGNALS.iter().map(|signal| match signal.name == near::SIGNAL.name {
            true => Ok(Vec::new()),
            false => (signal.values)(&head),
        });
        let signals = values.collect::<io::Result<_>>()?;
        let told = snapshot.facts.iter().enumerate().filter(|(_, fact)| fact.signal.is_some());
        let facts = told.map(|(place, _)| place).zip(head.told().map(|(_, values)| values));
        let (pairs, facts) = (near::pairs(&head)?, facts.collect());
        let names = candidates.iter().map(name).collect::<tantivy::Result<_>>()?;
        let found = clauses_found(parts, &places, candidates.len());
        let (texts, words) = (HashMap::new(), HashMap::new());
        Ok(Rehearsal {
            snapshot: Arc::clone(snapshot),
            query,
            ranked,
            found,
            places,
            pairs,
            signals,
            facts,
            names,
            texts,
            words,
        })
    }

    /// The best documents by these weights, by name with their scores, the best first, each followed by
    /// its copies.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn ranking(&mut self, weights: &Weights) -> io::Result<Vec<(&str, f32)>> {
        let snapshot = Arc::clone(&self.snapshot);
        let index = snapshot.weighed(weights);
        let mut order = self.first_stage(weights);
        self.second_stage(weights, &mut order);
        let first = &order[..order.len().min(feedback::DOCUMENTS)];
        let best: Vec<Candidate> = first.iter().map(|(_, candidate)| *candidate).collect();
        let typed = (&self.ranked.parts[..], &self.ranked.names[..]);
        if feedback::reason_against(&index, typed, &best).is_none() {
            let best: Vec<usize> = first.iter().map(|(place, _)| *place).collect();
            self.feed_back(&index, &best, &mut order)?;
        }
        order.sort_unstable_by(|(_, a), (_, b)| best::order(a, b));
        let ranked = order.iter().flat_map(|(place, candidate)| {
            self.names[*place].iter().map(|name| (name.as_str(), candidate.score))
        });
        Ok(ranked.take(self.names.len()).collect())
    }

    /// The candidates with their places, as the words alone rank them.
    fn first_stage(&self, weights: &Weights) -> Vec<(usize, Candidate)> {
        let asked = looked_for(&self.query, weights);
        let scored = asked.iter().filter(|read| read.clause.is_scored());
        let mut scores = vec![0.0; self.found.len()];
        for ((part, places), read) in self.ranked.parts.iter().zip(&self.places).zip(scored) {
            add(places, (read.weight * part.idf, weights), &mut scores);
        }
        let scored = self.ranked.scored;
        let candidates = self.ranked.best.iter().zip(scores).zip(&self.found);
        let ranked = candidates.map(|((candidate, score), found)| {
            let factor = coordination(*found, scored, weights.coordination);
            Candidate { score: score * factor, ..*candidate }
        });
        let mut order: Vec<_> = ranked.enumerate().collect();
        order.sort_unstable_by(|(_, a), (_, b)| best::order(a, b));
        order
    }

    /// Adds what the signals say of the first.
    fn second_stage(&self, weights: &Weights, order: &mut [(usize, Candidate)]) {
        let near = near::summed(&self.pairs, self.found.len(), weights.k1);
        let head = order.len().min(weights.head);
        for (place, candidate) in &mut order[..head] {
            for (values, weight) in self.signals.iter().zip(weights.signals) {
                let values = if values.is_empty() { &near } else { values };
                candidate.score += weight * values[*place];
            }
            for (fact, values) in &self.facts {
                let weight = weights.fact(*fact, &self.snapshot.facts[*fact]);
                candidate.score += weight * values[*place];
            }
        }
        order[..head].sort_unstable_by(|(_, a), (_, b)| best::order(a, b));
    }

    /// Adds what the words of the first documents count.
    fn feed_back(
        &mut self,
        index: &WeighedIndex,
        best: &[usize],
        order: &mut [(usize, Candidate)],
    ) -> io::Result<()> {
        for place in best {
            if !self.texts.contains_key(place) {
                let address = self.ranked.best[*place].address();
                let stored: TantivyDocument =
                    self.snapshot.searcher.doc(address).map_err(io::Error::other)?;
                self.texts.insert(*place, FeedbackText::of(&stored).counted());
            }
        }
        let texts: Vec<&FeedbackText> = best.iter().map(|place| &self.texts[place]).collect();
        let first: Vec<Candidate> = order[..best.len()].iter().map(|(_, c)| *c).collect();
        let model = feedback::model(&texts, &first, self.snapshot.languages.rules());
        let (parts, names, candidates) =
            (&self.ranked.parts, &self.ranked.names, &self.ranked.best);
        let head = Head { index, parts, names, candidates };
        let words = &mut self.words;
        let chosen = feedback::chosen(self.snapshot.documents, model, |word| {
            let key = word.forms().join(" ");
            if !words.contains_key(&key) {
                words.insert(key.clone(), FeedbackWord::read(&head, word)?);
            }
            Ok((words[&key].documents, key))
        })?;
        let typed = parts.iter().filter(|part| part.is_word).count();
        let all: f32 = chosen.iter().map(|(share, _)| share).sum();
        let mut added = vec![0.0; self.found.len()];
        for (share, key) in chosen {
            let word = &self.words[&key];
            let weight = index.weights.feedback * typed as f32 * share / all;
            add(&word.places, (weight * word.idf, index.weights), &mut added);
        }
        order.iter_mut().for_each(|(place, candidate)| candidate.score += added[*place]);
        Ok(())
    }
}

impl FeedbackWord {
    fn read(head: &Head, word: &CommonWord) -> io::Result<FeedbackWord> {
        let (documents, part) = word.part(head.index)?;
        Ok(FeedbackWord { documents, idf: part.idf, places: occurrences(head, &part)? })
    }
}

/// Where a part stands in the candidates.
fn occurrences(head: &Head, part: &ScoredClause) -> io::Result<Vec<TaughtOccurrence>> {
    let mut found = Vec::new();
    let index = head.index;
    for segment in 0..index.snapshot.segments.len() {
        let (docs, places) = head.here(segment);
        let lengths = &index.snapshot.segments[segment].texts;
        for source in &part.sources[segment] {
            let (field, is_variant) = (source.field, source.is_variant());
            source.look_up(index, segment, &docs, |at, _, starts| {
                let length = lengths[field].lengths.fieldnorm(docs[at]);
                let occurrences = repetition::counted(field, starts.len() as u32, || length);
                found.push(TaughtOccurrence {
                    candidate: places[at] as u32,
                    field: field as u8,
                    is_variant,
                    occurrences,
                    length: length as f32 / index.snapshot.mean(field),
                });
            })?;
        }
    }
    Ok(found)
}

/// How many clauses each candidate has.
fn clauses_found(
    parts: &[ScoredClause],
    places: &[Vec<TaughtOccurrence>],
    candidates: usize,
) -> Vec<u32> {
    let (mut found, mut last) = (vec![0; candidates], vec![usize::MAX; candidates]);
    for (part, places) in parts.iter().zip(places) {
        for at in places.iter().map(|place| place.candidate as usize) {
            // The parts of a clause stand side by side.
            found[at] += u32::from(last[at] != part.place);
            last[at] = part.place;
        }
    }
    found
}

/// Adds what a word counts that stands at these places.
fn add(places: &[TaughtOccurrence], (one, weights): (f32, &Weights), scores: &mut [f32]) {
    let mut sums: Vec<f32> = vec![0.0; scores.len()];
    for place in places {
        let form = if place.is_variant { weights.variant } else { 1.0 };
        let field = &weights.fields[place.field as usize];
        sums[place.candidate as usize] += form * place.occurrences * field.one(place.length);
    }
    for (score, sum) in scores.iter_mut().zip(sums).filter(|(_, sum)| *sum > 0.0) {
        *score += one * super::part::saturate(sum, weights.k1);
    }
}
