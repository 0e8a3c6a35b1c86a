//! Seeds and budgets as real servers meet them: hosts that moved, are gone, or have more pages than they may give.

use crate::fixture::{Ran, arg, collection, fyke};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use tempfile::TempDir;

/// Answers every connection by the host, the path and the whole head of its request, until the test ends.
pub fn serve(answer: impl Fn(&str, &str, &str) -> String + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            std::thread::spawn(move || serve_one(stream, &*answer));
        }
    });
    at
}

fn serve_one(mut stream: TcpStream, answer: &impl Fn(&str, &str, &str) -> String) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        (reader.read_line(&mut head).ok()? > 0).then_some(())?;
    }
    let path = head.split(' ').nth(1)?;
    let lower = head.to_ascii_lowercase();
    let host = lower.lines().find_map(|line| line.strip_prefix("host: "))?;
    stream.write_all(answer(host, path, &head).as_bytes()).ok()
}

/// An answer of this status with these header lines and this body.
pub fn reply(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\
         Connection: close\r\n{headers}\r\n{body}"
    )
}

/// A collection of the hosts under `.test` that are all at this server.
pub fn settings(at: SocketAddr, seeds: &[&str], more: &str) -> TempDir {
    collection(&format!(
        "[collection]\ncontact = \"mailto:a@b.test\"\n[seeds]\nurls = {seeds:?}\n\
         [politeness]\nfloor = \"1ms\"\nfactor = 0.0\nper_address = 0\n\
         [fetch]\nhosts = {{ \"*.test\" = \"{at}\" }}\n{more}"
    ))
}

fn crawl(dir: &TempDir, more: &[&str]) -> Ran {
    fyke(&[&["-C", arg(dir.path()), "crawl"], more].concat())
}

/// `old.test` has moved to `new.test`, which leads to `en.new.test`.
fn moved(host: &str, path: &str, _: &str) -> String {
    match (host, path) {
        (_, "/robots.txt") => reply("404 Not Found", "", ""),
        ("old.test", _) => reply("301 Moved Permanently", "Location: http://new.test/\r\n", ""),
        ("new.test", _) => reply("302 Found", "Location: http://en.new.test/home\r\n", ""),
        ("en.new.test", "/home" | "/one") => {
            reply("200 OK", "", "<p>A page of the site that has moved here. <a href=/one>one</a>")
        }
        _ => reply("404 Not Found", "", "gone"),
    }
}

#[test]
fn a_seed_that_redirects_is_followed_to_its_host_and_the_run_says_so() {
    let at = serve(moved);
    let dir = settings(at, &["http://old.test/"], "");
    let says = "the seed http://old.test/ redirects to http://new.test/: that host is in scope too";
    let ran = crawl(&dir, &["--json"]).ends(0, &[says, "en.new.test"]).json();
    assert_eq!(ran["pages_fetched"], 2);
    assert_eq!(ran["seed_redirects"][1]["to"], "http://en.new.test/home");
    let ran = fyke(&["-C", arg(dir.path()), "why", "http://en.new.test/never"]).ends(1, &[]);
    assert!(ran.out.contains("the scope would admit it"), "{ran:?}");
}

#[test]
fn a_crawl_of_seeds_that_are_all_gone_ends_with_4_and_their_reasons() {
    let at = serve(moved);
    let dir = settings(at, &["http://a.test/x", "http://b.test/"], "");
    crawl(&dir, &[]).ends(4, &["nothing could be fetched; http://a.test/x: http.4xx, status 404"]);
    // One page is enough.
    let dir = settings(at, &["http://a.test/x", "http://en.new.test/home"], "");
    crawl(&dir, &[]).ends(0, &[]);
}

/// A host of 30 pages.
fn many(_: &str, path: &str, _: &str) -> String {
    let links: String = (0..30).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    match path {
        "/robots.txt" => reply("404 Not Found", "", ""),
        _ => reply("200 OK", "", &format!("<p>The page {path} of many links to all. {links}")),
    }
}

