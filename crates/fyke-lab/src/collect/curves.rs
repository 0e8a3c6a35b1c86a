//! The curves of collecting runs, from their steps: what was found against queries and against documents
//! retrieved (004's figures), and what the learner believed.

use super::log::CollectEvent;
use super::told::{CollectNow, run_of};
use crate::plot::{Axis, Mark, Plot};
use std::collections::BTreeMap;

/// A value whose probability never was so much is not drawn.
const LIKELY: f64 = 0.12;
/// Points of a curve.
const POINTS: usize = 400;

/// What a run found after so many queries, and after so many documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollectCurves {
    pub run: u32,
    pub by_queries: Vec<(f64, f64)>,
    pub by_documents: Vec<(f64, f64)>,
}

/// The curves of every run.
#[must_use]
pub fn curves(events: &[CollectEvent]) -> Vec<CollectCurves> {
    let mut runs: BTreeMap<u32, (CollectNow, CollectCurves)> = BTreeMap::new();
    for event in events {
        let run = run_of(event);
        let (now, curves) = runs.entry(run).or_default();
        curves.run = run;
        now.take(event);
        let found = now.found as f64;
        match event {
            CollectEvent::Query(_) => curves.by_queries.push((now.queries as f64, found)),
            CollectEvent::Document(_) => curves.by_documents.push((now.documents as f64, found)),
            _ => {}
        }
    }
    let thin = |curves: CollectCurves| CollectCurves {
        run: curves.run,
        by_queries: thinned(curves.by_queries),
        by_documents: thinned(curves.by_documents),
    };
    runs.into_values().map(|(_, curves)| thin(curves)).collect()
}

/// As many points of a curve as can be seen, the last one among them.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let step = points.len().div_ceil(POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let is_kept = |(at, _): &(usize, (f64, f64))| at % step == 0 || *at == last;
    points.into_iter().enumerate().filter(is_kept).map(|(_, point)| point).collect()
}

/// The two pictures of 004's figures: documents found against queries, and against documents retrieved.
#[must_use]
pub fn plots(curves: &[CollectCurves]) -> [Plot; 2] {
    let label = |run: u32| match curves.len() {
        0 | 1 => String::new(),
        _ => format!("run {run}"),
    };
    let lines = |of: fn(&CollectCurves) -> &Vec<(f64, f64)>| {
        let line = |curve: &CollectCurves| {
            let points = std::iter::once((0.0, 0.0)).chain(of(curve).iter().copied()).collect();
            Mark::Line { label: label(curve.run), points }
        };
        curves.iter().map(line).collect::<Vec<Mark>>()
    };
    let y = || Axis::linear("documents in the language");
    let most = curves.iter().filter_map(|curve| curve.by_documents.last()).map(|last| last.0);
    let most = most.fold(0.0, f64::max);
    let mut by_documents = lines(|curve| &curve.by_documents);
    by_documents.push(Mark::Model {
        label: "every document in the language".to_owned(),
        points: vec![(0.0, 0.0), (most, most)],
    });
    [
        Plot {
            title: "By queries".to_owned(),
            x: Axis::linear("queries sent"),
            y: y(),
            marks: lines(|curve| &curve.by_queries),
        },
        Plot {
            title: "By documents retrieved".to_owned(),
            x: Axis::linear("documents retrieved"),
            y: y(),
            marks: by_documents,
        },
    ]
}

/// What a learner believed of a value in the course of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BeliefCurve {
    pub parameter: String,
    pub value: String,
    /// Queries, and its probability then.
    pub points: Vec<(f64, f64)>,
}

/// The pictures of what the learner of the last run believed, one for each parameter.
#[must_use]
pub fn belief_plots(events: &[CollectEvent]) -> Vec<Plot> {
    let last = events.iter().map(run_of).max().unwrap_or(0);
    let mut curves: Vec<BeliefCurve> = Vec::new();
    for event in events {
        let CollectEvent::Belief { run, queries, shares } = event else { continue };
        for share in shares.iter().filter(|_| *run == last) {
            let is_it = |curve: &BeliefCurve| {
                curve.parameter == share.parameter && curve.value == share.value
            };
            let at = curves.iter().position(is_it).unwrap_or_else(|| {
                let (parameter, value) = (share.parameter.clone(), share.value.clone());
                curves.push(BeliefCurve { parameter, value, points: Vec::new() });
                curves.len() - 1
            });
            curves[at].points.push((*queries as f64, share.share));
        }
    }
    // Values that were never likely would only hide the others.
    let most = |curve: &BeliefCurve| curve.points.iter().map(|point| point.1).fold(0.0, f64::max);
    curves.retain(|curve| most(curve) >= LIKELY);
    let mut plots: Vec<Plot> = Vec::new();
    for BeliefCurve { parameter, value, points } in curves {
        let title = format!("Probability by {parameter}");
        let mark = Mark::Line { label: value, points: thinned(points) };
        match plots.iter_mut().find(|plot| plot.title == title) {
            Some(plot) => plot.marks.push(mark),
            None => plots.push(Plot {
                title,
                x: Axis::linear("queries sent"),
                y: Axis::linear("probability").within(0.0, 1.0),
                marks: vec![mark],
            }),
        }
    }
    plots
}

#[cfg(test)]
mod tests {
    use super::super::log::{CollectVerdict, DocumentDone, QueryDone};
    use super::*;

    fn query(run: u32) -> CollectEvent {
        CollectEvent::Query(QueryDone {
            run,
            hits: 2,
            query: "+a".to_owned(),
            ..QueryDone::default()
        })
    }

    fn document(run: u32, number: u32, verdict: CollectVerdict) -> CollectEvent {
        CollectEvent::Document(DocumentDone {
            run,
            url: format!("http://a.test/{number}"),
            verdict,
            language: String::new(),
            confidence: 1.0,
            words: 10,
            reason: String::new(),
            time: 0,
        })
    }

    #[test]
    fn curves_follow_the_steps_of_each_run() {
        let events = [
            query(1),
            document(1, 1, CollectVerdict::Found),
            document(1, 2, CollectVerdict::Wrong),
            query(2),
            document(2, 1, CollectVerdict::Found),
            query(1),
            document(1, 3, CollectVerdict::Found),
        ];
        let curves = curves(&events);
        assert_eq!(curves[0].by_queries, [(1.0, 0.0), (2.0, 1.0)]);
        assert_eq!(curves[0].by_documents, [(1.0, 1.0), (2.0, 1.0), (3.0, 2.0)]);
        assert_eq!(curves[1].by_documents, [(1.0, 1.0)]);
        let svg = plots(&curves).map(|plot| plot.inline());
        assert!(svg.iter().all(|svg| svg.contains("run 2")));
    }

    #[test]
    fn what_a_learner_believed_is_a_line_for_each_value() {
        let belief = |queries, share| CollectEvent::Belief {
            run: 1,
            queries,
            shares: [("OR-1-3", share), ("PAIR-2-3", 1.0 - share)]
                .map(|(value, share)| super::super::told::ShownShare {
                    parameter: "query".to_owned(),
                    value: value.to_owned(),
                    share,
                })
                .to_vec(),
        };
        let plots = belief_plots(&[belief(10, 0.5), belief(20, 0.25)]);
        assert_eq!((plots.len(), plots[0].marks.len()), (1, 2));
        assert!(belief_plots(&[]).is_empty());
    }
}
