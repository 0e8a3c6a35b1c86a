//! Seeds and budgets as real servers meet them: hosts that moved, are gone, or have more pages than they may give.

use crate::fixture::{Ran, arg, collection, fyke};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use tempfile::TempDir;

/// Answers every connection by the host and the path that it asks for, until the test ends.
pub fn serve(answer: fn(host: &str, path: &str, head: &str) -> String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || serve_one(stream, answer));
        }
    });
    at
}

fn serve_one(mut stream: TcpStream, answer: fn(&str, &str, &str) -> String) -> Option<()> {
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
