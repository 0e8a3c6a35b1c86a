//! `fyke serve`: the search site.

use super::{Exit, Global, Opened, opened, output, stop};
use crate::config::parse_address;
use crate::facts::FACTS;
use crate::serve::{self, Site};
use fyke_index::Index;
use std::net::SocketAddr;
use std::sync::{Arc, RwLock};
use std::time::Duration;
use tokio::net::TcpListener;

/// How long answers under way may take once Ctrl-C came.
pub const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Serve the search site until Ctrl-C
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke serve                              on 127.0.0.1:7700
  fyke serve --bind 8000                  on 127.0.0.1:8000
  fyke -C tides serve --set serve.bind=[::1]:7700")]
pub struct Args {
    /// Address and port to listen on (else serve.bind)
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    bind: Option<SocketAddr>,
}

pub fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let mut opened = opened::open(global)?;
    if let Some(bind) = args.bind {
        opened.config.serve.bind = bind;
    }
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = serve::listen(opened.config.serve.bind).await?;
        site(global, opened, listener).await?;
        Ok(Exit::Done)
    })
}

/// Serves an opened collection until Ctrl-C.
///
/// # Errors
/// When its index cannot be read.
pub async fn site(global: &Global, opened: Opened, listener: TcpListener) -> anyhow::Result<()> {
    let address = listener.local_addr()?;
    output::note(global.quiet, &format!("serving http://{address}/ until Ctrl-C"));
    until_asked(site_of(opened)?, listener).await
}

/// The site of an opened collection.
///
/// # Errors
/// When its index cannot be read.
pub fn site_of(opened: Opened) -> anyhow::Result<Site> {
    let Opened { config, collection } = opened;
    let index = Index::open_to_read(&collection.index_dir(), FACTS)?;
    Site::new(&config, Arc::new(RwLock::new(collection)), index, None)
}

/// Serves a site until Ctrl-C.
///
/// # Errors
/// When the listener fails.
pub async fn until_asked(site: Site, listener: TcpListener) -> anyhow::Result<()> {
    tokio::select! {
        done = serve::serve(site, listener, asked()) => done,
        () = waited_enough() => Ok(()),
    }
}

/// Waits for Ctrl-C. Without signals there is nothing to wait for: serve until killed.
async fn asked() {
    if stop::asked().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Waits for Ctrl-C and then for a second one, or for as long as answers under way may take: a
/// request that never comes whole must not keep the program.
async fn waited_enough() {
    asked().await;
    tokio::select! {
        () = asked() => {}
        () = tokio::time::sleep(LAST_ANSWERS) => {}
    }
}
