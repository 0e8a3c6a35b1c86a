//! HTTP/1.1 and HTTP/2 over TCP and TLS: one request, bounded in time, head and body; nothing is
//! followed (000 "Fetch the document at the URL").

mod account;
mod bare;
mod body;
mod chunks;
mod connect;
mod connection;
mod cookies;
mod head;
mod memory;
mod message;
mod pool;
mod proxy;
mod tls;
mod wire;

use crate::credentials::Credentials;
use crate::dns::{Private, Resolver};
use crate::fetch::{Address, Blame, BodyWanted, Captured, Failed, Fetch, Limits, Outcome, Request};
use crate::unread::unread;
use account::{Accounts, LoginRequest, ShownAccount};
pub use bare::BareWire;
use connection::{AnsweredHead, Unanswered};
use cookies::CookieJar;
use fyke_store::Reason;
use fyke_web::{Capture, Url};
use head::{Carried, Heads, RequestHead};
pub use memory::read_answer;
use pool::{Pool, PoolKey};
pub use proxy::{Proxy, ProxyError};
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicUsize, Ordering::Relaxed};
use std::task::Poll;
use std::time::Duration;
use tls::Tls;
pub use tls::{Roots, RootsError};
use tokio::time::{Instant, sleep_until};

/// How the network is used.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    pub user_agent: String,
    /// Name (or "*.suffix") → where to connect to instead; such hosts need no proxy.
    pub hosts: Vec<(String, SocketAddr)>,
    /// No contact stands in the agent's name: only this machine may be asked.
    pub is_anonymous: bool,
    pub private: Private,
    /// Idle connections kept in all, and TLS sessions remembered.
    pub idle: usize,
    /// How long a connection is kept idle, where its server does not ask for less.
    pub idle_for: Duration,
    /// From the start until the head of the answer is there.
    pub first_byte: Duration,
    pub proxy: Proxy,
    /// Certificates trusted besides the web's own.
    pub roots: Roots,
    /// Name servers; the system's where none is named.
    pub name_servers: Vec<SocketAddr>,
    /// Look-ups of names in flight.
    pub look_ups: usize,
    /// Cookies are kept, and sent back to the host that set them.
    pub keeps_cookies: bool,
    pub credentials: Credentials,
}

impl Default for HttpOptions {
    fn default() -> HttpOptions {
        HttpOptions {
            user_agent: crate::options::AGENT.to_owned(),
            hosts: Vec::new(),
            is_anonymous: false,
            private: Private::Refused,
            idle: 256,
            idle_for: Duration::from_secs(240),
            first_byte: Duration::from_secs(20),
            proxy: Proxy::default(),
            roots: Roots::default(),
            name_servers: Vec::new(),
            look_ups: 64,
            keeps_cookies: false,
            credentials: Credentials::default(),
        }
    }
}

/// The network.
#[derive(Debug)]
pub struct Http {
    cookies: Option<CookieJar>,
    accounts: Accounts,
    resolver: Resolver,
    pool: Pool,
    tls: Tls,
    heads: Heads,
    proxy: Proxy,
    first_byte: Duration,
}

/// A request with an account.
#[derive(Clone, Copy)]
struct AccountVisit<'a> {
    account: &'a ShownAccount,
    /// What is posted, if this is the one request that posts.
    form: Option<&'a str>,
}

/// How far an answer has come, for when the time is up.
#[derive(Debug, Default)]
struct AnswerSoFar {
    /// The request went out on a kept connection.
    on_kept: AtomicBool,
    status: AtomicU16,
    bytes: AtomicUsize,
}

impl AnswerSoFar {
    fn count(&self, bytes: usize) {
        self.bytes.store(bytes, Relaxed);
    }

    fn has_head(&self) -> bool {
        self.status.load(Relaxed) != 0
    }

