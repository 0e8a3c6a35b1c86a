//! Papers that are held, with their references, become a literature (002 §1): references to one paper are grouped, a
//! held paper is found to be one that others cite, and who cites whom is a graph. Pure: who stores papers says which.

use crate::graph::{CitationEdge, CitationGraph, PaperEntry, agreed};
use crate::matching::{Citation, CitedId, Grouping, GroupingOptions};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

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

/// By what people name a paper: its own number, or a document that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PaperName {
    Paper(CitedId),
    Document(u64),
}

/// What people say of papers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperCorrections {
    /// References of each list, by what each would found ([`CitedId::of`]), name a paper of their own.
    pub apart: Vec<Vec<CitedId>>,
    /// Papers of each list are one.
    pub same: Vec<Vec<PaperName>>,
    /// Fields of papers as they should be; those that are empty stay as they are.
    pub fields: Vec<(PaperName, Citation)>,
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
    /// The literature of some papers, with what people say of them; the order of papers does not matter.
    #[must_use]
    pub fn of(mut held: Vec<HeldPaper>, corrections: &PaperCorrections) -> Literature {
        held.sort_by_key(|paper| paper.document);
        held.dedup_by_key(|paper| paper.document);
        let mut grouping = Grouping::new(GroupingOptions::default());
        let named = held.iter().flat_map(|paper| {
            std::iter::once(&paper.own).chain(&paper.references).filter(|named| is_named(named))
        });
        let mut found = grouping.add(named).into_iter();
        let apart = apart(&corrections.apart);
        let mut next = |citation: &Citation| {
            let grouped = if is_named(citation) { found.next()? } else { return None };
            if apart.is_empty() {
                return Some(grouped);
            }
            Some(apart.get(&CitedId::of(citation)).copied().unwrap_or(grouped))
        };
        let place = |paper: &HeldPaper| PlacedPaper {
            document: paper.document,
            paper: next(&paper.own).unwrap_or(CitedId(paper.document)),
            references: paper.references.iter().map(&mut next).collect(),
        };
        let mut placed: Vec<PlacedPaper> = held.iter().map(place).collect();
        let resolved = Resolved::of(corrections, &grouping, &placed);
        drop(grouping);
        resolved.unite(&mut placed);
        let mut documents: BTreeMap<CitedId, Vec<u64>> = BTreeMap::new();
        for paper in &placed {
            documents.entry(paper.paper).or_default().push(paper.document);
        }
        let graph = graph(&held, &placed, &resolved.fields);
        Literature { graph, placed, documents }
    }
}

/// The papers that references set apart name: a number that no reference founds stands for each list.
fn apart(lists: &[Vec<CitedId>]) -> HashMap<CitedId, CitedId> {
    let mut papers = HashMap::new();
    for list in lists {
        let Some(first) = list.iter().min() else { continue };
        let own = CitedId(first.0.rotate_left(32) ^ 0x5eed_0f5e_ed0f_5eed);
        papers.extend(list.iter().map(|form| (*form, own)));
    }
    papers
}

/// Corrections by the numbers that papers have now.
struct Resolved {
    /// The number that stands for others.
    united: HashMap<CitedId, CitedId>,
    fields: HashMap<CitedId, Citation>,
}

impl Resolved {
    /// Names of papers that are not there any more are passed over.
    fn of(corrections: &PaperCorrections, grouping: &Grouping, placed: &[PlacedPaper]) -> Resolved {
        let own: BTreeSet<CitedId> = apart(&corrections.apart).into_values().collect();
        let number = |name: &PaperName| match *name {
            PaperName::Paper(id) if own.contains(&id) => Some(id),
            PaperName::Paper(id) => grouping.paper_of(id),
            PaperName::Document(document) => {
                let at = placed.binary_search_by_key(&document, |paper| paper.document);
                at.ok().map(|at| placed[at].paper)
            }
        };
        let mut united: HashMap<CitedId, CitedId> = HashMap::new();
        for same in &corrections.same {
            let ids = same.iter().filter_map(number).map(|id| root(&united, id));
            let ids: Vec<CitedId> = ids.collect();
            let Some(first) = ids.iter().min().copied() else { continue };
            united.extend(ids.into_iter().filter(|id| *id != first).map(|id| (id, first)));
        }
        let fields = corrections.fields.iter().filter_map(|(name, fields)| {
            number(name).map(|id| (root(&united, id), fields.clone()))
        });
        let fields = fields.collect();
        Resolved { united, fields }
    }

    /// Gives papers that are one the same number.
    fn unite(&self, placed: &mut [PlacedPaper]) {
        if self.united.is_empty() {
            return;
        }
        for paper in placed {
            paper.paper = root(&self.united, paper.paper);
            for named in paper.references.iter_mut().flatten() {
                *named = root(&self.united, *named);
            }
        }
    }
}

