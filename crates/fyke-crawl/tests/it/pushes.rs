//! Hubs (W3C WebSub): what they are asked, what is believed of what they bring, and that feeds are visited all the same.

use crate::web::World;
use fyke_crawl::credentials::{HostAccount, Secret};
use fyke_crawl::{PushOptions, RevisitOptions};
use fyke_store::{
    PushFolder, PushMessage, PushNews, Reason, Row, RowKind, Subscription, SubscriptionState,
};
use fyke_web::{Url, UrlId};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const FEED: &str = "http://a.test/feed";

/// A feed of items that names a hub.
fn feed(items: &str) -> String {
    format!(
        "<rss><channel><title>T</title><ttl>60</ttl>\
         <atom:link rel='hub' href='http://hub.test/ask'/><atom:link rel='self' href='{FEED}'/>\
         {items}</channel></rss>"
    )
}

fn item(path: &str) -> String {
    format!(
        "<item><title>About {path}</title><link>{path}</link><description>The text of {path}.</description></item>"
    )
}

fn world(hub: &str) -> World {
    let page = |path: &str| format!("//- http://a.test{path}\n<p>The whole page of {path}.\n");
    let web = format!(
        "//- {FEED} | Content-Type: application/rss+xml\n{}\n//- http://hub.test/ask {hub}\n{}",
        feed(&item("/one")),
        ["/one", "/two", "/three"].map(page).concat(),
    );
    let mut world = World::new(&web, &[FEED]);
    let callback = Url::parse("https://search.test").expect("a URL");
    world.options.push = Some(PushOptions { callback });
    world.options.revisit = RevisitOptions::by_age();
    world
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970");
    i64::try_from(since.as_millis()).expect("a time")
}

fn id() -> UrlId {
    Url::parse(FEED).expect("a URL").id()
}

fn hubs(world: &World) -> PushFolder {
    PushFolder::of(world.dir.path())
}

fn held(world: &World) -> Subscription {
    hubs(world).subscription(id()).expect("a row").expect("a subscription")
}

fn put(world: &World, news: PushNews, body: &str) {
    let token = held(world).token;
    let domain = Url::parse(FEED).expect("a URL").domain_hash();
    let body = body.as_bytes().to_vec();
    let message = PushMessage { feed: id().0, domain, token, time: now(), news, body };
    assert!(hubs(world).put(&message).expect("an inbox"));
}

fn bring(world: &World, body: &str) {
    put(world, PushNews::content("application/rss+xml", body.as_bytes()), body);
}

fn row(world: &World, meant: impl Fn(&Row) -> bool) -> Row {
    world.rows().into_iter().find(meant).expect("a row")
}

fn hub(world: &World) -> Row {
    row(world, |row| row.kind == RowKind::Hub)
}

