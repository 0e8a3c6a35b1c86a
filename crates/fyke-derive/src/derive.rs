//! From a capture to a document: one function for the live path and for a rebuild, so that both give the
//! same. It looks at nothing but the capture.

use fyke_store::{Reason, StoredLink};
use fyke_web::page::Format;
use fyke_web::{Capture, Document, Note, Page, parse, refine};
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
    // Parsing does not panic; should it do so all the same, one page is lost and not the crawl.
    catch_unwind(AssertUnwindSafe(|| derive_page(capture))).unwrap_or_else(|_| {
        let (reason, detail) = (Reason::Protocol, "the page broke the parser".to_owned());
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

/// The page, where there is one, and what becomes of its URL.
pub fn judge(
    capture: &Capture,
    parse: impl FnOnce(&Capture) -> Page,
) -> (Option<Page>, Reason, String) {
    if capture.status != 200 {
        return (None, Reason::HttpOther, String::new());
    }
    if capture.truncated.as_deref() == Some("length") {
        return (None, Reason::TooBig, "cut at the limit".to_owned());
    }
    let page = parse(capture);
    if page.format == Format::Other || page.lists_pages {
        return (None, Reason::Type, kind(capture, &page));
    }
    if capture.truncated.is_none() && page.notes.contains(&Note::Cut) {
        return (None, Reason::TooBig, "too big when decompressed".to_owned());
    }
    if page.notes.contains(&Note::Undecoded) {
        return (None, Reason::Protocol, undecoded(capture));
    }
    if page.noindex {
        return (Some(page), Reason::Noindex, String::new());
    }
    let detail = match (&capture.truncated, page.trouble.as_str()) {
        (Some(word), _) => format!("cut short: {word}"),
        (None, "") => String::new(),
        (None, trouble) => format!("not all of it was read: {trouble}"),
    };
    (Some(page), Reason::Kept, detail)
}

fn undecoded(capture: &Capture) -> String {
    let named: Vec<&str> = capture.header_values("content-encoding").collect();
    format!("its body is not in the content encoding it names: {}", named.join(", "))
}

/// What a capture is that gives no document: its type, and what went wrong with it.
fn kind(capture: &Capture, page: &Page) -> String {
    let named = capture.header("content-type").unwrap_or("no type");
    match page.trouble.as_str() {
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
