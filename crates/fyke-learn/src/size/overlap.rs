//! Relative size from overlap (001): pages drawn from each engine are looked for in the other,
//! |A| / |B| = p_B / p_A, where p_A is the share of A's pages that B has. Corrected: pages are weighted by the
//! inverse of their chance to be drawn, answers that were cut are left out, another address, a near-copy or
//! the beginning of a page count, and each share is divided by that of the other engine's own pages that such
//! queries find again.

use super::interval::{PowerProduct, SampledRows};
use super::{
    DrawnQuery, EngineSide, NoSize, SizeBias, SizeEvidence, SizeFigure, SizeMethod, SizeQuantity,
};

/// Fewer pages of an engine say nothing.
const FEWEST: usize = 10;

pub(super) const RAW: SizeMethod = SizeMethod {
    name: "overlap-raw",
    what: "random queries, one hit of each looked for in the other engine; nothing is corrected",
    quantity: SizeQuantity::Ratio,
    is_raw: true,
    biases: &[
        SizeBias::Query,
        SizeBias::Ranking,
        SizeBias::Address,
        SizeBias::Copies,
        SizeBias::Restriction,
        SizeBias::Poor,
        SizeBias::Operation,
    ],
    estimate: |evidence| {
        let left_in = [
            SizeBias::Query,
            SizeBias::Ranking,
            SizeBias::Address,
            SizeBias::Copies,
            SizeBias::Restriction,
        ];
        overlap(evidence, &left_in)
    },
};

pub(super) const CORRECTED: SizeMethod = SizeMethod {
    name: "overlap",
    what: "the same with weights 1/sum(1/|res(q)|), whole answers only, copies and other addresses present",
    quantity: SizeQuantity::Ratio,
    is_raw: false,
    biases: &[SizeBias::Poor, SizeBias::Operation],
    estimate: |evidence| overlap(evidence, &[]),
};

/// |A| / |B| where these shares of each engine's pages are in the other.
#[must_use]
pub fn relative_size(share_of_first: f64, share_of_second: f64) -> Option<f64> {
    (share_of_first > 0.0 && share_of_second > 0.0).then(|| share_of_second / share_of_first)
}

/// The share of one engine's pages that the other has, with some errors left in.
///
/// # Errors
/// When too little was drawn.
pub fn share_in_other(
    evidence: &SizeEvidence,
    side: EngineSide,
    left_in: &[SizeBias],
) -> Result<SizeFigure, NoSize> {
    let rows = EngineSide::BOTH.map(|side| rows(evidence.from(side), left_in));
    let [own, other] = match (side, rows) {
        (EngineSide::First, [first, second]) => [first, second],
        (EngineSide::Second, [first, second]) => [second, first],
    };
    if own.len() < FEWEST || other.len() < FEWEST {
        return Err(NoSize::FewDrawn);
    }
    let again = if left_in.contains(&SizeBias::Restriction) { 0.0 } else { 1.0 };
    let own = padded(SampledRows { rows: own, powers: [1.0, 0.0, -1.0] });
    let other = SampledRows { rows: other, powers: [0.0, -again, again] };
    PowerProduct { samples: vec![own, other], factor: 1.0 }.figure(evidence.seed)
}

/// The figure with some errors left in.
///
/// # Errors
/// When too little was drawn, or the engines share nothing.
pub fn overlap(evidence: &SizeEvidence, left_in: &[SizeBias]) -> Result<SizeFigure, NoSize> {
    if evidence.from_first.is_empty() && evidence.from_second.is_empty() {
        return Err(NoSize::NotAsked);
    }
    // Searching again is itself a correction of what restriction does.
    let again = if left_in.contains(&SizeBias::Restriction) { 0.0 } else { 1.0 };
    let samples = EngineSide::BOTH.map(|side| {
        let sign = if side == EngineSide::First { -1.0 } else { 1.0 };
        let rows = rows(evidence.from(side), left_in);
        SampledRows { rows, powers: [sign, sign * again, -sign * (1.0 + again)] }
    });
    if samples.iter().any(|sample| sample.rows.len() < FEWEST) {
        return Err(NoSize::FewDrawn);
    }
    PowerProduct { samples: samples.map(padded).to_vec(), factor: 1.0 }.figure(evidence.seed)
}

/// Of each page its weight where the other engine has it, where its own finds it again, and in any case.
fn rows(queries: &[DrawnQuery], left_in: &[SizeBias]) -> Vec<[f64; 3]> {
    let keeps_cut = left_in.contains(&SizeBias::Ranking);
    let pages = queries.iter().filter(|query| keeps_cut || !query.is_cut);
    let row = |query: &DrawnQuery| {
        let page = query.page?;
        let weight = if left_in.contains(&SizeBias::Query) { 1.0 } else { page.weight };
        let of = |is_there: bool| if is_there { weight } else { 0.0 };
        Some([of(page.other.counts(left_in)), of(page.home.counts(left_in)), weight])
    };
    pages.filter_map(row).collect()
}

