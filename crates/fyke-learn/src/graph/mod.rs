//! The graph of pages and links: pages are numbers, links stand in one array after the other (compressed
//! sparse rows), four bytes each.

mod damping;
mod hits;
mod pagerank;

pub use hits::{Hits, HitsValues, base_set};
pub use pagerank::{PageRank, Ranks};

/// Pages with the pages that they link to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Where the links of each page end, in `targets`.
    ends: Vec<usize>,
    targets: Vec<u32>,
}

impl Graph {
    /// Adds the next page, with the numbers of the pages that it links to: each counts once. Links to
    /// pages that never come are dangling, and are left out when the graph is turned.
    pub fn push(&mut self, links: impl IntoIterator<Item = u32>) {
        let start = self.targets.len();
        self.targets.extend(links);
        let own = &mut self.targets[start..];
        own.sort_unstable();
        // As `dedup`, of the tail alone.
        let mut kept = start;
        for at in start..self.targets.len() {
            if at == start || self.targets[at] != self.targets[kept - 1] {
                self.targets[kept] = self.targets[at];
                kept += 1;
            }
        }
        self.targets.truncate(kept);
        self.ends.push(kept);
    }

    /// How many pages there are.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.ends.len()
    }

    /// The pages that a page links to, in order; those that never came among them.
    #[must_use]
    pub fn links(&self, page: usize) -> &[u32] {
        let start = page.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.targets[start..self.ends[page]]
    }

    /// How many links there are, those to pages that never came among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there is no link at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }
}

impl<L: IntoIterator<Item = u32>> FromIterator<L> for Graph {
    fn from_iter<I: IntoIterator<Item = L>>(pages: I) -> Graph {
        let mut graph = Graph::default();
        pages.into_iter().for_each(|links| graph.push(links));
        graph
    }
}

/// Pages with the pages that link to them: the graph turned round, for what flows along its links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InLinks {
    /// Where the links to each page end, in `sources`.
    ends: Vec<usize>,
    sources: Vec<u32>,
    /// How many links each page has out, those into the void not counted.
    outs: Vec<u32>,
    /// What each link counts, and for each page what part of its rank its links give; empty when
    /// every link counts whole.
    weights: Vec<f32>,
    given: Vec<f64>,
}

impl InLinks {
    /// Turns a graph round; links to pages that are not there are left out.
    #[must_use]
    pub fn of(graph: &Graph) -> InLinks {
        let pages = graph.pages();
        let inside = |page| graph.links(page).iter().map(|&q| q as usize).filter(|&q| q < pages);
        let mut ends = vec![0; pages];
        let mut outs = vec![0; pages];
        for (page, out) in outs.iter_mut().enumerate() {
            inside(page).for_each(|target| {
                ends[target] += 1;
                *out += 1;
            });
        }
        // From counts to where each page's links begin; filling moves that to where they end.
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut sources = vec![0; sum];
        for page in 0..pages {
            for target in inside(page) {
                sources[ends[target]] = page as u32;
                ends[target] += 1;
            }
        }
        InLinks { ends, sources, outs, ..InLinks::default() }
    }

    /// How many pages there are.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.ends.len()
    }

    /// How many links there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there is no link at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// The pages that link to a page, in order.
    #[must_use]
    pub fn links(&self, page: usize) -> &[u32] {
        &self.sources[self.start(page)..self.ends[page]]
    }

    /// How many pages of the graph a page links to.
    #[must_use]
    pub fn out_degree(&self, page: usize) -> usize {
        self.outs[page] as usize
    }

    fn start(&self, page: usize) -> usize {
        page.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_link_is_found_again_from_its_other_end(lists in vec(vec(0..30u32, 0..20), 0..25)) {
            let graph: Graph = lists.iter().cloned().collect();
            let turned = InLinks::of(&graph);
            prop_assert_eq!((graph.pages(), turned.pages()), (lists.len(), lists.len()));
            let mut count = 0;
            for (from, list) in lists.iter().enumerate() {
                let out = (0..lists.len()).filter(|&to| list.contains(&(to as u32)));
                prop_assert_eq!(turned.outs[from] as usize, out.clone().count());
                count += out.clone().count();
                for to in out {
                    let found = turned.links(to).iter().filter(|&&page| page as usize == from);
                    prop_assert_eq!(found.count(), 1);
                }
            }
            prop_assert_eq!(turned.len(), count);
        }
    }
}
