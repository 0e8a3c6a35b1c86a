//! Sitemaps that are large, or many, or not where they are looked for; lists of pages that are seeds.

use crate::web::{Shared, World};
use expect_test::expect;
use fyke_crawl::fetch::{Address, Failed, Outcome, Request};
use fyke_crawl::{Control, Fetch, SitemapChoice, Stopped, crawl};
use fyke_store::{Reason, RowKind};
use fyke_web::Url;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// A web that counts the bytes which the sitemaps under way may bring.
struct Counting {
    web: Shared,
    now: AtomicUsize,
    most: Arc<AtomicUsize>,
}

impl Fetch for Counting {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.web.resolve(url).await
    }
    async fn fetch(&self, request: Request) -> Outcome {
        let bytes = match request.url.path() {
            "/map.txt" => request.limits.max_bytes,
            _ => 0,
        };
        self.most.fetch_max(self.now.fetch_add(bytes, SeqCst) + bytes, SeqCst);
        let outcome = self.web.fetch(request).await;
        self.now.fetch_sub(bytes, SeqCst);
        outcome
    }
}

#[tokio::test(start_paused = true)]
async fn large_sitemaps_take_turns_and_are_read_to_the_end() {
    let filler = "x".repeat(2_200_000);
    let mut web = String::new();
    let hosts: Vec<String> = (0..5).map(|n| format!("http://h{n}.test/")).collect();
    for host in &hosts {
        web += &format!(
            "//- {host}robots.txt | Content-Type: text/plain\nSitemap: {host}map.txt\n\
             //- {host}map.txt slow=9000 | Content-Type: text/plain\n{filler}\n{host}last\n\
             //- {host}\n<p>Home.\n//- {host}last\n<p>The last of the sitemap.\n"
        );
    }
    let world = World::new(&web, &hosts.iter().map(String::as_str).collect::<Vec<_>>());
    let most = Arc::new(AtomicUsize::new(0));
    let web = Counting { web: world.web.clone(), now: AtomicUsize::new(0), most: most.clone() };
    let collection = world.collection();
    let observe = &mut |_: &fyke_crawl::CrawlProgress| ();
    let summary = crawl(&collection, web, &world.options, observe, Control::new()).await;
    drop(collection);
    assert_eq!(summary.expect("the store works").stopped, Stopped::Finished);
    assert_eq!(world.count(Reason::Kept), 10, "{}", world.ledger());
    let most = most.load(SeqCst);
    assert!((50 << 20..=150 << 20).contains(&most), "{most}");
}

#[tokio::test(start_paused = true)]
async fn sitemaps_that_are_too_many_for_one_run_say_so_and_are_read_by_the_next() {
    let lines: String = (0..80).map(|n| format!("Sitemap: http://a.test/{n}.txt\n")).collect();
    let mut web = format!(
        "//- http://a.test/robots.txt | Content-Type: text/plain\n{lines}\
         //- http://a.test/\n<p>Home.\n"
    );
    for n in 0..80 {
        web += &format!(
            "//- http://a.test/{n}.txt | Content-Type: text/plain\nhttp://a.test/page{n}\n\
             //- http://a.test/page{n}\n<p>Page {n}.\n"
        );
    }
    let world = World::new(&web, &["http://a.test/"]);
    world.crawl().await;
    assert_eq!((world.count(Reason::Kept), world.count(Reason::BudgetHost)), (1 + 50, 30));
    let rows = world.rows();
    let row = rows.iter().find(|row| row.reason == Reason::BudgetHost).expect("a row");
    assert!(row.detail.contains("more than are read"), "{}", row.detail);
    world.crawl().await;
    assert_eq!((world.count(Reason::Kept), world.count(Reason::BudgetHost)), (1 + 80, 0));
}

/// Pages that nothing but a list names.
fn listed(names: &[&str]) -> String {
    names.iter().map(|url| format!("//- {url}\n<p>The page {url} is listed.\n")).collect()
}

async fn check_seed(seed: &str, kind: &str, list: &str, expected: usize) {
    let is_feed = list.contains("<item>") || list.contains("<entry>");
    let list_kind = if is_feed { RowKind::Feed } else { RowKind::Sitemap };
    let pages = ["http://a.test/one", "http://a.test/two", "http://out.test/three"];
    let web = format!("//- {seed} | Content-Type: {kind}\n{list}\n{}", listed(&pages));
    let world = World::new(&web, &[seed]);
    let summary = world.crawl().await;
    assert_eq!(world.count(Reason::Kept), expected, "{}", world.ledger());
    let rows = world.rows();
    let row = rows.iter().find(|row| row.url == seed).expect("a row");
    assert_eq!((row.kind, row.reason), (list_kind, Reason::Type), "{}", row.detail);
    assert_eq!(summary.budget_pages_used, expected as u64, "a list is no page");
}

