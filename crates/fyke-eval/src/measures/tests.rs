//! Every row of the table: its names, its example, and what holds for all rankings.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::HashSet;

/// The figure of a ranking by a measure, asked for by name.
fn figure(asked: &MeasureName, judged: &mut Judged) -> f64 {
    judged.set_level(asked.level.unwrap_or(1));
    (asked.row.compute)(judged, &asked.parameters)
}

fn judged(example: &MeasureExample) -> Judged {
    let all = example.ranking.iter().chain(example.missed);
    let mut judged = Judged::new(example.ranking.to_vec(), all.clone().copied());
    let groups = all.zip(example.groups).map(|(&grade, &group)| (grade, group)).collect();
    let ranking = example.groups.iter().take(example.ranking.len()).copied().collect();
    judged.set_copies(Some(Copies { ranking, judged: groups }));
    judged
}

#[test]
fn every_row_has_its_own_names_and_keeps_its_example() {
    let mut names = HashSet::new();
    for row in MEASURES {
        assert!(names.insert(row.name) && row.what.len() > 10, "row {}", row.name);
        let example = row.example;
        let asked = find(example.asked).unwrap_or_else(|| panic!("{}", example.asked));
        assert_eq!(asked.row.name, row.name);
        let nothing = figure(&asked, &mut Judged::default());
        assert!(row.name == "NumQ" || nothing == 0.0, "{}: {nothing}", row.name);
        assert!(nothing.is_sign_positive(), "{}: {nothing}", row.name);
        let found = figure(&asked, &mut judged(&example));
        let expected = example.figure;
        assert!((found - expected).abs() < 5e-5, "{}: {found}, not {expected}", row.name);
    }
}

#[test]
fn names_are_found_in_both_spellings() {
    let check = |name: &str, row: &str, cut: usize, numbers: &[f64]| {
        let asked = find(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((asked.row.name, asked.parameters.cut), (row, cut), "{name}");
        assert_eq!(asked.parameters.numbers, numbers, "{name}");
    };
    let whole = usize::MAX;
    check("nDCG@10", "nDCG", 10, &[]);
    check("ndcg_cut_10", "nDCG", 10, &[]);
    check("nDCG", "nDCG", whole, &[]);
    check("map", "AP", whole, &[]);
    check("P_5", "P", 5, &[]);
    check("R@100", "R", 100, &[]);
    check("recip_rank", "RR", whole, &[]);
    check("Rprec", "Rprec", whole, &[]);
    check("ERR@20", "ERR", 20, &[4.0]);
    check("RBP(p=0.5)", "RBP", whole, &[0.5]);
    check("RBP(rel=1, p=0.5)@10", "RBP", 10, &[0.5]);
    check("SetF(beta=2)", "SetF", whole, &[2.0]);
    check("set_F", "SetF", whole, &[1.0]);
    check("IPrec@0.1", "IPrec", whole, &[0.1]);
    check("iprec_at_recall_0.10", "IPrec", whole, &[0.1]);
    check("Rprec_mult_0.20", "Rprec_mult", whole, &[0.2]);
    check("11pt_avg", "11pt_avg", whole, &[]);
    check("gm_map", "GMAP", whole, &[]);
    check("alpha_nDCG(alpha=1)@5", "alpha_nDCG", 5, &[1.0]);
    assert_eq!(find("P(rel=2)@10").and_then(|asked| asked.level), Some(2));
    for unknown in [
        "",
        "P",
        "P@",
        "P@0",
        "P@-1",
        "Rprec@5",
        "nDCG@x",
        "_3",
        "ndcg_10",
        "P(rel=2",
        "P(p=1)@5",
        "RBP(p=nan)",
        "IPrec",
        "nDCG(rel=x)",
    ] {
        assert!(find(unknown).is_none(), "{unknown}");
    }
}

#[test]
fn the_quiz_of_the_lecture_on_precision_recall_accuracy_and_f1() {
    // 50 rightly and 30 wrongly retrieved, 100 wrongly and 150 rightly left out
    let ranking = [vec![1; 50], vec![0; 30]].concat();
    let left_out = [vec![1; 100], vec![0; 150]].concat();
    let mut judged = Judged::new(ranking.clone(), ranking.into_iter().chain(left_out));
    let mut check = |name: &str, expected: f64| {
        let found = figure(&find(name).unwrap(), &mut judged);
        assert!((found - expected).abs() < 5e-5, "{name}: {found}");
    };
    check("SetP", 0.625);
    check("SetR", 1.0 / 3.0);
    check("SetAccuracy", 200.0 / 330.0);
    check("SetF", 0.4348);
}

#[test]
fn an_engine_that_finds_nothing_is_very_accurate() {
    let snoogle = Judged::new(Vec::new(), [1]).with_collection(Some(10_000));
    let accuracy = find("accuracy").unwrap();
    assert_eq!(figure(&accuracy, &mut snoogle.clone()), 0.9999);
    assert_eq!(figure(&find("SetR").unwrap(), &mut snoogle.clone()), 0.0);
}

proptest! {
    #[test]
    fn figures_lie_between_0_and_1_and_the_ideal_ranking_is_best(
        grades in vec(-2..5i32, 0..40), missed in vec(0..5i32, 0..20), cut in 1..50usize,
        level in 1..3,
    ) {
        let all: Vec<i32> = grades.iter().chain(&missed).copied().collect();
        let mut ideal: Vec<i32> = all.iter().copied().filter(|&grade| grade >= level).collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        let mut judged = Judged::new(grades, all.clone());
        let mut best = Judged::new(ideal, all);
        for row in MEASURES.iter().filter(|row| row.scale == Scale::Share) {
            let mut asked = MeasureName { level: Some(level), ..MeasureName::usual(row) };
            match row.at {
                Cutoff::Nothing => {}
                Cutoff::Rank | Cutoff::MaybeRank => asked.parameters.cut = cut,
                Cutoff::Number => asked.parameters.numbers = vec![cut as f64 / 50.0],
            }
            let found = figure(&asked, &mut judged);
            prop_assert!((0.0..=1.0 + 1e-9).contains(&found), "{}: {}", row.name, found);
            // Gains do not know of the level: their ideal is that of all grades above 0.
            if level == 1 {
                let top = figure(&asked, &mut best);
                prop_assert!(found <= top + 1e-9, "{}: {} above {}", row.name, found, top);
            }
        }
    }

    #[test]
    fn any_name_is_found_or_not(name in "[a-zA-Z_0-9]{0,12}[(@_]{0,2}[a-z0-9=,.)@-]{0,12}") {
        let _ = find(&name);
    }
}
