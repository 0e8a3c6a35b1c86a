//! Makes WARC 1.1 records, each a gzip member of its own.

use super::deflate::Gzip;
use super::{base32, date, http, sha1};
use crate::cdxj::CdxjEntry;
use fyke_web::Capture;
use std::collections::hash_map::RandomState;
use std::fmt::Write;
use std::hash::BuildHasher;
use xxhash_rust::xxh3::xxh3_128;

/// The request and the response of one capture as WARC records, ready to be appended.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Both records, the response last.
    pub(crate) bytes: Vec<u8>,
    /// Length of the request's record.
    pub(crate) request: usize,
    /// When the capture was taken, milliseconds since 1970.
    pub(crate) time: i64,
    /// SHA-1 of the payload, first 16 bytes: goes into the URL's row.
    pub digest: [u8; 16],
    /// What the index of captures says of it.
    pub(crate) entry: CdxjEntry,
}

impl Packed {
    /// Both records as they stand in a file.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes on disk.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }
}

/// Packs captures. It keeps the compressor's tables between them, which are dear to make, so each
/// thread has one of its own.
pub struct Packer {
    gzip: Gzip,
    /// What makes this packer's record ids differ from those of all others, and how many it made.
    nonce: u64,
    made: u64,
}

impl std::fmt::Debug for Packer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packer")
    }
}

impl Default for Packer {
    fn default() -> Packer {
        Packer::new()
    }
}

/// A record about to be written: the part of its head that is its own, and its block in two parts.
struct Draft<'a> {
    kind: &'a str,
    id: &'a str,
    time: i64,
    /// Further header lines, each ended by CR LF.
    fields: String,
    head: &'a [u8],
    payload: &'a [u8],
}

impl Packer {
    /// A packer for one thread.
    #[must_use]
    pub fn new() -> Packer {
        // The standard library's only source of randomness.
        Packer::repeatable(RandomState::new().hash_one(std::process::id()))
    }

    /// A packer whose record ids are the same each time; no other may have this nonce.
    #[must_use]
    pub fn repeatable(nonce: u64) -> Packer {
        Packer { gzip: Gzip::new(), nonce, made: 0 }
    }

    /// The warcinfo record that opens file `name`.
    pub fn info(&mut self, name: &str, time: i64, operator: &str, out: &mut Vec<u8>) {
        let mut block = String::from(
            "software: fyke/0.1.0\r\nformat: WARC File Format 1.1\r\nconformsTo: \
             http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n\
             robots: obey\r\n",
        );
        if !operator.is_empty() {
            let operator: String = operator.chars().filter(|c| !c.is_control()).collect();
            let _ = write!(block, "operator: {operator}\r\n");
        }
        let fields = format!("Content-Type: application/warc-fields\r\nWARC-Filename: {name}\r\n");
        let id = self.record_id();
        let head = block.as_bytes();
        self.append(&Draft { kind: "warcinfo", id: &id, time, fields, head, payload: b"" }, out);
    }

    /// Makes the request record (none is written where it is empty: an imported page may come
    /// without) and the response record of one capture.
    pub fn pack(&mut self, request: &[u8], capture: &Capture) -> Packed {
        let mut bytes = Vec::with_capacity(capture.payload.len() / 4 + 1024);
        let out = &mut bytes;
        let url = capture.url.as_str();
        let sha1 = sha1(&capture.payload);
        let payload_digest = base32(&sha1);
        let (request_id, response_id) = (self.record_id(), self.record_id());

        let fields = format!(
            "WARC-Target-URI: {url}\r\nContent-Type: application/http;msgtype=request\r\n\
             WARC-Concurrent-To: <{response_id}>\r\n"
        );
        let (id, time) = (&request_id, capture.time);
        if !request.is_empty() {
            let draft = Draft { kind: "request", id, time, fields, head: request, payload: b"" };
            self.append(&draft, out);
        }
        let request_length = out.len();

        let mut fields = format!(
            "WARC-Target-URI: {url}\r\nContent-Type: application/http;msgtype=response\r\n\
             WARC-Payload-Digest: sha1:{payload_digest}\r\n"
        );
        if let Some(reason) = &capture.truncated {
            let reason: String = reason.chars().filter(char::is_ascii_graphic).collect();
            let _ = write!(fields, "WARC-Truncated: {reason}\r\n");
        }
        let head = http::head(capture);
        let (id, head, payload) = (&response_id, head.as_bytes(), &capture.payload);
        self.append(&Draft { kind: "response", id, time, fields, head, payload }, out);
        let (digest, entry) = (super::short(&sha1), CdxjEntry::of(capture, payload_digest));
        Packed { bytes, request: request_length, time, digest, entry }
    }

    /// A UUID (version 8: made by a rule of one's own) that no other record has.
    fn record_id(&mut self) -> String {
        self.made += 1;
        let own = [self.nonce.to_le_bytes(), self.made.to_le_bytes()].concat();
        let hash = xxh3_128(&own);
        let (high, low) = ((hash >> 64) as u64, hash as u64);
        let (a, b, c) = (high >> 32, high >> 16 & 0xffff, high & 0xfff);
        let (d, e) = (low >> 48 & 0x3fff | 0x8000, low & 0xffff_ffff_ffff);
        format!("urn:uuid:{a:08x}-{b:04x}-8{c:03x}-{d:04x}-{e:012x}")
    }

    fn append(&mut self, draft: &Draft, out: &mut Vec<u8>) {
        let Draft { kind, id, time, fields, head, payload } = draft;
        let header = format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <{id}>\r\nWARC-Date: {}\r\n{fields}\
             Content-Length: {}\r\n\r\n",
            date(*time),
            head.len() + payload.len(),
        );
        self.gzip.member(&[header.as_bytes(), head, payload, b"\r\n\r\n"], out);
    }
}
