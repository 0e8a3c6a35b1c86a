//! Formats: each turns its bytes into simple markup and says what the file tells of itself.

pub mod pdf;

/// What a format gives: its text as simple markup, and what it says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Converted {
    /// Markup of a few elements: h1–h6, p, ul/ol/li, table/tr/td/th, pre, b, i, a href,
    /// section data-page="N" around each page of a paged format. Text escaped.
    pub markup: String,
    pub title: String,
    pub author: String,
    /// ISO 8601, as far as it is known ("2024-03-05" or "2024-03-05T10:00:00Z").
    pub date: String,
    /// ISO 639 / BCP 47 tag in lower case if the format says it.
    pub language: String,
    /// Something was cut at a limit, damaged or could not be read (a reason for people, lower
    /// case); empty when all is well.
    pub trouble: String,
}
