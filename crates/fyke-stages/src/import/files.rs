//! Files as captures: a file is one, a mailbox one for every message, a file of JSON lines one for
//! every line that has a text or a title.

use crate::files::{self, url_of};
use fyke_formats::{begins_message, detect, extension, messages};
use fyke_store::archive::{RecordSpot, Skip, SkippedRecord, TakenCapture, escaped};
use fyke_web::{Capture, DOCNO, Url, is_docno};
use serde::Deserialize;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Longest line of JSON.
const MOST_LINE: u64 = 32 << 20;

/// A capture, or why there is none, and where it stands in its file.
pub(super) type ImportRecord = (RecordSpot, Result<TakenCapture, SkippedRecord>);

/// What kind of file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Document,
    Mailbox,
    JsonLines,
}

impl FileKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            FileKind::Document => "file",
            FileKind::Mailbox => "mailbox",
            FileKind::JsonLines => "json lines",
        }
    }
}

/// The records of a file that is no archive.
///
/// # Errors
/// When it cannot be read.
pub(super) fn records(
    path: &Path,
) -> io::Result<(FileKind, Box<dyn Iterator<Item = ImportRecord>>)> {
    let name = extension(&path.to_string_lossy());
    if is_json_lines(&name) || is_gzip(path) && is_json_lines(&inner_extension(path)) {
        return Ok((FileKind::JsonLines, Box::new(json_lines(path)?)));
    }
    let bytes = files::read(path)?;
    let is_cut = bytes.len() as u64 >= files::MOST_BYTES;
    let row = detect(&bytes, None, &name);
    if row.is_some_and(|row| row.name == "mbox") {
        return Ok((FileKind::Mailbox, Box::new(mailbox(path)?)));
    }
    let taken = if row.is_none() || bytes.is_empty() {
        Err(SkippedRecord::new(Skip::Type, "not a format that text can be taken from".to_owned()))
    } else {
        let mut capture = files::capture(path, None, bytes);
        capture.truncated = is_cut.then(|| "length".to_owned());
        Ok(dated(capture))
    };
    Ok((FileKind::Document, Box::new(std::iter::once((RecordSpot::default(), taken)))))
}

fn is_json_lines(extension: &str) -> bool {
    matches!(extension, "jsonl" | "ndjson")
}

fn is_gzip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// The extension below `.gz`.
fn inner_extension(path: &Path) -> String {
    extension(&path.with_extension("").to_string_lossy())
}

fn dated(capture: Capture) -> TakenCapture {
    TakenCapture { is_dated: capture.time > 0, capture }
}

/// The messages of a mailbox one after the other: it may be larger than memory.
fn mailbox(path: &Path) -> io::Result<impl Iterator<Item = ImportRecord> + use<>> {
    let mut input = BufReader::new(std::fs::File::open(path)?);
    let url = url_of(path);
    let (mut offset, mut number) = (0_u64, 0);
    let mut line = Vec::new();
    Ok(std::iter::from_fn(move || {
        // The line that begins a message was read with the one before.
        let mut message: Vec<u8> = std::mem::take(&mut line);
        let spot = RecordSpot { offset: offset - message.len() as u64, inside: 0 };
        let mut after_empty = false;
        loop {
            let read = io::Read::take(&mut input, files::MOST_BYTES).read_until(b'\n', &mut line);
            let read = read.unwrap_or(0);
            offset += read as u64;
            if read == 0 || after_empty && begins_message(&line) {
                break;
            }
            after_empty = line.trim_ascii().is_empty();
            if message.len() as u64 <= files::MOST_BYTES {
                message.extend_from_slice(&line);
            }
            line.clear();
        }
        number += 1;
        let message = messages(&message).next()?;
        Some((spot, Ok(dated(of_message(&url, number, message)))))
    }))
}

/// A message of a mailbox: its URL is that of the mailbox with the message's number.
fn of_message(mailbox: &Url, number: usize, payload: Vec<u8>) -> Capture {
    let text = format!("{}?message={number}", mailbox.as_str());
    Capture {
        url: Url::stored(&text).unwrap_or_else(|_| mailbox.clone()),
        time: 0,
        status: 200,
        headers: vec![("Content-Type".to_owned(), "message/rfc822".to_owned())],
        payload,
        truncated: None,
    }
}

/// Where documents live that have an id and no URL; RFC 2606 keeps the name free.
const HOME: &str = "http://documents.invalid/";

/// A line: the page as HTML, or a document with its text; where it came from, or its id.
#[derive(Deserialize)]
struct ImportLine {
    id: Option<Id>,
    url: Option<String>,
    html: Option<String>,
    text: Option<serde::de::IgnoredAny>,
    title: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Text(String),
}

