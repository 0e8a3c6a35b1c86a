//! Random and hostile queries: whatever is asked, the site answers, and what was asked stays text.

use crate::pond::small_collection;
use crate::site_api::site;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Queries asked here; `benches/load.py --hostile` asks more of a release build.
const QUERIES: usize = 600;

/// What queries are put together from.
const PARTS: &[&str] = &[
    "tidal",
    "turbine",
    "the",
    "a",
    "\"",
    "\"tidal turbine\"",
    "(",
    ")",
    "((((((((",
    "+",
    "-",
    "--",
    "AND",
    "OR",
    "NOT",
    "NEAR/5",
    "NEAR/99999999999",
    "~5",
    "\"a b\"~99999999999",
    "*",
    "t*",
    "**",
    "?",
    "^",
    "title:",
    "site:",
    "site:.",
    "lang:",
    "lang:zz",
    "type:pdf",
    "date:",
    "date:2020..2024",
    "date:>9999-99-99",
    "date:-1..",
    "url:",
    "inanchor:\"",
    "http://",
    "http://directory.test/",
    "http://[::1",
    "javascript:alert(1)",
    "<img src=x onerror=alert(1)>",
    "</title><script>alert(2)</script>",
    "{{7*7}}",
    "${x}",
    "' OR 1=1 --",
    "../../etc/passwd",
    "\u{0}",
    "\u{7f}",
    "\u{202e}",
    "\u{feff}",
    "\u{fffe}",
    "é",
    "e\u{301}",
    "ß",
    "İ",
    "ﬁ",
    "日本語",
    "한국어",
    "ไทย",
    "🐟",
    "👩‍👩‍👧",
    "\r\n",
    "\t",
    "&",
    "&amp;",
    "%",
    "%zz",
    "#",
    ";",
    "\\",
    "0",
    "-1",
    "18446744073709551616",
    "1e400",
    "NaN",
    "C++",
    "F#",
    "a.b.c",
    "x@y.z",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// Where they are asked.
const PLACES: &[&str] = &[
    "/search?q=",
    "/api/v1/search?explain=1&facets=1&q=",
    "/search.rss?q=",
    "/suggest?q=",
    "/search?q=tidal&also=",
    "/search?start=10&q=",
    "/api/v1/search?limit=99999999999999999999&start=-1&q=",
    "/api/v1/search?diversity=NaN&start=18446744073709551615&q=",
    "/api/v1/suggest?limit=-5&q=",
];

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    /// A query, written for a URL.
    fn query(&mut self) -> String {
        let most = if self.roll(50) == 0 { 300 } else { 8 };
        let length = 1 + self.roll(most);
        let mut query = String::new();
        for _ in 0..length {
            let part = PARTS[self.roll(PARTS.len())];
            match self.roll(30) {
                0 => query += &format!("%{:02X}", self.roll(256)),
                1 => query += "%",
                _ => query.extend(part.bytes().map(|byte| format!("%{byte:02X}"))),
            }
            query += ["+", "", "%20"][self.roll(3)];
        }
        query
    }
}

/// One connection for many requests.
struct Kept(BufReader<TcpStream>);

impl Kept {
    fn open(port: u16) -> Kept {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Kept(BufReader::new(stream))
    }

    fn get(&mut self, path: &str) -> (u16, String) {
        write!(self.0.get_mut(), "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut length = 0;
        while line != "\r\n" {
            line.clear();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "{path} was not answered");
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        (status.unwrap(), String::from_utf8(body).unwrap())
    }
}

#[test]
fn hundreds_of_hostile_queries_are_all_answered_and_stay_text() {
    let dir = small_collection();
    let (_running, port) = site(dir.path());
    let (mut connection, mut dice) = (Kept::open(port), Dice(2026));
    let mut found = 0;
    for number in 0..QUERIES {
        let place = PLACES[number % PLACES.len()];
        let path = format!("{place}{}", dice.query());
        let (status, body) = connection.get(&path);
        assert!([200, 303].contains(&status), "{path}: {status} {body}");
        found += usize::from(body.contains("<mark>"));
        if place.starts_with("/search") {
            for hostile in ["<img", "<script>", "href=\"javascript:"] {
                assert!(!body.contains(hostile), "{path}: {hostile} in {body}");
            }
        }
    }
    assert!(found > QUERIES / 20, "only {found} pages found anything");
}

#[test]
fn a_query_longer_than_any_url_is_refused_and_a_long_one_is_cut() {
    let dir = small_collection();
    let (_running, port) = site(dir.path());
    let mut connection = Kept::open(port);
    let (status, body) = connection.get(&format!("/search?q={}", "tidal+".repeat(2_000)));
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("<mark>"));
}
