//! Figures of the graph of links, the same for the command and the API.

use super::links::LinkGraph;
use crate::whole::corpus::Bin;
use fyke_learn::InLinks;
use fyke_store::{StoreError, View};
use fyke_web::UrlId;
use serde::{Deserialize, Serialize};

/// Pages that are named of each sort.
pub(super) const BEST: usize = 20;

/// The graph in figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphFigures {
    /// Documents, copies left out.
    pub documents: u64,
    /// Registrable domains of the documents.
    pub domains: u64,
    /// Links between documents, each pair once.
    pub links: u64,
    /// Links to what is no document, links that say nofollow, and other links in comments; none of them counts.
    pub dangling: u64,
    pub nofollow: u64,
    pub comments: u64,
    /// Documents without links to others (rank sinks), and without links from others.
    pub sinks: u64,
    pub without_in_links: u64,
    /// Documents by the number of links to them, and by the number of links from them.
    pub in_degrees: Vec<Bin>,
    pub out_degrees: Vec<Bin>,
    /// Rounds until the ranks changed no more.
    pub rounds: u32,
    /// The best by PageRank times the number of documents, by authority, and by hub value.
    pub ranks: Vec<RankedDocument>,
    pub authorities: Vec<RankedDocument>,
    pub hubs: Vec<RankedDocument>,
}

/// What links say around some documents.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Around {
    /// Documents of the root set that the graph has, and of the base set.
    pub root: u64,
    pub base: u64,
    /// The best by topic PageRank, by authority, and by hub value.
    pub ranks: Vec<RankedDocument>,
    pub authorities: Vec<RankedDocument>,
    pub hubs: Vec<RankedDocument>,
}

/// A document with a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankedDocument {
    pub url: String,
    pub value: f64,
}

impl GraphFigures {
    /// What can be counted.
    pub(super) fn of(links: &LinkGraph, turned: &InLinks) -> GraphFigures {
        let pages = 0..turned.pages();
        let ins = pages.clone().map(|page| turned.links(page).len() as u64);
        let outs = pages.map(|page| turned.out_degree(page) as u64);
        GraphFigures {
            documents: links.ids.len() as u64,
            domains: u64::from(links.sites),
            links: turned.len() as u64,
            dangling: links.dangling,
            nofollow: links.nofollow,
            comments: links.comments,
            sinks: outs.clone().filter(|&degree| degree == 0).count() as u64,
            without_in_links: ins.clone().filter(|&degree| degree == 0).count() as u64,
            in_degrees: bins(ins),
            out_degrees: bins(outs),
            ..GraphFigures::default()
        }
    }
}

/// How many documents have no link, one, two or three, four to seven and so on.
fn bins(degrees: impl Iterator<Item = u64>) -> Vec<Bin> {
    let mut counts = vec![0_u64; 1];
    for degree in degrees {
        let bin = degree.checked_ilog2().map_or(0, |log| log as usize + 1);
        counts.resize(counts.len().max(bin + 1), 0);
        counts[bin] += 1;
    }
    let from = |bin: u32| if bin == 0 { 0 } else { 1 << (bin - 1) };
    let bins = (0..).zip(counts);
    bins.map(|(bin, documents)| Bin { from: from(bin), to: 1 << bin, documents }).collect()
}

/// A page of the graph by its place, and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ValuedPage {
    pub(super) value: f64,
    pub(super) page: u32,
}

/// The `most` pages with the largest values, those with none left out; of equals the first.
pub(super) fn order(pages: impl Iterator<Item = (f64, u32)>, most: usize) -> Vec<ValuedPage> {
    let pages = pages.filter(|(value, _)| *value > 0.0);
    let mut order: Vec<_> = pages.map(|(value, page)| ValuedPage { value, page }).collect();
    order.sort_unstable_by(|a, b| b.value.total_cmp(&a.value).then(a.page.cmp(&b.page)));
    order.truncate(most);
    order
}

/// The first of these with their URLs.
pub(super) fn named(
    collection: &View,
    ids: &[UrlId],
    best: &[ValuedPage],
) -> Result<Vec<RankedDocument>, StoreError> {
    let named = best.iter().take(BEST).map(|&ValuedPage { value, page }| {
        let row = collection.ledger.get(ids[page as usize])?;
        Ok(RankedDocument { url: row.map(|row| row.url).unwrap_or_default(), value })
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_counted_by_doublings() {
        let bin = |from, to, documents| Bin { from, to, documents };
        assert_eq!(bins([].into_iter()), [bin(0, 1, 0)]);
        let found = bins([0, 1, 1, 2, 3, 9].into_iter());
        assert_eq!(found, [bin(0, 1, 1), bin(1, 2, 2), bin(2, 4, 2), bin(4, 8, 0), bin(8, 16, 1)]);
    }
}
