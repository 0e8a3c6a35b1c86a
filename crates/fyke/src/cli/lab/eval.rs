//! `fyke lab eval`: the figures of a run by judgements, as a table with intervals or as trec_eval
//! prints them. The sources' warnings stand beside the figures that need them.

use super::read;
use crate::cli::{Exit, Failure, Global, output};
use fyke_eval::compare;
use fyke_eval::measures::{Mean, Scale, find};
use fyke_eval::significance::{Interval, mean_interval};
use fyke_eval::trec_eval::{self, Columns, JudgementFormat, SheetOptions, ZScores};
use fyke_eval::{EvalOptions, Evaluation, Qrels, Run, evaluate_with};
use serde::Serialize;
use std::collections::HashMap;
use std::path::PathBuf;

/// Evaluate a run by judgements
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab eval qrels.txt run.txt
  fyke lab eval qrels.txt run.txt.gz -m nDCG@10 -m 'P(rel=2)@5' --queries
  fyke lab eval qrels.tsv run.jsonl -m alpha_nDCG@10 --groups copies.txt --json
  fyke lab eval --trec-eval -m all_trec --queries qrels.txt run.txt

Files may be in the formats of TREC, ir_datasets (TSV) or JSONL, with or without gzip; the format is
detected by the first line. Measures have the names of ir_measures (nDCG@10, AP, RBP(p=0.8)) or of
trec_eval (ndcg_cut_10, map).

With --trec-eval the output equals that of trec_eval, line for line. The options -m (map, P.5,10,
all_trec), -c, -l, -M, -J, -R, -Z, -n and -N have the same meaning. Its -q is --queries here,
because -q means quiet.")]
pub(super) struct Args {
    /// Judgements: lines of query, 0, document, grade
    qrels: PathBuf,
    /// Run: lines of query, Q0, document, rank, score, tag
    run: PathBuf,
    /// A measure, by its name in ir_measures or trec_eval (repeatable)
    #[arg(short, long = "measure", value_name = "NAME")]
    measures: Vec<String>,
    /// Also print the figures of each query
    #[arg(long)]
    queries: bool,
    /// Lowest grade that counts as relevant
    #[arg(short, long, value_name = "GRADE", default_value_t = 1)]
    level: i32,
    /// Use only the first N documents of each query
    #[arg(short = 'M', long, value_name = "N")]
    depth: Option<usize>,
    /// Remove documents without a judgement from the run
    #[arg(short = 'J', long)]
    judged_only: bool,
    /// Number of documents in the collection, for accuracy and utility
    #[arg(short = 'N', long, value_name = "N")]
    documents: Option<usize>,
    /// Groups of near copies for alpha_nDCG: lines of document and group
    #[arg(long, value_name = "FILE", conflicts_with = "trec_eval")]
    groups: Option<PathBuf>,
    /// Print the output of trec_eval
    #[arg(long, conflicts_with = "json")]
    trec_eval: bool,
    /// Count queries without results as 0 (only with --trec-eval; otherwise always on)
    #[arg(short, long, requires = "trec_eval")]
    complete: bool,
    /// Format of the judgements: qrels, prefs, qrels_prefs or qrels_jg
    #[arg(short = 'R', long, value_name = "FORMAT", requires = "trec_eval")]
    judgements: Option<String>,
    /// Print z-scores by this file: lines of query, measure, mean, deviation
    #[arg(short = 'Z', long, value_name = "FILE", requires = "trec_eval")]
    zscores: Option<PathBuf>,
    /// Do not print the mean of all queries
    #[arg(short, long, requires = "trec_eval")]
    no_summary: bool,
}

/// Measures shown if none are asked for.
const USUAL: [&str; 5] = ["AP", "nDCG@10", "P@10", "R@100", "RR"];
/// Results of a query that are seen first.
const FIRST: f64 = 10.0;

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    if args.trec_eval {
        return as_trec_eval(args);
    }
    let (qrels, run) = (read::qrels(&args.qrels)?, read::run(&args.run)?);
    let mut names: Vec<&str> = args.measures.iter().map(String::as_str).collect();
    if names.is_empty() {
        names.extend(USUAL);
    }
    let options = options(args)?;
    let usage = |error: fyke_eval::UnknownMeasure| Failure::usage(error.to_string());
    let figures = evaluate_with(&qrels, &run, &names, &options).map_err(usage)?;
    let counts = evaluate_with(&qrels, &run, &["unj_10", "NumRet"], &options).map_err(usage)?;
    let warnings = warnings(&figures, &qrels, run);
    let intervals = intervals(&figures);
    if global.json {
        output::say_json(&EvalOutput { figures: &figures, intervals, warnings })?;
        return Ok(Exit::Done);
    }
    output::say(&table(&figures, &intervals));
    output::say(&foot(&counts));
    if args.queries {
        output::say(&format!("\n{}", each_query(&figures)));
    }
    warnings.iter().for_each(|warning| output::note(global.quiet, &format!("warning: {warning}")));
    Ok(Exit::Done)
}

fn options(args: &Args) -> anyhow::Result<EvalOptions> {
    let groups = args.groups.as_deref().map(read::groups).transpose()?;
    Ok(EvalOptions {
        level: args.level,
        depth: args.depth.unwrap_or(usize::MAX),
        complete: !args.trec_eval || args.complete,
        judged_only: args.judged_only,
        collection: args.documents,
        groups: groups.unwrap_or_else(HashMap::new),
    })
}

