//! Rich Text Format: text in any code page, headings by style, tables, links, bold and italic,
//! title and author. Hidden and deleted text, pictures, headers and footers are left out.

mod code_page;
mod token;
mod words;

use super::Converted;
use super::markup::Markup;
use code_page::{of_charset, of_number};
use encoding_rs::{Encoding, WINDOWS_1252};
use std::collections::HashMap;
use token::{RtfToken, RtfTokens};
use words::{CHARACTERS, SKIPPED, TRANSPARENT};

/// Deepest nesting of groups; deeper ones are taken as part of their parents.
const MOST_DEPTH: usize = 512;
/// Most fonts and styles.
const MOST_ROWS: usize = 10_000;
/// Longest code of a field, name of a style, title.
const MOST_NAME: usize = 4_096;

/// Where text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Destination {
    Body,
    Title,
    Author,
    Created,
    Fonts,
    Styles,
    Instruction,
    Nowhere,
}

/// What holds inside a group.
#[derive(Clone, Copy, Debug)]
struct RtfGroup {
    destination: Destination,
    is_bold: bool,
    is_italic: bool,
    is_hidden: bool,
    /// Characters that stand for a Unicode one in older readers.
    fallback: usize,
    encoding: &'static Encoding,
    /// The link that ends with this group.
    is_link: bool,
}

struct RtfReading {
    markup: Markup,
    found: Converted,
    groups: Vec<RtfGroup>,
    /// Groups opened beyond the deepest nesting.
    beyond: usize,
    /// Bytes of text not yet decoded.
    pending: Vec<u8>,
    /// The first half of a character that has two.
    half: Option<u32>,
    /// Characters still to be passed over.
    passed: usize,
    is_starred: bool,
    default: &'static Encoding,
    fonts: HashMap<i32, &'static Encoding>,
    font: i32,
    /// Headings by the number of their style.
    headings: HashMap<i32, usize>,
    style: i32,
    name: String,
    heading: Option<usize>,
    is_item: bool,
    in_table: bool,
    link: Option<String>,
    date: [i32; 3],
}

pub(super) fn convert(bytes: &[u8]) -> Converted {
    let ground = RtfGroup {
        destination: Destination::Body,
        is_bold: false,
        is_italic: false,
        is_hidden: false,
        fallback: 1,
        encoding: WINDOWS_1252,
        is_link: false,
    };
    let mut reading = RtfReading {
        markup: Markup::default(),
        found: Converted::default(),
        groups: vec![ground],
        beyond: 0,
        pending: Vec::new(),
        half: None,
        passed: 0,
        is_starred: false,
        default: WINDOWS_1252,
        fonts: HashMap::new(),
        font: 0,
        headings: HashMap::new(),
        style: 0,
        name: String::new(),
        heading: None,
        is_item: false,
        in_table: false,
        link: None,
        date: [0; 3],
    };
    for token in RtfTokens::new(bytes) {
        reading.token(token);
    }
    reading.flush();
    let is_cut = reading.groups.len() > 1;
    let [year, month, day] = reading.date;
    if (1..=9_999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day) {
        reading.found.date = format!("{year:04}-{month:02}-{day:02}");
    }
    let written = Converted::from(reading.markup);
    let found = Converted { markup: written.markup, trouble: written.trouble, ..reading.found };
    found.with_trouble(if is_cut { "the file ends before its last group" } else { "" })
}

impl RtfReading {
    fn group(&mut self) -> &mut RtfGroup {
        self.groups.last_mut().expect("the ground is never closed")
    }

    fn token(&mut self, token: RtfToken<'_>) {
        match token {
            RtfToken::Byte(byte) => match self.passed {
                0 => self.pending.push(byte),
                _ => self.passed -= 1,
            },
            RtfToken::Open => {
                self.flush();
                self.passed = 0;
                match self.groups.len() {
                    MOST_DEPTH.. => self.beyond += 1,
                    _ => {
                        let group = RtfGroup { is_link: false, ..*self.group() };
                        self.groups.push(group);
                    }
                }
            }
            RtfToken::Close => self.close(),
            RtfToken::Star => self.is_starred = true,
            RtfToken::Word(word, number) => {
                let is_starred = std::mem::take(&mut self.is_starred);
                if word == "u" {
                    return self.unicode(number.unwrap_or(0));
                }
                self.flush();
                self.word(word, number, is_starred);
            }
        }
    }

    fn close(&mut self) {
        self.flush();
        (self.passed, self.is_starred) = (0, false);
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        if self.groups.len() < 2 {
            return;
        }
        let Some(closed) = self.groups.pop() else { return };
        if closed.is_link {
            self.markup.close("a");
        }
        if closed.destination == Destination::Instruction
            && self.group().destination != Destination::Instruction
        {
            let code = std::mem::take(&mut self.name);
            self.link = link_of(&code);
        }
        if closed.destination == Destination::Styles {
            self.end_of_style();
        }
    }

