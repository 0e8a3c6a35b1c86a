//! Measures the ledger: `cargo run --release -p fyke-store --example seen -- FOLDER URLS`. The folder
//! must not exist; it is left behind, to be looked at and measured again without URLS.

#![allow(clippy::print_stdout, reason = "its figures are its result")]

use fyke_store::{Collection, Reason, Row, StoreError};
use fyke_web::{Url, UrlId};
use std::path::Path;
use std::time::Instant;

/// URLs found between two syncs.
const ROUND: u64 = 50_000;
/// Lookups of each kind.
const LOOKUPS: u64 = 1_000_000;

fn url(n: u64) -> String {
    format!("http://host{}.example.test/section/{}/page-{n}.html", n % 9973, n % 127)
}

fn id(n: u64) -> UrlId {
    Url::parse(&url(n)).map_or(UrlId(n), |url| url.id())
}

fn row(n: u64) -> Row {
    Row {
        parent: Some(UrlId(n.wrapping_mul(0x9E37_79B9_7F4A_7C15))),
        depth: (n % 12) as u16,
        priority: 3,
        ..Row::new(&url(n), Reason::Queued, 1_795_000_000_000 + n as i64)
    }
}

/// CPU time of all threads of this process, in seconds; it moves in steps of a hundredth.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Runs a step and says what one of its `n` parts cost.
fn measure<T>(name: &str, n: u64, step: impl FnOnce() -> Result<T, StoreError>) -> T {
    let (start, before) = (Instant::now(), cpu());
    let result = step().expect("the store works");
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu() - before);
    let each = |seconds: f64| seconds * 1e6 / n as f64;
    let (cpu_each, wall_each) = (each(cpu), each(wall));
    println!(
        "{name:34} {n:>10} × {cpu_each:9.3} µs CPU {wall_each:9.3} µs wall; {wall:7.3} s; {} MB resident",
        resident()
    );
    result
}

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().expect("a folder as first argument");
    let root = Path::new(&folder);
    if let Some(urls) = args.next().and_then(|n| n.parse().ok()) {
        std::fs::create_dir(root).expect("a folder that does not exist");
        std::fs::write(root.join("fyke.toml"), "").expect("a folder that can be written");
        fill(root, urls);
    }
    look(root);
}

fn fill(root: &Path, urls: u64) {
    let collection = Collection::open(root).expect("a new collection");
    let rounds: Vec<u64> = (0..urls).step_by(ROUND as usize).collect();
    let prepare = |start: u64| {
        let end = urls.min(start + ROUND);
        (start..end).map(|n| (id(n), row(n))).collect::<Vec<_>>()
    };
    measure("make URLs, to be taken off", urls, || {
        rounds.iter().for_each(|&start| drop(std::hint::black_box(prepare(start))));
        Ok(())
    });
    measure("make and find new URLs", urls, || {
        for &start in &rounds {
            for (id, row) in prepare(start) {
                collection.ledger.find(id, &row)?;
            }
            collection.sync()?;
        }
        Ok(())
    });
}

fn look(root: &Path) {
    let collection = measure("open", 1, || Collection::open(root));
    let known = collection.ledger.len();
    measure("first get", 1, || collection.ledger.get(id(known / 2)));
    drop(collection);
    let collection = measure("open again, and get", 1, || {
        let collection = Collection::open(root)?;
        collection.ledger.get(id(known / 3))?;
        Ok(collection)
    });
    let ids = |from: u64, step: u64| (0..LOOKUPS).map(move |n| id(from + n * step));
    let step = (known / LOOKUPS).max(1);
    measure("make ids, to be taken off", LOOKUPS, || {
        assert_eq!(ids(0, step).map(std::hint::black_box).count() as u64, LOOKUPS);
        Ok(())
    });
    for (name, from, step) in [("known", 0, step), ("unknown", known, 1)] {
        let count = measure(&format!("is_known of {name} URLs"), LOOKUPS, || {
            let mut count = 0;
            for id in ids(from, step) {
                count += u64::from(collection.ledger.known(id)? != fyke_store::Known::No);
            }
            Ok(count)
        });
        println!("{:34} {count:>10} known", "");
    }
    measure("get", LOOKUPS / 10, || {
        for n in 0..LOOKUPS / 10 {
            collection.ledger.get(id(n * step))?;
        }
        Ok(())
    });
    measure("queued", known, || {
        let mut count = 0;
        for found in collection.ledger.queued() {
            found?;
            count += 1;
        }
        assert_eq!(count, collection.ledger.counts()?[&Reason::Queued]);
        Ok(())
    });
    let bytes = |dir: &str| {
        let files = std::fs::read_dir(root.join(dir)).expect("a folder");
        files.filter_map(|f| f.ok()?.metadata().ok()).map(|m| m.len()).sum::<u64>() as f64
    };
    let (log, sieve) = (bytes("ledger/log"), bytes("ledger/urls"));
    let each = |bytes: f64| bytes / known as f64;
    println!("bytes a URL: log {:.1}, sieve {:.1}", each(log), each(sieve));
}