impl Id {
    fn text(&self) -> String {
        match self {
            Id::Number(number) => number.to_string(),
            Id::Text(text) => text.clone(),
        }
    }
}

fn json_lines(path: &Path) -> io::Result<impl Iterator<Item = ImportRecord> + use<>> {
    let file = std::fs::File::open(path)?;
    let mut input: Box<dyn BufRead> = match is_gzip(path) {
        true => Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(file))),
        false => Box::new(BufReader::new(file)),
    };
    let home = url_of(path);
    let (mut offset, mut number) = (0, 0_u64);
    Ok(std::iter::from_fn(move || {
        let mut line = Vec::new();
        let read = io::Read::take(&mut input, MOST_LINE).read_until(b'\n', &mut line);
        let read = read.ok().filter(|read| *read > 0)?;
        let spot = RecordSpot { offset, inside: 0 };
        offset += read as u64;
        number += 1;
        Some((spot, of_line(&line, &home, number)))
    }))
}

/// A URL for a line: its own, one by its id, one by its number.
fn url_of_line(line: &ImportLine, home: &Url, number: u64) -> Result<Url, SkippedRecord> {
    let text = match (&line.url, &line.id) {
        (Some(url), _) => url.clone(),
        (None, Some(id)) => format!("{HOME}{}", escaped(id.text().as_bytes())),
        (None, None) => format!("{}?line={number}", home.as_str()),
    };
    Url::stored(&text).map_err(|error| SkippedRecord::new(Skip::Url, error.to_string()))
}

fn of_line(bytes: &[u8], home: &Url, number: u64) -> Result<TakenCapture, SkippedRecord> {
    let wrong = |what: String| SkippedRecord::new(Skip::Message, what);
    let line: ImportLine =
        serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
    let url = url_of_line(&line, home, number)?;
    let (kind, payload) = match (line.html, line.text) {
        (Some(html), _) => ("text/html; charset=utf-8", html.into_bytes()),
        (None, Some(_)) => ("application/json", bytes.trim_ascii().to_vec()),
        (None, None) if line.title.is_some_and(|title| !title.trim().is_empty()) => {
            ("application/json", with_empty_text(bytes))
        }
        (None, None) => return Err(wrong("neither html nor text".to_owned())),
    };
    let mut headers = vec![("Content-Type".to_owned(), kind.to_owned())];
    let name = line.id.map(|id| id.text()).filter(|name| is_docno(name));
    headers.extend(name.map(|name| (DOCNO.to_owned(), name)));
    Ok(dated(Capture { url, time: 0, status: 200, headers, payload, truncated: None }))
}

/// A record that has no text with an empty one, so that it is a document all the same.
fn with_empty_text(record: &[u8]) -> Vec<u8> {
    let record = record.trim_ascii();
    let rest = record.strip_prefix(b"{").unwrap_or(record);
    [br#"{"text":"","#, rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Result<(&str, &str), &str>) {
        let home = Url::stored("file:///tmp/x.jsonl").unwrap();
        let found = of_line(line.as_bytes(), &home, 3);
        let found = found.map(|taken| {
            let text = String::from_utf8(taken.capture.payload).unwrap();
            (taken.capture.url.as_str().to_owned(), text)
        });
        match (found, expected) {
            (Ok((url, text)), Ok((wanted, part))) => {
                assert_eq!(url, wanted, "{line}");
                assert!(text.contains(part), "{text}");
            }
            (Err(skipped), Err(name)) => assert_eq!(skipped.why.name(), name, "{line}"),
            (found, _) => panic!("{line}: {found:?}"),
        }
    }

    #[test]
    fn lines_of_json_become_pages() {
        check(r#"{"url":"http://a.test/x","html":"<p>eel"}"#, Ok(("http://a.test/x", "<p>eel")));
        check(
            r#"{"text":"a<b\nc","title":"T&U"}"#,
            Ok(("file:///tmp/x.jsonl?line=3", r#"{"text":"a<b\nc","title":"T&U"}"#)),
        );
        check(r#"{"id":"A 7","text":"x"}"#, Ok(("http://documents.invalid/A%207", "A 7")));
        check(r#"{"id":7,"url":"http://a.test/","text":"x"}"#, Ok(("http://a.test/", "7")));
        check(r#"{"url":"ftp://a.test/","text":"x"}"#, Err("url"));
        check(r#"{"title":"x"}"#, Ok(("file:///tmp/x.jsonl?line=3", r#"{"text":"","title":"x"}"#)));
        check(r#"{"title":" ","x":"y"}"#, Err("message"));
        check("[", Err("message"));
    }
}
