//! WARC 0.17 to 1.1 (ISO 28500) as others write it. A record whose block is longer or shorter than
//! it claims is named; the next one is found by its opening line.

use super::message::{self, Envelope};
use super::source::ArchiveWindow;
use super::{
    FoundRecord, MOST_BLOCK, Skip, SkippedRecord, TakenCapture, digits_date, parse_url, skipped,
};
use crate::warc::http::HeadLines;
use crate::warc::{WarcRecord, http, milliseconds};

/// Longest head of a record.
const MOST_HEAD: usize = 256 * 1024;
/// How a record opens; a version follows.
const OPENING: &[u8] = b"WARC/";
/// Bytes after a block that tell whether it ends where it should.
const TAIL: usize = 64;

/// Whether a file begins with a record, or has one near its damaged start.
pub(super) fn opens(head: &[u8]) -> bool {
    find_opening(head, |at| at == 0).is_some()
}

/// Reads the next record.
pub(super) fn next(source: &mut ArchiveWindow) -> Option<FoundRecord> {
    let spot = match skip_blank(source) {
        Ok(false) => return None,
        Ok(true) => source.spot(),
        Err(what) => return Some(skipped(source.spot(), Skip::Damaged, what)),
    };
    let taken = match read(source) {
        Ok(record) => capture(&record),
        Err(trouble) => Err(trouble),
    };
    Some(FoundRecord { spot, taken })
}

/// Takes line ends off in front of a record; false at the file's end.
fn skip_blank(source: &mut ArchiveWindow) -> Result<bool, String> {
    loop {
        source.fill(1)?;
        let bytes = source.bytes();
        let blank = bytes.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        if bytes.is_empty() {
            return Ok(false);
        }
        let is_done = blank < bytes.len();
        source.take(blank);
        if is_done {
            return Ok(true);
        }
    }
}

fn read(source: &mut ArchiveWindow) -> Result<WarcRecord, SkippedRecord> {
    let damaged = |what: String| SkippedRecord::new(Skip::Damaged, what);
    let Some(RecordHead { headers, length }) = read_head(source).map_err(damaged)? else {
        let passed = seek_opening(source).map_err(damaged)?;
        return Err(damaged(format!("not a WARC record; {passed} bytes skipped")));
    };
    source.take(length);
    let mut record = WarcRecord { headers, block: Vec::new() };
    let claimed = record.header("Content-Length").and_then(|n| n.parse::<u64>().ok());
    let Some(length) = claimed.filter(|length| *length <= MOST_BLOCK as u64) else {
        let passed = seek_opening(source).map_err(damaged)?;
        let url = record.header("WARC-Target-URI").unwrap_or_default();
        return Err(match claimed {
            None => damaged(format!("no Content-Length; {url}")),
            Some(length) => SkippedRecord::new(
                Skip::TooBig,
                format!("it claims {length} bytes, {passed} came; {url}"),
            ),
        });
    };
    record.block = read_block(source, length as usize).map_err(damaged)?;
    Ok(record)
}

fn read_block(source: &mut ArchiveWindow, length: usize) -> Result<Vec<u8>, String> {
    source.fill(length + TAIL)?;
    let bytes = source.bytes();
    let Some(end) = early_end(source, length) else {
        let block = bytes[..length].to_vec();
        source.take(length);
        return Ok(block);
    };
    let why = match end == bytes.len() {
        true => source.ending(),
        false => "the next record opens".to_owned(),
    };
    source.take(end);
    Err(format!("the block claims {length} bytes, after {end} {why}"))
}

/// The head of a record.
struct RecordHead {
    headers: Vec<(String, String)>,
    length: usize,
}

