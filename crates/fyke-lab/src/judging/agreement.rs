//! How far judges agree on what is relevant at all (000 "Kappa measure"), pair by pair, and where their
//! grades differ: the documents to settle together. `fyke_eval::agreement` has the figures.

use super::judgement::{Judgements, SETTLED};
use fyke_eval::agreement::{Conclusion, disagreements as apart};
use fyke_eval::{Coefficient, Qrels, Ratings, kappa};
use serde::{Serialize, Serializer};

/// Two judges and the documents that both graded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgePair {
    pub first: String,
    pub second: String,
    /// Documents that both graded.
    pub documents: usize,
    /// On whether a document is relevant at all.
    pub relevance: Coefficient,
    /// On the grade itself.
    pub grades: Coefficient,
    /// Of the agreement on relevance.
    pub reading: Conclusion,
}

/// What each judge says, without what was settled.
#[must_use]
pub fn by_judge(judgements: &Judgements) -> Vec<(String, Qrels)> {
    let judges = judgements.judges().into_iter();
    judges.map(|judge| (judge.to_owned(), judgements.qrels(judge))).collect()
}

/// Every two judges who graded some of the same documents.
#[must_use]
pub fn pairs(judgements: &Judgements) -> Vec<JudgePair> {
    let Ok(ratings) = Ratings::new(&by_judge(judgements)) else { return Vec::new() };
    let judges = ratings.judges();
    let mut pairs = Vec::new();
    for (at, first) in judges.iter().enumerate() {
        for (other, second) in judges.iter().enumerate().skip(at + 1) {
            let both = ratings.pairs(at, other);
            let relevant: Vec<_> =
                both.iter().map(|&(a, b)| (i32::from(a > 0), i32::from(b > 0))).collect();
            let (Some(relevance), Some(grades)) = (kappa(&relevant), kappa(&both)) else {
                continue;
            };
            pairs.push(JudgePair {
                first: first.clone(),
                second: second.clone(),
                documents: both.len(),
                relevance,
                grades,
                reading: Conclusion::of(relevance.value),
            });
        }
    }
    pairs
}

/// A document on which grades differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GradeDisagreement {
    pub query: String,
    pub document: String,
    pub grades: Vec<GivenGrade>,
    /// Whether they differ on its being relevant at all.
    pub on_relevance: bool,
    /// From the lowest to the highest grade.
    pub gap: u32,
    /// What the judges settled on.
    pub settled: Option<i32>,
}

/// Who gave what, with the note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenGrade {
    pub judge: String,
    pub grade: i32,
    pub note: String,
}

/// As a list of the three.
impl Serialize for GivenGrade {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.judge, self.grade, &self.note).serialize(serializer)
    }
}

/// Every document on which grades differ: unsettled ones first, then those about relevance itself,
/// then the wider gap first.
#[must_use]
pub fn disagreements(judgements: &Judgements) -> Vec<GradeDisagreement> {
    let Ok(ratings) = Ratings::new(&by_judge(judgements)) else { return Vec::new() };
    let row = |of: fyke_eval::agreement::Disagreement| {
        let given = || of.grades.iter().flatten().map(|grade| *grade > 0);
        let lines = judgements.on(&of.query, &of.document).filter(|line| line.judge != SETTLED);
        let grade = |line: &super::Judgement| {
            let (judge, note) = (line.judge.clone(), line.note.clone());
            Some(GivenGrade { judge, grade: line.verdict.grade()?, note })
        };
        let settled = judgements.by(SETTLED, &of.query, &of.document);
        GradeDisagreement {
            grades: lines.filter_map(grade).collect(),
            on_relevance: given().any(|is| is) && given().any(|is| !is),
            gap: of.gap,
            settled: settled.and_then(|line| line.verdict.grade()),
            query: of.query,
            document: of.document,
        }
    };
    let mut rows: Vec<GradeDisagreement> = apart(&ratings).into_iter().map(row).collect();
    rows.sort_by_key(|row| (row.settled.is_some(), !row.on_relevance, std::cmp::Reverse(row.gap)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::journal::Account;
    use crate::judging::judgement::{JudgeVerdict, Judgement};

    fn account(rows: &[(&str, &str, i32)]) -> Judgements {
        let mut account = Judgements::default();
        for (judge, document, grade) in rows {
            account.take(Judgement {
                time: 0,
                judge: (*judge).into(),
                query: "1".into(),
                document: (*document).into(),
                verdict: JudgeVerdict::Grade(*grade),
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
        assert_eq!((found[0].documents, found[0].relevance.value), (2, 1.0));
        assert_eq!((found[0].grades.agreed, found[0].reading), (0.5, Conclusion::Good));
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
