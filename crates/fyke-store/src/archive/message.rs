//! The message inside a record: an HTTP response as it came over the wire, or bare content. A
//! capture's payload has no transfer encoding, so chunks are taken off here; the content encoding
//! stays on, but a header that names one which the archive has already taken off is renamed.

use super::{Skip, SkippedRecord, TakenCapture};
use crate::warc::http::{self, HeadLines};
use fyke_web::{Capture, Url};

/// What a record says around its message.
pub(super) struct Envelope {
    pub(super) url: Url,
    pub(super) time: Option<i64>,
    pub(super) truncated: Option<String>,
}

/// The capture of an HTTP response.
pub(super) fn response(envelope: Envelope, block: &[u8]) -> Result<TakenCapture, SkippedRecord> {
    let none = || {
        SkippedRecord::new(
            Skip::Message,
            format!("{}: no HTTP head, or one that does not end", envelope.url),
        )
    };
    let http::StoredHead { status, mut headers, length } = http::parse(block).ok_or_else(none)?;
    let body = &block[length..];
    let mut truncated = envelope.truncated;
    let payload = match is_chunked(&block[..length]).then(|| unchunk(body)).flatten() {
        Some((payload, whole)) => {
            if !whole && truncated.is_none() {
                truncated = Some("disconnect".to_owned());
            }
            payload
        }
        None => body.to_vec(),
    };
    disown_encoding(&mut headers, &payload);
    let Envelope { url, time, .. } = envelope;
    let capture = Capture { url, time: time.unwrap_or(0), status, headers, payload, truncated };
    Ok(TakenCapture { capture, is_dated: time.is_some() })
}

/// The capture of content that came without HTTP.
pub(super) fn content(envelope: Envelope, media: Option<&str>, payload: &[u8]) -> TakenCapture {
    let media = media.map(str::trim).filter(|media| !media.is_empty());
    let headers = media.map(|media| ("Content-Type".to_owned(), media.to_owned()));
    let Envelope { url, time, truncated } = envelope;
    let capture = Capture {
        url,
        time: time.unwrap_or(0),
        status: 200,
        headers: headers.into_iter().collect(),
        payload: payload.to_vec(),
        truncated,
    };
    TakenCapture { capture, is_dated: time.is_some() }
}

/// Whether the head itself names chunks. A renamed header says that they are off already, and
/// reading gives it its old name back, so the lines are looked at.
fn is_chunked(head: &[u8]) -> bool {
    let HeadLines { lines, .. } = http::split_head(head).unwrap_or_default();
    lines.iter().filter_map(|line| http::field(line)).any(|(name, value)| {
        name.eq_ignore_ascii_case("transfer-encoding")
            && value.to_ascii_lowercase().contains("chunked")
    })
}

/// Takes chunks off, and says whether the last one came. None when the body is not in chunks at
/// all, as some archives have it in spite of the header.
fn unchunk(mut body: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut payload = Vec::with_capacity(body.len());
    let mut is_first = true;
    loop {
        let size = chunk_size(&mut body);
        match size {
            None if is_first => return None,
            None => return Some((payload, false)),
            Some(0) => return Some((payload, true)),
            Some(size) if size > body.len() => {
                payload.extend_from_slice(body);
                return Some((payload, false));
            }
            Some(size) => {
                payload.extend_from_slice(&body[..size]);
                body = &body[size..];
                body = body.strip_prefix(b"\r\n").or(body.strip_prefix(b"\n")).unwrap_or(body);
            }
        }
        is_first = false;
    }
}

/// Takes the line in front of a chunk off: its size, in hexadecimal digits.
fn chunk_size(body: &mut &[u8]) -> Option<usize> {
    let end = memchr::memchr(b'\n', &body[..body.len().min(1024)])?;
    let line = std::str::from_utf8(&body[..end]).ok()?;
    let digits = line.split(';').next()?.trim();
    let is_hex = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let size = usize::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    *body = &body[end + 1..];
    Some(size)
}

/// Renames a Content-Encoding that is plainly not on the payload any more.
fn disown_encoding(headers: &mut [(String, String)], payload: &[u8]) {
    for (name, value) in headers {
        let magic: &[u8] = match value.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => &[0x1f, 0x8b],
            "zstd" => &[0x28, 0xb5, 0x2f, 0xfd],
            _ => continue,
        };
        let is_off = !payload.is_empty() && !payload.starts_with(magic);
        if name.eq_ignore_ascii_case("content-encoding") && is_off {
            name.insert_str(0, "X-Crawler-");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_off_as_far_as_they_are_chunks() {
        let check = |body: &str, expected: Option<(&str, bool)>| {
            let expected = expected.map(|(text, whole)| (text.as_bytes().to_vec(), whole));
            assert_eq!(unchunk(body.as_bytes()), expected, "{body:?}");
        };
        check("4\r\nWiki\r\n5;x=y\r\npedia\r\n0\r\n\r\n", Some(("Wikipedia", true)));
        check("4\nWiki\n0\n\n", Some(("Wiki", true)));
        check("4\r\nWiki", Some(("Wiki", false)));
        check("9\r\nWiki", Some(("Wiki", false)));
        check("4\r\nWiki\r\nwrong\r\n", Some(("Wiki", false)));
        check("<html>\n", None);
        check("+4\r\nWiki\r\n", None);
        check("ffffffffffffffffff\r\nWiki", None);
        check("", None);
    }

    fn taken(head: &str, body: &[u8]) -> Capture {
        let url = Url::parse("http://a.test/").unwrap();
        let envelope = Envelope { url, time: Some(1), truncated: None };
        let block = [format!("HTTP/1.1 200 OK\r\n{head}\r\n").as_bytes(), body].concat();
        response(envelope, &block).unwrap().capture
    }

    #[test]
    fn only_encodings_that_are_on_are_taken_off() {
        let chunks = b"2\r\nab\r\n0\r\n\r\n";
        assert_eq!(taken("Transfer-Encoding: chunked\r\n", chunks).payload, b"ab");
        assert_eq!(taken("X-Crawler-Transfer-Encoding: chunked\r\n", chunks).payload, chunks);
        let plain = taken("Content-Encoding: gzip\r\n", b"<html>");
        assert_eq!(
            (plain.header("content-encoding"), plain.body(99)),
            (None, (b"<html>".as_slice().into(), false))
        );
        let packed = taken("Content-Encoding: gzip\r\n", b"\x1f\x8b..");
        assert_eq!(packed.header("content-encoding"), Some("gzip"));
        assert_eq!(
            taken("Transfer-Encoding: chunked\r\n", b"9\r\nab").truncated.as_deref(),
            Some("disconnect")
        );
    }
}