    /// What to say when nothing more came in time.
    fn late(&self) -> Failed {
        if self.has_head() {
            Failed::of_page(Reason::Timeout, "the body came too slowly")
        } else if self.on_kept.load(Relaxed) {
            // Something between may have forgotten the connection without telling either side.
            gone(Reason::Timeout, "no answer in time on a kept connection")
        } else {
            Failed::unanswered("no answer in time")
        }
    }
}

impl Http {
    #[must_use]
    pub fn new(options: HttpOptions) -> Http {
        let idle = options.idle.max(1);
        Http {
            pool: Pool::new(idle, options.idle_for),
            tls: Tls::new(&options.roots, idle),
            heads: Heads::new(&options.user_agent),
            proxy: options.proxy.clone(),
            first_byte: options.first_byte,
            cookies: options.keeps_cookies.then(CookieJar::default),
            accounts: Accounts::new(&options.credentials),
            resolver: Resolver::new(options),
        }
    }

    /// The proxy this URL is asked for through.
    fn proxy_for(&self, url: &Url) -> Option<&proxy::Server> {
        self.proxy.for_url(url).filter(|_| !self.resolver.is_overridden(url))
    }

    /// Asks for a page; of a host with an account, with that. Where a login comes first, that is asked for in the place
    /// of the page. A hub is named by strangers, so what is posted to one goes without account, login and cookies.
    async fn ask(
        &self,
        request: &Request,
        start: Instant,
        seen: &AnswerSoFar,
    ) -> Result<Captured, Failed> {
        if request.form.is_some() {
            return self.exchange(request, start, seen, None).await;
        }
        let proxied = self.proxy_for(&request.url).is_some();
        let account = self.accounts.of(&request.url, &request.sockets, proxied);
        let Some(account) = account else { return self.exchange(request, start, seen, None).await };
        let visit = AccountVisit { account, form: None };
        account.mind_session(&request.url)?;
        if let Some(asked) = account.first(&request.url, request.now)? {
            let LoginRequest { url, form } = &asked;
            let limits = Limits { body: BodyWanted::Any, ..request.limits };
            let url = url.clone();
            let login = Request { url, limits, known: None, form: None, ..request.clone() };
            let visit = AccountVisit { form: form.as_deref(), ..visit };
            let answer = self.exchange(&login, start, seen, Some(visit)).await?;
            return Err(account.take(&asked, &answer.capture));
        }
        let mut answer = self.exchange(request, start, seen, Some(visit)).await?;
        account::leave_out(&mut answer.capture.headers);
        match account.denial(&answer.capture) {
            Some(failed) => Err(failed),
            None => Ok(answer),
        }
    }

    /// One request and its answer.
    async fn exchange(
        &self,
        request: &Request,
        start: Instant,
        seen: &AnswerSoFar,
        visitor: Option<AccountVisit<'_>>,
    ) -> Result<Captured, Failed> {
        let url = request.url.clone();
        let server = self.proxy_for(&url);
        let own = self.cookies.as_ref().filter(|_| request.form.is_none());
        let jar = visitor.map_or(own, |visitor| Some(&visitor.account.cookies));
        let carried = Carried {
            cookies: jar.and_then(|jar| jar.header(&url)),
            authorization: visitor.and_then(|visitor| visitor.account.authorization()),
            form: visitor.and_then(|visitor| visitor.form).or(request.form.as_deref()),
            known: request.known.as_ref(),
            is_private: visitor.is_some() || request.form.is_some(),
        };
        let asked = RequestHead::new(&self.heads, &url, server, carried)?;
        let AnsweredHead { status, headers, rest } = self.answer(request, &asked, seen).await?;
        if server.is_some() && status == 407 {
            let detail = format!("the proxy {}", proxy::refusal());
            return Err(Failed::of_host(Reason::Connect, detail));
        }
        let time = request.now + i64::try_from(start.elapsed().as_millis()).unwrap_or(0);
        seen.status.store(status, Relaxed);
        if let Some(jar) = jar {
            jar.keep(&url, &headers, request.now);
        }
        let (payload, kept) = match unread(request, status, &headers) {
            None => rest.read(request.limits.max_bytes, seen).await?,
            Some(why) => rest.leave(why, seen).await,
        };
        if let Some((connection, promised)) = kept {
            self.pool.keep(pool_key(request), connection, promised);
        }
        let record = asked.record();
        let (payload, truncated) = (payload.bytes, payload.truncated.map(str::to_owned));
        let capture = Capture { url, time, status, headers, payload, truncated };
        Ok(Captured { capture, request: record, elapsed: start.elapsed() })
    }

