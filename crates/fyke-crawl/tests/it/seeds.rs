//! Seeds that are not where they were said to be.

use crate::web::World;
use expect_test::expect;
use fyke_crawl::{Mode, SeedFeed, SeedRedirect, Stopped};
use fyke_store::Reason;
use fyke_web::Url;
use std::time::Duration;

const MOVED: &str = r#"
//- http://old.test/ status=301 | Location: http://new.test/
//- http://new.test/ status=302 | Location: http://en.new.test/home
//- http://en.new.test/home
<p>The site has moved here, with all its pages. <a href=/one>one</a> <a href=/out>out</a>
<a href=http://other.test/>other</a>
//- http://en.new.test/one
<p>This page is the first that the home page links to.
//- http://en.new.test/out status=301 | Location: http://away.test/
//- http://b.test/
<p>Another seed that links to the moved site. <a href=http://en.new.test/two>two</a>
//- http://en.new.test/two
<p>This page was found before the scope had followed the seed.
"#;

#[tokio::test(start_paused = true)]
async fn the_scope_follows_a_seed_that_redirects_to_another_host() {
    follows_the_seed(MOVED, 1).await;
    let slow = MOVED.replace("//- http://old.test/ ", "//- http://old.test/ slow=60000 ");
    follows_the_seed(&slow, 1).await;
}

/// The clock of several threads is the real one.
#[tokio::test]
async fn the_scope_follows_a_seed_on_every_thread() {
    follows_the_seed(MOVED, 2).await;
}

async fn follows_the_seed(web: &str, threads: usize) {
    let mut world = World::new(web, &["http://old.test/", "http://b.test/"]);
    world.options.threads = threads;
    (world.options.floor, world.options.factor) = (Duration::from_millis(1), 0.0);
    world.options.timeout = Duration::from_secs(100);
    let summary = world.crawl().await;
    assert_eq!(summary.stopped, Stopped::Finished);
    world.check(&expect![[r#"
        http://away.test/ scope.host away.test
        http://b.test/ kept
        http://en.new.test/home kept
        http://en.new.test/one kept
        http://en.new.test/out redirect
        http://en.new.test/two kept
        http://new.test/ redirect
        http://old.test/ redirect
        http://other.test/ scope.host other.test
    "#]]);
    let redirect = |from: &str, to: &str| SeedRedirect { from: from.to_owned(), to: to.to_owned() };
    let redirects = [
        redirect("http://old.test/", "http://new.test/"),
        redirect("http://new.test/", "http://en.new.test/home"),
    ];
    assert_eq!(summary.seed_redirects, redirects);
    // The next run knows them, and has nothing to do.
    let asked = world.requested().len();
    assert_eq!(world.crawl().await.seed_redirects, redirects);
    assert_eq!(world.requested().len(), asked);
}

#[tokio::test(start_paused = true)]
async fn a_collection_whose_seed_led_out_of_the_scope_goes_on_behind_it() {
    let mut world = World::new(MOVED, &["http://old.test/"]);
    world.options.scope.mode = Mode::List;
    world.crawl().await;
    assert_eq!(world.count(Reason::Kept), 0);
    world.options.scope.mode = Mode::Site;
    world.crawl().await;
    assert_eq!(world.count(Reason::Kept), 2);
}

#[tokio::test(start_paused = true)]
async fn a_seed_without_a_scheme_is_asked_for_by_https_and_then_by_http() {
    let page = "<p>This page has words, and a link. <a href=/one>one</a>\n";
    let silent = "//- https://a.test/robots.txt fail=connect\n//- https://a.test/ fail=connect\n";
    let broken = "//- https://a.test/robots.txt status=404\n//- https://a.test/ fail=tls\n";
    let secure = format!("//- https://a.test/\n{page}");
    for (https, expected) in [(silent, "http"), (broken, "http"), (secure.as_str(), "https")] {
        let web = format!("//- http://a.test/\n{page}{https}");
        let mut world = World::new(&web, &["https://a.test/"]);
        world.options.bare_seeds = world.options.seeds.clone();
        world.crawl().await;
        let kept: Vec<String> = world
            .rows()
            .into_iter()
            .filter(|row| row.reason == Reason::Kept)
            .map(|row| row.url)
            .collect();
        assert_eq!(kept, [format!("{expected}://a.test/")], "{https}");
        let plain = Url::parse("http://a.test/").expect("a URL");
        assert_eq!(world.requested().iter().any(|url| *url == plain.as_str()), expected == "http");
        // Without the seed's name alone there is one scheme only.
        world.options.bare_seeds.clear();
        let sure = World::new(&web, &["https://a.test/"]);
        sure.crawl().await;
        assert_eq!(sure.count(Reason::Kept), usize::from(expected == "https"));
    }
}

/// Somebody gives the crawl URLs while it runs, waits for what comes of each, and then ends it.
#[tokio::test]
async fn a_crawl_takes_seeds_while_it_runs_and_ends_when_no_more_can_come() {
    let text = r#"
//- http://a.test/1
<p>The first hit of a search engine. <a href=/2>two</a> <a rel=next href=/3>three</a>
//- http://a.test/2 status=301 | Location: http://b.test/moved
//- http://b.test/moved
<p>The second hit, which stands elsewhere by now.
"#;
    let mut world = World::new(text, &[]);
    let feed = SeedFeed::default();
    world.options.feed = Some(feed.clone());
    (world.options.floor, world.options.factor) = (Duration::from_millis(1), 0.0);
    (world.options.scope.mode, world.options.scope.depth) = (Mode::Focused, 0);
    let giver = std::thread::spawn(move || {
        let mut turns = 0;
        for url in ["http://a.test/1", "http://a.test/2"] {
            feed.give([Url::parse(url).unwrap()]);
            turns = feed.wait(turns, Duration::from_secs(9));
        }
        feed.close();
    });
    let summary = world.crawl().await;
    giver.join().unwrap();
    assert_eq!(summary.stopped, Stopped::Finished);
    world.check(&expect![[r#"
        http://a.test/1 kept
        http://a.test/2 redirect
        http://a.test/3 scope.depth
        http://b.test/moved kept
    "#]]);
}
