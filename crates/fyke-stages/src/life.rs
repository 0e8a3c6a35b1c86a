//! The life of a URL: everything the collection knows of it, gathered for `fyke why` and the
//! inspector.

mod facts;

use crate::pushes::{self, PushLife};
use crate::reasons;
use crate::versions::{PageVersion, versions};
use fyke_derive::page::papers::PAPERS;
use fyke_derive::whole::citations::PLACES;
use fyke_derive::whole::soft404::SOFT404;
use fyke_derive::whole::spam::SPAM;
use fyke_papers::verdict::PaperVerdict;
use fyke_store::{HostRow, Listed, Reason, Row, StoreError, View};
use fyke_web::{Robots, Url, UrlId};
use serde::Serialize;
use std::path::Path;

/// A chain of parents is cut here: a damaged ledger must not make a loop.
const LONGEST_CHAIN: usize = 64;

/// One URL's whole life.
#[derive(Clone, Debug, Serialize)]
pub struct Life {
    pub url: String,
    pub normal: String,
    pub reason: &'static str,
    /// What the reason means, in a sentence.
    pub meaning: &'static str,
    /// What it is asked for as: page, sitemap.
    pub kind: &'static str,
    /// More about it: the robots line, the error's text.
    pub detail: String,
    /// The pages it was found through, itself left out, the seed last.
    pub found_through: Vec<String>,
    #[serde(serialize_with = "crate::moments::one")]
    pub found: i64,
    /// What a sitemap says of it.
    pub listed: Option<Listed>,
    pub depth: u16,
    /// Pages off the subject on the way to it, in a focused crawl.
    pub off_subject: Option<u16>,
    pub priority: u8,
    pub robots: RobotsLife,
    pub host: HostLife,
    pub tries: u16,
    #[serde(serialize_with = "crate::moments::maybe")]
    pub fetched: Option<i64>,
    pub status: u16,
    /// The text of a feed stands for its page.
    pub from_feed: bool,
    /// Answers that gave content, and those that gave another than the time before.
    pub visited: u32,
    pub changed: u32,
    /// Visits in a row that found it gone, or failed; and when it is to be asked for again, where something said so.
    pub missed: u8,
    pub failed: u16,
    #[serde(serialize_with = "crate::moments::maybe")]
    pub due: Option<i64>,
    /// What was kept of it, newest first.
    pub versions: Vec<PageVersion>,
    /// Validators of its content, as the server sent them.
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    pub redirect: Option<String>,
    pub capture: Option<CaptureLife>,
    /// Of a feed: what a hub tells of it.
    pub push: Option<PushLife>,
    /// Why its scripts were run, if they were to be, and what came of that.
    pub rendering: Option<String>,
    pub document: Option<DocumentLife>,
    pub indexed: bool,
}

/// What robots.txt says to this URL.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RobotsLife {
    /// None: not asked for yet, or no answer that binds.
    pub status: Option<u16>,
    pub allowed: Option<bool>,
    pub rule: Option<String>,
    pub line: Option<usize>,
    /// Why it could not be had, when it could not: then nothing is asked for.
    pub unreachable: Option<String>,
}

/// What is known of its host.
#[derive(Clone, Debug, Default, Serialize)]
pub struct HostLife {
    pub host: String,
    pub pages: u64,
    /// Pages it may give over the collection's life.
    pub pages_most: u64,
    /// Failures in a row.
    pub failures: u32,
    /// Why it waits, empty when it does not, and until when.
    pub waits: String,
    #[serde(serialize_with = "crate::moments::maybe")]
    pub until: Option<i64>,
    /// When its robots.txt was last had.
    #[serde(serialize_with = "crate::moments::maybe")]
    pub robots_fetched: Option<i64>,
    /// Its robots.txt was asked for and could not be had: the next run asks again.
    pub robots_failed: bool,
    /// Nothing more is asked of it in the run that goes on.
    pub banned: bool,
    /// When this was told.
    #[serde(serialize_with = "crate::moments::one")]
    pub now: i64,
}

/// When a life is told, and what one host may give.
#[derive(Clone, Copy, Debug)]
pub struct LifeOutlook {
    pub now: i64,
    pub per_host_pages: u64,
}

/// Where its last answer is kept.
#[derive(Clone, Debug, Serialize)]
pub struct CaptureLife {
    pub file: String,
    pub offset: u64,
    pub length: u32,
}

