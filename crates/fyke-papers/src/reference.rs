//! A reference with its fields (002 §4): who wrote it, what, where and when.

use crate::fields::{PaperField, fields};
use crate::matching::Citation;
use crate::names::{self, PersonName};
use crate::split;
use fyke_text::sequence::SequenceModel;
use serde::{Deserialize, Serialize};

/// A reference; a field that it has not is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperReference {
    /// What the text cites it by, as "12" or "Fis99"; empty where it has none.
    pub mark: String,
    /// All of it, without its mark.
    pub text: String,
    pub authors: Vec<PersonName>,
    pub title: String,
    /// The journal or the book that it stands in.
    pub venue: String,
    pub year: Option<u16>,
    /// All fields as they are written, in their order.
    pub fields: Vec<PaperField>,
}

impl PaperReference {
    /// The first field of this name without the signs at its ends; empty where there is none.
    #[must_use]
    pub fn field(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|part| part.field == name);
        found.map_or("", |part| bare(&part.text))
    }
}

/// The parts of what a reference says of its volume, as `3(2):12-19` has them; a part that it has not is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VolumeParts<'a> {
    pub volume: &'a str,
    pub number: &'a str,
    pub pages: &'a str,
}

impl PaperReference {
    /// As what it is matched with others: its fields without the signs at their ends.
    #[must_use]
    pub fn citation(&self) -> Citation {
        let parts = self.volume_parts();
        let others = ["tech", "institution", "publisher"].map(|name| self.field(name));
        let other = others.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
        let venue = if self.venue.is_empty() { other } else { &self.venue };
        Citation {
            authors: self.field("author").to_owned(),
            title: self.title.clone(),
            venue: venue.to_owned(),
            volume: parts.volume.to_owned(),
            pages: parts.pages.to_owned(),
            date: self.year.map(|year| year.to_string()).unwrap_or_default(),
        }
    }

    /// Volume, number and pages, which often are one word.
    #[must_use]
    pub fn volume_parts(&self) -> VolumeParts<'_> {
        let text = self.field("volume");
        let (text, inside) = text.split_once(':').unwrap_or((text, ""));
        let own = self.field("pages");
        let pages = if own.is_empty() { bare(inside) } else { own };
        let (volume, behind) = text.split_once('(').unwrap_or((text, ""));
        let number = behind.split(')').next().unwrap_or_default();
        VolumeParts { volume: bare(volume), number: bare(number), pages }
    }
}

fn bare(text: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || ",;:.\"'\u{201C}\u{201D}".contains(c);
    let text = text.trim_matches(ends);
    // A bracket that is closed or opened elsewhere.
    match (text.contains('('), text.contains(')')) {
        (true, false) => text.trim_start_matches('('),
        (false, true) => text.trim_end_matches(')'),
        _ if text.starts_with('(') && text.ends_with(')') => {
            text.trim_start_matches('(').trim_end_matches(')')
        }
        _ => text,
    }
}

/// Takes references apart.
pub(crate) fn references(texts: &[String], model: &SequenceModel) -> Vec<PaperReference> {
    texts.iter().map(|text| reference(text, model)).collect()
}

/// Takes a reference apart.
#[must_use]
pub fn reference(text: &str, model: &SequenceModel) -> PaperReference {
    let (mark, text) = split::mark(text);
    let fields = fields(model, text);
    let mut found = PaperReference {
        mark: mark.to_owned(),
        text: text.to_owned(),
        fields,
        ..PaperReference::default()
    };
    let authors = found.fields.iter().find(|part| part.field == "author");
    found.authors = authors.map(|part| names::of_reference(&part.text)).unwrap_or_default();
    found.title = found.field("title").to_owned();
    found.venue = venue(&found);
    found.year = year(found.field("date")).or_else(|| year(text));
    found
}

fn venue(reference: &PaperReference) -> String {
    let journal = reference.field("journal");
    let venue = if journal.is_empty() { reference.field("booktitle") } else { journal };
    let rest = venue.strip_prefix("In ").or_else(|| venue.strip_prefix("in ")).unwrap_or(venue);
    bare(rest).to_owned()
}

/// The last year in a text.
pub(crate) fn year(text: &str) -> Option<u16> {
    let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| digits.len() == 4);
    digits.filter_map(|digits| digits.parse().ok()).rfind(|year| (1500..2100).contains(year))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::PaperModels;

    #[test]
    fn a_reference_is_taken_apart() {
        let text =
            "[12] A. Fisher and B. Hook. Nets by night. Journal of Tides, 3(2):12-19, May 1999.";
        let found = reference(text, &PaperModels::shipped().references);
        assert_eq!((found.mark.as_str(), found.title.as_str()), ("12", "Nets by night"));
        assert_eq!((found.venue.as_str(), found.year), ("Journal of Tides", Some(1999)));
        assert_eq!(found.authors.len(), 2);
        let parts = VolumeParts { volume: "3", number: "2", pages: "12-19" };
        assert_eq!(found.volume_parts(), parts);
    }

    #[test]
    fn signs_at_the_ends_of_fields_are_left_out() {
        let check = |text: &str, expected: &str| assert_eq!(bare(text), expected);
        check("(1999).", "1999");
        check("\"Nets by night,\"", "Nets by night");
        check("Nets (second edition).", "Nets (second edition)");
        check("1999).", "1999");
        assert_eq!(year("pages 1987-1989, 1998a 20011"), Some(1998));
        assert_eq!(year("no year"), None);
    }
}
