//! Feeds: found by pages, read as rows of their own kind, and their items as documents until the pages are fetched.

use crate::web::World;
use expect_test::expect;
use fyke_crawl::FeedChoice;
use fyke_derive::derive_pages;
use fyke_store::{Reason, Row, RowKind};
use fyke_web::{Document, Url};

const BLOG: &str = "//- http://a.test/\n<title>Home</title>\
<link rel=alternate type=application/rss+xml href=/feed.xml>\
<link rel=alternate type=application/atom+xml href=/comments/feed>\
<link rel=alternate hreflang=de href=/de><p>The blog of the tide mill and its eels.\n";

/// An RSS feed of items.
fn rss(url: &str, items: &str) -> String {
    format!(
        "//- {url} | Content-Type: application/rss+xml\n\
         <?xml version='1.0'?><rss><channel><title>T</title><ttl>60</ttl>{items}</channel></rss>\n"
    )
}

fn item(path: &str, text: &str) -> String {
    format!(
        "<item><title>About {path}</title><link>{path}</link><description>{text}</description></item>"
    )
}

fn row(world: &World, url: &str) -> Row {
    world.rows().into_iter().find(|row| row.url == url).unwrap_or_else(|| panic!("no row of {url}"))
}

/// The documents made of everything that is captured; the same when all is made again.
fn documents(world: &World) -> Vec<Document> {
    let all = || {
        let collection = world.collection();
        derive_pages(&collection, |_| ()).expect("documents");
        let found: Result<Vec<Document>, _> = collection.documents.all().collect();
        found.expect("documents")
    };
    let live = all();
    for folder in ["documents", "columns"] {
        std::fs::remove_dir_all(world.dir.path().join(folder)).expect("a folder");
    }
    let mut again = all();
    assert_eq!(again, live, "a rebuild gives the same");
    again.sort_by(|a, b| a.url.cmp(&b.url));
    again
}

fn told(documents: &[Document]) -> Vec<(&str, &str, &str)> {
    let one = documents.iter();
    one.map(|found| (found.url.as_str(), found.format.as_str(), found.text.as_str())).collect()
}

#[tokio::test(start_paused = true)]
async fn a_feed_that_a_page_names_is_read_and_its_items_come_first() {
    let items = item("/one", "The first.") + &item("http://out.test/x", "Elsewhere.");
    let home = BLOG.replace("<p>", "<a href=/far>far</a><p>");
    let web = home
        + &rss("http://a.test/feed.xml", &items)
        + "//- http://a.test/far\n<p>A page that is linked to.\n//- http://a.test/one\n<p>The whole page of the first item.\n";
    let world = World::new(&web, &["http://a.test/"]);
    let summary = world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/de http.4xx status 404
        http://a.test/far kept
        http://a.test/feed.xml type feed (RSS): 2 items
        http://a.test/one kept
        http://out.test/x scope.host out.test
    "#]]);
    let feed = row(&world, "http://a.test/feed.xml");
    assert_eq!((feed.kind, feed.visited, feed.depth), (RowKind::Feed, 1, 1));
    assert_eq!(summary.budget_pages_used, 4, "a feed is no page");
    assert_eq!(row(&world, "http://out.test/x").fed, None, "what is out of scope is not fed");
    let page = row(&world, "http://a.test/one");
    assert_eq!(page.fed.map(|fed| fed.place), feed.capture);
    assert_eq!(page.priority, 1, "news come first");
    let found = documents(&world);
    let texts: Vec<_> = told(&found).into_iter().map(|(url, format, _)| (url, format)).collect();
    assert_eq!(
        texts,
        [("http://a.test/", "html"), ("http://a.test/far", "html"), ("http://a.test/one", "html")]
    );
    world.check_polite(world.options.floor);
}

