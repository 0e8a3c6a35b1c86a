//! Link quality (003 §4.5.3): links that hosts exchange count less. The many links of one host to one
//! page count as one together (Bharat and Henzinger), and where two hosts link to each other, as blogs
//! do by trackbacks and friends by admiration, the more they exchange the less each link counts. What a
//! link loses is not given to the page's other links: the surfer jumps instead.

use super::InLinks;
use std::collections::HashMap;

impl InLinks {
    /// With weights for links between hosts; `hosts` numbers the host of each page. Links inside a host
    /// stay as they are.
    #[must_use]
    pub fn damped(mut self, hosts: &[u32]) -> InLinks {
        let host = |page: usize| hosts.get(page).copied().unwrap_or_default();
        self.weights = self.shared(host);
        let exchanged = self.exchanged(host);
        self.given = vec![0.0; self.pages()];
        for page in 0..self.pages() {
            for at in self.start(page)..self.ends[page] {
                let source = self.sources[at] as usize;
                let (from, to) = (host(source), host(page));
                let both = exchanged.get(&(from.min(to), from.max(to)));
                let damping = both.map_or(1.0, |(there, back)| 1.0 / (1.0 + there.min(*back)));
                self.weights[at] *= damping;
                self.given[source] += f64::from(self.weights[at]) / f64::from(self.outs[source]);
            }
        }
        self
    }

    /// For each link the part that is left to it when the links of its host to its target count as one.
    fn shared(&self, host: impl Fn(usize) -> u32) -> Vec<f32> {
        let mut weights = vec![1.0; self.len()];
        let mut links: Vec<(u32, usize)> = Vec::new();
        for page in 0..self.pages() {
            let range = self.start(page)..self.ends[page];
            links.clear();
            links.extend(range.map(|at| (host(self.sources[at] as usize), at)));
            links.retain(|(from, _)| *from != host(page));
            links.sort_unstable();
            for same in links.chunk_by(|a, b| a.0 == b.0) {
                same.iter().for_each(|&(_, at)| weights[at] = 1.0 / same.len() as f32);
            }
        }
        weights
    }

    /// By pair of hosts, the lesser number first: how much they link there and back.
    fn exchanged(&self, host: impl Fn(usize) -> u32) -> HashMap<(u32, u32), (f32, f32)> {
        let mut exchanged: HashMap<(u32, u32), (f32, f32)> = HashMap::new();
        for page in 0..self.pages() {
            for at in self.start(page)..self.ends[page] {
                let (from, to) = (host(self.sources[at] as usize), host(page));
                if from != to {
                    let both = exchanged.entry((from.min(to), from.max(to))).or_default();
                    *(if from < to { &mut both.0 } else { &mut both.1 }) += self.weights[at];
                }
            }
        }
        exchanged.retain(|_, (there, back)| *there > 0.0 && *back > 0.0);
        exchanged
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Graph, InLinks, PageRank};
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn turned(lists: &[Vec<u32>]) -> InLinks {
        InLinks::of(&lists.iter().cloned().collect::<Graph>())
    }

    fn ranks(lists: &[Vec<u32>], hosts: &[u32]) -> Vec<f64> {
        PageRank::default().of(&turned(lists).damped(hosts)).values
    }

    /// Page 0 has links from fifty pages of one host, page 1 from two hosts.
    #[test]
    fn many_links_of_one_host_count_less_than_two_hosts() {
        let mut lists = vec![vec![], vec![]];
        lists.extend((0..50).map(|_| vec![0]));
        lists.extend([vec![1], vec![1]]);
        let hosts = [&[0, 1][..], &[2; 50], &[3, 4]].concat();
        let plain = PageRank::default().of(&turned(&lists)).values;
        let damped = ranks(&lists, &hosts);
        assert!(plain[0] > plain[1], "{} {}", plain[0], plain[1]);
        assert!(damped[0] < damped[1], "{} {}", damped[0], damped[1]);
    }

    /// Figure 4.12: post a links to post b, which has a trackback to a; c and d link to one another on
    /// one host.
    #[test]
    fn a_trackback_between_hosts_counts_half_and_one_inside_a_host_whole() {
        let links = turned(&[vec![1], vec![0], vec![3], vec![2]]).damped(&[0, 1, 2, 2]);
        assert_eq!(links.weights, [0.5, 0.5, 1.0, 1.0]);
        assert_eq!(links.given, [0.5, 0.5, 1.0, 1.0]);
        let ranks = PageRank::default().of(&links).values;
        assert!(ranks[0] == ranks[1] && ranks[0] < ranks[2], "{ranks:?}");
    }

    /// Two hosts of ten pages, each page linked with its like; all together they give a link's worth.
    #[test]
    fn the_more_two_hosts_exchange_the_less_a_link_counts() {
        let lists: Vec<Vec<u32>> = (0..20).map(|page| vec![(page + 10) % 20]).collect();
        let hosts: Vec<u32> = (0..20).map(|page| page / 10).collect();
        let links = turned(&lists).damped(&hosts);
        assert!(links.weights.iter().all(|weight| (weight - 1.0 / 11.0).abs() < 1e-6));
    }

    proptest! {
        #[test]
        fn damped_ranks_sum_to_one_and_one_host_changes_nothing(
            lists in vec(vec(0..30u32, 0..12), 1..25), hosts in vec(0..4u32, 25),
        ) {
            let links = turned(&lists).damped(&hosts);
            prop_assert!(links.weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
            prop_assert!(links.given.iter().all(|given| (0.0..=1.001).contains(given)));
            let damped = PageRank::default().of(&links).values;
            prop_assert!((damped.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let plain = PageRank::default().of(&turned(&lists)).values;
            for (a, b) in plain.iter().zip(ranks(&lists, &[7; 25])) {
                prop_assert!((a - b).abs() < 1e-12);
            }
        }
    }
}
