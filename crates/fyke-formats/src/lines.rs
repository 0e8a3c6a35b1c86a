//! The lines of a page as they were laid out, with its headings, blocks and pages: what the parts of a paper are
//! found by (002 §4.1: line ends and the end of page one). Formats with lines keep them in their markup as line
//! ends inside of a block; in HTML a line ends with its block or at `br`.

use super::html::INLINE;
use super::xml::{Events, XmlEvent, attribute};
use fyke_web::Page;
use fyke_web::html::{TagName, name};
use fyke_web::page::Format;

/// Lines that are read.
const MOST_LINES: usize = 500_000;

/// A line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageLine {
    /// Its words with a space between them.
    pub text: String,
    /// 1 to 6 in a heading, 0 elsewhere.
    pub heading: u8,
    /// A paragraph, an item or a heading begins with it.
    pub begins_block: bool,
    /// Counted from 1; 1 in formats without pages.
    pub page: u32,
}

/// Elements whose text is no part of what the page tells.
const LEFT_OUT: &[TagName] = &[
    name("script"),
    name("style"),
    name("title"),
    name("template"),
    name("svg"),
    name("select"),
    name("nav"),
    name("footer"),
    name("aside"),
];
const BR: TagName = name("br");
const PRE: TagName = name("pre");
const SECTION: TagName = name("section");
const HEADINGS: [TagName; 6] =
    [name("h1"), name("h2"), name("h3"), name("h4"), name("h5"), name("h6")];
/// Cells of a row stand in one line.
const CELLS: [TagName; 2] = [name("td"), name("th")];

/// The lines of a page; those without a word are left out.
#[must_use]
pub fn lines(page: &Page) -> Vec<PageLine> {
    match page.format {
        Format::Other => Vec::new(),
        Format::Text => of_text(&page.content),
        Format::Html | Format::Xml => of_markup(&page.content, false),
        Format::Converted(_) => of_markup(&page.content, true),
    }
}

/// Empty lines part blocks, form feeds part pages.
fn of_text(text: &str) -> Vec<PageLine> {
    let mut laid = LaidLines { page: 1, is_new: true, ..LaidLines::default() };
    for (number, page) in text.split('\u{0C}').enumerate() {
        laid.page = u32::try_from(number + 1).unwrap_or(u32::MAX);
        for line in page.lines() {
            if line.trim().is_empty() {
                laid.is_new = true;
            }
            laid.text.push_str(line);
            laid.end_line();
        }
    }
    laid.lines
}

/// Lines that are being read.
#[derive(Debug, Default)]
struct LaidLines {
    lines: Vec<PageLine>,
    /// The line so far.
    text: String,
    heading: u8,
    is_new: bool,
    page: u32,
}

impl LaidLines {
    fn end_line(&mut self) {
        let words: Vec<&str> = self.text.split_whitespace().collect();
        if !words.is_empty() && self.lines.len() < MOST_LINES {
            let begins_block = std::mem::take(&mut self.is_new);
            let (heading, page) = (self.heading, self.page);
            self.lines.push(PageLine { text: words.join(" "), heading, begins_block, page });
        }
        self.text.clear();
    }

    fn end_block(&mut self) {
        self.end_line();
        self.is_new = true;
    }

    /// Text whose line ends count, or are spaces.
    fn add(&mut self, text: &str, has_lines: bool) {
        if !has_lines {
            self.text.push_str(text);
            return;
        }
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.end_line();
            }
            self.text.push_str(line);
        }
    }
}

fn of_markup(markup: &str, has_lines: bool) -> Vec<PageLine> {
    let mut laid = LaidLines { page: 1, is_new: true, ..LaidLines::default() };
    let mut events = Events::html(markup);
    let mut in_pre = 0_u32;
    while let Some(event) = events.next() {
        if laid.lines.len() >= MOST_LINES {
            break;
        }
        match event {
            XmlEvent::Start(tag) if LEFT_OUT.contains(&tag.name) => {
                events.skip_element(tag.name);
                laid.end_block();
            }
            XmlEvent::Start(tag) if tag.name == BR => laid.end_line(),
            XmlEvent::Start(tag) => {
                if INLINE.contains(&tag.name) {
                    continue;
                }
                if CELLS.contains(&tag.name) {
                    laid.text.push(' ');
                    continue;
                }
                laid.end_block();
                in_pre += u32::from(tag.name == PRE);
                if let Some(level) = level(tag.name) {
                    laid.heading = level;
                }
                if tag.name == SECTION
                    && let Some(page) = attribute(&tag, "data-page")
                {
                    laid.page = page.parse().unwrap_or(laid.page);
                }
            }
            XmlEvent::End(name) if INLINE.contains(&name) || name == BR => {}
            XmlEvent::End(name) if CELLS.contains(&name) => laid.text.push(' '),
            XmlEvent::End(name) => {
                laid.end_block();
                in_pre = in_pre.saturating_sub(u32::from(name == PRE));
                if level(name).is_some() {
                    laid.heading = 0;
                }
            }
            XmlEvent::Text(text) => laid.add(&text, has_lines || in_pre > 0),
        }
    }
    laid.end_line();
    laid.lines
}

fn level(element: TagName) -> Option<u8> {
    let at = HEADINGS.iter().position(|heading| *heading == element)?;
    u8::try_from(at + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_web::{Capture, Url};
    use proptest::prelude::*;

    fn read(name: &str, text: &str) -> Vec<PageLine> {
        let capture = Capture {
            url: Url::parse(&format!("http://a.test/{name}")).unwrap(),
            time: 0,
            status: 200,
            headers: Vec::new(),
            payload: text.as_bytes().to_vec(),
            truncated: None,
        };
        lines(&crate::parse(&capture))
    }

    fn check(name: &str, text: &str, expected: &str) {
        let show = |line: &PageLine| {
            let mark = if line.begins_block { "*" } else { "" };
            let heading = if line.heading > 0 { "#" } else { "" };
            format!("{}{mark}{heading} {}", line.page, line.text)
        };
        assert_eq!(read(name, text).iter().map(show).collect::<Vec<_>>().join("\n"), expected);
    }

    #[test]
    fn a_text_has_lines_blocks_and_pages() {
        check(
            "a.txt",
            "Nets  by night\nA. Fisher\n\nWe fish.\n\u{0C}Hooks\n",
            "1* Nets by night\n1 A. Fisher\n1* We fish.\n2 Hooks",
        );
    }

    #[test]
    fn a_page_has_a_line_for_each_block_and_break() {
        check(
            "a.html",
            "<html><title>x</title><nav>menu</nav><h1>Nets\nby <i>night</i></h1><p>A.\nFisher<br>Port \
             <td>one<td>two</p><pre>a\nb</pre><ul><li>last</ul></html>",
            "1*# Nets by night\n1* A. Fisher\n1 Port one two\n1* a\n1 b\n1* last",
        );
    }

    proptest! {
        #[test]
        fn any_markup_has_lines(markup in "(<[a-z/]{1,8}>|[a-z \n&;]{1,9}){0,30}") {
            for line in read("a.html", &format!("<html>{markup}")) {
                prop_assert!(!line.text.is_empty() && !line.text.contains('\n'));
            }
        }
    }
}
