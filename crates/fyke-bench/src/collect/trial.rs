//! One run of the loop against the pool: what it is started with, and what it found after so many
//! queries and documents.

use super::like;
use super::pool::{LanguagePool, PoolDocument, PoolIndex};
use super::tables::TrialCell;
use fyke_learn::terms::builder::{BuilderStep, CorpusBuilder};
use fyke_learn::terms::learners::{LearntShare, learner};
use fyke_learn::terms::{Dice, DocumentSide, TermCount, TermCounts};
use std::collections::{BTreeMap, HashSet};

/// Languages of the negative documents at the start.
pub(crate) const NEGATIVE: [&str; 4] = ["en", "cs", "hr", "sr"];

/// What asks for documents where "more like this" has none to ask with (004 §7.1).
const LIKE_BESIDE: &str = "OR-5";

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

    /// A document in a language, of a source where one is named, by chance.
    fn any(&self, lang: &str, source: &str, dice: &mut Dice) -> usize {
        let least = if source.is_empty() { 200 } else { 80 };
        let fits = |one: &PoolDocument| {
            one.lang == lang && one.source.starts_with(source) && one.text.len() >= least
        };
        let all: Vec<usize> =
            (0..self.is_there.len()).filter(|at| fits(&self.pool.documents[*at])).collect();
        all[dice.below(all.len())]
    }

    /// Documents of the language that can be found, by source.
    pub(crate) fn there(&self) -> BTreeMap<String, u32> {
        let all = self.pool.documents.iter().zip(&self.is_there);
        let mut there = BTreeMap::new();
        for (one, _) in all.filter(|(one, is_there)| **is_there && one.lang == self.lang) {
            *there.entry(source_of(one)).or_default() += 1;
        }
        there
    }

    /// Looks at a document after so many queries: counts it, and tells the builder; returns what the filter says.
    pub(crate) fn look(
        &self,
        document: u64,
        queries: u64,
        builder: &mut CorpusBuilder,
        result: &mut TrialResult,
    ) -> bool {
        let page = &self.pool.documents[document as usize];
        let (is_right, is_said) = (page.lang == self.lang, page.said == self.lang);
        result.right += u64::from(is_right);
        result.said += u64::from(is_said);
        if is_right {
            result.found.insert(document);
            *result.by_source.entry(source_of(page)).or_default() += 1;
        }
        result.documents += 1;
        result.curve.push([queries, result.right].map(|n| n as u32));
        builder.judge(is_said, &page.terms);
        is_said
    }
}

/// The source of a document; news of all years are one.
fn source_of(document: &PoolDocument) -> String {
    document.source.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// What a trial begins with.
#[derive(Clone, Debug)]
pub(crate) enum TrialStart {
    /// A document of the target language, of a source or any, and one of each of some others.
    Document { source: &'static str, others: &'static [&'static str] },
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
    /// The same counted by source, and how many of each are there.
    pub by_source: BTreeMap<String, u32>,
    pub there: BTreeMap<String, u32>,
    pub last_query: String,
    /// What the learner believes in the end.
    pub shares: Vec<LearntShare>,
}

impl TrialResult {
    /// Target documents in truth among the first ones; nothing where so many were not looked at.
    pub(crate) fn among(&self, documents: usize) -> f64 {
        documents
            .checked_sub(1)
            .and_then(|at| self.curve.get(at))
            .map_or(f64::NAN, |at| f64::from(at[1]))
    }

    /// Target documents in truth once so many queries were sent.
    pub(crate) fn after_queries(&self, queries: u64) -> f64 {
        let at = self.curve.partition_point(|at| u64::from(at[0]) <= queries);
        at.checked_sub(1).map_or(0.0, |at| f64::from(self.curve[at][1]))
    }
}

/// Runs the loop as a cell says.
pub(crate) fn run(web: &TrialWeb<'_>, cell: &TrialCell, seed: u64) -> anyhow::Result<TrialResult> {
    let mut dice = Dice::new(seed);
    let mut counts = TermCounts::default();
    let mut known = Vec::new();
    match &cell.start {
        TrialStart::Document { source, others } => {
            let mut add = |side, (lang, source): (&str, &str)| {
                let at = web.any(lang, source, &mut dice);
                counts.add(side, &web.pool.documents[at].terms);
                known.push(at as u64);
            };
            add(DocumentSide::Relevant, (web.lang, source));
            for lang in others.iter().filter(|lang| **lang != web.lang) {
                add(DocumentSide::Other, (lang, ""));
            }
        }
        TrialStart::Words(words, others) => {
            counts.add(DocumentSide::Relevant, words);
            counts.add(DocumentSide::Other, others);
        }
    }
    let is_like = cell.name == "like";
    let name = if is_like { LIKE_BESIDE } else { &cell.name };
    let learner = learner(name).ok_or_else(|| anyhow::anyhow!("no learner {name:?}"))?;
    let mut builder = CorpusBuilder::new(counts, learner, cell.taken(), seed);
    builder.know(known.iter().copied());
    let limits = cell.setting.limits();
    let mut result = match is_like {
        true => like::run(web, builder, limits, &known),
        false => go(web, builder, limits),
    };
    result.there = web.there();
    Ok(result)
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
        if let Some(document) = document {
            web.look(document, builder.tally().queries, &mut builder, &mut result);
        }
    }
    result.queries = builder.tally().queries;
    result.shares = builder.learner().shares();
    result.last_query = builder.current().map_or_else(String::new, |(_, query)| {
        let words = |terms: &[u32], sign: char| -> String {
            terms.iter().map(|t| format!("{sign}{} ", web.pool.words[*t as usize])).collect()
        };
        words(query.include(), '+') + &words(query.exclude(), '-')
    });
    result
}
