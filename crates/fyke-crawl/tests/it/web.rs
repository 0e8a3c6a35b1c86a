//! A whole web in a string goes in, the ledger comes out. Time is simulated.

use expect_test::{Expect, expect};
use fyke_crawl::fetch::{Address, Failed, Outcome, Request};
use fyke_crawl::{
    BudgetOptions, Control, CrawlOptions, Fetch, ScopeOptions, SitemapChoice, Stopped, Summary,
    WebInAString, crawl,
};
use fyke_store::{Collection, Reason, Row};
use fyke_web::Url;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// The web, kept by the test while the crawl uses it.
#[derive(Clone)]
pub struct Shared(pub Arc<WebInAString>);

impl Fetch for Shared {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.0.resolve(url).await
    }
    async fn fetch(&self, request: Request) -> Outcome {
        self.0.fetch(request).await
    }
}

/// A collection in a folder of its own, and a web.
pub struct World {
    pub dir: TempDir,
    pub web: Shared,
    pub options: CrawlOptions,
}

impl World {
    pub fn new(web: &str, seeds: &[&str]) -> World {
        // Every commit waits for the disk; in memory there is nothing to wait for.
        let memory = Path::new("/dev/shm");
        let dir = match memory.is_dir() {
            true => tempfile::tempdir_in(memory),
            false => tempfile::tempdir(),
        };
        let dir = dir.expect("a folder");
        std::fs::write(dir.path().join("fyke.toml"), "").expect("a file");
        let seeds = seeds.iter().map(|url| Url::parse(url).expect("a URL")).collect();
        // Nothing but what a test names.
        let sitemaps = SitemapChoice::Named;
        let asks_for_missing = false;
        let options = CrawlOptions { seeds, sitemaps, asks_for_missing, ..CrawlOptions::default() };
        World { dir, web: Shared(Arc::new(WebInAString::new(web))), options }
    }

    pub fn collection(&self) -> Collection {
        Collection::open(self.dir.path()).expect("a collection")
    }

    pub async fn crawl(&self) -> Summary {
        self.crawl_until(Control::new()).await
    }

    pub async fn crawl_until(&self, stop: Control) -> Summary {
        let collection = self.collection();
        crawl(&collection, self.web.clone(), &self.options, &mut |_| (), stop)
            .await
            .expect("the store works")
    }

    pub fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> =
            self.collection().ledger.rows().map(|row| row.expect("a row").1).collect();
        rows.sort_by(|a, b| a.url.cmp(&b.url));
        rows
    }

    pub fn ledger(&self) -> String {
        let line = |row: Row| format!("{} {} {}", row.url, row.reason.name(), row.detail);
        self.rows().into_iter().map(line).map(|l| l.trim_end().to_owned() + "\n").collect()
    }

    pub fn count(&self, reason: Reason) -> usize {
        self.rows().iter().filter(|row| row.reason == reason).count()
    }

    pub fn check(&self, expected: &Expect) {
        expected.assert_eq(&self.ledger());
    }

    pub fn requested(&self) -> Vec<String> {
        self.web.0.requests().into_iter().map(|seen| seen.url).collect()
    }

    /// Holds the crawl to what every server may ask: one request at a time, the gap after each.
    pub fn check_polite(&self, gap: Duration) {
        let mut last = HashMap::new();
        for seen in self.web.0.requests() {
            let host = Url::parse(&seen.url).expect("a URL").authority().to_owned();
            if let Some(end) = last.insert(host, seen.end) {
                assert!(seen.start >= end + gap, "{} came too early", seen.url);
            }
        }
    }
}

const SITE: &str = r#"
//- http://a.test/robots.txt | Content-Type: text/plain
User-agent: *
Disallow: /private/
//- http://a.test/ slow=20
<title>Home</title><p>Welcome to the pages of the tide mill and its friends.
<a href=/one>one</a> <a href=/private/x>x</a> <a href=http://b.test/>b</a> <a href=/gone>gone</a>
<a href=/old>old</a> <a href=/x/x/x>next</a> <a rel=nofollow href=/ad>ad</a> <a href=/pic>p</a>
//- http://a.test/one slow=20
<title>One</title><p>The first page has words about water and wood. <a href=/>home</a>
<a href=/two>two</a>
//- http://a.test/two slow=20
<meta name=robots content=noindex><p>Second page, not for the index. <a href=/three>three</a>
//- http://a.test/three slow=20
<meta name=robots content=nofollow><p>Third page with a link nobody should take. <a href=/four>4</a>
//- http://a.test/old status=301 | Location: /one
//- http://a.test/pic | Content-Type: image/png
PNG
"#;

