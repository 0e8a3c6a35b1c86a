//! Sums over a page that the features of a block are taken from: what each element holds, what all
//! elements of one sort hold, where the nearest running text is.

use super::block::{Block, BlockKind, Blocks, place};
use super::feature::says_cookie;
use super::genre::{Genre, genre};
use super::{cue, largest_stretch};
use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_64;

/// Shares of the words that are no noise, for which the smallest element that holds them is looked for.
const FRAMES: [f64; 2] = [0.7, 0.5];
/// Blocks on each side that are near.
const NEAR: usize = 4;

/// What an element holds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    pub(super) words: f64,
    pub(super) links: f64,
    /// Words of running text.
    pub(super) plain: f64,
    pub(super) blocks: f64,
}

impl Held {
    fn add(&mut self, other: Held) {
        self.words += other.words;
        self.links += other.links;
        self.plain += other.plain;
        self.blocks += other.blocks;
    }
}

/// Sums over a page.
#[derive(Debug)]
pub(super) struct Surroundings {
    /// By element: all that is in it, at any depth.
    pub(super) held: Vec<Held>,
    paths: HashMap<u64, Held>,
    /// How often a text occurs, by its hash.
    texts: HashMap<u64, u32>,
    pub(super) hashes: Vec<u64>,
    article_words: Vec<f64>,
    pub(super) articles: u32,
    /// Share of the running text that stands in the main element.
    pub(super) main_share: f64,
    /// Share of all sentences that stand where noise stands, and where comments do.
    pub(super) noise_share: f64,
    pub(super) talk_share: f64,
    /// The element with most running text directly inside.
    best: usize,
    /// First and last block of running text in it.
    pub(super) best_span: (usize, usize),
    /// First block behind the best that tells of comments by its words, and by its place.
    pub(super) talk: Option<usize>,
    pub(super) comments: Option<usize>,
    /// Words, words of links and of running text up to each block.
    sums: Vec<(f64, f64)>,
    pub(super) words: f64,
    pub(super) links: f64,
    pub(super) plain: f64,
    /// Blocks from each to the nearest running text.
    pub(super) good_before: Vec<f64>,
    pub(super) good_after: Vec<f64>,
    /// The stretch with most running text.
    pub(super) stretch: (usize, usize),
    title: Option<usize>,
    /// Blocks from each to the heading before and behind it.
    pub(super) headings: Vec<(f64, f64)>,
    /// The smallest elements that hold most, and half, of the words that are no noise.
    pub(super) frames: [(usize, usize); 2],
    pub(super) genre: Genre,
    /// Whether any of it speaks of cookies.
    pub(super) says_cookie: bool,
    /// Blocks of code, of links, and as long as a sentence; contributions to a thread.
    pub(super) pres: f64,
    pub(super) link_blocks: f64,
    pub(super) sentences: f64,
    pub(super) posts: f64,
    /// Share of the words in contributions, and in lists and tables.
    pub(super) post_share: f64,
    pub(super) item_share: f64,
}

/// Running text of a block, in words; 0 when it is no such text.
fn running(block: &Block) -> f64 {
    let is_text = block.is_sentence() && block.link_density() < 0.5;
    if is_text && !block.is_in(place::NOISE) { block.plain() } else { 0.0 }
}

fn held_by(block: &Block) -> Held {
    Held {
        words: f64::from(block.words),
        links: f64::from(block.link_words),
        plain: running(block),
        blocks: 1.0,
    }
}

