//! What the network gave us for one URL at one time: the first state of a page, and ground truth.

use crate::Url;
use std::borrow::Cow;
use std::io::Read;

/// Content encodings that may lie on top of each other.
const MOST_ENCODINGS: usize = 3;
/// Largest window of a zstd frame, as a power of two; what RFC 9659 allows on the web.
const ZSTD_WINDOW: u32 = 23;

/// A response as received: status, headers, and the payload with its content encoding still on
/// (transfer encoding taken off). This is what a WARC response record holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The URL asked for, as it was found.
    pub url: Url,
    /// When the response began, in milliseconds since 1970.
    pub time: i64,
    /// HTTP status.
    pub status: u16,
    /// Headers in the order received, names as received.
    pub headers: Vec<(String, String)>,
    /// The payload as received, cut at the fetcher's limit.
    pub payload: Vec<u8>,
    /// Why the payload is shorter than what the server had, if it is: "length", "time",
    /// "disconnect" (the words of WARC-Truncated).
    pub truncated: Option<String>,
}

/// The header that keeps the name which a document had in the collection it was imported from.
pub const DOCNO: &str = "Docno";

/// Bytes of the longest such name.
const LONGEST_DOCNO: usize = 256;

/// Whether a document can be known by this name, in files with white space between names too.
#[must_use]
pub fn is_docno(name: &str) -> bool {
    let fits = (1..=LONGEST_DOCNO).contains(&name.len());
    fits && !name.contains(|c: char| c.is_whitespace() || c.is_control())
}

impl Capture {
    /// The name it had in the collection it was imported from; empty when it had none.
    #[must_use]
    pub fn docno(&self) -> &str {
        self.header(DOCNO).filter(|name| is_docno(name)).unwrap_or_default()
    }

    /// The first header of this name, ASCII case ignored.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.header_values(name).next()
    }

    /// Every header of this name, in order.
    pub fn header_values<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.headers
            .iter()
            .filter(move |(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The body with its content encoding (gzip, deflate, br, zstd) taken off, at most `limit`
    /// bytes; `true` when something had to be cut or could not be decoded.
    #[must_use]
    pub fn body(&self, limit: usize) -> (Cow<'_, [u8]>, bool) {
        let written: Vec<&str> = self.header_values("content-encoding").collect();
        let names: Vec<&str> = written
            .iter()
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"))
            .collect();
        let mut whole = names.len() <= MOST_ENCODINGS;
        let mut body: Option<Vec<u8>> = None;
        // The last encoding named was put on last, so it comes off first.
        for name in names.iter().rev().take(if whole { MOST_ENCODINGS } else { 0 }) {
            let (decoded, complete) = unpack(body.as_deref().unwrap_or(&self.payload), name, limit);
            whole &= complete;
            body = Some(decoded);
        }
        let body = body.map_or_else(
            || {
                whole &= self.payload.len() <= limit;
                Cow::Borrowed(&self.payload[..self.payload.len().min(limit)])
            },
            Cow::Owned,
        );
        (body, !whole)
    }
}

/// Takes one content encoding off, and says whether all of it came through. Bytes that are not in
/// the encoding named (servers do lie) come back as they are.
fn unpack(packed: &[u8], encoding: &str, limit: usize) -> (Vec<u8>, bool) {
    let (unpacked, complete) = match encoding.to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" => gunzip(packed, limit),
        "deflate" | "x-deflate" => inflate(packed, limit),
        "br" => drain(brotli::Decompressor::new(packed, 4_096), limit),
        "zstd" => unzstd(packed, limit).unwrap_or_default(),
        _ => (Vec::new(), false),
    };
    if unpacked.is_empty() && !complete {
        return (packed[..packed.len().min(limit)].to_vec(), false);
    }
    (unpacked, complete)
}

/// All members of a gzip file, at most `limit` bytes, and whether that is all there is.
pub(crate) fn gunzip(packed: &[u8], limit: usize) -> (Vec<u8>, bool) {
    drain(flate2::bufread::MultiGzDecoder::new(packed), limit)
}

