//! Trains the block classifier of noise removal (003 §3.8) and says how well it does on pages that
//! it was not trained on.
//!
//! ```text
//! cargo bench-fyke extract --data DIR --cases cases.jsonl
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
    for set in cases::sets(cases) {
        let pages: Vec<Overlap> = judged
            .iter()
            .filter(|(case, _)| case.set == set)
            .map(|(case, odds)| overlap(&case.gold, &case.text(&choose(&case.blocks, odds))))
            .collect();
        let all = average(&pages);
        let (p, r, f) = (all.precision, all.recall, all.f1);
        writeln!(out, "{set}: precision {p:.4}, recall {r:.4}, F1 {f:.4}")?;
    }
    Ok(())
}

/// The blocks of all pages. A block weighs as much as a mistake with it costs: its share of the
/// page's true text.
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
