//! The crawl's page while it runs, against a pond whose judge counts what is really asked for.

use crate::browser::{Running, browser_with, script, start, start_driver, text};
use crate::client::{self, between};
use crate::fixture::{arg, collection, fyke};
use crate::pond::Served;
use fantoccini::Locator;
use fyke_store::{Collection, HostRow, Round};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Lines};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

/// Events read at the most before a test gives up waiting for one.
const PATIENCE: usize = 120;

/// A crawl of the pond, slow enough to be looked at.
struct Crawl {
    running: Running,
    port: u16,
    served: Served,
    dir: tempfile::TempDir,
}

impl Crawl {
    fn start() -> Crawl {
        let served = Served::start();
        let dir = collection(&served.toml());
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
        command.args(["-C", arg(dir.path()), "crawl", "--serve", "127.0.0.1:0"]);
        command.args(["--set", "politeness.floor=1s", "--set", "fetch.threads=2"]);
        let (running, port) = start(&mut command, "stderr", "http://127.0.0.1:");
        Crawl { running, port, served, dir }
    }

    fn send(&self, head: &str, body: &str) -> BufReader<TcpStream> {
        client::send(self.port, head, body)
    }

    /// Status and body of an answer.
    fn ask(&self, head: &str, body: &str) -> (u16, String) {
        client::ask(self.port, head, body)
    }

    fn get(&self, path: &str) -> String {
        client::get(self.port, path)
    }

    fn standing(&self) -> Value {
        serde_json::from_str(&self.get("/api/v1/crawl")).unwrap()
    }

    fn token(&self) -> String {
        between(&self.get("/crawl"), "name=\"token\" value=\"", "\"")
    }

    /// Sends an order as the page's own form would, but for the given head; returns the status.
    fn order(&self, name: &str, headers: &str, body: &str) -> u16 {
        self.ask(&format!("POST /crawl/{name} HTTP/1.1\r\n{headers}"), body).0
    }

    fn events(&self) -> Events {
        let head = "GET /api/v1/events HTTP/1.1\r\nHost: localhost";
        Events(self.send(head, "").lines())
    }

    /// Requests the pond has seen, of all hosts or of one.
    fn requests(&self, host: Option<&str>) -> u64 {
        let stats = self.served.stats();
        match host {
            None => stats.sum.requests,
            Some(host) => stats.hosts.get(host).map_or(0, |host| host.requests),
        }
    }
}

struct Events(Lines<BufReader<TcpStream>>);

impl Iterator for Events {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let lines = self.0.by_ref().map_while(Result::ok);
        let event =
            lines.filter_map(|line| line.strip_prefix("data: ").map(str::to_owned)).next()?;
        Some(serde_json::from_str(&event).unwrap_or_else(|error| panic!("{error}: {event}")))
    }
}

