//! Hubs (W3C WebSub) from end to end: a crawl that watches, its site with the callbacks, and a newsroom whose hub tells of
//! news; what is not from the hub changes nothing.

use crate::browser::{Running, start};
use crate::client::{ask, get, send};
use crate::fixture::{arg, collection, fyke};
use fyke_pond::newsroom::{self, Newsroom, RunningNews};
use fyke_store::{PushFolder, Subscription};
use fyke_web::{Url, UrlId};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Read;
use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// How long anything is waited for.
const PATIENCE: Duration = Duration::from_secs(90);

/// A newsroom, and a crawl of its feeds that serves a site.
struct NewsWorld {
    news: RunningNews,
    site: u16,
    dir: tempfile::TempDir,
    _running: Running,
    // Last: the server's tasks end before their runtime.
    _runtime: Runtime,
}

impl NewsWorld {
    fn start(loses: u64) -> NewsWorld {
        let runtime = Runtime::new().unwrap();
        let room = Newsroom {
            seed: 7,
            hosts: 2,
            every_ms: 3_000,
            keeps: 5,
            ttl: Some(600),
            has_hub: true,
        };
        let feeds = room.feeds();
        let news = runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            newsroom::serve(room, listener, loses).unwrap()
        });
        // A port that was free a moment ago: the hub must be told of it before anybody listens there.
        let site = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let toml = format!(
            "[seeds]\nurls = []\nfeeds = {feeds:?}\n[scope]\ndepth = 1\n\
             [politeness]\nfloor = \"5ms\"\nfactor = 0.0\nper_address = 0\n\
             [fetch]\nmade_up_paths = false\nhosts = {{ \"*.test\" = \"127.0.0.1:{}\" }}\n\
             [push]\ncallback = \"http://127.0.0.1:{site}\"\nhub = \"http://hub.test/\"\n",
            news.port
        );
        let dir = collection(&toml);
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
        let address = format!("127.0.0.1:{site}");
        command.args(["-C", arg(dir.path()), "crawl", "--watch", "--serve", &address]);
        let (running, site) = start(&mut command, "stderr", "http://127.0.0.1:");
        NewsWorld { news, site, dir, _running: running, _runtime: runtime }
    }

    fn total(&self, word: &str) -> u64 {
        let found = get(self.site, &format!("/api/v1/search?q={word}"));
        let found: Value = serde_json::from_str(&found).unwrap();
        found["total"].as_u64().unwrap_or(0)
    }

    /// The subscriptions as they stand.
    fn held(&self) -> Vec<(UrlId, Subscription)> {
        PushFolder::of(self.dir.path()).all().unwrap()
    }
}

/// Waits until it is so.
fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_a_hub_tells_is_found_at_once_and_what_others_tell_is_not() {
    let world = NewsWorld::start(0);
    wait_for("both feeds are subscribed to", || world.news.hub().confirmed == 2);
    wait_for("a subscription is noted", || world.held().iter().all(|(_, held)| held.until > 0));
    // A feed of ours, which the hub is told of.
    let feed = get(world.site, "/search.rss?q=harbour");
    assert!(feed.contains("<atom:link rel=\"hub\" href=\"http://hub.test/\"/>"), "{feed}");
    let own = format!("http://127.0.0.1:{}/search.rss?q=harbour", world.site);
    assert!(feed.contains(&own), "{feed}");
    let before = world.news.truth().len();
    wait_for("two more items come", || world.news.truth().len() >= before + 2);
    for item in &world.news.truth() {
        wait_for(&format!("{} is found", item.url), || world.total(&item.word) == 1);
    }
    let requests = world.news.requests();
    assert_eq!(requests.get("feed"), Some(&2), "each feed was asked for once: {requests:?}");
    assert!(world.news.hub().taken > 0 && world.news.hub().refused == 0);
    wait_for("the hub is told of our feed", || world.news.hub().announced.contains_key(&own));
    attack(&world);
    let url = &world.held()[0].1.feed;
    let why = fyke(&["-C", arg(world.dir.path()), "why", url]).ends(0, &[]).out;
    assert!(why.contains("http://hub.test/ tells of it until"), "{why}");
    let stats = fyke(&["-C", arg(world.dir.path()), "stats", "--json"]).ends(0, &[]).json();
    assert_eq!(stats["hubs"]["held"], 2, "{stats}");
    for (_, held) in world.held() {
        assert!(!format!("{why}{stats}").contains(&held.secret));
    }
}

