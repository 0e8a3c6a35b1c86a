//! Several threads, budgets of domains, and the controls: what one loop alone cannot show.

use crate::web::{World, tangle};
use expect_test::expect;
use fyke_crawl::{BudgetOptions, Control, Stopped};
use fyke_store::Reason;
use std::time::Duration;

#[tokio::test]
async fn threads_change_neither_what_is_fetched_nor_the_reasons_nor_the_manners() {
    let web = tangle(|n| n % 3);
    let mut ledgers = Vec::new();
    for threads in [1, 2, 5] {
        let mut world = World::new(&web, &["http://h0.test/0", "http://h1.test/1"]);
        world.options.scope.depth = 4;
        world.options.scope.allow = vec!["h2.test/**".to_owned()];
        world.options.floor = Duration::from_millis(3);
        world.options.factor = 0.0;
        world.options.threads = threads;
        let summary = world.crawl().await;
        assert_eq!(summary.stopped, Stopped::Finished);
        world.check_polite(Duration::from_millis(3));
        let mut asked = world.requested();
        asked.sort_unstable();
        ledgers.push((world.ledger(), asked));
    }
    assert!(ledgers[0].0.contains("scope.depth"));
    assert_eq!(ledgers[0], ledgers[1]);
    assert_eq!(ledgers[0], ledgers[2]);
}

