//! The figures of a made run, with ties, unjudged documents, a query without an answer and one
//! without anything relevant, against those that trec_eval computed by way of pytrec_eval.

use fyke_eval::measures::LEAST;
use fyke_eval::{EvalOptions, Qrels, Run, evaluate_with};

pub(crate) const QRELS: &str = include_str!("../data/qrels.txt");
pub(crate) const RUN: &str = include_str!("../data/run.txt");

/// No figures.
const OTHERWISE: [&str; 3] = ["num_q", "runid", "relstring"];

fn check(figures: &str, level: i32) {
    let (qrels, run) = (Qrels::parse(QRELS).unwrap(), Run::parse(RUN).unwrap());
    let options = EvalOptions { level, ..EvalOptions::default() };
    let mut compared = 0;
    for line in figures.lines() {
        let [name, query, expected] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        if OTHERWISE.iter().any(|known| name.starts_with(known)) || expected == "nan" {
            continue;
        }
        let found = evaluate_with(&qrels, &run, &[name], &options).unwrap().queries[query][0];
        // What goes into a geometric mean stands there as a logarithm.
        let found = if name.starts_with("gm_") { found.max(LEAST).ln() } else { found };
        // Exactly between two figures of four digits either may be printed.
        let expected: f64 = expected.parse().unwrap();
        assert!(
            (found - expected).abs() < 6e-5,
            "{name} of query {query}: {found}, not {expected}"
        );
        compared += 1;
    }
    assert!(compared > 250, "only {compared} figures compared");
}

#[test]
fn figures_are_those_of_trec_eval() {
    check(include_str!("../data/figures.txt"), 1);
}

#[test]
fn figures_from_a_higher_grade_on_are_those_of_trec_eval() {
    check(include_str!("../data/figures.level2.txt"), 2);
}
