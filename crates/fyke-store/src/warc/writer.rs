//! Makes WARC 1.1 records, each a gzip member of its own.

use super::{date, digest, http};
use flate2::{Compress, Compression, FlushCompress, Status};
use fyke_web::Capture;
use std::collections::hash_map::RandomState;
use std::fmt::Write;
use std::hash::BuildHasher;

/// On real pages level 1 costs half of what level 2 costs and a third of level 6, for files larger
/// by a quarter and a third.
const LEVEL: u32 = 1;

/// The request and the response of one capture as WARC records, ready to be appended.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Both records, the response last.
    pub(crate) bytes: Vec<u8>,
    /// Length of the request's record.
    pub(crate) request: usize,
    /// When the capture was taken, milliseconds since 1970.
    pub(crate) time: i64,
    /// blake3 of the payload, first 16 bytes: goes into the URL's row.
    pub digest: [u8; 16],
}

impl Packed {
    /// Bytes on disk.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }
}

/// Packs captures. It keeps the compressor's tables between them, which are dear to make, so each
/// thread has one of its own.
pub struct Packer {
    gzip: Compress,
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
        let nonce = RandomState::new().hash_one(std::process::id());
        Packer { gzip: Compress::new_gzip(Compression::new(LEVEL), 15), nonce, made: 0 }
    }

    /// The warcinfo record that opens file `name`.
    pub(crate) fn info(&mut self, name: &str, time: i64, operator: &str, out: &mut Vec<u8>) {
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
        let id = self.record_id(&[name.as_bytes(), &time.to_le_bytes(), operator.as_bytes()]);
        let head = block.as_bytes();
        self.append(&Draft { kind: "warcinfo", id: &id, time, fields, head, payload: b"" }, out);
    }

    /// Makes the request record (none is written where it is empty: an imported page may come
    /// without) and the response record of one capture.
    pub fn pack(&mut self, request: &[u8], capture: &Capture) -> Packed {
        let mut bytes = Vec::with_capacity(capture.payload.len() / 4 + 1024);
        let out = &mut bytes;
        let url = capture.url.as_str();
        let payload_digest = digest(&[&capture.payload]);
        let seed = format!("{url} {} {payload_digest}", capture.time);
        let request_id = self.record_id(&[b"request", seed.as_bytes()]);
        let response_id = self.record_id(&[b"response", seed.as_bytes()]);

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
             WARC-Payload-Digest: {payload_digest}\r\n"
        );
        if let Some(reason) = &capture.truncated {
            let reason: String = reason.chars().filter(char::is_ascii_graphic).collect();
            let _ = write!(fields, "WARC-Truncated: {reason}\r\n");
        }
        let head = http::head(capture);
        let (id, head, payload) = (&response_id, head.as_bytes(), &capture.payload);
        self.append(&Draft { kind: "response", id, time, fields, head, payload }, out);
        let mut digest = [0; 16];
        digest.copy_from_slice(&blake3::hash(payload).as_bytes()[..16]);
        Packed { bytes, request: request_length, time, digest }
    }

    /// A UUID (version 8: made by a rule of one's own) that no other record has.
    fn record_id(&mut self, parts: &[&[u8]]) -> String {
        self.made += 1;
        let own = [self.nonce.to_le_bytes(), self.made.to_le_bytes()].concat();
        uuid(&[&[&own[..]], parts].concat())
    }

    fn append(&mut self, draft: &Draft, out: &mut Vec<u8>) {
        let Draft { kind, id, time, fields, head, payload } = draft;
        let header = format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <{id}>\r\nWARC-Date: {}\r\n{fields}\
             WARC-Block-Digest: {}\r\nContent-Length: {}\r\n\r\n",
            date(*time),
            digest(&[head, payload]),
            head.len() + payload.len(),
        );
        self.gzip.reset();
        for part in [header.as_bytes(), head, payload] {
            self.compress(part, FlushCompress::None, out);
        }
        self.compress(b"\r\n\r\n", FlushCompress::Finish, out);
    }

    fn compress(&mut self, mut input: &[u8], flush: FlushCompress, out: &mut Vec<u8>) {
        loop {
            out.reserve(input.len() / 2 + 1024);
            let before = self.gzip.total_in();
            let status = self
                .gzip
                .compress_vec(input, out, flush)
                .expect("deflate fails only when called out of order");
            input = &input[(self.gzip.total_in() - before) as usize..];
            let is_done = match flush {
                FlushCompress::Finish => status == Status::StreamEnd,
                _ => input.is_empty(),
            };
            if is_done {
                return;
            }
        }
    }
}

fn uuid(parts: &[&[u8]]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    let mut id = [0; 16];
    id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    id[6] = id[6] & 0x0f | 0x80;
    id[8] = id[8] & 0x3f | 0x80;
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let [a, b, c, d, e] = [&id[..4], &id[4..6], &id[6..8], &id[8..10], &id[10..]].map(hex);
    format!("urn:uuid:{a}-{b}-{c}-{d}-{e}")
}
