//! What speaks for a paper, counted in one go over its lines.

use crate::contexts::raised_numbers;
use crate::lexicon;
use crate::paper::PaperLine;
use crate::sections::SECTION_TITLES;
use crate::split::{self, ReferenceLines};

/// By which a list of references is seen at a glance …
pub(super) const LIST_GLANCES: &[&str] = &[
    "References",
    "REFERENCES",
    "Bibliograph",
    "BIBLIOGRAPH",
    "R EFERENCES",
    "R E F E R E N C E S",
    "Literatur",
    "R\u{E9}f\u{E9}rences",
    "Referencias",
    "Literature Cited",
    "LITERATURE CITED",
    "Works Cited",
];
/// … and the opening of a paper.
pub(super) const OPENING_GLANCES: &[&str] = &[
    "Abstract",
    "ABSTRACT",
    "A BSTRACT",
    "A B S T R A C T",
    "Summary",
    "SUMMARY",
    "Introduction",
    "INTRODUCTION",
    "I NTRODUCTION",
    "Zusammenfassung",
    "Einleitung",
    "R\u{E9}sum\u{E9}",
    "Resumen",
];
const ABSTRACTS: &[&str] =
    &["abstract", "summary", "zusammenfassung", "kurzfassung", "r\u{E9}sum\u{E9}", "resumen"];
const KEYWORDS: &[&str] =
    &["keywords", "key words", "index terms", "ccs concepts", "categories and subject"];
/// Headings of what is no paper, whatever it refers to.
const OTHERS: &[&str] = &[
    "status of this memo",
    "status of this document",
    "external links",
    "see also",
    "syllabus",
    "homework",
    "assignments",
    "office hours",
    "course description",
    "course information",
    "grading",
    "schedule",
    "table of contents",
    "contents",
    "installation",
    "usage",
    "getting started",
    "license",
    "publications",
    "selected publications",
    "curriculum vitae",
    "education",
    "from wikipedia",
    "navigation menu",
];
/// What first pages say of where a paper appears.
const VENUES: &[&str] = &[
    "proceedings of",
    "proc. of",
    "conference on",
    "journal of",
    "transactions on",
    "technical report",
    "to appear in",
    "submitted to",
    "workshop on",
    "symposium on",
    "arxiv:",
    "issn",
    "doi:",
    "doi.org/",
];
/// Words of the opening, in which abstract, institution and venue stand.
const OPENING_WORDS: usize = 3_000;
/// Lines of the top, in which an institution or an address of mail stands.
const TOP_LINES: usize = 60;
/// Bytes of a heading at most.
const LONGEST_HEADING: usize = 90;
/// Raised numbers of a text that cites by them at least.
const FEWEST_RAISED: usize = 3;
/// Bytes of a citation in brackets at most.
const LONGEST_CITATION: usize = 120;

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PaperSigns {
    pub words: usize,
    pub pages: u32,
    pub has_abstract: bool,
    /// Lines that head an abstract, and those that head a list of references.
    pub abstracts: u32,
    pub lists: u32,
    pub has_keywords: bool,
    /// References that have a year, and words of all.
    pub references: usize,
    pub listed: usize,
    /// Citations in the text.
    pub cited: usize,
    /// Sections with numbers in order, and sections that are called as in papers.
    pub numbered: u32,
    pub named: u32,
    pub is_signed: bool,
    pub venue: Option<&'static str>,
    /// A heading of what is no paper, and how many of them there are.
    pub other: Option<&'static str>,
    pub others: u32,
}

impl PaperSigns {
    /// Counts what a text's lines have.
    pub(super) fn of(lines: &[PaperLine]) -> PaperSigns {
        let list = split::find_list(lines);
        let mut signs =
            PaperSigns { pages: lines.last().map_or(0, |line| line.page), ..PaperSigns::default() };
        for (at, line) in lines.iter().enumerate() {
            let in_list = list.is_some_and(|list| (list.heading..list.end).contains(&at));
            if !in_list {
                signs.see_head(line, at);
                signs.cited += citations(&line.text);
            }
            signs.lists += u32::from(split::is_heading(&line.text));
            signs.words += line.text.split_whitespace().count();
        }
        if let Some(list) = list {
            signs.see_list(lines, list);
            if signs.cited == 0 && signs.references > 0 {
                signs.cited = raised_in(&lines[..list.heading]);
            }
        }
        signs
    }

