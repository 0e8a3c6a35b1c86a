//! A crawl of two cells in one process finds what a crawl of one does: the same web in a string, simulated
//! time, letters by channel. No cell is ever asked for a URL of another.

use super::cell::{CrawlCell, cell_of};
use super::crawl_cells;
use crate::control::{Control, lock};
use crate::fetch::{Address, Failed, Fetch, Outcome, Request};
use crate::guide::FocusOptions;
use crate::options::{CrawlOptions, Stopped};
use crate::web_in_a_string::WebInAString;
use fyke_store::{Collection, Row};
use fyke_web::Url;
use std::sync::Arc;
use tempfile::TempDir;

/// The web, kept by the test while the crawl uses it.
struct KeptWeb(Arc<WebInAString>);

impl Fetch for KeptWeb {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.0.resolve(url).await
    }
    async fn fetch(&self, request: Request) -> Outcome {
        self.0.fetch(request).await
    }
}

/// What a crawl left.
#[derive(Debug, Default, PartialEq, Eq)]
struct Left {
    /// Every row: its URL, reason and detail.
    rows: Vec<String>,
    /// What was asked for, in order of names.
    requests: Vec<String>,
}

/// A row as it is compared.
fn told(row: &Row) -> String {
    format!("{} {} {}", row.url, row.reason.name(), row.detail)
}

/// Crawls a web with so many cells, to the end.
async fn crawl_with(cells: usize, web: &str, options: &CrawlOptions) -> Left {
    let dirs: Vec<TempDir> = (0..cells).map(|_| tempfile::tempdir().expect("a folder")).collect();
    let open = |dir: &TempDir| {
        std::fs::write(dir.path().join("fyke.toml"), "").expect("a file");
        Collection::open(dir.path()).expect("a collection")
    };
    let collections: Vec<Collection> = dirs.iter().map(open).collect();
    let numbered = collections.iter().enumerate();
    let cell = |(number, collection)| CrawlCell::new(collection, number, cells).expect("a cell");
    let crawled: Vec<CrawlCell<'_>> = numbered.map(cell).collect();
    let web = Arc::new(WebInAString::new(web));
    let (fetch, control) = (KeptWeb(Arc::clone(&web)), Control::new());
    let summary = crawl_cells(&crawled, fetch, options, &mut |_| (), control).await;
    let summary = summary.expect("the store works");
    assert_eq!(summary.stopped, Stopped::Finished);
    let mut left = Left::default();
    for cell in &crawled {
        for row in cell.ledger().rows() {
            let (id, row) = row.expect("a row");
            let url = Url::parse(&row.url).expect("a URL");
            assert_eq!(cell_of(url.domain_hash(), cells), cell.number, "{url} is another's");
            assert_eq!(url.id(), id);
            left.rows.push(told(&row));
        }
    }
    assert_eq!(summary.known, left.rows.len() as u64);
    for (cell, other) in crawled.iter().flat_map(|cell| crawled.iter().map(move |to| (cell, to))) {
        let looked_for = lock(&cell.looked_for);
        let mut foreign =
            looked_for.iter().filter_map(|id| other.ledger().get(*id).expect("a row"));
        let foreign = foreign.find(|_| cell.number != other.number).map(|row| row.url);
        assert_eq!(foreign, None, "cell {} looked for it", cell.number);
        assert!(!looked_for.is_empty(), "cell {} did nothing", cell.number);
    }
    left.rows.sort();
    left.requests = web.requests().into_iter().map(|seen| seen.url).collect();
    left.requests.sort();
    left
}

/// That two and three cells leave what one does; returns it.
async fn check(web: &str, options: &CrawlOptions) -> Left {
    let one = crawl_with(1, web, options).await;
    for cells in [2, 3] {
        assert_eq!(crawl_with(cells, web, options).await, one, "{cells} cells");
    }
    one
}

fn options(seeds: &[&str], allow: &[&str]) -> CrawlOptions {
    let seeds = seeds.iter().map(|url| Url::parse(url).expect("a URL")).collect();
    let mut options = CrawlOptions { seeds, factor: 0., threads: 1, ..CrawlOptions::default() };
    options.scope.allow = allow.iter().map(|&pattern| pattern.to_owned()).collect();
    options
}

