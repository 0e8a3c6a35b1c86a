//! Which documents are exported: the search language, with two conditions more. `type:pdf` looks at the
//! media type and the URL's extension, `date:2024..2025-06` at the date of publication. What links call
//! a document is no part of it here.

use crate::search;
use fyke_derive::index::{Anchors, entry, sections};
use fyke_derive::kept::Kept;
use fyke_index::{Entry, Query};
use fyke_text::WordRules;
use fyke_web::Url;

/// What a document must be like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportFilter {
    text: String,
    query: Query,
    types: Vec<(String, bool)>,
    dates: Vec<(Dates, bool)>,
}

/// From one date to another, both included; as much of a date is compared as is given.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Dates {
    from: String,
    to: String,
}

impl ExportFilter {
    /// Understands a filter by the stemmers and stop lists of a collection; an empty one lets all documents pass.
    ///
    /// # Errors
    /// A sentence, when a date is none.
    pub fn parse(text: &str, rules: &WordRules) -> Result<ExportFilter, String> {
        let mut filter = ExportFilter { text: text.trim().to_owned(), ..ExportFilter::default() };
        let mut words = Vec::new();
        for piece in pieces(text) {
            let plain = piece.trim_start_matches(['+', '-']);
            let is_wanted = !piece.starts_with('-');
            match plain.split_once(':') {
                Some((name, kind)) if name.eq_ignore_ascii_case("type") && !kind.is_empty() => {
                    filter.types.push((kind.to_ascii_lowercase(), is_wanted));
                }
                Some((name, dates)) if name.eq_ignore_ascii_case("date") && is_stretch(dates) => {
                    filter.dates.push((Dates::parse(dates)?, is_wanted));
                }
                _ => words.push(piece),
            }
        }
        filter.query = search::query(&words.join(" "), rules);
        Ok(filter)
    }

    /// As it was typed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn matches(&self, kept: &Kept) -> bool {
        let document = &kept.document;
        let url = Url::parse(&document.url).ok();
        let nothing = Anchors::default();
        let facts: Vec<_> = kept.facts.iter().map(|fact| (fact.name, fact.found.value())).collect();
        let (facts, sections) = (&facts, &sections(document));
        let entry = Entry { facts, sections, ..entry(document, &nothing) };
        let path = url.as_ref().map_or("", Url::path);
        let date_fits =
            |(dates, is_wanted): &(Dates, bool)| dates.hold(&document.date) == *is_wanted;
        self.type_fits(&kept.rights.media_type, path)
            && self.dates.iter().all(date_fits)
            && (self.query.is_empty() || self.query.matches(&entry))
    }

    /// One of the types that are wanted, none of those that are not.
    fn type_fits(&self, media_type: &str, path: &str) -> bool {
        let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
        let is = |kind: &str| {
            let mut names = media_type.split(|c: char| !c.is_ascii_alphanumeric());
            media_type == kind
                || names.any(|name| name == kind)
                || extension.is_some_and(|(_, extension)| extension.eq_ignore_ascii_case(kind))
        };
        let mut wanted = self.types.iter().filter(|(_, is_wanted)| *is_wanted).peekable();
        (wanted.peek().is_none() || wanted.any(|(kind, _)| is(kind)))
            && !self.types.iter().any(|(kind, is_wanted)| !is_wanted && is(kind))
    }
}

impl Dates {
    fn parse(text: &str) -> Result<Dates, String> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let is_date = |date: &str| {
            let marks = date.bytes().all(|b| b.is_ascii_digit() || b == b'-');
            date.is_empty() || marks && matches!(date.len(), 4 | 7 | 10)
        };
        if text == ".." || !is_date(from) || !is_date(to) {
            return Err(format!(
                "date:{text} is no date; write date:2024, date:2024-03..2024-06 or date:2024.."
            ));
        }
        Ok(Dates { from: from.to_owned(), to: to.to_owned() })
    }

    /// A document without a date is in no stretch of time.
    fn hold(&self, date: &str) -> bool {
        let start = |length: usize| date.get(..length.min(date.len())).unwrap_or_default();
        let after = self.from.is_empty() || start(self.from.len()) >= self.from.as_str();
        let before = self.to.is_empty() || start(self.to.len()) <= self.to.as_str();
        !date.is_empty() && after && before
    }
}

/// Whether a date is for us; `>2024` and the like the query understands itself.
fn is_stretch(dates: &str) -> bool {
    !dates.is_empty() && !dates.starts_with(['<', '>'])
}

/// Pieces parted by white space outside of quotes.
fn pieces(text: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let is_gap = |c: char| {
        is_quoted ^= c == '"';
        c.is_whitespace() && !is_quoted
    };
    text.split(is_gap).filter(|piece| !piece.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_taken_out_and_the_rest_is_a_query() {
        let text = " lang:sl -type:PDF date:2024.. \"date:x y\" tide date:>2023";
        let filter = ExportFilter::parse(text, &WordRules::default()).unwrap();
        assert_eq!(filter.query, Query::parse("lang:sl \"date:x y\" tide date:>2023"));
        assert_eq!(filter.types, [("pdf".to_owned(), false)]);
        assert_eq!(filter.dates.len(), 1);
        assert!(ExportFilter::parse("", &WordRules::default()).unwrap().query.is_empty());
        for wrong in ["date:soon", "date:24", "date:..", "date:2024..x"] {
            assert!(ExportFilter::parse(wrong, &WordRules::default()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn dates_are_compared_as_far_as_they_go() {
        let check = |dates: &str, date: &str, expected: bool| {
            assert_eq!(Dates::parse(dates).unwrap().hold(date), expected, "{dates} {date}");
        };
        check("2024", "2024-03-05", true);
        check("2024", "2023-12-31", false);
        check("2024-03..2024-06", "2024-06-30T12:00", true);
        check("2024-03..2024-06", "2024-07-01", false);
        check("2024-03..", "2024", false);
        check("..2024-03", "2024", true);
        check("..2024", "1999-01-01", true);
        check("..2024", "", false);
    }

    #[test]
    fn types_are_media_types_parts_of_them_or_extensions() {
        let check = |filter: &str, media_type: &str, path: &str, expected: bool| {
            let filter = ExportFilter::parse(filter, &WordRules::default()).unwrap();
            assert_eq!(
                filter.type_fits(media_type, path),
                expected,
                "{filter:?} {media_type} {path}"
            );
        };
        check("type:pdf", "application/pdf", "/x", true);
        check("type:pdf", "application/octet-stream", "/x.PDF", true);
        check("type:pdf", "text/html", "/x.pdf/y", false);
        check("type:text/html", "text/html", "/", true);
        check("type:html type:pdf", "application/pdf", "/", true);
        check("-type:pdf", "application/pdf", "/", false);
        check("-type:pdf", "", "/", true);
    }
}
