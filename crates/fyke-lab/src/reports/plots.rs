//! Plots of a comparison: precision–recall curves (000 "A precision-recall curve", "Typical (good) 11
//! point precisions"), box plots over queries (000 "Variance"), and what each query gains or loses.

use crate::plot::{Axis, Mark, Plot, PlotBar};
use fyke_eval::compare::{Compared, Difference, Gain};
use fyke_eval::{Comparison, Curve};

/// Precision at eleven levels of recall, a line for each run.
#[must_use]
pub fn curves(curves: &[Curve]) -> Plot {
    let line =
        |curve: &Curve| Mark::Line { label: curve.name.clone(), points: curve.points.clone() };
    Plot {
        title: "Interpolated precision at eleven levels of recall".to_owned(),
        x: Axis::linear("recall").within(0.0, 1.0),
        y: Axis::linear("precision").within(0.0, 1.0),
        marks: curves.iter().map(line).collect(),
    }
}

/// How a measure is spread over queries, a box for each run, the first on top.
#[must_use]
pub fn spread(compared: &Compared) -> Plot {
    let last = compared.systems.len().saturating_sub(1);
    // In the order of the runs, so that colours are those of their curves.
    let boxes = compared.systems.iter().enumerate().filter_map(|(place, system)| {
        let (at, spread) = ((last - place) as f64, system.spread?);
        Some(Mark::Box { label: String::new(), at, spread })
    });
    let names: Vec<String> =
        compared.systems.iter().rev().map(|system| system.name.clone()).collect();
    Plot {
        title: format!("{} over queries", compared.measure),
        x: Axis::linear(&compared.measure).within(0.0, 1.0_f64.max(largest(compared))),
        y: Axis::named(&names),
        marks: boxes.collect(),
    }
}

fn largest(compared: &Compared) -> f64 {
    let mosts =
        compared.systems.iter().filter_map(|system| system.spread).map(|spread| spread.most);
    mosts.fold(0.0, f64::max)
}

/// What each query gains or loses, the largest gain first.
#[must_use]
pub fn gains(measure: &str, baseline: &str, (name, difference): (&str, &Difference)) -> Plot {
    let bars = |sign: f64| {
        let each =
            difference.gains.iter().enumerate().filter(move |(_, gain)| gain.gain * sign > 0.0);
        let bar = |(at, gain): (usize, &Gain)| PlotBar {
            from: at as f64,
            to: at as f64 + 1.0,
            height: gain.gain,
        };
        each.map(bar).collect()
    };
    let queries = difference.gains.len() as f64;
    Plot {
        title: format!("{measure}: {name} less {baseline}"),
        x: Axis::linear("queries, the largest gain first").within(0.0, queries.max(1.0)),
        y: Axis::linear("gain"),
        marks: vec![
            Mark::Bars { label: format!("{} better", difference.better), bars: bars(1.0) },
            Mark::Bars { label: format!("{} worse", difference.worse), bars: bars(-1.0) },
        ],
    }
}

/// Every plot of a comparison, with the name of its file.
#[must_use]
pub fn files(comparison: &Comparison) -> Vec<(String, Plot)> {
    let mut files = vec![("curves.svg".to_owned(), curves(&comparison.curves))];
    for compared in &comparison.measures {
        let measure = file_name(&compared.measure);
        files.push((format!("spread-{measure}.svg"), spread(compared)));
        let baseline = compared.systems.get(compared.baseline).map_or("", |system| &system.name);
        for (place, system) in compared.systems.iter().enumerate() {
            let Some(difference) = &system.difference else { continue };
            let plot = gains(&compared.measure, baseline, (&system.name, difference));
            files.push((
                format!("gains-{measure}-{}-{}.svg", place + 1, file_name(&system.name)),
                plot,
            ));
        }
    }
    files
}

/// A name without what a file's name cannot hold.
fn file_name(name: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || "-_.@".contains(c) { c } else { '_' };
    name.chars().map(kept).take(60).collect()
}
