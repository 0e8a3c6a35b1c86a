//! A recording while it is read: pages by key, their links with their words, as a live crawl reads them.

use fyke_crawl::{GuidePage, Readers};
use fyke_learn::spider::RecordedWeb;
use fyke_web::{Capture, Outlink};
use std::collections::{HashMap, HashSet};

/// A web that was recorded, and where a spider starts on it.
#[derive(Debug)]
pub struct Recorded {
    pub name: String,
    pub web: RecordedWeb,
    pub starts: Vec<u32>,
}

impl Recorded {
    /// How many pages are wanted.
    #[must_use]
    pub fn targets(&self) -> usize {
        self.web.targets().iter().filter(|is_target| **is_target).count()
    }
}

/// Where a link leads, by key, and its words.
type RecordedLeads = Vec<(u64, Vec<u32>)>;

/// Pages as they come.
#[derive(Debug, Default)]
pub(super) struct Recording {
    ids: HashMap<u64, u32>,
    is_target: Vec<bool>,
    links: Vec<RecordedLeads>,
}

impl Recording {
    /// Takes up a page that can be fetched, or is worth a try.
    pub(super) fn page(&mut self, key: u64, is_target: bool) {
        let id = *self.ids.entry(key).or_insert_with(|| {
            self.is_target.push(false);
            self.links.push(Vec::new());
            self.links.len() as u32 - 1
        });
        self.is_target[id as usize] |= is_target;
    }

    pub(super) fn has(&self, key: u64) -> bool {
        self.ids.contains_key(&key)
    }

    /// Sets the links of a page taken up before.
    pub(super) fn set_links(&mut self, key: u64, links: RecordedLeads) {
        if let Some(id) = self.ids.get(&key) {
            self.links[*id as usize] = links;
        }
    }

    /// The web; links to pages that were never taken up are left out, and so are starts.
    pub(super) fn finish(self, name: String, starts: &[u64]) -> Recorded {
        let Recording { ids, is_target, links } = self;
        let mut web = RecordedWeb::default();
        for (is_target, links) in is_target.into_iter().zip(links) {
            let known = links.into_iter().filter_map(|(key, words)| Some((*ids.get(&key)?, words)));
            web.push(is_target, known);
        }
        let starts = starts.iter().filter_map(|key| ids.get(key).copied()).collect();
        Recorded { name, web, starts }
    }
}

/// The links of a page with their words, each target once; `key` says which are taken and how they are
/// known. What is wanted is about the subject, whatever that is.
pub(super) fn links(
    readers: &Readers,
    (capture, is_target): (&Capture, bool),
    mut key: impl FnMut(&Outlink) -> Option<u64>,
) -> RecordedLeads {
    let GuidePage { skim: page, reading, .. } = readers.read(capture);
    let at = (capture.url.as_str(), f32::from(u8::from(is_target)));
    let words = readers.links(&reading, at, page.links.iter().map(|link| link.url.as_str()));
    let mut known = HashSet::new();
    let mut links = Vec::new();
    for (at, link) in page.links.iter().enumerate() {
        let Some(key) = key(link).filter(|key| known.insert(*key)) else { continue };
        let mut found = Vec::new();
        words.add(at, link.url.as_str(), &mut found);
        links.push((key, found));
    }
    drop(words);
    readers.take_back(reading);
    links
}
