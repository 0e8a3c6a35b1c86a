//! `cargo bench-fyke collect`: corpora of small languages by learnt queries, the experiments of 004
//! against a pool of documents in known languages that plays the web.
//!
//! `whole` and `lengths`: all documents of the language are there, a query gives up to 1,000 hits. `rare`: 1,000 of
//! them are, a query gives ten, and 1,000 queries may be sent. What is learnt from is what the filter of `fyke
//! collect` says of a document; what is counted here is the truth. `--part` runs a part.

mod agree;
mod filter;
mod like;
mod paper;
mod pool;
mod row;
mod speed;
mod tables;
mod trial;

use super::report::BenchReport;
use super::{Args, Benchmark, Failure, data};
use fyke_learn::capture::Samples;
use pool::LanguagePool;
use std::collections::HashSet;
use std::sync::Mutex;
use tables::{PARTS, TrialCell, TrialSetting};
use trial::{TrialResult, TrialWeb};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "collect",
    what: "corpora of small languages by learnt queries, as in 004 (data: langpool)",
    options: &["data", "part", "seeds", "pin"],
    run,
};

/// Every so many-th document is indexed by fyke itself, too.
const SAMPLED: usize = 50;
/// The part without runs: filter, engine, CPU time.
const FILTER: &str = "filter";
/// Runs of each setting, unless asked otherwise.
const SEEDS: u64 = 3;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let part = args.part.as_deref();
    let names = || PARTS.iter().map(|part| part.name).chain([FILTER]);
    if let Some(part) = part.filter(|part| !names().any(|name| name == *part)) {
        let parts = names().collect::<Vec<_>>().join(", ");
        return Err(Failure::usage(format!("no part {part:?}; there are {parts}")).into());
    }
    let folder = data(args)?;
    let paths = [folder.join("langpool/pool.jsonl.gz"), folder.join("pool.jsonl.gz")];
    let path = paths.iter().find(|path| path.is_file());
    let path = path.ok_or_else(|| anyhow::anyhow!("no pool.jsonl.gz in {}", folder.display()))?;
    let mut pool = LanguagePool::read(path)?;
    let mut report = BenchReport::default();
    report.add("documents", pool.documents.len() as f64, "");
    if part.is_none_or(|part| part == FILTER) {
        filter::add(&mut report, &pool);
        let agreement = agree::measure(&pool, SAMPLED)?;
        report.add("queries_with_the_hits_of_fykes_index", agreement.same, "share");
        report.add("first_ten_hits_in_both", agreement.first_ten, "share");
        speed::add(&mut report, &pool)?;
    }
    let seeds = args.seeds.unwrap_or(SEEDS);
    report.add("seeds", seeds as f64, "");
    for row in PARTS.iter().filter(|row| part.is_none_or(|part| part == row.name)) {
        let cells = (row.cells)(&mut pool);
        eprintln!("{}, {}: {} runs", row.name, row.what, cells.len() as u64 * seeds);
        let results = trials(&pool, &cells, seeds)?;
        if row.name == "learners" {
            sizes(&mut report, &cells, &results);
        }
        for (cell, results) in cells.iter().zip(&results) {
            row::add(&mut report, cell, results);
        }
    }
    Ok(report)
}

/// Runs every cell with every seed, on all cores.
fn trials(
    pool: &LanguagePool,
    cells: &[TrialCell],
    seeds: u64,
) -> anyhow::Result<Vec<Vec<TrialResult>>> {
    let mut jobs: Vec<(u64, &str, TrialSetting)> = Vec::new();
    for cell in cells {
        for seed in 1..=seeds {
            let job = (seed, cell.lang, cell.setting);
            if !jobs.contains(&job) {
                jobs.push(job);
            }
        }
    }
    let left = Mutex::new(jobs.into_iter());
    let done = Mutex::new(vec![Vec::new(); cells.len()]);
    let work = || -> anyhow::Result<()> {
        loop {
            let Some((seed, lang, setting)) = left.lock().expect("a lock").next() else {
                return Ok(());
            };
            let web = TrialWeb::new(pool, lang, setting.targets(), seed + 100);
            let fits = |cell: &TrialCell| cell.lang == lang && cell.setting == setting;
            for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| fits(cell)) {
                let result = trial::run(&web, cell, seed)?;
                done.lock().expect("a lock")[at].push((seed, result));
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|one| one.join().expect("a worker"))
    })?;
    let mut done = done.into_inner().expect("a lock");
    done.iter_mut().for_each(|cell| cell.sort_by_key(|one| one.0));
    let results = |cell: Vec<(u64, TrialResult)>| cell.into_iter().map(|one| one.1).collect();
    Ok(done.into_iter().map(results).collect())
}

/// How often capture–recapture of two runs from different documents holds the truth: the 1,000
/// documents of a rare language. The web of two runs is the same for the same language and seed.
fn sizes(report: &mut BenchReport, cells: &[TrialCell], results: &[Vec<TrialResult>]) {
    let (mut said, mut held) = (0.0, 0.0);
    let of = |name: &str| {
        let pick = cells.iter().zip(results).filter(move |(cell, _)| {
            cell.setting == TrialSetting::Rare && cell.name == name && cell.begun.is_empty()
        });
        pick.map(|(cell, results)| (cell.lang, results)).collect::<Vec<_>>()
    };
    for ((_, first), (_, second)) in of("bandit").into_iter().zip(of("OR-1")) {
        for (first, second) in first.iter().zip(second) {
            let both = first.found.intersection(&second.found).count();
            let [first, second] = [&first.found, &second.found].map(HashSet::len);
            let [first, second, both] = [first, second, both].map(|n| n as u64);
            if let Ok(estimate) = (Samples { first, second, both }).by_queries() {
                said += 1.0;
                let (least, most) = estimate.interval;
                held += f64::from(u8::from(least <= 1_000.0 && 1_000.0 <= most));
            }
        }
    }
    report.add("estimates_of_the_size", said, "");
    report.add("estimates_that_hold_the_truth", held / f64::max(said, 1.0), "share");
}