/// The number that stands for one in the end; each stands for a smaller one.
fn root(united: &HashMap<CitedId, CitedId>, mut id: CitedId) -> CitedId {
    while let Some(first) = united.get(&id) {
        id = *first;
    }
    id
}

/// Whether a citation has a title to be known by.
fn is_named(citation: &Citation) -> bool {
    citation.title.len() >= SHORTEST_TITLE && citation.title.contains(char::is_alphabetic)
}

fn graph(
    held: &[HeldPaper],
    placed: &[PlacedPaper],
    corrected: &HashMap<CitedId, Citation>,
) -> CitationGraph {
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
        fields: with(fields(&by), corrected.get(&id)),
        is_held: by.own.is_some(),
    };
    CitationGraph::new(known.into_iter().map(entry).collect(), &edges)
}

/// Fields with those that people have given.
fn with(fields: Citation, given: Option<&Citation>) -> Citation {
    let Some(given) = given else { return fields };
    over(given, fields)
}

/// The fields of one where it has them, else those of another.
fn over(first: &Citation, other: Citation) -> Citation {
    let own_or = |own: &String, said: String| if own.is_empty() { said } else { own.clone() };
    Citation {
        authors: own_or(&first.authors, other.authors),
        title: own_or(&first.title, other.title),
        venue: own_or(&first.venue, other.venue),
        volume: own_or(&first.volume, other.volume),
        pages: own_or(&first.pages, other.pages),
        date: own_or(&first.date, other.date),
    }
}

/// What a paper says of itself counts more than what others say of it.
fn fields(by: &NamedBy<'_>) -> Citation {
    let references: Vec<Citation> =
        by.references.iter().map(|citation| (*citation).clone()).collect();
    let said = agreed(&references);
    match by.own {
        Some(own) => over(own, said),
        None => said,
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
        let found = Literature::of(papers(), &PaperCorrections::default());
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
        let (one, mut turned) = (Literature::of(papers(), &PaperCorrections::default()), papers());
        turned.reverse();
        let other = Literature::of(turned, &PaperCorrections::default());
        assert_eq!((one.placed, one.documents), (other.placed, other.documents));
        assert_eq!(one.graph.entries(), other.graph.entries());
        assert!(
            Literature::of(Vec::new(), &PaperCorrections::default()).graph.entries().is_empty()
        );
    }

    #[test]
    fn people_set_references_apart() {
        let before = Literature::of(papers(), &PaperCorrections::default());
        let eels = before.placed[0].references[0].unwrap();
        let second = papers()[1].references[1].clone();
        let apart = vec![vec![CitedId::of(&second)], Vec::new()];
        let after = Literature::of(
            papers(),
            &PaperCorrections { apart: apart.clone(), ..PaperCorrections::default() },
        );
        let [one, other] = [0, 1].map(|at| after.placed[at].references[at].unwrap());
        assert_eq!(one, eels);
        assert_ne!(one, other);
        let place = after.graph.place(other).unwrap();
        assert_eq!(after.graph.entries()[place as usize].fields.title, second.title);
        let same = vec![vec![PaperName::Paper(one), PaperName::Paper(other)]];
        let corrections = PaperCorrections { apart, same, ..PaperCorrections::default() };
        let again = Literature::of(papers(), &corrections);
        assert_eq!(again.placed[0].references[0], again.placed[1].references[1]);
    }

    #[test]
    fn people_unite_papers_and_correct_their_fields() {
        let before = Literature::of(papers(), &PaperCorrections::default());
        let [nets, wings] = [1, 2].map(|document| {
            before.placed.iter().find(|paper| paper.document == document).unwrap().paper
        });
        let gone = PaperName::Paper(CitedId(7));
        let corrections = PaperCorrections {
            same: vec![vec![PaperName::Document(1), PaperName::Paper(wings), gone], vec![gone]],
            fields: vec![
                (
                    PaperName::Document(3),
                    Citation { venue: "Tides".to_owned(), ..Citation::default() },
                ),
                (gone, Citation::default()),
            ],
            ..PaperCorrections::default()
        };
        let after = Literature::of(papers(), &corrections);
        let united = nets.min(wings);
        assert_eq!(after.documents[&united], [1, 2, 3]);
        let place = after.graph.place(united).unwrap();
        let entry = &after.graph.entries()[place as usize];
        assert_eq!((entry.fields.venue.as_str(), entry.fields.date.as_str()), ("Tides", "1994"));
        assert!(after.graph.cited_by(place).is_empty(), "it cites itself");
        assert_eq!(after.graph.entries().len(), before.graph.entries().len() - 1);
    }
}
