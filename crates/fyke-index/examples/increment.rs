//! What it costs to add 100 documents to an index of many and to search them: CPU time of writing and
//! of the first search after it and of the next, as means over some rounds (merges of small segments
//! among them).
//! `cargo run --release -p fyke-index --example increment -- 1000 10000 100000`

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement")]

use fyke_index::{Entry, Index, Query, SearchOptions};
use std::time::Instant;

const ROUNDS: u64 = 40;
const WORDS: u64 = 200;
const VOCABULARY: u64 = 50_000;

/// The next number of a sequence that looks random.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// A text in which few words are frequent and many rare.
fn text(seed: u64, words: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    let word = |_| {
        let share = (next(&mut state) % 1_000_000) as f64 / 1e6;
        format!("w{} ", (share.powi(4) * VOCABULARY as f64) as u64)
    };
    (0..words).map(word).collect()
}

fn put(writer: &mut fyke_index::DocumentWriter, id: u64, version: u64) {
    let (title, body) = (text(id, 5), text(id + version, WORDS));
    let (url, host) = (format!("http://h{}.test/{id}", id % 500), format!("h{}.test", id % 500));
    let language = ["en", "de", "fr"][(id % 3) as usize];
    let date = Some(15_000 + (id % 4_000) as i64);
    let (url, host, title, body) = (&*url, &*host, &*title, &*body);
    let entry = Entry { id, url, host, title, body, language, date, ..Entry::default() };
    writer.put(&entry).unwrap();
}

/// CPU time of all threads so far, in milliseconds.
fn cpu() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    10 * (fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap())
}

fn measure(documents: u64) {
    let dir = std::env::temp_dir().join(format!("increment-{documents}-{}", std::process::id()));
    let index = Index::open(&dir).unwrap();
    let mut writer = index.writer().unwrap();
    (0..documents).for_each(|id| put(&mut writer, id, 0));
    writer.commit("").unwrap();
    drop(writer);
    let query = Query::parse("w1200 w7");
    let search = || index.search(&query, &SearchOptions::default()).unwrap().total;
    let found = search();
    let (mut writing, mut first, mut next, mut slowest) = (0, 0, 0, 0.0_f64);
    for round in 0..ROUNDS {
        let (start, began) = (cpu(), Instant::now());
        // Opened anew each time, as between two rounds of a crawl.
        let mut writer = Index::open(&dir).unwrap().writer().unwrap();
        (0..90).for_each(|at| put(&mut writer, documents + 90 * round + at, 0));
        (0..10).for_each(|at| put(&mut writer, (round * 10 + at) * 7 % documents, 1));
        writer.commit("").unwrap();
        drop(writer);
        writing += cpu() - start;
        let start = cpu();
        assert!(search() + 100 > found);
        first += cpu() - start;
        slowest = slowest.max(began.elapsed().as_secs_f64());
        let start = cpu();
        search();
        next += cpu() - start;
    }
    let mean = |sum: u64| sum as f64 / ROUNDS as f64;
    let (writing, first, next) = (mean(writing), mean(first), mean(next));
    println!(
        "{documents:>8} documents: 100 more cost {writing:.1} ms CPU to write, {first:.1} ms to \
         search first, {next:.1} ms then; the slowest round took {slowest:.3} s"
    );
    std::fs::remove_dir_all(dir).unwrap();
}

fn main() {
    for size in std::env::args().skip(1) {
        measure(size.parse().unwrap());
    }
}
