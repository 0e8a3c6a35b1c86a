//! `cargo bench-fyke collect`: corpora of small languages by learnt queries, the experiments of 004
//! against a pool of documents in known languages that plays the web.
//!
//! `whole`: all documents of the language are there, a query gives up to 1,000 hits. `rare`: 1,000 of
//! them are, a query gives ten, and 1,000 queries may be sent. What is learnt from is what `fyke
//! language` says of a document; what is counted here is the truth.

mod agree;
mod filter;
mod pool;
mod speed;
mod tables;
mod trial;

use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, data};
use fyke_learn::capture::Samples;
use pool::LanguagePool;
use std::collections::HashSet;
use std::sync::Mutex;
use tables::{TrialCell, TrialSetting};
use trial::{TrialResult, TrialWeb};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "collect",
    what: "corpora of small languages by learnt queries, as in 004 (data: langpool)",
    options: &["data", "seeds", "pin"],
    run,
};

/// Every so many-th document is indexed by fyke itself, too.
const SAMPLED: usize = 50;
/// Runs of each setting, unless asked otherwise.
const SEEDS: u64 = 10;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let folder = data(args)?;
    let paths = [folder.join("langpool/pool.jsonl.gz"), folder.join("pool.jsonl.gz")];
    let path = paths.iter().find(|path| path.is_file());
    let path = path.ok_or_else(|| anyhow::anyhow!("no pool.jsonl.gz in {}", folder.display()))?;
    let mut pool = LanguagePool::read(path)?;
    let cells = tables::cells(&mut pool);
    let mut report = BenchReport::default();
    report.add("documents", pool.documents.len() as f64, "");
    filter::add(&mut report, &pool);
    let agreement = agree::measure(&pool, SAMPLED)?;
    report.add("queries_with_the_hits_of_fykes_index", agreement.same, "share");
    report.add("first_ten_hits_in_both", agreement.first_ten, "share");
    speed::add(&mut report, &pool)?;
    let seeds = args.seeds.unwrap_or(SEEDS);
    report.add("seeds", seeds as f64, "");
    let results = trials(&pool, &cells, seeds)?;
    sizes(&mut report, &cells, &results);
    for (cell, results) in cells.iter().zip(&results) {
        let query = results.first().filter(|_| cell.shows_query()).map(|one| one.last_query.trim());
        report.labels.push([&cell.label(), query.unwrap_or_default()].join(" ").trim().to_owned());
        report.series.push(row(cell, results));
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
                let result = trial::run(&web, &cell.start, cell.way(), setting.limits(), seed)?;
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
            cell.setting == TrialSetting::Rare && cell.name == name && cell.words.is_none()
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

/// The mean of values with the half width of its 95 % interval (Student's t).
fn mean(values: &[f64]) -> (f64, f64) {
    const T: [f64; 10] = [f64::NAN, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26];
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    let variance = values.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let t = T.get(values.len().saturating_sub(1)).copied().unwrap_or(2.0);
    (mean, t * (variance / count).sqrt())
}

fn row(cell: &TrialCell, results: &[TrialResult]) -> Vec<Figure> {
    let figure = |name, value| Figure { name, value, unit: "" };
    let values = |of: &dyn Fn(&TrialResult) -> f64| results.iter().map(of).collect::<Vec<f64>>();
    let (found, width) = mean(&values(&|one| one.right as f64));
    let share = |one: &TrialResult| one.right as f64 / one.documents.max(1) as f64;
    let (precision, precision_width) = mean(&values(&share));
    let said = mean(&values(&|one| one.said as f64)).0;
    vec![
        figure("found", found),
        figure("found_±", width),
        figure("precision", precision),
        figure("precision_±", precision_width),
        figure("by_filter", said),
        figure("documents", mean(&values(&|one| one.documents as f64)).0),
        figure("queries", mean(&values(&|one| one.queries as f64)).0),
        figure("at_1000_queries", mean(&values(&|one| one.after_queries(1_000))).0),
        figure("of_004", cell.paper),
    ]
}

#[cfg(test)]
mod tests {
    use super::mean;

    #[test]
    fn a_mean_has_its_interval() {
        let (found, width) = mean(&[1.0, 2.0, 3.0]);
        assert!((found - 2.0).abs() < 1e-9 && (width - 4.30 / 3_f64.sqrt()).abs() < 1e-9);
        assert!(mean(&[1.0]).1.is_nan());
    }
}
