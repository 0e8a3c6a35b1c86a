//! Pages that go through a browser: what that asks for is asked for as any page is, and whatever it does, the crawl goes on.

use crate::render_browser::{MadeBrowser, Manner};
use crate::web::World;
use fyke_crawl::credentials::{HostAccount, Secret};
use fyke_crawl::{RenderOptions, RevisitOptions, WebInAString};
use fyke_derive::derive_pages;
use fyke_store::{Reason, RenderCause, RenderEnd, Row, WarcRecords};
use fyke_web::Url;
use std::sync::Arc;
use std::time::Duration;

const SITE: &str = "
//- http://a.test/robots.txt | Content-Type: text/plain
User-agent: *
Disallow: /secret/
//- http://a.test/ | ETag: \"1\" | X-Robots-Tag: noarchive
<title>Loading</title><div id=app></div><script src=/app.js></script>
//- http://a.test/app.js | Content-Type: text/javascript
first
//- http://a.test/app.js | Content-Type: text/javascript
second
//- http://a.test/made
<title>Plain</title><p>A page that was found by a link which only a script made.
//- http://a.test/more/6
{}
";

/// A world whose pages go through this browser.
fn world(browser: &MadeBrowser, time: Duration) -> World {
    let mut world = World::new(SITE, &["http://a.test/"]);
    let browser = browser.address.to_string();
    world.options.render = Some(RenderOptions { browser, time, ..RenderOptions::default() });
    (world.options.floor, world.options.factor) = (Duration::from_millis(20), 0.0);
    world
}

fn row(world: &World, url: &str) -> Row {
    let found = world.rows().into_iter().find(|row| row.url == url);
    found.unwrap_or_else(|| panic!("no {url} in {:?}", world.ledger()))
}

/// The page is to be asked for again by the next crawl.
fn make_due(world: &World, url: &str) {
    let collection = world.collection();
    let id = Url::parse(url).expect("a URL").id();
    collection.ledger.update(id, |row| (row.due = Some(0), true).1).expect("it works");
    collection.sync().expect("it works");
}

fn text(world: &World, url: &str) -> String {
    let collection = world.collection();
    derive_pages(&collection, |_| ()).expect("documents");
    let document =
        collection.documents.get(Url::parse(url).expect("a URL").id()).expect("it reads");
    document.map(|document| document.text).unwrap_or_default()
}

const MINUTE: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(400);

#[tokio::test]
async fn a_rendered_page_gives_its_links_and_text_and_its_parts_are_asked_for_politely() {
    let browser = MadeBrowser::start(Manner::Good).await;
    let world = world(&browser, MINUTE);
    world.crawl().await;
    let asked = world.requested();
    assert_eq!(
        asked,
        ["robots.txt", "", "app.js", "made"].map(|path| format!("http://a.test/{path}")),
        "no post, no picture, no other host, nothing that robots.txt keeps back"
    );
    world.check_polite(Duration::from_millis(20));
    let home = row(&world, "http://a.test/");
    let rendering = home.rendering.expect("it was rendered");
    assert_eq!((rendering.end, rendering.cause), (RenderEnd::Settled, RenderCause::Scripted));
    assert_eq!((rendering.asked, rendering.refused), (2, 4));
    assert_eq!((home.reason, home.etag), (Reason::Kept, None), "it will be asked for whole");
    assert_eq!(row(&world, "http://a.test/made").rendering, None, "it needs none");
    let text = text(&world, "http://a.test/");
    assert!(text.contains("that the script first wrote about nets"), "{text}");
    let context = &browser.words("Target.createBrowserContext")[0];
    assert_eq!(context["proxyServer"], "http://127.0.0.1:9", "nothing goes past the crawl");
    assert_eq!(browser.words("Target.disposeBrowserContext").len(), 1);
}

#[tokio::test]
async fn both_copies_are_kept_and_the_rendered_one_refers_to_the_source() {
    let browser = MadeBrowser::start(Manner::Good).await;
    let world = world(&browser, MINUTE);
    world.crawl().await;
    let place = row(&world, "http://a.test/").capture.expect("a capture");
    let collection = world.collection();
    let source = collection.captures.source(place).expect("the source");
    let copy = collection.captures.read(place).expect("the copy");
    assert!(source.payload.starts_with(b"<title>Loading"), "{source:?}");
    assert!(copy.payload.starts_with(b"<!doctype html>"), "{copy:?}");
    assert_eq!((copy.time, copy.header("x-robots-tag")), (source.time, Some("noarchive")));
    let path = world.dir.path().join("captures/00000.warc.gz");
    let records = WarcRecords::open(&path, 0, u64::MAX).expect("a file");
    let records: Vec<_> = records.map(|part| part.record.expect("a record")).collect();
    let at =
        records.iter().position(|r| r.header("WARC-Type") == Some("conversion")).expect("it works");
    assert!(records[at].is_rendering_of(&records[at - 1]), "{:?}", records[at].headers);
    // Whoever reads from the start reads one capture of the page, and the next one after it.
    let all: Vec<_> =
        collection.captures.from(place.start()).map(|found| found.expect("it works")).collect();
    assert_eq!(all[0], (place, copy));
    assert_eq!(
        all.iter().filter(|(_, capture)| capture.url.as_str() == "http://a.test/").count(),
        1
    );
}

