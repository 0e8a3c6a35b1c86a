//! PageRank (003 §4.5.2, figure 4.11): where a surfer is found who follows a link of the page at hand, or
//! with probability λ jumps to any page. Links to pages that are not there are left out; from a page
//! without links (a rank sink) the surfer jumps. With a topic, jumps lead to its pages alone.
//!
//! As the pseudo-code has it, but pulled: a page adds up what its in-links bring, so that threads write
//! to pages of their own. Sums are made by blocks of pages, whatever the number of threads, so that
//! the answer does not depend on it.

use super::InLinks;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// Pages of a block: what one thread takes at a time.
const BLOCK: usize = 8_192;

/// How the ranks are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageRank<'a> {
    /// λ, the probability of a jump.
    pub jump: f64,
    /// Converged when the ranks change by no more than this, all changes added up.
    pub tolerance: f64,
    /// Rounds at most.
    pub rounds: u32,
    pub threads: usize,
    /// Where jumps lead; anywhere when there is no topic.
    pub topic: Option<&'a [u32]>,
}

impl Default for PageRank<'_> {
    fn default() -> Self {
        PageRank { jump: 0.15, tolerance: 1e-10, rounds: 1_000, threads: 1, topic: None }
    }
}

/// The ranks, and how they were reached.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranks {
    /// For each page the probability of being there; they sum to 1.
    pub values: Vec<f64>,
    pub rounds: u32,
    /// What the last round changed.
    pub change: f64,
}

impl PageRank<'_> {
    /// The ranks of all pages.
    #[must_use]
    pub fn of(&self, links: &InLinks) -> Ranks {
        match ThreadPoolBuilder::new().num_threads(self.threads.max(1)).build() {
            Ok(pool) => pool.install(|| self.on_these_threads(links)),
            // No more threads are to be had.
            Err(_) => self.on_these_threads(links),
        }
    }

    fn on_these_threads(&self, links: &InLinks) -> Ranks {
        let pages = links.pages();
        if pages == 0 {
            return Ranks::default();
        }
        let landing = self.landing(pages);
        let mut ranks =
            Ranks { values: vec![1.0 / pages as f64; pages], rounds: 0, change: f64::INFINITY };
        let mut shares = vec![0.0; pages];
        while ranks.rounds < self.rounds && ranks.change > self.tolerance {
            let sunk = share(links, &ranks.values, &mut shares);
            let jumps = self.jump + (1.0 - self.jump) * sunk;
            ranks.change = self.round(links, &shares, (jumps, &landing), &mut ranks.values);
            ranks.rounds += 1;
        }
        ranks
    }

    /// Where a jump lands: at each page with the same probability, or at each of the topic's.
    fn landing(&self, pages: usize) -> Landing {
        let topic = self.topic.unwrap_or_default();
        let mut inside: Vec<u32> =
            topic.iter().copied().filter(|&page| (page as usize) < pages).collect();
        inside.sort_unstable();
        inside.dedup();
        match inside.is_empty() {
            true => Landing { each: 1.0 / pages as f64, topic: None },
            false => Landing { each: 1.0 / inside.len() as f64, topic: Some(inside) },
        }
    }

    /// One round over all pages, on all threads; the sum of all changes.
    fn round(
        &self,
        links: &InLinks,
        shares: &[f64],
        (jumps, landing): (f64, &Landing),
        ranks: &mut [f64],
    ) -> f64 {
        let follow = 1.0 - self.jump;
        let fill = |block: usize, ranks: &mut [f64]| {
            let mut change = 0.0;
            let mut start = links.start(block * BLOCK);
            for (page, rank) in (block * BLOCK..).zip(ranks) {
                let end = links.ends[page];
                let came = match links.weights.get(start..end) {
                    Some(weights) => weighed(&links.sources[start..end], weights, shares),
                    None => gathered(&links.sources[start..end], shares),
                };
                let new = jumps * landing.at(page) + follow * came;
                change += (new - std::mem::replace(rank, new)).abs();
                start = end;
            }
            change
        };
        let blocks = ranks.par_chunks_mut(BLOCK).enumerate();
        let changes: Vec<f64> = blocks.map(|(block, ranks)| fill(block, ranks)).collect();
        changes.iter().sum()
    }
}

/// Where jumps lead.
struct Landing {
    each: f64,
    topic: Option<Vec<u32>>,
}

impl Landing {
    #[inline]
    fn at(&self, page: usize) -> f64 {
        match &self.topic {
            None => self.each,
            Some(pages) if pages.binary_search(&(page as u32)).is_ok() => self.each,
            Some(_) => 0.0,
        }
    }
}

