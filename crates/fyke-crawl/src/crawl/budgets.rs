//! What hosts and registrable domains may still give. A domain's budget grows with the other domains that
//! link in, so that a farm of hosts under one domain that nobody links to does not eat the crawl
//! (000 "Malicious pages").

use super::cell::EarlierRuns;
use super::hosts::{HostNumber, Met};
use crate::budget::{Budget, BudgetOptions, BudgetShare, Grant, Inlinks, Reserved};
use crate::control::lock;
use crate::frontier::HostId;
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use xxhash_rust::xxh3::xxh3_64;

/// Why a domain is left alone that has given fewer pages than it might.
const UNWORTHY: &str = "more redirects, media or hosts than its pages are worth";
/// Answers that are not read beyond their heads for each redirect that a domain may give: a page may show many pictures.
const UNREAD_A_REDIRECT: u64 = 16;

/// The hash of the domain of an authority.
pub(super) fn domain_hash(authority: &str) -> u64 {
    let url = fyke_web::Url::parse(&format!("http://{authority}/"));
    url.map_or_else(|_| xxh3_64(authority.as_bytes()), |url| url.domain_hash())
}

/// One domain of this thread.
#[derive(Debug, Default)]
struct Domain {
    share: BudgetShare,
    inlinks: Inlinks,
    hosts: Vec<HostId>,
    /// Redirects it gave in this run, unread answers in this run, and hosts that were asked for their robots.txt.
    redirects: u64,
    unread: u64,
    robots: u64,
}

impl Domain {
    fn has_pages(&self, budget: &BudgetOptions) -> bool {
        self.share.has_room(budget.of_domain(self.inlinks.count()))
    }

    fn has_room(&self, budget: &BudgetOptions) -> bool {
        let most = budget.redirects(self.share.used);
        let is_borne = |most: u64| self.redirects + self.unread / UNREAD_A_REDIRECT < most;
        self.has_pages(budget) && most.is_none_or(is_borne)
    }

    fn has_room_for_robots(&self, budget: &BudgetOptions) -> bool {
        budget.robots(self.inlinks.count()).is_none_or(|most| self.robots < most)
    }
}

/// Whether a host may give one more page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Room<'a> {
    Yes,
    /// The host has given what it may.
    HostFull,
    /// Its domain has: these hosts wait until another domain links to one of them.
    DomainFull(&'a [HostId]),
}

/// What becomes of a domain that waited to the end.
#[derive(Debug)]
pub(super) struct WaitEnd {
    pub(super) hosts: Vec<HostId>,
    /// They are done with for this run, for this cause; none: they wait no longer.
    pub(super) closed: Option<&'static str>,
}

/// A host's part of its own budget, and its domain.
#[derive(Clone, Copy, Debug)]
struct HostShare {
    share: BudgetShare,
    /// By hash.
    domain: u64,
}

/// The budgets of one thread's hosts.
pub(super) struct Budgets<'a> {
    options: &'a BudgetOptions,
    /// Of the whole crawl.
    whole: &'a Mutex<Budget>,
    earlier: &'a HashMap<u64, EarlierRuns>,
    /// By number.
    hosts: Vec<HostShare>,
    /// The hosts of sides, by number in the frontier.
    sides: Vec<HostNumber>,
    domains: HashMap<u64, Domain>,
    /// Domains, by hash, whose hosts wait until another domain links to them.
    exhausted: HashSet<u64>,
}

