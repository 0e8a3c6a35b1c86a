//! Sections of a paper: lines that open one, by their numbers, their words, or as headings of the format.

use crate::lexicon;
use crate::paper::{PaperLine, joined};
use serde::Serialize;

/// Bytes of a heading at most.
const LONGEST_HEADING: usize = 120;
/// Sections at most.
const MOST_SECTIONS: usize = 2_000;
/// Usual titles of sections, in small letters: they open one without a number, and tell papers by their sections.
pub(crate) const SECTION_TITLES: &[&str] = &[
    "introduction",
    "background",
    "related work",
    "previous work",
    "motivation",
    "preliminaries",
    "problem statement",
    "methods",
    "method",
    "methodology",
    "materials and methods",
    "experiments",
    "experimental results",
    "evaluation",
    "results",
    "results and discussion",
    "discussion",
    "conclusion",
    "conclusions",
    "concluding remarks",
    "future work",
    "conclusion and future work",
    "conclusions and future work",
    "acknowledgement",
    "acknowledgements",
    "acknowledgment",
    "acknowledgments",
    "appendix",
    "einleitung",
    "introducci\u{F3}n",
];

/// A section with its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PaperSection {
    /// As "2" or "3.1" or "IV"; empty where it has none.
    pub number: String,
    pub title: String,
    /// The page on which it begins.
    pub page: u32,
    pub text: String,
}

/// A line that may open a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SectionHeading<'a> {
    number: &'a str,
    title: &'a str,
}

/// The number and title of a line that looks like a heading.
fn heading(line: &str) -> Option<SectionHeading<'_>> {
    if line.len() > LONGEST_HEADING {
        return None;
    }
    let line = line.trim().trim_start_matches('\u{A7}').trim_start();
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    let number = first.trim_end_matches('.');
    let is_arabic = number.split('.').all(|part| {
        !part.is_empty() && part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    let is_roman = !number.is_empty() && number.bytes().all(|byte| b"IVX".contains(&byte));
    let is_letter =
        number.len() == 1 && first.ends_with('.') && number.bytes().all(|b| b.is_ascii_uppercase());
    let (number, title) =
        if is_arabic || is_roman || is_letter { (number, rest.trim()) } else { ("", line) };
    let opens = title.chars().next().is_some_and(|c| c.is_uppercase() || c.is_numeric());
    let ends = title.chars().next_back().is_some_and(|c| ",;-".contains(c));
    (opens && !ends).then_some(SectionHeading { number, title })
}

/// The first number of a heading, as 3 of "3.1" or "III".
fn top(number: &str) -> Option<u32> {
    const ROMAN: [&str; 12] =
        ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
    let first = number.split('.').next()?;
    first.parse().ok().or_else(|| {
        let at = ROMAN.iter().position(|roman| *roman == first)?;
        u32::try_from(at + 1).ok()
    })
}

fn plain(title: &str) -> String {
    title.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Whether the first section of a paper opens with a line, which then ends the header.
pub(crate) fn is_first(line: &PaperLine, next: Option<&PaperLine>, has_abstract: bool) -> bool {
    let Some(found) = heading(&line.text) else { return false };
    let title = plain(found.title);
    let squeezed: String = title.chars().filter(|c| !c.is_whitespace()).collect();
    if squeezed.starts_with("introduction") {
        // A sentence may begin so, too.
        return title.split_whitespace().count() <= 6 && !line.text.ends_with('.');
    }
    if !has_abstract || next.is_none() {
        return false;
    }
    let is_named = SECTION_TITLES.contains(&title.as_str());
    let is_numbered = top(found.number) == Some(1) && !is_address(&title) && is_short(found.title);
    is_named || is_numbered || line.heading > 0 && !is_of_header(&title)
}

/// Headings that stand in headers.
fn is_of_header(title: &str) -> bool {
    ["abstract", "summary", "keyword", "key word", "index term", "categor", "general term"]
        .iter()
        .any(|word| title.starts_with(word))
}

/// Whether it names an institution or a place.
fn is_address(title: &str) -> bool {
    title.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        // The lists of places and institutions.
        lexicon::lists(word) & 0b110 != 0
    })
}

fn is_short(title: &str) -> bool {
    title.split_whitespace().count() <= 10 && !title.ends_with('.')
}

/// The sections of a paper's lines, behind the header and before the references. What stands before the first is a
/// section without a title.
pub(crate) fn sections(lines: &[PaperLine]) -> Vec<PaperSection> {
    let mut found: Vec<PaperSection> = Vec::new();
    let mut texts: Vec<Vec<&str>> = Vec::new();
    let mut last = 0;
    for line in lines {
        let opened = opened(line, last).filter(|_| found.len() < MOST_SECTIONS);
        if let Some(opened) = opened {
            last = top(opened.number).unwrap_or(last);
            let (number, title) = (opened.number.to_owned(), opened.title.to_owned());
            found.push(PaperSection { number, title, page: line.page, text: String::new() });
            texts.push(Vec::new());
            continue;
        }
        if found.is_empty() {
            found.push(PaperSection { page: line.page, ..PaperSection::default() });
            texts.push(Vec::new());
        }
        if let Some(text) = texts.last_mut() {
            text.push(&line.text);
        }
    }
    for (section, text) in found.iter_mut().zip(texts) {
        section.text = joined(text);
    }
    found
}

/// The heading of a line that opens a section behind section number `last`.
fn opened(line: &PaperLine, last: u32) -> Option<SectionHeading<'_>> {
    let found = heading(&line.text)?;
    let title = plain(found.title);
    if line.heading > 0 || SECTION_TITLES.contains(&title.as_str()) {
        return Some(found);
    }
    let is_next = top(found.number).is_some_and(|top| {
        let is_part = found.number.contains('.');
        top == last + 1 && (!is_part || last == 0) || top == last && is_part
    });
    let is_word = found.title.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    (is_next && is_word && is_short(found.title)).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::tests::lines;

    fn check(text: &str, expected: &[(&str, &str, &str)]) {
        let found = sections(&lines(text));
        let found: Vec<_> = found
            .iter()
            .map(|part| (part.number.as_str(), part.title.as_str(), part.text.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn numbers_in_order_open_sections() {
        check(
            "before\n1 Nets\nWe have\n7 Boats are old.\n1.1 Small Nets\nnets.\n2. Hooks\nhooks\n4 Boats\nConclusions\nend",
            &[
                ("", "", "before"),
                ("1", "Nets", "We have 7 Boats are old."),
                ("1.1", "Small Nets", "nets."),
                ("2", "Hooks", "hooks 4 Boats"),
                ("", "Conclusions", "end"),
            ],
        );
    }

    #[test]
    fn romans_and_headings_of_the_format_open_sections() {
        check(
            "I. INTRODUCTION\nnets\nII. HOOKS\nhooks",
            &[("I", "INTRODUCTION", "nets"), ("II", "HOOKS", "hooks")],
        );
        check("# Nets and fish\nold", &[("", "Nets and fish", "old")]);
    }
}
