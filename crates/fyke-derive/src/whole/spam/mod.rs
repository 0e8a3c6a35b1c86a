//! The verdict on spam (001 "The war against spam": "spam recognition by machine learning", "editorial
//! intervention"): how likely each document is spam, by what is found on its page and by links, and what people say of
//! pages and hosts, which always decides.

pub mod neighbours;
mod phrases;

use super::WholeRun;
use crate::facts::{DerivedFact, FoundFact};
use crate::page::evidence::{EVIDENCE, PAGE_EVIDENCE};
use crate::page::print::PRINTS;
use crate::table::{Derivation, DeriveSettings, Tier};
use fyke_index::{Fact, FactFacet, FactSignal};
use fyke_learn::Logistic;
use fyke_store::{Cells, Column, StoreError};
use fyke_web::UrlId;
use neighbours::{LINK_EVIDENCE, LINK_NUMBERS};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::LazyLock;

pub const ROW: Derivation = Derivation {
    name: "spam",
    what: "how likely each document is spam, and what speaks for it",
    code: 42,
    version: 1,
    reads: &["evidence"],
    late: &["spam.links"],
    writes: &[SPAM.declaration()],
    facts: &[DerivedFact {
        fact: FACT,
        value: |cells, id| {
            let verdict = cells.get(&SPAM, id)?;
            Ok(verdict.map(|verdict| FoundFact::Number(f64::from(verdict.probability))))
        },
    }],
    settings: |settings: &DeriveSettings| format!("{:?}", settings.spam),
    tier: Tier::Whole { all: run_all, some: Some(run_some), is_exact: true },
};

/// Of documents of which something speaks for spam.
pub const SPAM: Column<SpamVerdict> = Column::new("spam", 1);

/// From this probability on a document is called spam where figures are told.
pub const LIKELY: f32 = 0.9;
/// Below this nothing is kept.
const LEAST: f32 = 0.02;
/// Parts of the evidence that are named.
const NAMED: usize = 4;

const FACT: Fact = Fact {
    name: "spam",
    what: "how likely the page is spam, from 0 to 1",
    // From an even chance on it can speak against a page. By itself it does not: of real pages four in a hundred
    // honest ones have such a chance, while the weights come from generated ones alone (docs/benchmarks.md).
    signal: Some(FactSignal { weight: 0.0, curve: |chance| -(chance as f32 - 0.5).max(0.0) }),
    filter: true,
    facet: Some(FactFacet { title: "Spam", cuts: &[0.5] }),
    ..Fact::NUMBER
};

/// What was found of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpamVerdict {
    pub probability: f32,
    /// A person said so.
    pub is_told: bool,
    /// It is no part of the corpus.
    pub is_spam: bool,
    /// What speaks for it, most first: places among [`numbers`], and how much each says, as logarithms of odds.
    pub evidence: Vec<(u8, f32)>,
}

impl SpamVerdict {
    #[must_use]
    pub fn is_likely(&self) -> bool {
        self.probability >= LIKELY
    }

    /// What speaks for it, in words, most first.
    pub fn reasons(&self) -> impl Iterator<Item = &'static str> {
        self.evidence.iter().filter_map(|(place, _)| Some(numbers().nth(usize::from(*place))?.1))
    }
}

/// Every number that is found of a document: its name, and what it says.
pub fn numbers() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_pages = PAGE_EVIDENCE.iter().map(|row| (row.name, row.what));
    of_pages.chain(LINK_NUMBERS.iter().copied())
}

/// What people say of pages and hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownSpam {
    pub spam: BTreeSet<UrlId>,
    pub fair: BTreeSet<UrlId>,
    /// Hosts, by the id under which a page's print names its host.
    pub spam_hosts: BTreeSet<UrlId>,
    pub fair_hosts: BTreeSet<UrlId>,
    /// From which percentage on a document is no part of the corpus, whatever people say of it; none: only what they
    /// call spam is left out.
    pub threshold: Option<u8>,
}

