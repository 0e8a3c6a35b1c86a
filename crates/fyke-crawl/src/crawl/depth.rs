//! The depth of a URL is that of the shortest way from a seed. While a crawl runs, a longer way may be
//! found first, and what lies beyond it be refused for its distance. When nothing else is left,
//! all ways are known: they are gone through once, nearest first, and what was refused wrongly is
//! queued.
//!
//! Each cell goes through the ways from its own pages. Where they lead to other cells it says how near a URL
//! is ([`Nearer`]), until none has anything new to say.

use super::cell::CrawlCell;
use super::discovery::{Finder, next_depth};
use fyke_derive::derive_pages;
use fyke_store::{Reason, StoreError, StoredLink};
use fyke_web::{Url, UrlId};
use std::collections::HashMap;

/// With more URLs than this the ways are left as they were found: each takes 26 bytes of memory while
/// they are sorted, 16 after that.
const MOST_URLS: u64 = 50_000_000;

/// Sets every depth right and queues what is near enough after all; returns how many URLs that are.
/// Where nothing was refused for its distance, depths say nothing and stay.
pub(super) fn deepen(cells: &[CrawlCell<'_>], finder: Finder<'_>) -> Result<u64, StoreError> {
    let (mut refused, mut urls) = (0, 0);
    for cell in cells {
        refused += cell.ledger().counts()?.get(&Reason::ScopeDepth).copied().unwrap_or(0);
        urls += cell.ledger().len();
    }
    if refused == 0 || urls > MOST_URLS {
        return Ok(0);
    }
    let mut depths = Vec::new();
    for cell in cells {
        cell.collection.sync()?;
        derive_pages(cell.collection, |_| ())?;
        depths.push(CellDepths::load(cell)?);
    }
    // Whose a URL is cannot be told by its id, so all others are told.
    let mut said: Vec<Vec<Nearer>> = vec![Vec::new(); cells.len()];
    loop {
        for (number, cell) in depths.iter_mut().enumerate() {
            said[number] = cell.relax()?;
        }
        if said.iter().all(Vec::is_empty) {
            break;
        }
        for (number, cell) in depths.iter_mut().enumerate() {
            let others = said.iter().enumerate().filter(|(other, _)| *other != number);
            for nearer in others.flat_map(|(_, said)| said) {
                cell.bring_nearer(*nearer)?;
            }
        }
    }
    depths.iter().map(|cell| cell.write(finder)).sum()
}

/// A URL, perhaps of another cell, is so far from a seed, or nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Nearer {
    id: UrlId,
    depth: u16,
    /// It is the next page of a list, which is as near as the list unless its owner takes it for a calendar's.
    is_next: bool,
}

/// The depths of a cell's URLs, by id.
struct CellDepths<'a> {
    cell: &'a CrawlCell<'a>,
    ids: Vec<UrlId>,
    depths: Vec<u16>,
    /// As the ledger has them.
    before: Vec<u16>,
    /// URLs to go on from, by depth. One that has become nearer since stands there twice.
    levels: Vec<Vec<u32>>,
    /// How near URLs of other cells are by what was said so far, as links and as next pages.
    said: HashMap<(UrlId, bool), u16>,
}

impl<'a> CellDepths<'a> {
    fn load(cell: &'a CrawlCell<'a>) -> Result<CellDepths<'a>, StoreError> {
        let ledger = cell.ledger();
        let mut known = Vec::with_capacity(usize::try_from(ledger.len()).unwrap_or(0));
        for row in ledger.rows() {
            let (id, row) = row?;
            known.push((id, row.depth));
        }
        known.sort_unstable();
        let (ids, depths): (_, Vec<u16>) = known.into_iter().unzip();
        let most = depths.iter().copied().max().unwrap_or(0);
        let mut counts = vec![0; usize::from(most) + 1];
        depths.iter().for_each(|depth| counts[usize::from(*depth)] += 1);
        let mut levels: Vec<Vec<u32>> = counts.into_iter().map(Vec::with_capacity).collect();
        for (place, depth) in depths.iter().enumerate() {
            levels[usize::from(*depth)].push(place as u32);
        }
        Ok(CellDepths { cell, ids, before: depths.clone(), depths, levels, said: HashMap::new() })
    }

    /// Goes from the nearest URLs to the farthest; returns what is new to others. A depth only ever gets
    /// smaller, so a URL that stands in two levels is passed over in the second.
    fn relax(&mut self) -> Result<Vec<Nearer>, StoreError> {
        let mut new = Vec::new();
        for level in 0..self.levels.len() {
            while let Some(place) = self.levels[level].pop() {
                if usize::from(self.depths[place as usize]) != level {
                    continue;
                }
                for way in ways(self.cell, self.ids[place as usize], level as u16)? {
                    if !self.bring_nearer(way)? && self.is_new_to_others(way) {
                        new.push(way);
                    }
                }
            }
        }
        Ok(new)
    }

    /// Takes in that a URL is so near; false when it is not known here.
    fn bring_nearer(&mut self, nearer: Nearer) -> Result<bool, StoreError> {
        let Nearer { id, mut depth, is_next } = nearer;
        let Ok(found) = self.ids.binary_search(&id) else { return Ok(false) };
        if is_next {
            let row = self.cell.ledger_of(id).get(id)?;
            let url = row.and_then(|row| Url::parse(&row.url).ok());
            depth = url.map_or(depth, |url| next_depth(depth, &url));
        }
        if depth < self.depths[found] {
            self.depths[found] = depth;
            self.levels[usize::from(depth)].push(found as u32);
        }
        Ok(true)
    }

    /// Whether others were not yet told that a URL is so near; from now on they are.
    fn is_new_to_others(&mut self, Nearer { id, depth, is_next }: Nearer) -> bool {
        let said = self.said.entry((id, is_next)).or_insert(u16::MAX);
        let is_new = depth < *said;
        *said = depth.min(*said);
        is_new
    }

    /// Writes the depths that have changed; returns how many URLs are queued by that.
    fn write(&self, finder: Finder<'_>) -> Result<u64, StoreError> {
        let mut queued = 0;
        let known = self.ids.iter().zip(&self.depths).zip(&self.before);
        for ((id, depth), _) in known.filter(|((_, depth), before)| depth < before) {
            let ledger = self.cell.ledger_of(*id);
            let Some(mut row) = ledger.get(*id)? else { continue };
            row.depth = *depth;
            if row.reason == Reason::ScopeDepth {
                finder.judge_again(&mut row);
                queued += u64::from(row.reason == Reason::Queued);
            }
            ledger.put(*id, None, &row)?;
        }
        Ok(queued)
    }
}

/// Where a URL leads, and how far from a seed that is: a link is one step, a redirect none.
fn ways(cell: &CrawlCell<'_>, id: UrlId, depth: u16) -> Result<Vec<Nearer>, StoreError> {
    let links = cell.collection.documents.links(id)?;
    if !links.is_empty() {
        let farther = depth.saturating_add(1);
        let followed = links.iter().filter(|link| !link.nofollow);
        let way =
            |link: &StoredLink| Nearer { id: link.target, depth: farther, is_next: link.is_next };
        return Ok(followed.map(way).collect());
    }
    let row = cell.ledger_of(id).get(id)?.filter(|row| row.reason == Reason::Redirect);
    let target = row.and_then(|row| row.redirect).and_then(|url| Url::parse(&url).ok());
    Ok(target.map(|url| Nearer { id: url.id(), depth, is_next: false }).into_iter().collect())
}
