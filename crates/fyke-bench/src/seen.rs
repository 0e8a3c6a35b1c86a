//! `cargo bench-fyke seen`: the set of known URLs as a crawl uses it, until it holds very many.
//!
//! Of ten questions eight are for URLs that are known, recent ones far more often than old ones, and
//! two for new ones, which are then put in.

use super::machine::{cpu_time, disk};
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark};
use fyke_eval::random::Random;
use fyke_store::{Sieve, SieveOptions, StoreError};
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "seen",
    what: "the set of known URLs: look-ups a CPU-second, memory and disk for a URL as it grows",
    options: &["urls", "pin"],
    run,
};

const URLS: u64 = 10_000_000;
/// Look-ups of known URLs for every new one.
const KNOWN: u64 = 4;
/// The first size that is reported; then every tenfold.
const FIRST: u64 = 10_000;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let urls = args.urls.unwrap_or(URLS);
    let folder = tempfile::tempdir()?;
    let sieve = Sieve::open(folder.path(), SieveOptions::default())?;
    let mut report = BenchReport::default();
    let (mut from, mut chance) = (0, Random::new(1));
    for size in sizes(urls) {
        let before = cpu_time("self")?;
        let wrong = grow(&sieve, from..size, &mut chance)?;
        sieve.flush()?;
        let cpu = cpu_time("self")?.saturating_sub(before);
        report.series.push(row(&sieve, size, (size - from) * (KNOWN + 1), cpu));
        report.add("wrong_answers", wrong as f64, "");
        from = size;
    }
    report.figures.dedup();
    report.add("urls", sieve.len() as f64, "");
    report.add("disk_bytes", disk(folder.path()) as f64, "bytes");
    Ok(report)
}

/// Every power of ten, and the last whatever it is.
fn sizes(urls: u64) -> Vec<u64> {
    let powers = std::iter::successors(Some(FIRST), |size| size.checked_mul(10));
    powers.take_while(|size| *size < urls).chain([urls]).collect()
}

fn row(sieve: &Sieve, size: u64, lookups: u64, cpu: Duration) -> Vec<Figure> {
    let figure = |name, value| Figure { name, value, unit: "" };
    let each = size as f64;
    vec![
        figure("urls", each),
        figure("look_ups_per_cpu_second", lookups as f64 / cpu.as_secs_f64().max(0.01)),
        figure("ram_bytes_per_url", sieve.memory() as f64 / each),
        figure("disk_bytes_per_url", sieve.disk() as f64 / each),
    ]
}

/// Puts these URLs in, among questions for known ones. How many answers were wrong.
fn grow(sieve: &Sieve, urls: std::ops::Range<u64>, chance: &mut Random) -> Result<u64, StoreError> {
    let mut wrong = 0;
    for new in urls {
        wrong += u64::from(sieve.insert(key(new), new)?.is_some());
        for _ in 0..KNOWN {
            wrong += u64::from(!sieve.contains(key(new - back(chance, new)))?);
        }
    }
    Ok(wrong)
}

/// How far back a known URL was found: a step twice as far is half as likely.
fn back(random: &mut Random, newest: u64) -> u64 {
    let bits = random.bits();
    let octaves = u64::from(64 - (newest + 1).leading_zeros());
    let octave = (bits >> 33) % octaves;
    ((1 << octave) - 1 + ((bits >> 13) & ((1 << octave) - 1))).min(newest)
}

/// As the hash of a URL: spread evenly.
fn key(number: u64) -> u64 {
    Random::new(number).bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_ten_and_the_last() {
        assert_eq!(sizes(2_000_000), [10_000, 100_000, 1_000_000, 2_000_000]);
        assert_eq!(sizes(500), [500]);
        assert_eq!(sizes(100_000), [10_000, 100_000]);
    }

    #[test]
    fn steps_back_stay_among_known_urls_and_are_mostly_short() {
        let mut chance = Random::new(1);
        for newest in 0..200 {
            assert!(back(&mut chance, newest) <= newest);
        }
        let short = (0..1000).filter(|_| back(&mut chance, 1 << 20) < 1024).count();
        assert!((300..700).contains(&short), "{short}");
    }
}
