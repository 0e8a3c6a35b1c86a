//! Two or more systems on the same queries: means, and for each system its difference to the one it
//! is compared with, query by query, with tests, effect sizes and corrections (000 "Variance",
//! "Impact of inter-judge agreement": relative performance is what an experiment tells reliably).

mod difference;
mod warning;

pub use difference::{Difference, Gain, Tested, gains};
pub use warning::{Warning, warnings};

use crate::curves::Curve;
use crate::evaluate::{Evaluation, UnknownMeasure, evaluate};
use crate::significance::{Interval, mean, mean_interval};
use crate::spread::{Spread, Variances};
use crate::trec::{Qrels, Run};
use serde::Serialize;

/// With what systems are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Baseline {
    /// The system that was named first.
    #[default]
    First,
    /// The system with the best mean, of each measure anew.
    Best,
}

/// What to compare, and how.
#[derive(Clone, Copy, Debug)]
pub struct CompareOptions<'a> {
    pub measures: &'a [&'a str],
    pub baseline: Baseline,
    /// For tests that draw.
    pub seed: u64,
}

/// Systems side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Queries that were judged.
    pub queries: usize,
    pub measures: Vec<Compared>,
    /// Precision at eleven levels of recall, a curve for each system.
    pub curves: Vec<Curve>,
    pub warnings: Vec<Warning>,
}

/// Systems side by side by one measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    pub measure: String,
    /// Place among the systems of the one the others are compared with.
    pub baseline: usize,
    /// None with a single system, or a single query.
    pub variances: Option<Variances>,
    pub systems: Vec<System>,
}

/// What one measure says of a system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct System {
    pub name: String,
    pub mean: f64,
    /// Of the mean, over queries; None where it is no average, as of GMAP or of counts.
    pub interval: Option<Interval>,
    pub spread: Option<Spread>,
    /// To the baseline; None for the baseline itself.
    pub difference: Option<Difference>,
}

/// Compares runs, each with a name, by the judgements.
pub fn compare(
    qrels: &Qrels,
    runs: &[(String, Run)],
    options: CompareOptions<'_>,
) -> Result<Comparison, UnknownMeasure> {
    let mut evaluations = Vec::new();
    for (name, run) in runs {
        evaluations.push((name.as_str(), evaluate(qrels, run, options.measures)?));
    }
    let each = options.measures.iter().enumerate();
    let mut measures: Vec<Compared> =
        each.map(|(place, name)| compared(name, place, &evaluations, options)).collect();
    difference::correct(&mut measures);
    let curves = runs.iter().map(|(name, run)| Curve::new(name, qrels, run));
    Ok(Comparison {
        queries: qrels.queries().len(),
        measures,
        curves: curves.collect::<Result<_, _>>()?,
        warnings: warnings(qrels, runs),
    })
}

fn compared(
    measure: &str,
    place: usize,
    evaluations: &[(&str, Evaluation)],
    options: CompareOptions<'_>,
) -> Compared {
    let means: Vec<f64> = evaluations.iter().map(|(_, found)| found.means[place]).collect();
    let baseline = match options.baseline {
        Baseline::First => 0,
        // The first of equally good ones.
        Baseline::Best => {
            (0..means.len()).rev().max_by(|a, b| means[*a].total_cmp(&means[*b])).unwrap_or(0)
        }
    };
    let system = |(at, (name, evaluation)): (usize, &(&str, Evaluation))| {
        let figures = evaluation.figures(place);
        let (_, first) = &evaluations[baseline];
        let difference = || Difference::new(gains(first, evaluation, place), options.seed);
        System {
            name: (*name).to_owned(),
            mean: evaluation.means[place],
            interval: mean_interval(&figures).filter(|_| is_average(evaluation, place)),
            spread: Spread::new(&figures),
            difference: (at != baseline).then(difference),
        }
    };
    let systems = evaluations.iter().enumerate().map(system).collect();
    let figures: Vec<Vec<f64>> =
        evaluations.iter().map(|(_, evaluation)| evaluation.figures(place)).collect();
    let variances = Variances::new(&figures);
    Compared { measure: measure.to_owned(), baseline, variances, systems }
}

/// Whether what stands for all queries is their average.
fn is_average(evaluation: &Evaluation, place: usize) -> bool {
    (mean(&evaluation.figures(place)) - evaluation.means[place]).abs() < 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Run {
        Run::parse(text).unwrap()
    }

    fn compared(baseline: Baseline) -> Comparison {
        let qrels = Qrels::parse("1 0 a 1\n2 0 a 1\n3 0 a 1\n3 0 b 0").unwrap();
        let runs = [
            ("first".to_owned(), run("1 Q0 x 1 2 t\n1 Q0 a 2 1 t\n2 Q0 a 1 1 t\n3 Q0 b 1 1 t")),
            ("second".to_owned(), run("1 Q0 a 1 2 t\n2 Q0 a 1 1 t\n3 Q0 a 2 1 t")),
            ("third".to_owned(), run("1 Q0 a 1 2 t\n2 Q0 x 1 1 t\n3 Q0 x 2 1 t")),
        ];
        compare(&qrels, &runs, CompareOptions { measures: &["RR", "P@1"], baseline, seed: 1 })
            .unwrap()
    }

    #[test]
    fn systems_are_compared_with_the_first_or_the_best() {
        let found = compared(Baseline::First);
        let rr = &found.measures[0];
        assert_eq!((rr.measure.as_str(), rr.baseline), ("RR", 0));
        let means: Vec<f64> = rr.systems.iter().map(|system| system.mean).collect();
        assert_eq!(means, [0.5, 1.0, 1.0 / 3.0]);
        assert!(rr.systems[0].difference.is_none());
        let second = rr.systems[1].difference.as_ref().unwrap();
        assert_eq!((second.mean, second.better, second.equal), (0.5, 2, 1));
        let best = compared(Baseline::Best);
        assert_eq!(best.measures[0].baseline, 1);
        assert!(best.measures[0].systems[0].difference.as_ref().unwrap().mean < 0.0);
        assert_eq!(found.curves.len(), 3);
        assert!(rr.systems[0].interval.is_some());
    }

    #[test]
    fn p_is_corrected_for_every_comparison_of_the_table() {
        let found = compared(Baseline::First);
        let systems = found.measures.iter().flat_map(|compared| &compared.systems);
        let differences: Vec<_> = systems.filter_map(|system| system.difference.as_ref()).collect();
        let of =
            |name: &str| differences.iter().filter_map(|one| one.tested(name)).collect::<Vec<_>>();
        let tested = of("randomisation");
        let least = tested.iter().map(|one| one.p).fold(1.0, f64::min);
        let first = tested.iter().find(|one| one.p == least).unwrap();
        assert_eq!((tested.len(), first.holm), (4, (4.0 * least).min(1.0)));
    }

    #[test]
    fn what_speaks_against_a_conclusion_is_said() {
        let told: Vec<String> =
            compared(Baseline::First).warnings.iter().map(ToString::to_string).collect();
        assert_eq!(told[0], "only 3 queries: too few to tell systems apart; aim at 50");
        assert!(told.iter().any(|one| one.contains("33 % of third")), "{told:?}");
        assert!(told.iter().any(|one| one.contains("favours second")), "{told:?}");
    }
}
