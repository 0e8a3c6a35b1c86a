//! Crawls of the pond, judged by its server.

use crate::browser;
use crate::fixture::{Ran, arg, collection, fyke};
use fyke_pond::judge::Stats;
use fyke_pond::server::{Running, Serve, serve};
use fyke_pond::{Hazards, Pond, Size};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A pond of ordinary sites served in this process.
pub struct Served {
    running: Running,
    pond: Arc<Pond>,
    /// URLs of the pages of its truth, when they were asked for.
    pages: OnceLock<BTreeSet<String>>,
    // Last: the server's tasks end before their runtime.
    _runtime: Runtime,
}

impl Served {
    pub fn start() -> Served {
        Served::with(Hazards::none())
    }

    pub fn with(hazards: Hazards) -> Served {
        let runtime = Runtime::new().unwrap();
        let pond = Arc::new(Pond::new(7, Size::default(), hazards));
        let options = Serve { port: 0, floor_ms: 5 };
        let running = runtime.block_on(serve(Arc::clone(&pond), options)).unwrap();
        Served { running, pond, pages: OnceLock::new(), _runtime: runtime }
    }

    pub fn seeds(&self) -> Vec<String> {
        self.pond.seeds()
    }

    pub fn toml(&self) -> String {
        format!(
            "[seeds]\nurls = {:?}\n[scope]\nallow = [\"*.test/**\"]\n\
             [politeness]\nfloor = \"5ms\"\nfactor = 0.0\n[fetch]\n{}\n",
            self.pond.seeds(),
            self.hosts()
        )
    }

    /// Whether a URL is that of a page which the pond's truth names.
    pub fn has_page(&self, url: &str) -> bool {
        let pages = self.pages.get_or_init(|| {
            self.pond.truth().pages.into_iter().map(|page| page.url).collect::<BTreeSet<_>>()
        });
        pages.contains(url)
    }

    /// Where its hosts are, as a line of fyke.toml.
    pub fn hosts(&self) -> String {
        let addresses = self.running.addresses.iter();
        let hosts: Vec<_> = addresses.map(|(host, at)| format!("{host:?} = \"{at}\"")).collect();
        format!("hosts = {{ {} }}", hosts.join(", "))
    }

    pub fn stats(&self) -> Stats {
        self.running.judge.stats()
    }
}

/// A collection of the pond, crawled and indexed.
pub fn pond_collection() -> TempDir {
    let served = Served::start();
    let dir = collection(&served.toml());
    fyke(&["-q", "-C", arg(dir.path()), "crawl"]).ends(0, &[]);
    dir
}

/// The first pages of the pond, crawled and indexed.
pub fn small_collection() -> TempDir {
    let served = Served::start();
    let dir = collection(&served.toml());
    fyke(&["-q", "-C", arg(dir.path()), "crawl", "--pages", "60"]).ends(3, &[]);
    dir
}

fn crawl(dir: &Path, more: &[&str]) -> Ran {
    let mut args = vec!["-C", arg(dir), "crawl", "--json"];
    args.extend(more);
    fyke(&args)
}

#[test]
fn a_limit_of_ten_pages_gives_at_most_ten_pages() {
    let served = Served::start();
    let dir = collection(&served.toml());
    let ran = crawl(dir.path(), &["--pages", "10"]).ends(3, &[]);
    assert_eq!(ran.json()["pages_fetched"], 10, "{ran:?}");
    let sum = served.stats().sum;
    assert!(sum.unique_pages + sum.duplicate_fetches <= 10, "{sum:?}");
    assert!(sum.unique_pages > 0);
}

#[test]
fn a_second_crawl_goes_on_where_the_first_stopped() {
    let served = Served::start();
    let dir = collection(&served.toml());
    crawl(dir.path(), &["--pages", "10"]).ends(3, &[]);
    crawl(dir.path(), &["--pages", "10"]).ends(3, &[]);
    let sum = served.stats().sum;
    assert_eq!((sum.unique_pages, sum.duplicate_fetches), (20, 0), "{sum:?}");
    assert_eq!(sum.politeness_violations, 0, "{sum:?}");
}

#[test]
fn the_settings_that_a_plain_pond_prints_are_taken_by_a_crawl() {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    command.args(["-q", "pond", "--plain", "--hosts", "3", "--pages", "30", "--port", "0"]);
    let mut pond = browser::Running(command.stdout(Stdio::piped()).spawn().unwrap());
    let lines = BufReader::new(pond.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut toml = String::new();
    for line in lines {
        toml += &format!("{line}\n");
        // The last line; the pond serves on.
        if line.starts_with("hosts = ") {
            break;
        }
    }
    let dir = collection(&toml);
    let ran = crawl(dir.path(), &["--pages", "5"]).ends(3, &[]);
    assert_eq!(ran.json()["pages_fetched"], 5, "{ran:?}");
}

#[test]
fn a_probe_judges_a_page_as_the_crawl_would() {
    let served = Served::start();
    let dir = collection(&served.toml());
    let probe = |path: &str, set: &str| {
        let url = format!("{}{path}", served.seeds()[0]);
        fyke(&["-C", arg(dir.path()), "probe", &url, "--json", "--set", set])
    };
    assert_eq!(probe("", "corpus.min_words=1").ends(0, &[]).json()["reason"], "kept");
    assert_eq!(probe("", "corpus.min_words=100000").ends(0, &[]).json()["reason"], "thin");
    assert_eq!(probe("", "corpus.languages=[\"xx\"]").ends(0, &[]).json()["reason"], "lang");
    assert_eq!(probe("no/such", "corpus.min_words=1").ends(4, &[]).json()["reason"], "http.4xx");
}
