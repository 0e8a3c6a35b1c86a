//! A reference by its fields, as they stand in the text; what was not found is empty.

use crate::fields::PaperField;
use serde::{Deserialize, Serialize};

/// Bytes of a field that are looked at; the rest is left out.
pub const LONGEST_FIELD: usize = 1_000;

/// The fields of a reference.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Citation {
    /// All of them, as they stand: `D. W. Aha and M. K. Albert`, `Aha, D., Albert, M.`
    pub authors: String,
    pub title: String,
    /// The journal, the proceedings, the institution of a report, the publisher.
    pub venue: String,
    pub volume: String,
    pub pages: String,
    /// The year, and what stands around it.
    pub date: String,
}

impl Citation {
    /// The citation that these fields make, by the names that models of references give them.
    #[must_use]
    pub fn of_fields(fields: &[PaperField]) -> Citation {
        let mut citation = Citation::default();
        for field in fields {
            let place = match field.field.as_str() {
                "author" => &mut citation.authors,
                "title" => &mut citation.title,
                "journal" | "booktitle" | "tech" | "institution" | "publisher" => {
                    &mut citation.venue
                }
                "volume" => &mut citation.volume,
                "pages" => &mut citation.pages,
                "date" => &mut citation.date,
                _ => continue,
            };
            if !place.is_empty() {
                place.push(' ');
            }
            place.push_str(&field.text);
        }
        citation
    }

    /// The year of its date: the last number that can be one.
    #[must_use]
    pub fn year(&self) -> Option<u16> {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let parts = cut(&self.date).split(|c: char| !c.is_ascii_alphanumeric());
        // `1999a` is a year too.
        let parts = parts.map(|part| part.trim_end_matches(|c: char| c.is_ascii_lowercase()));
        let numbers = parts.filter(|part| part.len() == 4 && digits(part));
        numbers.filter_map(|part| part.parse().ok()).rfind(|year| (1500..=2100).contains(year))
    }
}

/// So much of a field as is looked at.
pub(super) fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST_FIELD)]
}
