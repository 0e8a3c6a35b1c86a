//! A paper as topics see it: by title, authors, institutions, abstract and references (002 §3), not by all of its text,
//! in which examples and formulas of any field stand.

use crate::page::papers::{JudgedPaper, PAPERS, PARTS, PaperParts};
use fyke_papers::names::PersonName;
use fyke_store::{Cells, StoreError};
use fyke_web::Document;

/// References whose titles are read.
const MOST_REFERENCES: usize = 200;

/// A document with the fields of the paper that it is in the place of its text; as it is where it is none, or has no
/// abstract.
///
/// # Errors
/// When the cells cannot be read.
pub(super) fn seen(cells: &Cells, mut document: Document) -> Result<Document, StoreError> {
    let judged = cells.get(&PAPERS, document.id)?.filter(|judged| judged.verdict.is_paper);
    let Some(judged) = judged.filter(|judged| !judged.header.abstract_text.is_empty()) else {
        return Ok(document);
    };
    let parts = cells.get(&PARTS, document.id)?.unwrap_or_default();
    document.text = fields(&judged, &parts);
    if !judged.header.title.is_empty() {
        document.title = judged.header.title;
    }
    Ok(document)
}

fn fields(judged: &JudgedPaper, parts: &PaperParts) -> String {
    let header = &judged.header;
    let authors: Vec<String> = header.authors.iter().map(PersonName::full).collect();
    let references = parts.references.iter().take(MOST_REFERENCES);
    let mut lines = vec![header.abstract_text.clone(), authors.join(", ")];
    lines.extend(header.affiliations.iter().chain(&header.keywords).cloned());
    lines.extend(references.map(|reference| match reference.title.as_str() {
        "" => reference.text.clone(),
        title => title.to_owned(),
    }));
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_papers::header::PaperHeader;
    use fyke_papers::reference::PaperReference;

    #[test]
    fn a_paper_is_seen_by_its_fields() {
        let header = PaperHeader {
            abstract_text: "We catch eels.".to_owned(),
            authors: vec![PersonName { given: "Ann".to_owned(), family: "Fisher".to_owned() }],
            affiliations: vec!["University of Dover".to_owned()],
            ..PaperHeader::default()
        };
        let reference = |title: &str, text: &str| PaperReference {
            title: title.to_owned(),
            text: text.to_owned(),
            ..PaperReference::default()
        };
        let references =
            vec![reference("Nets by night", "A. Fisher. Nets by night."), reference("", "Hooks")];
        let parts = PaperParts { references, contexts: Vec::new() };
        let judged = JudgedPaper { header, ..JudgedPaper::default() };
        let expected = "We catch eels.\nAnn Fisher\nUniversity of Dover\nNets by night\nHooks";
        assert_eq!(fields(&judged, &parts), expected);
    }
}
