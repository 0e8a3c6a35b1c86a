//! URLs that are asked for again. Time is simulated.

use crate::web::World;
use fyke_crawl::{RevisitOptions, Stopped, Summary};
use fyke_store::{Reason, Row, WarcRecords};
use std::time::Duration;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

fn world(web: &str, seeds: &[&str]) -> World {
    let mut world = World::new(web, seeds);
    world.options.revisit =
        RevisitOptions { soonest: HOUR, every: DAY, ..RevisitOptions::by_age() };
    world
}

/// Crawls again after a time.
async fn after(world: &World, time: Duration) -> Summary {
    tokio::time::advance(time).await;
    world.crawl().await
}

fn row(world: &World, url: &str) -> Row {
    world.rows().into_iter().find(|row| row.url == url).expect("a row")
}

/// The kinds of the records in the WARC file, requests left out.
fn kinds(world: &World) -> Vec<String> {
    let path = world.dir.path().join("captures/00000.warc.gz");
    let records = WarcRecords::open(&path, 0, u64::MAX).expect("a file");
    let kinds = records.map(|part| {
        let record = part.record.expect("a record");
        let profile = record.header("WARC-Profile").and_then(|uri| uri.rsplit('/').next());
        let kind = record.header("WARC-Type").expect("a type");
        profile.map_or(kind.to_owned(), |profile| format!("{kind} {profile}"))
    });
    kinds.filter(|kind| kind != "request" && kind != "warcinfo").collect()
}

const SITE: &str = r#"
//- http://a.test/ | ETag: "1"
<title>Home</title><p>Home of the nets. <a href=/same>same</a> <a href=/new>new</a> <a href=/gone>gone</a>
//- http://a.test/same
<title>Same</title><p>What stands here stays as it is.
//- http://a.test/new | ETag: "a"
<title>New</title><p>The first text of a page that will have another.
//- http://a.test/new | ETag: "b"
<title>New</title><p>The second text of that page. <a href=/more>more</a>
//- http://a.test/more
<title>More</title><p>A page that was not there at first.
//- http://a.test/gone
<title>Gone</title><p>A page that will go.
//- http://a.test/gone status=404
gone
"#;