fn as_trec_eval(args: &Args) -> anyhow::Result<Exit> {
    let usage = |error: trec_eval::TrecEvalTrouble| Failure::usage(error.to_string());
    let names: Vec<&str> = args.measures.iter().map(String::as_str).collect();
    let columns = Columns::named(if names.is_empty() { &["official"] } else { &names });
    let format = match args.judgements.as_deref() {
        None => JudgementFormat::Qrels,
        Some(name) => {
            let known = JudgementFormat::ALL.iter().find(|(known, _)| *known == name);
            let names = JudgementFormat::ALL.map(|(name, _)| name).join(", ");
            known.ok_or_else(|| Failure::usage(format!("-R {name}: expected one of {names}")))?.1
        }
    };
    let zscores = args.zscores.as_deref().map(|path| read::parsed(path, ZScores::parse));
    let show = SheetOptions {
        queries: args.queries,
        summary: !args.no_summary,
        zscores: zscores.transpose()?,
    };
    let judgements = read::whole(&args.qrels)?;
    let run = read::run(&args.run)?;
    let columns = columns.map_err(usage)?;
    let judgements = trec_eval::JudgementText { text: &judgements, format };
    let lines = trec_eval::report(judgements, &run, &columns, &options(args)?, &show);
    let lines = lines.map_err(|error| match error {
        trec_eval::TrecEvalTrouble::Parse(error) => read::named(&args.qrels, &error),
        other => usage(other),
    })?;
    output::say(lines.trim_end_matches('\n'));
    Ok(Exit::Done)
}

/// What is told as JSON.
#[derive(Serialize)]
struct EvalOutput<'a> {
    #[serde(flatten)]
    figures: &'a Evaluation,
    /// 95 % by Student's t; null of counts, geometric means and single queries.
    intervals: Vec<Option<Interval>>,
    warnings: Vec<String>,
}

fn intervals(figures: &Evaluation) -> Vec<Option<Interval>> {
    let of = |(place, name): (usize, &String)| {
        let row = find(name).map(|asked| asked.row)?;
        let found = mean_interval(&figures.figures(place))?;
        // Of few queries it may reach beyond what the measure can be.
        let (least, most) = match row.scale {
            Scale::Share => (0.0, 1.0),
            Scale::Open => (f64::NEG_INFINITY, f64::INFINITY),
        };
        let known = Interval { low: found.low.max(least), high: found.high.min(most) };
        (row.mean == Mean::Arithmetic).then_some(known)
    };
    figures.measures.iter().enumerate().map(of).collect()
}

fn table(figures: &Evaluation, intervals: &[Option<Interval>]) -> String {
    let head = ["measure", "mean", "95 % by Student's t"].map(str::to_owned).to_vec();
    let rows = figures.measures.iter().zip(&figures.means).zip(intervals);
    let row = |((name, mean), interval): ((&String, &f64), &Option<Interval>)| {
        let interval = interval.map(|known| format!("{:.4} – {:.4}", known.low, known.high));
        vec![name.clone(), format!("{mean:.4}"), interval.unwrap_or_default()]
    };
    let rows: Vec<_> = std::iter::once(head).chain(rows.map(row)).collect();
    output::table_with_head(&rows)
}

/// How many queries, and how much of what is seen first was judged.
fn foot(counts: &Evaluation) -> String {
    let seen: f64 = counts.figures(1).iter().map(|retrieved| retrieved.min(FIRST)).sum();
    let unjudged: f64 = counts.figures(0).iter().map(|share| share * FIRST).sum();
    let judged = 100.0 * (1.0 - unjudged / seen.max(1.0));
    let queries = counts.queries.len();
    format!("{queries} queries, {judged:.1} % of the first {FIRST} results of each judged")
}

fn each_query(figures: &Evaluation) -> String {
    let head = std::iter::once("query".to_owned()).chain(figures.measures.iter().cloned());
    let row = |(query, figures): (&String, &Vec<f64>)| {
        let figures = figures.iter().map(|figure| format!("{figure:.4}"));
        std::iter::once(output::tame(query)).chain(figures).collect()
    };
    let rows: Vec<Vec<String>> =
        std::iter::once(head.collect()).chain(figures.queries.iter().map(row)).collect();
    output::table_with_head(&rows)
}

/// What a reader of the figures should know.
fn warnings(figures: &Evaluation, qrels: &Qrels, run: Run) -> Vec<String> {
    let has = |names: &[&str]| {
        let of = |name: &String| find(name).is_some_and(|asked| names.contains(&asked.row.name));
        figures.measures.iter().any(of)
    };
    let accuracy = "accuracy says little: nearly every document is rightly left out, so that an \
                    engine that finds nothing (\"Snoogle\") is very accurate; look at precision and \
                    recall";
    let recall = "recall counts only judged documents; a pool misses relevant ones, so the true recall \
                  is lower";
    let unknown = run.queries().filter(|query| qrels.grades(query).len() == 0).count();
    let mut warnings = Vec::new();
    warnings.extend(has(&["SetAccuracy"]).then(|| accuracy.to_owned()));
    warnings.extend(has(&["R", "SetR"]).then(|| recall.to_owned()));
    if unknown > 0 {
        warnings.push(format!("{unknown} queries of the run were not judged and do not count"));
    }
    let name = if run.tag.is_empty() { "the run".to_owned() } else { output::tame(&run.tag) };
    let general = compare::warnings(qrels, &[(name, run)]);
    warnings.extend(general.iter().map(ToString::to_string));
    warnings
}
