//! `cargo bench-fyke spam`: web spam against its truth. The pond's ordinary pages become a collection, and its web of spam
//! is poured in; what is spam is told by the program's own derivations and the model that ships. The parts: `figures`
//! (seeds that nothing was learned on), `train` (other seeds; writes the model), `sites` (pages of real documentation
//! under DIR: what is taken for spam, and which words for hidden).

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark};
use anyhow::Context as _;
use fyke_derive::page::evidence::evidence;
use fyke_derive::whole::spam::{SpamVerdict, judge, numbers, read_model, values};
use fyke_derive::{Eagerness, Orders, derive};
use fyke_eval::{Qrels, Run, evaluate};
use fyke_index::SearchOptions;
use fyke_learn::{Logistic, LogisticExample};
use fyke_pond::hazards::spam::{SpamPage, web};
use fyke_pond::{Ask, Body, Hazards, Pond, Size, Truth};
use fyke_stages::config::Config;
use fyke_stages::search;
use fyke_store::{Collection, Reason, Round, Row};
use fyke_web::{Capture, Url, UrlId, unseen};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "spam",
    what: "web spam of held-out ponds: precision, recall by technique, false alarms, nDCG with spam poured in",
    options: &["seed", "seeds", "part", "data"],
    run,
};

/// Seeds that are reported, and those that the model was learned on: never the same.
const SEED: u64 = 101;
const SEEDS: u64 = 3;
const TRAINED: u64 = 1;
/// How hard weights are pulled to 0: chosen on seeds 5 to 8.
const RIDGE: f64 = 0.002;
/// Pages of one package of documentation that are looked at.
const MOST_PAGES: usize = 1_500;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    match args.part.as_deref() {
        None | Some("figures") => figures(args),
        Some("train") => train(args),
        Some("sites") => sites(args),
        Some(other) => anyhow::bail!("there is no part {other:?}: figures, train or sites"),
    }
}

/// A page with what is known and what was found of it.
struct SpamCase {
    sort: &'static str,
    is_spam: bool,
    values: Vec<f32>,
    verdict: SpamVerdict,
}

/// A collection in a folder of its own.
struct MadeWeb {
    collection: Collection,
    truth: Truth,
    pages: Vec<SpamPage>,
    _folder: tempfile::TempDir,
}

/// Makes a collection of a pond's ordinary pages, and of its web of spam where that `is_poured` in.
fn made(seed: u64, is_poured: bool) -> anyhow::Result<MadeWeb> {
    let pond = Pond::new(seed, Size::default(), Hazards::none());
    let truth = pond.truth();
    let texts: Vec<String> = truth.pages.iter().map(|page| page.main_text.clone()).collect();
    let mut pages = ordinary(&pond, &truth)?;
    if is_poured {
        pages.extend(web(&pond, &texts));
    }
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), "")?;
    let collection = Collection::open(folder.path())?;
    let seeds: Vec<UrlId> =
        pond.seeds().iter().map(|url| Ok(Url::parse(url)?.id())).collect::<anyhow::Result<_>>()?;
    commit(&collection, &pages, &seeds)?;
    Ok(MadeWeb { collection, truth, pages, _folder: folder })
}

fn ordinary(pond: &Pond, truth: &Truth) -> anyhow::Result<Vec<SpamPage>> {
    let mut urls: Vec<String> = truth.pages.iter().map(|page| page.url.clone()).collect();
    urls.extend(pond.seeds());
    urls.sort();
    urls.dedup();
    let mut pages = Vec::new();
    for text in urls {
        let url = Url::parse(&text)?;
        let answer = pond.answer(&Ask::get(url.host(), url.path_and_query()));
        let Body::Bytes(bytes) = answer.body else { continue };
        if answer.status == 200 {
            let html = String::from_utf8_lossy(&bytes).into_owned();
            pages.push(SpamPage { url: text, html, sort: "ordinary", is_spam: false });
        }
    }
    Ok(pages)
}

fn capture(page: &SpamPage) -> anyhow::Result<Capture> {
    Ok(Capture {
        url: Url::parse(&page.url)?,
        time: 1_790_000_000_000,
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html; charset=utf-8".to_owned())],
        payload: page.html.clone().into_bytes(),
        truncated: None,
    })
}