#[tokio::test(start_paused = true)]
async fn links_over_the_border_of_cells_lead_to_the_same_pages() {
    // Twelve domains, so that some are in each cell.
    let host = |n: usize| format!("http://h{}.test", n % 12);
    let page = |n: usize| {
        let nofollow = if n % 5 == 1 { "rel=nofollow" } else { "" };
        let links = [n + 1, n * 7 + 3, n * 11 + 5].map(|to| {
            let to = to % 60;
            format!("<a {nofollow} href={}/{to}>page</a>", host(to))
        });
        format!("//- {}/{n}\n<p>Page {n} has words of its own. {}\n", host(n), links.concat())
    };
    let web: String = (0..50).map(page).collect();
    let found = check(&web, &options(&["http://h0.test/0"], &["*.test/**"])).await;
    let kept = found.rows.iter().filter(|row| row.contains(" kept ")).count();
    assert!(kept > 30, "{kept} of fifty pages: {:?}", found.rows);
}

#[tokio::test(start_paused = true)]
async fn sitemaps_over_the_border_of_cells_are_read_and_what_they_list_is_found() {
    let web: String = (0..8)
        .map(|n| {
            let next = (n + 3) % 8;
            let listed = [n, next].map(|at| {
                format!(
                    "<url><loc>http://s{at}.test/listed{n}</loc><lastmod>2024-05-0{}</lastmod></url>",
                    n + 1
                )
            });
            format!(
                "//- http://s{n}.test/robots.txt | Content-Type: text/plain\n\
                 Sitemap: http://s{next}.test/map{n}.xml\n\
                 //- http://s{n}.test/map{}.xml | Content-Type: application/xml\n\
                 <urlset>{}</urlset>\n\
                 //- http://s{n}.test/listed{n}\n<p>Listed by a sitemap of host {n}.\n",
                (n + 5) % 8,
                listed.concat(),
            )
        })
        .collect();
    let seeds = ["http://s0.test/", "http://s4.test/"];
    let found = check(&web, &options(&seeds, &["*.test/**"])).await;
    let listed = found.rows.iter().filter(|row| row.contains("/listed") && row.contains(" kept "));
    assert_eq!(listed.count(), 8, "{:?}", found.rows);
}

/// Pages at `hosts` domains that redirect as told, each by its number to another.
fn redirects(hosts: usize, to: impl Fn(usize) -> usize) -> String {
    let at = |n: usize| format!("http://r{n}.test/");
    let page = |n: usize| match to(n) {
        to if to == n => format!("//- {}\n<p>Page {n}, where redirects end.\n", at(n)),
        to => format!("//- {} status=302 slow={} | Location: {}\n", at(n), n * 37 % 90, at(to)),
    };
    (0..hosts).map(page).collect()
}

