//! Random searches (001, after Lawrence and Giles): searches of a log or of topics, of which both engines give
//! whole, small answers; hits that hold the words are counted. Raw: the mean of the ratios of single searches,
//! as they averaged; corrected: the ratio of the sums.

use super::interval::{PowerProduct, SampledRows};
use super::{NoSize, SearchCounts, SizeBias, SizeEvidence, SizeFigure, SizeMethod, SizeQuantity};

/// Fewer searches say nothing.
const FEWEST: usize = 10;

pub(super) const RAW: SizeMethod = SizeMethod {
    name: "searches-raw",
    what: "hits of searches from a log, as the mean of the ratios of single searches",
    quantity: SizeQuantity::Ratio,
    is_raw: true,
    biases: &[SizeBias::MeanOfRatios, SizeBias::Source, SizeBias::Copies, SizeBias::Operation],
    estimate: |evidence| {
        let row = |counts: &SearchCounts| {
            let has_ratio = counts.first > 0 && counts.second > 0;
            has_ratio.then(|| [f64::from(counts.first) / f64::from(counts.second), 1.0, 0.0])
        };
        figure(evidence, evidence.searches.iter().filter_map(row).collect())
    },
};

pub(super) const CORRECTED: SizeMethod = SizeMethod {
    name: "searches",
    what: "hits of searches from a log, as the ratio of the sums over all searches",
    quantity: SizeQuantity::Ratio,
    is_raw: false,
    biases: &[SizeBias::Source, SizeBias::Copies, SizeBias::Operation],
    estimate: |evidence| {
        let row = |counts: &SearchCounts| [f64::from(counts.first), f64::from(counts.second), 0.0];
        figure(evidence, evidence.searches.iter().map(row).collect())
    },
};

fn figure(evidence: &SizeEvidence, rows: Vec<[f64; 3]>) -> Result<SizeFigure, NoSize> {
    match rows.len() {
        0 => return Err(NoSize::NotAsked),
        few if few < FEWEST => return Err(NoSize::FewDrawn),
        _ => {}
    }
    let sample = SampledRows { rows, powers: [1.0, -1.0, 0.0] };
    PowerProduct { samples: vec![sample], factor: 1.0 }.figure(evidence.seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_ratios_lies_above_the_ratio_of_sums_and_leaves_out_what_has_no_ratio() {
        let counts = |first, second| SearchCounts { first, second, both: 0 };
        let mut searches = [counts(4, 1), counts(1, 4)].repeat(10);
        searches.push(counts(0, 9));
        let evidence = SizeEvidence { searches, ..SizeEvidence::default() };
        let value = |row: &SizeMethod| (row.estimate)(&evidence).expect("a figure").value;
        assert!((value(&RAW) - 2.125).abs() < 1e-9, "{}", value(&RAW));
        assert!((value(&CORRECTED) - 50.0 / 59.0).abs() < 1e-9, "{}", value(&CORRECTED));
    }
}
