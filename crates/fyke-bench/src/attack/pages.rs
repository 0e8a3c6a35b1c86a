//! Pages that are made to cost much, a row a kind.

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use std::io::Write as _;

/// A page as it is sent.
#[derive(Clone, Debug, Default)]
pub(super) struct HostilePage {
    pub(super) headers: String,
    pub(super) body: Vec<u8>,
    /// Sent byte by byte.
    pub(super) is_slow: bool,
}

/// A kind of page: its host's name, and a page of about so many bytes, another one for each number.
pub(super) struct HostileKind {
    pub(super) name: &'static str,
    make: fn(u64, usize) -> HostilePage,
}

pub(super) const KINDS: &[HostileKind] = &[
    HostileKind { name: "packed-text", make: packed_text },
    HostileKind { name: "packed-page", make: packed_page },
    HostileKind { name: "gzip-file", make: gzip_file },
    HostileKind { name: "zip-file", make: zip_file },
    HostileKind { name: "pdf-bomb", make: pdf_bomb },
    HostileKind { name: "table", make: |number, size| html(number, "<tr><td>eel<td>7", size) },
    HostileKind { name: "deep", make: |number, size| html(number, "<div><b>e", size) },
    HostileKind {
        name: "comments",
        make: |number, size| html(number, "<li class=comment>e", size),
    },
    HostileKind { name: "long-text", make: long_text },
    HostileKind { name: "many-words", make: many_words },
    HostileKind { name: "many-links", make: many_links },
    HostileKind { name: "rows", make: |number, size| typed("text/csv", number, "a,b\n", size) },
    HostileKind {
        name: "lists",
        make: |number, size| typed("application/json", number, "[\"e\",", size),
    },
    HostileKind { name: "elements", make: |number, size| typed("text/xml", number, "<a>e", size) },
    HostileKind {
        name: "marks",
        make: |number, size| typed("text/markdown", number, "> [a](b) ", size),
    },
    HostileKind { name: "headers", make: headers },
    HostileKind { name: "drip", make: drip },
];

impl HostileKind {
    pub(super) fn page(&self, number: u64, size: usize) -> HostilePage {
        (self.make)(number, size)
    }
}

fn filled(head: &str, piece: &str, size: usize) -> Vec<u8> {
    let mut body = head.as_bytes().to_vec();
    body.extend(piece.repeat(size.checked_div(piece.len()).unwrap_or(0)).bytes());
    body
}

fn typed(kind: &str, number: u64, piece: &str, size: usize) -> HostilePage {
    let head = if kind == "text/xml" {
        format!("<?xml version='1.0'?><x{number}>")
    } else {
        String::new()
    };
    let headers = format!("Content-Type: {kind}\r\n");
    HostilePage { headers, body: filled(&head, piece, size), is_slow: false }
}

fn html(number: u64, piece: &str, size: usize) -> HostilePage {
    let head = format!("<!doctype html><title>{number}</title><p>Page {number} of eels.");
    let headers = "Content-Type: text/html\r\n".to_owned();
    HostilePage { headers, body: filled(&head, piece, size), is_slow: false }
}

fn line(number: u64) -> String {
    format!("eels of river {number} swim to the sea at night and come back as glass\n")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes).and_then(|()| gzip.finish()).unwrap_or_default()
}

fn encoded(kind: &str, plain: &[u8]) -> HostilePage {
    let headers = format!("Content-Type: {kind}\r\nContent-Encoding: gzip\r\n");
    HostilePage { headers, body: gzip(plain), is_slow: false }
}

/// Text that unpacks to half as much again, which is still read.
fn packed_text(number: u64, size: usize) -> HostilePage {
    encoded("text/plain", &filled("", &line(number), size + size / 2))
}

fn packed_page(number: u64, size: usize) -> HostilePage {
    encoded("text/html", &html(number, "<p>eel <a href=/x>y</a>", size).body)
}

/// A file that unpacks to five times as much.
fn gzip_file(number: u64, size: usize) -> HostilePage {
    let headers = "Content-Type: application/gzip\r\n".to_owned();
    HostilePage { headers, body: gzip(&filled("", &line(number), 5 * size)), is_slow: false }
}

