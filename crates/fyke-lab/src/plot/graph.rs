//! The graph drawn: documents by the number of their links, both ways.

use super::{Axis, Mark, Plot, PlotBar};
use fyke_stages::corpus::Bin;
use fyke_stages::graph::GraphFigures;

/// A plot's name, and how it is drawn.
type GraphPlot = (&'static str, fn(&GraphFigures) -> Plot);

/// A row a plot.
pub const PLOTS: &[GraphPlot] = &[("in-links", in_links), ("out-links", out_links)];

/// The plot of this name.
#[must_use]
pub fn plot(figures: &GraphFigures, name: &str) -> Option<Plot> {
    PLOTS.iter().find(|row| row.0 == name).map(|row| (row.1)(figures))
}

fn in_links(figures: &GraphFigures) -> Plot {
    degrees("Links to documents", "links from other documents", &figures.in_degrees)
}

fn out_links(figures: &GraphFigures) -> Plot {
    degrees("Links from documents", "links to other documents", &figures.out_degrees)
}

/// Bars as wide as each bin; documents without links have no place on such an axis.
fn degrees(title: &str, x: &'static str, bins: &[Bin]) -> Plot {
    let bars = bins.iter().filter(|bin| bin.from > 0).map(PlotBar::of_bin).collect();
    let marks = vec![Mark::Bars { label: String::new(), bars }];
    Plot { title: title.to_owned(), x: Axis::log(x), y: Axis::linear("documents"), marks }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plot_of_the_graph_has_its_name_and_draws_even_nothing() {
        for (number, (name, draw)) in PLOTS.iter().enumerate() {
            assert!(PLOTS[..number].iter().all(|row| row.0 != *name), "{name} twice");
            assert!(draw(&GraphFigures::default()).svg().ends_with("</svg>"), "{name}");
            assert!(plot(&GraphFigures::default(), name).is_some());
        }
        let bins = vec![Bin { from: 0, to: 1, documents: 9 }, Bin { from: 1, to: 2, documents: 5 }];
        let drawn = in_links(&GraphFigures { in_degrees: bins, ..GraphFigures::default() }).svg();
        assert!(drawn.contains("Links to documents"), "{drawn}");
    }
}
