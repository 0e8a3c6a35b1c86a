//! The rules of a page's own style sheets, found again by what an element is called. Selectors are read as far as
//! names, classes, ids and descendants go; one with more in it can only show what is hidden, never hide.

use super::css::{Declared, SheetRule, declarations, each_rule};
use crate::html::{TagName, name};
use std::borrow::Cow;
use std::collections::HashMap;

/// Bytes of all sheets of a page that are read.
pub(super) const MOST_BYTES: usize = 256 * 1024;
/// Selectors that are kept.
pub(super) const MOST_SELECTORS: usize = 4_000;
/// Longest selector, in bytes, and the parts of one.
const MOST_SELECTOR: usize = 300;
const MOST_PARTS: usize = 8;

/// What an element is called: its name, and hashes of its id and classes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Called<'a> {
    pub(super) name: TagName,
    pub(super) id: u64,
    pub(super) classes: &'a [u64],
}

/// A part of a selector: what stands between spaces.
#[derive(Clone, Debug, Default, PartialEq)]
struct Part {
    /// 0: any.
    name: TagName,
    id: u64,
    classes: Vec<u64>,
}

impl Part {
    fn fits(&self, called: Called<'_>) -> bool {
        (self.name == 0 || self.name == called.name)
            && (self.id == 0 || self.id == called.id)
            && self.classes.iter().all(|class| called.classes.contains(class))
    }
}

/// A selector with what it declares.
#[derive(Debug)]
struct Selector {
    /// The last is the element's own.
    parts: Vec<Part>,
    weight: u32,
    /// Its declarations in the list of all, from and to.
    declared: (u32, u32),
}

/// A declaration that holds for an element, and how much it weighs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weighed {
    pub(super) declared: Declared,
    pub(super) weight: u64,
}

/// What a style attribute weighs; important declarations weigh more.
pub(super) const INLINE: u64 = 1 << 40;
pub(super) const IMPORTANT: u64 = 1 << 48;

/// The sheets of a page.
#[derive(Debug, Default)]
pub(super) struct Sheets {
    selectors: Vec<Selector>,
    declared: Vec<(Declared, bool)>,
    /// Selectors by the hash of an id, a class or a name of their last part.
    by_key: HashMap<u64, Vec<u32>>,
    everywhere: Vec<u32>,
    /// What is shown at times: kinds of declarations, a bit each, by the hashes of ids and classes of last parts,
    /// and by names where the selector has a state.
    shown: HashMap<u64, u32>,
    bytes: usize,
    /// There was more than is read.
    pub(super) is_cut: bool,
    /// There is more in them than is understood here, or they take in others.
    pub(super) says_more: bool,
}

