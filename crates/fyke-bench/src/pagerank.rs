//! `cargo bench-fyke pagerank`: the ranks of a crawled graph of 3.2 million links against known ones, links
//! ranked a CPU-second and memory for each, beside networkx, scikit-network and igraph.

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, script};
use anyhow::Context as _;
use flate2::read::GzDecoder;
use fyke_learn::{Graph, InLinks, PageRank};
use fyke_stages::memory;
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "pagerank",
    what: "ranks of a web graph: difference from known ones, links a CPU-second, memory",
    options: &["data", "peers", "pin"],
    run,
};

/// Below the data's folder: a line a page with the numbers of the pages that it links to, behind a first
/// line with the number of pages; and the ranks of the pages, eight bytes each.
const GRAPH: &str = "webgraph/cnr-2000/slow/it/unimi/dsi/webgraph/cnr-2000.graph-txt.gz";
const RANKS: &str = "webgraph/cnr-2000/pagerank_a0.85_dangling_uniform.f64le.bin";
const SCRIPT: &str = "benches/peers/pagerank.py";

/// What a program took from the graph in its own form to the ranks.
#[derive(Debug, Deserialize)]
struct RankTime {
    name: String,
    cpu_seconds: f64,
    /// The largest difference from the known rank of a page.
    difference: f64,
}

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let data = super::data(args)?;
    let (graph, ranks) = (data.join(GRAPH), data.join(RANKS));
    let known = known(&ranks)?;
    let mut report = BenchReport::default();
    let (ours, links) = ours(&graph, &known, &mut report)?;
    let mut all = vec![ours];
    if args.peers {
        let printed = script::run(SCRIPT, &[graph.as_os_str(), ranks.as_os_str()])?;
        all.extend(script::lines::<RankTime>(&printed)?);
    }
    for RankTime { name, cpu_seconds, difference } in all {
        let row = |name, value, unit| Figure { name, value, unit };
        report.labels.push(name);
        report.series.push(vec![
            row("time", cpu_seconds, "CPU s"),
            row("links_ranked", links as f64 / cpu_seconds, "per CPU s"),
            row("difference_in_billionths", difference * 1e9, ""),
        ]);
    }
    Ok(report)
}

fn ours(path: &Path, known: &[f64], report: &mut BenchReport) -> anyhow::Result<(RankTime, usize)> {
    let held = memory::rss();
    let graph = read(path)?;
    let before = cpu_time("self")?;
    let links = InLinks::of(&graph);
    drop(graph);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let ranks = PageRank { threads, ..PageRank::default() }.of(&links);
    let spent = cpu_time("self")?.saturating_sub(before).as_secs_f64().max(0.01);
    let memory = memory::peak_rss().saturating_sub(held);
    anyhow::ensure!(ranks.values.len() == known.len(), "the graph has not the pages of the ranks");
    let differences = ranks.values.iter().zip(known).map(|(a, b)| (a - b).abs());
    let difference = differences.fold(0.0, f64::max);
    let followed = links.len() as f64 * f64::from(ranks.rounds);
    report.add("pages", links.pages() as f64, "");
    report.add("links", links.len() as f64, "");
    report.add("rounds", ranks.rounds.into(), "");
    report.add("links_followed", followed / spent, "per CPU s");
    report.add("memory", memory as f64 / links.len() as f64, "bytes a link");
    report.add("is_within_a_billionth", f64::from(u8::from(difference <= 1e-9)), "");
    let name = format!("fyke {}", env!("CARGO_PKG_VERSION"));
    Ok((RankTime { name, cpu_seconds: spent, difference }, links.len()))
}

fn known(path: &Path) -> anyhow::Result<Vec<f64>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (ranks, _) = bytes.as_chunks();
    Ok(ranks.iter().map(|&eight| f64::from_le_bytes(eight)).collect())
}

fn read(path: &Path) -> anyhow::Result<Graph> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut lines = BufReader::with_capacity(1 << 16, GzDecoder::new(file)).lines();
    let pages: usize = lines.next().context("the graph is empty")??.trim().parse()?;
    let mut graph = Graph::default();
    for line in lines.take(pages) {
        let links: Result<Vec<u32>, _> = line?.split_ascii_whitespace().map(str::parse).collect();
        graph.push(links.with_context(|| format!("page {}", graph.pages()))?);
    }
    Ok(graph)
}
