//! The sketch that is stored: 200 places of one byte, a fast form of minhash (001 "Sketch of a
//! document").
//!
//! Departures from the formula: the 200 permutations are not computed apart. In each round every
//! shingle falls into one place, and only while places are empty there is another round, so that a
//! text of 800 words costs about two hashes a word instead of 200 (fast similarity sketching,
//! Dahlgaard, Knudsen and Thorup 2017). And of the least hash of a place one byte is kept (b-bit
//! minwise hashing, Li and König 2010): two texts agree there by chance once in 256 times, which
//! `resemblance` takes off again. The probability of agreement is the Jaccard coefficient, as before.
//!
//! Sketches are stored: a change makes `fyke rebuild` necessary.

use super::shingle::{SHINGLE, nth_hash};
use super::{HashedText, SketchMethod, shingles};

/// Places of a sketch.
pub const PLACES: usize = 200;
/// After so many rounds most texts have no empty place; where one is left, shingles are few or
/// repeat.
const USUAL_ROUNDS: u64 = 4;
/// The bits of a hash below those that name its place.
const LOW: u64 = (1 << 48) - 1;

pub(super) const SKETCH: SketchMethod = SketchMethod {
    name: "sketch",
    what: "what fyke stores: minhash of 200 places in 200 bytes, at about two hashes a word",
    formula: "sketch[i] = low byte of the least (round, hash) of the shingles that fall into place i",
    make: |text| {
        let sketch = Sketch::of_shingles(&shingles(&text.words, SHINGLE));
        sketch.0.as_chunks().0.iter().map(|&eight| u64::from_le_bytes(eight)).collect()
    },
    compare: |a, b| resemblance(&bytes(a), &bytes(b)),
    least: |coefficient| coefficient,
};

fn bytes(sketch: &[u64]) -> Vec<u8> {
    sketch.iter().flat_map(|eight| eight.to_le_bytes()).collect()
}

/// Sketch of a text's word shingles, comparable by `resemblance`; empty without words.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sketch(pub Vec<u8>);

/// The sketch of a text.
#[must_use]
pub fn sketch(text: &str) -> Sketch {
    Sketch::of_shingles(&shingles(&HashedText::read(text).words, SHINGLE))
}

impl Sketch {
    /// The sketch of some shingles; their order and how often each comes do not matter.
    #[must_use]
    pub fn of_shingles(shingles: &[u64]) -> Sketch {
        if shingles.is_empty() {
            return Sketch::default();
        }
        Sketch(least(shingles).iter().map(|&value| value as u8).collect())
    }

    /// Estimated Jaccard coefficient of the two texts' shingle sets, 0 to 1; 0 if one has no words.
    #[must_use]
    pub fn resemblance(&self, other: &Sketch) -> f64 {
        resemblance(&self.0, &other.0)
    }
}

/// As [`Sketch::resemblance`], of the bytes of two sketches.
#[must_use]
pub fn resemblance(a: &[u8], b: &[u8]) -> f64 {
    let (Ok(a), Ok(b)) = (<&[u8; PLACES]>::try_from(a), <&[u8; PLACES]>::try_from(b)) else {
        return 0.0;
    };
    // One byte can hold the count, and so many are counted at once.
    let equal = a.iter().zip(b).fold(0_u8, |count, (a, b)| count + u8::from(a == b));
    let agree = f64::from(equal) / PLACES as f64;
    ((agree * 256.0 - 1.0) / 255.0).max(0.0)
}

/// For each place the least round and hash of the shingles that fall there.
fn least(shingles: &[u64]) -> [u64; PLACES] {
    let mut values = [u64::MAX; PLACES];
    let mut distinct = Vec::new();
    for round in 0..2 * PLACES as u64 {
        let shingles = if distinct.is_empty() { shingles } else { &distinct };
        // After `PLACES` rounds each round fills one place for certain.
        match round.checked_sub(PLACES as u64) {
            Some(forced) => one_place(&mut values[forced as usize], shingles, round),
            None => one_round(&mut values, shingles, round),
        }
        if !values.contains(&u64::MAX) {
            break;
        }
        if round + 1 == USUAL_ROUNDS {
            distinct = shingles.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
        }
    }
    values
}