#[test]
fn a_run_that_a_budget_cut_says_so_and_its_urls_can_be_listed() {
    let at = serve(many);
    let dir = settings(at, &["http://a.test/"], "[budget]\nper_host_pages = 10\n");
    // Two of them are made-up paths.
    let says = "budget.per_host_pages = 10 was reached: 23 URLs were left out; raise it";
    let ran = crawl(&dir, &[]).ends(0, &[says]);
    assert!(ran.out.contains("nothing left to fetch within the budgets"), "{ran:?}");
    let json = crawl(&dir, &["--json"]).ends(0, &[]).json();
    assert_eq!(json["cuts"][0]["setting"], "budget.per_host_pages");
    assert_eq!(
        (&json["cuts"][0]["urls"], &json["cuts"][0]["reason"]),
        (&23.into(), &"budget.host".into())
    );
    let urls =
        |args: &[&str]| fyke(&[&["-C", arg(dir.path()), "urls"], args].concat()).ends(0, &[]);
    let cut = urls(&["--reason", "budget.host", "--host", "a.test"]).out;
    assert_eq!(cut.lines().count(), 23);
    assert!(cut.lines().all(|line| line.starts_with("budget.host\thttp://a.test/")), "{cut}");
    let json = urls(&["--reason", "budget.host", "--json"]).json();
    assert_eq!(json.as_array().map(Vec::len), Some(23));
    assert_eq!(json[0]["reason"], "budget.host");
    assert_eq!(urls(&["--host", "b.test", "--json"]).json(), serde_json::json!([]));
    assert_eq!(urls(&["--limit", "3"]).out.lines().count(), 3);
    // What analysis found out counts: the pages are copies of each other.
    let counts = fyke(&["-C", arg(dir.path()), "stats", "--json"]).ends(0, &[]).out;
    let copies = urls(&["--reason", "dup.near"]).out.lines().count();
    let exact = urls(&["--reason", "dup.exact"]).out.lines().count();
    let thin = urls(&["--reason", "thin"]).out.lines().count();
    let kept = urls(&["--reason", "kept"]).out.lines().count();
    assert_eq!(copies + exact + thin + kept, 10, "{counts}");
    fyke(&["-C", arg(dir.path()), "urls", "--reason", "budget"]).ends(2, &["one of kept, queued"]);
}

/// Every page is given to whoever brings the cookie of its own host, and no other cookie.
fn behind_a_cookie(host: &str, path: &str, head: &str) -> String {
    let cookie = head.lines().find_map(|line| line.strip_prefix("Cookie: "));
    match (path, cookie) {
        ("/robots.txt", _) => reply("404 Not Found", "", ""),
        ("/never", _) => reply("302 Found", "Location: /never\r\nSet-Cookie: n=1\r\n", ""),
        (_, None) => {
            let headers = format!("Location: {path}\r\nSet-Cookie: of={host}; Path=/\r\n");
            reply("302 Found", &headers, "")
        }
        (_, Some(cookie)) if cookie.starts_with(&format!("of={host}")) => {
            let links = "<a href=/one>one</a> <a href=/never>never</a>";
            reply("200 OK", "", &format!("<p>The page {path} is behind a cookie. {links}"))
        }
        _ => reply("400 Bad Request", "", "a cookie of another host"),
    }
}

#[test]
fn a_page_that_redirects_to_itself_with_a_cookie_is_fetched_with_it() {
    let at = serve(behind_a_cookie);
    let dir = settings(at, &["http://a.test/", "http://b.test/"], "");
    crawl(&dir, &[]).ends(0, &[]);
    let urls =
        |reason: &str| fyke(&["-C", arg(dir.path()), "urls", "--reason", reason]).ends(0, &[]).out;
    assert_eq!(urls("redirect.loop").lines().count(), 2, "/never stays one");
    assert_eq!(urls("http.4xx"), "");
    let pages =
        ["kept", "dup.exact", "dup.near", "thin"].map(|reason| urls(reason).lines().count());
    assert_eq!(pages.iter().sum::<usize>(), 4);
    let captures = std::fs::read_dir(dir.path().join("captures")).unwrap();
    for file in captures.map(|file| file.unwrap().path()) {
        if file.extension().is_some_and(|kind| kind == "cdxj") {
            assert!(!std::fs::read_to_string(file).unwrap().contains("of="));
        }
    }
}

#[test]
fn patterns_that_match_nothing_are_named_and_probe_says_which_rule_decides() {
    let at = serve(many);
    let scope = "[scope]\nmode = \"path\"\ndeny = [\"re:^https?:\", \"**/7\"]\n";
    let dir = settings(at, &["http://a.test/"], scope);
    let says =
        "scope.deny: the pattern \"re:^https?:\" matched no URL in this run; patterns are matched";
    let ran = crawl(&dir, &[]).ends(0, &[says]);
    assert!(!ran.err.contains("**/7"), "{ran:?}");
    let probe =
        |url: &str| fyke(&["-C", arg(dir.path()), "probe", url, "--json"]).ends(0, &[]).json();
    assert_eq!(probe("http://a.test/8")["scope"], "in: it lies under the path of a seed");
    assert_eq!(probe("http://a.test/7")["scope"], "scope.path: out: scope.deny \"**/7\" matches");
}
