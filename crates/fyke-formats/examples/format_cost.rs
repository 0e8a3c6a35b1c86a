//! What files cost: CPU seconds, and bytes of markup that come out. Without arguments for the hostile files of the
//! tests at full size (10 MB unpacked), the dearest first; else for the files named.
//! `cargo run --release -p fyke-formats --example format_cost [FILE…]`

#[path = "../tests/it/hostile.rs"]
mod hostile;
#[path = "../tests/it/samples.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod samples;

use fyke_formats::{FORMATS, Source, detect, extension};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::time::Instant;

const SIZE: usize = 10_000_000;

/// Seconds that this thread has worked; where the system does not say, that have passed.
fn seconds(begin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split(' ').next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// A line about one file, by what it costs.
fn cost(format: &str, what: &str, bytes: &[u8]) -> (f64, String) {
    let Some(row) = FORMATS.iter().find(|row| row.name == format) else {
        return (0.0, format!("{what}: no known format"));
    };
    let begin = Instant::now();
    let before = seconds(begin);
    let found = row.convert(&Source { bytes, content_type: None, extension: "" });
    let spent = seconds(begin) - before;
    let mut hash = DefaultHasher::new();
    (&found.markup, &found.title, &found.author, &found.date).hash(&mut hash);
    let (length, made, hash) = (bytes.len(), found.markup.len(), hash.finish());
    let line =
        format!("{spent:.3} s  {format} {length} → {made} {hash:016x} {what} {}", found.trouble);
    (spent, line)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    let names: Vec<String> = std::env::args().skip(1).collect();
    let mut lines = Vec::new();
    for name in &names {
        let bytes = std::fs::read(name)?;
        let format = detect(&bytes, None, &extension(name)).map_or("", |row| row.name);
        writeln!(out, "{}", cost(format, name, &bytes).1)?;
    }
    if names.is_empty() {
        for file in hostile::all(SIZE) {
            lines.push(cost(file.format, &file.what, &file.bytes));
        }
    }
    lines.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, line) in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
