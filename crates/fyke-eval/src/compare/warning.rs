//! What speaks against a conclusion: few queries, queries that a run does not answer, and results
//! that nobody judged, which count as not relevant whether they are or not.

use crate::significance::mean;
use crate::trec::{Qrels, Run};
use serde::Serialize;
use std::fmt;

/// Fewer queries tell hardly anything …
const FEWEST: usize = 25;
/// … and fewer than these little of small differences (000: TREC has 50 a year).
const FEW: usize = 50;
/// The share of judged results that may differ between two runs.
const UNEVEN: f64 = 0.05;
/// The share of judged results below which figures are lower bounds.
const UNJUDGED: f64 = 0.8;
/// How many of the first results are looked at.
const FIRST: usize = 10;

/// Something to know before one concludes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Warning {
    FewQueries {
        queries: usize,
    },
    /// Queries that are judged and not answered: each counts 0.
    Unanswered {
        system: String,
        queries: usize,
    },
    /// Systems with the share of their first ten results that were judged, where it is low.
    Unjudged {
        systems: Vec<(String, f64)>,
    },
    /// It differs between systems: the figures favour the one that helped to make the pool.
    Uneven {
        most: String,
        most_judged: f64,
        least: String,
        least_judged: f64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::FewQueries { queries } if *queries < FEWEST => {
                write!(f, "only {queries} queries: too few to tell systems apart; aim at {FEW}")
            }
            Warning::FewQueries { queries } => {
                write!(f, "{queries} queries: enough for large differences only; aim at {FEW}")
            }
            Warning::Unanswered { system, queries } => {
                write!(
                    f,
                    "{system} leaves {queries} judged queries without an answer; each counts 0"
                )
            }
            Warning::Unjudged { systems } => {
                let share =
                    |(name, share): &(String, f64)| format!("{:.0} % of {name}", share * 100.0);
                let shares = systems.iter().map(share).collect::<Vec<_>>().join(", ");
                write!(
                    f,
                    "few of the first ten results are judged: {shares}; the rest count as not \
                     relevant, so figures are lower bounds"
                )
            }
            Warning::Uneven { most, most_judged, least, least_judged } => write!(
                f,
                "{:.0} % of the first ten results of {most} are judged and {:.0} % of {least}: the \
                 comparison favours {most}; judge more",
                most_judged * 100.0,
                least_judged * 100.0
            ),
        }
    }
}

/// Everything there is to warn of.
#[must_use]
pub fn warnings(qrels: &Qrels, runs: &[(String, Run)]) -> Vec<Warning> {
    let queries = qrels.queries().len();
    let mut found = Vec::new();
    if queries < FEW {
        found.push(Warning::FewQueries { queries });
    }
    let mut shares = Vec::new();
    for (system, run) in runs {
        // Of the queries that it answers: silence has its own warning.
        let judged: Vec<f64> =
            qrels.queries().filter_map(|query| judged(qrels, run, query)).collect();
        let unanswered = queries - judged.len();
        if unanswered > 0 {
            found.push(Warning::Unanswered { system: system.clone(), queries: unanswered });
        }
        if !judged.is_empty() {
            shares.push((system, mean(&judged)));
        }
    }
    let low = shares.iter().filter(|(_, share)| *share < UNJUDGED);
    let systems: Vec<_> = low.map(|(system, share)| ((*system).clone(), *share)).collect();
    if !systems.is_empty() {
        found.push(Warning::Unjudged { systems });
    }
    found.extend(uneven(&shares));
    found
}

/// The share of the first results of a query that were judged; None without a result.
fn judged(qrels: &Qrels, run: &Run, query: &str) -> Option<f64> {
    let first = || run.answers(query).take(FIRST);
    let known = first()
        .filter(|(document, _)| qrels.grade(query, document).is_some_and(|grade| grade >= 0));
    (first().len() > 0).then(|| known.count() as f64 / first().len() as f64)
}

fn uneven(shares: &[(&String, f64)]) -> Option<Warning> {
    let most = shares.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let least = shares.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    (most.1 - least.1 > UNEVEN).then(|| Warning::Uneven {
        most: most.0.clone(),
        most_judged: most.1,
        least: least.0.clone(),
        least_judged: least.1,
    })
}
