//! Hosts that answer 200 to everything: what they say of pages they do not have is asked for, politely, and known again.

use crate::web::{Shared, World};
use fyke_crawl::fetch::{Address, Captured, Failed, Outcome, Request};
use fyke_crawl::{Control, CrawlProgress, Fetch, crawl};
use fyke_derive::whole::reasons;
use fyke_derive::{DeriveSettings, Eagerness, Orders, Step};
use fyke_store::{Reason, Row, RowKind};
use fyke_web::Url;
use std::collections::BTreeMap;
use std::time::Duration;

/// A web whose host a.test answers 200 to everything, with an apology that names what was asked for.
struct Apologising(Shared);

impl Fetch for Apologising {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.0.resolve(url).await
    }
    async fn fetch(&self, request: Request) -> Outcome {
        let url = request.url.clone();
        match self.0.fetch(request).await {
            Outcome::Captured(Captured { mut capture, request, elapsed })
                if capture.status == 404
                    && url.host() == "a.test"
                    && url.path() != "/robots.txt" =>
            {
                capture.status = 200;
                capture.headers = vec![("Content-Type".to_owned(), "text/html".to_owned())];
                let path = url.path();
                capture.payload = format!(
                    "<title>Page not found</title><p>Sorry, the page {path} could not be found. It may have been \
                     removed, renamed, or is not available now. Please check the address, go back to the home \
                     page, or write to the people who look after this site. Error 404."
                )
                .into_bytes();
                Outcome::Captured(Captured { capture, request, elapsed })
            }
            outcome => outcome,
        }
    }
}

/// Two hosts with eight good pages, some of them short, and four dead links each.
fn web() -> String {
    let mut web = String::new();
    for host in ["a", "b"] {
        let links: String = (0..8).map(|n| format!("<a href=/good{n}x>{n}</a> ")).collect();
        let dead: String = (0..4).map(|n| format!("<a href=/dead{n}x>{n}</a> ")).collect();
        web += &format!(
            "//- http://{host}.test/\n<title>Home</title><p>The home of {host}. {links}{dead}\n"
        );
        for n in 0..8 {
            let text = match n {
                0 => format!("{host} is closed on Mondays."),
                1 => format!(
                    "Sorry, the shop of {host} could not be found on the map. Please check the address."
                ),
                n => format!("Item {n} of {host} is made of wood number {n} and costs {n} coins."),
            };
            web += &format!("//- http://{host}.test/good{n}x\n<title>Good {n}</title><p>{text}\n");
        }
    }
    web
}

async fn crawled(world: &World) {
    let (collection, web) = (world.collection(), Apologising(world.web.clone()));
    let observe = &mut |_: &CrawlProgress| ();
    crawl(&collection, web, &world.options, observe, Control::new()).await.expect("it works");
}

/// The effective reasons of all pages, as analysis leaves them.
fn reasons(world: &World) -> BTreeMap<String, Reason> {
    let collection = world.collection();
    let settings = DeriveSettings { near_duplicate: 0.9, ..DeriveSettings::default() };
    let (pace, observe) = (Eagerness::Exact, &mut |_: Step| ());
    let mut orders = Orders { settings: &settings, pace, only: None, observe };
    fyke_derive::run(&collection, &mut orders).expect("made");
    let view = collection.view();
    let rows = collection.ledger.rows().map(|row| row.expect("a row"));
    let told = |(id, row): (_, Row)| {
        let reason = reasons::of_row(&view, id, &row).expect("read");
        (row.url, reason)
    };
    rows.map(told).collect()
}

#[tokio::test(start_paused = true)]
async fn error_pages_with_a_status_of_success_are_known_and_no_good_page_is_taken_for_one() {
    let mut world = World::new(&web(), &["http://a.test/", "http://b.test/"]);
    world.options.asks_for_missing = true;
    crawled(&world).await;
    world.check_polite(Duration::from_secs(1));
    let made_up: Vec<Row> =
        world.rows().into_iter().filter(|row| row.kind == RowKind::Missing).collect();
    let told = |row: &Row| (row.reason, row.status, row.capture.is_some());
    let told: Vec<_> = made_up.iter().map(told).collect();
    let (soft, hard) = ((Reason::Soft404, 200, true), (Reason::Http4xx, 404, true));
    assert_eq!(told, [soft, soft, hard, hard]);
    let reasons = reasons(&world);
    for n in 0..4 {
        assert_eq!(reasons[&format!("http://a.test/dead{n}x")], Reason::Soft404);
        assert_eq!(reasons[&format!("http://b.test/dead{n}x")], Reason::Http4xx);
    }
    let kept = reasons.values().filter(|reason| **reason == Reason::Kept).count();
    assert_eq!(kept, 18, "{reasons:?}");
    let collection = world.collection();
    let made_up = made_up.iter().map(|row| Url::parse(&row.url).expect("a URL").id());
    assert!(made_up.into_iter().all(|id| collection.documents.get(id).expect("read").is_none()));
}

#[tokio::test(start_paused = true)]
async fn made_up_paths_are_asked_for_once_and_count_as_no_pages() {
    let mut world = World::new(&web(), &["http://a.test/"]);
    world.options.asks_for_missing = true;
    for _ in 0..3 {
        crawled(&world).await;
    }
    let asked = world.web.0.requests().len();
    assert_eq!(asked, 1 + 13 + 2, "robots.txt, pages, made-up paths");
    let host = world.collection().ledger.host("a.test").expect("read").expect("a host");
    assert_eq!(host.pages, 13);
    let few = "//- http://a.test/\n<p>Home. <a href=/x>x</a>\n//- http://a.test/x\n<p>X.\n";
    let mut world = World::new(few, &["http://a.test/"]);
    world.options.asks_for_missing = true;
    crawled(&world).await;
    assert_eq!(world.web.0.requests().len(), 3, "too few pages to ask");
}

#[tokio::test(start_paused = true)]
async fn robots_txt_binds_made_up_paths_and_where_they_lead_is_not_followed() {
    let robots = "//- http://b.test/robots.txt | Content-Type: text/plain\n\
                  User-agent: *\nAllow: /good\nAllow: /$\nDisallow: /\n";
    let mut world = World::new(&(web() + robots), &["http://b.test/"]);
    world.options.asks_for_missing = true;
    crawled(&world).await;
    let made_up = world.rows().into_iter().filter(|row| row.kind == RowKind::Missing);
    let told: Vec<_> = made_up.map(|row| (row.reason, row.fetched)).collect();
    assert_eq!(told, [(Reason::Robots, None); 2]);
}
