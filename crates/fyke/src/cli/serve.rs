//! `fyke serve`: the search site.

use super::stop::StopSignals;
use super::{Exit, Global, Viewed, opened, output};
use fyke_site::{PrivateShown, Service};
use fyke_stages::config::parse_address;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;

/// How long answers under way may take once Ctrl-C came.
pub(super) const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Serve the search site until Ctrl-C
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke serve                              on 127.0.0.1:7700
  fyke serve --bind 8000                  on 127.0.0.1:8000
  fyke -C tides serve --set serve.bind=[::1]:7700
  fyke serve --public                     without documents that were fetched with credentials

fyke crawl, import and rebuild may run at the same time in another terminal. The site finds what
they index within seconds. Documents that were fetched with credentials are shown on loopback
alone, with a mark; elsewhere searches, documents and copies are there without them, and no
figures or lists.")]
pub(super) struct Args {
    /// Address and port to listen on [default: serve.bind]
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    bind: Option<SocketAddr>,
    /// Keep back private documents (fetched with credentials) on loopback, too
    #[arg(long, conflicts_with = "private")]
    public: bool,
    /// Show private documents to whoever reaches the address
    #[arg(long)]
    private: bool,
}

impl Args {
    fn shown(&self) -> PrivateShown {
        match (self.public, self.private) {
            (true, _) => PrivateShown::Nowhere,
            (_, true) => PrivateShown::Everywhere,
            _ => PrivateShown::OnLoopback,
        }
    }
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let Viewed { config, reader, .. } = opened::show(global)?;
    let bind = args.bind.unwrap_or(config.serve.bind);
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = fyke_site::listen(bind).await?;
        let service = Service::of_reader(&config, reader)?.private_shown(args.shown())?;
        site(global, service, listener).await?;
        Ok(Exit::Done)
    })
}

/// Serves a site until Ctrl-C, and says where.
///
/// # Errors
/// When the listener fails.
pub(super) async fn site(
    global: &Global,
    service: Service,
    listener: TcpListener,
) -> anyhow::Result<()> {
    let address = listener.local_addr()?;
    let announce =
        || output::note(global.quiet, &format!("serving http://{address}/ until Ctrl-C"));
    until_asked(service, listener, announce).await
}

/// Serves a site until Ctrl-C, which is waited for before the site is announced.
///
/// # Errors
/// When the listener fails.
pub(super) async fn until_asked(
    service: Service,
    listener: TcpListener,
    announce: impl FnOnce(),
) -> anyhow::Result<()> {
    let (first, last) = (StopSignals::listen().ok(), StopSignals::listen().ok());
    announce();
    tokio::select! {
        done = fyke_site::serve(service, listener, asked_once(first)) => done,
        () = waited_enough(last) => Ok(()),
    }
}

async fn asked_once(mut signals: Option<StopSignals>) {
    asked(&mut signals).await;
}

/// Waits for Ctrl-C. Without signals there is nothing to wait for: serve until killed.
async fn asked(signals: &mut Option<StopSignals>) {
    match signals {
        Some(signals) => signals.next().await,
        None => std::future::pending().await,
    }
}

/// Waits for Ctrl-C and then for a second one, or for as long as answers under way may take: a
/// request that never comes whole must not keep the program.
async fn waited_enough(mut signals: Option<StopSignals>) {
    asked(&mut signals).await;
    tokio::select! {
        () = asked(&mut signals) => {}
        () = tokio::time::sleep(LAST_ANSWERS) => {}
    }
}
