//! Pages that scripts make, through a real Chromium, where one is installed: everything that its scripts write is found, and
//! nothing leaves it but what the crawl asks for.

use crate::browser;
use crate::fixture::{Ran, arg, collection, fyke};
use assert_cmd::cargo::cargo_bin;
use fyke_pond::Pond;
use fyke_pond::deep::{ENDLESS, SCRIPTED, ScriptedTruth, harm_page, scripted_pages};
use fyke_pond::server::{Running, Serve, serve};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Names that Chromium is installed under.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A Chromium without a window, and its port; none where none is installed.
struct Chromium {
    running: browser::Running,
    port: u16,
    _profile: TempDir,
}

impl Chromium {
    fn start() -> Option<Chromium> {
        let has = |name: &str| {
            let mut asked = Command::new(name);
            let asked = asked.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
            asked.status().is_ok_and(|status| status.success())
        };
        let Some(name) = NAMES.into_iter().find(|name| has(name)) else {
            eprintln!("skipped: no Chromium is installed (looked for {})", NAMES.join(", "));
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new(name);
        command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
        command.args([
            "--disable-background-networking",
            "--remote-debugging-port=0",
            "about:blank",
        ]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        let (running, port) =
            browser::start(&mut command, "stderr", "listening on ws://127.0.0.1:");
        Some(Chromium { running, port, _profile: profile })
    }
}

/// The site, served in this process.
struct ScriptedSite {
    pond: Arc<Pond>,
    running: Running,
    // Last: the server's tasks end before their runtime.
    _runtime: Runtime,
}

impl ScriptedSite {
    fn start() -> ScriptedSite {
        let runtime = Runtime::new().unwrap();
        let pond = Arc::new(Pond::deep(7));
        let options = Serve { port: 0, floor_ms: 10 };
        let running = runtime.block_on(serve(Arc::clone(&pond), options)).unwrap();
        ScriptedSite { pond, running, _runtime: runtime }
    }

    fn toml(&self, paths: &[&str], port: u16) -> String {
        let addresses = self.running.addresses.iter();
        let hosts: Vec<_> = addresses.map(|(host, at)| format!("{host:?} = \"{at}\"")).collect();
        let seeds: Vec<_> =
            paths.iter().map(|path| format!("\"http://{SCRIPTED}{path}\"")).collect();
        format!(
            "[seeds]\nurls = [{}]\n[politeness]\nfloor = \"30ms\"\nfactor = 0.0\n\
             [corpus]\nmin_words = 3\n\
             [fetch]\nmade_up_paths = false\nrender = \"http://127.0.0.1:{port}\"\nhosts = {{ {} }}\n",
            seeds.join(", "),
            hosts.join(", ")
        )
    }

    fn is_polite(&self) {
        let sum = self.running.judge.stats().sum;
        assert_eq!((sum.politeness_violations, sum.harmful_requests), (0, 0), "{sum:?}");
    }
}

fn run(dir: &Path, args: &[&str]) -> Ran {
    fyke(&[&["-C", arg(dir)], args].concat())
}

/// The documents of a collection, by path.
fn documents(dir: &Path) -> HashMap<String, Value> {
    let ran = run(dir, &["export", "jsonl", "--out", "-"]).ends(0, &[]);
    let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let path = |document: &Value| {
        let url = document["url"].as_str().unwrap();
        url.strip_prefix(&format!("http://{SCRIPTED}")).unwrap().to_owned()
    };
    lines.map(|document| (path(&document), document)).collect()
}

fn has_text(document: &Value, page: &ScriptedTruth) -> bool {
    let text = document["text"].as_str().unwrap_or_default();
    page.text.iter().all(|part| text.contains(part.as_str()))
}

#[test]
fn what_scripts_write_is_found_and_nothing_else_leaves_the_browser() {
    let Some(chromium) = Chromium::start() else { return };
    let site = ScriptedSite::start();
    let dir = collection(&site.toml(&["/"], chromium.port));
    let dir = dir.path();
    run(dir, &["crawl"]).ends(0, &[]);
    site.is_polite();
    let found = documents(dir);
    let pages = scripted_pages(&site.pond);
    for page in &pages {
        let document =
            found.get(&page.path).unwrap_or_else(|| panic!("{} was not found", page.path));
        assert!(has_text(document, page), "{}: {document}", page.path);
        assert_eq!(document["title"], page.title);
    }
    let (harm, text) = harm_page(&site.pond);
    assert!(found[harm]["text"].as_str().is_some_and(|found| found.contains(&text)));

    let why = run(dir, &["why", &format!("http://{SCRIPTED}/data/3")]).ends(0, &[]);
    let told =
        "rendered, because its source has little text, but scripts; 1 requests of its scripts";
    assert!(why.out.contains(told), "{why:?}");
    let harmful = run(dir, &["why", &format!("http://{SCRIPTED}{harm}")]).ends(0, &[]);
    assert!(harmful.out.contains(" refused"), "{harmful:?}");
    let probe = run(dir, &["probe", &format!("http://{SCRIPTED}/late/3")]).ends(0, &[]);
    assert!(probe.out.contains("rendered, because") && probe.out.contains("late 3"), "{probe:?}");
    site.is_polite();

    // A rebuild needs no browser.
    drop(chromium);
    let asked = site.running.judge.stats().sum.requests;
    for folder in ["documents", "columns", "index"] {
        std::fs::remove_dir_all(dir.join(folder)).unwrap();
    }
    run(dir, &["rebuild"]).ends(0, &[]);
    run(dir, &["check"]).ends(0, &[]);
    assert_eq!(documents(dir), found);
    assert_eq!(site.running.judge.stats().sum.requests, asked);
}

#[test]
fn pages_without_an_end_cost_their_time_and_the_crawl_goes_on() {
    let Some(chromium) = Chromium::start() else { return };
    let site = ScriptedSite::start();
    let dir = collection(&site.toml(&ENDLESS, chromium.port));
    let start = Instant::now();
    let bounds = ["crawl", "--set", "fetch.render_time=4s", "--set", "fetch.render_requests=20"];
    run(dir.path(), &bounds).ends(0, &[]);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    for path in ENDLESS {
        let why = run(dir.path(), &["why", "--json", &format!("http://{SCRIPTED}{path}")]);
        let told = why.json()["rendering"].as_str().unwrap_or_default().to_owned();
        assert!(told.contains("rendered"), "{path}: {why:?}");
    }
    // The browser is as good as before.
    let after = collection(&site.toml(&["/data/7"], chromium.port));
    run(after.path(), &["crawl", "--set", "scope.depth=0"]).ends(0, &[]);
    let last = scripted_pages(&site.pond).into_iter().find(|page| page.path == "/data/7").unwrap();
    assert!(has_text(&documents(after.path())["/data/7"], &last));
    let sum = site.running.judge.stats().sum;
    assert_eq!((sum.politeness_violations, sum.harmful_requests), (0, 0), "{sum:?}");
    assert!(sum.requests < 200, "{sum:?}");
}

#[test]
fn a_crawl_that_is_killed_while_pages_are_in_the_browser_loses_none() {
    let Some(mut chromium) = Chromium::start() else { return };
    let site = ScriptedSite::start();
    let dir = collection(&site.toml(&["/"], chromium.port));
    let dir = dir.path();
    for round in 0..3 {
        let mut crawl = Command::new(cargo_bin!("fyke"));
        let crawl =
            crawl.args(["-C", arg(dir), "crawl"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut crawl = crawl.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(900 + 700 * round));
        crawl.kill().unwrap();
        crawl.wait().unwrap();
    }
    // The browser goes, too, and another takes its place.
    chromium.running.0.kill().unwrap();
    let again = Chromium::start().unwrap();
    let render = format!("fetch.render=http://127.0.0.1:{}", again.port);
    run(dir, &["crawl", "--set", &render]).ends(0, &[]);
    let found = documents(dir);
    for page in scripted_pages(&site.pond) {
        assert!(found.get(&page.path).is_some_and(|found| has_text(found, &page)), "{}", page.path);
    }
    run(dir, &["check"]).ends(0, &[]);
    site.is_polite();
}
