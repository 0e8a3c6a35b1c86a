//! The newsroom's server: all hosts and the hub on one loopback port, told apart by the Host header. `/__pond/news` on any
//! host says what was published when, `/__pond/hub` what the hub did and `/__pond/requests` how often each kind was asked
//! for.

use super::hub::{self, Fate, HubCounts, Subscriber};
use super::{HUB, NewsTime, Newsroom, TrueItem};
use crate::server::accept;
use crate::server::wire;
use crate::words::mix;
use crate::{Answer, AnswerKind, Body};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_secs(120);
/// How often the hub looks for news.
const TICK: Duration = Duration::from_millis(100);

/// A newsroom that runs until it is dropped.
#[derive(Debug)]
pub struct RunningNews {
    pub port: u16,
    state: Arc<NewsState>,
    _tasks: JoinSet<()>,
}

#[derive(Debug)]
struct NewsState {
    room: Newsroom,
    /// One message in so many is lost; 0: none.
    loses: u64,
    started: Instant,
    epoch_ms: u64,
    hub: Mutex<HubState>,
    /// Requests by kind: "feed", "page", "robots", "unchanged".
    requests: Mutex<BTreeMap<&'static str, u64>>,
}

#[derive(Debug, Default)]
struct HubState {
    /// By callback.
    subscribers: HashMap<String, Subscriber>,
    /// By topic, the version that was told last.
    told: HashMap<String, u64>,
    counts: HubCounts,
    /// Messages so far.
    messages: u64,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RunningNews {
    /// What was published since it opened.
    #[must_use]
    pub fn truth(&self) -> Vec<TrueItem> {
        self.state.room.truth(self.state.time())
    }

    #[must_use]
    pub fn hub(&self) -> HubCounts {
        locked(&self.state.hub).counts.clone()
    }

    /// Requests by kind.
    #[must_use]
    pub fn requests(&self) -> BTreeMap<&'static str, u64> {
        locked(&self.state.requests).clone()
    }
}

impl NewsState {
    fn time(&self) -> NewsTime {
        let now_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        NewsTime { now_ms, epoch_ms: self.epoch_ms }
    }
}

/// Serves a newsroom whose hub loses one message in so many; 0: none.
///
/// # Errors
/// When its address is not known.
pub fn serve(room: Newsroom, listener: TcpListener, loses: u64) -> io::Result<RunningNews> {
    let port = listener.local_addr()?.port();
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let state = Arc::new(NewsState {
        room,
        loses,
        started: Instant::now(),
        epoch_ms: since.map_or(0, |since| since.as_millis() as u64),
        hub: Mutex::default(),
        requests: Mutex::default(),
    });
    let mut tasks = JoinSet::new();
    let shared = Arc::clone(&state);
    tasks.spawn(accept(listener, move |socket| converse(Arc::clone(&shared), socket)));
    tasks.spawn(tell(Arc::clone(&state)));
    Ok(RunningNews { port, state, _tasks: tasks })
}

/// Answers one request after the other until either side closes.
async fn converse(state: Arc<NewsState>, mut socket: TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(2048);
    loop {
        let reading = wire::read_head(&mut socket, &mut buffer);
        let end = match tokio::time::timeout(IDLE, reading).await {
            Ok(Ok(Some(end))) => end,
            Ok(Err(error)) => return Err(error),
            Ok(Ok(None)) | Err(_) => return Ok(()),
        };
        let Some(length) = wire::parse(&buffer[..end]).map(|head| head.body_length) else {
            return wire::refuse(&mut socket).await;
        };
        wire::fill(&mut socket, &mut buffer, end + length).await?;
        let Some(head) = wire::parse(&buffer[..end]) else {
            return wire::refuse(&mut socket).await;
        };
        let body = String::from_utf8_lossy(&buffer[end..end + length]).into_owned();
        let known = head.header("if-none-match").map(str::to_owned);
        let (is_post, is_head) = (head.method == "POST", head.method == "HEAD");
        let answer = match head.path.strip_prefix("/__pond/") {
            Some(what) => told(&state, what),
            None if is_post && head.host == HUB => take(&state, &body),
            None => page(&state, (&head.host, head.path), known.as_deref()),
        };
        let is_last = head.is_last;
        if !wire::send(&mut socket, answer, is_head, &mut 0).await? || is_last {
            return Ok(());
        }
        wire::skip(&mut socket, &mut buffer, end + length).await?;
    }
}

