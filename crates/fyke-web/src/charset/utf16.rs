//! UTF-16 without a mark. Whatever its script, text has spaces, line ends or digits: there every second
//! octet is a zero, which no text in any other encoding has, and it is always the same one of the two.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// How much of a text is looked at, in octets.
const HEAD: usize = 2_048;
/// Of so many characters one at least has a zero.
const RARE: usize = 100;
/// So many characters at least are needed.
const LEAST: usize = 4;

/// The encoding, if `bytes` seem to be UTF-16.
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<&'static Encoding> {
    let pairs = bytes[..bytes.len().min(HEAD)].as_chunks::<2>().0;
    let zeros = |place: usize| pairs.iter().filter(|pair| pair[place] == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    let is_enough = |zeros: usize| zeros > 0 && zeros * RARE >= pairs.len();
    let (encoding, of): (_, fn([u8; 2]) -> u16) = match (first, second) {
        _ if pairs.len() < LEAST => return None,
        (zeros, 0) if is_enough(zeros) => (UTF_16BE, u16::from_be_bytes),
        (0, zeros) if is_enough(zeros) => (UTF_16LE, u16::from_le_bytes),
        _ => return None,
    };
    let units: Vec<u16> = pairs.iter().map(|pair| of(*pair)).collect();
    is_text(&units).then_some(encoding)
}

/// Whether these are characters that texts have. The last may be half of a pair that was cut.
fn is_text(units: &[u16]) -> bool {
    let mut read = char::decode_utf16(units.iter().copied()).peekable();
    while let Some(next) = read.next() {
        let is_fine = match next {
            Ok('\t' | '\n' | '\r' | '\u{c}') => true,
            Ok('\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FFFE}' | '\u{FFFF}') => {
                false
            }
            Ok(c) => !c.is_control(),
            Err(_) => read.peek().is_none(),
        };
        if !is_fine {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn octets(text: &str, is_big: bool) -> Vec<u8> {
        let of = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(of).collect()
    }

    #[test]
    fn texts_of_every_script_are_known_in_either_order() {
        for text in [
            "plain",
            "Это русский текст о рыбах и реках.",
            "Το δίχτυ μπαίνει στο ποτάμι το βράδυ",
            "晚上把网放进河里，\n早上再收起来。",
            "तीन मछलियाँ नदी में",
            "рыба 🐟 рыба",
        ] {
            assert_eq!(detect(&octets(text, true)), Some(UTF_16BE), "{text}");
            assert_eq!(detect(&octets(text, false)), Some(UTF_16LE), "{text}");
        }
    }

    #[test]
    fn what_is_no_text_is_not_taken_for_it() {
        let numbers: Vec<u8> = (1_u16..200).flat_map(u16::to_le_bytes).collect();
        for bytes in [&b""[..], b"a\0", b"plain text", b"\0\0a\0b\0c\0", b"a\0b\0\0c\0d", &numbers]
        {
            assert_eq!(detect(bytes), None, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_without_zeros_is_taken_for_it(bytes in proptest::collection::vec(1_u8.., 0..300)) {
            prop_assert_eq!(detect(&bytes), None);
        }
    }
}
