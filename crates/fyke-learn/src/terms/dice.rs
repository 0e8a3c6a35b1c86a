//! Chance for drawn terms and learners: SplitMix64 (Steele, Lea and Flood 2014), the same for the same
//! seed everywhere.

/// Numbers without pattern.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    #[must_use]
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to but not including 1.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number below `end`; 0 when there is none.
    pub fn below(&mut self, end: usize) -> usize {
        ((self.share() * end as f64) as usize).min(end.saturating_sub(1))
    }

    /// A place in a list of weights, in proportion to them; none when all are 0.
    pub fn weighted(&mut self, weights: impl Iterator<Item = f64> + Clone) -> Option<usize> {
        let all: f64 = weights.clone().sum();
        let mut left = self.share() * all;
        let mut last = None;
        for (place, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
            last = Some(place);
            if left < weight {
                break;
            }
            left -= weight;
        }
        last
    }

    /// A draw from the Gamma distribution of this shape and scale (Marsaglia and Tsang 2000).
    pub fn gamma(&mut self, shape: f64, scale: f64) -> f64 {
        if shape < 1.0 {
            let boost = self.share().max(f64::MIN_POSITIVE).powf(1.0 / shape);
            return self.gamma(shape + 1.0, scale) * boost;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = (1.0 + c * x).powi(3);
            let u = self.share().max(f64::MIN_POSITIVE);
            if v > 0.0 && u.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return d * v * scale;
            }
        }
    }

    /// A draw from the standard normal distribution (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.share().max(f64::MIN_POSITIVE).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.share()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_drawn_in_proportion_to_their_weights() {
        let mut dice = Dice::new(7);
        let mut drawn = [0_u32; 4];
        for _ in 0..10_000 {
            drawn[dice.weighted([1.0, 0.0, 3.0, 4.0].into_iter()).expect("one")] += 1;
        }
        assert_eq!(drawn[1], 0);
        let near = |count: u32, share: f64| (f64::from(count) / 10_000.0 - share).abs() < 0.02;
        assert!(near(drawn[0], 0.125) && near(drawn[2], 0.375) && near(drawn[3], 0.5), "{drawn:?}");
        assert_eq!(dice.weighted([0.0, 0.0].into_iter()), None);
        assert_eq!(dice.below(0), 0);
    }

    #[test]
    fn gamma_draws_have_the_moments_of_their_parameters() {
        for (shape, scale) in [(0.5, 2.0), (3.0, 1.5), (20.0, 0.1)] {
            let mut dice = Dice::new(11);
            let draws: Vec<f64> = (0..20_000).map(|_| dice.gamma(shape, scale)).collect();
            let mean = draws.iter().sum::<f64>() / 20_000.0;
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0;
            assert!((mean / (shape * scale) - 1.0).abs() < 0.05, "{mean}");
            assert!((variance / (shape * scale * scale) - 1.0).abs() < 0.1, "{variance}");
        }
    }
}
