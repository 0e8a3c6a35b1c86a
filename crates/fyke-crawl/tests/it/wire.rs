//! HTTP over real sockets, against a server that answers with the bytes it is told.

use fyke_crawl::fetch::{Blame, BodyWanted, Failed, Limits, Outcome, Request};
use fyke_crawl::{CrawlOptions, Fetch, Http};
use fyke_store::Reason;
use fyke_web::{Capture, Url};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Serves one connection: for each request the next of `answers`; then closes, or stays silent.
async fn server(answers: Vec<&'static [u8]>, stays: bool) -> (Http, Url) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let socket = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        for answer in answers {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                if stream.read(&mut byte).await.unwrap_or(0) == 0 {
                    return;
                }
                head.push(byte[0]);
            }
            stream.write_all(answer).await.ok();
        }
        if stays {
            std::future::pending::<()>().await;
        }
    });
    let hosts = vec![("a.test".to_owned(), socket)];
    let options = CrawlOptions { hosts, contact: "mailto:x@y.z".into(), ..Default::default() };
    (options.http(), Url::parse("http://a.test/p?q=|1").expect("a URL"))
}

async fn ask(http: &Http, url: &Url, timeout: u64) -> Outcome {
    let sockets = http.resolve(url).await.expect("an address").sockets;
    let limits =
        Limits { max_bytes: 20, timeout: Duration::from_millis(timeout), body: BodyWanted::Any };
    http.fetch(Request { url: url.clone(), sockets, limits, known: None, form: None, now: 7 }).await
}

async fn capture(answer: &'static [u8]) -> (Capture, String) {
    let (http, url) = server(vec![answer], false).await;
    match ask(&http, &url, 5000).await {
        Outcome::Captured(c) => (c.capture, String::from_utf8(c.request).expect("text")),
        Outcome::Failed(failed) => panic!("{failed:?}"),
    }
}

async fn failure(answer: &'static [u8], stays: bool, timeout: u64) -> Failed {
    let (http, url) = server(vec![answer], stays).await;
    match ask(&http, &url, timeout).await {
        Outcome::Captured(c) => panic!("{c:?}"),
        Outcome::Failed(failed) => failed,
    }
}

#[tokio::test]
async fn an_answer_is_captured_with_the_request_that_brought_it() {
    let (capture, request) =
        capture(b"HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nhi").await;
    assert_eq!((capture.status, capture.payload.as_slice()), (200, b"hi".as_slice()));
    assert_eq!(capture.header("x-a"), Some("1"));
    assert_eq!(capture.headers[0].0, "X-A", "as the server wrote it");
    assert!(capture.truncated.is_none());
    assert!(request.starts_with("GET /p?q=|1 HTTP/1.1\r\nHost: a.test\r\n"), "{request}");
    assert!(request.contains("User-Agent: fyke/0.1 (+mailto:x@y.z)\r\n"), "{request}");
}

#[tokio::test]
async fn bodies_are_cut_at_the_limit_and_where_the_server_breaks_off() {
    let head = b"HTTP/1.1 200 OK\r\n\r\n0123456789012345678901234567890123456789";
    let (long, _) = capture(head).await;
    assert_eq!((long.payload.len(), long.truncated.as_deref()), (20, Some("length")));
    let (short, _) = capture(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234").await;
    assert_eq!((short.payload.len(), short.truncated.as_deref()), (5, Some("disconnect")));
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    assert_eq!(capture(chunked).await.0.payload, b"abc");
}

#[tokio::test]
async fn silence_and_nonsense_are_failures_of_the_right_kind() {
    let slow = failure(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0", true, 100).await;
    assert_eq!((slow.reason, slow.blame), (Reason::Timeout, Blame::Page));
    assert_eq!((slow.status, slow.bytes), (200, 1), "what came is counted");
    let silent = failure(b"", true, 100).await;
    assert_eq!((silent.reason, silent.blame), (Reason::Timeout, Blame::Unclear));
    let nonsense = failure(b"220 smtp ready\r\n\r\n", false, 5000).await;
    assert_eq!((nonsense.reason, nonsense.blame), (Reason::Protocol, Blame::Page));
    let closed = failure(b"", false, 5000).await;
    assert_eq!((closed.reason, closed.blame), (Reason::Protocol, Blame::Host));
}

#[tokio::test]
async fn a_head_without_end_is_refused() {
    static HEAD: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| {
        let mut head = b"HTTP/1.1 200 OK\r\nX: ".to_vec();
        head.resize(200_000, b'x');
        head
    });
    assert_eq!(failure(&HEAD, true, 5000).await.reason, Reason::Protocol);
}

#[tokio::test]
async fn a_connection_is_used_again_and_a_lost_one_is_nobodys_fault() {
    let answer: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
    let (http, url) = server(vec![answer, answer, b""], false).await;
    for _ in 0..2 {
        assert!(matches!(ask(&http, &url, 5000).await, Outcome::Captured(_)));
    }
    // The server takes the third request and closes without an answer.
    match ask(&http, &url, 5000).await {
        Outcome::Failed(failed) => assert_eq!(failed.blame, Blame::Connection),
        Outcome::Captured(c) => panic!("{c:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_address_does_not_use_up_the_time_of_the_next() {
    // The first takes the connection and never answers the greeting; at the second nobody is.
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let gone = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let sockets = [&silent, &gone].map(|l| l.local_addr().expect("an address")).to_vec();
    drop(gone);
    let url = Url::parse("https://a.test/").expect("a URL");
    let limits = Limits { max_bytes: 20, timeout: Duration::from_secs(30), body: BodyWanted::Any };
    let http = CrawlOptions::default().http();
    match http.fetch(Request { url, sockets, limits, known: None, form: None, now: 7 }).await {
        Outcome::Failed(failed) => {
            assert_eq!((failed.reason, failed.blame), (Reason::Timeout, Blame::Address));
            assert!(failed.elapsed < Duration::from_secs(6), "{failed:?}");
        }
        Outcome::Captured(c) => panic!("{c:?}"),
    }
}
