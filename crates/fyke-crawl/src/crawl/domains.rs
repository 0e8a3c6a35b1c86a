//! Registrable domains: budgets that grow with the other domains that link in, so that a farm of
//! hosts under one domain that nobody links to does not eat the crawl (000 "Malicious pages").

use super::post::Letter;
use super::shard::Shard;
use crate::budget::{BudgetOptions, Inlinks, Share};
use crate::fetch::Fetch;
use crate::frontier::HostId;
use crate::glance::Target;
use fyke_store::{Reason, StoreError};
use fyke_web::url::partition_of;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Why a domain is left alone that has given fewer pages than it might.
const UNWORTHY: &str = "more redirects or hosts than its pages are worth";
/// Links that a thread remembers to have told of.
const MOST_LINKS: usize = 1 << 14;

/// One domain of this thread.
#[derive(Debug, Default)]
pub(super) struct Domain {
    pub(super) share: Share,
    inlinks: Inlinks,
    hosts: Vec<HostId>,
    /// Redirects it gave in this run, and hosts that were asked for their robots.txt.
    redirects: u64,
    robots: u64,
}

impl Domain {
    fn has_pages(&self, budget: &BudgetOptions) -> bool {
        self.share.has_room(budget.of_domain(self.inlinks.count()))
    }

    fn has_room(&self, budget: &BudgetOptions) -> bool {
        let redirects = budget.redirects(self.share.used);
        self.has_pages(budget) && redirects.is_none_or(|most| self.redirects < most)
    }

    fn has_room_for_robots(&self, budget: &BudgetOptions) -> bool {
        budget.robots(self.inlinks.count()).is_none_or(|most| self.robots < most)
    }
}

/// Links from a domain to a host that were told of, by hash, each in its place. One that was displaced
/// is told of once more, and counts no more than once.
#[derive(Debug)]
pub(super) struct Links(Box<[u64]>);

impl Default for Links {
    fn default() -> Links {
        Links(vec![0; MOST_LINKS].into())
    }
}

impl Links {
    fn knows(&self, link: u64) -> bool {
        self.0[link as usize % MOST_LINKS] == link
    }

    fn note(&mut self, link: u64) {
        self.0[link as usize % MOST_LINKS] = link;
    }
}

/// The hash of the domain of an authority.
pub(super) fn hash_of(authority: &str) -> u64 {
    let url = fyke_web::Url::parse(&format!("http://{authority}/"));
    url.map_or_else(|_| xxh3_64(authority.as_bytes()), |url| url.domain_hash())
}

/// The partition that owns the hosts of an authority's domain.
pub(super) fn partition(authority: &str) -> u8 {
    partition_of(hash_of(authority))
}

