//! `cargo bench-fyke segments`: Chinese text parted into words, against the test of the second international
//! bakeoff (pku). The dictionary is the list of words of its training part, which tells no frequencies;
//! they are learnt from the test's own text, which is not parted.

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, data, script};
use anyhow::Context as _;
use fyke_text::segment::Segmenter;
use serde::Deserialize;
use std::collections::HashSet;
use std::path::Path;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "segments",
    what: "Chinese text parted into words by a dictionary: precision, recall and F (pku)",
    options: &["data", "peers", "pin"],
    run,
};

const SCRIPT: &str = "benches/peers/segments.py";
/// Rounds of learning.
const ROUNDS: usize = 3;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let folder = data(args)?.join("icwb2");
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))
    };
    let words = read("pku_training_words.utf8")?;
    let (text, gold) = (read("pku_test.utf8")?, read("pku_test_gold.utf8")?);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let gold: Vec<Vec<&str>> = gold.lines().map(|line| line.split_whitespace().collect()).collect();
    let mut report = BenchReport::default();
    let mut segmenter = Segmenter::new(words.lines());
    report.labels.push("fewest words".to_owned());
    report.series.push(score(&segmenter, &lines, &gold)?);
    segmenter.learn(&lines, ROUNDS);
    report.labels.push("likeliest words, learnt from text not parted".to_owned());
    report.series.push(score(&segmenter, &lines, &gold)?);
    if args.peers {
        peers(&folder, &lines, &gold, &mut report)?;
    }
    report.add("lines", lines.len() as f64, "");
    report.add("words", gold.iter().map(Vec::len).sum::<usize>() as f64, "as people parted them");
    report.add("dictionary", words.lines().count() as f64, "words");
    Ok(report)
}

/// Lines parted by others.
#[derive(Deserialize)]
struct PartedLines {
    name: String,
    seconds: f64,
    lines: Vec<Vec<String>>,
}

/// Others on the same lines, with dictionaries of their own.
fn peers(
    folder: &Path,
    lines: &[&str],
    gold: &[Vec<&str>],
    report: &mut BenchReport,
) -> anyhow::Result<()> {
    let said = script::run(SCRIPT, &[folder.as_os_str()])?;
    for peer in script::lines::<PartedLines>(&said)? {
        let parted: Vec<Vec<&str>> =
            peer.lines.iter().map(|line| line.iter().map(String::as_str).collect()).collect();
        report.labels.push(peer.name);
        report.series.push(figures(lines, gold, &parted, peer.seconds));
    }
    Ok(())
}

fn score(segmenter: &Segmenter, lines: &[&str], gold: &[Vec<&str>]) -> anyhow::Result<Vec<Figure>> {
    let start = cpu_time("self")?;
    let parted: Vec<Vec<&str>> = lines.iter().map(|line| segmenter.segment(line)).collect();
    let seconds = (cpu_time("self")? - start).as_secs_f64();
    Ok(figures(lines, gold, &parted, seconds))
}

fn figures(lines: &[&str], gold: &[Vec<&str>], parted: &[Vec<&str>], seconds: f64) -> Vec<Figure> {
    let (mut found, mut expected, mut right) = (0, 0, 0);
    for (line, gold) in parted.iter().zip(gold) {
        let (ours, theirs) = (places(line), places(gold));
        found += ours.len();
        expected += theirs.len();
        right += ours.intersection(&theirs).count();
    }
    let characters: usize = lines.iter().map(|line| line.chars().count()).sum();
    let share = |of: usize| right as f64 / of.max(1) as f64;
    let (precision, recall) = (share(found), share(expected));
    let f = 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE);
    let figure = |name, value| Figure { name, value, unit: "" };
    vec![
        figure("precision", precision),
        figure("recall", recall),
        figure("f", f),
        figure("characters_per_cpu_second", characters as f64 / seconds.max(0.01)),
    ]
}

/// Where words begin and end, spaces aside.
fn places(words: &[&str]) -> HashSet<(usize, usize)> {
    let mut at = 0;
    let mut places = HashSet::new();
    for word in words.iter().filter(|word| !word.trim().is_empty()) {
        places.insert((at, at + word.len()));
        at += word.len();
    }
    places
}
