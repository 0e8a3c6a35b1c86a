//! Lists of many pages, and links that stand beside a page's text.

use crate::web::World;
use expect_test::expect;
use fyke_store::Reason;
use std::fmt::Write;

/// A list of `pages` pages with ten items each; `next` writes what leads from a page to the next, `head` what its
/// answer says.
fn list(pages: usize, head: fn(usize) -> String, next: fn(usize) -> String) -> String {
    let mut web = String::new();
    for page in 1..=pages {
        let url = if page == 1 { String::new() } else { format!("?page={page}") };
        let (head, next) = if page < pages { (head(page), next(page)) } else { Default::default() };
        writeln!(web, "//- http://a.test/{url}{head}\n<p>Page {page} of the list. {next}")
            .expect("text");
        for item in 0..10 {
            let n = 10 * page + item;
            writeln!(web, "<a href=/item/{n}/>item {n}</a>").expect("text");
        }
    }
    for n in 10..10 * (pages + 1) {
        writeln!(web, "//- http://a.test/item/{n}/\n<p>Item {n} is one of many.").expect("text");
    }
    web
}

async fn check(web: &str, items: usize) {
    let mut world = World::new(web, &["http://a.test/"]);
    (world.options.floor, world.options.factor) = (std::time::Duration::from_millis(1), 0.0);
    world.crawl().await;
    let found = world.rows().iter().filter(|row| row.url.contains("/item/")).count();
    assert_eq!((found, world.count(Reason::ScopeDepth)), (items, 0));
    assert!(world.rows().iter().all(|row| row.depth <= 2), "{:?}", world.rows().last());
}

#[tokio::test(start_paused = true)]
async fn every_page_of_a_long_list_is_as_near_as_the_first() {
    let none = |_| String::new();
    check(&list(100, none, |n| format!("<a href='?page={}'>{}</a>", n + 1, n + 1)), 1000).await;
    check(&list(50, none, |n| format!("<link rel=next href='?page={}'>", n + 1)), 500).await;
    check(&list(50, |n| format!(" | Link: </?page={}>; rel=\"next\"", n + 1), none), 500).await;
}

#[tokio::test(start_paused = true)]
async fn what_is_called_next_is_next_wherever_it_leads() {
    let mut web = String::from("//- http://a.test/\n<p>Start. <a href=/a0>first</a>\n");
    for n in 0..60 {
        // Addresses that tell nothing.
        let (here, there) = (n * 7919 % 1000, (n + 1) * 7919 % 1000);
        let there = format!("<a href=/a{there}>Next »</a> <a href=/b{n}>other</a>");
        writeln!(web, "//- http://a.test/a{here}\n<p>Leaf number {n}. {there}").expect("text");
    }
    let world = World::new(&web, &["http://a.test/"]);
    world.crawl().await;
    assert_eq!((world.count(Reason::Kept), world.count(Reason::ScopeDepth)), (61, 0));
}

#[tokio::test(start_paused = true)]
async fn other_links_count_and_so_does_the_next_page_of_a_calendar() {
    let mut web =
        String::from("//- http://a.test/\n<p>Start. <a href=/x0>x</a> <a href=/2020/01/>c</a>\n");
    for n in 0..40 {
        writeln!(web, "//- http://a.test/x{n}\n<p>Step {n}. <a href=/x{}>on</a>", (n + 1) * 3)
            .expect("text");
        let (year, month) = (2020 + n / 12, n % 12 + 1);
        let (next_year, next) = (2020 + (n + 1) / 12, (n + 1) % 12 + 1);
        writeln!(web, "//- http://a.test/{year}/{month:02}/\n<p>Month {n}. <a rel=next href=/{next_year}/{next:02}/>next</a>")
            .expect("text");
    }
    let mut world = World::new(&web, &["http://a.test/"]);
    world.options.scope.depth = 3;
    world.crawl().await;
    let deepest = world.rows().iter().map(|row| row.depth).max();
    assert_eq!(deepest, Some(4), "{}", world.ledger());
}

#[tokio::test(start_paused = true)]
async fn links_beside_the_text_are_followed() {
    let web = r#"
//- http://a.test/ | Link: </from-header>; rel=prev, </style.css>; rel=preload
<head><link rel=next href=/next><link rel=alternate hreflang=de href=/de><link rel=stylesheet href=/s.css>
<link rel=alternate type=application/rss+xml href=/feed></head><p>The home page of the tide mill.
//- http://a.test/next
<p>The next page.
//- http://a.test/de
<p>Die Seite der Gezeitenmühle.
//- http://a.test/from-header
<p>A page that only a header names.
"#;
    let world = World::new(web, &["http://a.test/"]);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/de kept
        http://a.test/feed http.4xx status 404
        http://a.test/from-header kept
        http://a.test/next kept
    "#]]);
}

#[tokio::test(start_paused = true)]
async fn a_page_with_too_many_links_says_that_some_were_left() {
    let links: String = (0..10_005).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let web = format!("//- http://a.test/\n<p>Many links. {links}\n");
    let mut world = World::new(&web, &["http://a.test/"]);
    world.options.budget.pages = Some(1);
    world.crawl().await;
    let rows = world.rows();
    let home = rows.iter().find(|row| row.url == "http://a.test/").expect("a row");
    assert_eq!(home.detail, "more than 10000 links: the others were not followed");
    assert_eq!(rows.len(), 10_001);
}
