//! Where the links of a page's text lead, found in the same walk as the blocks. What they lead to is resolved when
//! somebody asks.

use super::block::Blocks;
use crate::Url;
use crate::html::value_of;
use serde::{Deserialize, Serialize};

/// Longest target, most links of a page, and most bytes of all targets.
const LONGEST: usize = 2_000;
const MOST: usize = 10_000;
const MOST_BYTES: usize = 512 << 10;

/// A link in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextLink {
    /// Where it begins and ends in the text, in bytes.
    pub from: u32,
    pub to: u32,
    /// Where it leads, absolute: http, https or mailto.
    pub url: String,
}

/// The links of a text with their targets as the page has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextLinks {
    /// What the page says its links are relative to.
    base: String,
    /// The targets, one behind the other.
    targets: String,
    stretches: Vec<LinkStretch>,
    /// Where the target of the open link begins, as long as it has no text.
    open: Option<usize>,
}

/// A link's place in the text and its target's in all targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LinkStretch {
    text: (usize, usize),
    target: (usize, usize),
}

impl TextLinks {
    /// Takes up what the page says its links are relative to; the first word counts.
    pub(super) fn base(&mut self, href: Option<&str>) {
        if let Some(href) = href.filter(|href| self.base.is_empty() && href.len() <= LONGEST) {
            self.base = value_of(href).trim().to_owned();
        }
    }

    /// Opens a link by its target as it stands in the markup.
    pub(super) fn begin(&mut self, href: Option<&str>) {
        if let Some(unused) = self.open.take() {
            self.targets.truncate(unused);
        }
        let has_room = self.stretches.len() < MOST && self.targets.len() < MOST_BYTES;
        if let Some(href) = href.filter(|href| has_room && href.len() <= LONGEST) {
            self.open = Some(self.targets.len());
            self.targets.push_str(value_of(href).trim());
        }
    }

    /// The first text of the open link stands here. More of it, in other blocks, is not linked again.
    pub(super) fn stretch(&mut self, from: usize, to: usize) {
        if from < to
            && let Some(start) = self.open.take()
        {
            let target = (start, self.targets.len());
            self.stretches.push(LinkStretch { text: (from, to), target });
        }
    }

    /// Forgets links whose text was taken away.
    pub(super) fn cut(&mut self, from: usize) {
        while self.stretches.pop_if(|stretch| stretch.text.0 >= from).is_some() {}
    }

    /// The same, relative to what another page says.
    pub(crate) fn relative_to(mut self, other: &TextLinks) -> TextLinks {
        if self.base.is_empty() {
            self.base.clone_from(&other.base);
        }
        self
    }

    /// The links that lead anywhere on the web or to a mail address, in order, from a page at this address.
    #[must_use]
    pub fn resolved(&self, page: &Url) -> Vec<TextLink> {
        let base = if self.base.is_empty() { None } else { page.join(&self.base).ok() };
        let base = base.as_ref().unwrap_or(page);
        let link = |stretch: &LinkStretch| {
            let target = self.targets.get(stretch.target.0..stretch.target.1)?;
            let [from, to] = [stretch.text.0, stretch.text.1].map(u32::try_from);
            Some(TextLink { from: from.ok()?, to: to.ok()?, url: absolute(base, target)? })
        };
        self.stretches.iter().filter_map(link).collect()
    }
}

/// Where a target leads from a page, with its fragment; nowhere but to the web and to mail addresses.
fn absolute(base: &Url, target: &str) -> Option<String> {
    let is_mail = target.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("mailto:"));
    if is_mail {
        return Some(escaped(&format!("mailto:{}", &target[7..])));
    }
    let (before, fragment) = target.split_once('#').unwrap_or((target, ""));
    let url = match before {
        "" => base.clone(),
        before => base.join(before).ok()?,
    };
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let mark = if fragment.is_empty() { "" } else { "#" };
    Some(escaped(&format!("{}{mark}{fragment}", url.as_str())))
}

/// A URL in which nothing ends it, wherever it is written.
fn escaped(url: &str) -> String {
    let is_plain =
        |c: char| !c.is_whitespace() && !c.is_control() && !"()<>[]{}|\\^`\"'".contains(c);
    if url.chars().all(is_plain) {
        return url.to_owned();
    }
    let mut out = String::with_capacity(url.len() + 16);
    for c in url.chars() {
        match is_plain(c) {
            true => out.push(c),
            false => {
                let mut bytes = [0; 4];
                let bytes = c.encode_utf8(&mut bytes).bytes();
                bytes.for_each(|byte| out.push_str(&format!("%{byte:02X}")));
            }
        }
    }
    out
}

