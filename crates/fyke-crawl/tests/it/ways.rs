//! URLs that were refused for the way they were found, and found again by a better one.

use crate::focus::{FUTURE, HUM, ROAD, chain, focused, page};
use crate::web::World;
use expect_test::expect;
use fyke_crawl::{BudgetOptions, ScopeOptions, Stopped};
use fyke_web::Url;

/// Crawls to the end, then with one seed more, one page a run, each run from what is on disk: the
/// reasons under which a URL stood, and that it was asked for as soon as it could be.
async fn check(mut world: World, url: &str, later: &str, expected: &[&str]) {
    let id = Url::parse(url).expect("a URL").id();
    let stands = |world: &World| {
        let row = world.collection().ledger.get(id).expect("the store works");
        row.map_or("unknown", |row| row.reason.name())
    };
    let mut summary = world.crawl().await;
    assert_eq!(summary.stopped, Stopped::Finished);
    let mut history = vec![stands(&world)];
    world.options.seeds.push(Url::parse(later).expect("a URL"));
    let before = world.requested().len();
    for _ in 0..9 {
        let pages = Some(summary.budget_pages_used + 1);
        world.options.budget = BudgetOptions { pages, ..BudgetOptions::default() };
        summary = world.crawl().await;
        history.push(stands(&world));
    }
    history.dedup();
    assert_eq!(history, expected, "{url}");
    let pages = world.requested().split_off(before);
    let pages: Vec<_> = pages.iter().filter(|asked| !asked.ends_with("robots.txt")).collect();
    let soon = usize::from(url != later);
    let place = pages.iter().position(|asked| *asked == url);
    // Another may come first, while its host is asked for robots.txt.
    assert!(place.is_some_and(|place| [soon, 2 * soon].contains(&place)), "{pages:?}");
    assert_eq!(pages.iter().filter(|asked| **asked == url).count(), 1, "{pages:?}");
}

/// A page that leads to the URL and, on its own host, to others.
fn nearer(url: &str) -> String {
    let others = (0..3).map(|n| (format!("http://z.test/{n}"), "next"));
    let links: Vec<_> = std::iter::once((url.to_owned(), "honey")).chain(others).collect();
    page("http://z.test/", "Bees", &format!("{HUM} Nearer."), &links)
}

const NEARER: &str = "http://z.test/";

#[tokio::test(start_paused = true)]
async fn a_link_that_may_be_followed_leads_where_others_may_not() {
    let x = "http://a.test/x";
    let web = format!(
        "//- http://a.test/\n<p>The way in. <a rel=nofollow href=/x>x</a>\n//- {x}\n<p>Found.\n{}",
        nearer(x)
    );
    let world = World::new(&web, &["http://a.test/"]);
    check(world, x, NEARER, &["nofollow", "queued", "kept"]).await;
}

/// A chain of pages on one host, and a page at its end.
fn corridor(length: usize, end: &str) -> World {
    let url = |n: usize| format!("http://a.test/{}", n * n);
    let next = |n: usize| if n == length { end.to_owned() } else { url(n + 1) };
    let walk = (0..=length).map(|n| page(&url(n), "Walk", &format!("Door {n}."), &[(next(n), "")]));
    let web = walk.collect::<String>() + &page(end, "End", "The end.", &[]) + &nearer(end);
    World::new(&web, &["http://a.test/0"])
}

#[tokio::test(start_paused = true)]
async fn what_was_too_deep_is_queued_as_soon_as_a_shorter_way_is_found() {
    let x = "http://a.test/x";
    let mut world = corridor(2, x);
    world.options.scope = ScopeOptions { depth: 2, ..ScopeOptions::default() };
    check(world, x, NEARER, &["scope.depth", "queued", "kept"]).await;
}

#[tokio::test(start_paused = true)]
async fn what_was_too_far_off_the_subject_is_queued_when_a_page_about_it_leads_there() {
    let x = "http://h4.test/";
    let far = || focused(&(chain(3) + &nearer(x)), &["http://h0.test/"], FUTURE, 2);
    check(far(), x, NEARER, &["scope.subject", "queued", "kept"]).await;
    check(far(), x, x, &["scope.subject", "kept"]).await;
}

#[tokio::test(start_paused = true)]
async fn what_only_a_sitemap_names_waits_for_a_link() {
    let x = "http://a.test/p/1";
    let mut web = "//- http://a.test/robots.txt | Content-Type: text/plain\n\
                   Sitemap: http://a.test/map.txt\n\
                   //- http://a.test/map.txt | Content-Type: text/plain\n\
                   http://a.test/p/1\nhttp://a.test/p/2\n"
        .to_owned();
    web += &page("http://a.test/", "Bees", HUM, &[]);
    web += &page(x, "Honey", &format!("{HUM} One."), &[]);
    web += &page("http://a.test/p/2", "Cars", ROAD, &[]);
    let world = focused(&(web + &nearer(x)), &["http://a.test/"], FUTURE, 2);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept relevance 1.00
        http://a.test/map.txt type sitemap: 2 URLs, 0 sitemaps
        http://a.test/p/1 scope.subject a sitemap names it, no page does, and its address promises little
        http://a.test/p/2 scope.subject a sitemap names it, no page does, and its address promises little
    "#]]);
    check(world, x, NEARER, &["scope.subject", "queued", "kept"]).await;
}
