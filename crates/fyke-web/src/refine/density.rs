//! The default: each block gets a value from its words, its links and its place; the main text is
//! the stretch with the largest sum, without the noise inside it. A page with one large article or
//! main element is read there alone. Pages without running text (lists of links) keep all that is
//! no noise.

use super::block::{Block, Blocks, Kind, place};
use super::largest_stretch;

/// A sentence has this many words or more.
const SENTENCE: f64 = 10.0;
/// More link text than this is navigation.
const LINKS: f64 = 0.4;
/// A stretch of fewer words is no text.
const SHORT: f64 = 20.0;
/// An article or main element counts when it holds this share of the page's sentences.
const SHARE: f64 = 0.4;

pub(super) fn run(blocks: &Blocks) -> Vec<usize> {
    let strict = choose(blocks, place::NOISE);
    let told = choose(blocks, 0);
    // Class names mislead now and then: when they throw most of the text away, do without them.
    let kept = if words(blocks, &strict) * 4.0 < words(blocks, &told) {
        choose_without_hints(blocks)
    } else {
        strict
    };
    if words(blocks, &kept) >= SHORT {
        return kept;
    }
    let rest = no_noise(blocks);
    if words(blocks, &kept) * 3.0 >= words(blocks, &rest) { kept } else { rest }
}

fn choose_without_hints(blocks: &Blocks) -> Vec<usize> {
    let mut blocks = blocks.clone();
    for block in &mut blocks.list {
        if block.is_in(place::HINTED) {
            block.places &= !(place::SIDE | place::NAV | place::FOOTER);
        }
    }
    choose(&blocks, place::NOISE)
}

/// The main text when blocks in `noise` places are none of it.
fn choose(blocks: &Blocks, noise: u16) -> Vec<usize> {
    let inside = holder(blocks, noise);
    let value = |block: &Block| if inside(block) { value(block, noise) } else { -SENTENCE };
    let Some((from, to)) = largest_stretch(blocks.list.iter().map(value)) else {
        return Vec::new();
    };
    let good = |at: usize| blocks.list.get(at).is_some_and(|b| value(b) > 0.0);
    (from..to)
        .filter(|&at| {
            let block = &blocks.list[at];
            good(at)
                || (inside(block)
                    && is_filling(blocks, block, noise)
                    && goes_on(blocks, at, to, &good))
        })
        .collect()
}

/// Whether a block lies in the one element that holds the text: a large article, else main.
fn holder(blocks: &Blocks, noise: u16) -> impl Fn(&Block) -> bool {
    let good = |block: &&Block| value(block, noise) > 0.0;
    let sum = |keep: &dyn Fn(&Block) -> bool| -> f64 {
        blocks.list.iter().filter(good).filter(|b| keep(b)).map(|b| f64::from(b.words)).sum()
    };
    let all = sum(&|_| true);
    let mut sizes: Vec<f64> = Vec::new();
    for block in blocks.list.iter().filter(good) {
        let article = block.article as usize;
        if sizes.len() <= article {
            sizes.resize(article + 1, 0.0);
        }
        sizes[article] += f64::from(block.words);
    }
    let largest = (1..sizes.len()).max_by(|&a, &b| sizes[a].total_cmp(&sizes[b]));
    let article = largest.filter(|&a| sizes[a] >= SHARE * all);
    let main = sum(&|b| b.is_in(place::MAIN)) >= SHARE * all;
    move |block| match article {
        Some(article) => block.article as usize == article,
        None => !main || block.is_in(place::MAIN),
    }
}

/// How much a block speaks for text (positive) or against it.
fn value(block: &Block, noise: u16) -> f64 {
    let words = f64::from(block.words);
    if block.is_in(noise) {
        return -words.min(SENTENCE);
    }
    if block.link_density() > LINKS {
        return -words.clamp(3.0, SENTENCE);
    }
    let plain = f64::from(block.words.saturating_sub(block.link_words));
    match block.kind {
        Kind::Heading(_) => -0.5,
        Kind::Caption => -2.0,
        Kind::Paragraph | Kind::Pre if plain >= 5.0 => plain,
        _ if plain >= SENTENCE => plain,
        Kind::Item | Kind::Cell if plain >= 5.0 => 0.5 * plain,
        Kind::Item | Kind::Cell | Kind::Paragraph | Kind::Pre => -1.0,
        Kind::Other => -2.0,
    }
}

/// Short blocks that belong to a text when they stand in it: headings, items, short paragraphs.
fn is_filling(blocks: &Blocks, block: &Block, noise: u16) -> bool {
    if block.is_in(noise) || block.link_density() > LINKS {
        return false;
    }
    match block.kind {
        Kind::Heading(level) => level > 1,
        Kind::Paragraph | Kind::Pre | Kind::Item | Kind::Cell => true,
        Kind::Caption => false,
        Kind::Other => blocks.text_of(block).ends_with(['.', '!', '?', ':', '"', '”', '。']),
    }
}

/// Whether text follows before the next heading of the same stretch ends; a last heading leads to
/// nothing.
fn goes_on(blocks: &Blocks, at: usize, to: usize, good: &impl Fn(usize) -> bool) -> bool {
    match blocks.list[at].kind {
        Kind::Heading(_) => (at + 1..to.min(at + 4)).any(good),
        _ => true,
    }
}

fn words(blocks: &Blocks, kept: &[usize]) -> f64 {
    kept.iter().filter_map(|&at| blocks.list.get(at)).map(|b| f64::from(b.words)).sum()
}

/// Everything that is not noise by its place; on a page of links that is the links.
fn no_noise(blocks: &Blocks) -> Vec<usize> {
    let kept: Vec<usize> =
        (0..blocks.list.len()).filter(|&at| !blocks.list[at].is_in(place::NOISE)).collect();
    if kept.is_empty() {
        return (0..blocks.list.len())
            .filter(|&at| !blocks.list[at].is_in(place::COMMENT))
            .collect();
    }
    kept
}
