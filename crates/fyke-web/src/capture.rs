//! What the network gave us for one URL at one time: the first state of a page, and ground truth.

use crate::Url;
use std::borrow::Cow;
use std::io::{ErrorKind, Read};

/// Content encodings that may lie on top of each other.
const MOST_ENCODINGS: usize = 3;
/// Largest window of a zstd frame, as a power of two; what RFC 9659 allows on the web.
const ZSTD_WINDOW: u32 = 23;
/// How a member of a gzip file begins.
const GZIP: &[u8] = b"\x1f\x8b";

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

    /// Whether its status says that what was asked for came with it: 200, and those that say how it came to be (201, 203)
    /// or that it is a part (206).
    #[must_use]
    pub fn has_content(&self) -> bool {
        matches!(self.status, 200 | 201 | 203 | 206)
    }

    /// The same answer with the page as it stood after its scripts had run, in UTF-8, in the place of its source.
    /// `cut`: why that is not all of it.
    #[must_use]
    pub fn rendered(&self, markup: Vec<u8>, cut: Option<String>) -> Capture {
        const OF_SOURCE: [&str; 4] =
            ["content-type", "content-encoding", "content-length", "transfer-encoding"];
        let is_kept = |(name, _): &&(String, String)| {
            !OF_SOURCE.iter().any(|of_source| name.eq_ignore_ascii_case(of_source))
        };
        let mut headers: Vec<_> = self.headers.iter().filter(is_kept).cloned().collect();
        headers.push(("Content-Type".to_owned(), "text/html; charset=utf-8".to_owned()));
        let Capture { url, time, status, .. } = self;
        let (url, time, status) = (url.clone(), *time, *status);
        Capture { url, time, status, headers, payload: markup, truncated: cut }
    }

    /// Where it leads, if it is a redirect (301, 302, 303, 307, 308); in words, why it leads nowhere.
    #[must_use]
    pub fn redirect(&self) -> Option<Result<Url, String>> {
        matches!(self.status, 301..=303 | 307 | 308).then(|| {
            let location = self.header("location").ok_or("a redirect without Location")?;
            self.url.join(location).map_err(|error| format!("redirect: {error}"))
        })
    }

    /// The body with its content encoding (gzip, deflate, br, zstd) taken off, at most `limit`
    /// bytes; `true` when something had to be cut or could not be decoded.
    #[must_use]
    pub fn body(&self, limit: usize) -> (Cow<'_, [u8]>, bool) {
        let (body, came) = self.unpacked(limit);
        (body, came != Came::Whole)
    }

    /// As [`Capture::body`], telling apart what was cut and what could not be decoded.
    #[must_use]
    pub fn unpacked(&self, limit: usize) -> (Cow<'_, [u8]>, Came) {
        let names = self.header_values("content-encoding").flat_map(|value| value.split(','));
        let encodings: Vec<Unpack> = names.filter_map(|name| unpacker(name.trim())).collect();
        if encodings.is_empty() || encodings.len() > MOST_ENCODINGS {
            let came = match encodings.is_empty() {
                true if self.payload.len() > limit => Came::Cut,
                true => Came::Whole,
                false => Came::Broken,
            };
            return (Cow::Borrowed(&self.payload[..self.payload.len().min(limit)]), came);
        }
        let mut came = Came::Whole;
        let mut body = Cow::Borrowed(self.payload.as_slice());
        // The last encoding named was put on last, so it comes off first.
        for encoding in encodings.iter().rev() {
            let (decoded, this) = unpack(&body, *encoding, limit);
            body = Cow::Owned(decoded);
            // What was cut by one is broken for the next.
            came = if came == Came::Whole { this } else { came };
        }
        (body, came)
    }
}

/// How a body came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Came {
    Whole,
    /// There is more than was asked for.
    Cut,
    /// The content encoding breaks off before its end.
    Short,
    /// It is not in the content encoding that it names.
    Broken,
}

/// Takes an encoding off, up to a limit.
type Unpack = fn(&[u8], usize) -> (Vec<u8>, Came);

/// How an encoding comes off. Any other name ("utf-8", "none", "binary") is one that nobody can mean:
/// browsers take such a body as it is.
fn unpacker(encoding: &str) -> Option<Unpack> {
    match encoding.to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" => Some(gunzip),
        "deflate" | "x-deflate" => Some(inflate),
        "br" => Some(|packed, limit| drain(brotli::Decompressor::new(packed, 4_096), limit)),
        "zstd" => Some(|packed, limit| unzstd(packed, limit).unwrap_or((Vec::new(), Came::Broken))),
        _ => None,
    }
}