/// What each page gives to each that it links to; returns what all of them give to the jump: the rank of
/// pages without links, and what is kept back where links are damped.
fn share(links: &InLinks, ranks: &[f64], shares: &mut [f64]) -> f64 {
    let mut sunk = 0.0;
    for (page, ((share, &rank), &outs)) in shares.iter_mut().zip(ranks).zip(&links.outs).enumerate()
    {
        *share = if outs == 0 { 0.0 } else { rank / f64::from(outs) };
        let given = links.given.get(page).copied().unwrap_or(1.0);
        sunk += if outs == 0 { rank } else { rank * (1.0 - given) };
    }
    sunk
}

/// The sum of the shares of these pages, each by what its link counts.
fn weighed(sources: &[u32], weights: &[f32], shares: &[f64]) -> f64 {
    let links = sources.iter().zip(weights);
    links.map(|(&page, &weight)| shares[page as usize] * f64::from(weight)).sum()
}

/// The sum of the shares of these pages; four sums at a time, since each addition waits for the one before.
#[inline]
fn gathered(sources: &[u32], shares: &[f64]) -> f64 {
    let (fours, rest) = sources.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for four in fours {
        for (sum, &page) in sums.iter_mut().zip(four) {
            *sum += shares[page as usize];
        }
    }
    let rest: f64 = rest.iter().map(|&page| shares[page as usize]).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::super::Graph;
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn turned(lists: &[Vec<u32>]) -> InLinks {
        InLinks::of(&lists.iter().cloned().collect::<Graph>())
    }

    /// The pseudo-code of figure 4.11 as it stands, for so many rounds.
    fn by_the_book(lists: &[Vec<u32>], jump: f64, rounds: u32) -> Vec<f64> {
        let pages = lists.len();
        let even = 1.0 / pages as f64;
        let mut i = vec![even; pages];
        for _ in 0..rounds {
            let mut r = vec![jump * even; pages];
            for (p, list) in lists.iter().enumerate() {
                let q: Vec<usize> = (0..pages).filter(|&q| list.contains(&(q as u32))).collect();
                let all: Vec<usize> = if q.is_empty() { (0..pages).collect() } else { q };
                all.iter().for_each(|&q| r[q] += (1.0 - jump) * i[p] / all.len() as f64);
            }
            i = r;
        }
        i
    }

    #[track_caller]
    fn check(found: &[f64], expected: &[f64], within: f64) {
        let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= within;
        let same = found.len() == expected.len() && found.iter().zip(expected).all(is_near);
        assert!(same, "{found:?}, not {expected:?}");
    }

    /// A links to B and C, B to C, C to A.
    #[test]
    fn the_three_pages_of_the_book_have_the_ranks_of_the_book() {
        let links = turned(&[vec![1, 2], vec![2], vec![0]]);
        let after =
            |rounds| PageRank { jump: 0.0, rounds, ..PageRank::default() }.of(&links).values;
        check(&after(1), &[0.33, 0.17, 0.5], 0.005);
        check(&after(2), &[0.5, 0.17, 0.33], 0.005);
        check(&after(3), &[0.33, 0.25, 0.42], 0.005);
        check(&after(1_000), &[0.4, 0.2, 0.4], 1e-9);
    }

    #[test]
    fn jumps_of_a_topic_lead_to_its_pages() {
        let links = turned(&[vec![1], vec![0], vec![3], vec![2], vec![]]);
        let topic = PageRank { topic: Some(&[2, 2, 99]), ..PageRank::default() }.of(&links).values;
        assert!(topic[0] < 1e-9 && topic[4] < 1e-9 && topic[2] > topic[3] && topic[3] > 0.4);
        let nowhere = PageRank { topic: Some(&[99]), ..PageRank::default() };
        assert_eq!(nowhere.of(&links).values, PageRank::default().of(&links).values);
        assert_eq!(PageRank::default().of(&InLinks::default()).values, []);
    }

    proptest! {
        #[test]
        fn ranks_are_those_of_the_pseudo_code_on_any_number_of_threads(
            lists in vec(vec(0..30u32, 0..12), 1..25), jump in 0.01..0.9, threads in 1..5usize,
        ) {
            let links = turned(&lists);
            let ranks = PageRank { jump, rounds: 40, tolerance: 0.0, threads, topic: None }.of(&links);
            let expected = by_the_book(&lists, jump, ranks.rounds);
            check(&ranks.values, &expected, 1e-12);
            prop_assert!((ranks.values.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn many_pages_on_many_threads_are_the_same_to_the_last_bit() {
        let next =
            |page: u32, k: u32| page.wrapping_mul(2_654_435_761).wrapping_add(k * 977) % 30_000;
        let list = |page: u32| (0..page % 5).map(|k| next(page, k)).collect();
        let links = turned(&(0..30_000).map(list).collect::<Vec<_>>());
        let on = |threads| PageRank { rounds: 5, threads, ..PageRank::default() }.of(&links);
        assert_eq!(on(1), on(3));
        assert_eq!(on(1), on(64));
    }
}
