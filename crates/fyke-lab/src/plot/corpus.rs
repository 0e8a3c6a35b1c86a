//! The corpus drawn: rank and frequency, growth of the vocabulary, words that occur n times, lengths,
//! years (003 figures 4.2 and 4.3, table 4.5).

use super::{Axis, Mark, Plot, PlotBar};
use fyke_stages::corpus::Corpus;
use fyke_text::zipf::predicted_share;

/// A plot's name, and how it is drawn.
type CorpusPlot = (&'static str, fn(&Corpus) -> Plot);

/// A row a plot.
pub const PLOTS: &[CorpusPlot] = &[
    ("zipf", zipf),
    ("heaps", heaps),
    ("occurrences", occurrences),
    ("lengths", lengths),
    ("years", years),
];

/// The plot of this name.
#[must_use]
pub fn plot(corpus: &Corpus, name: &str) -> Option<Plot> {
    PLOTS.iter().find(|row| row.0 == name).map(|row| (row.1)(corpus))
}

fn zipf(corpus: &Corpus) -> Plot {
    let ranks = &corpus.vocabulary.ranks;
    let measured = ranks.iter().map(|&(rank, p)| (rank as f64, p)).collect();
    let mut marks = vec![Mark::Points { label: "words".to_owned(), points: measured }];
    let at = |law: &dyn Fn(f64) -> f64| {
        ranks.iter().map(|&(rank, _)| (rank as f64, law(rank as f64))).collect()
    };
    if let Some(zipf) = corpus.laws.zipf {
        let label = format!("Zipf, C = {:.3}", zipf.c);
        marks.push(Mark::Model { label, points: at(&|rank| zipf.probability(rank)) });
    }
    if let Some(law) = corpus.laws.mandelbrot {
        let label = format!("Mandelbrot, α = {:.2}, β = {:.1}", law.alpha, law.beta);
        marks.push(Mark::Model { label, points: at(&|rank| law.probability(rank)) });
    }
    let (x, y) = (Axis::log("rank"), Axis::log("probability of the word"));
    Plot { title: "How often words occur".to_owned(), x, y, marks }
}

fn heaps(corpus: &Corpus) -> Plot {
    let growth = &corpus.vocabulary.growth;
    let measured = growth.iter().map(|&(read, known)| (read as f64, known as f64)).collect();
    let mut marks = vec![Mark::Line { label: "vocabulary".to_owned(), points: measured }];
    if let Some(law) = corpus.laws.heaps {
        let label = format!("Heaps, k = {:.1}, β = {:.3}", law.k, law.beta);
        let law = growth.iter().map(|&(read, _)| (read as f64, law.vocabulary(read as f64)));
        marks.push(Mark::Model { label, points: law.collect() });
    }
    let (x, y) = (Axis::log("words read"), Axis::log("distinct words"));
    Plot { title: "How the vocabulary grows".to_owned(), x, y, marks }
}

fn occurrences(corpus: &Corpus) -> Plot {
    let shares = (1_u32..).zip(&corpus.vocabulary.shares);
    let bars = shares.clone().map(|(n, share)| PlotBar::around(f64::from(n), 0.4, *share));
    let law = shares.map(|(n, _)| (f64::from(n), predicted_share(u64::from(n))));
    let marks = vec![
        Mark::Bars { label: "share of the vocabulary".to_owned(), bars: bars.collect() },
        Mark::Points { label: "1 / n(n + 1)".to_owned(), points: law.collect() },
    ];
    let last = corpus.vocabulary.shares.len().max(1) as f64;
    let (x, y) = (Axis::linear("n").within(0.0, last + 1.0), Axis::linear(""));
    Plot { title: "Words that occur n times".to_owned(), x, y, marks }
}

fn lengths(corpus: &Corpus) -> Plot {
    let bars = corpus.lengths.iter().filter(|bin| bin.from > 0).map(PlotBar::of_bin).collect();
    let marks = vec![Mark::Bars { label: String::new(), bars }];
    let (x, y) = (Axis::log("words"), Axis::linear("documents"));
    Plot { title: "How long documents are".to_owned(), x, y, marks }
}

fn years(corpus: &Corpus) -> Plot {
    let bars = |years: &[(i32, u64)]| {
        let bar = |&(year, count): &(i32, u64)| PlotBar::around(f64::from(year), 0.5, count as f64);
        years.iter().map(bar).collect()
    };
    let published = bars(&corpus.years_published);
    let marks = vec![Mark::Bars { label: String::new(), bars: published }];
    let (x, y) = (Axis::years("year of publication, as pages say"), Axis::linear("documents"));
    Plot { title: "When documents were published".to_owned(), x, y, marks }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plot_has_a_name_of_its_own_and_draws_even_nothing() {
        for (number, (name, draw)) in PLOTS.iter().enumerate() {
            assert!(PLOTS[..number].iter().all(|row| row.0 != *name), "{name} twice");
            assert!(draw(&Corpus::default()).svg().ends_with("</svg>"), "{name}");
            assert!(plot(&Corpus::default(), name).is_some());
        }
        assert_eq!(plot(&Corpus::default(), "none"), None);
    }
}
