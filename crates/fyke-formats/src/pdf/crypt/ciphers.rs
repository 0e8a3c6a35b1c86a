//! AES with blocks chained (CBC), and RC4, as the ciphers of PDF use them. What they read is paid for in fuel.

use aes::cipher::consts::U16;
use aes::cipher::{Array, BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use aes::{Aes128, Aes256};
use rc4::{KeyInit, Rc4, StreamCipher};

type CipherBlock = Array<u8, U16>;

/// RC4: the same call encrypts and decrypts.
pub(super) fn rc4(key: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    if let Ok(mut cipher) = Rc4::new_from_slice(key) {
        cipher.apply_keystream(&mut out);
    }
    out
}

/// AES of 128 bits without padding; a last block that is not whole is dropped.
pub(super) fn encrypt(key: &[u8], start: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut out = whole_blocks(bytes);
    if let Ok(mut cipher) = cbc::Encryptor::<Aes128>::new_from_slices(key, start) {
        cipher.encrypt_blocks(CipherBlock::slice_as_chunks_mut(&mut out).0);
    }
    out
}

/// AES without padding, by a key of 16 or 32 bytes, else nothing; a last block that is not whole is dropped.
pub(super) fn decrypt(key: &[u8], start: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut out = whole_blocks(bytes);
    let blocks = CipherBlock::slice_as_chunks_mut(&mut out).0;
    if let Ok(mut cipher) = cbc::Decryptor::<Aes128>::new_from_slices(key, start) {
        cipher.decrypt_blocks(blocks);
    } else if let Ok(mut cipher) = cbc::Decryptor::<Aes256>::new_from_slices(key, start) {
        cipher.decrypt_blocks(blocks);
    } else {
        out.clear();
    }
    out
}

fn whole_blocks(bytes: &[u8]) -> Vec<u8> {
    bytes[..bytes.len() - bytes.len() % 16].to_vec()
}

/// A string or stream: its first block starts the chain, its end is padded.
pub(super) fn unchain(key: &[u8], bytes: &[u8]) -> Vec<u8> {
    let Some((start, rest)) = bytes.split_at_checked(16) else { return Vec::new() };
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

    #[test]
    fn the_example_of_the_standard_comes_out() {
        let key: Vec<u8> = (0..16).collect();
        let plain: Vec<u8> = (0..16).map(|at| at * 0x11).collect();
        let secret = encrypt(&key, &[0; 16], &plain);
        assert_eq!(secret[..4], [0x69, 0xC4, 0xE0, 0xD8]);
        assert_eq!(decrypt(&key, &[0; 16], &secret), plain);
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
        for length in 0..40 {
            unchain(&vec![1; length], &whole);
            rc4(&vec![1; length], &whole);
        }
    }
}