#[tokio::test(start_paused = true)]
async fn a_sitemap_or_a_feed_that_is_a_seed_is_read() {
    let map = "<urlset><url><loc>http://a.test/one</loc></url><url><loc>/two</loc></url>\
               <url><loc>http://out.test/three</loc></url></urlset>";
    check_seed("http://a.test/map.xml", "text/xml", map, 2).await;
    let rss = "<?xml version='1.0'?><rss><channel><link>http://a.test/</link>\
               <item><link>http://a.test/one</link></item></channel></rss>";
    check_seed("http://a.test/news", "application/rss+xml", rss, 1).await;
    let atom =
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/two'/></entry></feed>";
    check_seed("http://a.test/feed", "application/atom+xml", atom, 1).await;
    let lines = "http://a.test/one\nhttp://a.test/two";
    check_seed("http://a.test/urls.txt", "text/plain", lines, 2).await;
}

#[tokio::test(start_paused = true)]
async fn a_seed_that_redirects_to_a_long_sitemap_is_read_to_its_end() {
    let filler = "x".repeat(300_000);
    let web = format!(
        "//- http://a.test/go status=302 | Location: /map.xml\n\
         //- http://a.test/map.xml | Content-Type: text/xml\n\
         <urlset><url><loc>/one</loc><x>{filler}</x></url><url><loc>/two</loc></url></urlset>\n{}",
        listed(&["http://a.test/one", "http://a.test/two"])
    );
    let mut world = World::new(&web, &["http://a.test/go"]);
    world.options.max_bytes = 100_000;
    world.crawl().await;
    assert_eq!(world.count(Reason::Kept), 2, "{}", world.ledger());
}

