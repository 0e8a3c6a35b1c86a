//! The memories as 004 §5.2 describes them, and what all learners have in common.

use super::lengths::GammaLengths;
use super::*;

#[track_caller]
fn check(kind: MemoryKind, lessons: &[(usize, bool)], expected: &[f64]) {
    let mut scores = Scores::new(kind, expected.len());
    lessons.iter().for_each(|&(used, is_success)| scores.learn(used, is_success));
    for (found, expected) in scores.shares().into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{kind:?}: {found} for {expected}");
    }
}

#[test]
fn all_values_are_alike_at_the_start() {
    for kind in [
        MemoryKind::Less,
        MemoryKind::LongAdditive,
        MemoryKind::LongMultiplicative,
        MemoryKind::Fading,
    ] {
        check(kind, &[], &[0.25; 4]);
    }
}

#[test]
fn without_memory_success_stays_and_failure_moves_on() {
    check(MemoryKind::Less, &[(1, true)], &[0.0, 1.0, 0.0, 0.0]);
    check(MemoryKind::Less, &[(1, true), (1, false)], &[1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 3.0]);
}

#[test]
fn additive_memory_counts_successes_among_all_uses() {
    // Scores 2/3, 1/3 and 1/2.
    check(MemoryKind::LongAdditive, &[(0, true), (1, false)], &[4.0 / 9.0, 2.0 / 9.0, 3.0 / 9.0]);
}

#[test]
fn multiplicative_memory_doubles_and_halves_and_never_overflows() {
    check(
        MemoryKind::LongMultiplicative,
        &[(0, true), (1, false)],
        &[4.0 / 7.0, 1.0 / 7.0, 2.0 / 7.0],
    );
    let many = vec![(0, true); 5_000];
    check(MemoryKind::LongMultiplicative, &many, &[1.0, 0.0]);
}

#[test]
fn fading_memory_fades_and_shares_out_what_failure_loses() {
    // 0.9 + 1, 0.9, 0.9.
    check(MemoryKind::Fading, &[(0, true)], &[1.9 / 3.7, 0.9 / 3.7, 0.9 / 3.7]);
    check(MemoryKind::Fading, &[(0, false)], &[0.9 / 3.7, 1.4 / 3.7, 1.4 / 3.7]);
}

#[test]
fn gamma_lengths_follow_the_lengths_that_had_success() {
    let mut lengths = GammaLengths::new(MemoryKind::Fading);
    (0..200).for_each(|_| lengths.learn(3, true));
    (0..200).for_each(|_| lengths.learn(9, false));
    let (shape, scale) = lengths.parameters();
    assert!((shape * scale - 3.0).abs() < 0.01, "{}", shape * scale);
    let start = GammaLengths::new(MemoryKind::LongAdditive).parameters();
    assert!((start.0 * start.1 - 5.0).abs() < 1e-9);
    let mut dice = Dice::new(1);
    assert!((0..500).all(|_| lengths.draw(&mut dice) <= lengths::LONGEST));
}

#[test]
fn a_learner_comes_to_prefer_what_has_success() {
    for row in LEARNERS {
        let mut learner = (row.make)();
        let mut dice = Dice::new(23);
        let is_good = |choice: &QueryChoice| choice.include.selector.name == "OR";
        let mut late = [0_u32; 2];
        for step in 0..2_000 {
            let choice = learner.choose(&mut dice);
            let result = if is_good(&choice) { QueryResult::Found } else { QueryResult::Wrong };
            learner.learn(&choice, QueryLesson { result, is_new: true });
            late[usize::from(is_good(&choice))] += u32::from(step >= 1_000);
        }
        assert!(late[1] > late[0] / 2, "{}: {late:?}", row.name);
        let shares = learner.shares();
        let first = shares.first().map(|share| share.parameter);
        let sum: f64 =
            shares.iter().filter(|share| Some(share.parameter) == first).map(|s| s.share).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{}: {sum}", row.name);
    }
}

#[test]
fn fixed_ways_are_named_as_in_004() {
    let choice = |name: &str| {
        let choice = Fixed::named(name)?.choose(&mut Dice::new(0));
        Some((choice.include.selector.name, choice.include.length, choice.exclude.length))
    };
    assert_eq!(choice("OR-3"), Some(("OR", 3, 3)));
    assert_eq!(choice("PTF-2-0"), Some(("PTF", 2, 0)));
    for wrong in ["OR", "OR-0", "OR-11", "XX-3", "OR-3-3-3", "OR-3-11"] {
        assert_eq!(choice(wrong), None, "{wrong}");
    }
}

#[test]
fn a_learner_is_found_by_its_name() {
    let mut dice = Dice::new(5);
    let mut fading = learner("FMIF-4").expect("a fading memory with a fixed length");
    assert!((0..50).all(|_| {
        let QueryChoice { include, exclude } = fading.choose(&mut dice);
        (include.length, exclude.length) == (4, 4)
    }));
    assert!(LEARNERS.iter().all(|row| learner(row.name).is_some()) && learner("OR-3").is_some());
    for wrong in ["FMIF-", "FMIF-0", "FMIF-11", "XXIF-3", "LTXX", ""] {
        assert!(learner(wrong).is_none(), "{wrong}");
    }
}
