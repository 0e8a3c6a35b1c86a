//! Best-first by page classifier: a link is worth what the page on which it stands is worth, by naive Bayes
//! over the page's words and by the links of it that were tried so far (C12).

use crate::bayes::{Counts, Occurrence};
use crate::spider::{Policy, RecordedWeb, ReplayedPage};
use std::collections::HashMap;

/// Links that the classifier's word counts for, beside those tried.
const PRIOR: f64 = 5.;
/// Words of the table, a power of two.
const WORDS: u32 = 1 << 17;

pub(super) struct BestFirst {
    counts: Counts,
    /// Of pages that were read.
    pages: HashMap<u32, TriedLinks>,
}

/// What is known of the links of a page.
struct TriedLinks {
    /// How probably it is a good page, by its words.
    good: f64,
    links: f64,
    targets: f64,
}

pub(super) fn train(webs: &[&RecordedWeb]) -> BestFirst {
    let mut counts = Counts::new(2);
    for web in webs {
        for page in (0..web.pages() as u32).filter(|page| !web.links(*page).is_empty()) {
            let is_good = web.links(page).any(|link| is_target(web, link));
            counts.add(&words(web, page), usize::from(is_good), 1.);
        }
    }
    BestFirst { counts, pages: HashMap::new() }
}

fn is_target(web: &RecordedWeb, link: u32) -> bool {
    web.targets().get(web.leads(link) as usize).is_some_and(|is_target| *is_target)
}

/// The words of a page: all that is said about its links, each word once.
fn words(web: &RecordedWeb, page: u32) -> Vec<Occurrence> {
    let said = web.links(page).flat_map(|link| web.said(link));
    let mut words: Vec<u32> = said.map(|word| word & (WORDS - 1)).collect();
    words.sort_unstable();
    words.dedup();
    words.into_iter().map(|word| (word, 1.)).collect()
}

impl Policy for BestFirst {
    fn read(&mut self, web: &RecordedWeb, page: u32) {
        if !web.links(page).is_empty() {
            let good = self.counts.posterior(&words(web, page))[1];
            self.pages.insert(page, TriedLinks { good, links: 0., targets: 0. });
        }
    }

    fn worth(&self, web: &RecordedWeb, link: u32) -> f64 {
        let tried = self.pages.get(&web.stands(link));
        tried.map_or(0., |tried| (PRIOR * tried.good + tried.targets) / (PRIOR + tried.links))
    }

    fn fetched(&mut self, web: &RecordedWeb, fetched: &ReplayedPage<'_>) {
        for link in fetched.by {
            if let Some(tried) = self.pages.get_mut(&web.stands(*link)) {
                tried.links += 1.;
                tried.targets += f64::from(web.is_target(fetched.page));
            }
        }
    }

    fn learns(&self) -> bool {
        true
    }
}
