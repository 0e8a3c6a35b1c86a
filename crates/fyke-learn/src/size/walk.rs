//! Random walks (001): pages that walks stand on are looked for in both engines. A walk that takes every way
//! out of a page and into it alike stands on pages in proportion to these ways; corrected figures weight each
//! page by their inverse. A row a walk, so that walks which disagree widen the interval.

use super::interval::{PowerProduct, SampledRows};
use super::{NoSize, SizeBias, SizeEvidence, SizeFigure, SizeMethod, SizeQuantity, WalkedPage};
use std::collections::BTreeMap;

/// Fewer walks say nothing of how far they agree.
const FEWEST: usize = 4;

pub(super) const RAW: SizeMethod = SizeMethod {
    name: "walk-raw",
    what: "pages of random walks, each visit counted alike",
    quantity: SizeQuantity::Ratio,
    is_raw: true,
    biases: &[SizeBias::Degree, SizeBias::Unlinked, SizeBias::Convergence, SizeBias::Operation],
    estimate: |evidence| figure(evidence, |_| 1.0),
};

pub(super) const CORRECTED: SizeMethod = SizeMethod {
    name: "walk",
    what: "pages of random walks, weighted by the inverse of the ways that lead to them",
    quantity: SizeQuantity::Ratio,
    is_raw: false,
    biases: &[
        SizeBias::Unlinked,
        SizeBias::Convergence,
        SizeBias::Degree,
        SizeBias::Poor,
        SizeBias::Operation,
    ],
    estimate: |evidence| figure(evidence, |page| 1.0 / f64::from(page.degree.max(1))),
};

fn figure(
    evidence: &SizeEvidence,
    weight: impl Fn(&WalkedPage) -> f64,
) -> Result<SizeFigure, NoSize> {
    let mut walks: BTreeMap<u32, [f64; 3]> = BTreeMap::new();
    for page in &evidence.walked {
        let row = walks.entry(page.walk).or_default();
        let weight = weight(page);
        row[0] += if page.first.counts(&[]) { weight } else { 0.0 };
        row[1] += if page.second.counts(&[]) { weight } else { 0.0 };
    }
    match walks.len() {
        0 => return Err(NoSize::NotAsked),
        few if few < FEWEST => return Err(NoSize::FewDrawn),
        _ => {}
    }
    let sample = SampledRows { rows: walks.into_values().collect(), powers: [1.0, -1.0, 0.0] };
    PowerProduct { samples: vec![sample], factor: 1.0 }.figure(evidence.seed)
}

#[cfg(test)]
mod tests {
    use super::super::Presence;
    use super::*;

    #[test]
    fn pages_that_are_visited_more_often_count_by_the_inverse_of_that() {
        // A has both pages, B only the one with ten ways to it, which is visited ten times as often.
        let page = |walk, degree, second| WalkedPage { walk, degree, first: Presence::Url, second };
        let walk = |walk| {
            let hubs = std::iter::repeat_n(page(walk, 10, Presence::Url), 10);
            hubs.chain([page(walk, 1, Presence::Missing)])
        };
        let evidence =
            SizeEvidence { walked: (0..5).flat_map(walk).collect(), ..SizeEvidence::default() };
        let value = |row: &SizeMethod| (row.estimate)(&evidence).expect("a figure").value;
        assert!((value(&RAW) - 1.1).abs() < 1e-9);
        assert!((value(&CORRECTED) - 2.0).abs() < 1e-9);
        let few = SizeEvidence { walked: walk(1).collect(), ..SizeEvidence::default() };
        assert_eq!((RAW.estimate)(&few).err(), Some(NoSize::FewDrawn));
    }
}