    fn see_list(&mut self, lines: &[PaperLine], list: ReferenceLines) {
        let listed = &lines[list.heading + 1..list.end];
        let texts = split::split_lines(listed).texts;
        self.references = texts.iter().filter(|text| split::has_year(text)).count();
        // What stands behind the list without a heading is no part of it.
        let counted = |text: &String| text.split_whitespace().count().min(80);
        self.listed = texts.iter().map(counted).sum::<usize>().min(self.words);
    }

    /// Looks for headings, and for who and where at the top.
    fn see_head(&mut self, line: &PaperLine, at: usize) {
        let text = line.text.as_str();
        if at < TOP_LINES && !self.is_signed && !self.has_abstract {
            self.is_signed = is_signed(text);
        }
        if self.words < OPENING_WORDS && self.venue.is_none() && line.page <= 2 {
            let lower = text.to_lowercase();
            self.venue = VENUES.iter().copied().find(|venue| lower.contains(venue));
        }
        let opens_as = |words: &[&str]| words.iter().any(|word| opens(text, word));
        if opens_as(ABSTRACTS) {
            self.abstracts += 1;
            self.has_abstract |= self.words < OPENING_WORDS;
        }
        self.has_keywords |= self.words < OPENING_WORDS && opens_as(KEYWORDS);
        if text.len() > LONGEST_HEADING {
            return;
        }
        let (number, title) = numbered(text);
        let is_next = number == Some(self.numbered + 1);
        if is_next && title.starts_with(char::is_uppercase) && !title.ends_with('.') {
            self.numbered += 1;
        }
        let title = plain(title);
        self.named += u32::from(SECTION_TITLES.contains(&title.as_str()));
        if let Some(other) = OTHERS.iter().copied().find(|other| **other == title) {
            self.other = self.other.or(Some(other));
            self.others += 1;
        }
    }

    pub(super) fn has_sections(&self) -> bool {
        self.numbered >= 2 || self.named >= 2
    }

    /// Whether it has sections, or cites what it lists.
    pub(super) fn has_text(&self) -> bool {
        self.has_sections() || self.cited > 0
    }

    /// How much speaks for a paper.
    pub(super) fn points(&self) -> f32 {
        let few =
            |count: usize, most: usize, points: f32| count.min(most) as f32 / most as f32 * points;
        let flag = |holds: bool, points: f32| if holds { points } else { 0.0 };
        flag(self.has_abstract, 2.0)
            + few(self.references, 6, 2.5)
            + few(self.cited, 5, 1.5)
            + few(self.numbered as usize, 4, 1.0)
            + few(self.named as usize, 3, 1.0)
            + flag(self.is_signed, 1.0)
            + flag(self.has_keywords, 0.5)
            + flag(self.venue.is_some(), 0.5)
            - few(self.others as usize, 3, 4.5)
    }

    /// What was found, in short words.
    pub(super) fn evidence(&self) -> Vec<String> {
        let counted = |count: usize, what: &str| match count {
            0 => None,
            1 => Some(format!("1 {what}")),
            _ => Some(format!("{count} {what}s")),
        };
        let flag = |holds: bool, what: &str| holds.then(|| what.to_owned());
        let cited = self.cited > 0;
        let found = [
            flag(self.has_abstract, "abstract"),
            flag(self.has_keywords, "keywords"),
            counted(self.references, "reference"),
            counted(self.cited, "citation").filter(|_| cited),
            counted(self.numbered as usize, "numbered section"),
            counted(self.named as usize, "section of a paper")
                .map(|text| text.replace("section of a papers", "sections of a paper")),
            flag(self.is_signed, "institution or mail"),
            self.venue.map(|venue| format!("\u{201C}{venue}\u{201D}")),
            self.other.map(|other| format!("but \u{201C}{other}\u{201D}")),
            counted(self.words, "word"),
            counted(self.pages as usize, "page").filter(|_| self.pages > 1),
        ];
        found.into_iter().flatten().collect()
    }
}

/// Whether a line opens a part that a word heads: nothing stands behind the word, or a sign, or a paragraph.
fn opens(text: &str, word: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let Some(rest) = behind(text, word) else { return false };
    if rest.starts_with(char::is_alphanumeric) {
        return false;
    }
    let rest = rest.trim_start();
    rest.is_empty()
        || rest.starts_with(['.', ':', '-', '*', '|', '\u{2013}', '\u{2014}'])
        || rest.starts_with(char::is_uppercase) && rest.split_whitespace().nth(7).is_some()
}

