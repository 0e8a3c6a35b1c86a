//! A web written in a string: the test world. A page starts with a line `//- URL`, then words
//! `status=404`, `slow=500` (milliseconds to the last byte), `cut` (the connection breaks off),
//! `fail=connect` (no answer, for that reason; with `timeout` the request was taken) and, to the end of the line, `| Name: value` headers.
//! A page with an `ETag` or a `Last-Modified` answers 304 to a request that names it.
//! A page given several times answers with its next text each time, and with the last for ever.
//!
//! ```
//! let web = fyke_crawl::WebInAString::new("//- http://a.test/ | Content-Type: text/plain\nhello\n");
//! assert_eq!(web.requests().len(), 0);
//! ```

use crate::fetch::{Address, Captured, Failed, Fetch, Outcome, Request, Validators};
use crate::unread::unread;
use fyke_store::Reason;
use fyke_web::{Capture, Url};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// One request as the web saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRequest {
    pub url: String,
    pub start: Instant,
    pub end: Instant,
    /// It asked for what is newer than a content that is known.
    pub is_conditional: bool,
    /// What was posted.
    pub form: Option<String>,
}

/// The web.
#[derive(Debug)]
pub struct WebInAString {
    pages: HashMap<String, Vec<CannedAnswer>>,
    /// Gives the HTML of pages that are not in the string.
    made: fn(&str) -> Option<String>,
    seen: Mutex<Vec<SeenRequest>>,
}

#[derive(Clone, Debug, Default)]
struct CannedAnswer {
    status: u16,
    slow: u64,
    fail: Option<Reason>,
    cut: bool,
    headers: Vec<(String, String)>,
    body: String,
}

impl WebInAString {
    #[must_use]
    pub fn new(text: &str) -> WebInAString {
        let mut pages = HashMap::<String, Vec<CannedAnswer>>::new();
        let mut url = String::new();
        for line in text.lines() {
            if let Some(head) = line.trim_start().strip_prefix("//- ") {
                let (words, headers) = head.split_once('|').unwrap_or((head, ""));
                let mut words = words.split_whitespace();
                url = words.next().unwrap_or_default().to_owned();
                pages.entry(url.clone()).or_default().push(CannedAnswer::new(words, headers));
            } else if let Some(answer) = pages.get_mut(&url).and_then(|answers| answers.last_mut())
            {
                answer.body.push_str(line);
                answer.body.push('\n');
            }
        }
        WebInAString { pages, made: |_| None, seen: Mutex::default() }
    }

    /// The same web, with pages that are made when they are asked for, by their URLs.
    #[must_use]
    pub fn with(self, made: fn(&str) -> Option<String>) -> WebInAString {
        WebInAString { made, ..self }
    }

    /// Every request so far, in the order they began.
    #[must_use]
    pub fn requests(&self) -> Vec<SeenRequest> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The answer to the next request for this URL; one for a URL that is not there is a 404.
    fn begin(&self, Request { url, known, form, .. }: &Request) -> (usize, CannedAnswer) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let before = seen.iter().filter(|s| s.url == url.as_str()).count();
        let now = Instant::now();
        seen.push(SeenRequest {
            url: url.as_str().to_owned(),
            start: now,
            end: now,
            is_conditional: known.is_some(),
            form: form.clone(),
        });
        let answers = self.pages.get(url.as_str());
        let answer = answers.and_then(|a| a.get(before).or(a.last())).cloned();
        let made = || {
            let body = (self.made)(url.as_str())?;
            Some(CannedAnswer { body, ..CannedAnswer::new(std::iter::empty(), "") })
        };
        let answer = answer.or_else(made);
        let answer = answer.map(|answer| answer.to(known.as_ref()));
        (seen.len() - 1, answer.unwrap_or(CannedAnswer { status: 404, ..CannedAnswer::default() }))
    }
}

