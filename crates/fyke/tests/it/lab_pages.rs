//! The judging pages: two people at once in real browsers, forms from elsewhere, kill -9.

use crate::browser::{browser_with, script, start_driver, text};
use crate::client::{ask, between, get};
use crate::lab::{pooled, serve, within};
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

const OURS: &str = "Host: localhost\r\nOrigin: http://localhost";

fn api(port: u16, part: &str) -> Value {
    serde_json::from_str(&get(port, &format!("/api/v1/lab{part}"))).unwrap()
}

fn token(port: u16) -> String {
    between(&get(port, "/lab/judge?judge=probe"), "name=\"token\" value=\"", "\"")
}

/// Sends a form as the page would, but for the headers; returns the status.
fn post(port: u16, form: &str, headers: &str, body: &str) -> u16 {
    ask(port, &format!("POST /lab/take/{form} HTTP/1.1\r\n{headers}"), body).0
}

/// A form that grades a document.
fn form(token: &str, judge: &str, document: &str, grade: &str) -> String {
    let document = document.replace(':', "%3A").replace('/', "%2F");
    format!("token={token}&judge={judge}&query=1&document={document}&grade={grade}&note=so%0D%0Aso")
}

#[test]
fn judgements_from_elsewhere_are_not_taken() {
    let dir = pooled();
    let (_site, port) = serve(dir.path(), &["serve"]);
    let token = token(port);
    let good = form(&token, "ann", "http://a.test/mill", "3");
    let other = form("0123456789abcdef0123456789abcdef", "ann", "http://a.test/mill", "3");
    for (headers, body, status) in [
        ("Host: localhost\r\nOrigin: http://evil.test", &good, 403),
        ("Host: localhost\r\nOrigin: null", &good, 403),
        ("Host: localhost\r\nSec-Fetch-Site: cross-site", &good, 403),
        ("Host: evil.test", &good, 421),
        (OURS, &other, 403),
        (OURS, &form(&token, "ann", "http://a.test/mill", "4"), 400),
        (OURS, &form(&token, "settled", "http://a.test/mill", "3"), 400),
        (OURS, &form(&token, "", "http://a.test/mill", "3"), 400),
        (OURS, &form(&token, "ann", "http://a.test/not/pooled", "3"), 404),
        (OURS, &"x".repeat(100_000), 413),
    ] {
        assert_eq!(post(port, "grade", headers, body), status, "{headers} {body:.200}");
    }
    assert_eq!(post(port, "explode", OURS, &good), 404);
    assert_eq!(api(port, "")["judgements"], 0);
    assert_eq!(post(port, "grade", OURS, &good), 303);
    assert_eq!(api(port, "/judgements")[0]["note"], "so so");
}

#[test]
fn what_was_acknowledged_outlives_kill_9_and_a_torn_line() {
    let dir = pooled();
    let log = dir.path().join("judgements/judgements.jsonl");
    let mut expected = BTreeMap::new();
    for (round, grade) in ["1", "2", "3"].into_iter().enumerate() {
        let (mut site, port) = serve(dir.path(), &["lab", "judge"]);
        let token = token(port);
        for page in ["mill", "pond", "eel"].iter().take(round + 1) {
            let document = format!("http://a.test/{page}");
            assert_eq!(post(port, "grade", OURS, &form(&token, "ann", &document, grade)), 303);
            expected.insert(document, grade.to_owned());
        }
        site.0.kill().unwrap();
        site.0.wait().unwrap();
        let mut torn = std::fs::read(&log).unwrap();
        torn.extend(b"{\"time\":5,\"judge\":\"ann\",\"qu");
        std::fs::write(&log, torn).unwrap();
    }
    let qrels = within(dir.path(), &["lab", "qrels", "export", "--judge", "ann"]).ends(0, &[]).out;
    let found: BTreeMap<String, String> = qrels
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .map(|fields| (fields[2].to_owned(), fields[3].to_owned()))
        .collect();
    assert_eq!(found, expected);
    let (_site, port) = serve(dir.path(), &["serve"]);
    assert_eq!(api(port, "/history").as_array().unwrap().len(), 6);
    assert_eq!(api(port, "")["passed_over"], 2, "the last torn line has no end yet");
}

#[test]
fn two_people_judge_at_once_in_real_browsers_and_nothing_is_lost() {
    let dir = pooled();
    tokio::runtime::Runtime::new().unwrap().block_on(judge_together(dir.path()));
}

