//! Messages (RFC 5322) and their parts (RFC 2045): headers, parameters, bodies. A reader of our own,
//! because what it needs of charsets, limits and formats is here already.

mod encoded;

pub(super) use encoded::words;
use encoded::{base64, quoted_printable};

/// Most headers of one part that are read.
const MOST_HEADERS: usize = 1_000;
/// Most bytes that are searched for the end of the headers.
const MOST_HEAD: usize = 1 << 20;

/// Headers by which a message is known.
const KNOWN: &[&[u8]] = &[
    b"from:",
    b"to:",
    b"subject:",
    b"date:",
    b"received:",
    b"return-path:",
    b"message-id:",
    b"mime-version:",
    b"delivered-to:",
    b"content-type:",
    b"reply-to:",
    b"sender:",
    b"x-mailer:",
    b"x-mozilla-status:",
    b"envelope-to:",
    b"delivery-date:",
];

/// Whether text begins as a message: lines of headers only, two of them known.
pub(super) fn is(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4_096)];
    let mut known = 0;
    for line in head.split(|b| *b == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let name = line.iter().position(|b| *b == b':').map(|colon| &line[..=colon]);
        match name {
            _ if known >= 2 => return true,
            _ if line.starts_with(b" ") || line.starts_with(b"\t") => {}
            Some(name) if name.iter().all(u8::is_ascii_graphic) => {
                known += usize::from(KNOWN.iter().any(|known| name.eq_ignore_ascii_case(known)));
            }
            _ => return false,
        }
    }
    false
}

/// A message or one of its parts.
#[derive(Clone, Debug)]
pub(super) struct MailPart<'a> {
    headers: Vec<(String, Vec<u8>)>,
    /// What stands behind the headers, as it is.
    pub(super) raw: &'a [u8],
}

impl<'a> MailPart<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> MailPart<'a> {
        let mut headers: Vec<(String, Vec<u8>)> = Vec::new();
        let mut at = 0;
        while at < bytes.len().min(MOST_HEAD) {
            let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n + 1);
            let line = bytes[at..end].trim_ascii_end();
            at = end;
            if line.is_empty() {
                break;
            }
            let is_folded = line.starts_with(b" ") || line.starts_with(b"\t");
            match headers.last_mut().filter(|_| is_folded) {
                Some((_, value)) => {
                    value.push(b' ');
                    value.extend_from_slice(line.trim_ascii_start());
                }
                None => headers.extend(header(line)),
            }
            headers.truncate(MOST_HEADERS);
        }
        MailPart { headers, raw: &bytes[at.min(bytes.len())..] }
    }

    fn bytes_of(&self, name: &str) -> Option<&[u8]> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_slice())
    }

    /// The first header of this name (in lower case), encoded words decoded.
    pub(super) fn header(&self, name: &str) -> String {
        self.bytes_of(name).map(words).unwrap_or_default()
    }

    /// The media type in lower case; plain text when none is named.
    pub(super) fn media(&self) -> String {
        let value = self.header("content-type");
        let media = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if media.contains('/') { media } else { "text/plain".to_owned() }
    }

    /// A parameter of a header, such as the boundary of Content-Type.
    pub(super) fn parameter(&self, header: &str, name: &str) -> Option<String> {
        let value = self.header(header);
        pieces(&value).find_map(|piece| {
            let (key, value) = piece.split_once('=')?;
            let key = key.trim().trim_end_matches('*');
            // RFC 2231 cuts long values into name*0, name*1, …; the first holds what matters.
            let key = key.strip_suffix("*0").unwrap_or(key);
            let value = value.trim().trim_matches('"');
            key.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    }

    /// The name of the file that a part is, if it is one.
    pub(super) fn file_name(&self) -> Option<String> {
        let named = self.parameter("content-disposition", "filename");
        named.or_else(|| self.parameter("content-type", "name")).map(|name| encoded::percent(&name))
    }

    /// The body, its transfer encoding taken off.
    pub(super) fn body(&self) -> Vec<u8> {
        match self.header("content-transfer-encoding").trim().to_ascii_lowercase().as_str() {
            "base64" => base64(self.raw),
            "quoted-printable" => quoted_printable(self.raw, false),
            _ => self.raw.to_vec(),
        }
    }

    /// The parts between the boundaries; at most `most`.
    pub(super) fn parts(&self, most: usize) -> Vec<MailPart<'a>> {
        let Some(boundary) = self.parameter("content-type", "boundary").filter(|b| !b.is_empty())
        else {
            return Vec::new();
        };
        let mark = format!("--{boundary}");
        let mut parts = Vec::new();
        let mut start = None;
        for at in memchr::memmem::find_iter(self.raw, mark.as_bytes()) {
            if at > 0 && self.raw[at - 1] != b'\n' || parts.len() >= most {
                continue;
            }
            if let Some(start) = start {
                parts.push(MailPart::parse(&self.raw[start..at]));
            }
            let rest = &self.raw[at + mark.len()..];
            let line = memchr::memchr(b'\n', rest).map_or(rest.len(), |n| n + 1);
            let is_last = rest.starts_with(b"--");
            start = (!is_last).then_some((at + mark.len() + line).min(self.raw.len()));
        }
        // A message that was cut has no last boundary.
        if let Some(start) = start.filter(|_| parts.len() < most) {
            parts.push(MailPart::parse(&self.raw[start..]));
        }
        parts
    }
}