/// What stands behind a word in any case, whose letters may have spaces between them.
fn behind<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let mut rest = text;
    for letter in word.chars() {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let is_letter = first.to_lowercase().eq(letter.to_lowercase());
        if letter != ' ' {
            rest = is_letter.then(|| &rest[first.len_utf8()..])?;
        }
    }
    Some(rest)
}

/// The whole number that a heading opens with, and its title: `3 Nets`, `3. Nets`, `III. NETS`.
fn numbered(text: &str) -> (Option<u32>, &str) {
    const ROMAN: [&str; 10] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"];
    let text = text.trim().trim_start_matches('\u{A7}').trim_start();
    let Some((first, rest)) = text.split_once(' ') else { return (None, text) };
    let first = first.trim_end_matches('.');
    let arabic = || if first.len() <= 2 { first.parse().ok() } else { None };
    let roman = || ROMAN.iter().position(|roman| *roman == first).map(|at| at as u32 + 1);
    match arabic().or_else(roman) {
        Some(number) => (Some(number), rest.trim_start()),
        None => (None, text),
    }
}

fn plain(title: &str) -> String {
    let ends = |c: char| !c.is_alphanumeric();
    title.trim_matches(ends).to_lowercase()
}

/// Whether a line names an institution or an address of mail.
fn is_signed(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        // The list of institutions.
        word.contains('@') || lexicon::lists(&bare) & 0b100 != 0
    })
}

/// Citations in a line: `[3]`, `[1, 4-6]`, `[Fis99]`, `(Fisher, 1999)`, `Fisher (1999)`.
fn citations(text: &str) -> usize {
    let mut found = 0;
    let mut rest = text;
    while let Some(at) = memchr::memchr2(b'[', b'(', rest.as_bytes()) {
        let (open, inside) = (rest.as_bytes()[at], &rest[at + 1..]);
        let close = if open == b'[' { b']' } else { b')' };
        let end = memchr::memchr(close, inside.as_bytes()).filter(|end| *end < LONGEST_CITATION);
        let before = &rest[..at];
        found += usize::from(end.is_some_and(|end| match open {
            b'[' => is_mark(&inside[..end]),
            _ => is_name_and_year(before, &inside[..end]),
        }));
        rest = inside;
    }
    found
}

/// Raised numbers behind words, where there are some.
fn raised_in(lines: &[PaperLine]) -> usize {
    let words = lines.iter().flat_map(|line| line.text.split_whitespace());
    let count = words.filter(|word| raised_numbers(word).is_some()).count();
    if count >= FEWEST_RAISED { count } else { 0 }
}

/// `3`, `1, 4-6`, `Fis99`, `AB+01; CD02`, `Fisher 1999`
fn is_mark(text: &str) -> bool {
    let parts = text.split([',', ';']).map(str::trim);
    let is_part = |part: &str| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        let is_number = part.bytes().all(|b| b.is_ascii_digit() || b"-\xE2\x80\x93 ".contains(&b));
        let is_tag = part.starts_with(char::is_uppercase) && digits >= 2;
        digits > 0 && (is_number && digits <= 8 || is_tag)
    };
    parts.clone().all(|part| !part.is_empty()) && parts.clone().any(is_part) && text.len() <= 80
}

/// `(Fisher, 1999)` or `Fisher (1999)`
fn is_name_and_year(before: &str, inside: &str) -> bool {
    let bytes = inside.as_bytes();
    let is_year = |four: &[u8]| {
        (four.starts_with(b"19") || four.starts_with(b"20")) && four.iter().all(u8::is_ascii_digit)
    };
    let Some(at) = bytes.windows(4).position(is_year) else { return false };
    let goes_on = bytes.get(at + 4).is_some_and(u8::is_ascii_digit);
    if goes_on || at > 0 && bytes[at - 1].is_ascii_digit() {
        return false;
    }
    let is_name = |text: &str| {
        let mut letters = text.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase)
    };
    match at {
        0 => {
            let last = before.split_whitespace().next_back().unwrap_or_default();
            is_name(last) || matches!(last, "al." | "al")
        }
        _ => inside[..at].split_whitespace().any(is_name),
    }
}
