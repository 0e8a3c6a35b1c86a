//! What earlier runs left: everything queued, and what only this time of waiting could mend (robots
//! unreachable, no answer, hosts given up, budgets that were raised). The threads begin while it is
//! still being read.

use super::budgets::domain_hash;
use super::cell::CrawlCell;
use super::letter::Letter;
use super::node::CrawlNode;
use super::post::Post;
use super::sitemaps::SITEMAPS_A_HOST;
use crate::fetch::Fetch;
use crate::frontier::Origin;
use crate::verdict::TRIES_LATER;
use fyke_store::{PlacedRow, Position, Reason, Row, RowKind, StoreError};
use fyke_web::{Url, authority_of};
use std::collections::HashMap;
use std::time::Duration;

/// Reasons under which rows may stand that the next run takes up again.
const MENDABLE: [Reason; 11] = [
    Reason::RobotsUnreachable,
    Reason::BudgetHost,
    Reason::BudgetDomain,
    Reason::Dns,
    Reason::Connect,
    Reason::Timeout,
    Reason::Tls,
    Reason::PrivateAddress,
    Reason::Contact,
    Reason::Http5xx,
    Reason::Credentials,
];

/// Letters in a batch, and batches that may wait to be read.
const BATCH: usize = 1024;
const MOST_WAITING: u64 = 64;

/// A URL to be queued, and where its record stands.
pub(super) struct PlacedUrl {
    pub(super) position: Position,
    pub(super) url: String,
    pub(super) priority: u8,
}

/// Sends every queued URL to the thread that owns it, no faster than they are read when the threads
/// run already.
pub(super) fn feed<F: Fetch>(
    node: &CrawlNode<'_, F>,
    post: &Post,
    queued: impl Iterator<Item = Result<PlacedRow, StoreError>>,
    is_running: bool,
) -> Result<(), StoreError> {
    let placed = |PlacedRow { position, row, .. }: PlacedRow| PlacedUrl {
        position,
        url: row.url,
        priority: row.priority,
    };
    send(node, post, queued.map(|row| row.map(placed)), is_running)
}

/// The same for any URLs.
pub(super) fn send<F: Fetch>(
    node: &CrawlNode<'_, F>,
    post: &Post,
    urls: impl Iterator<Item = Result<PlacedUrl, StoreError>>,
    is_running: bool,
) -> Result<(), StoreError> {
    let mut owners: HashMap<String, usize> = HashMap::new();
    let mut batches: HashMap<usize, Vec<Letter>> = HashMap::new();
    for found in urls {
        let PlacedUrl { position, url, priority } = found?;
        let authority = authority_of(&url);
        if authority.is_empty() {
            continue;
        }
        let owner = match owners.get(authority) {
            Some(owner) => *owner,
            None => {
                let owner = post.owner(domain_hash(authority));
                *owners.entry(authority.to_owned()).or_insert(owner)
            }
        };
        let is_secure = url.starts_with("https:");
        let of = Origin { is_secure, authority: authority.to_owned() };
        let batch = batches.entry(owner).or_default();
        batch.push(Letter::Url { of, position, priority, from: None });
        if batch.len() == BATCH {
            post.send(owner, std::mem::take(batch));
            while is_running && post.waiting() > MOST_WAITING {
                if node.is_ended() {
                    return Ok(());
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
    batches.into_iter().for_each(|(owner, batch)| post.send(owner, batch));
    Ok(())
}

/// Puts what can be mended back into the queue.
pub(super) fn mend<F: Fetch>(
    cell: &CrawlCell<'_>,
    node: &CrawlNode<'_, F>,
) -> Result<(), StoreError> {
    let ledger = cell.ledger();
    let counts = ledger.counts()?;
    if !MENDABLE.iter().any(|reason| counts.get(reason).is_some_and(|&n| n > 0)) {
        return Ok(());
    }
    let mut sitemaps = HashMap::new();
    for row in ledger.rows() {
        let (id, mut row) = row?;
        if MENDABLE.contains(&row.reason) && is_mendable(cell, node, &row)? {
            if row.kind == RowKind::Sitemap && !counts_sitemap(&mut sitemaps, &row) {
                continue;
            }
            // A server that had trouble gets one more chance, not all of them.
            row.tries = if row.reason == Reason::Http5xx { TRIES_LATER - 1 } else { 0 };
            (row.reason, row.given_up) = (Reason::Queued, false);
            row.detail.clear();
            ledger.put(id, None, &row)?;
        }
    }
    Ok(())
}

/// Whether one more sitemap of this host is read in this run.
fn counts_sitemap(sitemaps: &mut HashMap<String, u32>, row: &Row) -> bool {
    let count = sitemaps.entry(authority_of(&row.url).to_owned()).or_default();
    *count += 1;
    *count <= SITEMAPS_A_HOST
}

fn is_mendable<F: Fetch>(
    cell: &CrawlCell<'_>,
    node: &CrawlNode<'_, F>,
    row: &Row,
) -> Result<bool, StoreError> {
    let url = Url::parse(&row.url).ok().filter(|url| node.scope.check(url).is_ok());
    let Some(url) = url else { return Ok(false) };
    Ok(match row.reason {
        Reason::RobotsUnreachable | Reason::Http5xx | Reason::Credentials => true,
        Reason::BudgetHost => {
            let host = cell.ledger().host_without_robots(url.authority())?;
            let host = host.unwrap_or_default();
            node.options.budget.per_host_pages.is_none_or(|limit| host.pages < limit)
        }
        Reason::BudgetDomain => {
            let earlier = cell.domains.get(&url.domain_hash()).copied().unwrap_or_default();
            let limit = node.options.budget.of_domain(earlier.inlinks.count());
            limit.is_none_or(|limit| earlier.pages < limit)
        }
        _ => row.status == 0 || row.given_up,
    })
}