impl<F: Fetch> Shard<'_, F> {
    /// Puts a new host under its domain; returns the domain's hash.
    pub(super) fn join_domain(&mut self, host: HostId, authority: &str) -> u64 {
        let hash = hash_of(authority);
        let before = self.shared.domains.get(&hash);
        let domain = self.domains.entry(hash).or_insert_with(|| {
            let (used, inlinks) = before.copied().unwrap_or_default();
            let share = Share { used, reserved: 0 };
            Domain { share, inlinks, ..Domain::default() }
        });
        domain.hosts.push(host);
        if self.exhausted.contains(&hash) {
            self.frontier.set_waits(host, true);
        }
        hash
    }

    /// Whether the host's domain may give one more page. If not, its hosts wait for links to it.
    pub(super) fn domain_has_room(&mut self, host: HostId) -> bool {
        let hash = self.hosts[host.index()].domain;
        let Some(domain) = self.domains.get(&hash) else { return true };
        let has_room = domain.has_room(&self.shared.options.budget);
        if !has_room {
            self.exhausted.insert(hash);
            for host in &domain.hosts {
                self.frontier.set_waits(*host, true);
            }
        }
        has_room
    }

    /// Whether the host may be asked for its robots.txt: a farm has more hosts than its pages are worth.
    /// If not, it waits; the domain's hosts whose rules are known go on.
    pub(super) fn counts_robots(&mut self, host: HostId) -> bool {
        let asked = &self.hosts[host.index()];
        let is_known = asked.robots.iter().any(Option::is_some);
        let (hash, is_first) = (asked.domain, !is_known && asked.robots_tries == 0);
        let Some(domain) = self.domains.get_mut(&hash).filter(|_| is_first) else { return true };
        let has_room = domain.has_room_for_robots(&self.shared.options.budget);
        domain.robots += u64::from(has_room);
        if !has_room {
            self.exhausted.insert(hash);
            self.frontier.set_waits(host, true);
        }
        has_room
    }

    /// The host gave a redirect.
    pub(super) fn count_redirect(&mut self, host: HostId) {
        if let Some(domain) = self.domains.get_mut(&self.hosts[host.index()].domain) {
            domain.redirects += 1;
        }
    }

    /// A link to a URL that is known already: it vouches for the URL's domain like the first one did.
    pub(super) fn vouch(&mut self, target: &Target, from: Option<u64>) -> Result<(), StoreError> {
        let Some(from) = from.filter(|_| self.has_domain_budget() && !target.nofollow) else {
            return Ok(());
        };
        let authority = target.url.authority();
        let link = xxh3_64_with_seed(authority.as_bytes(), from);
        if self.links.knows(link) {
            return Ok(());
        }
        let domain = target.url.domain_hash();
        if domain != from && self.shared.scope.check(&target.url).is_err() {
            return Ok(());
        }
        self.links.note(link);
        match partition_of(domain) {
            _ if domain == from => Ok(()),
            owner if self.is_mine(owner) => self.vouched(authority, from),
            owner => {
                let authority = authority.to_owned();
                self.write(owner, Letter::Inlink { authority, from });
                Ok(())
            }
        }
    }

    fn has_domain_budget(&self) -> bool {
        self.shared.options.budget.per_domain_pages.is_some()
    }

    /// Another domain links to a host of this thread.
    pub(super) fn vouched(&mut self, authority: &str, from: u64) -> Result<(), StoreError> {
        let host = self.host(authority)?;
        self.count_inlink(host, from)
    }

    /// Counts a domain that links to this host, if its own had not known that one.
    pub(super) fn count_inlink(&mut self, host: HostId, from: u64) -> Result<(), StoreError> {
        let hash = self.hosts[host.index()].domain;
        let Some(domain) = self.domains.get_mut(&hash) else { return Ok(()) };
        if !domain.inlinks.add(from) {
            return Ok(());
        }
        self.hosts[host.index()].row.inlinks = domain.inlinks.0;
        if self.exhausted.remove(&hash) {
            self.reopen(hash);
        }
        self.put_host(host)
    }

    /// The hosts of this domain wait no longer.
    fn reopen(&mut self, hash: u64) {
        for host in self.domains.get(&hash).iter().flat_map(|domain| &domain.hosts) {
            let elsewhere = self.hosts[host.index()].robots_at.is_some();
            self.frontier.set_waits(*host, elsewhere);
        }
    }

    /// Nothing else is left to do: the hosts of exhausted domains are done with for this run, unless what
    /// was under way when they began to wait turned out not to count.
    pub(super) fn close_exhausted(&mut self) -> Result<(), StoreError> {
        let budget = &self.shared.options.budget;
        for hash in std::mem::take(&mut self.exhausted) {
            let Some(domain) = self.domains.get(&hash) else { continue };
            if domain.has_room(budget) && domain.has_room_for_robots(budget) {
                self.reopen(hash);
                continue;
            }
            let detail = if domain.has_pages(budget) { UNWORTHY } else { "" };
            for host in domain.hosts.clone() {
                if self.hosts[host.index()].closed.is_none() {
                    self.close(host, Some(Reason::BudgetDomain), detail)?;
                }
            }
        }
        Ok(())
    }
}
