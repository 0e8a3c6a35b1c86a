//! `cargo bench-fyke links`: link discovery alone. Pages are fetched and parsed and their links followed, with
//! robots.txt, politeness and the ledger of URLs, but what the pages say is not kept.

use super::report::BenchReport;
use super::{Args, Benchmark, crawl};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "links",
    what: "link discovery only: pages are parsed and followed but not kept",
    options: crawl::ROW.options,
    run,
};

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    crawl::measure(args, false)
}
