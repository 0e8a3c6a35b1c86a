//! Markdown: the blocks of CommonMark that people write (headings, lists, quotes, code, tables), and
//! front matter. A subset: lists are told by their indentation, emphasis by what stands around it.

mod inline;
mod matter;

use super::markup::Markup;
use super::{Converted, Source};
use fyke_web::charset;
use inline::References;

/// Deepest list.
const MOST_DEPTH: usize = 8;
const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];

pub(super) fn convert(source: &Source<'_>) -> Converted {
    let text = charset::decode(source.bytes, source.content_type).0;
    let (matter, body) = matter::split(&text);
    let references = inline::references(body);
    let mut reading = Reading {
        markup: Markup::default(),
        references,
        paragraph: String::new(),
        lists: Vec::new(),
    };
    reading.run(body);
    let written = Converted::from(reading.markup);
    Converted { markup: written.markup, trouble: written.trouble, ..matter }
}

struct Reading<'a> {
    markup: Markup,
    references: References<'a>,
    /// Lines of the paragraph now read.
    paragraph: String,
    /// The open lists: indentation and element.
    lists: Vec<(usize, &'static str)>,
}

impl Reading<'_> {
    fn run(&mut self, text: &str) {
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let indentation = indentation(line);
            let bare = unquoted(line);
            if let Some(fence) = fence(bare) {
                self.end_paragraph();
                let is_end = |line: &&str| !unquoted(line).starts_with(fence);
                let code: Vec<&str> = lines.by_ref().take_while(is_end).collect();
                self.markup.element("pre", &code.join("\n"));
            } else if bare.is_empty() || inline::reference(bare).is_some() {
                self.end_paragraph();
            } else if let Some((level, title)) = heading(bare) {
                self.end_lists(0);
                self.inline(HEADINGS[level - 1], title);
            } else if let Some(level) = underline(bare).filter(|_| !self.paragraph.is_empty()) {
                let title = std::mem::take(&mut self.paragraph);
                self.end_lists(0);
                self.inline(HEADINGS[level - 1], &title);
            } else if is_rule(bare) {
                self.end_lists(0);
            } else if let Some((kind, item)) = item(bare) {
                self.item(indentation, kind, item);
            } else if bare.contains('|')
                && lines.peek().is_some_and(|next| is_table(unquoted(next)))
            {
                lines.next();
                self.end_lists(0);
                self.markup.open("table");
                self.row("th", bare);
                while let Some(row) = lines.next_if(|row| row.contains('|')) {
                    self.row("td", unquoted(row));
                }
                self.markup.close("table");
            } else if indentation >= 4 && self.paragraph.is_empty() && self.lists.is_empty() {
                self.markup.element("pre", line);
            } else {
                if self.paragraph.is_empty() && indentation == 0 {
                    self.end_lists(0);
                }
                self.paragraph.push_str(bare);
                self.paragraph.push('\n');
            }
        }
        self.end_lists(0);
    }

    fn inline(&mut self, element: &'static str, text: &str) {
        self.markup.open(element);
        inline::write(&mut self.markup, text, &self.references);
        self.markup.close(element);
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        if paragraph.is_empty() {
            return;
        }
        if self.markup.innermost(&["li", "ul", "ol"]) == Some("li") {
            inline::write(&mut self.markup, &paragraph, &self.references);
        } else {
            self.inline("p", &paragraph);
        }
    }

    /// Opens an item; its text is the paragraph that follows.
    fn item(&mut self, indentation: usize, kind: &'static str, text: &str) {
        self.end_paragraph();
        while self.lists.last().is_some_and(|(open, _)| *open > indentation) {
            self.end_lists(self.lists.len() - 1);
        }
        match self.lists.last() {
            Some((open, _)) if *open == indentation => {
                self.markup.close_within("li", &["ul", "ol"]);
            }
            _ if self.lists.len() < MOST_DEPTH => {
                self.lists.push((indentation, kind));
                self.markup.open(kind);
            }
            _ => self.markup.close_within("li", &["ul", "ol"]),
        }
        self.markup.open("li");
        self.paragraph.push_str(text);
        self.paragraph.push('\n');
    }

    /// Ends the paragraph and all but `keep` lists.
    fn end_lists(&mut self, keep: usize) {
        self.end_paragraph();
        while self.lists.len() > keep {
            if let Some((_, kind)) = self.lists.pop() {
                self.markup.close(kind);
            }
        }
    }

    fn row(&mut self, cell: &'static str, line: &str) {
        let line = line.trim().trim_start_matches('|');
        let line = line.strip_suffix('|').unwrap_or(line);
        self.markup.open("tr");
        for value in line.split('|') {
            self.inline(cell, value.trim());
        }
        self.markup.close("tr");
    }
}

/// Columns before the first character, quotes left out.
fn indentation(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// A line without the marks of quotes and its indentation.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(|c: char| c == '>' || c.is_whitespace()).trim_end()
}

/// The mark that opens code.
fn fence(line: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence))
}

/// `## Title ##`: level and title.
fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|b| *b == b'#').count();
    let rest = &line[level..];
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    is_heading.then(|| (level, rest.trim().trim_end_matches('#').trim()))
}

/// The line below a title.
fn underline(line: &str) -> Option<usize> {
    let all = |mark: char| line.len() > 1 && line.chars().all(|c| c == mark);
    all('=').then_some(1).or_else(|| all('-').then_some(2))
}

fn is_rule(line: &str) -> bool {
    let marks = |mark: char| {
        line.chars().all(|c| c == mark || c == ' ')
            && line.chars().filter(|c| *c == mark).count() > 2
    };
    ['-', '*', '_'].into_iter().any(marks)
}

/// The line between the head of a table and its rows.
fn is_table(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

/// `- item`, `1. item`: kind of the list and the item's text.
fn item(line: &str) -> Option<(&'static str, &str)> {
    let bullet = line.strip_prefix(['-', '*', '+']);
    if let Some(rest) = bullet.filter(|rest| rest.starts_with([' ', '\t'])) {
        let rest = rest.trim_start();
        let task = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| rest.strip_prefix(mark));
        return Some(("ul", task.unwrap_or(rest)));
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line[digits..].strip_prefix(['.', ')'])?;
    let is_item = (1..=9).contains(&digits) && rest.starts_with([' ', '\t']);
    is_item.then(|| ("ol", rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let source = Source { bytes: text.as_bytes(), content_type: None, extension: "md" };
        assert_eq!(convert(&source).markup, expected, "{text}");
    }

    #[test]
    fn blocks_are_told_apart() {
        check(
            "# Eels #\n\ntwo\nlines\n\nTitle\n===\n> said\n> so",
            "<h1>Eels</h1><p>two\nlines\n</p><h1>Title\n</h1><p>said\nso\n</p>",
        );
        check(
            "- a\n- b\n  - c\n- d\n\nend",
            "<ul><li>a\n</li><li>b\n<ul><li>c\n</li></ul></li><li>d\n</li></ul><p>end\n</p>",
        );
        check("1. a\n2) b\n", "<ol><li>a\n</li><li>b\n</li></ol>");
        check("```rust\nlet <x>;\n\n# no\n```\nx", "<pre>let &lt;x&gt;;\n\n# no</pre><p>x\n</p>");
        check(
            "| a | b |\n|---|:-:|\n| 1 | *2* |\n\n---\n",
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><i>2</i></td></tr></table>",
        );
        check("text\n---\n", "<h2>text\n</h2>");
        check("    code\n", "<pre>    code</pre>");
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
