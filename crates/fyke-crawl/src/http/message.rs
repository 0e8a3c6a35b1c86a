//! The head of an HTTP/1 answer: where it ends, what it says, how its body is framed (RFC 9112). Pure; what
//! breaks the rules without doing harm is borne, as browsers bear it.

use httparse::{ParserConfig, Status};
use std::mem::MaybeUninit;
use std::time::Duration;

/// Headers of one head at most.
const HEADERS: usize = 256;

/// What an answer says before its body.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ResponseHead {
    pub(super) status: u16,
    /// As they came, in their order and case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) framing: Framing,
    /// For how long the server keeps the connection: `None` when it does not say; a second less than
    /// it says, as its clock started earlier; nothing when it closes.
    pub(super) kept_for: Option<Duration>,
}

/// How the end of a body is known (RFC 9112, 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// There is no body.
    Nothing,
    Length(u64),
    Chunked,
    /// It ends with the connection.
    Close,
}

impl ResponseHead {
    /// It only says that another head follows.
    pub(super) fn is_interim(&self) -> bool {
        matches!(self.status, 100 | 102..=199)
    }
}

/// The length of the head at the start of `bytes`, its blank line included; `from` bytes of it are known
/// to hold no end.
pub(super) fn end_of_head(bytes: &[u8], from: usize) -> Option<usize> {
    let ends = memchr::memchr_iter(b'\n', &bytes[from..]).map(|n| from + n + 1);
    ends.into_iter().find_map(|end| match &bytes[end..] {
        [b'\n', ..] => Some(end + 1),
        [b'\r', b'\n', ..] => Some(end + 2),
        _ => None,
    })
}

/// Whether `bytes` can be the beginning of an answer: else it is no use to wait for its end.
pub(super) fn may_begin(bytes: &[u8]) -> bool {
    bytes.iter().zip(b"HTTP/1.").all(|(found, expected)| found == expected)
}

/// Reads a whole head.
pub(super) fn read(bytes: &[u8]) -> Result<ResponseHead, String> {
    let mut headers = [const { MaybeUninit::uninit() }; HEADERS];
    let mut answer = httparse::Response::new(&mut []);
    let mut config = ParserConfig::default();
    config
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_multiple_spaces_in_response_status_delimiters(true)
        .ignore_invalid_headers_in_responses(true);
    match config.parse_response_with_uninit_headers(&mut answer, bytes, &mut headers) {
        Ok(Status::Complete(_)) => {}
        Ok(Status::Partial) => return Err("the head has no end".to_owned()),
        Err(error) => return Err(format!("the head cannot be read: {error}")),
    }
    let status = answer.code.filter(|status| *status >= 100).ok_or("the status is no status")?;
    let is_new = answer.version == Some(1);
    let headers: Vec<_> =
        answer.headers.iter().map(|row| (row.name.to_owned(), text(row.name, row.value))).collect();
    let framing = framing(status, is_new, &headers)?;
    let kept_for = kept_for(status, is_new, &headers);
    Ok(ResponseHead { status, headers, framing, kept_for })
}

/// Headers whose value is a URL, or holds one.
const WITH_URL: [&str; 4] = ["location", "content-location", "link", "refresh"];

/// A value as text; one that was folded becomes a line. What is not UTF-8 is Latin-1; in a URL such a byte stays
/// the byte it is, as browsers have it.
pub(super) fn text(name: &str, value: &[u8]) -> String {
    let text = match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) if WITH_URL.iter().any(|url| url.eq_ignore_ascii_case(name)) => {
            let escaped = |byte: &u8| match byte.is_ascii() {
                true => char::from(*byte).to_string(),
                false => format!("%{byte:02X}"),
            };
            value.iter().map(escaped).collect()
        }
        Err(_) => value.iter().map(|byte| char::from(*byte)).collect(),
    };
    match text.contains(['\r', '\n']) {
        true => text.lines().map(str::trim).collect::<Vec<_>>().join(" "),
        false => text,
    }
}

/// All values of a header, its lists taken apart.
fn values<'a>(
    headers: &'a [(String, String)],
    name: &'static str,
) -> impl Iterator<Item = &'a str> + 'a {
    let of_name = headers.iter().filter(move |(found, _)| found.eq_ignore_ascii_case(name));
    of_name.flat_map(|(_, value)| value.split(',')).map(str::trim)
}

fn framing(status: u16, is_new: bool, headers: &[(String, String)]) -> Result<Framing, String> {
    if matches!(status, 100..=199 | 204 | 304) {
        return Ok(Framing::Nothing);
    }
    let coding = values(headers, "transfer-encoding").last().filter(|_| is_new);
    if let Some(coding) = coding {
        let is_chunked = coding.eq_ignore_ascii_case("chunked");
        return Ok(if is_chunked { Framing::Chunked } else { Framing::Close });
    }
    let mut length = None;
    for value in values(headers, "content-length") {
        let is_number = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
        let number: Option<u64> = value.parse().ok().filter(|_| is_number);
        let number = number.ok_or_else(|| format!("a length of {value:?}"))?;
        if length.is_some_and(|before| before != number) {
            return Err("two different lengths".to_owned());
        }
        length = Some(number);
    }
    Ok(length.map_or(Framing::Close, Framing::Length))
}

