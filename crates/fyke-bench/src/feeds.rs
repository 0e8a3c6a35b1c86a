//! `cargo bench-fyke feeds`: how long it takes from the publication of an item until a search finds it, by feeds that are
//! visited and by feeds that a hub tells of, and the requests that each new item costs, against visits to all pages. The
//! program that people run crawls and serves (`fyke crawl --watch --serve`) in a process of its own; the news come from
//! the pond's newsroom at known times, and a search asks for a word that stands in one item alone.

use super::program;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark};
use anyhow::Context as _;
use fyke_pond::newsroom::{self, Newsroom, RunningNews, TrueItem};
use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "feeds",
    what: "feeds: time from publication until a search finds it, by visits and by a hub; requests per new item; items lost",
    options: &["hosts", "time", "part", "seed"],
    run,
};

const HOSTS: u64 = 40;
/// How long news are published that count, and how long the last are waited for.
const TIME: Duration = Duration::from_mins(11);
/// What a feed asks for that is visited, in minutes: the least that is believed.
const TTL: u32 = 5;
/// How often the search is asked for what was not found yet.
const ASKS: Duration = Duration::from_millis(100);
/// Before that, the crawl has its first round.
const SETTLED: Duration = Duration::from_secs(20);

/// One way to hear of news.
struct NewsWay {
    name: &'static str,
    every: Duration,
    keeps: u64,
    ttl: Option<u32>,
    has_hub: bool,
    /// One message of the hub in so many is lost.
    loses: u64,
    /// Lines of `fyke.toml`.
    settings: &'static str,
    /// So long after the last that counts nothing more is waited for.
    patience: Duration,
    /// Part of the time of the whole.
    part: u32,
}

const WAYS: [NewsWay; 4] = [
    NewsWay {
        name: "push",
        every: Duration::from_secs(30),
        keeps: 10,
        ttl: Some(60),
        has_hub: true,
        loses: 0,
        settings: "",
        patience: Duration::from_secs(30),
        part: 4,
    },
    NewsWay {
        name: "push, one message in four lost",
        every: Duration::from_secs(30),
        keeps: 10,
        ttl: Some(5),
        has_hub: true,
        loses: 4,
        settings: "",
        patience: Duration::from_secs(330),
        part: 4,
    },
    NewsWay {
        name: "pull",
        every: Duration::from_mins(10),
        keeps: 30,
        ttl: Some(TTL),
        has_hub: false,
        loses: 0,
        settings: "",
        patience: Duration::from_secs(330),
        part: 1,
    },
    NewsWay {
        name: "all pages visited",
        every: Duration::from_mins(10),
        keeps: 30,
        ttl: Some(TTL),
        has_hub: false,
        loses: 0,
        settings: "[revisit]\npolicy = \"uniform\"\nevery = \"5m\"\nsoonest = \"5m\"\nlatest = \"5m\"\n",
        patience: Duration::from_secs(330),
        part: 1,
    },
];

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let mut report = BenchReport::default();
    let time = args.time.unwrap_or(TIME);
    let (hosts, seed) = (args.hosts.unwrap_or(HOSTS), args.seed.unwrap_or(7));
    report.add("feeds", hosts as f64, "");
    report.add("minutes", time.as_secs_f64() / 60.0, "");
    let ways = WAYS.iter().filter(|way| args.part.as_deref().is_none_or(|part| part == way.name));
    // They sleep most of the time: what waits for one is measured beside the others.
    let measured = std::thread::scope(|scope| {
        let start = |way| scope.spawn(move || measure(way, (hosts as usize, seed), time));
        let running: Vec<_> = ways.map(|way| (way, start(way))).collect();
        running.into_iter().map(|(way, one)| (way, one.join())).collect::<Vec<_>>()
    });
    anyhow::ensure!(!measured.is_empty(), "--part: {}", WAYS.map(|way| way.name).join(" | "));
    for (way, found) in measured {
        let found = found.map_err(|_| anyhow::anyhow!("{}: the measuring broke", way.name))??;
        report.labels.push(way.name.to_owned());
        report.series.push(found.row());
    }
    Ok(report)
}

/// What became of the items of one way.
struct Measured {
    /// Seconds from publication until found, sorted.
    seconds: Vec<f64>,
    lost: usize,
    requests: u64,
    /// Requests for feeds, those that were answered 304 among them.
    of_feeds: u64,
}

impl Measured {
    fn row(&self) -> Vec<Figure> {
        let figure = |name, value, unit| Figure { name, value, unit };
        let items = self.seconds.len() + self.lost;
        let at = |share: f64| {
            let place = (self.seconds.len() as f64 * share).ceil() as usize;
            self.seconds.get(place.saturating_sub(1)).copied().unwrap_or(f64::NAN)
        };
        vec![
            figure("items", items as f64, ""),
            figure("lost", self.lost as f64, ""),
            figure("p50", at(0.5), "s"),
            figure("p95", at(0.95), "s"),
            figure("slowest", at(1.0), "s"),
            figure("requests_per_item", self.requests as f64 / items.max(1) as f64, ""),
            figure("requests_for_feeds", self.of_feeds as f64, ""),
        ]
    }
}

