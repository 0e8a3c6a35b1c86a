//! Canopies (McCallum, Nigam and Ungar 2000): what may belong together, by a cheap distance. Things have keys; two
//! of them are near by the rarity of the keys that they share. Only the lists of rare keys are read, and only so
//! much of them, so that a search costs no more among millions, and no more where a key is everywhere.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// How much a search may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CanopyLimits {
    /// Members of a key's list; those that come later are not found by it.
    pub longest: usize,
    /// Members that one search looks at, from the rarest key on.
    pub looked_at: usize,
    /// Neighbours that one search gives: half of them the nearest, half spread over the others.
    pub neighbours: usize,
    /// The share of its own weight that a thing must share with its neighbour.
    pub share: f32,
}

impl Default for CanopyLimits {
    fn default() -> CanopyLimits {
        CanopyLimits { longest: 1_000, looked_at: 3_000, neighbours: 30, share: 0.2 }
    }
}

/// Things by their keys. They are numbered from 0 as they come.
#[derive(Clone, Debug, Default)]
pub struct Canopies {
    lists: HashMap<u32, KeyList, BuildHasherDefault<KeyHasher>>,
    things: u32,
}

/// Who has a key, and how many do, those behind the end of the list among them.
#[derive(Clone, Debug, Default)]
struct KeyList {
    members: Vec<u32>,
    count: u32,
}

/// Keys are hashes already, but perhaps chosen by a stranger: they are multiplied and turned.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, key: u32) {
        let mixed = (self.0 ^ u64::from(key)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }
}

impl Canopies {
    /// Adds the next thing with its keys; each counts once. Its number.
    pub fn push(&mut self, keys: &[u32], limits: &CanopyLimits) -> u32 {
        let thing = self.things;
        self.things += 1;
        for key in keys {
            let list = self.lists.entry(*key).or_default();
            if list.members.last() == Some(&thing) {
                continue;
            }
            list.count += 1;
            if list.members.len() < limits.longest {
                list.members.push(thing);
            }
        }
        thing
    }

    /// How many things there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.things as usize
    }

    /// Whether there is nothing yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.things == 0
    }

    /// The things that share rare keys with these, nearest first: the number of each with the share of the keys'
    /// weight. Equally near ones by number.
    #[must_use]
    pub fn near(&self, keys: &[u32], limits: &CanopyLimits) -> Vec<(u32, f32)> {
        let mut lists: Vec<&KeyList> = keys.iter().filter_map(|key| self.lists.get(key)).collect();
        lists.sort_by_key(|list| (list.count, list.members.first().copied()));
        let all = (self.things as f32 + 1.0).ln();
        let weight = |list: &KeyList| (all - (list.count as f32).ln()).max(0.01);
        let mut shared: HashMap<u32, f32, BuildHasherDefault<KeyHasher>> = HashMap::default();
        // Of the keys that are looked at: where lists are long, nobody could share a part of all.
        let (mut left, mut whole) = (limits.looked_at, 0.0_f32);
        for list in lists {
            if left == 0 {
                break;
            }
            whole += if list.count > 1 { weight(list) } else { 0.0 };
            for member in list.members.iter().take(left) {
                *shared.entry(*member).or_default() += weight(list);
            }
            left = left.saturating_sub(list.members.len());
        }
        let mut near: Vec<(u32, f32)> = shared.into_iter().collect();
        near.iter_mut().for_each(|(_, sum)| *sum /= whole.max(f32::MIN_POSITIVE));
        near.retain(|(_, share)| *share >= limits.share);
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        spread(near, limits.neighbours)
    }
}

/// So many of these: half of them the nearest, half from all distances. Were it the nearest alone, forms of one thing
/// that come very often would hide its other forms from each other.
fn spread(mut near: Vec<(u32, f32)>, most: usize) -> Vec<(u32, f32)> {
    if near.len() <= most {
        return near;
    }
    let nearest = most.div_ceil(2);
    let (far, places) = (near.len() - nearest, most - nearest);
    for place in 0..places {
        near[nearest + place] = near[nearest + place * far / places];
    }
    near.truncate(most);
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    fn canopies(things: &[Vec<u32>], limits: &CanopyLimits) -> Canopies {
        let mut canopies = Canopies::default();
        things.iter().for_each(|keys| {
            canopies.push(keys, limits);
        });
        canopies
    }

    #[test]
    fn what_shares_rare_keys_is_nearer_than_what_shares_common_ones() {
        let things = [vec![1, 2], vec![1, 9], vec![2, 9], vec![9], vec![9], vec![7]];
        let limits = CanopyLimits { share: 0.0, ..CanopyLimits::default() };
        let near = canopies(&things, &limits).near(&[1, 9], &limits);
        let order: Vec<u32> = near.iter().map(|(thing, _)| *thing).collect();
        assert_eq!(order, [1, 0, 2, 3, 4]);
        assert!(near[0].1 > near[1].1 && near[1].1 > near[2].1);
    }

    #[test]
    fn what_has_many_copies_finds_them_by_the_keys_that_are_looked_at() {
        let limits = CanopyLimits { looked_at: 200, share: 0.5, ..CanopyLimits::default() };
        let things: Vec<Vec<u32>> =
            (0..300).map(|thing| (0..9).chain([100 + thing]).collect()).collect();
        let canopies = canopies(&things, &limits);
        assert_eq!(canopies.near(&things[250], &limits).len(), limits.neighbours);
    }

    #[test]
    fn a_key_that_everything_has_costs_no_more_than_its_list() {
        let limits = CanopyLimits { longest: 50, looked_at: 80, ..CanopyLimits::default() };
        let things: Vec<Vec<u32>> = (0..5_000).map(|thing| vec![1, 2, 1_000 + thing]).collect();
        let canopies = canopies(&things, &limits);
        assert!(canopies.lists.values().all(|list| list.members.len() <= 50));
        assert!(canopies.near(&[1, 2], &limits).len() <= limits.neighbours);
        assert_eq!(canopies.near(&[1, 2, 5_999], &limits)[0].0, 4_999);
    }

    proptest! {
        #[test]
        fn neighbours_share_a_key_and_are_as_many_as_allowed(
            things in vec(btree_set(0..30u32, 0..6), 0..20), neighbours in 0..8usize,
        ) {
            let things: Vec<Vec<u32>> = things.into_iter().map(|set| set.into_iter().collect()).collect();
            let limits = CanopyLimits { neighbours, share: 0.0, ..CanopyLimits::default() };
            let canopies = canopies(&things, &limits);
            for keys in &things {
                let near = canopies.near(keys, &limits);
                prop_assert!(near.len() <= neighbours);
                prop_assert!(near.iter().all(|(at, _)| things[*at as usize].iter().any(|k| keys.contains(k))));
                prop_assert!(near.is_sorted_by(|a, b| a.1 >= b.1));
            }
        }
    }
}
