//! How far judges agree (000 "Kappa measure"), pair by pair, and where they do not: the documents to
//! settle together.

use super::judgement::{Judgements, SETTLED};
use fyke_eval::agreement::judged_by_both;
use fyke_eval::{Kappa, kappa};
use serde::Serialize;
use std::collections::BTreeMap;

/// Two judges and the documents that both graded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    pub first: String,
    pub second: String,
    /// Documents that both graded.
    pub documents: usize,
    /// On whether a document is relevant at all.
    pub relevance: Kappa,
    /// On the grade itself.
    pub grades: Kappa,
    pub reading: &'static str,
}

/// What the sources make of a kappa.
#[must_use]
pub fn reading(kappa: f64) -> &'static str {
    match kappa {
        _ if kappa > 0.8 => "good agreement",
        _ if kappa >= 0.67 => "tentative conclusions",
        _ => "too little to conclude from",
    }
}

/// Every two judges who graded some of the same documents.
#[must_use]
pub fn pairs(judgements: &Judgements) -> Vec<Pair> {
    let judges: Vec<&str> = judgements.judges().into_iter().collect();
    let qrels: Vec<_> = judges.iter().map(|judge| judgements.qrels(judge)).collect();
    let mut pairs = Vec::new();
    for (at, first) in judges.iter().enumerate() {
        for (other, second) in judges.iter().enumerate().skip(at + 1) {
            let both = judged_by_both(&qrels[at], &qrels[other]);
            let relevant: Vec<_> = both.iter().map(|&(a, b)| (a > 0, b > 0)).collect();
            let (Some(relevance), Some(grades)) = (kappa(&relevant), kappa(&both)) else {
                continue;
            };
            pairs.push(Pair {
                first: (*first).to_owned(),
                second: (*second).to_owned(),
                documents: both.len(),
                relevance,
                grades,
                reading: reading(relevance.kappa),
            });
        }
    }
    pairs
}

/// A document on which grades differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    pub query: String,
    pub document: String,
    /// Who gave what, with the note.
    pub grades: Vec<(String, i32, String)>,
    /// Whether they differ on its being relevant at all.
    pub on_relevance: bool,
    /// Between the lowest and the highest grade.
    pub spread: i32,
    /// What the judges settled on.
    pub settled: Option<i32>,
}

/// Every document on which grades differ: unsettled ones first, then those about relevance itself,
/// then the wider apart first.
#[must_use]
pub fn disagreements(judgements: &Judgements) -> Vec<Disagreement> {
    let mut grades: BTreeMap<(&str, &str), Vec<(String, i32, String)>> = BTreeMap::new();
    for line in judgements.holding().filter(|line| line.judge != SETTLED) {
        let Some(grade) = line.verdict.grade() else { continue };
        let row = (line.judge.clone(), grade, line.note.clone());
        grades.entry((&line.query, &line.document)).or_default().push(row);
    }
    let row = |((query, document), grades): ((&str, &str), Vec<(String, i32, String)>)| {
        let lowest = grades.iter().map(|row| row.1).min()?;
        let highest = grades.iter().map(|row| row.1).max()?;
        let settled = judgements.by(SETTLED, query, document);
        (lowest < highest).then(|| Disagreement {
            query: query.to_owned(),
            document: document.to_owned(),
            grades,
            on_relevance: lowest <= 0 && highest > 0,
            spread: highest.saturating_sub(lowest),
            settled: settled.and_then(|line| line.verdict.grade()),
        })
    };
    let mut rows: Vec<Disagreement> = grades.into_iter().filter_map(row).collect();
    rows.sort_by_key(|row| (row.settled.is_some(), !row.on_relevance, -row.spread));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::journal::Account;
    use crate::judging::judgement::{Judgement, Verdict};

    fn account(rows: &[(&str, &str, i32)]) -> Judgements {
        let mut account = Judgements::default();
        for (judge, document, grade) in rows {
            account.take(Judgement {
                time: 0,
                judge: (*judge).into(),
                query: "1".into(),
                document: (*document).into(),
                verdict: Verdict::Grade(*grade),
                note: String::new(),
            });
        }
        account
    }

    #[test]
    fn pairs_are_those_who_graded_the_same_documents() {
        let found = pairs(&account(&[
            ("a", "x", 2),
            ("b", "x", 3),
            ("a", "y", 0),
            ("b", "y", 0),
            ("c", "z", 1),
        ]));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].documents, found[0].relevance.kappa), (2, 1.0));
        assert_eq!((found[0].grades.agreed, found[0].reading), (0.5, "good agreement"));
        let readings = [0.9, 0.8, 0.67, 0.5].map(reading);
        assert_eq!(readings[1], readings[2]);
        assert_ne!(readings[0], readings[1]);
        assert_ne!(readings[2], readings[3]);
    }

    #[test]
    fn what_is_to_settle_comes_by_weight_and_what_is_settled_last() {
        let rows = [
            ("a", "same", 2),
            ("b", "same", 2),
            ("a", "near", 2),
            ("b", "near", 3),
            ("a", "far", 0),
            ("b", "far", 3),
            ("a", "done", 0),
            ("b", "done", 3),
            (SETTLED, "done", 1),
            ("a", "edge", 0),
            ("b", "edge", 1),
        ];
        let found = disagreements(&account(&rows));
        let order: Vec<_> = found.iter().map(|row| row.document.as_str()).collect();
        assert_eq!(order, ["far", "edge", "near", "done"]);
        assert_eq!(found[3].settled, Some(1));
    }
}
