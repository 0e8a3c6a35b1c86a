//! `fyke lab tune`: weights of the ranking learnt from judgements, and what they gain on queries they
//! were not learnt from.

use super::compare::judged;
use super::topics;
use crate::cli::progress::Progress;
use crate::cli::{Exit, Failure, Global, opened, output, stop};
use fyke_derive::FACTS;
use fyke_eval::significance::TESTS;
use fyke_eval::{Qrels, QrelsLine, Run, evaluate};
use fyke_index::{Index, Ranker, Rehearsal, StandardWeight, trials, tune, weights};
use fyke_lab::judging::topic::plain;
use fyke_lab::judging::{Judging, LabTopic, merge};
use fyke_stages::search;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Documents of a topic that are looked at.
const DEPTH: usize = 1_000;

/// Learn ranking weights from judgements, with the gain by cross-validation
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab tune                                     the collection's own queries and judgements
  fyke lab tune --queries asked.tsv --qrels qrels   queries and judgements of a test collection
  fyke lab tune -m nDCG@10 --folds 10
  fyke search --ranker \"$(fyke lab tune --json | jq -r .ranker)\" tidal turbine

Changes one weight after another and keeps what improves the measure. The gain is measured by
cross-validation: the topics are split into folds, and each fold is searched with weights learned
from the others. Weights are tried on the 1,000 best documents of each topic; the figures shown are
of whole searches. Ctrl-C ends it with the best weights so far. Write the result into fyke.toml as
ranker in [search].")]
pub(super) struct Args {
    /// File of queries [default: those of the collection's information needs]
    #[arg(long = "queries", alias = "topics", value_name = "FILE", requires = "qrels")]
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
    topics: Vec<TaughtTopic>,
    measure: &'a str,
    /// Whether somebody wants it to end.
    is_stopped: Arc<AtomicBool>,
}

/// A topic with what was judged for it, and what ranking for it takes.
struct TaughtTopic {
    query: String,
    judged: Qrels,
    rehearsal: Mutex<Rehearsal>,
}

/// The figures of topics that are not learnt from.
struct HeldOut {
    standard: Vec<f64>,
    /// By weights that the other topics taught; none where the learning was stopped before.
    taught: Option<Vec<f64>>,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    if args.list {
        return list(global);
    }
    let root = opened::find(global)?;
    let config = opened::settings(global, Some(&root))?.config;
    let dir = fyke_store::index_dir(&root);
    if !dir.is_dir() {
        return Err(Failure::usage("nothing is indexed here; fetch pages with: fyke crawl").into());
    }
    let index = search::index(&root, &config)?;
    let (topics, qrels) = judgements(args, &root)?;
    let folds = usize::from(args.folds).min(topics.len());
    if folds < 2 {
        let what = "fewer than two judged topics teach nothing; judge more with: fyke lab judge";
        return Err(Failure::usage(what).into());
    }
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_all().build()?;
    let is_stopped = Arc::new(AtomicBool::new(false));
    runtime.spawn(listen(Arc::clone(&is_stopped)));
    let (index, measure) = (&index, args.measure.as_str());
    let topics = taught_topics(index, &topics, &qrels)?;
    let teacher = Teacher { index, topics, measure, is_stopped };
    let standard = search::ranker("").map_err(anyhow::Error::msg)?;
    let standard = teacher.figures(&standard, |_| true)?;
    let total = ((folds + 1) * trials(&FACTS)) as u64;
    let mut progress = Progress::start(global.quiet, "rankers tried", Some(total));
    let best = teacher.teach(|_| true, &mut progress, 0)?;
    let taught = teacher.by_others(folds, &mut progress)?;
    progress.finish();
    let standard = standard.into_iter().map(|(_, figure)| figure).collect();
    tell(global, args, &best, &HeldOut { standard, taught })?;
    // Nothing listens any longer: the next Ctrl-C is the terminal's.
    runtime.shutdown_background();
    Ok(Exit::Done)
}

/// Notes a Ctrl-C; the second ends the process.
async fn listen(is_stopped: Arc<AtomicBool>) {
    while stop::asked().await.is_ok() {
        if is_stopped.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Exit::Stopped.code()));
        }
        output::note(false, "stopping with the best weights so far (Ctrl-C again ends at once)");
    }
}

/// Reads what ranking takes, for every topic.
fn taught_topics(
    index: &Index,
    topics: &[LabTopic],
    qrels: &Qrels,
) -> anyhow::Result<Vec<TaughtTopic>> {
    let read = |topic: &LabTopic| {
        let (id, query) = (&topic.id, plain(&topic.query));
        let line = |(document, grade)| QrelsLine { query: id, document, grade };
        let judged = qrels.grades(id).map(line).collect();
        let rehearsal = Mutex::new(index.rehearsal(&index.query(&query), DEPTH)?);
        Ok(TaughtTopic { query, judged, rehearsal })
    };
    topics.par_iter().map(read).collect()
}

