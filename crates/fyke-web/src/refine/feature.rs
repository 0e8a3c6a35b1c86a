//! What the classifier sees of a block: its words, links and punctuation, where it stands, what
//! the elements around it hold, its neighbours, and the page as a whole. All of it is counted in
//! passes that are linear in the number of blocks.

use super::block::{Block, Blocks, Kind, place};
use super::cue::{self, Cue};
use super::surroundings::Surroundings;

/// Number of features.
pub const FEATURES: usize = 110;

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
struct Row {
    values: [f32; FEATURES],
    at: usize,
}

impl Row {
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
        self.add((1.0 + value).ln());
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
    let mut row = Row { values: [0.0; FEATURES], at: 0 };
    text(&mut row, blocks, block);
    kind(&mut row, block);
    for place in PLACES {
        row.flag(block.is_in(place));
    }
    own_places(&mut row, blocks, block);
    containers(&mut row, blocks, around, at);
    neighbours(&mut row, blocks, around, at);
    position(&mut row, blocks, around, at);
    debug_assert!(row.at == FEATURES, "{} features", row.at);
    row.values
}

/// Words, links, letters and punctuation.
fn text(row: &mut Row, blocks: &Blocks, block: &Block) {
    let words = f64::from(block.words.max(1));
    row.count(f64::from(block.words));
    row.add(block.link_density());
    row.count(block.plain());
    row.add(f64::from(block.tags_inside) / words);
    row.count(f64::from(block.tags_before));
    let text = blocks.text_of(block);
    row.add((text.len() as f64 / words).min(40.0));
    let (mut commas, mut stops, mut digits, mut upper) = (0_u32, 0_u32, 0_u32, 0_u32);
    for byte in text.bytes() {
        commas += u32::from(byte == b',');
        stops += u32::from(matches!(byte, b'.' | b'!' | b'?' | b':'));
        digits += u32::from(byte.is_ascii_digit());
        upper += u32::from(byte.is_ascii_uppercase());
    }
    row.add(f64::from(commas) / words);
    row.count(f64::from(stops));
    row.flag(ends_a_sentence(text));
    row.add(f64::from(digits) / text.len().max(1) as f64);
    row.add(f64::from(upper) / words);
    row.flag(text.contains(['|', '©', '»', '•', '→']));
    row.flag(text.ends_with(':'));
    let cue = cue::of(text);
    for one in [Cue::More, Cue::Picture, Cue::Right, Cue::Talk] {
        row.flag(cue == Some(one));
    }
}

fn ends_a_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '’', ')', '\'', '»'])
        .ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '।'])
}

fn kind(row: &mut Row, block: &Block) {
    let level = if let Kind::Heading(level) = block.kind { level } else { 0 };
    row.add(f64::from(level));
    for kind in [Kind::Paragraph, Kind::Item, Kind::Cell, Kind::Pre, Kind::Caption, Kind::Other] {
        row.flag(block.kind == kind);
    }
}

/// How far up the nearest element stands that is named as body, and the nearest named as noise.
fn own_places(row: &mut Row, blocks: &Blocks, block: &Block) {
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
fn containers(row: &mut Row, blocks: &Blocks, around: &Surroundings, at: usize) {
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

fn neighbours(row: &mut Row, blocks: &Blocks, around: &Surroundings, at: usize) {
    let block = &blocks.list[at];
    for step in [-2_isize, -1, 1, 2] {
        let other = at.checked_add_signed(step).and_then(|at| blocks.list.get(at));
        row.count(other.map_or(-0.5, Block::plain));
        row.add(other.map_or(1.0, Block::link_density));
        row.flag(other.is_some_and(|b| b.element == block.element));
        let path = |b: &Block| blocks.elements[b.element as usize].path;
        row.flag(other.is_some_and(|b| path(b) == path(block)));
        row.flag(other.is_some_and(|b| matches!(b.kind, Kind::Heading(_))));
    }
    row.count(around.good_before[at]);
    row.count(around.good_after[at]);
    row.count(around.near(at).0);
    row.add(around.near(at).1);
}

fn position(row: &mut Row, blocks: &Blocks, around: &Surroundings, at: usize) {
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
