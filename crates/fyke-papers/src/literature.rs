//! Papers that are held, with their references, become a literature (002 §1): references to one paper are grouped, a
//! held paper is found to be one that others cite, and who cites whom is a graph. Pure: who stores papers says which.

use crate::graph::{CitationEdge, CitationGraph, PaperEntry, agreed};
use crate::matching::{Citation, CitedId, Grouping, GroupingOptions};
use std::collections::BTreeMap;

/// Bytes of a title below which a reference names no paper.
const SHORTEST_TITLE: usize = 6;

/// A paper whose text is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldPaper {
    /// Its number among documents.
    pub document: u64,
    /// What it says of itself.
    pub own: Citation,
    pub references: Vec<Citation>,
}

/// Which paper a document is, and what it cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedPaper {
    pub document: u64,
    pub paper: CitedId,
    /// Of each reference the paper that it names; none where it names none.
    pub references: Vec<Option<CitedId>>,
}

/// Papers that are held or cited.
#[derive(Clone, Debug, Default)]
pub struct Literature {
    /// Its entries come by their ids.
    pub graph: CitationGraph,
    /// By document.
    pub placed: Vec<PlacedPaper>,
    /// The documents of each paper that is held, by its id; a paper may be there several times.
    pub documents: BTreeMap<CitedId, Vec<u64>>,
}

/// What is known of a paper before it gets its fields.
#[derive(Default)]
struct NamedBy<'a> {
    own: Option<&'a Citation>,
    references: Vec<&'a Citation>,
}

impl Literature {
    /// The literature of some papers; their order does not matter.
    #[must_use]
    pub fn of(mut held: Vec<HeldPaper>) -> Literature {
        held.sort_by_key(|paper| paper.document);
        held.dedup_by_key(|paper| paper.document);
        let mut grouping = Grouping::new(GroupingOptions::default());
        let named = held.iter().flat_map(|paper| {
            std::iter::once(&paper.own).chain(&paper.references).filter(|named| is_named(named))
        });
        let mut found = grouping.add(named).into_iter();
        drop(grouping);
        let mut next = |citation: &Citation| {
            if is_named(citation) { found.next() } else { None }
        };
        let place = |paper: &HeldPaper| PlacedPaper {
            document: paper.document,
            paper: next(&paper.own).unwrap_or(CitedId(paper.document)),
            references: paper.references.iter().map(&mut next).collect(),
        };
        let placed: Vec<PlacedPaper> = held.iter().map(place).collect();
        let mut documents: BTreeMap<CitedId, Vec<u64>> = BTreeMap::new();
        for paper in &placed {
            documents.entry(paper.paper).or_default().push(paper.document);
        }
        let graph = graph(&held, &placed);
        Literature { graph, placed, documents }
    }
}

/// Whether a citation has a title to be known by.
fn is_named(citation: &Citation) -> bool {
    citation.title.len() >= SHORTEST_TITLE && citation.title.contains(char::is_alphabetic)
}

fn graph(held: &[HeldPaper], placed: &[PlacedPaper]) -> CitationGraph {
    let mut known: BTreeMap<CitedId, NamedBy<'_>> = BTreeMap::new();
    let mut edges = Vec::new();
    for (paper, place) in held.iter().zip(placed) {
        known.entry(place.paper).or_default().own.get_or_insert(&paper.own);
        for (citation, cited) in paper.references.iter().zip(&place.references) {
            let Some(cited) = *cited else { continue };
            known.entry(cited).or_default().references.push(citation);
            edges.push(CitationEdge { citing: place.paper, cited });
        }
    }
    let entry = |(id, by): (CitedId, NamedBy<'_>)| PaperEntry {
        id,
        fields: fields(&by),
        is_held: by.own.is_some(),
    };
    CitationGraph::new(known.into_iter().map(entry).collect(), &edges)
}

/// What a paper says of itself counts more than what others say of it.
fn fields(by: &NamedBy<'_>) -> Citation {
    let references: Vec<Citation> =
        by.references.iter().map(|citation| (*citation).clone()).collect();
    let said = agreed(&references);
    let Some(own) = by.own else { return said };
    let own_or = |own: &String, said: String| if own.is_empty() { said } else { own.clone() };
    Citation {
        authors: own_or(&own.authors, said.authors),
        title: own_or(&own.title, said.title),
        venue: own_or(&own.venue, said.venue),
        volume: own_or(&own.volume, said.volume),
        pages: own_or(&own.pages, said.pages),
        date: own_or(&own.date, said.date),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cited(authors: &str, title: &str, year: u16) -> Citation {
        let (authors, title) = (authors.to_owned(), title.to_owned());
        Citation { authors, title, date: year.to_string(), ..Citation::default() }
    }

    /// Three papers, of which one is there twice; two cite one that is not there.
    fn papers() -> Vec<HeldPaper> {
        let nets = "Fishing by Night in Tidal Rivers";
        let eels = "A Treatise on the Behaviour of Eels";
        let held = |document, own, references| HeldPaper { document, own, references };
        let anguilla = |year| Citation {
            venue: "Journal of Marine Zoology".to_owned(),
            ..cited("S. Anguilla", eels, year)
        };
        vec![
            held(1, cited("Ann Fisher", nets, 1994), vec![anguilla(1971), Citation::default()]),
            held(
                2,
                cited("Carol Netter", "Wings and Funnels of Traps", 1996),
                vec![
                    cited("A. Fisher", nets, 1994),
                    cited("Anguilla, S.", &eels.to_lowercase(), 1971),
                    cited("C. Netter", "Wings and Funnels of Traps", 1996),
                ],
            ),
            held(3, cited("A. Fisher", nets, 1994), vec![]),
            held(4, Citation::default(), vec![]),
        ]
    }

    #[test]
    fn references_to_one_paper_are_one_and_held_papers_are_found_among_them() {
        let found = Literature::of(papers());
        let place = |document: u64| found.placed.iter().find(|p| p.document == document).unwrap();
        assert_eq!(place(1).paper, place(3).paper);
        assert_eq!(place(2).references[0], Some(place(1).paper));
        assert_eq!(place(2).references[1], place(1).references[0]);
        assert_eq!(place(1).references[1], None, "no title");
        assert_eq!(place(4).paper, CitedId(4), "a paper without a title is one by itself");
        assert_eq!(found.documents[&place(1).paper], [1, 3]);
        let eels = found.graph.place(place(1).references[0].unwrap()).unwrap();
        let entry = &found.graph.entries()[eels as usize];
        assert!(!entry.is_held && entry.fields.venue == "Journal of Marine Zoology");
        assert_eq!(found.graph.cited_by(eels).len(), 2);
        let wings = found.graph.place(place(2).paper).unwrap();
        assert!(found.graph.cited_by(wings).is_empty(), "it cites itself");
    }

    #[test]
    fn the_order_of_papers_does_not_matter() {
        let (one, mut turned) = (Literature::of(papers()), papers());
        turned.reverse();
        let other = Literature::of(turned);
        assert_eq!((one.placed, one.documents), (other.placed, other.documents));
        assert_eq!(one.graph.entries(), other.graph.entries());
        assert!(Literature::of(Vec::new()).graph.entries().is_empty());
    }
}
