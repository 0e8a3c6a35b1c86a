//! Who wrote a page, where an element is marked for it: `rel=author`, `itemprop=author`, or a class
//! that speaks of an author or a byline.

use crate::html::{Tag, TagName, fold_into};
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// One of these stands in every tag that is marked.
static WORDS: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| [Finder::new("author"), Finder::new("byline")]);

/// Longest byline that is read, in bytes.
const MOST: usize = 200;
/// Longest name that is one, in bytes.
const LONGEST_NAME: usize = 100;

/// Reads the text of the best marked element while the markup goes by.
#[derive(Debug, Default)]
pub(super) struct BylineReader {
    /// One of the words stands somewhere on the page.
    may_be_marked: bool,
    /// The element now read.
    open: Option<OpenByline>,
    text: String,
    best: Option<(u32, String)>,
}

#[derive(Debug)]
struct OpenByline {
    name: TagName,
    /// How many elements of that name are open.
    depth: u32,
    rank: u32,
}

impl BylineReader {
    /// Of a page.
    pub(super) fn of(content: &str) -> BylineReader {
        let may_be_marked = WORDS.iter().any(|word| word.find(content.as_bytes()).is_some());
        BylineReader { may_be_marked, ..BylineReader::default() }
    }

    pub(super) fn start(&mut self, tag: &Tag<'_>) {
        if !self.may_be_marked {
            return;
        }
        if let Some(open) = &mut self.open {
            open.depth += u32::from(open.name == tag.name);
            return;
        }
        if self.best.as_ref().is_some_and(|best| best.0 == 0) || !tag.says(&*WORDS) {
            return;
        }
        if let Some(rank) = rank(tag)
            && self.best.as_ref().is_none_or(|best| rank < best.0)
        {
            self.open = Some(OpenByline { name: tag.name, depth: 1, rank });
            self.text.clear();
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if self.open.is_some() {
            fold_into(&mut self.text, text, MOST);
        }
    }

    pub(super) fn end(&mut self, name: TagName) {
        let Some(open) = self.open.as_mut().filter(|open| open.name == name) else { return };
        open.depth -= 1;
        if open.depth == 0 {
            let found = clean(&self.text);
            if is_name(&found) {
                self.best = Some((open.rank, found));
            }
            self.open = None;
        }
    }

    pub(super) fn finish(self) -> String {
        self.best.map(|best| best.1).unwrap_or_default()
    }
}

/// How well an element is marked: 0 best; none when it is not.
fn rank(tag: &Tag<'_>) -> Option<u32> {
    let mut best = None;
    for (key, value) in tag.attributes() {
        let mut words = value.split(|c: char| !c.is_ascii_alphanumeric());
        let mut has =
            |wanted: &[&str]| words.any(|w| wanted.iter().any(|x| w.eq_ignore_ascii_case(x)));
        let rank = match key.to_ascii_lowercase().as_str() {
            "rel" if has(&["author"]) => 0,
            "itemprop" if has(&["author"]) => 1,
            "class" | "id" if has(&["byline", "author", "authors"]) => 2,
            _ => continue,
        };
        best = Some(best.map_or(rank, |best: u32| best.min(rank)));
    }
    best
}

/// Whether it can be a name: short, with letters, no address.
pub(super) fn is_name(text: &str) -> bool {
    (2..=LONGEST_NAME).contains(&text.len())
        && text.chars().any(char::is_alphabetic)
        && !text.contains("://")
        && !text.starts_with(['@', '/', '#'])
}

/// A name without "By" before it and dates or bars behind it.
pub(super) fn clean(text: &str) -> String {
    let mut text = text.trim();
    for lead in ["written by", "posted by", "by:", "by", "von", "par", "por", "author:"] {
        let rest = text.get(..lead.len()).filter(|head| head.eq_ignore_ascii_case(lead));
        if let Some(rest) = rest.and(text.get(lead.len()..)).filter(|r| r.starts_with(' ')) {
            text = rest.trim();
            break;
        }
    }
    let end = text.find(['|', '•', '·', '\n', '—']).unwrap_or(text.len());
    let text = text[..end].split(" - ").next().unwrap_or_default();
    let name = without_date(text).trim_end_matches([' ', ',', '-', '–']);
    if is_name(name) { name.to_owned() } else { String::new() }
}

/// What stands before the first word with a digit, and before a month in front of that.
fn without_date(text: &str) -> &str {
    let Some(digit) = text.find(|c: char| c.is_ascii_digit()) else { return text };
    let before = text[..digit].trim_end();
    let word = before.rfind(' ').map_or(0, |gap| gap + 1);
    if super::date::month(&before[word..]).is_some() { &before[..word] } else { before }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byline_is_cut_to_the_name() {
        let check = |text: &str, expected: &str| assert_eq!(clean(text), expected, "{text}");
        check("By Ana Novak", "Ana Novak");
        check("BY ANA NOVAK | 3 May", "ANA NOVAK");
        check("Byron Katie", "Byron Katie");
        check("Ana Novak May 20, 2019", "Ana Novak");
        check("Ana Novak - Apr 16, 2015", "Ana Novak");
        check("https://a.test/ana", "");
        check("", "");
    }
}
