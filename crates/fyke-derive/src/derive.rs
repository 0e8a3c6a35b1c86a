//! From a capture to a document: one function for the live path and for a rebuild, so that both give the
//! same. It looks at nothing but the capture.

use crate::large;
use crate::reading::{ReadLimits, Unread, read_noted, read_within};
use fyke_formats::{feed_page, parse};
use fyke_store::{ReadingPlace, Reason, StoredLink};
use fyke_web::feed::FeedItem;
use fyke_web::page::Format;
use fyke_web::{
    Capture, Document, ExtractRules, MOST_LINKS, Note, Page, REFINERS, Skim, refine, refine_ruled,
};
use std::panic::catch_unwind;
use std::sync::Arc;

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
    derive_ruled(capture, Arc::default())
}

/// The same by rules of what to keep of pages.
#[must_use]
pub fn derive_ruled(capture: &Capture, rules: Arc<ExtractRules>) -> Derived {
    let _alone = large::alone(capture);
    let read = move |capture: &Capture| derive_page(capture, &rules, parse);
    let made = read_within(capture, &ReadLimits::default(), read);
    made.unwrap_or_else(Derived::unread)
}

/// The document of a capture that stands in no collection.
///
/// # Errors
/// When it broke its reader, or took too long.
pub fn document_of(capture: &Capture) -> Result<Document, Unread> {
    read_within(capture, &ReadLimits::default(), |capture| refine(capture, &parse(capture)))
}

/// As [`derive_ruled`], of a page of a collection: see [`read_noted`].
#[must_use]
pub fn derive_noted(place: &ReadingPlace, capture: &Capture, rules: &Arc<ExtractRules>) -> Derived {
    let _alone = large::alone(capture);
    let rules = Arc::clone(rules);
    let read = move |capture: &Capture| derive_page(capture, &rules, parse);
    let made = read_noted(place, capture, &ReadLimits::default(), read);
    made.unwrap_or_else(Derived::unread)
}

impl Derived {
    /// What a page gives of which nothing was read.
    #[must_use]
    pub fn unread(why: Unread) -> Derived {
        let UrlFate { reason, detail } = why.judge();
        Derived { reason, detail, page: None, document: None, links: Vec::new() }
    }
}

/// Derives what an item of a feed gives, whose capture this is.
#[must_use]
pub(crate) fn derive_item(capture: &Capture, item: &FeedItem) -> Derived {
    let read = |capture: &Capture| feed_page(capture, item);
    let made = catch_unwind(|| derive_page(capture, &ExtractRules::default(), read));
    made.unwrap_or_else(|_| Derived::unread(Unread::Broken))
}

fn derive_page(
    capture: &Capture,
    rules: &ExtractRules,
    read: impl FnOnce(&Capture) -> Page,
) -> Derived {
    let JudgedCapture { page, fate: UrlFate { reason, detail } } = judge(capture, read);
    let links = page.as_ref().map(stored_links).unwrap_or_default();
    let kept = page.as_ref().filter(|_| reason == Reason::Kept);
    let document = kept.map(|page| refine_ruled(capture, page, &REFINERS[0], rules));
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

/// What becomes of a URL, with text for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlFate {
    pub reason: Reason,
    pub detail: String,
}

/// A capture that was judged.
#[derive(Clone, Debug)]
pub struct JudgedCapture<P> {
    /// What was read, where there is a page.
    pub page: Option<P>,
    pub fate: UrlFate,
}

/// Reads a capture and judges it. What gives no page by its status or its length is not read at all.
pub fn judge<P>(capture: &Capture, read: impl FnOnce(&Capture) -> P) -> JudgedCapture<P>
where
    for<'a> Grounds<'a>: From<&'a P>,
{
    if !capture.has_content() {
        return JudgedCapture { page: None, fate: judge_status(capture) };
    }
    if capture.truncated.as_deref() == Some("length") {
        let length = capture.header("content-length").filter(|_| capture.payload.is_empty());
        let detail = length.map(|length| format!("{length} bytes, by its head"));
        let detail = detail.unwrap_or_else(|| "cut at the limit".to_owned());
        return JudgedCapture { page: None, fate: UrlFate { reason: Reason::TooBig, detail } };
    }
    let page = read(capture);
    let fate = judge_read(capture, Grounds::from(&page));
    let is_page = matches!(fate.reason, Reason::Kept | Reason::Noindex);
    JudgedCapture { page: is_page.then_some(page), fate }
}

/// What becomes of the URL of an answer that is no page and leads nowhere else.
#[must_use]
pub fn judge_status(capture: &Capture) -> UrlFate {
    let of_status = format!("status {}", capture.status);
    let (reason, detail) = match (capture.status, capture.redirect()) {
        (_, Some(Err(leads_nowhere))) => (Reason::HttpOther, leads_nowhere),
        (400..=499, _) => (Reason::Http4xx, of_status),
        (500..=599, _) => (Reason::Http5xx, of_status),
        _ => (Reason::HttpOther, of_status),
    };
    UrlFate { reason, detail }
}

fn judge_read(capture: &Capture, page: Grounds<'_>) -> UrlFate {
    let of = |reason, detail| UrlFate { reason, detail };
    if page.format == Format::Other || page.lists_pages {
        return of(Reason::Type, kind(capture, page.trouble));
    }
    if capture.truncated.is_none() && page.notes.contains(&Note::Cut) {
        return of(Reason::TooBig, "too big when decompressed".to_owned());
    }
    if page.notes.contains(&Note::Undecoded) {
        return of(Reason::Protocol, undecoded(capture));
    }
    if page.noindex {
        return of(Reason::Noindex, String::new());
    }
    let detail = match (&capture.truncated, page.trouble) {
        (None, _) if page.notes.contains(&Note::Limit) => {
            format!("more than {MOST_LINKS} links: the others were not followed")
        }
        (None, _) if page.notes.contains(&Note::Short) => {
            "cut short: its content encoding has no end".to_owned()
        }
        (Some(word), _) => format!("cut short: {word}"),
        (None, "") => String::new(),
        (None, trouble) => format!("not all of it was read: {trouble}"),
    };
    of(Reason::Kept, detail)
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
            kind: link.kind,
            is_next: link.is_next,
        })
        .collect()
}
