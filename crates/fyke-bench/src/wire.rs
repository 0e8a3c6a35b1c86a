//! `cargo bench-fyke wire`: what an answer costs that is read by our HTTP/1.1 and by hyper's, in one run.
//!
//! The same home pages of the plain web are asked for over one connection each, by turns: a request is written
//! afresh, and its answer becomes a capture. Nothing else of a fetch is measured. hyper keeps the case of header names
//! to itself (`preserve_header_case` stores them where only hyper can read them), and is asked to all the same.

use super::machine::thread_cpu_time;
use super::report::{BenchReport, Figure};
use super::web::{Web, WebShape};
use super::{Args, Benchmark};
use anyhow::{Context as _, anyhow};
use bytes::Bytes;
use fyke_crawl::BareWire;
use fyke_web::{Capture, Url};
use http_body_util::{BodyExt as _, Empty};
use hyper::Request;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "wire",
    what: "CPU time of an answer read by our HTTP/1.1 and by hyper's, by turns in one run",
    options: &["pages", "hosts", "pin"],
    run,
};

const PAGES: u64 = 40_000;
const HOSTS: u64 = 100;
/// Turns that the pages are divided among.
const TURNS: u64 = 20;
/// Bytes of a body that are wanted.
const MOST_BYTES: usize = 2 << 20;
const AGENT: &str = "fyke-bench (+http://localhost/)";

/// The two readers.
enum WireReader {
    Ours(BareWire),
    Hyper(SendRequest<Empty<Bytes>>),
}

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let (pages, hosts) = (args.pages.unwrap_or(PAGES), args.hosts.unwrap_or(HOSTS));
    let (floor, drip, pin) = (Duration::ZERO, None, args.pin);
    let web = Web::start(&WebShape { hosts, pages: hosts * 10, floor, drip, pin })?;
    let urls = web.seeds.iter().map(|seed| Url::parse(seed).context("a seed"));
    let urls = urls.collect::<anyhow::Result<Vec<Url>>>()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure(web.address, &urls, pages.div_ceil(TURNS)))
}

async fn measure(address: SocketAddr, urls: &[Url], pages: u64) -> anyhow::Result<BenchReport> {
    let mut report = BenchReport::default();
    let mut costs = [Vec::new(), Vec::new()];
    let (mut bytes, mut different) = (0, 0);
    for _ in 0..TURNS {
        let mut readers = [WireReader::ours(address).await?, WireReader::hyper(address).await?];
        // What both give is the same, and the connections are warm.
        for url in urls {
            let [ours, hypers] = &mut readers;
            let (one, other) = (ours.ask(url).await?, hypers.ask(url).await?);
            bytes += one.payload.len();
            different += u32::from(!is_same(&one, &other));
        }
        for (reader, costs) in readers.iter_mut().zip(&mut costs) {
            let before = thread_cpu_time()?;
            for url in urls.iter().cycle().take(usize::try_from(pages)?) {
                reader.ask(url).await?;
            }
            let cost = thread_cpu_time()?.saturating_sub(before);
            costs.push(cost.as_secs_f64() * 1e6 / pages as f64);
        }
    }
    let [ours, hypers] = &costs;
    let ratios: Vec<f64> = ours.iter().zip(hypers).map(|(ours, hypers)| hypers / ours).collect();
    for (ours, hypers) in ours.iter().zip(hypers) {
        let figure = |name, value| Figure { name, value, unit: "µs" };
        report.series.push(vec![figure("ours", *ours), figure("hyper", *hypers)]);
    }
    report.add("bytes_per_page", bytes as f64 / (urls.len() as u64 * TURNS) as f64, "bytes");
    report.add("different_answers", different.into(), "");
    report.add("ours_median", median(ours), "µs");
    report.add("hyper_median", median(hypers), "µs");
    report.add("hyper_over_ours_median", median(&ratios), "");
    report.add("turns", TURNS as f64, "");
    report.add(
        "turns_ours_cost_less",
        ratios.iter().filter(|ratio| **ratio > 1.).count() as f64,
        "",
    );
    Ok(report)
}

/// Whether two answers are the same but for the case of header names and the time.
fn is_same(one: &Capture, other: &Capture) -> bool {
    let names = |capture: &Capture| -> Vec<String> {
        let mut names: Vec<_> =
            capture.headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        names.sort();
        names
    };
    (one.status, &one.payload) == (other.status, &other.payload) && names(one) == names(other)
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.)
}

impl WireReader {
    async fn ours(address: SocketAddr) -> anyhow::Result<WireReader> {
        Ok(WireReader::Ours(BareWire::new(connect(address).await?)))
    }

    async fn hyper(address: SocketAddr) -> anyhow::Result<WireReader> {
        let stream = TokioIo::new(connect(address).await?);
        let mut builder = http1::Builder::new();
        let (sender, connection) = builder.preserve_header_case(true).handshake(stream).await?;
        tokio::spawn(connection);
        Ok(WireReader::Hyper(sender))
    }

    async fn ask(&mut self, url: &Url) -> anyhow::Result<Capture> {
        match self {
            WireReader::Ours(wire) => {
                let request = format!(
                    "GET {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: {AGENT}\r\nAccept: */*\r\n\r\n",
                    url.path_and_query(),
                    url.authority(),
                );
                wire.ask(url, request.as_bytes(), MOST_BYTES).await.map_err(|what| anyhow!(what))
            }
            WireReader::Hyper(sender) => ask_hyper(sender, url).await,
        }
    }
}

async fn connect(address: SocketAddr) -> anyhow::Result<TcpStream> {
    let stream = TcpStream::connect(address).await.context("the server is gone")?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

async fn ask_hyper(sender: &mut SendRequest<Empty<Bytes>>, url: &Url) -> anyhow::Result<Capture> {
    let request = Request::get(url.path_and_query())
        .header("Host", url.authority())
        .header("User-Agent", AGENT)
        .header("Accept", "*/*")
        .body(Empty::new())?;
    sender.ready().await?;
    let (head, mut body) = sender.send_request(request).await?.into_parts();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let headers = head.headers.iter();
    let headers = headers.map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes())));
    let (headers, mut payload) = (headers.collect(), Vec::new());
    while let Some(frame) = body.frame().await {
        if let Some(bytes) = frame?.data_ref() {
            let room = MOST_BYTES - payload.len();
            payload.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }
    let (url, status) = (url.clone(), head.status.as_u16());
    Ok(Capture { url, time: 0, status, headers, payload, truncated: None })
}