/// Crawls with a browser of a manner, which has so long for a page, and holds the crawl to what has to come of it.
async fn check(manner: Manner, time: Duration, expected: RenderEnd) {
    let browser = MadeBrowser::start(manner).await;
    let world = world(&browser, time);
    world.crawl().await;
    let home = row(&world, "http://a.test/");
    let end = home.rendering.map(|rendering| rendering.end);
    assert_eq!((end, home.reason), (Some(expected), Reason::Kept), "{manner:?}");
    assert!(home.capture.is_some(), "{manner:?}: the source is kept");
    if !expected.has_copy() {
        assert_eq!(home.digest, None, "{manner:?}: it is tried anew");
    }
    world.check_polite(Duration::from_millis(20));
}

#[tokio::test]
async fn a_browser_that_gives_no_answer_costs_its_time_and_no_more() {
    check(Manner::Silent, SHORT, RenderEnd::Silent).await;
    check(Manner::Deaf, SHORT, RenderEnd::Silent).await;
    check(Manner::Stuck, SHORT, RenderEnd::Stuck).await;
}

#[tokio::test]
async fn a_browser_that_goes_away_or_talks_nonsense_is_left() {
    check(Manner::Dying, MINUTE, RenderEnd::Gone).await;
    check(Manner::Mumbling, MINUTE, RenderEnd::Nonsense).await;
    check(Manner::Bytes, MINUTE, RenderEnd::Nonsense).await;
    check(Manner::Babbling, MINUTE, RenderEnd::Nonsense).await;
    check(Manner::Broken, MINUTE, RenderEnd::Nonsense).await;
    check(Manner::Refusing, MINUTE, RenderEnd::Refused).await;
}

#[tokio::test]
async fn a_browser_that_floods_is_left() {
    check(Manner::Flooding, MINUTE, RenderEnd::Flood).await;
    check(Manner::Huge, MINUTE, RenderEnd::Flood).await;
}

#[tokio::test]
async fn a_page_that_asks_for_ever_is_asked_for_so_much_and_kept_as_it_stands() {
    let browser = MadeBrowser::start(Manner::Asking).await;
    let mut world = world(&browser, Duration::from_secs(1));
    world.options.render.as_mut().expect("it works").requests = 5;
    world.crawl().await;
    let rendering = row(&world, "http://a.test/").rendering.expect("a rendering");
    assert!(matches!(rendering.end, RenderEnd::TimeUp | RenderEnd::Flood), "{rendering:?}");
    assert_eq!(rendering.asked, 5);
    let more = world.requested().iter().filter(|url| url.contains("/more/")).count();
    assert!(more <= 5, "{more}");
}

#[tokio::test]
async fn without_a_browser_the_source_is_kept_and_once_there_is_one_the_page_is_rendered() {
    let browser = MadeBrowser::start(Manner::Good).await;
    let mut world = world(&browser, MINUTE);
    let address = browser.address;
    drop(browser);
    tokio::task::yield_now().await;
    world.crawl().await;
    let home = row(&world, "http://a.test/");
    assert_eq!(home.rendering.map(|it| it.end), Some(RenderEnd::Absent));
    assert_eq!(home.reason, Reason::Kept);
    world.options.revisit = RevisitOptions::by_age();
    make_due(&world, "http://a.test/");
    let _browser = MadeBrowser::start_at(address, Manner::Good).await;
    world.crawl().await;
    let home = row(&world, "http://a.test/");
    assert_eq!(home.rendering.map(|it| it.end), Some(RenderEnd::Settled), "{home:?}");
    assert!(text(&world, "http://a.test/").contains("about nets and tides"));
}

#[tokio::test]
async fn a_rendered_copy_stands_until_there_is_another() {
    let browser = MadeBrowser::start(Manner::Good).await;
    let mut world = world(&browser, MINUTE);
    world.crawl().await;
    world.options.revisit = RevisitOptions::by_age();
    let first = row(&world, "http://a.test/");
    make_due(&world, "http://a.test/");
    let address = browser.address;
    drop(browser);
    tokio::time::sleep(Duration::from_millis(50)).await;
    world.crawl().await;
    let second = row(&world, "http://a.test/");
    assert_eq!(second.capture, first.capture, "what was there before stands");
    assert!(second.failed > 0 && second.rendering == first.rendering, "{second:?}");
    assert!(text(&world, "http://a.test/").contains("script first wrote"));
    // What its scripts show now is another text, though the source is the same.
    let _browser = MadeBrowser::start_at(address, Manner::Good).await;
    make_due(&world, "http://a.test/");
    world.crawl().await;
    assert!(text(&world, "http://a.test/").contains("script second wrote"));
    let third = row(&world, "http://a.test/");
    assert_eq!((third.visited, third.changed), (2, 2), "{third:?}");
}

