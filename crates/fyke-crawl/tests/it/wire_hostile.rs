//! Servers that break the rules of HTTP/1.1, and connections that end when they like.

use crate::servers::{GENEROUS, HELLO, ask, captured, failed, listen, options, read_head, url};
use fyke_crawl::fetch::{Blame, Limits, Outcome, Request};
use fyke_crawl::{Fetch, Http, HttpOptions, Private};
use fyke_store::Reason;
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::time::sleep;

/// Answers the first request with `first`, then sends `again` until the other side has enough, or
/// nothing, and stays.
async fn rude(first: &[u8], again: &[u8]) -> Http {
    let (first, again) = (first.to_vec(), again.to_vec());
    let socket = listen(move |mut stream| {
        let (first, again) = (first.clone(), again.clone());
        async move {
            read_head(&mut stream).await;
            stream.write_all(&first).await.ok();
            while !again.is_empty() && stream.write_all(&again).await.is_ok() {}
            std::future::pending::<()>().await;
        }
    })
    .await;
    Http::new(options(socket))
}

#[tokio::test]
async fn heads_and_chunks_that_break_the_rules_fail_the_page() {
    let check = async |what: &str, first: &str, again: &str| {
        let http = rude(first.as_bytes(), again.as_bytes()).await;
        let found = failed(&http, "http://a.test/").await;
        assert_eq!((found.reason, found.blame), (Reason::Protocol, Blame::Page), "{what}");
    };
    let ok = "HTTP/1.1 200 OK\r\n";
    let chunked = format!("{ok}Transfer-Encoding: chunked\r\n\r\n");
    check("too many headers", ok, "X-A: 1\r\n").await;
    check("one header without end", &format!("{ok}X: "), &"x".repeat(9_000)).await;
    check("a name without end", ok, &"x".repeat(9_000)).await;
    check("a status line without end", "HTTP/1.1 200 ", &"x".repeat(9_000)).await;
    check("a negative length", &format!("{ok}Content-Length: -1\r\n\r\n"), "").await;
    let two = format!("{ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi!");
    check("two lengths", &two, "").await;
    check("a length beyond all numbers", &format!("{ok}Content-Length: 9{two}"), "").await;
    check("HTTP/0.9", "<html>hello</html>\r\n\r\n", "").await;
    check("a version of its own", "HTTP/7.3 200 OK\r\n\r\n", "").await;
    check("a status of its own", "HTTP/1.1 20x OK\r\n\r\n", "").await;
    check("hints without end", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n").await;
    check("another protocol", "220 ready\r\n", "").await;
    check("extensions without end", &format!("{chunked}1;"), &"x".repeat(9_000)).await;
    check("a chunk of no size", &format!("{chunked}zz\r\n"), "").await;
    check("a chunk beyond all numbers", &format!("{chunked}fffffffffffffffffff\r\n"), "").await;
}

#[tokio::test]
async fn extensions_and_trailers_without_end_cut_the_body() {
    let check = async |first: &str, again: &str| {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        let http = rude(format!("{head}{first}").as_bytes(), again.as_bytes()).await;
        let found = captured(&http, "http://a.test/").await.capture;
        assert_eq!(found.truncated.as_deref(), Some("disconnect"), "{first}");
    };
    check("1\r\nx\r\n", &format!("1;{}\r\nx\r\n", "y".repeat(200))).await;
    check("1\r\nx\r\n0\r\n", "X-A: 1\r\n").await;
}

#[tokio::test]
async fn harmless_oddities_are_borne() {
    let check = async |answer: &str, body: &str| {
        let http = rude(answer.as_bytes(), b"").await;
        let found = captured(&http, "http://a.test/").await.capture;
        assert_eq!(String::from_utf8_lossy(&found.payload), body, "{answer}");
    };
    check("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "hi")
        .await;
    check("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi", "hi").await;
    check("HTTP/1.1 200\r\nBad Name: 1\r\nContent-Length : 2\r\n\r\nhi", "hi").await;
    check("HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", "hi").await;
    check("\r\nHTTP/1.1  200  OK\r\nContent-Length:\r\n 2\r\n\r\nhi", "hi").await;
    check("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 \nhi\n0\n\n", "hi").await;
    check("HTTP/1.1 204 No Content\r\n\r\n", "").await;
}

#[tokio::test]
async fn what_never_ends_ends_with_the_time() {
    let check = async |first: &str, again: &str, blame| {
        let http = rude(first.as_bytes(), again.as_bytes()).await;
        let limits = Limits { timeout: Duration::from_millis(200), ..GENEROUS };
        match ask(&http, &url("http://a.test/"), limits).await {
            Outcome::Failed(failed) => {
                assert_eq!((failed.reason, failed.blame), (Reason::Timeout, blame), "{first}");
            }
            Outcome::Captured(captured) => panic!("{captured:?}"),
        }
    };
    check("", "\r\n", Blame::Unclear).await;
    check("HTTP/1.1 200 OK\r\nX-A: 1\r\n", "", Blame::Unclear).await;
    check("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", "", Blame::Page).await;
    check("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "", Blame::Page).await;
}

/// Sends `head`, then a byte each second of simulated time.
async fn dripping(head: &'static [u8], first_byte: u64) -> Http {
    let socket = listen(move |mut stream| async move {
        read_head(&mut stream).await;
        stream.write_all(head).await.ok();
        while stream.write_all(b"x").await.is_ok() {
            sleep(Duration::from_secs(1)).await;
        }
    })
    .await;
    Http::new(HttpOptions { first_byte: Duration::from_secs(first_byte), ..options(socket) })
}

#[tokio::test(start_paused = true)]
async fn the_head_and_the_whole_have_limits_of_their_own() {
    let check = async |head: &'static [u8], first_byte, expected: Result<usize, Blame>, seconds| {
        let http = dripping(head, first_byte).await;
        let (found, elapsed) = match ask(&http, &url("http://a.test/"), GENEROUS).await {
            Outcome::Captured(c) => (Ok(c.capture.payload.len()), c.elapsed),
            Outcome::Failed(failed) => (Err(failed.blame), failed.elapsed),
        };
        assert_eq!((found, elapsed.as_secs()), (expected, seconds));
    };
    let slow: &[u8] = b"HTTP/1.1 200 OK\r\nX: ";
    check(slow, 5, Err(Blame::Unclear), 5).await;
    check(slow, 50, Err(Blame::Unclear), 20).await;
    check(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", 5, Ok(10), 9).await;
    check(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", 5, Err(Blame::Page), 20).await;
}

#[tokio::test]
async fn a_small_answer_that_unpacks_to_a_large_one_is_cut() {
    let zeros = vec![0; 20 << 20];
    let mut gzip = flate2::read::GzEncoder::new(zeros.as_slice(), flate2::Compression::fast());
    let mut packed = [("gzip", Vec::new()), ("br", Vec::new()), ("zstd", Vec::new())];
    gzip.read_to_end(&mut packed[0].1).expect("packed");
    let mut brotli = brotli::CompressorWriter::new(&mut packed[1].1, 4_096, 3, 20);
    brotli.write_all(&zeros).expect("packed");
    drop(brotli);
    packed[2].1 = zstd::encode_all(zeros.as_slice(), 1).expect("packed");
    for (name, body) in packed {
        let length = body.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Encoding: {name}\r\nContent-Length: {length}\r\n\r\n"
        );
        let http = rude(&[head.as_bytes(), &body].concat(), b"").await;
        let capture = captured(&http, "http://a.test/").await.capture;
        assert_eq!(capture.payload, body, "{name}: kept as it came");
        assert_eq!(capture.body(1_000), (vec![0; 1_000].into(), true), "{name}");
    }
}

/// Answers so many requests a connection with `answer`, then closes; counts connections.
async fn counted(answer: &'static [u8], requests: usize) -> (HttpOptions, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let met = Arc::clone(&count);
    let socket = listen(move |mut stream| {
        met.fetch_add(1, SeqCst);
        async move {
            for _ in 0..requests {
                if read_head(&mut stream).await.is_none() {
                    return;
                }
                stream.write_all(answer).await.ok();
            }
        }
    })
    .await;
    (options(socket), count)
}

#[tokio::test]
async fn connections_are_kept_as_long_as_the_server_says_and_never_cost_a_page() {
    let check = async |answer, requests, expected| {
        let (options, connections) = counted(answer, requests).await;
        let http = Http::new(options);
        for _ in 0..4 {
            captured(&http, "http://a.test/").await;
            // Lets the connection's task see what the server did after its answer.
            for _ in 0..50 {
                tokio::task::yield_now().await;
            }
        }
        assert_eq!(connections.load(SeqCst), expected, "{}", String::from_utf8_lossy(answer));
    };
    let with = |header: &str| {
        let text = format!("HTTP/1.1 200 OK\r\n{header}\r\nContent-Length: 2\r\n\r\nhi");
        &*Box::leak(text.into_bytes().into_boxed_slice())
    };
    check(HELLO, 9, 1).await;
    check(HELLO, 1, 4).await;
    check(HELLO, 2, 2).await;
    check(with("Keep-Alive: timeout=60"), 9, 1).await;
    check(with("Keep-Alive: timeout=1"), 9, 4).await;
    check(with("Connection: close"), 9, 4).await;
    // What stands behind an answer is not taken for the next one.
    check(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi!", 9, 4).await;
    check(b"HTTP/1.1 204 None\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", 9, 4).await;
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n";
    check(chunked, 9, 1).await;
    check(b"HTTP/1.1 101 Switching\r\n\r\n", 9, 4).await;
    check(b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 9, 4).await;
}

#[tokio::test(start_paused = true)]
async fn a_kept_connection_that_fell_silent_is_nobodys_fault() {
    let socket = listen(|mut stream| async move {
        read_head(&mut stream).await;
        stream.write_all(HELLO).await.ok();
        std::future::pending::<()>().await;
    })
    .await;
    let http = Http::new(options(socket));
    for _ in 0..2 {
        captured(&http, "http://a.test/").await;
        let silent = failed(&http, "http://a.test/").await;
        assert_eq!((silent.reason, silent.blame), (Reason::Timeout, Blame::Connection));
    }
}

#[tokio::test]
async fn the_pool_is_bounded_over_all_hosts_and_drops_the_oldest() {
    let check = async |idle, expected| {
        let (options, connections) = counted(HELLO, 9).await;
        let http = Http::new(HttpOptions { idle, ..options });
        for host in ["a", "b", "a", "c", "a", "b"] {
            captured(&http, &format!("http://{host}.test/")).await;
        }
        assert_eq!(connections.load(SeqCst), expected, "{idle} idle");
    };
    check(9, 3).await;
    check(2, 4).await;
    check(1, 6).await;
}

#[tokio::test]
async fn a_kept_connection_serves_the_address_it_leads_to_and_no_other() {
    let (one, one_met) = counted(HELLO, 9).await;
    let (other, other_met) = counted(HELLO, 9).await;
    let http = Http::new(HttpOptions::default());
    for options in [&one, &other, &one, &other] {
        let (url, sockets) = (url("http://a.test/"), vec![options.hosts[0].1]);
        let asked = http
            .fetch(Request { url, sockets, limits: GENEROUS, known: None, form: None, now: 7 })
            .await;
        assert!(matches!(asked, Outcome::Captured(_)), "{asked:?}");
    }
    let met = [one_met, other_met].map(|met| met.load(SeqCst));
    assert_eq!(met, [1, 1], "each has a connection of its own, which is used again");
}

#[tokio::test]
async fn an_idle_connection_is_let_go_after_its_time() {
    let (options, connections) = counted(HELLO, 9).await;
    let http = Http::new(HttpOptions { idle_for: Duration::from_secs(60), ..options });
    for (pause, expected) in [(0, 1), (59, 1), (61, 2)] {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(pause)).await;
        tokio::time::resume();
        captured(&http, "http://a.test/").await;
        assert_eq!(connections.load(SeqCst), expected, "after {pause} s");
    }
}

#[tokio::test]
async fn hosts_with_ipv6_addresses_are_reached() {
    // A machine may have no IPv6 at all; then there is nothing to reach.
    let Ok(listener) = TcpListener::bind("[::1]:0").await else { return };
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let head = read_head(&mut stream).await.expect("a request");
        let length = head.len();
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{head}");
        stream.write_all(answer.as_bytes()).await.ok();
    });
    let http = Http::new(HttpOptions { private: Private::Loopback, ..HttpOptions::default() });
    let found = captured(&http, &format!("http://[::1]:{port}/")).await;
    assert_eq!(found.capture.payload, found.request, "what is recorded is what was sent");
}
