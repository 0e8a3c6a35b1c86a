//! ASCII85Decode and ASCIIHexDecode: bytes written as letters.

use super::super::lexer::{hex_digit, is_space};
use super::DecodeParameters;

pub(super) fn hexadecimal(packed: &[u8], _: &DecodeParameters, most: usize) -> Vec<u8> {
    let digits =
        packed.iter().take_while(|&&byte| byte != b'>').filter_map(|&byte| hex_digit(byte));
    let digits: Vec<u8> = digits.take(most.saturating_mul(2)).collect();
    digits.chunks(2).map(|two| two[0] << 4 | two.get(1).copied().unwrap_or(0)).collect()
}

pub(super) fn base85(packed: &[u8], _: &DecodeParameters, most: usize) -> Vec<u8> {
    let packed = packed.strip_prefix(b"<~").unwrap_or(packed);
    let mut out = Vec::new();
    let mut group = Vec::with_capacity(5);
    for &byte in packed.iter().filter(|&&byte| !is_space(byte)) {
        match byte {
            b'z' if group.is_empty() => out.extend([0; 4]),
            b'!'..=b'u' => group.push(u32::from(byte - b'!')),
            _ => break,
        }
        if group.len() == 5 {
            out.extend(word(&group).to_be_bytes());
            group.clear();
        }
        if out.len() >= most {
            break;
        }
    }
    if group.len() > 1 {
        let kept = group.len() - 1;
        group.resize(5, 84);
        out.extend(&word(&group).to_be_bytes()[..kept]);
    }
    out.truncate(most);
    out
}

fn word(group: &[u32]) -> u32 {
    group.iter().fold(0, |value, &digit| value.wrapping_mul(85).wrapping_add(digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(unpack: super::super::UnpackStream, packed: &str, expected: &[u8]) {
        let plain = DecodeParameters::new(None, &Clone::clone);
        assert_eq!(unpack(packed.as_bytes(), &plain, 1000), expected, "{packed}");
    }

    #[test]
    fn letters_become_bytes() {
        check(base85, "87cURD]i,\"Ebo80~>", b"Hello World!");
        check(base85, "z 87cUR D]~>", b"\0\0\0\0Hello");
        check(base85, "", b"");
        check(hexadecimal, "48 65 6c6C 6F>77", b"Hello");
        check(hexadecimal, "7>", b"p");
    }
}
