//! The loop against small webs: documents are sets of terms, and an engine in a line gives those that a
//! query fits.

use super::*;
use crate::terms::learners::{Fixed, LEARNERS};
use proptest::prelude::*;

/// Documents by number; those with a term below 50 are relevant.
type SmallWeb = Vec<Vec<u32>>;

fn hits(web: &SmallWeb, query: &TermQuery, most: usize) -> Vec<u64> {
    let fits = |terms: &Vec<u32>| {
        query.include().iter().all(|term| terms.contains(term))
            && !query.exclude().iter().any(|term| terms.contains(term))
    };
    let found = web.iter().enumerate().filter(|one| fits(one.1)).map(|one| one.0 as u64);
    found.take(most).collect()
}

fn counted(terms: &[u32]) -> Vec<TermCount> {
    terms.iter().map(|&term| TermCount { term, count: 1 }).collect()
}

fn builder(learner: Box<dyn Learner>, taken: HitsTaken, start: [&[u32]; 2]) -> CorpusBuilder {
    let mut counts = TermCounts::default();
    counts.add(DocumentSide::Relevant, &counted(start[0]));
    counts.add(DocumentSide::Other, &counted(start[1]));
    CorpusBuilder::new(counts, learner, taken, 9)
}

fn fixed(name: &str) -> Box<dyn Learner> {
    Box::new(Fixed::named(name).expect("a fixed way"))
}

/// Runs the loop; gives the queries sent and the documents looked at.
fn run(builder: &mut CorpusBuilder, web: &SmallWeb, most: u64) -> (Vec<TermQuery>, Vec<u64>) {
    let (mut queries, mut documents) = (Vec::new(), Vec::new());
    while builder.tally().queries < most {
        let document = match builder.next_step() {
            BuilderStep::Stuck => break,
            BuilderStep::Look(document) => Some(document),
            BuilderStep::Ask(query) => {
                let hits = hits(web, &query, 10);
                queries.push(query);
                builder.answer(&hits)
            }
        };
        if let Some(document) = document {
            documents.push(document);
            let terms = &web[document as usize];
            builder.judge(terms.iter().any(|term| *term < 50), &counted(terms));
        }
    }
    (queries, documents)
}

#[test]
fn the_loop_finds_what_hangs_together() {
    let web: SmallWeb = vec![vec![1, 2], vec![2, 3], vec![3, 4], vec![60, 61], vec![1, 60]];
    let mut builder = builder(fixed("OR-1"), HitsTaken::One, [&[1], &[60]]);
    let (queries, mut documents) = run(&mut builder, &web, 50);
    assert_eq!((queries[0].include(), queries[0].exclude()), (&[1][..], &[60][..]));
    documents.sort_unstable();
    assert!(documents.starts_with(&[0, 1, 2]), "{documents:?}");
    assert_eq!(builder.tally().documents, documents.len() as u64);
}

#[test]
fn recovery_shifts_and_then_becomes_shorter() {
    // No two of the words stand together, so three at once find nothing.
    let web: SmallWeb = vec![vec![1, 9], vec![5]];
    let mut builder = builder(fixed("OR-3"), HitsTaken::One, [&[1, 2, 3, 4, 5], &[]]);
    let (queries, documents) = run(&mut builder, &web, 100);
    let lengths: Vec<usize> = queries.iter().map(|query| query.include().len()).collect();
    assert_eq!(lengths[..8], [3, 3, 3, 2, 2, 2, 2, 1], "{queries:?}");
    assert_eq!(queries[..3].iter().map(|query| query.include()[0]).collect::<Vec<_>>(), [1, 2, 3]);
    let mut documents = documents;
    documents.sort_unstable();
    assert_eq!(documents, [0, 1]);
}

#[test]
fn a_known_query_costs_nothing_and_what_is_excluded_is_never_included_too() {
    let web: SmallWeb = (0..8).map(|number| vec![1, 10 + number]).collect();
    let mut builder = builder(fixed("TF-1"), HitsTaken::One, [&[1], &[1, 60]]);
    let (queries, documents) = run(&mut builder, &web, 2);
    assert_eq!(documents.len(), 8);
    assert!(queries[0].exclude().is_empty(), "{queries:?}");
}

#[test]
fn a_query_is_gone_on_with_as_long_as_its_hits_are_right() {
    let web: SmallWeb = vec![vec![1, 2], vec![1, 60], vec![1, 61], vec![1, 3]];
    let judge = |taken, expected: &[u64]| {
        let mut builder = builder(fixed("OR-1-0"), taken, [&[1], &[60, 61]]);
        let BuilderStep::Ask(query) = builder.next_step() else { panic!("no query") };
        let mut next = builder.answer(&hits(&web, &query, 10));
        let mut documents = Vec::new();
        while let Some(document) = next {
            documents.push(document);
            builder.judge(matches!(document, 0 | 3), &[]);
            next = match builder.next_step() {
                BuilderStep::Look(document) => Some(document),
                _ => None,
            };
            if documents.len() == expected.len() {
                break;
            }
        }
        assert_eq!(documents, expected);
    };
    judge(HitsTaken::WhileGood(2), &[0, 1, 2]);
    judge(HitsTaken::One, &[0, 1, 2, 3]);
}

#[test]
fn with_nothing_to_go_on_the_loop_is_stuck_and_says_so() {
    for row in LEARNERS {
        let mut builder = builder((row.make)(), HitsTaken::One, [&[], &[1]]);
        assert_eq!(builder.next_step(), BuilderStep::Stuck, "{}", row.name);
    }
}

proptest! {
    #[test]
    fn no_document_is_looked_at_twice_and_no_query_sent_twice_whatever_the_web(
        web in proptest::collection::vec(
            proptest::collection::vec(prop_oneof![0..12_u32, 50..60_u32], 1..5), 1..12),
        way in 0..LEARNERS.len() + 3,
        is_greedy in any::<bool>(),
    ) {
        let web: SmallWeb = web.into_iter().map(|mut terms| {
            terms.sort_unstable();
            terms.dedup();
            terms
        }).collect();
        let learner = match LEARNERS.get(way) {
            Some(row) => (row.make)(),
            None => fixed(["OR-1", "PTF-2", "PAIR-2-1"][way - LEARNERS.len()]),
        };
        let taken = if is_greedy { HitsTaken::WhileGood(1) } else { HitsTaken::One };
        let mut builder = builder(learner, taken, [&[0, 1, 2], &[50, 51]]);
        let (queries, documents) = run(&mut builder, &web, 25);
        prop_assert_eq!(queries.iter().collect::<HashSet<_>>().len(), queries.len());
        prop_assert_eq!(documents.iter().collect::<HashSet<_>>().len(), documents.len());
        prop_assert!(queries.iter().all(|query| !query.include().is_empty()));
    }
}
