//! What recorded crawls teach a guide before the first fetch (002 §2.1): earlier runs of this collection,
//! and other collections that it is told to learn from. Their pages and the links between them are a web
//! that is known, so each link is worth the rewards along the best way on from it, each discounted by its
//! distance.

use super::cell::CrawlCell;
use super::focus::off;
use crate::glance::{Interest, LinkTarget, glance};
use crate::guide::{
    FocusOptions, GuideReading, JudgedPage, Leads, ON_SUBJECT, Referrer, Spider, WeighedLink,
};
use fyke_learn::spider::rewards;
use fyke_store::{Collection, Reason, StoreError, View};
use fyke_web::{Url, UrlId};
use std::collections::{HashMap, HashSet, VecDeque};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

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
    cell: &CrawlCell<'_>,
    spider: &Spider,
    focus: &FocusOptions,
) -> Result<(), StoreError> {
    for folder in &focus.learn_from {
        let other = Collection::reader(folder)?.view();
        teach(spider, &recorded(&other, spider)?);
    }
    if cell.is_resumed {
        let pages = recorded(cell.collection, spider)?;
        teach(spider, &pages);
        remember(cell, spider, &pages)?;
    }
    Ok(())
}

/// The last pages of a collection; what they say of the subject is learned.
fn recorded(collection: &View, spider: &Spider) -> Result<Vec<RecalledPage>, StoreError> {
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
    let mut pages = Vec::new();
    for (id, place, off) in last.into_iter().flatten() {
        let capture = match collection.captures.read(place) {
            Ok(capture) => capture,
            Err(StoreError::Damaged { .. }) => continue,
            Err(error) => return Err(error),
        };
        let page = glance(&capture, Interest::Subject(spider));
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
    let is_target: Vec<bool> = judged.iter().map(|page| page.relevance >= ON_SUBJECT).collect();
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

/// Remembers the links of this collection that still wait.
fn remember(
    cell: &CrawlCell<'_>,
    spider: &Spider,
    pages: &[RecalledPage],
) -> Result<(), StoreError> {
    for (page, judged) in pages.iter().zip(judged(spider, pages)) {
        let mut leads = Leads::default();
        let referrer = Referrer { url: &page.url, reading: &page.reading, judged };
        let links = spider.links(&referrer, page.targets.iter().map(|target| &target.url));
        for (at, target) in page.targets.iter().enumerate() {
            let row = cell.ledger().get(target.id)?;
            let Some(row) = row.filter(|row| row.reason == Reason::Queued) else { continue };
            leads.write(&links, (at, &target.url));
            let weighed = WeighedLink { value: 0., priority: Some(row.priority), off: judged.off };
            leads.keep(target.id, weighed);
        }
        spider.remember(&leads);
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
