//! Who is let in, and how long they may take. Connections are counted, in all and by address; where there
//! are too many, the one goes that has waited longest without a request. Heads are limited in size and time,
//! and so is the time in which somebody reads nothing of an answer. A shortage of descriptors is waited out.

use super::guests::{ClientConnection, ClientTable, HeldBody};
use super::stalling::Stalling;
use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};

/// What a connection may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionLimits {
    /// Connections at once.
    pub all: usize,
    /// Of these from one address; this machine itself may have all.
    pub of_address: usize,
    /// Time until a head has come whole, counted from the connection's start or the answer before.
    pub head: Duration,
    /// Time in which nothing of an answer is taken.
    pub stall: Duration,
}

/// Bytes of a head: a query of the longest kind is sent in less.
const LONGEST_HEAD: usize = 32 << 10;
/// Header fields of a head.
const MOST_FIELDS: usize = 64;
/// A pause after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);
/// Connections that are told at once that there is no place.
const REFUSING: usize = 8;
/// What is said to whom no place is left for.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\n\
    Content-Length: 0\r\n\r\n";

impl ConnectionLimits {
    /// Those of a process that may open so many files: an eighth, the rest is for the crawl and the index.
    #[must_use]
    pub(crate) fn with_descriptors(descriptors: u64) -> ConnectionLimits {
        let share = usize::try_from(descriptors / 8).unwrap_or(usize::MAX);
        let all = share.clamp(8, 512);
        let (head, stall) = (Duration::from_secs(10), Duration::from_secs(30));
        ConnectionLimits { all, of_address: all.min(64), head, stall }
    }

    /// Those of this process.
    #[must_use]
    pub(crate) fn of_process() -> ConnectionLimits {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        ConnectionLimits::with_descriptors(limit.current.unwrap_or(u64::MAX))
    }

    fn of(&self, peer: IpAddr) -> usize {
        if peer.is_loopback() { self.all } else { self.of_address }
    }
}

/// Serves until `stop` is done, and then until the answers under way are given.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
) {
    let guests = Arc::new(ClientTable::default());
    let (stopping, stopped) = watch::channel(false);
    // Each connection has an end of it; when all are gone the other end hears it.
    let (under_way, mut over) = mpsc::channel::<Infallible>(1);
    let mut stop = pin!(stop);
    let refusing = Arc::new(Semaphore::new(REFUSING));
    loop {
        let (stream, peer) = tokio::select! {
            () = &mut stop => break,
            taken = take(&listener, &guests) => taken,
        };
        let Some(guest) = guests.admit(peer, limits.of(peer), limits.all) else {
            refuse(stream, &refusing);
            continue;
        };
        let (router, stopped, under_way) = (router.clone(), stopped.clone(), under_way.clone());
        tokio::spawn(async move {
            attend(stream, router, limits, (guest, stopped)).await;
            drop(under_way);
        });
    }
    drop((listener, under_way));
    let _ = stopping.send(true);
    let _ = over.recv().await;
}

