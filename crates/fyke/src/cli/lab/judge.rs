//! `fyke lab judge`: the site with its judging pages, for the people who judge.

use crate::cli::{Exit, Global, Viewed, opened, output, serve};
use fyke_site::{self as site, Service};
use fyke_stages::config::parse_address;
use std::net::SocketAddr;

/// Serve the judging pages until Ctrl-C
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab judge                         on 127.0.0.1:7700; open the address that it prints
  fyke lab judge --bind 0.0.0.0:7700     for judges on other machines of a trusted network

Judging is blind: each judge gets another order, and no page says which engine found a document.
Each judgement is on disk before the next document is shown. fyke serve has the same pages, but
takes no judgements when it is open to other machines; this command does.")]
pub(super) struct Args {
    /// Address and port to listen on [default: serve.bind]
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    bind: Option<SocketAddr>,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let Viewed { config, reader, .. } = opened::show(global)?;
    let bind = args.bind.unwrap_or(config.serve.bind);
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = site::listen(bind).await?;
        let address = listener.local_addr()?;
        let said = format!("judge at http://{address}/lab/judge until Ctrl-C");
        let service = Service::of_reader(&config, reader)?.judged_by_all()?;
        serve::until_asked(service, listener, || output::note(global.quiet, &said)).await?;
        Ok(Exit::Done)
    })
}