impl CannedAnswer {
    fn new<'a>(words: impl Iterator<Item = &'a str>, headers: &str) -> CannedAnswer {
        let mut answer = CannedAnswer { status: 200, ..CannedAnswer::default() };
        for word in words {
            match word.split_once('=').unwrap_or((word, "")) {
                ("status", n) => answer.status = n.parse().unwrap_or(500),
                ("slow", n) => answer.slow = n.parse().unwrap_or(0),
                ("fail", name) => answer.fail = Reason::parse(name),
                ("cut", _) => answer.cut = true,
                _ => {}
            }
        }
        for header in headers.split('|').filter_map(|h| h.split_once(':')) {
            answer.headers.push((header.0.trim().to_owned(), header.1.trim().to_owned()));
        }
        if !answer.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            answer.headers.push(("Content-Type".to_owned(), "text/html".to_owned()));
        }
        answer
    }
}

impl CannedAnswer {
    /// The answer to a request that names what is known.
    fn to(self, known: Option<&Validators>) -> CannedAnswer {
        let header = |name: &str| {
            let found = self.headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.as_str())
        };
        let is_known = known.is_some_and(|known| match &known.etag {
            Some(etag) => header("etag") == Some(etag),
            None => known.last_modified.as_deref() == header("last-modified"),
        });
        match is_known && self.status == 200 {
            true => CannedAnswer { status: 304, body: String::new(), ..self },
            false => self,
        }
    }
}

impl Fetch for WebInAString {
    /// Every name resolves, to an address of its own, except those under `.invalid`.
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        if url.host().ends_with(".invalid") {
            return Err(Failed::of_host(Reason::Dns, "no such host"));
        }
        let sum = url.host().bytes().fold(7_u32, |sum, b| sum.wrapping_mul(31) + u32::from(b));
        let key = IpAddr::V4(Ipv4Addr::from(0x7f00_0000 | (sum & 0x00ff_ffff)));
        let sockets = vec![SocketAddr::new(key, url.port())];
        Ok(Address { sockets, key, ttl: Duration::from_secs(3600) })
    }

    async fn fetch(&self, request: Request) -> Outcome {
        let start = Instant::now();
        let (index, answer) = self.begin(&request);
        let slow = Duration::from_millis(answer.slow);
        let port = request.url.port();
        tokio::time::sleep(slow.min(request.limits.timeout)).await;
        if let Some(seen) = self.seen.lock().unwrap_or_else(PoisonError::into_inner).get_mut(index)
        {
            seen.end = Instant::now();
        }
        let elapsed = start.elapsed();
        if !request.sockets.iter().any(|socket| socket.port() == port) {
            let detail = format!("nobody speaks {} there", request.url.scheme());
            return Outcome::Failed(Failed { elapsed, ..Failed::of_host(Reason::Connect, detail) });
        }
        if let Some(reason) = answer.fail {
            let failed = match reason {
                Reason::Timeout => Failed::unanswered("no answer in time"),
                reason => Failed::of_host(reason, "refused"),
            };
            return Outcome::Failed(Failed { elapsed, ..failed });
        }
        let unread = unread(&request, answer.status, &answer.headers);
        let mut payload = answer.body.into_bytes();
        if unread.is_some() {
            payload.clear();
        }
        let too_long = payload.len() > request.limits.max_bytes;
        payload.truncate(request.limits.max_bytes);
        if slow > request.limits.timeout {
            let (status, bytes) = (answer.status, payload.len() as u64);
            let failed = Failed::of_page(Reason::Timeout, "slow");
            return Outcome::Failed(Failed { elapsed, status, bytes, ..failed });
        }
        let truncated = match (unread, too_long, answer.cut) {
            (None, false, false) => None,
            (Some(word), ..) => Some(word.to_owned()),
            (None, true, _) => Some("length".to_owned()),
            (None, false, true) => Some("disconnect".to_owned()),
        };
        let capture = Capture {
            time: request.now + i64::try_from(elapsed.as_millis()).unwrap_or(0),
            status: answer.status,
            headers: answer.headers,
            payload,
            truncated,
            url: request.url.clone(),
        };
        let line = format!("GET {} HTTP/1.1\r\n", request.url.path_and_query());
        let request = format!("{line}host: {}\r\n\r\n", request.url.authority()).into_bytes();
        Outcome::Captured(Captured { capture, request, elapsed })
    }
}
