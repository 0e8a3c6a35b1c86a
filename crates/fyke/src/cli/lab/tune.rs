//! `fyke lab tune`: weights of the ranking learnt from judgements, and what they gain on queries they
//! were not learnt from.

use super::compare::judged;
use super::topics;
use crate::cli::progress::Progress;
use crate::cli::{Exit, Failure, Global, opened, output, parallel};
use fyke_derive::FACTS;
use fyke_eval::significance::TESTS;
use fyke_eval::{Qrels, Run, evaluate};
use fyke_index::{Index, Ranker, trials, tune, weights};
use fyke_lab::judging::topic::plain;
use fyke_lab::judging::{Judging, LabTopic, merge};
use fyke_stages::search;
use std::path::{Path, PathBuf};

/// Documents of a topic that are looked at.
const DEPTH: usize = 1_000;

/// Learn ranking weights from judgements, with the gain by cross-validation
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab tune                                     the collection's own topics and judgements
  fyke lab tune --topics queries.tsv --qrels qrels  topics and judgements of a test collection
  fyke lab tune -m nDCG@10 --folds 10
  fyke search --ranker \"$(fyke lab tune --json | jq -r .ranker)\" tidal turbine

Changes one weight after another and keeps what improves the measure. The gain is measured by
cross-validation: the topics are split into folds, and each fold is searched with weights learned
from the others. Write the result into fyke.toml as ranker in [search].")]
pub(super) struct Args {
    /// File of topics [default: the topics of the collection]
    #[arg(long, value_name = "FILE", requires = "qrels")]
    topics: Option<PathBuf>,
    /// File of judgements [default: the judgements of the collection]
    #[arg(long, value_name = "FILE", requires = "topics")]
    qrels: Option<PathBuf>,
    /// Measure to improve
    #[arg(short, long, value_name = "NAME", default_value = "AP")]
    measure: String,
    /// Number of folds
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=20))]
    folds: u8,
    /// Only list the weights with their meanings and defaults
    #[arg(long)]
    list: bool,
}

/// What is learnt from.
struct Teacher<'a> {
    index: &'a Index,
    topics: Vec<LabTopic>,
    qrels: Qrels,
    measure: &'a str,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    if args.list {
        return list(global);
    }
    let root = opened::find(global)?;
    opened::settings(global, Some(&root))?;
    let dir = fyke_store::index_dir(&root);
    if !dir.is_dir() {
        return Err(Failure::usage("nothing is indexed here; fetch pages with: fyke crawl").into());
    }
    let index = search::index(&dir)?;
    let (topics, qrels) = judgements(args, &root)?;
    let teacher = Teacher { index: &index, topics, qrels, measure: &args.measure };
    let folds = usize::from(args.folds).min(teacher.topics.len());
    if folds < 2 {
        let what = "fewer than two judged topics teach nothing; judge more with: fyke lab judge";
        return Err(Failure::usage(what).into());
    }
    let standard = teacher.figures(&search::ranker("").map_err(anyhow::Error::msg)?, |_| true)?;
    let total = (folds + 1) * trials(&FACTS);
    let mut progress = Progress::start(global.quiet, "rankers tried", Some(total as u64));
    let mut held_out = vec![0.0; teacher.topics.len()];
    for fold in 0..folds {
        let taught = teacher.teach(|at| at % folds != fold, &mut progress, fold)?;
        for (at, figure) in teacher.figures(&taught, |at| at % folds == fold)? {
            held_out[at] = figure;
        }
    }
    let best = teacher.teach(|_| true, &mut progress, folds)?;
    progress.finish();
    let standard: Vec<f64> = standard.into_iter().map(|(_, figure)| figure).collect();
    tell(global, args, &best, (&standard, &held_out))?;
    Ok(Exit::Done)
}

fn list(global: &Global) -> anyhow::Result<Exit> {
    if global.json {
        let rows = weights(&FACTS).map(|(name, what, standard)| {
            serde_json::json!({ "name": name, "what": what, "standard": standard })
        });
        output::say_json(&rows.collect::<Vec<_>>())?;
        return Ok(Exit::Done);
    }
    let head = ["weight", "standard", "what"].map(str::to_owned).to_vec();
    let rows = weights(&FACTS)
        .map(|(name, what, standard)| vec![name.to_owned(), standard.to_string(), what.to_owned()]);
    let rows: Vec<_> = std::iter::once(head).chain(rows).collect();
    output::say(&output::table_with_head(&rows));
    Ok(Exit::Done)
}

