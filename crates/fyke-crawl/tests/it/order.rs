//! In which order the URLs of a host are asked for.

use crate::web::World;
use fyke_crawl::{QueueOrder, Stopped};
use fyke_store::Reason;
use std::fmt::Write;
use std::time::Duration;

const PAGES: usize = 60;
/// Pages that each of these leads to.
const OWN: usize = 8;
const HUB: &str = "http://a.test/hub";

/// A home page with sixty pages, each of which leads to eight others; half of them lead to one page as well, which answers
/// as `hub` says.
fn web(hub: &str) -> String {
    let links: String = (0..PAGES).map(|n| format!("<a href=/p{n}>{n}</a> ")).collect();
    let mut web = format!("//- http://a.test/\n<p>Home. {links}\n{hub}");
    for n in 0..PAGES {
        let own = n * OWN..(n + 1) * OWN;
        let links: String = own.clone().map(|n| format!("<a href=/x{n}>{n}</a> ")).collect();
        let more = if n >= PAGES / 2 { "<a href=/hub>the hub</a>" } else { "" };
        writeln!(web, "//- http://a.test/p{n}\n<p>Page {n} of many. {links} {more}").expect("text");
        own.for_each(|n| writeln!(web, "//- http://a.test/x{n}\n<p>Leaf {n}.").expect("text"));
    }
    web
}

fn in_haste(web: &str, order: QueueOrder) -> World {
    let mut world = World::new(web, &["http://a.test/"]);
    (world.options.floor, world.options.factor) = (Duration::ZERO, 0.0);
    world.options.order = order;
    world
}

fn check_each_asked_once(world: &World) {
    let mut asked = world.requested();
    asked.sort();
    let all = asked.len();
    asked.dedup();
    assert_eq!(asked.len(), all, "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn a_page_that_many_link_to_comes_before_others_that_are_as_near() {
    let hub = format!("//- {HUB}\n<p>All roads lead here.\n");
    for (order, places) in [
        (QueueOrder::Worth, PAGES / 2..PAGES + PAGES / 3),
        (QueueOrder::Depth, PAGES * 5..PAGES * 6),
    ] {
        let world = in_haste(&web(&hub), order);
        assert_eq!(world.crawl().await.stopped, Stopped::Finished);
        let place = world.requested().iter().position(|url| url == HUB).expect("it is asked for");
        assert!(places.contains(&place), "{order:?}: {place}");
        assert_eq!(world.count(Reason::Kept), (1 + OWN) * PAGES + 2);
        check_each_asked_once(&world);
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_that_waits_to_be_tried_again_is_not_brought_forward() {
    let hub = format!("//- {HUB} status=500\n//- {HUB}\n<p>All roads lead here.\n");
    let world = in_haste(&web(&hub), QueueOrder::Worth);
    world.crawl().await;
    let seen = world.web.0.requests();
    let tries: Vec<_> = seen.iter().filter(|seen| seen.url == HUB).collect();
    assert_eq!(tries.len(), 2);
    assert!(tries[1].start - tries[0].end >= Duration::from_secs(1));
}

/// The last page that is asked for brings forward the only one that is left.
#[tokio::test(start_paused = true)]
async fn a_page_with_two_places_in_the_queue_is_asked_for_once() {
    let elsewhere: String =
        (0..60).map(|n| format!("<a href=http://b{n}.test/>{n}</a> ")).collect();
    let links: String = (0..8).map(|n| format!("<a href=/p{n}>{n}</a> ")).collect();
    let mut web = format!(
        "//- http://a.test/\n<p>Home. {links}\n//- {HUB}\n<p>All roads lead here.\n\
         //- http://a.test/p0\n<p>Page 0. <a href=/hub>the hub</a> {elsewhere}\n\
         //- http://a.test/p7\n<p>Page 7. <a href=/hub>the hub</a>\n"
    );
    (1..7).for_each(|n| writeln!(web, "//- http://a.test/p{n}\n<p>Page {n}.").expect("text"));
    let world = in_haste(&web, QueueOrder::Worth);
    world.crawl().await;
    assert_eq!(world.count(Reason::Kept), 10, "{}", world.ledger());
    check_each_asked_once(&world);
}

#[tokio::test(start_paused = true)]
async fn what_a_sitemap_says_of_its_pages_puts_them_in_order() {
    let entry = |n: usize| {
        let priority = if n >= 30 { "1.0" } else { ["0.1", "0.5"][n % 2] };
        format!("<url><loc>http://a.test/p{n}</loc><priority>{priority}</priority></url>")
    };
    let entries: String = (0..40).map(entry).collect();
    let mut web = format!(
        "//- http://a.test/robots.txt | Content-Type: text/plain\nSitemap: http://a.test/map.xml\n\
         //- http://a.test/map.xml | Content-Type: application/xml\n<urlset>{entries}</urlset>\n\
         //- http://a.test/\n<p>Home.\n"
    );
    (0..40).for_each(|n| writeln!(web, "//- http://a.test/p{n}\n<p>Page {n}.").expect("text"));
    let world = in_haste(&web, QueueOrder::Worth);
    world.crawl().await;
    let all = world.requested();
    let pages = all.iter().filter_map(|url| url.strip_prefix("http://a.test/p")?.parse().ok());
    let kinds: Vec<usize> = pages.map(|n: usize| if n >= 30 { 0 } else { 2 - n % 2 }).collect();
    assert_eq!(kinds.len(), 40);
    assert!(kinds.is_sorted(), "the best first: {kinds:?}");
}
