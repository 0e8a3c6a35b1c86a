//! A planted better ranker is found, one that is as good is not, and the number of searches needed
//! is about right; for both ways of interleaving and both models of users.

use crate::users::{Chance, MODELS, Model};
use fyke_eval::interleave::{INTERLEAVINGS, Interleaving, Team, Verdict};
use fyke_eval::outcome::{ALPHA, Outcome, POWER};

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
fn ranking(grades: &[usize], error: f64, chance: &mut Chance) -> Vec<u64> {
    let seen = |grade: &usize| *grade as f64 + error * (chance.share() - 0.5) * 2.0;
    let mut scored: Vec<(u64, f64)> = (0..).zip(grades.iter().map(seen)).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    scored.into_iter().map(|(document, _)| document).collect()
}

/// What one person says of two rankers.
fn impression(row: &Interleaving, users: Model, rankers: Rankers, chance: &mut Chance) -> Verdict {
    // Of ten documents six are of no use, and one is perfect.
    let grade = |share: f64| [0.6, 0.8, 0.9].iter().filter(|&&limit| share > limit).count();
    let grades: Vec<usize> = (0..DOCUMENTS).map(|_| grade(chance.share())).collect();
    let a = ranking(&grades, rankers.a, chance);
    let b = ranking(&grades, rankers.b, chance);
    let list = row.interleave(&a, &b, SHOWN, chance.bits());
    let shown: Vec<usize> = list.iter().map(|placed| grades[placed.document as usize]).collect();
    row.judge(&list, &users(&shown, chance))
}

fn outcome(row: &Interleaving, users: Model, rankers: Rankers, size: u64, seed: u64) -> Outcome {
    let mut chance = Chance(seed);
    let verdicts: Vec<_> =
        (0..size).map(|_| impression(row, users, rankers, &mut chance)).collect();
    Outcome::of(&verdicts)
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
                let found = outcome(row, users, rankers, 300, seed);
                assert_eq!(found.winner(), Some(winner), "{name}: {found:?}");
            }
        }
    });
}

#[test]
fn one_that_is_as_good_is_found_as_seldom_as_the_level_says() {
    each(|name, row, users| {
        let size = 200;
        let found = |seed| outcome(row, users, ALIKE, 150, seed).winner().is_some();
        let alarms = (0..size).filter(|&seed| found(1_000 + seed)).count();
        // Around 5 %, and never far below it: more than 9.5 % would be one chance in a thousand.
        assert!((1..=19).contains(&alarms), "{name}: {alarms} false alarms in {size}");
    });
}

#[test]
fn the_same_ranker_twice_always_ties() {
    each(|name, row, users| {
        let mut chance = Chance(3);
        for _ in 0..200 {
            let grades: Vec<usize> = (0..DOCUMENTS).map(|_| chance.bits() as usize % 4).collect();
            let one = ranking(&grades, 1.0, &mut chance);
            let list = row.interleave(&one, &one, SHOWN, chance.bits());
            let shown: Vec<usize> =
                list.iter().map(|placed| grades[placed.document as usize]).collect();
            let verdict = row.judge(&list, &users(&shown, &mut chance));
            assert!(!matches!(verdict, Verdict::Won(_)), "{name}");
        }
    });
}

#[test]
fn so_many_searches_as_it_says_are_needed() {
    each(|name, row, users| {
        let effect = outcome(row, users, SLIGHTLY, 6_000, 77);
        let needed = effect.needed.unwrap();
        let size = 150;
        let found = |seed| outcome(row, users, SLIGHTLY, needed, seed).p < ALPHA;
        let power = (0..size).filter(|&seed| found(5_000 + seed)).count() as f64 / size as f64;
        // Three standard errors of 150 trials.
        assert!((power - POWER).abs() < 0.1, "{name}: {power} with {needed} searches");
        let few = needed / 4;
        let found = |seed| outcome(row, users, SLIGHTLY, few, seed).p < ALPHA;
        let weak = (0..60).filter(|&seed| found(9_000 + seed)).count() as f64 / 60.0;
        assert!(weak < 0.5, "{name}: {weak} with {few} searches");
    });
}
