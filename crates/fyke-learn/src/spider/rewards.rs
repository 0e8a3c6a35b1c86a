//! What following a link is worth on a web that is known: the discounted sum of rewards along the optimal
//! policy (002 §2.1).
//!
//! A target gives 1 when it is first fetched, and every fetch takes one step. From the page that a link
//! leads to, the spider goes to the nearest target, then to the nearest of the others among all links that
//! it has found since, and so on; a reward after t steps counts γ^t. Distances are taken once from all
//! targets backwards, each page keeps only as many of its nearest links as there are steps that count, so
//! the whole is linear in the links.
//!
//! Where it departs from the source, which names "the optimal policy (as determined by full knowledge of the
//! web graph)" and no way to find it:
//! - the nearest target comes first, which is not always the best order of several (greedy, not optimal);
//! - a walk begins with one page and without the links that a spider would have found before it;
//! - the distance of a page may be that to a target which the walk has taken by another way already;
//! - rewards after so many steps that they count less than a thousandth are left out.

use crate::graph::{Graph, InLinks};

/// Rewards that count less than this are not looked for.
const LEAST: f64 = 1e-3;
/// Most steps that are taken, whatever the discount.
const MOST_STEPS: usize = 32;
/// The distance of what leads to no target.
const NOWHERE: u32 = u32::MAX;

/// The value of a link to each page: γ is the discount, from 0 to less than 1.
///
/// # Panics
/// When there are fewer `targets` than pages.
#[must_use]
pub fn rewards(graph: &Graph, targets: &[bool], discount: f64) -> Vec<f64> {
    let mut steps = 1;
    while discount.powi(steps as i32) >= LEAST && steps < MOST_STEPS {
        steps += 1;
    }
    let distances = distances(graph, targets);
    let nearest = nearest(graph, &distances, steps);
    let mut spider = KnowingSpider { known: vec![NOWHERE; graph.pages()], found: Vec::new() };
    let worth = |page: usize| match distances[page] {
        NOWHERE => 0.,
        _ => spider.walk(page as u32, (&nearest, &distances), steps, discount),
    };
    (0..graph.pages()).map(worth).collect()
}

/// How many links each page is away from the nearest target.
fn distances(graph: &Graph, targets: &[bool]) -> Vec<u32> {
    let sources = InLinks::of(graph);
    let mut distances = vec![NOWHERE; graph.pages()];
    let mut queue: Vec<u32> =
        (0..graph.pages() as u32).filter(|page| targets[*page as usize]).collect();
    queue.iter().for_each(|page| distances[*page as usize] = 0);
    let mut at = 0;
    while let Some(&page) = queue.get(at) {
        at += 1;
        for &source in sources.links(page as usize) {
            if distances[source as usize] == NOWHERE {
                distances[source as usize] = distances[page as usize] + 1;
                queue.push(source);
            }
        }
    }
    distances
}

/// Of each page the links that lead to targets, the nearest first and at most `most` of them.
fn nearest(graph: &Graph, distances: &[u32], most: usize) -> Graph {
    let mut nearest = Graph::default();
    for page in 0..graph.pages() {
        let leads = |to: &u32| distances.get(*to as usize).is_some_and(|d| *d != NOWHERE);
        let mut links: Vec<u32> = graph.links(page).iter().copied().filter(leads).collect();
        if links.len() > most {
            links.select_nth_unstable_by_key(most - 1, |to| distances[*to as usize]);
            links.truncate(most);
        }
        nearest.push(links);
    }
    nearest
}

/// A spider that knows the web.
struct KnowingSpider {
    /// From which start each page was found last.
    known: Vec<u32>,
    /// Pages that were found and not fetched yet.
    found: Vec<u32>,
}

impl KnowingSpider {
    /// The discounted rewards of its walk from a page.
    fn walk(
        &mut self,
        start: u32,
        (nearest, distances): (&Graph, &[u32]),
        steps: usize,
        discount: f64,
    ) -> f64 {
        self.found.clear();
        self.found.push(start);
        self.known[start as usize] = start;
        let (mut sum, mut worth) = (0., 1.);
        for _ in 0..steps {
            let best = (0..self.found.len()).min_by_key(|at| distances[self.found[*at] as usize]);
            let Some(best) = best else { break };
            let page = self.found.swap_remove(best);
            for &link in nearest.links(page as usize) {
                if std::mem::replace(&mut self.known[link as usize], start) != start {
                    self.found.push(link);
                }
            }
            sum += if distances[page as usize] == 0 { worth } else { 0. };
            worth *= discount;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(links: &[&[u32]], targets: &[u32], discount: f64, expected: &[f64]) {
        let graph: Graph = links.iter().map(|links| links.iter().copied()).collect();
        let targets: Vec<bool> = (0..links.len() as u32).map(|p| targets.contains(&p)).collect();
        assert_eq!(rewards(&graph, &targets, discount), expected, "{links:?}");
    }

    #[test]
    fn a_reward_counts_half_for_each_link_before_it() {
        check(&[&[1], &[2], &[], &[0]], &[2], 0.5, &[0.25, 0.5, 1., 0.125]);
    }

    #[test]
    fn without_future_only_targets_are_worth_something() {
        check(&[&[1], &[2], &[], &[0]], &[2], 0., &[0., 0., 1., 0.]);
    }

    #[test]
    fn targets_of_one_page_are_taken_one_after_the_other() {
        check(&[&[1, 2], &[], &[]], &[1, 2], 0.5, &[0.75, 1., 1.]);
    }

    #[test]
    fn a_target_is_taken_once_however_many_ways_lead_to_it() {
        check(&[&[1, 2], &[3], &[3], &[]], &[3], 0.5, &[0.25, 0.5, 0.5, 1.]);
    }

    #[test]
    fn the_nearest_target_comes_first() {
        // 0 → 1 → 2* and 0 → 3*: 3 after one step, 1 after two, 2 after three.
        check(&[&[1, 3], &[2], &[], &[]], &[2, 3], 0.5, &[0.625, 0.5, 1., 1.]);
    }

    proptest! {
        #[test]
        fn no_page_is_worth_more_than_a_target_at_every_step(
            links in prop::collection::vec(prop::collection::vec(0u32..30, 0..6), 1..30),
            targets in prop::collection::vec(any::<bool>(), 30),
        ) {
            let graph: Graph = links.into_iter().collect();
            let distances = distances(&graph, &targets);
            for (page, worth) in rewards(&graph, &targets, 0.5).into_iter().enumerate() {
                prop_assert!((0. ..2.).contains(&worth));
                prop_assert_eq!(worth >= 1., distances[page] == 0);
                prop_assert_eq!(worth > 0., distances[page] < 11);
            }
        }
    }
}
