//! `cargo bench-fyke topics`: topics from keywords alone on 20 newsgroups by date: each step of 002 §3 with what
//! it gains or loses, what goes beyond it, and the same with all labels.

mod news;

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, data};
use fyke_learn::topics::{
    Bags, CollectionWords, Frequencies, Labels, LearntTopics, Mixture, TopicOptions, count, em,
    first_found, train,
};
use news::{Message, News};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "topics",
    what: "topics from keywords alone: messages of 20 newsgroups placed right, step by step",
    options: &["data", "pin"],
    run,
};

/// Rows of the table that others are compared with.
const RULES: &str = "rule list";
const BAYES: &str = "naive Bayes from its labels";
const EM: &str = "EM";
const SHRUNK: &str = "EM with shrinkage up the tree";
const OURS: &str = "words damped, keywords weighed, two models";
const LABELLED: &str = "all labels, naive Bayes";

/// Rounds of EM on plain counts.
const ROUNDS: usize = 10;

/// What another library reached on the same split with the same keywords, measured elsewhere.
const PEER: [(&str, f64); 4] = [(RULES, 43.6), (BAYES, 70.7), (EM, 70.9), (LABELLED, 79.9)];

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let news = news::read(&data(args)?.join("20news-bydate"))?;
    let mut report = BenchReport::default();
    report.add("training_messages", news.bags.documents.len() as f64, "without labels");
    report.add("test_messages", news.test.len() as f64, "");
    report.add("words", news.bags.words as f64, "kept");
    report.add("keywords", news.keywords.len() as f64, "");
    let rules = accuracy(&news, |message| message.rule);
    row(&mut report, RULES, "", rules);
    sources(&news, &mut report);
    beyond(&news, &mut report)?;
    labelled(&news, &mut report);
    Ok(report)
}

/// The steps of the source, on plain counts.
fn sources(news: &News, report: &mut BenchReport) {
    let documents = &news.bags.documents;
    let collection = CollectionWords::count(documents, news.bags.words);
    let labels = first_found(&news.bags.found, &news.of, news.groups.len());
    let bayes = Frequencies::laplace(&count(documents, &labels), &collection);
    row(report, BAYES, RULES, of_bayes(news, &bayes));
    let (model, _) = em(documents, bayes, ROUNDS, |labels| {
        Frequencies::laplace(&count(documents, labels), &collection)
    });
    row(report, EM, BAYES, of_bayes(news, &model));
    let mut mixture = Mixture::new(&news.tree, &news.groups);
    let mut shrink = |labels: &mut Labels| {
        mixture.shrink(&count(documents, labels), &collection, documents, labels)
    };
    let first = shrink(&mut labels.clone());
    let (model, _) = em(documents, first, ROUNDS, shrink);
    row(report, SHRUNK, EM, of_bayes(news, &model));
}

/// What is ours: words damped, estimates that lean on the collection, keywords weighed, regression.
fn beyond(news: &News, report: &mut BenchReport) -> anyhow::Result<()> {
    let learn = |even, rest| {
        let options = TopicOptions { even, rest, ..TopicOptions::default() };
        train(&news.bags, &news.tree, &news.keywords, options)
    };
    let start = cpu_time("self")?;
    let model = learn(false, false);
    let seconds = (cpu_time("self")? - start).as_secs_f64();
    let fourfold = fourfold(&news.bags);
    let start = cpu_time("self")?;
    let options = TopicOptions { rest: false, ..TopicOptions::default() };
    std::hint::black_box(train(&fourfold, &news.tree, &news.keywords, options));
    let of_fourfold = (cpu_time("self")? - start).as_secs_f64();
    row(report, OURS, SHRUNK, of_model(news, &model));
    placed(news, &model, report, ["placed", "placed_right"]);
    let even = learn(true, false);
    row(report, "… and topics known to be of like size", OURS, of_model(news, &even));
    let rest = learn(false, true);
    row(report, "… and messages that may have no topic (the default)", OURS, of_model(news, &rest));
    placed(news, &rest, report, ["placed_by_default", "placed_right_by_default"]);
    report.add("training", seconds, "CPU-seconds");
    report.add("training_fourfold", of_fourfold, "CPU-seconds, every message four times");
    report.add("growth", of_fourfold / (4. * seconds), "of the time for a word");
    Ok(())
}

/// The same messages, four times over.
fn fourfold(bags: &Bags) -> Bags {
    let times = [bags; 4];
    Bags {
        documents: times.iter().flat_map(|bags| bags.documents.clone()).collect(),
        found: times.iter().flat_map(|bags| bags.found.clone()).collect(),
        words: bags.words,
    }
}

/// The line to reach: every training message with its label.
fn labelled(news: &News, report: &mut BenchReport) {
    let documents = &news.bags.documents;
    let collection = CollectionWords::count(documents, news.bags.words);
    let labels = Labels::sure(news.groups.len(), news.train.iter().map(|group| Some(*group)));
    let bayes = Frequencies::laplace(&count(documents, &labels), &collection);
    row(report, LABELLED, "", of_bayes(news, &bayes));
}

/// Messages that are placed in a leaf, and of these the share that is placed right.
fn placed(news: &News, model: &LearntTopics, report: &mut BenchReport, names: [&'static str; 2]) {
    let place = |message: &Message| {
        let topics = model.topics(&model.shares(&message.words));
        let node = topics.first()?.0;
        news.groups.iter().position(|group| *group == node)
    };
    let places: Vec<_> = news.test.iter().map(|message| (place(message), message.group)).collect();
    let all = places.iter().filter(|(place, _)| place.is_some()).count();
    let right = places.iter().filter(|(place, group)| *place == Some(*group)).count();
    report.add(
        names[0],
        100. * all as f64 / places.len().max(1) as f64,
        "% in a leaf, others abstained",
    );
    report.add(names[1], 100. * right as f64 / all.max(1) as f64, "% of these");
}

fn of_bayes(news: &News, model: &Frequencies) -> f64 {
    accuracy(news, |message| fyke_learn::topics::best(&model.posterior(&message.words)))
}

fn of_model(news: &News, model: &LearntTopics) -> f64 {
    accuracy(news, |message| fyke_learn::topics::best(&model.posterior(&message.words)))
}

/// The share of test messages that get their group, in per cent.
fn accuracy(news: &News, place: impl Fn(&Message) -> Option<usize>) -> f64 {
    let right = news.test.iter().filter(|message| place(message) == Some(message.group)).count();
    100. * right as f64 / news.test.len().max(1) as f64
}

/// A row of the table, with the step from the row of that name.
fn row(report: &mut BenchReport, label: &str, from: &str, accuracy: f64) {
    let before = report.labels.iter().position(|label| label == from);
    let before = before.map_or(f64::NAN, |at| report.series[at][0].value);
    let peer = PEER.iter().find(|(name, _)| *name == label).map_or(f64::NAN, |(_, figure)| *figure);
    let figure = |name, value| Figure { name, value, unit: "%" };
    report.labels.push(label.to_owned());
    report.series.push(vec![
        figure("right", accuracy),
        figure("step", accuracy - before),
        figure("peer", peer),
    ]);
}
