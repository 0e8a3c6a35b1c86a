//! Budgets: hard limits, exact under concurrency because every request reserves before it starts.
//! Those of the whole crawl are here; a host's and a domain's are counted by the thread that owns
//! the domain, with [`BudgetShare`].

/// Redirects of a domain that are followed in any case where pages are limited …
const REDIRECTS: u64 = 100;
/// … and beside each page: another scheme, another host, another spelling.
const REDIRECTS_A_PAGE: u64 = 4;
/// robots.txt files of a domain for each page it may give: not every host has one.
const ROBOTS_A_PAGE: u64 = 2;

/// Limits of a collection; pages and bytes over its whole life, time for one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BudgetOptions {
    /// Page URLs asked for. Robots files, sitemaps, redirects and what is not read beyond its head do not count,
    /// but see [`BudgetOptions::redirects`].
    pub pages: Option<u64>,
    pub per_host_pages: Option<u64>,
    /// Pages of one registrable domain that no other domain links to …
    pub per_domain_pages: Option<u64>,
    /// … and so many more for each domain that does.
    pub per_inlink_pages: u64,
    /// Payload bytes of everything.
    pub bytes: Option<u64>,
    /// Milliseconds.
    pub time: Option<u64>,
    /// Pages asked for in this run, for the first time or again.
    pub run_pages: Option<u64>,
}

impl BudgetOptions {
    /// What a domain may give that about `inlinks` other domains link to.
    #[must_use]
    pub fn of_domain(&self, inlinks: u64) -> Option<u64> {
        let more = self.per_inlink_pages.saturating_mul(inlinks);
        self.per_domain_pages.map(|pages| pages.saturating_add(more))
    }

    /// Redirects that a domain may give beside so many pages. They count as no page, so that a limit of
    /// pages alone would be none to a server that does nothing but redirect.
    #[must_use]
    pub fn redirects(&self, pages: u64) -> Option<u64> {
        let limits = [self.pages, self.per_host_pages, self.per_domain_pages];
        let least = limits.into_iter().flatten().min()?;
        Some(pages.saturating_mul(REDIRECTS_A_PAGE).saturating_add(least.max(REDIRECTS)))
    }

    /// Hosts of a domain that may be asked for their robots.txt, if about `inlinks` others link to it.
    #[must_use]
    pub fn robots(&self, inlinks: u64) -> Option<u64> {
        self.of_domain(inlinks).map(|pages| pages.saturating_mul(ROBOTS_A_PAGE))
    }
}

/// Whether a request may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    Granted(Reserved),
    /// Used up, but a request under way may give something back.
    Later,
    /// Used up.
    Exhausted,
}

/// What is set aside for one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// One page counts.
    pub page: bool,
    /// It is asked for again: it counts in this run alone.
    pub again: bool,
    /// The most it may bring.
    pub bytes: u64,
    /// Less than was asked for: the last of the budget.
    pub is_rest: bool,
}

