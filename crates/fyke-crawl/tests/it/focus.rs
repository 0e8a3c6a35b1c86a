//! Focused crawls of webs in a string: what they keep, how far they go, what they learn; time is simulated.

use crate::web::{World, tangle};
use fyke_crawl::{
    BudgetOptions, ENDLESS, FocusOptions, GUIDES, Mode, SpiderModel, Stopped, Targets,
};
use fyke_store::Reason;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

pub const HUM: &str =
    "Bees keep honey in the hive, and the hive keeps bees; honey is what bees make.";
/// The guide that looks ahead.
pub const FUTURE: usize = 3;
pub const ROAD: &str = "Cars stand in the road and wait for a light that is green for other cars.";

pub fn page(url: &str, title: &str, text: &str, links: &[(String, &str)]) -> String {
    let links = links.iter().map(|(url, anchor)| format!("<a href={url}>{anchor}</a> "));
    format!("//- {url}\n<title>{title}</title><p>{text}\n{}\n", links.collect::<String>())
}

pub fn focused(web: &str, seeds: &[&str], guide: usize, tunnel: u8) -> World {
    let mut world = World::new(web, seeds);
    world.options.scope.mode = Mode::Focused;
    world.options.floor = Duration::from_millis(10);
    world.options.factor = 0.0;
    world.options.focus = Some(FocusOptions {
        keywords: vec!["honey".to_owned(), "bees".to_owned()],
        guide: &GUIDES[guide],
        tunnel,
        ..FocusOptions::default()
    });
    world
}

/// A page about bees, then a chain of pages about cars over several hosts, then bees again.
pub fn chain(length: usize) -> String {
    let url = |n: usize| format!("http://h{n}.test/");
    let link = |n: usize| [(url(n + 1), "next")];
    let mut web = page(&url(0), "Bees", HUM, &link(0));
    for n in 1..=length {
        web += &page(&url(n), "Cars", &format!("{ROAD} Road {n}."), &link(n));
    }
    web + &page(&url(length + 1), "Honey", &format!("{HUM} At last."), &[])
}

#[tokio::test(start_paused = true)]
async fn targets_come_first_in_any_scope_and_all_else_is_kept_too() {
    let mut web = String::new();
    let links: Vec<(String, &str)> =
        (0..30).map(|n| (format!("http://a.test/{n}.html"), "more")).collect();
    let files: Vec<(String, &str)> =
        (0..3).map(|n| (format!("http://a.test/x/{n}.txt?v=1"), "file")).collect();
    web += &page("http://a.test/", "Home", ROAD, &[&links[..], &files[..]].concat());
    for (url, _) in links.iter().chain(&files) {
        web += &page(url, "Cars", &format!("{ROAD} {url}"), &[]);
    }
    let mut world = focused(&web, &["http://a.test/"], 3, 0);
    world.options.scope.mode = Mode::Site;
    let targets = Targets::new(&["*.txt?v=*".to_owned()], None).unwrap();
    let targets = Some(Arc::new(targets));
    world.options.focus =
        Some(FocusOptions { targets, tunnel: ENDLESS, ..FocusOptions::default() });
    world.crawl().await;
    let asked = world.requested();
    let place = |url: &str| asked.iter().position(|asked| asked == url).unwrap();
    let last = files.iter().map(|(url, _)| place(url)).max().unwrap();
    assert!(last < place("http://a.test/3.html"), "{asked:?}");
    assert_eq!(world.count(Reason::Kept), 34);
    assert_eq!(world.count(Reason::Offtopic), 0);
}

