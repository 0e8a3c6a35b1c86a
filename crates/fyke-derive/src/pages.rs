//! The tier of pages: captures become documents and cells, in batches, on all cores. A page is parsed once.
//!
//! The cells of a batch are published with their marks before its documents are put: after a kill between
//! the two the batch is made again from the documents' mark, with the links that stood there before, and
//! comes out the same.

use crate::changes::{Changed, Totals, is_document};
use crate::feeds::{FedPage, fed_page_of, fed_pages, keeps_text};
use crate::page::{PageRun, anchors};
use crate::run::now;
use crate::stale::{DerivedMark, mark_of};
use crate::table::{DERIVATIONS, Derivation, DeriveSettings, Tier};
use crate::{Derived, ReadLimits, derive_noted, read_noted};
use fyke_formats::parse;
use fyke_store::{
    CellBatch, Cells, Collection, MadePage, ReadingPlace, Reason, Row, RowKind, Spot, StoreError,
    StoredLink,
};
use fyke_web::{Capture, Document, ExtractRules, UrlId};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many captures go into one batch …
const BATCH: usize = 256;
/// … and how many bytes of them, as they came.
const BATCH_BYTES: usize = 32 << 20;
/// A batch is stored in parts where what was made of it is larger: a small capture may hold a large page.
const MADE_BYTES: usize = 16 << 20;

/// The derivations of pages.
fn rows() -> impl Iterator<Item = &'static Derivation> {
    DERIVATIONS.iter().filter(|row| row.is_of_pages())
}

/// Time spent in each derivation, by its code.
type DerivationTimes = HashMap<u8, Duration>;

/// Makes documents and cells of all captures from the mark on: what came since, or, after
/// [`Collection::delete_derived`], everything. `observe` gets the number of captures read.
///
/// # Errors
/// When the collection cannot be read or written. A damaged record is passed over.
pub fn derive_pages(
    collection: &Collection,
    mut observe: impl FnMut(u64),
) -> Result<u64, StoreError> {
    let _turn = collection.begin_deriving();
    derive_batches(collection, |read, _| {
        observe(read);
        Ok(())
    })
}

/// The same in a turn that has begun, and `visit` sees every batch of what was made as soon as it is stored.
///
/// # Errors
/// As [`derive_pages`], and what `visit` gives.
pub(crate) fn derive_batches<E: From<StoreError>>(
    collection: &Collection,
    mut visit: impl FnMut(u64, &[MadePage]) -> Result<(), E>,
) -> Result<u64, E> {
    let start = begin(collection)?;
    match start == collection.captures.end() {
        true => Ok(0),
        false => derive_from(collection, start, &mut visit),
    }
}

/// Makes documents and cells of every capture that can be read again, in the place of those that stand; what has
/// no capture any more stays as it is. `observe` gets the number of captures read.
///
/// # Errors
/// As [`derive_pages`].
pub fn derive_in_place(
    collection: &Collection,
    mut observe: impl FnMut(u64),
) -> Result<u64, StoreError> {
    let _turn = collection.begin_deriving();
    derive_batches(collection, |read, _| {
        observe(read);
        Ok::<(), StoreError>(())
    })?;
    derive_from(collection, Spot::START, &mut |read, _: &[MadePage]| {
        observe(read);
        Ok(())
    })
}