/// Reads a head; none when no record begins here.
fn read_head(source: &mut ArchiveWindow) -> Result<Option<RecordHead>, String> {
    let mut want = 2048;
    loop {
        source.fill(want)?;
        let bytes = source.bytes();
        if find_opening(&bytes[..bytes.len().min(16)], |at| at == 0) != Some(0) {
            return Ok(None);
        }
        if let Some(HeadLines { lines, length }) =
            http::split_head(&bytes[..bytes.len().min(MOST_HEAD)])
        {
            let fields = lines.iter().filter_map(|line| http::field(line));
            let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
            return Ok(Some(RecordHead { headers: fields.map(owned).collect(), length }));
        }
        if bytes.len() < want || want >= MOST_HEAD {
            // No record can open where no head ends: nothing here is worth a second look.
            source.take(bytes.len().min(MOST_HEAD) - 16.min(bytes.len()));
            return Ok(None);
        }
        want *= 2;
    }
}

/// Where a block ends that is shorter than claimed: at the file's end, or where the next record
/// opens inside it while nothing opens after it.
fn early_end(source: &ArchiveWindow, length: usize) -> Option<usize> {
    let bytes = source.bytes();
    let opening = |bytes| find_opening(bytes, |at| at > 0 && source.begins_member(at));
    if bytes.len() < length {
        return Some(opening(bytes).unwrap_or(bytes.len()));
    }
    let tail = &bytes[length..];
    let blank = tail.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
    let is_end = tail.len() == blank || tail[blank..].starts_with(OPENING);
    if is_end { None } else { opening(&bytes[..length]) }
}

/// Takes bytes off up to the next opening line; how many.
fn seek_opening(source: &mut ArchiveWindow) -> Result<u64, String> {
    let mut passed = 0;
    loop {
        // The line that opens the record passed over must not be found again.
        source.fill(MOST_HEAD)?;
        let bytes = source.bytes();
        let at = find_opening(bytes, |at| at > 0 && source.begins_member(at));
        let is_end = bytes.len() < MOST_HEAD;
        let step = match at {
            Some(at) => at,
            None if is_end => bytes.len(),
            None => bytes.len() - 16,
        };
        if is_end && at.is_none() {
            source.ending();
        }
        source.take(step);
        passed += step as u64;
        if at.is_some() || is_end {
            return Ok(passed);
        }
    }
}

/// Where a line opens a record; `is_start` says where a line starts without one that ends before.
fn find_opening(bytes: &[u8], is_start: impl Fn(usize) -> bool) -> Option<usize> {
    memchr::memmem::find_iter(bytes, OPENING).find(|&at| {
        let starts = is_start(at) || (at > 0 && bytes[at - 1] == b'\n');
        let version = &bytes[at + OPENING.len()..];
        starts && matches!(version, [b'0' | b'1', b'.', b'0'..=b'9', ..])
    })
}

fn capture(record: &WarcRecord) -> Result<TakenCapture, SkippedRecord> {
    let kind = record.header("WARC-Type").unwrap_or_default().to_ascii_lowercase();
    let uri = record.header("WARC-Target-URI").unwrap_or_default();
    let media = record.header("Content-Type");
    match kind.as_str() {
        "response" | "resource" | "conversion" => {}
        "revisit" => return Err(SkippedRecord::new(Skip::Revisit, uri.to_owned())),
        "request" => return Err(SkippedRecord::new(Skip::Request, uri.to_owned())),
        _ => return Err(SkippedRecord::new(Skip::Metadata, format!("{kind} {uri}"))),
    }
    let url = parse_url(uri)?;
    let date = record.header("WARC-Date").unwrap_or_default();
    let time = milliseconds(date).or_else(|| digits_date(date));
    let time = Some(
        time.ok_or_else(|| SkippedRecord::new(Skip::Date, format!("{url}: WARC-Date {date:?}")))?,
    );
    let truncated = record.header("WARC-Truncated").map(str::to_owned);
    let envelope = Envelope { url, time, truncated };
    let is_http = media.is_none_or(|media| media.to_ascii_lowercase().contains("application/http"));
    match kind == "response" && is_http {
        true => message::response(envelope, &record.block),
        false => Ok(message::content(envelope, media, &record.block)),
    }
}
