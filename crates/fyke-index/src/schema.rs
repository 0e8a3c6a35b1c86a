//! The fields of an entry as they lie in the index (003 §4.3.1 "document structure").

use std::sync::LazyLock;

use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, SchemaBuilder,
    TextFieldIndexing, TextOptions,
};

use crate::analysis;
use crate::fact::{Fact, FactKind};

/// Number of fields with words in them; `WEIGHTS.fields` has a row for each, in this order.
pub(crate) const TEXTS: usize = 15;

/// Place of the title among the fields with words.
pub(crate) const TITLE: usize = 0;

/// Places of the text of links from other hosts and from the same one, side by side.
pub(crate) const ANCHORS: usize = 3;
pub(crate) const OWN_ANCHORS: usize = 4;

/// Place of the main text.
pub(crate) const BODY: usize = 5;

/// Place of the words of the URL.
pub(crate) const URL_WORDS: usize = 6;

/// Place of who wrote it.
pub(crate) const AUTHOR: usize = 9;

/// Place of what the page names as its keywords.
pub(crate) const KEYWORDS: usize = 10;

/// Place of the first field with keys (`crate::wholes`): such as words are not tokens, and have no other
/// forms. Wholes, then names of the document, then those of its sections.
pub(crate) const KEYS: usize = 12;
pub(crate) const WHOLES: usize = KEYS;
pub(crate) const NAMES: usize = KEYS + 1;
pub(crate) const SECTIONS: usize = KEYS + 2;

/// The engine's handles of our fields.
pub(crate) struct Fields {
    pub id: Field,
    pub time: Field,
    /// Day of the document's date, counted from 1970; absent when unknown.
    pub date: Field,
    pub url: Field,
    /// The names under which runs list the document: its own, then those of its copies.
    pub name: Field,
    pub host: Field,
    /// The host and every domain it lies in: `www.a.test`, `a.test`, `test`.
    pub site: Field,
    pub language: Field,
    /// The language's code as a number, for a quick look while ranking.
    pub language_code: Field,
    /// Name of the format: `html`, `pdf`.
    pub format: Field,
    /// What links say of the document's weight.
    pub rank: Field,
    /// Steps of the URL's path.
    pub depth: Field,
    pub title: Field,
    pub body: Field,
    pub description: Field,
    /// Where pages begin in the body, four bytes each.
    pub pages: Field,
    /// Where sections begin in the body, and how they are called (`crate::section`).
    pub outline: Field,
    /// title, headings, emphasis, anchors, anchors of the same host, body, words of the URL,
    /// description, parts of compounds, author, keywords, titles of links, keys of wholes, of names and of sections.
    pub texts: [Field; TEXTS],
}

/// Under these names columns are read.
pub(crate) const ID: &str = "id";
pub(crate) const LANGUAGE_CODE: &str = "language_code";
pub(crate) const NAME: &str = "name";
pub(crate) const HOST: &str = "host";
pub(crate) const LANGUAGE: &str = "language";
pub(crate) const FORMAT: &str = "format";
pub(crate) const DATE: &str = "date";
pub(crate) const RANK: &str = "rank";
pub(crate) const DEPTH: &str = "depth";

/// The same for every table of facts, whose fields come after these.
pub(crate) static FIELDS: LazyLock<Fields> = LazyLock::new(|| fields(&mut Schema::builder()));

/// The fields of an index with these facts.
pub(crate) fn schema(facts: &[Fact]) -> Schema {
    let mut schema = Schema::builder();
    fields(&mut schema);
    for fact in facts {
        match fact.kind {
            FactKind::Number => schema.add_f64_field(&fact.column(), FAST),
            FactKind::Label => schema.add_text_field(&fact.column(), STRING | FAST),
        };
    }
    schema.build()
}

/// The field of the fact that stands at this place of its table.
pub(crate) fn fact_field(place: usize) -> Field {
    static OURS: LazyLock<u32> = LazyLock::new(|| schema(&[]).num_fields() as u32);
    Field::from_field_id(*OURS + place as u32)
}

fn fields(schema: &mut SchemaBuilder) -> Fields {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(analysis::NAME)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let words = TextOptions::default().set_indexing_options(indexing);
    let kept = words.clone() | STORED;
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(analysis::KEYS_NAME)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let keys = TextOptions::default().set_indexing_options(indexing);
    let title = schema.add_text_field("title", kept.clone());
    let headings = schema.add_text_field("headings", words.clone());
    let emphasis = schema.add_text_field("emphasis", words.clone());
    let anchors = schema.add_text_field("anchors", words.clone());
    let own_anchors = schema.add_text_field("own_anchors", words.clone());
    let body = schema.add_text_field("body", kept.clone());
    let url_words = schema.add_text_field("url_words", words.clone());
    let description = schema.add_text_field("description", kept);
    let parts = schema.add_text_field("parts", words.clone());
    let author = schema.add_text_field("author", words.clone());
    let keywords = schema.add_text_field("keywords", words.clone());
    let link_titles = schema.add_text_field("link_titles", words);
    let wholes = schema.add_text_field("wholes", keys.clone());
    let names = schema.add_text_field("names", keys.clone());
    let sections = schema.add_text_field("sections", keys);
    Fields {
        id: schema.add_u64_field(ID, INDEXED | FAST | STORED),
        time: schema.add_i64_field("time", FAST | STORED),
        date: schema.add_i64_field(DATE, FAST | STORED),
        url: schema.add_text_field("url", STORED),
        name: schema.add_text_field(NAME, FAST),
        host: schema.add_text_field(HOST, STORED | FAST),
        site: schema.add_text_field("site", STRING),
        language: schema.add_text_field(LANGUAGE, STRING | STORED | FAST),
        language_code: schema.add_u64_field(LANGUAGE_CODE, FAST),
        format: schema.add_text_field(FORMAT, STRING | STORED | FAST),
        rank: schema.add_f64_field(RANK, FAST),
        depth: schema.add_u64_field(DEPTH, FAST),
        pages: schema.add_bytes_field("pages", STORED),
        outline: schema.add_text_field("outline", STORED),
        title,
        body,
        description,
        texts: [
            title,
            headings,
            emphasis,
            anchors,
            own_anchors,
            body,
            url_words,
            description,
            parts,
            author,
            keywords,
            link_titles,
            wholes,
            names,
            sections,
        ],
    }
}

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
