//! The default: each block gets the odds of being content from a forest of small trees over its
//! text, links, tags, place, containers and neighbours; then the likeliest row of stretches is
//! chosen, where going in and out of the content has a cost. What the page is for decides how
//! greedy that is: an article is taken for itself, while of a thread, a list, goods or documentation
//! everything counts that stands in the frame of the content and is not noise by its place.

use super::block::{Block, BlockKind, Blocks, place};
use super::feature::features;
use super::forest::odds;
use super::genre::{Genre, genre};

/// What going into or out of the content costs, in odds.
const TURN: f64 = 0.5;
/// Fewer words than this are no text.
const SHORT: f64 = 25.0;
/// The frame of a page holds this share of all words that are no noise.
const FRAME: f64 = 0.7;

/// Added to the odds of what stands outside the one large article of a page.
const OUTSIDE: f64 = -2.0;
/// The share of running text that makes an article large.
const LARGE: f64 = 0.6;

/// How much a page of a type is trusted to be content.
struct Greed {
    /// Added to the odds of every block.
    bias: f64,
    /// Added inside the frame, where the place is no noise; and for blocks of links there.
    frame: f64,
    links: f64,
    /// Places that are no content.
    noise: u32,
}

fn greed(genre: Genre) -> Greed {
    const AWAY: u32 = place::NOISE & !place::COMMENT;
    match genre {
        Genre::Article => Greed { bias: 0.2, frame: 0.0, links: 0.0, noise: place::NOISE },
        Genre::Documentation => Greed { bias: 0.3, frame: 2.5, links: 1.5, noise: place::NOISE },
        Genre::Product => Greed { bias: 0.3, frame: 2.0, links: 0.0, noise: place::NOISE },
        Genre::Forum => Greed { bias: 0.3, frame: 2.5, links: 0.0, noise: AWAY },
        Genre::Listing => Greed { bias: 0.3, frame: 3.5, links: 3.5, noise: place::NOISE },
    }
}

pub(super) fn run(blocks: &Blocks) -> Vec<usize> {
    choose(blocks, &odds(&features(blocks)))
}

/// The content when each block has these odds (their logarithm) of being content.
#[must_use]
pub fn choose(blocks: &Blocks, odds: &[f64]) -> Vec<usize> {
    let genre = genre(blocks);
    let odds = with_greed(blocks, odds, &greed(genre));
    let silent: Vec<f64> = odds.iter().zip(&blocks.list).map(without_talk(genre)).collect();
    let kept = stretches(&silent);
    if words(blocks, &kept) >= SHORT {
        return kept;
    }
    let all = stretches(&odds);
    if words(blocks, &all) >= SHORT { all } else { rest(blocks, kept) }
}

fn with_greed(blocks: &Blocks, odds: &[f64], greed: &Greed) -> Vec<f64> {
    let frame = frame(blocks, greed.noise);
    let article = large_article(blocks);
    let extra = |at: usize, block: &Block| {
        if article.is_some_and(|article| block.article != article) {
            return OUTSIDE;
        }
        let inside = frame.0 <= at && at < frame.1 && !block.is_in(greed.noise);
        match block.link_density() {
            _ if !inside => 0.0,
            0.5.. => greed.links,
            _ => greed.frame,
        }
    };
    let list = blocks.list.iter().zip(odds).enumerate();
    list.map(|(at, (block, odds))| odds + greed.bias + extra(at, block)).collect()
}

/// What readers say is no content, but where the page is for that.
fn without_talk(genre: Genre) -> impl Fn((&f64, &Block)) -> f64 {
    move |(odds, block)| {
        if genre != Genre::Forum && block.is_comment() { -9.0 } else { *odds }
    }
}

/// The blocks in content when each counts with its odds and every turn costs.
fn stretches(odds: &[f64]) -> Vec<usize> {
    let (mut outside, mut inside) = (0.0_f64, -TURN);
    // For each block: whether the best way to be outside, or inside, came from inside.
    let mut came: Vec<(bool, bool)> = Vec::with_capacity(odds.len());
    for odds in odds {
        came.push((inside - TURN > outside, inside >= outside - TURN));
        (outside, inside) = (outside.max(inside - TURN), inside.max(outside - TURN) + odds);
    }
    let mut is_inside = inside - TURN > outside;
    let mut kept = Vec::new();
    for (at, (to_outside, to_inside)) in came.iter().enumerate().rev() {
        if is_inside {
            kept.push(at);
        }
        is_inside = if is_inside { *to_inside } else { *to_outside };
    }
    kept.reverse();
    kept
}

/// The number of the article that holds most of the page's running text.
fn large_article(blocks: &Blocks) -> Option<u32> {
    let mut sizes: Vec<f64> = Vec::new();
    let is_text = |block: &&Block| block.is_sentence() && !block.is_in(place::NOISE);
    for block in blocks.list.iter().filter(is_text) {
        let article = block.article as usize;
        sizes.resize(sizes.len().max(article + 1), 0.0);
        sizes[article] += block.plain();
    }
    let all: f64 = sizes.iter().sum();
    let large = (1..sizes.len()).find(|&article| sizes[article] >= LARGE * all)?;
    u32::try_from(large).ok()
}

/// The blocks of the smallest element that holds most words that are no noise.
fn frame(blocks: &Blocks, noise: u32) -> (usize, usize) {
    // Words that are no noise, first block, end of the last.
    let mut held = vec![(0.0, usize::MAX, 0); blocks.elements.len()];
    for (at, block) in blocks.list.iter().enumerate() {
        let (words, first, end) = &mut held[block.element as usize];
        *words += if block.is_in(noise) { 0.0 } else { f64::from(block.words) };
        (*first, *end) = (at.min(*first), at + 1);
    }
    blocks.add_up(&mut held, |outer, inner| {
        *outer = (outer.0 + inner.0, outer.1.min(inner.1), outer.2.max(inner.2));
    });
    let enough = FRAME * held.first().map_or(0.0, |all| all.0);
    let smallest = held.iter().rev().find(|element| element.0 >= enough);
    smallest.map_or((0, 0), |element| (element.1, element.2))
}

/// With hardly any text: everything that is not noise by its place, or failing that, everything but
/// what readers say.
fn rest(blocks: &Blocks, kept: Vec<usize>) -> Vec<usize> {
    let outside = |places: u32| -> Vec<usize> {
        (0..blocks.list.len()).filter(|&at| !blocks.list[at].is_in(places)).collect()
    };
    let rest = outside(place::NOISE);
    let rest = if rest.is_empty() { outside(place::COMMENT) } else { rest };
    let title = |at: &usize| blocks.list[*at].kind == BlockKind::Heading(1);
    let rest: Vec<usize> =
        if rest.len() > 1 { rest.into_iter().filter(|at| !title(at)).collect() } else { rest };
    if words(blocks, &kept) * 3.0 >= words(blocks, &rest) { kept } else { rest }
}

fn words(blocks: &Blocks, kept: &[usize]) -> f64 {
    kept.iter().filter_map(|&at| blocks.list.get(at)).map(|b| f64::from(b.words)).sum()
}
