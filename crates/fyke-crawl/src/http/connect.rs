//! From addresses to a connection that speaks HTTP: TCP, a proxy's tunnel, TLS, in that order.

use super::connection::Connection;
use super::proxy::{self, Server};
use super::tls::{self, Tls};
use super::wire::Wire;
use crate::fetch::{Failed, Request};
use fyke_store::Reason;
use fyke_web::Url;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;

const CONNECT_TIME: Duration = Duration::from_secs(10);
/// Addresses tried for one request: enough for both families, with time for a far server each.
const TRIED: usize = 4;

/// Opens a connection to the first address that takes it; each has its share of the time.
pub(super) async fn connect(
    request: &Request,
    server: Option<&Server>,
    tls: &Tls,
) -> Result<Connection, Failed> {
    let sockets = &request.sockets[..request.sockets.len().min(TRIED)];
    let share = CONNECT_TIME / sockets.len().max(1) as u32;
    let mut failed = Failed::of_host(Reason::Dns, "no address");
    for socket in sockets {
        match timeout(share, connect_to(&request.url, *socket, server, tls)).await {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(error)) => failed = error,
            Err(_) => {
                let detail = format!("no connection to {socket}");
                failed = Failed::of_host(Reason::Timeout, detail);
            }
        }
    }
    Err(failed)
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
