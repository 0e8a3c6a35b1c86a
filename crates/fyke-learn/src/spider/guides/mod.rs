//! Guides: who says which link is worth following first (002 §2; C12, L1), a row each. A live crawl and a replay
//! over what was recorded are led by the same rows, through [`LinkValues`].

mod best_first;
mod values;
mod yardsticks;

pub use values::{LinkValues, Promise};
pub use yardsticks::{YARDSTICKS, Yardstick};

use super::{Policy, RecordedWeb, ReplayedPage};

/// A way to choose links.
#[derive(Debug)]
pub struct LinkGuide {
    pub name: &'static str,
    /// In a sentence.
    pub what: &'static str,
    pub by: Worth,
}

/// What a guide takes a link to be worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// Nothing: links go in the order in which they came.
    Order,
    /// What the page on which it stands is to the subject, and whether it names that itself.
    Page,
    /// What links with its words led to; a reward one link further on counts so much.
    Words { discount: f64 },
}

/// From knowing nothing to knowing most.
pub const GUIDES: [LinkGuide; 4] = [
    LinkGuide {
        name: "breadth-first",
        what: "links in the order in which they are found, nearest to the seeds first",
        by: Worth::Order,
    },
    LinkGuide {
        name: "classifier",
        what: "links of pages about the subject first, and links whose words name it",
        by: Worth::Page,
    },
    LinkGuide {
        name: "immediate",
        what: "links whose words led to targets; learns on the way, does not look ahead",
        by: Worth::Words { discount: 0. },
    },
    LinkGuide {
        name: "future",
        what: "links whose words led to targets or to pages on the way there; learns as it goes",
        by: Worth::Words { discount: 0.5 },
    },
];

/// The guide that knows most.
pub const FUTURE: &LinkGuide = &GUIDES[3];
/// What settings called it before.
const OLD_NAME: &str = "learned";

/// The guide of this name; `learned` is an older name of `future`.
///
/// # Errors
/// When there is none; the message names those there are.
pub fn guide_named(name: &str) -> Result<&'static LinkGuide, String> {
    let names = || GUIDES.each_ref().map(|guide| guide.name).join(", ");
    let wanted = if name == OLD_NAME { FUTURE.name } else { name };
    let found = GUIDES.iter().find(|guide| guide.name == wanted);
    found.ok_or_else(|| format!("{name:?} is no guide ({})", names()))
}

impl LinkGuide {
    /// Whether it changes its mind as it learns.
    #[must_use]
    pub fn learns(&self) -> bool {
        matches!(self.by, Worth::Words { .. })
    }

    /// One that has learned from these webs, to be sent over another.
    #[must_use]
    pub fn train(&'static self, webs: &[&RecordedWeb]) -> LinkValues {
        let mut values = LinkValues::new(self);
        values.train(webs);
        values
    }
}

/// On a recorded web a page is about the subject when it is a target.
impl Policy for LinkValues {
    fn worth(&self, web: &RecordedWeb, link: u32) -> f64 {
        let relevance = f32::from(u8::from(web.is_target(web.stands(link))));
        self.value(web.words(link), relevance).unwrap_or(0.)
    }

    fn fetched(&mut self, web: &RecordedWeb, fetched: &ReplayedPage<'_>) {
        let mut promise = Promise::default();
        fetched.new.iter().for_each(|(_, worth)| promise.add(*worth));
        let reward = self.reward(f64::from(u8::from(web.is_target(fetched.page))), promise);
        for &link in fetched.by {
            self.learn(web.words(link), reward);
        }
    }

    fn learns(&self) -> bool {
        self.guide().learns()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spider::{LYING, replay};
    use std::collections::HashSet;

    /// Words that links have in the webs of these tests.
    const PAPERS: u32 = 1;
    const COURSES: u32 = 2;
    const FILE: u32 = 3;

    /// A department: page 0 links to pages of courses and of papers, each of `size` files; `folder` is
    /// a word of where all of it lies.
    fn department(size: u32, folder: u32) -> RecordedWeb {
        let mut web = RecordedWeb::default();
        let link = |to: u32, words: &[u32]| {
            (to, words.iter().copied().chain([LYING | folder]).collect::<Vec<u32>>())
        };
        let of = |first: u32, word: u32| (first..first + size).map(move |to| link(to, &[word]));
        web.push(false, of(1, COURSES).chain(of(1 + size, PAPERS)));
        let leaves = |page: u32| 1 + 2 * size + (page - 1) * size;
        for page in 1..=2 * size {
            web.push(false, of(leaves(page), FILE));
        }
        for page in 1..=2 * size {
            (0..size).for_each(|_| web.push(page > size, []));
        }
        web
    }

    /// All that can be sent over a web, by name, having learned from these.
    fn all(webs: &[&RecordedWeb]) -> Vec<(&'static str, Box<dyn Policy>)> {
        let guides = GUIDES.iter().map(|guide| (guide.name, guide.train(webs)));
        let guides = guides.map(|(name, values)| (name, Box::new(values) as Box<dyn Policy>));
        guides.chain(YARDSTICKS.iter().map(|row| (row.name, (row.train)(webs)))).collect()
    }

    fn needed(wanted: &str, share: f64) -> f64 {
        let (known, other) = (department(6, 7), department(8, 9));
        let mut policy = all(&[&known]).into_iter().find(|(name, _)| *name == wanted).unwrap().1;
        replay(&other, &[0], policy.as_mut()).needed(share).unwrap()
    }

    #[test]
    fn every_guide_fetches_every_page_once() {
        let web = department(5, 3);
        for (name, mut policy) in all(&[&web]) {
            let curve = replay(&web, &[0], policy.as_mut());
            assert_eq!((curve.followed, curve.found.len()), (web.pages(), 25), "{name}");
        }
    }

    #[test]
    fn guides_have_names_of_their_own_say_what_they_do_and_need_no_web_to_learn_from() {
        let names: HashSet<_> = all(&[]).iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), GUIDES.len() + YARDSTICKS.len());
        let said = GUIDES.iter().map(|guide| guide.what);
        assert!(said.chain(YARDSTICKS.iter().map(|row| row.what)).all(|what| what.len() > 20));
        for (name, mut policy) in all(&[]) {
            let curve = replay(&department(3, 1), &[0], policy.as_mut());
            assert_eq!(curve.found.len(), 9, "{name}");
        }
    }

    #[test]
    fn a_guide_is_found_by_its_name_and_no_other_is_taken() {
        for guide in &GUIDES {
            assert_eq!(guide_named(guide.name).unwrap().name, guide.name);
        }
        assert_eq!(guide_named("learned").unwrap().name, "future");
        let message = guide_named("oracle").unwrap_err();
        assert!(message.starts_with("\"oracle\" is no guide (breadth-first, classifier, "));
    }

    #[test]
    fn a_spider_that_looks_ahead_takes_the_way_to_papers() {
        let breadth_first = needed("breadth-first", 0.75);
        for name in ["future-plain", "future-online", "future-places", "future"] {
            let needed = needed(name, 0.75);
            assert!(needed < 0.55 * breadth_first, "{name}: {needed} {breadth_first}");
        }
        assert!(needed("targets-first", 0.75) < breadth_first);
    }
}
