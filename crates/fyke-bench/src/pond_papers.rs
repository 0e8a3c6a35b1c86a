//! `cargo bench-fyke pond-papers`: the papers of the pond's departments as the product reads them (`read_paper`), against
//! what the pond knows of them: words of headers, references split, their fields, citations in sentences, references
//! matched, works most cited, and whether papers and what looks like them are told apart.

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark};
use fyke::demo::{PaperScores, RightOf};
use fyke_papers::models::PaperModels;
use fyke_pond::departments::{MarkStyle, PaperFormat, TrueForm, TruePaper};
use fyke_pond::{Ask, Body, Departments};
use fyke_stages::papers::{ReadPaper, read_paper};
use fyke_stages::targets::is_paper;
use fyke_web::{Capture, Url};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "pond-papers",
    what: "papers of the pond in HTML, PDF and PostScript: words of headers, references, citations, what is a paper",
    options: &["seed", "seeds"],
    run,
};

/// The first seed of those that are reported, and how many there are; the code was written on seeds 1 and 2.
const SEED: u64 = 101;
const SEEDS: u64 = 5;

/// All that is counted over all seeds.
#[derive(Default)]
struct PaperSums {
    header: RightOf,
    split: RightOf,
    contexts: RightOf,
    matched: RightOf,
    papers: RightOf,
    reference_fields: BTreeMap<&'static str, RightOf>,
    most_cited: f64,
    files: u64,
    cpu: Duration,
}

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let models = Arc::new(PaperModels::shipped().clone());
    let (mut report, mut sums) = (BenchReport::default(), PaperSums::default());
    let first = args.seed.unwrap_or(SEED);
    let seeds = args.seeds.unwrap_or(SEEDS);
    let mut kinds: BTreeMap<String, PaperScores> = BTreeMap::new();
    for seed in first..first + seeds {
        let row = of_seed(&Departments::new(seed), &models, (&mut sums, &mut kinds))?;
        report.labels.push(format!("seed {seed}"));
        report.series.push(row);
    }
    for (label, scores) in &kinds {
        report.labels.push(label.clone());
        report.series.push(columns(scores));
    }
    add(&sums, seeds, &mut report);
    Ok(report)
}

fn add(sums: &PaperSums, seeds: u64, report: &mut BenchReport) {
    report.add("files_of_papers", sums.files as f64, "");
    report.add("words_of_headers", 100.0 * sums.header.recall(), "% with the right field");
    report.add("words_of_headers_precision", 100.0 * sums.header.precision(), "%");
    report.add("references_split_f1", sums.split.f1(), "");
    for (field, name) in [
        ("authors", "references_authors"),
        ("title", "references_title"),
        ("venue", "references_venue"),
        ("year", "references_year"),
    ] {
        let right = sums.reference_fields.get(field).copied().unwrap_or_default();
        report.add(name, 100.0 * right.recall(), "% all right, of those split");
    }
    report.add("citing_sentences_f1", sums.contexts.f1(), "");
    report.add("references_matched_f1", sums.matched.f1(), "over pairs");
    report.add("most_cited_agreement", 100.0 * sums.most_cited / seeds as f64, "% of 20");
    report.add("is_a_paper_precision", sums.papers.precision(), "");
    report.add("is_a_paper_recall", sums.papers.recall(), "");
    let seconds = sums.cpu.as_secs_f64().max(0.001);
    report.add("papers_a_cpu_second", sums.files as f64 / seconds, "from bytes");
}

/// Reads all papers of a pond.
fn of_seed(
    pond: &Departments,
    models: &Arc<PaperModels>,
    (sums, kinds): (&mut PaperSums, &mut BTreeMap<String, PaperScores>),
) -> anyhow::Result<Vec<Figure>> {
    let (mut scores, mut papers) = (PaperScores::default(), RightOf::default());
    for paper in pond.papers() {
        for (nth, form) in paper.forms.iter().enumerate() {
            let capture = capture(pond, &form.url)?;
            let start = cpu_time("self")?;
            let read: ReadPaper = read_paper(&capture, models).map_err(anyhow::Error::msg)?;
            sums.cpu += cpu_time("self")?.saturating_sub(start);
            sums.files += 1;
            scores.add(&paper, &read.paper, nth == 0);
            for kind in labels(&paper, form) {
                kinds.entry(kind).or_default().add(&paper, &read.paper, nth == 0);
            }
            papers.add(usize::from(is_paper(&capture)), 1, 0);
        }
    }
    papers.found = papers.right;
    for other in pond.lookalikes() {
        papers.found += u64::from(is_paper(&capture(pond, &other.url)?));
    }
    let cited = scores.citations();
    for (sum, of) in [
        (&mut sums.header, scores.header),
        (&mut sums.split, scores.split),
        (&mut sums.contexts, scores.contexts),
        (&mut sums.matched, cited.matched),
        (&mut sums.papers, papers),
    ] {
        sum.add_all(of);
    }
    for (field, right) in &scores.reference_fields {
        sums.reference_fields.entry(field).or_default().add_all(*right);
    }
    sums.most_cited += cited.most_cited;
    let mut row = columns(&scores);
    row.extend([
        figure("matched", cited.matched.f1()),
        figure("most cited", cited.most_cited),
        figure("paper precision", papers.precision()),
        figure("paper recall", papers.recall()),
    ]);
    Ok(row)
}

/// Which kinds of papers a file belongs to.
fn labels(paper: &TruePaper, form: &TrueForm) -> [String; 2] {
    let format = match form.format {
        PaperFormat::Html => "HTML",
        PaperFormat::Pdf => "PDF",
        PaperFormat::Postscript => "PostScript",
    };
    let columns = if form.columns == 2 { ", two columns" } else { "" };
    let style = match paper.reference_style {
        MarkStyle::Bracket => "[3]",
        MarkStyle::Number => "3.",
        MarkStyle::Label => "[Gra95]",
        MarkStyle::AuthorYear => "no mark",
        MarkStyle::LongLabel => "[Grant, 1995]",
        MarkStyle::Footnote => "footnotes",
    };
    [format!("{format}{columns}"), format!("references: {style}")]
}

fn columns(scores: &PaperScores) -> Vec<Figure> {
    vec![
        figure("files", scores.papers as f64),
        figure("header words", scores.header.recall()),
        figure("split", scores.split.f1()),
        figure("sentences", scores.contexts.f1()),
    ]
}

fn figure(name: &'static str, value: f64) -> Figure {
    Figure { name, value, unit: "" }
}

/// What a crawler would keep of a URL.
fn capture(pond: &Departments, url: &str) -> anyhow::Result<Capture> {
    let rest = url.strip_prefix("http://").unwrap_or(url);
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let answer = pond.answer(&Ask::get(host, path));
    let Body::Bytes(payload) = answer.body else { anyhow::bail!("{url} has no bytes") };
    let headers = answer.headers.into_iter().map(|(name, value)| (name.to_owned(), value));
    let (headers, status) = (headers.collect(), answer.status);
    Ok(Capture { url: Url::parse(url)?, time: 0, status, headers, payload, truncated: None })
}
