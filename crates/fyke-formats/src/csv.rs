//! Tables as text: values between commas, semicolons, tabs or bars, quoted or not (RFC 4180). Which
//! one it is, the first lines tell: the one that cuts them into the same number of values.

use super::markup::Markup;
use super::{Converted, Source};
use fyke_web::charset;

const DELIMITERS: &[u8] = b",\t;|";
/// How much is looked at to find the delimiter.
const SAMPLE_BYTES: usize = 64 << 10;
const SAMPLE_ROWS: usize = 50;
/// Most cells that are read.
const MOST_CELLS: usize = 4_000_000;
/// Most cells of a row; what comes then is the next row.
const MOST_COLUMNS: usize = 16_384;

pub(super) fn convert(source: &Source<'_>) -> Converted {
    let text = charset::decode(source.bytes, source.content_type);
    // Some programs name the delimiter in a line of its own.
    let named = text.strip_prefix("sep=").and_then(|rest| Some((*rest.as_bytes().first()?, rest)));
    let (delimiter, text) = match named {
        Some((delimiter, rest)) => (delimiter, rest.split_once('\n').map_or("", |(_, rows)| rows)),
        None => (delimiter(&text), text.as_str()),
    };
    let mut markup = Markup::default();
    markup.open("table");
    let mut cells = 0;
    for (number, row) in CsvRows::new(text, delimiter).enumerate() {
        cells += row.len();
        if cells > MOST_CELLS || markup.is_full() {
            return Converted::from(markup).with_trouble("more cells than are read");
        }
        let cell = if number == 0 { "th" } else { "td" };
        markup.open("tr");
        for value in row {
            markup.open(cell);
            markup.text(value.trim());
            markup.close(cell);
        }
        markup.close("tr");
    }
    Converted::from(markup)
}

/// The delimiter that makes the most of the first rows: many values, the same number in each.
fn delimiter(text: &str) -> u8 {
    let sample = &text[..text.floor_char_boundary(SAMPLE_BYTES)];
    let worth = |delimiter: u8| {
        let lengths: Vec<usize> =
            CsvRows::new(sample, delimiter).take(SAMPLE_ROWS).map(|row| row.len()).collect();
        let first = lengths.first().copied().unwrap_or(0);
        let alike = lengths.iter().filter(|length| **length == first).count();
        if first < 2 { 0 } else { alike * 1_000 / lengths.len().max(1) + first.min(500) }
    };
    // The first of the best: commas win a tie.
    let best = DELIMITERS.iter().rev().max_by_key(|delimiter| worth(**delimiter));
    best.copied().unwrap_or(b',')
}

/// The rows of a table.
struct CsvRows<'a> {
    rest: &'a str,
    delimiter: u8,
}

impl<'a> CsvRows<'a> {
    fn new(text: &'a str, delimiter: u8) -> CsvRows<'a> {
        CsvRows { rest: text, delimiter }
    }

    /// One value, and whether its row goes on.
    fn value(&mut self) -> (String, bool) {
        let bytes = self.rest.as_bytes();
        let mut value = String::new();
        let mut at = 0;
        if bytes.first() == Some(&b'"') {
            at = 1;
            loop {
                let end = memchr::memchr(b'"', &bytes[at..]).map_or(bytes.len(), |n| at + n);
                value.push_str(&self.rest[at..end]);
                at = (end + 1).min(bytes.len());
                if bytes.get(at) != Some(&b'"') {
                    break;
                }
                value.push('"');
                at += 1;
            }
        }
        let rest = &bytes[at..];
        let end = memchr::memchr3(self.delimiter, b'\n', b'\r', rest).unwrap_or(rest.len());
        value.push_str(&self.rest[at..at + end]);
        at += end;
        let goes_on = bytes.get(at) == Some(&self.delimiter);
        let width = if bytes[at..].starts_with(b"\r\n") { 2 } else { 1 };
        self.rest = self.rest.get(at + width..).unwrap_or_default();
        (value, goes_on)
    }
}

impl Iterator for CsvRows<'_> {
    type Item = Vec<String>;

    fn next(&mut self) -> Option<Vec<String>> {
        if self.rest.is_empty() {
            return None;
        }
        let mut row = Vec::new();
        loop {
            let (value, goes_on) = self.value();
            row.push(value);
            if !goes_on || row.len() >= MOST_COLUMNS {
                return Some(row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&[&str]]) {
        let rows: Vec<Vec<String>> = CsvRows::new(text, delimiter(text)).collect();
        assert_eq!(rows, expected, "{text}");
    }

    #[test]
    fn delimiter_and_quotes_are_found() {
        check("a,b\n1,2\n", &[&["a", "b"], &["1", "2"]]);
        check("a;b\r\n1,5;2,5\r\n", &[&["a", "b"], &["1,5", "2,5"]]);
        check("a\tb\n1\t2", &[&["a", "b"], &["1", "2"]]);
        check("a|b|c\n1|2|3", &[&["a", "b", "c"], &["1", "2", "3"]]);
        check("a,b\n\"x, \"\"y\"\"\nz\",2", &[&["a", "b"], &["x, \"y\"\nz", "2"]]);
        check("name\nVodomec\n", &[&["name"], &["Vodomec"]]);
        check("a,\"never closed", &[&["a", "never closed"]]);
        check("", &[]);
    }
}
