//! What the crawl needs of a page while it runs: where it leads, and what becomes of its URL. Documents and
//! facts are made by `fyke_derive`.

use crate::guide::{GuideReading, Spider};
use fyke_derive::{judge, judge_broken};
use fyke_formats::{skim, skim_with_fingerprint};
use fyke_store::Reason;
use fyke_web::{Capture, Fingerprint, Skim, Url, UrlId};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the crawl itself needs of a page.
#[derive(Debug)]
pub(crate) struct Glance {
    /// `Kept` exactly when [`fyke_derive::derive`] will make a document.
    pub(crate) reason: Reason,
    pub(crate) detail: String,
    /// Targets for the frontier, in order.
    pub(crate) targets: Vec<LinkTarget>,
    /// Of a page that is kept.
    pub(crate) fingerprint: Option<Fingerprint>,
    /// What the guide of a focused crawl read.
    pub(crate) reading: Option<GuideReading>,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinkTarget {
    pub(crate) id: UrlId,
    pub(crate) url: Url,
    pub(crate) nofollow: bool,
}

/// What of a page is looked at besides its links.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Interest<'a> {
    Links,
    /// Its text, by which it is known again.
    Text,
    /// Its text, and what it is to the subject.
    Subject(&'a Spider),
}

/// Reads of a capture what the crawl needs while it runs.
pub(crate) fn glance(capture: &Capture, interest: Interest<'_>) -> Glance {
    // As when a document is made: should the parser break, one page is lost and not its host.
    catch_unwind(AssertUnwindSafe(|| read(capture, interest))).unwrap_or_else(|_| {
        let (reason, detail) = judge_broken();
        Glance { reason, detail, targets: Vec::new(), fingerprint: None, reading: None }
    })
}

fn read(capture: &Capture, interest: Interest<'_>) -> Glance {
    let (mut fingerprint, mut reading) = (None, None);
    let (page, reason, detail) = judge(capture, |capture| match interest {
        Interest::Links => skim(capture),
        Interest::Text => {
            let (page, text) = skim_with_fingerprint(capture);
            fingerprint = Some(text);
            page
        }
        Interest::Subject(spider) => {
            let (page, text, read) = spider.readers().read(capture);
            (fingerprint, reading) = (Some(text), Some(read));
            page
        }
    });
    let targets = page.map(targets).unwrap_or_default();
    let fingerprint = fingerprint.filter(|_| reason == Reason::Kept);
    Glance { reason, detail, targets, fingerprint, reading }
}

/// Where a page leads: its links, then the page it refreshes to and the one it calls canonical.
fn targets(page: Skim) -> Vec<LinkTarget> {
    let nofollow = page.nofollow;
    let links = page.links.into_iter().map(|link| (link.url, link.nofollow || nofollow));
    let others = page.refresh.into_iter().chain(page.canonical);
    links
        .chain(others.map(|url| (url, nofollow)))
        .map(|(url, nofollow)| LinkTarget { id: url.id(), url, nofollow })
        .collect()
}