#[tokio::test(start_paused = true)]
async fn a_sitemap_that_is_only_linked_to_is_a_page_like_any_other() {
    let web = "//- http://a.test/\n<p>Home. <a href=/map>map</a>\n\
               //- http://a.test/map | Content-Type: application/xml\n\
               <urlset><url><loc>http://a.test/one</loc></url></urlset>\n\
               //- http://a.test/one\n<p>One.\n";
    let world = World::new(web, &["http://a.test/"]);
    world.crawl().await;
    assert_eq!((world.count(Reason::Kept), world.count(Reason::Type)), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn the_usual_place_of_a_sitemap_is_tried_where_robots_txt_names_none() {
    let map = |host: &str| {
        format!(
            "//- http://{host}.test/sitemap.xml | Content-Type: text/xml\n\
             <urlset><url><loc>/hidden</loc></url></urlset>\n\
             //- http://{host}.test/\n<p>Home of {host}. <a href=http://c.test/>c</a>\n\
             //- http://{host}.test/hidden\n<p>A page of {host} that no page links to.\n"
        )
    };
    let robots = "//- http://b.test/robots.txt | Content-Type: text/plain\nUser-agent: *\nAllow: /\n\
                  //- http://d.test/robots.txt | Content-Type: text/plain\nSitemap: /other.txt\n";
    let web = ["a", "b", "c", "d"].map(map).concat() + robots;
    let mut world = World::new(&web, &["http://a.test/", "http://b.test/", "http://d.test/"]);
    world.options.scope.allow = vec!["c.test/**".to_owned()];
    world.options.sitemaps = SitemapChoice::Auto;
    world.crawl().await;
    world.crawl().await;
    let tried = |host: &str| {
        let url = format!("http://{host}.test/sitemap.xml");
        world.web.0.requests().iter().filter(|seen| seen.url == url).count()
    };
    // c is no seed, and d names another.
    assert_eq!(["a", "b", "c", "d"].map(tried), [1, 1, 0, 0]);
    let kept: Vec<_> = world
        .rows()
        .into_iter()
        .filter(|row| row.url.ends_with("/hidden"))
        .map(|row| row.url)
        .collect();
    assert_eq!(kept, ["http://a.test/hidden", "http://b.test/hidden"]);
}

#[tokio::test(start_paused = true)]
async fn a_sitemap_that_is_not_at_its_usual_place_is_asked_for_once() {
    let web = "//- http://a.test/\n<p>Home.\n//- http://a.test/sitemap.xml status=404\n";
    let mut world = World::new(web, &["http://a.test/"]);
    world.options.sitemaps = SitemapChoice::Auto;
    for _ in 0..3 {
        world.crawl().await;
    }
    let asked = |world: &World| {
        world.web.0.requests().iter().filter(|seen| seen.url.ends_with("sitemap.xml")).count()
    };
    assert_eq!(asked(&world), 1);
    world = World::new(web, &["http://a.test/"]);
    world.options.sitemaps = SitemapChoice::Off;
    world.crawl().await;
    assert_eq!(asked(&world), 0);
}

#[tokio::test(start_paused = true)]
async fn a_robots_txt_vouches_for_a_sitemap_on_another_host_and_names_it_by_its_path() {
    let web = format!(
        "//- http://a.test/robots.txt | Content-Type: text/plain\n\
         Sitemap: http://maps.test/a.xml\nSitemap: maps/more.txt\n\
         //- http://maps.test/a.xml | Content-Type: text/xml\n\
         <sitemapindex><sitemap><loc>/a-1.xml</loc></sitemap>\
         <sitemap><loc>http://stranger.test/a-2.xml</loc></sitemap></sitemapindex>\n\
         //- http://maps.test/a-1.xml | Content-Type: text/xml\n\
         <urlset><url><loc>http://a.test/one</loc></url><url><loc>http://maps.test/x</loc></url></urlset>\n\
         //- http://a.test/maps/more.txt | Content-Type: text/plain\nhttp://a.test/two\n\
         //- http://a.test/\n<p>Home.\n{}",
        listed(&["http://a.test/one", "http://a.test/two", "http://maps.test/x"])
    );
    let world = World::new(&web, &["http://a.test/"]);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/maps/more.txt type sitemap: 1 URLs, 0 sitemaps
        http://a.test/one kept
        http://a.test/two kept
        http://maps.test/a-1.xml type sitemap: 2 URLs, 0 sitemaps
        http://maps.test/a.xml type sitemap: 0 URLs, 2 sitemaps
        http://maps.test/x scope.host maps.test
        http://stranger.test/a-2.xml scope.host stranger.test
    "#]]);
}

#[tokio::test(start_paused = true)]
async fn a_sitemap_that_redirects_is_fetched_once() {
    let web = "//- http://a.test/robots.txt | Content-Type: text/plain\nSitemap: http://a.test/map.xml\n\
         //- https://a.test/robots.txt | Content-Type: text/plain\nSitemap: http://a.test/map.xml\n\
         //- http://a.test/map.xml status=301 | Location: https://a.test/map.xml\n\
         //- https://a.test/map.xml | Content-Type: text/xml\n\
         <urlset><url><loc>/one</loc></url></urlset>\n\
         //- http://a.test/\n<p>Home. <a href=https://a.test/one>one</a>\n\
         //- https://a.test/one\n<p>One. <a href=/two>two</a>\n//- https://a.test/two\n<p>Two.\n";
    let world = World::new(web, &["http://a.test/"]);
    world.crawl().await;
    world.crawl().await;
    let asked = |url: &str| world.requested().iter().filter(|seen| *seen == url).count();
    assert_eq!(["http://a.test/map.xml", "https://a.test/map.xml"].map(asked), [1, 1]);
    assert_eq!(world.count(Reason::Kept), 3, "{}", world.ledger());
}

#[tokio::test(start_paused = true)]
async fn a_host_that_redirects_every_odd_path_to_its_home_page_keeps_it() {
    let web = "//- http://a.test/start\n<p>The start. <a href=/home>home</a>\n\
               //- http://a.test/sitemap.xml status=302 | Location: /home\n\
               //- http://a.test/home\n<p>Home, where every odd path leads.\n\
               //- http://b.test/\n<p>Another home.\n\
               //- http://b.test/sitemap.xml status=301 | Location: /sitemap_index.xml\n\
               //- http://b.test/sitemap_index.xml | Content-Type: text/xml\n\
               <urlset><url><loc>/listed</loc></url></urlset>\n\
               //- http://b.test/listed\n<p>Listed.\n";
    let mut world = World::new(web, &["http://a.test/start", "http://b.test/"]);
    world.options.sitemaps = SitemapChoice::Auto;
    world.crawl().await;
    assert_eq!(world.count(Reason::Kept), 4, "{}", world.ledger());
}