/// The rows of a crawl that begins at every page of [`redirects`].
async fn redirected(hosts: usize, to: impl Fn(usize) -> usize, reason: &str) -> usize {
    let seeds: Vec<String> = (0..hosts).map(|n| format!("http://r{n}.test/")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let found = check(&redirects(hosts, to), &options(&seeds, &["*.test/**"])).await;
    found.rows.iter().filter(|row| row.contains(reason)).count()
}

#[tokio::test(start_paused = true)]
async fn rings_of_redirects_over_the_border_of_cells_are_found_whole() {
    assert_eq!(redirected(5, |n| (n + 1) % 5, "a ring of 5").await, 5);
    assert_eq!(redirected(12, |n| n ^ 1, "a ring of 2").await, 12);
    // What leads into a ring is no part of it.
    assert_eq!(
        redirected(9, |n| if n < 6 { n + 1 } else { 6 + (n + 1) % 3 }, "a ring of 3").await,
        3
    );
    assert_eq!(redirected(9, |n| (n + 1).min(8), "redirect ").await, 8);
}

#[tokio::test(start_paused = true)]
async fn redirects_in_a_row_are_counted_over_the_border_of_cells() {
    let web = redirects(16, |n| (n + 1).min(15));
    let found = check(&web, &options(&["http://r0.test/"], &["*.test/**"])).await;
    let last = found.rows.iter().find(|row| row.contains("redirects in a row"));
    assert!(last.is_some_and(|row| row.starts_with("http://r10.test/")), "{:?}", found.rows);
}

#[tokio::test(start_paused = true)]
async fn sitemaps_that_redirect_in_a_ring_over_the_border_of_cells_come_to_an_end() {
    let web: String = (0..6)
        .map(|n| {
            format!(
                "//- http://m{n}.test/robots.txt | Content-Type: text/plain\n\
                 Sitemap: http://m{n}.test/map.xml\n\
                 //- http://m{n}.test/map.xml status=301 | Location: http://m{}.test/map.xml\n\
                 //- http://m{n}.test/\n<p>Home of host {n}.\n",
                (n + 1) % 6
            )
        })
        .collect();
    let seeds: Vec<String> = (0..6).map(|n| format!("http://m{n}.test/")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let found = check(&web, &options(&seeds, &["*.test/**"])).await;
    let rings = found.rows.iter().filter(|row| row.contains("a ring of 6")).count();
    assert_eq!(rings, 6, "{:?}", found.rows);
}

#[tokio::test(start_paused = true)]
async fn depths_over_the_border_of_cells_become_those_of_the_shortest_ways() {
    // A long way that is fast, and a short one that is slow: what lies behind is refused at first.
    let host = |n: usize| format!("http://d{}.test", n % 9);
    let page = |n: usize, slow: usize, to: &[usize]| {
        let link = |to: &usize| format!("<a href={}/{to}>on</a> ", host(*to));
        let links: String = to.iter().map(link).collect();
        format!("//- {}/{n} slow={slow}\n<p>Page {n} of the ways. {links}\n", host(n))
    };
    let mut web = page(0, 0, &[1, 20]) + &page(20, 20_000, &[5]);
    for n in 1..9 {
        web += &page(n, 0, &[n + 1]);
    }
    web += &page(9, 0, &[]);
    let mut options = options(&["http://d0.test/0"], &["*.test/**"]);
    options.scope.depth = 5;
    let found = check(&web, &options).await;
    let state = |n: usize| {
        let start = format!("{}/{n} ", host(n));
        let row = found.rows.iter().find_map(|row| row.strip_prefix(&start));
        row.map_or("unknown", |row| row.trim_end())
    };
    // By the long way page 6 is too far; by the short one page 5 is two links away, and page 8 five.
    assert_eq!([5, 6, 8, 9].map(state), ["kept", "kept", "kept", "scope.depth"]);
}

#[tokio::test(start_paused = true)]
async fn a_focused_crawl_over_the_border_of_cells_judges_and_learns_where_urls_belong() {
    let words = "The hive and the honey of bees: a beekeeper tends the bees and their honey.";
    let host = |n: usize| format!("http://f{}.test", n % 7);
    let page = |n: usize| {
        let (text, word) = match n % 3 {
            0 => (words, "honey of bees"),
            _ => ("Trams and rails of a town, with words about timetables.", "tram timetable"),
        };
        let link = |to: usize| format!("<a href={}/{to}>{word} {to}</a> ", host(to));
        let links: String = [n * 2 + 1, n * 2 + 2, n + 3].map(|to| link(to % 60)).concat();
        let moved = match n % 10 {
            4 => format!("status=301 | Location: {}/{}", host(n + 1), (n + 1) % 60),
            _ => String::new(),
        };
        format!(
            "//- {}/{n} {moved}\n<title>Page {n}</title><p>{text} Number {n}. {links}\n",
            host(n)
        )
    };
    let web: String = (0..60).map(page).collect();
    let mut options = options(&["http://f0.test/0"], &["*.test/**"]);
    let keywords = ["bees", "honey", "hive"].map(str::to_owned).to_vec();
    options.focus = Some(FocusOptions { keywords, tunnel: 9, ..FocusOptions::default() });
    // Which words were learned when depends on the order; what is fetched in the end does not.
    let mut fetched = Vec::new();
    for cells in [1, 2, 3] {
        let left = crawl_with(cells, &web, &options).await;
        fetched.push(left.requests);
    }
    assert!(fetched[0].len() > 40, "{:?}", fetched[0]);
    assert_eq!([&fetched[1], &fetched[2]], [&fetched[0]; 2]);
}