/// The document made of it.
#[derive(Clone, Debug, Serialize)]
pub struct DocumentLife {
    pub title: String,
    pub language: String,
    pub charset: String,
    pub words: u32,
    pub anchors: usize,
    /// What links say of its weight, as [`crate::graph`] has it; none for a copy.
    pub rank: Option<f64>,
    pub topics: Vec<crate::topics::PlacedTopic>,
    /// The document it is a copy of.
    pub twin_of: Option<String>,
    pub twin_exact: Option<bool>,
    /// Whether it is a paper, where it looks like one.
    pub paper: Option<PaperLife>,
    /// The made-up path that gave the same, where it is an error page.
    pub same_as_missing: Option<String>,
    /// How likely it is spam, where something speaks for it.
    pub spam: Option<SpamLife>,
}

/// How likely a document is spam, and why.
#[derive(Clone, Debug, Serialize)]
pub struct SpamLife {
    pub probability: f32,
    /// A person said so.
    pub is_told: bool,
    /// What speaks for it, most first.
    pub evidence: Vec<&'static str>,
}

/// Whether a document is a paper, and why.
#[derive(Clone, Debug, Serialize)]
pub struct PaperLife {
    #[serde(flatten)]
    pub verdict: PaperVerdict,
    /// Papers that cite it; none of a copy or of what is no paper.
    pub cited_by: Option<u32>,
}

/// Tells the life of a URL; none when it was never seen.
///
/// # Errors
/// When the collection cannot be read.
pub fn life(
    collection: &View,
    url: &Url,
    outlook: LifeOutlook,
) -> Result<Option<Life>, StoreError> {
    let id = url.id();
    let Some(row) = collection.ledger.get(id)? else { return Ok(None) };
    let mut host = collection.ledger.host(url.authority())?.unwrap_or_default();
    let is_secure = url.scheme() == "https";
    let mut side = collection.ledger.side(url.authority(), is_secure)?.unwrap_or_default();
    if is_secure {
        host.robots = side.robots.take();
    }
    let host = host.with_side(side);
    let robots = robots(&host, url, &row);
    let reason = reasons::of_row(collection, id, &row)?;
    let document = document(collection, id)?;
    let indexed = document.is_some() && reasons::is_searched(reason);
    Ok(Some(Life {
        normal: url.normal(),
        reason: reason.name(),
        meaning: reason.explain(),
        kind: row.kind.name(),
        detail: row.detail.clone(),
        found_through: chain(collection, &row)?,
        found: row.found,
        listed: row.listed.clone(),
        depth: row.depth,
        off_subject: row.off_subject,
        priority: row.priority,
        host: HostLife {
            robots_failed: robots.unreachable.is_some(),
            ..host_life(url.authority(), &host, outlook)
        },
        robots,
        tries: row.tries,
        fetched: row.fetched,
        status: row.status,
        from_feed: row.stands_in_feed(),
        visited: row.visited,
        changed: row.changed,
        missed: row.missed,
        failed: row.failed,
        due: row.due,
        versions: versions(collection, id)?,
        etag: row.etag.clone(),
        last_modified: row.last_modified.clone(),
        redirect: row.redirect.clone(),
        rendering: row.rendering.map(fyke_store::Rendering::tell),
        capture: row.capture.map(|place| CaptureLife {
            file: file_name(&collection.captures.path(place.file)),
            offset: place.offset,
            length: place.length,
        }),
        push: pushes::life(collection.root(), id, outlook.now)?,
        document,
        indexed,
        url: row.url,
    }))
}

