//! Random numbers from a seed: the same seed gives the same figures on every machine. A counter
//! stepped by an odd constant and mixed (SplitMix64); not for secrets.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not, `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        // The high half of the product: as even as 64 bits allow, without a division.
        let product = u128::from(self.bits()) * end as u128;
        usize::try_from(product >> 64).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_seed_gives_the_numbers_known_for_it() {
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        let known = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!(first[..2], known);
    }

    #[test]
    fn every_number_comes_about_equally_often() {
        let mut random = Random::new(7);
        let mut counts = [0; 6];
        (0..60_000).for_each(|_| counts[random.below(6)] += 1);
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }

    proptest! {
        #[test]
        fn numbers_stay_below_their_end(seed: u64, end in 1..1_000_000usize) {
            let mut random = Random::new(seed);
            prop_assert!((0..50).all(|_| random.below(end) < end));
        }
    }
}
