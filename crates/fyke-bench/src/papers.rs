//! `cargo bench-fyke papers`: fields of headers and references beside 002's table 1, and how many papers a CPU-second
//! takes apart.

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, data};
use anyhow::{Context as _, ensure};
use fyke_papers::fields::{by_protocol, full};
use fyke_papers::models::PaperModels;
use fyke_papers::tagged::{self, LINE, PAGE, TaggedText};
use fyke_papers::trial::{
    FieldScores, FieldTrial, HmmSetting, LEARNT, all_settings, field_trial, fold_trial, hmm_folds,
    hmm_trial, readings,
};
use fyke_stages::papers::read_paper;
use fyke_web::{Capture, Url};
use std::path::Path;
use std::sync::Arc;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "papers",
    what: "fields of headers and references, learnt from one half and asked about the other, and papers a CPU-second",
    options: &["data", "pin"],
    run,
};

/// What 002 prints for its baseline and its merged models.
const PUBLISHED: [f64; 2] = [89.8, 90.2];
/// Papers that are taken apart, and the paragraphs and references of each.
const PAPERS: usize = 200;
const PARAGRAPHS: usize = 60;
const REFERENCES: usize = 25;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let folder = data(args)?;
    let file = read(&folder.join("cora-headers/tagged_headers.txt"))?;
    let headers = tagged::headers(&file);
    ensure!(headers.len() > LEARNT, "cora-headers has {} headers", headers.len());
    let file = read(&folder.join("cora-references/tagged_references.txt"))?;
    let references = tagged::references(&file);
    let file = read(&folder.join("cora-references/parscit.flux-cim-cs.tagged.txt"))?;
    let others = tagged::references(&file);
    let mut report = BenchReport::default();
    table_1(&headers, &mut report);
    let (learnt, asked) = headers.split_at(LEARNT);
    let FieldTrial { scores, .. } = field_trial(learnt, asked, by_protocol);
    add(&mut report, ["protocol_words", "protocol_whole", "protocol_macro_f1"], &scores);
    let FieldTrial { scores, bytes } = field_trial(learnt, asked, full);
    add(&mut report, ["full_text_words", "full_text_whole", "full_text_macro_f1"], &scores);
    report.add("full_text_model", bytes as f64, "bytes");
    by_field("header", &scores, &mut report);
    let folds = fold_trial(&references, full);
    let names = ["references_words", "references_whole", "references_macro_f1"];
    add(&mut report, names, &folds.all);
    let names = ["unchosen_folds_words", "unchosen_folds_whole", "unchosen_folds_macro_f1"];
    add(&mut report, names, &folds.unseen);
    by_field("reference", &folds.all, &mut report);
    let FieldTrial { scores, .. } = field_trial(&references, &others, full);
    add(&mut report, ["flux_cim_words", "flux_cim_whole", "flux_cim_macro_f1"], &scores);
    speed(&headers, &references, &mut report)?;
    Ok(report)
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))
}

fn add(
    report: &mut BenchReport,
    [words, whole, macro_f1]: [&'static str; 3],
    scores: &FieldScores,
) {
    report.add(words, scores.words(), "% right");
    report.add(whole, scores.whole(), "% all right");
    report.add(macro_f1, scores.macro_f1(), "");
}

/// 002's table 1: both structures by every reading of what 002 says of words and discounting, by the one that folds
/// inside of the part that is learnt from find best, and by the best of all settings, found in the same way.
fn table_1(headers: &[TaggedText<'_>], report: &mut BenchReport) {
    let all: Vec<&TaggedText<'_>> = headers.iter().collect();
    let (learnt, asked) = all.split_at(LEARNT);
    for (is_merged, published) in [false, true].into_iter().zip(PUBLISHED) {
        let kind = if is_merged { "V-merged" } else { "baseline" };
        let mut add = |name: String, setting: &HmmSetting, folds: f64| {
            let trial = hmm_trial(learnt, asked, setting, is_merged);
            let values = [
                ("words learnt", trial.words as f64),
                ("states", trial.states as f64),
                ("transitions", trial.transitions as f64),
                ("% in folds", folds),
                ("% right", trial.right),
                ("% in 002", published),
            ];
            row(report, format!("{kind}, {name}{}", setting.name()), &values);
        };
        let tried = |settings: Vec<HmmSetting>| -> Vec<(f64, HmmSetting)> {
            let folds = |setting| (hmm_folds(learnt, &setting, is_merged), setting);
            settings.into_iter().map(folds).collect()
        };
        let best =
            |tried: &[(f64, HmmSetting)]| tried.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0));
        let read = tried(readings());
        read.iter().for_each(|(folds, setting)| add(String::new(), setting, *folds));
        for (name, tried) in
            [("as 002, chosen: ", read), ("of all, chosen: ", tried(all_settings()))]
        {
            if let Some((folds, setting)) = best(&tried) {
                add(name.to_owned(), &setting, folds);
            }
        }
    }
}

