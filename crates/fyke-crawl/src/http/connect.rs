//! From addresses to a connection that speaks HTTP: TCP, a proxy's tunnel, TLS, in that order.

use super::connection::Connection;
use super::proxy::{self, Server};
use super::tls::{self, Tls};
use super::wire::Wire;
use crate::fetch::{Blame, Failed, MOST_TRIED, Request};
use fyke_store::Reason;
use fyke_web::Url;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;

const CONNECT_TIME: Duration = Duration::from_secs(10);

/// Opens a connection to the first address; each that a host has gets its share of the time. The others are
/// not turned to here: where a request goes is counted before it goes there.
pub(super) async fn connect(
    request: &Request,
    server: Option<&Server>,
    tls: &Tls,
) -> Result<Connection, Failed> {
    let Some(socket) = request.sockets.first() else {
        return Err(Failed::of_host(Reason::Dns, "no address"));
    };
    let tried = request.sockets.len().min(MOST_TRIED);
    let share = CONNECT_TIME / tried as u32;
    let failed = match timeout(share, connect_to(&request.url, *socket, server, tls)).await {
        Ok(Ok(connection)) => return Ok(connection),
        Ok(Err(error)) => error,
        Err(_) => Failed::of_host(Reason::Timeout, format!("no connection to {socket}")),
    };
    let is_address = tried > 1 && matches!(failed.reason, Reason::Connect | Reason::Timeout);
    Err(Failed { blame: if is_address { Blame::Address } else { failed.blame }, ..failed })
}

async fn connect_to(
    url: &Url,
    socket: SocketAddr,
    server: Option<&Server>,
    tls: &Tls,
) -> Result<Connection, Failed> {
    let mut stream = TcpStream::connect(socket)
        .await
        .map_err(|e| Failed::of_host(Reason::Connect, format!("{socket}: {e}")))?;
    stream.set_nodelay(true).ok();
    if url.scheme() != "https" {
        return Ok(Connection::One(Wire::new(stream)));
    }
    if let Some(server) = server {
        proxy::tunnel(&mut stream, url, server).await?;
    }
    let stream = tls
        .handshake(url.host(), stream)
        .await
        .map_err(|what| Failed::of_host(Reason::Tls, what))?;
    match tls::speaks_http2(&stream) {
        true => Connection::start_http2(stream).await,
        false => Ok(Connection::One(Wire::new(stream))),
    }
}
