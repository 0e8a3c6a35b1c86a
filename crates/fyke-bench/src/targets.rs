//! `cargo bench-fyke targets`: requests until half and nine tenths of the papers of the pond's departments are found,
//! with `targets = "papers"` and without (breadth-first, and by the rank that comes to a URL); the same of all PDF and
//! PostScript files with `targets = ["*.pdf", "*.ps"]`. By the code of the live crawl, without a network; a paper is found with the first of its files.

use super::report::{BenchReport, Figure};
use super::{Args, Benchmark};
use fyke_crawl::fetch::{Address, Captured, Failed, Outcome, Request};
use fyke_crawl::{
    BudgetOptions, Control, CrawlOptions, ENDLESS, Fetch, FocusOptions, QueueOrder, ScopeOptions,
    Targets, crawl,
};
use fyke_pond::{Ask, Body, Departments};
use fyke_stages::targets::papers;
use fyke_store::{Collection, Reason};
use fyke_web::{Capture, Url};
use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "targets",
    what: "requests until half and nine tenths of the papers of the pond are found, with targets and without",
    options: &["seed", "seeds"],
    run,
};

/// The first seed of those that are reported, and how many there are.
const SEED: u64 = 101;
const SEEDS: u64 = 5;
/// Requests under way at once; more of them are sent before anything is learnt from the first.
const CONNECTIONS: usize = 4;
/// Pages of a pond and more.
const PAGES: u64 = 20_000;

/// In which order a crawl goes.
#[derive(Clone, Copy)]
enum TargetOrder {
    Depth,
    Worth,
    Papers,
    Patterns,
}

const ORDERS: [TargetOrder; 4] =
    [TargetOrder::Depth, TargetOrder::Worth, TargetOrder::Papers, TargetOrder::Patterns];

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let (mut report, mut sums) = (BenchReport::default(), Reached::default());
    let first = args.seed.unwrap_or(SEED);
    let seeds = args.seeds.unwrap_or(SEEDS);
    let mut fewest = f64::INFINITY;
    for seed in first..first + seeds {
        let found = of_seed(&Departments::new(seed))?;
        fewest = fewest.min(found[0][0] / found[2][0]);
        for (sum, found) in sums.iter_mut().flatten().zip(found.iter().flatten()) {
            *sum += found / seeds as f64;
        }
        report.labels.push(format!("seed {seed}"));
        report.series.push(row(&found));
    }
    report.labels.push("mean".to_owned());
    report.series.push(row(&sums));
    for (name, plain, guided) in [
        ("papers_times_fewer_for_half", sums[0][0], sums[2][0]),
        ("papers_times_fewer_for_nine_tenths", sums[0][1], sums[2][1]),
        ("files_times_fewer_for_half", sums[3][0], sums[4][0]),
        ("files_times_fewer_for_nine_tenths", sums[3][1], sums[4][1]),
    ] {
        report.add(name, plain / guided, "than breadth-first");
    }
    report.add("papers_fewest_times_fewer_for_half", fewest, "");
    Ok(report)
}

/// Requests until half and nine tenths are found: of papers breadth-first, by rank and with targets; of files
/// breadth-first and with targets.
type Reached = [[f64; 2]; 5];

fn of_seed(pond: &Departments) -> anyhow::Result<Reached> {
    let crawls = ORDERS.map(|order| asked(pond, order));
    let [depth, worth, papers, files] = crawls;
    let (depth, worth, papers, files) = (depth?, worth?, papers?, files?);
    let forms = (0..pond.papers)
        .flat_map(|number| pond.forms(number).into_iter().map(move |form| (form.url, number)));
    let known: HashMap<String, usize> = forms.collect();
    let is_file = |url: &&String| url.ends_with(".pdf") || url.ends_with(".ps");
    let others: Vec<String> = pond.lookalikes().into_iter().map(|other| other.url).collect();
    let all = known.keys().chain(&others).filter(is_file).cloned().zip(0..).collect();
    Ok([
        until(&depth, &known),
        until(&worth, &known),
        until(&papers, &known),
        until(&depth, &all),
        until(&files, &all),
    ])
}

