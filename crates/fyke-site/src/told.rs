//! How a crawl stands, as it tells itself: page, JSON, event and the file beside the ledger alike.

use super::live::{Live, Phase};
use super::rates;
use fyke_crawl::{Harvest, HostNow};
use fyke_stages::memory;
use fyke_stages::moments::iso;
use fyke_stages::show::{self, count, size};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Hosts listed at the most.
pub(crate) const HOSTS: usize = 100;

/// What a crawl tells of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CrawlReport {
    /// running, paused, stopping, finishing, ended.
    pub state: String,
    /// The same as a sentence.
    pub words: String,
    /// Those that need attention first.
    pub hosts: Vec<ShownHost>,
    pub run: ShownRun,
}

impl CrawlReport {
    /// By a crawl of this process; `hosts` as it told them last.
    pub fn of(live: &Live, hosts: Vec<HostNow>) -> CrawlReport {
        let (state, words) = state(live);
        let now = show::now();
        let mut hosts: Vec<_> = hosts.into_iter().map(|host| host_now(host, now)).collect();
        by_need(&mut hosts);
        hosts.truncate(HOSTS);
        CrawlReport { state: state.to_owned(), words, hosts, run: run(live) }
    }
}

/// One host. Only a running crawl knows how much is queued, only the ledger how many bytes came.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ShownHost {
    pub host: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queued: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    pub pages: u64,
    /// Of its URLs known so far the share that was fetched, in per cent.
    #[serde(default)]
    pub share: u64,
    pub failures: u32,
    /// Why it waits, and until when (ISO 8601).
    pub waits: String,
    pub until: Option<String>,
    /// Both in words.
    pub told: String,
}

/// What the run of this process did so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ShownRun {
    pub pages: u64,
    pub pages_per_second: f64,
    pub pages_per_second_mean: f64,
    pub bytes: u64,
    pub errors: u64,
    pub queued: u64,
    pub in_flight: u64,
    pub hosts_waiting: u64,
    pub seconds: f64,
    pub memory_bytes: u64,
    pub memory_peak_bytes: u64,
    /// URLs waiting by priority.
    pub frontier: Vec<PriorityQueue>,
    /// Pages a second over the whole run at even distances, the highest of them, and a line through all.
    pub rates: Vec<f64>,
    pub highest: String,
    pub line: String,
    /// The figures as the page shows them.
    pub figures: Vec<ShownFigure>,
    /// Words of links that lead to the subject and that do not; of a focused crawl alone.
    pub words: Vec<ShownFigure>,
}

/// URLs of one priority.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PriorityQueue {
    pub priority: usize,
    pub count: u64,
    /// Of the longest queue, in per cent.
    pub share: u64,
}

/// One figure of the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShownFigure {
    pub name: String,
    pub text: String,
}

/// What the crawl does, in a word and as a sentence.
fn state(live: &Live) -> (&'static str, String) {
    let control = &live.control;
    let (state, words) = match live.phase() {
        Phase::Making(Some(step)) => {
            let of = step.total.map_or_else(String::new, |total| format!(" of {}", count(total)));
            return (
                "finishing",
                format!("Fetching has ended; {}: {}{of} done.", step.stage, count(step.done)),
            );
        }
        Phase::Making(None) => ("finishing", "Fetching has ended; documents are being made."),
        Phase::Over => ("ended", "The crawl has ended; what was fetched is kept and indexed."),
        Phase::Crawling if control.is_stopped() => ("stopping", "Stopping; nothing new is asked."),
        Phase::Crawling if control.is_paused() => ("paused", "Paused; no new requests."),
        Phase::Crawling => ("running", "Running."),
    };
    (state, words.to_owned())
}

/// What needs attention comes first: failures in a row, then what waits for anything but its turn, then the most
/// queued URLs.
pub(crate) fn by_need(hosts: &mut [ShownHost]) {
    hosts.sort_by_key(|host| {
        let is_held = host.until.is_some();
        Reverse((host.failures, is_held, host.queued.unwrap_or(0), host.pages))
    });
}

