//! Who gave which grade to what: judges in columns, documents of queries in rows, and gaps where
//! somebody did not judge.

use crate::trec::Qrels;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// More different grades than this are no grades but scores.
const MOST_GRADES: usize = 64;

/// The judgements of several judges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ratings {
    judges: Vec<String>,
    /// Every grade given, lowest first.
    grades: Vec<i32>,
    units: BTreeMap<(String, String), Vec<Option<i32>>>,
}

/// One document of one query with a place for each judge's grade.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    pub query: &'a str,
    pub document: &'a str,
    pub grades: &'a [Option<i32>],
}

impl Unit<'_> {
    /// By how many it was judged.
    #[must_use]
    pub fn judged(&self) -> usize {
        self.grades.iter().flatten().count()
    }
}

/// Why a file of judgements is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyGrades(pub usize);

impl fmt::Display for TooManyGrades {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooManyGrades(found) = self;
        write!(
            f,
            "{found} different grades, of which {MOST_GRADES} are the most: are these scores?"
        )
    }
}

impl std::error::Error for TooManyGrades {}

impl Ratings {
    /// The judgements of judges with their names.
    pub fn new(judges: &[(String, Qrels)]) -> Result<Ratings, TooManyGrades> {
        let mut units: BTreeMap<_, Vec<Option<i32>>> = BTreeMap::new();
        let mut grades = BTreeSet::new();
        for (judge, (_, qrels)) in judges.iter().enumerate() {
            // Below 0 stands for "in the pool, but not judged".
            for line in qrels.iter().filter(|line| line.grade >= 0) {
                let unit = units.entry((line.query.to_owned(), line.document.to_owned()));
                unit.or_insert_with(|| vec![None; judges.len()])[judge] = Some(line.grade);
                grades.insert(line.grade);
            }
        }
        if grades.len() > MOST_GRADES {
            return Err(TooManyGrades(grades.len()));
        }
        let judges = judges.iter().map(|(name, _)| name.clone()).collect();
        Ok(Ratings { judges, grades: grades.into_iter().collect(), units })
    }

    /// Names of the judges.
    #[must_use]
    pub fn judges(&self) -> &[String] {
        &self.judges
    }

    /// Every grade that was given, lowest first.
    #[must_use]
    pub fn grades(&self) -> &[i32] {
        &self.grades
    }

    /// Every document that anybody judged, by query and name.
    pub fn units(&self) -> impl Iterator<Item = Unit<'_>> {
        self.units.iter().map(|((query, document), grades)| Unit { query, document, grades })
    }

    /// For each document that at least `least` judged, how many gave each of the grades.
    pub(super) fn counts(&self, least: usize) -> Vec<Vec<f64>> {
        let judged = self.units().filter(|unit| unit.judged() >= least.max(1));
        judged.map(|unit| self.count(unit.grades)).collect()
    }

    fn count(&self, grades: &[Option<i32>]) -> Vec<f64> {
        let mut counts = vec![0.0; self.grades.len()];
        for grade in grades.iter().flatten() {
            if let Ok(place) = self.grades.binary_search(grade) {
                counts[place] += 1.0;
            }
        }
        counts
    }

    /// The grades of two judges for the documents that both judged.
    #[must_use]
    pub fn pairs(&self, first: usize, second: usize) -> Vec<(i32, i32)> {
        let both = |grades: &Vec<Option<i32>>| Some((grades[first]?, grades[second]?));
        self.units.values().filter_map(both).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(name: &str, qrels: &str) -> (String, Qrels) {
        (name.to_owned(), Qrels::parse(qrels).unwrap())
    }

    #[test]
    fn gaps_stand_where_somebody_did_not_judge() {
        let first = judge("ann", "1 0 a 1\n1 0 b 2\n1 0 c -1\n2 0 a 0");
        let ratings = Ratings::new(&[first, judge("bob", "1 0 b 3\n1 0 c 1\n3 0 a 1")]).unwrap();
        assert_eq!(ratings.pairs(0, 1), [(2, 3)]);
        assert_eq!(ratings.grades(), [0, 1, 2, 3]);
        assert_eq!(ratings.units().count(), 5);
        assert_eq!(ratings.counts(2), [[0.0, 0.0, 1.0, 1.0]]);
        let first = ratings.units().next().unwrap();
        assert_eq!((first.query, first.document, first.grades), ("1", "a", &[Some(1), None][..]));
    }

    #[test]
    fn scores_are_no_grades() {
        let scores: String = (0..100).map(|n| format!("1 0 d{n} {n}\n")).collect();
        assert_eq!(Ratings::new(&[judge("ann", &scores)]), Err(TooManyGrades(100)));
    }
}