#[tokio::test(start_paused = true)]
async fn a_second_crawl_asks_for_what_is_due_and_keeps_what_it_finds() {
    let world = world(SITE, &["http://a.test/"]);
    world.crawl().await;
    assert_eq!(world.requested().len(), 5, "robots.txt and four pages");
    let summary = after(&world, Duration::from_secs(60)).await;
    assert_eq!((summary.again, world.requested().len()), (0, 5), "nothing is due");
    let summary = after(&world, 100 * DAY).await;
    assert_eq!((summary.stopped, summary.again, summary.changed), (Stopped::Finished, 4, 1));
    // The home page and the new one were asked for by their validators, which the others do not have.
    let conditional: Vec<String> =
        world.web.0.requests().into_iter().filter(|r| r.is_conditional).map(|r| r.url).collect();
    assert_eq!(conditional, ["http://a.test/", "http://a.test/new"]);
    let mut found = kinds(&world)[4..].to_vec();
    found.sort();
    let expected =
        ["response", "response", "revisit identical-payload-digest", "revisit server-not-modified"];
    assert_eq!(found, expected, "two pages as they were, one other, one more");
    let home = row(&world, "http://a.test/");
    assert_eq!((home.reason, home.visited, home.changed, home.status), (Reason::Kept, 2, 1, 200));
    assert_eq!(row(&world, "http://a.test/new").changed, 2);
    assert_eq!(row(&world, "http://a.test/more").reason, Reason::Kept);
    world.check_polite(Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_page_is_gone_when_two_looks_in_a_row_say_so() {
    let world = world(SITE, &["http://a.test/"]);
    world.crawl().await;
    after(&world, 100 * DAY).await;
    let once = row(&world, "http://a.test/gone");
    assert_eq!((once.reason, once.missed), (Reason::Kept, 1), "one look is not enough");
    let summary = after(&world, 2 * HOUR).await;
    let twice = row(&world, "http://a.test/gone");
    assert_eq!((summary.gone, twice.reason, twice.status), (1, Reason::Gone, 404));
    let asked = world.requested().len();
    after(&world, 2 * DAY).await;
    assert!(!world.requested()[asked..].contains(&"http://a.test/gone".to_owned()));
    after(&world, 100 * DAY).await;
    assert!(world.requested()[asked..].contains(&"http://a.test/gone".to_owned()));
    assert_eq!(row(&world, "http://a.test/gone").reason, Reason::Gone);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_fails_takes_nothing_away_and_is_asked_less_and_less() {
    let pages = |n: usize| format!("http://a.test/{n}");
    let mut web = "//- http://a.test/\n<p>Home.".to_owned();
    (0..4).for_each(|n| web += &format!(" <a href=/{n}>{n}</a>"));
    for (n, trouble) in
        ["status=500", "fail=connect", "status=403", "fail=timeout"].iter().enumerate()
    {
        web += &format!(
            "\n//- {}\n<p>Text {n} that stays.\n//- {} {trouble}\nno\n",
            pages(n),
            pages(n)
        );
    }
    let world = world(&web, &["http://a.test/"]);
    world.crawl().await;
    let before: Vec<_> = (0..4).map(|n| row(&world, &pages(n)).capture).collect();
    for _ in 0..6 {
        after(&world, 90 * DAY).await;
    }
    for (n, before) in before.into_iter().enumerate() {
        let row = row(&world, &pages(n));
        assert_eq!(
            (row.reason, row.status, row.capture),
            (Reason::Kept, 200, before),
            "{}",
            row.url
        );
        assert!(row.failed >= 2 && row.visited == 1, "{}: {} failures", row.url, row.failed);
    }
}

#[tokio::test(start_paused = true)]
async fn other_bytes_are_kept_but_only_another_text_is_a_change() {
    let page = |advertisement: &str, text: &str| {
        format!("//- http://a.test/\n<title>T</title><!-- {advertisement} --><p>{text}\n")
    };
    let long = "The tide turns twice a day, and with it the nets are hauled in. ".repeat(8);
    let web = page("one", &long)
        + &page("two", &long)
        + &page("three", &(long.clone() + "Then came the storm."));
    let world = world(&web, &["http://a.test/"]);
    world.crawl().await;
    assert_eq!(after(&world, 100 * DAY).await.changed, 0);
    let home = row(&world, "http://a.test/");
    assert_eq!((home.visited, home.changed), (2, 1));
    assert_eq!(after(&world, 100 * DAY).await.changed, 1);
    assert_eq!(row(&world, "http://a.test/").changed, 2);
    assert_eq!(kinds(&world), ["response"; 3]);
}

#[tokio::test(start_paused = true)]
async fn a_run_of_few_pages_shares_them_between_what_is_new_and_what_is_due() {
    let mut web = "//- http://a.test/\n<p>Home.".to_owned();
    (0..40).for_each(|n| web += &format!(" <a href=/{n}>{n}</a>"));
    (0..40).for_each(|n| web += &format!("\n//- http://a.test/{n}\n<p>Text {n}.\n"));
    let mut world = world(&web, &["http://a.test/"]);
    world.options.budget.run_pages = Some(20);
    assert_eq!(world.crawl().await.pages_fetched, 20);
    let summary = after(&world, 100 * DAY).await;
    assert_eq!((summary.pages_fetched, summary.again), (10, 10));
    let summary = after(&world, 100 * DAY).await;
    assert_eq!((summary.pages_fetched, summary.again), (10, 10));
    let summary = after(&world, 100 * DAY).await;
    assert_eq!((summary.pages_fetched, summary.again), (1, 19), "one page was new");
}

#[tokio::test(start_paused = true)]
async fn a_used_up_budget_of_pages_does_not_keep_old_ones_from_being_looked_at() {
    let mut web = "//- http://a.test/\n<p>Home.".to_owned();
    (0..40).for_each(|n| web += &format!(" <a href=/{n}>{n}</a>"));
    (0..40).for_each(|n| web += &format!("\n//- http://a.test/{n}\n<p>Text {n}.\n"));
    let mut world = world(&web, &["http://a.test/"]);
    world.options.budget.pages = Some(10);
    assert_eq!(world.crawl().await.stopped, Stopped::Budget);
    let summary = after(&world, 100 * DAY).await;
    assert_eq!((summary.again, summary.budget_pages_used), (10, 10));
    assert_eq!(world.count(Reason::Queued), 31);
}

/// A time before the second look and after the first: tests begin at the time there is.
fn tomorrow() -> String {
    let day = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24);
    format!("{day:.0}")
}

#[tokio::test(start_paused = true)]
async fn a_sitemap_is_read_again_and_what_it_calls_newer_is_asked_for_in_the_same_run() {
    let sitemap = |date: &str, more: &str| {
        format!(
            "<urlset><url><loc>http://a.test/p</loc><lastmod>{date}</lastmod></url>{more}</urlset>\n"
        )
    };
    let more = "<url><loc>http://a.test/q</loc></url>";
    let web = format!(
        "//- http://a.test/robots.txt | Content-Type: text/plain\nSitemap: http://a.test/map.xml\n\
         //- http://a.test/\n<p>Home.\n\
         //- http://a.test/p\n<p>The first text.\n//- http://a.test/p\n<p>The second text.\n\
         //- http://a.test/q\n<p>One more page.\n\
         //- http://a.test/map.xml | Content-Type: application/xml\n{}\
         //- http://a.test/map.xml | Content-Type: application/xml\n{}",
        sitemap("2001-01-01", ""),
        sitemap(&tomorrow(), more),
    );
    let mut world = world(&web, &["http://a.test/"]);
    // By their rates pages are not due.
    world.options.revisit.every = 900 * DAY;
    world.options.revisit.latest = 900 * DAY;
    world.crawl().await;
    let mut sitemap = row(&world, "http://a.test/map.xml");
    sitemap.due = Some(0);
    {
        let collection = world.collection();
        let id = fyke_web::Url::parse(&sitemap.url).expect("a URL").id();
        collection.ledger.put(id, None, &sitemap).expect("a disk");
        collection.sync().expect("a disk");
    }
    let asked = world.requested().len();
    after(&world, 2 * DAY).await;
    let asked = world.requested()[asked..].to_vec();
    assert!(asked.contains(&"http://a.test/map.xml".to_owned()), "{asked:?}");
    assert!(asked.contains(&"http://a.test/q".to_owned()), "{asked:?}");
    assert!(asked.contains(&"http://a.test/p".to_owned()), "{asked:?}");
    assert!(!asked.contains(&"http://a.test/".to_owned()), "{asked:?}");
    assert_eq!(row(&world, "http://a.test/p").changed, 2);
}

#[tokio::test(start_paused = true)]
async fn a_redirect_takes_a_page_away_at_the_second_look() {
    let web = "//- http://a.test/\n<p>Home. <a href=/p>p</a>\n//- http://a.test/p\n<p>A text.\n\
               //- http://a.test/p status=302 | Location: /login\n\n//- http://a.test/login\n<p>Who are you?\n";
    let world = world(web, &["http://a.test/"]);
    world.crawl().await;
    after(&world, 100 * DAY).await;
    assert_eq!(
        (row(&world, "http://a.test/p").reason, row(&world, "http://a.test/p").missed),
        (Reason::Kept, 1)
    );
    after(&world, 2 * HOUR).await;
    assert_eq!(row(&world, "http://a.test/p").reason, Reason::Redirect);
    assert_eq!(row(&world, "http://a.test/login").reason, Reason::Kept);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_leads_to_itself_with_a_cookie_stays_and_is_asked_for_with_it() {
    let cookie = "//- http://a.test/p status=302 | Location: /p | Set-Cookie: s=1\n\n";
    let text = "//- http://a.test/p\n<p>What is behind the cookie stays as it is.\n";
    let for_ever = "//- http://a.test/p status=302 | Location: /p\n\n";
    let web =
        ["//- http://a.test/\n<p>Home. <a href=/p>p</a>\n", cookie, text, cookie, text, for_ever];
    let world = world(&web.concat(), &["http://a.test/"]);
    world.crawl().await;
    after(&world, 100 * DAY).await;
    let page = row(&world, "http://a.test/p");
    assert_eq!((page.reason, page.visited, page.missed, page.failed), (Reason::Kept, 2, 0, 0));
    for _ in 0..4 {
        after(&world, 100 * DAY).await;
    }
    let page = row(&world, "http://a.test/p");
    assert_eq!((page.reason, page.missed), (Reason::Kept, 0), "no cookie, no page, nothing lost");
    world.check_polite(Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_page_that_cannot_be_read_once_stays_until_the_next_look() {
    let page = "//- http://a.test/p\n<p>A text that can be read.\n";
    let bytes = "//- http://a.test/p | Content-Type: application/octet-stream\n\u{1}\u{2}\u{3}\n";
    let web =
        ["//- http://a.test/\n<p>Home. <a href=/p>p</a>\n", page, bytes, page, bytes, bytes, page];
    let world = world(&web.concat(), &["http://a.test/"]);
    world.crawl().await;
    let mut stands = Vec::new();
    for time in [100 * DAY, 2 * HOUR, 100 * DAY, 2 * HOUR, 100 * DAY] {
        after(&world, time).await;
        let page = row(&world, "http://a.test/p");
        stands.push((page.reason.name(), page.missed));
    }
    let expected = [("kept", 1), ("kept", 0), ("kept", 1), ("type", 0), ("kept", 0)];
    assert_eq!(stands, expected);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_always_says_that_nothing_has_changed_is_found_out() {
    const LIAR: &str = r#"
//- http://a.test/ | ETag: "1"
<title>Tides</title><p>The first text of a page whose server never changes its mark.
//- http://a.test/ | ETag: "1"
<title>Tides</title><p>The second text, which the mark of the server does not tell of.
//- http://b.test/ | ETag: "1"
<title>Moon</title><p>A page that stays as it is, and whose server says so.
"#;
    let world = world(LIAR, &["http://a.test/", "http://b.test/"]);
    for _ in 0..40 {
        after(&world, 4 * DAY).await;
    }
    let (liar, honest) = (row(&world, "http://a.test/"), row(&world, "http://b.test/"));
    assert!(liar.lies && liar.changed == 2, "{liar:?}");
    assert!(!honest.lies && honest.changed == 1, "{honest:?}");
    let requests = world.web.0.requests();
    let whole =
        |url: &str| requests.iter().filter(|seen| seen.url == url && !seen.is_conditional).count();
    assert!(whole("http://b.test/") <= 1 + 40 / 16, "{}", whole("http://b.test/"));
    assert!(whole("http://a.test/") >= 20, "it is not believed any more");
}
