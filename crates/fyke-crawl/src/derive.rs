//! From captures to documents: one function for the live path and for a rebuild, so that both give
//! the same. It looks at nothing but the capture.

use fyke_store::{Collection, Reason, StoreError, StoredLink};
use fyke_web::page::Format;
use fyke_web::{Capture, Document, Note, Page, Url, UrlId};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a capture gives.
#[derive(Debug)]
pub struct Derived {
    /// `Kept` exactly when there is a document.
    pub reason: Reason,
    pub detail: String,
    pub document: Option<Document>,
    /// Links for the document store.
    pub links: Vec<StoredLink>,
    /// Targets for the frontier, in order: URL and nofollow.
    pub targets: Vec<(Url, bool)>,
}

/// How the detail of a sitemap's row begins.
pub(crate) const SITEMAP: &str = "sitemap";

/// How many captures go into one batch of a rebuild.
const BATCH: usize = 256;

/// Derives what a capture gives. A redirect or an error page gives nothing.
#[must_use]
pub fn derive(capture: &Capture) -> Derived {
    // Parsing does not panic; should it do so all the same, one page is lost and not the crawl.
    catch_unwind(AssertUnwindSafe(|| derive_page(capture)))
        .unwrap_or_else(|_| nothing(Reason::Protocol, "the page broke the parser"))
}

fn nothing(reason: Reason, detail: &str) -> Derived {
    let (links, targets) = (Vec::new(), Vec::new());
    Derived { reason, detail: detail.to_owned(), document: None, links, targets }
}

fn derive_page(capture: &Capture) -> Derived {
    if capture.status != 200 {
        return nothing(Reason::HttpOther, "");
    }
    if capture.truncated.as_deref() == Some("length") {
        return nothing(Reason::TooBig, "cut at the limit");
    }
    let page = fyke_web::parse(capture);
    if !matches!(page.format, Format::Html | Format::Text) {
        return nothing(Reason::Type, capture.header("content-type").unwrap_or("no type"));
    }
    if capture.truncated.is_none() && page.notes.contains(&Note::Cut) {
        return nothing(Reason::TooBig, "too big when decompressed, or not decodable");
    }
    let links = stored_links(&page);
    let targets = targets(&page);
    if page.noindex {
        return Derived { links, targets, ..nothing(Reason::Noindex, "") };
    }
    let document = Some(fyke_web::refine(capture, &page));
    let detail = match &capture.truncated {
        Some(word) => format!("cut short: {word}"),
        None => String::new(),
    };
    Derived { reason: Reason::Kept, detail, document, links, targets }
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

/// Where a page leads: its links, then the page it refreshes to and the one it calls canonical.
fn targets(page: &Page) -> Vec<(Url, bool)> {
    let links = page.links.iter().map(|link| (link.url.clone(), link.nofollow || page.nofollow));
    let others = [&page.refresh, &page.canonical].into_iter().flatten();
    links.chain(others.map(|url| (url.clone(), page.nofollow))).collect()
}

/// A sitemap in plain text looks like a page; the ledger knows what it was fetched for.
fn is_sitemap(collection: &Collection, id: UrlId) -> Result<bool, StoreError> {
    let row = collection.ledger.get(id)?;
    Ok(row.is_some_and(|row| row.detail.starts_with(SITEMAP)))
}

/// Makes the documents of all captures from the documents' mark on: what a crash left undone, or,
/// after [`Collection::delete_derived`], everything. `observe` gets the number of captures read.
///
/// # Errors
/// When the collection cannot be read or written. A damaged record is passed over.
pub fn derive_documents(
    collection: &mut Collection,
    mut observe: impl FnMut(u64),
) -> Result<u64, StoreError> {
    let mut batch: Vec<(UrlId, Option<Document>, Vec<StoredLink>)> = Vec::new();
    let mut read = 0;
    let start = collection.documents.mark()?;
    if start == collection.captures.end() {
        return Ok(0);
    }
    let mut mark = start;
    for record in collection.captures.from(start) {
        let (place, capture) = match record {
            Ok(record) => record,
            Err(error @ StoreError::Damaged { .. }) => {
                tracing::warn!(%error, "a damaged record is passed over");
                continue;
            }
            Err(error) => return Err(error),
        };
        let id = capture.url.id();
        let derived = match is_sitemap(collection, id)? {
            true => nothing(Reason::Type, SITEMAP),
            false => derive(&capture),
        };
        batch.push((id, derived.document, derived.links));
        mark = place.after();
        read += 1;
        if batch.len() >= BATCH {
            collection.documents.put(&batch, mark)?;
            batch.clear();
            observe(read);
        }
    }
    collection.documents.put(&batch, collection.captures.end().max(mark))?;
    observe(read);
    Ok(read)
}