/// What the whole crawl has used and reserved.
#[derive(Debug)]
pub struct Budget {
    options: BudgetOptions,
    pages: u64,
    bytes: u64,
    pages_reserved: u64,
    bytes_reserved: u64,
    /// Pages asked for in this run, and those under way.
    run_pages: u64,
    run_reserved: u64,
    /// Pages of the run that are left to visits.
    kept: u64,
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
            run_pages: 0,
            run_reserved: 0,
            kept: 0,
        }
    }

    /// Counts what earlier runs used.
    pub fn load(&mut self, pages: u64, bytes: u64) {
        self.pages += pages;
        self.bytes += bytes;
    }

    /// Reserves a request that may bring `most` bytes; a page (`page` true) counts against the page
    /// limit too. Whoever comes last gets what is left of the bytes, once nothing can come back.
    pub fn reserve(&mut self, page: bool, most: u64) -> Grant {
        if let Some(refusal) = self.refusal(page) {
            return refusal;
        }
        self.grant(page, false, most)
    }

    /// The same for a page that is asked for again: of the limits of pages only that of the run binds it.
    pub fn reserve_again(&mut self, most: u64) -> Grant {
        if let Some(refusal) = self.refusal_of_run(0).or_else(|| self.refusal(false)) {
            return refusal;
        }
        self.kept = self.kept.saturating_sub(1);
        self.grant(false, true, most)
    }

    fn grant(&mut self, page: bool, again: bool, most: u64) -> Grant {
        let bytes = self.bytes_left().min(most);
        if bytes < most && self.bytes_reserved > 0 {
            return Grant::Later;
        }
        self.pages_reserved += u64::from(page);
        self.run_reserved += u64::from(page || again);
        self.bytes_reserved = self.bytes_reserved.saturating_add(bytes);
        Grant::Granted(Reserved { page, again, bytes, is_rest: bytes < most })
    }

    /// What is said to any request, a page if `page` is true, when nothing is left.
    #[must_use]
    pub fn refusal(&self, page: bool) -> Option<Grant> {
        let later = |reserved: u64| if reserved > 0 { Grant::Later } else { Grant::Exhausted };
        if let Some(refusal) = self.refusal_of_run(self.kept).filter(|_| page) {
            return Some(refusal);
        }
        let used = self.pages + self.pages_reserved;
        if page && self.options.pages.is_some_and(|limit| used >= limit) {
            return Some(later(self.pages_reserved));
        }
        (self.bytes_left() == 0).then(|| later(self.bytes_reserved))
    }

    /// So many pages of a run that is limited are left to visits.
    pub fn keep_for_visits(&mut self, pages: u64) {
        self.kept = pages;
    }

    /// One of these visits is not made.
    pub fn leave_visit(&mut self) {
        self.kept = self.kept.saturating_sub(1);
    }

    /// What is said when of the run's pages no more than `kept` are left.
    fn refusal_of_run(&self, kept: u64) -> Option<Grant> {
        let limit = self.options.run_pages?;
        let is_used_up = self.run_pages + self.run_reserved + kept >= limit;
        let refusal = if self.run_reserved > 0 { Grant::Later } else { Grant::Exhausted };
        is_used_up.then_some(refusal)
    }

    fn bytes_left(&self) -> u64 {
        let used = self.bytes.saturating_add(self.bytes_reserved);
        self.options.bytes.map_or(u64::MAX, |limit| limit.saturating_sub(used))
    }

    /// Settles a reservation: `bytes` came, and a page stays counted when `counts`.
    pub fn settle(&mut self, reserved: Reserved, counts: bool, bytes: u64) {
        self.bytes_reserved = self.bytes_reserved.saturating_sub(reserved.bytes);
        self.bytes += bytes;
        self.pages_reserved -= u64::from(reserved.page);
        self.pages += u64::from(reserved.page && counts);
        let is_run = reserved.page || reserved.again;
        self.run_reserved -= u64::from(is_run);
        self.run_pages += u64::from(is_run && (counts || reserved.again));
    }

    /// Pages counted so far.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.pages
    }
}

/// One host's or one domain's part of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BudgetShare {
    pub used: u64,
    pub reserved: u64,
}

impl BudgetShare {
    /// Whether one page more stays within the limit.
    #[must_use]
    pub fn has_room(&self, limit: Option<u64>) -> bool {
        limit.is_none_or(|limit| self.used + self.reserved < limit)
    }

    /// Ends a reservation; the page stays counted when `counts`.
    pub fn settle(&mut self, counts: bool) {
        self.reserved = self.reserved.saturating_sub(1);
        self.used += u64::from(counts);
    }
}

/// About how many different domains link to something: linear counting in 256 bits. Which come
/// first and how often makes no difference, and two counts are joined by OR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inlinks(pub [u64; 4]);

