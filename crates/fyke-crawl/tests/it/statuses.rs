//! Statuses and bodies that are out of the ordinary, and good all the same.

use crate::servers::{captured, listen, options, read_head};
use crate::web::World;
use expect_test::expect;
use flate2::Compression;
use flate2::write::GzEncoder;
use fyke_crawl::fetch::{Address, Captured, Failed, Outcome, Request};
use fyke_crawl::{Control, Fetch, Http, WebInAString, crawl};
use fyke_web::Url;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;

#[tokio::test(start_paused = true)]
async fn pages_come_with_other_statuses_too() {
    let web = r#"
//- http://a.test/ status=203
<p>From a cache. <a href=/made>made</a> <a href=/part>part</a> <a href=/later>later</a>
//- http://a.test/made status=201
<p>This page was made when it was asked for. <a href=/nothing>nothing</a>
//- http://a.test/part status=206 | Content-Range: bytes 0-50/51
<p>All of a page, sent as if it were a part.
//- http://a.test/later status=202
<p>Come back later.
//- http://a.test/nothing status=204
"#;
    let world = World::new(web, &["http://a.test/"]);
    let summary = world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/later http.other status 202
        http://a.test/made kept
        http://a.test/nothing http.other status 204
        http://a.test/part kept
    "#]]);
    assert_eq!(summary.pages_fetched, 5);
    let collection = world.collection();
    fyke_derive::derive_pages(&collection, |_| ()).expect("made");
    assert_eq!(collection.documents.all().count(), 3);
}

/// A web whose pages come in gzip; those under `/short` lack their end, those under `/damaged` are damaged.
struct Packed(Arc<WebInAString>);

impl Fetch for Packed {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.0.resolve(url).await
    }
    async fn fetch(&self, request: Request) -> Outcome {
        let path = request.url.path().to_owned();
        let Outcome::Captured(Captured { mut capture, request, elapsed }) =
            self.0.fetch(request).await
        else {
            panic!("every page answers");
        };
        if path.starts_with("/robots") {
            return Outcome::Captured(Captured { capture, request, elapsed });
        }
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&capture.payload).expect("memory");
        capture.payload = packer.finish().expect("memory");
        capture.headers.push(("Content-Encoding".to_owned(), "gzip".to_owned()));
        if path.starts_with("/short") {
            capture.payload.truncate(capture.payload.len() - 6);
        }
        if path.starts_with("/damaged") {
            let middle = capture.payload.len() / 3;
            capture.payload[middle..middle + 20].fill(0xFF);
        }
        Outcome::Captured(Captured { capture, request, elapsed })
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_in_gzip_without_its_end_is_kept_and_a_damaged_one_is_not() {
    let words: String = (0..300).map(|n| format!("word{n} ")).collect();
    let web = format!(
        "//- http://a.test/\n<p>Home. <a href=/short>short</a> <a href=/damaged>d</a>\n\
         //- http://a.test/short\n<p>{words}\n//- http://a.test/damaged\n<p>{words}\n"
    );
    let world = World::new(&web, &["http://a.test/"]);
    let collection = world.collection();
    let web = Packed(Arc::clone(&world.web.0));
    let observe = &mut |_: &fyke_crawl::CrawlProgress| ();
    crawl(&collection, web, &world.options, observe, Control::new()).await.expect("it works");
    fyke_derive::derive_pages(&collection, |_| ()).expect("made");
    let short = Url::parse("http://a.test/short").expect("a URL").id();
    let document = collection.documents.get(short).expect("read").expect("a document");
    assert!(document.text.contains("word250"), "{}", document.text);
    drop(collection);
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/damaged type text/html: the compressed file is damaged
        http://a.test/short kept cut short: its content encoding has no end
    "#]]);
}

#[tokio::test]
async fn a_redirect_in_raw_latin_1_leads_to_the_bytes_it_names() {
    let socket = listen(|mut stream| async move {
        while read_head(&mut stream).await.is_some() {
            let head =
                b"HTTP/1.1 302 Found\r\nLocation: /caf\xE9?q=\xFCber\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(head).await.ok();
        }
    })
    .await;
    let http = Http::new(options(socket));
    let answer = captured(&http, "http://a.test/").await.capture;
    let target = answer.redirect().expect("a redirect").expect("a URL");
    assert_eq!(target.as_str(), "http://a.test/caf%E9?q=%FCber");
}

#[tokio::test(start_paused = true)]
async fn a_robots_txt_that_has_not_changed_binds_as_it_was_and_one_never_seen_does_not() {
    let web = r#"
//- http://a.test/robots.txt | Content-Type: text/plain
User-agent: *
Disallow: /no
//- http://a.test/robots.txt status=304
//- http://a.test/
<p>Home. <a href=/no>no</a> <a href=/one>one</a>
//- http://a.test/one
<p>One. <a href=/two>two</a>
//- http://a.test/two
<p>Two.
//- http://b.test/robots.txt status=304
//- http://b.test/
<p>The home page of a host whose robots.txt never came.
"#;
    let mut world = World::new(web, &["http://a.test/", "http://b.test/"]);
    world.options.budget.pages = Some(2);
    world.crawl().await;
    // The robots.txt is old when the next page's turn comes.
    tokio::time::advance(Duration::from_secs(25 * 3600)).await;
    world.options.budget.pages = None;
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/no robots Disallow: /no (line 2)
        http://a.test/one kept
        http://a.test/two kept
        http://b.test/ kept
    "#]]);
    let asked = world.requested().iter().filter(|url| url.ends_with("a.test/robots.txt")).count();
    assert!(asked > 1, "{asked}");
}
