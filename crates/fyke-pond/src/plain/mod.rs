//! The plain web: many hosts and pages without hazards, for measuring crawlers. Pages look like
//! pages of the web in size, links and prose, cost little to make, and none is held.
//!
//! Pages of a host are numbered from 0, the home page. Page `i` leads to pages 10 `i` + 1 to
//! 10 `i` + 10 of its host, a home page to the homes of hosts numbered by the same rule; so all is
//! reached from one seed, and ten URLs become known with every page fetched until all are. Every
//! other link leads to a page with a smaller number than the newest of those.

mod page;
mod prose;
pub mod server;
mod tally;

pub use tally::Tally;

use crate::words::{PondDice, mix};
use prose::PlainProse;

/// URLs that become known by one page.
pub const FRESH: u64 = 10;
/// Links in the banner, and again in the footer.
const NAVIGATION: u64 = 7;
/// Links to other hosts.
const OUTWARD: usize = 10;
/// Fewest links of a page: all of the above and the one to the forbidden folder.
pub const FEWEST_LINKS: usize = FRESH as usize + 2 * NAVIGATION as usize + OUTWARD + 1;
/// Hosts at most: their names have six digits.
pub const MOST_HOSTS: u64 = 1_000_000;

/// What the plain web is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainShape {
    pub seed: u64,
    pub hosts: u64,
    /// Of all hosts together.
    pub pages: u64,
    /// On a page.
    pub links: usize,
    /// Of a page, on average.
    pub bytes: usize,
    /// All hosts are folders of one, for crawlers that cannot be told where a host is.
    pub one_host: bool,
}

/// A plain web: its shape and the prose that its pages are cut from.
#[derive(Debug)]
pub struct Plain {
    pub shape: PlainShape,
    prose: PlainProse,
}

/// A page by the numbers of its host and of itself on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlainPlace {
    pub host: u64,
    pub page: u64,
}

/// What a path on a host stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainTarget {
    Page(PlainPlace),
    Robots,
    /// In the folder that robots.txt forbids.
    Forbidden,
}

/// The links of a page, as [`page`] lays them out.
#[derive(Debug)]
struct PageLinks {
    /// Pages of the host that become known here.
    fresh: Vec<PlainPlace>,
    /// Pages of the host that are known.
    related: Vec<PlainPlace>,
    /// Pages of other hosts; of a home page, the homes that become known here.
    outward: Vec<PlainPlace>,
}

impl Plain {
    /// Numbers that make no sense are moved to the nearest that do.
    #[must_use]
    pub fn new(shape: PlainShape) -> Plain {
        let hosts = shape.hosts.clamp(1, MOST_HOSTS);
        let pages = shape.pages.clamp(hosts, u64::from(u32::MAX));
        let links = shape.links.max(FEWEST_LINKS);
        Plain {
            shape: PlainShape { hosts, pages, links, ..shape },
            prose: PlainProse::new(shape.seed),
        }
    }

    /// Everything is reachable from here; the port is that of the server.
    #[must_use]
    pub fn seed(&self, port: u16) -> String {
        match self.shape.one_host {
            true => format!("http://127.0.0.1:{port}/"),
            false => self.home(0),
        }
    }

    /// The home page of a host that has a name of its own.
    #[must_use]
    pub fn home(&self, host: u64) -> String {
        format!("http://h{host:06}.test/")
    }

    /// How many pages a host has.
    #[must_use]
    pub(crate) fn pages_of(&self, host: u64) -> u64 {
        let PlainShape { hosts, pages, .. } = self.shape;
        pages / hosts + u64::from(host < pages % hosts)
    }

    /// The page's number among all: below [`PlainShape::pages`], no two alike.
    #[must_use]
    pub fn number(&self, place: PlainPlace) -> u64 {
        place.page * self.shape.hosts + place.host
    }

    /// What is asked for. None: there is no such host or page.
    #[must_use]
    pub fn find(&self, host: &str, path: &str) -> Option<PlainTarget> {
        if path == "/robots.txt" {
            return Some(PlainTarget::Robots);
        }
        if path.starts_with(page::FORBIDDEN) {
            return Some(PlainTarget::Forbidden);
        }
        let (host, path) = match self.shape.one_host {
            false => (host.strip_suffix(".test")?, path),
            true if path == "/" => ("h000000", path),
            true => path.strip_prefix('/')?.split_at_checked(7)?,
        };
        let place =
            PlainPlace { host: number_of(host.strip_prefix('h')?)?, page: page::number(path)? };
        let exists = host.len() == 7
            && place.host < self.shape.hosts
            && place.page < self.pages_of(place.host);
        (exists && page::is_path(self, place, path)).then_some(PlainTarget::Page(place))
    }

    /// The page as it is sent, appended to `out`.
    pub fn write(&self, place: PlainPlace, out: &mut Vec<u8>) {
        page::write(self, place, out);
    }

    fn dice(&self, place: PlainPlace) -> PondDice {
        PondDice::new(mix(mix(self.shape.seed, place.host), place.page))
    }

    fn links(&self, place: PlainPlace, dice: &mut PondDice) -> PageLinks {
        let PlainPlace { host, page } = place;
        let (pages, hosts) = (self.pages_of(host), self.shape.hosts);
        let fresh = (1..=FRESH).map(|n| page * FRESH + n).filter(|page| *page < pages);
        let fresh: Vec<PlainPlace> = fresh.map(|page| PlainPlace { host, page }).collect();
        let known = pages.min(page * FRESH + 1);
        let more = self.shape.links - FEWEST_LINKS + FRESH as usize - fresh.len();
        let related =
            (0..more).map(|_| PlainPlace { host, page: dice.zipf(known as usize) as u64 });
        let related = related.collect();
        let homes = (1..=FRESH).map(|n| host * FRESH + n).filter(|host| *host < hosts && page == 0);
        let mut outward: Vec<PlainPlace> = homes.map(|host| PlainPlace { host, page: 0 }).collect();
        let reach = hosts.min(host * FRESH + 1) as usize;
        outward.resize_with(OUTWARD, || PlainPlace { host: dice.below(reach) as u64, page: 0 });
        PageLinks { fresh, related, outward }
    }
}

