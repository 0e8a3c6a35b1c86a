//! What one thread has under way: addresses that are looked up, requests, and answers that are to be read.

use super::due::DueRows;
use super::is_queued;
use super::node::CrawlNode;
use super::read::{AnswerReader, ReadAnswer, shows_health};
use super::robots::RobotsFor;
use super::sitemaps::SitemapSlot;
use crate::budget::Reserved;
use crate::fetch::{Address, BodyWanted, Failed, Fetch, Limits, Outcome, Request, Validators};
use crate::frontier::{HostId, Task};
use crate::render::{PartAsked, RenderedPage, Renderer};
use fyke_store::{
    Ledger, MOST_VISITS, Position, Reason, RenderCause, Row, RowKind, StoreError, Underway,
};
use fyke_web::{Url, UrlId};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::{JoinError, JoinSet};

/// What a sitemap may unpack to; the standard's own limit.
pub(super) const SITEMAP_BYTES: usize = 50 << 20;

/// Pages of one thread that may wait for the browser before their hosts wait, too; each is in memory, with up to 2 MB.
const MOST_RENDERING: usize = 32;

/// A URL taken from the frontier, with its row.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) id: UrlId,
    pub(super) url: Url,
    pub(super) position: Position,
    pub(super) row: Row,
    /// Of a sitemap on its way.
    pub(super) slot: Option<SitemapSlot>,
    /// It was fetched before, and is due again.
    pub(super) is_again: bool,
    /// What it stood under until now.
    pub(super) before: Reason,
    /// The text of what came is that of the capture before.
    pub(super) is_same_text: bool,
    /// Where to, and what is posted there, to a hub.
    pub(super) post: Option<(Url, String)>,
    /// It was not asked for: a hub brought it.
    pub(super) is_pushed: bool,
}

impl Wanted {
    /// A URL to be asked for.
    pub(super) fn new(id: UrlId, url: Url, position: Position, row: Row) -> Wanted {
        let (is_again, before) = (!is_queued(&row), row.reason);
        Wanted {
            id,
            url,
            position,
            row,
            slot: None,
            is_again,
            before,
            is_same_text: false,
            post: None,
            is_pushed: false,
        }
    }

    /// What its content was called by, if that is still there to be compared with.
    pub(super) fn validators(&self) -> Option<Validators> {
        let row = &self.row;
        let has_content =
            self.is_again && row.capture.is_some() && (200..300).contains(&row.status);
        let known = || Validators::new(row.etag.as_deref(), row.last_modified.as_deref());
        if has_content && !row.lies && !self.tests_word() { known() } else { None }
    }

    /// Whether its server is not taken at its word this time: so often in a row it brought nothing new.
    pub(super) fn tests_word(&self) -> bool {
        let Row { visits, visited, .. } = &self.row;
        let is_turn = *visited as usize % MOST_VISITS == 1;
        self.is_again && is_turn && visits.len() == MOST_VISITS && !visits.iter().any(|v| v.changed)
    }

    /// What came before was for other eyes: nothing is asked or told by it.
    pub(super) fn forget_copy(&mut self) {
        (self.row.etag, self.row.last_modified, self.row.digest) = (None, None, None);
    }

    /// The URL of a record, if it is still queued, or is due.
    pub(super) fn at(
        position: Position,
        ledger: &Ledger,
        due: &DueRows,
    ) -> Result<Option<Wanted>, StoreError> {
        let Some((id, mut row)) = ledger.at(position)? else { return Ok(None) };
        let mut position = position;
        // What was written since, if anything: it may have turned out to be a sitemap.
        if let Some(latest) = ledger.position(id)?.filter(|latest| *latest != position)
            && let Some((_, newer)) = ledger.at(latest)?
        {
            (position, row) = (latest, newer);
        }
        let url = Url::parse(&row.url).ok().filter(|_| is_queued(&row) || due.waits(id));
        Ok(url.map(|url| Wanted::new(id, url, position, row)))
    }
}

/// A host, and where to connect to.
#[derive(Debug)]
pub(super) struct HostAt {
    pub(super) host: HostId,
    pub(super) sockets: Vec<SocketAddr>,
}

/// What is asked of a host.
#[derive(Debug)]
pub(super) enum Errand {
    Row(Box<Wanted>),
    Robots {
        asked: RobotsFor,
        url: Url,
    },
    /// What the scripts of a page ask for, by its number.
    Part {
        number: u64,
        url: Url,
    },
}

impl Errand {
    pub(super) fn url(&self) -> &Url {
        match self {
            Errand::Row(wanted) => &wanted.url,
            Errand::Robots { url, .. } | Errand::Part { url, .. } => url,
        }
    }

