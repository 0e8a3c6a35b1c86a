//! The whole loop against a small web and an engine that is good, or bad in one way.

use crate::engine::{engine, settings};
use crate::small_web::{Manner, SmallPage, SmallWeb, two_languages};
use fyke_crawl::Control;
use fyke_lab::collect::{
    self, CollectEnd, CollectEvent, CollectJob, CollectLimits, CollectLog, CollectNow,
    CollectStart, JudgedSample, JudgedUrl,
};
use fyke_stages::config::Config;
use fyke_stages::hit_options;
use fyke_store::{Collection, Reason};
use fyke_web::Url;
use std::path::Path;
use std::time::Duration;

/// Pages of each language.
const EACH: usize = 30;

const LIMITS: CollectLimits = CollectLimits {
    wanted: None,
    queries: None,
    depth: 30,
    ahead: 3,
    host_pages: None,
    patience: Duration::from_secs(20),
};

/// A collection's folder.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("fyke.toml"), "").expect("a file");
    std::fs::create_dir_all(collect::folder(folder.path())).expect("a folder");
    folder
}

fn start(run: u32) -> CollectStart {
    let text = "blima blamo bloma baluo biloima blimesa blamima balua bilo bilima blomo blima";
    CollectStart {
        run,
        lang: "x-bl".to_owned(),
        learner: "bandit".to_owned(),
        seed: u64::from(run),
        texts: vec![text.repeat(3)],
        others: vec!["krixu kraxe kroxint karuost kiro".to_owned()],
        ..CollectStart::default()
    }
}

/// Runs until an end, and gives it with how it stands.
fn run(web: &SmallWeb, root: &Path, limits: CollectLimits) -> (CollectEnd, CollectNow) {
    run_by(web, root, limits, &settings(&[]))
}

/// The same by these settings.
fn run_by(
    web: &SmallWeb,
    root: &Path,
    limits: CollectLimits,
    config: &Config,
) -> (CollectEnd, CollectNow) {
    run_from(web, root, (limits, start(1)), config)
}

/// The same from this start.
fn run_from(
    web: &SmallWeb,
    root: &Path,
    (limits, start): (CollectLimits, CollectStart),
    config: &Config,
) -> (CollectEnd, CollectNow) {
    let collection = Collection::open(root).expect("a collection");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let engine = runtime.block_on(engine(web, &collect::folder(root), None));
    let url = Url::parse(&web.address).expect("a URL");
    let crawl = hit_options(config, Some(&url)).expect("options");
    let mut log = CollectLog::open(root).expect("a log");
    let start = CollectStart { engine: engine.name.clone(), ..start };
    let (stop, engine_host) = (Control::new(), None);
    let job =
        CollectJob { collection: &collection, engine, engine_host, crawl, start, limits, stop };
    collect::collect(job, &mut log, &mut |_, _| ()).expect("it runs")
}

fn notes(now: &CollectNow) -> String {
    now.notes.join("; ")
}

#[test]
fn pages_of_the_language_are_found_and_kept_and_others_stand_under_their_reason() {
    let web = SmallWeb::start(two_languages(2 * EACH), Manner::Good);
    let folder = folder();
    let (end, now) = run(&web, folder.path(), LIMITS);
    assert!(matches!(end, CollectEnd::Stuck | CollectEnd::Fallen), "{end:?}");
    assert!(now.found >= 27, "{now:?}");
    assert!(now.precision() > 0.85, "{now:?}");
    let collection = Collection::open(folder.path()).unwrap();
    let counts = collection.ledger.counts().unwrap();
    assert_eq!(counts.get(&Reason::Kept).copied(), Some(now.found));
    assert_eq!(counts.get(&Reason::Lang).copied().unwrap_or(0), now.wrong);
    assert!(web.asked.lock().unwrap().pages.values().all(|count| *count == 1));
    let queries = web.queries();
    let mut once = queries.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), queries.len(), "no query is sent twice");
}

#[test]
fn a_run_that_was_cut_goes_on_without_asking_twice() {
    let web = SmallWeb::start(two_languages(2 * EACH), Manner::Good);
    let folder = folder();
    let few = CollectLimits { wanted: Some(8), ..LIMITS };
    assert_eq!(run(&web, folder.path(), few).0, CollectEnd::Wanted);
    // The end of what was written is lost, as by a kill.
    let log = folder.path().join("collect/steps.jsonl");
    let steps = std::fs::read(&log).unwrap();
    std::fs::write(&log, &steps[..steps.len() - 30]).unwrap();
    let (_, now) = run(&web, folder.path(), LIMITS);
    assert!(now.found >= 27, "{now:?}");
    let events = CollectLog::read(folder.path()).unwrap();
    let mut urls: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            CollectEvent::Document(document) => Some(document.url.as_str()),
            _ => None,
        })
        .collect();
    let all = urls.len();
    urls.sort_unstable();
    urls.dedup();
    assert_eq!((urls.len(), all as u64), (all, now.documents), "each document is counted once");
    let asked = web.asked.lock().unwrap();
    assert!(asked.pages.iter().all(|(path, count)| path == "/robots.txt" || *count == 1));
    let mut queries = asked.queries.clone();
    queries.sort_unstable();
    let all = queries.len();
    queries.dedup();
    assert_eq!(queries.len(), all, "no query is sent twice");
}

