//! Pages whose text is made by scripts (003 §3.2.6): a browser runs them, and what they show is kept beside the source.
//!
//! The browser is a Chromium that somebody started with `--remote-debugging-port`. It reaches nothing by itself: the page is
//! given to it as it was fetched, and every request of its scripts is handed to the crawl ([`PartAsked`]), which asks for it
//! behind the same robots.txt, gaps, addresses and budgets as for any page, or says no. Each page has a browser context of its
//! own, which goes with its connection; whatever would reach the network by another way meets a proxy that does not
//! exist.
//!
//! `need` says which pages are rendered, `devtools` speaks to the browser, `page` drives one page, `parts` judges what it asks
//! for.

mod devtools;
mod need;
mod page;
mod parts;

pub use need::render_cause;
pub(crate) use parts::{PartAnswer, PartAsked};

use crate::control::lock;
use crate::credentials::Credentials;
use fyke_store::{RenderCause, RenderEnd, Rendering};
use fyke_web::{Capture, Url};
use parts::PartCache;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;

/// How long a renderer that could not be reached is taken to be away.
const AWAY: Duration = Duration::from_secs(5);

/// How pages are rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// Where the browser listens, as "127.0.0.1:9222".
    pub browser: String,
    /// Authorities ("app.test", "app.test:8080") whose pages are rendered whatever they look like.
    pub hosts: Vec<String>,
    /// Hosts besides a page's own domain that its scripts may ask.
    pub part_hosts: Vec<String>,
    /// For one page, from the first word to the browser to the last.
    pub time: Duration,
    /// Requests of one page.
    pub requests: u32,
    /// Pages at once.
    pub at_once: u32,
    /// Bytes of a rendered page, and of one answer to its scripts.
    pub max_bytes: usize,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions {
            browser: "127.0.0.1:9222".to_owned(),
            hosts: Vec::new(),
            part_hosts: Vec::new(),
            time: Duration::from_secs(60),
            requests: 50,
            at_once: 2,
            max_bytes: 10 << 20,
        }
    }
}

/// A page that was rendered, or why it was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedPage {
    pub rendering: Rendering,
    /// The page as it stood; none where that failed.
    pub copy: Option<Capture>,
    /// What went wrong, in words.
    pub trouble: String,
}

/// Renders pages, so many at once.
#[derive(Clone, Debug)]
pub(crate) struct Renderer {
    options: Arc<RenderOptions>,
    /// What their hosts give is for no page of another host.
    credentials: Arc<Credentials>,
    turns: Arc<Semaphore>,
    cache: Arc<PartCache>,
    /// Until when the browser is taken to be away.
    away: Arc<Mutex<Option<Instant>>>,
}

impl Renderer {
    pub(crate) fn new(options: RenderOptions, credentials: &Credentials) -> Renderer {
        let turns = Semaphore::new(options.at_once.clamp(1, 64) as usize);
        Renderer {
            turns: Arc::new(turns),
            options: Arc::new(options),
            credentials: Arc::new(credentials.clone()),
            cache: Arc::new(PartCache::default()),
            away: Arc::default(),
        }
    }

    /// Why this page is to be rendered, if it is.
    pub(crate) fn cause(&self, capture: &Capture) -> Option<RenderCause> {
        render_cause(capture, &self.options)
    }

    /// Waits for a turn and renders a page; its requests go to `parts`. Ends within the limit of time, whatever the browser
    /// does.
    pub(crate) async fn render(
        &self,
        capture: &Capture,
        cause: RenderCause,
        parts: UnboundedSender<PartAsked>,
    ) -> RenderedPage {
        let _turn = self.turns.acquire().await;
        let mut rendering = Rendering { cause, end: RenderEnd::Absent, asked: 0, refused: 0 };
        if lock(&self.away).is_some_and(|until| Instant::now() < until) {
            let trouble = format!("nothing listened at {} a moment ago", self.options.browser);
            return RenderedPage { rendering, copy: None, trouble };
        }
        let visit =
            page::PageVisit::new((&self.options, &self.credentials), capture, parts, &self.cache);
        let ended = visit.run(&mut rendering).await;
        let (copy, trouble) = match ended {
            Ok(copy) => (Some(copy), String::new()),
            Err(trouble) => {
                rendering.end = trouble.end;
                (None, trouble.what)
            }
        };
        let is_away = rendering.end == RenderEnd::Absent;
        *lock(&self.away) = is_away.then(|| Instant::now() + AWAY);
        RenderedPage { rendering, copy, trouble }
    }
}

/// What a message of the browser leads to, for who tests that with any text.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrowserAsks {
    /// The crawl is asked for this.
    Part(Url),
    Nothing,
}

/// Reads a message of the browser about a page that it was given.
#[doc(hidden)]
#[must_use]
pub fn browser_asks(page: &Url, text: &str) -> BrowserAsks {
    let Ok(word) = devtools::read_word(text) else { return BrowserAsks::Nothing };
    let asked = parts::BrowserRequest::of(&word.params, &word.params.frame_id);
    let (options, credentials) = (RenderOptions::default(), Credentials::default());
    let rules = parts::PartRules { options: &options, credentials: &credentials, page };
    match parts::judge_part(rules, asked, true) {
        parts::PartVerdict::Ask(url) => BrowserAsks::Part(url),
        _ => BrowserAsks::Nothing,
    }
}

/// Whether a part may be asked of this host for a page: it is of the page's domain, or named.
fn is_part_host(options: &RenderOptions, page: &Url, part: &Url) -> bool {
    part.domain_hash() == page.domain_hash()
        || options.part_hosts.iter().any(|host| host == part.authority())
}
