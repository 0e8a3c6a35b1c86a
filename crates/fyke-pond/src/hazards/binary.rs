//! Files that are no text, honest about it or not.

use super::{Hazard, PLAIN, prose};
use crate::{Answer, AnswerKind, Body, Pond};

pub const ROW: Hazard = Hazard {
    name: "binary-files",
    hosts: &["binary.test"],
    what: "An image, an archive, bytes without a type, and noise that calls itself text or HTML. A \
           good crawler keeps none of them as a document.",
    answer: |pond, ask| {
        let (content_type, magic): (_, &[u8]) = match ask.path {
            "/image.png" => ("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
            "/archive.zip" => ("application/zip", b"PK\x03\x04\x14\0\0\0\x08\0"),
            "/blob" => ("application/octet-stream", b"\0\x01\x02\x03"),
            "/noise.txt" => ("text/plain", b"\x7fELF\x02\x01\x01\0"),
            "/noise.html" => ("text/html", b"GIF89a\x01\0\x01\0"),
            _ => return prose::small_host(pond, ask, "Things that are no text", PAGES),
        };
        Some(Answer {
            status: 200,
            headers: vec![("content-type", content_type.into())],
            body: Body::Bytes(noise(pond, ask.path, magic)),
            kind: AnswerKind::Other,
        })
    },
    links: &[("http://binary.test/", "Things that are no text")],
    ..PLAIN
};

const PAGES: &[(&str, &str)] = &[
    ("/image.png", "An image"),
    ("/archive.zip", "An archive"),
    ("/blob", "Bytes"),
    ("/noise.txt", "Noise"),
    ("/noise.html", "More noise"),
];

/// 4 kB that start with a format's mark.
fn noise(pond: &Pond, key: &str, magic: &[u8]) -> Vec<u8> {
    let random = (0..4096).map(|n| u8::try_from(prose::pick(pond, key, n, 256)).unwrap_or(0));
    magic.iter().copied().chain(random).collect()
}
