//! WARC 1.1, the archive format of ISO 28500: what the captures are kept in (D4). A file is a row
//! of gzip members, one a record, so that any record can be read alone and a damaged one passed
//! over.

mod codes;
mod deflate;
pub(crate) mod http;
mod member;
pub mod reader;
pub(crate) mod writer;

pub use reader::{WarcRecord, WarcRecords};
pub use writer::{CaptureOrigin, Packed, Packer, RevisitProfile};

use jiff::Timestamp;

/// SHA-1, which archive tools compare payloads by.
fn sha1(payload: &[u8]) -> [u8; 20] {
    use sha1::Digest;
    sha1::Sha1::digest(payload).into()
}

/// The digest of a payload as archive tools write it: SHA-1 in base32.
pub(crate) fn digest(payload: &[u8]) -> String {
    format!("sha1:{}", base32(&sha1(payload)))
}

/// What a row keeps of it.
fn short(sha1: &[u8; 20]) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&sha1[..16]);
    short
}

/// The digest of a payload that stands in the row of its URL.
#[must_use]
pub fn payload_digest(payload: &[u8]) -> [u8; 16] {
    short(&sha1(payload))
}

/// Base32 of RFC 4648; 20 bytes come out even, so there is no padding.
fn base32(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = String::with_capacity(bytes.len() * 8 / 5);
    for five in bytes.chunks_exact(5) {
        let bits = five.iter().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        for group in (0..8).rev() {
            text.push(char::from(ALPHABET[(bits >> (group * 5) & 31) as usize]));
        }
    }
    text
}

/// WARC-Date with milliseconds: "2026-11-15T07:30:00.125Z".
pub(crate) fn date(milliseconds: i64) -> String {
    let time = Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH);
    format!("{time:.3}")
}

/// Milliseconds since 1970 of a WARC-Date.
pub(crate) fn milliseconds(date: &str) -> Option<i64> {
    date.parse::<Timestamp>().ok().map(Timestamp::as_millisecond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_as_archive_tools_write_them() {
        assert_eq!(digest(b""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(digest(b"hello world"), "sha1:FKXGYNOJJ7H3IFO35FPUBC445EPOQRXN");
    }

    #[test]
    fn dates_carry_milliseconds_and_come_back() {
        for (time, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_795_000_000_125, "2026-11-18T11:06:40.125Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(date(time), text);
            assert_eq!(milliseconds(text), Some(time));
        }
        assert_eq!(milliseconds("2026-11-18T11:06:40Z"), Some(1_795_000_000_000));
        assert_eq!(milliseconds("yesterday"), None);
    }
}
