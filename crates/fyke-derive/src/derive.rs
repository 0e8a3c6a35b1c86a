//! From a capture to a document: one function for the live path and for a rebuild, so that both give the
//! same. It looks at nothing but the capture.

use crate::large;
use fyke_formats::parse;
use fyke_store::{Reason, StoredLink};
use fyke_web::page::Format;
use fyke_web::{Capture, Document, Note, Page, Skim, refine};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a capture gives.
#[derive(Debug)]
pub struct Derived {
    /// `Kept` exactly when there is a document.
    pub reason: Reason,
    pub detail: String,
    /// What was read, where there is a page.
    pub page: Option<Page>,
    pub document: Option<Document>,
    /// Links for the document store.
    pub links: Vec<StoredLink>,
}

/// Derives what a capture gives. A redirect or an error page gives nothing.
#[must_use]
pub fn derive(capture: &Capture) -> Derived {
    let _alone = large::alone(capture);
    // Parsing does not panic; should it do so all the same, one page is lost and not the crawl.
    catch_unwind(AssertUnwindSafe(|| derive_page(capture))).unwrap_or_else(|_| {
        let (reason, detail) = judge_broken();
        Derived { reason, detail, page: None, document: None, links: Vec::new() }
    })
}

fn derive_page(capture: &Capture) -> Derived {
    let (page, reason, detail) = judge(capture, parse);
    let links = page.as_ref().map(stored_links).unwrap_or_default();
    let kept = page.as_ref().filter(|_| reason == Reason::Kept);
    let document = kept.map(|page| refine(capture, page));
    Derived { reason, detail, page, document, links }
}

/// What of a capture that was read decides what becomes of its URL.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'a> {
    format: Format,
    lists_pages: bool,
    noindex: bool,
    notes: &'a [Note],
    trouble: &'a str,
}

impl<'a> From<&'a Page> for Grounds<'a> {
    fn from(page: &'a Page) -> Grounds<'a> {
        let Page { format, lists_pages, noindex, ref notes, ref trouble, .. } = *page;
        Grounds { format, lists_pages, noindex, notes, trouble }
    }
}

impl<'a> From<&'a Skim> for Grounds<'a> {
    fn from(skim: &'a Skim) -> Grounds<'a> {
        let Skim { format, lists_pages, noindex, ref notes, ref trouble, .. } = *skim;
        Grounds { format, lists_pages, noindex, notes, trouble }
    }
}

/// What was read, where there is a page, and what becomes of its URL. What gives none by its status or its
/// length is not read at all.
pub fn judge<P>(capture: &Capture, read: impl FnOnce(&Capture) -> P) -> (Option<P>, Reason, String)
where
    for<'a> Grounds<'a>: From<&'a P>,
{
    if capture.status != 200 {
        let (reason, detail) = judge_status(capture);
        return (None, reason, detail);
    }
    if capture.truncated.as_deref() == Some("length") {
        return (None, Reason::TooBig, "cut at the limit".to_owned());
    }
    let page = read(capture);
    let (reason, detail) = judge_read(capture, Grounds::from(&page));
    let is_page = matches!(reason, Reason::Kept | Reason::Noindex);
    (is_page.then_some(page), reason, detail)
}

/// What becomes of the URL of an answer that is no page and leads nowhere else.
#[must_use]
pub fn judge_status(capture: &Capture) -> (Reason, String) {
    let of_status = format!("status {}", capture.status);
    match (capture.status, capture.redirect()) {
        (_, Some(Err(leads_nowhere))) => (Reason::HttpOther, leads_nowhere),
        (400..=499, _) => (Reason::Http4xx, of_status),
        (500..=599, _) => (Reason::Http5xx, of_status),
        _ => (Reason::HttpOther, of_status),
    }
}

/// What becomes of the URL of a page that made a parser panic.
#[must_use]
pub fn judge_broken() -> (Reason, String) {
    (Reason::Protocol, "the page broke the parser".to_owned())
}

fn judge_read(capture: &Capture, page: Grounds<'_>) -> (Reason, String) {
    if page.format == Format::Other || page.lists_pages {
        return (Reason::Type, kind(capture, page.trouble));
    }
    if capture.truncated.is_none() && page.notes.contains(&Note::Cut) {
        return (Reason::TooBig, "too big when decompressed".to_owned());
    }
    if page.notes.contains(&Note::Undecoded) {
        return (Reason::Protocol, undecoded(capture));
    }
    if page.noindex {
        return (Reason::Noindex, String::new());
    }
    let detail = match (&capture.truncated, page.trouble) {
        (Some(word), _) => format!("cut short: {word}"),
        (None, "") => String::new(),
        (None, trouble) => format!("not all of it was read: {trouble}"),
    };
    (Reason::Kept, detail)
}

fn undecoded(capture: &Capture) -> String {
    let named: Vec<&str> = capture.header_values("content-encoding").collect();
    format!("its body is not in the content encoding it names: {}", named.join(", "))
}

/// What a capture is that gives no document: its type, and what went wrong with it.
fn kind(capture: &Capture, trouble: &str) -> String {
    let named = capture.header("content-type").unwrap_or("no type");
    match trouble {
        "" => named.to_owned(),
        trouble => format!("{named}: {trouble}"),
    }
}

fn stored_links(page: &Page) -> Vec<StoredLink> {
    page.links
        .iter()
        .map(|link| StoredLink {
            target: link.url.id(),
            anchor: link.anchor.clone(),
            nofollow: link.nofollow || page.nofollow,
        })
        .collect()
}
