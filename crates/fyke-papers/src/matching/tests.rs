//! Tests of matching.

use super::*;
use crate::fields::PaperField;
use crate::made::made;
use proptest::collection::vec;
use proptest::prelude::*;

fn citation(authors: &str, title: &str, venue: &str, date: &str) -> Citation {
    let [authors, title, venue, date] = [authors, title, venue, date].map(str::to_owned);
    Citation { authors, title, venue, date, ..Citation::default() }
}

/// Four papers: the first three ways of naming one, and others.
fn some() -> Vec<Citation> {
    vec![
        citation(
            "A. Fisher and B. Hook",
            "Weaving nets by moonlight.",
            "Journal of Tides",
            "1999.",
        ),
        citation("Fisher, A., Hook, B.", "Weaving nets by moonligth", "J. Tides", "1999"),
        citation("Anna Fisher & Bert Hook", "Weaving Nets by Moonlight", "", "(1999)"),
        citation("A. Fisher", "Boats that never sink", "Journal of Tides", "2001"),
        citation("C. Angler", "Rivers and their bends: a survey", "Proc. Rivers", "1987"),
    ]
}

#[test]
fn references_to_one_paper_are_one_and_to_others_are_others() {
    let papers = Grouping::default().add(some());
    assert!(papers[0] == papers[1] && papers[1] == papers[2]);
    assert!(papers[0] != papers[3] && papers[3] != papers[4] && papers[0] != papers[4]);
}

#[test]
fn a_reference_without_a_title_of_its_own_field_is_found_by_its_words() {
    let mut all = some();
    all.push(citation(
        "A. Fisher and B. Hook",
        "",
        "Weaving nets by moonlight. Journal of Tides",
        "1999.",
    ));
    let papers = Grouping::default().add(all);
    assert_eq!(papers[5], papers[0]);
}

#[test]
fn new_references_join_papers_whose_numbers_stay_also_after_they_were_stored() {
    let all = some();
    let mut grouping = Grouping::default();
    let before = grouping.add(&all[..2]);
    assert_eq!(before[0], before[1]);
    let stored = all.iter().zip(before.iter().copied());
    let mut restored = Grouping::restore(GroupingOptions::default(), stored);
    let joined = restored.add(&all[1..4]);
    assert_eq!(joined[..2], [before[0], before[0]]);
    assert_eq!(joined, grouping.add(&all[1..4]));
    assert_ne!(joined[2], before[0]);
}

#[test]
fn thousands_of_forms_of_one_paper_make_three_papers_at_most() {
    let all = (0..1_600).map(|at| {
        let mut one = some().swap_remove(at % 3);
        one.pages = format!("{}-{}", at, at + 9);
        one
    });
    let mut papers = Grouping::default().add(all);
    papers.sort_unstable();
    papers.dedup();
    assert!(papers.len() <= 3, "{papers:?}");
}

#[test]
fn made_references_are_grouped_as_they_were_made() {
    let known: Vec<KnownCitation> = made(5, 800).collect();
    let found = Grouping::default().add(known.iter().map(|known| &known.citation));
    let (mut right, mut wrong, mut missed) = (0, 0, 0);
    for (at, known_a) in known.iter().enumerate() {
        for (b, known_b) in known.iter().enumerate().skip(at + 1) {
            match (known_a.paper == known_b.paper, found[at] == found[b]) {
                (true, true) => right += 1,
                (false, true) => wrong += 1,
                (true, false) => missed += 1,
                (false, false) => {}
            }
        }
    }
    assert!(right > 9 * (wrong + missed), "{right} right, {wrong} wrong, {missed} missed");
}

#[test]
fn weights_that_are_learned_keep_their_signs() {
    let known: Vec<KnownCitation> = made(6, 300).collect();
    let weights = learn(&known);
    let forms: Vec<CitedForm> = known.iter().map(|known| CitedForm::of(&known.citation)).collect();
    assert!(weights.iter().zip(SIGNS).all(|(weight, sign)| weight * f64::from(sign) >= 0.0));
    let of = |a: usize, b: usize| score(&weights, &forms[a], &forms[b]);
    let other = known.iter().position(|other| other.paper != known[0].paper).unwrap();
    assert!(of(0, 0) > 0.9 && of(0, other) < 0.1, "{} {}", of(0, 0), of(0, other));
}

#[test]
fn fields_of_a_model_make_a_citation() {
    let field = |field: &str, text: &str| PaperField { field: field.into(), text: text.into() };
    let fields = [
        field("author", "A. Fisher."),
        field("title", "Nets."),
        field("note", "in press"),
        field("journal", "Tides,"),
        field("date", "May 1999a."),
    ];
    let found = Citation::of_fields(&fields);
    assert_eq!(found, citation("A. Fisher.", "Nets.", "Tides,", "May 1999a."));
    assert_eq!(found.year(), Some(1999));
    assert_eq!(citation("", "", "", "1999, pages 1200").year(), Some(1999));
    assert_eq!(citation("", "", "", "no. 12345").year(), None);
}

fn any_citation() -> impl Strategy<Value = Citation> {
    let field = || "\\PC{0,20}|[a-cA-C ,.&-]{0,20}|(net|of|and|[0-9]{1,4}| ){0,8}";
    (field(), field(), field(), field(), field(), field()).prop_map(
        |(authors, title, venue, volume, pages, date)| Citation {
            authors,
            title,
            venue,
            volume,
            pages,
            date,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_references_are_grouped_whatever_their_order(all in vec(any_citation(), 0..12)) {
        let found = Grouping::default().add(&all);
        let mut turned = Grouping::default().add(all.iter().rev());
        turned.reverse();
        prop_assert_eq!(&found, &turned);
        for (a, paper) in all.iter().zip(&found) {
            for (b, other) in all.iter().zip(&found) {
                prop_assert!(a != b || paper == other);
            }
        }
    }

    #[test]
    fn a_score_lies_between_0_and_1_and_is_the_same_from_both_sides(a in any_citation(), b in any_citation()) {
        let (a, b) = (CitedForm::of(&a), CitedForm::of(&b));
        let there = score(&MATCHING, &a, &b);
        prop_assert!((0.0..=1.0).contains(&there));
        prop_assert!((there - score(&MATCHING, &b, &a)).abs() < 1e-4);
    }
}
