//! nDCG averaged at the ranks where the ideal ranking goes from one gain to the next lower, and at the
//! end of what was retrieved.

use super::gains::{discounted, each, gain, ideal};
use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "Rndcg",
    trec: ["Rndcg", ""],
    what: "nDCG averaged at the ranks where the ideal ranking goes to the next lower gain",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: ndcg_at_levels,
    // after rank 1: 1/2; after rank 2, where all is retrieved: (1 + 2/1.585) / (2 + 1/1.585)
    example: MeasureExample::new("Rndcg", &[1, 2], &[], 0.6799),
};

fn ndcg_at_levels(judged: &Judged, parameters: &Parameters) -> f64 {
    let ideal = ideal(judged, parameters);
    if judged.relevant() == 0 || ideal.is_empty() {
        return 0.0;
    }
    let gains = || judged.grades.iter().map(|&grade| gain(grade, parameters));
    let at = |cut| discounted(gains().take(cut)) / discounted(each(&ideal).take(cut));
    let mut ends: Vec<usize> = Vec::new();
    for (place, level) in ideal.iter().enumerate() {
        let end = ends.last().unwrap_or(&0) + level.count;
        match ideal[..place].last() {
            Some(before) if before.gain == level.gain => *ends.last_mut().unwrap_or(&mut 0) = end,
            _ => ends.push(end),
        }
    }
    // trec_eval looks at the end only if more than one document comes behind the ideal ranking.
    let relevant = ends.last().copied().unwrap_or(0);
    ends.extend((judged.retrieved() > relevant + 1).then_some(usize::MAX));
    ratio(ends.iter().map(|&end| at(end)).fold(0.0, super::add), ends.len())
}
