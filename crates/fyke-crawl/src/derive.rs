//! What the crawl needs of a page while it runs: where it leads, and what becomes of its URL. Documents and
//! facts are made by `fyke_derive`.

use crate::guide::{Reading, Spider};
use fyke_derive::judge;
use fyke_store::Reason;
use fyke_web::{
    Capture, Fingerprint, Page, Url, UrlId, parse_bare, parse_seen, parse_with_fingerprint,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the crawl itself needs of a page: where it leads, and what becomes of its URL.
#[derive(Debug)]
pub struct Glance {
    /// `Kept` exactly when [`fyke_derive::derive`] will make a document.
    pub reason: Reason,
    pub detail: String,
    /// Targets for the frontier, in order.
    pub targets: Vec<Target>,
    /// Of a page that is kept.
    pub fingerprint: Option<Fingerprint>,
    /// What the guide of a focused crawl read.
    pub reading: Option<Reading>,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub id: UrlId,
    pub url: Url,
    pub nofollow: bool,
}

/// Reads of a capture what the crawl needs while it runs; `keeps` when its text is wanted too, `spider`
/// when it is to be judged.
#[must_use]
pub fn glance(capture: &Capture, keeps: bool, spider: Option<&Spider>) -> Glance {
    let glance = || {
        let (mut text, mut reading) = (None, None);
        if let Some(spider) = spider {
            let parse = |capture: &Capture| {
                let mut reader = spider.reader();
                let (page, found, order) = parse_seen(capture, |seen| reader.see(seen));
                text = Some(found);
                reading = Some(reader.finish(&page.title, order));
                page
            };
            return glanced(judge(capture, parse), text, reading);
        }
        let parse = |capture: &Capture| match keeps {
            true => {
                let (page, found) = parse_with_fingerprint(capture);
                text = Some(found);
                page
            }
            false => parse_bare(capture),
        };
        glanced(judge(capture, parse), text, None)
    };
    catch_unwind(AssertUnwindSafe(glance)).unwrap_or_else(|_| {
        let (reason, detail) = broken();
        Glance { reason, detail, targets: Vec::new(), fingerprint: None, reading: None }
    })
}

fn glanced(
    (page, reason, detail): (Option<Page>, Reason, String),
    text: Option<Fingerprint>,
    reading: Option<Reading>,
) -> Glance {
    let targets = page.map(targets).unwrap_or_default();
    let fingerprint = text.filter(|_| reason == Reason::Kept);
    Glance { reason, detail, targets, fingerprint, reading }
}

fn broken() -> (Reason, String) {
    (Reason::Protocol, "the page broke the parser".to_owned())
}

/// Where a page leads: its links, then the page it refreshes to and the one it calls canonical.
fn targets(page: Page) -> Vec<Target> {
    let nofollow = page.nofollow;
    let links = page.links.into_iter().map(|link| (link.url, link.nofollow || nofollow));
    let others = page.refresh.into_iter().chain(page.canonical);
    links
        .chain(others.map(|url| (url, nofollow)))
        .map(|(url, nofollow)| Target { id: url.id(), url, nofollow })
        .collect()
}