fn row(found: &Reached) -> Vec<Figure> {
    let names = [
        ["papers: breadth-first, half", "90 %"],
        ["by rank, half", "90 %"],
        ["targets = papers, half", "90 %"],
        ["*.pdf and *.ps: breadth-first, half", "90 %"],
        ["targets, half", "90 %"],
    ];
    let figures = names.into_iter().flatten().zip(found.iter().flatten());
    figures.map(|(name, value)| Figure { name, value: value.round(), unit: "" }).collect()
}

/// Requests until half and nine tenths of what is wanted are found; endless if they never are.
fn until(asked: &[String], wanted: &HashMap<String, usize>) -> [f64; 2] {
    let all: HashSet<usize> = wanted.values().copied().collect();
    let mut found: HashSet<usize> = HashSet::new();
    let mut reached = [f64::INFINITY; 2];
    for (at, url) in asked.iter().enumerate() {
        found.extend(wanted.get(url));
        for (reached, share) in reached.iter_mut().zip([0.5, 0.9]) {
            if found.len() as f64 >= share * all.len() as f64 {
                *reached = reached.min(at as f64 + 1.0);
            }
        }
    }
    reached
}

/// The URLs that a crawl asks for, in their order; robots.txt and made-up paths are not counted.
fn asked(pond: &Departments, order: TargetOrder) -> anyhow::Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), "")?;
    let collection = Collection::open(folder.path())?;
    let seeds = pond.seeds().iter().map(|url| Url::parse(url)).collect::<Result<_, _>>()?;
    let looks = |targets| FocusOptions {
        targets: Some(Arc::new(targets)),
        tunnel: ENDLESS,
        ..FocusOptions::default()
    };
    let patterns = ["*.pdf".to_owned(), "*.ps".to_owned()];
    let options = CrawlOptions {
        seeds,
        scope: ScopeOptions { allow: vec!["*.test/**".into()], ..ScopeOptions::default() },
        budget: BudgetOptions { pages: Some(PAGES), ..BudgetOptions::default() },
        floor: Duration::ZERO,
        factor: 0.0,
        per_address: 0,
        connections: CONNECTIONS,
        threads: 1,
        asks_for_missing: false,
        order: if matches!(order, TargetOrder::Depth) {
            QueueOrder::Depth
        } else {
            QueueOrder::Worth
        },
        focus: match order {
            TargetOrder::Depth | TargetOrder::Worth => None,
            TargetOrder::Papers => Some(looks(papers()?)),
            TargetOrder::Patterns => Some(looks(Targets::new(&patterns, None)?)),
        },
        ..CrawlOptions::default()
    };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let web = PondWeb { pond: pond.clone(), asked: Arc::clone(&asked) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(crawl(&collection, web, &options, &mut |_| (), Control::new()))?;
    let asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(asked.iter().filter(|url| !url.ends_with("/robots.txt")).cloned().collect())
}

/// The departments, without a network between.
struct PondWeb {
    pond: Departments,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Fetch for PondWeb {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        let host = self.pond.hosts().position(|host| host == url.host());
        let Some(host) = host else { return Err(Failed::of_host(Reason::Dns, "no such host")) };
        let key = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2 + host as u8));
        let sockets = vec![SocketAddr::new(key, url.port())];
        Ok(Address { sockets, key, ttl: Duration::from_secs(3600) })
    }

    async fn fetch(&self, request: Request) -> Outcome {
        let url = &request.url;
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(url.as_str().to_owned());
        let answer = match url.path() {
            "/robots.txt" => fyke_pond::Answer::missing(),
            path => self.pond.answer(&Ask::get(url.host(), path)),
        };
        let payload = match answer.body {
            Body::Bytes(bytes) => bytes,
            _ => Vec::new(),
        };
        let headers = answer.headers.into_iter().map(|(name, value)| (name.to_owned(), value));
        let capture = Capture {
            time: request.now,
            status: answer.status,
            headers: headers.collect(),
            payload,
            truncated: None,
            url: url.clone(),
        };
        let line = format!("GET {} HTTP/1.1\r\n", url.path_and_query());
        let request = format!("{line}host: {}\r\n\r\n", url.authority()).into_bytes();
        Outcome::Captured(Captured { capture, request, elapsed: Duration::from_millis(1) })
    }
}
