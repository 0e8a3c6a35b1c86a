//! A site that is crawled again: what is due, what changed, what is gone, and a kill in the middle of it.

use crate::fixture::{arg, collection, fyke};
use fyke_pond::server::{Running, Serve, serve};
use fyke_pond::{Hazards, Pond, Size};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Everything is due at once.
const DUE: [&str; 6] =
    ["--set", "revisit.soonest=1ms", "--set", "revisit.every=1ms", "--set", "revisit.latest=1ms"];

/// A pond whose live pages change every few milliseconds.
struct LivePond {
    running: Running,
    toml: String,
    // Last: the server's tasks end before their runtime.
    _runtime: Runtime,
}

fn live_pond() -> LivePond {
    let runtime = Runtime::new().unwrap();
    let hazards = Hazards::without(&[]);
    let pond = Arc::new(Pond { live_speed: 1_000, ..Pond::new(7, Size::default(), hazards) });
    let serving = serve(Arc::clone(&pond), Serve { port: 0, floor_ms: 5 });
    let running = runtime.block_on(serving).unwrap();
    let hosts: Vec<_> =
        running.addresses.iter().map(|(host, at)| format!("{host:?} = \"{at}\"")).collect();
    let toml = format!(
        "[seeds]\nurls = [\"http://courier.test/live\"]\nsitemaps = \"off\"\n[scope]\nmode = \"path\"\n\
         [politeness]\nfloor = \"5ms\"\nfactor = 0.0\n[fetch]\nmade_up_paths = false\n\
         hosts = {{ {} }}\n",
        hosts.join(", ")
    );
    LivePond { running, toml, _runtime: runtime }
}

#[test]
fn pages_that_change_are_seen_to_change_and_nothing_is_fetched_whole_that_has_not() {
    let pond = live_pond();
    let dir = collection(&pond.toml);
    let dir = arg(dir.path());
    fyke(&["-q", "-C", dir, "crawl"]).ends(0, &[]);
    let pages = pond.running.judge.stats().sum.unique_pages;
    let again = [&["-C", dir, "--json", "crawl"][..], &DUE].concat();
    let summary = fyke(&again).ends(0, &[]).json();
    assert_eq!(summary["pages_fetched"], 0);
    let visits = summary["again"].as_u64().unwrap();
    assert!(visits >= pages, "{visits} of {pages}");
    // The fastest page changes every 15 ms.
    assert!(summary["changed"].as_u64().unwrap() >= 1, "{summary}");
    let stats = pond.running.judge.stats();
    assert_eq!((stats.politeness_violations, stats.sum.duplicate_fetches), (0, 0));
    let fresh = fyke(&["-C", dir, "--json", "stats", "freshness"]).ends(0, &[]).json();
    assert!(
        fresh["visits"].as_u64().unwrap() >= pages && fresh["budget"].as_array().unwrap().len() > 3
    );
    let url = changed_page(dir);
    let says = |args: &[&str], parts: [&str; 2]| {
        let told = fyke(&[&["-C", dir][..], args].concat()).ends(0, &[]).out;
        assert!(parts.iter().all(|part| told.contains(part)), "{told}");
    };
    says(&["diff", &url], ["[-", "{+"]);
    says(&["why", &url], ["versions", "last seen"]);
    says(&["stats", "freshness"], ["courier.test", "requests a day"]);
    fyke(&["-C", dir, "diff", &url, "--at", "1990-01-01"]).ends(1, &["no version is as old"]);
    fyke(&["-C", dir, "diff", &url, "--at", "sometime"]).ends(2, &["a date, a time or an age"]);
}

/// A page with two versions.
fn changed_page(dir: &str) -> String {
    let urls = fyke(&["-C", dir, "urls"]).ends(0, &[]).out;
    let live = urls.split_whitespace().filter(|word| word.starts_with("http://courier.test/live/"));
    let is_changed = |url: &&str| {
        let life = fyke(&["-C", dir, "--json", "why", url]).ends(0, &[]).json();
        life["changed"].as_u64().unwrap() > 1
    };
    live.into_iter().find(is_changed).expect("a page that changed").to_owned()
}

#[test]
fn a_crawl_that_watches_goes_on_and_ends_cleanly_when_it_is_asked_to() {
    let pond = live_pond();
    let dir = collection(&pond.toml);
    let due = ["--set", "revisit.soonest=300ms", "--set", "revisit.every=1s"];
    let mut watching = Command::new(env!("CARGO_BIN_EXE_fyke"))
        .args(["-q", "-C", arg(dir.path()), "crawl", "--watch"])
        .args(due)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let pages = || pond.running.judge.stats().sum.requests;
    let wait = |least: u64| {
        for _ in 0..600 {
            if pages() >= least {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("{} requests came, and not {least}", pages());
    };
    wait(12);
    let first = pages();
    wait(first + 12);
    let pid = watching.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = watching.wait().unwrap();
    assert_eq!(output.code(), Some(3), "it was stopped");
    assert_eq!(pond.running.judge.stats().politeness_violations, 0);
    fyke(&["-C", arg(dir.path()), "check"]).ends(0, &[]);
}

#[test]
fn a_kill_in_the_middle_of_visits_loses_nothing() {
    let pond = live_pond();
    let dir = collection(&pond.toml);
    let dir = arg(dir.path());
    fyke(&["-q", "-C", dir, "crawl"]).ends(0, &[]);
    let kept =
        || fyke(&["-C", dir, "--json", "stats"]).ends(0, &[]).json()["reasons"]["kept"].clone();
    let before = kept();
    for delay in [30, 80, 150] {
        let mut crawl = Command::new(env!("CARGO_BIN_EXE_fyke"))
            .args([&["-q", "-C", dir, "crawl"][..], &DUE].concat())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        crawl.kill().unwrap();
        crawl.wait().unwrap();
        assert_eq!(kept(), before, "after {delay} ms");
    }
    fyke(&[&["-q", "-C", dir, "crawl"][..], &DUE].concat()).ends(0, &[]);
    assert_eq!(kept(), before);
    fyke(&["-C", dir, "check"]).ends(0, &[]);
    assert_eq!(pond.running.judge.stats().politeness_violations, 0);
}