impl<'a> Budgets<'a> {
    pub(super) fn new(
        options: &'a BudgetOptions,
        whole: &'a Mutex<Budget>,
        earlier: &'a HashMap<u64, EarlierRuns>,
    ) -> Budgets<'a> {
        Budgets {
            options,
            whole,
            earlier,
            hosts: Vec::new(),
            sides: Vec::new(),
            domains: HashMap::new(),
            exhausted: HashSet::new(),
        }
    }

    /// Takes in the next side of a host, which has given so many pages; true when it waits with its domain.
    pub(super) fn join(
        &mut self,
        &Met { host: side, number: host, pages, .. }: &Met,
        authority: &str,
    ) -> bool {
        debug_assert_eq!(side.index(), self.sides.len(), "sides come in the frontier's order");
        let domain = domain_hash(authority);
        self.sides.push(host);
        if host.0 == self.hosts.len() {
            let share = BudgetShare { used: pages, reserved: 0 };
            self.hosts.push(HostShare { share, domain });
        }
        let earlier = self.earlier.get(&domain);
        let known = self.domains.entry(domain).or_insert_with(|| {
            let EarlierRuns { pages, inlinks, .. } = earlier.copied().unwrap_or_default();
            let share = BudgetShare { used: pages, reserved: 0 };
            Domain { share, inlinks, ..Domain::default() }
        });
        known.hosts.push(side);
        self.exhausted.contains(&domain)
    }

    fn share(&mut self, side: HostId) -> &mut HostShare {
        &mut self.hosts[self.sides[side.index()].0]
    }

    /// The domain's hash.
    fn domain(&self, side: HostId) -> u64 {
        self.hosts[self.sides[side.index()].0].domain
    }

    fn domain_of(&mut self, side: HostId) -> Option<&mut Domain> {
        self.domains.get_mut(&self.domain(side))
    }

    /// The hosts of a host's domain.
    pub(super) fn neighbours(&self, host: HostId) -> &[HostId] {
        let domain = self.domains.get(&self.domain(host));
        domain.map_or(&[], |domain| &domain.hosts)
    }

    /// What is said to any page when nothing is left of the whole.
    pub(super) fn refusal(&self) -> Option<Grant> {
        lock(self.whole).refusal(true)
    }

    /// Whether the host and its domain may give one more page. If the domain may not, it is exhausted.
    pub(super) fn room(&mut self, host: HostId) -> Room<'_> {
        let HostShare { share, domain: hash } = *self.share(host);
        if !share.has_room(self.options.per_host_pages) {
            return Room::HostFull;
        }
        match self.domains.get(&hash) {
            Some(domain) if !domain.has_room(self.options) => {
                self.exhausted.insert(hash);
                Room::DomainFull(&domain.hosts)
            }
            _ => Room::Yes,
        }
    }

    /// Counts a host that is asked for its robots.txt; false when its domain has no room for one more: a farm
    /// has more hosts than its pages are worth. Then the host waits; those whose rules are known go on.
    pub(super) fn counts_robots(&mut self, host: HostId) -> bool {
        let hash = self.domain(host);
        let Some(domain) = self.domains.get_mut(&hash) else { return true };
        let has_room = domain.has_room_for_robots(self.options);
        domain.robots += u64::from(has_room);
        if !has_room {
            self.exhausted.insert(hash);
        }
        has_room
    }

    /// The host gave a redirect.
    pub(super) fn count_redirect(&mut self, host: HostId) {
        if let Some(domain) = self.domain_of(host) {
            domain.redirects += 1;
        }
    }

    /// The host gave an answer that was not read.
    pub(super) fn count_unread(&mut self, host: HostId) {
        if let Some(domain) = self.domain_of(host) {
            domain.unread += 1;
        }
    }

    /// Reserves a page that is asked for again.
    pub(super) fn reserve_again(&self, most: u64) -> Grant {
        lock(self.whole).reserve_again(most)
    }

    /// Reserves a request that may bring `most` bytes, and a page where `page` is true.
    pub(super) fn reserve(&mut self, host: HostId, page: bool, most: u64) -> Grant {
        let grant = lock(self.whole).reserve(page, most);
        if let Grant::Granted(Reserved { page: true, .. }) = grant {
            self.share(host).share.reserved += 1;
            if let Some(domain) = self.domain_of(host) {
                domain.share.reserved += 1;
            }
        }
        grant
    }

    /// Settles what was reserved: `bytes` came, and a page stays counted when `counts`.
    pub(super) fn settle(&mut self, host: HostId, reserved: Reserved, counts: bool, bytes: u64) {
        lock(self.whole).settle(reserved, counts, bytes);
        if reserved.page {
            self.share(host).share.settle(counts);
            if let Some(domain) = self.domain_of(host) {
                domain.share.settle(counts);
            }
        }
    }

    /// Counts a domain that links to this host; all that do, if its own had not known that one. Then the
    /// domain is exhausted no longer, if it was.
    pub(super) fn count_inlink(&mut self, host: HostId, from: u64) -> Option<Inlinked> {
        let domain = self.domain_of(host)?;
        if !domain.inlinks.add(from) {
            return None;
        }
        let inlinks = domain.inlinks.0;
        let reopens = self.exhausted.remove(&self.domain(host));
        Some(Inlinked { inlinks, reopens })
    }

    /// Whether domains wait for a link to them.
    pub(super) fn has_exhausted(&self) -> bool {
        !self.exhausted.is_empty()
    }

    /// Nothing else is left to do: exhausted domains are done with for this run, unless what was under way
    /// when they began to wait turned out not to count.
    pub(super) fn end_waits(&mut self) -> Vec<WaitEnd> {
        let exhausted = std::mem::take(&mut self.exhausted);
        let domains = exhausted.iter().filter_map(|hash| self.domains.get(hash));
        let ends = domains.map(|domain| {
            let has_room =
                domain.has_room(self.options) && domain.has_room_for_robots(self.options);
            let why = if domain.has_pages(self.options) { UNWORTHY } else { "" };
            WaitEnd { hosts: domain.hosts.clone(), closed: (!has_room).then_some(why) }
        });
        ends.collect()
    }
}

/// The domains that link to a host's, after one more.
#[derive(Debug)]
pub(super) struct Inlinked {
    /// As the host's row has them.
    pub(super) inlinks: [u64; 4],
    /// The domain's hosts wait no longer.
    pub(super) reopens: bool,
}
