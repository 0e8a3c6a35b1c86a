//! Budgets: hard limits, exact under concurrency because every request reserves before it starts.

use std::collections::HashMap;

/// Limits of a collection; pages and bytes over its whole life, time for one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BudgetOptions {
    /// Page URLs asked for. Robots files, sitemaps and redirects do not count.
    pub pages: Option<u64>,
    pub per_host_pages: Option<u64>,
    /// Payload bytes of everything.
    pub bytes: Option<u64>,
    /// Milliseconds.
    pub time: Option<u64>,
}

/// Whether a request may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    Granted(Reserved),
    /// Used up, but a request under way may give something back.
    Later,
    /// Used up.
    Exhausted,
    /// This host's part is used up.
    HostExhausted,
}

/// What is set aside for one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// One page counts.
    pub page: bool,
    /// The most it may bring.
    pub bytes: u64,
    /// Less than was asked for: the last of the budget.
    pub is_rest: bool,
}

/// What has been used and what is reserved.
#[derive(Debug)]
pub struct Budget {
    options: BudgetOptions,
    pages: u64,
    bytes: u64,
    pages_reserved: u64,
    bytes_reserved: u64,
    hosts: HashMap<String, HostPages>,
}

#[derive(Debug, Default)]
struct HostPages {
    used: u64,
    reserved: u64,
}

impl Budget {
    #[must_use]
    pub fn new(options: BudgetOptions) -> Budget {
        Budget {
            options,
            pages: 0,
            bytes: 0,
            pages_reserved: 0,
            bytes_reserved: 0,
            hosts: HashMap::new(),
        }
    }

    /// Counts what earlier runs used.
    pub fn load(&mut self, authority: &str, pages: u64, bytes: u64) {
        self.pages += pages;
        self.bytes += bytes;
        self.hosts.entry(authority.to_owned()).or_default().used += pages;
    }

    /// Reserves a request that may bring `most` bytes; a page (`page` true) counts against the page
    /// limits too. Whoever comes last gets what is left of the bytes, once nothing can come back.
    pub fn reserve(&mut self, authority: &str, page: bool, most: u64) -> Grant {
        let over = |limit: Option<u64>, used: u64| limit.is_some_and(|limit| used > limit);
        let later = |reserved: u64| if reserved > 0 { Grant::Later } else { Grant::Exhausted };
        if page && over(self.options.pages, self.pages + self.pages_reserved + 1) {
            return later(self.pages_reserved);
        }
        let used = self.bytes.saturating_add(self.bytes_reserved);
        let left = self.options.bytes.map_or(u64::MAX, |limit| limit.saturating_sub(used));
        let bytes = left.min(most);
        if bytes == 0 || bytes < most && self.bytes_reserved > 0 {
            return later(self.bytes_reserved);
        }
        if page {
            // One request at a time goes to a host, so nothing reserved there can come back later.
            let host = self.hosts.entry(authority.to_owned()).or_default();
            if over(self.options.per_host_pages, host.used + host.reserved + 1) {
                return Grant::HostExhausted;
            }
            host.reserved += 1;
            self.pages_reserved += 1;
        }
        self.bytes_reserved = self.bytes_reserved.saturating_add(bytes);
        Grant::Granted(Reserved { page, bytes, is_rest: bytes < most })
    }

    /// Settles a reservation: `bytes` came, and a page stays counted when `counts`.
    pub fn settle(&mut self, authority: &str, reserved: Reserved, counts: bool, bytes: u64) {
        self.bytes_reserved = self.bytes_reserved.saturating_sub(reserved.bytes);
        self.bytes += bytes;
        if reserved.page {
            let host = self.hosts.entry(authority.to_owned()).or_default();
            host.reserved -= 1;
            self.pages_reserved -= 1;
            if counts {
                host.used += 1;
                self.pages += 1;
            }
        }
    }

    /// Whether this host may still give pages.
    #[must_use]
    pub fn host_has_room(&self, authority: &str) -> bool {
        let used = self.hosts.get(authority).map_or(0, |host| host.used + host.reserved);
        self.options.per_host_pages.is_none_or(|limit| used < limit)
    }

    /// Pages counted so far.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.pages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn started_and_done_pages_never_exceed_any_limit(
            steps in prop::collection::vec((0..4_u8, any::<bool>(), any::<bool>()), 1..200),
            pages in 1..20_u64,
            per_host in 1..8_u64,
        ) {
            let limits = BudgetOptions {
                pages: Some(pages),
                per_host_pages: Some(per_host),
                bytes: Some(1000),
                time: None,
            };
            let mut budget = Budget::new(limits);
            let mut flying: Vec<(String, Reserved)> = Vec::new();
            let mut counted = HashMap::<String, u64>::new();
            let mut bytes = 0;
            for (host, ends, counts) in steps {
                let host = format!("{host}.test");
                let flies = |flying: &[(String, Reserved)], host| flying.iter().any(|f| f.0 == host);
                if ends && !flying.is_empty() {
                    let (host, reserved) = flying.swap_remove(0);
                    budget.settle(&host, reserved, counts, reserved.bytes);
                    bytes += reserved.bytes;
                    *counted.entry(host).or_default() += u64::from(counts);
                } else if !flies(&flying, host.clone())
                    && let Grant::Granted(reserved) = budget.reserve(&host, true, 130)
                {
                    flying.push((host, reserved));
                }
                let total = counted.values().sum::<u64>() + flying.len() as u64;
                prop_assert!(total <= pages);
                prop_assert!(bytes + flying.iter().map(|f| f.1.bytes).sum::<u64>() <= 1000);
                for (host, used) in &counted {
                    prop_assert!(used + u64::from(flies(&flying, host.clone())) <= per_host);
                }
            }
        }
    }

    #[test]
    fn a_redirect_gives_its_page_back() {
        let limits = BudgetOptions { pages: Some(1), ..Default::default() };
        let mut budget = Budget::new(limits);
        let page = granted(&mut budget, true, 10);
        assert_eq!(budget.reserve("b.test", true, 10), Grant::Later);
        let file = granted(&mut budget, false, 10);
        budget.settle("a.test", file, false, 0);
        budget.settle("a.test", page, false, 0);
        let page = granted(&mut budget, true, 10);
        budget.settle("a.test", page, true, 0);
        assert_eq!(budget.reserve("a.test", true, 10), Grant::Exhausted);
        assert_eq!(budget.pages(), 1);
    }

    #[test]
    fn the_last_request_gets_what_is_left_once_nothing_can_come_back() {
        let limits = BudgetOptions { bytes: Some(15), ..Default::default() };
        let mut budget = Budget::new(limits);
        let whole = granted(&mut budget, true, 10);
        assert_eq!((whole.bytes, whole.is_rest), (10, false));
        assert_eq!(budget.reserve("b.test", true, 10), Grant::Later);
        budget.settle("a.test", whole, true, 9);
        let rest = granted(&mut budget, true, 10);
        assert_eq!((rest.bytes, rest.is_rest), (6, true));
        assert_eq!(budget.reserve("b.test", false, 1), Grant::Later);
        budget.settle("a.test", rest, true, 6);
        assert_eq!(budget.reserve("b.test", false, 1), Grant::Exhausted);
    }

    fn granted(budget: &mut Budget, page: bool, most: u64) -> Reserved {
        match budget.reserve("a.test", page, most) {
            Grant::Granted(reserved) => reserved,
            other => panic!("{other:?}"),
        }
    }
}