async fn judge_together(dir: &Path) {
    let (_site, port) = serve(dir, &["lab", "judge"]);
    let home = format!("http://127.0.0.1:{port}");
    let (_driver, driver) = start_driver();
    let pool = api(port, "")["pooled"].as_u64().unwrap();
    assert!(pool >= 6, "{pool}");
    let off = json!({ "profile.managed_default_content_settings.javascript": 2 });
    let ann = browser_with(driver, 1400, false, json!({})).await;
    let bob = browser_with(driver, 360, true, off).await;
    // Both begin before either goes on.
    begin(&ann, &home, "ann").await;
    begin(&bob, &home, "bob").await;
    tokio::join!(by_keys(&ann, pool), by_buttons(&bob, pool));
    let standing = api(port, "");
    let judges = standing["judges"].as_array().unwrap();
    let counts: Vec<_> = judges.iter().map(|judge| (&judge["name"], &judge["judged"])).collect();
    let both = [json!("ann"), json!("bob"), json!(pool)];
    assert_eq!(counts, [(&both[0], &both[2]), (&both[1], &both[2])]);
    assert_eq!(standing["judgements"], json!(2 * pool));
    // What ann took back and gave again stands in the history as well.
    assert_eq!(api(port, "/history").as_array().unwrap().len() as u64, 2 * pool + 2);
    settle(&ann, &home, port).await;
    for path in [
        "lab",
        "lab/judge",
        "lab/judge?judge=cy",
        "lab/disagreements",
        "lab/compare",
        "lab/agreement",
    ] {
        bob.goto(&format!("{home}/{path}")).await.unwrap();
        let over = script(&bob, "return document.documentElement.scrollWidth > innerWidth").await;
        assert_eq!(over, json!(false), "/{path} is wider than a screen of 360 px");
    }
    ann.close().await.unwrap();
    bob.close().await.unwrap();
}

async fn begin(client: &Client, home: &str, judge: &str) {
    client.goto(&format!("{home}/lab/judge")).await.unwrap();
    let field = client.find(Locator::Css("input[name=judge]")).await.unwrap();
    field.send_keys(judge).await.unwrap();
    field.send_keys("\u{E007}").await.unwrap();
    assert_eq!(text(client, "#judge").await, judge);
}

/// Waits until so many are judged.
async fn judged(client: &Client, count: u64) {
    let path = format!("//span[@id='judged' and . = '{count}']");
    let wait = client.wait().at_most(Duration::from_secs(30));
    wait.for_element(Locator::XPath(&path)).await.unwrap_or_else(|e| panic!("not {count}: {e}"));
}

async fn press(client: &Client, key: &str) {
    client.find(Locator::Css("body")).await.unwrap().send_keys(key).await.unwrap();
}

/// Grades by keys, with one step back on the way.
async fn by_keys(client: &Client, pool: u64) {
    for done in 0..pool {
        judged(client, done).await;
        if done == 2 {
            press(client, "u").await;
            judged(client, 1).await;
            press(client, "c").await;
            judged(client, 2).await;
        }
        press(client, "3").await;
    }
    judged(client, pool).await;
    assert_eq!(text(client, "h1").await, "All is judged");
    assert!(client.get_alert_text().await.is_err(), "a script of a page ran");
}

/// Grades by buttons and the Enter key, without scripts. (The driver's own click waits for a timer of
/// the page, which does not run there.)
async fn by_buttons(client: &Client, pool: u64) {
    for done in 0..pool {
        judged(client, done).await;
        assert!(!text(client, ".need h1").await.is_empty());
        let grade = client.find(Locator::Css("button[value='0']")).await.unwrap();
        grade.send_keys("\u{E007}").await.unwrap();
    }
    judged(client, pool).await;
}

/// Settles one of the disagreements; it counts instead of both grades.
async fn settle(client: &Client, home: &str, port: u16) {
    client.goto(&format!("{home}/lab/disagreements")).await.unwrap();
    let before: u64 = text(client, "#to-settle").await.parse().unwrap();
    assert!(before > 2, "{before}");
    client.find(Locator::Css("button[value='2']")).await.unwrap().click().await.unwrap();
    text(client, ".apart.settled").await;
    assert_eq!(text(client, "#to-settle").await, (before - 1).to_string());
    let qrels = get(port, "/api/v1/lab/qrels");
    assert_eq!(qrels.lines().filter(|line| line.ends_with(" 2")).count(), 1, "{qrels}");
}
