//! The fields of an entry as they lie in the index (003 §4.3.1 "document structure").

use std::sync::LazyLock;

use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};

use crate::analysis;

/// Number of fields with words in them; `WEIGHTS.fields` has a row for each, in this order.
pub(crate) const TEXTS: usize = 5;

/// Place of the title among the fields with words.
pub(crate) const TITLE: usize = 0;

/// The engine's handles of our fields.
pub(crate) struct Fields {
    pub schema: Schema,
    pub id: Field,
    pub time: Field,
    pub url: Field,
    pub host: Field,
    /// The host and every domain it lies in: `www.a.test`, `a.test`, `test`.
    pub site: Field,
    pub language: Field,
    /// The language's code as a number, for a quick look while ranking.
    pub language_code: Field,
    pub title: Field,
    pub body: Field,
    /// Where pages begin in the body, four bytes each.
    pub pages: Field,
    /// title, headings, anchors, body, words of the URL.
    pub texts: [Field; TEXTS],
}

/// Under these names the ranking reads its columns.
pub(crate) const ID: &str = "id";
pub(crate) const LANGUAGE_CODE: &str = "language_code";

pub(crate) static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(analysis::NAME)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let words = TextOptions::default().set_indexing_options(indexing);
    let kept = words.clone() | STORED;
    let title = schema.add_text_field("title", kept.clone());
    let headings = schema.add_text_field("headings", words.clone());
    let anchors = schema.add_text_field("anchors", words.clone());
    let body = schema.add_text_field("body", kept);
    let url_words = schema.add_text_field("url_words", words);
    Fields {
        id: schema.add_u64_field(ID, INDEXED | FAST | STORED),
        time: schema.add_i64_field("time", FAST | STORED),
        url: schema.add_text_field("url", STORED),
        host: schema.add_text_field("host", STORED),
        site: schema.add_text_field("site", STRING),
        language: schema.add_text_field("language", STRING | STORED),
        language_code: schema.add_u64_field(LANGUAGE_CODE, FAST),
        pages: schema.add_bytes_field("pages", STORED),
        title,
        body,
        texts: [title, headings, anchors, body, url_words],
        schema: schema.build(),
    }
});

/// A language's code as a number: its first eight bytes.
pub(crate) const fn language_code(language: &str) -> u64 {
    let bytes = language.as_bytes();
    let mut code = 0;
    let mut at = 0;
    while at < bytes.len() && at < 8 {
        code = code << 8 | bytes[at] as u64;
        at += 1;
    }
    code
}
