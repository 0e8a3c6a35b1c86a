//! What the classifier sees of a block: its words, links and punctuation, where it stands, what
//! the elements around it hold, its neighbours, and the page as a whole. All of it is counted in
//! passes that are linear in the number of blocks.

use super::block::{Block, BlockKind, Blocks, place};
use super::cue::{self, Cue};
use super::genre::Genre;
use super::surroundings::Surroundings;
use std::sync::LazyLock;

/// Number of features.
pub const FEATURES: usize = 143;

/// Places that count as features, one each.
const PLACES: [u32; 22] = [
    place::NAV,
    place::HEADER,
    place::FOOTER,
    place::ASIDE,
    place::SIDE,
    place::COMMENT,
    place::MAIN,
    place::ARTICLE,
    place::RELATED,
    place::PROMO,
    place::SHARE,
    place::BYLINE,
    place::CAPTION,
    place::BODY,
    place::TITLE,
    place::PRODUCT,
    place::POST,
    place::FORM,
    place::QUOTE,
    place::TABLE,
    place::LIST,
    place::FIGURE,
];

/// A row of features, filled from the left.
struct FeatureRow {
    values: [f32; FEATURES],
    at: usize,
}

impl FeatureRow {
    fn add(&mut self, value: f64) {
        if let Some(place) = self.values.get_mut(self.at) {
            *place = value as f32;
        }
        self.at += 1;
    }

    fn flag(&mut self, value: bool) {
        self.add(f64::from(u8::from(value)));
    }

    /// A count, on a scale on which twice as much is a step.
    fn count(&mut self, value: f64) {
        self.add(step(value));
    }
}

/// Small counts are looked up.
const SMALL: usize = 256;
static STEPS: LazyLock<[f64; SMALL]> =
    LazyLock::new(|| std::array::from_fn(|count| (1.0 + count as f64).ln()));

fn step(value: f64) -> f64 {
    // What is no number or below 0 becomes 0, and is another value then.
    let whole = value as usize;
    match STEPS.get(whole) {
        Some(step) if whole as f64 == value => *step,
        _ => (1.0 + value).ln(),
    }
}

/// The features of every block.
#[must_use]
pub fn features(blocks: &Blocks) -> Vec<[f32; FEATURES]> {
    let around = Surroundings::of(blocks);
    (0..blocks.list.len()).map(|at| features_of(blocks, &around, at)).collect()
}

fn features_of(blocks: &Blocks, around: &Surroundings, at: usize) -> [f32; FEATURES] {
    let block = &blocks.list[at];
    let mut row = FeatureRow { values: [0.0; FEATURES], at: 0 };
    text(&mut row, blocks, block);
    kind(&mut row, block);
    for place in PLACES {
        row.flag(block.is_in(place));
    }
    own_places(&mut row, blocks, block);
    containers(&mut row, blocks, around, at);
    neighbours(&mut row, blocks, around, at);
    position(&mut row, blocks, around, at);
    structure(&mut row, blocks, around, at);
    page(&mut row, blocks, around);
    debug_assert!(row.at == FEATURES, "{} features", row.at);
    row.values
}

/// Words, links, letters and punctuation.
fn text(row: &mut FeatureRow, blocks: &Blocks, block: &Block) {
    let words = f64::from(block.words.max(1));
    row.count(f64::from(block.words));
    row.add(block.link_density());
    row.count(block.plain());
    row.add(f64::from(block.tags_inside) / words);
    row.count(f64::from(block.tags_before));
    let text = blocks.text_of(block);
    row.add((text.len() as f64 / words).min(40.0));
    let [commas, stops, digits, upper, bars] = signs(text.as_bytes());
    row.add(f64::from(commas) / words);
    row.count(f64::from(stops));
    row.flag(ends_a_sentence(text));
    row.add(f64::from(digits) / text.len().max(1) as f64);
    row.add(f64::from(upper) / words);
    row.flag(bars > 0 || (!text.is_ascii() && text.contains(['©', '»', '•', '→'])));
    row.flag(text.ends_with(':'));
    let cue = cue::of(text);
    for one in [Cue::More, Cue::Picture, Cue::Right, Cue::Talk] {
        row.flag(cue == Some(one));
    }
}

