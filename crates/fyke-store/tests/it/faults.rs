//! The store on a disk that fails, tears writes, runs full and loses power: whatever a seed does, what was
//! acknowledged is there after the next opening. `FYKE_TEST_SEEDS` asks for more seeds, `FYKE_TEST_SEED` for
//! one alone.

use crate::{check_view, round, url};
use fyke_store::disk::{DiskFaults, FaultyDisk};
use fyke_store::{Collection, Column, MadePage, Reader, Reason, Spot, StoredLink};
use fyke_web::LinkKind;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64_with_seed;

const SEEDS: u64 = 2000;
const SQUARES: Column<u64> = Column::new("square", 1);
/// URLs with a cell, and with a document.
const PAGES: u64 = 12;

/// Numbers that follow from a seed.
struct Draw(u64, u64);

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.1 += 1;
        xxh3_64_with_seed(&self.1.to_le_bytes(), !self.0) % most
    }
}

/// What was promised of a collection.
#[derive(Clone, Copy, Debug, Default)]
struct Promised {
    /// Rounds: acknowledged, and begun.
    rounds: (u64, u64),
    /// Batches of cells: acknowledged, and begun.
    cells: (u64, u64),
    /// Batches of documents: acknowledged, and begun.
    documents: (u64, u64),
    /// Batches of documents that a power cut may not take back.
    settled: u64,
}

fn begin(count: &mut (u64, u64)) -> u64 {
    count.1 = count.0 + 1;
    count.1
}

/// The cells of a state: all of one batch, and what the one before left.
fn publish(collection: &Collection, state: u64) -> bool {
    let mut batch = collection.cells.batch(1);
    for page in 0..PAGES {
        batch.put(&SQUARES, url(page).id(), &(state * state + page));
    }
    batch.put(&SQUARES, url(1_000 + state).id(), &state);
    batch.mark("squares", &state.to_le_bytes());
    collection.cells.publish(batch).is_ok()
}

/// The links of a page.
fn links(n: u64) -> Vec<StoredLink> {
    vec![StoredLink {
        target: url(n + 1).id(),
        anchor: format!("to {n}"),
        nofollow: false,
        kind: LinkKind::Content,
        is_next: false,
    }]
}

/// Takes one step; gives up on the first that fails.
fn take(collection: &Collection, promised: &mut Promised, draw: &mut Draw) -> Result<(), ()> {
    match draw.below(10) {
        0..4 => {
            let next = begin(&mut promised.rounds);
            collection.commit(round(next - 1)).map_err(drop)?;
            promised.rounds.0 = next;
        }
        4..6 => {
            let next = begin(&mut promised.cells);
            publish(collection, next).then_some(()).ok_or(())?;
            promised.cells.0 = next;
        }
        6..9 if promised.rounds.0 > 0 => {
            let next = begin(&mut promised.documents);
            let made = |n| MadePage::new(url(n).id(), None, links(n));
            let made: Vec<_> = (0..next % PAGES).map(made).collect();
            collection.documents.put(&made, Spot::new(0, next)).map_err(drop)?;
            promised.documents.0 = next;
        }
        _ => {
            collection.settle().map_err(drop)?;
            promised.settled = promised.documents.0;
        }
    }
    Ok(())
}

/// Asserts that a collection holds what was promised; takes what it holds for the promise of the next.
fn check(collection: &Collection, promised: &mut Promised, is_cut: bool) {
    let rounds = collection.ledger.counts().unwrap().get(&Reason::Kept).copied().unwrap_or(0);
    let (least, most) = promised.rounds;
    assert!((least..=most).contains(&rounds), "{rounds} rounds, {promised:?}");
    check_view(collection, rounds);
    promised.rounds = (rounds, rounds);

    let cells = collection.cells();
    let mark = cells.mark("squares").map(|mark| u64::from_le_bytes(mark.try_into().unwrap()));
    let state = mark.unwrap_or(0);
    let (least, most) = promised.cells;
    assert!((least..=most).contains(&state), "cells of batch {state}, {promised:?}");
    let all = cells.all(&SQUARES).map(Result::unwrap).count() as u64;
    assert_eq!(all, if state == 0 { 0 } else { PAGES + state }, "cells of batch {state}");
    for page in (0..PAGES).filter(|_| state > 0) {
        let cell = cells.get(&SQUARES, url(page).id()).unwrap();
        assert_eq!(cell, Some(state * state + page));
    }
    promised.cells = (state, state);

    let state = collection.documents.mark().unwrap().offset;
    // A power cut may take back what was put since the last settling.
    let (least, most) = promised.documents;
    let least = if is_cut { promised.settled } else { least };
    assert!((least..=most).contains(&state), "documents of batch {state}, {promised:?}");
    for (id, stored) in collection.documents.all_links().map(Result::unwrap) {
        let n = (0..PAGES).find(|n| url(*n).id() == id).unwrap();
        assert_eq!(stored, links(n));
    }
    promised.documents = (state, state);
    promised.settled = promised.settled.min(state);
}

