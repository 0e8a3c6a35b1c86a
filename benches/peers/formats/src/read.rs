//! The readers: a row each.

use crate::Trouble;
use calamine::Reader as _;
use std::fmt::Write as _;
use std::io::Cursor;

/// Bytes that a stream may unpack to, for the reader that takes such a limit; ours has the same.
const MOST_UNPACKED: usize = 64 << 20;

pub struct Reader {
    pub name: &'static str,
    pub extensions: &'static [&'static str],
    /// What was found, in words.
    pub read: fn(&[u8]) -> Result<String, Trouble>,
}

pub const READERS: &[Reader] = &[
    Reader { name: "ours", extensions: &["pdf", "xlsx", "ods"], read: ours },
    Reader { name: "lopdf", extensions: &["pdf"], read: lopdf },
    Reader { name: "lopdf, its limit at 64 MiB", extensions: &["pdf"], read: lopdf_limited },
    Reader { name: "hayro-syntax", extensions: &["pdf"], read: hayro },
    Reader { name: "calamine", extensions: &["xlsx", "ods"], read: calamine },
];

/// The whole way to markup.
fn ours(bytes: &[u8]) -> Result<String, Trouble> {
    let format = fyke_formats::detect(bytes, None, "").ok_or("no known format")?;
    let source = fyke_formats::Source { bytes, content_type: None, extension: "" };
    let found = format.convert(&source);
    let mut plain = String::new();
    let mut rest = found.markup.as_str();
    while let Some((text, behind)) = rest.split_once('<') {
        plain.push_str(text);
        plain.push(' ');
        rest = behind.split_once('>').map_or("", |(_, behind)| behind);
    }
    plain.push_str(rest);
    let trouble = if found.trouble.is_empty() { "" } else { "; " };
    Ok(format!("{}{trouble}{}", words(&plain), found.trouble))
}

fn words(text: &str) -> String {
    format!("{} words", text.split_whitespace().count())
}

fn lopdf(bytes: &[u8]) -> Result<String, Trouble> {
    let document = lopdf::Document::load_mem(bytes)?;
    let content = |page| Ok(document.get_page_content(page));
    told(&document, content, |pages| document.extract_text(pages))
}

fn lopdf_limited(bytes: &[u8]) -> Result<String, Trouble> {
    let document = lopdf::Document::load_mem(bytes)?;
    let content = |page| document.get_page_content_with_limit(page, MOST_UNPACKED);
    told(&document, content, |pages| document.extract_text_with_limit(pages, MOST_UNPACKED))
}

fn told(
    document: &lopdf::Document,
    content: impl Fn(lopdf::ObjectId) -> lopdf::Result<Vec<u8>>,
    text: impl Fn(&[u32]) -> lopdf::Result<String>,
) -> Result<String, Trouble> {
    let pages = document.get_pages();
    let mut operators = 0;
    for page in pages.values() {
        let content = lopdf::content::Content::decode(&content(*page)?);
        operators += content.map_or(0, |content| content.operations.len());
    }
    let numbers: Vec<u32> = pages.keys().copied().collect();
    let text = text(&numbers).map_or_else(|error| format!("no text: {error}"), |text| words(&text));
    Ok(format!("{} pages, {operators} operators, {text}", pages.len()))
}

/// It reads no text: fonts are another crate's.
fn hayro(bytes: &[u8]) -> Result<String, Trouble> {
    let file = hayro_syntax::Pdf::new(bytes.to_vec()).map_err(|error| format!("{error:?}"))?;
    let mut operators = 0;
    for page in file.pages().iter() {
        let mut operations = page.typed_operations();
        while operations.next().is_some() {
            operators += 1;
        }
    }
    Ok(format!("{} pages, {operators} operators", file.pages().len()))
}

fn calamine(bytes: &[u8]) -> Result<String, Trouble> {
    let mut book = calamine::open_workbook_auto_from_rs(Cursor::new(bytes))?;
    let (mut cells, mut text) = (0, String::new());
    for name in book.sheet_names() {
        let sheet = book.worksheet_range(&name)?;
        for (_, _, cell) in sheet.used_cells() {
            cells += 1;
            write!(text, " {cell}")?;
        }
    }
    Ok(format!("{cells} cells, {}", words(&text)))
}
