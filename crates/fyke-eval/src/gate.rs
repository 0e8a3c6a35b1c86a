//! A gate for changes to a search engine: floors that a run must hold, and how far it may fall below
//! the run before it. A fall that luck explains is none, where a level of significance is given.

use crate::compare::Difference;
use crate::compare::gains;
use crate::evaluate::{Evaluation, UnknownMeasure, evaluate};
use crate::trec::{Qrels, Run};
use serde::Serialize;
use std::fmt;

/// The test that decides, and the queries that are named when a rule is broken.
const TEST: &str = "randomisation";
const NAMED: usize = 5;

/// One rule.
#[derive(Clone, Debug, PartialEq)]
pub enum GateRule {
    /// The mean of the measure is at least this.
    Floor { measure: String, least: f64 },
    /// It is at most this much below the baseline's; with `alpha`, only falls whose p is at most
    /// that count.
    Drop { measure: String, most: f64, alpha: Option<f64> },
}

impl GateRule {
    fn measure(&self) -> &str {
        match self {
            GateRule::Floor { measure, .. } | GateRule::Drop { measure, .. } => measure,
        }
    }
}

impl fmt::Display for GateRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GateRule::Floor { measure, least } => write!(f, "{measure} at least {least}"),
            GateRule::Drop { measure, most, alpha: None } => {
                write!(f, "{measure} at most {most} below the baseline")
            }
            GateRule::Drop { measure, most, alpha: Some(alpha) } => {
                write!(f, "{measure} at most {most} below the baseline (alpha {alpha})")
            }
        }
    }
}

/// What became of a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateVerdict {
    pub rule: String,
    pub is_held: bool,
    pub mean: f64,
    /// The baseline's mean, where there is a baseline.
    pub before: Option<f64>,
    /// How likely the difference to the baseline is by luck.
    pub p: Option<f64>,
    /// What was found, in a sentence.
    pub why: String,
    /// The queries that hurt most: those that lost most, or without a baseline the worst ones.
    pub hurt: Vec<WorseQuery>,
}

/// A query that hurts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorseQuery {
    pub query: String,
    pub before: Option<f64>,
    pub after: f64,
}

impl fmt::Display for WorseQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.before {
            Some(before) => write!(
                f,
                "{}: {before:.4} to {:.4} ({:+.4})",
                self.query,
                self.after,
                self.after - before
            ),
            None => write!(f, "{}: {:.4}", self.query, self.after),
        }
    }
}

/// Holds a run to the rules; a drop without a baseline is no rule and gives no verdict.
pub fn gate(
    qrels: &Qrels,
    run: &Run,
    baseline: Option<&Run>,
    rules: &[GateRule],
    seed: u64,
) -> Result<Vec<GateVerdict>, UnknownMeasure> {
    let measures: Vec<&str> = rules.iter().map(GateRule::measure).collect();
    let after = evaluate(qrels, run, &measures)?;
    let before = baseline.map(|run| evaluate(qrels, run, &measures)).transpose()?;
    let difference = |place: usize| {
        before.as_ref().map(|before| Difference::new(gains(before, &after, place), seed))
    };
    let places = rules.iter().enumerate();
    let verdicts = places.filter_map(|(place, rule)| {
        let found = GateFigure {
            mean: after.means[place],
            before: before.as_ref().map(|before| before.means[place]),
            worst: worst(&after, place),
            difference: difference(place),
        };
        found.verdict(rule)
    });
    Ok(verdicts.collect())
}

/// What a measure says of the run.
struct GateFigure {
    mean: f64,
    before: Option<f64>,
    worst: Vec<WorseQuery>,
    difference: Option<Difference>,
}

impl GateFigure {
    fn verdict(self, rule: &GateRule) -> Option<GateVerdict> {
        let (mean, before) = (self.mean, self.before);
        let tested = self.difference.as_ref().and_then(|difference| difference.tested(TEST));
        let p = tested.map(|tested| tested.p);
        let GateFinding { is_held, why } = match rule {
            GateRule::Floor { least, .. } => {
                let side = if mean >= *least { "at or above" } else { "below" };
                let why = format!("{mean:.4} is {side} {least}");
                GateFinding { is_held: mean >= *least, why }
            }
            GateRule::Drop { most, alpha, .. } => fall(before? - mean, *most, p, *alpha),
        };
        let hurt = match &self.difference {
            _ if is_held => Vec::new(),
            Some(difference) => difference.losses().take(NAMED).map(lost).collect(),
            None => self.worst,
        };
        Some(GateVerdict { rule: rule.to_string(), is_held, mean, before, p, why, hurt })
    }
}

/// Whether a rule holds, and why.
struct GateFinding {
    is_held: bool,
    why: String,
}

