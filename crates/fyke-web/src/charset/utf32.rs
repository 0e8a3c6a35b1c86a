//! UTF-32, which the web's standard does not have but files do: by its byte order mark, or by the
//! zeros that every character has.

/// What is looked at for zeros.
const HEAD: usize = 256;
/// So many characters are enough where the last octets are no whole one.
const MANY: usize = 8;

/// In which order the octets of a character come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OctetOrder {
    Big,
    Little,
}

/// The order of octets, and the length of the mark, if `bytes` seem to be UTF-32.
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<(OctetOrder, usize)> {
    match bytes {
        [0, 0, 0xFE, 0xFF, ..] => return Some((OctetOrder::Big, 4)),
        // As UTF-16 it would be a mark and a null character, which no text begins with.
        [0xFF, 0xFE, 0, 0, ..] => return Some((OctetOrder::Little, 4)),
        _ => {}
    }
    let head = bytes[..bytes.len().min(HEAD)].as_chunks::<4>().0;
    // What was cut in the middle of a character is known by its first ones.
    if head.len() < 2 || head.len() < MANY && !bytes.len().is_multiple_of(4) {
        return None;
    }
    let is_character = |code: u32| code != 0 && char::from_u32(code).is_some();
    let fits = |order: OctetOrder| head.iter().all(|unit| is_character(code(*unit, order)));
    [OctetOrder::Big, OctetOrder::Little]
        .into_iter()
        .find(|order| fits(*order))
        .map(|order| (order, 0))
}

/// Octets as text, and whether some were no characters.
#[must_use]
pub fn decode(bytes: &[u8], order: OctetOrder) -> (String, bool) {
    let (units, rest) = bytes.as_chunks::<4>();
    let mut replaced = !rest.is_empty();
    let read = units.iter().map(|unit| {
        let read = char::from_u32(code(*unit, order));
        replaced |= read.is_none();
        read.unwrap_or(char::REPLACEMENT_CHARACTER)
    });
    let text = read.collect();
    (text, replaced)
}

impl OctetOrder {
    /// The order that a label names; UTF-32 alone is big-endian.
    #[must_use]
    pub fn for_label(label: &str) -> Option<OctetOrder> {
        match label.trim().to_ascii_lowercase().as_str() {
            "utf-32" | "utf-32be" | "utf32" | "ucs-4" | "iso-10646-ucs-4" => Some(OctetOrder::Big),
            "utf-32le" => Some(OctetOrder::Little),
            _ => None,
        }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            OctetOrder::Big => "UTF-32BE",
            OctetOrder::Little => "UTF-32LE",
        }
    }
}

fn code(unit: [u8; 4], order: OctetOrder) -> u32 {
    match order {
        OctetOrder::Big => u32::from_be_bytes(unit),
        OctetOrder::Little => u32::from_le_bytes(unit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_in_either_order_is_read(text in "[^\\x00]{2,40}") {
            for order in [OctetOrder::Big, OctetOrder::Little] {
                let octets = |c: char| match order {
                    OctetOrder::Big => u32::from(c).to_be_bytes(),
                    OctetOrder::Little => u32::from(c).to_le_bytes(),
                };
                let bytes: Vec<u8> = text.chars().flat_map(octets).collect();
                prop_assert_eq!(decode(&bytes, order), (text.clone(), false));
                prop_assert_eq!(detect(&bytes).is_some(), true);
            }
        }
    }

    #[test]
    fn other_text_is_not_taken_for_it() {
        for bytes in [&b""[..], b"plain text", b"\xFF\xFEa\0b\0", b"a\0b\0c\0d\0", b"\0a\0b\0c\0d"]
        {
            assert_eq!(detect(bytes), None, "{bytes:?}");
        }
        let cut: Vec<u8> = "cut in two".chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        assert_eq!(detect(&cut[..cut.len() - 2]), Some((OctetOrder::Big, 0)));
        assert_eq!(detect(&cut[..10]), None);
        assert_eq!(detect(b"\xFF\xFE\0\0a\0\0\0"), Some((OctetOrder::Little, 4)));
    }
}
