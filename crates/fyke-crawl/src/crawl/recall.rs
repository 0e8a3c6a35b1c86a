//! What recorded crawls teach a guide before the first fetch (002 §2.1): earlier runs of this collection,
//! and other collections that it is told to learn from. Their pages and the links between them are a web
//! that is known, so each link is worth the rewards along the best way on from it, each discounted by its
//! distance.

use super::cell::{CrawlCell, owner};
use super::focus::off;
use crate::glance::{Glance, Interest, LinkTarget, glance};
use crate::guide::{FocusOptions, GuideReading, JudgedPage, Leads, Referrer, Spider, WeighedLink};
use fyke_derive::{ReadLimits, read_within};
use fyke_learn::spider::rewards;
use fyke_store::{Collection, Reason, StoreError, View};
use fyke_web::{Capture, Url, UrlId};
use std::collections::{HashMap, HashSet, VecDeque};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

/// Pages of one collection that are learned from, the last that were kept and the last off the subject.
const MOST: usize = 1_000;
/// What the guide has learned, in the collection's folder.
const MODEL: &str = "guide.model";

/// A page that was fetched.
struct RecalledPage {
    id: UrlId,
    url: Url,
    targets: Vec<LinkTarget>,
    reading: GuideReading,
    /// Pages off the subject on the way to it.
    off: u8,
}

/// Lets the guide learn from what was recorded, and remembers the links of earlier runs that still wait.
pub(super) fn recall(
    cells: &[CrawlCell<'_>],
    spider: &Arc<Spider>,
    focus: &FocusOptions,
) -> Result<(), StoreError> {
    for folder in &focus.learn_from {
        let other = Collection::reader(folder)?.view();
        teach(spider, &recorded(&other, spider)?);
    }
    for cell in cells.iter().filter(|cell| cell.is_resumed) {
        let pages = recorded(cell.collection, spider)?;
        teach(spider, &pages);
        remember(cells, spider, &pages)?;
    }
    Ok(())
}

/// The last pages of a collection; what they say of the subject is learned.
fn recorded(collection: &View, spider: &Arc<Spider>) -> Result<Vec<RecalledPage>, StoreError> {
    let mut last = [VecDeque::new(), VecDeque::new()];
    for row in collection.ledger.rows() {
        let (id, row) = row?;
        let kind = match row.reason {
            Reason::Kept => 0,
            Reason::Offtopic => 1,
            _ => continue,
        };
        last[kind].extend(row.capture.map(|place| (id, place, off(&row))));
        if last[kind].len() > MOST {
            last[kind].pop_front();
        }
    }
    let (mut pages, interest) = (Vec::new(), Interest::Subject(Arc::clone(spider)));
    for (id, place, off) in last.into_iter().flatten() {
        let capture = match collection.captures.read(place) {
            Ok(capture) => capture,
            Err(StoreError::Damaged { .. }) => continue,
            Err(error) => return Err(error),
        };
        let interest = interest.clone();
        let read = move |capture: &Capture| glance(capture, &interest);
        let page = read_within(&capture, &ReadLimits::default(), read);
        let page = page.unwrap_or_else(Glance::unread);
        if let Some(reading) = page.reading {
            spider.recall_text(&reading);
            pages.push(RecalledPage { id, url: capture.url, targets: page.targets, reading, off });
        }
    }
    Ok(pages)
}

/// What each page is to the subject, by all that is known by now.
fn judged(spider: &Spider, pages: &[RecalledPage]) -> Vec<JudgedPage> {
    pages.iter().map(|page| spider.judge(page.id, &page.reading, page.off)).collect()
}

/// Learns what the links between these pages are worth. A link that stands on many pages teaches once.
fn teach(spider: &Spider, pages: &[RecalledPage]) {
    let judged = judged(spider, pages);
    let numbers: HashMap<UrlId, u32> = pages.iter().map(|page| page.id).zip(0..).collect();
    let leads_to = |page: &RecalledPage| -> Vec<u32> {
        page.targets.iter().filter_map(|target| numbers.get(&target.id).copied()).collect()
    };
    let is_target: Vec<bool> = judged.iter().map(|page| page.is_wanted).collect();
    let graph = pages.iter().map(leads_to).collect();
    let worth = rewards(&graph, &is_target, spider.discount());
    let (mut taught, mut leads) = (HashSet::new(), Leads::default());
    for (page, judged) in pages.iter().zip(judged) {
        let referrer = Referrer { url: &page.url, reading: &page.reading, judged };
        let links = spider.links(&referrer, page.targets.iter().map(|target| &target.url));
        for (at, target) in page.targets.iter().enumerate() {
            let Some(&to) = numbers.get(&target.id) else { continue };
            let words = leads.write(&links, (at, &target.url));
            if taught.insert((to, hash(words))) {
                spider.recall_link(words, worth[to as usize]);
            }
        }
    }
}

/// Stands for the words of a link, where there may be millions.
fn hash(words: &[u32]) -> u64 {
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    hasher.finish()
}

/// Remembers the links of these pages that still wait, by the cell that owns them.
fn remember(
    cells: &[CrawlCell<'_>],
    spider: &Spider,
    pages: &[RecalledPage],
) -> Result<(), StoreError> {
    for (page, judged) in pages.iter().zip(judged(spider, pages)) {
        let mut leads = Leads::default();
        let referrer = Referrer { url: &page.url, reading: &page.reading, judged };
        let links = spider.links(&referrer, page.targets.iter().map(|target| &target.url));
        for (at, target) in page.targets.iter().enumerate() {
            let Some(cell) = owner(cells, &target.url) else { continue };
            let row = cell.ledger_of(target.id).get(target.id)?;
            let Some(row) = row.filter(|row| row.reason == Reason::Queued) else { continue };
            let words = leads.write(&links, (at, &target.url));
            let weighed = WeighedLink { value: 0., priority: Some(row.priority), off: judged.off };
            spider.remember_link(target.id, weighed, words, cell.number);
        }
    }
    Ok(())
}

/// Keeps what the guide has learned beside the collection, for other crawls and for replays. One file takes the
/// place of the other, so that none is ever found half written.
pub(super) fn keep(root: &Path, spider: &Spider) -> Result<(), StoreError> {
    let Some(model) = spider.model() else { return Ok(()) };
    let (path, new) = (root.join(MODEL), root.join(format!("{MODEL}.new")));
    let written = fs::write(&new, model.to_bytes()).and_then(|()| fs::rename(&new, &path));
    written.map_err(|error| StoreError::io(&path, error))
}