fn one_round(values: &mut [u64; PLACES], shingles: &[u64], round: u64) {
    for &shingle in shingles {
        let hash = nth_hash(shingle, round);
        let value = &mut values[(((hash >> 48) * PLACES as u64) >> 16) as usize];
        *value = (*value).min(round << 48 | hash & LOW);
    }
}

fn one_place(value: &mut u64, shingles: &[u64], round: u64) {
    for &shingle in shingles {
        *value = (*value).min(round << 48 | nth_hash(shingle, round) & LOW);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::tests::words;
    use crate::sketch::{jaccard, shingle_set};
    use proptest::prelude::*;

    #[test]
    fn stored_values_stay_as_they_are() {
        assert_eq!(crate::checksum("A fyke is a net."), 11401449466003586541);
        assert_eq!(sketch("A fyke is a net.").0[..4], [50, 197, 27, 45]);
    }

    #[test]
    fn texts_without_words_resemble_nothing() {
        let empty = sketch("... ---");
        assert_eq!(empty.0.len(), 0);
        assert_eq!(empty.resemblance(&empty), 0.0);
    }

    #[test]
    fn short_texts_are_one_shingle() {
        assert_eq!(sketch("fish").resemblance(&sketch("Fish.")), 1.0);
        assert!(sketch("fish").resemblance(&sketch("net")) < 0.05);
    }

    /// Sketches of two sets, `shared` values in both and `apart` more in each.
    fn pair(n: u64, shared: u64, apart: u64) -> [Sketch; 2] {
        [1, 2].map(|side| {
            let own = |k: u64| nth_hash(side << 40 | n << 20 | k, 999);
            let common = (0..shared).map(|k| nth_hash(n << 20 | k, 999));
            Sketch::of_shingles(&common.chain((0..apart).map(own)).collect::<Vec<_>>())
        })
    }

    #[test]
    fn the_estimate_is_right_in_the_mean_and_strays_as_200_places_let_it() {
        let check = |shared: u64, apart: u64| {
            let exact = shared as f64 / (shared + 2 * apart) as f64;
            let (mut mean, mut square) = (0.0, 0.0);
            for n in 0..400 {
                let [a, b] = pair(n, shared, apart);
                let error = a.resemblance(&b) - exact;
                mean += error / 400.0;
                square += error * error / 400.0;
            }
            let expected = (exact * (1.0 - exact) / PLACES as f64).sqrt();
            assert!(mean.abs() < 0.007, "{mean} off at {exact}");
            assert!(square.sqrt() < expected * 1.2 + 0.006, "{} at {exact}", square.sqrt());
        };
        check(800, 100);
        check(400, 200);
        check(40, 5);
        check(5, 1);
        check(100, 900);
        check(0, 500);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The standard error of 200 places is at most 0.035; five of them is 0.18.
        #[test]
        fn resemblance_is_near_the_exact_coefficient(
            shared in 1usize..300, left in 0usize..300, right in 0usize..300,
        ) {
            let a = format!("{} {}", words(0, shared), words(1000, left));
            let b = format!("{} {}", words(0, shared), words(2000, right));
            let [x, y] = [&a, &b].map(|text| shingle_set(&HashedText::read(text).words));
            let estimate = sketch(&a).resemblance(&sketch(&b));
            prop_assert!((estimate - jaccard(&x, &y)).abs() < 0.18);
            prop_assert_eq!(estimate, sketch(&b).resemblance(&sketch(&a)));
        }

        #[test]
        fn neither_order_nor_repetition_of_shingles_matters(
            set in prop::collection::btree_set(any::<u64>(), 1..500), times in 1usize..4,
        ) {
            let set: Vec<u64> = set.into_iter().collect();
            let mut other = set.repeat(times);
            other.reverse();
            prop_assert_eq!(Sketch::of_shingles(&set), Sketch::of_shingles(&other));
        }
    }
}