/// Commits pages and makes all that is derived of them.
fn commit(collection: &Collection, pages: &[SpamPage], seeds: &[UrlId]) -> anyhow::Result<()> {
    let mut round = Round::default();
    for page in pages {
        let capture = capture(page)?;
        let mut row = Row::new(capture.url.as_str(), Reason::Kept, capture.time);
        row.depth = u16::from(!seeds.contains(&capture.url.id()));
        round.rows.push((capture.url.id(), row));
        round.captures.push((Vec::new(), capture));
    }
    collection.commit(round)?;
    let config = Config::default();
    let settings = fyke_stages::settings(collection.root(), &config)?;
    let (pace, observe) = (Eagerness::Exact, &mut |_| ());
    fyke_derive::run(collection, &mut Orders { settings: &settings, pace, only: None, observe })?;
    Ok(())
}

/// The verdicts on all pages of a web.
fn judged(web: &MadeWeb, model: &Logistic) -> anyhow::Result<Vec<SpamCase>> {
    let cells = web.collection.cells();
    let mut found = Vec::new();
    for page in &web.pages {
        let Some(values) = values(&cells, Url::parse(&page.url)?.id())? else { continue };
        let verdict = judge(model, &values);
        found.push(SpamCase { sort: page.sort, is_spam: page.is_spam, values, verdict });
    }
    Ok(found)
}

/// The model that ships, or for `figures` one that was just learned, in DIR.
fn model(folder: Option<&Path>) -> anyhow::Result<Logistic> {
    let learned = folder.map(|folder| folder.join("spam-model.txt")).filter(|file| file.is_file());
    Ok(match learned {
        Some(file) => read_model(&std::fs::read_to_string(file)?),
        None => read_model(include_str!("../../fyke-derive/data/spam-model.txt")),
    })
}

fn figures(args: &Args) -> anyhow::Result<BenchReport> {
    let (first, seeds) = (args.seed.unwrap_or(SEED), args.seeds.unwrap_or(SEEDS));
    let (model, mut pages, mut ndcg) = (model(args.data.as_deref())?, Vec::new(), [0.0; 2]);
    for seed in first..first + seeds {
        let web = made(seed, true)?;
        pages.extend(judged(&web, &model)?);
        for (sum, is_poured) in ndcg.iter_mut().zip([false, true]) {
            *sum += match is_poured {
                true => ranked(&web)?,
                false => ranked(&made(seed, false)?)?,
            };
        }
    }
    let mut report = scored(&pages);
    report.add("ndcg_clean", ndcg[0] / seeds as f64, "nDCG@10 of the pond's queries");
    report.add("ndcg_poured", ndcg[1] / seeds as f64, "with spam poured in");
    cost(&made(first, true)?, &model, &mut report)?;
    Ok(report)
}

/// Precision, recall and calibration over all pages; by sort in the series.
fn scored(pages: &[SpamCase]) -> BenchReport {
    let mut report = BenchReport::default();
    let count = |is_spam: bool, is_told: bool| {
        let of = pages
            .iter()
            .filter(|page| page.is_spam == is_spam && page.verdict.is_likely() == is_told);
        of.count() as f64
    };
    let (hit, missed, alarm) = (count(true, true), count(true, false), count(false, true));
    report.add("pages", pages.len() as f64, "");
    report.add("spam_pages", hit + missed, "");
    report.add("precision", hit / (hit + alarm).max(1.0), "");
    report.add("recall", hit / (hit + missed).max(1.0), "");
    let fair = |page: &&SpamCase| !page.is_spam && page.sort != "ordinary" && page.sort != "blog";
    let negatives: Vec<_> = pages.iter().filter(fair).collect();
    let alarms = negatives.iter().filter(|page| page.verdict.is_likely()).count() as f64;
    report.add(
        "false_alarms",
        100.0 * alarms / negatives.len().max(1) as f64,
        "% of pages that look like spam",
    );
    let ordinary: Vec<_> = pages.iter().filter(|page| page.sort == "ordinary").collect();
    let lost = ordinary.iter().filter(|page| page.verdict.is_likely()).count();
    report.add("ordinary_lost", lost as f64, "ordinary pages");
    let miss = |page: &SpamCase| {
        let wanted = f64::from(u8::from(page.is_spam));
        (f64::from(page.verdict.probability) - wanted).powi(2)
    };
    report.add(
        "brier",
        pages.iter().map(miss).sum::<f64>() / pages.len().max(1) as f64,
        "mean square of what is off",
    );
    let mut sorts: BTreeMap<(bool, &str), (f64, f64, f64)> = BTreeMap::new();
    for page in pages {
        let row = sorts.entry((!page.is_spam, page.sort)).or_default();
        row.0 += 1.0;
        row.1 += f64::from(u8::from(page.verdict.is_likely()));
        row.2 += f64::from(page.verdict.probability);
    }
    for ((is_fair, sort), (all, told, sum)) in sorts {
        report.labels.push(format!("{} {sort}", if is_fair { "fair:" } else { "spam:" }));
        let figure = |name, value| Figure { name, value, unit: "" };
        report.series.push(vec![
            figure("pages", all),
            figure("told_spam", told / all),
            figure("mean", sum / all),
        ]);
    }
    report
}

