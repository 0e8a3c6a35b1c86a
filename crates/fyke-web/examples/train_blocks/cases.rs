//! Pages with their true texts, cut into blocks that are known to be content or not.

use fyke_eval::extraction::{SHINGLE, words};
use fyke_web::{Blocks, FEATURES, blocks, features};
use std::collections::{BTreeSet, HashSet};

pub struct Case {
    pub set: String,
    /// What the page is for, as its set says; empty when it does not.
    pub kind: String,
    pub name: String,
    pub gold: String,
    /// Of a set that knows only parts: those that the text must hold, and those that it must not.
    pub with: Vec<String>,
    pub without: Vec<String>,
    pub blocks: Blocks,
    pub features: Vec<[f32; FEATURES]>,
    /// By block: whether it is content, where that is known.
    pub content: Vec<Option<bool>>,
}

/// A set that is there twice; the form with undecoded character references teaches nothing.
const LEFT_OUT: &str = "cleanportal";

/// Reads lines of JSON.
pub fn read(path: &str) -> Result<Vec<Case>, Box<dyn std::error::Error>> {
    let file = std::io::BufReader::new(std::fs::File::open(path)?);
    let mut cases = Vec::new();
    for line in std::io::BufRead::lines(file) {
        let value: serde_json::Value = serde_json::from_str(&line?)?;
        let member = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let list = |name: &str| -> Vec<String> {
            let list = value[name].as_array().into_iter().flatten();
            list.filter_map(|item| item.as_str()).map(folded).collect()
        };
        if member("set") == LEFT_OUT {
            continue;
        }
        let blocks = blocks(&member("html"));
        let (gold, with, without) = (member("gold"), list("with"), list("without"));
        let content = match gold.is_empty() {
            true => content_by_parts(&blocks, &with, &without),
            false => content(&blocks, &gold).into_iter().map(Some).collect(),
        };
        let features = features(&blocks);
        let (set, kind, name) = (member("set"), member("kind"), member("name"));
        cases.push(Case { set, kind, name, gold, with, without, blocks, features, content });
    }
    Ok(cases)
}

/// White space folded.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Which blocks are known to be content and which not, by parts that the text must and must not hold.
fn content_by_parts(blocks: &Blocks, with: &[String], without: &[String]) -> Vec<Option<bool>> {
    let says = |text: &str, parts: &[String]| {
        let is_part = |part: &String| {
            text.contains(part.as_str()) || (text.len() > 20 && part.contains(text))
        };
        parts.iter().any(is_part)
    };
    let list = blocks.list.iter().map(|block| folded(blocks.text_of(block)));
    list.map(|text| match (says(&text, with), says(&text, without)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    })
    .collect()
}

/// The sets, and those of their kinds that have a name.
pub fn sets<'a>(cases: impl Iterator<Item = &'a Case>) -> BTreeSet<(&'a str, &'a str)> {
    cases
        .flat_map(|case| [(case.set.as_str(), ""), (case.set.as_str(), case.kind.as_str())])
        .collect()
}

impl Case {
    /// The part of a split that the page's site falls into: its name without the number.
    pub fn part(&self, parts: u64) -> u64 {
        let site = self.name.trim_end_matches(|c: char| c.is_ascii_digit() || "_-".contains(c));
        let hash = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        (site.bytes().fold(0xcbf2_9ce4_8422_2325, hash) >> 17) % parts
    }

    /// Words of the blocks chosen.
    pub fn words(&self, chosen: impl Fn(usize) -> bool) -> f64 {
        let list = self.blocks.list.iter().enumerate().filter(|(at, _)| chosen(*at));
        list.map(|(_, block)| f64::from(block.words)).sum()
    }

    /// The text of the blocks chosen.
    pub fn text(&self, chosen: &[usize]) -> String {
        let texts = chosen.iter().map(|&at| self.blocks.text_of(&self.blocks.list[at]));
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// Which blocks are content: most of their words stand in shingles of the gold text.
fn content(blocks: &Blocks, gold: &str) -> Vec<bool> {
    let gold: Vec<&str> = words(gold).collect();
    let wanted: HashSet<&[&str]> = gold.windows(SHINGLE).collect();
    let mut page: Vec<&str> = Vec::new();
    let mut ends = Vec::new();
    for block in &blocks.list {
        page.extend(words(blocks.text_of(block)));
        ends.push(page.len());
    }
    let mut covered = vec![false; page.len()];
    for (at, shingle) in page.windows(SHINGLE).enumerate() {
        if wanted.contains(shingle) {
            covered[at..at + SHINGLE].fill(true);
        }
    }
    let mut from = 0;
    ends.iter()
        .map(|&end| {
            let part = &covered[from..end];
            from = end;
            2 * part.iter().filter(|covered| **covered).count() > part.len()
        })
        .collect()
}