    /// Asks on a kept connection if there is one, else on a new one.
    async fn answer(
        &self,
        request: &Request,
        asked: &RequestHead<'_>,
        seen: &AnswerSoFar,
    ) -> Result<AnsweredHead, Failed> {
        if let Some(connection) = self.pool.take(&pool_key(request)) {
            seen.on_kept.store(true, Relaxed);
            match connection.send(asked).await {
                Ok(answer) => return Ok(answer),
                // The host never saw it, so asking on another connection breaks no gap.
                Err(Unanswered::Unsent) => seen.on_kept.store(false, Relaxed),
                Err(_) => return Err(gone(Reason::Connect, "the kept connection was gone")),
            }
        }
        // Boxed, because a handshake is large and rare, and what is inline here is moved every time.
        let connecting =
            Box::pin(connect::connect(request, self.proxy_for(&request.url), &self.tls));
        match connecting.await?.send(asked).await {
            Ok(answer) => Ok(answer),
            Err(Unanswered::Failed(failed)) => Err(failed),
            Err(Unanswered::Unsent) => {
                Err(Failed::of_host(Reason::Protocol, "the connection took no request"))
            }
        }
    }
}

impl Fetch for Http {
    /// Behind a proxy the sockets are the proxy's. The target's own address still is looked up here,
    /// for politeness and to refuse private networks; a name that only the proxy can resolve counts
    /// as an address of its own.
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        match self.proxy_for(url) {
            None => self.resolver.resolve(url).await,
            Some(server) => self.resolver.resolve_behind(url, (&server.host, server.port)).await,
        }
    }

    fn prefetch(&self, url: &Url) {
        self.resolver.prefetch(url);
    }

    async fn fetch(&self, request: Request) -> Outcome {
        let start = Instant::now();
        let seen = AnswerSoFar::default();
        let limits = (start + self.first_byte, start + request.limits.timeout);
        let asked = within(limits, &seen, self.ask(&request, start, &seen)).await;
        match asked.unwrap_or_else(|| Err(seen.late())) {
            Ok(captured) => Outcome::Captured(captured),
            Err(failed) => Outcome::Failed(Failed {
                elapsed: start.elapsed(),
                status: seen.status.into_inner(),
                bytes: seen.bytes.into_inner() as u64,
                ..failed
            }),
        }
    }
}

/// Does `work` until the first time without a head, or the second in any case. One timer serves both:
/// timers are what a fetch would otherwise spend most on.
async fn within<T>(
    (first, last): (Instant, Instant),
    seen: &AnswerSoFar,
    work: impl Future<Output = T>,
) -> Option<T> {
    let mut work = pin!(work);
    let mut sleep = pin!(sleep_until(first.min(last)));
    poll_fn(|cx| {
        if let Poll::Ready(done) = work.as_mut().poll(cx) {
            return Poll::Ready(Some(done));
        }
        while sleep.as_mut().poll(cx).is_ready() {
            if !seen.has_head() || sleep.deadline() >= last {
                return Poll::Ready(None);
            }
            sleep.as_mut().reset(last);
        }
        Poll::Pending
    })
    .await
}

/// A connection is kept for the host it was made for, also when it leads to a proxy: what goes wrong
/// on it is that host's doing. It leads to the address that counts, and to no other.
fn pool_key(request: &Request) -> PoolKey {
    let url = &request.url;
    (request.sockets.first().copied(), [url.scheme(), "://", url.authority()].concat())
}

fn gone(reason: Reason, detail: &str) -> Failed {
    Failed { blame: Blame::Connection, ..Failed::of_host(reason, detail) }
}
