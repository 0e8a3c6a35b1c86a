//! The default: each block gets the odds of being content from a forest of small trees over its
//! text, links, tags, place, containers and neighbours; then the likeliest row of stretches is
//! chosen, where going in and out of the content has a cost. How sure the forest is of the page as a whole decides how
//! greedy that is (`doubt`): of an article that is told apart from the rest clearly what is likely is taken, of a page
//! of which little is certain more than that. A sentence that stands twice is content once. Where that
//! gives crumbs, a small share of what is no noise by its place, the odds are raised until it does not. At last
//! what belongs to the content by its structure is put back: code and definitions everywhere, and in
//! documentation all that stands in its main container.

use super::block::{Block, BlockKind, Blocks, place};
use super::doubt::doubt;
use super::feature::{features, says_cookie};
use super::forest::odds;
use super::genre::{Genre, genre};
use std::collections::HashMap;

/// What going into or out of the content costs, in odds.
const TURN: f64 = 0.5;
/// Fewer words than this are no text.
const SHORT: f64 = 25.0;
/// Less than this share of the words that are no noise by their place is crumbs.
const CRUMBS: f64 = 0.15;
/// How much the odds are raised at once where there are only crumbs, and how often.
const RAISE: f64 = 0.5;
const RAISES: usize = 4;
/// A block of links of so few words that stands on a page so often is a tool of the page.
const REPEATED_WORDS: u32 = 4;
const REPEATED: usize = 4;
/// The odds of what is no content whatever else speaks for it.
const NEVER: f64 = -9.0;
/// Added to the odds of what stands outside the one large article of a page.
const OUTSIDE: f64 = -2.0;
/// The share of running text that makes an article large.
const LARGE: f64 = 0.6;
/// The main container holds this share of the words chosen, where no element is named as such.
const CONTAINER: f64 = 0.97;

pub(super) fn run(blocks: &Blocks) -> Vec<usize> {
    choose(blocks, &odds(&features(blocks)))
}

/// The content when each block has these odds (their logarithm) of being content.
#[must_use]
pub fn choose(blocks: &Blocks, odds: &[f64]) -> Vec<usize> {
    let genre = genre(blocks);
    let raised = doubt(&blocks.list, odds);
    let shown = shown(blocks, genre);
    let mut odds: Vec<f64> =
        odds.iter().zip(&blocks.list).map(|(odds, block)| shown(odds + raised, block)).collect();
    for at in repeated_links(blocks).into_iter().chain(consent(blocks)) {
        odds[at] = odds[at].min(NEVER);
    }
    let silent: Vec<f64> = odds.iter().zip(&blocks.list).map(without_talk(genre)).collect();
    let kept = more_than_crumbs(blocks, &silent);
    if words(blocks, &kept) >= SHORT {
        let kept = completed(blocks, &kept, genre);
        return if genre == Genre::Documentation { kept } else { once(blocks, kept, &silent) };
    }
    let all = stretches(&odds);
    if words(blocks, &all) >= SHORT { all } else { rest(blocks, kept) }
}