#[test]
fn an_engine_that_does_not_understand_signs_is_asked_in_another_way() {
    let pages = || two_languages(2 * EACH);
    let web = SmallWeb::start(pages(), Manner::NoMinus);
    let (_, now) = run(&web, folder().path(), LIMITS);
    assert!(notes(&now).contains("ignores \"-\"") && now.found >= 20, "{now:?}");
    assert!(web.queries().iter().skip(4).all(|query| !query.contains(" -")));
    let web = SmallWeb::start(pages(), Manner::AnyWord);
    let (_, now) = run(&web, folder().path(), LIMITS);
    assert!(notes(&now).contains("one word is sent at a time") && now.found > 10, "{now:?}");
    let is_one =
        |query: &String| query.split(' ').filter(|word| word.starts_with('+')).count() == 1;
    assert!(web.queries().iter().skip(4).all(is_one));
    let web = SmallWeb::start(pages(), Manner::Repeats);
    let (_, now) = run(&web, folder().path(), LIMITS);
    assert!(notes(&now).contains("more than once") && now.found >= 20, "{now:?}");
}

#[test]
fn an_engine_that_stops_answering_ends_the_run_which_goes_on_later() {
    let check = |manner, part: &str| {
        let web = SmallWeb::start(two_languages(2 * EACH), manner);
        let folder = folder();
        let (end, now) = run(&web, folder.path(), LIMITS);
        assert!(matches!(end, CollectEnd::Engine(_)), "{manner:?}: {end:?}");
        assert!(end.words().contains(part), "{}", end.words());
        assert!(now.found > 0 && now.end == end.words());
    };
    check(Manner::Limited(6, "9999"), "wait of 9999 s");
    check(Manner::HtmlErrors(6), "cannot be read");
    check(Manner::Dies(6), "without an answer");
}

#[test]
fn where_no_hit_ever_comes_the_run_ends_and_says_so() {
    let web = SmallWeb::start(two_languages(2 * EACH), Manner::Silent);
    let (end, now) = run(&web, folder().path(), LIMITS);
    assert_eq!((end, now.found), (CollectEnd::NoHits, 0));
    // Words of no language.
    let web = SmallWeb::start(vec![("other words altogether".to_owned(), true)], Manner::Good);
    assert_eq!(run(&web, folder().path(), LIMITS).0, CollectEnd::NoHits);
}

#[test]
fn dead_hits_are_counted_and_told_of() {
    let pages: Vec<SmallPage> =
        two_languages(4 * EACH).into_iter().map(|(text, _)| (text, false)).collect();
    let web = SmallWeb::start(pages, Manner::Good);
    let (_, now) = run(&web, folder().path(), LIMITS);
    assert_eq!((now.found, now.wrong), (0, 0));
    assert!(now.dead > 20 && notes(&now).contains("could not be fetched"), "{now:?}");
}

#[test]
fn limits_hold_and_a_stop_is_heard() {
    let web = SmallWeb::start(two_languages(2 * EACH), Manner::Good);
    let few = CollectLimits { queries: Some(3), ..LIMITS };
    let (end, now) = run(&web, folder().path(), few);
    assert_eq!((end, now.queries), (CollectEnd::Queries, 3));
}

#[test]
fn a_batch_says_when_a_query_is_left() {
    let looked = |batch| {
        let web = SmallWeb::start(two_languages(2 * EACH), Manner::NoMinus);
        let few = CollectLimits { queries: Some(4), ..LIMITS };
        let batch = CollectStart { batch, learner: "OR-1".to_owned(), ..start(1) };
        run_from(&web, folder().path(), (few, batch), &settings(&[])).1.documents
    };
    // One hit of a query at a time, until all known queries are used up, or all at once: the same in the end.
    assert!(looked(Some(0)) >= 4 && looked(Some(9)) >= looked(Some(1)));
}

