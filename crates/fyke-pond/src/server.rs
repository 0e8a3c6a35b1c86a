//! The pond's HTTP server: all hosts on one loopback port, told apart by the Host header.
//!
//! HTTP/1.1 is written here by hand and not taken from a library: half of the hazards are answers
//! that no sound library can send. Each host has a loopback address of its own as far as they go,
//! so that politeness per address means something; every address answers for every host.

mod control;
pub(crate) mod wire;

use crate::hazards::{self, Hazard};
use crate::judge::{Arrival, Judge, JudgedAnswer};
use crate::robots::{self, PondRobots};
use crate::{Ask, Pond};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use wire::PondRequestHead;
use xxhash_rust::xxh3::xxh3_64;

/// How to serve.
#[derive(Clone, Copy, Debug)]
pub struct Serve {
    /// 0: any free port.
    pub port: u16,
    /// The smallest gap that the judge wants between two requests to one host.
    pub floor_ms: u64,
}

/// A server that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct Running {
    pub port: u16,
    /// Host name → address, every host of the pond.
    pub addresses: Vec<(String, SocketAddr)>,
    pub judge: Arc<Judge>,
    tasks: JoinSet<()>,
}

impl Running {
    /// Stops listening and closes all connections.
    pub async fn stop(mut self) {
        self.tasks.shutdown().await;
    }
}

/// Loopback addresses 127.0.0.1 and on; hosts beyond share them by hash.
const ADDRESSES: usize = 200;
/// Nobody listens here.
const REFUSED: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 1);
/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_secs(120);

/// What every connection shares.
#[derive(Debug)]
struct ServerState {
    pond: Arc<Pond>,
    judge: Arc<Judge>,
    hosts: HashMap<String, ServedPlace>,
    floor_ms: u64,
    started: Instant,
    epoch_ms: u64,
}

#[derive(Clone, Copy, Debug)]
struct ServedPlace {
    address: SocketAddr,
    rules: PondRobots,
    row: Option<&'static Hazard>,
}

/// Serves the pond on loopback.
///
/// # Errors
/// When the port cannot be bound on 127.0.0.1.
pub async fn serve(pond: Arc<Pond>, options: Serve) -> io::Result<Running> {
    let (listeners, addresses) = bind(&pond, options.port).await?;
    let judge = Arc::new(Judge::default());
    let place = |(host, address): &(String, SocketAddr)| {
        let row = hazards::row(&pond, host);
        (host.clone(), ServedPlace { address: *address, rules: robots::rules(&pond, host), row })
    };
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let shore = Arc::new(ServerState {
        hosts: addresses.iter().map(place).collect(),
        judge: Arc::clone(&judge),
        floor_ms: options.floor_ms,
        started: Instant::now(),
        epoch_ms: since_epoch.map_or(0, |d| d.as_millis() as u64),
        pond,
    });
    let port = listeners[0].local_addr()?.port();
    let mut tasks = JoinSet::new();
    for listener in listeners {
        let shore = Arc::clone(&shore);
        tasks.spawn(accept(listener, move |socket| converse(Arc::clone(&shore), socket)));
    }
    Ok(Running { port, addresses, judge, tasks })
}

/// Binds 127.0.0.1, then an address for each host; where the system has only one (macOS), that one.
async fn bind(pond: &Pond, port: u16) -> io::Result<(Vec<TcpListener>, Vec<(String, SocketAddr)>)> {
    let first = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let home = first.local_addr()?;
    let mut listeners = vec![first];
    let mut slots = vec![home];
    let mut addresses: Vec<(String, SocketAddr)> = Vec::new();
    let mut shared: HashMap<&'static str, SocketAddr> = HashMap::new();
    for host in pond.hosts() {
        let group = hazards::shares_address_with(&host);
        let address = if hazards::is_refused(&host) {
            REFUSED
        } else if let Some(&address) = group.and_then(|first| shared.get(first)) {
            address
        } else if addresses.len() < ADDRESSES {
            let last = 1 + u8::try_from(addresses.len()).unwrap_or(0);
            let own = SocketAddr::from((Ipv4Addr::new(127, 0, 0, last), home.port()));
            let bound = if last == 1 { None } else { TcpListener::bind(own).await.ok() };
            let address = if bound.is_some() { own } else { home };
            listeners.extend(bound);
            slots.push(address);
            address
        } else {
            slots[xxh3_64(host.as_bytes()) as usize % slots.len()]
        };
        if let Some(first) = group {
            shared.insert(first, address);
        }
        addresses.push((host, address));
    }
    Ok((listeners, addresses))
}

/// Takes connections for ever and gives each to a conversation of its own. What goes wrong on one
/// connection, a panic too, ends that connection.
pub(crate) async fn accept<F>(listener: TcpListener, converse: impl Fn(TcpStream) -> F)
where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((socket, _)) => {
                    let conversation = converse(socket);
                    connections.spawn(async move { conversation.await.ok() });
                }
                // Out of file descriptors: others must finish first.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Answers one request after the other until either side closes.
