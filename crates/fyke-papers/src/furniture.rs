//! What stands on every page and is no part of the text: its number, and the running head that repeats a title.

use crate::paper::PaperLine;
use std::borrow::Cow;
use std::collections::HashMap;

/// Lines at either edge of a page that may be such.
const EDGE: usize = 2;
/// Lines of the first page among which a running head finds its title.
const TITLE_LINES: usize = 8;
/// Bytes of a running head at most, and words of one that is part of a title at least.
const LONGEST: usize = 120;
const FEWEST_WORDS: usize = 3;

/// The lines without numbers of pages and running heads.
#[must_use]
pub(crate) fn without(lines: &[PaperLine]) -> Cow<'_, [PaperLine]> {
    if lines.last().is_none_or(|last| last.page < 2) {
        return Cow::Borrowed(lines);
    }
    let edges = edges(lines);
    let heads = repeated(lines, &edges);
    let numbers = numbers(lines, &edges);
    let title = title(lines);
    let is_furniture = |at: usize| {
        let line = &lines[at];
        let text = plain(&line.text);
        offset(line).is_some_and(|offset| numbers.contains(&offset))
            // The first page has the title itself.
            || line.page > lines[0].page
                && line.text.len() <= LONGEST
                && (heads.get(&text).is_some_and(|pages| *pages > 1) || is_of_title(&text, &title))
    };
    // Between columns a number stands in a block of its own.
    let is_apart = |at: usize| {
        let own = lines[at].begins_block && lines.get(at + 1).is_none_or(|next| next.begins_block);
        own && offset(&lines[at]).is_some_and(|offset| offset == 0 || numbers.contains(&offset))
    };
    let dropped: Vec<usize> = (0..lines.len())
        .filter(|at| is_apart(*at) || edges.binary_search(at).is_ok() && is_furniture(*at))
        .collect();
    if dropped.is_empty() {
        return Cow::Borrowed(lines);
    }
    let kept = lines.iter().enumerate().filter(|(at, _)| dropped.binary_search(at).is_err());
    Cow::Owned(kept.map(|(_, line)| line.clone()).collect())
}

/// The first and last lines of each page, in order.
fn edges(lines: &[PaperLine]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut start = 0;
    for page in lines.chunk_by(|one, next| one.page == next.page) {
        let end = start + page.len();
        found.extend(start..end.min(start + EDGE));
        found.extend(end.saturating_sub(EDGE).max((start + EDGE).min(end))..end);
        start = end;
    }
    found
}

/// On how many pages each line of an edge stands.
fn repeated(lines: &[PaperLine], edges: &[usize]) -> HashMap<String, usize> {
    let mut pages: HashMap<String, Vec<u32>> = HashMap::new();
    for at in edges.iter().filter(|at| lines[**at].text.len() <= LONGEST) {
        let text = plain(&lines[*at].text);
        if text.is_empty() {
            continue;
        }
        let on = pages.entry(text).or_default();
        if on.last() != Some(&lines[*at].page) {
            on.push(lines[*at].page);
        }
    }
    pages.into_iter().map(|(text, on)| (text, on.len())).collect()
}

/// By how much numbers of pages are off from counting, where several pages agree.
fn numbers(lines: &[PaperLine], edges: &[usize]) -> Vec<i64> {
    let mut offsets: Vec<i64> = edges.iter().filter_map(|at| offset(&lines[*at])).collect();
    offsets.sort_unstable();
    let several = offsets.chunk_by(|one, next| one == next);
    several.filter(|same| same.len() > 1 || same[0] == 0).map(|same| same[0]).collect()
}

/// By how much a line that is a number is off from its page.
fn offset(line: &PaperLine) -> Option<i64> {
    number(&line.text).map(|number| number - i64::from(line.page))
}

/// In small letters, with a space between words and without a number at either end: those of pages differ.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let mut words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    if words.first().is_some_and(is_number) {
        words.remove(0);
    }
    if words.last().is_some_and(is_number) {
        words.pop();
    }
    words.join(" ")
}

/// The first lines of all, one after the other.
fn title(lines: &[PaperLine]) -> String {
    let first = lines.iter().take(TITLE_LINES).take_while(|line| line.page == lines[0].page);
    first.map(|line| plain(&line.text)).collect::<Vec<_>>().join(" ")
}

fn is_of_title(text: &str, title: &str) -> bool {
    text.split(' ').count() >= FEWEST_WORDS && title.contains(text)
}

/// `12`, `- 12 -`, `Page 12`, `xii`
fn number(text: &str) -> Option<i64> {
    const ROMAN: [&str; 12] =
        ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];
    let bare = text.trim_matches(|c: char| c.is_whitespace() || "-\u{2013}\u{2014}[]".contains(c));
    let bare = bare.strip_prefix("Page ").or_else(|| bare.strip_prefix("page ")).unwrap_or(bare);
    let is_arabic = bare.len() <= 5 && bare.bytes().all(|byte| byte.is_ascii_digit());
    let roman = || ROMAN.iter().position(|roman| *roman == bare).map(|at| at as i64 + 1);
    if is_arabic { bare.parse().ok() } else { roman() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::tests::lines;
    use proptest::prelude::*;

    fn check(text: &str, expected: &[&str]) {
        let lines = lines(text);
        let found = without(&lines);
        assert_eq!(found.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn numbers_of_pages_and_running_heads_go() {
        check(
            "Nets by night in rivers\nA. Fisher\nWe fish\n1\n\u{0C}Nets by night in\nwith nets.\n2",
            &["Nets by night in rivers", "A. Fisher", "We fish", "with nets."],
        );
        check(
            "Tides 3\nNets\nold\n\u{0C}4 Tides\nand\nnew\n- 2 -",
            &["Tides 3", "Nets", "old", "and", "new"],
        );
        check(
            "Nets\nVarn,\n1986\n\u{0C}of old\n1979",
            &["Nets", "Varn,", "1986", "of old", "1979"],
        );
        check("Nets\n1\nWe fish", &["Nets", "1", "We fish"]);
        check(
            "Nets\nBob Hook\n\u{0C}Bob fishes\n1999 was wet",
            &["Nets", "Bob Hook", "Bob fishes", "1999 was wet"],
        );
    }

    proptest! {
        #[test]
        fn of_any_text_only_lines_at_edges_go(text in "([a-c1-9 ]{0,6}\n|\u{0C}){0,30}") {
            let lines = lines(&text);
            let found = without(&lines);
            let pages = lines.last().map_or(0, |line| line.page as usize);
            prop_assert!(found.len() + 2 * EDGE * pages >= lines.len());
        }
    }
}
