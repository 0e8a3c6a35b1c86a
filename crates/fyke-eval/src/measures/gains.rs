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

/// A gain, and how many documents have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GainLevel {
    pub(super) gain: f64,
    pub(super) count: usize,
}

/// The gains of the ideal ranking, best first.
pub(super) fn ideal(judged: &Judged, parameters: &Parameters) -> Vec<GainLevel> {
    let level = |&(grade, count): &(i32, usize)| GainLevel { gain: gain(grade, parameters), count };
    let levels = judged.levels.iter().map(level);
    let mut gains: Vec<_> = levels.filter(|level| level.gain > 0.0).collect();
    gains.sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain));
    gains
}

/// The gains of the ideal ranking, one after another.
pub(super) fn each(ideal: &[GainLevel]) -> impl Iterator<Item = f64> {
    ideal.iter().flat_map(|level| std::iter::repeat_n(level.gain, level.count))
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
