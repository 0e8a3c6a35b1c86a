//! What stands inside a block of Markdown: code, emphasis, links, pictures by their description.

use super::super::markup::Markup;
use fyke_web::html::text_of;
use std::collections::HashMap;

/// How far the end of a link, a tag or code is looked for.
const REACH: usize = 2_000;
/// Longest text of a link.
const LONGEST_TEXT: usize = 300;
/// Links inside each other, and pictures inside links.
const MOST_DEPTH: u8 = 4;
/// Most references of one document.
const MOST_REFERENCES: usize = 10_000;

/// Where `[label]: url` leads, by label in lower case.
pub(super) type References<'a> = HashMap<String, &'a str>;

/// All references of a document.
pub(super) fn references(text: &str) -> References<'_> {
    text.lines().filter_map(|line| reference(line.trim())).take(MOST_REFERENCES).collect()
}

/// A line that only says where a label leads.
pub(super) fn reference(line: &str) -> Option<(String, &str)> {
    let (label, rest) = line.strip_prefix('[')?.split_once("]:")?;
    let target = rest.split_whitespace().next()?.trim_matches(['<', '>']);
    (!label.starts_with('^')).then(|| (label.to_lowercase(), target))
}

/// Writes the text of a block.
pub(super) fn write(markup: &mut Markup, text: &str, references: &References<'_>) {
    let mut writing = Writing { markup, references, bold: false, italic: false };
    writing.run(text, 0);
    if writing.italic {
        writing.markup.close("i");
    }
    if writing.bold {
        writing.markup.close("b");
    }
}

struct Writing<'a, 'b> {
    markup: &'a mut Markup,
    references: &'a References<'b>,
    bold: bool,
    italic: bool,
}

/// The head of a text, as far as ends are looked for.
fn near(text: &str) -> &str {
    &text[..text.floor_char_boundary(REACH)]
}

impl Writing<'_, '_> {
    fn run(&mut self, text: &str, depth: u8) {
        let mut rest = text;
        let mut before = ' ';
        while let Some(at) = rest.find(['\\', '`', '*', '_', '[', '!', '<', '&', '~']) {
            self.markup.text(&rest[..at]);
            before = rest[..at].chars().next_back().unwrap_or(before);
            let here = &rest[at..];
            let used = self.special(here, before, depth);
            if used == 0 {
                let mark = &here[..1];
                self.markup.text(mark);
            }
            before = here.chars().next().unwrap_or(before);
            rest = &here[used.max(1)..];
        }
        self.markup.text(rest);
    }

    /// Writes what stands at the head of `here`; its length, 0 when it is only text.
    fn special(&mut self, here: &str, before: char, depth: u8) -> usize {
        match here.as_bytes()[0] {
            b'\\' => self.escape(here),
            b'`' => self.code(here),
            b'*' | b'_' => self.emphasis(here, before),
            b'~' if here.starts_with("~~") => 2,
            b'!' if here.starts_with("![") => {
                self.link(&here[1..], depth, true).map_or(0, |n| n + 1)
            }
            b'[' => self.link(here, depth, false).unwrap_or(0),
            b'<' => self.tag(here),
            b'&' => self.entity(here),
            _ => 0,
        }
    }

    fn escape(&mut self, here: &str) -> usize {
        match here.as_bytes().get(1) {
            Some(mark) if mark.is_ascii_punctuation() => {
                self.markup.text(&here[1..2]);
                2
            }
            _ => 0,
        }
    }

    fn code(&mut self, here: &str) -> usize {
        let ticks = here.bytes().take_while(|b| *b == b'`').count();
        let (mark, rest) = here.split_at(ticks);
        match near(rest).find(mark) {
            Some(end) => {
                self.markup.text(rest[..end].trim());
                2 * ticks + end
            }
            None => {
                self.markup.text(mark);
                ticks
            }
        }
    }

    fn emphasis(&mut self, here: &str, before: char) -> usize {
        let mark = here.as_bytes()[0];
        let length = here.bytes().take_while(|b| *b == mark).count().min(2);
        let after = here[length..].chars().next().unwrap_or(' ');
        let is_inside = mark == b'_' && before.is_alphanumeric() && after.is_alphanumeric();
        let (open, name) = match length {
            2 => (&mut self.bold, "b"),
            _ => (&mut self.italic, "i"),
        };
        if is_inside || if *open { before.is_whitespace() } else { after.is_whitespace() } {
            return 0;
        }
        *open = !*open;
        if *open {
            self.markup.open(name);
        } else {
            self.markup.close(name);
        }
        length
    }

    /// `[text](target)`, `[text][label]`, `[label]`; a picture gives its text only.
    fn link(&mut self, here: &str, depth: u8, is_picture: bool) -> Option<usize> {
        let inside = here.get(1..)?;
        let inside = &inside[..inside.floor_char_boundary(LONGEST_TEXT)];
        memchr::memchr(b']', inside.as_bytes())?;
        let end = end_of_text(inside)?;
        let (text, after) = (&inside[..end], &here[end + 2..]);
        let (target, used) = match after.as_bytes().first() {
            Some(b'(') => {
                let inside = near(&after[1..]);
                let end = inside.find(')')?;
                (inside[..end].split_whitespace().next().unwrap_or(""), end + 2)
            }
            Some(b'[') => {
                let inside = near(&after[1..]);
                let end = inside.find(']')?;
                let label = if end == 0 { text } else { &inside[..end] };
                (*self.references.get(&label.to_lowercase())?, end + 2)
            }
            _ => (*self.references.get(&text.to_lowercase())?, 0),
        };
        let is_link = !is_picture && !target.is_empty() && !self.markup.is_in("a");
        if is_link {
            self.markup.link(target.trim_matches(['<', '>']));
        }
        if depth < MOST_DEPTH {
            self.run(text, depth + 1);
        } else {
            self.markup.text(text);
        }
        if is_link {
            self.markup.close("a");
        }
        Some(end + 2 + used)
    }

    /// An address between brackets; a tag of HTML goes, its text stays.
    fn tag(&mut self, here: &str) -> usize {
        let Some(end) = near(here).find('>') else { return 0 };
        let inside = &here[1..end];
        if inside.starts_with("http://") || inside.starts_with("https://") {
            self.markup.link(inside);
            self.markup.text(inside);
            self.markup.close("a");
            return end + 1;
        }
        let is_tag =
            inside.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'));
        if is_tag { end + 1 } else { 0 }
    }

    fn entity(&mut self, here: &str) -> usize {
        let end = here.as_bytes().iter().take(34).position(|b| *b == b';');
        let Some(end) = end else { return 0 };
        let decoded = text_of(&here[..=end]);
        if decoded == here[..=end] {
            return 0;
        }
        self.markup.text(&decoded);
        end + 1
    }
}

/// Where the bracket stands that closes the text of a link.
fn end_of_text(inside: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 0 => return Some(at),
            b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut markup = Markup::default();
        let references = HashMap::from([("eel".to_owned(), "/eel")]);
        write(&mut markup, text, &references);
        assert_eq!(markup.finish().0, expected, "{text}");
    }

    #[test]
    fn emphasis_code_and_links_are_read() {
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
        check("*open", "<i>open</i>");
        check("[[[[[[[[a](b)](c)](d)](e)](f)](g)", "[[<a href=\"g\">[a](b)</a>");
    }
}
