//! What earlier runs left: everything queued, and what only this time of waiting could mend (robots
//! unreachable, no answer, hosts given up, budgets that were raised); then the seeds.

use super::hosts::GIVEN_UP;
use super::shard::Shard;
use crate::fetch::Fetch;
use fyke_store::{Position, Reason, Row, StoreError};
use fyke_web::{Url, UrlId};

/// Reasons under which rows may stand that the next run takes up again.
const MENDABLE: [Reason; 8] = [
    Reason::RobotsUnreachable,
    Reason::BudgetHost,
    Reason::BudgetDomain,
    Reason::Dns,
    Reason::Connect,
    Reason::Timeout,
    Reason::Tls,
    Reason::PrivateAddress,
];

/// Gives every queued URL to the thread that owns it.
pub(super) fn load<F: Fetch>(shards: &mut [Shard<'_, F>]) -> Result<(), StoreError> {
    let Some(first) = shards.first() else { return Ok(()) };
    let ledger = first.ledger();
    if first.shared.is_first_pass() {
        mend(shards)?;
    }
    for queued in ledger.queued() {
        let (position, _, row) = queued?;
        take_in(shards, position, &row)?;
    }
    for shard in shards.iter_mut() {
        shard.seed()?;
    }
    Ok(())
}

fn take_in<F: Fetch>(
    shards: &mut [Shard<'_, F>],
    position: Position,
    row: &Row,
) -> Result<(), StoreError> {
    let Ok(url) = Url::parse(&row.url) else { return Ok(()) };
    let owner = match shards {
        [only] => Some(only),
        many => {
            let owner = many[0].post.owner(url.partition());
            many.get_mut(owner)
        }
    };
    match owner {
        Some(shard) => shard.take_in(url.authority(), position, row.priority, None),
        None => Ok(()),
    }
}

/// Puts what can be mended back into the queue.
fn mend<F: Fetch>(shards: &mut [Shard<'_, F>]) -> Result<(), StoreError> {
    let ledger = shards[0].ledger();
    let counts = ledger.counts()?;
    if !MENDABLE.iter().any(|reason| counts.get(reason).is_some_and(|&n| n > 0)) {
        return Ok(());
    }
    for row in ledger.rows() {
        let (id, row) = row?;
        if MENDABLE.contains(&row.reason) && is_mendable(shards, &row)? {
            requeue(shards, id, row)?;
        }
    }
    Ok(())
}

fn requeue<F: Fetch>(shards: &[Shard<'_, F>], id: UrlId, mut row: Row) -> Result<(), StoreError> {
    row.reason = Reason::Queued;
    row.detail.clear();
    row.tries = 0;
    shards[0].ledger().put(id, None, &row).map(drop)
}

fn is_mendable<F: Fetch>(shards: &[Shard<'_, F>], row: &Row) -> Result<bool, StoreError> {
    let Ok(url) = Url::parse(&row.url) else { return Ok(false) };
    let shared = shards[0].shared;
    Ok(match row.reason {
        Reason::RobotsUnreachable => true,
        Reason::BudgetHost => {
            let host = shared.collection.ledger.host(url.authority())?.unwrap_or_default();
            shared.options.budget.per_host_pages.is_none_or(|limit| host.pages < limit)
        }
        Reason::BudgetDomain => {
            let before = shared.domains.get(&super::domains::hash(&url)).copied();
            let (used, inlinks) = before.unwrap_or_default();
            shared.options.budget.of_domain(inlinks.count()).is_none_or(|limit| used < limit)
        }
        _ => row.status == 0 || row.detail.starts_with(GIVEN_UP),
    })
}
