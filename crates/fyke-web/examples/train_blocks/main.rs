//! Trains the block classifier of noise removal (003 §3.8) and says how well it does on pages that
//! it was not trained on.
//!
//! ```text
//! fyke bench extract --data DIR --cases cases.jsonl
//! cargo run --release -p fyke-web --example train_blocks -- cases.jsonl crates/fyke-web/data/blocks.txt
//! ```
//!
//! A case is a line of JSON: `set`, `name`, `html`, `gold`. A word of a block is content when a
//! shingle that it stands in also stands in the gold text; a block is content when more than half of
//! its words are. Pages of one site are never on both sides of a split. Without a second argument
//! only the cross-validation is run.

mod boost;
mod cases;

use boost::{Sample, Settings};
use cases::Case;
use fyke_eval::extraction::{Overlap, average, overlap};
use fyke_web::choose;
use std::io::Write;

/// Parts of the cross-validation.
const PARTS: u64 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give the file of cases")?;
    let cases = cases::read(&path)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} pages", cases.len())?;
    let settings = Settings::default();
    validate(&cases, &settings, &mut out)?;
    if let Some(target) = arguments.next() {
        let all: Vec<&Case> = cases.iter().collect();
        let forest = boost::train(&samples(&all), &settings);
        std::fs::write(&target, forest.to_string())?;
        writeln!(out, "{target} written")?;
    }
    Ok(())
}

/// Each page is judged by a classifier that has not seen its site.
fn validate(
    cases: &[Case],
    settings: &Settings,
    out: &mut impl Write,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut judged: Vec<(&Case, Vec<f64>)> = Vec::new();
    for part in 0..PARTS {
        let seen: Vec<&Case> = cases.iter().filter(|case| case.part(PARTS) != part).collect();
        let forest = boost::train(&samples(&seen), settings);
        for case in cases.iter().filter(|case| case.part(PARTS) == part) {
            judged.push((case, case.features.iter().map(|row| forest.odds(row)).collect()));
        }
    }
    if let Ok(which) = std::env::var("SHOW") {
        let mut rows: Vec<(f64, String)> = Vec::new();
        for (case, chances) in judged.iter().filter(|(c, _)| c.set == which) {
            let wanted: u32 = case
                .blocks
                .list
                .iter()
                .zip(&case.content)
                .filter(|(_, c)| **c)
                .map(|(b, _)| b.words)
                .sum();
            for (at, b) in case.blocks.list.iter().enumerate() {
                let kept = chances[at] > 0.0;
                if kept != case.content[at] {
                    let share = f64::from(b.words) / f64::from(wanted.max(1));
                    let t: String = case.blocks.text_of(b).chars().take(110).collect();
                    rows.push((
                        share,
                        format!(
                            "{} {:.3} {} {}w {:?} p={:.2} [{}/{}] {t}",
                            if kept { "FP" } else { "FN" },
                            share,
                            &case.name[..8.min(case.name.len())],
                            b.words,
                            b.kind,
                            chances[at],
                            at,
                            case.blocks.list.len()
                        ),
                    ));
                }
            }
        }
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        for row in rows.iter().take(150) {
            writeln!(out, "{}", row.1)?;
        }
    }
    for set in cases::sets(cases) {
        let mut genres: std::collections::BTreeMap<&str, usize> = Default::default();
        for case in cases.iter().filter(|c| c.set == set) {
            *genres.entry(fyke_web::genre(&case.blocks).name()).or_default() += 1;
        }
        let pages: Vec<Overlap> = judged
            .iter()
            .filter(|(case, _)| case.set == set)
            .map(|(case, odds)| overlap(&case.gold, &case.text(&choose(&case.blocks, odds))))
            .collect();
        let all = average(&pages);
        let (p, r, f) = (all.precision, all.recall, all.f1);
        writeln!(out, "{set}: precision {p:.4}, recall {r:.4}, F1 {f:.4} {genres:?}")?;
    }
    Ok(())
}

/// The blocks of all pages; each page weighs the same, within it a block by its words.
fn samples(cases: &[&Case]) -> Vec<Sample> {
    let mut all = Vec::new();
    for case in cases {
        let wanted: f64 = case.words(|at| case.content[at]);
        for (at, block) in case.blocks.list.iter().enumerate() {
            all.push(Sample {
                features: case.features[at],
                content: case.content[at],
                weight: ((f64::from(block.words) + 1.0) / (wanted + 50.0)).min(0.3),
            });
        }
    }
    all
}