/// As [`life`], for a URL read from `text`: one typed without a scheme may be known under http.
///
/// # Errors
/// When the collection cannot be read.
pub fn typed(
    collection: &View,
    url: &Url,
    text: &str,
    outlook: LifeOutlook,
) -> Result<Option<Life>, StoreError> {
    match (life(collection, url, outlook)?, url.under_http(text)) {
        (None, Some(plain)) => life(collection, &plain, outlook),
        (found, _) => Ok(found),
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn chain(collection: &View, row: &Row) -> Result<Vec<String>, StoreError> {
    let mut chain = Vec::new();
    let mut parent = row.parent;
    while let Some(id) = parent
        && chain.len() < LONGEST_CHAIN
    {
        let Some(row) = collection.ledger.get(id)? else { break };
        parent = row.parent;
        chain.push(row.url);
    }
    Ok(chain)
}

/// Why a host waits and until when; nothing when that is over.
#[must_use]
pub fn wait(host: &HostRow, now: i64) -> Option<(&str, i64)> {
    let why = if host.waits.is_empty() { "the gap between two requests" } else { &host.waits };
    (host.not_before > now).then_some((why, host.not_before))
}

fn host_life(authority: &str, host: &HostRow, outlook: LifeOutlook) -> HostLife {
    let wait = wait(host, outlook.now);
    HostLife {
        host: authority.to_owned(),
        pages: host.pages,
        pages_most: outlook.per_host_pages,
        failures: host.failures,
        waits: wait.map_or_else(String::new, |(why, _)| why.to_owned()),
        until: wait.map(|(_, until)| until),
        robots_fetched: host.robots.as_ref().map(|copy| copy.fetched),
        now: outlook.now,
        ..HostLife::default()
    }
}

fn robots(host: &HostRow, url: &Url, row: &Row) -> RobotsLife {
    let Some(copy) = &host.robots else {
        let failed = row.reason == Reason::RobotsUnreachable;
        let unreachable = failed.then(|| row.detail.clone());
        return RobotsLife { unreachable, ..RobotsLife::default() };
    };
    let status = Some(copy.status);
    match Robots::of_answer(copy.status, &copy.body, fyke_crawl::options::AGENT) {
        Some(robots) => {
            let verdict = robots.check(url.path_and_query());
            let (rule, line) = (verdict.rule, verdict.line);
            RobotsLife { status, allowed: Some(verdict.allowed), rule, line, unreachable: None }
        }
        None => RobotsLife { status, allowed: Some(false), ..RobotsLife::default() },
    }
}

fn document(collection: &View, id: UrlId) -> Result<Option<DocumentLife>, StoreError> {
    let Some(document) = fyke_derive::document(collection, id)? else { return Ok(None) };
    let twin = crate::twin(collection, id)?;
    let of = match twin {
        Some(twin) => collection.ledger.get(twin.of)?.map(|row| row.url),
        None => None,
    };
    let missing = collection.cells().get(&SOFT404, id)?;
    let missing = missing.map(|id| collection.ledger.get(id)).transpose()?.flatten();
    let cells = collection.cells();
    let cited_by = cells.get(&PLACES, id)?.map(|place| place.cited);
    let paper = cells.get(&PAPERS, id)?;
    let paper = paper.map(|judged| PaperLife { verdict: judged.verdict, cited_by });
    let spam = cells.get(&SPAM, id)?.map(|verdict| SpamLife {
        probability: verdict.probability,
        is_told: verdict.is_told,
        evidence: verdict.reasons().collect(),
    });
    Ok(Some(DocumentLife {
        spam,
        paper,
        same_as_missing: missing.map(|row| row.url),
        title: document.title,
        language: document.language,
        charset: document.charset,
        words: document.words,
        anchors: fyke_derive::page::anchors::anchors(&collection.cells(), id)?.len(),
        rank: crate::graph::rank(collection, id)?,
        topics: crate::topics::of_document(collection, id)?,
        twin_of: of,
        twin_exact: twin.map(|twin| twin.exact),
    }))
}

/// Of the URLs known on this host, the one whose text begins most like the one asked for. Looks at
/// no more than the first `most` of the ledger.
///
/// # Errors
/// When the ledger cannot be read.
pub fn nearest_known(
    collection: &View,
    url: &Url,
    most: usize,
) -> Result<Option<String>, StoreError> {
    let common = |text: &str| {
        let pairs = text.bytes().zip(url.as_str().bytes());
        pairs.take_while(|(a, b)| a == b).count()
    };
    let mut best: Option<(usize, std::cmp::Reverse<usize>, String)> = None;
    for known in collection.ledger.found().take(most) {
        let known = known?;
        let here = || Url::parse(&known).is_ok_and(|known| known.authority() == url.authority());
        if !known.contains(url.authority()) || !here() {
            continue;
        }
        let rank = (common(&known), std::cmp::Reverse(known.len()), known);
        if best.as_ref().is_none_or(|best| rank > *best) {
            best = Some(rank);
        }
    }
    Ok(best.map(|(.., text)| text))
}
