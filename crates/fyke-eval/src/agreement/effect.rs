//! Whether it matters who judges (000 "Impact of inter-judge agreement"): absolute figures may differ
//! much, while the order of the systems hardly does. Each judge's means of each run, over the queries
//! that all judges judged, and how far the orders agree.

use super::tau::{tau, tau_ap, tau_b};
use crate::evaluate::{UnknownMeasure, evaluate};
use crate::trec::{Qrels, Run};
use serde::Serialize;
use std::collections::BTreeSet;

/// What each judge makes of the systems.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgeEffect {
    pub measure: String,
    /// Queries that every judge judged, over which the means are.
    pub queries: usize,
    pub judges: Vec<String>,
    pub systems: Vec<String>,
    /// For each judge the mean of each system.
    pub means: Vec<Vec<f64>>,
    /// The most by which the mean of a system differs between two judges.
    pub largest_difference: f64,
    /// Each two judges, in their order.
    pub orders: Vec<RankAgreement>,
}

/// How far two judges put the systems into the same order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankAgreement {
    pub first: String,
    pub second: String,
    pub tau: Option<f64>,
    pub tau_b: Option<f64>,
    /// With the first judge's order as the truth.
    pub tau_ap: Option<f64>,
}

/// Scores the runs by each judge and compares.
pub fn judge_effect(
    judges: &[(String, Qrels)],
    runs: &[(String, Run)],
    measure: &str,
) -> Result<JudgeEffect, UnknownMeasure> {
    let common = common_queries(judges);
    let mut means = Vec::new();
    for (_, qrels) in judges {
        let same: Qrels = qrels.iter().filter(|line| common.contains(line.query)).collect();
        let figures = runs.iter().map(|(_, run)| Ok(evaluate(&same, run, &[measure])?.means[0]));
        means.push(figures.collect::<Result<Vec<f64>, UnknownMeasure>>()?);
    }
    let names = |named: &mut dyn Iterator<Item = &String>| named.cloned().collect::<Vec<_>>();
    let judges = names(&mut judges.iter().map(|(name, _)| name));
    Ok(JudgeEffect {
        measure: measure.to_owned(),
        queries: common.len(),
        systems: names(&mut runs.iter().map(|(name, _)| name)),
        largest_difference: largest_difference(&means),
        orders: orders(&judges, &means),
        judges,
        means,
    })
}

/// Queries that all judged.
fn common_queries(judges: &[(String, Qrels)]) -> BTreeSet<&str> {
    let queries = judges.iter().map(|(_, qrels)| qrels.queries().collect::<BTreeSet<_>>());
    queries.reduce(|all, more| &all & &more).unwrap_or_default()
}

fn largest_difference(means: &[Vec<f64>]) -> f64 {
    let systems = means.first().map_or(0, Vec::len);
    let spread = |system: usize| {
        let figures = || means.iter().map(|judge| judge[system]);
        figures().fold(0.0, f64::max) - figures().fold(f64::INFINITY, f64::min)
    };
    (0..systems).map(spread).fold(0.0, f64::max)
}

fn orders(judges: &[String], means: &[Vec<f64>]) -> Vec<RankAgreement> {
    let mut found = Vec::new();
    for (place, (first, one)) in judges.iter().zip(means).enumerate() {
        for (second, two) in judges.iter().zip(means).skip(place + 1) {
            found.push(RankAgreement {
                first: first.clone(),
                second: second.clone(),
                tau: tau(one, two),
                tau_b: tau_b(one, two),
                tau_ap: tau_ap(one, two),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_differ_where_the_order_stays() {
        let judge = |name: &str, text: &str| (name.to_owned(), Qrels::parse(text).unwrap());
        let run = |name: &str, text: &str| (name.to_owned(), Run::parse(text).unwrap());
        let judges = [
            judge("strict", "1 0 a 1\n1 0 b 0\n1 0 c 0\n7 0 a 1"),
            judge("mild", "1 0 a 1\n1 0 b 1\n1 0 c 0"),
        ];
        let runs =
            [run("good", "1 Q0 a 1 3 t\n1 Q0 b 2 2 t"), run("bad", "1 Q0 c 1 3 t\n1 Q0 a 2 2 t")];
        let found = judge_effect(&judges, &runs, "P@2").unwrap();
        assert_eq!(found.means, [[0.5, 0.5], [1.0, 0.5]]);
        assert_eq!((found.queries, found.largest_difference), (1, 0.5));
        let found = judge_effect(&judges, &runs, "RR").unwrap();
        assert_eq!(found.means, [[1.0, 0.5], [1.0, 0.5]]);
        assert_eq!((found.orders[0].tau, found.orders[0].tau_ap), (Some(1.0), Some(1.0)));
        assert!(judge_effect(&judges, &runs, "nonsense").is_err());
    }
}
