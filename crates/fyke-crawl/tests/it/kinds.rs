//! Sites as common software makes them (`fyke_pond::kinds`): all documents come, no trap takes the crawl with it, and few
//! requests are spent on pages that say the same.

use crate::web::{Shared, World};
use fyke_crawl::WebInAString;
use fyke_pond::kinds::{self, HELD_OUT_KINDS, SITE_KINDS, SiteKind};
use fyke_store::{Reason, Row};
use fyke_web::Url;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Pages that a crawl of one site may ask for.
const BUDGET: u64 = 1_500;

fn world(kind: &SiteKind) -> World {
    let mut world = World::new("", &[&kind.seed()]);
    let made = |url: &str| kinds::page(url).map(|page| page.html);
    world.web = Shared(Arc::new(WebInAString::new("").with(made)));
    world.options.budget.pages = Some(BUDGET);
    world.options.scope.depth = 1_000;
    world
}

fn kind(name: &str) -> &'static SiteKind {
    SITE_KINDS.iter().find(|kind| kind.name == name).expect("a kind")
}

/// Pages asked for.
fn asked(world: &World) -> Vec<String> {
    let all = world.requested().into_iter();
    all.filter(|url| !url.ends_with("/robots.txt")).collect()
}

/// Documents that were fetched, under whatever URL.
fn found(world: &World, kind: &SiteKind) -> usize {
    let found: BTreeSet<usize> = asked(world).iter().filter_map(|url| kind.document(url)).collect();
    found.len()
}

/// The first row with this reason.
fn row(world: &World, reason: Reason) -> Row {
    world.rows().into_iter().find(|row| row.reason == reason).expect("a row")
}

#[tokio::test(start_paused = true)]
async fn every_kind_of_site_gives_all_its_documents_for_few_requests() {
    let mut misses = Vec::new();
    for kind in SITE_KINDS {
        let world = world(kind);
        world.crawl().await;
        let (found, asked) = (found(&world, kind), asked(&world).len());
        if found < kind.documents || asked > kind.most_requests {
            let all = kind.documents;
            misses.push(format!("{}: {found} of {all} documents, {asked} requests", kind.name));
        }
        world.check_polite(Duration::from_secs(1));
    }
    assert!(misses.is_empty(), "{misses:#?}");
}

#[tokio::test(start_paused = true)]
async fn kinds_that_no_rule_was_made_for_lose_no_document() {
    let mut misses = Vec::new();
    // A search that repeats in its results what was asked is new each time: the budget alone bounds it.
    for kind in HELD_OUT_KINDS.iter().filter(|kind| kind.name != "searches") {
        let world = world(kind);
        world.crawl().await;
        let found = found(&world, kind);
        if found < kind.documents {
            misses.push(format!("{}: {found} of {} documents", kind.name, kind.documents));
        }
        world.check_polite(Duration::from_secs(1));
    }
    assert!(misses.is_empty(), "{misses:#?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_left_out_says_why_with_the_numbers() {
    for (name, reason, words) in [
        ("calendar", Reason::TrapCalendar, "/events?date&view: "),
        ("months", Reason::TrapCalendar, " pages, "),
        ("copies", Reason::TrapSame, "found on copies of other pages: "),
        ("shop", Reason::TrapSame, "/list?"),
        ("blog", Reason::DupParameter, "\"replytocom\" changes nothing: "),
        ("manual", Reason::Mirror, "the version changes nothing: "),
        ("schemes", Reason::Mirror, "the scheme changes nothing: "),
    ] {
        let world = world(kind(name));
        world.crawl().await;
        let details: Vec<String> = world
            .rows()
            .into_iter()
            .filter(|row| row.reason == reason)
            .map(|row| row.detail)
            .collect();
        assert!(details.iter().any(|detail| detail.contains(words)), "{name}: {details:?}");
        assert!(details.iter().all(|detail| detail.contains(char::is_numeric)), "{details:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_next_run_knows_what_the_last_one_learned() {
    let world = world(kind("calendar"));
    world.crawl().await;
    let before = world.requested().len();
    let refused = world.count(Reason::TrapCalendar);
    // Those that were refused are judged again, as after a change of the rules.
    std::fs::remove_file(world.dir.path().join("ledger/scope")).expect("a note");
    world.crawl().await;
    let again: Vec<String> = world.requested().split_off(before);
    let pages = again.iter().filter(|url| !url.ends_with("/robots.txt")).count();
    assert!(refused > 0);
    assert_eq!((pages, world.count(Reason::TrapCalendar)), (0, refused), "{again:?}");
    // Without the note it begins to sample anew, and ends as soon.
    std::fs::remove_file(world.dir.path().join("ledger/scope")).expect("a note");
    std::fs::remove_file(world.dir.path().join("ledger/evidence")).expect("a note");
    world.crawl().await;
    let more = world.requested().len() - before - again.len();
    assert!((1..60).contains(&more), "{more}");
}

#[tokio::test(start_paused = true)]
async fn rows_that_were_refused_by_the_rules_of_before_are_judged_again() {
    let world = World::new(
        "//- http://a.test/\n<p>Home.\n//- http://a.test/1998/01\n<p>Old.",
        &["http://a.test/"],
    );
    world.crawl().await;
    let url = Url::parse("http://a.test/1998/01").expect("a URL");
    {
        let collection = world.collection();
        let old =
            Row { detail: "year 1998".into(), ..Row::new(url.as_str(), Reason::TrapCalendar, 0) };
        collection.ledger.find(url.id(), &old).expect("a disk");
        collection.sync().expect("a disk");
    }
    std::fs::write(world.dir.path().join("ledger/scope"), "of an earlier version").expect("a disk");
    world.crawl().await;
    assert_eq!(row(&world, Reason::Kept).url, "http://a.test/");
    assert_eq!(world.count(Reason::Kept), 2, "{}", world.ledger());
}

/// A calendar that goes on for ever, a page of which is given as the seed.
#[tokio::test(start_paused = true)]
async fn seeds_are_asked_for_whatever_others_like_them_brought() {
    let mut world = world(kind("calendar"));
    world.crawl().await;
    let seed = "http://calendar.kinds.test/events?date=19990101&view=month";
    world.options.seeds.push(Url::parse(seed).expect("a URL"));
    world.crawl().await;
    assert!(world.requested().iter().any(|url| url == seed));
}
