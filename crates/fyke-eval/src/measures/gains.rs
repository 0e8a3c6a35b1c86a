//! What a document of a grade is worth, and the best order of all: what the measures of cumulative
//! gain share (003 §8.4.3).

use super::{Judged, Parameters};

/// The gain of a grade: the grade itself, unless another was given; nothing of what was not judged.
pub(super) fn gain(grade: i32, parameters: &Parameters) -> f64 {
    if grade < 0 {
        return 0.0;
    }
    let given = parameters.gains.iter().find(|(known, _)| *known == grade);
    given.map_or(f64::from(grade), |(_, gain)| *gain)
}

/// Gains of the ideal ranking with how many documents have each, best first.
pub(super) fn ideal(judged: &Judged, parameters: &Parameters) -> Vec<(f64, usize)> {
    let worth = |&(grade, count): &(i32, usize)| (gain(grade, parameters), count);
    let mut gains: Vec<_> = judged.levels.iter().map(worth).filter(|gain| gain.0 > 0.0).collect();
    gains.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    gains
}

/// The gains of the ideal ranking, one after another.
pub(super) fn each(ideal: &[(f64, usize)]) -> impl Iterator<Item = f64> {
    ideal.iter().flat_map(|&(gain, count)| std::iter::repeat_n(gain, count))
}

/// Gains, one for each rank, divided by log2(rank + 1) and added up.
pub(super) fn discounted(gains: impl Iterator<Item = f64>) -> f64 {
    discounted_at((1..).zip(gains))
}

/// Gains at these ranks, divided by log2(rank + 1) and added up.
fn discounted_at(gains: impl Iterator<Item = (usize, f64)>) -> f64 {
    let some = gains.filter(|(_, gain)| *gain != 0.0);
    some.map(|(rank, gain)| gain / ((rank + 1) as f64).log2()).fold(0.0, super::add)
}

/// The cumulative gain of the ranking up to the cut.
pub(super) fn dcg(judged: &Judged, parameters: &Parameters) -> f64 {
    let seen = judged.seen.iter().take_while(|(rank, _)| *rank <= parameters.cut);
    discounted_at(seen.map(|&(rank, grade)| (rank, gain(grade, parameters))))
}
