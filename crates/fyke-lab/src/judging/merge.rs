//! Several judges made one: which grade counts where they differ. What they settled on together
//! counts before all.

use super::judgement::{Judgements, SETTLED};
use fyke_eval::{Qrels, QrelsLine};
use std::collections::BTreeMap;

/// A way to make one grade of several.
#[derive(Debug)]
pub struct GradeMerge {
    pub name: &'static str,
    pub what: &'static str,
    /// Of grades in rising order; there is at least one.
    pub run: fn(&[i32]) -> i32,
}

/// Every way; the first is the usual one.
pub const MERGES: &[GradeMerge] = &[
    GradeMerge {
        name: "majority",
        what: "the grade that most give; of several as frequent the lowest: in doubt, less relevant",
        run: majority,
    },
    GradeMerge {
        name: "median",
        what: "the grade in the middle; the lower of two",
        run: |grades| grades[(grades.len() - 1) / 2],
    },
    GradeMerge {
        name: "max",
        what: "the highest grade that anybody gives",
        run: |grades| grades[grades.len() - 1],
    },
];

fn majority(grades: &[i32]) -> i32 {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    for grade in grades {
        *counts.entry(*grade).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|&(grade, count)| (count, std::cmp::Reverse(grade)));
    most.map_or(0, |(grade, _)| grade)
}

/// The way of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static GradeMerge> {
    MERGES.iter().find(|row| row.name == name)
}

/// One grade for each document that somebody graded.
#[must_use]
pub fn merged(judgements: &Judgements, merge: &GradeMerge) -> Qrels {
    let mut grades: BTreeMap<(&str, &str), Vec<i32>> = BTreeMap::new();
    let mut qrels = Qrels::default();
    for line in judgements.holding() {
        if let (Some(grade), true) = (line.verdict.grade(), line.judge != SETTLED) {
            grades.entry((&line.query, &line.document)).or_default().push(grade);
        }
    }
    for ((query, document), mut grades) in grades {
        grades.sort_unstable();
        qrels.insert(query, document, (merge.run)(&grades));
    }
    for QrelsLine { query, document, grade } in judgements.qrels(SETTLED).iter() {
        qrels.insert(query, document, grade);
    }
    qrels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::journal::Account;
    use crate::judging::judgement::{JudgeVerdict, Judgement};

    #[test]
    fn every_way_gives_its_grade() {
        for (grades, expected) in [
            (&[0, 2, 2][..], [2, 2, 2]),
            (&[0, 0, 3], [0, 0, 3]),
            (&[1, 2], [1, 1, 2]),
            (&[0, 1, 3, 3], [3, 1, 3]),
            (&[2], [2, 2, 2]),
        ] {
            let found: Vec<i32> = MERGES.iter().map(|row| (row.run)(grades)).collect();
            assert_eq!(found, expected, "{grades:?}");
        }
        let names: Vec<_> = MERGES.iter().map(|row| row.name).collect();
        assert_eq!(names, ["majority", "median", "max"]);
        assert!(MERGES.iter().all(|row| !row.what.is_empty() && find(row.name).is_some()));
    }

    #[test]
    fn what_was_settled_counts_before_all() {
        let mut judgements = Judgements::default();
        for (judge, document, grade) in
            [("a", "x", 3), ("b", "x", 3), (SETTLED, "x", 1), ("a", "y", 2), (SETTLED, "z", 0)]
        {
            judgements.take(Judgement {
                time: 0,
                judge: judge.into(),
                query: "1".into(),
                document: document.into(),
                verdict: JudgeVerdict::Grade(grade),
                note: String::new(),
            });
        }
        assert_eq!(merged(&judgements, &MERGES[2]).to_string(), "1 0 x 1\n1 0 y 2\n1 0 z 0\n");
    }
}