fn derive_from<E: From<StoreError>>(
    collection: &Collection,
    start: Spot,
    visit: &mut impl FnMut(u64, &[MadePage]) -> Result<(), E>,
) -> Result<u64, E> {
    let (end, before) = (collection.captures.end(), collection.documents.mark()?);
    let (mut batch, mut spent) = (Vec::new(), DerivationTimes::new());
    let (mut read, mut mark, mut bytes) = (0, start, 0);
    for record in collection.captures.from(start) {
        let (place, capture) = match record {
            Ok(record) => record,
            Err(error @ StoreError::Damaged { .. }) => {
                tracing::warn!(%error, "a damaged record is skipped");
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let former = mark.max(before);
        mark = place.after().max(before);
        read += 1;
        if keeps_text(collection, &capture)? {
            continue;
        }
        bytes += capture.payload.len();
        // Until the feed itself is done, its items may be made again.
        for FedPage { capture, derived } in fed_pages(collection, &capture, place)? {
            batch.push(QueuedCapture { capture, derived: Some(derived), after: former });
        }
        batch.push(QueuedCapture { capture, derived: None, after: mark });
        if batch.len() >= BATCH || bytes >= BATCH_BYTES {
            bytes = 0;
            let mut batch = last_of_each(std::mem::take(&mut batch));
            while !batch.is_empty() {
                let made = make_batch(collection, &mut batch, mark, &mut spent)?;
                visit(read - batch.len() as u64, &made)?;
            }
        }
    }
    let mut batch = last_of_each(batch);
    loop {
        let made = make_batch(collection, &mut batch, end.max(mark), &mut spent)?;
        visit(read - batch.len() as u64, &made)?;
        if batch.is_empty() {
            return Ok(read);
        }
    }
}

/// Stores pages that were derived already, of captures that are committed: all since the documents' mark. Of
/// the captures the payloads are not read.
///
/// # Errors
/// When the collection cannot be written.
pub fn store_pages(
    collection: &Collection,
    pages: Vec<(Capture, Derived)>,
) -> Result<(), StoreError> {
    let _turn = collection.begin_deriving();
    let after = collection.captures.end();
    let fetched = |(capture, derived)| QueuedCapture { capture, derived: Some(derived), after };
    let mut pages = last_of_each(pages.into_iter().map(fetched).collect());
    while !pages.is_empty() {
        make_batch(collection, &mut pages, after, &mut DerivationTimes::new())?;
    }
    Ok(())
}

/// A capture, with what it gives if that was found already, and where the next one begins.
struct QueuedCapture {
    capture: Capture,
    derived: Option<Derived>,
    after: Spot,
}

/// Where to go on: at the older of the marks of documents and cells. Derivations whose cells are missing or
/// of another version are made for all documents first, alone.
fn begin(collection: &Collection) -> Result<Spot, StoreError> {
    let (cells, documents) = (collection.cells(), collection.documents.mark()?);
    let is_behind = |row: &&Derivation| {
        let mark = mark_of(&cells, row);
        mark.is_none_or(|mark| mark.version != row.version || mark.spot < documents)
    };
    let behind: Vec<_> = rows().filter(is_behind).collect();
    if documents > Spot::START && !behind.is_empty() {
        make_again(collection, &behind)?;
    }
    Ok(documents)
}

/// Makes the cells of one derivation of pages again for all documents.
///
/// # Errors
/// When the collection cannot be read or written.
pub(crate) fn derive_page_again(
    collection: &Collection,
    row: &'static Derivation,
) -> Result<(), StoreError> {
    make_again(collection, &[row])
}

/// Makes the first captures on all cores, as many as memory allows, publishes their cells and puts their
/// documents. The others are left; when none is, `mark` is how far the captures are covered.
fn make_batch(
    collection: &Collection,
    captures: &mut Vec<QueuedCapture>,
    mark: Spot,
    spent: &mut DerivationTimes,
) -> Result<Vec<MadePage>, StoreError> {
    let (cells, time) = (collection.cells(), now());
    let make =
        |fetched: &mut QueuedCapture, out: &mut ThreadPart| make(collection, &cells, fetched, out);
    let part = in_parts(collection, time, captures, &make)?;
    let ThreadPart { made, mut batch, changed, linked, documents, spent: new, .. } = part;
    let last = captures.drain(..made.len()).next_back();
    let mark = last.filter(|_| !captures.is_empty()).map_or(mark, |last| last.after);
    let mut totals = Totals::read(&cells, time)?;
    totals.documents = totals.documents.saturating_add_signed(documents);
    let changed = with_targets(&cells, changed, &linked, &made)?;
    totals.note(&mut batch, &changed)?;
    new.into_iter().for_each(|(code, time)| *spent.entry(code).or_default() += time);
    for row in rows() {
        let before = mark_of(&cells, row).unwrap_or_default();
        let cpu = spent.get(&row.code).map_or(0, |time| time.as_micros() as u64);
        let made = if before.made == 0 { cells.number() + 1 } else { before.made };
        let mark = DerivedMark { spot: mark, made, cpu, time, ..fresh(row, before) };
        batch.mark(row.name, &mark.bytes());
    }
    collection.cells.publish(batch)?;
    collection.documents.put(&made, mark)?;
    Ok(made)
}

fn fresh(row: &Derivation, before: DerivedMark) -> DerivedMark {
    let settings = row.settings_hash(&DeriveSettings::default());
    DerivedMark { version: row.version, settings, ..before }
}

/// Of several captures of one URL the last.
fn last_of_each(mut captures: Vec<QueuedCapture>) -> Vec<QueuedCapture> {
    let mut seen = HashSet::new();
    captures.reverse();
    captures.retain(|fetched| seen.insert(fetched.capture.url.id()));
    captures.reverse();
    captures
}

/// What one thread makes.
struct ThreadPart {
    made: Vec<MadePage>,
    /// Where each of them stands in the batch.
    places: Vec<usize>,
    batch: CellBatch,
    changed: Changed,
    /// URLs whose anchors have changed.
    linked: HashSet<UrlId>,
    /// Documents more than before.
    documents: i64,
    spent: DerivationTimes,
    /// Where it notes the page that it reads.
    place: ReadingPlace,
    /// By which it makes documents.
    rules: Arc<ExtractRules>,
}

impl ThreadPart {
    fn new(collection: &Collection, time: i64) -> ThreadPart {
        let (batch, place) = (collection.cells.batch(time), collection.underway.place());
        let (made, places, changed) = (Vec::new(), Vec::new(), Changed::new());
        let (linked, spent) = (HashSet::new(), DerivationTimes::new());
        let rules = collection.extract_rules();
        ThreadPart { made, places, batch, changed, linked, documents: 0, spent, place, rules }
    }

    fn absorb(&mut self, mut other: ThreadPart) {
        self.made.append(&mut other.made);
        self.places.append(&mut other.places);
        self.batch.absorb(other.batch);
        self.changed.append(&mut other.changed);
        self.linked.extend(other.linked);
        self.documents += other.documents;
        for (code, time) in other.spent {
            *self.spent.entry(code).or_default() += time;
        }
    }

    fn derive(&self, capture: &Capture) -> Derived {
        derive_noted(&self.place, capture, &self.rules)
    }

    /// Runs derivations on a page.
    fn run(&mut self, rows: impl Iterator<Item = &'static Derivation>, page: &PageRun<'_>) {
        for row in rows {
            let Tier::Page(run) = row.tier else { continue };
            let start = Instant::now();
            run(page, &mut self.batch);
            *self.spent.entry(row.code).or_default() += start.elapsed();
        }
    }
}

/// Goes over the first of some things on all cores, until what is made takes too much memory; what is made
/// keeps their order.
fn in_parts<T: Send>(
    collection: &Collection,
    time: i64,
    all: &mut [T],
    make: &(impl Fn(&mut T, &mut ThreadPart) -> Result<(), StoreError> + Sync),
) -> Result<ThreadPart, StoreError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut whole = ThreadPart::new(collection, time);
    let left = Mutex::new(all.iter_mut().enumerate());
    let bytes = AtomicUsize::new(0);
    let next = || {
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        // Looked at under the lock, so that what is made is a beginning without gaps.
        if bytes.load(Ordering::Relaxed) < MADE_BYTES { left.next() } else { None }
    };
    let work = |mut out: ThreadPart| {
        while let Some((place, one)) = next() {
            let before = out.made.len();
            make(one, &mut out)?;
            let new: usize = out.made[before..].iter().map(weight).sum();
            bytes.fetch_add(new, Ordering::Relaxed);
            out.places.resize(out.made.len(), place);
        }
        Ok(out)
    };
    let parts: Vec<Result<ThreadPart, StoreError>> = std::thread::scope(|scope| {
        let parts = (0..threads).map(|_| {
            let out = ThreadPart::new(collection, time);
            scope.spawn(|| work(out))
        });
        let parts: Vec<_> = parts.collect();
        parts.into_iter().map(|part| part.join().expect("derive catches panics")).collect()
    });
    for part in parts {
        whole.absorb(part?);
    }
    let mut made: Vec<_> = whole.places.drain(..).zip(whole.made.drain(..)).collect();
    made.sort_by_key(|(place, _)| *place);
    whole.made.extend(made.into_iter().map(|(_, made)| made));
    Ok(whole)
}

/// About the bytes that a made page takes.
fn weight(MadePage { document, links, .. }: &MadePage) -> usize {
    let text = |document: &Document| document.text.len() + document.headings.len();
    let link = |link: &StoredLink| size_of::<StoredLink>() + link.anchor.len();
    document.as_ref().map_or(0, text) + links.iter().map(link).sum::<usize>()
}

fn make(
    collection: &Collection,
    cells: &Cells,
    QueuedCapture { capture, derived, .. }: &mut QueuedCapture,
    out: &mut ThreadPart,
) -> Result<(), StoreError> {
    let (id, capture) = (capture.url.id(), &*capture);
    let row = collection.ledger.get(id)?;
    // A sitemap in plain text looks like a page; the ledger knows what it was fetched for.
    let is_list = |row: &Row| matches!(row.kind, RowKind::Sitemap | RowKind::Feed);
    let is_sitemap = row.as_ref().is_some_and(is_list);
    let derived = derived.take();
    let derived = (!is_sitemap).then(|| derived.unwrap_or_else(|| out.derive(capture)));
    if let (Some(row), Some(derived)) = (&row, &derived) {
        settle_reason(collection, (id, row), derived)?;
    }
    let (page, document, links) = match derived {
        Some(Derived { page, document, links, .. }) => (page, document, links),
        None => (None, None, Vec::new()),
    };
    let kind = row.as_ref().map_or(RowKind::Page, |row| row.kind);
    let is_private = row.as_ref().is_some_and(|row| row.private);
    let (page, document, links, missing) = match kind {
        RowKind::Missing => (None, None, Vec::new(), document),
        // What a form gave: its links count, and it is no document.
        RowKind::Query => (None, None, links, None),
        _ => (page, document, links, None),
    };
    let (former_links, is_known) = (collection.documents.links(id)?, is_document(cells, id)?);
    let (page, former_links) = (page.as_ref(), former_links.as_slice());
    let run = PageRun {
        id,
        capture,
        page,
        document: document.as_ref(),
        missing: missing.as_ref(),
        links: &links,
        former_links,
        is_known,
        is_private,
    };
    out.run(rows(), &run);
    out.linked.extend(anchors::changed(&links, former_links));
    if document.is_some() || missing.is_some() || is_known {
        let bits = rows().filter(|row| row.name != anchors::ROW.name);
        out.changed.insert(id, bits.fold(0, |bits, row| bits | row.bit()));
    }
    out.documents += i64::from(document.is_some()) - i64::from(is_known);
    out.made.push(MadePage::new(id, document, links));
    Ok(())
}

/// Writes why a page could not be read, or that it could, where the ledger says otherwise.
fn settle_reason(
    collection: &Collection,
    (id, row): (UrlId, &Row),
    Derived { reason, detail, .. }: &Derived,
) -> Result<(), StoreError> {
    let is_settled = match (row.reason, *reason) {
        (Reason::Kept | Reason::Noindex, reason) => reason != Reason::Unfinished,
        (Reason::Unfinished, reason) => reason == Reason::Unfinished,
        _ => true,
    };
    if is_settled {
        return Ok(());
    }
    collection.ledger.update(id, |row| {
        (row.reason, row.detail) = (*reason, detail.clone());
        true
    })?;
    collection.sync()
}

/// Adds the documents whose anchors have changed.
fn with_targets(
    cells: &Cells,
    mut changed: Changed,
    linked: &HashSet<UrlId>,
    made: &[MadePage],
) -> Result<Changed, StoreError> {
    let new: HashSet<UrlId> =
        made.iter().filter(|page| page.document.is_some()).map(|page| page.id).collect();
    for target in linked {
        if new.contains(target) || is_document(cells, *target)? {
            *changed.entry(*target).or_default() |= anchors::ROW.bit();
        }
    }
    Ok(changed)
}

/// Makes the cells of some derivations again for all documents, from their captures. The marks go with the
/// first step and come back with the last.
fn make_again(collection: &Collection, behind: &[&'static Derivation]) -> Result<(), StoreError> {
    let (time, spot) = (now(), collection.documents.mark()?);
    let mut batch = collection.cells.batch(time);
    for row in behind {
        row.writes.iter().for_each(|column| batch.clear(*column));
        batch.forget_mark(row.name);
    }
    collection.cells.publish(batch)?;
    let make = |(id, links): &mut (UrlId, Vec<StoredLink>), out: &mut ThreadPart| {
        again(collection, behind, (*id, links), out)
    };
    let (mut some, mut spent, mut documents) = (Vec::new(), DerivationTimes::new(), 0);
    let mut pages = collection.documents.all_links();
    loop {
        some.clear();
        for page in pages.by_ref().take(BATCH) {
            some.push(page?);
        }
        let part = in_parts(collection, time, &mut some, &make)?;
        documents += part.documents;
        part.spent.into_iter().for_each(|(code, time)| *spent.entry(code).or_default() += time);
        if some.is_empty() {
            break;
        }
        collection.cells.publish(part.batch)?;
    }
    let cells = collection.cells();
    let mut batch = collection.cells.batch(time);
    let mut totals = Totals::read(&cells, time)?;
    totals.documents = documents.unsigned_abs();
    totals.note(&mut batch, &Changed::new())?;
    for row in behind {
        let cpu = spent.get(&row.code).map_or(0, |time| time.as_micros() as u64);
        let mark = DerivedMark { spot, cpu, time, ..fresh(row, DerivedMark::default()) };
        batch.mark(row.name, &DerivedMark { made: cells.number() + 1, ..mark }.bytes());
    }
    collection.cells.publish(batch)
}

fn again(
    collection: &Collection,
    behind: &[&'static Derivation],
    (id, links): (UrlId, &[StoredLink]),
    out: &mut ThreadPart,
) -> Result<(), StoreError> {
    let document = collection.documents.get(id)?;
    out.documents += i64::from(document.is_some());
    let row = collection.ledger.get(id)?;
    let is_missing = row.as_ref().is_some_and(|row| row.kind == RowKind::Missing);
    let fed = row.as_ref().map_or(Ok(None), |row| fed_page_of(collection, id, row))?;
    if let Some(FedPage { capture, derived }) = fed {
        let (capture, page, document) = (&capture, derived.page.as_ref(), document.as_ref());
        // Of a private feed no text is taken.
        let (former_links, missing, is_known, is_private) = (&[][..], None, false, false);
        let run = PageRun {
            id,
            capture,
            page,
            document,
            missing,
            links,
            former_links,
            is_known,
            is_private,
        };
        out.run(behind.iter().copied(), &run);
        return Ok(());
    }
    let is_private = row.as_ref().is_some_and(|row| row.private);
    let Some(place) = row.and_then(|row| row.capture) else {
        return Ok(());
    };
    let capture = match collection.captures.read(place) {
        Ok(capture) => capture,
        Err(damage @ StoreError::Damaged { .. }) => {
            tracing::warn!(%damage, "a capture was skipped");
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    let page = read_noted(&out.place, &capture, &ReadLimits::default(), parse);
    let Ok(page) = page else { return Ok(()) };
    let missing = if is_missing { out.derive(&capture).document } else { None };
    let missing = missing.as_ref();
    let (page, document) = (Some(&page), document.as_ref());
    let (capture, former_links, is_known) = (&capture, &[][..], false);
    let run =
        PageRun { id, capture, page, document, missing, links, former_links, is_known, is_private };
    out.run(behind.iter().copied(), &run);
    Ok(())
}
