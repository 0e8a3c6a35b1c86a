//! The scanner: turns markup into tokens that borrow from it. Linear on any input: every search
//! runs forward from where the last one ended, and what is never closed reaches to the end of the
//! page.

use super::attribute::{Attributes, end_of_name, end_of_tag, ends_name};
use super::{near, raw, reference};
use fyke_text::sixteen::Sixteen;
use std::borrow::Cow;

const SVG: TagName = name("svg");
const MATH: TagName = name("math");

/// A tag's name in lower case, packed into a number so that a comparison is one instruction.
/// Names of more than 16 letters all become 0: no element of HTML is one.
pub type TagName = u128;

/// The packed form of a name.
pub const fn name(text: &str) -> TagName {
    pack(text.as_bytes())
}

const fn pack(bytes: &[u8]) -> TagName {
    if bytes.len() > 16 {
        return 0;
    }
    let mut packed = 0;
    let mut at = 0;
    while at < bytes.len() {
        packed = packed << 8 | bytes[at].to_ascii_lowercase() as TagName;
        at += 1;
    }
    packed
}

/// The name at `at` packed, and where it ends, if it is of up to eight ASCII letters and digits, as
/// nearly all are.
#[inline]
fn short_name(bytes: &[u8], at: usize) -> Option<(TagName, usize)> {
    /// Makes a letter lower case and leaves a digit as it is.
    const LOWER: u64 = 0x2020_2020_2020_2020;
    const BEYOND_ASCII: u64 = 0x8080_8080_8080_8080;
    let block: &[u8; 16] = bytes.get(at..)?.first_chunk()?;
    let length = Sixteen::of(*block).of_words().trailing_ones();
    if !(1..=8).contains(&length) || !ends_name(block[length as usize]) {
        return None;
    }
    let others = 64 - 8 * length;
    let name = u64::from_be_bytes(*block.first_chunk()?) >> others;
    let is_ascii = name & BEYOND_ASCII == 0;
    is_ascii.then(|| (TagName::from(name | LOWER >> others), at + length as usize))
}

/// Which names are watched for, a bit for each by its hash: others are let pass at one look.
const WATCHED: u64 = {
    let (mut bits, mut at) = (1 << bit_of(SVG) | 1 << bit_of(MATH), 0);
    while at < raw::RAW.len() {
        bits |= 1 << bit_of(raw::RAW[at].0);
        at += 1;
    }
    bits
};

const fn bit_of(name: TagName) -> u32 {
    ((name as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as u32
}

/// Whether the name may be svg, math or that of an element that holds raw text.
#[inline]
fn is_watched(name: TagName) -> bool {
    WATCHED >> bit_of(name) & 1 == 1
}

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub struct Tag<'a> {
    pub name: TagName,
    /// What stands between the name and the closing bracket.
    inside: &'a str,
}

impl<'a> Tag<'a> {
    /// The value of an attribute, character references decoded; the first of that name counts.
    pub fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        self.attributes()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| reference::decode(value, true))
    }

    /// As [`Tag::attribute`] for two names, in one pass.
    pub(crate) fn two_attributes(&self, names: [&str; 2]) -> [Option<Cow<'a, str>>; 2] {
        let mut found = [None, None];
        for (name, value) in self.attributes() {
            let place = names.iter().position(|n| n.eq_ignore_ascii_case(name));
            if let Some(place) = place.filter(|&place| found[place].is_none()) {
                found[place] = Some(reference::decode(value, true));
            }
        }
        found
    }

    /// Every attribute as written: name and raw value.
    pub fn attributes(&self) -> Attributes<'a> {
        Attributes::new(self.inside)
    }

    /// Whether one of the words stands anywhere in the tag.
    pub(crate) fn says(&self, words: &[memchr::memmem::Finder<'_>]) -> bool {
        let inside = self.inside.as_bytes();
        // Most tags are too short.
        let fits = |word: &memchr::memmem::Finder<'_>| word.needle().len() <= inside.len();
        words.iter().any(|word| fits(word) && word.find(inside).is_some())
    }

    pub fn closes_itself(&self) -> bool {
        self.inside.ends_with('/')
    }
}