#[tokio::test]
async fn budgets_are_exact_over_all_threads() {
    let page = |n: usize| {
        let links: String =
            (0..6).map(|k| format!("<a href=http://h{}.test/{k}>x</a>", (n + k) % 40)).collect();
        format!("//- http://h{n}.test/\n<p>Page {n} of the budget test. {links}\n")
    };
    let web: String = (0..40).map(page).collect();
    let seeds: Vec<String> = (0..40).map(|n| format!("http://h{n}.test/")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    for threads in [2, 4] {
        let mut world = World::new(&web, &seeds);
        world.options.threads = threads;
        world.options.floor = Duration::from_millis(1);
        world.options.factor = 0.0;
        for pages in [7, 30] {
            world.options.budget = BudgetOptions { pages: Some(pages), ..Default::default() };
            let summary = world.crawl().await;
            assert_eq!((summary.stopped, summary.budget_pages_used), (Stopped::Budget, pages));
            let asked = world.requested();
            let asked = asked.iter().filter(|url| !url.ends_with("robots.txt")).count();
            assert_eq!(asked as u64, pages, "{threads} threads");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_farm_of_hosts_gets_no_more_than_others_vouch_for() {
    let farm: String = (0..30)
        .map(|n| {
            let next = format!("<a href=http://w{}.farm.test/>next</a>", (n + 1) % 30);
            format!("//- http://w{n}.farm.test/\n<p>Cheap words on page {n}. {next}\n")
        })
        .collect();
    let web = format!(
        "//- http://a.test/\n<a href=http://w0.farm.test/>farm</a> <a href=http://b.test/>b</a>\n\
         //- http://b.test/ slow=30000\n<p>A friend. <a href=http://w20.farm.test/>farm</a>\n{farm}"
    );
    let mut world = World::new(&web, &["http://a.test/"]);
    world.options.scope.allow = vec!["*.farm.test/**".to_owned(), "b.test/**".to_owned()];
    world.options.budget =
        BudgetOptions { per_domain_pages: Some(4), per_inlink_pages: 3, ..Default::default() };
    assert_eq!(world.crawl().await.stopped, Stopped::Finished);
    let fetched = |world: &World| {
        let of_farm = |row: &fyke_store::Row| row.url.contains("farm") && row.status == 200;
        world.rows().iter().filter(|row| of_farm(row)).count()
    };
    // Four of its own, three each for a.test and b.test: the late vote counts too.
    assert_eq!(fetched(&world), 10);
    assert!(world.count(Reason::BudgetDomain) > 0);
    let again = world.crawl().await;
    assert_eq!((again.pages_fetched, fetched(&world)), (0, 10), "the count outlives the run");
    world.options.budget.per_domain_pages = Some(100);
    world.crawl().await;
    assert_eq!((fetched(&world), world.count(Reason::BudgetDomain)), (30, 0));
}

#[tokio::test(start_paused = true)]
async fn a_banned_host_is_left_alone_and_taken_up_by_the_next_run() {
    let web = "//- http://a.test/\n<a href=http://b.test/>b</a> <a href=http://b.test/2>c</a>\n\
               //- http://b.test/\n<p>b\n//- http://b.test/2\n<p>b2\n";
    let mut world = World::new(web, &["http://a.test/"]);
    world.options.scope.allow = vec!["b.test/**".to_owned()];
    let control = Control::new();
    control.ban("b.test");
    let summary = world.crawl_until(control).await;
    assert_eq!((summary.stopped, summary.queued), (Stopped::Finished, 2));
    assert!(!world.requested().iter().any(|url| url.contains("b.test")));
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://b.test/ kept
        http://b.test/2 kept
    "#]]);
}

#[tokio::test(start_paused = true)]
async fn a_paused_crawl_asks_nothing_and_goes_on() {
    let web = "//- http://a.test/\n<a href=/1>1</a>\n//- http://a.test/1\n<p>one\n";
    let world = World::new(web, &["http://a.test/"]);
    let control = Control::new();
    control.set_paused(true);
    let asker = control.clone();
    let start = tokio::time::Instant::now();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(60)).await;
        asker.set_paused(false);
    });
    assert_eq!(world.crawl_until(control).await.stopped, Stopped::Finished);
    assert_eq!(world.count(Reason::Kept), 2);
    let first = world.web.0.requests()[0].start;
    assert!(first >= start + Duration::from_secs(60));
}

#[tokio::test]
async fn every_thread_tells_of_its_hosts() {
    let hosts: Vec<String> = (0..12).map(|n| format!("h{n}.test")).collect();
    let web: String = hosts.iter().map(|host| format!("//- http://{host}/\n<p>x\n")).collect();
    let seeds: Vec<String> = hosts.iter().map(|host| format!("http://{host}/")).collect();
    let mut world = World::new(&web, &seeds.iter().map(String::as_str).collect::<Vec<_>>());
    world.options.threads = 4;
    let control = Control::new();
    control.set_paused(true);
    let asker = control.clone();
    // Looks as often as a page would, and ends the crawl when all have told.
    let looking = tokio::task::spawn_blocking(move || {
        for _ in 0..100 {
            std::thread::park_timeout(Duration::from_millis(100));
            let told = asker.hosts().len();
            if told == 12 {
                asker.stop();
                return told;
            }
        }
        asker.stop();
        asker.hosts().len()
    });
    assert_eq!(world.crawl_until(control).await.stopped, Stopped::Stopped);
    assert_eq!(looking.await.expect("the look"), 12);
}

/// Two hosts with the same pages but for a `footer`, which are first with a page in turn.
fn mirrors(pages: usize, footer: impl Fn(&str) -> String) -> World {
    let links: String = (0..pages).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let mut web = String::new();
    for (turn, host) in ["tides", "mirror"].iter().enumerate() {
        web += &format!("//- http://{host}.test/\n<p>{links}\n");
        for n in 0..pages {
            let words: String = (0..300).map(|k| format!("word{} ", n * 300 + k)).collect();
            let slow = (n + turn) % 2 * 200;
            let footer = footer(host);
            web += &format!("//- http://{host}.test/{n} slow={slow}\n<p>{words}{footer}\n");
        }
    }
    let mut world = World::new(&web, &["http://tides.test/", "http://mirror.test/"]);
    world.options.factor = 0.0;
    world
}

async fn check_left_out(world: World) {
    world.crawl().await;
    let fetched = |host: &str| world.requested().iter().filter(|url| url.contains(host)).count();
    assert_eq!(fetched("//tides.test"), 62, "robots.txt, the home and all pages");
    assert!(fetched("//mirror.test") < 20, "{}", fetched("//mirror.test"));
    assert!(world.count(Reason::Mirror) > 10);
    let before = world.requested().len();
    world.crawl().await;
    assert_eq!(world.requested().len(), before, "the next run knows it");
}

#[tokio::test(start_paused = true)]
async fn of_two_hosts_with_the_same_pages_one_is_left_out_for_good() {
    check_left_out(mirrors(60, |_| String::new())).await;
}

#[tokio::test(start_paused = true)]
async fn of_two_hosts_that_differ_in_a_footer_one_is_left_out_for_good() {
    check_left_out(mirrors(60, |host| format!("served by {host}"))).await;
}

/// A home page with so many pages behind it, and other domains that all link to the home page.
fn popular(pages: usize, friends: usize) -> (String, Vec<String>) {
    let links: String = (0..pages).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let mut web = format!("//- http://popular.test/\n<p>{links}\n");
    for n in 0..pages {
        web += &format!("//- http://popular.test/{n}\n<p>Page number {n} of the popular one.\n");
    }
    let seeds: Vec<String> = (0..friends).map(|n| format!("http://friend{n}.test/")).collect();
    for (n, friend) in seeds.iter().enumerate() {
        let link = "<a href=http://popular.test/>popular</a>";
        web += &format!("//- {friend} slow={}\n<p>Friend {n} of {link}.\n", n * 10);
    }
    (web, seeds)
}

#[tokio::test]
async fn every_domain_that_links_to_the_same_page_adds_to_its_domains_budget() {
    let (web, friends) = popular(60, 5);
    let seeds: Vec<&str> = friends.iter().map(String::as_str).collect();
    for threads in [1, 3] {
        let mut world = World::new(&web, &seeds);
        world.options.seeds.push(fyke_web::Url::parse("http://popular.test/").expect("a URL"));
        world.options.threads = threads;
        world.options.floor = Duration::from_millis(1);
        world.options.factor = 0.0;
        world.options.budget =
            BudgetOptions { per_domain_pages: Some(4), per_inlink_pages: 3, ..Default::default() };
        assert_eq!(world.crawl().await.stopped, Stopped::Finished);
        let is_popular = |row: &&fyke_store::Row| row.url.contains("//popular");
        let rows = world.rows();
        let fetched = rows.iter().filter(is_popular).filter(|row| row.status == 200).count();
        assert_eq!(fetched, 4 + 5 * 3, "{threads} threads");
    }
}

#[tokio::test]
async fn whichever_thread_ends_last_nothing_of_exhausted_domains_stays_queued() {
    let links: String = (0..5).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let hosts: Vec<String> = (0..24).map(|n| format!("http://h{n}.test/")).collect();
    let web: String = hosts.iter().map(|home| format!("//- {home}\n<p>{links}\n")).collect();
    let mut world = World::new(&web, &hosts.iter().map(String::as_str).collect::<Vec<_>>());
    world.options.threads = 4;
    world.options.floor = Duration::from_millis(1);
    world.options.factor = 0.0;
    world.options.budget.per_domain_pages = Some(2);
    let summary = world.crawl().await;
    assert_eq!((summary.stopped, summary.queued), (Stopped::Finished, 0));
    assert_eq!(world.count(Reason::BudgetDomain), 24 * 4);
}

#[tokio::test]
async fn all_threads_together_keep_to_the_connections() {
    let hosts: Vec<String> = (0..40).map(|n| format!("http://h{n}.test/")).collect();
    let web: String = hosts.iter().map(|home| format!("//- {home} slow=5\n<p>x\n")).collect();
    for (connections, threads) in [(1, 4), (3, 2), (5, 4)] {
        let mut world = World::new(&web, &hosts.iter().map(String::as_str).collect::<Vec<_>>());
        (world.options.connections, world.options.threads) = (connections, threads);
        (world.options.floor, world.options.factor) = (Duration::from_millis(1), 0.0);
        world.crawl().await;
        let seen = world.web.0.requests();
        assert_eq!(seen.len(), 80, "robots.txt and a page of each");
        let at_once = |time| seen.iter().filter(|one| one.start <= time && time < one.end).count();
        let most = seen.iter().map(|one| at_once(one.start)).max();
        assert!(most.is_some_and(|most| most <= connections), "{most:?} of {connections}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_redirect_gives_its_page_back_to_the_domain_whose_hosts_wait_already() {
    let web = "//- http://r.farm.test/ slow=9000 status=302 | Location: http://else.test/\n\
               //- http://p.farm.test/ slow=5000\n<p>p\n//- http://q.farm.test/\n<p>q\n\
               //- http://q.farm.test/robots.txt slow=2000 status=404\n";
    let mut world =
        World::new(web, &["http://r.farm.test/", "http://p.farm.test/", "http://q.farm.test/"]);
    world.options.budget.per_domain_pages = Some(2);
    world.options.factor = 0.0;
    world.options.scope.deny = vec!["else.test/**".to_owned()];
    assert_eq!(world.crawl().await.pages_fetched, 2);
    assert_eq!((world.count(Reason::Kept), world.count(Reason::BudgetDomain)), (2, 0));
}
