//! Figures in units of the standard deviation of other runs from their mean, query by query, so that
//! hard and easy queries weigh alike. Means and deviations come from a file: `query measure mean
//! deviation`.

use crate::formats::{ParseError, TextScan, number};
use std::collections::HashMap;

/// What a figure is that the file says nothing of, as in trec_eval.
const MISSING: f64 = -1_000_000.0;

/// Mean and deviation by query and measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ZScores(HashMap<(String, String), (f64, f64)>);

impl ZScores {
    /// Reads lines of query, measure, mean and deviation.
    ///
    /// # Errors
    /// When a line cannot be read.
    pub fn parse(text: &str) -> Result<ZScores, ParseError> {
        let mut scores = HashMap::new();
        let mut scan = TextScan::new(text);
        while scan.next_line() {
            let [query, measure, mean, deviation] = scan.columns("query measure mean deviation")?;
            let mean = number(scan.line, mean, "mean")?;
            let known = (mean, number(scan.line, deviation, "deviation")?);
            scores.insert((query.to_owned(), measure.to_owned()), known);
        }
        Ok(ZScores(scores))
    }

    pub(super) fn of(&self, query: &str, measure: &str, figure: f64) -> f64 {
        match self.0.get(&(query.to_owned(), measure.to_owned())) {
            Some((mean, deviation)) if *deviation != 0.0 => (figure - mean) / deviation,
            Some((mean, _)) if *mean == figure => 0.0,
            _ => MISSING,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_counted_in_deviations_from_the_mean() {
        let scores = ZScores::parse("1 map 0.5 0.25\n1 num_rel 3 0").unwrap();
        let check = |query: &str, measure: &str, figure: f64, expected: f64| {
            assert_eq!(scores.of(query, measure, figure), expected);
        };
        check("1", "map", 0.25, -1.0);
        check("1", "num_rel", 3.0, 0.0);
        check("1", "num_rel", 4.0, MISSING);
        check("2", "map", 0.25, MISSING);
        assert!(ZScores::parse("1 map 0.5").is_err());
    }
}
