//! Clickthrough by rank (000 "clickthrough on first result"). People look at the first results
//! whatever stands there (position bias), so that shares at different ranks do not compare
//! documents or rankers; the same rank before and after a change does.

use crate::binomial::interval;
use crate::outcome::ALPHA;
use serde::Serialize;

/// How often a rank was shown and clicked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clickthrough {
    /// The rank, from 1.
    pub rank: usize,
    /// Searches that showed a result there.
    pub shown: u64,
    /// Those in which it was clicked, once or more.
    pub clicked: u64,
    /// The part of them.
    pub share: f64,
    /// The 95 % interval of that part.
    pub interval: [f64; 2],
}

/// What became of the results of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownResults {
    /// How many there were.
    pub shown: usize,
    /// The ranks clicked.
    pub clicks: Vec<usize>,
}

/// The clickthrough of each of the first `depth` ranks that were ever shown.
#[must_use]
pub fn clickthrough(searches: &[ShownResults], depth: usize) -> Vec<Clickthrough> {
    let row = |rank: usize| {
        let showing = searches.iter().filter(|search| search.shown >= rank);
        let clicked = showing.clone().filter(|search| search.clicks.contains(&rank)).count() as u64;
        let shown = showing.count() as u64;
        let interval = interval(clicked, shown, ALPHA);
        Clickthrough { rank, shown, clicked, share: clicked as f64 / shown as f64, interval }
    };
    (1..=depth).map(row).take_while(|row| row.shown > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_is_clicked_once_a_search_and_only_where_it_was_shown() {
        let searches = [(3, vec![1, 1, 3]), (2, vec![1, 3]), (0, vec![1]), (1, vec![])];
        let searches = searches.map(|(shown, clicks)| ShownResults { shown, clicks });
        let found: Vec<_> = clickthrough(&searches, 10)
            .into_iter()
            .map(|row| (row.rank, row.shown, row.clicked))
            .collect();
        assert_eq!(found, [(1, 3, 2), (2, 2, 0), (3, 1, 1)]);
        assert_eq!(clickthrough(&searches, 1).len(), 1);
        assert_eq!(clickthrough(&[], 10), []);
    }
}
