//! `cargo bench-fyke language`: language identification on sentences that were not learnt, on wish beside
//! py3langid and lingua in the same run.
//!
//! Near languages are rated by the mean of their F1, where all sentences of the twenty languages
//! that are said to be in one of them count: a program cannot win by naming one of two for both.

mod peers;
mod scores;
mod sets;

use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, data, machine};
use fyke_text::language::{LanguageMethod, Languages, METHODS};
use scores::LanguageScores;
use sets::SentenceSet;
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "language",
    what: "language identification: accuracy on held-out sentences, and speed",
    options: &["data", "peers", "pin"],
    run,
};

/// The twenty of the published figure, and another choice.
const TWENTY: &str = "en de fr es pt gl it nl pl cs sk sl hr sr bs ru uk bg hu tl";
const OTHER_TWENTY: &str = "en de fr es it pt nl sv da pl cs sk sl hr sr bs ru uk bg tl";
/// Languages that are near.
const NEAR: [(&str, &str); 5] = [
    ("f1_hr_bs_sr_sl_cs_sk", "hr bs sr sl cs sk"),
    ("f1_es_pt_gl", "es pt gl"),
    ("f1_hr_bs_sr", "hr bs sr"),
    ("f1_id_ms", "id ms"),
    ("f1_da_no_nn", "da no nn"),
];
/// Those whose recall is shown by itself.
const HARDEST: [(&str, &str); 3] = [("recall_hr", "hr"), ("recall_bs", "bs"), ("recall_sr", "sr")];
/// The speed is measured for so long.
const LONG_ENOUGH: Duration = Duration::from_secs(2);

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let sets = sets::read(&data(args)?)?;
    let mut report = BenchReport::default();
    for set in &sets {
        let said = said(&METHODS[0], set);
        if set.name == "sib200" {
            whole(&mut report, set, &said);
        }
        add(&mut report, set, "fyke", &said, speed(set)?);
    }
    let peers = if args.peers { peers::run(&sets)? } else { Vec::new() };
    for peer in peers {
        let Some(set) = sets.iter().find(|set| set.name == peer.set) else { continue };
        let speed = peer.codes.len() as f64 / peer.cpu_seconds.max(1e-9);
        add(&mut report, set, &peer.name, &peer.codes, speed);
    }
    Ok(report)
}

/// What fyke says of the sentences.
fn said(method: &LanguageMethod, set: &SentenceSet) -> Vec<String> {
    let languages = Languages::shipped();
    let say = |case: &(String, String)| languages.identify_by(method, &case.1).code.to_owned();
    set.cases.iter().map(say).collect()
}

/// Adds the figures over all languages.
fn whole(report: &mut BenchReport, set: &SentenceSet, said: &[String]) {
    let all = scores(set, said, |_| true);
    report.add("sentences", set.cases.len() as f64, "");
    report.add("languages", all.languages().count() as f64, "");
    let recall = |codes: &'static str| all.mean(codes.split(' '), LanguageScores::recall);
    report.add("accuracy_20", recall(TWENTY), "");
    report.add("accuracy_other_20", recall(OTHER_TWENTY), "with sv and da for gl and hu");
    report.add("accuracy_all", all.mean(all.languages(), LanguageScores::recall), "");
    let ranks = self::said(&METHODS[1], set);
    let ranks = scores(set, &ranks, |_| true);
    report.add("accuracy_20_by_ranks", ranks.mean(TWENTY.split(' '), LanguageScores::recall), "");
}

/// A row for a program on a set.
fn add(report: &mut BenchReport, set: &SentenceSet, program: &str, said: &[String], speed: f64) {
    let twenty = scores(set, said, |code| TWENTY.split(' ').any(|one| one == code));
    let all = scores(set, said, |_| true);
    let figure = |name, value| Figure { name, value, unit: "" };
    let mut row =
        vec![figure("accuracy_20", twenty.mean(TWENTY.split(' '), LanguageScores::recall))];
    for (name, codes) in NEAR {
        let inside = codes.split(' ').all(|code| TWENTY.split(' ').any(|one| one == code));
        let scores = if inside { &twenty } else { &all };
        row.push(figure(name, scores.mean(codes.split(' '), LanguageScores::f1)));
    }
    row.extend(HARDEST.iter().map(|(name, code)| figure(name, twenty.recall(code))));
    row.push(figure("sentences_per_cpu_second", speed));
    report.labels.push(format!("{} {program}", set.name));
    report.series.push(row);
}

fn scores<'a>(
    set: &'a SentenceSet,
    said: &'a [String],
    chosen: impl Fn(&str) -> bool,
) -> LanguageScores<'a> {
    let pairs = set.cases.iter().zip(said).map(|(case, said)| (case.0.as_str(), said.as_str()));
    LanguageScores::of(pairs.filter(|pair| chosen(pair.0)))
}

/// Sentences of the twenty languages that are told in a CPU-second.
fn speed(set: &SentenceSet) -> anyhow::Result<f64> {
    let chosen = set.cases.iter().filter(|case| TWENTY.split(' ').any(|code| code == case.0));
    let sentences: Vec<&String> = chosen.map(|case| &case.1).collect();
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
    fn every_chosen_language_has_a_folder() {
        let near = NEAR.iter().chain(&HARDEST).map(|row| row.1);
        for code in near.chain([TWENTY, OTHER_TWENTY]).flat_map(|codes| codes.split(' ')) {
            let own = format!("{code} ");
            assert!(sets::LANGUAGES.lines().any(|line| line.starts_with(&own)), "{code}");
        }
    }

    #[test]
    fn a_program_that_names_one_of_two_for_both_is_not_ahead() {
        let case = |code: &str| (code.to_owned(), String::new());
        let set = SentenceSet { name: "sib200", cases: ["hr", "bs", "sr"].map(case).to_vec() };
        let f1 = |said: [&str; 3]| {
            let mut report = BenchReport::default();
            add(&mut report, &set, "p", &said.map(str::to_owned), 1.0);
            let row = &report.series[0];
            row.iter().find(|figure| figure.name == "f1_hr_bs_sr").unwrap().value
        };
        assert!((f1(["hr", "bs", "sr"]) - 1.0).abs() < 1e-9);
        assert!((f1(["hr", "hr", "sr"]) - 5.0 / 9.0).abs() < 1e-9);
    }
}
