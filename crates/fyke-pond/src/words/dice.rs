//! Chance without a clock: every choice in the pond is a hash of the seed and what is asked for,
//! so the same question has the same answer on every machine.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A stream of choices that is fixed by its key (splitmix64).
#[derive(Clone, Debug)]
pub struct PondDice(u64);

impl PondDice {
    pub fn new(key: u64) -> PondDice {
        PondDice(key)
    }

    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.0)
    }

    /// Evenly from `0..n`; zero when `n` is zero.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.roll()) * n as u128) >> 64) as usize
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// Small numbers far more often than large ones, as ranks of words in a text: rank r comes
    /// about as often as 1/r.
    pub fn zipf(&mut self, n: usize) -> usize {
        let bits = n.max(1).ilog2() as usize + 1;
        let octave = self.below(bits);
        let rank = (1 << octave) + self.below(1 << octave);
        (rank - 1) % n.max(1)
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    pub fn word(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }
}

/// A number spread evenly over 64 bits.
pub(crate) fn scramble(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

pub fn mix(a: u64, b: u64) -> u64 {
    scramble(a ^ scramble(b.wrapping_add(0x51_7c_c1_b7_27_22_0a_95)))
}

pub fn hash(seed: u64, text: &str) -> u64 {
    xxh3_64_with_seed(text.as_bytes(), seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_stay_in_range_and_repeat_themselves() {
        let (mut a, mut b) = (PondDice::new(7), PondDice::new(7));
        for n in 1..200 {
            let rolled = a.below(n);
            assert!(rolled < n);
            assert_eq!(rolled, b.below(n));
            assert!(a.zipf(n) < n);
            b.zipf(n);
        }
    }

    #[test]
    fn low_ranks_come_most_often() {
        let mut dice = PondDice::new(1);
        let mut seen = [0u32; 64];
        (0..20_000).for_each(|_| seen[dice.zipf(64)] += 1);
        assert!(seen[0] > 4 * seen[8] && seen[1] > 4 * seen[32], "{seen:?}");
    }
}