    /// As the frontier keeps it.
    pub(super) fn task(self) -> Task {
        match self {
            Errand::Row(wanted) => Task::Row(wanted.position),
            Errand::Robots { asked: RobotsFor { of, hops }, url } => Task::Robots { of, url, hops },
            Errand::Part { number, .. } => Task::Part(number),
        }
    }
}

/// What a task brings back to the loop.
pub(super) enum Event {
    Resolved {
        host: HostId,
        errand: Errand,
        address: Result<Address, Failed>,
    },
    Fetched(Box<Fetched>),
    /// A page was rendered, or could not be.
    Rendered(Box<Fetched>),
    Read(Box<ReadAnswer>),
}

/// The end of a request.
pub(super) struct Fetched {
    pub(super) host: HostId,
    pub(super) errand: Errand,
    pub(super) outcome: Outcome,
    pub(super) reserved: Reserved,
    /// What became of it in a browser, if it was to go through one.
    pub(super) rendered: Option<RenderedPage>,
}

/// What one thread has under way.
pub(super) struct Fetches<F> {
    fetch: Arc<F>,
    timeout: Duration,
    /// Bytes of a page.
    max_bytes: usize,
    /// Requests at the most.
    most: usize,
    tasks: JoinSet<Event>,
    /// Requests under way, and answers not yet read.
    fetching: usize,
    /// Answers to be read, whose hosts may be asked again meanwhile.
    unread: Vec<Fetched>,
    /// The URLs of those, until they are read to the end.
    being_read: Vec<UrlId>,
    reader: AnswerReader,
    /// The hosts of pages that are being rendered, or wait for that.
    rendering: Vec<HostId>,
}

impl<F: Fetch> Fetches<F> {
    pub(super) fn new(
        node: &CrawlNode<'_, F>,
        number: usize,
        underway: &Arc<Underway>,
    ) -> Fetches<F> {
        Fetches {
            fetch: Arc::clone(&node.fetch),
            timeout: node.options.timeout,
            max_bytes: node.options.max_bytes,
            most: node.most_fetching(number),
            tasks: JoinSet::new(),
            fetching: 0,
            unread: Vec::new(),
            being_read: Vec::new(),
            reader: AnswerReader::new(node, underway),
            rendering: Vec::new(),
        }
    }

    /// Whether one more request may be under way.
    pub(super) fn has_room(&self) -> bool {
        self.fetching < self.most
    }

    /// Requests under way, and answers not yet read.
    pub(super) fn len(&self) -> usize {
        self.fetching
    }

