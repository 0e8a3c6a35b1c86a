//! Plots as SVG, drawn here: axes with round ticks, linear or logarithmic, and marks on them. The same
//! plot is the same text. Colours are classes of `templates/plot.css`, light and dark by the reader's
//! setting; a page brings that sheet itself, a plot of its own carries it inside.

mod axis;
mod boxes;
pub mod corpus;
mod draw;
pub mod graph;
mod slope;

pub use axis::Axis;
pub use slope::slope;

use fyke_eval::Spread;
use fyke_stages::corpus::Bin;

/// The sheet that gives plots their colours; pages append it to their own.
pub const STYLE: &str = include_str!("../../templates/plot.css");

/// What is drawn, and against what.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    /// Drawn in this order; each kind of line, point or bar gets the next colour.
    pub marks: Vec<Mark>,
}

/// One thing in a plot. Its label stands in the legend, unless empty. Values that an axis cannot show
/// (not finite, not above zero on a logarithmic one, outside a range that was given) are left out.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Points joined by a line.
    Line { label: String, points: Vec<(f64, f64)> },
    /// A thinner, dashed line: a model beside what was measured.
    Model { label: String, points: Vec<(f64, f64)> },
    /// Points alone.
    Points { label: String, points: Vec<(f64, f64)> },
    /// Each value holds until the next x.
    Stairs { label: String, points: Vec<(f64, f64)> },
    /// Bars from zero (or the axis' foot).
    Bars { label: String, bars: Vec<PlotBar> },
    /// A box plot along x at the height `at`: whiskers to the ends, a box between the quartiles, a
    /// line at the median and a point at the mean.
    Box { label: String, at: f64, spread: Spread },
    /// Figures along x, each at its height with the ends of its interval.
    Intervals { label: String, figures: Vec<FigureInterval> },
    /// A stretch of x, shaded behind everything else.
    Window { label: String, from: f64, to: f64 },
    /// One x, marked by an upright line.
    Marker { label: String, at: f64 },
}

/// A figure and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureInterval {
    pub at: f64,
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// A bar that stands on the x axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotBar {
    pub from: f64,
    pub to: f64,
    pub height: f64,
}

impl PlotBar {
    /// So far to either side of a place.
    fn around(at: f64, half: f64, height: f64) -> PlotBar {
        PlotBar { from: at - half, to: at + half, height }
    }

    /// As wide as a bin, and as high as it has documents.
    fn of_bin(bin: &Bin) -> PlotBar {
        PlotBar { from: bin.from as f64, to: bin.to as f64, height: bin.documents as f64 }
    }
}

impl Mark {
    fn label(&self) -> &str {
        match self {
            Mark::Line { label, .. }
            | Mark::Model { label, .. }
            | Mark::Points { label, .. }
            | Mark::Stairs { label, .. }
            | Mark::Bars { label, .. }
            | Mark::Box { label, .. }
            | Mark::Intervals { label, .. }
            | Mark::Window { label, .. }
            | Mark::Marker { label, .. } => label,
        }
    }

    /// What the mark wants to see on the x axis.
    fn xs(&self) -> Vec<f64> {
        match self {
            Mark::Line { points, .. }
            | Mark::Model { points, .. }
            | Mark::Points { points, .. }
            | Mark::Stairs { points, .. } => points.iter().map(|point| point.0).collect(),
            Mark::Bars { bars, .. } => bars.iter().flat_map(|bar| [bar.from, bar.to]).collect(),
            Mark::Box { spread, .. } => vec![spread.least, spread.most],
            Mark::Intervals { figures, .. } => {
                figures.iter().flat_map(|figure| [figure.low, figure.value, figure.high]).collect()
            }
            Mark::Window { from, to, .. } => vec![*from, *to],
            Mark::Marker { at, .. } => vec![*at],
        }
    }