/// The odds by what the page is for. What is hidden until something is clicked is no part of an article, and what stands
/// outside the one large article of a page hardly ever.
fn shown(blocks: &Blocks, genre: Genre) -> impl Fn(f64, &Block) -> f64 {
    let article = large_article(blocks).filter(|_| genre == Genre::Article);
    move |odds, block| match genre {
        Genre::Article if block.is_in(place::HIDDEN) => NEVER,
        _ if article.is_some_and(|article| block.article != article) => odds + OUTSIDE,
        _ => odds,
    }
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

/// Short blocks of links that stand on the page again and again: "read more", "reply".
fn repeated_links(blocks: &Blocks) -> Vec<usize> {
    let is_link = |block: &Block| block.words <= REPEATED_WORDS && block.link_words == block.words;
    let links = || blocks.list.iter().enumerate().filter(|(_, block)| is_link(block));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    links().for_each(|(_, block)| *counts.entry(blocks.text_of(block)).or_default() += 1);
    let is_repeated = |block: &Block| counts[blocks.text_of(block)] >= REPEATED;
    links().filter(|(_, block)| is_repeated(block)).map(|(at, _)| at).collect()
}

/// The content without sentences that stand in it already, in an element of another sort: for small screens, or in a
/// quotation. The likelier of the two stays. Inside one article somebody may repeat what was said, and manuals do.
fn once(blocks: &Blocks, kept: Vec<usize>, odds: &[f64]) -> Vec<usize> {
    let is_prose = |block: &Block| {
        block.is_sentence()
            && matches!(block.kind, BlockKind::Paragraph | BlockKind::Item | BlockKind::Other)
    };
    let rank = |at: usize| (!blocks.list[at].is_in(place::QUOTE), odds[at]);
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut copies = Vec::new();
    for &at in kept.iter().filter(|at| is_prose(&blocks.list[**at])) {
        let block = &blocks.list[at];
        let known = first.entry(blocks.text_of(block)).or_insert(at);
        let other = &blocks.list[*known];
        let is_repeated = other.article != 0 && other.article == block.article
            || blocks.path_of(other) == blocks.path_of(block);
        if *known == at || is_repeated {
            continue;
        }
        let is_better = rank(at) > rank(*known);
        copies.push(if is_better { std::mem::replace(known, at) } else { at });
    }
    copies.sort_unstable();
    kept.into_iter().filter(|at| copies.binary_search(at).is_err()).collect()
}

/// Blocks that ask for consent to cookies, in an element named after that.
fn consent(blocks: &Blocks) -> impl Iterator<Item = usize> {
    let says_any = says_cookie(&blocks.text);
    let asks = move |block: &Block| {
        says_any && block.is_in(place::SIDE) && says_cookie(blocks.text_of(block))
    };
    blocks.list.iter().enumerate().filter(move |(_, block)| asks(block)).map(|(at, _)| at)
}

/// What readers say is no content, but where the page is for that.
fn without_talk(genre: Genre) -> impl Fn((&f64, &Block)) -> f64 {
    move |(odds, block)| {
        if genre != Genre::Forum && block.is_comment() { NEVER } else { *odds }
    }
}

/// The content by these odds, raised where it is a small share of the page.
fn more_than_crumbs(blocks: &Blocks, odds: &[f64]) -> Vec<usize> {
    let is_noise = |block: &&Block| block.is_in(place::NOISE);
    let all: f64 = blocks.list.iter().filter(|b| !is_noise(b)).map(|b| f64::from(b.words)).sum();
    let enough = SHORT.max(CRUMBS * all);
    let mut kept = stretches(odds);
    let mut raised = odds.to_vec();
    for _ in 0..RAISES {
        if words(blocks, &kept) >= enough {
            break;
        }
        raised.iter_mut().for_each(|odds| *odds += RAISE);
        kept = stretches(&raised);
    }
    kept
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

/// With what the main container holds that belongs to the content by its structure.
fn completed(blocks: &Blocks, kept: &[usize], genre: Genre) -> Vec<usize> {
    /// Where nothing is content, not even in a manual; headers and captions may be.
    const AWAY: u32 = place::NAV
        | place::FOOTER
        | place::ASIDE
        | place::COMMENT
        | place::HIDDEN
        | place::PROMO
        | place::SHARE;
    let (mut from, to) = container(blocks, kept);
    if genre == Genre::Documentation {
        from = from_title(blocks, from);
    }
    let mut is_kept = vec![false; blocks.list.len()];
    kept.iter().for_each(|&at| is_kept[at] = true);
    let belongs = |block: &Block| match block.kind {
        _ if block.is_in(AWAY) => false,
        // "See also" of a manual names other definitions, and says what they are.
        _ if block.is_in(place::RELATED) => {
            genre == Genre::Documentation
                && matches!(block.kind, BlockKind::Term | BlockKind::Definition)
        }
        BlockKind::Pre | BlockKind::Term | BlockKind::Definition => true,
        _ if genre != Genre::Documentation => false,
        BlockKind::Heading(_) | BlockKind::Cell => true,
        _ => block.link_density() < 0.5 && !block.is_in(place::SIDE),
    };
    let inside = blocks.list.iter().enumerate().take(to).skip(from);
    inside.for_each(|(at, block)| is_kept[at] |= belongs(block));
    let all = blocks.list.iter().enumerate();
    all.for_each(|(at, block)| is_kept[at] |= is_listing(blocks, block, genre));
    (0..is_kept.len()).filter(|&at| is_kept[at]).collect()
}

/// Where the title stands before a container that begins at this block, and no noise between: there a manual begins.
fn from_title(blocks: &Blocks, from: usize) -> usize {
    let before = &blocks.list[..from];
    let title = before.iter().rposition(|block| block.kind == BlockKind::Heading(1));
    let is_near = |title: &usize| before[*title..].iter().all(|block| !block.is_in(place::NOISE));
    title.filter(is_near).unwrap_or(from)
}

/// Code of several lines is no furniture of a page, wherever it stands: beside the text, in a tab of a manual that is not
/// open, outside the container that holds most of the words.
fn is_listing(blocks: &Blocks, block: &Block, genre: Genre) -> bool {
    let away = place::NAV | place::FOOTER | place::COMMENT;
    let hidden = if genre == Genre::Documentation { 0 } else { place::HIDDEN | place::RELATED };
    block.kind == BlockKind::Pre
        && !block.is_in(away | hidden)
        && blocks.text_of(block).contains('\n')
}

/// The blocks of the main element, if it holds half of the words chosen; else of the smallest element that holds
/// nearly all of them.
fn container(blocks: &Blocks, kept: &[usize]) -> (usize, usize) {
    let is_main = |block: &Block| block.is_in(place::MAIN);
    let main: Vec<usize> = kept.iter().copied().filter(|&at| is_main(&blocks.list[at])).collect();
    if words(blocks, &main) > 0.5 * words(blocks, kept) {
        let first = blocks.list.iter().position(is_main).unwrap_or(0);
        let last = blocks.list.iter().rposition(is_main).unwrap_or(0);
        return (first, last + 1);
    }

    // Words chosen, first block, end of the last.
    let mut held = vec![(0.0, usize::MAX, 0); blocks.elements.len()];
    for (at, block) in blocks.list.iter().enumerate() {
        let (words, first, end) = &mut held[block.element as usize];
        *words += if kept.binary_search(&at).is_ok() { f64::from(block.words) } else { 0.0 };
        (*first, *end) = (at.min(*first), at + 1);
    }
    blocks.add_up(&mut held, |outer, inner| {
        *outer = (outer.0 + inner.0, outer.1.min(inner.1), outer.2.max(inner.2));
    });
    let enough = CONTAINER * held.first().map_or(0.0, |all| all.0);
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
    let rest = if rest.is_empty() { outside(place::COMMENT | place::HIDDEN) } else { rest };
    let title = |at: &usize| blocks.list[*at].kind == BlockKind::Heading(1);
    let rest: Vec<usize> =
        if rest.len() > 1 { rest.into_iter().filter(|at| !title(at)).collect() } else { rest };
    if words(blocks, &kept) * 3.0 >= words(blocks, &rest) { kept } else { rest }
}

fn words(blocks: &Blocks, kept: &[usize]) -> f64 {
    kept.iter().filter_map(|&at| blocks.list.get(at)).map(|b| f64::from(b.words)).sum()
}
