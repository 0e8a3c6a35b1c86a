//! The simple markup that every format becomes: a writer that escapes, keeps its elements balanced
//! whatever comes in, and stops at a limit.

use std::fmt::Write;

/// Most bytes of markup from one input.
const MOST_BYTES: usize = 32 << 20;
/// Deepest nesting of elements; deeper ones are left out, their text stays.
const MOST_DEPTH: usize = 64;

/// Markup being written.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    out: String,
    open: Vec<&'static str>,
    is_full: bool,
}

/// Text as it stands in an element, or in an attribute in double quotes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Markup {
    /// Adds text, escaped.
    pub(crate) fn text(&mut self, text: &str) {
        if self.is_full || text.is_empty() {
            return;
        }
        let mut rest = text;
        while let Some(at) = memchr::memchr3(b'&', b'<', b'>', rest.as_bytes()) {
            self.out.push_str(&rest[..at]);
            self.out.push_str(match rest.as_bytes()[at] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                _ => "&gt;",
            });
            rest = &rest[at + 1..];
        }
        self.out.push_str(rest);
        self.is_full = self.out.len() > MOST_BYTES;
    }

    /// Opens an element.
    pub(crate) fn open(&mut self, name: &'static str) {
        if self.enter(name) {
            let _ = write!(self.out, "<{name}>");
        }
    }

    /// Opens a link.
    pub(crate) fn link(&mut self, href: &str) {
        if self.enter("a") {
            let _ = write!(self.out, "<a href=\"{}\">", escaped(href));
        }
    }

    /// Opens a page of a paged format, counted from 1.
    pub(crate) fn page(&mut self, number: usize) {
        if self.enter("section") {
            let _ = write!(self.out, "<section data-page=\"{number}\">");
        }
    }

    fn enter(&mut self, name: &'static str) -> bool {
        self.is_full |= self.out.len() > MOST_BYTES;
        let fits = !self.is_full && self.open.len() < MOST_DEPTH;
        if fits {
            self.open.push(name);
        }
        fits
    }

    /// Closes the innermost element of this name, and what is open inside it. One that holds
    /// nothing goes away, but for a cell: its place counts.
    pub(crate) fn close(&mut self, name: &str) {
        let Some(at) = self.open.iter().rposition(|open| *open == name) else { return };
        for name in self.open.drain(at..).rev() {
            let is_empty = self.out.strip_suffix('>').and_then(|out| out.strip_suffix(name));
            match is_empty.and_then(|out| out.strip_suffix('<')) {
                Some(before) if !matches!(name, "td" | "th") => self.out.truncate(before.len()),
                _ => {
                    let _ = write!(self.out, "</{name}>");
                }
            }
        }
    }

    /// As [`Markup::close`], unless one of the `walls` stands between.
    pub(crate) fn close_within(&mut self, name: &str, walls: &[&str]) {
        let found = self.open.iter().rev().find(|open| **open == name || walls.contains(open));
        if found.is_some_and(|open| *open == name) {
            self.close(name);
        }
    }

    /// An element with plain text in it; nothing when there is no text.
    pub(crate) fn element(&mut self, name: &'static str, text: &str) {
        if !text.trim().is_empty() {
            self.open(name);
            self.text(text);
            self.close(name);
        }
    }

    /// The innermost open element of these.
    pub(crate) fn innermost(&self, names: &[&str]) -> Option<&'static str> {
        self.open.iter().rev().find(|open| names.contains(open)).copied()
    }

    /// Whether such an element is open.
    pub(crate) fn is_in(&self, name: &str) -> bool {
        self.open.contains(&name)
    }

    /// Adds what another converter wrote.
    pub(crate) fn append(&mut self, markup: &str) {
        let fits = self.out.len() + markup.len() <= MOST_BYTES;
        self.is_full |= !fits;
        if !self.is_full {
            self.out.push_str(markup);
        }
    }

    /// Whether the limit is reached: what comes now is left out.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// The markup, every element closed, and what is to be said of it.
    pub(crate) fn finish(mut self) -> (String, String) {
        while let Some(name) = self.open.last().copied() {
            self.close(name);
        }
        let trouble =
            if self.is_full { "more text than is kept; the rest was left out" } else { "" };
        (self.out, trouble.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_balanced_and_text_is_escaped() {
        let mut markup = Markup::default();
        markup.open("p");
        markup.open("b");
        markup.text("a < b & c");
        markup.close("p");
        markup.close("i");
        markup.open("p");
        markup.close("p");
        markup.open("td");
        markup.close("td");
        markup.link("http://a.test/?a=1&b=\"2\"");
        markup.text("x");
        let expected = "<p><b>a &lt; b &amp; c</b></p><td></td>\
                        <a href=\"http://a.test/?a=1&amp;b=&quot;2&quot;\">x</a>";
        assert_eq!(markup.finish(), (expected.to_owned(), String::new()));
    }

    #[test]
    fn neither_depth_nor_length_is_without_limit() {
        let mut markup = Markup::default();
        for _ in 0..1_000 {
            markup.open("ul");
        }
        let long = "reeds ".repeat(1_000_000);
        for _ in 0..10 {
            markup.text(&long);
        }
        assert!(markup.is_full());
        let (out, trouble) = markup.finish();
        assert!(out.len() < MOST_BYTES + 2 * long.len() && !trouble.is_empty());
        assert_eq!(out.matches("<ul>").count(), MOST_DEPTH);
        assert_eq!(out.matches("</ul>").count(), MOST_DEPTH);
    }
}