fn share(pages: u64, queued: Option<u64>) -> u64 {
    (100 * pages).checked_div(pages + queued.unwrap_or(0)).unwrap_or(0)
}

fn host_now(host: HostNow, now: i64) -> ShownHost {
    let HostNow { authority, queued, pages, failures, until, why } = host;
    let until = until.and_then(|until| i64::try_from(until).ok()).filter(|until| *until > now);
    let told = show::wait(&why, until, now);
    let (host, queued) = (authority, Some(queued));
    let share = share(pages, queued);
    let until = until.and_then(iso);
    ShownHost { host, queued, bytes: None, pages, share, failures, waits: why, until, told }
}

fn run(live: &Live) -> ShownRun {
    let seen = live.seen();
    let progress = &seen.progress;
    let rates = seen.rates.all();
    let mut run = ShownRun {
        pages: progress.fetched,
        pages_per_second: seen.rates.now(progress.elapsed, progress.fetched),
        pages_per_second_mean: progress.rate,
        bytes: progress.bytes,
        errors: progress.errors,
        queued: progress.queued,
        in_flight: progress.in_flight,
        hosts_waiting: progress.hosts_waiting,
        seconds: progress.elapsed.as_secs_f64(),
        memory_bytes: memory::rss(),
        memory_peak_bytes: memory::peak_rss(),
        frontier: queues(&progress.priorities),
        highest: format!("{:.0}", rates.iter().copied().fold(0.0, f64::max)),
        line: rates::sparkline(&rates),
        rates,
        figures: Vec::new(),
        words: progress.harvest.iter().flat_map(words).collect(),
    };
    run.figures = figures(&run);
    run.figures.extend(progress.harvest.iter().flat_map(harvested));
    run
}

fn queues(priorities: &[u64]) -> Vec<PriorityQueue> {
    let most = priorities.iter().copied().max().unwrap_or(0).max(1);
    let row = |(n, &count): (usize, &u64)| {
        let share = (100 * count).div_ceil(most);
        PriorityQueue { priority: n + 1, count, share }
    };
    priorities.iter().enumerate().map(row).collect()
}

/// What a focused crawl has to tell.
fn harvested(harvest: &Harvest) -> [ShownFigure; 3] {
    let percent = |rate: f64| format!("{:.0} %", 100.0 * rate);
    let figure = |name: &str, text| ShownFigure { name: name.to_owned(), text };
    [
        figure("on the subject", count(harvest.on)),
        figure("harvest rate", percent(harvest.rate())),
        figure("of the last 500", percent(harvest.late_rate())),
    ]
}

/// The words it has learned; both rows from the start, so that the page has a place for them.
fn words(harvest: &Harvest) -> [ShownFigure; 2] {
    let figure = |name: &str, words: &[String]| {
        let text = if words.is_empty() { "none yet".to_owned() } else { words.join(", ") };
        ShownFigure { name: name.to_owned(), text }
    };
    [figure("words that lead there", &harvest.best), figure("words that do not", &harvest.worst)]
}

fn figures(run: &ShownRun) -> Vec<ShownFigure> {
    let rate = |rate: f64| format!("{rate:.1}");
    let figure = |name: &str, text| ShownFigure { name: name.to_owned(), text };
    vec![
        figure("pages a second", rate(run.pages_per_second)),
        figure("a second, mean", rate(run.pages_per_second_mean)),
        figure("pages", count(run.pages)),
        figure("received", size(run.bytes)),
        figure("errors", count(run.errors)),
        figure("queued", count(run.queued)),
        figure("in flight", count(run.in_flight)),
        figure("hosts waiting", count(run.hosts_waiting)),
        figure("memory", size(run.memory_bytes)),
        figure("memory at most", size(run.memory_peak_bytes)),
        figure("running for", show::span((run.seconds * 1000.0) as i64)),
    ]
}