#[test]
fn a_judged_sample_tells_the_error_and_teaches_the_filter() {
    // A dialect that the filter takes for the language.
    let mut pages = two_languages(2 * EACH);
    for number in 0..26 {
        let words: Vec<String> = (0..24)
            .map(|at| format!("blim{} blam{}", ["ax", "ox"][at % 2], (b'a' + number) as char))
            .collect();
        pages.push((words.join(" ") + " blima blamo", true));
    }
    let web = SmallWeb::start(pages, Manner::Good);
    let folder = folder();
    let (_, now) = run(&web, folder.path(), LIMITS);
    assert!(now.found > 45, "{now:?}");
    let collection = Collection::open(folder.path()).unwrap();
    let mut log = CollectLog::open(folder.path()).unwrap();
    let sample = collect::sample(&log.events, 36);
    assert_eq!(sample.len(), 36);
    let is_right = |url: &String| {
        let text = collect::text(&collection, url).unwrap();
        !text.contains("blimax")
    };
    let judged: Vec<JudgedUrl> =
        sample.iter().map(|url| JudgedUrl { url: url.clone(), is_right: is_right(url) }).collect();
    let wrong = judged.iter().filter(|one| !one.is_right).count() as u64;
    assert!(wrong >= 3, "{wrong} of the dialect in the sample");
    let rejected = collect::judge(&collection, &mut log, &judged).unwrap();
    assert!(rejected > wrong, "{rejected} for {wrong}: others like them go, too");
    let told = JudgedSample::of(&log.events);
    assert_eq!((told.judged, told.right), (36, 36 - wrong));
    let after = collect::read_now(folder.path()).unwrap();
    assert_eq!(after.found, now.found - rejected);
    assert!(after.sample.contains("random sample of 36"));
    let counts = collection.ledger.counts().unwrap();
    assert_eq!(counts.get(&Reason::Kept).copied(), Some(after.found));
    assert!(collect::sample(&log.events, 100).iter().all(|url| !sample.contains(url)));
    drop((collection, log));
    let (_, again) = run(&web, folder.path(), LIMITS);
    let collection = Collection::open(folder.path()).unwrap();
    let counts = collection.ledger.counts().unwrap();
    assert_eq!(counts.get(&Reason::Kept).copied(), Some(again.found), "what went stays away");
    assert!(again.found < now.found);
}

#[test]
fn pages_off_the_subject_of_a_collection_do_not_count() {
    let mut pages = two_languages(2 * EACH);
    for (text, _) in pages.iter_mut().step_by(4) {
        *text = format!("tidal turbine {text} tidal turbine tidal turbine");
    }
    let web = SmallWeb::start(pages, Manner::Good);
    let folder = folder();
    let config = settings(&["scope.mode=focused", "focus.keywords=[\"tidal turbine\"]"]);
    let (_, now) = run_by(&web, folder.path(), LIMITS, &config);
    assert!(now.off >= 5 && now.found >= 5, "{now:?}");
    let collection = Collection::open(folder.path()).unwrap();
    let counts = collection.ledger.counts().unwrap();
    assert_eq!(counts.get(&Reason::Offtopic).copied(), Some(now.off));
    assert_eq!(counts.get(&Reason::Kept).copied(), Some(now.found));
    for url in collect::sample(&CollectLog::read(folder.path()).unwrap(), 100) {
        assert!(collect::text(&collection, &url).unwrap().contains("tidal"), "{url}");
    }
}

#[test]
fn hosts_where_much_was_found_are_crawled_once_queries_bring_no_more() {
    let web = SmallWeb::start(two_languages(4 * EACH), Manner::Good);
    let folder = folder();
    // Few hits of a query are looked at, so most pages are left to be found by links.
    let few = CollectLimits { queries: Some(4), depth: 4, ..LIMITS };
    let (end, queried) = run(&web, folder.path(), few);
    assert_eq!((end, queried.host_pages), (CollectEnd::Queries, 0));
    assert!(queried.found >= 3 && queried.precision() >= 0.8, "{queried:?}");
    let few = CollectLimits { queries: Some(0), ..few };
    let crawled = CollectLimits { host_pages: Some(12), ..few };
    let (end, now) = run(&web, folder.path(), crawled);
    assert_eq!(
        (end, now.queries, now.found),
        (CollectEnd::Queries, queried.queries, queried.found)
    );
    assert!(now.host_pages == 12 && now.host_found >= 9, "{now:?}");
    // It is played again and nothing is fetched twice; then it goes on.
    let (_, again) = run(&web, folder.path(), crawled);
    assert_eq!((again.host_pages, again.host_found), (12, now.host_found));
    let (_, more) = run(&web, folder.path(), CollectLimits { host_pages: Some(500), ..few });
    assert!(more.host_found > now.host_found, "{more:?}");
    assert!(web.asked.lock().unwrap().pages.values().all(|count| *count == 1));
    let collection = Collection::open(folder.path()).unwrap();
    let kept = collection.ledger.counts().unwrap().get(&Reason::Kept).copied();
    assert_eq!(kept, Some(more.found + more.host_found));
    drop(collection);
    let wanted = Some(more.found + 5);
    let (end, _) = run(&web, folder.path(), CollectLimits { wanted, host_pages: Some(500), ..few });
    assert_eq!(end, CollectEnd::Wanted);
}
