//! One document as every format writes it down. What is not known is absent, never an empty text.

use fyke_derive::kept::Kept;
use fyke_store::Place;
use fyke_web::{UrlId, host_of};
use serde::Serialize;

/// A document and all that is known of it.
#[derive(Debug, Serialize)]
pub struct ExportRecord<'a> {
    /// Sixteen hexadecimal digits, the key of its pages on the site.
    pub id: String,
    pub url: &'a str,
    pub host: String,
    pub title: &'a str,
    pub text: &'a str,
    /// The text with its headings, lists, tables, code and links, under its title.
    pub markdown: String,
    pub author: Option<&'a str>,
    /// When it was published, as the page says.
    pub date: Option<&'a str>,
    pub site: Option<&'a str>,
    pub comments: Option<&'a str>,
    pub language: &'a str,
    /// "sl:80" and the like, where a text is in several languages.
    pub languages: Vec<String>,
    pub words: u32,
    /// Of the words, in hexadecimal: equal for exact copies.
    pub checksum: String,
    /// When it was captured, as "2026-11-15T07:30:00.125Z".
    pub captured: String,
    pub media_type: Option<&'a str>,
    pub charset: &'a str,
    pub licences: &'a [String],
    pub opt_outs: &'a [String],
    /// "kept", or why it is a copy, and the id of the document that stands for it.
    pub reason: &'static str,
    pub copy_of: Option<String>,
    #[serde(skip)]
    pub time: i64,
    #[serde(skip)]
    pub place: Option<Place>,
}

impl<'a> ExportRecord<'a> {
    pub(super) fn of(kept: &'a Kept, copy_of: Option<UrlId>) -> ExportRecord<'a> {
        let Kept { document, reason, place, rights, .. } = kept;
        let some = |text: &'a str| Some(text).filter(|text| !text.is_empty());
        let languages = document.languages.iter();
        ExportRecord {
            id: key(document.id),
            url: &document.url,
            host: host_of(&document.url).to_owned(),
            title: &document.title,
            text: &document.text,
            markdown: document.markdown(),
            author: some(&document.author),
            date: some(&document.date),
            site: some(&document.site),
            comments: some(&document.comments),
            language: &document.language,
            languages: languages.map(|(code, share)| format!("{code}:{share}")).collect(),
            words: document.words,
            checksum: format!("{:016x}", document.checksum),
            captured: moment(document.time),
            media_type: some(&rights.media_type),
            charset: &document.charset,
            licences: &rights.licences,
            opt_outs: &rights.opt_outs,
            reason: reason.name(),
            copy_of: copy_of.map(key),
            time: document.time,
            place: *place,
        }
    }
}

fn key(id: UrlId) -> String {
    format!("{:016x}", id.0)
}

/// Milliseconds since 1970 as ISO 8601 has it.
pub(super) fn moment(time: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(time).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{time:.3}")
}

/// Text that may stand in mark-up: escaped, and without what no mark-up may hold. A line stays a line
/// unless `is_line`.
pub(super) fn escape(text: &str, is_line: bool) -> String {
    let is_blank = |c: char| c.is_control() && (is_line || c != '\n');
    let plain: String = text.chars().map(|c| if is_blank(c) { ' ' } else { c }).collect();
    fyke_web::escape::escape(&plain)
}
