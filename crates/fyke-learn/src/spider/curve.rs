//! How soon a spider found what was wanted: targets found against links followed.

/// A spider's way over a web.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HarvestCurve {
    /// Links followed in all: to every page that can be reached, each once.
    pub followed: usize,
    /// After how many of them each target was found.
    pub found: Vec<usize>,
}

impl HarvestCurve {
    /// The share of the links that was followed until this share of the targets was found, both from 0
    /// to 1. Nothing where there is no target.
    #[must_use]
    pub fn needed(&self, share: f64) -> Option<f64> {
        let wanted = (share * self.found.len() as f64).ceil() as usize;
        let after = self.found.get(wanted.max(1) - 1)?;
        Some(*after as f64 / self.followed as f64)
    }

    /// The area under the curve: the mean share of targets found, over all links followed.
    #[must_use]
    pub fn area(&self) -> f64 {
        let rest: usize = self.found.iter().map(|after| self.followed - after).sum();
        rest as f64 / (self.followed * self.found.len()).max(1) as f64
    }

    /// The share of the targets that was found after this share of the links.
    #[must_use]
    pub fn found_after(&self, share: f64) -> f64 {
        let followed = share * self.followed as f64;
        let found = self.found.partition_point(|after| *after as f64 <= followed);
        found as f64 / self.found.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_counted_until_a_share_of_the_targets_is_found() {
        let curve = HarvestCurve { followed: 10, found: vec![1, 2, 5, 10] };
        let needed = |share| curve.needed(share).unwrap();
        assert_eq!([0.05, 0.25, 0.5, 0.51, 1.].map(needed), [0.1, 0.1, 0.2, 0.5, 1.]);
        assert_eq!(curve.area(), (9 + 8 + 5) as f64 / 40.);
        assert_eq!([0., 0.1, 0.49, 1.].map(|share| curve.found_after(share)), [0., 0.25, 0.5, 1.]);
        assert_eq!(HarvestCurve::default().needed(0.5), None);
    }
}
