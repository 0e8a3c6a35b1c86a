//! HITS (003 §4.5.2, Kleinberg): among the pages that a search finds and those beside them, good
//! authorities are linked to by good hubs, and good hubs link to good authorities. Both values are
//! computed in turn, each normalised to sum to 1, until they change no more.
//!
//! With hosts, links inside a host do not count, and what a host's pages say of one page, or one page
//! of a host's pages, counts as one link together (Bharat and Henzinger), lest two friends with many
//! pages are all that is found.

use super::{Graph, InLinks};

/// How authorities and hubs are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hits<'a> {
    /// Converged when the authorities change by no more than this, all changes added up.
    pub tolerance: f64,
    /// Rounds at most.
    pub rounds: u32,
    /// The number of each page's host; empty when every link counts.
    pub hosts: &'a [u32],
}

impl Default for Hits<'_> {
    fn default() -> Self {
        Hits { tolerance: 1e-9, rounds: 200, hosts: &[] }
    }
}

/// Authority and hub values of the pages of a base set, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HitsValues {
    pub authorities: Vec<f64>,
    pub hubs: Vec<f64>,
    pub rounds: u32,
    /// What the last round changed.
    pub change: f64,
}

/// A link inside the base set, and what it counts for its target and for its source.
struct BaseSetLink {
    source: u32,
    target: u32,
    to_authority: f32,
    to_hub: f32,
}

/// The base set of these pages: with them the pages they link to, and of those that link to each at most
/// `most`. In order, each once.
#[must_use]
pub fn base_set(graph: &Graph, links: &InLinks, root: &[u32], most: usize) -> Vec<u32> {
    let pages = graph.pages().min(links.pages());
    let is_there = |page: &u32| (*page as usize) < pages;
    let mut base: Vec<u32> = Vec::new();
    for &page in root.iter().filter(|page| is_there(page)) {
        base.push(page);
        base.extend(graph.links(page as usize).iter().filter(|page| is_there(page)));
        base.extend(links.links(page as usize).iter().take(most));
    }
    base.sort_unstable();
    base.dedup();
    base
}

impl Hits<'_> {
    /// The values of the pages of `base`, which are in order and each there once.
    #[must_use]
    pub fn of(&self, graph: &Graph, base: &[u32]) -> HitsValues {
        let links = self.links(graph, base);
        let even = 1.0 / base.len().max(1) as f64;
        let hubs = vec![even; base.len()];
        let mut values = HitsValues {
            authorities: vec![even; base.len()],
            hubs,
            rounds: 0,
            change: f64::INFINITY,
        };
        let mut before = values.authorities.clone();
        while values.rounds < self.rounds && values.change > self.tolerance {
            before.copy_from_slice(&values.authorities);
            values.authorities.fill(0.0);
            for link in &links {
                let hub = values.hubs[link.source as usize];
                values.authorities[link.target as usize] += f64::from(link.to_authority) * hub;
            }
            normalise(&mut values.authorities);
            values.hubs.fill(0.0);
            for link in &links {
                let authority = values.authorities[link.target as usize];
                values.hubs[link.source as usize] += f64::from(link.to_hub) * authority;
            }
            normalise(&mut values.hubs);
            let changes = values.authorities.iter().zip(&before).map(|(a, b)| (a - b).abs());
            values.change = changes.sum();
            values.rounds += 1;
        }
        values
    }

    /// The links inside the base set that count.
    fn links(&self, graph: &Graph, base: &[u32]) -> Vec<BaseSetLink> {
        let host = |place: u32| self.hosts.get(base[place as usize] as usize).copied();
        let mut links = Vec::new();
        for (source, &page) in (0..).zip(base) {
            let inside = graph.links(page as usize).iter();
            for target in inside.filter_map(|target| base.binary_search(target).ok()) {
                let target = target as u32;
                let counts =
                    source != target && (self.hosts.is_empty() || host(source) != host(target));
                if counts {
                    links.push(BaseSetLink { source, target, to_authority: 1.0, to_hub: 1.0 });
                }
            }
        }
        if !self.hosts.is_empty() {
            links.sort_unstable_by_key(|link| (link.source, host(link.target), link.target));
            share(&mut links, |link| (link.source, host(link.target)), |link| &mut link.to_hub);
            links.sort_unstable_by_key(|link| (link.target, host(link.source), link.source));
            share(
                &mut links,
                |link| (link.target, host(link.source)),
                |link| &mut link.to_authority,
            );
        }
        links
    }
}

