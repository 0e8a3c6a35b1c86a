//! CorpusBuilder's loop (004 §3.1) as a machine without I/O: it asks for a query to be sent, is given
//! the hits, asks for a document to be judged, is given the verdict, and learns from it.
//!
//! A query that is known costs nothing: its next hit that was not seen is taken. One that is used up
//! is passed over at once, so it says nothing new to a learner either (004 leaves that open). Recovery
//! (§3.4) shifts ranked terms, first those of inclusion, then those of exclusion; when that is used up,
//! the query becomes one term shorter.

use super::learners::{Learner, QueryChoice, QueryLesson, QueryResult};
use super::{Dice, DocumentSide, TermCount, TermCounts, TermPick, TermQuery, TermSelector};
use std::collections::{HashMap, HashSet, VecDeque};

/// Shifts tried along ranked terms, of inclusion and of exclusion.
const SHIFTS: [usize; 2] = [1_000, 100];
/// Draws tried when what is drawn is used up.
const REDRAWS: usize = 30;
/// Choices of the learner that may give no query before the machine is stuck.
const MOST_CHOICES: usize = 100;

/// What the machine wants next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuilderStep {
    /// A query that was never sent: give its hits to [`CorpusBuilder::answer`].
    Ask(TermQuery),
    /// A document to judge: give the verdict to [`CorpusBuilder::judge`], or to
    /// [`CorpusBuilder::skip`] when it cannot be had.
    Look(u64),
    /// No query is left that could bring anything.
    Stuck,
}

/// How many documents of a query are taken before the next is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitsTaken {
    /// One, as in 004.
    One,
    /// As long as there are hits, but only so many wrong ones in a row.
    WhileGood(u32),
}

/// What was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuilderTally {
    /// Queries sent.
    pub queries: u64,
    /// Queries sent that gave nothing new.
    pub empty: u64,
    /// Documents judged.
    pub documents: u64,
    /// Those of them that are relevant.
    pub relevant: u64,
}

/// A query that is being used.
#[derive(Debug)]
struct CurrentQuery {
    choice: QueryChoice,
    query: TermQuery,
    /// It was sent for this use, and nothing was learnt from it yet.
    is_new: bool,
    wrong_in_row: u32,
}

/// The loop with what it knows.
#[derive(Debug)]
pub struct CorpusBuilder {
    counts: TermCounts,
    learner: Box<dyn Learner>,
    taken: HitsTaken,
    dice: Dice,
    /// Hits of queries sent that were not taken yet, the best first.
    hits: HashMap<TermQuery, VecDeque<u64>>,
    seen: HashSet<u64>,
    current: Option<CurrentQuery>,
    /// Ranked terms as long as the counts are the same.
    ranked: HashMap<(&'static str, DocumentSide), Vec<u32>>,
    /// Inclusion terms of the queries that were sent.
    included: HashSet<Vec<u32>>,
    tally: BuilderTally,
}

impl CorpusBuilder {
    /// A machine that knows the counts of the first documents.
    #[must_use]
    pub fn new(
        mut counts: TermCounts,
        learner: Box<dyn Learner>,
        taken: HitsTaken,
        seed: u64,
    ) -> CorpusBuilder {
        counts.set_seeds();
        CorpusBuilder {
            counts,
            learner,
            taken,
            dice: Dice::new(seed),
            hits: HashMap::new(),
            seen: HashSet::new(),
            current: None,
            ranked: HashMap::new(),
            included: HashSet::new(),
            tally: BuilderTally::default(),
        }
    }

    /// Documents that are known from the start and are not to be judged.
    pub fn know(&mut self, documents: impl Iterator<Item = u64>) {
        self.seen.extend(documents);
    }

    #[must_use]
    pub fn tally(&self) -> BuilderTally {
        self.tally
    }

    #[must_use]
    pub fn counts(&self) -> &TermCounts {
        &self.counts
    }

    #[must_use]
    pub fn learner(&self) -> &dyn Learner {
        &*self.learner
    }

    /// How the current query was chosen, and the query.
    #[must_use]
    pub fn current(&self) -> Option<(&QueryChoice, &TermQuery)> {
        self.current.as_ref().map(|current| (&current.choice, &current.query))
    }

    /// What is to be done next. Asked again before it is done, it goes on to something else.
    pub fn next_step(&mut self) -> BuilderStep {
        if let Some(document) = self.next_of_current() {
            return BuilderStep::Look(document);
        }
        for _ in 0..MOST_CHOICES {
            let choice = self.learner.choose(&mut self.dice);
            let Some(query) = self.compose(&choice) else {
                let lesson = QueryLesson { result: QueryResult::Nothing, is_new: false };
                self.learner.learn(&choice, lesson);
                continue;
            };
            let is_new = !self.hits.contains_key(&query);
            self.current = Some(CurrentQuery { choice, query, is_new, wrong_in_row: 0 });
            return self.step_of_current(is_new);
        }
        self.current = None;
        BuilderStep::Stuck
    }

    fn step_of_current(&mut self, is_new: bool) -> BuilderStep {
        let Some(current) = &self.current else { return BuilderStep::Stuck };
        match is_new {
            true => BuilderStep::Ask(current.query.clone()),
            false => take_hit(&mut self.hits, &mut self.seen, &current.query)
                .map_or(BuilderStep::Stuck, BuilderStep::Look),
        }
    }

