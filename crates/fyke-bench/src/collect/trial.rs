//! One run of the loop against the pool: what it is started with, and what it found after so many
//! queries and documents.

use super::pool::{LanguagePool, PoolDocument, PoolIndex};
use fyke_learn::terms::builder::{BuilderStep, CorpusBuilder, HitsTaken};
use fyke_learn::terms::learners::{Fixed, LEARNERS, Learner};
use fyke_learn::terms::{Dice, DocumentSide, TermCount, TermCounts};
use std::collections::HashSet;

/// Languages of the negative documents at the start.
const NEGATIVE: [&str; 4] = ["en", "cs", "hr", "sr"];

/// The web of a trial: the pool with all or some of the target documents.
pub(crate) struct TrialWeb<'a> {
    pub pool: &'a LanguagePool,
    pub index: PoolIndex,
    pub lang: &'a str,
    /// Hits given to a query.
    pub depth: usize,
    /// Documents that are in it.
    is_there: Vec<bool>,
}

impl<'a> TrialWeb<'a> {
    /// With `targets` of the target documents, chosen by chance, or all.
    pub(crate) fn new(
        pool: &'a LanguagePool,
        lang: &'a str,
        targets: Option<usize>,
        seed: u64,
    ) -> TrialWeb<'a> {
        let mut is_there = vec![true; pool.documents.len()];
        let depth = if targets.is_some() { 10 } else { 1_000 };
        if let Some(targets) = targets {
            let of_lang = |at: &usize| pool.documents[*at].lang == lang;
            let mut all: Vec<usize> = (0..pool.documents.len()).filter(of_lang).collect();
            fyke_learn::shuffle::shuffle(&mut all, &mut seed.wrapping_add(17));
            all.iter().skip(targets).for_each(|at| is_there[*at] = false);
        }
        let index = PoolIndex::of(pool, |at| is_there[at]);
        TrialWeb { pool, index, lang, depth, is_there }
    }

    /// A document in a language by chance.
    fn any(&self, lang: &str, dice: &mut Dice) -> usize {
        let fits = |one: &PoolDocument| one.lang == lang && one.text.len() >= 200;
        let all: Vec<usize> =
            (0..self.is_there.len()).filter(|at| fits(&self.pool.documents[*at])).collect();
        all[dice.below(all.len())]
    }
}

/// What a trial begins with.
#[derive(Clone, Debug)]
pub(crate) enum TrialStart {
    /// A document of the target language, and one of each of four others.
    Document,
    /// Words of the target language, and of English.
    Words(Vec<TermCount>, Vec<TermCount>),
}

/// When a trial ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrialLimits {
    pub queries: u64,
    pub documents: u64,
}

/// What a trial found.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrialResult {
    pub queries: u64,
    pub documents: u64,
    /// Documents in the target language, in truth and as the filter says.
    pub right: u64,
    pub said: u64,
    /// Queries sent and documents in the language, at each document.
    pub curve: Vec<[u32; 2]>,
    /// Numbers of the target documents.
    pub found: HashSet<u64>,
    pub last_query: String,
}

impl TrialResult {
    /// Target documents in truth once so many queries were sent.
    pub(crate) fn after_queries(&self, queries: u64) -> f64 {
        let at = self.curve.partition_point(|at| u64::from(at[0]) <= queries);
        at.checked_sub(1).map_or(0.0, |at| f64::from(self.curve[at][1]))
    }
}

/// A learner by its name, or a fixed way.
pub(crate) fn learner(name: &str) -> Option<Box<dyn Learner>> {
    let row = LEARNERS.iter().find(|row| row.name == name);
    row.map(|row| (row.make)()).or_else(|| Some(Box::new(Fixed::named(name)?)))
}

/// Runs the loop.
pub(crate) fn run(
    web: &TrialWeb<'_>,
    start: &TrialStart,
    (name, taken): (&str, HitsTaken),
    limits: TrialLimits,
    seed: u64,
) -> anyhow::Result<TrialResult> {
    let mut dice = Dice::new(seed);
    let mut counts = TermCounts::default();
    let mut known = Vec::new();
    match start {
        TrialStart::Document => {
            let mut add = |side, lang: &str| {
                let at = web.any(lang, &mut dice);
                counts.add(side, &web.pool.documents[at].terms);
                known.push(at as u64);
            };
            add(DocumentSide::Relevant, web.lang);
            for lang in NEGATIVE.into_iter().filter(|lang| *lang != web.lang) {
                add(DocumentSide::Other, lang);
            }
        }
        TrialStart::Words(words, others) => {
            counts.add(DocumentSide::Relevant, words);
            counts.add(DocumentSide::Other, others);
        }
    }
    let learner = learner(name).ok_or_else(|| anyhow::anyhow!("no learner {name:?}"))?;
    let mut builder = CorpusBuilder::new(counts, learner, taken, seed);
    builder.know(known.into_iter());
    Ok(go(web, builder, limits))
}

fn go(web: &TrialWeb<'_>, mut builder: CorpusBuilder, limits: TrialLimits) -> TrialResult {
    let mut result = TrialResult::default();
    while result.documents < limits.documents {
        let document = match builder.next_step() {
            BuilderStep::Stuck => break,
            BuilderStep::Look(document) => Some(document),
            BuilderStep::Ask(_) if builder.tally().queries == limits.queries => break,
            BuilderStep::Ask(query) => builder.answer(&web.index.hits(&query, web.depth)),
        };
        let Some(document) = document else { continue };
        let page = &web.pool.documents[document as usize];
        let (is_right, is_said) = (page.lang == web.lang, page.said == web.lang);
        result.right += u64::from(is_right);
        result.said += u64::from(is_said);
        if is_right {
            result.found.insert(document);
        }
        result.documents += 1;
        result.curve.push([builder.tally().queries, result.right].map(|n| n as u32));
        builder.judge(is_said, &page.terms);
    }
    result.queries = builder.tally().queries;
    result.last_query = builder.current().map_or_else(String::new, |(_, query)| {
        let words = |terms: &[u32], sign: char| -> String {
            terms.iter().map(|t| format!("{sign}{} ", web.pool.words[*t as usize])).collect()
        };
        words(query.include(), '+') + &words(query.exclude(), '-')
    });
    result
}
