//! Papers in figures: how many are held and cited, which are cited most, who wrote most of what is cited.

use super::columns::{NameKind, NamedEntries, NamedEntry};
use fyke_papers::literature::Literature;
use fyke_papers::matching::CitedId;
use fyke_store::Single;
use fyke_web::UrlId;
use serde::{Deserialize, Serialize};

pub const PAPER_FIGURES: Single<PaperFigures> = Single::new("papers", 1);
/// How many papers are held.
pub const HELD_PAPERS: Single<u64> = Single::new("papers.held", 1);

/// Papers and names of a list.
const MOST: usize = 100;

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PaperFigures {
    /// Papers whose text is there, and the documents that hold it.
    pub held: u64,
    pub documents: u64,
    /// Papers that are only cited.
    pub cited: u64,
    /// References, and those of them that name no paper that was found.
    pub references: u64,
    pub unnamed: u64,
    /// Pairs of papers of which one cites the other.
    pub citations: u64,
    /// The papers that are cited most, held or not, and those with most rank.
    pub most_cited: Vec<CitedId>,
    pub seminal: Vec<CitedId>,
    pub authors: Vec<NameFigures>,
    pub venues: Vec<NameFigures>,
    /// Every paper that is held, by its first document.
    pub listed: Vec<ListedPaper>,
}

/// A paper that is held, as lists order it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPaper {
    pub paper: CitedId,
    pub document: UrlId,
    /// 0 where it is not known.
    pub year: u16,
    pub cited: u32,
}

/// An author or a venue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameFigures {
    pub slug: String,
    pub name: String,
    /// Papers, and how often they are cited together.
    pub papers: u64,
    pub cited: u64,
}

impl PaperFigures {
    pub(super) fn of(literature: &Literature, ranks: &[f64], named: &NamedEntries) -> PaperFigures {
        let Literature { graph, placed, documents } = literature;
        let entries = graph.entries();
        let times = |place: u32| graph.cited_by(place).len() as u64;
        let references = placed.iter().flat_map(|paper| &paper.references);
        let listed = documents.iter().filter_map(|(paper, documents)| {
            let place = graph.place(*paper)?;
            Some(ListedPaper {
                paper: *paper,
                document: UrlId(*documents.first()?),
                year: entries[place as usize].fields.year().unwrap_or(0),
                cited: times(place) as u32,
            })
        });
        let all = 0..entries.len() as u32;
        let is_cited = |place: &u32| times(*place) > 0;
        let by_times = most(all.clone().filter(is_cited), times);
        let by_rank =
            most(all.clone().filter(is_cited), |place| (ranks[place as usize] * 1e15) as u64);
        let ids = |places: Vec<u32>| places.iter().map(|at| entries[*at as usize].id).collect();
        let names = |kind| names(named.all.iter().filter(|entry| entry.kind == kind), times);
        PaperFigures {
            held: documents.len() as u64,
            documents: placed.len() as u64,
            cited: (entries.len() - documents.len()) as u64,
            references: references.clone().count() as u64,
            unnamed: references.filter(|named| named.is_none()).count() as u64,
            citations: all.map(|place| graph.references(place).len() as u64).sum(),
            most_cited: ids(by_times),
            seminal: ids(by_rank),
            authors: names(NameKind::Author),
            venues: names(NameKind::Venue),
            listed: listed.collect(),
        }
    }
}

/// The first of some places by a figure.
fn most(places: impl Iterator<Item = u32>, figure: impl Fn(u32) -> u64) -> Vec<u32> {
    let mut places: Vec<u32> = places.collect();
    places.sort_by_cached_key(|place| (u64::MAX - figure(*place), *place));
    places.truncate(MOST);
    places
}

/// The names whose papers are cited most, then those with most papers.
fn names<'a>(
    entries: impl Iterator<Item = &'a NamedEntry>,
    times: impl Fn(u32) -> u64,
) -> Vec<NameFigures> {
    let figures = entries.map(|entry| NameFigures {
        slug: entry.slug.clone(),
        name: entry.name.clone(),
        papers: entry.papers.len() as u64,
        cited: entry.papers.iter().map(|place| times(*place)).sum(),
    });
    let mut all: Vec<NameFigures> = figures.collect();
    let order = |one: &NameFigures, other: &NameFigures| {
        (other.cited, other.papers, &one.slug).cmp(&(one.cited, one.papers, &other.slug))
    };
    all.sort_by(order);
    all.truncate(MOST);
    all
}
