//! HTTP/1.1 over TCP and TLS: one request, bounded in time, head and body; nothing is followed.

use crate::dns::Resolver;
use crate::fetch::{Address, Blame, Captured, Failed, Fetch, Outcome, Request};
use crate::pool::{Connection, Pool};
use crate::tls;
use bytes::Bytes;
use fyke_store::Reason;
use fyke_web::{Capture, Url};
use http_body_util::{BodyExt, Empty};
use hyper::body::{Body, Incoming};
use hyper::client::conn::http1;
use hyper::rt::{Read, Write};
use hyper_util::rt::TokioIo;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::TlsConnector;

const HEAD_BYTES: usize = 64 * 1024;
const HEADERS: usize = 200;
const IDLE_FOR: Duration = Duration::from_secs(75);
const CONNECT_TIME: Duration = Duration::from_secs(10);
const FIRST_BYTE_TIME: Duration = Duration::from_secs(20);
const ACCEPT: &str =
    "text/html,application/xhtml+xml,text/plain;q=0.9,application/xml;q=0.8,*/*;q=0.5";

/// How the network is used.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    pub user_agent: String,
    /// Name (or "*.suffix") → where to connect to instead.
    pub hosts: Vec<(String, SocketAddr)>,
    /// Addresses of private networks may be reached.
    pub allow_private: bool,
    /// Idle connections kept in all.
    pub idle: usize,
}

/// The network.
#[derive(Debug)]
pub struct Http {
    resolver: Resolver,
    pool: Pool,
    connector: TlsLayer,
    user_agent: String,
}

struct TlsLayer(TlsConnector);

impl std::fmt::Debug for TlsLayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TlsLayer")
    }
}

impl Http {
    #[must_use]
    pub fn new(options: HttpOptions) -> Http {
        Http {
            resolver: Resolver::new(options.hosts, options.allow_private),
            pool: Pool::new(options.idle.max(1), IDLE_FOR),
            connector: TlsLayer(tls::connector()),
            user_agent: options.user_agent,
        }
    }

    async fn ask(&self, request: &Request, start: Instant) -> Result<Captured, Failed> {
        let url = &request.url;
        let deadline = start + request.limits.timeout;
        let head = self.head(url)?;
        let sent = head_bytes(&head);
        let key = format!("{}://{}", url.scheme(), url.authority());
        let (mut connection, kept) = match self.pool.take(&key) {
            Some(connection) => (connection, true),
            None => (self.connect(request, deadline).await?, false),
        };
        let first_byte = deadline.min(Instant::now() + FIRST_BYTE_TIME);
        let response = match timeout_at(first_byte, connection.send_request(head)).await {
            Err(_) => return Err(Failed::of_host(Reason::Timeout, "no answer in time")),
            Ok(Err(_)) if kept => {
                let detail = "the kept connection was gone";
                return Err(Failed {
                    blame: Blame::Connection,
                    ..Failed::of_host(Reason::Connect, detail)
                });
            }
            Ok(Err(error)) if error.is_parse() || error.is_parse_too_large() => {
                return Err(Failed::of_page(Reason::Protocol, chain(&error)));
            }
            Ok(Err(error)) => return Err(Failed::of_host(Reason::Protocol, chain(&error))),
            Ok(Ok(response)) => response,
        };
        let time = request.now + i64::try_from(start.elapsed().as_millis()).unwrap_or(0);
        let status = response.status().as_u16();
        let headers = headers(&response);
        let limit = request.limits.max_bytes;
        let (payload, truncated) = read_body(response.into_body(), limit, deadline)
            .await
            .map_err(|failed| Failed { status, ..failed })?;
        if truncated.is_none() {
            self.pool.keep(key, connection);
        }
        let url = url.clone();
        let capture = Capture { url, time, status, headers, payload, truncated };
        Ok(Captured { capture, request: sent, elapsed: start.elapsed() })
    }

    fn head(&self, url: &Url) -> Result<hyper::Request<Empty<Bytes>>, Failed> {
        let request = |target: &str| {
            hyper::Request::get(target)
                .header("host", url.authority())
                .header("user-agent", &self.user_agent)
                .header("accept", ACCEPT)
                .header("accept-encoding", "gzip, deflate, br, zstd")
                .body(Empty::new())
        };
        let target = url.path_and_query();
        request(target)
            .or_else(|_| request(&escaped(target)))
            .map_err(|e| Failed::of_page(Reason::Protocol, e.to_string()))
    }

