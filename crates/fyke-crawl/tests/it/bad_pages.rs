//! Hosts with bad pages: what a page does says nothing of the others, until many do the same.

use crate::web::World;
use fyke_crawl::Stopped;
use fyke_store::Reason;
use std::time::Duration;

const GAP: Duration = Duration::from_secs(1);

/// A host whose home links to so many pages; `head` says how each answers.
fn web(pages: usize, head: impl Fn(usize) -> &'static str) -> String {
    let links: String = (0..pages).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let page =
        |n| format!("//- http://a.test/{n} {}\n<p>Page {n} has a text of its own.\n", head(n));
    format!("//- http://a.test/\n{links}\n{}", (0..pages).map(page).collect::<String>())
}

fn times_asked(world: &World, path: &str) -> usize {
    world.requested().iter().filter(|url| url.ends_with(path)).count()
}

#[tokio::test(start_paused = true)]
async fn pages_that_never_answer_cost_their_host_no_good_page() {
    let silent = "fail=timeout slow=20000";
    for (first, step) in [(0, 1), (30, 1), (0, 13)] {
        let bad =
            move |n: usize| n >= first && n < first + 5 * step && (n - first).is_multiple_of(step);
        let world = World::new(&web(65, |n| if bad(n) { silent } else { "" }), &["http://a.test/"]);
        let summary = world.crawl().await;
        assert_eq!((summary.stopped, summary.given_up), (Stopped::Finished, 0));
        assert_eq!(world.count(Reason::Kept), 61, "{first} {step}: {}", world.ledger());
        assert_eq!(world.count(Reason::Timeout), 5);
        assert_eq!(times_asked(&world, &format!("/{first}")), 3);
        world.check_polite(GAP);
    }
}

#[tokio::test(start_paused = true)]
async fn pages_that_always_fail_do_not_hold_up_the_rest() {
    for (is_mixed, most) in [(true, 150), (false, 200)] {
        let bad = move |n: usize| if is_mixed { n.is_multiple_of(4) } else { n < 25 };
        let head = |n| if bad(n) { "status=500" } else { "" };
        let world = World::new(&web(100, head), &["http://a.test/"]);
        let summary = world.crawl().await;
        assert_eq!((summary.stopped, summary.queued), (Stopped::Finished, 0));
        assert_eq!(world.count(Reason::Kept), 76);
        assert_eq!((world.count(Reason::Http5xx), times_asked(&world, "/24")), (25, 3));
        let seen = world.web.0.requests();
        let is_good = |url: &str| {
            let number = url.rsplit('/').next().and_then(|number| number.parse().ok());
            number.is_some_and(|number| !bad(number))
        };
        let last = seen.iter().rfind(|seen| is_good(&seen.url)).expect("good pages");
        let after = last.end - seen[0].start;
        assert!(after < Duration::from_secs(most), "the last good page came after {after:?}");
        world.check_polite(GAP);
    }
}

