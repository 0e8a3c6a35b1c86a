//! Readers beside one writer: the site in one process and the crawl in another is the normal way to work.

use crate::browser::{Running, start};
use crate::client::{ask, between, get};
use crate::fixture::{arg, collection, fyke};
use crate::import::warc;
use crate::kill::moment;
use crate::pond::Served;
use fyke_store::{Collection, Reason};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const KILLS: u32 = 25;

fn spawn(dir: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    command.args(["-q", "-C", arg(dir)]).args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// `fyke serve` on a port of its own.
fn site(dir: &Path) -> (Running, u16) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    start(command.args(["-C", arg(dir), "serve", "--bind", "127.0.0.1:0"]), "stderr", "127.0.0.1:")
}

/// Documents that a search on the site finds.
fn found(port: u16, words: &str) -> u64 {
    let answer: Value =
        serde_json::from_str(&get(port, &format!("/api/v1/search?q={words}"))).unwrap();
    answer["total"].as_u64().unwrap()
}

/// Waits until something holds, as long as a slow machine may need.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}: not within a minute");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// URLs by reason add up to all URLs.
fn check_sum(answer: &Value) -> u64 {
    let sum: u64 = match &answer["reasons"] {
        Value::Object(counts) => counts.values().map(|count| count.as_u64().unwrap()).sum(),
        rows => rows.as_array().unwrap().iter().map(|row| row["count"].as_u64().unwrap()).sum(),
    };
    assert_eq!(answer["urls"], sum, "{answer}");
    sum
}

#[test]
fn what_another_process_imports_is_found_on_the_site_without_a_restart() {
    let dir = collection("[corpus]\nmin_words = 1\n");
    let (_running, port) = site(dir.path());
    assert_eq!(found(port, "eel"), 0);
    for (n, words) in ["the silver eel", "the yellow eel", "no fish"].into_iter().enumerate() {
        let file = dir.path().join("new.warc");
        warc(&file, 1, &[(&format!("page/{n}"), words)]);
        fyke(&["-q", "-C", arg(dir.path()), "import", arg(&file)]).ends(0, &[]);
    }
    until("the new pages are found", || found(port, "eel") == 2);
    until("all are counted", || get(port, "/").contains("3 documents of "));
    // A rebuild beside it changes nothing that anybody sees.
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let asks = scope.spawn(|| {
            let mut asked = 0;
            while !is_over.load(Ordering::SeqCst) {
                assert_eq!(found(port, "eel"), 2);
                asked += 1;
            }
            asked
        });
        fyke(&["-q", "-C", arg(dir.path()), "rebuild"]).ends(0, &[]);
        is_over.store(true, Ordering::SeqCst);
        assert!(asks.join().unwrap() > 0);
    });
    assert_eq!(found(port, "eel"), 2);
}

#[test]
fn a_site_shows_the_crawl_of_another_process_and_passes_orders_on() {
    let served = Served::start();
    let dir = collection(&served.toml().replace("\"5ms\"", "\"400ms\""));
    let (_running, port) = site(dir.path());
    let state = || -> Value { serde_json::from_str(&get(port, "/api/v1/crawl")).unwrap() };
    assert_eq!(state()["state"], "idle");
    let mut crawl = spawn(dir.path(), &["crawl"]);
    until("the crawl is seen", || state()["state"] == "running");
    check_sum(&state());
    let page = get(port, "/crawl");
    assert!(page.contains("<button id=\"pause\">") && page.contains("crawl.js"), "{page}");
    let token = between(&page, "name=\"token\" value=\"", "\"");
    let order = |name: &str, token: &str| {
        let head = format!("POST /crawl/{name} HTTP/1.1\r\nHost: localhost");
        ask(port, &head, &format!("token={token}")).0
    };
    assert_eq!(order("pause", "guessed"), 403);
    assert_eq!(order("dance", &token), 404);
    assert_eq!(order("pause", &token), 303);
    until("it pauses", || state()["state"] == "paused");
    assert_eq!(order("stop", &token), 303);
    assert_eq!(crawl.wait().unwrap().code(), Some(3));
    until("it is gone", || state()["state"] == "idle");
    assert_eq!(order("stop", &token), 404);
    assert_eq!(served.stats().sum.politeness_violations, 0);
}

#[test]
fn twenty_five_kills_of_the_writer_disturb_no_reader() {
    let served = Served::start();
    let dir = collection(&served.toml());
    fyke(&["-q", "-C", arg(dir.path()), "crawl", "--pages", "20"]).ends(3, &[]);
    let (_running, port) = site(dir.path());
    let (is_over, seed) = (AtomicBool::new(false), served.seeds().remove(0));
    let again = |step: &mut dyn FnMut()| {
        let mut times = 0;
        while !is_over.load(Ordering::SeqCst) {
            step();
            times += 1;
        }
        times
    };
    std::thread::scope(|scope| {
        let site = scope.spawn(|| {
            let (mut least, mut urls) = (0, 0);
            again(&mut || {
                let (now, sum) = (found(port, "the"), get(port, "/api/v1/crawl"));
                assert!(now >= least.min(1), "documents vanished");
                let sum = check_sum(&serde_json::from_str(&sum).unwrap());
                assert!(sum >= urls, "URLs vanished: {sum} after {urls}");
                (least, urls) = (now, sum);
            })
        });
        let stats = scope.spawn(|| {
            again(&mut || {
                let ran = fyke(&["--json", "-C", arg(dir.path()), "stats"]).ends(0, &[]);
                check_sum(&ran.json());
            })
        });
        let why = scope.spawn(|| {
            again(&mut || {
                let ran = fyke(&["--json", "-C", arg(dir.path()), "why", &seed]).ends(0, &[]);
                assert_eq!(ran.json()["reason"], "kept");
            })
        });
        let library = scope.spawn(|| {
            let reader = Collection::reader(dir.path()).unwrap();
            again(&mut || {
                reader.refresh().unwrap();
                let view = reader.view();
                let rows: Vec<_> = view.ledger.rows().map(Result::unwrap).collect();
                assert_eq!(rows.len() as u64, view.ledger.len());
                let counts = view.ledger.counts().unwrap();
                let kept = rows.iter().filter(|(_, row)| row.reason == Reason::Kept);
                assert_eq!(kept.clone().count() as u64, counts[&Reason::Kept]);
                for (id, row) in kept.take(5) {
                    let capture = view.captures.read(row.capture.unwrap()).unwrap();
                    assert_eq!(capture.url.id(), *id);
                }
            })
        });
        let mut killed = 0;
        for kill in 0..KILLS {
            let mut child = spawn(dir.path(), &["crawl"]);
            std::thread::sleep(moment(1_000 + kill));
            child.kill().unwrap();
            killed += u32::from(child.wait().unwrap().code().is_none());
        }
        is_over.store(true, Ordering::SeqCst);
        assert!(killed >= KILLS / 2, "only {killed} of {KILLS} kills hit a running crawl");
        for (name, reader) in [("site", site), ("stats", stats), ("why", why), ("library", library)]
        {
            assert!(reader.join().unwrap() > 0, "{name} never answered");
        }
    });
    assert_eq!(served.stats().sum.politeness_violations, 0);
}