async fn converse(shore: Arc<ServerState>, mut socket: TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(2048);
    loop {
        let reading = wire::read_head(&mut socket, &mut buffer);
        let end = match tokio::time::timeout(IDLE, reading).await {
            Ok(Ok(Some(end))) => end,
            Ok(Err(error)) => return Err(error),
            Ok(Ok(None)) | Err(_) => return Ok(()),
        };
        let Some(head) = wire::parse(&buffer[..end]) else {
            return wire::refuse(&mut socket).await;
        };
        let (length, is_last) = (head.body_length, head.is_last);
        wire::fill(&mut socket, &mut buffer, end + length).await?;
        let Some(head) = wire::parse(&buffer[..end]) else {
            return wire::refuse(&mut socket).await;
        };
        let body = std::str::from_utf8(&buffer[end..end + length]).unwrap_or_default();
        let is_open = match head.path.strip_prefix("/__pond/") {
            Some(path) => control::answer(&shore, &mut socket, head.method, path).await?,
            None => answer(&shore, &mut socket, &head, body).await?,
        };
        if !is_open || is_last {
            return Ok(());
        }
        wire::skip(&mut socket, &mut buffer, end + length).await?;
    }
}

/// A request between its head and the end of its answer, however that comes about.
struct InFlight<'a> {
    judge: &'a Judge,
    host: &'a str,
    address: IpAddr,
    bytes: u64,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.judge.leave(self.host, self.address, self.bytes);
    }
}

/// Answers a request for a page and tells the judge. Whether the connection stays open.
async fn answer(
    shore: &ServerState,
    socket: &mut TcpStream,
    head: &PondRequestHead<'_>,
    body: &str,
) -> io::Result<bool> {
    let now_ms = shore.started.elapsed().as_secs_f64() * 1000.0;
    let (host, place) = match shore.hosts.get_key_value(head.host.as_str()) {
        Some((name, place)) => (name.as_str(), Some(place)),
        None => ("unknown", None),
    };
    let address = socket.local_addr()?.ip();
    let arrival = arrival(shore, head, (host, place), address, now_ms);
    let before = shore.judge.arrive(&arrival);
    let mut in_flight = InFlight { judge: &shore.judge, host, address, bytes: 0 };
    let ask = Ask {
        host: &head.host,
        path: head.path,
        method: head.method,
        headers: &head.headers,
        body,
        now_ms: now_ms as u64,
        epoch_ms: shore.epoch_ms,
        visit: before.visit,
        retry_until_ms: before.retry_until_ms,
    };
    let is_head = head.method == "HEAD";
    let answer = shore.pond.answer(&ask);
    shore.judge.answer(&JudgedAnswer {
        host,
        page: arrival.page,
        answer: &answer,
        is_conditional: ["if-none-match", "if-modified-since"]
            .iter()
            .any(|name| ask.header(name).is_some()),
        is_head,
        now_ms,
        epoch_ms: shore.epoch_ms,
    });
    wire::send(socket, answer, is_head, &mut in_flight.bytes).await
}

/// What the judge must know of a request before it is answered.
fn arrival<'a>(
    shore: &ServerState,
    head: &PondRequestHead,
    (host, place): (&'a str, Option<&ServedPlace>),
    address: IpAddr,
    now_ms: f64,
) -> Arrival<'a> {
    let row = place.and_then(|place| place.row);
    let page = match row {
        Some(row) => xxh3_64((row.identity)(head.path).as_bytes()),
        None => xxh3_64(head.path.as_bytes()),
    };
    let is_robots = head.path == "/robots.txt";
    let agent = robots::agent(head.header("user-agent"));
    Arrival {
        host,
        address,
        page,
        now_ms,
        required_gap_ms: shore.floor_ms.max(place.map_or(0, |place| place.rules.delay_ms)),
        is_disallowed: !is_robots
            && place.is_some_and(|place| (place.rules.forbids)(agent, head.path)),
        is_nofollow: row.is_some_and(|row| (row.nofollow)(head.path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::OPEN;
    use crate::{Hazards, Size};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    async fn get(address: SocketAddr, host: &str) -> Vec<u8> {
        let mut socket = TcpStream::connect(address).await.unwrap();
        let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        socket.read_to_end(&mut bytes).await.unwrap();
        bytes
    }

    #[tokio::test]
    async fn a_panic_closes_its_connection_and_no_other() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let sound = ServedPlace { address, rules: OPEN, row: None };
        let rules = PondRobots { forbids: |_, _| panic!("wanted by this test"), ..OPEN };
        let broken = ServedPlace { rules, ..sound };
        let hosts = [("wiki.test", sound), ("courier.test", broken)];
        let shore = ServerState {
            pond: Arc::new(Pond::new(7, Size::default(), Hazards::none())),
            judge: Arc::new(Judge::default()),
            hosts: hosts.map(|(name, place)| (name.to_owned(), place)).into(),
            floor_ms: 0,
            started: Instant::now(),
            epoch_ms: 0,
        };
        let shore = Arc::new(shore);
        let serving = accept(listener, move |socket| converse(Arc::clone(&shore), socket));
        let serving = tokio::spawn(serving);
        assert_eq!(get(address, "courier.test").await, b"");
        assert!(get(address, "wiki.test").await.starts_with(b"HTTP/1.1 200 OK"));
        serving.abort();
    }
}