fn list(global: &Global) -> anyhow::Result<Exit> {
    if global.json {
        let rows = weights(&FACTS).map(|StandardWeight { name, what, standard }| {
            serde_json::json!({ "name": name, "what": what, "standard": standard })
        });
        output::say_json(&rows.collect::<Vec<_>>())?;
        return Ok(Exit::Done);
    }
    let head = ["weight", "standard", "what"].map(str::to_owned).to_vec();
    let row = |of: StandardWeight| vec![of.name.into(), of.standard.to_string(), of.what.into()];
    let rows = weights(&FACTS).map(row);
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

impl TaughtTopic {
    /// The figure of a ranking.
    fn figure(&self, found: &[(&str, f32)], measure: &str) -> anyhow::Result<f64> {
        let id = self.judged.queries().next().unwrap_or_default();
        let mut run = Run::default();
        for (name, score) in found {
            run.insert(id, name, *score);
        }
        let evaluation = evaluate(&self.judged, &run, &[measure]);
        let evaluation = evaluation.map_err(|error| Failure::usage(error.to_string()))?;
        Ok(evaluation.figures(0).first().copied().unwrap_or(0.0))
    }
}

impl Teacher<'_> {
    fn wanted(&self, wanted: impl Fn(usize) -> bool) -> Vec<(usize, &TaughtTopic)> {
        self.topics.iter().enumerate().filter(|(at, _)| wanted(*at)).collect()
    }

    /// The figure of each topic that is wanted, with its place, by a whole search.
    fn figures(
        &self,
        ranker: &Ranker,
        wanted: impl Fn(usize) -> bool,
    ) -> anyhow::Result<Vec<(usize, f64)>> {
        let figure = |(at, topic): &(usize, &TaughtTopic)| {
            let query = self.index.query(&topic.query);
            let found = self.index.ranking(&query, DEPTH, &ranker.weights)?;
            let found: Vec<_> = found.iter().map(|(name, score)| (name.as_str(), *score)).collect();
            Ok((*at, topic.figure(&found, self.measure)?))
        };
        self.wanted(wanted).par_iter().map(figure).collect()
    }

    /// The mean of topics over what was read of them before.
    fn rehearsed(&self, ranker: &Ranker, topics: &[(usize, &TaughtTopic)]) -> anyhow::Result<f64> {
        let figure = |(_, topic): &(usize, &TaughtTopic)| {
            let mut rehearsal = topic.rehearsal.lock().unwrap_or_else(PoisonError::into_inner);
            topic.figure(&rehearsal.ranking(&ranker.weights)?, self.measure)
        };
        let figures = topics.par_iter().map(figure).collect::<anyhow::Result<Vec<f64>>>()?;
        Ok(figures.iter().sum::<f64>() / figures.len().max(1) as f64)
    }

    /// The weights that the wanted topics teach; stopped, the best so far.
    fn teach(
        &self,
        wanted: impl Fn(usize) -> bool,
        progress: &mut Progress,
        fold: usize,
    ) -> anyhow::Result<Ranker> {
        let topics = self.wanted(wanted);
        let (mut trouble, mut done) = (None, fold * trials(&FACTS));
        let best = tune(&FACTS, &mut |ranker| {
            done += 1;
            progress.at(done as u64, "");
            if self.is_stopped.load(Ordering::Relaxed) {
                return None;
            }
            self.rehearsed(ranker, &topics).map_err(|error| trouble = Some(error)).ok()
        });
        trouble.map_or(Ok(best), Err)
    }

    /// The figure of each topic by weights that topics of other folds taught; none when it was stopped.
    fn by_others(&self, folds: usize, progress: &mut Progress) -> anyhow::Result<Option<Vec<f64>>> {
        let mut held_out = vec![0.0; self.topics.len()];
        for fold in 0..folds {
            let taught = self.teach(|at| at % folds != fold, progress, fold + 1)?;
            if self.is_stopped.load(Ordering::Relaxed) {
                return Ok(None);
            }
            for (at, figure) in self.figures(&taught, |at| at % folds == fold)? {
                held_out[at] = figure;
            }
        }
        Ok(Some(held_out))
    }
}

fn tell(global: &Global, args: &Args, best: &Ranker, figures: &HeldOut) -> anyhow::Result<()> {
    let mean = fyke_eval::significance::mean;
    let HeldOut { standard, taught } = figures;
    let (before, after) = (mean(standard), taught.as_ref().map(|taught| mean(taught)));
    let p = taught.as_ref().and_then(|taught| {
        let differences: Vec<f64> = taught.iter().zip(standard).map(|(a, b)| a - b).collect();
        (TESTS[0].compute)(&differences, 1)
    });
    if global.json {
        return output::say_json(&serde_json::json!({
            "measure": args.measure, "topics": standard.len(), "folds": args.folds,
            "standard": before, "held_out": after, "p": p, "ranker": best.name,
        }));
    }
    let measure = &args.measure;
    let luck = p.map_or(String::new(), |p| format!(" (p {p:.3})"));
    let learnt = after.map_or_else(
        || "; stopped before weights were tried on other topics".to_owned(),
        |after| format!(", {after:.4} by weights learnt from other topics{luck}"),
    );
    let topics = standard.len();
    output::say(&format!(
        "{measure} of {topics} topics: {before:.4} by the standard weights{learnt}"
    ));
    if best.name.is_empty() {
        output::say("no other weights are better; leave them as they are");
        return Ok(());
    }
    output::say(&format!("learnt from all topics: {}", best.name));
    let advice = match after {
        None => "what they gain with other queries was not measured",
        Some(after) if after > before => {
            "to search by them, set in fyke.toml: [search] ranker = \"…\""
        }
        Some(_) => {
            "they do not help with other queries: the standard weights are the better choice"
        }
    };
    output::note(global.quiet, advice);
    Ok(())
}
