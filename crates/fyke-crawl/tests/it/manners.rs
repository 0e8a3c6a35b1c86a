//! Manners that a server notices over a longer time: between two runs, between two schemes, between hosts.

use crate::web::World;
use expect_test::expect;
use fyke_crawl::fetch::{Address, Blame, Failed, Outcome, Request};
use fyke_crawl::{Control, CrawlOptions, Fetch, Mode, ScopeOptions, Stopped, WebInAString, crawl};
use fyke_store::{Collection, Reason};
use fyke_web::Url;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

fn times(world: &World, part: &str) -> Vec<Instant> {
    let seen = world.web.0.requests().into_iter();
    seen.filter(|seen| seen.url.contains(part)).map(|seen| seen.start).collect()
}

/// Two pages of a web in a first run, the rest in a second.
async fn in_two_runs(web: &str) -> World {
    let mut world = World::new(web, &["http://a.test/"]);
    world.options.budget.pages = Some(2);
    world.crawl().await;
    world.options.budget.pages = None;
    world.crawl().await;
    world
}

#[tokio::test(start_paused = true)]
async fn a_robots_txt_that_is_kept_elsewhere_is_asked_for_once() {
    let web = r#"
//- http://a.test/robots.txt status=301 | Location: http://b.test/rules
//- http://b.test/rules slow=9000 | Content-Type: text/plain
User-agent: *
Disallow: /no
//- http://a.test/
<a href=/no>no</a> <a href=/yes>yes</a>
//- http://a.test/yes
<p>This page may be asked for.
"#;
    let world = World::new(web, &["http://a.test/"]);
    assert_eq!(world.crawl().await.stopped, Stopped::Finished);
    assert_eq!(times(&world, "a.test/robots.txt").len(), 1);
    assert_eq!(times(&world, "b.test/rules").len(), 1);
    assert_eq!((times(&world, "/no").len(), times(&world, "/yes").len()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn each_scheme_of_a_host_has_its_own_robots_txt_in_the_next_run_too() {
    let web = r#"
//- http://a.test/
<a href=https://a.test/private>p</a> <a href=/private>q</a> <a href=https://a.test/later>l</a>
//- https://a.test/robots.txt | Content-Type: text/plain
User-agent: *
Crawl-delay: 5
Disallow: /private
//- http://a.test/private
<p>Without TLS nothing is forbidden.
//- https://a.test/later
<p>This is asked for in the second run.
"#;
    let world = in_two_runs(web).await;
    let ledger = world.ledger();
    assert!(ledger.contains("https://a.test/private robots Disallow: /private"), "{ledger}");
    assert!(ledger.contains("https://a.test/later kept"), "{ledger}");
    assert!(ledger.contains("http://a.test/private kept"), "{ledger}");
    for scheme in ["http", "https"] {
        assert_eq!(times(&world, &format!("{scheme}://a.test/robots.txt")).len(), 1, "{scheme}");
    }
    let hosts: Vec<String> =
        world.collection().ledger.hosts().map(|host| host.expect("a host").0).collect();
    assert_eq!(hosts, ["a.test"], "it is one host");
}

#[tokio::test(start_paused = true)]
async fn what_is_no_robots_txt_and_no_word_that_there_is_none_forbids_everything() {
    let check = async |answer: &str, expected: &str| {
        let web =
            format!("//- http://a.test/robots.txt {answer}\n//- http://a.test/\n<p>A page.\n");
        let world = World::new(&web, &["http://a.test/"]);
        world.crawl().await;
        assert_eq!(world.ledger().trim_end(), format!("http://a.test/ {expected}"), "{answer}");
    };
    let forbids = "| Content-Type: text/plain\nUser-agent: *\nDisallow: /";
    check(&format!("status=203 {forbids}"), "robots Disallow: / (line 2)").await;
    check(&format!("status=206 {forbids}"), "robots.unreachable status 206").await;
    check("status=204", "kept").await;
    check("status=410", "kept").await;
    check("status=302", "robots.unreachable a redirect that leads nowhere").await;
    let ftp = "status=301 | Location: ftp://a.test/robots.txt";
    check(ftp, "robots.unreachable a redirect that leads nowhere").await;
}

#[tokio::test(start_paused = true)]
async fn the_gap_after_a_slow_page_holds_for_the_next_run_too() {
    let web = r#"
//- http://a.test/
<a href=/slow>s</a> <a href=/next>n</a>
//- http://a.test/slow slow=3000
<p>This took three seconds.
//- http://a.test/next
<p>This comes thirty seconds later.
"#;
    let world = in_two_runs(web).await;
    let pause = times(&world, "/next")[0] - times(&world, "/slow")[0];
    assert!(pause >= Duration::from_secs(33), "{pause:?}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_later_and_names_a_time_that_is_over_is_backed_off_from() {
    for over in ["0", "Sun, 06 Nov 1994 08:49:37 GMT"] {
        let pages: String = (0..9)
            .map(|n| format!("//- http://a.test/{n} status=503 | Retry-After: {over}\n"))
            .collect();
        let links: String = (0..9).map(|n| format!("<a href=/{n}>{n}</a>")).collect();
        let web = format!("//- http://a.test/\n{links}\n{pages}");
        let world = World::new(&web, &["http://a.test/"]);
        let summary = world.crawl().await;
        let asked = world.requested().len();
        assert!(asked < 20, "{asked} requests, each after a longer wait");
        assert!(summary.queued > 0, "the rest waits for the next run");
    }
}

/// The seconds between the requests for one URL, with the gap in them.
fn pauses(world: &World, url: &str) -> Vec<u64> {
    let times = times(world, url);
    times.windows(2).map(|pair| (pair[1] - pair[0]).as_secs()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_cannot_be_read_doubles_each_time() {
    for status in [429, 500, 503] {
        let head = format!("//- http://a.test/x status={status} | Retry-After: whenever\n");
        let world = World::new(
            &(head.repeat(3) + "//- http://a.test/x\n<p>At last.\n"),
            &["http://a.test/x"],
        );
        world.crawl().await;
        let pauses = pauses(&world, "/x");
        let expected: &[u64] = if status == 500 { &[1, 2] } else { &[1, 2, 4] };
        assert_eq!(pauses, expected, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_robots_txt_that_comes_in_part_is_asked_for_after_ever_longer_waits() {
    for answer in ["status=206", "cut"] {
        let web = format!("//- http://a.test/robots.txt {answer}\nUser-agent: *\n");
        let world = World::new(&web, &["http://a.test/"]);
        world.crawl().await;
        assert_eq!(pauses(&world, "/robots.txt"), [1, 2, 4, 8], "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_time_far_ahead_is_kept_as_the_longest_wait() {
    for far in ["Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 +0000"] {
        let web = format!(
            "//- http://a.test/ status=503 | Retry-After: {far}\n//- http://a.test/\n<p>Open again.\n"
        );
        let world = World::new(&web, &["http://a.test/"]);
        assert_eq!(world.crawl().await.queued, 1);
        tokio::time::advance(Duration::from_secs(6 * 24 * 3600)).await;
        assert_eq!(world.crawl().await.queued, 1, "{far}");
        tokio::time::advance(Duration::from_secs(24 * 3600)).await;
        world.crawl().await;
        assert_eq!(world.count(Reason::Kept), 1, "{far}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_wait_is_left_to_a_later_run_and_no_run_sits_it_out() {
    let web = r#"
//- http://a.test/ status=429 | Retry-After: 7200
//- http://a.test/
<p>It came in the end.
"#;
    let world = World::new(web, &["http://a.test/"]);
    for _ in 0..2 {
        let summary = world.crawl().await;
        assert_eq!((summary.stopped, summary.queued), (Stopped::Finished, 1));
        assert!(summary.elapsed < Duration::from_secs(60), "{:?}", summary.elapsed);
    }
    assert_eq!(times(&world, "http://a.test/").len(), 2, "robots.txt and one page");
    tokio::time::advance(Duration::from_secs(7200)).await;
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
    "#]]);
}

#[tokio::test(start_paused = true)]
async fn a_crawl_delay_is_remembered_by_the_next_run() {
    let web = "//- http://a.test/robots.txt | Content-Type: text/plain\nUser-agent: *\nCrawl-delay: 20\n\
               //- http://a.test/\n<p>One. <a href=/2>two</a>\n//- http://a.test/2\n<p>Two.\n";
    for rest in [0, 10, 30] {
        let mut world = World::new(web, &["http://a.test/"]);
        world.options.budget.time = Some(15_000);
        for _ in 0..5 {
            world.crawl().await;
            tokio::time::advance(Duration::from_secs(rest)).await;
        }
        let asked = times(&world, "http://a.test/");
        assert_eq!(asked.len(), 3, "robots.txt and both pages, {rest} s between runs");
        for pair in asked.windows(2) {
            assert!(
                pair[1] - pair[0] >= Duration::from_secs(20),
                "{rest}: {:?}",
                pair[1] - pair[0]
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_crawl_delay_holds_up_no_run_and_is_named() {
    let web = "//- http://a.test/robots.txt | Content-Type: text/plain\nUser-agent: *\nCrawl-delay: 3600\n\
               //- http://a.test/\n<p>One. <a href=/2>two</a>\n//- http://a.test/2\n<p>Two.\n\
               //- http://b.test/\n<p>Another host. <a href=/2>two</a>\n//- http://b.test/2\n<p>Its second page.\n";
    let world = World::new(web, &["http://a.test/", "http://b.test/"]);
    for (kept, queued) in [(2, 1), (3, 1), (4, 0)] {
        let summary = world.crawl().await;
        assert_eq!((world.count(Reason::Kept), summary.queued), (kept, queued));
        assert!(summary.elapsed < Duration::from_secs(60), "{:?}", summary.elapsed);
        let host = world.collection().ledger.host("a.test").expect("readable").expect("known");
        assert_eq!(host.waits, "Crawl-delay: 3600 s");
        tokio::time::advance(Duration::from_secs(3600)).await;
    }
    let asked = times(&world, "http://a.test/");
    let is_late = |pair: &[Instant]| pair[1] - pair[0] >= Duration::from_secs(3600);
    assert!(asked.len() == 3 && asked.windows(2).all(is_late), "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_failed_gets_another_chance_in_the_next_run() {
    let web = r#"
//- http://a.test/ status=500
//- http://a.test/ status=500
//- http://a.test/ status=500
//- http://a.test/
<p>The database is back.
"#;
    let world = World::new(web, &["http://a.test/"]);
    world.crawl().await;
    assert_eq!(world.count(Reason::Http5xx), 1);
    world.crawl().await;
    assert_eq!(world.count(Reason::Kept), 1);
}

#[tokio::test(start_paused = true)]
async fn a_scope_that_was_changed_judges_what_waits_and_what_was_refused_again() {
    let web = r#"
//- http://a.test/
<a href=/x/1>1</a> <a href=/y/1>1</a> <a href=http://b.test/>b</a>
//- http://a.test/x/1
<a href=/x/other>other</a> One page of the first folder.
//- http://a.test/x/other
<p>Another page of the first folder.
//- http://a.test/y/1
<p>One page of the second folder.
//- http://b.test/
<p>The home page of another host.
"#;
    let mut world = World::new(web, &["http://a.test/"]);
    let scope = |deny: &[&str], allow: &[&str], depth: u16| ScopeOptions {
        mode: Mode::Site,
        allow: allow.iter().map(|&text| text.to_owned()).collect(),
        deny: deny.iter().map(|&text| text.to_owned()).collect(),
        depth,
    };
    world.options.scope = scope(&["a.test/y/**"], &[], 1);
    world.options.budget.pages = Some(1);
    world.crawl().await;
    world.options.scope = scope(&["a.test/x/**"], &[], 1);
    world.options.budget.pages = None;
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/x/1 scope.path deny a.test/x/**
        http://a.test/y/1 kept
        http://b.test/ scope.host b.test
    "#]]);
    world.options.scope = scope(&[], &["b.test/**"], 1);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/x/1 kept
        http://a.test/x/other scope.depth
        http://a.test/y/1 kept
        http://b.test/ kept
    "#]]);
    world.options.scope = scope(&[], &["b.test/**"], 2);
    world.crawl().await;
    assert_eq!(world.count(Reason::Kept), 5);
}

/// A web whose hosts have two addresses, the first of which takes no connection; b.test has only the second.
/// Notes what is asked where.
#[derive(Clone)]
struct TwoAddresses(Arc<WebInAString>, Arc<Mutex<Vec<(IpAddr, Instant, Instant)>>>);

impl Fetch for TwoAddresses {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        let mut sockets: Vec<SocketAddr> =
            ["127.0.0.1:80", "127.0.0.2:80"].map(|s| s.parse().expect("a socket")).to_vec();
        sockets.drain(..usize::from(url.host() == "b.test"));
        Ok(Address { key: sockets[0].ip(), sockets, ttl: Duration::from_secs(5) })
    }

    async fn fetch(&self, request: Request) -> Outcome {
        let (at, start) = (request.sockets[0].ip(), Instant::now());
        if at.to_string() == "127.0.0.1" {
            let blame = Blame::Address;
            return Outcome::Failed(Failed { blame, ..Failed::of_host(Reason::Connect, "dead") });
        }
        let outcome = self.0.fetch(request).await;
        self.1.lock().expect("notes").push((at, start, Instant::now()));
        outcome
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_counts_at_the_address_it_goes_to() {
    let page = |host: &str| {
        let links: String = (0..4).map(|n| format!("<a href=/{n}>{n}</a>")).collect();
        let leaves: String =
            (0..4).map(|n| format!("//- http://{host}/{n} slow=50\n<p>Page {n}.\n")).collect();
        format!("//- http://{host}/ slow=50\n{links}\n{leaves}")
    };
    let hosts = ["a.test", "b.test", "c.test"];
    let world = World::new("", &[]);
    let web = WebInAString::new(&hosts.map(page).concat());
    let web = TwoAddresses(Arc::new(web), Arc::default());
    let seeds = hosts.map(|host| Url::parse(&format!("http://{host}/")).expect("a URL")).to_vec();
    let options = CrawlOptions { seeds, floor: Duration::from_millis(200), ..world.options };
    let collection = Collection::open(world.dir.path()).expect("a collection");
    let summary = crawl(&collection, web.clone(), &options, &mut |_| (), Control::new()).await;
    assert_eq!(summary.expect("the store works").pages_fetched, 15);
    let notes = web.1.lock().expect("notes").clone();
    for pair in notes.windows(2) {
        assert!(pair[1].1 >= pair[0].2 + Duration::from_millis(200), "together or too early");
    }
}