#[tokio::test]
async fn pages_of_named_hosts_are_rendered_and_of_others_only_what_needs_it() {
    let browser = MadeBrowser::start(Manner::Good).await;
    let mut world = world(&browser, MINUTE);
    world.web.0 = Arc::new(WebInAString::new(
        "//- http://a.test/\n<p>A page with a text of its own and no script.\n\
         //- http://a.test/app.js\nscript\n",
    ));
    world.crawl().await;
    assert_eq!(row(&world, "http://a.test/").rendering, None);
    world.dir = tempfile::tempdir().expect("it works");
    std::fs::write(world.dir.path().join("fyke.toml"), "").expect("it works");
    world.options.render.as_mut().expect("it works").hosts.push("a.test".to_owned());
    world.crawl().await;
    let rendering = row(&world, "http://a.test/").rendering.expect("a rendering");
    assert_eq!((rendering.cause, rendering.end), (RenderCause::Named, RenderEnd::Settled));
}

/// A page whose scripts ask another host of its domain.
const APP: &str = "
//- http://app.a.test/ slow=300
<title>Loading the app</title><div id=app></div><script src=http://a.test/app.js></script>
";

#[tokio::test]
async fn what_a_host_gives_to_an_account_is_shown_on_no_page_of_another_host() {
    let browser = MadeBrowser::start(Manner::Good).await;
    let mut world = world(&browser, MINUTE);
    world.web.0 = Arc::new(WebInAString::new(&format!("{SITE}{APP}")));
    let account = HostAccount::Header(Secret::new("Bearer hush").expect("a secret"));
    world.options.credentials.add("a.test", account);
    // The page with the account comes first, and with it the script.
    world.options.seeds.push(Url::parse("http://app.a.test/").expect("a URL"));
    world.crawl().await;
    let home = row(&world, "http://a.test/");
    assert!(home.private, "{home:?}");
    let own = home.rendering.expect("it was rendered");
    assert_eq!((own.asked, own.refused), (2, 4), "its own script is asked for");
    let app = row(&world, "http://app.a.test/");
    assert!(!app.private, "{app:?}");
    let other = app.rendering.expect("it was rendered");
    assert_eq!((other.end, other.asked, other.refused), (RenderEnd::Settled, 0, 5));
    let text = text(&world, "http://app.a.test/");
    assert!(text.contains("wrote about nets") && !text.contains("script first"), "{text}");
    let scripts = world.requested().iter().filter(|url| url.ends_with("/app.js")).count();
    assert_eq!(scripts, 1);
}

#[tokio::test]
async fn parts_wait_while_the_rules_of_their_host_are_looked_for_elsewhere() {
    let browser = MadeBrowser::start(Manner::Good).await;
    let mut world = world(&browser, MINUTE);
    let site = "
//- http://a.test/robots.txt status=301 | Location: http://rules.test/robots.txt
//- http://rules.test/robots.txt slow=300 | Content-Type: text/plain
User-agent: *
Disallow: /secret/
//- http://a.test/app.js | Content-Type: text/javascript
first
//- http://a.test/secret/data.json
{}
";
    world.web.0 = Arc::new(WebInAString::new(&format!("{site}{APP}")));
    world.options.seeds = vec![Url::parse("http://app.a.test/").expect("a URL")];
    world.crawl().await;
    let asked = world.requested();
    let places = |url: &str| -> Vec<usize> {
        asked.iter().enumerate().filter(|(_, one)| *one == url).map(|(place, _)| place).collect()
    };
    for url in ["http://a.test/robots.txt", "http://rules.test/robots.txt"] {
        assert_eq!(places(url).len(), 1, "once for all parts: {asked:?}");
    }
    let script = places("http://a.test/app.js");
    assert_eq!(script.len(), 1, "{asked:?}");
    assert!(script > places("http://rules.test/robots.txt"), "{asked:?}");
    assert!(places("http://a.test/secret/data.json").is_empty(), "{asked:?}");
    let rendering = row(&world, "http://app.a.test/").rendering.expect("it was rendered");
    assert_eq!((rendering.end, rendering.asked, rendering.refused), (RenderEnd::Settled, 2, 4));
    world.check_polite(Duration::from_millis(20));
}
