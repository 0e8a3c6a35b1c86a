//! The HTTP head inside a record: status line and headers, written from a capture and read back.
//!
//! A capture's payload has no transfer encoding any more and may be cut, so `Transfer-Encoding` and
//! a `Content-Length` that no longer holds are renamed to `X-Crawler-…`, as archive tools do, and
//! the true length follows at once. Reading takes both steps back.

use fyke_web::Capture;
use std::fmt::Write;

const MARK: &str = "X-Crawler-";
/// Largest head of a response that is read, and most lines in it: an archive may hold anything.
const MOST_HEAD: usize = 1 << 20;
const MOST_LINES: usize = 10_000;

/// Status line, headers and the blank line of a response.
pub(crate) fn head(capture: &Capture) -> String {
    let mut head = String::with_capacity(512);
    let status = capture.status;
    let _ = write!(head, "HTTP/1.1 {status} {}\r\n", phrase(status));
    let length = capture.payload.len();
    for (name, value) in &capture.headers {
        let name = name.trim();
        let wrong_length =
            name.eq_ignore_ascii_case("content-length") && value.trim() != length.to_string();
        let replaced = wrong_length || name.eq_ignore_ascii_case("transfer-encoding");
        if replaced || starts_with(name, MARK) {
            head.push_str(MARK);
        }
        push_clean(&mut head, name, &[':']);
        head.push_str(": ");
        push_clean(&mut head, value.trim(), &[]);
        head.push_str("\r\n");
        if replaced {
            let _ = write!(head, "Content-Length: {length}\r\n");
        }
    }
    head.push_str("\r\n");
    head
}

/// The same for a record that leaves the payload out: lengths and codings stay as they came, for they speak of it.
pub(crate) fn head_of_revisit(capture: &Capture) -> String {
    let mut head = format!("HTTP/1.1 {} {}\r\n", capture.status, phrase(capture.status));
    for (name, value) in &capture.headers {
        push_clean(&mut head, name.trim(), &[':']);
        head.push_str(": ");
        push_clean(&mut head, value.trim(), &[]);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    head
}

/// Copies text, its control characters (no header may end another) and `also` made underscores.
fn push_clean(head: &mut String, text: &str, also: &[char]) {
    head.extend(text.chars().map(|c| if c.is_control() || also.contains(&c) { '_' } else { c }));
}

/// The head of a response: status, headers as received, and where the payload starts.
#[derive(Debug, PartialEq)]
pub(crate) struct StoredHead {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) length: usize,
}

/// Reads the head off a response; none when there is none, or it is beyond all measure.
pub(crate) fn parse(block: &[u8]) -> Option<StoredHead> {
    let HeadLines { lines, length } = split_head(&block[..block.len().min(MOST_HEAD)])?;
    let mut lines = lines.into_iter();
    let mut words = lines.next()?.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if words.len() < 2 || !words[0].starts_with("HTTP/") {
        return None;
    }
    let status = words.swap_remove(1).parse().ok()?;
    let mut headers = Vec::new();
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        let Some((name, value)) = field(&line) else { continue };
        let original = name.get(MARK.len()..).filter(|_| starts_with(name, MARK)).unwrap_or("");
        let replaced = ["content-length", "transfer-encoding"]
            .iter()
            .any(|known| original.eq_ignore_ascii_case(known));
        if replaced {
            lines.next_if(|next| starts_with(next, "content-length:"));
        }
        let name = if replaced || starts_with(original, MARK) { original } else { name };
        headers.push((name.to_owned(), value.to_owned()));
    }
    Some(StoredHead { status, headers, length })
}

/// A head.
#[derive(Debug, Default)]
pub(crate) struct HeadLines {
    pub(crate) lines: Vec<String>,
    /// Its bytes with the blank line.
    pub(crate) length: usize,
}

/// The lines up to the blank line. A line that is no UTF-8 is read as Latin-1.
pub(crate) fn split_head(block: &[u8]) -> Option<HeadLines> {
    let mut lines = Vec::new();
    let mut start = 0;
    loop {
        let end = start + memchr::memchr(b'\n', &block[start..])?;
        let line = block[start..end].strip_suffix(b"\r").unwrap_or(&block[start..end]);
        start = end + 1;
        if line.is_empty() {
            return Some(HeadLines { lines, length: start });
        }
        if lines.len() >= MOST_LINES {
            return None;
        }
        lines.push(match std::str::from_utf8(line) {
            Ok(text) => text.to_owned(),
            Err(_) => line.iter().copied().map(char::from).collect(),
        });
    }
}

/// "Name: value" of a header line.
pub(crate) fn field(line: &str) -> Option<(&str, &str)> {
    line.split_once(':').map(|(name, value)| (name.trim(), value.trim()))
}

/// Prefix test that ignores ASCII case.
fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// The usual words after a status; they carry no meaning.
fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        403 => "Forbidden",
        404 => "Not Found",
        410 => "Gone",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_web::Url;

    fn check(headers: &[(&str, &str)], expected: &str) {
        let headers: Vec<_> = headers.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        let capture = Capture {
            url: Url::parse("http://a.test/").unwrap(),
            time: 0,
            status: 200,
            headers,
            payload: b"12345".to_vec(),
            truncated: None,
        };
        let head = head(&capture);
        assert_eq!(head, format!("HTTP/1.1 200 OK\r\n{expected}\r\n"));
        let expected = StoredHead { status: 200, headers: capture.headers, length: head.len() };
        assert_eq!(parse(head.as_bytes()), Some(expected));
    }

    #[test]
    fn a_head_that_still_holds_is_written_as_it_came() {
        check(&[], "");
        check(&[("content-length", "5"), ("X", "")], "content-length: 5\r\nX: \r\n");
    }

    #[test]
    fn transfer_encoding_and_wrong_lengths_are_renamed_and_come_back() {
        check(
            &[("transfer-encoding", "chunked"), ("Content-Length", "5")],
            "X-Crawler-transfer-encoding: chunked\r\nContent-Length: 5\r\nContent-Length: 5\r\n",
        );
        check(
            &[("Content-Length", "9000"), ("ETag", "\"ž\"")],
            "X-Crawler-Content-Length: 9000\r\nContent-Length: 5\r\nETag: \"ž\"\r\n",
        );
        check(&[("x-crawler-content-length", "5")], "X-Crawler-x-crawler-content-length: 5\r\n");
    }

    #[test]
    fn a_header_cannot_end_the_head() {
        let mut text = String::new();
        push_clean(&mut text, "a\r\n\r\n<b>\0", &[]);
        assert_eq!(text, "a____<b>_");
    }

    #[test]
    fn heads_of_others_are_read_leniently() {
        let block = b"HTTP/1.0 404\nBad line\nName : \xe9t\xe9\n\nrest";
        let head = parse(block).unwrap();
        assert_eq!(head.status, 404);
        assert_eq!(head.headers, [("Name".to_owned(), "été".to_owned())]);
        assert_eq!(&block[head.length..], b"rest");
        let many = ["HTTP/1.1 200 OK\n", &"a: b\n".repeat(MOST_LINES), "\n"].concat();
        let long = format!("HTTP/1.1 200 OK\na: {}\n\n", "b".repeat(MOST_HEAD));
        assert_eq!((parse(many.as_bytes()), parse(long.as_bytes())), (None, None));
        for bad in [&b""[..], b"HTTP/1.1 200 OK\r\n", b"\r\n\r\n", b"HTTP/1.1 x y\r\n\r\n"] {
            assert_eq!(parse(bad), None);
        }
    }
}
