//! A run against judgements: each measure for each query, and the means (000 "Evaluation": every
//! query counts equally). The mean is over all queries of the qrels, a query without an answer
//! counting 0, as `trec_eval -c` has it: an engine gains nothing by silence.

use crate::measures::{Judged, find};
use crate::trec::{Index, Qrels, Row, Run};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// The figures of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// Names of the measures as they were asked for.
    pub measures: Vec<String>,
    /// For each query its figures, in the order of `measures`.
    pub queries: BTreeMap<String, Vec<f64>>,
    /// The mean of each measure, in the order of `measures`; 0 without queries.
    pub means: Vec<f64>,
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
}

/// The figures of `run` by the judgements `qrels` for the measures named.
pub fn evaluate(qrels: &Qrels, run: &Run, measures: &[&str]) -> Result<Evaluation, UnknownMeasure> {
    let named = |&name: &&str| find(name).ok_or_else(|| UnknownMeasure(name.to_owned()));
    let rows = measures.iter().map(named).collect::<Result<Vec<_>, _>>()?;
    let mut queries = BTreeMap::new();
    let mut sums = vec![0.0; rows.len()];
    for query in qrels.queries() {
        let judged = judge(qrels, run, query);
        let figures: Vec<f64> =
            rows.iter().map(|(row, cut)| (row.compute)(&judged, *cut)).collect();
        sums.iter_mut().zip(&figures).for_each(|(sum, figure)| *sum += figure);
        queries.insert(query.to_owned(), figures);
    }
    let count = queries.len().max(1) as f64;
    Ok(Evaluation {
        measures: measures.iter().map(|&name| name.to_owned()).collect(),
        queries,
        means: sums.into_iter().map(|sum| sum / count).collect(),
    })
}

fn judge(qrels: &Qrels, run: &Run, query: &str) -> Judged {
    let (judged, answers) = (qrels.table.rows(query), run.table.rows(query));
    let mut index = Index::default();
    index.fill(&qrels.table, judged);
    let grade = |row: &Row<f32>| {
        let found = index.find((&qrels.table, judged), (&run.table, row));
        found.map_or(0, |at| judged[at].value)
    };
    let mut ideal: Vec<i32> =
        judged.iter().map(|row| row.value).filter(|&grade| grade > 0).collect();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    Judged { grades: answers.iter().map(grade).collect(), ideal }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_query_counts_equally_and_silence_counts_nothing() {
        let qrels = Qrels::parse("1 0 a 1\n1 0 b 0\n2 0 c 2\n2 0 d 1\n3 0 e 1").unwrap();
        let run = Run::parse(
            "1 Q0 b 1 9 t\n1 Q0 a 2 8 t\n2 Q0 d 1 5 t\n2 Q0 c 2 5 t\n2 Q0 x 3 4 t\n9 Q0 a 1 1 t",
        )
        .unwrap();
        let found = evaluate(&qrels, &run, &["AP", "P@2", "recip_rank"]).unwrap();
        assert_eq!(found.queries["1"], [0.5, 0.5, 0.5]);
        assert_eq!(found.queries["2"], [1.0, 1.0, 1.0]);
        assert_eq!(found.queries["3"], [0.0, 0.0, 0.0]);
        assert_eq!(found.queries.len(), 3);
        assert_eq!(found.mean("AP"), Some(0.5));
        assert_eq!(found.mean("RR"), None);
    }

    #[test]
    fn an_unknown_measure_is_named() {
        let error = evaluate(&Qrels::default(), &Run::default(), &["AP", "nDGC"]).unwrap_err();
        assert!(error.to_string().starts_with("unknown measure `nDGC`"));
    }

    #[test]
    fn nothing_judged_gives_zero() {
        let found = evaluate(&Qrels::default(), &Run::default(), &["nDCG"]).unwrap();
        assert_eq!(found.means, [0.0]);
    }
}