/// An archive of six files.
fn zip_file(number: u64, size: usize) -> HostilePage {
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
    let plain = filled("", &line(number), size);
    let packed = deflate.write_all(&plain).and_then(|()| deflate.finish()).unwrap_or_default();
    let number_of = |value: usize| (value as u32).to_le_bytes();
    let sizes = [[0; 4], number_of(packed.len()), number_of(plain.len())].concat();
    let (mut body, mut directory) = (Vec::new(), Vec::new());
    for name in [b"a.txt", b"b.txt", b"c.txt", b"d.txt", b"e.txt", b"f.txt"] {
        let about = [&[20, 0, 0, 0, 8, 0, 0, 0, 0, 0][..], &sizes, &[5, 0, 0, 0]].concat();
        directory.extend([b"PK\x01\x02\x14\0", &about[..], &[0; 10]].concat());
        directory.extend([&number_of(body.len())[..], name].concat());
        body.extend([b"PK\x03\x04", &about[..], name, &packed].concat());
    }
    let end = [&b"PK\x05\x06\0\0\0\0\x06\0\x06\0"[..], &number_of(directory.len())].concat();
    let end = [&end[..], &number_of(body.len()), &[0; 2]].concat();
    body.extend([directory, end].concat());
    let headers = "Content-Type: application/zip\r\n".to_owned();
    HostilePage { headers, body, is_slow: false }
}

/// A page of glyphs without end, packed.
fn pdf_bomb(number: u64, size: usize) -> HostilePage {
    let drawn =
        filled(&format!("BT /F 12 Tf 72 700 Td ({number})Tj "), "0.01 0 Td(x)Tj ", 3 * size);
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
    let packed = zlib.write_all(&drawn).and_then(|()| zlib.finish()).unwrap_or_default();
    let head = format!(
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]>>endobj\n\
         3 0 obj<</Type/Page/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>>>endobj\n\
         4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n\
         5 0 obj<</Filter/FlateDecode/Length {}>>stream\n",
        packed.len()
    );
    let end = b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n";
    let body = [head.as_bytes(), &packed, end].concat();
    HostilePage { headers: "Content-Type: application/pdf\r\n".to_owned(), body, is_slow: false }
}

fn long_text(number: u64, size: usize) -> HostilePage {
    html(number, "", 0).with(&"eel".repeat(size / 3))
}

/// Each word another one.
fn many_words(number: u64, size: usize) -> HostilePage {
    let words: String = (0..size / 11).map(|word| format!("{number:x}w{word:07x} ")).collect();
    html(number, "", 0).with(&words)
}

fn many_links(number: u64, size: usize) -> HostilePage {
    let link = |at: usize| format!("<a href=/none/{number}-{at}>eel {at}</a> ");
    let links: String = (0..size / 40).map(link).collect();
    html(number, "", 0).with(&links)
}

/// As many headers, and as long, as are still read.
fn headers(number: u64, _: usize) -> HostilePage {
    let page = html(number, "<p>eel", 100);
    let long: String = (0..60).map(|n| format!("X-Eel-{n}: {}\r\n", "e".repeat(500))).collect();
    HostilePage { headers: page.headers + &long, ..page }
}

fn drip(number: u64, _: usize) -> HostilePage {
    HostilePage { is_slow: true, ..html(number, "<p>eel", 40) }
}

impl HostilePage {
    fn with(mut self, text: &str) -> HostilePage {
        self.body.extend(text.bytes());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_formats::parse;
    use fyke_web::{Capture, Url};

    #[test]
    fn every_kind_is_what_it_says_it_is_and_no_page_is_like_another() {
        for kind in KINDS {
            let [first, second] = [1, 2].map(|number| kind.page(number, 20_000));
            assert!(!first.body.is_empty(), "{}", kind.name);
            if !matches!(kind.name, "rows" | "lists" | "marks") {
                assert_ne!(first.body, second.body, "{}", kind.name);
            }
            let lines = first.headers.lines().filter_map(|line| line.split_once(": "));
            let headers = lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let url = Url::parse("http://a.test/").unwrap();
            let payload = first.body;
            let capture = Capture { url, time: 0, status: 200, headers, payload, truncated: None };
            assert!(!parse(&capture).content.is_empty(), "{} cannot be read", kind.name);
        }
    }
}