#[tokio::test(start_paused = true)]
async fn every_url_seen_has_one_row_and_its_reason() {
    let world = World::new(SITE, &["http://a.test/"]);
    let summary = world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/ad nofollow
        http://a.test/four nofollow
        http://a.test/gone http.4xx status 404
        http://a.test/old redirect
        http://a.test/one kept
        http://a.test/pic type image/png
        http://a.test/private/x robots Disallow: /private/ (line 2)
        http://a.test/three kept
        http://a.test/two noindex
        http://a.test/x/x/x trap.path /x 3 times
        http://b.test/ scope.host b.test
    "#]]);
    world.check_polite(Duration::from_secs(1));
    assert_eq!(summary.stopped, Stopped::Finished);
    assert_eq!(summary.pages_fetched, 5);
    assert_eq!(summary.known, world.rows().len() as u64);
    assert_eq!(world.requested()[0], "http://a.test/robots.txt");
    let collection = world.collection();
    fyke_derive::derive_pages(&collection, |_| ()).expect("made");
    assert_eq!(collection.documents.all().count(), 3);
    assert_eq!(collection.documents.mark().expect("a mark"), collection.captures.end());
}

#[tokio::test(start_paused = true)]
async fn a_second_run_asks_for_nothing_again() {
    let world = World::new(SITE, &["http://a.test/"]);
    world.crawl().await;
    let (before, ledger) = (world.requested().len(), world.ledger());
    let summary = world.crawl().await;
    assert_eq!((summary.stopped, summary.pages_fetched), (Stopped::Finished, 0));
    assert_eq!((world.requested().len(), world.ledger()), (before, ledger));
}

