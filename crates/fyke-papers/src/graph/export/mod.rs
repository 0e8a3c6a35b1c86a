//! The citation graph in the formats of other programs, a file a format.

mod bibtex;
mod csl;
mod graphml;
mod ris;

use super::{CitationGraph, PaperEntry};
use crate::matching::names::{AuthorName, names};

/// A format.
#[derive(Debug)]
pub struct CitationFormat {
    pub name: &'static str,
    pub what: &'static str,
    /// The ending of its files.
    pub ending: &'static str,
    pub write: fn(&CitationGraph) -> String,
}

/// Every format.
pub const CITATION_FORMATS: &[CitationFormat] = &[bibtex::ROW, csl::ROW, ris::ROW, graphml::ROW];

/// The authors of a paper as they stand.
fn authors(entry: &PaperEntry) -> Vec<AuthorName> {
    names(&entry.fields.authors)
}

/// A text in one line, without signs that are no text and the stop at its end.
fn line(text: &str) -> String {
    let text: String = text.chars().map(|c| if is_text(c) { c } else { ' ' }).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_end_matches(['.', ',', ';']).trim_end().to_owned()
}

/// What XML 1.0 allows, without controls.
fn is_text(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}')
}

/// The id of a paper in a file.
fn key(entry: &PaperEntry) -> String {
    format!("p{:016x}", entry.id.0)
}

/// The first and the last page.
fn pages(entry: &PaperEntry) -> Option<(String, Option<String>)> {
    let parts = entry.fields.pages.split(|c: char| !c.is_ascii_alphanumeric());
    let mut numbers = parts.filter(|part| part.bytes().any(|byte| byte.is_ascii_digit()));
    Some((numbers.next()?.to_owned(), numbers.next().map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{entry, graph};
    use super::*;
    use crate::graph::CitationEdge;
    use crate::matching::CitedId;
    use proptest::prelude::*;

    #[test]
    fn every_format_has_a_name_of_its_own_and_writes_every_paper() {
        let graph = graph(3, &[(0, 1), (1, 2)]);
        for (nth, row) in CITATION_FORMATS.iter().enumerate() {
            assert!(CITATION_FORMATS[..nth].iter().all(|other| other.name != row.name));
            assert!(row.what.len() > 20 && !row.ending.is_empty());
            let text = (row.write)(&graph);
            for paper in 0..3 {
                assert!(text.contains(&format!("Paper {paper}")), "{}: {text}", row.name);
            }
        }
    }

    /// The text between two marks, each time they come.
    fn between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
        let parts = text.split(from).skip(1);
        parts.filter_map(|part| part.split_once(to).map(|(inside, _)| inside)).collect()
    }

    proptest! {
        #[test]
        fn any_title_is_read_again(title in "\\PC{0,40}|[<>&\"'{}\\\\$%#_~^\\r\\n\\t\u{1}\u{FFFF}a-c -]{0,30}") {
            let papers = vec![entry(1, &title, "1999"), entry(2, "Nets", "1998")];
            let edges = [CitationEdge { citing: CitedId(1), cited: CitedId(2) }];
            let graph = CitationGraph::new(papers, &edges);
            let expected = line(&title);
            let json = (csl::ROW.write)(&graph);
            let items: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(items[0]["title"].as_str().unwrap_or_default(), expected.as_str());
            let ris = (ris::ROW.write)(&graph);
            let lines: Vec<&str> = ris.lines().collect();
            let first = lines.iter().take_while(|line| !line.starts_with("ER  -"));
            let read = first.into_iter().find_map(|line| line.strip_prefix("TI  - "));
            prop_assert_eq!(read.unwrap_or_default(), expected.as_str());
            prop_assert_eq!(lines.iter().filter(|line| line.starts_with("ER  -")).count(), 2);
            let xml = (graphml::ROW.write)(&graph);
            let titles = between(&xml, "<data key=\"title\">", "</data>");
            let plain = |text: &str| {
                let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
                text.replace("&apos;", "'").replace("&amp;", "&")
            };
            prop_assert!(titles.iter().any(|title| plain(title) == expected) || expected.is_empty());
            prop_assert!(titles.iter().all(|title| !title.contains('<')));
            let bibtex = (bibtex::ROW.write)(&graph);
            prop_assert_eq!(depth(&bibtex), Some(0));
            prop_assert_eq!(bibtex.matches("\n}\n").count(), 2);
        }
    }

    /// How many braces are open at the end, as BibTeX counts them, which sees none as escaped; none where one is
    /// closed too often.
    fn depth(text: &str) -> Option<usize> {
        text.chars().try_fold(0_usize, |depth, c| match c {
            '{' => Some(depth + 1),
            '}' => depth.checked_sub(1),
            _ => Some(depth),
        })
    }
}
