//! Markdown: CommonMark with tables, footnotes, task lists and strikethrough, by pulldown-cmark; and front matter.
//! HTML between the lines is read as HTML.

mod matter;

use super::markup::Markup;
use super::{Converted, Source, html};
use fyke_web::charset;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;

/// Marks of quotes and lists, and columns, before the text of a line. What goes deeper loses them: the parser's
/// time grows by the depth for every line.
const MOST_MARKS: usize = 16;
const MOST_COLUMNS: usize = 64;

pub(super) fn convert(source: &Source<'_>) -> Converted {
    let text = charset::decode(source.bytes, source.content_type);
    let (matter, body) = matter::split(&text);
    let body = shallow(body);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    let mut reading = MarkdownReading::default();
    for event in Parser::new_ext(&body, options) {
        reading.event(event);
        if reading.markup.is_full() {
            break;
        }
    }
    let written = Converted::from(reading.markup);
    Converted { markup: written.markup, trouble: written.trouble, ..matter }
}

/// A text without the marks of lines that go too deep.
fn shallow(text: &str) -> Cow<'_, str> {
    let is_deep = |line: &str| prefix(line).is_some();
    if !text.lines().any(is_deep) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(&line[prefix(line).unwrap_or(0)..]);
        out.push('\n');
    }
    Cow::Owned(out)
}

/// Length of the marks and columns before the text of a line, if they are too many.
fn prefix(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let (mut at, mut marks, mut columns) = (0, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        let length = match byte {
            b' ' | b'\t' | b'>' => 1,
            b'-' | b'+' | b'*' => 1,
            b'0'..=b'9' => match bytes[at..].iter().position(|b| !b.is_ascii_digit()) {
                Some(digits) if matches!(bytes[at + digits], b'.' | b')') => digits + 1,
                _ => break,
            },
            _ => break,
        };
        let is_blank = matches!(byte, b' ' | b'\t');
        let is_mark = byte == b'>' || matches!(bytes.get(at + length), None | Some(b' ' | b'\t'));
        if !is_blank && !is_mark {
            break;
        }
        marks += usize::from(!is_blank);
        columns += if byte == b'\t' { 4 } else { length };
        at += length;
    }
    (marks > MOST_MARKS || columns > MOST_COLUMNS).then_some(at)
}

#[derive(Default)]
struct MarkdownReading {
    markup: Markup,
    /// The code, or the HTML, that is being gathered.
    gathered: Option<String>,
    is_head: bool,
}

impl MarkdownReading {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) => self.text(&text),
            Event::Html(text) => self.text(&text),
            Event::SoftBreak | Event::HardBreak => self.text("\n"),
            // A tag of HTML in a line goes, its text stays.
            Event::InlineHtml(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.gathered {
            Some(gathered) => gathered.push_str(text),
            None => self.markup.text(text),
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Paragraph => self.markup.open("p"),
            Tag::Heading { level, .. } => self.markup.open(heading(*level)),
            Tag::CodeBlock(_) | Tag::HtmlBlock => self.gathered = Some(String::new()),
            Tag::List(first) => self.markup.open(if first.is_some() { "ol" } else { "ul" }),
            Tag::Item => self.markup.open("li"),
            Tag::Table(_) => self.markup.open("table"),
            Tag::TableHead => {
                self.is_head = true;
                self.markup.open("tr");
            }
            Tag::TableRow => self.markup.open("tr"),
            Tag::TableCell => self.markup.open(self.cell()),
            Tag::Emphasis => self.markup.open("i"),
            Tag::Strong => self.markup.open("b"),
            Tag::Link { dest_url, .. } if !dest_url.is_empty() => self.markup.link(dest_url),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.markup.close("p"),
            TagEnd::Heading(level) => self.markup.close(heading(level)),
            TagEnd::CodeBlock => {
                let code = self.gathered.take().unwrap_or_default();
                self.markup.element("pre", code.trim_end_matches('\n'));
            }
            TagEnd::HtmlBlock => {
                let text = self.gathered.take().unwrap_or_default();
                self.markup.append(&html::fragment(&text));
            }
            TagEnd::List(is_ordered) => self.markup.close(if is_ordered { "ol" } else { "ul" }),
            TagEnd::Item => self.markup.close("li"),
            TagEnd::Table => self.markup.close("table"),
            TagEnd::TableHead => {
                self.is_head = false;
                self.markup.close("tr");
            }
            TagEnd::TableRow => self.markup.close("tr"),
            TagEnd::TableCell => self.markup.close(self.cell()),
            TagEnd::Emphasis => self.markup.close("i"),
            TagEnd::Strong => self.markup.close("b"),
            TagEnd::Link => self.markup.close("a"),
            _ => {}
        }
    }

    fn cell(&self) -> &'static str {
        if self.is_head { "th" } else { "td" }
    }
}

