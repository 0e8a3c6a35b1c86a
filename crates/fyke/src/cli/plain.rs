//! `fyke pond --plain`: the web that crawlers are measured on.

use super::pond::taken;
use super::{Exit, Failure, Global, output, stop};
use fyke_pond::plain::server::{self, RunningPlain, ServePlain};
use fyke_pond::plain::{FEWEST_LINKS, Plain, PlainShape, PlainTarget};
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;

/// What a plain page is like, and how the web is served.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PlainArgs {
    /// Serve a web without hazards for benchmarks: exactly --hosts hosts with --pages pages
    #[arg(long)]
    pub plain: bool,
    /// Links on a page of the plain web
    #[arg(long, default_value_t = 50, requires = "plain", value_parser = links)]
    links: usize,
    /// Mean size of a page of the plain web, in bytes
    #[arg(long, default_value_t = 30_000, requires = "plain")]
    #[arg(value_parser = clap::value_parser!(u32).range(20_000..=10_000_000))]
    bytes: u32,
    /// Serve each plain host as a folder of 127.0.0.1, for crawlers without an option to map hosts
    #[arg(long, requires = "plain")]
    one_host: bool,
    /// A plain host that sends one byte per second, for example h000003.test
    #[arg(long, value_name = "HOST", requires = "plain")]
    drip: Option<String>,
    /// Also stop when standard input ends
    #[arg(long)]
    pub until_eof: bool,
}

fn links(text: &str) -> Result<usize, String> {
    let links = text.parse().map_err(|_| "expected a number".to_string())?;
    let fits = (FEWEST_LINKS..=1000).contains(&links);
    fits.then_some(links).ok_or_else(|| format!("expected {FEWEST_LINKS} to 1000"))
}

/// The numbers that the plain web shares with the pond.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainNumbers {
    pub seed: u64,
    pub hosts: u64,
    pub pages: u64,
    pub port: u16,
    pub floor_ms: u64,
}

pub(super) fn run(
    global: &Global,
    args: &PlainArgs,
    numbers: PlainNumbers,
) -> anyhow::Result<Exit> {
    let PlainNumbers { seed, hosts, pages, port, floor_ms } = numbers;
    let shape = PlainShape {
        seed,
        hosts,
        pages,
        links: args.links,
        bytes: args.bytes as usize,
        one_host: args.one_host,
    };
    let plain = Arc::new(Plain::new(shape));
    let drip = args.drip.as_deref().map(|name| number(&plain, name)).transpose()?;
    // One thread: handing a small page from thread to thread costs more than making it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let bind = SocketAddr::from(([127, 0, 0, 1], port));
        let serve = ServePlain { port, floor_ms, drip };
        let running = server::serve(Arc::clone(&plain), serve).await;
        let running = running.map_err(|error| taken(bind, &error))?;
        announce(global, &plain, &running)?;
        tokio::select! {
            asked = stop::asked() => asked?,
            () = end_of_input(), if args.until_eof => {}
        }
        running.stop().await;
        Ok(Exit::Done)
    });
    // The thread that reads standard input may wait for ever.
    runtime.shutdown_background();
    done
}

pub(super) async fn end_of_input() {
    let read = || std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
    // An input that cannot be read has ended, too.
    tokio::task::spawn_blocking(read).await.ok();
}

fn number(plain: &Plain, name: &str) -> anyhow::Result<u64> {
    match plain.find(name, "/") {
        Some(PlainTarget::Page(place)) if !plain.shape.one_host => Ok(place.host),
        _ => {
            Err(Failure::usage(format!("--drip {name}: no host of this web; try h000000.test"))
                .into())
        }
    }
}

fn announce(global: &Global, plain: &Plain, running: &RunningPlain) -> anyhow::Result<()> {
    let port = running.port;
    let (seed, stats) = (plain.seed(port), format!("http://127.0.0.1:{port}/__pond/stats"));
    let at = format!("127.0.0.1:{port}");
    if global.json {
        return output::say_json(&json!({
            "port": port, "seeds": [seed], "hosts": { "*.test": at }, "stats": stats,
        }));
    }
    output::say(&format!(
        "# a fyke.toml for this web; what the server saw: {stats}\n\
         [seeds]\nurls = [{seed:?}]\n\n[scope]\nallow = [\"*.test/**\"]\n\n\
         [politeness]\nfloor = \"0s\"\nfactor = 0.0\nper_address = 0\n\n\
         [fetch]\nhosts = {{ \"*.test\" = {at:?} }}"
    ));
    output::note(global.quiet, "serving until Ctrl-C");
    Ok(())
}