/// A piece of markup.
#[derive(Clone, Copy, Debug)]
pub enum HtmlToken<'a> {
    Start(Tag<'a>),
    End(TagName),
    /// Text with its character references still in it.
    Text(&'a str),
    /// What stands inside an element that holds no markup, and that element's name.
    Raw(TagName, &'a str),
    /// A CDATA section of XML.
    Cdata(&'a str),
}

/// Reads tokens one after the other; comments, doctypes and instructions are passed over.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The element whose raw text comes next.
    raw: TagName,
    /// Depth inside svg and math, where no element holds raw text.
    foreign: u32,
    /// XML: no raw text at all, CDATA sections are text.
    xml: bool,
    /// Names are taken without their prefix, which is the author's choice.
    local: bool,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0, raw: 0, foreign: 0, xml: false, local: false }
    }

    pub fn xml(text: &'a str) -> Scanner<'a> {
        Scanner { xml: true, ..Scanner::new(text) }
    }

    /// XML by the local names of its elements: `w:p` is `p`.
    pub fn local(text: &'a str) -> Scanner<'a> {
        Scanner { local: true, ..Scanner::xml(text) }
    }

    /// Where the next token begins.
    pub(crate) fn place(&self) -> usize {
        self.at
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// Moves behind the next `>`, or to the end.
    #[cold]
    fn skip_to_bracket(&mut self) {
        let found = memchr::memchr(b'>', &self.bytes()[self.at..]);
        self.at = found.map_or(self.text.len(), |n| self.at + n + 1);
    }

    /// Text up to the next thing that really opens markup.
    fn take_text(&mut self) -> Option<HtmlToken<'a>> {
        let bytes = self.bytes();
        let start = self.at;
        let mut from = start;
        let end = loop {
            let Some(found) = near::find(bytes, b'<', from) else { break bytes.len() };
            let next = bytes.get(found + 1);
            if next.is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?')) {
                break found;
            }
            from = found + 1;
        };
        self.at = end;
        (end > start).then(|| HtmlToken::Text(&self.text[start..end]))
    }

    /// The name at the place, which moves behind it.
    fn take_name(&mut self) -> TagName {
        let bytes = self.bytes();
        if let Some((name, end)) = short_name(bytes, self.at) {
            self.at = end;
            return name;
        }
        let end = end_of_name(bytes, self.at);
        let mut name = &bytes[self.at..end];
        self.at = end;
        if self.local {
            name = memchr::memchr(b':', name).map_or(name, |colon| &name[colon + 1..]);
        }
        pack(name)
    }

    fn take_start(&mut self) -> Option<HtmlToken<'a>> {
        self.at += 1;
        let name = self.take_name();
        let from = self.at;
        // A tag that is never closed is no tag, and nothing comes after it.
        let Some(end) = end_of_tag(self.bytes(), from) else {
            self.at = self.text.len();
            return None;
        };
        self.at = end + 1;
        let tag = Tag { name, inside: &self.text[from..end] };
        if self.foreign > 0 || is_watched(name) {
            self.watch(&tag);
        }
        Some(HtmlToken::Start(tag))
    }

    /// Looks whether what comes next is read otherwise.
    #[cold]
    fn watch(&mut self, tag: &Tag<'_>) {
        self.watch_foreign(tag);
        if self.foreign == 0 && !self.xml && raw::is_raw(tag.name) {
            self.raw = tag.name;
        }
    }

    /// In svg and math `<title>` and `<style>` hold markup; ordinary HTML tags lead out again.
    fn watch_foreign(&mut self, tag: &Tag<'_>) {
        match tag.name {
            SVG | MATH if !tag.closes_itself() => self.foreign += 1,
            n if self.foreign > 0 && raw::leaves_foreign(n) => self.foreign = 0,
            _ => {}
        }
    }

    fn take_end(&mut self) -> Option<HtmlToken<'a>> {
        self.at += 2;
        if !self.bytes().get(self.at).is_some_and(u8::is_ascii_alphabetic) {
            self.skip_to_bracket();
            return None;
        }
        let name = self.take_name();
        match end_of_tag(self.bytes(), self.at) {
            Some(end) => self.at = end + 1,
            None => {
                self.at = self.text.len();
                return None;
            }
        }
        if self.foreign > 0 && matches!(name, SVG | MATH) {
            self.foreign -= 1;
        }
        Some(HtmlToken::End(name))
    }

    #[cold]
    fn take_raw(&mut self) -> HtmlToken<'a> {
        let name = std::mem::take(&mut self.raw);
        let rest = &self.text[self.at..];
        let length = raw::end_of_raw(rest.as_bytes(), name);
        self.at += length;
        HtmlToken::Raw(name, &rest[..length])
    }

    /// `<!…`: comment, doctype or CDATA.
    #[cold]
    fn take_declaration(&mut self) -> Option<HtmlToken<'a>> {
        let rest = &self.text[self.at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            self.at += 4 + end_of_comment(comment.as_bytes());
            return None;
        }
        if let Some(cdata) = rest.strip_prefix("<![CDATA[").filter(|_| self.xml || self.foreign > 0)
        {
            let end = memchr::memmem::find(cdata.as_bytes(), b"]]>").unwrap_or(cdata.len());
            self.at = (self.at + 9 + end + 3).min(self.text.len());
            return Some(HtmlToken::Cdata(&cdata[..end]));
        }
        self.skip_to_bracket();
        None
    }
}

impl<'a> Iterator for Scanner<'a> {
    type Item = HtmlToken<'a>;

    fn next(&mut self) -> Option<HtmlToken<'a>> {
        while self.at < self.text.len() {
            if self.raw != 0 {
                return Some(self.take_raw());
            }
            let bytes = self.bytes();
            let token = match (bytes[self.at], bytes.get(self.at + 1)) {
                (b'<', Some(b'/')) => self.take_end(),
                (b'<', Some(b'!')) => self.take_declaration(),
                (b'<', Some(b'?')) => {
                    self.skip_to_bracket();
                    None
                }
                (b'<', Some(b)) if b.is_ascii_alphabetic() => self.take_start(),
                _ => self.take_text(),
            };
            if token.is_some() {
                return token;
            }
        }
        None
    }
}

/// Length of a comment after its `<!--`, closing included.
fn end_of_comment(rest: &[u8]) -> usize {
    if rest.starts_with(b">") {
        return 1;
    }
    if rest.starts_with(b"->") {
        return 2;
    }
    let mut from = 0;
    while let Some(found) = memchr::memmem::find(&rest[from..], b"--") {
        // In a row of dashes the last two count, so step over the earlier ones.
        let dashes = rest[from + found..].iter().take_while(|&&b| b == b'-').count();
        from += found + dashes;
        match &rest[from..] {
            [b'>', ..] => return from + 1,
            [b'!', b'>', ..] => return from + 2,
            _ => {}
        }
    }
    rest.len()
}