    /// A control word.
    fn word(&mut self, word: &str, number: Option<i32>, is_starred: bool) {
        let is_on = number != Some(0);
        match word {
            "par" | "sect" | "page" => self.end_paragraph(),
            "pard" => {
                (self.heading, self.is_item, self.in_table, self.style) = (None, false, false, 0);
            }
            "plain" => {
                let default = self.default;
                let group = self.group();
                (group.is_bold, group.is_italic, group.is_hidden) = (false, false, false);
                group.encoding = default;
            }
            "b" => self.group().is_bold = is_on,
            "i" => self.group().is_italic = is_on,
            "v" | "deleted" => self.group().is_hidden = is_on,
            "uc" => {
                let fallback = usize::try_from(number.unwrap_or(1)).unwrap_or(1);
                self.group().fallback = fallback.min(16);
            }
            "ansicpg" => self.set_default(of_number(number.unwrap_or(1_252))),
            "mac" => self.set_default(encoding_rs::MACINTOSH),
            "f" => self.set_font(number.unwrap_or(0)),
            "fcharset" => {
                if let (Some(encoding), Destination::Fonts) =
                    (of_charset(number.unwrap_or(0)), self.group().destination)
                    && self.fonts.len() < MOST_ROWS
                {
                    self.fonts.insert(self.font, encoding);
                }
            }
            "s" => self.set_style(number.unwrap_or(0)),
            "outlinelevel" => self.heading = usize::try_from(number.unwrap_or(9)).ok(),
            "listtext" | "pntext" => {
                self.is_item = true;
                self.group().destination = Destination::Nowhere;
            }
            "intbl" => self.in_table = true,
            "cell" => self.end_cell(),
            "row" => self.markup.close("tr"),
            "nestcell" | "nestrow" => self.text(" "),
            "yr" => self.date_part(0, number),
            "mo" => self.date_part(1, number),
            "dy" => self.date_part(2, number),
            _ => self.destination(word, is_starred),
        }
    }

    /// A word that says where the text of its group goes, or that is a character.
    fn destination(&mut self, word: &str, is_starred: bool) {
        let current = self.group().destination;
        if current == Destination::Nowhere {
            return;
        }
        let next = match word {
            "title" => Destination::Title,
            "author" => Destination::Author,
            "creatim" => Destination::Created,
            "fonttbl" => Destination::Fonts,
            "stylesheet" => Destination::Styles,
            "fldinst" => Destination::Instruction,
            "fldrslt" => return self.open_link(),
            _ if SKIPPED.contains(&word) => Destination::Nowhere,
            _ if TRANSPARENT.contains(&word) => current,
            _ if is_starred => Destination::Nowhere,
            _ => {
                let row = CHARACTERS.iter().find(|row| row.0 == word);
                return row.map_or((), |row| self.text(row.1));
            }
        };
        self.group().destination = next;
    }

    fn date_part(&mut self, part: usize, number: Option<i32>) {
        if self.group().destination == Destination::Created {
            self.date[part] = number.unwrap_or(0);
        }
    }

    fn set_default(&mut self, encoding: &'static Encoding) {
        self.default = encoding;
        self.group().encoding = encoding;
    }

    fn set_font(&mut self, font: i32) {
        self.font = font;
        if self.group().destination != Destination::Fonts {
            let encoding = self.fonts.get(&font).copied().unwrap_or(self.default);
            self.group().encoding = encoding;
        }
    }

    fn set_style(&mut self, style: i32) {
        self.style = style;
        if self.group().destination == Destination::Body {
            self.heading = self.headings.get(&style).copied();
        }
    }

    /// A row of the style sheet ends: its text is its name.
    fn end_of_style(&mut self) {
        let name = std::mem::take(&mut self.name).to_ascii_lowercase();
        let level = name.trim().trim_end_matches(';').strip_prefix("heading ");
        let level = level.and_then(|level| level.trim().parse::<usize>().ok());
        if let Some(level) = level.and_then(|level| level.checked_sub(1))
            && self.headings.len() < MOST_ROWS
        {
            self.headings.insert(self.style, level);
        }
        self.style = 0;
    }

