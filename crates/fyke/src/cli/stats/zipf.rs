//! `fyke stats zipf`: Zipf's law for the words of the corpus, for its bigrams, and for both in one list (003
//! exercise 4.1).

use crate::cli::progress::Progress;
use crate::cli::{Global, Viewed, output};
use fyke_stages::show;
use fyke_text::grams::{GramCounts, GramCurve};
use serde_json::json;

pub(super) fn run(global: &Global, opened: &Viewed) -> anyhow::Result<()> {
    let mut counts = GramCounts::default();
    let mut progress = Progress::start(global.quiet, "documents read", None);
    for (done, document) in (1..).zip(opened.collection.documents.all()) {
        counts.add(&document?.text);
        progress.at(done, "");
    }
    progress.finish();
    let curves = counts.curves();
    if global.json {
        let row = |curve: &GramCurve| {
            json!({
                "of": curve.name, "occurrences": curve.occurrences, "distinct": curve.distinct,
                "once": curve.once, "c": curve.zipf.map(|zipf| zipf.c),
                "error": curve.zipf.map(|zipf| zipf.error),
            })
        };
        let curves: Vec<_> = curves.iter().map(row).collect();
        return output::say_json(&json!({ "curves": curves, "cut": counts.is_cut }));
    }
    let head = ["of", "occurrences", "distinct", "once", "C", "error"].map(str::to_owned).to_vec();
    let row = |curve: &GramCurve| {
        let fitted =
            |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.4}"));
        vec![
            curve.name.to_owned(),
            show::count(curve.occurrences),
            show::count(curve.distinct),
            show::count(curve.once),
            fitted(curve.zipf.map(|zipf| zipf.c)),
            fitted(curve.zipf.map(|zipf| zipf.error)),
        ]
    };
    let rows: Vec<_> = std::iter::once(head).chain(curves.iter().map(row)).collect();
    output::say(&output::table_with_head(&rows));
    if counts.is_cut {
        output::note(
            global.quiet,
            "there are more different bigrams than are counted; rare ones are missing",
        );
    }
    Ok(())
}
