//! Numbers in as few bytes as they need, seven bits to a byte, the low ones first.

use std::io::{self, ErrorKind};

pub(super) fn write(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A number from the bytes that `next` gives.
#[inline]
pub(super) fn read(mut next: impl FnMut() -> io::Result<u8>) -> io::Result<u32> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let byte = next()?;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(ErrorKind::InvalidData.into())
}

/// Takes a byte from the front.
#[inline]
pub(super) fn byte(bytes: &mut &[u8]) -> io::Result<u8> {
    let (byte, rest) = bytes.split_first().ok_or(ErrorKind::UnexpectedEof)?;
    *bytes = rest;
    Ok(*byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(values: Vec<u32>, noise: Vec<u8>) {
            let mut out = Vec::new();
            values.iter().for_each(|value| write(&mut out, *value));
            let mut bytes = &out[..];
            for value in values {
                prop_assert_eq!(read(|| byte(&mut bytes)).ok(), Some(value));
            }
            prop_assert!(bytes.is_empty());
            let mut noise = &noise[..];
            while read(|| byte(&mut noise)).is_ok() {}
        }
    }
}