/// nDCG@10 of the pond's queries.
fn ranked(web: &MadeWeb) -> anyhow::Result<f64> {
    let (mut qrels, mut run) = (Qrels::default(), Run::new("fyke"));
    for qrel in &web.truth.qrels {
        qrels.insert(&qrel.query.to_string(), &qrel.url, i32::from(qrel.grade_a));
    }
    let index = search::index(web.collection.root(), &Config::default())?;
    for query in &web.truth.queries {
        let options = SearchOptions { limit: 20, ..SearchOptions::default() };
        let results = search::search(&index, query.text, &options)?;
        for (rank, hit) in results.hits.iter().enumerate() {
            run.insert(&query.id.to_string(), &hit.url, (20 - rank) as f32);
        }
    }
    let found = evaluate(&qrels, &run, &["nDCG@10"]).context("no measure")?;
    Ok(found.means.first().copied().unwrap_or(0.0))
}

/// What evidence and verdict cost, beside what the page cost anyway.
fn cost(web: &MadeWeb, model: &Logistic, report: &mut BenchReport) -> anyhow::Result<()> {
    let mut read = Vec::new();
    for page in web.pages.iter().take(2_000) {
        let capture = capture(page)?;
        let derived = derive(&capture);
        if let (Some(page), Some(document)) = (derived.page, derived.document) {
            read.push((capture, page, document, derived.links));
        }
    }
    let start = cpu_time("self")?;
    for (capture, page, document, links) in &read {
        let mut values = evidence(capture, page, (document, links));
        values.resize(numbers().count(), 0.0);
        std::hint::black_box(judge(model, &values));
    }
    let spent = cpu_time("self")?.saturating_sub(start);
    let each = |micros: f64| micros / read.len().max(1) as f64 / 1e3;
    report.add("evidence_ms", each(spent.as_secs_f64() * 1e6), "CPU ms a page");
    let start = cpu_time("self")?;
    for (_, page, ..) in &read {
        std::hint::black_box(unseen(&page.content));
    }
    let spent = cpu_time("self")?.saturating_sub(start);
    report.add("hidden_text_ms", each(spent.as_secs_f64() * 1e6), "CPU ms a page, of it");
    Ok(())
}

