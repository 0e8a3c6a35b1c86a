//! `fyke lab gate`: fails a build when search got worse.

use super::compare::judged;
use super::{read, runs};
use crate::cli::{Exit, Failure, Global, output};
use anyhow::Context;
use askama::Template;
use fyke_eval::compare::warnings;
use fyke_eval::gate::{GateRule, GateVerdict, gate};
use fyke_lab::reports::junit::Junit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Test a run against thresholds and a baseline; exit code 5 if it fails
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab gate qrels.txt new.run --min nDCG@10=0.45
  fyke lab gate qrels.txt new.run --baseline old.run --max-drop 0.02 --alpha 0.05
  fyke lab gate qrels.txt new.run --baseline old.run --file gates.toml --junit gate.xml

A file of rules:
  alpha = 0.05
  [min]
  \"nDCG@10\" = 0.45
  [max-drop]
  \"nDCG@10\" = 0.02

As a step of GitHub Actions:
  - name: Search has not got worse
    run: |
      fyke lab gate qrels.txt new.run --baseline main.run \\
        --min nDCG@10=0.45 --max-drop 0.02 --alpha 0.05 --junit gate.xml
  - name: Keep the verdicts
    if: always()
    uses: actions/upload-artifact@v4
    with: { name: gate, path: gate.xml }")]
pub(super) struct Args {
    /// Judgements: lines of query, 0, document, grade
    qrels: PathBuf,
    /// The run to test
    run: PathBuf,
    /// Run of the previous version
    #[arg(long, value_name = "RUN")]
    baseline: Option<PathBuf>,
    /// Threshold of a measure's mean (repeatable)
    #[arg(long, value_name = "MEASURE=FIGURE", value_parser = floor)]
    min: Vec<(String, f64)>,
    /// Largest allowed drop below the baseline; without a name it is for each measure of --min, or nDCG@10
    #[arg(long, value_name = "[MEASURE=]FIGURE", value_parser = drop, requires = "baseline")]
    max_drop: Vec<(Option<String>, f64)>,
    /// Count a drop only if its p-value is at most this (randomisation test, two-sided)
    #[arg(long, value_name = "P")]
    alpha: Option<f64>,
    /// TOML file of rules; rules of the command line take precedence
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Write the verdicts as JUnit XML, one test case per rule
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Seed of the randomisation test: the same seed gives the same figures
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Rules in a file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct GateFile {
    alpha: Option<f64>,
    min: BTreeMap<String, f64>,
    max_drop: BTreeMap<String, f64>,
}

#[derive(Serialize)]
struct GateResult<'a> {
    is_held: bool,
    verdicts: &'a [GateVerdict],
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let rules = rules(args)?;
    let qrels = judged(&args.qrels)?;
    let paths: Vec<PathBuf> = [&args.run].into_iter().chain(&args.baseline).cloned().collect();
    let runs = runs::named(&paths)?;
    warnings(&qrels, &runs)
        .iter()
        .for_each(|warning| output::note(global.quiet, &format!("warning: {warning}")));
    let baseline = runs.get(1).map(|(_, run)| run);
    let verdicts = gate(&qrels, &runs[0].1, baseline, &rules, args.seed)
        .map_err(|error| Failure::usage(error.to_string()))?;
    if let Some(path) = &args.junit {
        let text = Junit::new(&args.run.display().to_string(), &verdicts).render()?;
        std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    let is_held = verdicts.iter().all(|verdict| verdict.is_held);
    match global.json {
        true => output::say_json(&GateResult { is_held, verdicts: &verdicts })?,
        false => verdicts.iter().for_each(show),
    }
    Ok(if is_held { Exit::Done } else { Exit::Gate })
}

fn show(verdict: &GateVerdict) {
    let word = if verdict.is_held { "held  " } else { "BROKEN" };
    output::say(&output::tame(&format!("{word}  {}: {}", verdict.rule, verdict.why)));
    if !verdict.hurt.is_empty() {
        output::say("        the queries that hurt most:");
    }
    verdict.hurt.iter().for_each(|hurt| output::say(&output::tame(&format!("          {hurt}"))));
}

/// All rules, those of the file first; of two for one measure the command line's holds.
fn rules(args: &Args) -> anyhow::Result<Vec<GateRule>> {
    let GateFile { alpha, mut min, mut max_drop } = file(args)?;
    let alpha = args.alpha.or(alpha);
    if alpha.is_some_and(|alpha| !(0.0..=1.0).contains(&alpha)) {
        return Err(Failure::usage("alpha is a chance, from 0 to 1").into());
    }
    min.extend(args.min.iter().cloned());
    let named = args.max_drop.iter().filter_map(|(measure, most)| Some((measure.clone()?, *most)));
    max_drop.extend(named);
    if let Some((_, most)) = args.max_drop.iter().rfind(|(measure, _)| measure.is_none()) {
        let fallback = min.is_empty().then(|| "nDCG@10".to_owned());
        let measures = min.keys().cloned().chain(fallback);
        measures.for_each(|measure| _ = max_drop.entry(measure).or_insert(*most));
    }
    if !max_drop.is_empty() && args.baseline.is_none() {
        return Err(
            Failure::usage("a drop is against a run before: name it with --baseline").into()
        );
    }
    let floors = min.into_iter().map(|(measure, least)| GateRule::Floor { measure, least });
    let drops = max_drop.into_iter().map(|(measure, most)| GateRule::Drop { measure, most, alpha });
    let rules: Vec<GateRule> = floors.chain(drops).collect();
    match rules.is_empty() {
        true => {
            Err(Failure::usage("no rule; try --min nDCG@10=0.45, or --baseline and --max-drop")
                .into())
        }
        false => Ok(rules),
    }
}

fn file(args: &Args) -> anyhow::Result<GateFile> {
    let Some(path) = &args.file else { return Ok(GateFile::default()) };
    let text = read::whole(path)?;
    Ok(toml::from_str(&text).map_err(|error| read::named(path, &error))?)
}

fn floor(text: &str) -> Result<(String, f64), String> {
    let (measure, figure) = text.rsplit_once('=').ok_or("write MEASURE=FIGURE, as nDCG@10=0.45")?;
    Ok((measure.to_owned(), number(figure)?))
}

fn drop(text: &str) -> Result<(Option<String>, f64), String> {
    match text.rsplit_once('=') {
        Some((measure, figure)) => Ok((Some(measure.to_owned()), number(figure)?)),
        None => Ok((None, number(text)?)),
    }
}

fn number(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("`{text}` is not a number"))
}
