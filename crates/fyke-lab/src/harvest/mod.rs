//! The harvest of a focused crawl, from what it left on disk: pages about the subject against pages fetched,
//! beside what breadth-first would have made of the same pages, and how many there are in all (002 §2.1;
//! Chapman's capture–recapture).
//!
//! *Breadth-first* is a replay: the pages this crawl fetched, gone through in the order of the links between
//! them. It cannot show pages that the crawl left aside, and so flatters breadth-first.
//!
//! *In all*: a page about the subject is in the first sample when pages of one half of the other hosts link
//! to it, in the second when pages of the other half do; hosts are halved by a hash. Authors on different
//! hosts choose their links most nearly independently of what a crawl can see. Pages that everybody
//! links to are in both more often than chance has it, so the estimate is rather too low; it speaks of
//! pages that other hosts link to at all. Links of a page's own host are the third sample, to check.

mod told;

pub use told::{plot, rows};

use fyke_derive::whole::reasons;
use fyke_learn::capture::{Estimate, NoEstimate, Samples, checked};
use fyke_store::{Reason, Row, StoreError, View};
use fyke_web::{Url, UrlId};
use serde::Serialize;
use std::collections::{HashMap, VecDeque};

/// Points of a curve.
const POINTS: usize = 200;
/// Pages that count as "of late".
const LATE: usize = 500;
/// Pages of a priority by which what waits under it is judged: the last ones, since the best went first.
const RECENT: usize = 50;
/// Redirects that are followed from a link to a page.
const HOPS: usize = 10;
/// The samples in which a page may be, a bit each: two halves of the other hosts, and its own.
const HALVES: [u8; 2] = [1, 2];
const OWN: u8 = 4;

/// What a focused crawl brought in.
#[derive(Debug, Default, Serialize)]
pub struct Harvested {
    pub pages: u64,
    pub on: u64,
    pub late_pages: u64,
    pub late_on: u64,
    /// Pages about the subject after so many pages.
    pub curve: Vec<(u64, u64)>,
    pub breadth_first: Vec<(u64, u64)>,
    /// URLs that wait, and how many of them are about the subject if their priorities are as good as they
    /// were so far.
    pub queued: u64,
    pub queued_on: f64,
    /// About the subject in all, between these in 95 of 100 cases; none: nobody can know.
    pub all: Option<f64>,
    pub all_between: Option<(f64, f64)>,
    /// Why not.
    pub unknown: Option<&'static str>,
}

/// A page that was fetched.
struct HarvestedPage {
    id: UrlId,
    fetched: i64,
    is_on: bool,
    is_seed: bool,
    host: u64,
    priority: u8,
}

/// What the ledger says of a focused crawl.
#[derive(Default)]
struct HarvestRows {
    pages: Vec<HarvestedPage>,
    redirects: HashMap<UrlId, UrlId>,
    /// URLs queued, by priority.
    queued: HashMap<u8, u64>,
}

/// The harvest of a collection.
///
/// # Errors
/// When the collection cannot be read.
pub fn harvest(collection: &View) -> Result<Harvested, StoreError> {
    let rows = HarvestRows::read(collection)?;
    let places: HashMap<UrlId, u32> =
        rows.pages.iter().enumerate().map(|(place, page)| (page.id, place as u32)).collect();
    let links = links(collection, &rows, &places)?;
    let on = |page: &HarvestedPage| page.is_on;
    let late = &rows.pages[rows.pages.len().saturating_sub(LATE)..];
    let replayed = breadth_first(&rows.pages, &links);
    let (queued, queued_on) = rows.waiting();
    let all_on = rows.pages.iter().filter(|page| on(page)).count() as u64;
    let estimate = in_all(&rows.pages, &links).map(|found| scaled(found, all_on as f64, queued_on));
    Ok(Harvested {
        pages: rows.pages.len() as u64,
        on: all_on,
        late_pages: late.len() as u64,
        late_on: late.iter().filter(|page| on(page)).count() as u64,
        curve: curve(rows.pages.iter().map(on)),
        breadth_first: curve(replayed.iter().map(|place| rows.pages[*place as usize].is_on)),
        queued,
        queued_on,
        all: estimate.as_ref().ok().map(|found| found.number),
        all_between: estimate.as_ref().ok().map(|found| found.interval),
        unknown: estimate.err().map(NoEstimate::explain),
    })
}