#[tokio::test(start_paused = true)]
async fn a_host_that_falls_silent_is_given_up_and_what_is_left_is_counted() {
    // Its robots.txt is silent too when the host is looked after.
    let robots = "//- http://a.test/robots.txt status=404\n//- http://a.test/robots.txt fail=timeout slow=20000\n";
    let web = robots.to_owned() + &web(40, |_| "fail=timeout slow=20000");
    let world = World::new(&web, &["http://a.test/"]);
    let summary = world.crawl().await;
    assert_eq!(world.count(Reason::Kept), 1);
    assert!(world.requested().len() <= 2 + 5 + 5 + 1, "{:?}", world.requested());
    assert!(summary.given_up >= 35, "{}", summary.given_up);
    // One whose pages are all silent is given up though its robots.txt comes.
    let world = World::new(&web.replace(robots, ""), &["http://a.test/"]);
    let summary = world.crawl().await;
    assert!(summary.given_up > 0 && times_asked(&world, "/39") == 0, "{:?}", world.requested());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_fails_at_every_page_is_asked_ever_more_seldom() {
    let world = World::new(&web(200, |_| "status=500"), &["http://a.test/"]);
    let summary = world.crawl().await;
    assert_eq!(summary.stopped, Stopped::Finished);
    assert!(summary.queued > 0, "the rest waits for the next run");
    let asked = world.requested().len();
    assert!(asked < 60, "{asked} requests");
}

#[tokio::test(start_paused = true)]
async fn a_body_that_stalls_or_breaks_off_is_asked_for_once_more() {
    let web = r#"
//- http://a.test/
<a href=/cut>c</a> <a href=/half>h</a> <a href=/stalls>s</a> <a href=/slow>s</a>
//- http://a.test/cut cut
<p>Half a page
//- http://a.test/cut
<p>Half a page, and here is the other half.
//- http://a.test/half cut
<p>This one never comes whole
//- http://a.test/stalls slow=90000
//- http://a.test/stalls
<p>The second time it came.
//- http://a.test/slow slow=90000
"#;
    let world = World::new(web, &["http://a.test/"]);
    world.crawl().await;
    world.check(&expect_test::expect![[r#"
        http://a.test/ kept
        http://a.test/cut kept
        http://a.test/half kept cut short: disconnect
        http://a.test/slow timeout slow
        http://a.test/stalls kept
    "#]]);
    for path in ["/cut", "/half", "/slow", "/stalls"] {
        assert_eq!(times_asked(&world, path), 2, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_host_that_refuses_in_mid_crawl_is_asked_ever_more_seldom_and_loses_nothing() {
    // From the twentieth page on it refuses everything, for an hour and more.
    let refused = |n| if n >= 20 { "status=403" } else { "" };
    let world = World::new(&web(120, refused), &["http://a.test/"]);
    let summary = world.crawl().await;
    assert_eq!((summary.stopped, world.count(Reason::Kept)), (Stopped::Finished, 21));
    assert!(summary.queued > 85, "{} queued", summary.queued);
    assert!(world.requested().len() < 60, "{} requests", world.requested().len());
    let host = world.collection().ledger.side("a.test", false).expect("read").expect("a side");
    assert!(host.waits.contains("403"), "{}", host.waits);
    world.check_polite(GAP);
}

#[tokio::test(start_paused = true)]
async fn a_folder_that_is_closed_to_everybody_costs_no_good_page_and_no_time() {
    let mut web = String::from("//- http://a.test/\n<p>Home. ");
    for n in 0..30 {
        web += &format!("<a href=/user/{n}x>u</a> <a href=/news/{n}x>n</a> ");
    }
    for n in 0..30 {
        web += &format!(
            "\n//- http://a.test/user/{n}x status=403\nNo.\n//- http://a.test/news/{n}x\n<p>News {n}.\n"
        );
    }
    let world = World::new(&web, &["http://a.test/"]);
    let summary = world.crawl().await;
    assert_eq!((summary.stopped, summary.queued), (Stopped::Finished, 0));
    assert_eq!((world.count(Reason::Kept), world.count(Reason::Http4xx)), (31, 30));
    assert_eq!(world.requested().len(), 62, "nothing is asked for twice");
}

#[tokio::test(start_paused = true)]
async fn a_host_that_answers_nothing_but_errors_leaves_its_urls_to_the_next_run_and_says_when() {
    // One page, many pages, no robots.txt.
    let robots = "//- http://a.test/robots.txt status=503\n";
    let one = "//- http://a.test/ status=500\n".to_owned();
    let many = web(40, |_| "status=503");
    for (web, kept) in [(one.clone(), 0), (many, 1), (robots.to_owned() + &one, 0)] {
        let world = World::new(&web, &["http://a.test/"]);
        let summary = world.crawl().await;
        let left = summary.queued + summary.rest;
        assert_eq!(world.count(Reason::Kept) as u64 + left, summary.known, "{}", world.ledger());
        assert_eq!(world.count(Reason::Kept), kept);
        assert!(summary.queued == 0 || summary.goes_on.is_some());
        assert_eq!(world.crawl().await.known, summary.known, "nothing is lost");
    }
    let good =
        World::new(&web(30, |n| if n == 7 { "status=500" } else { "" }), &["http://a.test/"]);
    assert_eq!(good.crawl().await.rest, 0, "one bad page is no reason to come back");
    let gone = World::new("//- http://a.test/robots.txt fail=connect\n", &["http://a.test/"]);
    assert_eq!(gone.crawl().await.rest, 0, "nobody is there");
}