    fn unicode(&mut self, number: i32) {
        self.flush();
        // Numbers are 16 bits with a sign.
        let unit = u32::from((number & 0xFFFF) as u16);
        let code = match (self.half.take(), unit) {
            (_, 0xD800..=0xDBFF) => {
                self.half = Some(unit);
                None
            }
            (Some(high), 0xDC00..=0xDFFF) => {
                char::from_u32(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00))
            }
            // Fonts of symbols have their characters here.
            (_, 0xF020..=0xF0FF) => char::from_u32(unit - 0xF000),
            _ => char::from_u32(unit),
        };
        if let Some(code) = code {
            self.text(code.encode_utf8(&mut [0; 4]));
        }
        self.passed = self.group().fallback;
    }

    /// Decodes the bytes that wait.
    fn flush(&mut self) {
        if !self.pending.is_empty() {
            let bytes = std::mem::take(&mut self.pending);
            let text = self.group().encoding.decode_without_bom_handling(&bytes).0.into_owned();
            self.text(&text);
        }
    }

    fn text(&mut self, text: &str) {
        let group = *self.group();
        let place = match group.destination {
            Destination::Body if !group.is_hidden => return self.body_text(group, text),
            Destination::Title => &mut self.found.title,
            Destination::Author => &mut self.found.author,
            Destination::Styles | Destination::Instruction => &mut self.name,
            _ => return,
        };
        if place.len() < MOST_NAME {
            place.push_str(text);
        }
    }

    fn body_text(&mut self, group: RtfGroup, text: &str) {
        self.open_paragraph(text);
        if group.is_bold {
            self.markup.open("b");
        }
        if group.is_italic {
            self.markup.open("i");
        }
        self.markup.text(text);
        if group.is_italic {
            self.markup.close("i");
        }
        if group.is_bold {
            self.markup.close("b");
        }
    }

    fn open_paragraph(&mut self, text: &str) {
        const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];
        const OPEN: &[&str] = &["p", "li", "td", "h1", "h2", "h3", "h4", "h5", "h6"];
        if self.in_table {
            return self.open_cell();
        }
        if self.markup.is_in("table") {
            self.markup.close("table");
        }
        if self.markup.innermost(OPEN).is_some() || text.trim().is_empty() {
            return;
        }
        match self.heading {
            Some(level) if level < 9 => self.markup.open(HEADINGS[level.min(5)]),
            _ if self.is_item => self.markup.open("li"),
            _ => self.markup.open("p"),
        }
    }

    fn open_cell(&mut self) {
        if !self.markup.is_in("table") {
            self.end_paragraph();
            self.markup.open("table");
        }
        if !self.markup.is_in("tr") {
            self.markup.open("tr");
        }
        if !self.markup.is_in("td") {
            self.markup.open("td");
        }
    }

    fn end_cell(&mut self) {
        if self.group().destination == Destination::Body {
            self.open_cell();
            self.markup.close("td");
        }
    }

    fn end_paragraph(&mut self) {
        if self.group().destination != Destination::Body {
            return;
        }
        if self.markup.is_in("td") {
            return self.markup.text("\n");
        }
        for name in ["p", "li", "h1", "h2", "h3", "h4", "h5", "h6"] {
            self.markup.close(name);
        }
    }

    fn open_link(&mut self) {
        if let Some(target) = self.link.take()
            && self.group().destination == Destination::Body
        {
            self.open_paragraph("link");
            self.markup.link(&target);
            self.group().is_link = true;
        }
    }
}

/// Where a field `HYPERLINK "http://…"` leads.
fn link_of(code: &str) -> Option<String> {
    let rest = code.trim().strip_prefix("HYPERLINK")?.trim_start();
    let target = match rest.strip_prefix('"') {
        Some(rest) => rest.split('"').next()?,
        None => rest.split(' ').next()?,
    };
    (!target.is_empty() && !target.starts_with('\\')).then(|| target.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rtf: &str, expected: &str) {
        assert_eq!(convert(rtf.as_bytes()).markup, expected, "{rtf}");
    }

    #[test]
    fn text_in_every_spelling_is_read() {
        check(r"{\rtf1\ansi\ansicpg1250 \'9eaba\par two\tab x}", "<p>žaba</p><p>two\tx</p>");
        check(r"{\rtf1\uc1 \u382?aba \u-10179?\u-9183? \{\\\}}", "<p>žaba \u{1F421} {\\}</p>");
        check(r"{\rtf1{\fonttbl{\f1\fcharset204 Arial;}}\f1\'e6\'e0\f0 a}", "<p>жаa</p>");
        check(r"{\rtf1\ansicpg932 \'82\'a0}", "<p>あ</p>");
        check(r"{\rtf1\uc2\u382\'c5\'beb\lquote c}", "<p>žb‘c</p>");
    }

    #[test]
    fn structure_is_kept() {
        check(
            r"{\rtf1{\stylesheet{\s1 heading 1;}}\pard\s1 Eels\par\pard a {\b b} {\i c}\par}",
            "<h1>Eels</h1><p>a <b>b</b> <i>c</i></p>",
        );
        check(
            r"{\rtf1\trowd\pard\intbl a\cell b\cell\row\trowd\intbl c\cell\row\pard d\par}",
            "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table><p>d</p>",
        );
        check(
            "{\\rtf1 see {\\field{\\*\\fldinst{HYPERLINK \"http://a.test/\"}}{\\fldrslt{this}}} x}",
            "<p>see <a href=\"http://a.test/\">this</a> x</p>",
        );
    }

    #[test]
    fn what_is_no_text_is_left_out() {
        check(r"{\rtf1 a{\*\unknown b}{\pict 00ff}{\v c}{\header d}\bin3 xyze}", "<p>ae</p>");
        check("}}}", "");
        check("{\\rtf1 a", "<p>a</p>");
    }

    #[test]
    fn title_author_and_date_are_read() {
        let rtf = r"{\rtf1{\info{\title Eels}{\author A. \'c5}{\creatim\yr2024\mo3\dy5}}x}";
        let found = convert(rtf.as_bytes());
        let read = (found.title.as_str(), found.author.as_str(), found.date.as_str());
        assert_eq!(read, ("Eels", "A. Å", "2024-03-05"));
    }
}