/// What goes wrong in a stretch of work.
fn faults(draw: &mut Draw) -> DiskFaults {
    match draw.below(4) {
        0 => DiskFaults { one_in: 5 + draw.below(40), ..DiskFaults::default() },
        1 => DiskFaults { room: Some(draw.below(6_000)), ..DiskFaults::default() },
        _ => DiskFaults { power: Some(draw.below(90)), ..DiskFaults::default() },
    }
}

/// Some stretches of work, each ended by trouble or without, each followed by an opening.
fn run(root: &Path, seed: u64) {
    std::fs::write(root.join("fyke.toml"), "").unwrap();
    let disk: Arc<FaultyDisk> = FaultyDisk::under(root, seed).unwrap();
    let (mut draw, mut promised) = (Draw(seed, 0), Promised::default());
    for _ in 0..4 {
        disk.set_faults(faults(&mut draw));
        // Even the opening may fail.
        if let Ok(collection) = Collection::open(root) {
            for _ in 0..draw.below(12) {
                if take(&collection, &mut promised, &mut draw).is_err() {
                    break;
                }
            }
        }
        let is_cut = disk.is_off() || draw.below(3) == 0;
        match is_cut {
            true => disk.restart().unwrap(),
            false => disk.set_faults(DiskFaults::default()),
        }
        let reader = Reader::open(root).map(drop);
        let collection = Collection::open(root).unwrap();
        check(&collection, &mut promised, is_cut);
        reader.unwrap();
    }
}

/// A folder that is not on a slow disk, if there is such a place.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
}

#[test]
fn what_was_acknowledged_outlives_whatever_the_disk_does() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let only = number("FYKE_TEST_SEED");
    let seeds = only.map_or(0..number("FYKE_TEST_SEEDS").unwrap_or(SEEDS), |seed| seed..seed + 1);
    let failed: Vec<u64> = std::thread::scope(|scope| {
        let threads = (0..4).map(|turn| {
            let seeds = seeds.clone().filter(move |seed| seed % 4 == turn);
            scope.spawn(move || {
                let fails = |seed: &u64| {
                    let dir = folder();
                    std::panic::catch_unwind(|| run(dir.path(), *seed)).is_err()
                };
                seeds.filter(fails).collect::<Vec<_>>()
            })
        });
        let threads: Vec<_> = threads.collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(failed.is_empty(), "of seeds {seeds:?} these fail: {failed:?}");
}

#[test]
fn a_disk_that_loses_power_keeps_what_was_synced_and_no_more_than_was_written() {
    let (mut kept, mut lost) = (0, 0);
    for seed in 0..40 {
        let dir = folder();
        std::fs::write(dir.path().join("fyke.toml"), "").unwrap();
        let disk = FaultyDisk::under(dir.path(), seed).unwrap();
        let collection = Collection::open(dir.path()).unwrap();
        collection.commit(round(0)).unwrap();
        disk.set_faults(DiskFaults { power: Some(1), ..DiskFaults::default() });
        let failed = collection.commit(round(1)).is_err();
        drop(collection);
        assert!(failed && disk.is_off());
        disk.restart().unwrap();
        let written = std::fs::metadata(crate::warc(dir.path())).unwrap().len();
        if Collection::open(dir.path()).unwrap().captures.end().offset < written {
            kept += 1;
        } else {
            lost += 1;
        }
    }
    // The captures were written and not synced: the disk may keep any of them.
    assert!(kept > 5 && lost > 5, "{kept} kept, {lost} lost");
}