/// Whatever is not from the hub is refused, or thanked for and left out.
fn attack(world: &NewsWorld) {
    let (id, held) = world.held().remove(0);
    let path = format!("/push/{:016x}/{}", id.0, held.token);
    let stranger = format!("/push/{:016x}/{}", id.0, "0".repeat(held.token.len()));
    let topic = held.topic.replace(':', "%3A").replace('/', "%2F");
    let head = |method: &str, path: &str| format!("{method} {path} HTTP/1.1\r\nHost: hub.example");
    let check = |path: &str, expected: u16| {
        let (status, body) = ask(world.site, &head("GET", path), "");
        assert_eq!(status, expected, "{path}: {body}");
        body
    };
    let asked = format!("hub.mode=subscribe&hub.topic={topic}&hub.challenge=x7");
    assert_eq!(check(&format!("{path}?{asked}"), 200), "x7");
    check(&format!("{stranger}?{asked}"), 404);
    check(&format!("/push/0000000000000000/{}?{asked}", held.token), 404);
    check(&format!("/push/x/{}?{asked}", held.token), 404);
    check(&path, 404);
    check(&format!("{path}?hub.mode=unsubscribe&hub.topic={topic}&hub.challenge=x7"), 404);
    check(
        &format!("{path}?hub.mode=subscribe&hub.topic=http%3A%2F%2Fb.test%2F&hub.challenge=x7"),
        404,
    );
    // Another host is answered for callbacks alone.
    check("/search?q=x", 421);
    let forged =
        "<rss><channel><item><title>forgedword</title><link>/forged</link></item></channel></rss>";
    let post = |path: &str, signature: &str| {
        let head = format!("{}{signature}", head("POST", path));
        ask(world.site, &head, forged).0
    };
    assert_eq!(post(&stranger, ""), 404);
    let wrong = ["", "\r\nX-Hub-Signature: sha256=00", "\r\nX-Hub-Signature: md5=00"];
    for signature in wrong {
        assert_eq!(post(&path, signature), 202, "{signature}");
    }
    let forty = "0".repeat(40);
    assert_eq!(post(&path, &format!("\r\nX-Hub-Signature: sha1={forty}")), 202);
    let huge = "x".repeat(9 << 20);
    let mut answer = Vec::new();
    let _ = send(world.site, &head("POST", &path), &huge[..(8 << 20) + 1]).read_to_end(&mut answer);
    assert!(answer.starts_with(b"HTTP/1.1 413"), "{}", String::from_utf8_lossy(&answer));
    // A flood is turned away, and the site answers.
    let turned_away = (0..80).filter(|_| post(&path, "") == 503).count();
    assert!(turned_away > 0, "a flood was not turned away");
    assert_eq!(world.total("forgedword"), 0);
    let forged = Url::parse(&held.feed).unwrap().join("/forged").unwrap();
    assert!(world.held().iter().all(|(_, held)| held.feed != forged.as_str()));
    let messages = PushFolder::of(world.dir.path()).waiting().unwrap();
    assert!(messages.len() <= 16, "{messages:?}");
}

#[test]
fn nothing_is_lost_by_a_hub_that_loses_and_repeats() {
    let world = NewsWorld::start(3);
    wait_for("both feeds are subscribed to", || world.news.hub().confirmed == 2);
    wait_for("messages are lost and repeated", || {
        let hub = world.news.hub();
        hub.lost > 0 && hub.repeated > 0
    });
    let published = world.news.truth();
    for item in &published {
        wait_for(&format!("{} is found", item.url), || world.total(&item.word) >= 1);
    }
    let urls: BTreeSet<&str> = published.iter().map(|item| item.url.as_str()).collect();
    assert_eq!(urls.len(), published.len());
    wait_for("a message that came twice is noted", || {
        world.held().iter().any(|(_, held)| held.repeats > 0)
    });
}
