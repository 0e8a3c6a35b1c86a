//! An order of no meaning, always the same for the same seed, by a linear congruential generator.

/// Shuffles a list; `state` is the seed, and goes on from call to call.
pub fn shuffle<T>(list: &mut [T], state: &mut u64) {
    for last in (1..list.len()).rev() {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        list.swap(last, (*state >> 33) as usize % (last + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::shuffle;

    #[test]
    fn everything_stays_in_a_list_and_a_seed_gives_one_order() {
        let shuffled = |seed: u64| {
            let (mut list, mut state) = ((0..50).collect::<Vec<u32>>(), seed);
            shuffle(&mut list, &mut state);
            list
        };
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        let mut sorted = shuffled(7);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
    }
}