/// The number that stands here, and nothing else but it.
fn number_of(digits: &str) -> Option<u64> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{HashSet, VecDeque};
    use std::sync::LazyLock;

    /// Prose takes a moment to make; shapes are made of this one.
    static PLAIN: LazyLock<Plain> = LazyLock::new(|| plain(1, 1, false));

    fn plain(hosts: u64, pages: u64, one_host: bool) -> Plain {
        Plain::new(PlainShape { seed: 7, hosts, pages, links: 50, bytes: 30_000, one_host })
    }

    fn body(plain: &Plain, place: PlainPlace) -> String {
        let mut out = Vec::new();
        plain.write(place, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn links(html: &str) -> impl Iterator<Item = &str> {
        html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next())
    }

    /// Follows every link from the seed; gives the pages met and the forbidden links.
    fn walk(plain: &Plain) -> (HashSet<PlainPlace>, usize) {
        let (mut met, mut forbidden) = (HashSet::new(), 0);
        let mut queue = VecDeque::from([PlainPlace { host: 0, page: 0 }]);
        while let Some(place) = queue.pop_front() {
            if !met.insert(place) {
                continue;
            }
            let home = format!("h{:06}.test", place.host);
            for link in links(&body(plain, place)) {
                let (host, path) = match link.strip_prefix("http://") {
                    Some(rest) => rest.split_at(rest.find('/').unwrap()),
                    None => (home.as_str(), link),
                };
                match plain.find(host, path) {
                    Some(PlainTarget::Page(place)) => queue.push_back(place),
                    Some(PlainTarget::Forbidden) => forbidden += 1,
                    other => panic!("{link} of {place:?} is {other:?}"),
                }
            }
        }
        (met, forbidden)
    }

    #[test]
    fn every_page_is_reached_from_the_seed_and_each_links_to_the_forbidden_folder() {
        let check = |hosts: u64, pages: u64, one_host: bool| {
            let (met, forbidden) = walk(&plain(hosts, pages, one_host));
            assert_eq!((met.len() as u64, forbidden as u64), (pages, pages));
        };
        check(1, 1, false);
        check(3, 40, false);
        check(30, 30, false);
        check(1, 130, false);
        check(3, 40, true);
    }

    #[test]
    fn ten_urls_become_known_with_every_page() {
        let plain = plain(4, 100_000, false);
        let mut known = HashSet::new();
        for page in 0..50 {
            for host in 0..4 {
                let html = body(&plain, PlainPlace { host, page });
                let host = format!("http://h{host:06}.test");
                let whole = |link: &str| match link.starts_with('/') {
                    true => format!("{host}{link}"),
                    false => link.to_owned(),
                };
                known.extend(links(&html).map(whole).filter(|url| !url.contains("/private/")));
            }
        }
        assert_eq!(known.len(), 4 * (1 + 50 * 10));
    }

    #[test]
    fn a_page_has_the_links_and_about_the_bytes_that_were_asked_for() {
        let check = |(hosts, pages): (u64, u64), wanted: usize, bytes: usize| {
            let shape = PlainShape { hosts, pages, links: wanted, bytes, ..PLAIN.shape };
            let plain = Plain { shape, prose: PLAIN.prose.clone() };
            let places = (0..200).map(|n| PlainPlace { host: n % hosts, page: n / hosts });
            let pages: Vec<String> = places.map(|place| body(&plain, place)).collect();
            assert!(pages.iter().all(|html| links(html).count() == wanted));
            let mean = pages.iter().map(String::len).sum::<usize>() / pages.len();
            assert!(mean.abs_diff(bytes) < bytes / 10, "{mean} bytes, not {bytes}");
        };
        check((2, 10_000), 50, 30_000);
        check((100, 200), 50, 30_000);
        check((3, 10_000), 70, 60_000);
    }

    proptest! {
        #[test]
        fn no_host_or_path_breaks_the_search(host in "\\PC{0,12}", path in "/\\PC{0,30}") {
            for one_host in [false, true] {
                let shape = PlainShape { one_host, ..PLAIN.shape };
                let plain = Plain { shape, prose: PLAIN.prose.clone() };
                let found = [host.as_str(), "h000000.test"].map(|host| plain.find(host, &path));
                let known = [None, Some(PlainTarget::Robots), Some(PlainTarget::Forbidden)];
                let home = Some(PlainTarget::Page(PlainPlace { host: 0, page: 0 }));
                prop_assert!(found.iter().all(|f| known.contains(f) || *f == home));
            }
        }

        #[test]
        fn numbers_of_pages_are_dense(hosts in 1..50_u64, more in 0..500_u64) {
            let shape = PlainShape { hosts, pages: hosts + more, ..PLAIN.shape };
            let plain = Plain { shape, prose: PLAIN.prose.clone() };
            let places = (0..hosts)
                .flat_map(|host| (0..plain.pages_of(host)).map(move |page| PlainPlace { host, page }));
            let numbers: HashSet<u64> = places.map(|place| plain.number(place)).collect();
            prop_assert_eq!(numbers.len() as u64, hosts + more);
            prop_assert!(numbers.iter().all(|number| *number < hosts + more));
        }
    }
}
