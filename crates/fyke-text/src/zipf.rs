//! Zipf's law and Mandelbrot's (003 §4.2): the frequency of words against their rank.
//!
//! Zipf: r · P(r) = C. Mandelbrot: (r + β)^α · P(r) = γ. Both are fitted to the logarithms by least
//! squares, a rank r with weight 1/r: every decade of ranks counts alike, or the many words that occur
//! once would decide alone. Words of one frequency are one step of the curve, and its weight is the sum
//! of theirs, so a fit costs as much as there are different frequencies.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many words occur how often.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spectrum {
    /// Frequency and number of words that have it, the highest frequency first.
    steps: Vec<(u64, u64)>,
    occurrences: u64,
}

/// Zipf's law fitted to a text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Zipf {
    pub c: f64,
    /// Root of the mean square of ln(P / predicted P).
    pub error: f64,
}

/// Mandelbrot's law fitted to a text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mandelbrot {
    pub alpha: f64,
    pub beta: f64,
    pub gamma: f64,
    /// As [`Zipf::error`].
    pub error: f64,
}

impl Zipf {
    /// The probability of the word of this rank.
    #[must_use]
    pub fn probability(&self, rank: f64) -> f64 {
        self.c / rank
    }
}

impl Mandelbrot {
    /// The probability of the word of this rank.
    #[must_use]
    pub fn probability(&self, rank: f64) -> f64 {
        self.gamma / (rank + self.beta).powf(self.alpha)
    }
}

/// The share of a vocabulary that occurs n times, as Zipf's law has it: 1 / n(n + 1).
#[must_use]
pub fn predicted_share(n: u64) -> f64 {
    1.0 / (n as f64 * (n as f64 + 1.0))
}

/// A step of the curve: the middle of its ranks, the logarithm of its probability, its weight.
struct CurveStep {
    rank: f64,
    probability: f64,
    weight: f64,
}

impl Spectrum {
    /// From frequencies with their numbers of words, and the number of words read.
    #[must_use]
    pub fn new(words: BTreeMap<u64, u64>, occurrences: u64) -> Spectrum {
        let steps = words.into_iter().rev().filter(|(times, words)| *times > 0 && *words > 0);
        Spectrum { steps: steps.collect(), occurrences }
    }

    /// Distinct words.
    #[must_use]
    pub fn vocabulary(&self) -> u64 {
        self.steps.iter().map(|step| step.1).sum()
    }

    /// Words that occur n times.
    #[must_use]
    pub fn words(&self, n: u64) -> u64 {
        let found = self.steps.binary_search_by(|step| n.cmp(&step.0));
        found.ok().and_then(|at| self.steps.get(at)).map_or(0, |step| step.1)
    }

    /// Words that occur once.
    #[must_use]
    pub fn once(&self) -> u64 {
        self.words(1)
    }

    /// The share of the vocabulary that occurs n times.
    #[must_use]
    pub fn share(&self, n: u64) -> f64 {
        self.words(n) as f64 / self.vocabulary().max(1) as f64
    }

    /// The rank of the last word of each frequency, and its probability.
    pub fn ranks(&self) -> impl Iterator<Item = (u64, f64)> {
        self.steps.iter().scan(0, |rank, (times, words)| {
            *rank += words;
            Some((*rank, *times as f64 / self.occurrences.max(1) as f64))
        })
    }

    fn steps(&self) -> Vec<CurveStep> {
        let mut before = 0;
        let step = |(last, probability): (u64, f64)| {
            // The weight is the sum of 1/r over the ranks of the step, nearly.
            let weight = ((last as f64 + 0.5) / (before as f64 + 0.5)).ln();
            let rank = ((before + 1) as f64 * last as f64).sqrt();
            before = last;
            CurveStep { rank, probability: probability.ln(), weight }
        };
        self.ranks().map(step).collect()
    }

