//! A run against judgements: each measure for each query, and the means (000 "Evaluation": every
//! query counts equally). The mean is over all queries of the qrels, a query without an answer
//! counting 0, as `trec_eval -c` has it: an engine gains nothing by silence.

use crate::measures::{Copies, Judged, LEAST, Mean, MeasureName, POOLED, UNJUDGED, find};
use crate::trec::{NameIndex, Qrels, Run, TableRow};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// The figures of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// Names of the measures as they were asked for.
    pub measures: Vec<String>,
    /// For each query its figures, in the order of `measures`.
    pub queries: BTreeMap<String, Vec<f64>>,
    /// The mean of each measure, in the order of `measures`; 0 without queries. Counts are added up,
    /// and the means of measures named geometric are.
    pub means: Vec<f64>,
}

/// What else matters to figures.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalOptions {
    /// A document is relevant from this grade, unless a measure names another.
    pub level: i32,
    /// Ranks looked at of each ranking.
    pub depth: usize,
    /// Whether queries without an answer count.
    pub complete: bool,
    /// Whether documents that were not judged are taken out of the rankings.
    pub judged_only: bool,
    /// How many documents there are, if that is known.
    pub collection: Option<usize>,
    /// Groups of near-copies, by document, from 1.
    pub groups: HashMap<String, u32>,
}

impl Default for EvalOptions {
    fn default() -> EvalOptions {
        EvalOptions {
            level: 1,
            depth: usize::MAX,
            complete: true,
            judged_only: false,
            collection: None,
            groups: HashMap::new(),
        }
    }
}

/// A measure that is not in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMeasure(pub String);

impl fmt::Display for UnknownMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown measure `{}`; try nDCG@10, P@10, R@100, AP, RR or Rprec", self.0)
    }
}

impl std::error::Error for UnknownMeasure {}

impl Evaluation {
    /// The mean of the measure asked for under this name.
    #[must_use]
    pub fn mean(&self, name: &str) -> Option<f64> {
        let place = self.measures.iter().position(|measure| measure == name)?;
        self.means.get(place).copied()
    }

    /// The figures of all queries by the measure at a place of `measures`, in the order of queries.
    #[must_use]
    pub fn figures(&self, place: usize) -> Vec<f64> {
        self.queries.values().filter_map(|figures| figures.get(place).copied()).collect()
    }
}

/// The figures of `run` by the judgements `qrels` for the measures named.
///
/// # Errors
/// When a measure is not in the table.
pub fn evaluate(qrels: &Qrels, run: &Run, measures: &[&str]) -> Result<Evaluation, UnknownMeasure> {
    evaluate_with(qrels, run, measures, &EvalOptions::default())
}

/// As [`evaluate`], with options.
///
/// # Errors
/// When a measure is not in the table.
pub fn evaluate_with(
    qrels: &Qrels,
    run: &Run,
    measures: &[&str],
    options: &EvalOptions,
) -> Result<Evaluation, UnknownMeasure> {
    let named = |&name: &&str| find(name).ok_or_else(|| UnknownMeasure(name.to_owned()));
    let asked = measures.iter().map(named).collect::<Result<Vec<_>, _>>()?;
    let mut queries = BTreeMap::new();
    judge_each(qrels, run, options, |query, judged| {
        queries.insert(query.to_owned(), figures(&asked, judged, options.level));
    });
    let of = |place: usize| queries.values().map(move |figures: &Vec<f64>| figures[place]);
    let means = asked.iter().enumerate().map(|(at, asked)| mean(asked.row.mean, of(at)));
    Ok(Evaluation {
        means: means.collect(),
        measures: measures.iter().map(|&name| name.to_owned()).collect(),
        queries,
    })
}

/// The figures of one query, in the order in which they are asked for.
pub(crate) fn figures(asked: &[MeasureName], judged: &mut Judged, level: i32) -> Vec<f64> {
    let mut set = None;
    let figure = |asked: &MeasureName| {
        let level = asked.level.unwrap_or(level);
        if set.replace(level) != Some(level) {
            judged.set_level(level);
        }
        (asked.row.compute)(judged, &asked.parameters)
    };
    asked.iter().map(figure).collect()
}

/// The figure of all queries; 0 of none.
pub(crate) fn mean(kind: Mean, figures: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = figures.len().max(1) as f64;
    match kind {
        Mean::Sum => figures.fold(0.0, |sum, figure| sum + figure),
        Mean::Arithmetic => figures.fold(0.0, |sum, figure| sum + figure) / count,
        Mean::Geometric if figures.len() == 0 => 0.0,
        Mean::Geometric => {
            (figures.map(|figure| figure.max(LEAST).ln()).sum::<f64>() / count).exp()
        }
    }
}

