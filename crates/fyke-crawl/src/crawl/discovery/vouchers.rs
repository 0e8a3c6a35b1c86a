//! Links from one domain to a host of another vouch for it: its budget grows with them (`budgets`). Whoever finds a link
//! tells the owner of its host, once: this remembers which links were told of.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Links that are remembered.
const MOST_LINKS: usize = 1 << 14;

/// Links from a domain to a host that were told of, by hash, each in its place. One that was displaced
/// is told of once more, and counts no more than once.
#[derive(Debug)]
pub(super) struct Vouchers(Box<[u64]>);

impl Vouchers {
    pub(super) fn new() -> Vouchers {
        Vouchers(vec![0; MOST_LINKS].into())
    }

    /// Whether nobody was told yet that a domain, by hash, links to this host. From now on somebody was, if
    /// `is_meant`.
    pub(super) fn is_news(
        &mut self,
        authority: &str,
        from: u64,
        is_meant: impl FnOnce() -> bool,
    ) -> bool {
        let link = xxh3_64_with_seed(authority.as_bytes(), from);
        let place = &mut self.0[link as usize % MOST_LINKS];
        let is_news = *place != link && is_meant();
        if is_news {
            *place = link;
        }
        is_news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_news_once_and_one_that_is_not_meant_stays_news() {
        let mut vouchers = Vouchers::new();
        let mut asks = |authority, from, meant| vouchers.is_news(authority, from, || meant);
        assert!(!asks("a.test", 1, false));
        assert!(asks("a.test", 1, true));
        assert!(!asks("a.test", 1, true));
        assert!(asks("a.test", 2, true) && asks("b.test", 1, true), "others are others");
    }
}
