//! Paragraphs to markup: headings by size, emphasis, lists, links, a section a page.

use super::super::fuel::Fuel;
use super::super::links::PdfLink;
use super::join::{self, Hyphenated, Seam, is_apart, seam};
use super::paragraphs::{Paragraph, is_different, paragraphs};
use super::{GlyphWord, Leaf, TextLine};
use crate::markup::escaped;
use std::collections::HashMap;

/// Headings are larger than the body by this factor, or bold.
const LARGER: f32 = 1.15;
/// Lines and characters of a heading at most.
const LONGEST_HEADING: (usize, usize) = (3, 160);
const LOWEST_HEADING: usize = 3;
/// Bytes of markup after which no page is begun.
const MOST_MARKUP: usize = 32 << 20;

/// The text of a file, and its largest line, which may be its title.
#[derive(Debug, Default)]
pub(in super::super) struct PdfMarkup {
    pub(in super::super) markup: String,
    pub(in super::super) largest: String,
}

/// What the sizes of a document mean.
struct TextSizes {
    body: f32,
    /// Sizes of headings that are told apart, largest first.
    headings: Vec<f32>,
}

/// Writes pages as markup.
pub(in super::super) fn write(leaves: Vec<Leaf>, fuel: &Fuel) -> PdfMarkup {
    let known = join::hyphenated(&leaves);
    let body = body(&leaves);
    let pages: Vec<(Vec<Paragraph>, Vec<PdfLink>)> =
        leaves.into_iter().map(|leaf| (continued(leaf.blocks), leaf.links)).collect();
    let sizes = TextSizes { body, headings: headings(&pages, body) };
    let mut document = PdfMarkup::default();
    for (number, (page, links)) in pages.iter().enumerate() {
        if document.markup.len() > MOST_MARKUP {
            fuel.cut();
            break;
        }
        if document.largest.is_empty() {
            document.largest = largest(page, sizes.body, &known);
        }
        document.markup.push_str(&format!("<section data-page=\"{}\">\n", number + 1));
        section(page, links, (&sizes, &known), &mut document.markup);
        document.markup.push_str("</section>\n");
    }
    document
}

/// The size most characters have.
fn body(leaves: &[Leaf]) -> f32 {
    let mut counts: HashMap<i32, usize> = HashMap::new();
    for line in leaves.iter().flat_map(|leaf| leaf.blocks.iter().flatten()) {
        let length: usize = line.words.iter().map(|word| word.text.len()).sum();
        *counts.entry((line.size * 2.0).round() as i32).or_default() += length;
    }
    let most = counts.into_iter().max_by_key(|&(size, count)| (count, size));
    most.map_or(0.0, |(size, _)| size as f32 / 2.0)
}

/// Paragraphs of all blocks; one that a column's end has cut goes on in the next.
fn continued(blocks: Vec<Vec<TextLine>>) -> Vec<Paragraph> {
    let mut all: Vec<Paragraph> = Vec::new();
    for block in blocks {
        let mut next = paragraphs(block).into_iter().peekable();
        if let (Some(last), Some(first)) = (all.last_mut(), next.peek())
            && goes_on(last, first)
            && let Some(first) = next.next()
        {
            last.lines.extend(first.lines);
        }
        all.extend(next);
    }
    all
}

fn goes_on(last: &Paragraph, first: &Paragraph) -> bool {
    let (Some(end), Some(start)) = (last.lines.last(), first.lines.first()) else { return false };
    let open = end.words.last().is_some_and(|word| {
        word.text.ends_with(|c: char| c.is_alphanumeric() || ",-\u{AD}".contains(c))
    });
    let small = start.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
    open && small && !first.item && last.lines.len() > 1 && !is_different(end.size, start.size)
}

fn length(paragraph: &Paragraph) -> usize {
    paragraph
        .lines
        .iter()
        .flat_map(|line| &line.words)
        .map(|word| word.text.chars().count() + 1)
        .sum()
}

/// Whether a paragraph is a heading: short, and larger than the body or bold.
fn is_heading(paragraph: &Paragraph, body: f32) -> bool {
    let size = paragraph.lines[0].size;
    let words = || paragraph.lines.iter().flat_map(|line| &line.words);
    let last = words().next_back().and_then(|word| word.text.chars().next_back());
    let bold = size >= 0.95 * body
        && words().all(|word| word.bold)
        && paragraph.lines.len() < LONGEST_HEADING.0
        && !last.is_some_and(|c| ".,;:".contains(c));
    !paragraph.item
        && (size >= LARGER * body || bold)
        && paragraph.lines.len() <= LONGEST_HEADING.0
        && length(paragraph) <= LONGEST_HEADING.1
        && words().any(|word| word.text.chars().filter(|c| c.is_alphabetic()).count() > 1)
}

