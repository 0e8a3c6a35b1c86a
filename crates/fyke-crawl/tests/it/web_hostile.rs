//! Webs that could bring the crawl itself to a halt, past its budget, or to the wrong end.

use crate::web::{Shared, World};
use expect_test::expect;
use fyke_crawl::fetch::{Address, Failed, Outcome, Request};
use fyke_crawl::{Control, Fetch, Stopped, crawl};
use fyke_store::Reason;
use fyke_web::Url;
use std::time::Duration;

fn count(world: &World, url: &str) -> usize {
    world.requested().iter().filter(|asked| *asked == url).count()
}

#[tokio::test(start_paused = true)]
async fn each_scheme_of_a_host_is_asked_at_its_own_port() {
    let web = r#"
//- http://a.test/ status=301 | Location: https://a.test/
//- https://a.test/
<a href=http://a.test/back>back</a>
//- http://a.test/back
<p>This page is still served without encryption.
"#;
    let world = World::new(web, &["http://a.test/"]);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ redirect
        http://a.test/back kept
        https://a.test/ kept
    "#]]);
    world.check_polite(Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn urls_that_got_no_answer_are_taken_up_by_the_next_run() {
    let web = r#"
//- http://a.test/
<a href=/slow>slow</a> <a href=/tls>tls</a>
//- http://a.test/slow slow=90000
//- http://a.test/tls fail=tls
//- http://a.test/tls fail=tls
//- http://a.test/tls fail=tls
//- http://a.test/tls fail=tls
//- http://a.test/tls
<p>The certificate was renewed and the page is back.
"#;
    let world = World::new(web, &["http://a.test/", "http://gone.invalid/"]);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/slow timeout slow
        http://a.test/tls tls refused
        http://gone.invalid/ dns no such host
    "#]]);
    let summary = world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/slow timeout slow
        http://a.test/tls kept
        http://gone.invalid/ dns no such host
    "#]]);
    assert_eq!(summary.errors, 1 + 3, "all tries anew");
    assert_eq!(count(&world, "http://a.test/slow"), 2, "a body too slow twice is an answer");
}

#[tokio::test(start_paused = true)]
async fn robots_files_that_lead_to_each_other_fail_and_hold_up_nobody() {
    let web = r#"
//- http://a.test/robots.txt status=301 | Location: http://b.test/robots.txt
//- http://b.test/robots.txt status=301 | Location: http://a.test/robots.txt
//- http://x.test/robots.txt status=301 | Location: http://y.test/robots.txt
//- http://y.test/robots.txt status=301 | Location: http://z.test/robots.txt
//- http://z.test/robots.txt status=301 | Location: http://x.test/robots.txt
//- http://c.test/robots.txt status=301 | Location: http://d.test/robots.txt
//- http://c.test/
<p>A robots file that is kept elsewhere is one all the same.
//- http://d.test/
<p>The other host has pages of its own as well.
"#;
    let seeds = ["a", "b", "x", "y", "z", "c", "d"].map(|host| format!("http://{host}.test/"));
    let world = World::new(web, &seeds.each_ref().map(String::as_str));
    assert_eq!(world.crawl().await.stopped, Stopped::Finished);
    assert_eq!(world.count(Reason::RobotsUnreachable), 5);
    assert_eq!(world.count(Reason::Kept), 2);
    // Which of them closes the ring is a matter of time.
    let details: Vec<String> = world.rows().into_iter().map(|row| row.detail).collect();
    assert!(details.contains(&"redirected more than 5 times".to_owned()));
    world.check_polite(Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_robots_request_broken_off_is_followed_by_a_pause() {
    let web = r#"
//- http://a.test/robots.txt slow=90000
//- http://a.test/robots.txt status=404
//- http://a.test/
<p>The server has caught its breath by now.
"#;
    let mut world = World::new(web, &["http://a.test/"]);
    world.options.factor = 0.0;
    world.crawl().await;
    assert_eq!(world.count(Reason::Kept), 1);
    world.check_polite(Duration::from_secs(1));
    let seen = world.web.0.requests();
    assert!(seen[1].start >= seen[0].end + world.options.timeout, "{seen:?}");
}

#[tokio::test(start_paused = true)]
async fn a_robots_file_that_is_not_whole_is_asked_for_again() {
    let web = r#"
//- http://a.test/robots.txt cut | Content-Type: text/plain
User-agent: *
//- http://a.test/robots.txt | Content-Type: text/plain
User-agent: *
Disallow: /
//- http://a.test/
<p>Nobody should see this.
//- http://b.test/robots.txt | Content-Encoding: gzip
User-agent: *
//- http://b.test/
<p>Nor this.
//- http://c.test/robots.txt | Content-Encoding: utf-8
User-agent: *
//- http://c.test/ | Content-Type: text/html | Content-Encoding: gzip
<p>What is not in the encoding it names is not read.
"#;
    let world = World::new(web, &["http://a.test/", "http://b.test/", "http://c.test/"]);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ robots Disallow: / (line 2)
        http://b.test/ robots.unreachable cut short or not decodable
        http://c.test/ protocol its body is not in the content encoding it names: gzip
    "#]]);
}

/// A start page and ten more, about 300 bytes each.
fn eleven_pages() -> String {
    let page = |n: usize| format!("//- http://a.test/{n}\n<p>{}\n", "some words ".repeat(27));
    let links: String = (0..10).map(|n| format!("<a href=/{n}>page number {n}</a> ")).collect();
    format!("//- http://a.test/\n{links}\n{}", (0..10).map(page).collect::<String>())
}

#[tokio::test(start_paused = true)]
async fn a_byte_budget_smaller_than_one_page_may_be_is_used_up_and_not_passed() {
    let mut world = World::new(&eleven_pages(), &["http://a.test/"]);
    world.options.budget.bytes = Some(2000);
    let summary = world.crawl().await;
    assert_eq!((summary.stopped, summary.bytes), (Stopped::Budget, 2000));
    assert_eq!((summary.pages_fetched, summary.queued), (6, 5));
    // What the budget cut short is no page that was too big: a raised budget brings it whole.
    world.options.budget.bytes = Some(20_000);
    let summary = world.crawl().await;
    assert_eq!((summary.stopped, summary.budget_pages_used), (Stopped::Finished, 11));
    assert_eq!(world.count(Reason::Kept), 11);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_timed_out_counts_against_the_byte_budget() {
    let body = "x".repeat(999);
    let page = |host| format!("//- http://{host}.test/ slow=90000\n{body}\n");
    let web = page("a") + &page("b");
    let mut world = World::new(&web, &["http://a.test/", "http://b.test/"]);
    world.options.budget.bytes = Some(1000);
    world.options.connections = 1;
    let summary = world.crawl().await;
    assert_eq!((summary.stopped, summary.bytes), (Stopped::Budget, 1000));
}

#[tokio::test(start_paused = true)]
async fn a_robots_file_is_read_no_further_than_the_byte_budget() {
    let filler = "# nothing to see here\n".repeat(100);
    let web = format!(
        "//- http://a.test/robots.txt | Content-Type: text/plain\n\
         {filler}User-agent: *\nDisallow: /\n//- http://a.test/\n<p>Not for robots.\n"
    );
    let mut world = World::new(&web, &["http://a.test/"]);
    world.options.budget.bytes = Some(500);
    let summary = world.crawl().await;
    assert_eq!((summary.stopped, summary.bytes), (Stopped::Budget, 500));
    // Half a robots file is none.
    world.options.budget.bytes = Some(50_000);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ robots Disallow: / (line 102)
    "#]]);
}

/// A web whose host a.test breaks the fetcher.
struct Breaking(Shared);

impl Fetch for Breaking {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.0.resolve(url).await
    }
    async fn fetch(&self, request: Request) -> Outcome {
        assert_ne!(request.url.host(), "a.test", "this is meant to break");
        self.0.fetch(request).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_fetch_that_breaks_does_not_take_its_connection_along() {
    let web = "//- http://b.test/\n<p>The others go on as if nothing had been.\n";
    let mut world = World::new(web, &["http://a.test/", "http://b.test/"]);
    world.options.connections = 1;
    let collection = world.collection();
    let web = Breaking(world.web.clone());
    let mut observe = |_: &fyke_crawl::CrawlProgress| ();
    let run = crawl(&collection, web, &world.options, &mut observe, Control::new());
    let summary = tokio::time::timeout(Duration::from_secs(3600), run).await.expect("an end");
    drop(collection);
    assert_eq!(summary.expect("the store works").stopped, Stopped::Finished);
    world.check(&expect![[r#"
        http://a.test/ queued
        http://b.test/ kept
    "#]]);
}

#[tokio::test]
async fn a_closed_hosts_queue_is_worked_off_in_parts() {
    let links: String = (0..5000).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let mut world = World::new(&format!("//- http://a.test/\n{links}\n"), &["http://a.test/"]);
    world.options.budget.per_host_pages = Some(3);
    (world.options.floor, world.options.factor) = (Duration::from_millis(1), 0.0);
    let (collection, control) = (world.collection(), Control::new());
    let shelved = || collection.ledger.counts().expect("counts").get(&Reason::BudgetHost).copied();
    let stop_soon = async {
        while shelved().is_none_or(|count| count == 0) {
            tokio::task::yield_now().await;
        }
        control.stop();
    };
    let observe = &mut |_: &fyke_crawl::CrawlProgress| ();
    let run = crawl(&collection, world.web.clone(), &world.options, observe, control.clone());
    let (summary, ()) = tokio::join!(run, stop_soon);
    assert_eq!(summary.expect("the store works").stopped, Stopped::Stopped);
    assert!(shelved().is_some_and(|count| count < 1000), "{:?}", shelved());
    drop(collection);
    let summary = world.crawl().await;
    assert_eq!((summary.stopped, summary.queued), (Stopped::Finished, 0));
    assert_eq!(world.count(Reason::BudgetHost), 5001 - 3);
    assert_eq!(world.requested().len(), 1 + 3, "robots.txt and three pages");
}

#[tokio::test(start_paused = true)]
async fn a_host_that_only_redirects_is_asked_little_more_than_the_pages_it_may_give() {
    let links: String = (0..1500).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let redirect = |n| format!("//- http://a.test/{n} status=302 | Location: /to/{n}\n");
    let redirects: String = (0..1500).map(redirect).collect();
    let web = format!("//- http://a.test/\n{links}\n//- http://b.test/\n<p>b\n{redirects}");
    let mut world = World::new(&web, &["http://a.test/", "http://b.test/"]);
    world.options.budget.pages = Some(40);
    (world.options.floor, world.options.factor) = (Duration::from_millis(1), 0.0);
    let summary = world.crawl().await;
    assert_eq!((summary.stopped, summary.budget_pages_used), (Stopped::Finished, 2));
    assert_eq!(world.requested().len(), 2 + 2 + 100 + 4, "robots.txt, pages, redirects");
    assert_eq!(world.count(Reason::BudgetDomain), 1500);
}

#[tokio::test(start_paused = true)]
async fn a_farm_is_asked_for_few_robots_files_more_than_pages() {
    let links: String = (0..500).map(|n| format!("<a href=http://s{n}.farm.test/>x</a>")).collect();
    let page = |n: usize| format!("//- http://s{n}.farm.test/\n<p>Page {n}.\n");
    let pages: String = (0..500).map(page).collect();
    let web = format!("//- http://a.test/\n{links}\n{pages}");
    let mut world = World::new(&web, &["http://a.test/"]);
    world.options.scope.allow = vec!["*.farm.test/**".to_owned()];
    world.options.budget.per_domain_pages = Some(20);
    let summary = world.crawl().await;
    assert_eq!((summary.pages_fetched, summary.queued), (1 + 20, 0));
    let asked = world.requested();
    let robots = asked.iter().filter(|url| url.ends_with("farm.test/robots.txt")).count();
    assert!(robots <= 40, "{robots}");
    assert_eq!(world.count(Reason::BudgetDomain), 480);
}

#[tokio::test(start_paused = true)]
async fn a_budget_that_is_used_up_ends_the_run_at_once() {
    let web = "//- http://a.test/robots.txt\nUser-agent: *\nCrawl-delay: 20\n\
               //- http://a.test/\n<p>One. <a href=/2>two</a>\n//- http://a.test/2\n<p>Two.\n";
    let mut world = World::new(web, &["http://a.test/"]);
    world.options.budget.pages = Some(1);
    let summary = world.crawl().await;
    assert_eq!((summary.stopped, summary.pages_fetched), (Stopped::Budget, 1));
    assert!(world.web.0.requests()[1].end.elapsed() < Duration::from_secs(1));
}