fn page(state: &NewsState, (host, path): (&str, &str), known: Option<&str>) -> Answer {
    let mut answer = state.room.answer(host, path, state.time());
    let etag = answer.headers.iter().find(|(name, _)| *name == "etag").map(|(_, etag)| &**etag);
    let is_same = known.is_some() && etag == known;
    if is_same {
        (answer.status, answer.body) = (304, Body::Bytes(Vec::new()));
    }
    let kind = match answer.kind {
        AnswerKind::Feed if is_same => "unchanged",
        AnswerKind::Feed => "feed",
        AnswerKind::Robots => "robots",
        _ => "page",
    };
    *locked(&state.requests).entry(kind).or_default() += 1;
    answer
}

/// What people and tests ask of the newsroom itself.
fn told(state: &NewsState, what: &str) -> Answer {
    let text = match what {
        "news" => json!(state.room.truth(state.time())),
        "hub" => json!(locked(&state.hub).counts),
        "requests" => json!(*locked(&state.requests)),
        _ => return Answer::missing(),
    };
    super::typed("application/json", AnswerKind::Other, text.to_string())
}

/// What a hub is told: that somebody wants to be told, or that something is new.
fn take(state: &Arc<NewsState>, form: &str) -> Answer {
    let mut fields = hub::fields(form);
    let mut field = |name: &str| fields.remove(name).unwrap_or_default();
    let accepted =
        Answer { status: 202, ..super::typed("text/plain", AnswerKind::Other, String::new()) };
    match field("hub.mode").as_str() {
        "publish" => {
            let url = field("hub.url");
            *locked(&state.hub).counts.announced.entry(url).or_default() += 1;
            accepted
        }
        "subscribe" => {
            locked(&state.hub).counts.asked += 1;
            let (topic, callback) = (field("hub.topic"), field("hub.callback"));
            let wanted = Subscriber { topic, callback, secret: field("hub.secret") };
            tokio::spawn(believe(Arc::clone(state), wanted));
            accepted
        }
        _ => Answer { status: 400, ..accepted },
    }
}

async fn believe(state: Arc<NewsState>, wanted: Subscriber) {
    let challenge = format!("{:x}", mix(state.epoch_ms, wanted.callback.len() as u64));
    if hub::confirm(&wanted, &challenge).await {
        let mut hub = locked(&state.hub);
        hub.counts.confirmed += 1;
        hub.subscribers.insert(wanted.callback.clone(), wanted);
    }
}

/// Tells of news for ever.
async fn tell(state: Arc<NewsState>) {
    loop {
        tokio::time::sleep(TICK).await;
        let time = state.time();
        let subscribers: Vec<Subscriber> =
            locked(&state.hub).subscribers.values().cloned().collect();
        for of in subscribers {
            let host = of.topic.trim_start_matches("http://").split('/').next().unwrap_or_default();
            let Some(host) = state.room.number(host) else { continue };
            let version = state.room.version(host, time.now_ms);
            let fate = {
                let mut hub = locked(&state.hub);
                match hub.told.insert(of.topic.clone(), version) {
                    Some(before) if before != version => {}
                    _ => continue,
                }
                hub.messages += 1;
                hub::fate(state.room.seed, hub.messages, state.loses)
            };
            let (body, _) = state.room.feed(host, time);
            tokio::spawn(send(Arc::clone(&state), of, (body, fate)));
        }
    }
}

async fn send(state: Arc<NewsState>, of: Subscriber, (body, fate): (String, Fate)) {
    let times = match fate {
        Fate::Lost => {
            locked(&state.hub).counts.lost += 1;
            return;
        }
        Fate::Sent => 1,
        Fate::Twice => 2,
    };
    for n in 0..times {
        let taken = hub::tell(&of, &body).await;
        let counts = &mut locked(&state.hub).counts;
        counts.repeated += n;
        counts.taken += u64::from(taken);
        counts.refused += u64::from(!taken);
    }
}