/// The links in these blocks, as they stand in the text that is made of them.
pub(crate) fn text_links(blocks: &Blocks, kept: &[usize]) -> TextLinks {
    let all = &blocks.links;
    let mut found = TextLinks { base: all.base.clone(), ..TextLinks::default() };
    let mut stretches = all.stretches.iter().peekable();
    let mut at = 0;
    for block in kept.iter().filter_map(|&at| blocks.list.get(at)) {
        while stretches.next_if(|stretch| stretch.text.0 < block.start).is_some() {}
        while let Some(stretch) = stretches.next_if(|stretch| stretch.text.0 < block.end) {
            let (from, to) = (stretch.text.0, stretch.text.1.min(block.end));
            let place = |of: usize| at + of - block.start;
            let start = found.targets.len();
            found.targets.push_str(&all.targets[stretch.target.0..stretch.target.1]);
            let target = (start, found.targets.len());
            found.stretches.push(LinkStretch { text: (place(from), place(to)), target });
        }
        // Between two blocks stands one byte.
        at += block.end - block.start + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::blocks;
    use super::*;
    use crate::shape::shaped;

    #[track_caller]
    fn check(html: &str, kept: Option<&[usize]>, expected: &[(&str, &str)]) {
        let blocks = blocks(html);
        let all: Vec<usize> = (0..blocks.list.len()).collect();
        let kept = kept.unwrap_or(&all);
        let (text, _) = shaped(&blocks, kept);
        let page = Url::parse("https://a.test/x/y.html?q").unwrap();
        let links = text_links(&blocks, kept).resolved(&page);
        let found = links
            .iter()
            .map(|link| (text[link.from as usize..link.to as usize].trim(), link.url.as_str()));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{html}");
    }

    #[test]
    fn links_are_absolute_and_keep_their_fragments() {
        check(
            "<p>an <a href='eel.html#head'>eel</a>, <a href=/pike>pike &amp; perch</a>, \
             <a href='//b.test/c?d=1&amp;e=2'>c</a> <a href=#top>up</a> <a href=MAILTO:a@b.test>mail</a></p>",
            None,
            &[
                ("eel", "https://a.test/x/eel.html#head"),
                ("pike & perch", "https://a.test/pike"),
                ("c", "https://b.test/c?d=1&e=2"),
                ("up", "https://a.test/x/y.html?q#top"),
                ("mail", "mailto:a@b.test"),
            ],
        );
        check(
            "<head><base href='/base/'><base href=/no/></head><p>an <a href=eel>eel</a>",
            None,
            &[("eel", "https://a.test/base/eel")],
        );
    }

    #[test]
    fn links_that_lead_nowhere_are_text() {
        check(
            "<p><a href='javascript:alert(1)'>a</a> <a href='data:text/html,x'>b</a> <a name=c>c</a> \
             <a href='ftp://a.test/'>d</a> <a href='https://'>e</a> <a href=/f></a> words",
            None,
            &[],
        );
        let long = format!("<p>one <a href='/{}'>two</a>", "x".repeat(LONGEST));
        check(&long, None, &[]);
    }

    #[test]
    fn nothing_in_a_target_ends_it() {
        check(
            "<p>a <a href='/b (c)|[d]&quot;&lt;e'>f</a> <a href='#)](javascript:x)'>g</a>",
            None,
            &[
                ("f", "https://a.test/b%20%28c%29%7C%5Bd%5D%22%3Ce"),
                ("g", "https://a.test/x/y.html?q#%29%5D%28javascript:x%29"),
            ],
        );
    }

    #[test]
    fn a_link_around_blocks_belongs_to_the_first_and_what_is_left_out_takes_its_links_along() {
        let page = "<nav><p><a href=/n>home page</a></nav><a href=/card><h3>Card</h3><p>more of it</p></a>\
                    <ul><li><a href=/1>one eel</a> and <a href=/2>two</a></ul>";
        let card = ("Card", "https://a.test/card");
        let items = [("one eel", "https://a.test/1"), ("two", "https://a.test/2")];
        check(page, None, &[("home page", "https://a.test/n"), card, items[0], items[1]]);
        check(page, Some(&[1, 3]), &[card, items[0], items[1]]);
        check(page, Some(&[2]), &[]);
    }
}
