//! Answers that are no pages by what their heads say: nothing more of them is read, kept or counted.

use crate::servers::{Issuer, ask, listen, listen_tls, options, read_head, url};
use crate::web::World;
use bytes::Bytes;
use fyke_crawl::fetch::{BodyWanted, Limits, Outcome};
use fyke_crawl::{BudgetOptions, Http, HttpOptions, Stopped};
use fyke_store::{Reason, Row};
use fyke_web::Capture;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper::{Response, server};
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;
use tokio::io::AsyncWriteExt;

/// A gallery of pictures, which link to each other in no way, with three pages.
fn gallery(pictures: usize) -> String {
    let links: String = (0..pictures).map(|n| format!("<a href=/p{n}.png>{n}</a> ")).collect();
    let mut web = format!("//- http://a.test/\n<p>A gallery. {links}<a href=/one>one</a>\n");
    for n in 0..pictures {
        let body = "picture ".repeat(200);
        web += &format!("//- http://a.test/p{n}.png | Content-Type: image/png\n{body}\n");
    }
    web + "//- http://a.test/one\n<p>The first text. <a href=/two>two</a>\n\
           //- http://a.test/two\n<p>The second text.\n"
}

fn row(world: &World, path: &str) -> Row {
    let url = format!("http://a.test{path}");
    world.rows().into_iter().find(|row| row.url == url).expect("a row")
}

fn capture(world: &World, path: &str) -> Capture {
    let place = row(world, path).capture.expect("a capture");
    world.collection().captures.read(place).expect("a record")
}

#[tokio::test(start_paused = true)]
async fn pictures_take_no_pages_of_the_budget_and_nothing_of_the_archive() {
    let mut world = World::new(&gallery(40), &["http://a.test/"]);
    world.options.budget = BudgetOptions { pages: Some(4), ..Default::default() };
    let summary = world.crawl().await;
    assert_eq!(summary.stopped, Stopped::Finished);
    assert_eq!((world.count(Reason::Kept), world.count(Reason::Type)), (3, 40));
    assert_eq!((summary.pages_fetched, summary.budget_pages_used), (3, 3));
    assert!(summary.bytes < 5000, "{}", summary.bytes);
    assert_eq!(row(&world, "/p7.png").detail, "image/png");
    let picture = capture(&world, "/p7.png");
    assert_eq!((picture.payload.len(), picture.truncated.as_deref()), (0, Some("unspecified")));
    world.check_polite(Duration::from_secs(1));
    // Made again from the captures, everything is as it was.
    let collection = world.collection();
    fyke_derive::derive_pages(&collection, |_| ()).expect("made");
    assert_eq!(collection.documents.all().count(), 3);
}

