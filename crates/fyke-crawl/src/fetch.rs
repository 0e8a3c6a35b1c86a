//! Fetching one URL: the seam between the crawl and the network (000 "Fetch the document at the URL").
//! Two sides implement it: [`crate::Http`] and [`crate::WebInAString`]. A redirect is an answer like
//! any other; the crawl decides what to do with it, so that politeness binds every hop.

use fyke_store::Reason;
use fyke_web::{Capture, Url};
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// Addresses of a host that are tried in turn, with time for a far server each.
pub(crate) const MOST_TRIED: usize = 4;

/// Bounds of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Payload bytes; what comes after is cut off.
    pub max_bytes: usize,
    /// From the start to the last byte.
    pub timeout: Duration,
    pub body: BodyWanted,
}

/// Which bodies are read at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyWanted {
    #[default]
    Any,
    /// One that may be a page and has no more bytes than these, by what its head says.
    Page(usize),
}

/// One request.
#[derive(Clone, Debug)]
pub struct Request {
    pub url: Url,
    /// Where to connect to, as [`Fetch::resolve`] said: what was checked is what is connected to.
    pub sockets: Vec<SocketAddr>,
    pub limits: Limits,
    /// Of the content that is known: the answer may say that it still holds.
    pub known: Option<Validators>,
    /// Fields that are posted, to a hub; none: it is a GET.
    pub form: Option<String>,
    /// The time now, in milliseconds since 1970.
    pub now: i64,
}

/// What a server called a content by (RFC 9110, 8.8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

impl Validators {
    /// Those that a request can carry; none when there are none.
    #[must_use]
    pub fn new(etag: Option<&str>, last_modified: Option<&str>) -> Option<Validators> {
        let is_fit =
            |text: &&str| !text.is_empty() && text.bytes().all(|b| matches!(b, b' '..=b'~'));
        let keep = |text: Option<&str>| text.map(str::trim).filter(is_fit).map(str::to_owned);
        let known = Validators { etag: keep(etag), last_modified: keep(last_modified) };
        (known != Validators::default()).then_some(known)
    }

    /// The headers of a request for what is newer.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let fields = [("If-None-Match", &self.etag), ("If-Modified-Since", &self.last_modified)];
        fields.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)))
    }
}

/// Where a host is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub sockets: Vec<SocketAddr>,
    /// The address that politeness counts.
    pub key: IpAddr,
    /// How long this may be believed.
    pub ttl: Duration,
}

impl Address {
    /// Puts the next socket first; politeness counts it then.
    pub fn turn(&mut self) {
        let Some(first) = self.sockets.first().copied() else { return };
        self.sockets.rotate_left(1);
        // Behind a proxy the sockets are the proxy's, and what counts is the host's own address.
        if self.key == first.ip() {
            self.key = self.sockets[0].ip();
        }
    }

    /// How many of the sockets are tried for one request: enough for both families.
    #[must_use]
    pub fn tried(&self) -> usize {
        self.sockets.len().clamp(1, MOST_TRIED)
    }
}

/// What came of a request.
#[derive(Clone, Debug)]
pub enum Outcome {
    Captured(Captured),
    Failed(Failed),
}

impl Outcome {
    /// From the start of the request to its end.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        match self {
            Outcome::Captured(captured) => captured.elapsed,
            Outcome::Failed(failed) => failed.elapsed,
        }
    }

    /// Payload bytes that came.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Outcome::Captured(captured) => captured.capture.payload.len() as u64,
            Outcome::Failed(failed) => failed.bytes,
        }
    }

    /// Whether the answer went on after the bytes it was granted.
    pub(crate) fn is_cut(&self) -> bool {
        let Outcome::Captured(captured) = self else { return false };
        captured.capture.truncated.as_deref() == Some("length")
    }

    /// Whether nothing but the head of the answer was read, as that said enough.
    pub(crate) fn is_unread(&self) -> bool {
        let Outcome::Captured(captured) = self else { return false };
        captured.capture.truncated.is_some() && captured.capture.payload.is_empty()
    }

    /// Whether the connection broke off before the answer was whole.
    pub(crate) fn is_half(&self) -> bool {
        let Outcome::Captured(captured) = self else { return false };
        captured.capture.truncated.as_deref() == Some("disconnect")
    }

    /// Whether we closed the connection while the server was still sending, or about to.
    pub(crate) fn is_broken_off(&self) -> bool {
        matches!(self, Outcome::Failed(Failed { reason: Reason::Timeout, .. })) || self.is_cut()
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Captured {
    pub capture: Capture,
    /// The request's head as sent.
    pub request: Vec<u8>,
    pub elapsed: Duration,
}

/// No answer, or none that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    pub reason: Reason,
    pub detail: String,
    pub blame: Blame,
    pub elapsed: Duration,
    /// What came before it failed: the status, 0 if none, and so many bytes of the body.
    pub status: u16,
    pub bytes: u64,
}

/// Whose fault it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The host gave no answer: counts against the host, the URL is tried again.
    Host,
    /// The host answered, this URL is broken: trying again would only cost the same again, but where the time
    /// was too short.
    Page,
    /// It took the request and gave no answer: the host's fault or the page's, which other pages will show.
    Unclear,
    /// A kept connection had gone: ask again after the gap.
    Connection,
    /// The first of the host's addresses took no connection: ask the next, from where it counts.
    Address,
}

impl Failed {
    /// A failure of the host; the caller adds the time.
    #[must_use]
    pub fn of_host(reason: Reason, detail: impl Into<String>) -> Failed {
        let (detail, elapsed) = (detail.into(), Duration::ZERO);
        Failed { reason, detail, blame: Blame::Host, elapsed, status: 0, bytes: 0 }
    }

    /// A request that was taken and not answered.
    #[must_use]
    pub fn unanswered(detail: impl Into<String>) -> Failed {
        Failed { blame: Blame::Unclear, ..Failed::of_host(Reason::Timeout, detail) }
    }

    /// A failure of the page.
    #[must_use]
    pub fn of_page(reason: Reason, detail: impl Into<String>) -> Failed {
        Failed { blame: Blame::Page, ..Failed::of_host(reason, detail) }
    }
}

/// A side of the network.
pub trait Fetch: Send + Sync + 'static {
    /// Finds the host's address; asks nothing of the host itself.
    fn resolve(&self, url: &Url) -> impl Future<Output = Result<Address, Failed>> + Send;

    /// Finds the address of a host that will soon be asked for, in the background; may do nothing.
    fn prefetch(&self, _url: &Url) {}

    /// Asks once; follows nothing.
    fn fetch(&self, request: Request) -> impl Future<Output = Outcome> + Send;
}
