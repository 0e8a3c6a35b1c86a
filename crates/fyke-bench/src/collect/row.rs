//! The rows of the report: what runs found, after so many queries and among so many documents, beside 004's figures;
//! of our learner what it found by source, of 004's what they prefer.

use super::tables::{TrialCell, TrialSetting};
use super::trial::TrialResult;
use crate::report::{BenchReport, Figure};
use std::collections::BTreeMap;

/// Values of a parameter that are named.
const PREFERRED: usize = 4;

/// Adds the rows of a cell.
pub(crate) fn add(report: &mut BenchReport, cell: &TrialCell, results: &[TrialResult]) {
    let query = results.first().filter(|_| cell.setting == TrialSetting::Whole);
    let query = query.map(|one| one.last_query.trim()).unwrap_or_default();
    let label = format!("{} {query}{}", cell.label(), preferred(results));
    report.labels.push(label.trim().to_owned());
    report.series.push(row(cell, results));
    if cell.setting == TrialSetting::Rare && cell.name == "bandit" && cell.begun.is_empty() {
        by_source(report, cell, results);
    }
}

/// The mean of values with the half width of its 95 % interval (Student's t).
fn mean(values: &[f64]) -> (f64, f64) {
    const T: [f64; 10] = [f64::NAN, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26];
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    let variance = values.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let t = T.get(values.len().saturating_sub(1)).copied().unwrap_or(2.0);
    (mean, t * (variance / count).sqrt())
}

fn figure(name: &'static str, value: f64) -> Figure {
    Figure { name, value, unit: "" }
}

fn row(cell: &TrialCell, results: &[TrialResult]) -> Vec<Figure> {
    let values = |of: &dyn Fn(&TrialResult) -> f64| results.iter().map(of).collect::<Vec<f64>>();
    let (found, width) = mean(&values(&|one| one.right as f64));
    let share = |one: &TrialResult| one.right as f64 / one.documents.max(1) as f64;
    let (precision, precision_width) = mean(&values(&share));
    let of = |of: &dyn Fn(&TrialResult) -> f64| mean(&values(of)).0;
    vec![
        figure("found", found),
        figure("found_±", width),
        figure("precision", precision),
        figure("precision_±", precision_width),
        figure("documents", of(&|one| one.documents as f64)),
        figure("queries", of(&|one| one.queries as f64)),
        figure("at_100_queries", of(&|one| one.after_queries(100))),
        figure("at_1000_queries", of(&|one| one.after_queries(1_000))),
        figure("at_500_documents", of(&|one| one.among(500))),
        figure("at_1000_documents", of(&|one| one.among(1_000))),
        figure("004_at_1000_queries", cell.paper.at_queries),
        figure("004_at_1000_documents", cell.paper.at_documents),
        figure("004_precision", cell.paper.share),
    ]
}

/// A row for each source: documents found of it, and those that are there.
fn by_source(report: &mut BenchReport, cell: &TrialCell, results: &[TrialResult]) {
    let mut sources: BTreeMap<&str, f64> = BTreeMap::new();
    for (source, there) in results.iter().flat_map(|one| &one.there) {
        *sources.entry(source).or_default() += f64::from(*there);
    }
    for (source, there) in sources {
        let found = |one: &TrialResult| f64::from(one.by_source.get(source).copied().unwrap_or(0));
        let (found, width) = mean(&results.iter().map(found).collect::<Vec<f64>>());
        let mut row = row(cell, &[]);
        row.iter_mut().for_each(|figure| figure.value = f64::NAN);
        (row[0].value, row[1].value) = (found, width);
        row[4].value = there / results.len().max(1) as f64;
        report.labels.push(format!("… of {source}, and those there",));
        report.series.push(row);
    }
}

/// What the learners believe in the end, in the mean of the runs: the best values of each parameter.
fn preferred(results: &[TrialResult]) -> String {
    let mut means: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
    for share in results.iter().flat_map(|one| &one.shares) {
        let values = means.entry(share.parameter).or_default();
        *values.entry(&share.value).or_default() += share.share / results.len() as f64;
    }
    let best = means.into_iter().map(|(parameter, values)| {
        let mut values: Vec<(&str, f64)> = values.into_iter().collect();
        values.sort_by(|a, b| b.1.total_cmp(&a.1));
        let values =
            values.iter().take(PREFERRED).map(|(value, share)| format!("{value} {share:.2}"));
        format!("; {parameter}: {}", values.collect::<Vec<_>>().join(", "))
    });
    best.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_learn::terms::learners::LearntShare;

    #[test]
    fn a_mean_has_its_interval() {
        let (found, width) = mean(&[1.0, 2.0, 3.0]);
        assert!((found - 2.0).abs() < 1e-9 && (width - 4.30 / 3_f64.sqrt()).abs() < 1e-9);
        assert!(mean(&[1.0]).1.is_nan());
    }

    #[test]
    fn what_learners_prefer_is_the_mean_of_the_runs() {
        let of = |share: f64| {
            let one = |value: &str, share| LearntShare {
                parameter: "way",
                value: value.to_owned(),
                share,
            };
            let shares = vec![one("OR", share), one("TF", 1.0 - share)];
            TrialResult { shares, ..TrialResult::default() }
        };
        assert_eq!(preferred(&[of(0.9), of(0.5)]), "; way: OR 0.70, TF 0.30");
    }
}