/// A hash of a class or an id.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn key_of_name(name: TagName) -> u64 {
    (name as u64 ^ (name >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
}

impl Sheets {
    pub(super) fn is_empty(&self) -> bool {
        self.selectors.is_empty()
    }

    /// Takes up a sheet; one that `is_conditional` only shows.
    pub(super) fn add(&mut self, sheet: &str, is_conditional: bool) {
        let left = MOST_BYTES.saturating_sub(self.bytes);
        let sheet = &sheet[..sheet.floor_char_boundary(left)];
        self.is_cut |= sheet.len() == left;
        self.bytes += sheet.len();
        let sheet = &*without_comments(sheet);
        self.says_more |= says_more(sheet);
        each_rule(sheet, &mut |rule| {
            self.add_rule(SheetRule {
                is_conditional: rule.is_conditional || is_conditional,
                ..rule
            });
            self.is_cut |= self.selectors.len() >= MOST_SELECTORS;
            !self.is_cut
        });
    }

    /// Forgets what always holds; what is shown at times stays.
    pub(super) fn only_show(&mut self) {
        self.selectors.clear();
        self.by_key.clear();
        self.everywhere.clear();
    }

    fn add_rule(&mut self, rule: SheetRule<'_>) {
        let from = self.declared.len() as u32;
        declarations(rule.block, |declared, important| self.declared.push((declared, important)));
        let to = self.declared.len() as u32;
        if from == to {
            return;
        }
        let reveals = self.declared[from as usize..].iter().filter(|row| row.0.reveals());
        let reveals = reveals.fold(0, |bits, row| bits | 1 << row.0.kind());
        for text in rule.selectors.split(',') {
            if self.selectors.len() >= MOST_SELECTORS {
                return;
            }
            let Some(read) = ReadSelector::of(text) else { continue };
            let is_always = read.is_plain && !rule.is_conditional;
            if reveals != 0 && (!is_always || read.parts.len() > 1 || read.is_narrow()) {
                self.show_at_times(&read, reveals);
            }
            if is_always {
                self.index(read, (from, to));
            }
        }
    }

    fn show_at_times(&mut self, read: &ReadSelector, reveals: u32) {
        let Some(own) = read.parts.last() else { return };
        let keys = own.classes.iter().copied().chain(Some(own.id).filter(|id| *id != 0));
        let name = Some(key_of_name(own.name)).filter(|_| own.name != 0 && read.has_state);
        for key in keys.chain(name) {
            *self.shown.entry(key).or_default() |= reveals;
        }
    }

    fn index(&mut self, read: ReadSelector, declared: (u32, u32)) {
        let at = self.selectors.len() as u32;
        let Some(own) = read.parts.last() else { return };
        let key = match own {
            Part { id: 1.., .. } => own.id,
            Part { classes, .. } if !classes.is_empty() => classes[0],
            Part { name: 0, .. } => 0,
            Part { name, .. } => key_of_name(*name),
        };
        match key {
            0 => self.everywhere.push(at),
            key => self.by_key.entry(key).or_default().push(at),
        }
        self.selectors.push(Selector { weight: read.weight(), parts: read.parts, declared });
    }

    /// Shows all declarations that hold for an element inside others (the outermost first), and counts the steps.
    pub(super) fn each<'a>(
        &self,
        own: Called<'_>,
        around: &(impl DoubleEndedIterator<Item = Called<'a>> + Clone),
        steps: &mut u64,
        mut see: impl FnMut(Weighed),
    ) {
        let keys = own.classes.iter().copied().chain([own.id, key_of_name(own.name)]);
        let listed = keys.filter_map(|key| self.by_key.get(&key)).flatten();
        for &at in listed.chain(&self.everywhere) {
            let selector = &self.selectors[at as usize];
            *steps += 1;
            let Some((last, before)) = selector.parts.split_last() else { continue };
            if !last.fits(own) || !fits_around(before, around.clone(), steps) {
                continue;
            }
            let (from, to) = (selector.declared.0 as usize, selector.declared.1 as usize);
            for &(declared, important) in &self.declared[from..to] {
                let important = if important { IMPORTANT } else { 0 };
                let weight = u64::from(selector.weight) << 16 | u64::from(at & 0xffff) | important;
                see(Weighed { declared, weight });
            }
        }
    }

    /// Kinds of declarations that show such an element at times, a bit each.
    pub(super) fn shown_at_times(&self, own: Called<'_>) -> u32 {
        let keys = own.classes.iter().copied().chain([own.id, key_of_name(own.name)]);
        keys.filter_map(|key| self.shown.get(&key)).fold(0, |bits, more| bits | more)
    }
}

/// A sheet without its comments.
fn without_comments(sheet: &str) -> Cow<'_, str> {
    if !sheet.contains("/*") {
        return sheet.into();
    }
    let (mut out, mut rest) = (String::with_capacity(sheet.len()), sheet);
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        out.push(' ');
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out.into()
}

/// Whether a sheet, without its comments, has more in it than names, classes, ids, descendants, states and media:
/// then what it says of an element is not sure.
fn says_more(sheet: &str) -> bool {
    const MORE: &[&str] = &[
        "@import",
        "@supports",
        "@layer",
        "@container",
        "@scope",
        "\\",
        "&",
        ">",
        "+",
        ":is(",
        ":where(",
        ":not(",
        ":has(",
        ":root",
        "var(",
        ":before",
        ":after",
        "text-stroke",
        "color-scheme",
    ];
    let small = sheet.to_ascii_lowercase();
    MORE.iter().any(|word| small.contains(word)) || is_nested(&small)
}

/// Whether rules stand in rules that are no groups of rules.
fn is_nested(sheet: &str) -> bool {
    let (mut groups, mut header) = (Vec::new(), 0);
    for (at, byte) in sheet.bytes().enumerate() {
        match byte {
            b'{' => {
                if groups.last() == Some(&false) || groups.len() > 4 {
                    return true;
                }
                groups.push(sheet[header..at].trim_start().starts_with('@'));
                header = at + 1;
            }
            b'}' => {
                groups.pop();
                header = at + 1;
            }
            b';' => header = at + 1,
            _ => {}
        }
    }
    false
}

/// Whether elements around fit the parts of a selector, in their order.
fn fits_around<'a>(
    parts: &[Part],
    around: impl DoubleEndedIterator<Item = Called<'a>>,
    steps: &mut u64,
) -> bool {
    let mut left = parts.len();
    for called in around.rev() {
        if left == 0 {
            break;
        }
        *steps += 1;
        left -= usize::from(parts[left - 1].fits(called));
    }
    left == 0
}

/// A selector as it was read.
#[derive(Debug, Default)]
struct ReadSelector {
    parts: Vec<Part>,
    /// Nothing in it but names, classes, ids and descendants.
    is_plain: bool,
    /// It asks for a state: hovered over, checked, the target of a link.
    has_state: bool,
}

