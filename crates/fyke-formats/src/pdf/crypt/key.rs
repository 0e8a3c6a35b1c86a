//! The key of a file from the empty password: algorithms 2, 4 and 5 of ISO 32000-1 §7.6.3, 2.A and
//! 2.B of ISO 32000-2 §7.6.4.

use super::super::file::PdfFile;
use super::super::object::Dict;
use super::ciphers;
use md5::{Digest, Md5};
use sha2::{Sha256, Sha384, Sha512};

/// What stands for the missing characters of a password.
pub(super) const PADDING: [u8; 32] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
    0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
];

/// The key, if the empty password opens the file.
pub(super) fn derive(
    file: &PdfFile,
    dict: &Dict,
    trailer: &Dict,
    metadata: bool,
) -> Option<Vec<u8>> {
    let revision = file.get(dict, "R").integer()?;
    let text = |key: &str| file.get(dict, key).text().map(<[u8]>::to_vec);
    let user = text("U")?;
    if revision >= 5 {
        return modern(&user, &text("UE")?, revision);
    }
    let bits = file.get(dict, "Length").count().unwrap_or(40);
    let length = match (revision, file.get(dict, "V").integer()) {
        (2, _) => 5,
        (_, Some(4)) => 16,
        // Some writers count bytes.
        _ if bits < 40 => bits.max(5),
        _ => (bits / 8).clamp(5, 16),
    };
    let id = file.get(trailer, "ID");
    let id = id.array().first().map(|id| file.resolve(id)).unwrap_or_default();
    let id = id.text().unwrap_or_default();
    let rights = file.get(dict, "P").integer()? as u32;
    let mut seed = [&PADDING[..], &text("O")?, &rights.to_le_bytes(), id].concat();
    if revision >= 4 && !metadata {
        seed.extend([0xFF; 4]);
    }
    let mut key = Md5::digest(&seed);
    if revision >= 3 {
        for _ in 0..50 {
            key = Md5::digest(&key[..length]);
        }
    }
    let key = &key[..length];
    opens(key, &user, id, revision).then(|| key.to_vec())
}

/// Whether `key` makes the entry `/U`.
fn opens(key: &[u8], user: &[u8], id: &[u8], revision: i64) -> bool {
    if revision == 2 {
        return ciphers::rc4(key, &PADDING) == user;
    }
    let mut check = Md5::digest([&PADDING[..], id].concat()).to_vec();
    for round in 0..20 {
        let turned: Vec<u8> = key.iter().map(|byte| byte ^ round).collect();
        check = ciphers::rc4(&turned, &check);
    }
    user.get(..16) == Some(&check)
}

/// Revisions 5 and 6: the key is stored, encrypted by a hash of the password.
fn modern(user: &[u8], stored: &[u8], revision: i64) -> Option<Vec<u8>> {
    let (hash, check_salt, key_salt) = (user.get(..32)?, user.get(32..40)?, user.get(40..48)?);
    let digest =
        |salt: &[u8]| if revision == 5 { Sha256::digest(salt).to_vec() } else { hardened(salt) };
    (digest(check_salt) == hash)
        .then(|| ciphers::decrypt(&digest(key_salt), &[0; 16], &stored[..32.min(stored.len())]))
}

/// Algorithm 2.B for the empty password: at least 64 rounds of AES and a hash that AES chooses.
fn hardened(salt: &[u8]) -> Vec<u8> {
    let mut key = Sha256::digest(salt).to_vec();
    let mut round = 0u8;
    loop {
        let block = key.repeat(64);
        let mixed = ciphers::encrypt(&key[..16], &key[16..32], &block);
        let choice = mixed[..16].iter().map(|&byte| u32::from(byte)).sum::<u32>() % 3;
        key = match choice {
            0 => Sha256::digest(&mixed).to_vec(),
            1 => Sha384::digest(&mixed).to_vec(),
            _ => Sha512::digest(&mixed).to_vec(),
        };
        let last = mixed.last().copied().unwrap_or(0);
        if round >= 63 && last <= round - 32 || round == u8::MAX {
            key.truncate(32);
            return key;
        }
        round += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_entry_does_not_open() {
        assert!(!opens(&[1; 5], &[2; 32], b"id", 2));
        assert!(!opens(&[1; 16], &[2; 32], b"id", 3));
        assert_eq!(modern(&[0; 48], &[0; 32], 6), None);
        assert_eq!(modern(&[0; 4], &[0; 32], 5), None);
    }
}
