//! `cargo bench-fyke increment`: what a hundred pages cost that come to a collection of many, until they can be
//! searched, against the same in an empty one. Pages are made up; they come as captures, as an import's do,
//! and pass through the stages of every command, up to the folder's being put in order.

use super::report::{BenchReport, Figure};
use super::twins::MutationDice;
use super::{Args, Benchmark};
use fyke_derive::{DERIVATIONS, cpu_micros, mark_of};
use fyke_stages::config::Config;
use fyke_store::{Collection, Reason, Round, Row};
use fyke_web::{Capture, Url};
use std::fmt::Write as _;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "increment",
    what: "CPU time of 100 pages added to a collection of many, until they can be searched",
    options: &["documents"],
    run,
};

/// Documents there are before.
const SIZES: [u64; 3] = [1_000, 10_000, 100_000];
/// Pages that are added.
const ADDED: u64 = 100;
/// Pages of a host.
const OF_HOST: u64 = 100;
/// Words of a page, and words there are.
const WORDS: usize = 300;
const VOCABULARY: f64 = 50_000.0;
/// Captures of one commit.
const COMMIT: u64 = 500;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let sizes = args.documents.map_or(SIZES.to_vec(), |documents| vec![documents]);
    let empty = measure(0)?;
    let mut report = BenchReport::default();
    report.add("pages_added", ADDED as f64, "");
    report.add("cpu_in_an_empty_collection", empty[1].value, "ms");
    report.series.push(empty.clone());
    for documents in sizes {
        let mut row = measure(documents)?;
        row[2].value = row[1].value / empty[1].value.max(f64::MIN_POSITIVE);
        report.series.push(row);
    }
    Ok(report)
}

/// A row of figures for a collection of so many documents.
fn measure(documents: u64) -> anyhow::Result<Vec<Figure>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), "")?;
    let (collection, config) = (Collection::open(folder.path())?, Config::default());
    add(&collection, 0..documents)?;
    fyke_stages::run(&collection, &config, &mut |_| ())?;
    collection.settle()?;
    let before = collection.cells();
    let start = cpu_micros();
    add(&collection, documents..documents + ADDED)?;
    let made = fyke_stages::run(&collection, &config, &mut |_| ())?;
    collection.settle()?;
    let spent = cpu_micros().saturating_sub(start);
    anyhow::ensure!(made.documents == documents + ADDED, "{made:?}");
    let figure = |name, value, unit| Figure { name, value, unit };
    let mut row = vec![
        figure("documents", documents as f64, ""),
        figure("cpu", spent as f64 / 1e3, "ms"),
        figure("times_empty", 1.0, ""),
    ];
    let after = collection.cells();
    for derivation in DERIVATIONS {
        let mark = mark_of(&after, derivation);
        let ran = mark.filter(|mark| Some(mark) != mark_of(&before, derivation).as_ref());
        row.push(figure(derivation.name, ran.map_or(0, |mark| mark.cpu) as f64 / 1e3, "ms"));
    }
    Ok(row)
}

/// Puts pages as captures with their rows.
fn add(collection: &Collection, pages: std::ops::Range<u64>) -> anyhow::Result<()> {
    let numbers: Vec<u64> = pages.collect();
    for part in numbers.chunks(COMMIT as usize) {
        let mut round = Round::default();
        for &number in part {
            let capture = page(number)?;
            let row = Row {
                fetched: Some(capture.time),
                status: capture.status,
                ..Row::new(capture.url.as_str(), Reason::Kept, capture.time)
            };
            round.rows.push((capture.url.id(), row));
            round.captures.push((Vec::new(), capture));
        }
        collection.commit(round)?;
    }
    Ok(())
}

fn url(number: u64) -> String {
    format!("http://host{}.test/page/{number}.html", number / OF_HOST)
}

/// A page of words, the frequent ones often, with links to pages of its host and to four of others.
fn page(number: u64) -> anyhow::Result<Capture> {
    let mut chance = MutationDice(number + 1);
    let mut word = || {
        let part = (chance.next() >> 11) as f64 / (1_u64 << 53) as f64;
        format!("word{}", VOCABULARY.powf(part) as u64)
    };
    let mut html = format!("<title>{} {}</title><body><article>", word(), word());
    for _ in 0..WORDS / 50 {
        let words: Vec<String> = (0..50).map(|_| word()).collect();
        let _ = write!(html, "<p>{}.</p>", words.join(" "));
    }
    html.push_str("</article><nav>");
    let mut chance = MutationDice(number + 7);
    let own = (0..6).map(|n| number / OF_HOST * OF_HOST + n);
    let others = (0..4).map(|_| chance.next() % number.max(1));
    for target in own.chain(others) {
        let _ = write!(html, "<a href=\"{}\">page {target}</a> ", url(target));
    }
    html.push_str("</nav></body>");
    Ok(Capture {
        url: Url::parse(&url(number))?,
        time: 1_790_000_000_000 + number as i64,
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html; charset=utf-8".to_owned())],
        payload: html.into_bytes(),
        truncated: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_pages_are_made_and_every_derivation_is_told_of() {
        let row = measure(150).unwrap();
        assert_eq!(row.len(), 3 + DERIVATIONS.len());
        assert!(row[1].value > 0.0);
    }
}
