//! What is known of a URL and of a host (B1).

use super::rendering::Rendering;
use crate::{Place, Reason};
use fyke_web::{Capture, UrlId};
use serde::{Deserialize, Serialize};

/// Visits of one URL that are kept.
pub const MOST_VISITS: usize = 16;

/// Bytes that a validator may have. A longer one is not kept: half of one is none.
const MOST_VALIDATOR: usize = 256;

/// What a URL is asked for as. The number is written to disk: never renumber, only append.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RowKind {
    #[default]
    Page,
    Sitemap,
    Feed,
    /// A file on a disk.
    File,
    /// A message of a mailbox.
    Message,
    /// A question put to a search form.
    Query,
    /// A made-up path, asked for to know what its host says of pages that it does not have.
    Missing,
}

/// An answer that gave content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Milliseconds since 1970.
    pub time: i64,
    /// The content was another than the time before; so was the first.
    pub changed: bool,
}

/// What is known of one URL. How it stands on disk, and how a field is added: `record/fields.rs`.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// As first found.
    pub url: String,
    pub reason: Reason,
    pub kind: RowKind,
    /// The page it was first found on; none for seeds.
    pub parent: Option<UrlId>,
    /// Redirects in a row that led to it when it was found.
    pub redirects: u8,
    /// Links from a seed.
    pub depth: u16,
    /// Front queue, 1 (best) to K.
    pub priority: u8,
    /// When first seen, milliseconds since 1970.
    pub found: i64,
    /// When last asked for.
    pub fetched: Option<i64>,
    /// HTTP status of the last answer, 0 when none came.
    pub status: u16,
    /// How often it was asked for.
    pub tries: u16,
    /// Its last capture.
    pub capture: Option<Place>,
    /// SHA-1 of the payload, first 16 bytes.
    pub digest: Option<[u8; 16]>,
    /// Where it redirects to.
    pub redirect: Option<String>,
    /// More about the reason: the robots line, the error's text, the trap's pattern. Text for people: nothing
    /// is read back out of it.
    pub detail: String,
    /// Pages off the subject on the way to it, in a focused crawl.
    pub off_subject: Option<u16>,
    /// It was not asked for, or not often enough, because its host was given up: the next run takes it up.
    pub given_up: bool,
    /// Validators of the last content, as the server sent them.
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// The last answers that gave content, newest first, at most [`MOST_VISITS`].
    pub visits: Vec<Visit>,
    /// Answers that gave content, and those that gave another than the time before.
    pub visited: u32,
    pub changed: u32,
    /// What a sitemap said of it last.
    pub listed: Option<Listed>,
    /// The page it was found on is a copy of another.
    pub on_copy: bool,
    /// When it is to be asked for again, milliseconds since 1970, where something said so: a failure, a sitemap that
    /// calls it newer, a feed of itself. None: by the rate at which it changes.
    pub due: Option<i64>,
    /// Visits in a row that found it gone, and visits in a row that failed, since content last came.
    pub missed: u8,
    pub failed: u16,
    /// Where a feed has a text of it.
    pub fed: Option<FedText>,
    /// Of a feed: when it wants to be asked for.
    pub feed: Option<FeedVisits>,
    /// Its last capture was asked for with credentials: it is not for everybody.
    pub private: bool,
    /// It was said to be as before when it was not: its validators are not used.
    pub lies: bool,
    /// Its last capture was to be rendered, and what came of that.
    pub rendering: Option<Rendering>,
}

/// When a feed is asked for again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedVisits {
    /// Minutes after the last visit.
    pub every: u32,
    /// Hours of the day (GMT) in which it is not asked for, a bit each from midnight on.
    pub skip_hours: u32,
    /// Days of the week on which it is not asked for, a bit each from Monday on.
    pub skip_days: u8,
}

/// The text that a feed has of a URL, as it stands now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FedText {
    /// The capture of the feed in which it stood first.
    pub place: Place,
    /// A hash of it: another one is another text.
    pub print: u64,
}

/// What a sitemap says of a URL.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Listed {
    /// `lastmod` as written.
    pub modified: Option<String>,
    /// `changefreq`.
    pub change: Option<String>,
    /// `priority` in hundredths.
    pub priority: Option<u8>,
}

impl Row {
    /// A URL found at a time and never asked for: a seed of the best priority.
    #[must_use]
    pub fn new(url: &str, reason: Reason, found: i64) -> Row {
        Row {
            url: url.to_owned(),
            reason,
            kind: RowKind::Page,
            parent: None,
            depth: 0,
            priority: 1,
            found,
            fetched: None,
            status: 0,
            tries: 0,
            capture: None,
            digest: None,
            redirect: None,
            detail: String::new(),
            redirects: 0,
            off_subject: None,
            given_up: false,
            etag: None,
            last_modified: None,
            visits: Vec::new(),
            visited: 0,
            changed: 0,
            listed: None,
            on_copy: false,
            due: None,
            missed: 0,
            failed: 0,
            fed: None,
            feed: None,
            private: false,
            lies: false,
            rendering: None,
        }
    }

    /// Whether the text that a feed has of the URL stands for its page: the page was not fetched so far, and
    /// neither leads elsewhere nor is gone. A server that fails takes nothing away.
    #[must_use]
    pub fn stands_in_feed(&self) -> bool {
        self.fed.is_some() && self.visited == 0 && !matches!(self.status, 300..=399 | 404 | 410)
    }

    /// Takes in an answer that is kept, by the digest of its payload: what the next visit will ask by and
    /// compare with.
    pub fn take_answer(&mut self, capture: &Capture, digest: [u8; 16]) {
        if capture.has_content() {
            self.visit(self.fetched.unwrap_or(capture.time), digest);
            self.set_validators(capture.header("etag"), capture.header("last-modified"));
        } else {
            self.digest = Some(digest);
            self.set_validators(None, None);
        }
    }