impl Events {
    /// The next event of which this is true.
    fn until(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let found = self.by_ref().take(PATIENCE).find(is_it);
        found.unwrap_or_else(|| panic!("no event in which {what}"))
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn reasons(standing: &Value) -> BTreeMap<String, u64> {
    let rows = standing["reasons"].as_array().unwrap().iter();
    rows.map(|row| (row["name"].as_str().unwrap().to_owned(), number(&row["count"]))).collect()
}

#[test]
fn a_crawl_is_watched_paused_resumed_and_stopped_and_its_sums_are_those_of_the_ledger() {
    let mut crawl = Crawl::start();
    let mut events = crawl.events();
    events.until("pages came", |event| number(&event["run"]["pages"]) > 10);
    let order = format!("token={}", crawl.token());
    let ours = "Host: localhost\r\nOrigin: http://localhost";
    assert_eq!(crawl.order("pause", ours, &order), 303);
    let is_still =
        |event: &Value| event["state"] == "paused" && number(&event["run"]["in_flight"]) == 0;
    events.until("nothing is under way", is_still);
    sums_agree(&crawl);
    let asked = crawl.requests(None);
    assert!(asked > 10);
    let seen: Vec<Value> = events.by_ref().take(5).collect();
    assert_eq!((seen.len(), crawl.requests(None)), (5, asked), "a paused crawl asked for more");

    let hosts = seen[4]["hosts"].as_array().unwrap().iter();
    let busiest = hosts.max_by_key(|host| host["queued"].as_u64()).unwrap();
    let host = busiest["host"].as_str().unwrap().to_owned();
    assert_eq!(crawl.order("ban", ours, &format!("{order}&host={host}")), 303);
    let before = crawl.requests(Some(&host));
    assert_eq!(crawl.order("resume", ours, &order), 303);
    let pages = number(&seen[4]["run"]["pages"]);
    let later = events.until("more came", |event| number(&event["run"]["pages"]) > pages + 20);
    assert_eq!(crawl.requests(Some(&host)), before, "a banned host was asked");
    let hosts = later["hosts"].as_array().unwrap();
    let banned = hosts.iter().find(|row| row["host"] == *host).unwrap();
    assert_eq!((&banned["waits"], &banned["queued"]), (&json!("banned for this run"), &json!(0)));

    assert_eq!(crawl.order("stop", ours, &order), 303);
    let last = events.last().unwrap();
    assert_eq!(last["state"], "ended");
    assert_eq!(crawl.running.0.wait().unwrap().code(), Some(3));
    let stats = fyke(&["-C", arg(crawl.dir.path()), "stats", "--json"]).ends(0, &[]).json();
    assert_eq!(last["urls"], stats["urls"]);
    let ledger: BTreeMap<String, u64> = serde_json::from_value(stats["reasons"].clone()).unwrap();
    assert_eq!(reasons(&last), ledger, "the last event and the ledger differ");
    assert_eq!(crawl.served.stats().politeness_violations, 0);
}

/// Page and JSON of a crawl that stands still say the same, and each sum is that of its rows.
fn sums_agree(crawl: &Crawl) {
    let standing = crawl.standing();
    let (rows, urls) = (reasons(&standing), number(&standing["urls"]));
    assert_eq!(rows.values().sum::<u64>(), urls);
    assert!(urls > 100 && rows["kept"] > 10, "{rows:?}");
    let page = crawl.get("/crawl");
    let count = |text: String| -> u64 { text.replace(',', "").parse().unwrap() };
    assert_eq!(count(between(&page, "id=\"urls\">", "<")), urls);
    for (name, expected) in rows {
        let row = between(&page, &format!("<tr data-key=\"{name}\">"), "</tr>");
        assert_eq!(count(between(&row, "data-is=\"count\">", "<")), expected, "{name}");
    }
    let frontier = standing["run"]["frontier"].as_array().unwrap();
    assert_eq!(frontier.len(), 8);
    let queued: u64 = frontier.iter().map(|queue| number(&queue["count"])).sum();
    assert_eq!(queued, number(&standing["run"]["queued"]));
    assert!(number(&standing["run"]["memory_bytes"]) > 0);
}

#[test]
fn orders_from_elsewhere_are_not_obeyed() {
    let crawl = Crawl::start();
    let good = format!("token={}", crawl.token());
    let check = |headers: &str, body: &str, expected: u16| {
        for order in ["pause", "stop"] {
            assert_eq!(crawl.order(order, headers, body), expected, "{order}, {headers}, {body}");
        }
    };
    check("Host: localhost\r\nOrigin: http://evil.test", &good, 403);
    check("Host: localhost\r\nOrigin: null", &good, 403);
    check("Host: localhost\r\nSec-Fetch-Site: cross-site", &good, 403);
    check("Host: localhost", "token=0123456789abcdef0123456789abcdef", 403);
    check("Host: localhost", "", 403);
    check("Host: evil.test", &good, 421);
    assert_eq!(crawl.order("explode", "Host: localhost", &good), 404);
    assert_eq!(crawl.order("ban", "Host: localhost", &format!("{good}&host=a/b")), 400);
    assert_eq!(crawl.ask("GET /crawl HTTP/1.1\r\nHost: evil.test", "").0, 421);
    assert_eq!(crawl.ask("GET /crawl/stop HTTP/1.1\r\nHost: localhost", "").0, 405);
    for (kind, body, status) in [
        ("application/x-www-form-urlencoded", "x".repeat(10_000), 413),
        ("application/json", "{}".to_owned(), 415),
    ] {
        let head = format!("POST /crawl/ban HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}");
        let (found, problem) = crawl.ask(&head, &body);
        let problem: Value = serde_json::from_str(&problem).unwrap();
        assert_eq!((found, number(&problem["status"])), (status, u64::from(status)), "{problem}");
    }
    assert_eq!(crawl.standing()["state"], "running");
}

#[test]
fn why_says_that_a_host_is_banned_while_the_crawl_runs() {
    let crawl = Crawl::start();
    crawl.events().until("pages came", |event| number(&event["run"]["pages"]) > 3);
    let seed = crawl.served.seeds()[0].clone();
    let (host, token) = (between(&seed, "http://", "/"), crawl.token());
    let told = |words: &str| crawl.get(&format!("/why?url={seed}")).contains(words);
    assert!(!told("banned for this run"));
    let order = format!("token={token}&host={host}");
    assert_eq!(crawl.order("ban", "Host: localhost", &order), 303);
    assert!(told("banned for this run") && !told("may be asked"));
}

#[test]
fn so_many_may_listen_and_no_more() {
    let crawl = Crawl::start();
    let mut listening: Vec<Events> = (0..16).map(|_| crawl.events()).collect();
    assert!(listening.iter_mut().all(|events| events.next().is_some()));
    let (status, _) = crawl.ask("GET /api/v1/events HTTP/1.1\r\nHost: localhost", "");
    assert_eq!(status, 503);
}

#[test]
fn a_site_without_a_crawl_shows_the_ledger_and_no_buttons() {
    let served = Served::start();
    let dir = collection(&served.toml());
    fyke(&["-q", "-C", arg(dir.path()), "crawl", "--pages", "20"]).ends(3, &[]);
    let stats = fyke(&["-C", arg(dir.path()), "stats", "--json"]).ends(0, &[]).json();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    command.args(["-C", arg(dir.path()), "serve", "--bind", "127.0.0.1:0"]);
    let (running, port) = start(&mut command, "stderr", "http://127.0.0.1:");
    let site = Crawl { running, port, served, dir };
    let standing = site.standing();
    assert_eq!((&standing["state"], &standing["run"]), (&json!("idle"), &Value::Null));
    assert_eq!(standing["urls"], stats["urls"]);
    let page = site.get("/crawl");
    assert!(!page.contains("crawl.js") && !page.contains("method=\"post\""), "{page}");
    assert_eq!(site.order("stop", "Host: localhost", "token="), 404);
    assert_eq!(site.ask("GET /api/v1/events HTTP/1.1\r\nHost: localhost", "").0, 404);
}

#[test]
fn stats_and_why_say_why_a_host_waits_and_until_when() {
    let served = Served::start();
    let dir = collection(&served.toml());
    fyke(&["-q", "-C", arg(dir.path()), "crawl", "--pages", "20"]).ends(3, &[]);
    let seed = served.seeds()[0].clone();
    let host = between(&seed, "http://", "/");
    // Year 2100, and 1970: one wait goes on, the other is over.
    for (not_before, waits) in [(4_102_444_800_000_i64, true), (5, false)] {
        let held = Collection::open(dir.path()).unwrap();
        let row = held.ledger.host(&host).unwrap().unwrap();
        let row = HostRow { not_before, waits: "Retry-After".to_owned(), ..row };
        held.commit(Round { hosts: vec![(host.clone(), row)], ..Round::default() }).unwrap();
        drop(held);
        let run = |args: &[&str]| fyke(&[&["-C", arg(dir.path())], args].concat()).ends(0, &[]);
        let (why, moment) = match waits {
            true => ("Retry-After", json!("2100-01-01T00:00:00Z")),
            false => ("", Value::Null),
        };
        let rows = run(&["stats", "hosts", "--json"]).json();
        let found = rows.as_array().unwrap().iter().find(|row| row["host"] == *host).unwrap();
        assert_eq!((&found["waits"], &found["until"]), (&json!(why), &moment));
        let life = run(&["why", &seed, "--json"]).json();
        assert_eq!((&life["host"]["waits"], &life["host"]["until"]), (&json!(why), &moment));
        let told = [run(&["stats", "hosts"]).out, run(&["why", &seed]).out];
        for text in told {
            assert_eq!(text.contains("2100-01-01 00:00:00 UTC"), waits, "{text}");
            assert_eq!(text.contains("Retry-After"), waits, "{text}");
        }
    }
}

#[test]
fn the_page_changes_by_itself_in_a_browser_and_works_with_scripts_off() {
    let crawl = Crawl::start();
    tokio::runtime::Runtime::new().unwrap().block_on(visit(&crawl));
}

/// Whether every button in sight has its words on one line, and whether that is on the screen; an order
/// that cannot be given now leaves no gap.
const BUTTONS: &str = "
    const buttons = [...document.querySelectorAll('.orders button:not([hidden]), #hosts button')];
    const boxes = buttons.map(button => button.getBoundingClientRect());
    const first = document.querySelector('.orders').getBoundingClientRect().left;
    return [boxes.every(box => box.height < 50 && box.width > box.height),
        boxes.every(box => box.left >= first && box.right <= innerWidth) && boxes[0].left === first]";

async fn visit(crawl: &Crawl) {
    let page = format!("http://127.0.0.1:{}/crawl", crawl.port);
    let (_driver, driver) = start_driver();
    let wide = browser_with(driver, 1400, false, json!({})).await;
    wide.goto(&page).await.unwrap();
    script(&wide, "window.sameLoad = true").await;
    // Done when the figure is another one than now.
    let change = "const done = arguments[0], figures = document.getElementById('figures');
        new MutationObserver(() => done(true)).observe(figures, {subtree: true, childList: true})";
    assert_eq!(wide.execute_async(change, vec![]).await.unwrap(), json!(true));
    assert_eq!(script(&wide, "return window.sameLoad").await, json!(true), "it was loaded again");
    wide.find(Locator::Id("pause")).await.unwrap().click().await.unwrap();
    text(&wide, ".state.paused").await;
    assert_eq!(script(&wide, BUTTONS).await, json!([true, true]), "buttons on a wide screen");
    wide.close().await.unwrap();

    let off = json!({ "profile.managed_default_content_settings.javascript": 2 });
    let narrow = browser_with(driver, 360, true, off).await;
    narrow.goto(&page).await.unwrap();
    let over = script(&narrow, "return document.documentElement.scrollWidth > innerWidth").await;
    assert_eq!(over, json!(false), "the page is wider than a screen of 360 px");
    assert_eq!(script(&narrow, BUTTONS).await, json!([true, true]), "buttons on a phone");
    let words = "const cells = [...document.querySelectorAll('#reasons .words')];
        return Math.min(...cells.map(cell => cell.offsetWidth))";
    let least = script(&narrow, words).await;
    assert!(least.as_u64() > Some(250), "what a reason means has {least} px of a phone");
    narrow.find(Locator::Id("resume")).await.unwrap().click().await.unwrap();
    text(&narrow, ".state.running").await;
    let now = text(&narrow, "[data-key='running for'] dd").await;
    let other = format!("//div[@data-key='running for']/dd[. != '{now}']");
    let wait = narrow.wait().at_most(Duration::from_secs(30));
    wait.for_element(Locator::XPath(&other)).await.expect("the page loads itself again");
    narrow.close().await.unwrap();
}
