//! Measures the cells: `cargo run --release -p fyke-store --example cells -- FOLDER ROWS`. The folder
//! must not exist; it is left behind, to be looked at.

#![allow(clippy::print_stdout, reason = "its figures are its result")]

use fyke_store::{CellBatch, Cells, CellsWriter, Column, ColumnGroup, StoreError};
use fyke_web::UrlId;
use std::path::Path;
use std::time::Instant;

const RANK: Column<f32> = Column::new("rank", 1);
const LANGUAGE: Column<(u8, f32)> = Column::new("language", 1);
const TITLE: Column<String> = Column::new("title", 1);
const TWIN: Column<u64> = Column::new("twin", 1);
const ANCHORS: ColumnGroup<String> = ColumnGroup::new("anchor", 1);

/// Cells of a row: one in each column, and as many anchors.
const CELLS: u64 = 4 + ANCHORS_OF_ROW;
const ANCHORS_OF_ROW: u64 = 3;
/// Rows of a batch while the store is filled, and afterwards.
const MANY: u64 = 50_000;
const FEW: u64 = 100;
/// Small batches, and rows that are looked up.
const BATCHES: u64 = 1_000;
const LOOKUPS: u64 = 200_000;

fn id(n: u64) -> UrlId {
    let mixed = (n ^ n >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    UrlId((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9))
}

fn put(batch: &mut CellBatch, n: u64) {
    let (id, number) = (id(n), id(n).0);
    batch.put(&RANK, id, &(1.0 / (number % 1000) as f32));
    batch.put(&LANGUAGE, id, &((number % 40) as u8, 0.97));
    batch.put(&TITLE, id, &format!("Chapter {} of the manual of part {}", n % 977, number % 7919));
    batch.put(&TWIN, id, &number);
    for link in 0..ANCHORS_OF_ROW {
        let source = self::id(n.wrapping_mul(3) + link).0;
        batch.put_in(&ANCHORS, id, source, &format!("see part {}", number % 7919));
    }
}

/// CPU time of all threads of this process, in seconds; it moves in steps of a hundredth.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Runs a step and says what one of its `n` parts cost.
fn measure<T>(
    what: &str,
    n: u64,
    step: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let (start, before) = (Instant::now(), cpu());
    let result = step()?;
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu() - before);
    let each = |seconds: f64| seconds * 1e6 / n as f64;
    println!("{what}: {:.3} µs each, {:.3} µs of CPU ({wall:.1} s)", each(wall), each(cpu));
    Ok(result)
}

/// Publishes rows in batches and gives the longest publish in seconds.
fn fill(writer: &CellsWriter, from: u64, until: u64, batch_rows: u64) -> Result<f64, StoreError> {
    let mut longest: f64 = 0.0;
    for first in (from..until).step_by(batch_rows as usize) {
        let mut batch = writer.batch(1_795_000_000_000 + first as i64);
        (first..until.min(first + batch_rows)).for_each(|n| put(&mut batch, n));
        let start = Instant::now();
        writer.publish(batch)?;
        longest = longest.max(start.elapsed().as_secs_f64());
    }
    Ok(longest)
}

fn look_up(cells: &Cells, rows: u64) -> Result<(), StoreError> {
    let mut times = Vec::with_capacity(LOOKUPS as usize);
    for n in 0..LOOKUPS {
        let id = id(n.wrapping_mul(7_368_787) % rows);
        let start = Instant::now();
        let row = cells.row(id)?;
        times.push(start.elapsed());
        assert_eq!(row.len() as u64, CELLS, "a row has all its cells");
    }
    times.sort_unstable();
    let at = |share: f64| times[(times.len() as f64 * share) as usize].as_secs_f64() * 1e6;
    println!("a row of {CELLS} cells in 5 columns: half of them within {:.1} µs", at(0.5));
    println!("  99 in 100 within {:.1} µs, 999 in 1000 within {:.1} µs", at(0.99), at(0.999));
    Ok(())
}

fn tablets(dir: &Path) -> usize {
    let entries = std::fs::read_dir(dir).into_iter().flatten();
    entries.filter(|e| e.as_ref().is_ok_and(|e| e.path().extension().is_some())).count()
}

fn run(dir: &Path, rows: u64) -> Result<(), StoreError> {
    let writer = CellsWriter::open(dir)?;
    let put = format!("put, {MANY} rows a batch");
    let longest = measure(&put, rows * CELLS, || fill(&writer, 0, rows, MANY))?;
    println!("  longest publish {longest:.2} s; {} tablets", tablets(dir));
    let all = rows + BATCHES * FEW;
    let put = format!("put, {FEW} rows a batch, into {rows} rows");
    let longest = measure(&put, BATCHES * FEW * CELLS, || fill(&writer, rows, all, FEW))?;
    println!("  longest publish {longest:.2} s; {} tablets", tablets(dir));
    let cells = measure("opening a reader", 1, || Cells::open_reader(dir))?;
    measure("its first row", 1, || cells.row(id(1)))?;
    measure("rows", LOOKUPS, || look_up(&cells, all))?;
    measure("get of a rank", LOOKUPS, || {
        (0..LOOKUPS).try_for_each(|n| cells.get(&RANK, id(n * 31 % all)).map(drop))
    })?;
    measure("get of a rank that is absent", LOOKUPS, || {
        (0..LOOKUPS).try_for_each(|n| cells.get(&RANK, id(all + n)).map(drop))
    })?;
    measure("scan of a column of numbers", all, || {
        cells.all(&RANK).try_for_each(|cell| cell.map(drop))
    })?;
    measure("scan of anchors", all * ANCHORS_OF_ROW, || {
        cells.all_in(&ANCHORS).try_for_each(|cell| cell.map(drop))
    })?;
    let mut batch = writer.batch(0);
    measure("replace of a column of numbers", all, || {
        batch.replace(&RANK, cells.all(&RANK))?;
        writer.publish(batch)
    })?;
    for size in cells.sizes() {
        let each = size.bytes as f64 / size.cells as f64;
        println!("{}: {} cells, {each:.1} bytes each", size.column, size.cells);
    }
    Ok(())
}

fn main() -> Result<(), StoreError> {
    let mut arguments = std::env::args().skip(1);
    let dir = arguments.next().unwrap_or_else(|| "cells.test".to_owned());
    let rows = arguments.next().and_then(|rows| rows.parse().ok()).unwrap_or(1_000_000);
    run(Path::new(&dir), rows)
}
