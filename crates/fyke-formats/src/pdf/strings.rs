//! Strings outside of pages: text in UTF-16, UTF-8 or PDF's own encoding (ISO 32000-1 §7.9.2), and
//! dates (§7.9.4).

use super::font::encoding;
use encoding_rs::{UTF_16BE, UTF_16LE};
use std::sync::LazyLock;

static DOCUMENT: LazyLock<encoding::Encoding> = LazyLock::new(encoding::document);

/// A string for people.
pub(super) fn decode(bytes: &[u8]) -> String {
    let text = match bytes {
        [0xFE, 0xFF, rest @ ..] => UTF_16BE.decode_without_bom_handling(rest).0.into_owned(),
        [0xFF, 0xFE, rest @ ..] => UTF_16LE.decode_without_bom_handling(rest).0.into_owned(),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => {
            let table = &*DOCUMENT;
            bytes.iter().map(|&byte| table[usize::from(byte)]).filter(|&c| c != '\0').collect()
        }
    };
    // A language code may stand between escapes.
    let mut parts = text.split('\u{1B}');
    let mut plain: String = parts.next().unwrap_or_default().to_owned();
    for (position, part) in parts.enumerate() {
        if position % 2 == 1 {
            plain.push_str(part);
        }
    }
    plain.replace('\0', "")
}

/// `D:20240305100000+01'00'` as ISO 8601; empty when it is no date.
pub(super) fn date(text: &str) -> String {
    let text = text.trim().trim_start_matches("D:");
    let digits = text.bytes().take_while(u8::is_ascii_digit).count().min(14);
    let number = |from: usize, to: usize| {
        let digits = Some(to).filter(|&to| to <= digits).and_then(|to| text.get(from..to));
        digits.and_then(|digits| digits.parse::<u32>().ok())
    };
    let Some(year) = number(0, 4).filter(|year| (1900..2200).contains(year)) else {
        return String::new();
    };
    let Some(month) = number(4, 6).filter(|month| (1..=12).contains(month)) else {
        return format!("{year}");
    };
    let Some(day) = number(6, 8).filter(|day| (1..=31).contains(day)) else {
        return format!("{year}-{month:02}");
    };
    let date = format!("{year}-{month:02}-{day:02}");
    match (number(8, 10), number(10, 12)) {
        (Some(hour @ 0..24), Some(minute @ 0..60)) => {
            let second = number(12, 14).filter(|second| *second < 60).unwrap_or(0);
            let zone = zone(text.get(digits..).unwrap_or_default());
            format!("{date}T{hour:02}:{minute:02}:{second:02}{zone}")
        }
        _ => date,
    }
}

fn zone(text: &str) -> String {
    let digits: Vec<u8> =
        text.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    match (text.bytes().next(), digits.get(..2)) {
        (Some(b'Z'), _) => "Z".to_owned(),
        (Some(sign @ (b'+' | b'-')), Some(&[a, b])) => {
            let minutes = digits.get(2..4).unwrap_or(&[0, 0]);
            match (a, b, minutes) {
                (0, 0, [0, 0]) => "Z".to_owned(),
                _ => format!("{}{a}{b}:{}{}", char::from(sign), minutes[0], minutes[1]),
            }
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_read_in_their_encodings() {
        let check = |bytes: &[u8], expected: &str| assert_eq!(decode(bytes), expected);
        check(b"plain \x84 \xE9", "plain — é");
        check(b"\xFE\xFF\x01\x0D\x00a", "ča");
        check(b"\xFF\xFE\x0D\x01", "č");
        check(b"\xEF\xBB\xBF\xC4\x8D", "č");
        check(b"\xFE\xFF\x00\x1B\x00e\x00n\x00\x1B\x00a", "a");
        check(b"\xFE\xFF\xD8", "\u{FFFD}");
    }

    #[test]
    fn dates_become_iso() {
        let check = |text: &str, expected: &str| assert_eq!(date(text), expected, "{text}");
        check("D:20240305100000+01'00'", "2024-03-05T10:00:00+01:00");
        check("D:20240305100000Z", "2024-03-05T10:00:00Z");
        check("D:20240305100000+00'00'", "2024-03-05T10:00:00Z");
        check("20240305", "2024-03-05");
        check("D:202403", "2024-03");
        check("D:2024", "2024");
        check("D:20241305", "2024");
        check("yesterday", "");
        check("", "");
    }
}