    /// Whether nothing is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.tasks.is_empty() && self.unread.is_empty()
    }

    /// Finds the host's address; the host stays taken meanwhile, but nothing is asked of it.
    pub(super) fn resolve(&mut self, host: HostId, errand: Errand) {
        let fetch = Arc::clone(&self.fetch);
        self.tasks.spawn(async move {
            let address = fetch.resolve(errand.url()).await;
            Event::Resolved { host, errand, address }
        });
    }

    /// Asks for what was reserved.
    pub(super) fn ask(
        &mut self,
        HostAt { host, sockets }: HostAt,
        errand: Errand,
        reserved: Reserved,
        now: u64,
    ) {
        let max_bytes = usize::try_from(reserved.bytes).unwrap_or(usize::MAX);
        let limits = Limits { max_bytes, timeout: self.timeout, body: self.body_of(&errand) };
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let known = match &errand {
            Errand::Row(wanted) => wanted.validators(),
            Errand::Robots { .. } | Errand::Part { .. } => None,
        };
        let (url, form) = match &errand {
            Errand::Row(wanted) => wanted.post.clone().unzip(),
            Errand::Robots { .. } | Errand::Part { .. } => (None, None),
        };
        let url = url.unwrap_or_else(|| errand.url().clone());
        let request = Request { url, sockets, limits, known, form, now };
        let fetch = Arc::clone(&self.fetch);
        self.fetching += 1;
        self.tasks.spawn(async move {
            // The fetcher keeps its own time; this is a wall behind it.
            let wall = limits.timeout + Duration::from_secs(5);
            let outcome = match tokio::time::timeout(wall, fetch.fetch(request)).await {
                Ok(outcome) => outcome,
                Err(_) => Outcome::Failed(Failed {
                    elapsed: wall,
                    ..Failed::of_page(Reason::Timeout, "the fetch did not end in time")
                }),
            };
            let rendered = None;
            Event::Fetched(Box::new(Fetched { host, errand, outcome, reserved, rendered }))
        });
    }

    /// Which bodies are read: of pages, what may be one. A seed may be a sitemap, which is longer.
    fn body_of(&self, errand: &Errand) -> BodyWanted {
        match errand {
            Errand::Row(wanted) if is_page(wanted) => BodyWanted::Page(self.max_bytes),
            _ => BodyWanted::Any,
        }
    }

    /// Has a page rendered whose answer has come. Its place among the requests goes to those of its scripts meanwhile; its
    /// row says that it waits.
    pub(super) fn render(
        &mut self,
        mut fetched: Fetched,
        cause: RenderCause,
        (renderer, parts): (Renderer, UnboundedSender<PartAsked>),
    ) {
        let (Errand::Row(wanted), Outcome::Captured(_)) = (&fetched.errand, &fetched.outcome)
        else {
            return;
        };
        self.end_one();
        self.rendering.push(fetched.host);
        self.being_read.push(wanted.id);
        self.tasks.spawn(async move {
            if let Outcome::Captured(answer) = &fetched.outcome {
                let rendered = renderer.render(&answer.capture, cause, parts).await;
                fetched.rendered = Some(rendered);
            }
            Event::Rendered(Box::new(fetched))
        });
    }

    /// A page was rendered: it goes on as one whose answer has come.
    pub(super) fn was_rendered(&mut self, fetched: &Fetched) {
        self.fetching += 1;
        if let Some(at) = self.rendering.iter().position(|host| *host == fetched.host) {
            self.rendering.swap_remove(at);
        }
        self.forget_reading(&fetched.errand);
    }

    /// Whether so many pages of a host wait for the browser that no more are to come; of many hosts each has fewer.
    pub(super) fn is_rendering_enough(&self, host: HostId) -> bool {
        let all = self.rendering.len();
        let of_host = || self.rendering.iter().filter(|one| **one == host).count();
        all >= 4 * MOST_RENDERING
            || all > 0 && of_host() >= if all < MOST_RENDERING { 4 } else { 1 }
    }

    /// Reads an answer now, or keeps it to be read after what may start by now has started.
    pub(super) fn read(&mut self, fetched: Fetched, at_once: bool) -> Option<ReadAnswer> {
        let is_read_now = at_once || !shows_health(&fetched.errand, &fetched.outcome);
        if is_read_now && !self.reader.is_read_apart(&fetched.outcome) {
            return Some(self.reader.read(fetched));
        }
        if let Errand::Row(wanted) = &fetched.errand {
            self.being_read.push(wanted.id);
        }
        self.unread.push(fetched);
        None
    }

    /// Reads what a hub brought.
    pub(super) fn read_pushed(&self, fetched: Fetched) -> ReadAnswer {
        self.reader.read(fetched)
    }

    /// Whether a URL was asked for and its answer is not read yet: its row still says that it waits.
    pub(super) fn is_being_read(&self, id: UrlId) -> bool {
        self.being_read.contains(&id)
    }

    /// An answer that was kept to be read was read.
    pub(super) fn was_read(&mut self, read: &ReadAnswer) {
        self.forget_reading(&read.fetched.errand);
    }

    fn forget_reading(&mut self, errand: &Errand) {
        if let Errand::Row(wanted) = errand
            && let Some(at) = self.being_read.iter().position(|id| *id == wanted.id)
        {
            self.being_read.swap_remove(at);
        }
    }

    /// Has the answers read that came: what comes back from the hosts meanwhile comes while these are read.
    pub(super) fn read_answers(&mut self) {
        for fetched in self.unread.drain(..) {
            let reader = self.reader.clone();
            if reader.is_read_apart(&fetched.outcome) {
                // Ends within the limit of time, whatever the page does.
                self.tasks.spawn_blocking(move || Event::Read(Box::new(reader.read(fetched))));
                continue;
            }
            self.tasks.spawn(async move {
                tokio::task::yield_now().await;
                Event::Read(Box::new(reader.read(fetched)))
            });
        }
    }

    /// A request has come to its end, or was lost.
    pub(super) fn end_one(&mut self) {
        self.fetching = self.fetching.saturating_sub(1);
    }

    /// What comes next; none when nothing is under way.
    pub(super) async fn next(&mut self) -> Option<Result<Event, JoinError>> {
        self.tasks.join_next().await
    }

    /// What has come already.
    pub(super) fn next_now(&mut self) -> Option<Result<Event, JoinError>> {
        self.tasks.try_join_next()
    }

    /// Lets go of what is still under way.
    pub(super) fn abort(&mut self) {
        self.tasks.abort_all();
    }
}

/// Whether a URL is asked for as a page that some link leads to.
fn is_page(wanted: &Wanted) -> bool {
    let Row { kind, depth, .. } = wanted.row;
    depth > 0 && !matches!(kind, RowKind::Sitemap | RowKind::Feed)
}
