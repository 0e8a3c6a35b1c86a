//! The ways as 004 §3.3 describes them, on counts that can be checked by hand.

use super::*;
use proptest::prelude::*;

const R: DocumentSide = DocumentSide::Relevant;
const N: DocumentSide = DocumentSide::Other;

fn document(terms: &[(u32, u32)]) -> Vec<TermCount> {
    terms.iter().map(|&(term, count)| TermCount { term, count }).collect()
}

/// Three relevant documents and two others. Term 1 stands in all, 2 in all relevant ones, 3 in two of
/// them, 4 in one; 8 in both others, 9 in one.
fn counts() -> TermCounts {
    let mut counts = TermCounts::default();
    counts.add(R, &document(&[(1, 9), (2, 2), (3, 1), (4, 3)]));
    counts.set_seeds();
    counts.add(R, &document(&[(1, 8), (2, 1), (3, 1)]));
    counts.add(R, &document(&[(1, 7), (2, 1)]));
    counts.add(N, &document(&[(1, 5), (8, 4)]));
    counts.add(N, &document(&[(1, 5), (8, 2), (9, 1)]));
    counts
}

#[track_caller]
fn ranks(name: &str, side: DocumentSide, expected: &[u32]) {
    let row = selector(name).expect("a row");
    let TermPick::Ranked(rank) = row.pick else { panic!("{name} draws") };
    assert_eq!(rank(&counts(), side, expected.len()), expected, "{name}");
    assert_eq!(rank(&counts(), side, 1), expected[..1], "{name}");
}

/// How often each term is drawn in 4,000 draws of one.
fn drawn(name: &str, side: DocumentSide) -> [f64; 10] {
    let TermPick::Drawn(draw) = selector(name).expect("a row").pick else { panic!("{name} ranks") };
    let (counts, mut dice, mut drawn) = (counts(), Dice::new(5), [0.0; 10]);
    for _ in 0..4_000 {
        for term in draw(&counts, side, 1, &mut dice) {
            drawn[term as usize] += 1.0 / 4_000.0;
        }
    }
    drawn
}

#[test]
fn ranked_ways_give_the_best_terms_first() {
    ranks("TF", R, &[1, 2, 4, 3]);
    ranks("TF", N, &[1, 8, 9]);
    // By hand, natural logarithm: 4: 3·ln 5 = 4.83; 2: 4·ln(5/3) = 2.04; 3: 2·ln(5/2) = 1.83; 1: 0.
    ranks("RTFIDF", R, &[4, 2, 3, 1]);
    ranks("OR", R, &[2, 3, 4, 1]);
    ranks("OR", N, &[8, 9, 1]);
}

#[test]
fn an_odds_ratio_is_smoothed_by_half_a_document() {
    let check = |with, expected: f64| {
        let found = odds_ratio(with, [3, 2]);
        assert!((found - expected).abs() < 1e-9, "{found}");
        assert!((log_odds_ratio(with, [3, 2]) - expected.log2()).abs() < 1e-9);
    };
    // p = 3.5/4 and q = 0.5/3: (3.5 · 2.5) / (0.5 · 0.5).
    check([3, 0], 35.0);
    check([2, 0], (2.5 / 1.5) / (0.5 / 2.5));
    check([3, 2], (3.5 / 0.5) / (2.5 / 0.5));
    assert!((rtfidf(3, 5, 1) - 3.0 * 5_f64.ln()).abs() < 1e-9);
}

#[test]
fn drawn_ways_have_the_probabilities_of_their_scores() {
    let near = |drawn: [f64; 10], expected: &[(usize, f64)]| {
        for (term, share) in expected {
            assert!((drawn[*term] - share).abs() < 0.03, "{term}: {drawn:?}");
        }
    };
    near(drawn("UN", R), &[(1, 0.25), (2, 0.25), (3, 0.25), (4, 0.25), (8, 0.0)]);
    near(drawn("PTF", R), &[(1, 24.0 / 33.0), (2, 4.0 / 33.0), (3, 2.0 / 33.0), (4, 3.0 / 33.0)]);
    let odds = [(1, [3, 2]), (2, [3, 0]), (3, [2, 0]), (4, [1, 0])];
    let scores = odds.map(|(term, with)| (term, log_odds_ratio(with, [3, 2]).max(0.0)));
    let all: f64 = scores.iter().map(|one| one.1).sum();
    near(drawn("POR", R), &scores.map(|(term, score)| (term, score / all)));
    // The upper half: 2 and 3.
    let half = scores[1].1 + scores[2].1;
    near(drawn("PORH", R), &[(2, scores[1].1 / half), (3, scores[2].1 / half), (4, 0.0), (1, 0.0)]);
    near(drawn("TUPLES", R), &[(1, 0.25), (2, 0.25), (3, 0.25), (4, 0.25)]);
    assert_eq!(drawn("TUPLES", N), [0.0; 10]);
}

#[test]
fn a_pair_has_a_term_that_all_relevant_documents_share() {
    let TermPick::Drawn(draw) = selector("PAIR").expect("a row").pick else { panic!("it ranks") };
    let (counts, mut dice) = (counts(), Dice::new(3));
    let mut common = 0;
    for _ in 0..200 {
        let terms = draw(&counts, R, 2, &mut dice);
        assert!(terms.len() == 2 && terms[0] != terms[1]);
        common += usize::from(terms.contains(&2));
    }
    assert!(common > 120, "{common}");
}

#[test]
fn every_way_has_a_name_of_its_own_and_says_what_it_is() {
    for (place, row) in SELECTORS.iter().enumerate() {
        assert!(SELECTORS[..place].iter().all(|other| other.name != row.name), "{}", row.name);
        assert!(row.what.len() > 20, "{}", row.name);
    }
    assert!(selector("XX").is_none());
}

proptest! {
    #[test]
    fn every_way_gives_different_terms_of_its_side_and_no_more_than_asked(
        documents in proptest::collection::vec(
            (any::<bool>(), proptest::collection::btree_map(0..30_u32, 1..5_u32, 0..8)), 0..12),
        length in 0..12_usize,
        seed in any::<u64>(),
    ) {
        let mut counts = TermCounts::default();
        for (is_relevant, terms) in documents {
            let terms: Vec<(u32, u32)> = terms.into_iter().collect();
            counts.add(if is_relevant { R } else { N }, &document(&terms));
        }
        counts.set_seeds();
        let mut dice = Dice::new(seed);
        for row in SELECTORS {
            for side in [R, N] {
                let terms = match row.pick {
                    TermPick::Ranked(rank) => rank(&counts, side, length),
                    TermPick::Drawn(draw) => draw(&counts, side, length, &mut dice),
                };
                prop_assert!(terms.len() <= length);
                prop_assert!(terms.iter().all(|term| counts.uses(side, *term).documents > 0));
                let mut once = terms.clone();
                once.sort_unstable();
                once.dedup();
                prop_assert_eq!(once.len(), terms.len());
                let is_ranked = matches!(row.pick, TermPick::Ranked(_));
                prop_assert!(!is_ranked || terms.len() == length.min(counts.terms(side).len()));
            }
        }
    }
}