/// Links that stand together with the same key count as one together.
fn share<K: PartialEq>(
    links: &mut [BaseSetLink],
    key: impl Fn(&BaseSetLink) -> K,
    weight: impl Fn(&mut BaseSetLink) -> &mut f32,
) {
    for same in links.chunk_by_mut(|a, b| key(a) == key(b)) {
        let each = 1.0 / same.len() as f32;
        same.iter_mut().for_each(|link| *weight(link) = each);
    }
}

/// Makes the values sum to 1, unless there are none.
fn normalise(values: &mut [f64]) {
    let sum: f64 = values.iter().sum();
    if sum > 0.0 {
        values.iter_mut().for_each(|value| *value /= sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn graph(lists: &[Vec<u32>]) -> Graph {
        lists.iter().cloned().collect()
    }

    fn all(graph: &Graph) -> Vec<u32> {
        (0..graph.pages() as u32).collect()
    }

    /// Hubs 0 to 2 link to authority 3, two of them to 4 as well.
    #[test]
    fn authorities_are_linked_to_and_hubs_link() {
        let graph = graph(&[vec![3, 4], vec![3, 4], vec![3], vec![], vec![]]);
        let HitsValues { authorities, hubs, change, .. } = Hits::default().of(&graph, &all(&graph));
        assert!(change <= 1e-9);
        assert!(authorities[3] > authorities[4] && authorities[4] > 0.2, "{authorities:?}");
        assert!(hubs[0] == hubs[1] && hubs[1] > hubs[2] && hubs[2] > 0.0, "{hubs:?}");
        assert_eq!((authorities[0], hubs[3]), (0.0, 0.0));
        // Of [[3, 2], [2, 2]], what the links of all hubs make, the largest eigenvalue is (5 + √17) / 2.
        let ratio = (17_f64.sqrt() - 1.0) / 4.0;
        assert!((authorities[4] / authorities[3] - ratio).abs() < 1e-6, "{authorities:?}");
    }

    /// Pages 0 to 9 of one host all link to 10 and 11 of a second; 12, 13 and 14 of three hosts to 15.
    #[test]
    fn two_hosts_that_admire_each_other_do_not_win() {
        let mut lists = vec![vec![10, 11]; 10];
        lists.extend([vec![], vec![], vec![15], vec![15], vec![15], vec![]]);
        let hosts = [&[0; 10][..], &[1, 1, 2, 3, 4, 5]].concat();
        let graph = graph(&lists);
        let plain = Hits::default().of(&graph, &all(&graph)).authorities;
        let fair = Hits { hosts: &hosts, ..Hits::default() }.of(&graph, &all(&graph)).authorities;
        assert!(plain[10] > plain[15], "{plain:?}");
        assert!(fair[15] > fair[10], "{fair:?}");
    }

    #[test]
    fn the_base_set_holds_what_stands_beside_the_root() {
        let graph = graph(&[vec![1, 9], vec![2], vec![], vec![1], vec![1], vec![]]);
        let links = InLinks::of(&graph);
        assert_eq!(base_set(&graph, &links, &[1, 1, 77], 2), [0, 1, 2, 3]);
        assert_eq!(base_set(&graph, &links, &[], 2), []);
        assert_eq!(
            Hits::default().of(&graph, &[]),
            HitsValues { change: 0.0, rounds: 1, ..HitsValues::default() }
        );
    }

    proptest! {
        #[test]
        fn values_sum_to_one_and_pages_without_links_have_none(
            lists in vec(vec(0..20u32, 0..8), 1..20), hosts in vec(0..5u32, 20),
        ) {
            let graph = graph(&lists);
            for hosts in [&hosts[..], &[]] {
                let values = Hits { hosts, ..Hits::default() }.of(&graph, &all(&graph));
                for values in [&values.authorities, &values.hubs] {
                    let sum: f64 = values.iter().sum();
                    prop_assert!(sum == 0.0 || (sum - 1.0).abs() < 1e-9, "{sum}");
                }
                for (page, &authority) in values.authorities.iter().enumerate() {
                    let is_linked = lists.iter().any(|list| list.contains(&(page as u32)));
                    prop_assert!(is_linked || authority == 0.0);
                    prop_assert!(!graph.links(page).is_empty() || values.hubs[page] == 0.0);
                }
            }
        }
    }
}
