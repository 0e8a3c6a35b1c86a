//! SHA-256, SHA-384 and SHA-512 (FIPS 180-4), which the newest keys of PDF are made with.

use std::sync::LazyLock;

/// First 64 bits of the fractions of the cube roots of the first primes.
static CUBE_ROOTS: LazyLock<[u64; 80]> = LazyLock::new(|| roots(3));
/// The same of the square roots.
static SQUARE_ROOTS: LazyLock<[u64; 80]> = LazyLock::new(|| roots(2));

fn is_prime(number: &u128) -> bool {
    (2..*number)
        .take_while(|divisor| divisor * divisor <= *number)
        .all(|d| !number.is_multiple_of(d))
}

/// A number of 70 bits times one of 192, in limbs of 32 bits.
fn product(long: [u64; 7], short: u128) -> [u64; 7] {
    let mut out = [0; 7];
    for (at, factor) in (0..3).map(|limb| (limb, (short >> (32 * limb)) as u64 & 0xFFFF_FFFF)) {
        let mut carry = 0;
        for place in at..7 {
            let sum = long[place - at] * factor + out[place] + carry;
            out[place] = sum & 0xFFFF_FFFF;
            carry = sum >> 32;
        }
    }
    out
}

/// The fractions of the roots, bit by bit: the largest number whose power is still below the prime.
fn roots(degree: usize) -> [u64; 80] {
    let mut primes = (2..).filter(is_prime);
    std::array::from_fn(|_| {
        let prime = primes.next().unwrap_or(0) as u64;
        let mut root = 0u128;
        for bit in (0..70).rev() {
            let tried = root | 1 << bit;
            let power = (0..degree).fold([1, 0, 0, 0, 0, 0, 0], |power, _| product(power, tried));
            // The whole part begins after 64 bits a degree.
            if power[2 * degree] < prime && power[2 * degree + 1..].iter().all(|&limb| limb == 0) {
                root = tried;
            }
        }
        root as u64
    })
}

/// The message, a one, zeros, and its length in bits, in whole blocks.
fn padded(message: &[u8], block: usize) -> Vec<u8> {
    let mut bytes = message.to_vec();
    bytes.push(0x80);
    while bytes.len() % block != block - 8 {
        bytes.push(0);
    }
    // The 128-bit length of the larger blocks has its upper half in the zeros.
    if block == 128 && bytes.len() - message.len() < 9 {
        bytes.resize(bytes.len() + block, 0);
    }
    bytes.extend((message.len() as u64 * 8).to_be_bytes());
    bytes
}

pub(super) fn sha256(message: &[u8]) -> Vec<u8> {
    let mut state: [u32; 8] = std::array::from_fn(|at| (SQUARE_ROOTS[at] >> 32) as u32);
    for block in padded(message, 64).as_chunks::<64>().0 {
        let mut words = [0u32; 64];
        for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for at in 16..64 {
            let (old, new) = (words[at - 15], words[at - 2]);
            let old = old.rotate_right(7) ^ old.rotate_right(18) ^ (old >> 3);
            let new = new.rotate_right(17) ^ new.rotate_right(19) ^ (new >> 10);
            words[at] =
                words[at - 16].wrapping_add(old).wrapping_add(words[at - 7]).wrapping_add(new);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for at in 0..64 {
            let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let constant = ((CUBE_ROOTS[at] >> 32) as u32).wrapping_add(words[at]);
            let first =
                (h.wrapping_add(turned)).wrapping_add((e & f) ^ (!e & g)).wrapping_add(constant);
            let turned = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let second = turned.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e) = (g, f, e, d.wrapping_add(first));
            (d, c, b, a) = (c, b, a, first.wrapping_add(second));
        }
        for (sum, value) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *sum = sum.wrapping_add(value);
        }
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}

pub(super) fn sha512(message: &[u8]) -> Vec<u8> {
    long(message, std::array::from_fn(|at| SQUARE_ROOTS[at]))
}

pub(super) fn sha384(message: &[u8]) -> Vec<u8> {
    let mut digest = long(message, std::array::from_fn(|at| SQUARE_ROOTS[at + 8]));
    digest.truncate(48);
    digest
}

fn long(message: &[u8], mut state: [u64; 8]) -> Vec<u8> {
    for block in padded(message, 128).as_chunks::<128>().0 {
        let mut words = [0u64; 80];
        for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
            *word = u64::from_be_bytes(*bytes);
        }
        for at in 16..80 {
            let (old, new) = (words[at - 15], words[at - 2]);
            let old = old.rotate_right(1) ^ old.rotate_right(8) ^ (old >> 7);
            let new = new.rotate_right(19) ^ new.rotate_right(61) ^ (new >> 6);
            words[at] =
                words[at - 16].wrapping_add(old).wrapping_add(words[at - 7]).wrapping_add(new);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for at in 0..80 {
            let turned = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
            let constant = CUBE_ROOTS[at].wrapping_add(words[at]);
            let first =
                (h.wrapping_add(turned)).wrapping_add((e & f) ^ (!e & g)).wrapping_add(constant);
            let turned = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
            let second = turned.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e) = (g, f, e, d.wrapping_add(first));
            (d, c, b, a) = (c, b, a, first.wrapping_add(second));
        }
        for (sum, value) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *sum = sum.wrapping_add(value);
        }
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(digest: &[u8], expected: &str) {
        let hex: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, expected);
    }

    #[test]
    fn the_digests_of_the_standard_come_out() {
        check(&sha256(b"abc"), "ba7816bf8f01cfea");
        check(&sha384(b"abc"), "cb00753f45a35e8b");
        check(&sha512(b"abc"), "ddaf35a193617aba");
        check(&sha256(&[b'a'; 64]), "ffe054fe7ae0cb6d");
        check(&sha512(&[b'a'; 120]), "f241de612b01aa2f");
    }
}