impl HarvestRows {
    fn read(collection: &View) -> Result<HarvestRows, StoreError> {
        let mut rows = HarvestRows::default();
        for row in collection.ledger.rows() {
            let (id, row) = row?;
            rows.add((id, &row), reasons::of_row(collection, id, &row)?);
        }
        rows.pages.sort_by_key(|page| (page.fetched, page.id));
        Ok(rows)
    }

    /// Takes up a row, which stands under this reason by now.
    fn add(&mut self, (id, row): (UrlId, &Row), effective: Reason) {
        let Ok(url) = Url::parse(&row.url) else { return };
        match row.reason {
            Reason::Kept | Reason::Offtopic => {
                let (is_on, is_seed) = (effective != Reason::Offtopic, row.parent.is_none());
                let (fetched, priority) = (row.fetched.unwrap_or(0), row.priority);
                let host = url.domain_hash();
                self.pages.push(HarvestedPage { id, fetched, is_on, is_seed, host, priority });
            }
            Reason::Queued => *self.queued.entry(row.priority).or_default() += 1,
            Reason::Redirect => {
                let target = row.redirect.as_deref().and_then(|url| Url::parse(url).ok());
                self.redirects.extend(target.map(|target| (id, target.id())));
            }
            _ => {}
        }
    }

    /// URLs that wait, and how many of them are likely about the subject.
    fn waiting(&self) -> (u64, f64) {
        let likely = |(priority, queued): (&u8, &u64)| {
            let alike = self.pages.iter().rev().filter(|page| page.priority == *priority);
            let recent: Vec<bool> = alike.take(RECENT).map(|page| page.is_on).collect();
            let on = recent.iter().filter(|is_on| **is_on).count() as f64;
            // Two pages more than there were, one of them on the subject in ten.
            *queued as f64 * (on + 0.2) / (recent.len() as f64 + 2.0)
        };
        (self.queued.values().sum(), self.queued.iter().map(likely).sum())
    }

    /// Where a link leads in the end.
    fn page(&self, places: &HashMap<UrlId, u32>, mut target: UrlId) -> Option<u32> {
        for _ in 0..HOPS {
            match (places.get(&target), self.redirects.get(&target)) {
                (Some(place), _) => return Some(*place),
                (None, Some(next)) => target = *next,
                (None, None) => break,
            }
        }
        None
    }
}

/// The links between pages that were fetched, by their places.
fn links(
    collection: &View,
    rows: &HarvestRows,
    places: &HashMap<UrlId, u32>,
) -> Result<Vec<Vec<u32>>, StoreError> {
    let mut links = vec![Vec::new(); rows.pages.len()];
    for entry in collection.documents.all_links() {
        let (id, targets) = entry?;
        let Some(place) = places.get(&id) else { continue };
        let followed = targets.iter().filter(|link| !link.nofollow);
        links[*place as usize] =
            followed.filter_map(|link| rows.page(places, link.target)).collect();
    }
    Ok(links)
}

/// The pages in the order of breadth-first, those that no link leads to at the end.
fn breadth_first(pages: &[HarvestedPage], links: &[Vec<u32>]) -> Vec<u32> {
    let all = 0..pages.len() as u32;
    let seeds = all.clone().filter(|place| pages[*place as usize].is_seed);
    let mut queue: VecDeque<u32> = seeds.collect();
    let mut is_seen = vec![false; pages.len()];
    queue.iter().for_each(|place| is_seen[*place as usize] = true);
    let mut order = Vec::with_capacity(pages.len());
    while let Some(place) = queue.pop_front() {
        order.push(place);
        for target in &links[place as usize] {
            if !std::mem::replace(&mut is_seen[*target as usize], true) {
                queue.push_back(*target);
            }
        }
    }
    order.extend(all.filter(|place| !is_seen[*place as usize]));
    order
}

/// Pages about the subject after so many pages, at places equally far apart.
fn curve(pages: impl ExactSizeIterator<Item = bool>) -> Vec<(u64, u64)> {
    let every = pages.len().div_ceil(POINTS).max(1) as u64;
    let (mut on, last) = (0, pages.len() as u64);
    let points = pages.zip(1..).filter_map(|(is_on, at)| {
        on += u64::from(is_on);
        (at % every == 0 || at == last).then_some((at, on))
    });
    points.collect()
}