impl KnownSpam {
    /// What was said of a page, or else of its host.
    fn told(&self, id: UrlId, host: Option<UrlId>) -> Option<bool> {
        let is_in = |hosts: &BTreeSet<UrlId>| host.is_some_and(|host| hosts.contains(&host));
        match () {
            () if self.fair.contains(&id) => Some(false),
            () if self.spam.contains(&id) => Some(true),
            () if is_in(&self.fair_hosts) => Some(false),
            () if is_in(&self.spam_hosts) => Some(true),
            () => None,
        }
    }
}

/// The model that ships: a line for each number and its weight, learned on ponds (`cargo bench-fyke spam`).
static SHIPPED: LazyLock<Logistic> =
    LazyLock::new(|| read_model(include_str!("../../../data/spam-model.txt")));

/// Reads a model; numbers that it does not name weigh nothing.
#[must_use]
pub fn read_model(text: &str) -> Logistic {
    let lines = || text.lines().filter(|line| !line.starts_with('#'));
    let weight = |name: &str| {
        let mut found = lines().filter_map(|line| line.split_once(' '));
        found.find(|(other, _)| *other == name).and_then(|(_, weight)| weight.trim().parse().ok())
    };
    let weights = numbers().map(|(name, _)| weight(name).unwrap_or(0.0)).collect();
    Logistic { bias: weight("bias").unwrap_or(-9.0), weights }
}

/// All numbers of a document; none where its page has not been looked at.
///
/// # Errors
/// When the cells cannot be read.
pub fn values(cells: &Cells, id: UrlId) -> Result<Option<Vec<f32>>, StoreError> {
    let Some(mut values) = cells.get(&EVIDENCE, id)? else { return Ok(None) };
    values.resize(PAGE_EVIDENCE.len(), 0.0);
    values.extend(cells.get(&LINK_EVIDENCE, id)?.unwrap_or_default());
    values.resize(PAGE_EVIDENCE.len() + LINK_NUMBERS.len(), 0.0);
    Ok(Some(values))
}

/// The verdict by a model.
#[must_use]
pub fn judge(model: &Logistic, values: &[f32]) -> SpamVerdict {
    let mut evidence: Vec<(u8, f32)> =
        (0..).zip(model.amounts(values)).map(|(place, amount)| (place, amount as f32)).collect();
    evidence.retain(|(_, amount)| *amount > 0.1);
    evidence.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    evidence.truncate(NAMED);
    let probability = model.probability(values) as f32;
    SpamVerdict { probability, is_told: false, is_spam: false, evidence }
}

fn verdict(run: &WholeRun<'_>, id: UrlId) -> Result<Option<SpamVerdict>, StoreError> {
    let Some(values) = values(run.cells, id)? else { return Ok(None) };
    let mut verdict = judge(&SHIPPED, &values);
    let threshold = run.settings.spam.threshold.map(|percent| f32::from(percent) / 100.0);
    verdict.is_spam = threshold.is_some_and(|threshold| verdict.probability >= threshold);
    let host = run.cells.get(&PRINTS, id)?.map(|print| print.host);
    if let Some(is_spam) = run.settings.spam.told(id, host) {
        (verdict.is_told, verdict.is_spam) = (true, is_spam);
        verdict.probability = f32::from(u8::from(is_spam));
    }
    Ok(Some(verdict).filter(|verdict| verdict.is_told || verdict.probability >= LEAST))
}

fn run_all(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let mut found = Vec::new();
    for cell in run.cells.all(&EVIDENCE) {
        let (id, _) = cell?;
        found.extend(verdict(run, id)?.map(|verdict| (id, verdict)));
    }
    run.batch.replace(&SPAM, found.into_iter().map(Ok))
}

fn run_some(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    for &id in run.pages {
        let verdict = verdict(run, id)?;
        if verdict == run.cells.get(&SPAM, id)? {
            continue;
        }
        match verdict {
            Some(verdict) => run.batch.put(&SPAM, id, &verdict),
            None => run.batch.delete(&SPAM, id),
        }
        run.touched.insert(id);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
