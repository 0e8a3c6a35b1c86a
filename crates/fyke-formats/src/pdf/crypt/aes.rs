//! AES with keys of 128 and 256 bits, blocks chained (FIPS 197, CBC). Plain and small: what it
//! reads is paid for in fuel, and nothing secret depends on its timing.

/// The substitution of bytes, and its inverse.
const BOXES: ([u8; 256], [u8; 256]) = boxes();

type Block = [u8; 16];

const fn double(byte: u8) -> u8 {
    (byte << 1) ^ (if byte & 0x80 != 0 { 0x1B } else { 0 })
}

const fn product(mut left: u8, mut right: u8) -> u8 {
    let mut sum = 0;
    while right != 0 {
        if right & 1 != 0 {
            sum ^= left;
        }
        left = double(left);
        right >>= 1;
    }
    sum
}

/// Products of every byte with the small factors of the columns.
const PRODUCTS: [[u8; 256]; 16] = products();

const fn products() -> [[u8; 256]; 16] {
    let mut table = [[0; 256]; 16];
    let mut at = 0;
    while at < 16 * 256 {
        table[at / 256][at % 256] = product((at % 256) as u8, (at / 256) as u8);
        at += 1;
    }
    table
}

/// Walks the field by a generator (3) and its inverse (0xF6) side by side: each pair is inverse.
const fn boxes() -> ([u8; 256], [u8; 256]) {
    let (mut forward, mut backward) = ([0; 256], [0; 256]);
    let (mut value, mut inverse) = (1u8, 1u8);
    loop {
        let mixed = inverse
            ^ inverse.rotate_left(1)
            ^ inverse.rotate_left(2)
            ^ inverse.rotate_left(3)
            ^ inverse.rotate_left(4)
            ^ 0x63;
        forward[value as usize] = mixed;
        backward[mixed as usize] = value;
        value = product(value, 3);
        inverse = product(inverse, 0xF6);
        if value == 1 {
            break;
        }
    }
    forward[0] = 0x63;
    backward[0x63] = 0;
    (forward, backward)
}

/// The keys of the rounds.
fn expand(key: &[u8]) -> Vec<Block> {
    let words = key.len() / 4;
    let rounds = words + 7;
    let mut bytes = key.to_vec();
    let mut constant = 1u8;
    for word in words..4 * rounds {
        let mut last = [0; 4];
        last.copy_from_slice(&bytes[4 * word - 4..]);
        if word % words == 0 {
            last.rotate_left(1);
            last = last.map(substitute);
            last[0] ^= constant;
            constant = double(constant);
        } else if words == 8 && word % 8 == 4 {
            last = last.map(substitute);
        }
        for (at, byte) in last.into_iter().enumerate() {
            bytes.push(bytes[4 * (word - words) + at] ^ byte);
        }
    }
    bytes.as_chunks().0.to_vec()
}

fn substitute(byte: u8) -> u8 {
    BOXES.0[usize::from(byte)]
}

fn add(block: &mut Block, other: &[u8]) {
    for (byte, other) in block.iter_mut().zip(other) {
        *byte ^= other;
    }
}

/// Multiplies each column by the circulant of `row`.
fn mix(block: &mut Block, row: [u8; 4]) {
    for column in block.as_chunks_mut::<4>().0 {
        let old = *column;
        for (at, byte) in column.iter_mut().enumerate() {
            let term = |k: usize| PRODUCTS[usize::from(row[(4 + k - at) % 4])][usize::from(old[k])];
            *byte = term(0) ^ term(1) ^ term(2) ^ term(3);
        }
    }
}

fn encrypt_block(block: &mut Block, keys: &[Block]) {
    let last = keys.len() - 1;
    add(block, &keys[0]);
    for (round, key) in keys.iter().enumerate().skip(1) {
        let old = block.map(substitute);
        *block = std::array::from_fn(|at| old[(at + 4 * (at % 4)) % 16]);
        if round < last {
            mix(block, [2, 3, 1, 1]);
        }
        add(block, key);
    }
}

fn decrypt_block(block: &mut Block, keys: &[Block]) {
    let last = keys.len() - 1;
    for (round, key) in keys.iter().enumerate().skip(1).rev() {
        add(block, key);
        if round < last {
            mix(block, [14, 11, 13, 9]);
        }
        let old = block.map(|byte| BOXES.1[usize::from(byte)]);
        *block = std::array::from_fn(|at| old[(at + 12 * (at % 4)) % 16]);
    }
    add(block, &keys[0]);
}

/// Chained blocks, without padding. `key` has 16 or 32 bytes.
pub(super) fn encrypt(key: &[u8], start: &[u8], bytes: &[u8]) -> Vec<u8> {
    let keys = expand(key);
    let mut out = Vec::with_capacity(bytes.len());
    let mut before = start.to_vec();
    for block in bytes.as_chunks::<16>().0 {
        let mut block = *block;
        add(&mut block, &before);
        encrypt_block(&mut block, &keys);
        out.extend(block);
        before = block.to_vec();
    }
    out
}

/// Undoes [`encrypt`]; a last block that is not whole is dropped.
pub(super) fn decrypt(key: &[u8], start: &[u8], bytes: &[u8]) -> Vec<u8> {
    let keys = expand(key);
    let mut out = Vec::with_capacity(bytes.len());
    let mut before = start;
    for secret in bytes.as_chunks::<16>().0 {
        let mut block = *secret;
        decrypt_block(&mut block, &keys);
        add(&mut block, before);
        out.extend(block);
        before = secret;
    }
    out
}

/// A string or stream: its first block starts the chain, its end is padded.
pub(super) fn unchain(key: &[u8], bytes: &[u8]) -> Vec<u8> {
    let Some((start, rest)) = bytes.split_at_checked(16) else { return Vec::new() };
    if !matches!(key.len(), 16 | 32) {
        return Vec::new();
    }
    let mut out = decrypt(key, start, rest);
    let padding = out.last().map_or(0, |&last| usize::from(last));
    if (1..=16).contains(&padding) {
        out.truncate(out.len() - padding);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(key_length: u8, expected: [u8; 4]) {
        let key: Vec<u8> = (0..key_length).collect();
        let plain: Vec<u8> = (0..16).map(|at| at * 0x11).collect();
        let secret = encrypt(&key, &[0; 16], &plain);
        assert_eq!(secret[..4], expected);
        assert_eq!(decrypt(&key, &[0; 16], &secret), plain);
    }

    #[test]
    fn the_examples_of_the_standard_come_out() {
        check(16, [0x69, 0xC4, 0xE0, 0xD8]);
        check(32, [0x8E, 0xA2, 0xB7, 0xCA]);
    }

    #[test]
    fn padding_goes_and_damage_does_no_harm() {
        let key = [7; 16];
        let secret = encrypt(&key, &[9; 16], b"twelve bytes\x04\x04\x04\x04");
        let whole = [&[9; 16][..], &secret].concat();
        assert_eq!(unchain(&key, &whole), b"twelve bytes");
        for length in 0..whole.len() {
            assert!(unchain(&key, &whole[..length]).len() <= length);
        }
    }
}
