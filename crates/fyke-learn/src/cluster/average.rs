//! Clusters by average link: two clusters become one while the mean score of their pairs, each of one and each of
//! the other, is high enough, the best two first. One wrong pair joins nothing, as it would in a closure.
//!
//! Only pairs that were found (by canopies) bring clusters together. The mean is then that of all their pairs, found
//! or not; of large clusters some members stand for all, so that the work grows with the found pairs alone.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// Two things that may belong together, and how much speaks for it, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    pub a: u32,
    pub b: u32,
    pub score: f32,
}

/// How clusters are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AverageLink {
    /// The least mean score of two clusters that become one.
    pub threshold: f32,
    /// Members that stand for a cluster.
    pub sampled: usize,
    /// How often a pair waits for better ones because its clusters have changed.
    pub waits: u8,
}

impl Default for AverageLink {
    fn default() -> AverageLink {
        AverageLink { threshold: 0.35, sampled: 8, waits: 3 }
    }
}

/// Things in clusters. A cluster has the number of its first thing, for ever: of two that become one, the lesser.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clusters {
    /// A thing of the same cluster that came before, or itself; shortened as it is followed.
    parents: Vec<u32>,
    /// Of the first thing of each cluster.
    members: Vec<Vec<u32>>,
}

impl Clusters {
    /// Adds a thing, in a cluster of its own or with another that came before; its number.
    pub fn push(&mut self, with: Option<u32>) -> u32 {
        let thing = self.parents.len() as u32;
        let cluster = with.filter(|other| *other < thing).map_or(thing, |other| self.of(other));
        self.parents.push(cluster);
        self.members.push(Vec::new());
        self.members[cluster as usize].push(thing);
        thing
    }

    /// How many things there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there is nothing yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The cluster of a thing.
    #[must_use]
    pub fn of(&self, thing: u32) -> u32 {
        let mut at = thing;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        at
    }

    /// The things of a cluster.
    #[must_use]
    pub fn members(&self, cluster: u32) -> &[u32] {
        &self.members[cluster as usize]
    }

    /// As `of`; what was passed on the way is nearer afterwards.
    fn follow(&mut self, thing: u32) -> u32 {
        let cluster = self.of(thing);
        let mut at = thing;
        while at != cluster {
            at = std::mem::replace(&mut self.parents[at as usize], cluster);
        }
        cluster
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (first, other) = (a.min(b), a.max(b));
        self.parents[other as usize] = first;
        let mut fewer = std::mem::take(&mut self.members[other as usize]);
        let more = &mut self.members[first as usize];
        if fewer.len() > more.len() {
            std::mem::swap(&mut fewer, more);
        }
        more.extend(fewer);
    }
}

/// A pair in the heap: the greatest score first, of equal ones the pair with the least numbers.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    pair: Scored,
    /// Members of both clusters when the score was found.
    members: u32,
    waits: u8,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        let (a, b) = (&self.pair, &other.pair);
        a.score.total_cmp(&b.score).then((b.a, b.b).cmp(&(a.a, a.b)))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl AverageLink {
    /// Unites clusters by these pairs. What things before `settled` are in stays apart as it is, so that a number
    /// once given is not taken back: what comes later joins it. `score` is asked for pairs that were not found.
    pub fn unite(
        &self,
        clusters: &mut Clusters,
        pairs: &[Scored],
        settled: u32,
        mut score: impl FnMut(u32, u32) -> f32,
    ) {
        let mut heap: BinaryHeap<Waiting> = pairs
            .iter()
            .filter(|pair| pair.score >= self.threshold && pair.a != pair.b)
            .map(|pair| Waiting { pair: *pair, members: 2, waits: 0 })
            .collect();
        let mut refused: HashMap<(u32, u32), u32> = HashMap::new();
        while let Some(mut next) = heap.pop() {
            let (a, b) = (clusters.follow(next.pair.a), clusters.follow(next.pair.b));
            if a == b || (a < settled && b < settled) {
                continue;
            }
            let members = (clusters.members(a).len() + clusters.members(b).len()) as u32;
            let both = (a.min(b), a.max(b));
            if next.members == members {
                clusters.unite(a, b);
                continue;
            }
            if refused.get(&both) == Some(&members) {
                continue;
            }
            let mean = self.mean(clusters.members(a), clusters.members(b), &mut score);
            if mean < self.threshold {
                refused.insert(both, members);
                continue;
            }
            let is_best = heap.peek().is_none_or(|best| best.pair.score <= mean);
            if is_best || next.waits >= self.waits {
                clusters.unite(a, b);
            } else {
                next.pair.score = mean;
                next.members = members;
                next.waits += 1;
                heap.push(next);
            }
        }
    }

    /// The mean score of the pairs of two clusters, or of the members that stand for them.
    fn mean(&self, a: &[u32], b: &[u32], score: &mut impl FnMut(u32, u32) -> f32) -> f32 {
        let (mut sum, mut pairs) = (0.0, 0_u32);
        for one in sample(a, self.sampled) {
            for other in sample(b, self.sampled) {
                sum += score(one, other);
                pairs += 1;
            }
        }
        sum / pairs.max(1) as f32
    }
}

