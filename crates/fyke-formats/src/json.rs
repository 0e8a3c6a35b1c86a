//! JSON, and lines of it. A record with a `text` is a document as other programs hand it over, with
//! its title, author, date and language; one whose text is empty is its title. Of anything else the strings
//! that are values, in their order, read without building anything, so that depth and size cost nothing.

use super::markup::Markup;
use super::{Converted, Source};
use fyke_web::charset;
use serde::Deserialize;

/// A document as a record.
#[derive(Default, Deserialize)]
#[serde(default)]
struct JsonRecord {
    title: String,
    text: Option<String>,
    author: String,
    date: String,
    language: String,
}

pub(super) fn convert(source: &Source<'_>) -> Converted {
    let text = charset::decode(source.bytes, source.content_type);
    match serde_json::from_str(&text) {
        Ok(JsonRecord { text: Some(text), title, author, date, language }) => {
            let mut markup = Markup::default();
            let paragraphs = text.split('\n').filter(|line| !line.trim().is_empty());
            paragraphs.for_each(|paragraph| markup.element("p", paragraph));
            if text.trim().is_empty() && !title.trim().is_empty() {
                markup.element("h1", &title);
            }
            let language = language.to_ascii_lowercase();
            Converted { title, author, date, language, ..Converted::from(markup) }
        }
        _ => strings(&text),
    }
}

fn strings(text: &str) -> Converted {
    let mut markup = Markup::default();
    let mut rest = text;
    while let Some(start) = memchr::memchr(b'"', rest.as_bytes()) {
        let inside = &rest[start + 1..];
        let end = end_of(inside.as_bytes());
        rest = inside.get(end + 1..).unwrap_or_default();
        // What stands before a colon is a name.
        if !rest.trim_ascii_start().starts_with(':') {
            markup.element("p", &unescape(&inside[..end]));
        }
    }
    Converted::from(markup)
}

/// Length of a string up to its closing quote.
fn end_of(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at = (at + 2).min(bytes.len());
    }
    bytes.len()
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let mut after = rest[at + 1..].chars();
        match after.next() {
            Some('n' | 'r' | 't' | 'b' | 'f') => out.push(' '),
            Some('u') => {
                let (character, used) = unicode(after.as_str());
                out.push(character);
                after = after.as_str().get(used..).unwrap_or_default().chars();
            }
            Some(other) => out.push(other),
            None => {}
        }
        rest = after.as_str();
    }
    out.push_str(rest);
    out
}

/// The character after `\u`, which may be two halves, and the bytes it took.
fn unicode(text: &str) -> (char, usize) {
    let unit = |at: usize| u32::from_str_radix(text.get(at..at + 4)?, 16).ok();
    let Some(first) = unit(0) else { return ('\u{FFFD}', 0) };
    let second = text.get(4..6).filter(|mark| *mark == "\\u").and_then(|_| unit(6));
    match (first, second) {
        (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => {
            let code = 0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00);
            (char::from_u32(code).unwrap_or('\u{FFFD}'), 10)
        }
        _ => (char::from_u32(first).unwrap_or('\u{FFFD}'), 4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_with_a_text_is_a_document() {
        let json = r#"{"id": 7, "title": "T", "text": "a<b\n\nc", "x": {"text": 1}}"#;
        let source = Source { bytes: json.as_bytes(), content_type: None, extension: "" };
        let converted = convert(&source);
        assert_eq!((&*converted.markup, &*converted.title), ("<p>a&lt;b</p><p>c</p>", "T"));
        let source = Source { bytes: br#"{"title": "T", "text": " "}"#, ..source };
        let converted = convert(&source);
        assert_eq!((&*converted.markup, &*converted.title), ("<h1>T</h1>", "T"));
        let source = Source { bytes: br#"{"title": "T", "text": 7}"#, ..source };
        assert_eq!(convert(&source).markup, "<p>T</p>");
    }

    #[test]
    fn strings_that_are_values_are_taken_in_order() {
        let check = |json: &str, expected: &str| {
            let source = Source { bytes: json.as_bytes(), content_type: None, extension: "" };
            assert_eq!(convert(&source).markup, expected, "{json}");
        };
        check(
            r#"{"a": "one", "b" : ["two", 3, {"c":"four"}], "d": ""}"#,
            "<p>one</p><p>two</p><p>four</p>",
        );
        check(r#""\u010d\n\"<\ud83d\udc1f\ud83d""#, "<p>č \"&lt;🐟\u{FFFD}</p>");
        check(r#"["a\"#, "<p>a</p>");
        check(r#"["a","#, "<p>a</p>");
    }
}
