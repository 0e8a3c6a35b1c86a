//! The depth of a URL is that of the shortest way from a seed. While a crawl runs, a longer way may be
//! found first, and what lies beyond it be refused for its distance. When nothing else is left,
//! all ways are known: they are gone through once, nearest first, and what was refused wrongly is
//! queued.

use super::discovery::Finder;
use fyke_derive::derive_pages;
use fyke_store::{Collection, Reason, StoreError};
use fyke_web::{Url, UrlId};

/// With more URLs than this the ways are left as they were found: each takes 26 bytes of memory while
/// they are sorted, 16 after that.
const MOST_URLS: u64 = 50_000_000;

/// Sets every depth right and queues what is near enough after all; returns how many URLs that are.
/// Where nothing was refused for its distance, depths say nothing and stay.
pub(super) fn deepen(collection: &Collection, finder: Finder<'_>) -> Result<u64, StoreError> {
    let counts = collection.ledger.counts()?;
    let refused = [Reason::ScopeDepth, Reason::TrapCalendar];
    let refused: u64 = refused.iter().filter_map(|reason| counts.get(reason)).sum();
    if refused == 0 || collection.ledger.len() > MOST_URLS {
        return Ok(0);
    }
    collection.sync()?;
    derive_pages(collection, |_| ())?;
    let mut depths = Depths::load(collection)?;
    depths.relax(collection)?;
    depths.write(collection, finder)
}

/// The depth of every URL, by id.
struct Depths {
    ids: Vec<UrlId>,
    depths: Vec<u16>,
    /// As the ledger has them.
    before: Vec<u16>,
}

impl Depths {
    fn load(collection: &Collection) -> Result<Depths, StoreError> {
        let mut known = Vec::with_capacity(usize::try_from(collection.ledger.len()).unwrap_or(0));
        for row in collection.ledger.rows() {
            let (id, row) = row?;
            known.push((id, row.depth));
        }
        known.sort_unstable();
        let (ids, depths): (_, Vec<u16>) = known.into_iter().unzip();
        Ok(Depths { ids, before: depths.clone(), depths })
    }

    /// Goes from the nearest URLs to the farthest. A depth only ever gets smaller, so a URL that
    /// stands in two levels is passed over in the second.
    fn relax(&mut self, collection: &Collection) -> Result<(), StoreError> {
        let most = self.depths.iter().copied().max().unwrap_or(0);
        let mut counts = vec![0; usize::from(most) + 2];
        self.depths.iter().for_each(|depth| counts[usize::from(*depth)] += 1);
        let mut levels: Vec<Vec<u32>> = counts.into_iter().map(Vec::with_capacity).collect();
        for (place, depth) in self.depths.iter().enumerate() {
            levels[usize::from(*depth)].push(place as u32);
        }
        for depth in 0..=most {
            while let Some(place) = levels[usize::from(depth)].pop() {
                if self.depths[place as usize] != depth {
                    continue;
                }
                for (target, depth) in ways(collection, self.ids[place as usize], depth)? {
                    let Ok(found) = self.ids.binary_search(&target) else { continue };
                    if depth < self.depths[found] {
                        self.depths[found] = depth;
                        levels[usize::from(depth)].push(found as u32);
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the depths that have changed.
    fn write(&self, collection: &Collection, finder: Finder<'_>) -> Result<u64, StoreError> {
        let mut queued = 0;
        let known = self.ids.iter().zip(&self.depths).zip(&self.before);
        for ((id, depth), _) in known.filter(|((_, depth), before)| depth < before) {
            let Some(mut row) = collection.ledger.get(*id)? else { continue };
            row.depth = *depth;
            if matches!(row.reason, Reason::ScopeDepth | Reason::TrapCalendar) {
                finder.judge_again(&mut row);
                queued += u64::from(row.reason == Reason::Queued);
            }
            collection.ledger.put(*id, None, &row)?;
        }
        Ok(queued)
    }
}

/// Where a URL leads, and how far from a seed that is: a link is one step, a redirect none.
fn ways(collection: &Collection, id: UrlId, depth: u16) -> Result<Vec<(UrlId, u16)>, StoreError> {
    let links = collection.documents.links(id)?;
    if !links.is_empty() {
        let followed = links.iter().filter(|link| !link.nofollow);
        return Ok(followed.map(|link| (link.target, depth.saturating_add(1))).collect());
    }
    let row = collection.ledger.get(id)?.filter(|row| row.reason == Reason::Redirect);
    let target = row.and_then(|row| row.redirect).and_then(|url| Url::parse(&url).ok());
    Ok(target.map(|url| (url.id(), depth)).into_iter().collect())
}