impl Surroundings {
    pub(super) fn of(blocks: &Blocks) -> Surroundings {
        let list = &blocks.list;
        let (held, best) = held_by_elements(blocks);
        let best_span = span_of_running_text(blocks, best);
        let mut paths: HashMap<u64, Held> = HashMap::new();
        let mut texts: HashMap<u64, u32> = HashMap::with_capacity(list.len());
        let mut hashes = Vec::with_capacity(list.len());
        let mut article_words: Vec<f64> = vec![0.0];
        let mut sums = Vec::with_capacity(list.len() + 1);
        let (mut words, mut links, mut plain, mut main) = (0.0, 0.0, 0.0, 0.0);
        sums.push((0.0, 0.0));
        for block in list {
            let one = held_by(block);
            paths.entry(blocks.path_of(block)).or_default().add(one);
            let hash = xxh3_64(blocks.text_of(block).as_bytes());
            *texts.entry(hash).or_default() += 1;
            hashes.push(hash);
            let article = block.article as usize;
            if article_words.len() <= article {
                article_words.resize(article + 1, 0.0);
            }
            article_words[article] += one.plain;
            words += one.words;
            links += one.links;
            plain += one.plain;
            main += if block.is_in(place::MAIN) { one.plain } else { 0.0 };
            sums.push((words, links));
        }
        let articles = article_words.iter().skip(1).filter(|w| **w > 0.0).count() as u32;
        Surroundings {
            held,
            paths,
            texts,
            hashes,
            article_words,
            articles,
            main_share: main / f64::max(plain, 1.0),
            says_cookie: says_cookie(&blocks.text),
            noise_share: share_of_sentences(list, place::NOISE),
            talk_share: share_of_sentences(list, place::COMMENT),
            best,
            best_span,
            talk: (best_span.1..list.len()).find(|&at| {
                list[at].words < 8 && cue::of(blocks.text_of(&list[at])) == Some(cue::Cue::Talk)
            }),
            comments: (best_span.1..list.len()).find(|&at| list[at].is_in(place::COMMENT)),
            sums,
            words,
            links,
            plain,
            good_before: distances(list.iter()),
            good_after: distances(list.iter().rev()).into_iter().rev().collect(),
            stretch: largest_stretch(list.iter().map(value)).unwrap_or((0, 0)),
            title: list.iter().position(|b| b.kind == BlockKind::Heading(1)),
            headings: headings(list),
            frames: FRAMES.map(|share| frame(blocks, share)),
            genre: genre(blocks),
            pres: count(list, |b| b.kind == BlockKind::Pre),
            link_blocks: count(list, |b| b.link_density() > 0.5),
            sentences: count(list, Block::is_sentence),
            posts: blocks.elements.iter().filter(|e| e.own & place::POST != 0).count() as f64,
            post_share: share(list, place::POST),
            item_share: share(list, place::LIST | place::TABLE),
        }
    }

    /// All blocks in elements of the same sort.
    pub(super) fn alike(&self, blocks: &Blocks, block: &Block) -> Held {
        self.paths.get(&blocks.path_of(block)).copied().unwrap_or_default()
    }

    /// How many elements must be left to reach one that holds the best; 8 at most.
    pub(super) fn levels_to_best(&self, blocks: &Blocks, block: &Block) -> u32 {
        let mut inside = block.element as usize;
        let target = blocks.elements[self.best].depth;
        while blocks.elements[inside].depth > target {
            inside = blocks.elements[inside].parent as usize;
        }
        let mut best = self.best;
        let mut levels = 0;
        while blocks.elements[best].depth > blocks.elements[inside].depth {
            best = blocks.elements[best].parent as usize;
            levels += 1;
        }
        while best != inside && levels < 8 {
            best = blocks.elements[best].parent as usize;
            inside = blocks.elements[inside].parent as usize;
            levels += 1;
        }
        levels.min(8)
    }

    /// Share of the running text that stands in the article of the block.
    pub(super) fn article_share(&self, block: &Block) -> f64 {
        match block.article as usize {
            0 => 0.0,
            article => self.article_words[article] / self.plain.max(1.0),
        }
    }

    /// 1 in the article that holds the first large heading, −1 in another one.
    pub(super) fn article_of_title(&self, blocks: &Blocks, block: &Block) -> f64 {
        let article = self.title.and_then(|at| blocks.list.get(at)).map_or(0, |b| b.article);
        match block.article {
            _ if article == 0 => 0.0,
            own if own == article => 1.0,
            _ => -1.0,
        }
    }

    /// Words near a block, and the share of links among them.
    pub(super) fn near(&self, at: usize) -> (f64, f64) {
        let from = self.sums[at.saturating_sub(NEAR)];
        let to = self.sums[(at + NEAR + 1).min(self.sums.len() - 1)];
        let words = to.0 - from.0;
        (words, (to.1 - from.1) / words.max(1.0))
    }

    /// Words before a block.
    pub(super) fn before(&self, at: usize) -> f64 {
        self.sums[at].0
    }

    /// Where the block stands to the first large heading: −1 before it, 0 without one, else the more
    /// the farther behind it.
    pub(super) fn since_title(&self, at: usize) -> f64 {
        match self.title {
            None => 0.0,
            Some(title) if at < title => -1.0,
            Some(title) => (2.0 + (at - title) as f64).ln(),
        }
    }

    /// How often the text of the block occurs elsewhere on the page.
    pub(super) fn copies(&self, at: usize) -> f64 {
        f64::from(self.texts.get(&self.hashes[at]).map_or(0, |n| n - 1))
    }
}