/// F1 of each field, in the rows below table 1.
fn by_field(what: &str, scores: &FieldScores, report: &mut BenchReport) {
    for (field, f1) in scores.by_field() {
        row(report, format!("{what}, {field}: F1"), &[("% right", 100. * f1)]);
    }
}

/// A row of the series: all rows have the same columns.
fn row(report: &mut BenchReport, label: String, values: &[(&'static str, f64)]) {
    const COLUMNS: [&str; 6] =
        ["words learnt", "states", "transitions", "% in folds", "% right", "% in 002"];
    let value = |name: &str| values.iter().find(|(known, _)| *known == name);
    let figure = |name: &'static str| {
        let value = value(name).map_or(f64::NAN, |(_, value)| *value);
        Figure { name, value, unit: "" }
    };
    report.series.push(COLUMNS.into_iter().map(figure).collect());
    report.labels.push(label);
}

/// Papers of the headers and references at hand, with a made-up text between them, by the function that
/// `fyke papers parse` runs.
fn speed(
    headers: &[TaggedText<'_>],
    references: &[TaggedText<'_>],
    report: &mut BenchReport,
) -> anyhow::Result<()> {
    let models = Arc::new(PaperModels::shipped().clone());
    let papers: Vec<Capture> = (0..PAPERS)
        .map(|at| capture(at, paper(at, headers, references)))
        .collect::<anyhow::Result<_>>()?;
    let bytes: usize = papers.iter().map(|paper| paper.payload.len()).sum();
    let start = cpu_time("self")?;
    let mut found = 0;
    for paper in &papers {
        let read = read_paper(paper, &models).map_err(anyhow::Error::msg)?;
        found += read.paper.references.len();
    }
    let seconds = (cpu_time("self")? - start).as_secs_f64();
    report.add("papers", PAPERS as f64, "");
    report.add("bytes_a_paper", bytes as f64 / PAPERS as f64, "");
    report.add("references_found", found as f64 / (PAPERS * REFERENCES) as f64, "of those there");
    report.add("papers_a_cpu_second", PAPERS as f64 / seconds.max(0.001), "");
    Ok(())
}

fn capture(at: usize, text: String) -> anyhow::Result<Capture> {
    Ok(Capture {
        url: Url::parse(&format!("http://papers.test/{at}.txt"))?,
        time: 0,
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/plain; charset=utf-8".to_owned())],
        payload: text.into_bytes(),
        truncated: None,
    })
}

fn paper(at: usize, headers: &[TaggedText<'_>], references: &[TaggedText<'_>]) -> String {
    let words = headers[at % headers.len()].words.iter().filter(|word| **word != PAGE);
    let mut text = words.map(|word| format!("{word} ")).collect::<String>().replace(LINE, "\n");
    text.push_str("\n1 Introduction\n");
    for paragraph in 0..PARAGRAPHS {
        let cited = paragraph % REFERENCES + 1;
        let line = "The nets that we set in the river by night catch more eels than those of\n\
                    the harbour, as the figures of the last three years have shown as well.\n";
        text.push_str(&line.repeat(4));
        text.push_str(&format!("Others fish with lines [{cited}].\n\n"));
    }
    text.push_str("References\n");
    for number in 0..REFERENCES {
        let reference = &references[(at * REFERENCES + number) % references.len()];
        text.push_str(&format!("[{}] {}\n", number + 1, reference.words.join(" ")));
    }
    text
}