/// A crawl that is ended with its owner.
struct WatchingCrawl(Child);

impl Drop for WatchingCrawl {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn measure(way: &NewsWay, (hosts, seed): (usize, u64), time: Duration) -> anyhow::Result<Measured> {
    let time = time / way.part;
    let every_ms = u64::try_from(way.every.as_millis())?;
    let NewsWay { keeps, ttl, has_hub, .. } = *way;
    let room = Newsroom { seed, hosts, every_ms, keeps, ttl, has_hub };
    let feeds = room.feeds();
    let runtime = Runtime::new()?;
    let news = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        newsroom::serve(room, listener, way.loses)
    })?;
    let site = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), settings(way, &feeds, (news.port, site)))?;
    let mut command = program()?;
    let address = format!("127.0.0.1:{site}");
    command.args(["crawl", "--quiet", "--watch", "--serve", &address]).current_dir(folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _crawl = WatchingCrawl(command.spawn().context("cannot start fyke crawl")?);
    std::thread::sleep(SETTLED);
    if way.has_hub {
        anyhow::ensure!(news.hub().confirmed as usize == hosts, "not every feed was subscribed to");
    }
    watch(&news, site, (time, way.patience))
}

fn settings(way: &NewsWay, feeds: &[String], (news, site): (u16, u16)) -> String {
    let homes: Vec<String> = feeds.iter().map(|feed| feed.replace("feed.xml", "")).collect();
    let seeds = match way.settings.is_empty() {
        true => format!("urls = []\nfeeds = {feeds:?}"),
        false => format!("urls = {homes:?}\nfeeds = \"off\"\nsitemaps = \"off\""),
    };
    format!(
        "[seeds]\n{seeds}\n[scope]\ndepth = 1\n[budget]\ntime = \"10h\"\n\
         [politeness]\nfloor = \"10ms\"\nfactor = 0.0\nper_address = 0\n\
         [fetch]\nmade_up_paths = false\nhosts = {{ \"*.test\" = \"127.0.0.1:{news}\" }}\n\
         [push]\ncallback = \"http://127.0.0.1:{site}\"\n{}",
        way.settings
    )
}

fn now_ms() -> anyhow::Result<u64> {
    Ok(u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis())?)
}

/// Asks the search for every item that is published from now on, until the time is over and nothing more is waited for.
fn watch(
    news: &RunningNews,
    site: u16,
    (time, patience): (Duration, Duration),
) -> anyhow::Result<Measured> {
    let (begun, begun_ms) = (Instant::now(), now_ms()?);
    let requests = |kinds: &[&str]| {
        let requests = news.requests();
        kinds.iter().filter_map(|kind| requests.get(kind)).sum::<u64>()
    };
    let before = (requests(&["feed", "unchanged", "page"]), requests(&["feed", "unchanged"]));
    let mut found: HashMap<String, f64> = HashMap::new();
    let mut spent = None;
    loop {
        let end_ms = begun_ms + u64::try_from(time.as_millis())?;
        let counts = |item: &TrueItem| item.published > begun_ms && item.published <= end_ms;
        let items: Vec<TrueItem> = news.truth().into_iter().filter(counts).collect();
        let missing: Vec<&TrueItem> =
            items.iter().filter(|item| !found.contains_key(&item.url)).collect();
        for item in &missing {
            if is_found(site, &item.word).unwrap_or(false) {
                let seconds = now_ms()?.saturating_sub(item.published) as f64 / 1e3;
                found.insert(item.url.clone(), seconds);
            }
        }
        let elapsed = begun.elapsed();
        if elapsed >= time && spent.is_none() {
            spent =
                Some((requests(&["feed", "unchanged", "page"]), requests(&["feed", "unchanged"])));
        }
        let is_over = elapsed >= time && items.len() == found.len();
        if let Some((all, of_feeds)) = spent.filter(|_| is_over || elapsed >= time + patience) {
            let mut seconds: Vec<f64> = found.into_values().collect();
            seconds.sort_by(f64::total_cmp);
            let lost = items.len() - seconds.len();
            let (requests, of_feeds) = (all - before.0, of_feeds - before.1);
            return Ok(Measured { lost, seconds, requests, of_feeds });
        }
        std::thread::sleep(ASKS);
    }
}

/// Whether a search of the site finds a word.
fn is_found(site: u16, word: &str) -> anyhow::Result<bool> {
    let mut stream = TcpStream::connect(("127.0.0.1", site))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(
        stream,
        "GET /api/v1/search?q={word} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let found: serde_json::Value = serde_json::from_str(body)?;
    Ok(found["total"].as_u64().is_some_and(|total| total > 0))
}