#[tokio::test(start_paused = true)]
async fn the_text_of_an_item_stands_until_its_page_is_fetched() {
    let items = item("/ok", "Short of ok.")
        + &item("/fails", "Short of fails.")
        + &item("/gone", "Short of gone.")
        + &item("/moved", "Short of moved.")
        + &item("/forbidden", "Short of forbidden.");
    let web = "//- http://a.test/robots.txt | Content-Type: text/plain\nUser-agent: *\nDisallow: /forbidden\n".to_owned()
        + BLOG + &rss("http://a.test/feed.xml", &items)
        + "//- http://a.test/ok\n<p>All of the page that is ok.\n//- http://a.test/fails status=403\nno\n\
           //- http://a.test/moved status=301 | Location: /ok\n";
    let world = World::new(&web, &["http://a.test/"]);
    world.crawl().await;
    assert_eq!(row(&world, "http://a.test/gone").reason, Reason::Http4xx);
    let found = documents(&world);
    assert_eq!(
        told(&found)[1..],
        [
            ("http://a.test/fails", "feed", "Short of fails."),
            ("http://a.test/forbidden", "feed", "Short of forbidden."),
            ("http://a.test/ok", "html", "All of the page that is ok."),
        ]
    );
    assert_eq!(found[1].title, "About /fails");
}

#[tokio::test(start_paused = true)]
async fn podcasts_are_documents_and_their_files_are_not_fetched() {
    let items = "<item><title>Episode 1</title><itunes:summary>On nets.</itunes:summary>\
        <enclosure url='/1.mp3' type='audio/mpeg'/></item>";
    let world =
        World::new(&(BLOG.to_owned() + &rss("http://a.test/feed.xml", items)), &["http://a.test/"]);
    world.crawl().await;
    let file = row(&world, "http://a.test/1.mp3");
    assert_eq!((file.reason, file.tries), (Reason::Type, 0), "{}", file.detail);
    assert!(file.detail.contains("audio/mpeg"), "{}", file.detail);
    let found = documents(&world);
    assert_eq!(told(&found)[1], ("http://a.test/1.mp3", "feed", "On nets."));
    assert_eq!(found[1].title, "Episode 1");
}

#[tokio::test(start_paused = true)]
async fn a_feed_is_known_by_what_it_holds_wherever_it_is_met() {
    let json = "{\"version\": \"https://jsonfeed.org/version/1\", \"items\": [{\"id\": 1, \"url\": \"/one\", \"content_text\": \"One.\"}]}";
    let web = format!("//- http://a.test/news | Content-Type: application/json\n{json}\n");
    let mut world = World::new(&web, &["http://a.test/news"]);
    world.options.feeds = FeedChoice::Met;
    world.crawl().await;
    let feed = row(&world, "http://a.test/news");
    assert_eq!((feed.kind, feed.detail.as_str()), (RowKind::Feed, "feed (JSON Feed): 1 items"));
    assert_eq!(row(&world, "http://a.test/one").status, 404);
    assert!(documents(&world).is_empty(), "the page is gone, and so is its text");
}

