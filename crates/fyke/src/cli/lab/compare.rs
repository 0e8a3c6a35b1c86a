//! `fyke lab compare`: two or more runs side by side, and whether their differences are luck.

use super::agree::table;
use super::{read, runs};
use crate::cli::{Exit, Failure, Global, output};
use anyhow::Context;
use fyke_eval::compare::{Baseline, CompareOptions, Compared, compare};
use fyke_eval::{Comparison, Qrels};
use fyke_lab::reports::{compared, plots};
use std::path::{Path, PathBuf};

/// Compare runs: means, differences, significance tests, gains and losses
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab compare qrels.txt old.run new.run
  fyke lab compare qrels.txt a.run b.run c.run --best -m nDCG@10 -m RR --gains 10
  fyke lab compare qrels.txt old.run new.run --plots figures/     curves, box plots, gains as SVG

The second table has the p-values of three tests. Holm and BH (Benjamini and Hochberg) correct the p
of the randomisation test for the number of comparisons. d is Cohen's d: the mean difference divided
by the standard deviation of the differences.")]
pub(super) struct Args {
    #[command(flatten)]
    pub what: CompareArgs,
    /// Number of queries with the largest gains and losses to show for each run
    #[arg(long, value_name = "N", default_value_t = 5)]
    gains: usize,
    /// Write the plots as SVG files into this folder
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

/// What is compared, and how.
#[derive(Debug, clap::Args)]
pub(super) struct CompareArgs {
    /// Judgements: lines of query, 0, document, grade
    pub qrels: PathBuf,
    /// Runs: lines of query, Q0, document, rank, score, tag
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// A measure, by its name in ir_measures or trec_eval (repeatable)
    #[arg(short, long = "measure", value_name = "NAME", default_values = ["AP", "nDCG@10", "P@10"])]
    pub measures: Vec<String>,
    /// Compare with the best run of each measure instead of the first run
    #[arg(long)]
    best: bool,
    /// Seed of the randomisation test: the same seed gives the same figures
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl CompareArgs {
    /// The comparison that is asked for.
    pub(super) fn compare(&self) -> anyhow::Result<Comparison> {
        let (qrels, runs) = (judged(&self.qrels)?, runs::named(&self.runs)?);
        let measures: Vec<&str> = self.measures.iter().map(String::as_str).collect();
        let baseline = if self.best { Baseline::Best } else { Baseline::First };
        let options = CompareOptions { measures: &measures, baseline, seed: self.seed };
        Ok(compare(&qrels, &runs, options).map_err(|error| Failure::usage(error.to_string()))?)
    }
}

/// The judgements in a file, which must not be empty.
pub(super) fn judged(path: &Path) -> anyhow::Result<Qrels> {
    let qrels = read::qrels(path)?;
    let is_empty = qrels.queries().len() == 0;
    if is_empty { Err(read::named(path, &"nothing is judged here").into()) } else { Ok(qrels) }
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    if args.what.runs.len() < 2 {
        let hint = "one run is nothing to compare; name another, or use fyke lab eval";
        return Err(Failure::usage(hint).into());
    }
    let found = args.what.compare()?;
    if let Some(folder) = &args.plots {
        write_plots(folder, &found)?;
    }
    if global.json {
        output::say_json(&found)?;
        return Ok(Exit::Done);
    }
    found
        .warnings
        .iter()
        .for_each(|warning| output::note(global.quiet, &format!("warning: {warning}")));
    for compared in &found.measures {
        show(compared, found.queries, args.gains);
    }
    Ok(Exit::Done)
}

fn show(compared: &Compared, queries: usize, gains: usize) {
    output::say(&output::bold(&format!("\n{} over {queries} queries", compared.measure)));
    table(&compared::means(compared));
    output::say("");
    table(&compared::tests(compared));
    compared::conclusions(compared).iter().for_each(|one| output::say(&output::tame(one)));
    for system in &compared.systems {
        let Some(difference) = system.difference.as_ref().filter(|_| gains > 0) else { continue };
        output::say(&format!("\nlargest gains and losses of {}", output::tame(&system.name)));
        table(&compared::gains(difference, gains));
    }
}

fn write_plots(folder: &Path, found: &Comparison) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    for (name, plot) in plots::files(found) {
        let path = folder.join(name);
        std::fs::write(&path, plot.svg()).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}
