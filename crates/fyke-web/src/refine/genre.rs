//! What a page is for: an article, a list of other pages, a thread of contributions, goods, or
//! documentation. What the page declares counts first; else it is told by what its text stands in.

use super::block::{Block, BlockKind, Blocks, place};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::HashMap;

/// The type of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Genre {
    #[default]
    Article,
    Listing,
    Forum,
    Product,
    Documentation,
}

impl Genre {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Genre::Article => "article",
            Genre::Listing => "listing",
            Genre::Forum => "forum",
            Genre::Product => "product",
            Genre::Documentation => "documentation",
        }
    }
}

/// Contributions from which on a page is a thread.
const CONTRIBUTIONS: usize = 3;
/// Blocks of code or program output from which on a page is documentation.
const LISTINGS: usize = 3;

/// Words of a page, by where they stand.
#[derive(Default)]
struct Sums {
    /// Words that are no noise by their place, and those of them in sentences.
    content: f64,
    sentences: f64,
    links: f64,
    link_blocks: usize,
    /// Sentences where readers comment.
    talk: f64,
    /// Words in elements named as goods.
    product: f64,
    listings: usize,
    docs: f64,
}

/// The type of a page, by its blocks.
#[must_use]
pub fn genre(blocks: &Blocks) -> Genre {
    let sums = sums(blocks);
    let repeated = repeated(blocks);
    if let Some(genre) = blocks.declared {
        return match genre {
            // Lists of goods and of threads declare the same as single ones.
            Genre::Product if sums.sentences < 0.2 * sums.links => Genre::Listing,
            genre => genre,
        };
    }
    let is_thread = repeated.posts >= CONTRIBUTIONS
        && repeated.words > 0.7 * sums.sentences
        && repeated.largest < 0.5 * repeated.words;
    let is_talk = sums.talk > 150.0 && sums.talk > 9.0 * sums.sentences;
    if is_thread || is_talk {
        return Genre::Forum;
    }
    if sums.docs > 0.5 * sums.content || sums.listings >= LISTINGS {
        return Genre::Documentation;
    }
    if sums.product > 0.3 * sums.content && sums.content > 0.0 && sums.sentences > 0.0 {
        return Genre::Product;
    }
    let is_list = sums.link_blocks >= 10 && sums.sentences < 0.25 * sums.content.max(1.0);
    if is_list && sums.sentences < 150.0 {
        return Genre::Listing;
    }
    Genre::Article
}

fn sums(blocks: &Blocks) -> Sums {
    let mut sums = Sums::default();
    for block in &blocks.list {
        let words = f64::from(block.words);
        let is_sentence = block.is_sentence();
        if block.is_comment() {
            sums.talk += if is_sentence { words } else { 0.0 };
        } else if !block.is_in(place::NOISE) {
            sums.content += words;
            sums.sentences += if is_sentence { words } else { 0.0 };
            sums.links += f64::from(block.link_words);
            sums.link_blocks += usize::from(block.link_density() > 0.5);
            sums.listings += usize::from(block.kind == BlockKind::Pre);
            sums.product += if block.is_in(place::PRODUCT) { words } else { 0.0 };
            sums.docs += if block.is_in(place::DOCS) { words } else { 0.0 };
        }
    }
    sums
}

/// Elements of one sort named as contributions: how many, their words, those of the largest.
#[derive(Clone, Copy, Default)]
struct Repeated {
    posts: usize,
    words: f64,
    largest: f64,
    /// The last one, and its words so far.
    last: u32,
    last_words: f64,
}

impl Repeated {
    fn add(&mut self, post: u32, words: f64) {
        if self.posts == 0 || self.last != post {
            (self.posts, self.last, self.last_words) = (self.posts + 1, post, 0.0);
        }
        self.words += words;
        self.last_words += words;
        self.largest = self.largest.max(self.last_words);
    }
}

/// The sort of element named as contribution that holds most sentences.
fn repeated(blocks: &Blocks) -> Repeated {
    let mut sorts: HashMap<u64, Repeated> = HashMap::new();
    for block in blocks.list.iter().filter(|block| is_contribution(block)) {
        let Some(post) = post_around(blocks, block) else { continue };
        let sort = sorts.entry(blocks.elements[post as usize].path).or_default();
        sort.add(post, f64::from(block.words));
    }
    // The same words, the same choice, whatever the order.
    let order = |a: &Repeated, b: &Repeated| (a.words, a.last).partial_cmp(&(b.words, b.last));
    sorts.into_values().max_by(|a, b| order(a, b).unwrap_or(Ordering::Equal)).unwrap_or_default()
}

fn is_contribution(block: &Block) -> bool {
    block.is_sentence() && block.is_in(place::POST) && !block.is_in(place::NAV | place::FOOTER)
}

/// The innermost element around a block that is named as contribution.
fn post_around(blocks: &Blocks, block: &Block) -> Option<u32> {
    let mut at = block.element;
    loop {
        let element = blocks.elements.get(at as usize)?;
        if element.own & place::POST != 0 {
            return Some(at);
        }
        if element.parent == at {
            return None;
        }
        at = element.parent;
    }
}
