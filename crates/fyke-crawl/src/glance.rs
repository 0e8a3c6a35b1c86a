//! What the crawl needs of a page while it runs: where it leads, and what becomes of its URL. Documents and
//! facts are made by `fyke_derive`.

use crate::forms::FormPage;
use crate::guide::{GuideReading, Spider};
use fyke_derive::{JudgedCapture, Unread, UrlFate, judge};
use fyke_formats::{open, skim, skim_with_fingerprint};
use fyke_store::Reason;
use fyke_text::TextPiece;
use fyke_web::{Capture, Fingerprint, Skim, Url, UrlId};
use std::sync::Arc;

/// What the crawl itself needs of a page.
#[derive(Debug)]
pub(crate) struct Glance {
    /// `Kept` exactly when [`fyke_derive::derive`] will make a document.
    pub(crate) reason: Reason,
    pub(crate) detail: String,
    /// Targets for the frontier, in order.
    pub(crate) targets: Vec<LinkTarget>,
    /// Feeds that it names.
    pub(crate) feeds: Vec<Url>,
    /// Of a page that is kept.
    pub(crate) fingerprint: Option<Fingerprint>,
    /// The pieces of text of a page that is kept.
    pub(crate) pieces: Vec<TextPiece>,
    /// What the guide of a focused crawl read.
    pub(crate) reading: Option<GuideReading>,
    /// Its forms and words, where the forms of its host may be sent.
    pub(crate) forms: Option<Box<FormPage>>,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinkTarget {
    pub(crate) id: UrlId,
    pub(crate) url: Url,
    pub(crate) nofollow: bool,
    /// It is the next page of a list.
    pub(crate) is_next: bool,
}

impl LinkTarget {
    /// A URL that was not found as a link.
    pub(crate) fn new(url: Url) -> LinkTarget {
        LinkTarget { id: url.id(), url, nofollow: false, is_next: false }
    }
}

/// What of a page is looked at besides its links.
#[derive(Clone, Debug)]
pub(crate) enum Interest {
    Links,
    /// Its text, by which it is known again.
    Text,
    /// Its text, and what it is to the subject.
    Subject(Arc<Spider>),
}

impl Glance {
    /// What is known of a page of which nothing was read.
    pub(crate) fn unread(why: Unread) -> Glance {
        let UrlFate { reason, detail } = why.judge();
        Glance::of_nothing(reason, detail)
    }

    /// What is known of a page that gives nothing.
    fn of_nothing(reason: Reason, detail: String) -> Glance {
        let (targets, feeds, pieces) = (Vec::new(), Vec::new(), Vec::new());
        let (fingerprint, reading, forms) = (None, None, None);
        Glance { reason, detail, targets, feeds, fingerprint, pieces, reading, forms }
    }
}

/// Reads of a capture what the crawl needs while it runs.
pub(crate) fn glance(capture: &Capture, interest: &Interest) -> Glance {
    let (mut fingerprint, mut reading) = (None, None);
    let judged = judge(capture, |capture| match interest {
        Interest::Links => skim(capture),
        Interest::Text => {
            let (page, text) = skim_with_fingerprint(capture);
            fingerprint = Some(text);
            page
        }
        Interest::Subject(spider) => {
            let page = spider.read(capture);
            (fingerprint, reading) = (Some(page.fingerprint), Some(page.reading));
            page.skim
        }
    });
    let JudgedCapture { page, fate: UrlFate { reason, detail } } = judged;
    let fingerprint = fingerprint.filter(|_| reason == Reason::Kept);
    let Some(mut page) = page else {
        return Glance { reading, ..Glance::of_nothing(reason, detail) };
    };
    let (pieces, feeds) = (std::mem::take(&mut page.pieces), std::mem::take(&mut page.feeds));
    let targets = targets(page);
    Glance { reason, detail, targets, feeds, fingerprint, pieces, reading, forms: None }
}

/// The forms of a page, and its words.
pub(crate) fn form_page(capture: &Capture) -> Box<FormPage> {
    Box::new(FormPage::read(open(capture).markup(), &capture.url))
}

/// Where a page leads: its links, then the page it refreshes to and the one it calls canonical.
fn targets(page: Skim) -> Vec<LinkTarget> {
    let nofollow = page.nofollow;
    let links = page.links.into_iter().map(|link| LinkTarget {
        nofollow: link.nofollow || nofollow,
        is_next: link.is_next,
        ..LinkTarget::new(link.url)
    });
    let others = page.refresh.into_iter().chain(page.canonical);
    links.chain(others.map(|url| LinkTarget { nofollow, ..LinkTarget::new(url) })).collect()
}
