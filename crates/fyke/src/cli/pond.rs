//! `fyke pond`: serves the generated web, for people who write crawlers.

use super::{Exit, Failure, Global, output, plain, served, stop};
use crate::demo::JUDGED_GAP_MS;
use fyke_pond::hazards::HAZARDS;
use fyke_pond::server::{self, Running, Serve};
use fyke_pond::{Departments, Hazards, Pond, Size};
use fyke_stages::config::nearest;
use serde_json::json;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// With more hosts than this the settings printed use one wildcard.
const HOSTS_LISTED: usize = 500;
/// Pages of the largest pond.
const MOST_PAGES: u32 = 1_000_000;

/// Serve the pond, a generated web with known truth, until Ctrl-C
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke pond --seed 7 --hosts 24 --port 8400
  fyke pond --without calendar,gzip-bomb    without these two hazards
  fyke pond --plain --hosts 1000 --pages 1000000    a web for benchmarks of crawlers
  fyke pond --papers                        departments with papers in HTML, PDF and PostScript
  fyke pond --deep                          passwords, a login, a search form, scripts
  fyke pond --folder /usr/share/doc/python3/html    your own pages, served on loopback
  curl -s http://127.0.0.1:8400/__pond/stats    what the server saw of a crawler
  curl -s http://127.0.0.1:8400/__pond/truth    topics, copies, languages, queries with judgements")]
pub(super) struct Args {
    #[command(flatten)]
    shape: PondShape,
    #[command(flatten)]
    plain: plain::PlainArgs,
    /// Port on loopback; 0 takes a free one
    #[arg(long, default_value_t = 8400)]
    port: u16,
    /// Gap between two requests to one host, in milliseconds, below which the server counts a
    /// violation [default: 20; with --plain 0]
    #[arg(long, value_name = "MS", visible_alias = "gap")]
    floor: Option<u64>,
    /// Serve the files of this folder instead; each folder in it is a host
    #[arg(long, value_name = "DIR", conflicts_with = "plain")]
    folder: Option<PathBuf>,
}

/// Which pond.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PondShape {
    /// The same seed gives the same web
    #[arg(long, default_value_t = 7)]
    pub seed: u64,
    /// Minimum number of hosts; there are always 13 ordinary sites and a host for each hazard
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub hosts: u32,
    /// Approximate number of pages [default: ten per host]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    pub pages: Option<u32>,
    /// Hazards to leave out, by name, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Live pages change so many times as often
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=15_000))]
    pub live_speed: u64,
    /// Departments of computer science with research papers instead of the ordinary sites
    #[arg(long, conflicts_with_all = ["hosts", "pages", "without"])]
    pub papers: bool,
    /// Pages behind passwords, a login, a search form and scripts instead of the ordinary sites
    #[arg(long, conflicts_with_all = ["hosts", "pages", "without", "papers"])]
    pub deep: bool,
}

impl PondShape {
    /// The pond of this shape.
    ///
    /// # Errors
    /// When a hazard's name is unknown (exit 2).
    pub(super) fn pond(&self) -> anyhow::Result<Pond> {
        if self.papers {
            return Ok(Pond::of_papers(Departments::new(self.seed)));
        }
        if self.deep {
            return Ok(Pond::deep(self.seed));
        }
        let names = || HAZARDS.iter().map(|row| row.name);
        for name in &self.without {
            if !names().any(|known| known == name) {
                let advice = match nearest(name, names()) {
                    Some(near) => format!("did you mean {near:?}?"),
                    None => format!("known: {}", names().collect::<Vec<_>>().join(", ")),
                };
                return Err(Failure::usage(format!("unknown hazard {name:?}; {advice}")).into());
            }
        }
        if self.pages.is_some_and(|pages| pages > MOST_PAGES) {
            let message = format!("--pages: at most {MOST_PAGES}; the plain web has no such limit");
            return Err(Failure::usage(message).into());
        }
        let hosts = self.hosts as usize;
        let usual = (hosts * 10).max(Size::default().pages);
        let pages = self.pages.map_or(usual, |pages| pages as usize);
        let without: Vec<&str> = self.without.iter().map(String::as_str).collect();
        let pond = Pond::new(self.seed, Size { hosts, pages }, Hazards::without(&without));
        Ok(Pond { live_speed: self.live_speed, ..pond })
    }
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    if let Some(folder) = &args.folder {
        return served::run(global, folder, args.port, args.plain.until_eof);
    }
    if args.plain.plain {
        return plain::run(global, &args.plain, numbers(args));
    }
    let pond = Arc::new(args.shape.pond()?);
    // One thread: handing a small page from thread to thread costs more than making it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let running = start(&pond, args.port, args.floor.unwrap_or(JUDGED_GAP_MS)).await?;
        announce(global, &pond, &running)?;
        stop::asked().await?;
        running.stop().await;
        Ok(Exit::Done)
    })
}

fn numbers(args: &Args) -> plain::PlainNumbers {
    let hosts = u64::from(args.shape.hosts);
    plain::PlainNumbers {
        seed: args.shape.seed,
        hosts,
        pages: args.shape.pages.map_or(hosts * 100, u64::from),
        port: args.port,
        floor_ms: args.floor.unwrap_or(0),
    }
}

/// Starts the pond's server.
///
/// # Errors
/// When the port is taken.
pub(super) async fn start(pond: &Arc<Pond>, port: u16, floor_ms: u64) -> anyhow::Result<Running> {
    let serve = Serve { port, floor_ms };
    let bind = SocketAddr::from(([127, 0, 0, 1], port));
    server::serve(Arc::clone(pond), serve).await.map_err(|error| taken(bind, &error))
}

/// What is said when an address cannot be had.
#[must_use]
pub(super) fn taken(bind: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    let advice = "choose another port with --port, or 0 for any free one";
    anyhow::anyhow!("could not listen on {bind}: {error}; {advice}")
}

fn announce(global: &Global, pond: &Pond, running: &Running) -> anyhow::Result<()> {
    let home = format!("http://127.0.0.1:{}/__pond", running.port);
    let few = running.addresses.len() <= HOSTS_LISTED;
    let hosts: Vec<(String, String)> = match few {
        true => running.addresses.iter().map(|(host, at)| (host.clone(), at.to_string())).collect(),
        false => vec![("*.test".to_string(), format!("127.0.0.1:{}", running.port))],
    };
    let slow = match few {
        true => String::new(),
        false => format!(
            "# one address for all hosts: politeness to the address makes the crawl slow; every \
             host with its own: {home}/hosts?toml\n"
        ),
    };
    if global.json {
        let hosts: serde_json::Map<_, _> =
            hosts.into_iter().map(|(host, at)| (host, at.into())).collect();
        return output::say_json(&json!({
            "port": running.port, "seeds": pond.seeds(), "hosts": hosts,
            "stats": format!("{home}/stats"), "truth": format!("{home}/truth"),
        }));
    }
    let seeds = pond.seeds().iter().map(|seed| format!("{seed:?}")).collect::<Vec<_>>().join(", ");
    let hosts = hosts.iter().map(|(host, at)| format!("{host:?} = {at:?}"));
    output::say(&format!(
        "# a fyke.toml for this pond; what the server saw: {home}/stats, the truth: {home}/truth\n\
         [seeds]\nurls = [{seeds}]\n\n[scope]\nallow = [\"*.test/**\"]\n\n\
         [politeness]\nfloor = \"25ms\"\n\n[fetch]\n{slow}hosts = {{ {} }}",
        hosts.collect::<Vec<_>>().join(", ")
    ));
    output::note(global.quiet, "serving until Ctrl-C");
    Ok(())
}
