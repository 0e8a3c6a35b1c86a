//! Papers of a collection in lists: all of them, or those that a query finds, in an order that somebody asked for.

use super::whole::{PaperSummary, of_document, summary};
use anyhow::Result;
use fyke_derive::whole::citations::{self, ListedPaper};
use fyke_index::{CutOff, Index, SearchOptions};
use fyke_store::View;
use serde::Serialize;

/// Papers that a query finds and that are put in another order than that of the search.
const MOST_ORDERED: usize = 100;

/// In which order papers are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaperOrder {
    /// As a search ranks them; without a query as [`PaperOrder::Cited`].
    #[default]
    Best,
    /// Those cited most first.
    Cited,
    /// The newest first.
    Newest,
}

/// Every order with its name.
const ORDERS: &[(&str, PaperOrder)] =
    &[("best", PaperOrder::Best), ("cited", PaperOrder::Cited), ("newest", PaperOrder::Newest)];

impl PaperOrder {
    /// The order of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<PaperOrder> {
        ORDERS.iter().find(|(known, _)| *known == name).map(|(_, order)| *order)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        ORDERS.iter().find(|(_, order)| *order == self).map_or("", |(name, _)| name)
    }
}

/// Which papers are wanted.
#[derive(Clone, Debug, Default)]
pub struct WantedPapers {
    /// A query; empty: all.
    pub words: String,
    pub order: PaperOrder,
    pub start: usize,
    pub limit: usize,
}

/// Papers of a collection.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PaperList {
    /// How many there are or match.
    pub total: usize,
    pub papers: Vec<PaperSummary>,
    /// Only so many of the best matches were put in this order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordered: Option<usize>,
    /// Only a part of the documents was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutOff>,
}

/// Lists papers.
///
/// # Errors
/// When the collection or its index cannot be read.
pub fn list(
    view: &View,
    index: &Index,
    options: &SearchOptions,
    wanted: &WantedPapers,
) -> Result<PaperList> {
    match wanted.words.trim() {
        "" => all(view, wanted),
        words => {
            found(view, index, options, &WantedPapers { words: whole(words), ..wanted.clone() })
        }
    }
}

/// A query to which a condition can be added: alternatives are put in parentheses.
fn whole(words: &str) -> String {
    let is_choice = words.split_whitespace().any(|word| word == "OR");
    if is_choice { format!("({words}) paper:yes") } else { format!("{words} paper:yes") }
}

fn all(view: &View, wanted: &WantedPapers) -> Result<PaperList> {
    let cells = view.cells();
    let mut listed = citations::last(&cells)?.unwrap_or_default().listed;
    match wanted.order {
        PaperOrder::Best | PaperOrder::Cited => {
            listed.sort_unstable_by_key(|paper| {
                let ListedPaper { paper, year, cited, .. } = *paper;
                (u32::MAX - cited, u16::MAX - year, paper)
            });
        }
        PaperOrder::Newest => {
            listed.sort_unstable_by_key(|paper| {
                let ListedPaper { paper, year, cited, .. } = *paper;
                (u16::MAX - year, u32::MAX - cited, paper)
            });
        }
    }
    let mut papers = Vec::new();
    for paper in listed.iter().skip(wanted.start).take(wanted.limit) {
        papers.extend(summary(view, paper.paper)?);
    }
    Ok(PaperList { total: listed.len(), papers, ..PaperList::default() })
}

fn found(
    view: &View,
    index: &Index,
    options: &SearchOptions,
    wanted: &WantedPapers,
) -> Result<PaperList> {
    let is_best = wanted.order == PaperOrder::Best;
    let (offset, limit) = if is_best { (wanted.start, wanted.limit) } else { (0, MOST_ORDERED) };
    let options = SearchOptions { offset, limit, ..*options };
    let results = crate::search::search(index, &wanted.words, &options)?;
    let mut papers: Vec<PaperSummary> = Vec::new();
    for hit in results.hits {
        let Some(mut paper) = of_document(view, fyke_web::UrlId(hit.id))? else { continue };
        paper.snippet = hit.snippet;
        papers.push(paper);
    }
    let ordered = (!is_best && results.total > MOST_ORDERED).then_some(MOST_ORDERED);
    match wanted.order {
        PaperOrder::Best => {}
        PaperOrder::Cited => papers.sort_by_key(|paper| std::cmp::Reverse(paper.cited_by)),
        PaperOrder::Newest => papers.sort_by_key(|paper| std::cmp::Reverse(paper.year)),
    }
    if !is_best {
        papers = papers.into_iter().skip(wanted.start).take(wanted.limit).collect();
    }
    let total = if is_best { results.total } else { results.total.min(MOST_ORDERED) };
    Ok(PaperList { total, papers, ordered, cut: results.cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_is_known_by_its_name() {
        for (name, order) in ORDERS {
            assert_eq!((PaperOrder::named(name), order.name()), (Some(*order), *name));
        }
        assert_eq!(PaperOrder::named("worst"), None);
        assert_eq!(whole("a OR b"), "(a OR b) paper:yes");
    }
}