/// How many pages about the subject there are in all, by who links to those that were fetched.
fn in_all(pages: &[HarvestedPage], links: &[Vec<u32>]) -> Result<Estimate, NoEstimate> {
    let mut found = vec![0_u8; pages.len()];
    for (from, targets) in pages.iter().zip(links) {
        for target in targets {
            let to = &pages[*target as usize];
            found[*target as usize] |= match from.host == to.host {
                true => OWN,
                false => HALVES[(from.host % 2) as usize],
            };
        }
    }
    let of_subject = found.iter().zip(pages).filter(|(_, page)| page.is_on);
    let found: Vec<u8> = of_subject.map(|(found, _)| *found).collect();
    let samples = |first: u8, second: u8| {
        let count = |bits: u8| found.iter().filter(|found| **found & bits == bits).count() as u64;
        Samples { first: count(first), second: count(second), both: count(first | second) }
    };
    let [a, b] = HALVES;
    checked(samples(a, b), [samples(a, OWN), samples(b, OWN)])
}

/// While links of pages that wait are not known, an estimate speaks of a part of the whole: as great as
/// that of the known pages which were fetched.
fn scaled(found: Estimate, on: f64, waiting: f64) -> Estimate {
    let factor = (on + waiting) / on.max(1.0);
    let (least, most) = found.interval;
    Estimate { number: found.number * factor, interval: (least * factor, most * factor) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u64, is_on: bool, host: u64) -> HarvestedPage {
        let (id, fetched) = (UrlId(number), number as i64);
        HarvestedPage { id, fetched, is_on, is_seed: number == 0, host, priority: 1 }
    }

    #[test]
    fn breadth_first_goes_by_the_links_and_takes_the_rest_at_the_end() {
        let pages: Vec<HarvestedPage> = (0..5).map(|n| page(n, n % 2 == 0, 0)).collect();
        let links = [vec![3, 2], vec![], vec![4, 0], vec![2], vec![]];
        assert_eq!(breadth_first(&pages, &links), [0, 3, 2, 4, 1]);
        assert_eq!(curve([true, false, true].into_iter()), [(1, 1), (2, 1), (3, 2)]);
        assert!(curve(std::iter::empty()).is_empty());
    }

    /// A web of hosts whose pages link to pages of others by the numbers in `chance`.
    fn linked(hosts: u64, pages: u64, chance: impl Fn(u64, u64) -> bool) -> Vec<Vec<u32>> {
        let to = |from: u64| {
            (0..pages).filter(|to| chance(from, *to)).map(|to| to as u32).collect::<Vec<_>>()
        };
        (0..hosts).map(to).collect()
    }

    #[test]
    fn the_number_in_all_comes_from_two_halves_of_the_other_hosts() {
        // Pages 0 to 399 each on a host of its own; hosts link to one page in seven, without pattern.
        let pages: Vec<HarvestedPage> = (0..400).map(|n| page(n, true, n)).collect();
        let mixed = |a: u64, b: u64| (a * 7919 + b * 104_729 + a * b * 31) % 1009;
        let sparse = linked(6, 400, |from, to| from != to && mixed(from, to) < 200);
        let mut links = vec![Vec::new(); 400];
        links[..6].clone_from_slice(&sparse);
        let found = in_all(&pages, &links).expect("enough in both");
        assert!((300.0..520.0).contains(&found.number), "{found:?}");
        let none = vec![Vec::new(); 400];
        assert_eq!(in_all(&pages, &none), Err(NoEstimate::NoSample));
    }

    #[test]
    fn what_waits_is_judged_by_what_came_of_its_priority_of_late() {
        let good = (0..120).map(|n| page(n, n < 60 || n % 2 == 0, 0));
        let poor = (120..168).map(|n| HarvestedPage { priority: 8, ..page(n, false, 0) });
        let queued = HashMap::from([(1, 52), (8, 100)]);
        let rows =
            HarvestRows { pages: good.chain(poor).collect(), queued, ..HarvestRows::default() };
        let (queued, on) = rows.waiting();
        assert_eq!(queued, 152);
        // Of the last 50 of the first priority 25 were; of the last priority none.
        assert!((on - (25.2 + 0.4)).abs() < 0.01, "{on}");
        let all = scaled(Estimate { number: 100.0, interval: (90.0, 120.0) }, 100.0, on);
        assert!((all.number - 125.6).abs() < 0.01 && all.interval.1 > 150.0);
    }
}