fn judgements(args: &Args, root: &Path) -> anyhow::Result<(Vec<LabTopic>, Qrels)> {
    let (mut topics, qrels) = match (&args.topics, &args.qrels) {
        (Some(topics), Some(qrels)) => (topics::from_file(topics)?, judged(qrels)?),
        _ => {
            let judging = Judging::open(root)?;
            (judging.topics.account().list().to_vec(), majority(&judging))
        }
    };
    topics.retain(|topic| qrels.grades(&topic.id).len() > 0);
    Ok((topics, qrels))
}

/// The judgements of all judges as one.
fn majority(judging: &Judging) -> Qrels {
    let majority = merge::find("majority").expect("a row of the table");
    merge::merged(judging.log.account(), majority)
}

impl Teacher<'_> {
    /// The figure of each topic that is wanted, with its place.
    fn figures(
        &self,
        ranker: &Ranker,
        wanted: impl Fn(usize) -> bool,
    ) -> anyhow::Result<Vec<(usize, f64)>> {
        let places = (0..self.topics.len()).filter(|at| wanted(*at));
        let places: Vec<usize> = places.collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let work = |at: usize| {
            let query = self.index.query(&plain(&self.topics[at].query));
            self.index.ranking(&query, DEPTH, &ranker.weights)
        };
        let mut answers = Vec::new();
        parallel::in_order(places.iter().copied(), threads, work, |found| -> anyhow::Result<()> {
            answers.push(found?);
            Ok(())
        })?;
        let mut figures = Vec::new();
        for (at, found) in places.into_iter().zip(answers) {
            let id = &self.topics[at].id;
            let run = Run::from_iter(found.iter().map(|(name, score)| (id, name, *score)));
            let judged: Qrels =
                self.qrels.grades(id).map(|(name, grade)| (id, name, grade)).collect();
            let evaluation = evaluate(&judged, &run, &[self.measure]);
            let evaluation = evaluation.map_err(|error| Failure::usage(error.to_string()))?;
            figures.push((at, evaluation.figures(0).first().copied().unwrap_or(0.0)));
        }
        Ok(figures)
    }

    /// The weights that the wanted topics teach.
    fn teach(
        &self,
        wanted: impl Fn(usize) -> bool,
        progress: &mut Progress,
        fold: usize,
    ) -> anyhow::Result<Ranker> {
        let (mut trouble, mut done) = (None, fold * trials(&FACTS));
        let best = tune(&FACTS, &mut |ranker| {
            done += 1;
            progress.at(done as u64, "");
            match self.figures(ranker, &wanted) {
                Ok(figures) => {
                    let sum: f64 = figures.iter().map(|(_, figure)| figure).sum();
                    Some(sum / figures.len().max(1) as f64)
                }
                Err(error) => {
                    trouble = Some(error);
                    None
                }
            }
        });
        trouble.map_or(Ok(best), Err)
    }
}

fn tell(
    global: &Global,
    args: &Args,
    best: &Ranker,
    (standard, held_out): (&[f64], &[f64]),
) -> anyhow::Result<()> {
    let mean = fyke_eval::significance::mean;
    let differences: Vec<f64> = held_out.iter().zip(standard).map(|(a, b)| a - b).collect();
    let p = (TESTS[0].compute)(&differences, 1);
    let (before, after) = (mean(standard), mean(held_out));
    if global.json {
        return output::say_json(&serde_json::json!({
            "measure": args.measure, "topics": standard.len(), "folds": args.folds,
            "standard": before, "held_out": after, "p": p, "ranker": best.name,
        }));
    }
    let measure = &args.measure;
    let luck = p.map_or(String::new(), |p| format!(" (p {p:.3})"));
    output::say(&format!(
        "{measure} of {} topics: {before:.4} by the standard weights, {after:.4} by weights learnt \
         from other topics{luck}",
        standard.len()
    ));
    if best.name.is_empty() {
        output::say("no other weights are better; leave them as they are");
        return Ok(());
    }
    output::say(&format!("learnt from all topics: {}", best.name));
    output::note(
        global.quiet,
        match after > before {
            true => "to search by them, set in fyke.toml: [search] ranker = \"…\"",
            false => {
                "they do not help with other queries: the standard weights are the better choice"
            }
        },
    );
    Ok(())
}
