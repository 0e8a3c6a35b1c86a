//! Guides of a spider, a row each: those that know nothing, those of the paper, and what each step beyond
//! it brings (002 §2).

mod best_first;
mod fixed;
mod learned;

pub use learned::{model, with_model};

use super::replay::Policy;
use super::web::Web;

/// A way to choose links.
#[derive(Debug)]
pub struct Guide {
    pub name: &'static str,
    /// In a sentence.
    pub what: &'static str,
    /// Makes one that has learned from these webs.
    pub train: fn(&[&Web]) -> Box<dyn Policy>,
}

/// From knowing nothing to knowing most.
pub const GUIDES: &[Guide] = &[
    fixed::BREADTH_FIRST,
    fixed::TARGETS_FIRST,
    best_first::BEST_FIRST,
    learned::IMMEDIATE_PLAIN,
    learned::FUTURE_PLAIN,
    learned::FUTURE_ONLINE,
    learned::FUTURE_PLACES,
    learned::IMMEDIATE,
    learned::FUTURE,
];

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
    fn department(size: u32, folder: u32) -> Web {
        let mut web = Web::default();
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

    fn needed(guide: &Guide, share: f64) -> f64 {
        let (known, other) = (department(6, 7), department(8, 9));
        let mut policy = (guide.train)(&[&known]);
        replay(&other, &[0], policy.as_mut()).needed(share).unwrap()
    }

    #[test]
    fn every_guide_fetches_every_page_once() {
        let web = department(5, 3);
        for guide in GUIDES {
            let curve = replay(&web, &[0], (guide.train)(&[&web]).as_mut());
            assert_eq!((curve.followed, curve.found.len()), (web.pages(), 25), "{}", guide.name);
        }
    }

    #[test]
    fn guides_have_names_of_their_own_and_need_no_web_to_learn_from() {
        let names: HashSet<_> = GUIDES.iter().map(|guide| guide.name).collect();
        assert_eq!(names.len(), GUIDES.len());
        for guide in GUIDES {
            assert!(!guide.what.is_empty());
            let curve = replay(&department(3, 1), &[0], (guide.train)(&[]).as_mut());
            assert_eq!(curve.found.len(), 9, "{}", guide.name);
        }
    }

    #[test]
    fn a_spider_that_looks_ahead_takes_the_way_to_papers() {
        let of = |name: &str| {
            let guide = GUIDES.iter().find(|guide| guide.name == name).unwrap();
            needed(guide, 0.75)
        };
        let breadth_first = of("breadth-first");
        for name in ["future-plain", "future-online", "future-places", "future"] {
            assert!(of(name) < 0.55 * breadth_first, "{name}: {} {breadth_first}", of(name));
        }
        assert!(of("targets-first") < breadth_first);
    }
}
