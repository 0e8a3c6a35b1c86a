//! Coordinate ascent (Metzler and Croft): one weight after the other is moved by a few factors, the
//! best is kept, until nothing gets better. It is a plain search, sees nothing but a figure, and
//! leaves weights that can be read.

use super::rankers::{Dial, Ranker, dials};
use super::weights::WEIGHTS;
use crate::fact::Fact;

/// A weight is tried at these multiples of itself …
const FACTORS: [f32; 6] = [0.0, 0.5, 0.75, 1.3, 2.0, 4.0];
/// … and from 0 at these parts of 1.
const STARTS: [f32; 2] = [0.2, 1.0];
/// Rounds over all weights.
const ROUNDS: usize = 3;
/// Less gain than this is none.
const LEAST_GAIN: f64 = 1e-4;

/// Finds weights with a higher figure than those of the standard ranker. `measure` gives the figure
/// of a ranker, or none to stop early. Signals among the facts are tuned, too.
pub fn tune(facts: &[Fact], measure: &mut dyn FnMut(&Ranker) -> Option<f64>) -> Ranker {
    let mut best = Ranker { name: String::new(), weights: WEIGHTS };
    let Some(mut figure) = measure(&best) else { return best };
    for _ in 0..ROUNDS {
        let before = figure;
        for dial in dials(facts) {
            for ranker in around(&best, &dial, facts) {
                let Some(found) = measure(&ranker) else { return best };
                if found > figure + LEAST_GAIN {
                    (best, figure) = (ranker, found);
                }
            }
        }
        if figure <= before + LEAST_GAIN {
            break;
        }
    }
    best
}

/// The number of rankers that are measured at the most.
#[must_use]
pub fn trials(facts: &[Fact]) -> usize {
    1 + ROUNDS * dials(facts).count() * FACTORS.len()
}

/// The rankers with one weight moved.
fn around(ranker: &Ranker, dial: &Dial, facts: &[Fact]) -> Vec<Ranker> {
    let mut weights = ranker.weights;
    let now = *dial.of(&mut weights);
    let values: Vec<f32> = match now == 0.0 {
        true => STARTS.to_vec(),
        false => FACTORS.iter().map(|factor| now * factor).collect(),
    };
    let moved = values.into_iter().map(|value| {
        let mut weights = ranker.weights;
        *dial.of(&mut weights) = value.clamp(dial.limits[0], dial.limits[1]);
        Ranker { name: name(&mut weights, facts), weights }
    });
    moved.collect()
}

/// What is changed of the standard weights, as somebody would write it.
fn name(weights: &mut super::weights::Weights, facts: &[Fact]) -> String {
    let changes = dials(facts).filter_map(|dial| {
        let (found, standard) = (*dial.of(weights), *dial.of(&mut WEIGHTS.clone()));
        (found != standard).then(|| format!("{}={found}", dial.name))
    });
    changes.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planted_optimum_is_come_near_to_and_written_as_a_ranker() {
        let mut asked = 0;
        let mut measure = |ranker: &Ranker| {
            asked += 1;
            let (title, k1) = (ranker.weights.fields[0].weight, ranker.weights.k1);
            Some(-f64::from((title / 6.0).ln().abs() + (k1 / 0.9).ln().abs()))
        };
        let found = tune(&[], &mut measure);
        assert!((5.0..=7.0).contains(&found.weights.fields[0].weight), "{found:?}");
        assert!((0.8..=1.0).contains(&found.weights.k1), "{found:?}");
        let again = Ranker::parse(&found.name).unwrap();
        assert_eq!(format!("{:?}", again.weights), format!("{:?}", found.weights));
        assert!(asked <= trials(&[]));
    }

    #[test]
    fn where_nothing_gets_better_the_standard_stays_and_a_stop_is_heard() {
        assert_eq!(tune(&[], &mut |_| Some(0.5)).name, "");
        let mut left = 3;
        let found = tune(&[], &mut |_| {
            left -= 1;
            (left > 0).then_some(0.5)
        });
        assert_eq!((found.name.as_str(), left), ("", 0));
    }
}
