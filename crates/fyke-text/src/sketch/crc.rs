//! Cyclic redundancy check (003 §3.7): a checksum for which the order of the bytes matters. The polynomial is
//! that of IEEE 802.3, as in gzip and PNG.

use super::SketchMethod;

/// The polynomial 0x04C11DB7 with its bits turned round.
const POLYNOMIAL: u32 = 0xEDB8_8320;

/// What a byte leaves behind.
const TABLE: [u32; 256] = table();

pub(super) const CRC: SketchMethod = SketchMethod {
    name: "crc-32",
    what: "a checksum with order: texts of the same bytes in the same order are the same",
    formula: "remainder of the text, as a polynomial over bits, divided by x^32 + x^26 + x^23 + … + 1",
    make: |text| vec![u64::from(crc(text.raw.as_bytes()))],
    compare: |a, b| f64::from(u8::from(a == b)),
    least: |_| 1.0,
};

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            rest = if rest & 1 == 1 { rest >> 1 ^ POLYNOMIAL } else { rest >> 1 };
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
}

/// The check of some bytes.
#[must_use]
pub fn crc(bytes: &[u8]) -> u32 {
    let next = |rest: u32, &byte: &u8| {
        let at = (rest ^ u32::from(byte)) & 0xFF;
        rest >> 8 ^ TABLE[at as usize]
    };
    !bytes.iter().fold(u32::MAX, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_standard_comes_out_and_order_matters() {
        assert_eq!(crc(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc(b""), 0);
        assert_ne!(crc(b"Tropical fish"), crc(b"fish Tropical"));
    }
}