fn kept_for(status: u16, is_new: bool, headers: &[(String, String)]) -> Option<Duration> {
    let says =
        |word: &str| values(headers, "connection").any(|value| value.eq_ignore_ascii_case(word));
    if status == 101 || says("close") || !is_new && !says("keep-alive") {
        return Some(Duration::ZERO);
    }
    let parameters = values(headers, "keep-alive").flat_map(|value| value.split(';'));
    let timeout = |(name, seconds): (&str, &str)| {
        let is_timeout = name.trim().eq_ignore_ascii_case("timeout");
        is_timeout.then(|| seconds.trim().trim_matches('"').parse().ok()).flatten()
    };
    let found = parameters.filter_map(|parameter| parameter.split_once('=')).find_map(timeout);
    found.map(|seconds: u64| Duration::from_secs(seconds.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*, sample::select};

    fn head(text: &str) -> Result<ResponseHead, String> {
        assert_eq!(end_of_head(text.as_bytes(), 0), Some(text.len()), "{text}");
        read(text.as_bytes())
    }

    #[test]
    fn a_server_says_how_long_it_keeps_a_connection() {
        let check = |version: &str, connection: &str, keep_alive: &str, expected: Option<u64>| {
            let text = format!(
                "HTTP/1.{version} 200 OK\r\nConnection: {connection}\r\nKeep-Alive: {keep_alive}\r\n\r\n"
            );
            let found = head(&text).expect("a head").kept_for;
            assert_eq!(found, expected.map(Duration::from_secs), "{connection} | {keep_alive}");
        };
        check("1", "", "", None);
        check("1", "keep-alive", "timeout=5, max=100", Some(4));
        check("1", "", "max=100, Timeout = \"15\"", Some(14));
        check("1", "", "timeout=0", Some(0));
        check("1", "", "timeout=-1", None);
        check("1", "", "timeout=99999999999999999999", None);
        check("1", "upgrade, Close", "timeout=5", Some(0));
        check("0", "", "timeout=5", Some(0));
        check("0", "Keep-Alive", "timeout=5", Some(4));
    }

    #[test]
    fn the_end_of_a_body_is_told_by_the_rules() {
        let check = |line: &str, headers: &str, expected: Option<Framing>| {
            let text = format!("HTTP/{line}\r\n{headers}\r\n");
            assert_eq!(head(&text).map(|head| head.framing).ok(), expected, "{text}");
        };
        check("1.1 200 OK", "Content-Length: 5\r\n", Some(Framing::Length(5)));
        check("1.1 200", "content-length:5,5\r\nContent-Length: 05\r\n", Some(Framing::Length(5)));
        check("1.1 200 OK", "Content-Length: 5\r\nContent-Length: 6\r\n", None);
        check("1.1 200 OK", "Content-Length: +5\r\n", None);
        check("1.1 200 OK", "Content-Length:\r\n", None);
        check("1.1 200 OK", "Content-Length: 99999999999999999999\r\n", None);
        check("1.1 200 OK", "", Some(Framing::Close));
        check("1.1 204 None", "Content-Length: 5\r\n", Some(Framing::Nothing));
        check("1.1 304 Same", "Transfer-Encoding: chunked\r\n", Some(Framing::Nothing));
        let both = "Content-Length: 5\r\nTransfer-Encoding: gzip, Chunked\r\n";
        check("1.1 200 OK", both, Some(Framing::Chunked));
        check("1.0 200 OK", both, Some(Framing::Length(5)));
        check("1.1 200 OK", "Transfer-Encoding: chunked, gzip\r\n", Some(Framing::Close));
        check("1.1 099 OK", "", None);
        check("2.0 200 OK", "", None);
    }

    #[test]
    fn headers_keep_their_order_and_case_and_folded_ones_become_lines() {
        let found =
            head("HTTP/1.1  200  OK\nB: 1\nX-Ünfit: 2\naB : \t3 \nC: x\n  y\r\n\tz\nB: 4\n\n");
        let expected = [("B", "1"), ("aB", "3"), ("C", "x y z"), ("B", "4")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(found.expect("a head").headers, expected);
    }

    #[test]
    fn values_that_are_not_utf_8_are_latin_1_and_urls_keep_their_bytes() {
        let check = |name: &str, value: &[u8], expected: &str| {
            assert_eq!(text(name, value), expected, "{name} {value:?}");
        };
        check("Location", b"/caf\xE9?q=\xFC", "/caf%E9?q=%FC");
        check("location", "/café".as_bytes(), "/café");
        check("Link", b"</caf\xE9>; rel=next", "</caf%E9>; rel=next");
        check("X-Author", b"Ren\xE9", "René");
    }

    #[test]
    fn only_the_beginning_of_an_answer_is_waited_for() {
        for text in ["", "H", "HTTP/1.", "HTTP/1.1 200"] {
            assert!(may_begin(text.as_bytes()), "{text}");
        }
        for text in ["h", "HTTP/2", "220 ready", "\r\nHTTP/1.1", "SSH-2.0"] {
            assert!(!may_begin(text.as_bytes()), "{text}");
        }
    }

    const PIECES: [&str; 16] = [
        "HTTP/1.1 200 OK",
        "HTTP/1.0 ",
        "100",
        "\r\n",
        "\n",
        "\r\n\r\n",
        "Content-Length",
        ":",
        " ",
        "5",
        ",",
        "Transfer-Encoding: chunked",
        "Keep-Alive: timeout=",
        "é",
        "\0",
        "\t",
    ];

    proptest! {
        #[test]
        fn any_bytes_are_a_head_or_none_and_the_end_is_found_from_anywhere_before_it(
            pieces in vec(select(&PIECES), 0..40),
            noise in vec(any::<u8>(), 0..20),
        ) {
            let bytes = [pieces.concat().as_bytes(), &noise].concat();
            let end = end_of_head(&bytes, 0);
            if let Some(end) = end {
                let _ = read(&bytes[..end]);
                // The line before the last began before its last two bytes.
                prop_assert_eq!(end_of_head(&bytes, end.saturating_sub(3)), Some(end));
            }
            let _ = read(&bytes);
        }
    }
}