/// "deflate" is zlib by the standard and bare deflate by many servers; the header tells.
fn inflate(packed: &[u8], limit: usize) -> (Vec<u8>, bool) {
    match packed {
        [a, b, ..] if a & 15 == 8 && u16::from_be_bytes([*a, *b]) % 31 == 0 => {
            drain(flate2::bufread::ZlibDecoder::new(packed), limit)
        }
        _ => drain(flate2::bufread::DeflateDecoder::new(packed), limit),
    }
}

fn unzstd(packed: &[u8], limit: usize) -> std::io::Result<(Vec<u8>, bool)> {
    let mut decoder = zstd::stream::read::Decoder::with_buffer(packed)?;
    decoder.window_log_max(ZSTD_WINDOW)?;
    Ok(drain(decoder, limit))
}

/// Reads to the end, to the first error or to the limit. Never asks for more memory than it fills.
fn drain(mut source: impl Read, limit: usize) -> (Vec<u8>, bool) {
    let mut out = Vec::new();
    let mut buffer = [0; 16_384];
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return (out, true),
            Ok(n) => {
                let room = limit - out.len();
                out.extend_from_slice(&buffer[..n.min(room)]);
                if n > room {
                    return (out, false);
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return (out, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use proptest::prelude::*;
    use std::io::Write;

    fn capture(encoding: &str, payload: Vec<u8>) -> Capture {
        Capture {
            url: Url::parse("http://a.test/").unwrap(),
            time: 0,
            status: 200,
            headers: vec![("Content-Encoding".into(), encoding.into())],
            payload,
            truncated: None,
        }
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn check(encoding: &str, payload: Vec<u8>, expected: &[u8], cut: bool) {
        assert_eq!(
            capture(encoding, payload).body(1_000),
            (Cow::Borrowed(expected), cut),
            "{encoding}"
        );
    }

    #[test]
    fn every_content_encoding_comes_off() {
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(b"reeds").unwrap();
        let mut bare = DeflateEncoder::new(Vec::new(), Compression::fast());
        bare.write_all(b"reeds").unwrap();
        let mut br = Vec::new();
        brotli::CompressorWriter::new(&mut br, 4_096, 3, 20).write_all(b"reeds").unwrap();
        let zstd = zstd::encode_all(&b"reeds"[..], 1).unwrap();
        check("identity", b"reeds".to_vec(), b"reeds", false);
        check("", b"reeds".to_vec(), b"reeds", false);
        check("gzip", gzip(b"reeds"), b"reeds", false);
        check("X-GZip", gzip(b"reeds"), b"reeds", false);
        check("deflate", zlib.finish().unwrap(), b"reeds", false);
        check("deflate", bare.finish().unwrap(), b"reeds", false);
        check("br", br, b"reeds", false);
        check("zstd", zstd.clone(), b"reeds", false);
        check("zstd, gzip", gzip(&zstd), b"reeds", false);
        check("gzip", [gzip(b"re"), gzip(b"eds")].concat(), b"reeds", false);
    }

    #[test]
    fn a_body_over_the_limit_is_cut_and_says_so() {
        check("gzip", gzip(&vec![b'a'; 5_000_000]), &[b'a'; 1_000], true);
        check("", vec![b'a'; 2_000], &[b'a'; 1_000], true);
        check("gzip", gzip(&[b'a'; 1_000]), &[b'a'; 1_000], false);
    }

    #[test]
    fn a_lie_about_the_encoding_leaves_the_payload() {
        check("gzip", b"<p>plain".to_vec(), b"<p>plain", true);
        check("none", b"<p>plain".to_vec(), b"<p>plain", true);
        check("br,br,br,br", b"<p>plain".to_vec(), b"<p>plain", true);
    }

    #[test]
    fn a_broken_stream_gives_what_came_before_the_break() {
        let mut packed = gzip(b"reeds and rushes");
        packed.truncate(packed.len() - 4);
        check("gzip", packed, b"reeds and rushes", true);
    }

    proptest! {
        #[test]
        fn no_payload_breaks_a_decoder(payload: Vec<u8>, which in 0..5_usize) {
            let name = ["gzip", "deflate", "br", "zstd", "gzip, zstd"][which];
            prop_assert!(capture(name, payload).body(4_096).0.len() <= 4_096);
        }
    }
}