fn heading(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 => "h1",
        HeadingLevel::H2 => "h2",
        HeadingLevel::H3 => "h3",
        HeadingLevel::H4 => "h4",
        HeadingLevel::H5 => "h5",
        HeadingLevel::H6 => "h6",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markup(text: &str) -> String {
        let source = Source { bytes: text.as_bytes(), content_type: None, extension: "md" };
        convert(&source).markup
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(markup(text), expected, "{text}");
    }

    #[test]
    fn blocks_are_told_apart() {
        check(
            "# Eels #\n\ntwo\nlines\n\nTitle\n===\n> said\n> so",
            "<h1>Eels</h1><p>two\nlines</p><h1>Title</h1><p>said\nso</p>",
        );
        check(
            "- a\n- b\n  - c\n- d\n\nend",
            "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul><p>end</p>",
        );
        check("1. a\n2. b\n", "<ol><li>a</li><li>b</li></ol>");
        check("- [x] done\n- [ ] open\n", "<ul><li>done</li><li>open</li></ul>");
        check("```rust\nlet <x>;\n\n# no\n```\nx", "<pre>let &lt;x&gt;;\n\n# no</pre><p>x</p>");
        check(
            "| a | b |\n|---|:-:|\n| 1 | *2* |\n\n---\n",
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><i>2</i></td></tr></table>",
        );
        check("text\n---\n", "<h2>text</h2>");
        check("    code\n", "<pre>code</pre>");
        check("a[^1]\n\n[^1]: a note\n", "<p>a</p><p>a note</p>");
    }

    #[test]
    fn emphasis_code_and_links_are_read() {
        let check = |text: &str, expected: &str| {
            let text = format!("{text}\n\n[eel]: /eel\n");
            assert_eq!(markup(&text), format!("<p>{expected}</p>"), "{text}");
        };
        check("a *b* **c** __d__ e_f_g 2 * 3", "a <i>b</i> <b>c</b> <b>d</b> e_f_g 2 * 3");
        check("`a*b*` ``c`d``", "a*b* c`d");
        check(
            "[a *b*](/x \"t\") ![p](q) [eel] [the][eel] [no]",
            "<a href=\"/x\">a <i>b</i></a> p <a href=\"/eel\">eel</a> <a href=\"/eel\">the</a> [no]",
        );
        check(
            "<http://a.test/> <b>x</b> 1 < 2 &amp; &x; \\*y\\*",
            "<a href=\"http://a.test/\">http://a.test/</a> x 1 &lt; 2 &amp; &amp;x; *y*",
        );
    }

    #[test]
    fn html_between_the_lines_is_read() {
        let check = |text: &str, expected: &str| {
            assert_eq!(markup(text).replace('\n', ""), expected, "{text}");
        };
        check(
            "<div align=center>\n<h1>Eels</h1>\n<a href=/x>link</a>\n</div>\n\ntext",
            "<h1>Eels</h1><p><a href=\"/x\">link</a></p><p>text</p>",
        );
        check("<!-- no -->\n\n<script>\nno\n</script>\n\nyes", "<p>yes</p>");
    }

    #[test]
    fn depth_without_end_costs_no_more_than_its_bytes() {
        // Quotes that every line goes on with: quadratic work would take hours.
        for mark in [">", "> ", "1. ", "* ", "  - "] {
            let deep = format!("{}eel\n{}", mark.repeat(100_000), "and\n".repeat(100_000));
            let found = markup(&deep);
            assert!(found.contains("eel") && found.len() < 2 * deep.len(), "{mark}");
        }
        check("> > > a", "<p>a</p>");
    }

    #[test]
    fn front_matter_names_the_document() {
        let text =
            "---\ntitle: \"The eel\"\nauthor: [A, B]\ndate: 2024-03-05 10:00\nlang: EN\n---\n# x";
        let source = Source { bytes: text.as_bytes(), content_type: None, extension: "md" };
        let found = convert(&source);
        assert_eq!((found.title.as_str(), found.author.as_str()), ("The eel", "A, B"));
        assert_eq!((found.date.as_str(), found.language.as_str()), ("2024-03-05", "en"));
        assert_eq!(found.markup, "<h1>x</h1>");
    }
}