/// Where every page was found, one more that was found by half says how little is known of the rest.
fn padded(mut sample: SampledRows) -> SampledRows {
    let mean = sample.rows.iter().map(|row| row[2]).sum::<f64>() / sample.rows.len() as f64;
    if sample.rows.iter().all(|row| row[0] == row[2]) {
        sample.rows.push([mean / 2.0, mean, mean]);
    }
    sample
}

#[cfg(test)]
mod tests {
    use super::super::{DrawnPage, Presence};
    use super::*;

    /// So many pages of which so many are found.
    fn drawn(found: usize, of: usize) -> Vec<DrawnQuery> {
        let page = |at: usize| DrawnPage {
            weight: 1.0,
            home: Presence::Url,
            other: if at < found { Presence::Url } else { Presence::Missing },
            length: 100,
            depth: 1,
            site: 0,
        };
        (0..of).map(|at| DrawnQuery { page: Some(page(at)), is_cut: false }).collect()
    }

    #[test]
    fn the_figures_of_the_source_come_out() {
        // Half of A is in B, a sixth of B is in A: A is a third of B.
        assert_eq!(relative_size(1.0 / 2.0, 1.0 / 6.0), Some(1.0 / 3.0));
        assert_eq!(relative_size(0.0, 0.5), None);
        let evidence = SizeEvidence {
            from_first: drawn(60, 120),
            from_second: drawn(20, 120),
            ..SizeEvidence::default()
        };
        for row in [&RAW, &CORRECTED] {
            let figure = (row.estimate)(&evidence).expect("a figure");
            assert!((figure.value - 1.0 / 3.0).abs() < 1e-9, "{}", figure.value);
            let (low, high) = figure.interval;
            let (least, most) = figure.bootstrap.expect("an interval");
            assert!(low < 1.0 / 3.0 && high > 1.0 / 3.0 && (low / least - 1.0).abs() < 0.15);
            assert!((high / most - 1.0).abs() < 0.15, "{high} {most}");
        }
    }

    #[test]
    fn each_correction_counts_what_the_raw_figure_misses() {
        let mut evidence = SizeEvidence {
            from_first: drawn(60, 120),
            from_second: drawn(60, 120),
            ..SizeEvidence::default()
        };
        for (presence, bias) in [
            (Presence::Form, SizeBias::Address),
            (Presence::Copy, SizeBias::Copies),
            (Presence::Part, SizeBias::Restriction),
        ] {
            let queries = evidence.from_first.iter_mut().take(30);
            queries.for_each(|query| query.page.as_mut().unwrap().other = presence);
            let with = overlap(&evidence, &[bias]).unwrap().value;
            assert!((with - 2.0).abs() < 1e-9, "{bias:?}: {with}");
            assert!((overlap(&evidence, &[]).unwrap().value - 1.0).abs() < 1e-9);
        }
        evidence.from_first.iter_mut().take(30).for_each(|query| query.is_cut = true);
        let whole = overlap(&evidence, &[]).unwrap().value;
        assert!((whole - 1.5).abs() < 1e-9, "{whole}");
    }

    #[test]
    fn an_engine_that_finds_half_of_its_own_pages_has_twice_as_many_of_the_others() {
        let mut evidence = SizeEvidence {
            from_first: drawn(30, 120),
            from_second: drawn(60, 120),
            ..SizeEvidence::default()
        };
        for query in evidence.from_second.iter_mut().skip(60) {
            query.page.as_mut().unwrap().home = Presence::Missing;
        }
        let figure = overlap(&evidence, &[]).unwrap();
        assert!((figure.value - 1.0).abs() < 1e-9, "{}", figure.value);
    }

    #[test]
    fn the_share_of_pages_in_the_other_engine_is_that_of_the_source() {
        let evidence = SizeEvidence {
            from_first: drawn(60, 120),
            from_second: drawn(20, 120),
            ..SizeEvidence::default()
        };
        let share = |side| share_in_other(&evidence, side, &[]).unwrap().value;
        assert!((share(EngineSide::First) - 1.0 / 2.0).abs() < 1e-9);
        assert!((share(EngineSide::Second) - 1.0 / 6.0).abs() < 1e-9);
    }

    #[test]
    fn where_nothing_is_shared_or_little_drawn_there_is_no_figure() {
        let check = |first, second, expected| {
            let evidence =
                SizeEvidence { from_first: first, from_second: second, ..SizeEvidence::default() };
            assert_eq!(overlap(&evidence, &[]).err(), Some(expected));
        };
        check(drawn(0, 50), drawn(0, 50), NoSize::NothingShared);
        check(drawn(3, 4), drawn(9, 50), NoSize::FewDrawn);
        check(Vec::new(), Vec::new(), NoSize::NotAsked);
    }
}
