//! One crawl that is measured: into a new collection in the system's temporary folder, which is
//! deleted afterwards.

use super::machine::{cpu_time, disk};
use super::web::Web;
use fyke_crawl::{
    BudgetOptions, Control, CrawlOptions, CrawlProgress, Private, ScopeOptions, Summary, crawl_web,
};
use fyke_store::Collection;
use fyke_web::Url;
use std::time::{Duration, Instant};

/// What a crawl took.
#[derive(Debug)]
pub(crate) struct CrawlTrial {
    pub summary: Summary,
    pub cpu: Duration,
    pub wall: Duration,
    /// Bytes of the collection.
    pub disk: u64,
}

/// The options of a crawl of the plain web from these seeds: everything on, gaps as wanted, no rule
/// for addresses because all hosts share one.
pub(crate) fn options(web: &Web, seeds: Vec<Url>, gap: Duration) -> CrawlOptions {
    CrawlOptions {
        scope: ScopeOptions { allow: vec!["*.test/**".into()], ..ScopeOptions::default() },
        hosts: vec![("*.test".into(), web.address)],
        floor: gap,
        ..loopback(seeds)
    }
}

/// The options of a crawl of sites on this machine.
pub(crate) fn loopback(seeds: Vec<Url>) -> CrawlOptions {
    CrawlOptions {
        seeds,
        floor: Duration::ZERO,
        factor: 0.0,
        per_address: 0,
        private: Private::Loopback,
        ..CrawlOptions::default()
    }
}

/// So many pages at most.
pub(crate) fn pages(pages: u64) -> BudgetOptions {
    BudgetOptions { pages: Some(pages), ..BudgetOptions::default() }
}

/// Crawls. `watch` sees progress several times a second and may stop the crawl.
pub(crate) fn run(
    options: &CrawlOptions,
    watch: impl FnMut(&CrawlProgress, &Control),
) -> anyhow::Result<CrawlTrial> {
    run_then(options, watch, |_| Ok(()))
}

/// As [`run`], and `then` sees the collection before it is deleted.
pub(crate) fn run_then(
    options: &CrawlOptions,
    mut watch: impl FnMut(&CrawlProgress, &Control),
    then: impl FnOnce(&Collection) -> anyhow::Result<()>,
) -> anyhow::Result<CrawlTrial> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), "")?;
    let collection = Collection::open(folder.path())?;
    let runtime = tokio::runtime::Runtime::new()?;
    let (cpu, start, stop) = (cpu_time("self")?, Instant::now(), Control::new());
    let mut watched = |progress: &CrawlProgress| watch(progress, &stop);
    let crawl = crawl_web(&collection, options, &mut watched, stop.clone());
    let summary = runtime.block_on(crawl)?;
    let (cpu, wall) = (cpu_time("self")?.saturating_sub(cpu), start.elapsed());
    then(&collection)?;
    drop(collection);
    Ok(CrawlTrial { summary, cpu, wall, disk: disk(folder.path()) })
}
