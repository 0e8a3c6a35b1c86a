//! Running heads and feet: what stands at the edge of a page, at one height, on several pages.

use super::Leaf;
use std::collections::HashMap;

/// A line that repeats on so many pages is a running head.
const REPEATED: usize = 3;
/// Lines at each edge of a page that may be running heads.
const EDGE: usize = 2;
/// Heights are equal within these points.
const NEAR: f32 = 3.0;

/// A line without what changes from page to page, and its height.
type HeadKey = (String, i32);

/// Takes running heads and feet out of all pages.
pub(in super::super) fn drop_running(leaves: &mut [Leaf]) {
    let mut counts: HashMap<HeadKey, usize> = HashMap::new();
    for leaf in leaves.iter() {
        let mut keys: Vec<HeadKey> =
            edge_lines(leaf).iter().map(|&place| key(leaf, place)).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            *counts.entry(key).or_default() += 1;
        }
    }
    let repeats = |(text, height): &HeadKey| {
        let at = |height: i32| counts.get(&(text.clone(), height)).copied().unwrap_or(0);
        at(height - 1) + at(*height) + at(height + 1) >= REPEATED
    };
    for leaf in leaves.iter_mut() {
        let mut places = edge_lines(leaf);
        places.retain(|&place| repeats(&key(leaf, place)));
        for (number, block) in leaf.blocks.iter_mut().enumerate() {
            let mut line = 0;
            block.retain(|_| {
                line += 1;
                places.binary_search(&(number, line - 1)).is_err()
            });
        }
        leaf.blocks.retain(|block| !block.is_empty());
    }
}

/// Block and line of the highest and lowest lines of a page.
fn edge_lines(leaf: &Leaf) -> Vec<(usize, usize)> {
    let mut places: Vec<(f32, (usize, usize))> = Vec::new();
    for (block, lines) in leaf.blocks.iter().enumerate() {
        places.extend(lines.iter().enumerate().map(|(line, it)| (it.base, (block, line))));
    }
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let edges = |heights: &mut dyn Iterator<Item = &(f32, (usize, usize))>| {
        let mut kept: Vec<&(f32, (usize, usize))> = Vec::new();
        let mut rows = 0;
        for place in heights {
            let new = kept.last().is_none_or(|last| (last.0 - place.0).abs() > NEAR);
            rows += usize::from(new);
            if rows > EDGE {
                break;
            }
            kept.push(place);
        }
        kept.into_iter().map(|place| place.1).collect::<Vec<_>>()
    };
    let mut both = edges(&mut places.iter());
    both.extend(edges(&mut places.iter().rev()));
    both.sort_unstable();
    both.dedup();
    both
}

fn key(leaf: &Leaf, (block, line): (usize, usize)) -> HeadKey {
    let line = &leaf.blocks[block][line];
    let words = line.words.iter().map(|word| without_numbers(&word.text));
    (words.collect::<Vec<_>>().join(" "), (line.base / NEAR).round() as i32)
}

/// Numbers, Arabic or Roman, stand for any number.
fn without_numbers(word: &str) -> String {
    let roman = word.chars().all(|c| "ivxlcIVXLC".contains(c));
    if roman {
        return "#".to_owned();
    }
    let mut plain = String::new();
    for character in word.chars() {
        if !character.is_numeric() {
            plain.push(character);
        } else if !plain.ends_with('#') {
            plain.push('#');
        }
    }
    plain
}
