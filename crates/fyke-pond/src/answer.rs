//! A request as the pond sees it and what it answers: plain values, so that the whole web is a
//! pure function and the server only moves bytes.

/// One request. Time and attempt number are part of the question, never read from a clock.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    pub host: &'a str,
    /// Path and query as requested.
    pub path: &'a str,
    pub method: &'a str,
    /// Only those that an answer may depend on, names in lower case.
    pub headers: &'a [(&'a str, &'a str)],
    /// What came behind the head, where that is text.
    pub body: &'a str,
    /// Milliseconds since the pond started.
    pub now_ms: u64,
    /// Unix time in milliseconds at `now_ms` 0: only for dates that the outside world reads.
    pub epoch_ms: u64,
    /// How often this page was asked for before (by the identity of [`crate::hazards::identity`]).
    pub visit: u64,
    /// Until when (as `now_ms`) the host has asked for patience by Retry-After; 0: it has not.
    pub retry_until_ms: u64,
}

impl<'a> Ask<'a> {
    /// A plain GET at time zero.
    pub fn get(host: &'a str, path: &'a str) -> Ask<'a> {
        Ask {
            host,
            path,
            method: "GET",
            headers: &[],
            body: "",
            now_ms: 0,
            epoch_ms: 0,
            visit: 0,
            retry_until_ms: 0,
        }
    }

    pub fn header(&self, name: &str) -> Option<&'a str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }
}

/// What is sent back, and what the judge counts it as.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Body,
    pub kind: AnswerKind,
}

/// How the bytes leave the server.
#[derive(Clone, Debug)]
pub enum Body {
    Bytes(Vec<u8>),
    /// One byte at a time.
    Drip {
        bytes: Vec<u8>,
        every_ms: u64,
    },
    /// The chunk again and again until the other side gives up.
    Endless {
        chunk: Vec<u8>,
    },
    /// Content-Length claims another length than is sent; then the connection closes.
    ShortOf {
        bytes: Vec<u8>,
        claimed: u64,
    },
    /// These bytes as they are, no status line of ours, then the connection closes.
    Raw(Vec<u8>),
}

/// What the judge counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnswerKind {
    /// A page with an identity: fetching it twice is a duplicate fetch.
    Page,
    /// A page of an endless or worthless space.
    Trap,
    /// Something robots.txt forbids.
    Disallowed,
    Missing,
    Robots,
    Sitemap,
    Feed,
    Other,
    /// To a request that destroys something, or shows a secret to whom it is not for.
    Harmful,
}

impl Answer {
    pub fn html(kind: AnswerKind, bytes: Vec<u8>) -> Answer {
        Answer {
            status: 200,
            headers: vec![("content-type", "text/html; charset=utf-8".into())],
            body: Body::Bytes(bytes),
            kind,
        }
    }

    pub fn missing() -> Answer {
        let text = "<!DOCTYPE html><title>Not found</title><p>There is no such page here.</p>";
        Answer { status: 404, ..Answer::html(AnswerKind::Missing, text.into()) }
    }

    pub fn redirect(status: u16, location: String) -> Answer {
        Answer {
            status,
            headers: vec![("location", location)],
            body: Body::Bytes(Vec::new()),
            kind: AnswerKind::Other,
        }
    }
}