/// The next connection. What hinders taking it passes: others are closed, and an idle one of ours makes room.
async fn take(listener: &TcpListener, guests: &ClientTable) -> (TcpStream, IpAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer.ip().to_canonical()),
            Err(error) if is_of_peer(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "no connection can be taken just now");
                guests.send_one_away();
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Whether only the one connection broke.
fn is_of_peer(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Says that no place is left, once the request has begun to come: a connection that is closed before loses
/// the answer. Where many are to be told so, they are not.
fn refuse(stream: TcpStream, refusing: &Arc<Semaphore>) {
    let Ok(place) = Arc::clone(refusing).try_acquire_owned() else { return };
    tokio::spawn(async move {
        let _place = place;
        if tokio::time::timeout(PAUSE, stream.readable()).await.is_ok() {
            let _ = stream.try_read(&mut [0; 4_096]);
        }
        let _ = stream.try_write(FULL);
    });
}

/// Answers the requests of one connection.
async fn attend(
    stream: TcpStream,
    router: Router,
    limits: ConnectionLimits,
    (guest, mut stopped): (ClientConnection, watch::Receiver<bool>),
) {
    let guest = Arc::new(guest);
    let io = TokioIo::new(Stalling::new(stream, limits.stall));
    let service =
        CountedService { router: TowerToHyperService::new(router), guest: Arc::clone(&guest) };
    let mut rules = http1::Builder::new();
    rules.timer(TokioTimer::new()).header_read_timeout(limits.head);
    rules.max_header_size(LONGEST_HEAD).max_buf_size(2 * LONGEST_HEAD).max_headers(MOST_FIELDS);
    let mut connection = pin!(rules.serve_connection(io, service));
    let mut is_stopping = false;
    loop {
        tokio::select! {
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection broke");
                }
                return;
            }
            () = guest.sent_away() => return,
            _ = stopped.changed(), if !is_stopping => {
                is_stopping = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

/// The site, as one connection asks it.
struct CountedService {
    router: TowerToHyperService<Router>,
    guest: Arc<ClientConnection>,
}

impl Service<Request<Incoming>> for CountedService {
    type Response = Response<HeldBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let answer = self.router.call(request);
        let busy = self.guest.begin();
        Box::pin(async move {
            let answer: Response<Body> = answer.await?;
            Ok(answer.map(|body| HeldBody::new(body, busy)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use futures_util::StreamExt;
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpStream as Client};
    use std::time::Instant;
    use tokio::sync::oneshot;

    const SOON: Duration = Duration::from_millis(200);
    const NEVER: Duration = Duration::from_secs(600);

    /// A site with these limits, its address, and what stops it.
    struct Open {
        runtime: tokio::runtime::Runtime,
        address: SocketAddr,
        stop: oneshot::Sender<()>,
        served: tokio::task::JoinHandle<()>,
    }

    /// An answer that begins and never ends.
    fn begun() -> impl futures_util::Stream<Item = Result<&'static str, Infallible>> {
        let first = futures_util::stream::iter([Ok("begun")]);
        first.chain(futures_util::stream::pending())
    }

    fn open(limits: ConnectionLimits) -> Open {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/", get(|| async { "here" }))
            .route("/large", get(|| async { vec![b'x'; 64 << 20] }))
            .route("/never", get(|| async { Body::from_stream(begun()) }));
        let (stop, stopped) = oneshot::channel();
        let stopped = async { stopped.await.unwrap_or_default() };
        let served = runtime.spawn(serve(listener, router, limits, stopped));
        Open { runtime, address, stop, served }
    }

    impl Open {
        fn send(&self, bytes: &str) -> Client {
            let mut client = Client::connect(self.address).unwrap();
            client.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            client.write_all(bytes.as_bytes()).unwrap();
            client
        }

        /// Stops it, and waits until the last connection is gone.
        fn end(self) {
            self.stop.send(()).unwrap();
            self.runtime.block_on(self.served).unwrap();
        }
    }

    fn all_of(mut client: Client) -> String {
        let mut text = Vec::new();
        // What was sent before a connection broke counts.
        let _ = client.read_to_end(&mut text);
        String::from_utf8(text).unwrap()
    }

    fn limits() -> ConnectionLimits {
        ConnectionLimits { all: 4, of_address: 4, head: NEVER, stall: NEVER }
    }

    #[test]
    fn a_head_that_does_not_come_and_an_idle_connection_are_not_waited_for() {
        let site = open(ConnectionLimits { head: SOON, ..limits() });
        let start = Instant::now();
        let slow =
            ["", "GET / HTTP/1.1\r\nHost: a", "GET / HTTP/1.1\r\n\r\n"].map(|h| site.send(h));
        let [silent, half, idle] = slow.map(all_of);
        assert_eq!(silent, "");
        assert!(!half.contains("here") && idle.ends_with("here"), "{half} {idle}");
        assert!(start.elapsed() < Duration::from_secs(15));
        site.end();
    }

    #[test]
    fn who_only_waits_makes_room_and_who_is_answered_does_not() {
        let site = open(limits());
        let _half: Vec<Client> = (0..40).map(|_| site.send("GET / HTTP/1.1\r\nHo")).collect();
        let close = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n";
        assert!(all_of(site.send(close)).ends_with("here"));
        let busy = |_| {
            let mut client = site.send("GET /never HTTP/1.1\r\n\r\n");
            client.read_exact(&mut [0; 12]).unwrap();
            client
        };
        let _busy: Vec<Client> = (0..4).map(busy).collect();
        let full = all_of(site.send(close));
        assert!(full.starts_with("HTTP/1.1 503") && full.contains("Retry-After: 2"), "{full}");
    }

    #[test]
    fn a_head_that_is_too_large_is_refused() {
        let site = open(limits());
        let long = "x".repeat(LONGEST_HEAD);
        let many = "a: b\r\n".repeat(MOST_FIELDS + 1);
        for head in
            [format!("GET /?{long} HTTP/1.1\r\n\r\n"), format!("GET / HTTP/1.1\r\n{many}\r\n")]
        {
            let answer = all_of(site.send(&head));
            assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
        }
        site.end();
    }

    #[test]
    fn who_reads_nothing_is_not_waited_for() {
        let site = open(ConnectionLimits { stall: SOON, ..limits() });
        let mut deaf = site.send("GET /large HTTP/1.1\r\n\r\n");
        deaf.read_exact(&mut [0]).unwrap();
        site.end();
    }

    #[test]
    fn the_larger_part_of_the_descriptors_is_for_others() {
        for (descriptors, expected) in [(0, 8), (128, 16), (1_024, 128), (u64::MAX, 512)] {
            let limits = ConnectionLimits::with_descriptors(descriptors);
            assert_eq!(limits.all, expected, "{descriptors}");
            assert!(limits.of_address <= limits.all);
        }
        let peers = [IpAddr::from([127, 0, 0, 1]), IpAddr::from([192, 0, 2, 1])];
        assert_eq!(peers.map(|peer| ConnectionLimits::with_descriptors(4_096).of(peer)), [512, 64]);
    }
}