#[tokio::test(start_paused = true)]
async fn the_page_budget_is_exact_and_the_rest_stays_queued() {
    let web: String = (0..30)
        .map(|n| format!("//- http://h{n}.test/\n<p>Page {n} of many. {}\n", links(n)))
        .collect();
    let seeds: Vec<String> = (0..30).map(|n| format!("http://h{n}.test/")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    for pages in [1, 7] {
        let mut world = World::new(&web, &seeds);
        world.options.budget = BudgetOptions { pages: Some(pages), ..Default::default() };
        let summary = world.crawl().await;
        let asked = world.requested().iter().filter(|url| !url.ends_with("robots.txt")).count();
        assert_eq!((summary.stopped, summary.pages_fetched), (Stopped::Budget, pages));
        assert_eq!(asked as u64, pages);
        assert_eq!(summary.queued + pages, summary.known);
        // A raised budget goes on where the first one ended, and counts over the collection's life.
        world.options.budget.pages = Some(pages + 5);
        assert_eq!(world.crawl().await.pages_fetched, 5);
    }
}

fn links(n: usize) -> String {
    (0..5).map(|k| format!("<a href=/{n}/{k}>{k}</a> ")).collect()
}

#[tokio::test(start_paused = true)]
async fn a_host_budget_ends_one_host_only() {
    let web = format!(
        "//- http://a.test/\n{0}<a href=http://b.test/>b</a>\n//- http://b.test/\n<p>b</p>\n",
        links(0)
    );
    let mut world = World::new(&web, &["http://a.test/", "http://b.test/"]);
    world.options.budget = BudgetOptions { per_host_pages: Some(2), ..Default::default() };
    let summary = world.crawl().await;
    assert_eq!(summary.stopped, Stopped::Finished);
    assert_eq!(world.count(Reason::BudgetHost), 4);
    assert_eq!(world.count(Reason::Kept), 2);
    world.options.budget.per_host_pages = Some(100);
    world.crawl().await;
    assert_eq!(world.count(Reason::BudgetHost), 0);
}

#[tokio::test(start_paused = true)]
async fn the_time_budget_stops_the_crawl() {
    let mut world = World::new(SITE, &["http://a.test/"]);
    world.options.budget = BudgetOptions { time: Some(2500), ..Default::default() };
    let summary = world.crawl().await;
    assert_eq!(summary.stopped, Stopped::Time);
    assert!(summary.queued > 0);
    world.options.budget.time = None;
    assert_eq!(world.crawl().await.stopped, Stopped::Finished);
    let whole = World::new(SITE, &["http://a.test/"]);
    whole.crawl().await;
    assert_eq!(world.ledger(), whole.ledger());
    world.check_polite(Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn stopping_and_going_on_gives_the_same_ledger() {
    let whole = World::new(SITE, &["http://a.test/"]);
    whole.crawl().await;
    let world = World::new(SITE, &["http://a.test/"]);
    for _ in 0..40 {
        let stop = Control::new();
        let asker = stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(1700)).await;
            asker.stop();
        });
        if world.crawl_until(stop).await.stopped == Stopped::Finished {
            break;
        }
    }
    assert_eq!(world.ledger(), whole.ledger());
    assert_eq!(world.requested().len(), whole.requested().len());
    world.check_polite(Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn depth_is_that_of_the_shortest_way_in_any_order() {
    // The long way round is quick, the short way is slow: /deep is first seen too far out.
    let web = r#"
//- http://a.test/
<a href=http://slow.test/>s</a> <a href=/1>1</a>
//- http://a.test/1
<a href=/2>2</a>
//- http://a.test/2
<a href=/3>3</a>
//- http://a.test/3
<a href=/deep>deep</a>
//- http://slow.test/ slow=20000
<a href=http://a.test/3>3</a>
//- http://a.test/deep
<p>The deep page is here at last.
"#;
    let mut world = World::new(web, &["http://a.test/", "http://slow.test/"]);
    world.options.scope = ScopeOptions { depth: 2, ..ScopeOptions::default() };
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/1 kept
        http://a.test/2 kept
        http://a.test/3 kept
        http://a.test/deep kept
        http://slow.test/ kept
    "#]]);
}

#[tokio::test(start_paused = true)]
async fn a_followed_link_overrules_a_nofollow_one() {
    let web = r#"
//- http://a.test/
<a rel=nofollow href=/x>x</a> <a href=/y>y</a>
//- http://a.test/y
<a href=/x>x</a>
//- http://a.test/x
<p>Found after all, by the second link to it.
"#;
    let world = World::new(web, &["http://a.test/"]);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/x kept
        http://a.test/y kept
    "#]]);
}

/// Three hosts with links in all directions, redirects, nofollow, robots and a depth limit; `times`
/// says how long each page takes.
pub fn tangle(times: impl Fn(usize) -> usize) -> String {
    let mut web = String::from(
        "//- http://h1.test/robots.txt | Content-Type: text/plain\nUser-agent: *\nDisallow: /9\n",
    );
    for n in 0..30 {
        let url = |n: usize| format!("http://h{}.test/{n}", n % 3);
        let (status, head) = match n % 7 {
            3 => (302, format!("| Location: {}", url((n * 5 + 1) % 30))),
            _ => (200, String::new()),
        };
        web += &format!("//- {} status={status} slow={} {head}\n", url(n), times(n));
        let nofollow = if n % 4 == 1 { "rel=nofollow" } else { "" };
        for link in [n + 1, n * 7 + 3, n * 11 + 5] {
            web += &format!("<a {nofollow} href={}>page</a>\n", url(link % 40));
        }
    }
    web
}

#[tokio::test(start_paused = true)]
async fn timing_changes_neither_what_is_fetched_nor_the_reasons() {
    let mut ledgers = Vec::new();
    for variant in [1, 397, 7919] {
        let web = tangle(|n| n * variant * 31 % 9000);
        let mut world = World::new(&web, &["http://h0.test/0", "http://h1.test/1"]);
        world.options.scope.depth = 4;
        world.options.scope.allow = vec!["h2.test/**".to_owned()];
        world.options.factor = 0.0;
        world.crawl().await;
        world.check_polite(Duration::from_secs(1));
        let depths = |row: Row| format!("{} {} {}", row.url, row.reason.name(), row.depth);
        ledgers.push(world.rows().into_iter().map(depths).collect::<Vec<_>>());
    }
    assert!(ledgers[0].iter().any(|row| row.contains("scope.depth")), "{:?}", ledgers[0]);
    assert_eq!(ledgers[0], ledgers[1]);
    assert_eq!(ledgers[0], ledgers[2]);
}

#[tokio::test(start_paused = true)]
async fn another_spelling_of_the_same_key_is_asked_for_and_counts_once() {
    let web = r#"
//- http://a.test/p?b=2&a=1 status=301 | Location: /p?a=1&b=2
//- http://a.test/p?a=1&b=2
<p>The server insists on its own order of parameters.
"#;
    let world = World::new(web, &["http://a.test/p?b=2&a=1"]);
    let summary = world.crawl().await;
    assert_eq!((summary.pages_fetched, summary.budget_pages_used), (1, 1));
    world.check(&expect![[r#"
        http://a.test/p?a=1&b=2 kept
    "#]]);
}