#[tokio::test(start_paused = true)]
async fn pages_off_the_subject_are_passed_through_to_a_bounded_distance() {
    for guide in 0..GUIDES.len() {
        for (length, reaches) in [(2, true), (3, false)] {
            let world = focused(&chain(length), &["http://h0.test/"], guide, 2);
            let summary = world.crawl().await;
            assert_eq!(summary.stopped, Stopped::Finished);
            let last = format!("http://h{}.test/", length + 1);
            assert_eq!(world.requested().contains(&last), reaches, "{length} by guide {guide}");
            assert_eq!(world.count(Reason::Kept), 1 + usize::from(reaches));
            assert_eq!(world.count(Reason::Offtopic), length);
            assert_eq!(world.count(Reason::ScopeSubject), usize::from(!reaches));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_too_far_is_queued_when_a_nearer_way_is_found() {
    let mut web = chain(3);
    // The last page of the chain is named by a page about bees, found late on a slow host.
    web = web.replace("//- http://h0.test/\n", "//- http://h0.test/\n<a href=http://z.test/>z</a>");
    let nearer = [("http://h4.test/".to_owned(), "honey")];
    web += &page("http://z.test/ slow=2000", "Bees", &format!("{HUM} Late."), &nearer);
    let world = focused(&web, &["http://h0.test/"], FUTURE, 2);
    world.crawl().await;
    assert_eq!((world.count(Reason::Kept), world.count(Reason::ScopeSubject)), (3, 0));
}

#[tokio::test(start_paused = true)]
async fn what_is_too_far_by_every_way_stays_refused() {
    let url = |n: usize| format!("http://h{n}.test/");
    let mut web = page(&url(0), "Bees", HUM, &[(url(1), "one"), (url(2), "two")]);
    for n in 1..=2 {
        web += &page(&url(n), "Cars", &format!("{ROAD} Road {n}."), &[(url(3), "far")]);
    }
    for guide in 0..GUIDES.len() {
        let world = focused(&web, &["http://h0.test/"], guide, 0);
        world.crawl().await;
        assert_eq!((world.count(Reason::Offtopic), world.count(Reason::ScopeSubject)), (2, 1));
        assert!(!world.requested().contains(&url(3)));
    }
}

/// One host with as many pages about bees as about cars; the anchors do not name the subject, and one
/// word of them tells which is which.
fn told_by_a_word(pages: usize) -> String {
    told_on("a.test", pages)
}

fn told_on(host: &str, pages: usize) -> String {
    let name = |n: usize| if n.is_multiple_of(2) { "apiary" } else { "garage" };
    let url = |n: usize| format!("http://{host}/{}/{n}", n % 10);
    let links: Vec<_> = (1..=pages).map(|n| (url(n), name(n))).collect();
    let mut web = page(&format!("http://{host}/"), "Bees and honey", HUM, &links);
    for n in 1..=pages {
        let (title, text) = if n.is_multiple_of(2) { ("Bees", HUM) } else { ("Cars", ROAD) };
        web += &page(&url(n), title, &format!("{text} Number {n}."), &[(url(n + 1), name(n + 1))]);
    }
    web
}

#[tokio::test(start_paused = true)]
async fn the_learned_guide_finds_out_which_words_lead_to_the_subject() {
    let mut harvests = Vec::new();
    for guide in [0, FUTURE] {
        let mut world = focused(&told_by_a_word(200), &["http://a.test/"], guide, 3);
        world.options.budget = BudgetOptions { pages: Some(80), ..BudgetOptions::default() };
        assert_eq!(world.crawl().await.stopped, Stopped::Budget);
        harvests.push(world.count(Reason::Kept));
    }
    assert!(harvests[0] < 45, "breadth-first takes them as they come: {harvests:?}");
    assert!(harvests[1] > 60, "the guide learns: {harvests:?}");
}

#[tokio::test(start_paused = true)]
async fn a_focused_crawl_goes_on_where_it_stopped_and_asks_for_nothing_twice() {
    let whole = focused(&told_by_a_word(40), &["http://a.test/"], FUTURE, 3);
    whole.crawl().await;
    let mut parts = focused(&told_by_a_word(40), &["http://a.test/"], FUTURE, 3);
    for pages in (7..).step_by(7) {
        parts.options.budget = BudgetOptions { pages: Some(pages), ..BudgetOptions::default() };
        if parts.crawl().await.stopped == Stopped::Finished {
            break;
        }
    }
    let pages = |world: &World| -> Vec<String> {
        world.requested().into_iter().filter(|url| !url.ends_with("robots.txt")).collect()
    };
    let asked = pages(&parts);
    let different: BTreeSet<&String> = asked.iter().collect();
    assert_eq!(different.len(), asked.len(), "none twice");
    assert_eq!(different, pages(&whole).iter().collect());
    parts.check_polite(Duration::from_millis(10));
}

#[tokio::test]
async fn guides_and_threads_change_nothing_about_manners() {
    for guide in 0..GUIDES.len() {
        for threads in [1, 3] {
            let mut world =
                focused(&tangle(|n| n % 3), &["http://h0.test/0", "http://h1.test/1"], guide, 200);
            world.options.threads = threads;
            let summary = world.crawl().await;
            assert_eq!(summary.stopped, Stopped::Finished);
            world.check_polite(Duration::from_millis(10));
            assert!(!world.requested().contains(&"http://h1.test/9".to_owned()), "robots.txt");
            assert!(world.count(Reason::Offtopic) > 10);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_recorded_elsewhere_teaches_before_the_first_fetch() {
    let recorded = World::new(&told_on("b.test", 60), &["http://b.test/"]);
    recorded.crawl().await;
    let mut harvests = Vec::new();
    for learn_from in [Vec::new(), vec![recorded.dir.path().to_owned()]] {
        let mut world = focused(&told_by_a_word(200), &["http://a.test/"], FUTURE, 3);
        let focus = world.options.focus.take().expect("a subject");
        world.options.focus = Some(FocusOptions { learn_from, ..focus });
        world.options.budget = BudgetOptions { pages: Some(16), ..BudgetOptions::default() };
        world.crawl().await;
        harvests.push(world.count(Reason::Kept));
    }
    assert!(harvests[0] <= 12, "it has yet to learn: {harvests:?}");
    assert_eq!(harvests[1], 16, "it knows the words");
}

#[tokio::test(start_paused = true)]
async fn what_one_crawl_learned_another_begins_with() {
    let earlier = focused(&told_on("b.test", 200), &["http://b.test/"], FUTURE, 3);
    earlier.crawl().await;
    let bytes = std::fs::read(earlier.dir.path().join("guide.model")).expect("what it learned");
    let model = SpiderModel::from_bytes(&bytes).expect("a model");
    assert!(model.trained_on.starts_with("a crawl (201 pages"), "{}", model.trained_on);
    let mut harvests = Vec::new();
    for model in [None, Some(model)] {
        let mut world = focused(&told_by_a_word(200), &["http://a.test/"], FUTURE, 3);
        let focus = world.options.focus.take().expect("a subject");
        world.options.focus = Some(FocusOptions { model, ..focus });
        world.options.budget = BudgetOptions { pages: Some(16), ..BudgetOptions::default() };
        world.crawl().await;
        harvests.push(world.count(Reason::Kept));
    }
    assert!(harvests[0] <= 12, "it has yet to learn: {harvests:?}");
    assert!(harvests[1] >= 15, "it knows the words: {harvests:?}");
    let unguided = focused(&told_by_a_word(4), &["http://a.test/"], 0, 3);
    unguided.crawl().await;
    assert!(!unguided.dir.path().join("guide.model").exists(), "nothing was learned");
}

#[tokio::test(start_paused = true)]
async fn example_pages_stand_in_for_keywords() {
    let mut world = focused(&told_by_a_word(60), &["http://a.test/"], FUTURE, 3);
    let examples = vec![("Bees".to_owned(), HUM.to_owned()), ("Honey".to_owned(), HUM.to_owned())];
    let keywords = Vec::new();
    world.options.focus = Some(FocusOptions { keywords, examples, ..FocusOptions::default() });
    world.crawl().await;
    let is_right = |url: &str, reason: Reason| {
        let number: usize = url.rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        (reason == Reason::Kept) == number.is_multiple_of(2)
    };
    let rows = world.rows();
    let fetched = rows.iter().filter(|row| row.status == 200);
    assert!(fetched.filter(|row| !is_right(&row.url, row.reason)).count() == 0);
}
