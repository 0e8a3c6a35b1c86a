//! The measures of a ranking, one file and one row each (000 "Evaluation", 003 ch. 8). Names as in
//! ir_measures (`nDCG@10`) and as in trec_eval (`ndcg_cut_10`); figures as trec_eval computes them.

mod average_precision;
mod ndcg;
mod precision;
mod r_precision;
mod recall;
mod reciprocal_rank;

/// A ranking as its judges see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Grades of the retrieved documents, best rank first; 0 if not judged or not relevant.
    pub grades: Vec<i32>,
    /// Grades of all relevant documents, highest first: the ranking that cannot be bettered.
    pub ideal: Vec<i32>,
}

/// Whether a measure is cut at a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// `Rprec`
    Never,
    /// `nDCG` and `nDCG@10`
    Maybe,
    /// `P@10`
    Always,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Name in ir_measures, without `@k`.
    pub name: &'static str,
    /// Names in trec_eval: whole, and cut at k (without `_k`); empty where it has none.
    pub trec: [&'static str; 2],
    /// What it says, in one line.
    pub what: &'static str,
    /// Whether it takes `@k`.
    pub cut: Cut,
    /// The figure of one ranking cut at a rank (`usize::MAX`: not cut).
    pub compute: fn(&Judged, usize) -> f64,
    /// A worked example, which a test holds it to.
    pub example: Example,
}

/// Grades of a ranking, grades of all relevant documents, the cut, and the figure.
#[derive(Clone, Copy, Debug)]
pub struct Example(pub &'static [i32], pub &'static [i32], pub usize, pub f64);

/// Every measure; to add one, write its file and name it above and here.
pub const MEASURES: [Measure; 6] = [
    precision::MEASURE,
    recall::MEASURE,
    r_precision::MEASURE,
    average_precision::MEASURE,
    ndcg::MEASURE,
    reciprocal_rank::MEASURE,
];

/// The row and the cut that a name in either spelling means.
#[must_use]
pub fn find(name: &str) -> Option<(&'static Measure, usize)> {
    MEASURES.iter().find_map(|row| cut_of(row, name).map(|cut| (row, cut)))
}

fn cut_of(row: &Measure, name: &str) -> Option<usize> {
    let [whole, cut_name] = row.trec;
    if row.cut != Cut::Always && (name == row.name || name == whole) {
        return Some(usize::MAX);
    }
    let ours = name.strip_prefix(row.name).and_then(|rest| rest.strip_prefix('@'));
    let trecs = name.strip_prefix(cut_name).and_then(|rest| rest.strip_prefix('_'));
    let cut = ours.or(trecs.filter(|_| !cut_name.is_empty()))?.parse().ok()?;
    (row.cut != Cut::Never && cut > 0).then_some(cut)
}

impl Judged {
    /// How many of the first `cut` documents are relevant.
    fn hits(&self, cut: usize) -> usize {
        self.grades.iter().take(cut).filter(|&&grade| grade > 0).count()
    }

    /// Ranks, from 1, of the relevant documents among the first `cut`.
    fn ranks(&self, cut: usize) -> impl Iterator<Item = usize> {
        let ranked = (1..).zip(&self.grades).take(cut);
        ranked.filter(|&(_, &grade)| grade > 0).map(|(rank, _)| rank)
    }
}

/// `part / whole`, and 0 of nothing.
fn ratio(part: f64, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part / whole as f64 }
}

/// Adds up from 0.0; `sum` of nothing would be -0.0, and be printed so.
fn add(sum: f64, part: f64) -> f64 {
    sum + part
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn every_row_has_its_own_name_and_keeps_its_example() {
        let mut names = HashSet::new();
        for row in MEASURES {
            assert!(names.insert(row.name) && !row.what.is_empty(), "row {}", row.name);
            assert!(row.trec.iter().any(|name| !name.is_empty()), "row {}", row.name);
            let Example(grades, ideal, cut, expected) = row.example;
            let judged = Judged { grades: grades.to_vec(), ideal: ideal.to_vec() };
            let nothing = (row.compute)(&Judged::default(), cut);
            assert!(nothing == 0.0 && nothing.is_sign_positive(), "{}: {nothing}", row.name);
            let figure = (row.compute)(&judged, cut);
            assert!((figure - expected).abs() < 5e-5, "{}: {figure}, not {expected}", row.name);
        }
    }

    #[test]
    fn names_are_found_in_both_spellings() {
        let check = |name: &str, expected: Option<(&str, usize)>| {
            assert_eq!(find(name).map(|(row, cut)| (row.name, cut)), expected, "{name}");
        };
        check("nDCG@10", Some(("nDCG", 10)));
        check("ndcg_cut_10", Some(("nDCG", 10)));
        check("nDCG", Some(("nDCG", usize::MAX)));
        check("map", Some(("AP", usize::MAX)));
        check("P_5", Some(("P", 5)));
        check("R@100", Some(("R", 100)));
        check("recip_rank", Some(("RR", usize::MAX)));
        check("Rprec", Some(("Rprec", usize::MAX)));
        for unknown in ["", "P", "P@", "P@0", "P@-1", "Rprec@5", "nDCG@x", "_3", "ndcg_10"] {
            check(unknown, None);
        }
    }

    proptest! {
        #[test]
        fn figures_lie_between_0_and_1_and_the_ideal_ranking_is_best(
            grades in vec(-1..4i32, 0..40), missed in vec(1..4i32, 0..20), cut in 1..50usize,
        ) {
            let all = grades.iter().chain(&missed).copied();
            let mut ideal: Vec<i32> = all.filter(|&grade| grade > 0).collect();
            ideal.sort_unstable_by(|a, b| b.cmp(a));
            let judged = Judged { grades, ideal: ideal.clone() };
            let best = Judged { grades: ideal.clone(), ideal };
            for row in MEASURES {
                let cut = if row.cut == Cut::Never { usize::MAX } else { cut };
                let figure = (row.compute)(&judged, cut);
                let top = (row.compute)(&best, cut);
                prop_assert!((0.0..=1.0 + 1e-9).contains(&figure), "{}: {}", row.name, figure);
                prop_assert!(figure <= top + 1e-9, "{}: {} above {}", row.name, figure, top);
            }
        }
    }
}
