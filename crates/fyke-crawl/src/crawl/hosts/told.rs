//! How the hosts of a thread stand, for people who look at the crawl and for its end.

use super::Hosts;
use super::table::HostNumber;
use crate::control::{HOSTS, HostNow};
use crate::crawl::node::HostsLeft;
use crate::frontier::{HostId, Outlook};

/// The hosts with the most queued URLs.
pub(in crate::crawl) fn told(hosts: &Hosts<'_>, now: u64) -> Vec<HostNow> {
    let numbers = 0..hosts.table.hosts.len();
    let mut queued: Vec<(u64, HostNumber)> =
        numbers.map(|number| (0, HostNumber(number))).collect();
    for (id, side) in hosts.table.numbered() {
        queued[side.host.0].0 += hosts.frontier.outlook(id).queued;
    }
    if queued.len() > HOSTS {
        queued.select_nth_unstable_by(HOSTS, |a, b| b.0.cmp(&a.0));
        queued.truncate(HOSTS);
    }
    queued.into_iter().map(|(queued, number)| tell(hosts, number, queued, now)).collect()
}

/// How a host stands: by the side that may be asked first of those with queued URLs.
fn tell(hosts: &Hosts<'_>, number: HostNumber, queued: u64, now: u64) -> HostNow {
    let host = &hosts.table.hosts[number.0];
    let sides = hosts.both(host.first).map(|side| (hosts.frontier.outlook(side), side));
    let first = sides
        .min_by_key(|(outlook, _)| (outlook.queued == 0, outlook.until.is_none(), outlook.until));
    let failures = |side| hosts.table.side(side).standing.trouble.failures;
    HostNow {
        authority: hosts.frontier.name(host.first).to_owned(),
        queued,
        pages: host.row.pages,
        failures: hosts.both(host.first).map(failures).max().unwrap_or(0),
        until: first.and_then(|(outlook, _)| outlook.until),
        why: first.map(|(outlook, side)| why(hosts, side, outlook, now)).unwrap_or_default(),
    }
}

/// Why a side waits, in words.
fn why(hosts: &Hosts<'_>, id: HostId, outlook: Outlook, now: u64) -> String {
    let (row, side) = (&hosts.table.host(id).row, hosts.table.side(id));
    let is_later = outlook.until.is_some_and(|until| until > now);
    let waits = [&side.standing.trouble.waits, &row.waits];
    let waits = waits.into_iter().find(|waits| !waits.is_empty());
    match (hosts.closed.get(id), &side.rules.elsewhere, waits) {
        (Some(closed), ..) => closed.detail.clone(),
        (None, Some(elsewhere), _) => format!("its robots.txt is looked for at {elsewhere}"),
        (None, None, Some(waits)) if is_later => waits.clone(),
        _ if is_later => "the gap between two requests".to_owned(),
        _ if outlook.in_line => "other hosts of its address are asked first".to_owned(),
        _ => String::new(),
    }
}

/// What is left of the hosts when a pass ends.
pub(in crate::crawl) fn left(hosts: &Hosts<'_>, now: u64) -> HostsLeft {
    let mut left = HostsLeft::default();
    for (id, side) in hosts.table.numbered() {
        if side.standing.is_troubled() {
            left.troubled.insert(hosts.frontier.name(id).to_owned());
        }
        let until = side.standing.trouble.not_before.max(hosts.table.host(id).row.not_before);
        let until = u64::try_from(until).ok().filter(|until| *until > now);
        let waits = hosts.closed.get(id).is_some_and(|closed| closed.reason.is_none());
        left.goes_on = [left.goes_on, until.filter(|_| waits)].into_iter().flatten().min();
    }
    left
}