/// The first and the last block of running text in an element or directly below it.
fn span_of_running_text(blocks: &Blocks, element: usize) -> (usize, usize) {
    let is_inside = |block: &Block| {
        let own = block.element as usize;
        running(block) > 0.0 && (own == element || blocks.elements[own].parent as usize == element)
    };
    (
        blocks.list.iter().position(is_inside).unwrap_or(0),
        blocks.list.iter().rposition(is_inside).unwrap_or(0),
    )
}

/// What each element holds, and the place of the one with most running text directly inside.
fn held_by_elements(blocks: &Blocks) -> (Vec<Held>, usize) {
    let mut held = vec![Held::default(); blocks.elements.len().max(1)];
    // A paragraph's text belongs to the element around it, too, as all paragraphs of a text do.
    let mut direct = vec![0.0; held.len()];
    for block in &blocks.list {
        let element = block.element as usize;
        held[element].add(held_by(block));
        direct[element] += running(block) / 2.0;
        direct[blocks.elements[element].parent as usize] += running(block);
    }
    blocks.add_up(&mut held, Held::add);
    let best = (0..direct.len()).max_by(|&a, &b| f64::total_cmp(&direct[a], &direct[b]));
    (held, best.unwrap_or(0))
}

fn count(list: &[Block], is_one: impl Fn(&Block) -> bool) -> f64 {
    list.iter().filter(|block| is_one(block)).count() as f64
}

/// Share of the words that stand in these places.
fn share(list: &[Block], places: u32) -> f64 {
    let words = |block: &Block| f64::from(block.words);
    let inside: f64 = list.iter().filter(|block| block.is_in(places)).map(words).sum();
    inside / list.iter().map(words).sum::<f64>().max(1.0)
}

/// For each block, how many blocks lie between it and the nearest heading, before and behind.
fn headings(list: &[Block]) -> Vec<(f64, f64)> {
    let is_heading = |block: &Block| matches!(block.kind, BlockKind::Heading(_));
    let mut found = vec![(99.0, 99.0); list.len()];
    let (mut before, mut behind) = (99.0, 99.0);
    for at in 0..list.len() {
        found[at].0 = before;
        before = if is_heading(&list[at]) { 0.0 } else { f64::min(before + 1.0, 99.0) };
        let at = list.len() - 1 - at;
        found[at].1 = behind;
        behind = if is_heading(&list[at]) { 0.0 } else { f64::min(behind + 1.0, 99.0) };
    }
    found
}

/// The blocks of the smallest element that holds this share of the words that are no noise.
fn frame(blocks: &Blocks, share: f64) -> (usize, usize) {
    // Words that are no noise, first block, end of the last.
    let mut held = vec![(0.0, usize::MAX, 0); blocks.elements.len()];
    for (at, block) in blocks.list.iter().enumerate() {
        let (words, first, end) = &mut held[block.element as usize];
        *words += if block.is_in(place::NOISE) { 0.0 } else { f64::from(block.words) };
        (*first, *end) = (at.min(*first), at + 1);
    }
    blocks.add_up(&mut held, |outer, inner| {
        *outer = (outer.0 + inner.0, outer.1.min(inner.1), outer.2.max(inner.2));
    });
    let enough = share * held.first().map_or(0.0, |all| all.0);
    let smallest = held.iter().rev().find(|element| element.0 >= enough);
    smallest.map_or((0, 0), |element| (element.1, element.2))
}

/// Of the words in blocks as long as a sentence, the share in these places.
fn share_of_sentences(list: &[Block], places: u32) -> f64 {
    let (mut all, mut inside) = (1.0, 0.0);
    for block in list.iter().filter(|block| block.is_sentence()) {
        all += block.plain();
        inside += if block.is_in(places) { block.plain() } else { 0.0 };
    }
    inside / all
}

/// Blocks since the last running text, in the order given.
fn distances<'a>(list: impl Iterator<Item = &'a Block>) -> Vec<f64> {
    let mut distance = 99.0;
    list.map(|block| {
        let before = distance;
        distance = if running(block) > 0.0 { 0.0 } else { f64::min(distance + 1.0, 99.0) };
        before
    })
    .collect()
}

/// How much a block speaks for text (positive) or against it.
fn value(block: &Block) -> f64 {
    let plain = running(block);
    if plain > 0.0 { plain } else { -f64::from(block.words).clamp(2.0, 10.0) }
}