    /// And on the y axis; bars stand on zero.
    fn ys(&self) -> Vec<f64> {
        match self {
            Mark::Line { points, .. }
            | Mark::Model { points, .. }
            | Mark::Points { points, .. }
            | Mark::Stairs { points, .. } => points.iter().map(|point| point.1).collect(),
            Mark::Bars { bars, .. } => {
                bars.iter().map(|bar| bar.height).chain(std::iter::once(0.0)).collect()
            }
            Mark::Box { at, .. } => vec![*at],
            Mark::Intervals { figures, .. } => figures.iter().map(|figure| figure.at).collect(),
            Mark::Window { .. } | Mark::Marker { .. } => Vec::new(),
        }
    }
}

impl Plot {
    /// The plot as a file of its own.
    #[must_use]
    pub fn svg(&self) -> String {
        draw::svg(self, &format!("<style>{STYLE}</style>\n"))
    }

    /// The plot for a page that has [`STYLE`] in its sheet: pages allow no styles of their own.
    #[must_use]
    pub fn inline(&self) -> String {
        draw::svg(self, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> Plot {
        Plot {
            title: "Words & <ranks>".to_owned(),
            x: Axis::log("rank"),
            y: Axis::linear("share"),
            marks: vec![
                Mark::Window { label: "chosen".to_owned(), from: 10.0, to: 100.0 },
                Mark::Bars {
                    label: "counted".to_owned(),
                    bars: vec![PlotBar { from: 1.0, to: 10.0, height: 4.0 }],
                },
                Mark::Line { label: "line".to_owned(), points: vec![(1.0, 1.0), (1000.0, 3.0)] },
                Mark::Model { label: String::new(), points: vec![(1.0, 0.5), (1000.0, 2.5)] },
                Mark::Stairs { label: "steps".to_owned(), points: vec![(1.0, 0.0), (10.0, 2.0)] },
                Mark::Points { label: "points".to_owned(), points: vec![(100.0, 2.0)] },
                Mark::Marker { label: "here".to_owned(), at: 500.0 },
                Mark::Box {
                    label: "spread".to_owned(),
                    at: 3.5,
                    spread: Spread::new(&[5.0, 20.0, 40.0, 400.0]).unwrap(),
                },
            ],
        }
    }

    #[test]
    fn every_mark_is_drawn_where_it_stands() {
        expect_test::expect_file!["../../tests/data/plot.svg"].assert_eq(&sample().svg());
    }

    #[test]
    fn a_plot_of_its_own_carries_its_colours() {
        let (own, inline) = (sample().svg(), sample().inline());
        assert!(own.contains(STYLE) && !inline.contains("<style>"));
        assert_eq!(own.replace(&format!("<style>{STYLE}</style>\n"), ""), inline);
    }

    #[test]
    fn nothing_to_draw_is_an_empty_frame() {
        let plot = Plot { marks: Vec::new(), ..sample() };
        assert!(plot.inline().ends_with("</svg>"));
    }

    proptest! {
        #[test]
        fn no_value_and_no_text_breaks_a_plot(
            title in "\\PC{0,80}|[<>&\"'\u{0}-\u{1f}]{0,9}",
            points in prop::collection::vec((any::<f64>(), any::<f64>()), 0..6),
            is_log: bool,
        ) {
            let axis = if is_log { Axis::log(&title) } else { Axis::linear(&title) };
            let bars = points.iter().map(|&(x, y)| PlotBar { from: x, to: y, height: y }).collect();
            let label = title.clone();
            let marks = vec![
                Mark::Line { label: label.clone(), points: points.clone() },
                Mark::Stairs { label: label.clone(), points: points.clone() },
                Mark::Bars { label: label.clone(), bars },
                Mark::Box {
                    label: label.clone(),
                    at: 1.0,
                    spread: Spread::new(&points.iter().map(|p| p.0).collect::<Vec<_>>())
                        .unwrap_or(Spread::new(&[1.0]).unwrap()),
                },
                Mark::Window { label, from: points.first().map_or(0.0, |p| p.0), to: 3.0 },
            ];
            let svg = Plot { title, x: axis.clone(), y: axis, marks }.inline();
            prop_assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", svg);
            prop_assert!(svg.chars().all(|c| c == '\n' || !c.is_control()));
            prop_assert!(svg.len() < 20_000);
        }
    }
}
