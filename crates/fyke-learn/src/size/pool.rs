//! Absolute size by a pool of queries (Broder et al. 2006, Bar-Yossef and Gurevich 2007, from 001's weights):
//! a page that answers d queries of the pool is drawn by query q with chance 1/|res(q)|, so the mean of
//! |res(q)|/d over queries drawn at random, times the number of queries, is the number of pages that answer any.
//! |res(q)|/d is what 1/Σ 1/|res(q)| is on average over the queries that drew the page, at one query a page.
//! No two engines need be independent for it.

use super::interval::{PowerProduct, SampledRows};
use super::{
    DrawnQuery, EngineSide, NoSize, SizeBias, SizeEvidence, SizeFigure, SizeMethod, SizeQuantity,
};

/// Fewer queries that found something say nothing.
const FEWEST: usize = 20;

const BIASES: &[SizeBias] = &[SizeBias::Poor, SizeBias::Operation];

pub(super) const FIRST: SizeMethod = SizeMethod {
    name: "pool-a",
    what: "pages of A that hold words of the lexicon, by the queries each of them answers",
    quantity: SizeQuantity::First,
    is_raw: false,
    biases: BIASES,
    estimate: |evidence| absolute(evidence, EngineSide::First),
};

pub(super) const SECOND: SizeMethod = SizeMethod {
    name: "pool-b",
    what: "pages of B that hold words of the lexicon, by the queries each of them answers",
    quantity: SizeQuantity::Second,
    is_raw: false,
    biases: BIASES,
    estimate: |evidence| absolute(evidence, EngineSide::Second),
};

pub(super) const RATIO: SizeMethod = SizeMethod {
    name: "pool",
    what: "the ratio of the two numbers of pages by the same queries; pages are not looked for elsewhere",
    quantity: SizeQuantity::Ratio,
    is_raw: false,
    biases: BIASES,
    estimate: |evidence| {
        let first = sample(evidence, EngineSide::First, 1.0)?;
        let second = sample(evidence, EngineSide::Second, -1.0)?;
        figure(vec![first, second], 1.0, evidence.seed)
    },
};

fn absolute(evidence: &SizeEvidence, side: EngineSide) -> Result<SizeFigure, NoSize> {
    figure(vec![sample(evidence, side, 1.0)?], evidence.pool, evidence.seed)
}

/// A row for each query, also for one that found nothing.
fn sample(evidence: &SizeEvidence, side: EngineSide, sign: f64) -> Result<SampledRows, NoSize> {
    let queries = evidence.from(side);
    if queries.is_empty() || evidence.pool <= 0.0 {
        return Err(NoSize::NotAsked);
    }
    let weight = |query: &DrawnQuery| match query.page {
        Some(page) if !query.is_cut => page.weight,
        _ => 0.0,
    };
    let rows: Vec<[f64; 3]> = queries.iter().map(|query| [weight(query), 1.0, 0.0]).collect();
    match rows.iter().filter(|row| row[0] > 0.0).count() {
        found if found < FEWEST => Err(NoSize::FewDrawn),
        _ => Ok(SampledRows { rows, powers: [sign, -sign, 0.0] }),
    }
}

fn figure(samples: Vec<SampledRows>, factor: f64, seed: u64) -> Result<SizeFigure, NoSize> {
    PowerProduct { samples, factor }.figure(seed)
}

#[cfg(test)]
mod tests {
    use super::super::{DrawnPage, Presence};
    use super::*;
    use crate::terms::Dice;

    #[test]
    fn pages_of_any_length_are_counted_by_the_queries_they_answer() {
        // 400 pages, each with 3 to 30 of 60 words; a query is two words.
        let mut dice = Dice::new(5);
        let pages: Vec<Vec<bool>> = (0..400)
            .map(|page| {
                let words = 3 + page % 28;
                let mut has = vec![false; 60];
                while has.iter().filter(|has| **has).count() < words {
                    has[dice.below(60)] = true;
                }
                has
            })
            .collect();
        let queries = (0..3_000).map(|_| {
            let one = dice.below(60);
            let two = (one + 1 + dice.below(59)) % 60;
            let found: Vec<_> = pages.iter().filter(|page| page[one] && page[two]).collect();
            let page = (!found.is_empty()).then(|| found[dice.below(found.len())]);
            let page = page.map(|page| {
                let words = page.iter().filter(|has| **has).count() as f64;
                DrawnPage {
                    weight: found.len() as f64 / (words * (words - 1.0) / 2.0),
                    home: Presence::Url,
                    other: Presence::Missing,
                    length: 9,
                    depth: 1,
                    site: 0,
                }
            });
            DrawnQuery { is_cut: false, page }
        });
        let evidence = SizeEvidence {
            from_first: queries.collect(),
            pool: 60.0 * 59.0 / 2.0,
            ..SizeEvidence::default()
        };
        let figure = (FIRST.estimate)(&evidence).expect("a figure");
        assert!((figure.value / 400.0 - 1.0).abs() < 0.2, "{}", figure.value);
        assert!(figure.interval.0 < 400.0 && 400.0 < figure.interval.1, "{:?}", figure.interval);
        assert_eq!((SECOND.estimate)(&evidence).err(), Some(NoSize::NotAsked));
    }
}
