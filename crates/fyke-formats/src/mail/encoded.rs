//! Encodings of mail: quoted-printable, base64, encoded words in headers (RFC 2047), percent signs in
//! parameters (RFC 2231).

use encoding_rs::Encoding;
use fyke_web::charset;
use fyke_web::url::hex_digit;

/// Bytes of base64; what is no digit of it is passed over.
pub(super) fn base64(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for byte in bytes {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held & 0xFF) as u8);
        }
    }
    out
}

/// Bytes of quoted-printable; in headers an underscore is a space.
pub(super) fn quoted_printable(bytes: &[u8], in_header: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, after) {
            (b'=', [b'\r', b'\n', more @ ..] | [b'\n', more @ ..]) => rest = more,
            (b'=', [high, low, more @ ..]) => match (hex_digit(*high), hex_digit(*low)) {
                (Some(high), Some(low)) => {
                    out.push(high << 4 | low);
                    rest = more;
                }
                _ => out.push(byte),
            },
            (b'_', _) if in_header => out.push(b' '),
            _ => out.push(byte),
        }
    }
    out
}

/// A header's value with its encoded words decoded; white space between two of them goes.
pub(in super::super) fn words(value: &[u8]) -> String {
    let value = charset::read(value.into(), None).text;
    let mut out = String::with_capacity(value.len());
    let mut rest = &*value;
    let mut after_word = false;
    while let Some(at) = rest.find("=?") {
        let (before, word) = rest.split_at(at);
        if !(after_word && before.trim().is_empty()) {
            out.push_str(before);
        }
        match encoded_word(word) {
            Some((text, length)) => {
                out.push_str(&text);
                rest = &word[length..];
                after_word = true;
            }
            None => {
                out.push_str("=?");
                rest = &word[2..];
                after_word = false;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The word `=?charset?encoding?text?=` at the head of `text`, and its length.
fn encoded_word(text: &str) -> Option<(String, usize)> {
    /// Longer ones are none, so that each is looked for in bounded time.
    const LONGEST: usize = 1_000;
    let inside = &text[2..text.floor_char_boundary(LONGEST.min(text.len()))];
    let (label, rest) = inside.split_once('?')?;
    let (encoding, rest) = rest.split_once('?')?;
    let (word, _) = rest.split_once("?=")?;
    let bytes = match encoding {
        "b" | "B" => base64(word.as_bytes()),
        "q" | "Q" => quoted_printable(word.as_bytes(), true),
        _ => return None,
    };
    // RFC 2231 may add a language behind a star.
    let label = label.split('*').next().unwrap_or(label);
    let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::WINDOWS_1252);
    let length = 2 + (inside.len() - rest.len()) + word.len() + 2;
    Some((encoding.decode_without_bom_handling(&bytes).0.into_owned(), length))
}

/// A parameter as RFC 2231 writes it: `utf-8'en'%C5%BEaba.pdf`.
pub(super) fn percent(value: &str) -> String {
    let mut pieces = value.splitn(3, '\'');
    let (Some(label), Some(_), Some(text)) = (pieces.next(), pieces.next(), pieces.next()) else {
        return value.to_owned();
    };
    let Some(encoding) = Encoding::for_label(label.as_bytes()) else { return value.to_owned() };
    encoding.decode_without_bom_handling(&super::super::percent::decoded(text)).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfer_encodings_come_off() {
        assert_eq!(base64(b"cmVl\r\nZHM="), b"reeds");
        assert_eq!(base64(b"!cmV"), b"re");
        assert_eq!(quoted_printable(b"=C5=BEaba=\r\n_x=\n=ZZ=", false), "žaba_x=ZZ=".as_bytes());
    }

    #[test]
    fn encoded_words_are_decoded() {
        let check = |text: &str, expected| assert_eq!(words(text.as_bytes()), expected, "{text}");
        check("=?UTF-8?B?xb5hYmE=?= =?iso-8859-2?q?=BEaba_x?=", "žabažaba x");
        check("a =?utf-8?q?b?= c", "a b c");
        check("=?utf-8?x?b?= =?", "=?utf-8?x?b?= =?");
        assert_eq!(percent("utf-8''%C5%BEaba.pdf"), "žaba.pdf");
        assert_eq!(percent("it's"), "it's");
    }
}
