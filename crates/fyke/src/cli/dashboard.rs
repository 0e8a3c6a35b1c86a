//! The site beside a crawl that this process runs: started before it, ended after the stages.

use super::serve::LAST_ANSWERS;
use super::{Global, output};
use fyke_site::{Live, Service};
use fyke_stages::config::Config;
use fyke_store::Collection;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// A site that shows a running crawl.
#[derive(Debug)]
pub(super) struct Dashboard {
    live: Arc<Live>,
    server: JoinHandle<anyhow::Result<()>>,
    /// Where it is served.
    pub(super) address: SocketAddr,
}

impl Dashboard {
    /// Takes the address, says where it is, and serves from now on. Orders are taken on loopback
    /// alone.
    ///
    /// # Errors
    /// When the address cannot be had or the index not be read.
    pub(super) async fn start(
        global: &Global,
        config: &Config,
        bind: SocketAddr,
        collection: &Arc<Collection>,
        live: &Arc<Live>,
    ) -> anyhow::Result<Dashboard> {
        let listener = fyke_site::listen(bind).await?;
        let address = listener.local_addr()?;
        let is_ours = address.ip().is_loopback();
        let index = fyke_stages::open_index(collection)?;
        let site = Service::of_writer(config, collection, index, Some(Arc::clone(live)))?;
        let open = match is_ours {
            true => "",
            false => "; it is open to other machines, so it shows the crawl and takes no orders",
        };
        output::note(global.quiet, &format!("the crawl is shown at http://{address}/crawl{open}"));
        let (live, over) = (Arc::clone(live), Arc::clone(live));
        let server =
            tokio::spawn(fyke_site::serve(site, listener, async move { over.over().await }));
        Ok(Dashboard { live, server, address })
    }

    /// Sends the last news and closes the site.
    pub(super) async fn end(self) {
        self.live.end();
        match tokio::time::timeout(LAST_ANSWERS, self.server).await {
            Ok(Ok(Err(error))) => tracing::warn!("{error:#}"),
            Ok(Err(error)) => tracing::warn!(%error, "the site broke"),
            // Somebody reads slowly: they lose the rest.
            Ok(Ok(Ok(()))) | Err(_) => {}
        }
    }
}