/// Learns a model on seeds that are never reported, and writes it where DIR says.
fn train(args: &Args) -> anyhow::Result<BenchReport> {
    let (first, seeds) = (args.seed.unwrap_or(TRAINED), args.seeds.unwrap_or(4));
    anyhow::ensure!(
        first + seeds <= SEED,
        "seeds from {SEED} on are reported: nothing is learned on them"
    );
    let mut pages = Vec::new();
    for seed in first..first + seeds {
        pages.extend(judged(&made(seed, true)?, &Logistic::default())?);
    }
    let mut examples: Vec<LogisticExample> =
        pages.iter().map(|page| (page.values.clone(), page.is_spam)).collect();
    // Trust and distrust depend on seeds and marks that a pond has and other webs may not.
    let count = numbers().count();
    let without: Vec<usize> =
        (0..).zip(numbers()).filter(|(_, row)| row.0 == "no-trust").map(|(at, _)| at).collect();
    for (values, _) in &mut examples {
        without.iter().for_each(|at| values[*at] = 0.0);
    }
    let model = Logistic::learn(&examples, count, RIDGE, &vec![true; count]);
    let mut report = BenchReport::default();
    report.add("examples", examples.len() as f64, "");
    let mut text = format!(
        "# Weights of what speaks for spam, as logarithms of odds: learned on seeds {first} to {} of the pond\n\
         # (cargo bench-fyke spam --part train).\nbias {:.3}\n",
        first + seeds - 1,
        model.bias
    );
    for ((name, _), weight) in numbers().zip(&model.weights) {
        text += &format!("{name} {weight:.3}\n");
        report.labels.push(name.to_owned());
        report.series.push(vec![Figure { name: "weight", value: *weight, unit: "" }]);
    }
    if let Some(folder) = &args.data {
        std::fs::write(folder.join("spam-model.txt"), text)?;
    }
    for page in &mut pages {
        page.verdict = judge(&model, &page.values);
    }
    let own = scored(&pages);
    report.figures.extend(own.figures);
    report.labels.extend(own.labels);
    Ok(report)
}

/// Real pages: none of them is spam, and no word of them is hidden that a reader can see.
fn sites(args: &Args) -> anyhow::Result<BenchReport> {
    let home = super::data(args)?;
    let model = model(Some(&home))?;
    let home = if home.join("x").is_dir() { home.join("x") } else { home };
    let mut report = BenchReport::default();
    let mut sums = [0.0; 4];
    for package in std::fs::read_dir(&home)? {
        let package = package?.path();
        let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let found = of_site(&package, &name, &model)?;
        report.labels.push(name);
        sums.iter_mut().zip(&found).for_each(|(sum, figure)| *sum += figure.value);
        report.series.push(found);
    }
    for (name, sum) in
        ["pages", "told_spam", "pages_with_hidden_words", "hidden_words"].into_iter().zip(sums)
    {
        report.add(name, sum, "");
    }
    Ok(report)
}

fn of_site(folder: &Path, name: &str, model: &Logistic) -> anyhow::Result<Vec<Figure>> {
    let mut files = Vec::new();
    gather(folder, &mut files)?;
    files.sort();
    files.truncate(MOST_PAGES);
    let (mut pages, mut hidden, mut words) = (Vec::new(), 0.0, 0.0);
    for file in &files {
        let html = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
        let unseen = unseen(&html);
        hidden += f64::from(u8::from(unseen.words() > 0));
        words += f64::from(unseen.words());
        if unseen.words() > 0 && std::env::var_os("FYKE_SHOW").is_some() {
            eprintln!("{} {unseen:?}", file.display());
        }
        let path = file.strip_prefix(folder)?.to_string_lossy().replace(' ', "_");
        let url = format!("http://{name}.test/{path}");
        pages.push(SpamPage { url, html, sort: "ordinary", is_spam: false });
    }
    let scratch = tempfile::tempdir()?;
    std::fs::write(scratch.path().join("fyke.toml"), "")?;
    let collection = Collection::open(scratch.path())?;
    commit(&collection, &pages, &[])?;
    let mut told = 0.0;
    for page in &pages {
        let Some(values) = values(&collection.cells(), Url::parse(&page.url)?.id())? else {
            continue;
        };
        let verdict = judge(model, &values);
        told += f64::from(u8::from(verdict.is_likely()));
        if verdict.probability > 0.5 && std::env::var_os("FYKE_SHOW").is_some() {
            eprintln!(
                "{} {:.2} {:?}",
                page.url,
                verdict.probability,
                verdict.reasons().collect::<Vec<_>>()
            );
        }
    }
    let figure = |name, value| Figure { name, value, unit: "" };
    Ok(vec![
        figure("pages", pages.len() as f64),
        figure("told_spam", told),
        figure("pages_with_hidden_words", hidden),
        figure("hidden_words", words),
    ])
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let (path, kind) = {
            let entry = entry?;
            (entry.path(), entry.file_type()?)
        };
        if kind.is_dir() {
            gather(&path, files)?;
        } else if kind.is_file()
            && path.extension().is_some_and(|end| end == "html" || end == "htm")
        {
            files.push(path);
        }
    }
    Ok(())
}