impl ReadSelector {
    /// None of one that is for no element, or is too long.
    fn of(text: &str) -> Option<ReadSelector> {
        let text = text.trim();
        if text.is_empty() || text.len() > MOST_SELECTOR {
            return None;
        }
        let mut read = ReadSelector { is_plain: true, ..ReadSelector::default() };
        for piece in text.replace('>', " ").split_ascii_whitespace() {
            if matches!(piece, "+" | "~") || piece.contains(['+', '~']) {
                read.is_plain = false;
            }
            let piece = piece.rsplit(['+', '~']).next().unwrap_or_default();
            if !piece.is_empty() {
                let part = read.part(piece)?;
                read.parts.push(part);
            }
        }
        (1..=MOST_PARTS).contains(&read.parts.len()).then_some(read)
    }

    fn part(&mut self, piece: &str) -> Option<Part> {
        let end = piece.find([':', '[', '(']).unwrap_or(piece.len());
        let rest = &piece[end..];
        const NO_ELEMENT: &[&str] = &["::", ":before", ":after", ":first-l"];
        if NO_ELEMENT.iter().any(|pseudo| rest.contains(pseudo)) {
            return None;
        }
        if !rest.is_empty() && rest != ":root" {
            (self.is_plain, self.has_state) = (false, true);
        }
        let mut part = Part::default();
        let mut from = 0;
        let simple = &piece[..end];
        while from < simple.len() {
            let marks = simple[from..].char_indices().skip(1).find(|(_, c)| matches!(c, '.' | '#'));
            let length = marks.map_or(simple.len() - from, |(at, _)| at);
            match &simple[from..from + length] {
                class if class.starts_with('.') => part.classes.push(hash(&class[1..])),
                id if id.starts_with('#') => part.id = hash(&id[1..]),
                "*" => {}
                tag => {
                    part.name = name(tag);
                    // The name is too long to be told from others.
                    self.is_plain &= part.name != 0;
                }
            }
            from += length;
        }
        Some(part)
    }

    /// Whether the last part has more than one thing to ask for: an element that has the one may get the other.
    fn is_narrow(&self) -> bool {
        self.parts.last().is_some_and(|own| own.classes.len() + usize::from(own.id != 0) > 1)
    }

    /// Ids before classes before names.
    fn weight(&self) -> u32 {
        let of = |part: &Part| {
            u32::from(part.id != 0) << 16
                | (part.classes.len() as u32).min(15) << 8
                | u32::from(part.name != 0)
        };
        self.parts.iter().map(of).fold(0, u32::saturating_add).min(0xff_ffff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The declarations that hold for an element, written as its name, id and classes, inside others.
    fn held(sheet: &str, path: &[&str]) -> usize {
        let mut sheets = Sheets::default();
        sheets.add(sheet, false);
        let parts = path.iter().map(|text| ReadSelector::default().part(text).unwrap());
        let parts: Vec<Part> = parts.collect();
        let (own, around) = parts.split_last().unwrap();
        let (mut steps, mut found) = (0, 0);
        sheets.each(called(own), &around.iter().map(called), &mut steps, |_| found += 1);
        found
    }

    fn called(part: &Part) -> Called<'_> {
        Called { name: part.name, id: part.id, classes: &part.classes }
    }

    #[test]
    fn selectors_find_their_elements_and_no_others() {
        let check = |sheet: &str, path: &[&str], expected| {
            assert_eq!(held(sheet, path), expected, "{sheet} {path:?}");
        };
        check("p{color:red}", &["p"], 1);
        check("p{color:red}", &["div"], 0);
        check(".a.b{color:red}", &["p.b.a"], 1);
        check(".a.b{color:red}", &["p.a"], 0);
        check("#x p, .y{color:red}", &["div#x", "div", "p"], 1);
        check("#x p, .y{color:red}", &["div", "p"], 0);
        check("*{color:red}", &["b"], 1);
        check("ul > li{color:red}", &["ul", "li"], 1);
        // What is not understood hides nothing.
        check("p:hover{color:red} p[x]{color:red} p::before{color:red} a+p{color:red}", &["p"], 0);
        check("my-assistive-element{color:red}", &["p"], 0);
        check("@media print{p{color:red}}", &["p"], 0);
        check("p{weight:1}", &["p"], 0);
    }

    #[test]
    fn sheets_are_read_within_limits() {
        let mut sheets = Sheets::default();
        sheets.add(&".a{color:red}".repeat(1_000_000), false);
        assert!(sheets.is_cut && sheets.selectors.len() <= MOST_SELECTORS);
        let mut sheets = Sheets::default();
        sheets.add(&format!("{}{{color:red}}", vec![".a"; 10_000].join(",")), false);
        assert!(sheets.is_cut && sheets.selectors.len() <= MOST_SELECTORS);
        let mut sheets = Sheets::default();
        sheets.add(&"{".repeat(300_000), false);
        sheets.add("é.ü#ä{color:red} .é.{color:red} #{color:red} \u{feff}.a{color:red}", false);
    }
}
