//! Very many documents grouped: generated sets of shingles, of which three in ten are near copies of
//! others, sketched and grouped as `analyse` does it.

use super::NEAR;
use super::mutate::MutationDice;
use crate::machine::cpu_time;
use crate::report::Figure;
use fyke_derive::asked::similar::{self, SimilarTo};
use fyke_derive::whole::likeness::{Likeness, TwinPrint};
use fyke_derive::whole::twins::store_sketches;
use fyke_stages::memory;
use fyke_store::Collection;
use fyke_text::Sketch;
use fyke_text::sketch::jaccard;
use fyke_web::UrlId;
use std::collections::HashMap;
use std::time::Instant;

/// Shingles of a document.
const SHINGLES: usize = 200;
/// In ten documents so many are copies of earlier ones.
const COPIES: usize = 3;
/// Searches that are timed.
const SEARCHES: u32 = 5;

/// Groups so many documents and searches among them; one row of figures.
pub(crate) fn measure(documents: u64) -> anyhow::Result<Vec<Figure>> {
    let count = documents as usize;
    let prints: Vec<TwinPrint> = (0..count).map(print).collect();
    let before = cpu_time("self")?;
    let mut asked = 0;
    let mut exact = |a: usize, b: usize| {
        asked += 1;
        Ok(jaccard(&shingles(a), &shingles(b)))
    };
    let mut named_apart = |_, _| Ok(false);
    let (exact, named_apart) = (&mut exact, &mut named_apart);
    let mut likeness = Likeness { documents: &prints, threshold: NEAR, exact, named_apart };
    let groups = likeness.groups()?;
    let twins = likeness.represent(&groups, &HashMap::new())?;
    let cpu = cpu_time("self")?.saturating_sub(before).as_secs_f64();
    let rss = memory::peak_rss();
    let (near, together) = made(count, &groups);
    let figure = |name, value| Figure { name, value, unit: "" };
    Ok(vec![
        figure("documents", count as f64),
        figure("grouping_cpu_seconds", cpu),
        figure("cpu_microseconds_per_document", cpu * 1e6 / count.max(1) as f64),
        figure("groups", groups.len() as f64),
        figure("twins", twins.len() as f64),
        figure("exact_comparisons", f64::from(asked)),
        figure("near_pairs_made", near as f64),
        figure("found_together", together as f64 / near.max(1) as f64),
        figure("peak_rss_bytes", rss as f64),
        figure("search_milliseconds", search(&prints)?),
    ])
}

/// Near copies that were made, and how many of them share a group with what they were made of.
fn made(count: usize, groups: &[Vec<usize>]) -> (usize, usize) {
    let members =
        groups.iter().zip(1..).flat_map(|(group, n)| group.iter().map(move |&at| (at, n)));
    let mut group = vec![0; count];
    members.for_each(|(at, n)| group[at] = n);
    let copies = (0..count).filter_map(|at| Some((at, original(at)?)));
    let is_near = |&(at, of): &(usize, usize)| jaccard(&shingles(at), &shingles(of)) >= NEAR;
    let near: Vec<_> = copies.filter(is_near).collect();
    let together = near.iter().filter(|(at, of)| group[*at] > 0 && group[*at] == group[*of]);
    (near.len(), together.count())
}

/// Milliseconds of a search for near copies among the stored sketches, as `fyke similar` does it.
fn search(prints: &[TwinPrint]) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), "")?;
    let collection = Collection::open(folder.path())?;
    let mut batch = collection.cells.batch(0);
    store_sketches(&mut batch, prints)?;
    collection.cells.publish(batch)?;
    let started = Instant::now();
    for _ in 0..SEARCHES {
        similar::nearest(&collection, SimilarTo::Text("a text that nobody else has"), 10)?;
    }
    Ok(started.elapsed().as_secs_f64() * 1e3 / f64::from(SEARCHES))
}

fn print(at: usize) -> TwinPrint {
    let shingles = shingles(at);
    let (host, words) = (UrlId(at as u64 % 1_000), SHINGLES as u32);
    TwinPrint {
        language: String::new(),
        id: UrlId(MutationDice(at as u64 + 1).next()),
        url: format!("http://host{}.test/page/{at}", host.0),
        host,
        words,
        checksum: shingles.iter().fold(7, |sum: u64, &shingle| sum.rotate_left(5) ^ shingle),
        sketch: Sketch::of_shingles(&shingles),
    }
}

/// What a document is a copy of.
fn original(at: usize) -> Option<usize> {
    (at % 10 >= 10 - COPIES).then(|| at / 10 * 10 + at % 7)
}

/// The shingles of a document, sorted: its own, or those of another, some of them changed.
fn shingles(at: usize) -> Vec<u64> {
    let of = original(at).unwrap_or(at);
    let mut chance = MutationDice((of as u64) << 20);
    let mut set: Vec<u64> = (0..SHINGLES).map(|_| chance.next()).collect();
    if of != at {
        let mut chance = MutationDice((at as u64) << 20 | 1);
        // From none to a third: coefficients from 1 down to 0.5.
        for _ in 0..chance.below(SHINGLES / 3) {
            set[chance.below(SHINGLES)] = chance.next();
        }
    }
    set.sort_unstable();
    set.dedup();
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_that_were_made_are_found_together() {
        let row = measure(2_000).unwrap();
        let value = |name: &str| row.iter().find(|figure| figure.name == name).unwrap().value;
        assert!(value("near_pairs_made") > 200.0, "{row:?}");
        assert!(value("found_together") > 0.99, "{row:?}");
        assert!(value("groups") <= 600.0, "{row:?}");
    }
}