    /// The best C; none without words.
    #[must_use]
    pub fn zipf(&self) -> Option<Zipf> {
        let steps = self.steps();
        let weight: f64 = steps.iter().map(|step| step.weight).sum();
        let product = |step: &CurveStep| step.probability + step.rank.ln();
        let c = steps.iter().map(|step| step.weight * product(step)).sum::<f64>() / weight;
        let square = |step: &CurveStep| step.weight * (product(step) - c).powi(2);
        let error = (steps.iter().map(square).sum::<f64>() / weight).sqrt();
        (weight > 0.0).then(|| Zipf { c: c.exp(), error })
    }

    /// The best α, β and γ; none with fewer than three frequencies.
    #[must_use]
    pub fn mandelbrot(&self) -> Option<Mandelbrot> {
        let steps = self.steps();
        if steps.len() < 3 {
            return None;
        }
        // From 0 to some thousands, finer near 0.
        let beta = |at: f64| at.exp_m1();
        let error = |at: f64| straight(&steps, beta(at)).error;
        let coarse = (0..=90).map(|n| f64::from(n) / 10.0);
        let best = coarse.min_by(|a, b| error(*a).total_cmp(&error(*b)))?;
        let (mut low, mut high) = ((best - 0.1).max(0.0), best + 0.1);
        for _ in 0..40 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if error(a) <= error(b) {
                high = b;
            } else {
                low = a;
            }
        }
        Some(straight(&steps, beta(f64::midpoint(low, high))))
    }
}