/// Whether a fall is allowed.
fn fall(drop: f64, most: f64, p: Option<f64>, alpha: Option<f64>) -> GateFinding {
    let found = |is_held, why| GateFinding { is_held, why };
    let luck = match p {
        None => "too few queries to test".to_owned(),
        Some(p) if p < 0.0001 => "p < 0.0001".to_owned(),
        Some(p) => format!("p = {p:.4}"),
    };
    let by = if drop > 0.0 {
        format!("fell by {drop:.4}")
    } else {
        format!("rose by {:.4}", drop.abs())
    };
    // What the means are rounded by is no fall.
    if drop <= most + 1e-9 {
        return found(true, format!("{by}, {luck}"));
    }
    match alpha {
        Some(alpha) if p.is_none_or(|p| p > alpha) => {
            found(true, format!("{by}, more than {most}, but that may be luck: {luck}"))
        }
        _ => found(false, format!("{by}, more than {most}; {luck}")),
    }
}

fn lost(gain: &crate::compare::Gain) -> WorseQuery {
    WorseQuery { query: gain.query.clone(), before: Some(gain.before), after: gain.after }
}

fn worst(found: &Evaluation, place: usize) -> Vec<WorseQuery> {
    let hurt = |(query, figures): (&String, &Vec<f64>)| WorseQuery {
        query: query.clone(),
        before: None,
        after: figures[place],
    };
    let mut all: Vec<WorseQuery> = found.queries.iter().map(hurt).collect();
    all.sort_by(|a, b| a.after.total_cmp(&b.after));
    all.truncate(NAMED);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn qrels(queries: usize) -> Qrels {
        let mut qrels = Qrels::default();
        for query in 0..queries {
            qrels.insert(&query.to_string(), "good", 1);
        }
        qrels
    }

    /// A run that finds the good document at rank 1 of the first `found` queries, else at rank 2.
    fn run(queries: usize, found: usize) -> Run {
        let line = |query: usize| {
            let score = if query < found { 9 } else { 1 };
            format!("{query} Q0 good 1 {score} t\n{query} Q0 bad 2 5 t\n")
        };
        Run::parse(&(0..queries).map(line).collect::<String>()).unwrap()
    }

    fn floor(least: f64) -> GateRule {
        GateRule::Floor { measure: "P@1".to_owned(), least }
    }

    fn drop(most: f64, alpha: Option<f64>) -> GateRule {
        GateRule::Drop { measure: "P@1".to_owned(), most, alpha }
    }

    #[track_caller]
    fn check(found: usize, before: Option<usize>, rule: GateRule, expected: Option<(bool, &str)>) {
        let (run, before) = (run(30, found), before.map(|found| run(30, found)));
        let verdicts = gate(&qrels(30), &run, before.as_ref(), &[rule], 1).unwrap();
        let told = verdicts.first().map(|verdict| (verdict.is_held, verdict.why.as_str()));
        assert_eq!(told, expected);
    }

    #[test]
    fn floors_and_drops_are_held_or_not() {
        check(15, None, floor(0.5), Some((true, "0.5000 is at or above 0.5")));
        check(15, None, floor(0.51), Some((false, "0.5000 is below 0.51")));
        check(15, None, drop(0.02, None), None);
        check(15, Some(15), drop(0.0, None), Some((true, "rose by 0.0000, p = 1.0000")));
        check(15, Some(12), drop(0.0, None), Some((true, "rose by 0.1000, p = 0.2500")));
        check(15, Some(18), drop(0.1, None), Some((true, "fell by 0.1000, p = 0.2500")));
        let fell = "fell by 0.1000, more than 0.05; p = 0.2500";
        check(15, Some(18), drop(0.05, None), Some((false, fell)));
        let luck = "fell by 0.1000, more than 0.05, but that may be luck: p = 0.2500";
        check(15, Some(18), drop(0.05, Some(0.05)), Some((true, luck)));
        let fell = "fell by 0.3333, more than 0.05; p = 0.0020";
        check(15, Some(25), drop(0.05, Some(0.05)), Some((false, fell)));
    }

    #[test]
    fn the_queries_that_hurt_most_are_named() {
        let hurt = |before: Option<&Run>| {
            let verdicts = gate(&qrels(30), &run(30, 3), before, &[floor(0.9)], 1).unwrap();
            verdicts[0].hurt.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            hurt(Some(&run(30, 5))),
            ["4: 1.0000 to 0.0000 (-1.0000)", "3: 1.0000 to 0.0000 (-1.0000)"]
        );
        assert_eq!(hurt(None).len(), NAMED);
        assert!(gate(&qrels(1), &run(1, 1), None, &[floor(0.0)], 1).unwrap()[0].hurt.is_empty());
    }
}