#[tokio::test(start_paused = true)]
async fn what_is_no_feed_says_so_and_feeds_can_be_left_out() {
    let web = BLOG.to_owned() + "//- http://a.test/feed.xml\n<html><p>We have moved.\n";
    let mut world = World::new(&web, &["http://a.test/"]);
    world.options.feeds = FeedChoice::Met;
    world.crawl().await;
    assert!(!world.rows().iter().any(|row| row.url.contains("feed")), "not asked for");
    world.options.feeds = FeedChoice::Auto;
    let world = World { dir: tempfile::tempdir().expect("a folder"), ..world };
    std::fs::write(world.dir.path().join("fyke.toml"), "").expect("a file");
    world.crawl().await;
    let feed = row(&world, "http://a.test/feed.xml");
    assert_eq!((feed.kind, feed.reason), (RowKind::Feed, Reason::Type));
    assert_eq!(feed.detail, "a page names it as a feed, and it is none");
    assert_eq!(world.rows().iter().filter(|row| row.kind == RowKind::Feed).count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_feed_that_moved_is_read_where_it_is() {
    let web = BLOG.to_owned()
        + "//- http://a.test/feed.xml status=301 | Location: /atom\n\
        //- http://a.test/atom | Content-Type: application/atom+xml\n\
        <feed><entry><id>1</id><link href='/one'/><content type='html'>&lt;p&gt;One.&lt;/p&gt;</content></entry></feed>\n\
        //- http://a.test/one status=500\nno\n";
    let world = World::new(&web, &["http://a.test/"]);
    world.crawl().await;
    assert_eq!(row(&world, "http://a.test/atom").kind, RowKind::Feed);
    assert_eq!(told(&documents(&world))[1], ("http://a.test/one", "feed", "One."));
}

#[tokio::test(start_paused = true)]
async fn a_page_may_not_name_feeds_without_end() {
    let links: String = (0..7)
        .map(|n| format!("<link rel=alternate type=application/rss+xml href=/f{n}>"))
        .collect();
    let other: String = (7..14)
        .map(|n| format!("<link rel=alternate type=application/rss+xml href=/f{n}>"))
        .collect();
    let web = format!(
        "//- http://a.test/\n{links}<p>Home of many feeds. <a href=/b>b</a>\n//- http://a.test/b\n{other}<p>Another page.\n"
    );
    let world = World::new(&web, &["http://a.test/"]);
    world.crawl().await;
    let feeds = world.rows().into_iter().filter(|row| row.kind == RowKind::Feed);
    assert_eq!(feeds.count(), 8);
    assert!(
        Url::parse("http://a.test/f13")
            .is_ok_and(|url| !world.requested().contains(&url.to_string()))
    );
}

#[tokio::test(start_paused = true)]
async fn feeds_that_lead_to_feeds_end_at_the_limit_of_links() {
    let mut web = "//- http://a.test/\n<p>Home. <a href=/0>more</a>\n".to_owned();
    for n in 0..40 {
        let url = format!("http://a.test/{n}");
        web += &rss(&url, &item(&format!("/{}", n + 1), "More of the same."));
    }
    let mut world = World::new(&web, &["http://a.test/"]);
    world.options.scope.depth = 5;
    world.crawl().await;
    let asked = world.requested();
    assert!(asked.contains(&"http://a.test/3".to_owned()), "{asked:?}");
    assert!(!asked.contains(&"http://a.test/6".to_owned()), "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn the_usual_places_are_asked_for_once_and_only_where_they_are_wanted() {
    let home = "//- http://a.test/\n<title>Home</title><p>A home page that names no feed. <a href=/x>x</a>\n\
                //- http://a.test/x\n<p>Another page that names none.\n";
    let web = home.to_owned() + &rss("http://a.test/rss.xml", &item("/one", "The first."));
    let mut world = World::new(&web, &["http://a.test/"]);
    world.crawl().await;
    assert_eq!(world.count(Reason::Http4xx), 0, "nobody asked for guesses");
    let mut world_of_guesses = World::new(&web, &["http://a.test/"]);
    world_of_guesses.options.feeds = FeedChoice::Guess;
    world_of_guesses.crawl().await;
    world_of_guesses.crawl().await;
    let asked = world_of_guesses.requested();
    for path in ["/feed", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml"] {
        let url = format!("http://a.test{path}");
        assert_eq!(asked.iter().filter(|asked| **asked == url).count(), 1, "{path}");
    }
    assert_eq!(row(&world_of_guesses, "http://a.test/rss.xml").kind, RowKind::Feed);
    assert!(world_of_guesses.rows().iter().any(|row| row.url == "http://a.test/one"));
    world_of_guesses.check_polite(world_of_guesses.options.floor);
    // A home page that names one is believed.
    let web = web
        .replace("<title>", "<link rel=alternate type=application/rss+xml href=/rss.xml><title>");
    world = World::new(&web, &["http://a.test/"]);
    world.options.feeds = FeedChoice::Guess;
    world.crawl().await;
    assert!(world.requested().iter().all(|asked| asked != "http://a.test/feed"));
}
