//! From captures to documents: one function for the live path and for a rebuild, so that both give
//! the same. It looks at nothing but the capture.

use crate::guide::{Reading, Spider};
use fyke_store::{Collection, Reason, RowKind, StoreError, StoredLink};
use fyke_web::page::Format;
use fyke_web::{
    Capture, Document, Fingerprint, Note, Page, Url, UrlId, parse, parse_bare, parse_seen,
    parse_with_fingerprint, refine,
};
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
}

/// What the crawl itself needs of a page: where it leads, and what becomes of its URL.
#[derive(Debug)]
pub struct Glance {
    /// `Kept` exactly when [`derive`] will make a document.
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

/// How many captures go into one batch of a rebuild.
const BATCH: usize = 256;

/// Derives what a capture gives. A redirect or an error page gives nothing.
#[must_use]
pub fn derive(capture: &Capture) -> Derived {
    // Parsing does not panic; should it do so all the same, one page is lost and not the crawl.
    catch_unwind(AssertUnwindSafe(|| derive_page(capture))).unwrap_or_else(|_| {
        let (reason, detail) = broken();
        Derived { reason, detail, document: None, links: Vec::new() }
    })
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

fn derive_page(capture: &Capture) -> Derived {
    let (page, reason, detail) = judge(capture, parse);
    let links = page.as_ref().map(stored_links).unwrap_or_default();
    let document = page.filter(|_| reason == Reason::Kept).map(|page| refine(capture, &page));
    Derived { reason, detail, document, links }
}

/// The page, where there is one, and what becomes of its URL.
fn judge(
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

/// Makes the documents of all captures from the documents' mark on: what came since, or, after
/// [`Collection::delete_derived`], everything. `observe` gets the number of captures read.
///
/// # Errors
/// When the collection cannot be read or written. A damaged record is passed over.
pub fn derive_documents(
    collection: &Collection,
    mut observe: impl FnMut(u64),
) -> Result<u64, StoreError> {
    derive_batches(collection, |read, _| {
        observe(read);
        Ok(())
    })
}

/// The same, and `visit` sees every batch of what was made as soon as it is stored.
///
/// # Errors
/// As [`derive_documents`], and what `visit` gives.
pub fn derive_batches<E: From<StoreError>>(
    collection: &Collection,
    mut visit: impl FnMut(u64, &[Made]) -> Result<(), E>,
) -> Result<u64, E> {
    let mut batch: Vec<Capture> = Vec::new();
    let mut read = 0;
    let start = collection.documents.mark()?;
    let end = collection.captures.end();
    if start == end {
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
            Err(error) => return Err(error.into()),
        };
        batch.push(capture);
        mark = place.after();
        read += 1;
        if batch.len() >= BATCH {
            let made = derive_batch(collection, &batch)?;
            collection.documents.put(&made, mark)?;
            batch.clear();
            visit(read, &made)?;
        }
    }
    let last = derive_batch(collection, &batch)?;
    collection.documents.put(&last, end.max(mark))?;
    visit(read, &last)?;
    Ok(read)
}

/// One document of a batch: the URL, the document if there is one, the links.
pub type Made = (UrlId, Option<Document>, Vec<StoredLink>);

/// Derives a batch on all cores; the order stays.
fn derive_batch(collection: &Collection, batch: &[Capture]) -> Result<Vec<Made>, StoreError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let part = batch.len().div_ceil(threads).max(1);
    let made = std::thread::scope(|scope| {
        let parts = batch.chunks(part).map(|captures| {
            let make = move || captures.iter().map(|capture| make(collection, capture)).collect();
            scope.spawn(make)
        });
        let parts: Vec<_> = parts.collect();
        parts.into_iter().map(|part| part.join().expect("derive catches panics")).collect()
    });
    let made: Vec<Result<Vec<Made>, StoreError>> = made;
    Ok(made.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

fn make(collection: &Collection, capture: &Capture) -> Result<Made, StoreError> {
    let id = capture.url.id();
    let row = collection.ledger.get(id)?;
    // A sitemap in plain text looks like a page; the ledger knows what it was fetched for.
    if row.as_ref().is_some_and(|row| row.kind == RowKind::Sitemap) {
        return Ok((id, None, Vec::new()));
    }
    let derived = derive(capture);
    // Off the subject: the capture stays and its links are known, but it is no document.
    let is_on = row.is_none_or(|row| row.reason != Reason::Offtopic);
    Ok((id, derived.document.filter(|_| is_on), derived.links))
}
