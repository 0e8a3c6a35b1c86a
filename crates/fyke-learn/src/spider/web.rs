//! A web that is known whole: pages by number, their links with the words around them, and which pages
//! are wanted. Spiders learn on one and are tried on another (002 §2.1).

use crate::graph::Graph;

/// Words from here on stand for where a link lies (its folder, what stands beside it); those below for
/// what is said about it.
pub const LYING: u32 = 1 << 31;
/// Of these, words that have this bit too stand for a host or a folder, and no other word has both.
pub const FOLDER: u32 = LYING | NEARBY;
/// Of what is said about a link, words that have this bit stand near it, and the others in it.
pub const NEARBY: u32 = 1 << 30;

/// Pages and links, in the order in which they were pushed.
#[derive(Clone, Debug, Default)]
pub struct RecordedWeb {
    /// Where the links of each page end.
    ends: Vec<u32>,
    is_target: Vec<bool>,
    /// Of each link the page it leads to, and where its words end.
    leads: Vec<u32>,
    word_ends: Vec<usize>,
    /// The words of a link: those of what is said about it stand first.
    words: Vec<u32>,
}

impl RecordedWeb {
    /// Adds the next page: whether it is wanted, and where its links lead, with their words. A page that
    /// cannot be had has no links.
    pub fn push(&mut self, is_target: bool, links: impl IntoIterator<Item = (u32, Vec<u32>)>) {
        for (to, mut words) in links {
            words.sort_unstable();
            words.dedup();
            self.words.extend(words);
            self.leads.push(to);
            self.word_ends.push(self.words.len());
        }
        self.ends.push(self.leads.len() as u32);
        self.is_target.push(is_target);
    }

    /// How many pages there are.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.ends.len()
    }

    /// The links of a page, by number.
    #[must_use]
    pub fn links(&self, page: u32) -> std::ops::Range<u32> {
        let start = (page as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[page as usize]
    }

    /// How many links there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.leads.len()
    }

    /// Whether there is no link at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.leads.is_empty()
    }

    /// Whether a page is wanted.
    #[must_use]
    pub fn is_target(&self, page: u32) -> bool {
        self.is_target[page as usize]
    }

    /// The page that a link leads to.
    #[must_use]
    pub fn leads(&self, link: u32) -> u32 {
        self.leads[link as usize]
    }

    /// The page on which a link stands.
    #[must_use]
    pub fn stands(&self, link: u32) -> u32 {
        self.ends.partition_point(|end| *end <= link) as u32
    }

    /// All words of a link.
    #[must_use]
    pub fn words(&self, link: u32) -> &[u32] {
        let start = (link as usize).checked_sub(1).map_or(0, |before| self.word_ends[before]);
        &self.words[start..self.word_ends[link as usize]]
    }

    /// The words of what is said about a link.
    #[must_use]
    pub fn said(&self, link: u32) -> &[u32] {
        let words = self.words(link);
        &words[..words.partition_point(|word| *word < LYING)]
    }

    /// Its pages and links alone; links to pages that never came stay dangling.
    #[must_use]
    pub fn graph(&self) -> Graph {
        let pages = 0..self.pages() as u32;
        pages.map(|page| self.links(page).map(|link| self.leads(link))).collect()
    }

    /// Which pages are wanted.
    #[must_use]
    pub fn targets(&self) -> &[bool] {
        &self.is_target
    }
}