    /// Another hit of the current query, if it is to be gone on with.
    fn next_of_current(&mut self) -> Option<u64> {
        let current = self.current.as_ref()?;
        match self.taken {
            HitsTaken::One => None,
            HitsTaken::WhileGood(most) if current.wrong_in_row >= most => None,
            HitsTaken::WhileGood(_) => take_hit(&mut self.hits, &mut self.seen, &current.query),
        }
    }

    /// The hits of the query that was asked for, the best first; gives the first document to judge.
    pub fn answer(&mut self, hits: &[u64]) -> Option<u64> {
        let current = self.current.as_mut().filter(|current| current.is_new)?;
        self.tally.queries += 1;
        self.included.insert(current.query.include().to_vec());
        self.hits.insert(current.query.clone(), hits.iter().copied().collect());
        let first = take_hit(&mut self.hits, &mut self.seen, &current.query);
        if first.is_none() {
            self.tally.empty += 1;
            self.learn(QueryResult::Nothing);
            self.current = None;
        }
        first
    }

    /// The verdict on the document that was asked for, with its terms, each once.
    pub fn judge(&mut self, is_relevant: bool, terms: &[TermCount]) {
        let (side, result) = match is_relevant {
            true => (DocumentSide::Relevant, QueryResult::Found),
            false => (DocumentSide::Other, QueryResult::Wrong),
        };
        self.counts.add(side, terms);
        self.ranked.clear();
        self.tally.documents += 1;
        self.tally.relevant += u64::from(is_relevant);
        self.learn(result);
    }

    /// The document that was asked for cannot be had: nothing was won.
    pub fn skip(&mut self) {
        self.learn(QueryResult::Wrong);
    }

    fn learn(&mut self, result: QueryResult) {
        let Some(current) = &mut self.current else { return };
        current.wrong_in_row = match result {
            QueryResult::Found => 0,
            QueryResult::Wrong | QueryResult::Nothing => current.wrong_in_row + 1,
        };
        let is_new = std::mem::take(&mut current.is_new);
        self.learner.learn(&current.choice, QueryLesson { result, is_new });
    }

    /// A query of this kind that is not used up, or a shorter one.
    fn compose(&mut self, choice: &QueryChoice) -> Option<TermQuery> {
        for shorter in 0..choice.include.length {
            let QueryChoice { include, exclude } = choice;
            let lengths = [include.length - shorter, exclude.length.saturating_sub(shorter)];
            let is_drawn = |selector: &TermSelector| matches!(selector.pick, TermPick::Drawn(_));
            let is_drawn = is_drawn(include.selector) || is_drawn(exclude.selector);
            for _ in 0..if is_drawn { REDRAWS } else { 1 } {
                let include = self.terms(include.selector, DocumentSide::Relevant, lengths[0]);
                let exclude = self.terms(exclude.selector, DocumentSide::Other, lengths[1]);
                if include.len() < lengths[0] {
                    break;
                }
                if let Some(query) = self.shifted(&include, &exclude, lengths) {
                    return Some(query);
                }
            }
        }
        None
    }

    /// Terms of a side, as many as there are shifts to try.
    fn terms(&mut self, selector: &TermSelector, side: DocumentSide, length: usize) -> Vec<u32> {
        match selector.pick {
            _ if length == 0 => Vec::new(),
            TermPick::Drawn(draw) => draw(&self.counts, side, length, &mut self.dice),
            TermPick::Ranked(rank) => {
                let most = SHIFTS[usize::from(side == DocumentSide::Other)] + length;
                let counts = &self.counts;
                let ranked = self.ranked.entry((selector.name, side));
                let known = ranked.or_insert_with(|| rank(counts, side, most + 20));
                known.iter().copied().take(most).collect()
            }
        }
    }

    /// The first query along the shifts that is new or has hits left.
    fn shifted(
        &mut self,
        include: &[u32],
        exclude: &[u32],
        lengths: [usize; 2],
    ) -> Option<TermQuery> {
        let most = exclude.len().saturating_sub(lengths[1]);
        let along = (0..=include.len() - lengths[0]).map(|shift| (shift, 0));
        let then = (1..=most).map(|shift| (0, shift));
        for (first, second) in along.chain(then) {
            let included = include[first..first + lengths[0]].to_vec();
            let end = (second + lengths[1]).min(exclude.len());
            let query = TermQuery::new(included, exclude[second..end].to_vec());
            if self.is_open(&query) {
                return Some(query);
            }
        }
        None
    }

    /// Whether a query was never sent, or has a hit that was not seen.
    fn is_open(&mut self, query: &TermQuery) -> bool {
        let Some(hits) = self.hits.get_mut(query) else {
            return self.learner.repeats_inclusions() || !self.included.contains(query.include());
        };
        while hits.front().is_some_and(|hit| self.seen.contains(hit)) {
            hits.pop_front();
        }
        !hits.is_empty()
    }
}

/// The next hit of a query that was not seen.
fn take_hit(
    hits: &mut HashMap<TermQuery, VecDeque<u64>>,
    seen: &mut HashSet<u64>,
    query: &TermQuery,
) -> Option<u64> {
    let hits = hits.get_mut(query)?;
    std::iter::from_fn(|| hits.pop_front()).find(|hit| seen.insert(*hit))
}

#[cfg(test)]
mod tests;
