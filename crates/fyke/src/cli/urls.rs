//! `fyke urls`: the URLs of a collection by reason and host, printed as they are read.

use super::{Exit, Global, opened, output};
use fyke_stages::urls::UrlFilter;
use fyke_store::{Reason, Row};
use serde_json::json;
use std::io::{BufWriter, ErrorKind, Write};

/// List the known URLs, all or those with a certain reason or host
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke urls --reason budget.host            what the budget of a host left out
  fyke urls --reason http.4xx --host tides.example
  fyke urls --host tides.example --limit 20
  fyke urls --reason queued --json | jq -r '.[].url'

The names of the reasons are those of `fyke stats` and `fyke why`.")]
pub(super) struct Args {
    /// Only URLs with this reason
    #[arg(long, value_parser = reason)]
    reason: Option<Reason>,
    /// Only URLs of this host, with its port if it has one
    #[arg(long)]
    host: Option<String>,
    /// Maximum number of URLs
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

fn reason(name: &str) -> Result<Reason, String> {
    let known = || Reason::ALL.iter().map(|reason| reason.name()).collect::<Vec<_>>().join(", ");
    Reason::parse(name).ok_or_else(|| format!("no such reason; it is one of {}", known()))
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let opened = opened::show(global)?;
    let view = &opened.collection;
    let mut list =
        UrlList { out: BufWriter::new(std::io::stdout().lock()), is_json: global.json, told: 0 };
    let filter = UrlFilter { reason: args.reason, host: args.host.clone() };
    for row in filter.rows(view).take(args.limit.unwrap_or(usize::MAX)) {
        let (row, effective) = row?;
        match list.tell(&row, effective) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(Exit::Done),
            told => told?,
        }
    }
    match list.finish() {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(Exit::Done),
    }
}

/// A list that is printed while it grows.
struct UrlList<W: Write> {
    out: W,
    is_json: bool,
    told: usize,
}

impl<W: Write> UrlList<W> {
    fn tell(&mut self, row: &Row, reason: Reason) -> std::io::Result<()> {
        self.told += 1;
        if self.is_json {
            let comma = if self.told == 1 { "[" } else { "," };
            let line = json!({
                "url": row.url, "reason": reason.name(), "detail": row.detail, "depth": row.depth,
            });
            return write!(self.out, "{comma}\n  {line}");
        }
        let line = [reason.name(), &output::tame(&row.url), &output::tame(&row.detail)].join("\t");
        writeln!(self.out, "{}", line.trim_end())
    }

    fn finish(&mut self) -> std::io::Result<()> {
        if self.is_json {
            let open = if self.told == 0 { "[" } else { "" };
            writeln!(self.out, "{open}\n]")?;
        }
        self.out.flush()
    }
}