#[tokio::test(start_paused = true)]
async fn what_gives_nothing_but_media_does_not_go_on_for_ever() {
    let mut world = World::new(&gallery(2500), &["http://a.test/"]);
    world.options.budget = BudgetOptions { pages: Some(4), ..Default::default() };
    world.crawl().await;
    let media = world.count(Reason::Type);
    assert!((1600..=1700).contains(&media), "{media}");
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_too_long_by_its_head_is_not_read_and_a_good_one_is() {
    let web = r#"
//- http://a.test/
<p>Long ones. <a href=/long>long</a> <a href=/video.mp4>v</a> <a href=/fits>fits</a> <a href=/lies>lies</a>
//- http://a.test/long | Content-Length: 200000000
<p>The beginning of a very long page.
//- http://a.test/video.mp4 | Content-Type: application/octet-stream | Content-Length: 200000000
film
//- http://a.test/fits | Content-Length: 100
<p>A page that fits.
//- http://a.test/lies | Content-Type: application/octet-stream
<html><p>A page whose server does not know its type.
"#;
    let world = World::new(web, &["http://a.test/"]);
    let summary = world.crawl().await;
    let long = row(&world, "/long");
    assert_eq!((long.reason, &long.detail[..]), (Reason::TooBig, "200000000 bytes, by its head"));
    assert_eq!(row(&world, "/video.mp4").reason, Reason::Type);
    assert_eq!(world.count(Reason::Kept), 3, "{}", world.ledger());
    assert_eq!(summary.budget_pages_used, 3);
}

fn limits() -> Limits {
    let body = BodyWanted::Page(1 << 20);
    Limits { max_bytes: 1 << 20, timeout: Duration::from_secs(20), body }
}

async fn asked(http: &Http, text: &str) -> Capture {
    match ask(http, &url(text), limits()).await {
        Outcome::Captured(captured) => captured.capture,
        Outcome::Failed(failed) => panic!("{text}: {failed:?}"),
    }
}

/// A server of pages and pictures, `/small` and `/large`, that counts connections and the bytes of pictures that it
/// could send.
async fn pictures() -> (Http, Arc<AtomicUsize>, Arc<AtomicUsize>) {
    let (connections, sent) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (met, count) = (Arc::clone(&connections), Arc::clone(&sent));
    let socket = listen(move |mut stream| {
        met.fetch_add(1, SeqCst);
        let count = Arc::clone(&count);
        async move {
            while let Some(head) = read_head(&mut stream).await {
                let (kind, length) = match head.split(' ').nth(1).unwrap_or_default() {
                    "/small" => ("image/png", 4_000),
                    "/large" => ("video/mp4", 200_000_000),
                    _ => ("text/html", 4_000),
                };
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
                );
                stream.write_all(head.as_bytes()).await.ok();
                for _ in 0..length / 4_000 {
                    if stream.write_all(&[b'x'; 4_000]).await.is_err() {
                        return;
                    }
                    count.fetch_add(4_000, SeqCst);
                }
            }
        }
    })
    .await;
    (Http::new(options(socket)), connections, sent)
}

#[tokio::test]
async fn the_connection_of_a_small_picture_is_kept_and_that_of_a_film_closed() {
    let (http, connections, sent) = pictures().await;
    assert_eq!(asked(&http, "http://a.test/page").await.payload.len(), 4_000);
    for _ in 0..3 {
        let small = asked(&http, "http://a.test/small").await;
        assert_eq!((small.payload.len(), small.truncated.as_deref()), (0, Some("unspecified")));
    }
    assert_eq!(asked(&http, "http://a.test/page").await.payload.len(), 4_000);
    assert_eq!(connections.load(SeqCst), 1);
    let large = asked(&http, "http://a.test/large").await;
    assert_eq!((large.payload.len(), large.header("content-length")), (0, Some("200000000")));
    let after = asked(&http, "http://a.test/page").await;
    assert_eq!((after.payload.len(), after.truncated), (4_000, None));
    assert_eq!(connections.load(SeqCst), 2);
    // What the machine has on the way between two sockets, no more.
    assert!(sent.load(SeqCst) < 20_000_000, "{} bytes sent", sent.load(SeqCst));
}

#[tokio::test]
async fn in_http2_a_film_costs_its_stream_and_not_the_connection() {
    let issuer = Issuer::new();
    let count = Arc::new(AtomicUsize::new(0));
    let met = Arc::clone(&count);
    let config = issuer.server("a.test", 2099, &["h2"]);
    let socket = listen_tls(config, move |stream| {
        met.fetch_add(1, SeqCst);
        let answer = service_fn(async |request: hyper::Request<hyper::body::Incoming>| {
            let is_film = request.uri().path() == "/film";
            let (kind, size) = if is_film { ("video/mp4", 8 << 20) } else { ("text/html", 100) };
            let answer = Response::builder().header("content-type", kind);
            let body = Full::new(Bytes::from(vec![b'x'; size]));
            Ok::<_, Infallible>(answer.body(body).expect("an answer"))
        });
        async move {
            let server = server::conn::http2::Builder::new(TokioExecutor::new());
            server.serve_connection(TokioIo::new(stream), answer).await.ok();
        }
    })
    .await;
    let http = Http::new(HttpOptions { roots: issuer.roots(), ..options(socket) });
    for _ in 0..3 {
        assert!(asked(&http, "https://a.test/film").await.payload.is_empty());
        assert_eq!(asked(&http, "https://a.test/page").await.payload.len(), 100);
    }
    assert_eq!(count.load(SeqCst), 1);
}
