//! A planted better ranker is found, one that is as good is not, and the number of searches needed
//! is about right; for both ways of interleaving and both models of users.

use crate::users::{MODELS, Model, share};
use fyke_eval::binomial::sign_test;
use fyke_eval::interleave::{INTERLEAVINGS, InterleaveVerdict, Interleaving, Team};
use fyke_eval::outcome::{ALPHA, ExperimentOutcome, POWER};
use fyke_eval::random::Random;

const DOCUMENTS: u64 = 12;
const SHOWN: usize = 10;

/// How far two rankers err about the grade of a document.
#[derive(Clone, Copy)]
struct Rankers {
    a: f64,
    b: f64,
}

const ALIKE: Rankers = Rankers { a: 1.5, b: 1.5 };
const BETTER: Rankers = Rankers { a: 2.5, b: 0.5 };
const WORSE: Rankers = Rankers { a: 0.5, b: 2.5 };
const SLIGHTLY: Rankers = Rankers { a: 2.0, b: 1.0 };

/// Documents in the order of their grades, seen with errors of this size.
fn ranking(grades: &[usize], error: f64, random: &mut Random) -> Vec<u64> {
    let seen = |grade: &usize| *grade as f64 + error * (share(random) - 0.5) * 2.0;
    let mut scored: Vec<(u64, f64)> = (0..).zip(grades.iter().map(seen)).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    scored.into_iter().map(|(document, _)| document).collect()
}

/// What one person says of two rankers.
fn impression(
    row: &Interleaving,
    users: Model,
    rankers: Rankers,
    random: &mut Random,
) -> InterleaveVerdict {
    // Of ten documents six are of no use, and one is perfect.
    let grade = |share: f64| [0.6, 0.8, 0.9].iter().filter(|&&limit| share > limit).count();
    let grades: Vec<usize> = (0..DOCUMENTS).map(|_| grade(share(random))).collect();
    let a = ranking(&grades, rankers.a, random);
    let b = ranking(&grades, rankers.b, random);
    let list = row.interleave(&a, &b, SHOWN, random.bits());
    let shown: Vec<usize> = list.iter().map(|placed| grades[placed.document as usize]).collect();
    row.judge(&list, &users(&shown, random))
}

fn verdicts(
    row: &Interleaving,
    users: Model,
    rankers: Rankers,
    size: u64,
    seed: u64,
) -> Vec<InterleaveVerdict> {
    let mut random = Random::new(seed);
    (0..size).map(|_| impression(row, users, rankers, &mut random)).collect()
}

/// Whether the test finds a difference: of an outcome no more than that, for the sake of time.
fn differ(verdicts: &[InterleaveVerdict]) -> bool {
    let won = |team| verdicts.iter().filter(|&&v| v == InterleaveVerdict::Won(team)).count() as u64;
    sign_test(won(Team::A), won(Team::B)) < ALPHA
}

fn each(mut check: impl FnMut(&str, &Interleaving, Model)) {
    for row in &INTERLEAVINGS {
        for (users, model) in MODELS {
            check(&format!("{}, {users} users", row.name), row, model);
        }
    }
}

#[test]
fn a_planted_better_ranker_is_found() {
    each(|name, row, users| {
        for seed in 0..5 {
            for (rankers, winner) in [(BETTER, Team::B), (WORSE, Team::A)] {
                let found = ExperimentOutcome::of(&verdicts(row, users, rankers, 300, seed));
                assert_eq!(found.winner(), Some(winner), "{name}: {found:?}");
            }
        }
    });
}

#[test]
fn one_that_is_as_good_is_found_as_seldom_as_the_level_says() {
    each(|name, row, users| {
        let size = 200;
        let found = |seed| {
            ExperimentOutcome::of(&verdicts(row, users, ALIKE, 150, seed)).winner().is_some()
        };
        let alarms = (0..size).filter(|&seed| found(1_000 + seed)).count();
        // Around 5 %, and never far below it: more than 9.5 % would be one chance in a thousand.
        assert!((1..=19).contains(&alarms), "{name}: {alarms} false alarms in {size}");
    });
}

#[test]
fn the_same_ranker_twice_always_ties() {
    each(|name, row, users| {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let grades: Vec<usize> = (0..DOCUMENTS).map(|_| random.bits() as usize % 4).collect();
            let one = ranking(&grades, 1.0, &mut random);
            let list = row.interleave(&one, &one, SHOWN, random.bits());
            let shown: Vec<usize> =
                list.iter().map(|placed| grades[placed.document as usize]).collect();
            let verdict = row.judge(&list, &users(&shown, &mut random));
            assert!(!matches!(verdict, InterleaveVerdict::Won(_)), "{name}");
        }
    });
}

#[test]
fn so_many_searches_as_it_says_are_needed() {
    each(|name, row, users| {
        let pool = verdicts(row, users, SLIGHTLY, 3_000, 77);
        let needed = ExperimentOutcome::of(&pool).needed.unwrap();
        let mut random = Random::new(78);
        // Experiments of this size among people of whom the effect is known exactly.
        let mut power = |size: u64| {
            let mut once = || {
                let draw = |_| pool[random.below(pool.len())];
                differ(&(0..size).map(draw).collect::<Vec<_>>())
            };
            (0..400).filter(|_| once()).count() as f64 / 400.0
        };
        let (enough, few) = (power(needed), power(needed / 4));
        // Three standard errors.
        assert!((enough - POWER).abs() < 0.06, "{name}: {enough} with {needed} searches");
        assert!(few < 0.45, "{name}: {few} with a quarter of {needed} searches");
    });
}
