//! Tests of the citation graph.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;

pub(super) fn entry(id: u64, title: &str, date: &str) -> PaperEntry {
    let fields = Citation { title: title.into(), date: date.into(), ..Citation::default() };
    PaperEntry { id: CitedId(id), fields, is_held: true }
}

pub(super) fn graph(papers: u64, edges: &[(u64, u64)]) -> CitationGraph {
    let papers = (0..papers).map(|id| entry(id, &format!("Paper {id}"), "1999.")).collect();
    let edge = |&(citing, cited): &(u64, u64)| CitationEdge {
        citing: CitedId(citing),
        cited: CitedId(cited),
    };
    CitationGraph::new(papers, &edges.iter().map(edge).collect::<Vec<_>>())
}

#[test]
fn what_is_cited_together_and_what_cites_the_same_is_found() {
    // 0 and 1 cite 2 and 3; 4 cites 3.
    let graph = graph(5, &[(0, 2), (0, 3), (1, 2), (1, 3), (4, 3), (4, 4), (0, 2), (9, 3)]);
    assert_eq!(graph.references(0), [2, 3]);
    assert_eq!(graph.cited_by(3), [0, 1, 4]);
    assert_eq!(graph.references(4), [3]);
    assert_eq!(graph.co_cited(2, 9), [RelatedPaper { place: 3, times: 2 }]);
    let coupled = graph.coupled(0, 9);
    assert_eq!(coupled, [RelatedPaper { place: 1, times: 2 }, RelatedPaper { place: 4, times: 1 }]);
    assert_eq!(graph.coupled(0, 1).len(), 1);
    let most = graph.most_cited_by_year(1);
    assert_eq!(most[&1999], [RelatedPaper { place: 3, times: 3 }]);
}

#[test]
fn a_paper_cited_by_seminal_papers_ranks_above_one_cited_as_often() {
    let graph = graph(8, &[(0, 1), (2, 1), (3, 1), (1, 4), (5, 6)]);
    let ranks = graph.ranks(1);
    assert!(ranks[4] > ranks[6] && ranks[1] > ranks[6]);
}

#[test]
fn a_forged_ring_of_many_is_answered_with_bounded_work() {
    let size = 300;
    let edges: Vec<_> = (0..size).flat_map(|a| (0..size).map(move |b| (a, b))).collect();
    let graph = graph(size, &edges);
    assert_eq!(graph.co_cited(0, 5).len(), 5);
    assert_eq!(graph.cited_by(0).len(), size as usize - 1);
    assert!((graph.ranks(1).iter().sum::<f64>() - 1.0).abs() < 1e-6);
}

#[test]
fn the_fields_that_most_references_have_stand_for_the_paper() {
    let one = |title: &str, date: &str| entry(0, title, date).fields;
    let fields = agreed(&[one("Nets", "1999"), one("Nets", ""), one("Nest at sea", "1999a")]);
    assert_eq!((fields.title.as_str(), fields.date.as_str()), ("Nets", "1999a"));
    assert_eq!(agreed(&[]), Citation::default());
}

proptest! {
    #[test]
    fn any_edges_are_found_from_both_ends_and_no_paper_cites_itself(
        edges in vec((0..12u64, 0..12u64), 0..60),
    ) {
        let graph = graph(10, &edges);
        for place in 0..10u32 {
            prop_assert!(!graph.references(place).contains(&place));
            for cited in graph.references(place) {
                prop_assert!(graph.cited_by(*cited).contains(&place));
                prop_assert!(edges.contains(&(u64::from(place), u64::from(*cited))));
            }
            for related in graph.co_cited(place, 20).iter().chain(&graph.coupled(place, 20)) {
                prop_assert!(related.place != place && related.times > 0);
            }
        }
    }
}