fn posts(world: &World) -> Vec<String> {
    world.web.0.requests().into_iter().filter_map(|seen| seen.form).collect()
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_a_feed_names_is_asked_once_and_politely() {
    let world = world("status=202");
    world.crawl().await;
    world.crawl().await;
    let (held, posts) = (held(&world), posts(&world));
    assert_eq!(posts.len(), 1, "{posts:?}");
    let callback = format!(
        "hub.callback=https%3A%2F%2Fsearch.test%2Fpush%2F{:016x}%2F{}&",
        id().0,
        held.token
    );
    assert!(posts[0].contains(&callback), "{posts:?}");
    assert!(posts[0].contains(&format!("hub.secret={}", held.secret)), "{posts:?}");
    assert_eq!((&*held.topic, &held.state), (FEED, &SubscriptionState::Asked));
    let hub = hub(&world);
    assert_eq!((hub.reason, hub.status, hub.failed), (Reason::Type, 202, 1), "{}", hub.detail);
    assert_eq!(hub.parent, Some(id()));
    assert!(hub.due.is_some_and(|due| due > now()), "it is asked again if it does not confirm");
    assert_eq!(
        world.requested().iter().filter(|url| *url == "http://hub.test/robots.txt").count(),
        1
    );
    world.check_polite(world.options.floor);
    let text = format!("{hub:?}");
    assert!(!text.contains(&held.secret) && !text.contains(&held.token), "{text}");
}

#[tokio::test(start_paused = true)]
async fn no_hub_is_asked_without_a_callback_or_against_its_robots_txt() {
    let mut off = world("status=202");
    off.options.push = None;
    off.crawl().await;
    assert!(posts(&off).is_empty() && off.rows().iter().all(|row| row.kind != RowKind::Hub));
    assert_eq!(hubs(&off).subscription(id()).expect("a row"), None);
    let robots = "\n//- http://hub.test/robots.txt | Content-Type: text/plain\nUser-agent: *\nDisallow: /ask";
    let forbidden = world(&format!("status=202{robots}"));
    forbidden.crawl().await;
    assert!(posts(&forbidden).is_empty());
    assert_eq!(hub(&forbidden).reason, Reason::Robots);
}

/// Names an account for the host of the hub.
fn add_account(world: &mut World) {
    let header = Secret::new("Basic x").expect("a secret");
    world.options.credentials.add("hub.test", HostAccount::Header(header));
}

/// Writes a row as nothing but a run would.
fn write(world: &World, row: &Row) {
    let collection = world.collection();
    let url = Url::parse(&row.url).expect("a URL");
    collection.ledger.put(url.id(), None, row).expect("a row");
    collection.sync().expect("a disk");
}

#[tokio::test(start_paused = true)]
async fn a_host_with_an_account_is_no_hub() {
    let mut named = world("status=202");
    add_account(&mut named);
    named.crawl().await;
    assert!(posts(&named).is_empty() && named.rows().iter().all(|row| row.kind != RowKind::Hub));
    assert_eq!(hubs(&named).subscription(id()).expect("a row"), None);
    // Nor is one that has got it since.
    let mut later = world("status=202");
    later.crawl().await;
    write(&later, &Row { due: Some(now() - 1), ..hub(&later) });
    add_account(&mut later);
    later.crawl().await;
    assert_eq!(posts(&later).len(), 1);
    assert_eq!(hub(&later).due, None);
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_nothing_would_ask_again_is_asked_when_its_feed_is_visited() {
    // One item more at each visit.
    let visits = ["/one", "/two", "/three"].map(item);
    let visits = [1_usize, 2, 3].map(|items| {
        let feed = feed(&visits[..items].concat());
        format!("//- {FEED} | Content-Type: application/rss+xml\n{feed}\n")
    });
    let mut world = world("status=202");
    let web = format!("{}//- http://hub.test/ask status=202\n", visits.concat());
    world.web = World::new(&web, &[FEED]).web;
    world.crawl().await;
    let token = held(&world).token;
    // As after a run without a callback, and as after one in which its host was not reached.
    for (times, is_unseen) in [(2, false), (3, true)] {
        let hub = hub(&world);
        let fetched = hub.fetched.filter(|_| !is_unseen);
        write(&world, &Row { due: None, fetched, ..hub });
        let feed = row(&world, |row| row.url == FEED);
        write(&world, &Row { due: Some(now() - 1), ..feed });
        world.crawl().await;
        assert_eq!(posts(&world).len(), times);
    }
    assert_eq!(held(&world).token, token);
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_confirms_slows_visits_down_and_its_lease_is_renewed() {
    let world = world("status=202");
    world.crawl().await;
    let begun = now();
    put(&world, PushNews::Confirmed(4_000), "");
    world.crawl().await;
    let (held, hub) = (held(&world), hub(&world));
    assert_eq!(held.state, SubscriptionState::Held);
    assert!(held.holds(begun + 3_999_000) && !held.holds(held.until));
    let renewal = hub.due.expect("a time") - begun;
    assert!((3_000_000..3_060_000).contains(&renewal), "at three quarters: {renewal}");
    assert_eq!(hub.failed, 0);
    let feed = row(&world, |row| row.url == FEED).feed.expect("visits");
    assert_eq!(feed.push.map(|push| (push.doubled, push.until)), Some((0, held.until)));
    // When its time has come, it is asked again, with the same token.
    let collection = world.collection();
    let (url, _) = (Url::parse(&hub.url).expect("a URL"), ());
    let due = Row { due: Some(now() - 1), ..hub };
    collection.ledger.put(url.id(), None, &due).expect("a row");
    collection.sync().expect("a disk");
    drop(collection);
    world.crawl().await;
    let posts = posts(&world);
    assert_eq!(posts.len(), 2, "{posts:?}");
    assert_eq!(posts[0], posts[1]);
}

#[tokio::test(start_paused = true)]
async fn what_a_hub_brings_is_read_as_the_feed_and_its_pages_are_fetched() {
    let world = world("status=202");
    world.crawl().await;
    put(&world, PushNews::Confirmed(100_000), "");
    bring(&world, &feed(&item("/two")));
    world.crawl().await;
    assert!(hubs(&world).waiting().expect("an inbox").is_empty());
    let (feed_row, two) =
        (row(&world, |row| row.url == FEED), row(&world, |row| row.url.ends_with("/two")));
    assert_eq!(two.reason, Reason::Kept);
    assert_eq!(two.fed.map(|fed| fed.place), feed_row.capture);
    assert_eq!((feed_row.visited, feed_row.kind), (2, RowKind::Feed));
    let times = world.requested().iter().filter(|url| *url == FEED).count();
    assert_eq!(times, 1, "the feed itself was not asked for");
    let asked = feed_row.feed.and_then(|feed| feed.push?.asked);
    assert!(asked.is_some_and(|asked| asked <= feed_row.visits[1].time), "visits go on as planned");
    // The same once more is no news.
    bring(&world, &feed(&item("/two")));
    world.crawl().await;
    let after = held(&world);
    assert_eq!((after.messages, after.repeats), (2, 1));
    assert_eq!(row(&world, |row| row.url == FEED).visited, 2);
}

#[tokio::test(start_paused = true)]
async fn a_crawl_that_lingers_takes_in_what_a_hub_brings_meanwhile() {
    let mut world = world("status=202");
    world.crawl().await;
    world.options.lingers = Duration::from_secs(30);
    let begun = tokio::time::Instant::now();
    let later = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        bring(&world, &feed(&item("/three")));
    };
    tokio::join!(world.crawl(), later);
    let took = begun.elapsed();
    assert!(took >= Duration::from_secs(29), "{took:?}");
    assert_eq!(row(&world, |row| row.url.ends_with("/three")).reason, Reason::Kept);
}

#[tokio::test(start_paused = true)]
async fn what_is_no_feed_or_not_for_us_changes_nothing() {
    let world = world("status=202");
    world.crawl().await;
    let before = row(&world, |row| row.url == FEED);
    for body in ["", "<html><a href=/two>x</a>", "{}", "\u{0}\u{1}"] {
        bring(&world, body);
    }
    let token = "0".repeat(64);
    let news = PushNews::content("", b"stray");
    let domain = Url::parse(FEED).expect("a URL").domain_hash();
    for feed_id in [id().0, 7] {
        let (token, news, time) = (token.clone(), news.clone(), now());
        let body = feed(&item("/two")).into_bytes();
        let stray = PushMessage { feed: feed_id, domain, token, time, news, body };
        hubs(&world).put(&stray).expect("an inbox");
    }
    world.crawl().await;
    assert_eq!(row(&world, |row| row.url == FEED), before);
    assert!(world.rows().iter().all(|row| !row.url.ends_with("/two")));
    assert!(hubs(&world).waiting().expect("an inbox").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_refuses_or_fails_is_asked_again_much_later() {
    for (hub_says, reason) in [
        ("status=404", Reason::Http4xx),
        ("status=503", Reason::Http5xx),
        ("fail=connect", Reason::Connect),
    ] {
        let world = world(hub_says);
        world.crawl().await;
        let hub = hub(&world);
        assert_eq!(hub.reason, reason, "{hub_says}");
        assert!(hub.due.is_some_and(|due| due > now() + 3_000_000), "{hub_says}");
        assert_eq!(row(&world, |row| row.url.ends_with("/one")).reason, Reason::Kept);
    }
    let denied = world("status=202");
    denied.crawl().await;
    put(&denied, PushNews::Denied("no room".to_owned()), "");
    denied.crawl().await;
    assert_eq!(held(&denied).state, SubscriptionState::Refused("no room".to_owned()));
    assert!(hub(&denied).due.is_some_and(|due| due > now() + 86_400_000));
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_leaves_items_out_is_found_out_by_the_next_visit() {
    let first = feed(&item("/one"));
    let second = feed(&(item("/one") + &item("/two")));
    let web = format!(
        "//- {FEED} | Content-Type: application/rss+xml\n{first}\n\
         //- {FEED} | Content-Type: application/rss+xml\n{first}\n\
         //- {FEED} | Content-Type: application/rss+xml\n{second}\n\
         //- http://hub.test/ask status=202\n//- http://a.test/one\n<p>One.\n//- http://a.test/two\n<p>Two.\n"
    );
    let mut world = World::new(&web, &[FEED]);
    let callback = Url::parse("https://search.test").expect("a URL");
    world.options.push = Some(PushOptions { callback });
    world.options.revisit = RevisitOptions::by_age();
    world.crawl().await;
    put(&world, PushNews::Confirmed(1_000_000), "");
    world.crawl().await;
    let visit = async || {
        let collection = world.collection();
        let due = Row { due: Some(now() - 1), ..row_of(&collection) };
        collection.ledger.put(id(), None, &due).expect("a row");
        collection.sync().expect("a disk");
        drop(collection);
        world.crawl().await;
        let feed = row(&world, |row| row.url == FEED).feed.expect("visits");
        (feed.push.expect("a hub").doubled, held(&world).missed)
    };
    assert_eq!(visit().await, (1, 0), "nothing that the hub had not told");
    assert_eq!(visit().await, (0, 1), "an item that it left out");
    assert_eq!(row(&world, |row| row.url.ends_with("/two")).reason, Reason::Kept);
}

fn row_of(collection: &fyke_store::Collection) -> Row {
    collection.ledger.get(id()).expect("a ledger").expect("a row")
}
