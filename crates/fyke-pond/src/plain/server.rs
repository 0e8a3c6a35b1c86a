//! The plain web on one loopback port: hosts by the Host header, or folders of one host. A page is
//! made in the buffer it is sent from.

use super::{Plain, PlainPlace, PlainTarget, Tally, page};
use crate::server::accept;
use crate::server::wire::{self, PondRequestHead};
use crate::{Answer, AnswerKind, Body};
use serde_json::json;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_secs(120);
/// The longest head of an answer of ours.
const HEAD: usize = 256;
/// What a page asked for on a host that drips costs in time.
const DRIP_MS: u64 = 1000;

/// How to serve.
#[derive(Clone, Copy, Debug, Default)]
pub struct ServePlain {
    /// 0: any free port.
    pub port: u16,
    /// The smallest gap that the judge wants between two requests to one host.
    pub floor_ms: u64,
    /// The number of a host that sends its pages one byte a second (its robots.txt at once).
    pub drip: Option<u64>,
}

/// A server that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct RunningPlain {
    pub port: u16,
    pub tally: Arc<Tally>,
    tasks: JoinSet<()>,
}

impl RunningPlain {
    /// Stops listening and closes all connections.
    pub async fn stop(mut self) {
        self.tasks.shutdown().await;
    }
}

/// What every connection shares.
#[derive(Debug)]
struct PlainServerState {
    plain: Arc<Plain>,
    tally: Arc<Tally>,
    drip: Option<u64>,
    started: Instant,
}

/// Serves the plain web on 127.0.0.1.
///
/// # Errors
/// When the port cannot be bound.
pub async fn serve(plain: Arc<Plain>, options: ServePlain) -> io::Result<RunningPlain> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await?;
    let port = listener.local_addr()?.port();
    let hosts = if plain.shape.one_host { 1 } else { plain.shape.hosts };
    let tally = Arc::new(Tally::new(hosts, plain.shape.pages, options.floor_ms));
    let (drip, started) = (options.drip, Instant::now());
    let shore = Arc::new(PlainServerState { plain, tally: Arc::clone(&tally), drip, started });
    let mut tasks = JoinSet::new();
    tasks.spawn(accept(listener, move |socket| converse(Arc::clone(&shore), socket)));
    Ok(RunningPlain { port, tally, tasks })
}

/// Answers one request after the other until either side closes.
async fn converse(shore: Arc<PlainServerState>, mut socket: TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(512);
    loop {
        let reading = wire::read_head(&mut socket, &mut buffer);
        let Ok(Some(end)) = tokio::time::timeout(IDLE, reading).await.unwrap_or(Ok(None)) else {
            return Ok(());
        };
        let Some(head) = wire::parse(&buffer[..end]) else {
            return wire::refuse(&mut socket).await;
        };
        let (length, is_last) = (head.body_length, head.is_last);
        let is_open = match head.path.strip_prefix("/__pond/") {
            Some(path) => {
                wire::send(&mut socket, control(&shore, path), head.method == "HEAD", &mut 0)
                    .await?
            }
            None => answer(&shore, &mut socket, &head).await?,
        };
        if !is_open || is_last {
            return Ok(());
        }
        wire::skip(&mut socket, &mut buffer, end + length).await?;
    }
}

fn control(shore: &PlainServerState, path: &str) -> Answer {
    let json = match path {
        "stats" => json!(shore.tally.stats()),
        "shape" => json!({
            "hosts": shore.plain.shape.hosts, "pages": shore.plain.shape.pages,
            "links": shore.plain.shape.links, "bytes": shore.plain.shape.bytes,
        }),
        _ => return Answer::missing(),
    };
    text("application/json", json.to_string().into())
}

fn text(content_type: &str, bytes: Vec<u8>) -> Answer {
    let headers = vec![("content-type", content_type.into())];
    Answer { status: 200, headers, body: Body::Bytes(bytes), kind: AnswerKind::Other }
}

/// A request between its head and the end of its answer, however that comes about.
struct PlainInFlight<'a> {
    tally: &'a Tally,
    host: u64,
    bytes: u64,
}

impl Drop for PlainInFlight<'_> {
    fn drop(&mut self) {
        self.tally.leave(self.host, self.bytes);
    }
}

/// Answers a request and tells the tally. Whether the connection stays open.
async fn answer(
    shore: &PlainServerState,
    socket: &mut TcpStream,
    head: &PondRequestHead<'_>,
) -> io::Result<bool> {
    let plain = &shore.plain;
    let target = plain.find(&head.host, head.path);
    let host = host(plain, &head.host, target);
    let now_us = shore.started.elapsed().as_micros() as u64;
    shore.tally.arrive(host, now_us, target == Some(PlainTarget::Forbidden));
    let mut in_flight = PlainInFlight { tally: &shore.tally, host, bytes: 0 };
    let is_head = head.method == "HEAD";
    let answer = match target {
        Some(PlainTarget::Page(place)) => {
            shore.tally.deliver(plain.number(place));
            if shore.drip != Some(place.host) && !is_head {
                in_flight.bytes = send_page(plain, place, socket).await?;
                return Ok(true);
            }
            let mut bytes = Vec::new();
            plain.write(place, &mut bytes);
            let body = Body::Drip { bytes, every_ms: DRIP_MS };
            Answer { body, ..text("text/html; charset=utf-8", Vec::new()) }
        }
        Some(PlainTarget::Robots) => text("text/plain", page::ROBOTS.into()),
        Some(PlainTarget::Forbidden) => text("text/html", b"<p>Not for robots.</p>".to_vec()),
        None => Answer::missing(),
    };
    wire::send(socket, answer, is_head, &mut in_flight.bytes).await
}

/// Whom a request counts for: robots.txt and forbidden pages are asked of hosts too.
fn host(plain: &Plain, name: &str, target: Option<PlainTarget>) -> u64 {
    match target {
        _ if plain.shape.one_host => 0,
        Some(PlainTarget::Page(place)) => place.host,
        _ => match plain.find(name, "/") {
            Some(PlainTarget::Page(place)) => place.host,
            _ => u64::MAX,
        },
    }
}

/// Sends a page in one write; its head has room for a length that is known at the end.
async fn send_page(plain: &Plain, place: PlainPlace, socket: &mut TcpStream) -> io::Result<u64> {
    const START: &[u8] =
        b"HTTP/1.1 200 OK\r\nserver: pond\r\ncontent-type: text/html; charset=utf-8\r\n\
        cache-control: max-age=600\r\ncontent-length: ";
    const ROOM: &[u8] = b"          \r\n\r\n";
    let mut out = Vec::with_capacity(HEAD + plain.shape.bytes * 5 / 3);
    out.extend_from_slice(START);
    out.extend_from_slice(ROOM);
    let body = out.len();
    plain.write(place, &mut out);
    let length = (out.len() - body).to_string();
    out[START.len()..START.len() + length.len()].copy_from_slice(length.as_bytes());
    socket.write_all(&out).await?;
    Ok(out.len() as u64)
}