/// Gives each judged query with its ranking.
pub(crate) fn judge_each(
    qrels: &Qrels,
    run: &Run,
    options: &EvalOptions,
    mut told: impl FnMut(&str, &mut Judged),
) {
    let mut judged = Judged::default().with_collection(options.collection);
    let mut index = NameIndex::default();
    for query in qrels.queries() {
        let (rows, answers) = (qrels.table.rows(query), run.table.rows(query));
        if answers.is_empty() && !options.complete {
            continue;
        }
        let (names, answered) = (qrels.table.names(), run.table.names());
        index.fill(names, rows);
        let grade = |row: &TableRow<f32>| match index.find((names, rows), (answered, row)) {
            None => UNJUDGED,
            Some(at) if rows[at].value < 0 => POOLED,
            Some(at) => rows[at].value,
        };
        let seen = &answers[..answers.len().min(options.depth)];
        let is_seen = |row: &&TableRow<f32>| !options.judged_only || grade(row) >= 0;
        if !options.groups.is_empty() {
            let group = |name: &str| options.groups.get(name).copied().unwrap_or(0);
            let kept = seen.iter().filter(is_seen);
            judged.set_copies(Some(Copies {
                ranking: kept.map(|row| group(run.table.name(row))).collect(),
                judged: qrels.grades(query).map(|(name, grade)| (grade, group(name))).collect(),
            }));
        }
        let judgements = rows.iter().map(|row| row.value);
        match options.judged_only {
            true => judged.refill(seen.iter().filter(is_seen).map(grade), judgements),
            // Of known length, which is faster.
            false => judged.refill(seen.iter().map(grade), judgements),
        }
        judged.set_level(options.level);
        told(query, &mut judged);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QRELS: &str = "1 0 a 1\n1 0 b 0\n2 0 c 2\n2 0 d 1\n3 0 e 1";
    const RUN: &str =
        "1 Q0 b 1 9 t\n1 Q0 a 2 8 t\n2 Q0 d 1 5 t\n2 Q0 c 2 5 t\n2 Q0 x 3 4 t\n9 Q0 a 1 1 t";

    #[test]
    fn each_query_counts_equally_and_silence_counts_nothing() {
        let (qrels, run) = (Qrels::parse(QRELS).unwrap(), Run::parse(RUN).unwrap());
        let found = evaluate(&qrels, &run, &["AP", "P@2", "recip_rank"]).unwrap();
        assert_eq!(found.queries["1"], [0.5, 0.5, 0.5]);
        assert_eq!(found.queries["2"], [1.0, 1.0, 1.0]);
        assert_eq!(found.queries["3"], [0.0, 0.0, 0.0]);
        assert_eq!(found.queries.len(), 3);
        assert_eq!(found.mean("AP"), Some(0.5));
        assert_eq!(found.mean("RR"), None);
        assert_eq!(found.figures(1), [0.5, 1.0, 0.0]);
    }

    #[test]
    fn options_change_what_is_looked_at() {
        let (qrels, run) = (Qrels::parse(QRELS).unwrap(), Run::parse(RUN).unwrap());
        let check = |options: EvalOptions, name: &str, expected: &[f64]| {
            let found = evaluate_with(&qrels, &run, &[name], &options).unwrap();
            assert_eq!(found.figures(0), expected, "{name}");
        };
        let usual = EvalOptions::default;
        check(EvalOptions { level: 2, ..usual() }, "P@2", &[0.0, 0.5, 0.0]);
        check(EvalOptions { level: 2, ..usual() }, "P(rel=1)@2", &[0.5, 1.0, 0.0]);
        check(EvalOptions { depth: 1, ..usual() }, "AP", &[0.0, 0.5, 0.0]);
        check(EvalOptions { complete: false, ..usual() }, "NumRet", &[2.0, 3.0]);
        check(EvalOptions { judged_only: true, ..usual() }, "NumRet", &[2.0, 2.0, 0.0]);
        check(EvalOptions { collection: Some(10), ..usual() }, "accuracy", &[0.9, 0.9, 0.9]);
        let groups = HashMap::from([("c".to_owned(), 1), ("d".to_owned(), 1)]);
        check(EvalOptions { groups, ..usual() }, "alpha_nDCG(alpha=1)@1", &[0.0, 0.5, 0.0]);
    }

    #[test]
    fn one_query_that_fails_costs_a_geometric_mean_more() {
        let (qrels, run) = (Qrels::parse(QRELS).unwrap(), Run::parse(RUN).unwrap());
        let found = evaluate(&qrels, &run, &["AP", "GMAP", "NumRel"]).unwrap();
        assert!((found.means[1] - (0.5 * 1.0 * 0.00001f64).cbrt()).abs() < 1e-12);
        assert_eq!((found.means[0], found.means[2]), (0.5, 4.0));
    }

    #[test]
    fn an_unknown_measure_is_named() {
        let error = evaluate(&Qrels::default(), &Run::default(), &["AP", "nDGC"]).unwrap_err();
        assert!(error.to_string().starts_with("unknown measure `nDGC`"));
    }

    #[test]
    fn nothing_judged_gives_zero() {
        let found = evaluate(&Qrels::default(), &Run::default(), &["nDCG", "GMAP"]).unwrap();
        assert_eq!(found.means, [0.0, 0.0]);
    }
}