    /// Takes in an answer that says the content is as it was: by its status, or by its digest. A server may give
    /// new validators with it.
    pub fn take_same(&mut self, capture: &Capture) {
        self.note_visit(self.fetched.unwrap_or(capture.time), false);
        let header = |name| capture.header(name).map(str::to_owned);
        let (etag, modified) = (header("etag"), header("last-modified"));
        let (etag, modified) = (etag.or(self.etag.take()), modified.or(self.last_modified.take()));
        self.set_validators(etag.as_deref(), modified.as_deref());
    }

    /// What the last visit brought was other bytes, but not another text: that is no change.
    pub fn recount_as_same(&mut self) {
        if let Some(visit) = self.visits.first_mut().filter(|visit| visit.changed) {
            visit.changed = false;
            self.changed = self.changed.saturating_sub(1);
        }
    }

    /// Takes in what came of rendering the answer. Its source may stay the same while its scripts show something else, so
    /// that the next visit asks for it whole; where rendering failed, it is tried anew then.
    pub fn take_rendering(&mut self, rendering: Option<Rendering>) {
        self.rendering = rendering;
        if let Some(rendering) = rendering {
            (self.etag, self.last_modified) = (None, None);
            self.digest = self.digest.filter(|_| rendering.end.has_copy());
        }
    }

    /// Notes when content came, and whether it was another than before.
    fn visit(&mut self, time: i64, digest: [u8; 16]) {
        let changed = self.digest != Some(digest);
        self.digest = Some(digest);
        self.note_visit(time, changed);
    }

    fn note_visit(&mut self, time: i64, changed: bool) {
        (self.due, self.missed, self.failed) = (None, 0, 0);
        self.visits.truncate(MOST_VISITS - 1);
        self.visits.insert(0, Visit { time, changed });
        self.visited = self.visited.saturating_add(1);
        self.changed = self.changed.saturating_add(u32::from(changed));
    }

    fn set_validators(&mut self, etag: Option<&str>, last_modified: Option<&str>) {
        let keep = |text: &str| (text.len() <= MOST_VALIDATOR).then(|| text.to_owned());
        self.etag = etag.and_then(keep);
        self.last_modified = last_modified.and_then(keep);
    }
}

impl RowKind {
    /// Every kind, in the order of their numbers.
    pub const ALL: [RowKind; 7] = [
        RowKind::Page,
        RowKind::Sitemap,
        RowKind::Feed,
        RowKind::File,
        RowKind::Message,
        RowKind::Query,
        RowKind::Missing,
    ];

    /// Its name: "page", "sitemap".
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RowKind::Page => "page",
            RowKind::Sitemap => "sitemap",
            RowKind::Feed => "feed",
            RowKind::File => "file",
            RowKind::Message => "message",
            RowKind::Query => "query",
            RowKind::Missing => "made-up path",
        }
    }
}

/// The last good copy of a host's robots.txt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RobotsCopy {
    pub fetched: i64,
    /// 200: `body` binds; 4xx: all allowed; anything else: unreachable, all disallowed.
    pub status: u16,
    pub body: Vec<u8>,
}

/// What is known of one host (keyed by authority: "a.test" or "a.test:8080").
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct HostRow {
    pub robots: Option<RobotsCopy>,
    /// No request before this time, milliseconds since 1970 (Retry-After, back-off).
    pub not_before: i64,
    /// Failures in a row.
    pub failures: u32,
    /// Pages fetched (counts against per_host_pages).
    pub pages: u64,
    /// Bytes of payload received.
    pub bytes: u64,
    /// Why it waits, in words, empty when it does not.
    pub waits: String,
    /// The other domains that link to its domain, counted in 256 bits.
    pub inlinks: [u64; 4],
    /// The host that has the same pages and is asked instead; empty when there is none.
    pub mirror_of: String,
}

impl HostRow {
    /// The host with the trouble of one of its sides, where that is worse.
    #[must_use]
    pub fn with_side(mut self, side: HostRow) -> HostRow {
        self.failures = self.failures.max(side.failures);
        if side.not_before > self.not_before {
            (self.not_before, self.waits) = (side.not_before, side.waits);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_stands_at_its_number() {
        for (number, kind) in RowKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number, "{}", kind.name());
        }
    }

    #[test]
    fn a_visit_counts_as_a_change_when_it_is_the_first_or_gave_another_content() {
        let mut row = Row::new("http://a.test/", Reason::Queued, 0);
        for (time, digest) in [(1, 7), (2, 7), (3, 8), (4, 8)] {
            row.visit(time, [digest; 16]);
        }
        let told: Vec<_> = row.visits.iter().map(|visit| (visit.time, visit.changed)).collect();
        assert_eq!(told, [(4, false), (3, true), (2, false), (1, true)]);
        (5..100).for_each(|time| row.visit(time, [8; 16]));
        assert_eq!((row.visits.len(), row.visits[0].time), (MOST_VISITS, 99));
        assert_eq!((row.visited, row.changed), (99, 2));
    }

    #[test]
    fn a_validator_is_kept_whole_or_not_at_all() {
        let mut row = Row::new("http://a.test/", Reason::Queued, 0);
        let long = "x".repeat(MOST_VALIDATOR + 1);
        row.set_validators(Some(&long[1..]), Some(&long));
        assert_eq!((row.etag.as_deref(), &row.last_modified), (Some(&long[1..]), &None));
        row.set_validators(None, Some("Sat, 01 Jan 2028 00:00:00 GMT"));
        assert_eq!(row.etag, None);
    }
}