/// How many commas, ends of sentences, digits, capitals and bars there are.
fn signs(text: &[u8]) -> [u32; 5] {
    // So many that a byte holds their number, and many bytes are looked at together.
    const SOME: usize = 255;
    let mut all = [0; 5];
    for some in text.chunks(SOME) {
        let mut counts = [0_u8; 5];
        for &byte in some {
            counts[0] += u8::from(byte == b',');
            counts[1] += u8::from(matches!(byte, b'.' | b'!' | b'?' | b':'));
            counts[2] += u8::from(byte.is_ascii_digit());
            counts[3] += u8::from(byte.is_ascii_uppercase());
            counts[4] += u8::from(byte == b'|');
        }
        all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += u32::from(count));
    }
    all
}

fn ends_a_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '’', ')', '\'', '»'])
        .ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '।'])
}

fn kind(row: &mut FeatureRow, block: &Block) {
    let level = if let BlockKind::Heading(level) = block.kind { level } else { 0 };
    row.add(f64::from(level));
    for kind in [
        BlockKind::Paragraph,
        BlockKind::Item,
        BlockKind::Cell,
        BlockKind::Pre,
        BlockKind::Caption,
        BlockKind::Other,
    ] {
        row.flag(block.kind == kind);
    }
}

/// How far up the nearest element stands that is named as body, and the nearest named as noise.
fn own_places(row: &mut FeatureRow, blocks: &Blocks, block: &Block) {
    for wanted in [place::BODY | place::MAIN | place::ARTICLE, place::NOISE, place::POST] {
        let mut at = block.element as usize;
        let mut steps = 0;
        while steps < 8 && blocks.elements[at].own & wanted == 0 {
            let parent = blocks.elements[at].parent as usize;
            steps = if parent == at { 8 } else { steps + 1 };
            at = parent;
        }
        row.add(f64::from(steps));
    }
}

/// What the elements around the block hold, and all elements of its sort.
fn containers(row: &mut FeatureRow, blocks: &Blocks, around: &Surroundings, at: usize) {
    let block = &blocks.list[at];
    let all = around.plain.max(1.0);
    let mut element = block.element as usize;
    for _ in 0..4 {
        let held = &around.held[element];
        row.add(held.plain / all);
        row.add(held.links / held.words.max(1.0));
        row.count(held.blocks);
        element = blocks.elements[element].parent as usize;
    }
    let alike = around.alike(blocks, block);
    row.add(alike.plain / all);
    row.count(alike.blocks);
    row.add(alike.links / alike.words.max(1.0));
    row.add(alike.plain / alike.blocks.max(1.0));
    row.add(f64::from(around.levels_to_best(blocks, block)));
    row.add(around.article_share(block));
    row.count(f64::from(around.articles));
    row.add(around.main_share);
    row.add(around.noise_share);
    row.add(around.talk_share);
    row.add(around.article_of_title(blocks, block));
}

fn neighbours(row: &mut FeatureRow, blocks: &Blocks, around: &Surroundings, at: usize) {
    let block = &blocks.list[at];
    for step in [-2_isize, -1, 1, 2] {
        let other = at.checked_add_signed(step).and_then(|at| blocks.list.get(at));
        row.count(other.map_or(-0.5, Block::plain));
        row.add(other.map_or(1.0, Block::link_density));
        row.flag(other.is_some_and(|b| b.element == block.element));
        let path = |b: &Block| blocks.elements[b.element as usize].path;
        row.flag(other.is_some_and(|b| path(b) == path(block)));
        row.flag(other.is_some_and(|b| matches!(b.kind, BlockKind::Heading(_))));
    }
    row.count(around.good_before[at]);
    row.count(around.good_after[at]);
    row.count(around.near(at).0);
    row.add(around.near(at).1);
}

