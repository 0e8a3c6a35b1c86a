//! Search forms: what is behind one is found, what may do harm is not sent, and nothing is sent unless a host is named.

use fyke_crawl::fetch::{Address, Captured, Failed, Outcome, Request};
use fyke_crawl::{
    BudgetOptions, Control, CrawlOptions, Fetch, FormOptions, SitemapChoice, WebInAString, crawl,
};
use fyke_pond::deep::{CATALOGUE, RECORDS, record_path};
use fyke_pond::{AnswerKind, Ask, Body, Pond};
use fyke_store::{Collection, Reason, Row, RowKind};
use fyke_web::{Capture, Url};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;

/// The catalogue without a network, and what was asked of it.
#[derive(Clone)]
struct Catalogue {
    pond: Arc<Pond>,
    names: Arc<WebInAString>,
    asked: Arc<Mutex<Vec<String>>>,
    harmful: Arc<Mutex<Vec<String>>>,
}

impl Catalogue {
    fn new() -> Catalogue {
        let (asked, harmful) = (Arc::default(), Arc::default());
        let names = Arc::new(WebInAString::new(""));
        Catalogue { pond: Arc::new(Pond::deep(7)), names, asked, harmful }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }

    /// Records among the first requests.
    fn found(&self, requests: usize) -> usize {
        let records: BTreeSet<String> = (0..RECORDS).map(record_path).collect();
        let found: BTreeSet<String> = self.asked().into_iter().take(requests).collect();
        found.intersection(&records).count()
    }
}

impl Fetch for Catalogue {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.names.resolve(url).await
    }

    async fn fetch(&self, request: Request) -> Outcome {
        let url = request.url;
        let answer = self.pond.answer(&Ask::get(url.host(), url.path_and_query()));
        let path = url.path_and_query().to_owned();
        match answer.kind {
            AnswerKind::Robots => {}
            AnswerKind::Harmful => self.harmful.lock().expect("no panic").push(path),
            _ => self.asked.lock().expect("no panic").push(path),
        }
        let Body::Bytes(payload) = answer.body else { panic!("no plain body") };
        let headers = answer.headers.into_iter().map(|(name, value)| (name.to_owned(), value));
        let (status, headers, time) = (answer.status, headers.collect(), request.now);
        let capture = Capture { url, time, status, headers, payload, truncated: None };
        let request = b"GET / HTTP/1.1\r\n\r\n".to_vec();
        Outcome::Captured(Captured { capture, request, elapsed: Duration::from_millis(1) })
    }
}

fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let dir = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    let dir = dir.expect("a folder");
    std::fs::write(dir.path().join("fyke.toml"), "").expect("a file");
    dir
}

/// Crawls the catalogue, up to so many pages.
async fn crawled(dir: &TempDir, web: &Catalogue, forms: FormOptions, pages: u64) -> Vec<Row> {
    let options = CrawlOptions {
        seeds: vec![Url::parse(&format!("http://{CATALOGUE}/")).expect("a URL")],
        budget: BudgetOptions { pages: Some(pages), ..BudgetOptions::default() },
        sitemaps: SitemapChoice::Off,
        asks_for_missing: false,
        forms,
        ..CrawlOptions::default()
    };
    let collection = Collection::open(dir.path()).expect("a collection");
    let done = crawl(&collection, web.clone(), &options, &mut |_| (), Control::new()).await;
    done.expect("the store works");
    let rows = collection.ledger.rows().map(|row| row.expect("a row").1);
    rows.collect()
}

fn named() -> FormOptions {
    FormOptions { hosts: vec![CATALOGUE.to_owned()], queries: 1_000 }
}

#[tokio::test(start_paused = true)]
async fn what_is_behind_a_search_form_is_found_and_nothing_harmful_is_sent() {
    let (dir, web) = (folder(), Catalogue::new());
    let rows = crawled(&dir, &web, named(), 20_000).await;
    let found = web.found(2 * RECORDS);
    assert!(found * 10 >= RECORDS * 9, "{found} of {RECORDS} within two requests a record");
    assert!(web.harmful.lock().expect("no panic").is_empty());
    let under = |reason: Reason| rows.iter().filter(move |row| row.reason == reason);
    assert!(under(Reason::FormTried).count() > 20);
    assert!(under(Reason::FormTried).all(|row| row.kind == RowKind::Query));
    let refused: BTreeSet<&str> =
        under(Reason::FormRefused).map(|row| row.url.split('?').next().expect("a path")).collect();
    let forms = ["basket", "comment", "delete", "enter", "order", "unsubscribe"];
    let expected = forms.map(|path| format!("http://{CATALOGUE}/{path}"));
    assert_eq!(refused, expected.iter().map(String::as_str).collect());
    assert!(under(Reason::FormRefused).all(|row| row.tries == 0 && !row.detail.is_empty()));
}

#[tokio::test(start_paused = true)]
async fn no_form_is_sent_unless_its_host_is_named() {
    for hosts in [Vec::new(), vec!["other.test".to_owned()]] {
        let (dir, web) = (folder(), Catalogue::new());
        let forms = FormOptions { hosts, queries: 1_000 };
        let rows = crawled(&dir, &web, forms, 20_000).await;
        assert_eq!(web.asked(), ["/"]);
        assert!(rows.iter().all(|row| row.kind != RowKind::Query), "{rows:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_budgets_hold_and_the_next_run_goes_on_with_what_it_knows() {
    let (dir, web) = (folder(), Catalogue::new());
    crawled(&dir, &web, FormOptions { queries: 3, ..named() }, 20_000).await;
    let queries = || web.asked().iter().filter(|path| path.starts_with("/search")).count();
    // Options of the select, and no further pages of them.
    assert_eq!(queries(), 3);
    let (dir, web) = (folder(), Catalogue::new());
    crawled(&dir, &web, named(), 40).await;
    assert!(web.asked().len() <= 40, "{}", web.asked().len());
    let before = web.found(usize::MAX);
    crawled(&dir, &web, named(), 20_000).await;
    assert!(web.found(usize::MAX) > before + RECORDS / 2);
    let mut asked = web.asked();
    let all = asked.len();
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), all, "nothing is asked twice");
}

#[tokio::test(start_paused = true)]
async fn a_host_that_is_not_named_any_more_is_not_asked_what_waits() {
    let (dir, web) = (folder(), Catalogue::new());
    // Its home, and no room for the query that comes then.
    crawled(&dir, &web, named(), 1).await;
    let rows = crawled(&dir, &web, FormOptions::default(), 20_000).await;
    assert_eq!(web.asked(), ["/"]);
    let queries =
        rows.iter().filter(|row| row.kind == RowKind::Query && row.detail.contains("any more"));
    assert_eq!(queries.map(|row| row.reason).collect::<Vec<_>>(), [Reason::FormRefused]);
}
