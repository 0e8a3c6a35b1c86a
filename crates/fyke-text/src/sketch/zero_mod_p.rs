//! Fingerprints of n-grams chosen by 0 mod p (003 §3.7, figure 3.14): of the hashes of a text's
//! overlapping n-grams those are kept which p divides. The same n-gram is kept in every text or in
//! none, so that the share of fingerprints in common tells of the share of n-grams.

use super::{HashedText, SketchMethod, jaccard, shingle_set, shingles};

/// One n-gram in so many is kept, if nothing else is asked for.
pub const P: u64 = 8;

pub(super) const ZERO_MOD_P: SketchMethod = SketchMethod {
    name: "0-mod-p",
    what: "fingerprints of word 3-grams whose hash is 0 mod 8; the share that two texts have in common",
    formula: "F = {h(g) : g an n-gram, h(g) mod p = 0}; |F1 ∩ F2| / |F1 ∪ F2|",
    make: fingerprints,
    compare: jaccard,
    least: |coefficient| coefficient,
};

fn fingerprints(text: &HashedText<'_>) -> Vec<u64> {
    select(&shingle_set(&text.words), P)
}

/// The share of fingerprints that two texts have in common, of n-grams of `n` words whose hash `p` divides; the
/// numbers of fingerprints of each come with it.
#[must_use]
pub fn zero_mod_p(texts: [&HashedText<'_>; 2], n: usize, p: u64) -> (f64, [usize; 2]) {
    let [a, b] = texts.map(|text| {
        let mut all = if text.words.is_empty() { Vec::new() } else { shingles(&text.words, n) };
        all.sort_unstable();
        all.dedup();
        select(&all, p.max(1))
    });
    (jaccard(&a, &b), [a.len(), b.len()])
}

/// The hashes that `p` divides, in their order.
#[must_use]
pub fn select(hashes: &[u64], p: u64) -> Vec<u64> {
    hashes.iter().copied().filter(|hash| hash.is_multiple_of(p)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n_and_p_may_be_chosen_and_1_keeps_every_n_gram() {
        let [a, b] = ["a b c d e f", "a b c d e x"].map(HashedText::read);
        let (share, kept) = zero_mod_p([&a, &b], 2, 1);
        assert_eq!((share, kept), (4.0 / 6.0, [5, 5]));
        let (share, kept) = zero_mod_p([&a, &b], 1, 1);
        assert_eq!((share, kept), (5.0 / 7.0, [6, 6]));
        let usual = (ZERO_MOD_P.compare)(&(ZERO_MOD_P.make)(&a), &(ZERO_MOD_P.make)(&b));
        assert_eq!(zero_mod_p([&a, &b], 3, P).0, usual);
    }

    /// Figure 3.14: sixteen 3-grams, their hypothetical hashes, those that 4 divides.
    #[test]
    fn figure_3_14_keeps_four_of_sixteen() {
        let text = "Tropical fish include fish found in tropical environments around the world, \
                    including both freshwater and salt water species.";
        let hashes =
            [938, 664, 463, 822, 492, 798, 78, 969, 143, 236, 913, 908, 694, 553, 870, 779];
        assert_eq!(shingles(&HashedText::read(text).words, 3).len(), hashes.len());
        assert_eq!(select(&hashes, 4), [664, 492, 236, 908]);
    }
}