fn headings(pages: &[(Vec<Paragraph>, Vec<PdfLink>)], body: f32) -> Vec<f32> {
    let all = pages.iter().flat_map(|page| &page.0).filter(|paragraph| is_heading(paragraph, body));
    let mut sizes: Vec<f32> = all.map(|paragraph| paragraph.lines[0].size).collect();
    sizes.sort_by(|a, b| b.total_cmp(a));
    sizes.dedup_by(|next, kept| !is_different(*next, *kept));
    sizes.truncate(LOWEST_HEADING);
    sizes
}

/// The first of the largest short paragraphs of a page; of text in one size its first line.
fn largest(page: &[Paragraph], body: f32, known: &Hyphenated) -> String {
    let short = page.iter().filter(|p| (8..=2 * LONGEST_HEADING.1).contains(&length(p)));
    let size = |paragraph: &&Paragraph| paragraph.lines[0].size;
    let best = short.rev().max_by(|a, b| size(a).total_cmp(&size(b)));
    let Some(mut best) = best.cloned() else { return String::new() };
    if !is_different(best.lines[0].size, body) {
        best.lines.truncate(1);
    }
    plain(&best, known)
}

fn plain(paragraph: &Paragraph, known: &Hyphenated) -> String {
    let mut out = String::new();
    runs(paragraph, known, |word, gap| {
        if !gap.is_empty() && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word.0);
    });
    out
}

/// Calls `each` with every word and what stands before it: nothing, a space, or the end of a line.
fn runs(paragraph: &Paragraph, known: &Hyphenated, mut each: impl FnMut((&str, &GlyphWord), &str)) {
    let mut before: Seam = Seam::Nothing;
    // A word that goes on in the next line ends its own line.
    let mut is_line_due = false;
    for (number, line) in paragraph.lines.iter().enumerate() {
        let after =
            paragraph.lines.get(number + 1).map_or(Seam::Space, |next| seam(line, next, known));
        for (position, word) in line.words.iter().enumerate() {
            let apart = match position.checked_sub(1) {
                Some(last) => is_apart(&line.words[last], word),
                None => before == Seam::Space,
            };
            let mut text = word.text.as_str();
            if position + 1 == line.words.len() && after == Seam::Unhyphened {
                text = text.trim_end_matches(['-', '\u{2010}', '\u{AD}']);
            }
            let gap = match (apart, is_line_due || position == 0) {
                (false, _) => "",
                (true, true) => "\n",
                (true, false) => " ",
            };
            is_line_due = gap.is_empty() && (is_line_due || position == 0 && number > 0);
            each((text, word), gap);
        }
        before = after;
    }
}

fn section(
    page: &[Paragraph],
    links: &[PdfLink],
    (sizes, known): (&TextSizes, &Hyphenated),
    out: &mut String,
) {
    let mut used = vec![false; links.len()];
    let mut in_list = false;
    for paragraph in page {
        if paragraph.item != in_list {
            out.push_str(if in_list { "</ul>\n" } else { "<ul>\n" });
            in_list = paragraph.item;
        }
        let rank = |size: f32| sizes.headings.iter().position(|other| !is_different(*other, size));
        let heading = is_heading(paragraph, sizes.body).then(|| rank(paragraph.lines[0].size));
        let element = match heading {
            Some(rank) => ["h1", "h2", "h3"][rank.unwrap_or(LOWEST_HEADING - 1)],
            None if in_list => "li",
            None => "p",
        };
        out.push_str(&format!("<{element}>"));
        inline(paragraph, links, (known, heading.is_none()), &mut used, out);
        out.push_str(&format!("</{element}>\n"));
    }
    if in_list {
        out.push_str("</ul>\n");
    }
    for link in links.iter().zip(used).filter(|(_, used)| !used).map(|(link, _)| link) {
        out.push_str(&format!("<a href=\"{}\"></a>\n", escaped(&link.target)));
    }
}

/// What must be open around a word.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct WordMarkup {
    link: Option<usize>,
    bold: bool,
    italic: bool,
}

fn inline(
    paragraph: &Paragraph,
    links: &[PdfLink],
    (known, emphasis): (&Hyphenated, bool),
    used: &mut [bool],
    out: &mut String,
) {
    let mut open = WordMarkup::default();
    runs(paragraph, known, |(text, word), gap| {
        let (bold, italic) = (emphasis && word.bold, emphasis && word.italic);
        let wanted = WordMarkup { link: word.link, bold, italic };
        if wanted != open {
            close(open, out);
        }
        out.push_str(gap);
        if wanted != open {
            if let Some(link) = wanted.link {
                used[link] = true;
                out.push_str(&format!("<a href=\"{}\">", escaped(&links[link].target)));
            }
            out.push_str(if wanted.bold { "<b>" } else { "" });
            out.push_str(if wanted.italic { "<i>" } else { "" });
            open = wanted;
        }
        out.push_str(&escaped(text));
    });
    close(open, out);
}

fn close(open: WordMarkup, out: &mut String) {
    out.push_str(if open.italic { "</i>" } else { "" });
    out.push_str(if open.bold { "</b>" } else { "" });
    out.push_str(if open.link.is_some() { "</a>" } else { "" });
}
