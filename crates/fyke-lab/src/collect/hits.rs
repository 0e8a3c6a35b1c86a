//! Hits as pages: they are given to the crawl, which asks for them as for any seed, and read from their
//! captures once their rows say what came of them.

use fyke_crawl::SeedFeed;
use fyke_derive::derive_ruled;
use fyke_store::{Collection, Reason, Row, StoreError};
use fyke_web::{Url, UrlId};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Redirects that are followed from a hit.
const MOST_HOPS: usize = 12;
/// How long one look at the ledger waits for the crawl.
const LOOK: Duration = Duration::from_millis(250);
/// Turns of the crawl after which a URL that was given was taken in.
const TAKEN_IN: u64 = 2;

/// What came of a hit.
#[derive(Debug)]
pub(super) enum HitPage {
    /// The URL under which it is kept, its main text, and whether it is off the subject of the collection.
    Text {
        id: UrlId,
        text: String,
        is_off: bool,
    },
    Dead(Reason),
    /// The crawl did not come to it in time; it may later.
    Late,
    /// The crawl has ended before it: a budget was used up, or somebody stopped it.
    Over,
}

/// The way to the crawl.
pub(super) struct HitPages<'a> {
    pub(super) collection: &'a Collection,
    pub(super) feed: &'a SeedFeed,
    /// How long one hit is waited for.
    pub(super) patience: Duration,
    /// Turns of the crawl so far.
    pub(super) turns: u64,
    /// At which turn a hit was given.
    pub(super) given: HashMap<UrlId, u64>,
}

impl HitPages<'_> {
    /// Has the crawl fetch hits; those that it knows cost nothing.
    pub(super) fn give<'u>(&mut self, urls: impl Iterator<Item = &'u Url>) {
        let new: Vec<&Url> = urls.filter(|url| !self.given.contains_key(&url.id())).collect();
        if new.is_empty() {
            return;
        }
        self.feed.give(new.iter().map(|url| (*url).clone()));
        // Read after they were given: a turn that began before may end without having taken them, the next one has.
        self.turns = self.feed.wait(0, Duration::ZERO);
        self.given.extend(new.iter().map(|url| (url.id(), self.turns)));
    }

    /// Waits for what comes of a hit.
    pub(super) fn take(&mut self, url: &Url) -> Result<HitPage, StoreError> {
        self.give(std::iter::once(url));
        let start = Instant::now();
        loop {
            let is_over = self.feed.is_over();
            if let Some((id, row)) = self.settled(url)? {
                return self.page(id, &row);
            }
            if is_over {
                return Ok(HitPage::Over);
            }
            if start.elapsed() > self.patience {
                return Ok(HitPage::Late);
            }
            self.turns = self.feed.wait(self.turns, LOOK);
        }
    }

    /// The row at the end of a hit's redirects, once nothing more will come of it in this run.
    fn settled(&self, url: &Url) -> Result<Option<(UrlId, Row)>, StoreError> {
        let given = self.given.get(&url.id()).copied().unwrap_or(0);
        let is_taken_in = self.turns >= given + TAKEN_IN || self.feed.is_over();
        let mut id = url.id();
        for _ in 0..MOST_HOPS {
            let Some(row) = self.collection.ledger.get(id)? else { return Ok(None) };
            match (row.reason, &row.redirect) {
                (Reason::Queued, _) => return Ok(None),
                (Reason::Redirect, Some(to)) => match Url::parse(to) {
                    Ok(next) if next.id() != id => id = next.id(),
                    _ => return Ok(Some((id, row))),
                },
                // Refused for the way it was found before; as a hit it may be asked for.
                _ if row.fetched.is_none() && !is_taken_in => return Ok(None),
                _ => return Ok(Some((id, row))),
            }
        }
        Ok(None)
    }

    fn page(&self, id: UrlId, row: &Row) -> Result<HitPage, StoreError> {
        let is_page = matches!(row.reason, Reason::Kept | Reason::Lang | Reason::Offtopic);
        let is_off = row.reason == Reason::Offtopic;
        let text = if is_page { text(self.collection, id, row)? } else { Err(row.reason) };
        Ok(text.map_or_else(HitPage::Dead, |text| HitPage::Text { id, text, is_off }))
    }

    /// Where a page leads, unless it forbids to go there.
    pub(super) fn links(&self, id: UrlId) -> Result<Vec<Url>, StoreError> {
        let row = self.collection.ledger.get(id)?;
        let Some(place) = row.and_then(|row| row.capture) else { return Ok(Vec::new()) };
        let capture = self.collection.captures.read(place)?;
        let page = derive_ruled(&capture, self.collection.extract_rules()).page;
        let links = page.filter(|page| !page.nofollow).map(|page| page.links).unwrap_or_default();
        Ok(links.into_iter().filter(|link| !link.nofollow).map(|link| link.url).collect())
    }

    /// Notes in the ledger that a page is in another language, or is in the language after all.
    pub(super) fn settle(&self, id: UrlId, is_wanted: bool, why: &str) -> Result<(), StoreError> {
        settle(self.collection, id, is_wanted, why)
    }
}

/// The main text of a page by its document or its capture, or why there is none.
fn text(
    collection: &Collection,
    id: UrlId,
    row: &Row,
) -> Result<Result<String, Reason>, StoreError> {
    let Some(place) = row.capture else { return Ok(Err(row.reason)) };
    if let Some(document) = collection.documents.get(id)?
        && row.fetched.is_none_or(|time| document.time >= time)
    {
        return Ok(Ok(document.text));
    }
    let capture = collection.captures.read(place)?;
    let derived = derive_ruled(&capture, collection.extract_rules());
    Ok(derived.document.map(|document| document.text).ok_or(derived.reason))
}

/// The id and the text of a page that was fetched, at the end of its redirects.
pub(super) fn text_of(
    collection: &Collection,
    url: &Url,
) -> Result<Option<(UrlId, String)>, StoreError> {
    let mut id = url.id();
    for _ in 0..MOST_HOPS {
        let Some(row) = collection.ledger.get(id)? else { return Ok(None) };
        match (row.reason, row.redirect.as_deref().map(Url::parse)) {
            (Reason::Redirect, Some(Ok(next))) => id = next.id(),
            _ => return Ok(text(collection, id, &row)?.ok().map(|text| (id, text))),
        }
    }
    Ok(None)
}

/// Writes into the ledger whether a page is in the language.
pub(super) fn settle(
    collection: &Collection,
    id: UrlId,
    is_wanted: bool,
    why: &str,
) -> Result<(), StoreError> {
    let to = if is_wanted { Reason::Kept } else { Reason::Lang };
    let change = |row: &mut Row| {
        let changes = match is_wanted {
            true => row.reason == Reason::Lang,
            false => matches!(row.reason, Reason::Kept | Reason::Offtopic),
        };
        if changes {
            row.reason = to;
            row.detail = if is_wanted { String::new() } else { why.to_owned() };
        }
        changes
    };
    collection.ledger.update(id, change).map(drop)
}
