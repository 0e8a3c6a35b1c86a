//! HTTP/2 over TLS: against hyper's server, and against one that breaks the rules frame by frame.

use crate::servers::{GENEROUS, Issuer, ask, captured, failed, listen_tls, options, url};
use bytes::Bytes;
use fyke_crawl::fetch::{Blame, Limits, Outcome};
use fyke_crawl::{Http, HttpOptions};
use fyke_store::Reason;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper::{Response, server};
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Answers with what was asked, and counts connections.
async fn echo() -> (Http, Arc<AtomicUsize>) {
    let issuer = Issuer::new();
    let count = Arc::new(AtomicUsize::new(0));
    let met = Arc::clone(&count);
    let config = issuer.server("a.test", 2099, &["h2", "http/1.1"]);
    let socket = listen_tls(config, move |stream| {
        met.fetch_add(1, SeqCst);
        let answer = service_fn(async |request: hyper::Request<hyper::body::Incoming>| {
            let long = request.uri().path() == "/long";
            let text = format!("{:?} {} {:?}", request.version(), request.uri(), request.headers());
            let body = if long { "x".repeat(3 << 20) } else { text };
            Ok::<_, Infallible>(Response::new(Full::new(Bytes::from(body))))
        });
        async move {
            let server = server::conn::http2::Builder::new(TokioExecutor::new());
            server.serve_connection(TokioIo::new(stream), answer).await.ok();
        }
    })
    .await;
    (Http::new(HttpOptions { roots: issuer.roots(), ..options(socket) }), count)
}

#[tokio::test]
async fn http2_is_spoken_where_the_server_offers_it_and_its_connection_is_kept() {
    let (http, connections) = echo().await;
    for _ in 0..3 {
        let found = captured(&http, "https://a.test/p?q=1").await;
        let text = String::from_utf8(found.capture.payload).expect("text");
        assert!(text.starts_with("HTTP/2.0 https://a.test/p?q=1 "), "{text}");
        assert!(text.contains("\"user-agent\": \"fyke\""), "{text}");
        assert!(found.request.starts_with(b"GET /p?q=1 HTTP/1.1\r\nHost: a.test\r\n"));
    }
    let long = captured(&http, "https://a.test/long").await.capture;
    assert_eq!((long.payload.len(), long.truncated.as_deref()), (1 << 20, Some("length")));
    captured(&http, "https://a.test/after").await;
    assert_eq!(connections.load(SeqCst), 1, "a body cut short does not cost the connection");
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a short frame").to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

const SETTINGS: u8 = 4;
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
const END_HEADERS: u8 = 4;

/// Sends settings, then `first` once and `again` without end. The first request is stream 1.
async fn rude(first: Vec<u8>, again: Vec<u8>) -> Http {
    let issuer = Issuer::new();
    let socket = listen_tls(issuer.server("a.test", 2099, &["h2"]), move |mut stream| {
        let opening = [frame(SETTINGS, 0, 0, &[]), frame(SETTINGS, 1, 0, &[])].concat();
        let (first, again) = (first.clone(), again.clone());
        async move {
            stream.write_all(&opening).await.ok();
            // The preface, the client's settings and its request come before anything is answered.
            let mut seen = Vec::new();
            while !contains_headers(&seen) {
                if stream.read_buf(&mut seen).await.unwrap_or(0) == 0 {
                    return;
                }
            }
            stream.write_all(&first).await.ok();
            while !again.is_empty() && stream.write_all(&again).await.is_ok() {}
            std::future::pending::<()>().await;
        }
    })
    .await;
    Http::new(HttpOptions { roots: issuer.roots(), ..options(socket) })
}

/// Whether the frames after the preface hold a request.
fn contains_headers(seen: &[u8]) -> bool {
    let mut rest = seen.get(24..).unwrap_or_default();
    while let [a, b, c, kind, _, _, _, _, stream, ..] = rest {
        if *kind == HEADERS && *stream == 1 {
            return true;
        }
        let length = u32::from_be_bytes([0, *a, *b, *c]) as usize;
        rest = rest.get(9 + length..).unwrap_or_default();
    }
    false
}

/// `x: yyyy…` in HPACK, as long as a literal of this many bytes.
fn long_header(length: usize) -> Vec<u8> {
    let mut block = vec![0x00, 1, b'x', 0x7f];
    let mut rest = length - 127;
    while rest >= 128 {
        block.push(u8::try_from(rest % 128).expect("seven bits") | 128);
        rest /= 128;
    }
    block.push(u8::try_from(rest).expect("seven bits"));
    block.resize(block.len() + length, b'y');
    block
}

#[tokio::test]
async fn an_http2_server_that_breaks_the_rules_fails_one_page_in_bounded_memory() {
    let check = async |what: &str, first: Vec<u8>, again: Vec<u8>| {
        let found = failed(&rude(first, again).await, "https://a.test/").await;
        assert_eq!(found.reason, Reason::Protocol, "{what}: {found:?}");
        assert_ne!(found.blame, Blame::Connection, "{what}: {found:?}");
    };
    let block = [vec![0x88], long_header(100_000)].concat();
    let mut giant = frame(HEADERS, 0, 1, &block[..16_000]);
    for part in block[16_000..].chunks(16_000) {
        giant.extend(frame(CONTINUATION, 0, 1, part));
    }
    giant.extend(frame(CONTINUATION, END_HEADERS, 1, &[]));
    check("a head over the limit", giant, Vec::new()).await;
    let endless = frame(CONTINUATION, 0, 1, &long_header(8_000));
    check("a head without end", frame(HEADERS, 0, 1, &[0x88]), endless).await;
    let small = frame(CONTINUATION, 0, 1, &[]);
    check("empty continuations", frame(HEADERS, 0, 1, &[0x88]), small).await;
    let reset = frame(3, 0, 1, &[0, 0, 0, 7]);
    check("refused streams", reset.clone(), reset).await;
    check("a stream nobody opened", frame(3, 0, 9, &[0, 0, 0, 8]), Vec::new()).await;
    check("a goodbye", frame(7, 0, 0, &[0; 8]), Vec::new()).await;
    check("a push", frame(5, 4, 1, &[0, 0, 0, 2, 0x82]), Vec::new()).await;
    check("a frame too long", frame(0, 0, 1, &[0; 17_000]), Vec::new()).await;
    check("no HTTP/2 at all", b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), Vec::new()).await;
}

#[tokio::test]
async fn noise_without_an_answer_ends_with_the_time() {
    for noise in [frame(6, 0, 0, &[0; 8]), frame(SETTINGS, 0, 0, &[])] {
        let http = rude(Vec::new(), noise).await;
        let limits = Limits { timeout: Duration::from_millis(300), ..GENEROUS };
        match ask(&http, &url("https://a.test/"), limits).await {
            Outcome::Failed(failed) => {
                assert!(matches!(failed.reason, Reason::Timeout | Reason::Protocol), "{failed:?}");
            }
            Outcome::Captured(captured) => panic!("{captured:?}"),
        }
    }
}
