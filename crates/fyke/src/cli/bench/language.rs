//! `fyke bench language`: language identification on the half of SIB-200 that was not learnt: every
//! second sentence of each language's test file.

use super::report::Report;
use super::{Args, Benchmark, data, machine};
use anyhow::Context as _;
use fyke_text::language::{Languages, METHODS, Method};
use std::collections::HashMap;
use std::time::Duration;

pub const ROW: Benchmark = Benchmark {
    name: "language",
    what: "language identification: accuracy on held-out sentences, and speed",
    options: &["data", "pin"],
    run,
};

/// Codes and folders, as the trainer has them.
const LANGUAGES: &str = include_str!("../../../../fyke-text/data/sib200.txt");
/// The twenty of the published figure, and another choice.
const TWENTY: &str = "en de fr es pt gl it nl pl cs sk sl hr sr bs ru uk bg hu tl";
const OTHER_TWENTY: &str = "en de fr es it pt nl sv da pl cs sk sl hr sr bs ru uk bg tl";
/// Languages that are near.
const NEAR: [(&str, &str); 5] = [
    ("accuracy_hr_bs_sr", "hr bs sr"),
    ("accuracy_cs_sk_sl", "cs sk sl"),
    ("accuracy_es_pt_gl", "es pt gl"),
    ("accuracy_id_ms", "id ms"),
    ("accuracy_da_no_nn", "da no nn"),
];
/// The speed is measured for so long.
const LONG_ENOUGH: Duration = Duration::from_secs(2);

/// The held-out sentences of a folder, with the language's code.
struct Held {
    code: &'static str,
    sentences: Vec<String>,
}

fn run(args: &Args) -> anyhow::Result<Report> {
    let held = read(args)?;
    let mut report = Report::default();
    report.add("sentences", held.iter().map(|held| held.sentences.len() as f64).sum(), "");
    report.add("languages", held.len() as f64, "with scripts");
    let shares = shares(&METHODS[0], &held);
    report.add("accuracy_20", mean(&shares, |code| TWENTY.split(' ').any(|c| c == code)), "");
    let other = |code: &str| OTHER_TWENTY.split(' ').any(|c| c == code);
    report.add("accuracy_other_20", mean(&shares, other), "with sv and da for gl and hu");
    report.add("accuracy_all", mean(&shares, |_| true), "");
    for (name, codes) in NEAR {
        report.add(name, mean(&shares, |code| codes.split(' ').any(|c| c == code)), "");
    }
    let ranks = self::shares(&METHODS[1], &held);
    report.add("accuracy_20_by_ranks", mean(&ranks, |c| TWENTY.split(' ').any(|x| x == c)), "");
    report.add("sentences_per_cpu_second", speed(&held)?, "of the 20");
    Ok(report)
}

fn read(args: &Args) -> anyhow::Result<Vec<Held>> {
    let folder = data(args)?.join("langid/sib200/data/annotated");
    let pairs = LANGUAGES.lines().filter(|line| !line.starts_with('#'));
    let pairs = pairs.filter_map(|line| line.split_once(' '));
    let read = |(code, name): (&'static str, &str)| {
        let path = folder.join(name).join("test.tsv");
        let file = std::fs::read_to_string(&path)
            .with_context(|| format!("{}: cannot be read", path.display()))?;
        let held_out = file.lines().skip(2).step_by(2).filter_map(|line| line.split('\t').nth(2));
        Ok(Held { code, sentences: held_out.map(str::to_owned).collect() })
    };
    pairs.map(read).collect()
}

/// The share of right answers for each folder.
fn shares(method: &Method, held: &[Held]) -> Vec<(&'static str, f64)> {
    let languages = Languages::shipped();
    let share = |Held { code, sentences }: &Held| {
        let right = |text: &&String| languages.identify_by(method, text).code == *code;
        let right = sentences.iter().filter(right).count();
        (*code, right as f64 / sentences.len().max(1) as f64)
    };
    held.iter().map(share).collect()
}

/// The mean over languages; of one with two scripts the mean of both counts.
fn mean(shares: &[(&str, f64)], chosen: impl Fn(&str) -> bool) -> f64 {
    let mut by_code: HashMap<&str, Vec<f64>> = HashMap::new();
    for (code, share) in shares.iter().filter(|(code, _)| chosen(code)) {
        by_code.entry(code).or_default().push(*share);
    }
    let means = by_code.values().map(|list| list.iter().sum::<f64>() / list.len() as f64);
    means.sum::<f64>() / by_code.len().max(1) as f64
}

fn speed(held: &[Held]) -> anyhow::Result<f64> {
    let chosen = held.iter().filter(|held| TWENTY.split(' ').any(|code| code == held.code));
    let sentences: Vec<&String> = chosen.flat_map(|held| &held.sentences).collect();
    let start = machine::cpu_time("self")?;
    let mut said = 0_usize;
    loop {
        said += sentences.iter().filter(|text| !fyke_text::identify(text).code.is_empty()).count();
        let spent = machine::cpu_time("self")?.saturating_sub(start);
        if spent >= LONG_ENOUGH || said == 0 {
            return Ok(said as f64 / spent.as_secs_f64().max(0.01));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_over_languages_not_folders() {
        let shares = [("zh", 1.0), ("zh", 0.0), ("ja", 1.0)];
        assert!((mean(&shares, |_| true) - 0.75).abs() < 1e-9);
        assert!((mean(&shares, |code| code == "zh") - 0.5).abs() < 1e-9);
        assert!(mean(&shares, |code| code == "xx").abs() < 1e-9);
    }

    #[test]
    fn every_chosen_language_has_a_folder() {
        for code in
            NEAR.iter().map(|row| row.1).chain([TWENTY, OTHER_TWENTY]).flat_map(|l| l.split(' '))
        {
            assert!(LANGUAGES.lines().any(|line| line.starts_with(&format!("{code} "))), "{code}");
        }
    }
}
