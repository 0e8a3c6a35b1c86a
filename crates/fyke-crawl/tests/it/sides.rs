//! Two sides of one host, with TLS and without: what fails on one closes nothing on the other.

use crate::servers::{listen, read_head};
use crate::web::World;
use fyke_crawl::{Control, Stopped, crawl_web};
use fyke_store::Reason;
use fyke_web::Url;
use std::time::Duration;
use tokio::io::AsyncWriteExt;

const PAGES: usize = 40;

/// The pages that a page leads to: they are a tree.
fn next(n: usize) -> impl Iterator<Item = usize> {
    (2 * n + 1..=2 * n + 2).filter(|n| *n < PAGES)
}

/// A host whose pages link to each other and to the other side, where nobody answers.
fn web(good: &str, bad: &str) -> String {
    let link = |scheme: &str, n: usize| format!("<a href={scheme}://a.test/{n}>{n}</a> ");
    let page = |n: usize| {
        let next: String = next(n).map(|n| link(good, n)).collect();
        let links = next + &link(bad, n) + &link(bad, n + 100);
        format!("//- {good}://a.test/{n}\n<p>Page {n} has a number of its own. {links}\n")
    };
    let silent = |path: &str| format!("//- {bad}://a.test/{path} fail=connect\n");
    let numbers = (0..=PAGES).chain(100..=100 + PAGES).map(|n| silent(&n.to_string()));
    let bad: String = numbers.chain([silent("robots.txt")]).collect();
    (0..PAGES).map(page).collect::<String>() + &bad
}

#[tokio::test(start_paused = true)]
async fn a_side_that_nobody_answers_on_leaves_all_pages_of_the_other() {
    for (good, bad) in [("http", "https"), ("https", "http")] {
        let seeds = [format!("{good}://a.test/0"), format!("{bad}://a.test/0")];
        let world = World::new(&web(good, bad), &seeds.each_ref().map(String::as_str));
        let summary = world.crawl().await;
        assert_eq!(summary.stopped, Stopped::Finished);
        assert_eq!(world.count(Reason::Kept), PAGES, "{good} is good");
        assert_eq!(world.count(Reason::RobotsUnreachable), 2 * PAGES, "{bad} is silent");
        world.check_polite(Duration::from_secs(1));
        let tried = |world: &World| {
            let robots = format!("{bad}://a.test/robots.txt");
            world.requested().iter().filter(|url| **url == robots).count()
        };
        assert_eq!(tried(&world), 5);
        // The next run gives the silent side another chance, and the good one has nothing left to do.
        let asked = world.requested().len();
        world.crawl().await;
        assert_eq!((tried(&world), world.requested().len()), (10, asked + 5));
    }
}

#[tokio::test(start_paused = true)]
async fn a_side_that_is_given_up_after_its_rules_were_known_leaves_the_other() {
    for (good, bad) in [("http", "https"), ("https", "http")] {
        let robots = format!("//- {bad}://a.test/robots.txt status=404\n");
        let web =
            web(good, bad).replace(&format!("//- {bad}://a.test/robots.txt fail=connect\n"), "");
        let seeds = [format!("{good}://a.test/0"), format!("{bad}://a.test/0")];
        let world = World::new(&(web + &robots), &seeds.each_ref().map(String::as_str));
        world.crawl().await;
        assert_eq!(world.count(Reason::Kept), PAGES, "{good} is good");
        assert_eq!(world.count(Reason::Connect), 2 * PAGES, "{bad} is given up");
        world.check_polite(Duration::from_secs(1));
        let collection = world.collection();
        let side = |is_secure| collection.ledger.side("a.test", is_secure).expect("readable");
        let failures = |is_secure| side(is_secure).map_or(0, |row| row.failures);
        assert_eq!(failures(good == "https"), 0);
        assert!(failures(bad == "https") >= 5);
    }
}

/// The first byte of a client that speaks TLS.
const TLS: u8 = 0x16;

/// As real servers are: they speak HTTP, and hang up on whoever tries TLS.
#[tokio::test]
async fn a_server_without_tls_gives_all_its_pages_though_they_link_to_https() {
    let socket = listen(|mut stream| async move {
        let mut first = [0];
        if stream.peek(&mut first).await.is_err() || first[0] == TLS {
            return;
        }
        while let Some(head) = read_head(&mut stream).await {
            let path = head.split_whitespace().nth(1).unwrap_or_default().to_owned();
            let number: usize = path.trim_start_matches('/').parse().unwrap_or(0);
            let next: String = next(number).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
            let secure = format!("<a href=https://a.test:1/{number}>the same with TLS</a>");
            let body = format!("<p>Page {number} of a server without TLS. {next}{secure}");
            let (status, body) = match path.as_str() {
                "/robots.txt" => ("404 Not Found", String::new()),
                _ => ("200 OK", body),
            };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n"
            );
            if stream.write_all((head + &body).as_bytes()).await.is_err() {
                return;
            }
        }
    })
    .await;
    let mut world = World::new("", &[]);
    world.options.seeds = vec![Url::parse("http://a.test:1/0").expect("a URL")];
    world.options.hosts = vec![("*.test".to_owned(), socket)];
    world.options.floor = Duration::ZERO;
    world.options.factor = 0.0;
    world.options.per_address = 0;
    world.options.retry_base = Duration::from_millis(1);
    let collection = world.collection();
    let done = crawl_web(&collection, &world.options, &mut |_| (), Control::new()).await;
    assert_eq!(done.expect("the store works").stopped, Stopped::Finished);
    drop(collection);
    assert_eq!(world.count(Reason::Kept), PAGES, "{}", world.ledger());
}
