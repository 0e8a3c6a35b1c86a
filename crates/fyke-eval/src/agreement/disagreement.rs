//! What judges should settle together (000 "Kappa measure": human panels are not perfect): documents
//! with different grades, the widest gap first.

use super::Ratings;
use serde::Serialize;

/// A document of which judges think differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    pub query: String,
    pub document: String,
    /// From the lowest to the highest grade it got.
    pub gap: u32,
    /// What each judge gave, in their order; None of those who did not judge it.
    pub grades: Vec<Option<i32>>,
}

/// Every document with different grades, the widest gap first, then by query and document.
#[must_use]
pub fn disagreements(ratings: &Ratings) -> Vec<Disagreement> {
    let units = ratings.units().filter_map(|unit| {
        let given = || unit.grades.iter().flatten();
        let gap = given().max()?.abs_diff(*given().min()?);
        let [query, document] = [unit.query, unit.document].map(str::to_owned);
        (gap > 0).then(|| Disagreement { query, document, gap, grades: unit.grades.to_vec() })
    });
    let mut found: Vec<_> = units.collect();
    found.sort_by_key(|disagreement| std::cmp::Reverse(disagreement.gap));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trec::Qrels;

    #[test]
    fn the_widest_gap_comes_first() {
        let judges = ["1 0 a 0\n1 0 b 3\n1 0 c 1", "1 0 a 1\n1 0 b 0\n1 0 c 1", "1 0 a 0\n1 0 d 2"];
        let judges = judges.map(|qrels| (String::new(), Qrels::parse(qrels).unwrap()));
        let found = disagreements(&Ratings::new(&judges).unwrap());
        let rows: Vec<_> = found.iter().map(|row| (row.document.as_str(), row.gap)).collect();
        assert_eq!(rows, [("b", 3), ("a", 1)]);
        assert_eq!(found[0].grades, [Some(3), Some(0), None]);
    }
}