fn position(row: &mut FeatureRow, blocks: &Blocks, around: &Surroundings, at: usize) {
    let block = &blocks.list[at];
    let place = at as f64;
    row.add(place / blocks.list.len() as f64);
    row.add(around.before(at) / around.words.max(1.0));
    row.add(f64::from(blocks.elements[block.element as usize].depth));
    let (from, to) = around.stretch;
    row.count((from as f64 - place).max(0.0));
    row.count((place + 1.0 - to as f64).max(0.0));
    row.add(around.since_title(at));
    let (first, last) = around.best_span;
    row.count((first as f64 - place).max(0.0));
    row.count((place - last as f64).max(0.0));
    row.flag(around.talk.is_some_and(|talk| at >= talk));
    row.flag(around.comments.is_some_and(|comments| at >= comments));
    row.count(around.copies(at));
    row.count(around.words);
    row.add(around.links / around.words.max(1.0));
    row.add(around.plain / around.words.max(1.0));
}

/// Lists, tables, code, headings near by, and the elements farther out.
fn structure(row: &mut FeatureRow, blocks: &Blocks, around: &Surroundings, at: usize) {
    let block = &blocks.list[at];
    row.flag(block.kind == BlockKind::Term);
    row.flag(block.kind == BlockKind::Definition);
    for place in [place::DOCS, place::PRE, place::HIDDEN] {
        row.flag(block.is_in(place));
    }
    row.add(f64::from(block.lists.min(9)));
    row.flag(block.row > 0);
    let text = blocks.text_of(block);
    row.flag(block.words < 40 && has_price(text));
    row.flag(around.says_cookie && block.words < 400 && says_cookie(text));
    row.count(around.headings[at].0);
    row.count(around.headings[at].1);
    let mut element = block.element as usize;
    for level in 0..7 {
        if level >= 4 {
            let held = &around.held[element];
            row.add(held.plain / around.plain.max(1.0));
            row.add(held.links / held.words.max(1.0));
        }
        element = blocks.elements[element].parent as usize;
    }
    for frame in around.frames {
        row.flag(frame.0 <= at && at < frame.1);
    }
}

/// What the page is for, and how much of what it holds.
fn page(row: &mut FeatureRow, blocks: &Blocks, around: &Surroundings) {
    row.flag(blocks.declared == Some(Genre::Article));
    row.flag(blocks.is_dated);
    row.flag(blocks.is_signed);
    for genre in [Genre::Listing, Genre::Forum, Genre::Product, Genre::Documentation] {
        row.flag(around.genre == genre);
    }
    row.count(around.hashes.len() as f64);
    row.count(around.pres);
    row.add(around.link_blocks / (around.hashes.len() as f64).max(1.0));
    row.add(around.sentences / (around.hashes.len() as f64).max(1.0));
    row.count(around.posts);
    row.add(around.post_share);
    row.add(around.item_share);
}

/// Whether a sum of money stands in a text.
fn has_price(text: &str) -> bool {
    const SIGNS: [char; 5] = ['$', '€', '£', '¥', '₹'];
    text.contains(SIGNS) && text.bytes().any(|b| b.is_ascii_digit())
}

/// Whether a text speaks of cookies.
pub(super) fn says_cookie(text: &str) -> bool {
    static COOKIE: LazyLock<memchr::memmem::Finder<'static>> =
        LazyLock::new(|| memchr::memmem::Finder::new("ookie"));
    COOKIE.find(text.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_the_same_whether_it_is_looked_up_or_not() {
        for value in [0.0, 1.0, 2.5, 255.0, 256.0, 1e9, -0.5, 0.001] {
            assert_eq!(step(value), (1.0 + value).ln(), "{value}");
        }
    }

    #[test]
    fn signs_are_counted_in_texts_of_any_length() {
        for times in [0, 1, 60, 400] {
            let text = "A,b. C! 12|é?:".repeat(times);
            let times = times as u32;
            assert_eq!(signs(text.as_bytes()), [1, 4, 2, 2, 1].map(|n| n * times));
        }
    }
}
