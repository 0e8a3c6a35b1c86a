//! Pages with their true texts, cut into blocks that are known to be content or not.

use fyke_eval::extraction::{SHINGLE, words};
use fyke_web::{Blocks, FEATURES, blocks, features};
use std::collections::{BTreeSet, HashSet};

pub struct Case {
    pub set: String,
    pub name: String,
    pub gold: String,
    pub blocks: Blocks,
    pub features: Vec<[f32; FEATURES]>,
    /// By block: whether it is content.
    pub content: Vec<bool>,
}

/// A set that is there twice; the form with undecoded character references teaches nothing.
const LEFT_OUT: &str = "cleanportal";

/// Reads lines of JSON.
pub fn read(path: &str) -> Result<Vec<Case>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let mut cases = Vec::new();
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line)?;
        let member = |name: &str| value[name].as_str().map(str::to_owned).ok_or("no member");
        if member("set")? == LEFT_OUT {
            continue;
        }
        let blocks = blocks(&member("html")?);
        let gold = member("gold")?;
        let content = content(&blocks, &gold);
        let features = features(&blocks);
        cases.push(Case {
            set: member("set")?,
            name: member("name")?,
            gold,
            blocks,
            features,
            content,
        });
    }
    Ok(cases)
}

pub fn sets(cases: &[Case]) -> BTreeSet<&str> {
    cases.iter().map(|case| case.set.as_str()).collect()
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