/// So many of these, at even distances.
fn sample(all: &[u32], count: usize) -> impl Iterator<Item = u32> {
    let count = count.clamp(1, all.len().max(1)).min(all.len());
    (0..count).map(move |at| all[at * all.len() / count])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn alone(count: u32) -> Clusters {
        let mut clusters = Clusters::default();
        (0..count).for_each(|_| assert!(clusters.push(None) < count));
        clusters
    }

    fn all(clusters: &Clusters) -> Vec<u32> {
        (0..clusters.len() as u32).map(|thing| clusters.of(thing)).collect()
    }

    /// Things are places on a line, alike when they are near.
    fn near(places: &[f32]) -> impl Fn(u32, u32) -> f32 {
        |a, b| (1.0 - (places[a as usize] - places[b as usize]).abs()).max(0.0)
    }

    fn pairs(places: &[f32]) -> Vec<Scored> {
        let count = places.len() as u32;
        let ends = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        ends.map(|(a, b)| Scored { a, b, score: near(places)(a, b) }).collect()
    }

    #[test]
    fn a_chain_of_near_things_is_not_one_cluster_as_in_a_closure() {
        let places = [0.0, 0.3, 0.6, 0.9, 1.2, 1.5];
        let mut clusters = alone(6);
        let link = AverageLink { threshold: 0.6, ..AverageLink::default() };
        link.unite(&mut clusters, &pairs(&places), 0, near(&places));
        assert_eq!(all(&clusters), [0, 0, 2, 2, 4, 4]);
        assert_eq!(clusters.members(2), [2, 3]);
    }

    #[test]
    fn what_is_settled_stays_apart_and_new_things_join_it() {
        let places = [0.0, 0.2, 0.1, 0.15];
        let mut clusters = alone(4);
        AverageLink::default().unite(&mut clusters, &pairs(&places), 2, near(&places));
        let found = all(&clusters);
        assert_eq!(found[..2], [0, 1]);
        assert!(found[2] < 2 && found[3] < 2, "{found:?}");
    }

    proptest! {
        #[test]
        fn a_cluster_has_the_number_of_its_first_thing_and_holds_what_is_of_it(
            places in vec(0.0f32..4.0, 0..25), threshold in 0.05f32..0.95, sampled in 1..5usize,
        ) {
            let mut clusters = alone(places.len() as u32);
            let link = AverageLink { threshold, sampled, waits: 2 };
            link.unite(&mut clusters, &pairs(&places), 0, near(&places));
            for thing in 0..places.len() as u32 {
                let cluster = clusters.of(thing);
                prop_assert!(cluster <= thing && clusters.of(cluster) == cluster);
                prop_assert!(clusters.members(cluster).contains(&thing));
            }
            let members: usize = (0..places.len() as u32).map(|c| clusters.members(c).len()).sum();
            prop_assert_eq!(members, places.len());
        }
    }
}
