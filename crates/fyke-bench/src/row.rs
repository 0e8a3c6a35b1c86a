//! `cargo bench-fyke row`: how long the row of one URL takes to read, as `fyke row` does, among very many. Every URL
//! has a row in the ledger, a rank, what it says of its use, and the anchor texts of two others.

use super::machine::{cpu_time, disk};
use super::report::BenchReport;

use super::{Args, Benchmark};
use fyke_derive::page::anchors::{ANCHORS, AnchorText};
use fyke_derive::page::rights::RIGHTS;
use fyke_derive::whole::graph::RANKS;
use fyke_eval::random::Random;
use fyke_store::{Collection, Reason, Round, Row};
use fyke_web::{Rights, Url};
use std::time::{Duration, Instant};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "row",
    what: "the row of a URL with its cells, read from a collection of many: the first and those after it",
    options: &["urls"],
    run,
};

const URLS: u64 = 1_000_000;
/// URLs of one commit.
const COMMIT: u64 = 100_000;
/// Rows that are read.
const READ: usize = 10_000;
/// Cells of a row.
const CELLS: usize = 4;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let urls = args.urls.unwrap_or(URLS);
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), "")?;
    let before = cpu_time("self")?;
    let collection = Collection::open(folder.path())?;
    for from in (0..urls).step_by(COMMIT as usize) {
        add(&collection, from..urls.min(from + COMMIT), urls)?;
    }
    collection.settle()?;
    drop(collection);
    let mut report = BenchReport::default();
    report.add("urls", urls as f64, "");
    let spent = cpu_time("self")?.saturating_sub(before);
    report.add("made_cpu_us_per_url", spent.as_secs_f64() * 1e6 / urls as f64, "µs");
    read(folder.path(), urls, &mut report)?;
    report.add("disk_bytes_per_url", disk(folder.path()) as f64 / urls as f64, "bytes");
    Ok(report)
}

/// Reads rows here and there, as a reader that has just been opened.
fn read(folder: &std::path::Path, urls: u64, report: &mut BenchReport) -> anyhow::Result<()> {
    let start = Instant::now();
    let view = Collection::reader(folder)?.view();
    report.add("opened_us", micros(start.elapsed()), "µs");
    let mut random = Random::new(7);
    let mut times = Vec::with_capacity(READ);
    let cpu = cpu_time("self")?;
    for _ in 0..READ {
        let id = url(random.bits() % urls)?.id();
        let start = Instant::now();
        let row = fyke_derive::row(&view, id, None)?;
        times.push(start.elapsed());
        let cells = row.map_or(0, |row| row.cells.len());
        anyhow::ensure!(cells == CELLS, "a row of {cells} cells");
    }
    let cpu = cpu_time("self")?.saturating_sub(cpu);
    report.add("rows_read", READ as f64, "");
    report.add("first_us", micros(times[0]), "µs");
    times.sort_unstable();
    report.add("median_us", micros(times[READ / 2]), "µs");
    report.add("of_100_the_slowest_us", micros(times[READ * 99 / 100]), "µs");
    report.add("cpu_us", micros(cpu) / READ as f64, "µs");
    Ok(())
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn url(number: u64) -> anyhow::Result<Url> {
    let url = format!("http://host{}.test/page/{number}.html", number % 1_000);
    Url::parse(&url).map_err(|why| anyhow::anyhow!("{url}: {why}"))
}

fn add(collection: &Collection, numbers: std::ops::Range<u64>, urls: u64) -> anyhow::Result<()> {
    let time = 1_790_000_000_000;
    let (mut round, mut batch) = (Round::default(), collection.cells.batch(time));
    for number in numbers {
        let url = url(number)?;
        let id = url.id();
        round.rows.push((id, Row::new(url.as_str(), Reason::Queued, time)));
        batch.put(&RANKS, id, &(1.0 / (number + 1) as f64));
        batch.put(&RIGHTS, id, &Rights { media_type: "text/html".into(), ..Rights::default() });
        for step in [1, 2] {
            let text = format!("page {number}");
            let source = self::url((number + step) % urls)?.id();
            batch.put_in(&ANCHORS, id, source.0, &AnchorText { text, site: number % 1_000 });
        }
    }
    collection.commit(round)?;
    collection.cells.publish(batch)?;
    Ok(())
}
