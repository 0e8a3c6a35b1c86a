//! Pages that unpack to much are read one at a time: reading takes many times the memory of the page, and
//! a few kilobytes may hold tens of megabytes.

use fyke_web::Capture;
use fyke_web::capture::Came;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes from which a page is large.
const LARGE: usize = 4 << 20;
/// No compression by deflate makes more than so many bytes of one.
const MOST_OF_ONE: usize = 1_032;
/// How files begin that hold others, packed: gzip, zip.
const PACKED: [&[u8]; 2] = [b"\x1f\x8b", b"PK\x03\x04"];

static ALONE: Mutex<()> = Mutex::new(());

/// Waits until no other large page is read, if this one may be large.
pub(crate) fn alone(capture: &Capture) -> Option<MutexGuard<'static, ()>> {
    is_large(capture).then(|| ALONE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Whether a capture is or may be a large page.
fn is_large(capture: &Capture) -> bool {
    let payload = &capture.payload;
    let may_grow = payload.len() > LARGE / MOST_OF_ONE;
    if payload.len() > LARGE || may_grow && PACKED.iter().any(|begin| payload.starts_with(begin)) {
        return true;
    }
    let is_other = |name: &str| matches!(name.trim(), "br" | "zstd");
    let mut encodings = capture.header_values("content-encoding").flat_map(|all| all.split(','));
    let may_be = encodings.any(|name| may_grow || is_other(name));
    may_be && capture.unpacked(LARGE).1 == Came::Cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_web::Url;

    #[test]
    fn what_may_unpack_to_much_is_large() {
        let check = |encoding: &str, payload: Vec<u8>, expected: bool| {
            let headers = vec![("Content-Encoding".to_owned(), encoding.to_owned())];
            let url = Url::parse("http://a.test/").unwrap();
            let length = payload.len();
            let capture = Capture { url, time: 0, status: 200, headers, payload, truncated: None };
            assert_eq!(is_large(&capture), expected, "{encoding} {length}");
        };
        check("", b"<p>eel".repeat(10_000), false);
        check("", vec![b'x'; LARGE + 1], true);
        check("", [b"PK\x03\x04", &[7; 9_000][..]].concat(), true);
        check("", [b"\x1f\x8b", &[7; 9_000][..]].concat(), true);
        check("", b"\x1f\x8b short".to_vec(), false);
        let gzip = |bytes: usize| {
            use std::io::Write;
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            gzip.write_all(&vec![b'x'; bytes]).unwrap();
            gzip.finish().unwrap()
        };
        check("identity", gzip(LARGE * 2), true);
        check("gzip", gzip(LARGE * 2), true);
        check("gzip", gzip(1_000), false);
        check("br", b"no brotli".to_vec(), false);
    }
}
