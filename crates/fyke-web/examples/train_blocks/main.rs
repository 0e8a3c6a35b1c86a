//! Trains the block classifier of noise removal (003 §3.8) and says how well it does on pages that
//! it was not trained on.
//!
//! ```text
//! cargo bench-fyke extract --data DIR --cases cases.jsonl
//! cargo run --release -p fyke-web --example train_blocks -- cases.jsonl crates/fyke-web/data/blocks.txt
//! ```
//!
//! A case is a line of JSON: `set`, `kind`, `name`, `html`, `gold`, and where that is not known `with` and `without`, parts
//! that the text must and must not hold. A word of a block is content when a
//! shingle that it stands in also stands in the gold text; a block is content when more than half of
//! its words are. Pages of one site are never on both sides of a split. Without a second argument
//! only the cross-validation is run.

mod boost;
mod cases;

use boost::{Sample, Settings};
use cases::Case;
use fyke_eval::extraction::{average, overlap, parts, pooled};
use fyke_web::choose;
use std::io::Write;

/// Parts of the cross-validation.
const PARTS: u64 = 5;
/// Weight of a block of a page of which only parts are known.
const PART: f32 = 0.25;
/// How much more pages of many kinds weigh, of which there are few.
const OF_KINDS: f32 = 1.2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give the file of cases")?;
    let cases = cases::read(&path)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} pages", cases.len())?;
    let settings = Settings::default();
    best_choice(&cases, &mut out)?;
    validate(&cases, &settings, &mut out)?;
    if let Some(target) = arguments.next() {
        let all: Vec<&Case> = cases.iter().collect();
        let forest = boost::train(&samples(&all), &settings);
        std::fs::write(&target, forest.to_string())?;
        writeln!(out, "{target} written")?;
    }
    Ok(())
}

/// What was chosen of a page.
type Chosen<'a> = (&'a Case, Vec<usize>);

/// What the best choice of blocks would reach.
fn best_choice(cases: &[Case], out: &mut impl Write) -> std::io::Result<()> {
    let mut best: Vec<Chosen<'_>> = Vec::new();
    for case in cases {
        let is_content = |at: &usize| case.content[*at] == Some(true);
        best.push((case, (0..case.content.len()).filter(is_content).collect()));
    }
    writeln!(out, "the best choice of blocks:")?;
    report(&best, out)
}

/// Each page is judged by a classifier that has not seen its site.
fn validate(cases: &[Case], settings: &Settings, out: &mut impl Write) -> std::io::Result<()> {
    let mut judged: Vec<Chosen<'_>> = Vec::new();
    for part in 0..PARTS {
        let seen: Vec<&Case> = cases.iter().filter(|case| case.part(PARTS) != part).collect();
        let forest = boost::train(&samples(&seen), settings);
        for case in cases.iter().filter(|case| case.part(PARTS) == part) {
            let odds: Vec<f64> = case.features.iter().map(|row| forest.odds(row)).collect();
            judged.push((case, choose(&case.blocks, &odds)));
        }
    }
    writeln!(out, "pages of sites that were not seen:")?;
    report(&judged, out)
}

/// Figures by set and kind.
fn report(chosen: &[Chosen<'_>], out: &mut impl Write) -> std::io::Result<()> {
    for (set, kind) in cases::sets(chosen.iter().map(|(case, _)| *case)) {
        let is_in = |case: &Case| case.set == set && (kind.is_empty() || case.kind == kind);
        let of: Vec<&Chosen<'_>> = chosen.iter().filter(|(case, _)| is_in(case)).collect();
        let is_by_parts = of.iter().all(|(case, _)| case.gold.is_empty());
        let found = match is_by_parts {
            true => {
                let one = |(case, chosen): &&Chosen<'_>| {
                    parts(&case.text(chosen), &case.with, &case.without)
                };
                pooled(&of.iter().map(one).collect::<Vec<_>>())
            }
            false => {
                let one = |(case, chosen): &&Chosen<'_>| overlap(&case.gold, &case.text(chosen));
                average(&of.iter().map(one).collect::<Vec<_>>())
            }
        };
        let (p, r, f) = (found.precision, found.recall, found.f1);
        writeln!(out, "{set} {kind}: precision {p:.4}, recall {r:.4}, F1 {f:.4}")?;
    }
    Ok(())
}

/// The blocks of all pages that are known to be content or not. A block weighs as much as a mistake with it costs:
/// its share of the page's true text, or the same for all where only parts are known.
fn samples(cases: &[&Case]) -> Vec<Sample> {
    let mut all = Vec::new();
    for case in cases {
        let wanted: f64 = case.words(|at| case.content[at] == Some(true));
        for (at, block) in case.blocks.list.iter().enumerate() {
            let Some(content) = case.content[at] else { continue };
            let share = ((f64::from(block.words) + 1.0) / (wanted + 50.0)).min(0.3) as f32;
            let weight = match (case.gold.is_empty(), case.kind.is_empty()) {
                (true, _) => PART,
                (false, true) => share,
                (false, false) => share * OF_KINDS,
            };
            all.push(Sample { features: case.features[at], content, weight });
        }
    }
    all
}
