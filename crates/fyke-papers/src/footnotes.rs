//! References in footnotes, of papers without a list: what begins with the next number and a name, and has a year.

use crate::paper::{PaperLine, joined};
use crate::split;

/// Lines of a footnote at most.
const MOST_LINES: usize = 8;
/// Fewer are no references but notes.
const FEWEST: usize = 3;
/// Footnotes at most.
const MOST: usize = 2_000;

/// Texts of footnotes that are references, and the lines that are none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Footnotes {
    /// Each with its number: `3. A. Fisher. Nets, 1999.`
    pub(crate) texts: Vec<String>,
    pub(crate) others: Vec<PaperLine>,
}

/// The footnotes among the lines of a body; none where they are few.
#[must_use]
pub(crate) fn find(lines: &[PaperLine]) -> Option<Footnotes> {
    let mut found = Footnotes::default();
    let mut at = 0;
    while at < lines.len() {
        match note(&lines[at..], found.texts.len() + 1) {
            Some((text, end)) if found.texts.len() < MOST => {
                found.texts.push(text);
                at += end;
            }
            _ => {
                found.others.push(lines[at].clone());
                at += 1;
            }
        }
    }
    (found.texts.len() >= FEWEST).then_some(found)
}

/// The footnote of this number that begins with the first line, and where it ends.
fn note(lines: &[PaperLine], number: usize) -> Option<(String, usize)> {
    let Opened { text, lines: mut end } = opened(lines, number)?;
    let mut texts = vec![text];
    loop {
        let is_over = split::is_whole(texts[texts.len() - 1])
            && texts.iter().any(|text| split::has_year(text));
        let rest = &lines[end..];
        let next = rest.first().filter(|next| next.page == lines[0].page);
        // One without a year ends where the next begins.
        let Some(next) = next.filter(|_| !is_over && opened(rest, number + 1).is_none()) else {
            break;
        };
        if end == MOST_LINES {
            return None;
        }
        texts.push(&next.text);
        end += 1;
    }
    Some((format!("{number}. {}", joined(texts)), end))
}

/// The beginning of a footnote.
struct Opened<'a> {
    /// What stands behind the number.
    text: &'a str,
    /// Over how many lines it goes: the number may have one of its own.
    lines: usize,
}

fn opened(lines: &[PaperLine], number: usize) -> Option<Opened<'_>> {
    let rest = lines.first()?.text.strip_prefix(&number.to_string())?;
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let opened = match rest.trim_start_matches(['.', ')']).trim_start() {
        "" => Opened { text: &lines.get(1)?.text, lines: 2 },
        text => Opened { text, lines: 1 },
    };
    split::begins_with_name(opened.text).then_some(opened)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::tests::lines;
    use proptest::prelude::*;

    #[test]
    fn footnotes_with_names_and_years_are_references() {
        let text = "We fish.1 Nets\n1 A. Fisher. Nets by\nnight. 1999.\nare old.\n2\nB. Hook. Hooks. 1998.\n\
                    3 boats\n3 C. Netter, Ports, 1987.\nEnd.";
        let found = find(&lines(text)).unwrap();
        assert_eq!(
            found.texts,
            [
                "1. A. Fisher. Nets by night. 1999.",
                "2. B. Hook. Hooks. 1998.",
                "3. C. Netter, Ports, 1987."
            ]
        );
        let others: Vec<&str> = found.others.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(others, ["We fish.1 Nets", "are old.", "3 boats", "End."]);
        assert!(find(&lines("1 A. Fisher. Nets. 1999.\nWe fish.")).is_none());
    }

    proptest! {
        #[test]
        fn any_lines_may_be_footnotes(text in "([1-3]|A\\. Fish|, 1999\\.|\n|\\PC| ){0,40}") {
            let lines = lines(&text);
            if let Some(found) = find(&lines) {
                prop_assert!(found.others.len() < lines.len());
            }
        }
    }
}