fn header(line: &[u8]) -> Option<(String, Vec<u8>)> {
    let colon = line.iter().position(|b| *b == b':')?;
    let name = String::from_utf8_lossy(&line[..colon]).trim().to_ascii_lowercase();
    Some((name, line[colon + 1..].trim_ascii().to_vec()))
}

/// A header's value cut at semicolons that stand outside quotes.
fn pieces(value: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    value.split(move |c| {
        is_quoted ^= c == '"';
        c == ';' && !is_quoted
    })
}

/// A date as mail has it ("Sat, 27 Mar 2010 12:11:32 +0000") in ISO 8601; empty when it is none.
pub(super) fn date(value: &str) -> String {
    const MONTHS: &str = "janfebmaraprmayjunjulaugsepoctnovdec";
    let words: Vec<&str> = value.split([' ', ',', '\t']).filter(|word| !word.is_empty()).collect();
    let is_month = |word: &&str| {
        word.is_ascii()
            && word.len() >= 3
            && MONTHS.find(&word[..3].to_ascii_lowercase()).is_some_and(|at| at % 3 == 0)
    };
    let Some(at) = words.iter().position(is_month).filter(|at| *at > 0) else {
        return String::new();
    };
    let month = MONTHS.find(&words[at][..3].to_ascii_lowercase()).unwrap_or(0) / 3 + 1;
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u32>().ok());
    let (Some(day @ 1..=31), Some(year)) = (number(at - 1), number(at + 1)) else {
        return String::new();
    };
    let year = match year {
        0..=49 => year + 2_000,
        50..=99 => year + 1_900,
        _ => year.min(9_999),
    };
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_known_by_its_headers() {
        let check = |text: &str, expected| assert_eq!(is(text.as_bytes()), expected, "{text}");
        check("Return-path: <a@b>\r\nTo: c\r\n d\r\nSubject: x\r\n\r\nbody", true);
        check("Subject: eels\n\nbody", false);
        check("Dear Sir: hello\nFrom: me\nTo: you\n", false);
        check("", false);
    }

    #[test]
    fn headers_parameters_and_parts_are_read() {
        let mail = b"Subject: =?utf-8?q?=C5=BEaba?=\r\n in a pond\r\n\
            Content-Type: multipart/mixed; x=\"a;b\";\r\n\tboundary=\"=-1\"\r\n\r\npreamble\r\n\
            --=-1\r\nContent-Type: text/plain\r\n\r\none\r\n--=-1\r\n\r\ntwo\r\n--=-1--\r\n--=-1\r\nx";
        let part = MailPart::parse(mail);
        assert_eq!(part.header("subject"), "žaba in a pond");
        assert_eq!(part.media(), "multipart/mixed");
        assert_eq!(part.parameter("content-type", "Boundary").as_deref(), Some("=-1"));
        let bodies: Vec<&[u8]> = part.parts(9).iter().map(|part| part.raw).collect();
        assert_eq!(bodies, [&b"one\r\n"[..], b"two\r\n", b""]);
    }

    #[test]
    fn dates_are_read() {
        let check = |text, expected| assert_eq!(date(text), expected, "{text}");
        check("Sat, 27 Mar 2010 12:11:32 +0000", "2010-03-27");
        check("3 Jan 98 08:00 GMT", "1998-01-03");
        check("Mar", "");
        check("yesterday", "");
    }
}
