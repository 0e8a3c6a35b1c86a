//! Several judges (judgement groups), named in the second column of the qrels: each judge's figure of
//! a query, averaged.

use super::columns::FigureSource;
use super::sheet::SheetCell;
use super::{Columns, QueryFigures};
use crate::evaluate::{EvalOptions, figures, judge_each};
use crate::formats::{ParseError, TextScan, error, number};
use crate::trec::{Qrels, Run};
use std::collections::BTreeMap;

pub(super) fn rows(
    text: &str,
    run: &Run,
    columns: &Columns,
    options: &EvalOptions,
) -> Result<QueryFigures, ParseError> {
    let mut sums: BTreeMap<String, (usize, Vec<f64>)> = BTreeMap::new();
    for qrels in by_judge(text)?.values() {
        judge_each(qrels, run, options, |query, judged| {
            let (judges, sums) = sums.entry(query.to_owned()).or_default();
            *judges += 1;
            sums.resize(columns.0.len(), 0.0);
            for (sum, column) in sums.iter_mut().zip(&columns.0) {
                *sum += match &column.source {
                    FigureSource::Judges(asked) => {
                        figures(std::slice::from_ref(asked), judged, options.level)[0]
                    }
                    _ => 1.0,
                };
            }
        });
    }
    let averaged = |(query, (judges, sums)): (String, (usize, Vec<f64>))| {
        (query, sums.into_iter().map(|sum| SheetCell::Figure(sum / judges as f64)).collect())
    };
    Ok(sums.into_iter().map(averaged).collect())
}

fn by_judge(text: &str) -> Result<BTreeMap<&str, Qrels>, ParseError> {
    let mut judges: BTreeMap<&str, Qrels> = BTreeMap::new();
    let mut scan = TextScan::new(text);
    while scan.next_line() {
        let [query, judge, document, grade] = scan.columns("query judge document grade")?;
        let grade = number(scan.line, grade, "grade")?;
        if judges.entry(judge).or_default().insert(query, document, grade).is_some() {
            let why = format!("document {document} a second time for query {query} by {judge}");
            return Err(error(scan.line, why));
        }
    }
    Ok(judges)
}