impl Inlinks {
    /// Counts a domain by its hash; true when that changed anything.
    pub fn add(&mut self, domain: u64) -> bool {
        let bit = 1 << (domain & 63);
        let word = &mut self.0[(domain >> 6 & 3) as usize];
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub fn join(&mut self, other: Inlinks) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    /// The estimate; about 1,400 at the most.
    #[must_use]
    pub fn count(&self) -> u64 {
        let ones: u32 = self.0.iter().map(|word| word.count_ones()).sum();
        let zeros = f64::from(256 - ones.min(255));
        (256.0 * (256.0 / zeros).ln()).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn started_and_done_pages_never_exceed_any_limit(
            steps in prop::collection::vec((any::<bool>(), any::<bool>()), 1..200),
            pages in 1..20_u64,
        ) {
            let limits =
                BudgetOptions { pages: Some(pages), bytes: Some(1000), ..Default::default() };
            let mut budget = Budget::new(limits);
            let mut flying: Vec<Reserved> = Vec::new();
            let (mut counted, mut bytes) = (0, 0);
            for (ends, counts) in steps {
                if ends && !flying.is_empty() {
                    let reserved = flying.swap_remove(0);
                    budget.settle(reserved, counts, reserved.bytes);
                    bytes += reserved.bytes;
                    counted += u64::from(counts);
                } else if let Grant::Granted(reserved) = budget.reserve(true, 130) {
                    flying.push(reserved);
                }
                prop_assert!(counted + flying.len() as u64 <= pages);
                prop_assert!(bytes + flying.iter().map(|f| f.bytes).sum::<u64>() <= 1000);
            }
        }

        #[test]
        fn inlinks_are_counted_to_a_fifth_in_any_order(count in 1..300_u64) {
            let mut inlinks = Inlinks::default();
            let mut half = Inlinks::default();
            for n in 0..2 * count {
                let hash = xxhash_rust::xxh3::xxh3_64(&(n % count).to_le_bytes());
                if n % 2 == 0 { inlinks.add(hash) } else { half.add(hash) };
            }
            inlinks.join(half);
            let error = inlinks.count().abs_diff(count);
            prop_assert!(error <= 3 + count / 5, "{} for {count}", inlinks.count());
        }
    }

    #[test]
    fn a_redirect_gives_its_page_back() {
        let limits = BudgetOptions { pages: Some(1), ..Default::default() };
        let mut budget = Budget::new(limits);
        let page = granted(&mut budget, true, 10);
        assert_eq!(budget.reserve(true, 10), Grant::Later);
        let file = granted(&mut budget, false, 10);
        budget.settle(file, false, 0);
        budget.settle(page, false, 0);
        let page = granted(&mut budget, true, 10);
        budget.settle(page, true, 0);
        assert_eq!(budget.reserve(true, 10), Grant::Exhausted);
        assert_eq!(budget.pages(), 1);
    }

    #[test]
    fn the_last_request_gets_what_is_left_once_nothing_can_come_back() {
        let limits = BudgetOptions { bytes: Some(15), ..Default::default() };
        let mut budget = Budget::new(limits);
        let whole = granted(&mut budget, true, 10);
        assert_eq!((whole.bytes, whole.is_rest), (10, false));
        assert_eq!(budget.reserve(true, 10), Grant::Later);
        budget.settle(whole, true, 9);
        let rest = granted(&mut budget, true, 10);
        assert_eq!((rest.bytes, rest.is_rest), (6, true));
        assert_eq!(budget.reserve(false, 1), Grant::Later);
        budget.settle(rest, true, 6);
        assert_eq!(budget.reserve(false, 1), Grant::Exhausted);
    }

    #[test]
    fn a_run_of_so_many_pages_asks_for_no_more_whether_new_or_again() {
        let limits = BudgetOptions { run_pages: Some(3), pages: Some(1), ..Default::default() };
        let mut budget = Budget::new(limits);
        let new = granted(&mut budget, true, 10);
        let again = |budget: &mut Budget| match budget.reserve_again(10) {
            Grant::Granted(reserved) => reserved,
            other => panic!("{other:?}"),
        };
        let (one, other) = (again(&mut budget), again(&mut budget));
        assert_eq!(budget.reserve_again(10), Grant::Later);
        budget.settle(one, false, 5);
        budget.settle(other, false, 5);
        budget.settle(new, false, 5);
        // The redirect gave its page back.
        let new = granted(&mut budget, true, 10);
        budget.settle(new, true, 5);
        assert_eq!(budget.reserve_again(10), Grant::Exhausted);
        assert_eq!(budget.pages(), 1);
    }

    #[test]
    fn what_is_left_to_visits_no_new_page_gets() {
        let limits = BudgetOptions { run_pages: Some(2), ..Default::default() };
        let mut budget = Budget::new(limits);
        budget.keep_for_visits(1);
        let new = granted(&mut budget, true, 10);
        budget.settle(new, true, 5);
        assert_eq!(budget.reserve(true, 10), Grant::Exhausted);
        assert!(matches!(budget.reserve_again(10), Grant::Granted(_)));
    }

    #[test]
    fn a_domains_budget_grows_with_the_domains_that_link_to_it() {
        let mut budget = BudgetOptions { per_domain_pages: Some(100), ..Default::default() };
        budget.per_inlink_pages = 10;
        assert_eq!([0, 1, 7].map(|n| budget.of_domain(n)), [Some(100), Some(110), Some(170)]);
        let share = BudgetShare { used: 99, reserved: 1 };
        assert!(!share.has_room(budget.of_domain(0)) && share.has_room(budget.of_domain(1)));
        budget.per_domain_pages = None;
        assert_eq!(budget.of_domain(3), None);
    }

    fn granted(budget: &mut Budget, page: bool, most: u64) -> Reserved {
        match budget.reserve(page, most) {
            Grant::Granted(reserved) => reserved,
            other => panic!("{other:?}"),
        }
    }
}