    /// Opens a connection to the first address that takes it; each has its share of the time.
    async fn connect(&self, request: &Request, deadline: Instant) -> Result<Connection, Failed> {
        let share = CONNECT_TIME / request.sockets.len().clamp(1, 64) as u32;
        let mut failed = Failed::of_host(Reason::Dns, "no address");
        for socket in &request.sockets {
            let until = deadline.min(Instant::now() + share);
            match timeout_at(until, self.connect_to(&request.url, *socket)).await {
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

    async fn connect_to(&self, url: &Url, socket: SocketAddr) -> Result<Connection, Failed> {
        let stream = TcpStream::connect(socket)
            .await
            .map_err(|e| Failed::of_host(Reason::Connect, format!("{socket}: {e}")))?;
        stream.set_nodelay(true).ok();
        if url.scheme() != "https" {
            return speak(TokioIo::new(stream)).await;
        }
        let stream = tls::handshake(&self.connector.0, url.host(), stream)
            .await
            .map_err(|what| Failed::of_host(Reason::Tls, what))?;
        speak(TokioIo::new(stream)).await
    }
}

impl Fetch for Http {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.resolver.resolve(url).await
    }

    async fn fetch(&self, request: Request) -> Outcome {
        let start = Instant::now();
        match self.ask(&request, start).await {
            Ok(captured) => Outcome::Captured(captured),
            Err(failed) => Outcome::Failed(Failed { elapsed: start.elapsed(), ..failed }),
        }
    }
}

/// Starts HTTP/1.1 on a stream; the connection's own task ends when its last user is gone.
async fn speak(io: impl Read + Write + Unpin + Send + 'static) -> Result<Connection, Failed> {
    let (sender, connection) = http1::Builder::new()
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS)
        .allow_spaces_after_header_name_in_responses(true)
        .ignore_invalid_headers_in_responses(true)
        .handshake(io)
        .await
        .map_err(|e| Failed::of_host(Reason::Protocol, chain(&e)))?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "connection ended");
        }
    });
    Ok(sender)
}

/// The payload up to `limit`, and the WARC word for why it is not whole.
async fn read_body(
    mut body: Incoming,
    limit: usize,
    deadline: Instant,
) -> Result<(Vec<u8>, Option<String>), Failed> {
    let hint = usize::try_from(body.size_hint().lower()).unwrap_or(limit);
    let mut payload = Vec::with_capacity(hint.min(limit).min(1 << 20));
    loop {
        let frame = match timeout_at(deadline, body.frame()).await {
            Err(_) => {
                let failed = Failed::of_page(Reason::Timeout, "the body came too slowly");
                return Err(Failed { bytes: payload.len() as u64, ..failed });
            }
            Ok(None) => return Ok((payload, None)),
            Ok(Some(Err(error))) if payload.is_empty() => {
                return Err(Failed::of_page(Reason::Protocol, chain(&error)));
            }
            Ok(Some(Err(_))) => return Ok((payload, Some("disconnect".to_owned()))),
            Ok(Some(Ok(frame))) => frame,
        };
        let Some(bytes) = frame.data_ref() else { continue };
        let room = limit - payload.len();
        payload.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if bytes.len() > room {
            return Ok((payload, Some("length".to_owned())));
        }
    }
}

fn headers(response: &hyper::Response<Incoming>) -> Vec<(String, String)> {
    let text = |value: &hyper::header::HeaderValue| match value.to_str() {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(value.as_bytes()).into_owned(),
    };
    response.headers().iter().map(|(name, value)| (name.to_string(), text(value))).collect()
}

/// The request's head as it goes over the wire.
fn head_bytes(request: &hyper::Request<Empty<Bytes>>) -> Vec<u8> {
    let mut bytes = format!("GET {} HTTP/1.1\r\n", request.uri()).into_bytes();
    for (name, value) in request.headers() {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes
}

/// Characters that WHATWG leaves in a URL but HTTP does not take.
fn escaped(target: &str) -> String {
    let escape = |c: char| match c {
        '!' | '#'..=';' | '=' | '?'..='[' | ']' | '_' | 'a'..='z' | '~' => c.to_string(),
        c => c.to_string().bytes().map(|b| format!("%{b:02X}")).collect(),
    };
    target.chars().map(escape).collect()
}

/// An error with what caused it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}
