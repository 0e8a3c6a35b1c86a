//! A feed that publishes by the clock, visited as it asks to be (003 §3.4: its `ttl` says how often). Time is simulated:
//! a crawl every ten minutes, for a day.

use fyke_crawl::fetch::{Address, Captured, Failed, Outcome, Request};
use fyke_crawl::{Control, Fetch, RevisitOptions, crawl};
use fyke_store::{Reason, RowKind};
use fyke_web::feed::iso_time;
use fyke_web::{Capture, Url};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use crate::web::World;

const MINUTE: i64 = 60_000;
/// An item every twenty minutes, of which the feed holds the last twelve: after four hours one is gone.
const GAP: i64 = 20 * MINUTE;
const HELD: i64 = 12;
const TTL: i64 = 60;
/// One item is corrected so long after it was published.
const EDITED: i64 = 5;
const EDIT: i64 = 90 * MINUTE;

#[derive(Debug, Default)]
struct Newswire {
    begin: OnceLock<i64>,
    asked: Mutex<Vec<(String, u16)>>,
}

impl Newswire {
    /// When an item is published.
    fn published(&self, item: i64) -> i64 {
        self.begin.get().copied().unwrap_or_default() + item * GAP
    }

    fn feed(&self, now: i64) -> String {
        let newest = (now - self.published(0)) / GAP;
        let item = |n: i64| {
            let time = self.published(n);
            let is_edited = n == EDITED && now >= time + EDIT;
            let edit = if is_edited { iso_time((time + EDIT) / 1_000) } else { String::new() };
            format!(
                "<item><guid>{n}</guid><link>/{n}</link><description>Telegram {n}{}</description>\
                 <dc:date>{}</dc:date><atom:updated>{edit}</atom:updated></item>",
                if is_edited { ", corrected" } else { "" },
                iso_time(time / 1_000)
            )
        };
        let items: String = ((newest - HELD + 1).max(0)..=newest).rev().map(item).collect();
        format!("<rss><channel><title>Wire</title><ttl>{TTL}</ttl>{items}</channel></rss>")
    }

    fn answer(&self, request: &Request) -> (u16, &'static str, String) {
        let known = request.known.as_ref().and_then(|known| known.etag.clone());
        match request.url.path() {
            "/feed.xml" => {
                let feed = self.feed(request.now);
                let is_known = known == Some(etag(&feed));
                (if is_known { 304 } else { 200 }, "application/rss+xml", feed)
            }
            "/robots.txt" => (404, "text/plain", String::new()),
            path => {
                (200, "text/html", format!("<title>{path}</title><p>All of the telegram {path}."))
            }
        }
    }
}

/// Another one for every text.
fn etag(text: &str) -> String {
    let sum = text.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    format!("\"{sum:x}\"")
}

#[derive(Clone)]
struct Wire(Arc<Newswire>);

impl Fetch for Wire {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        let key = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let sockets = vec![SocketAddr::new(key, url.port())];
        Ok(Address { sockets, key, ttl: Duration::from_hours(1) })
    }

    async fn fetch(&self, request: Request) -> Outcome {
        self.0.begin.get_or_init(|| request.now);
        tokio::time::sleep(Duration::from_millis(20)).await;
        let (status, kind, body) = self.0.answer(&request);
        self.0.asked.lock().expect("a list").push((request.url.path().to_owned(), status));
        let mut headers = vec![("Content-Type".to_owned(), kind.to_owned())];
        if kind.ends_with("rss+xml") {
            headers.push(("ETag".to_owned(), etag(&body)));
        }
        let payload = if status == 304 { Vec::new() } else { body.into_bytes() };
        let (url, time) = (request.url, request.now);
        let capture = Capture { url, time, status, headers, payload, truncated: None };
        let elapsed = Duration::from_millis(20);
        Outcome::Captured(Captured { capture, request: Vec::new(), elapsed })
    }
}

#[tokio::test(start_paused = true)]
async fn a_feed_is_asked_for_as_often_as_it_says_and_nothing_is_lost() {
    let mut world = World::new("", &["http://wire.test/feed.xml"]);
    world.options.revisit = RevisitOptions::by_age();
    let wire = Wire(Arc::default());
    let collection = world.collection();
    for _ in 0..24 * 6 {
        let done =
            crawl(&collection, wire.clone(), &world.options, &mut |_| (), Control::new()).await;
        done.expect("the store works");
        tokio::time::advance(Duration::from_mins(10)).await;
    }
    drop(collection);
    let rows = world.rows();
    let items: Vec<_> = rows.iter().filter(|row| row.kind == RowKind::Page).collect();
    // All but those of the last hour and of the ten minutes between two crawls.
    assert!(items.len() >= 72 - 4, "{} items", items.len());
    let mut lags: Vec<i64> = Vec::new();
    for row in &items {
        assert_eq!((row.reason, row.fed.is_some()), (Reason::Kept, true), "{}", row.url);
        let number: i64 =
            row.url.rsplit('/').next().and_then(|n| n.parse().ok()).expect("a number");
        lags.push((row.found - wire.0.published(number)) / MINUTE);
    }
    lags.sort_unstable();
    let (median, most) = (lags[lags.len() / 2], lags[lags.len() - 1]);
    assert!(median <= TTL / 2 + 10 && most <= TTL + 10, "minutes: median {median}, most {most}");
    let asked = wire.0.asked.lock().expect("a list").clone();
    let feeds = asked.iter().filter(|(path, _)| path == "/feed.xml").count();
    assert!((20..=24).contains(&feeds), "the feed was asked for {feeds} times in a day");
    // A page is asked for once, and once more when the feed says that it was changed.
    let of = |n: i64| asked.iter().filter(|(path, _)| *path == format!("/{n}")).count();
    assert_eq!((of(EDITED), of(EDITED + 1)), (2, 1));
}