/// Takes one content encoding off, and says how it came through. Bytes that are not in the encoding
/// named (servers do lie) come back as they are; nothing is nothing in every encoding.
fn unpack(packed: &[u8], encoding: Unpack, limit: usize) -> (Vec<u8>, Came) {
    if packed.is_empty() {
        return (Vec::new(), Came::Whole);
    }
    match encoding(packed, limit) {
        (unpacked, Came::Broken) if unpacked.is_empty() => {
            (packed[..packed.len().min(limit)].to_vec(), Came::Broken)
        }
        unpacked => unpacked,
    }
}

/// All members of a gzip file, at most `limit` bytes. What follows a member and is none itself (zeros
/// that fill a block, junk) is passed over, as gzip does it.
pub fn gunzip(mut packed: &[u8], limit: usize) -> (Vec<u8>, Came) {
    let mut out = Vec::new();
    loop {
        let mut member = flate2::bufread::GzDecoder::new(packed);
        let came = drain_into(&mut out, &mut member, limit);
        packed = member.into_inner();
        if came != Came::Whole || !packed.starts_with(GZIP) {
            return (out, came);
        }
    }
}

/// "deflate" is zlib by the standard and bare deflate by many servers; the header tells.
fn inflate(packed: &[u8], limit: usize) -> (Vec<u8>, Came) {
    match packed {
        [a, b, ..] if a & 15 == 8 && u16::from_be_bytes([*a, *b]) % 31 == 0 => {
            drain(flate2::bufread::ZlibDecoder::new(packed), limit)
        }
        _ => drain(flate2::bufread::DeflateDecoder::new(packed), limit),
    }
}

fn unzstd(packed: &[u8], limit: usize) -> std::io::Result<(Vec<u8>, Came)> {
    let mut decoder = zstd::stream::read::Decoder::with_buffer(packed)?;
    decoder.window_log_max(ZSTD_WINDOW)?;
    Ok(drain(decoder, limit))
}

fn drain(mut source: impl Read, limit: usize) -> (Vec<u8>, Came) {
    let mut out = Vec::new();
    let came = drain_into(&mut out, &mut source, limit);
    (out, came)
}

/// Reads to the end, to the first error or to the limit. Never asks for more memory than it fills.
fn drain_into(out: &mut Vec<u8>, source: &mut impl Read, limit: usize) -> Came {
    let mut buffer = [0; 16_384];
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Came::Whole,
            Ok(n) => {
                let room = limit - out.len();
                out.extend_from_slice(&buffer[..n.min(room)]);
                if n > room {
                    return Came::Cut;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof && !out.is_empty() => {
                return Came::Short;
            }
            Err(_) => return Came::Broken,
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
        check("br,br,br,br", b"<p>plain".to_vec(), b"<p>plain", true);
    }

    #[test]
    fn a_name_that_is_no_encoding_means_none() {
        for name in ["none", "utf-8", "UTF-8", "binary", "identity", "7bit", "", " , "] {
            check(name, b"<p>plain".to_vec(), b"<p>plain", false);
        }
        check("gzip, utf-8", gzip(b"reeds"), b"reeds", false);
        check("gzip", Vec::new(), b"", false);
    }

    #[test]
    fn what_follows_a_whole_gzip_member_is_passed_over() {
        for junk in [&[0; 512][..], b"\n", b"<!-- cached -->"] {
            check("gzip", [gzip(b"reeds"), junk.to_vec()].concat(), b"reeds", false);
        }
        check("gzip", [gzip(b"reeds"), b"\x1f\x8b junk".to_vec()].concat(), b"reeds", true);
    }

    #[test]
    fn what_was_cut_and_what_cannot_be_decoded_are_told_apart() {
        let came = |encoding: &str, payload| capture(encoding, payload).unpacked(100).1;
        assert_eq!(came("gzip", gzip(&[b'a'; 101])), Came::Cut);
        assert_eq!(came("gzip, gzip", gzip(&gzip(&[b'a'; 5_000_000]))), Came::Cut);
        assert_eq!(came("gzip", b"<p>plain".to_vec()), Came::Broken);
        assert_eq!(came("gzip", gzip(b"reeds")[..20].to_vec()), Came::Short);
        assert_eq!(came("gzip", gzip(b"reeds")[..9].to_vec()), Came::Broken);
        let mut damaged = gzip(&b"reeds and rushes ".repeat(5));
        damaged[14] ^= 0x55;
        assert_eq!(came("gzip", damaged), Came::Broken);
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
