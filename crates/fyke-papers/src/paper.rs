//! A paper taken apart (002 §4): its lines become a header with fields, sections, references and the sentences that
//! cite them. Never fails: what is missing or was cut at a limit is said in a note.

use crate::contexts::{self, CitationContext, contexts};
use crate::footnotes::{self, Footnotes};
use crate::furniture;
use crate::header::{self, PaperHeader};
use crate::models::PaperModels;
use crate::reference::{self, PaperReference};
use crate::sections::{self, PaperSection};
use crate::split::{self, SplitReferences};
use serde::Serialize;

/// A line of a text as it was laid out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaperLine {
    pub text: String,
    /// 1 to 6 in a heading, 0 elsewhere or where that is not known.
    pub heading: u8,
    /// A paragraph, an item or a heading begins with it.
    pub begins_block: bool,
    /// Counted from 1.
    pub page: u32,
}

/// What is noted where no title was found.
pub const NO_TITLE: &str = "no title found";

/// What was found in a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Paper {
    pub header: PaperHeader,
    pub sections: Vec<PaperSection>,
    pub references: Vec<PaperReference>,
    pub contexts: Vec<CitationContext>,
    /// What is missing, or was left out.
    pub notes: Vec<&'static str>,
}

/// Takes a text apart.
#[must_use]
pub fn take_apart(lines: &[PaperLine], models: &PaperModels) -> Paper {
    take_apart_within(lines, models, split::MOST_REFERENCES)
}

/// The same; only the first so many references are taken apart.
#[must_use]
pub fn take_apart_within(lines: &[PaperLine], models: &PaperModels, most: usize) -> Paper {
    let all = furniture::without(lines);
    let lines = &*all;
    let list = split::find_list(lines);
    let body = list.map_or(lines.len(), |list| list.heading);
    let end = header::end(&lines[..body]);
    let notes = if list.is_none() { footnotes::find(&lines[end..]) } else { None };
    let are_notes = notes.is_some();
    let text = notes.as_ref().map_or(&lines[end..body], |notes| &notes.others);
    let sections = sections::sections(text);
    let listed = list.map_or(&lines[..0], |list| &lines[list.heading + 1..list.end]);
    let of_notes = |notes: Footnotes| SplitReferences { texts: notes.texts, is_cut: false };
    let SplitReferences { mut texts, is_cut } =
        notes.map_or_else(|| split::split_lines(listed), of_notes);
    let is_cut = is_cut || texts.len() > most;
    texts.truncate(most);
    let references = reference::references(&texts, &models.references);
    let contexts = match are_notes {
        true => contexts::of_footnotes(&sections, &references),
        false => contexts(&sections, &references),
    };
    let header = header::read(&lines[..end], header::is_whole_page(lines, end), &models.headers);
    let mut notes = Vec::new();
    let mut note = |holds: bool, text: &'static str| {
        if holds {
            notes.push(text);
        }
    };
    note(lines.is_empty(), "no text");
    note(!lines.is_empty() && header.title.is_empty(), NO_TITLE);
    note(!lines.is_empty() && header.abstract_text.is_empty(), "no abstract found");
    note(!lines.is_empty() && references.is_empty(), "no references found");
    note(is_cut, "more references than are read");
    Paper { header, sections, references, contexts, notes }
}

/// Lines as one text: a word that a line's end has cut becomes one again.
pub(crate) fn joined<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for line in lines {
        let is_cut = text.ends_with('-')
            && line.starts_with(char::is_lowercase)
            && text.trim_end_matches('-').ends_with(char::is_alphabetic);
        if is_cut {
            text.pop();
        } else if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line.trim());
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lines of a text: `# ` is a heading, an empty line parts blocks, a form feed parts pages.
    pub(crate) fn lines(text: &str) -> Vec<PaperLine> {
        let (mut found, mut page, mut begins_block) = (Vec::new(), 1, true);
        for line in text.lines() {
            if line.starts_with('\u{0C}') {
                page += 1;
            }
            let bare = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{0C}');
            if bare.is_empty() {
                begins_block = true;
                continue;
            }
            let text = bare.trim_start_matches("# ").to_owned();
            let heading = u8::from(bare.starts_with("# "));
            found.push(PaperLine { text, heading, begins_block, page });
            begins_block = heading > 0;
        }
        found
    }

    const PAPER: &str = "\
Fishing by Night in Tidal Rivers
Ann Fisher
Department of Computer Science, University of Dover, Dover
fisher@cs.dover.edu

Abstract
We describe nets that catch eels by night. Experiments in three rivers show that nets with wings catch more eels.

1 Introduction
Nets are old [1]. Hooks were studied in the last cen-
tury by many people, see [2, 3]. We fish.

2 Nets
A net has a bag.
References
[1] A. Fisher. Nets by night. Journal of Tides, 3(2):12-19, 1999.
[2] B. Netter and C. Hook. Hooks in rivers. In Proceedings of the Conference on Fish, pages 1-9, 1987.
[3] D. Angler. Boats at dawn. Annals of Ports, 2001.
";

    #[test]
    fn a_paper_is_taken_apart() {
        let paper = take_apart(&lines(PAPER), PaperModels::shipped());
        assert_eq!(paper.header.title, "Fishing by Night in Tidal Rivers");
        assert_eq!(paper.header.authors.len(), 1, "{:?}", paper.header.authors);
        assert_eq!(paper.header.emails, ["fisher@cs.dover.edu"]);
        assert!(paper.header.abstract_text.starts_with("We describe nets"));
        let headings: Vec<&str> = paper.sections.iter().map(|part| part.title.as_str()).collect();
        assert_eq!(headings, ["Introduction", "Nets"]);
        assert_eq!(paper.references.len(), 3);
        assert_eq!(paper.references[1].title, "Hooks in rivers");
        assert_eq!(paper.references[1].year, Some(1987));
        let cited: Vec<usize> = paper.contexts.iter().map(|context| context.reference).collect();
        assert_eq!(cited, [0, 1, 2]);
        assert!(paper.contexts[1].sentence.contains("last century"));
        assert!(paper.notes.is_empty(), "{:?}", paper.notes);
    }

    #[test]
    fn what_is_missing_is_said() {
        let nothing = take_apart(&[], PaperModels::shipped());
        assert_eq!(nothing.notes, ["no text"]);
        let letter = take_apart(&lines("Dear Ann,\nwe meet at noon."), PaperModels::shipped());
        assert!(letter.notes.contains(&"no references found"));
    }

    proptest! {
        #[test]
        fn any_text_is_taken_apart(text in "([\\PC]{0,20}|References|Abstract|1 Introduction|\\[1\\] A. B. C 1999.|\n|\u{0C}){0,40}") {
            let paper = take_apart(&lines(&text), PaperModels::shipped());
            prop_assert!(paper.contexts.iter().all(|found| found.reference < paper.references.len()));
        }
    }
}
