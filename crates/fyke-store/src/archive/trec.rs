//! TREC files: `<DOC>` … `</DOC>`, as web collections (a `<DOCHDR>` with URL and HTTP head) and as
//! text collections (a `<DOCNO>` alone) have them. A document without URL is named by its number under
//! a host that cannot exist, and kept as the mark-up it is.

use super::message::{self, Envelope};
use super::source::ArchiveWindow;
use super::{
    FoundRecord, MOST_BLOCK, Skip, SkippedRecord, TakenCapture, digits_date, escaped, http_date,
    parse_url, skipped,
};
use fyke_web::{DOCNO, Url, is_docno};
use memchr::memmem::find;

/// Where documents without a URL live; RFC 2606 keeps the name free.
const HOME: &str = "http://trec.invalid/";
const OPEN: &[u8] = b"<DOC>";
const CLOSE: &[u8] = b"</DOC>";
const STEP: usize = 64 * 1024;

/// Whether a file begins as TREC files do, perhaps after a prologue.
pub(super) fn opens(head: &[u8]) -> bool {
    find(head, OPEN).is_some_and(|at| find(&head[at..], b"<DOCNO>").is_some())
}

/// Reads the next document.
pub(super) fn next(source: &mut ArchiveWindow) -> Option<FoundRecord> {
    let spot = source.spot();
    match seek(source, OPEN) {
        Err(what) => return Some(skipped(spot, Skip::Damaged, what)),
        Ok(false) => return None,
        Ok(true) => {}
    }
    let spot = source.spot();
    Some(FoundRecord { spot, taken: read(source) })
}

/// Takes bytes off up to a mark; false when the file ends before.
fn seek(source: &mut ArchiveWindow, mark: &[u8]) -> Result<bool, String> {
    loop {
        source.fill(STEP)?;
        let bytes = source.bytes();
        if let Some(at) = find(bytes, mark) {
            source.take(at);
            return Ok(true);
        }
        if bytes.is_empty() {
            return Ok(false);
        }
        let kept = if bytes.len() < STEP { 0 } else { mark.len() };
        source.take(bytes.len() - kept);
    }
}

/// Reads the document that opens at the window's start.
fn read(source: &mut ArchiveWindow) -> Result<TakenCapture, SkippedRecord> {
    let (mut want, mut looked) = (STEP, 0);
    loop {
        source.fill(want).map_err(|what| SkippedRecord::new(Skip::Damaged, what))?;
        let bytes = source.bytes();
        if let Some(at) = find(&bytes[looked..], CLOSE) {
            let end = looked + at;
            let taken = capture(&bytes[OPEN.len()..end]);
            source.take(end + CLOSE.len());
            return taken;
        }
        let came = bytes.len();
        let is_end = came < want;
        if is_end || want > MOST_BLOCK {
            let why = source.ending();
            source.take(came);
            return Err(match is_end {
                true => {
                    SkippedRecord::new(Skip::Damaged, format!("a document does not end: {why}"))
                }
                false => SkippedRecord::new(
                    Skip::TooBig,
                    format!("a document of more than {MOST_BLOCK} bytes"),
                ),
            });
        }
        looked = came.saturating_sub(CLOSE.len());
        want = came + came.max(STEP);
    }
}

fn capture(document: &[u8]) -> Result<TakenCapture, SkippedRecord> {
    let (number, rest) = element(document, "DOCNO")
        .ok_or_else(|| SkippedRecord::new(Skip::Damaged, "a document without DOCNO".to_owned()))?;
    let number = String::from_utf8_lossy(number.trim_ascii()).into_owned();
    let mut taken = match element(rest, "DOCHDR") {
        Some((head, page)) => {
            web(head.trim_ascii_start(), page.strip_prefix(b"\n").unwrap_or(page))?
        }
        None => {
            let url = home(&number)
                .ok_or_else(|| SkippedRecord::new(Skip::Url, format!("DOCNO {number:?}")))?;
            let envelope = Envelope { url, time: None, truncated: None };
            message::content(envelope, Some("text/html"), rest)
        }
    };
    if is_docno(&number) {
        taken.capture.headers.push((DOCNO.to_owned(), number));
    }
    Ok(taken)
}

/// A page of a web collection. The first line of its head begins with the URL; a date of digits may
/// stand there too.
fn web(head: &[u8], page: &[u8]) -> Result<TakenCapture, SkippedRecord> {
    let end = memchr::memchr(b'\n', head).unwrap_or(head.len());
    let line = String::from_utf8_lossy(&head[..end]).into_owned();
    let mut words = line.split_ascii_whitespace();
    let url = parse_url(words.next().unwrap_or_default())?;
    let is_date = |word: &&str| word.len() == 14 && word.bytes().all(|b| b.is_ascii_digit());
    let time = words.find(is_date).and_then(digits_date);
    let mut envelope = Envelope { url, time, truncated: None };
    let Some(at) = find(head, b"HTTP/").filter(|&at| at > end) else {
        return Ok(message::content(envelope, Some("text/html"), page));
    };
    let header = |line: &[u8]| {
        let line = String::from_utf8_lossy(line).into_owned();
        line.get(..5).is_some_and(|name| name.eq_ignore_ascii_case("date:")).then_some(line)
    };
    if envelope.time.is_none() {
        let date = head.split(|&b| b == b'\n').find_map(header);
        envelope.time = date.and_then(|line| http_date(&line[5..]));
    }
    let block = [head[at..].trim_ascii_end(), b"\n\n", page].concat();
    message::response(envelope, &block)
}

/// Content of the first element of this name, and what follows it.
fn element<'a>(text: &'a [u8], name: &str) -> Option<(&'a [u8], &'a [u8])> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let start = find(text, open.as_bytes())? + open.len();
    let length = find(&text[start..], close.as_bytes())?;
    Some((&text[start..start + length], &text[start + length + close.len()..]))
}

/// The URL of a document that has only a number.
fn home(number: &str) -> Option<Url> {
    let path = escaped(number.as_bytes());
    Url::parse(&format!("{HOME}{path}")).ok().filter(|_| !number.is_empty())
}
