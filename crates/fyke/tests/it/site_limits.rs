//! Visitors who send half a request, too much of one, or far too many: others are answered all the same, and
//! a crawl goes on.

use crate::browser::{Running, start};
use crate::client::{ask, get};
use crate::fixture::{arg, fyke};
use crate::pond::small_collection;
use crate::seeds;
use crate::site_api::{get_json, site};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Half-sent requests of an attack.
const MANY: usize = 200;
/// Files that the program may open.
const FEW: u32 = 128;
/// Pages of a crawl that are asked for during the attack.
const LATER: u64 = 40;

/// Starts the program where it can open few files.
fn start_short(args: &[&str]) -> (Running, u16) {
    let script = format!("ulimit -n {FEW}; exec \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh"]).arg(assert_cmd::cargo::cargo_bin!("fyke")).args(args);
    start(&mut shell, "stderr", "http://127.0.0.1:")
}

/// Connections on which half a request is sent.
fn half_sent(port: u16) -> Vec<TcpStream> {
    let half = |number: usize| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let heads = ["", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\nX: "];
        // A connection that was closed for another cannot be written to.
        let _ = stream.write_all(heads[number % heads.len()].as_bytes());
        stream
    };
    (0..MANY).map(half).collect()
}

#[test]
fn half_sent_requests_do_not_keep_others_out() {
    let dir = small_collection();
    let (mut running, port) =
        start_short(&["-C", arg(dir.path()), "serve", "--bind", "127.0.0.1:0"]);
    let held = half_sent(port);
    assert_eq!(get(port, "/healthz"), "ok\n");
    assert!(get(port, "/search?q=tidal").contains("<mark>"));
    drop(held);
    assert!(get(port, "/search?q=tidal").contains("<mark>"));
    assert!(running.0.try_wait().unwrap().is_none(), "the site has ended");
}

/// A server whose first page is answered when the sender is dropped, and the receiver of word that it was asked for. Each
/// request needs a connection of its own.
fn held_server() -> (SocketAddr, Receiver<()>, Sender<()>) {
    let ((asked, was_asked), (release, released)) = (channel(), channel());
    let released: Mutex<Receiver<()>> = Mutex::new(released);
    let at = seeds::serve(move |_, path, _| {
        let links = match path {
            "/" => {
                let _ = asked.send(());
                // It fails at once when the sender is gone.
                let _ = released.lock().unwrap().recv();
                (1..=LATER).map(|n| format!("<a href=/eel{n}>{n}</a> ")).collect()
            }
            _ if path.starts_with("/eel") => format!("{path} is a tidal eel of its own: {path}"),
            _ => return seeds::reply("404 Not Found", "", ""),
        };
        seeds::reply("200 OK", "", &format!("<title>{path}</title><p>{links}"))
    });
    (at, was_asked, release)
}

/// The crawl waits for a page while the attack begins, so that neither has to be quick.
#[test]
fn half_sent_requests_do_not_end_a_crawl() {
    let (at, was_asked, release) = held_server();
    let limits = "timeout = \"1h\"\nfirst_byte = \"1h\"\n";
    let dir = seeds::settings(at, &["http://a.test/"], limits);
    let crawl = ["-C", arg(dir.path()), "crawl", "--serve", "127.0.0.1:0"];
    let (mut running, port) = start_short(&crawl);
    was_asked.recv_timeout(Duration::from_secs(600)).unwrap();
    let held = half_sent(port);
    drop(release);
    assert_eq!(running.0.wait().unwrap().code(), Some(0), "nothing is left to fetch");
    drop(held);
    let found = fyke(&["-C", arg(dir.path()), "search", "tidal", "--json"]).ends(0, &[]).json();
    assert_eq!(found["total"].as_u64(), Some(LATER), "{found}");
}

#[test]
fn heads_and_bodies_that_are_too_large_are_refused() {
    let dir = small_collection();
    let (_running, port) = site(dir.path());
    let long = "x".repeat(100_000);
    let form = "Content-Type: application/x-www-form-urlencoded";
    let check = |head: &str, body: &str, expected: u16| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let length = body.len();
        // It may be refused before all is sent.
        let _ = write!(stream, "{head}\r\n{form}\r\nContent-Length: {length}\r\n\r\n{body}");
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(String::from_utf8_lossy(&first), format!("HTTP/1.1 {expected}"));
    };
    check(&format!("GET /search?q={long} HTTP/1.1\r\nHost: localhost"), "", 431);
    check(&format!("GET / HTTP/1.1\r\nHost: localhost\r\nCookie: {long}"), "", 431);
    check(&format!("GET / HTTP/1.1\r\nHost: localhost{}", "\r\na: b".repeat(100)), "", 431);
    check("POST /crawl/stop HTTP/1.1\r\nHost: localhost", &long, 413);
    check("POST /crawl/stop HTTP/1.1\r\nHost: localhost", &long.repeat(5), 400);
    assert_eq!(get(port, "/healthz"), "ok\n");
}

#[test]
fn only_names_of_this_machine_are_answered() {
    let dir = small_collection();
    let (_running, port) = site(dir.path());
    for (host, expected) in [
        ("localhost", 200),
        ("127.0.0.1:7700", 200),
        ("localhost.evil.test", 421),
        ("localhost:7700.evil.test", 421),
        ("[::1]evil.test", 421),
        ("localhost\r\nHost: evil.test", 421),
    ] {
        let (status, body) = ask(port, &format!("GET / HTTP/1.1\r\nHost: {host}"), "");
        assert_eq!(status, expected, "{host:?}: {body}");
    }
}

#[test]
fn a_search_that_was_cut_off_says_so_everywhere() {
    let dir = small_collection();
    let settings = std::fs::read_to_string(dir.path().join("fyke.toml")).unwrap();
    let all = "tidal turbine power sea energy the of and to in";
    let words = all.replace(' ', " OR ");
    let whole = fyke(&["-C", arg(dir.path()), "search", &words, "--json"]).ends(0, &[]).json();
    assert_eq!(whole.get("cut"), None);
    let few = format!("{settings}\n[search]\nsteps = 100\n");
    std::fs::write(dir.path().join("fyke.toml"), few).unwrap();
    let told = fyke(&["-C", arg(dir.path()), "search", &words]).ends(0, &[]).out;
    assert!(told.contains("documents were looked at"), "{told}");
    let (_running, port) = site(dir.path());
    let asked = words.replace(' ', "+");
    let page = get(port, &format!("/search?q={asked}"));
    assert!(page.contains("documents were looked at"), "{page}");
    let found = get_json(port, &format!("/api/v1/search?q={asked}"));
    let cut = &found["cut"];
    assert!(cut["looked_at"].as_u64() < cut["documents"].as_u64(), "{found}");
    assert!(found["total"].as_u64() < whole["total"].as_u64(), "{found}");
    let rare = get_json(port, "/api/v1/search?q=nowhere");
    assert_eq!(rare.get("cut"), None, "{rare}");
}