/// With β given, α and γ are a straight line through the logarithms.
fn straight(steps: &[CurveStep], beta: f64) -> Mandelbrot {
    let point = |step: &CurveStep| ((step.rank + beta).ln(), step.probability, step.weight);
    let points: Vec<(f64, f64, f64)> = steps.iter().map(point).collect();
    let sum = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| p.2 * of(p.0, p.1)).sum::<f64>();
    let weight = sum(&|_, _| 1.0);
    let (mean_x, mean_y) = (sum(&|x, _| x) / weight, sum(&|_, y| y) / weight);
    let spread = sum(&|x, _| (x - mean_x).powi(2));
    let slope = sum(&|x, y| (x - mean_x) * (y - mean_y)) / spread;
    let at_zero = mean_y - slope * mean_x;
    let error = (sum(&|x, y| (y - at_zero - slope * x).powi(2)) / weight).sqrt();
    Mandelbrot { alpha: -slope, beta, gamma: at_zero.exp(), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 003 table 4.2: the fifty most frequent words of AP89.
    const AP89: [u64; 50] = [
        2_420_778, 1_045_733, 968_882, 892_429, 865_644, 847_825, 504_593, 363_865, 347_072,
        293_027, 291_947, 250_919, 245_843, 223_846, 210_064, 209_586, 195_621, 189_451, 181_714,
        157_300, 153_913, 152_576, 149_749, 142_285, 140_880, 136_007, 130_322, 127_493, 116_364,
        111_024, 111_021, 103_943, 102_949, 99_503, 92_983, 92_005, 88_786, 87_286, 84_638, 83_449,
        81_796, 80_385, 80_245, 76_388, 75_165, 72_045, 71_956, 71_082, 70_266, 68_988,
    ];
    /// The r·P(r) of that table.
    const AP89_PRODUCTS: [f64; 50] = [
        0.065, 0.056, 0.078, 0.096, 0.120, 0.140, 0.095, 0.078, 0.084, 0.079, 0.086, 0.081, 0.086,
        0.084, 0.085, 0.090, 0.089, 0.091, 0.093, 0.084, 0.087, 0.090, 0.092, 0.092, 0.094, 0.095,
        0.094, 0.096, 0.090, 0.089, 0.092, 0.089, 0.091, 0.091, 0.087, 0.089, 0.088, 0.089, 0.089,
        0.090, 0.090, 0.091, 0.093, 0.090, 0.091, 0.089, 0.091, 0.092, 0.092, 0.093,
    ];
    /// Words of AP89 as that table divides: its percentages are of fewer than table 4.1 counts.
    const AP89_WORDS: u64 = 37_300_000;

    fn ap89() -> Spectrum {
        let mut words = BTreeMap::new();
        AP89.iter().for_each(|times| *words.entry(*times).or_default() += 1);
        Spectrum::new(words, AP89_WORDS)
    }

    #[test]
    fn rank_times_probability_is_that_of_the_table() {
        for ((rank, probability), product) in ap89().ranks().zip(AP89_PRODUCTS) {
            let found = rank as f64 * probability;
            // Products from a tenth on are rounded to two decimals there.
            let rounding = if product < 0.1 { 0.0011 } else { 0.005 };
            assert!((found - product).abs() < rounding, "rank {rank}: {found} and {product}");
        }
    }

    #[test]
    fn the_constant_of_english_is_near_a_tenth() {
        let zipf = ap89().zipf().unwrap();
        assert!((0.075..0.1).contains(&zipf.c), "{zipf:?}");
        assert!(zipf.error < 0.25, "{zipf:?}");
        assert!((zipf.probability(10.0) - zipf.c / 10.0).abs() < 1e-12);
    }

    #[test]
    fn mandelbrot_is_not_notably_better_on_ap89() {
        let (zipf, mandelbrot) = (ap89().zipf().unwrap(), ap89().mandelbrot().unwrap());
        assert!(mandelbrot.error <= zipf.error + 1e-9, "{zipf:?} {mandelbrot:?}");
        assert!(mandelbrot.error > zipf.error / 2.0, "{zipf:?} {mandelbrot:?}");
    }

    /// 003 table 4.5: TREC volume 3.
    #[test]
    fn shares_of_words_that_occur_n_times_are_those_of_the_table() {
        let counted = [204_357, 67_082, 35_083, 23_271, 16_332, 12_421, 9_766, 8_200, 6_907, 5_893];
        let shares = [0.402, 0.132, 0.069, 0.046, 0.032, 0.024, 0.019, 0.016, 0.014, 0.012];
        let predicted = [0.500, 0.167, 0.083, 0.050, 0.033, 0.024, 0.018, 0.014, 0.011, 0.009];
        let mut words: BTreeMap<u64, u64> = (1..).zip(counted).collect();
        words.insert(1_000, 508_209 - counted.iter().sum::<u64>());
        let spectrum = Spectrum::new(words, 1);
        assert_eq!((spectrum.vocabulary(), spectrum.once()), (508_209, 204_357));
        for ((n, share), law) in (1..).zip(shares).zip(predicted) {
            assert!((spectrum.share(n) - share).abs() < 0.0006, "{n}");
            assert!((predicted_share(n) - law).abs() < 0.0005, "{n}");
        }
        assert_eq!(spectrum.words(11), 0);
    }

    /// 003 table 4.4: the rank of a frequency is that of the last word that has it.
    #[test]
    fn words_of_one_frequency_share_the_rank_of_the_last() {
        let words = BTreeMap::from([(5_098, 1), (5_099, 4), (5_100, 3), (9_000, 999)]);
        let ranks: Vec<u64> = Spectrum::new(words, 1).ranks().map(|(rank, _)| rank).collect();
        assert_eq!(ranks, [999, 1_002, 1_006, 1_007]);
    }

    #[test]
    fn nothing_is_fitted_to_nothing() {
        assert_eq!(Spectrum::default().zipf(), None);
        assert_eq!(Spectrum::default().mandelbrot(), None);
        assert_eq!(Spectrum::default().share(1), 0.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn a_text_that_obeys_a_law_gives_its_parameters_back(
            alpha in 0.8..1.4f64, beta in 0.0..20.0f64,
        ) {
            let times = |rank: u64| (1e12 / (rank as f64 + beta).powf(alpha)) as u64;
            let words: BTreeMap<u64, u64> = (1..1_000).map(|rank| (times(rank), 1)).collect();
            let occurrences = words.keys().sum();
            let found = Spectrum::new(words, occurrences).mandelbrot().unwrap();
            prop_assert!((found.alpha - alpha).abs() < 0.01, "{found:?}");
            prop_assert!((found.beta - beta).abs() < 0.3 + beta / 50.0, "{found:?}");
            prop_assert!(found.error < 0.02);
        }
    }
}
