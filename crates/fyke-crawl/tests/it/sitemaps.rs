//! Sitemaps that are large, or many.

use crate::web::{Shared, World};
use fyke_crawl::fetch::{Address, Failed, Outcome, Request};
use fyke_crawl::{Control, Fetch, Stopped, crawl};
use fyke_store::Reason;
use fyke_web::Url;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// A web that counts the bytes which the sitemaps under way may bring.
struct Counting {
    web: Shared,
    now: AtomicUsize,
    most: Arc<AtomicUsize>,
}

impl Fetch for Counting {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.web.resolve(url).await
    }
    async fn fetch(&self, request: Request) -> Outcome {
        let bytes = match request.url.path() {
            "/map.txt" => request.limits.max_bytes,
            _ => 0,
        };
        self.most.fetch_max(self.now.fetch_add(bytes, SeqCst) + bytes, SeqCst);
        let outcome = self.web.fetch(request).await;
        self.now.fetch_sub(bytes, SeqCst);
        outcome
    }
}

#[tokio::test(start_paused = true)]
async fn large_sitemaps_take_turns_and_are_read_to_the_end() {
    let filler = "x".repeat(2_200_000);
    let mut web = String::new();
    let hosts: Vec<String> = (0..5).map(|n| format!("http://h{n}.test/")).collect();
    for host in &hosts {
        web += &format!(
            "//- {host}robots.txt | Content-Type: text/plain\nSitemap: {host}map.txt\n\
             //- {host}map.txt slow=9000 | Content-Type: text/plain\n{filler}\n{host}last\n\
             //- {host}\n<p>Home.\n//- {host}last\n<p>The last of the sitemap.\n"
        );
    }
    let world = World::new(&web, &hosts.iter().map(String::as_str).collect::<Vec<_>>());
    let most = Arc::new(AtomicUsize::new(0));
    let web = Counting { web: world.web.clone(), now: AtomicUsize::new(0), most: most.clone() };
    let collection = world.collection();
    let observe = &mut |_: &fyke_crawl::CrawlProgress| ();
    let summary = crawl(&collection, web, &world.options, observe, Control::new()).await;
    drop(collection);
    assert_eq!(summary.expect("the store works").stopped, Stopped::Finished);
    assert_eq!(world.count(Reason::Kept), 10, "{}", world.ledger());
    let most = most.load(SeqCst);
    assert!((50 << 20..=150 << 20).contains(&most), "{most}");
}

#[tokio::test(start_paused = true)]
async fn sitemaps_that_are_too_many_for_one_run_say_so_and_are_read_by_the_next() {
    let lines: String = (0..80).map(|n| format!("Sitemap: http://a.test/{n}.txt\n")).collect();
    let mut web = format!(
        "//- http://a.test/robots.txt | Content-Type: text/plain\n{lines}\
         //- http://a.test/\n<p>Home.\n"
    );
    for n in 0..80 {
        web += &format!(
            "//- http://a.test/{n}.txt | Content-Type: text/plain\nhttp://a.test/page{n}\n\
             //- http://a.test/page{n}\n<p>Page {n}.\n"
        );
    }
    let world = World::new(&web, &["http://a.test/"]);
    world.crawl().await;
    assert_eq!((world.count(Reason::Kept), world.count(Reason::BudgetHost)), (1 + 50, 30));
    let rows = world.rows();
    let row = rows.iter().find(|row| row.reason == Reason::BudgetHost).expect("a row");
    assert!(row.detail.contains("more than are read"), "{}", row.detail);
    world.crawl().await;
    assert_eq!((world.count(Reason::Kept), world.count(Reason::BudgetHost)), (1 + 80, 0));
}
