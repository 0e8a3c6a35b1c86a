//! Makes WARC 1.1 records, each a gzip member of its own.

use super::deflate::Gzip;
use super::reader::CONVERSION;
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
    /// Both records, the response last, and behind it that of the rendered copy, if there is one.
    pub(crate) bytes: Vec<u8>,
    /// Length of the request's record, and of the response's.
    pub(crate) request: usize,
    pub(crate) response: usize,
    /// When the capture was taken, milliseconds since 1970.
    pub(crate) time: i64,
    /// SHA-1 of the payload, first 16 bytes: goes into the URL's row. Of the rendered copy where there is one.
    pub digest: [u8; 16],
    /// What the index of captures says of it.
    pub(crate) entry: CdxjEntry,
}

/// The capture that a visit found unchanged, as its record's head has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureOrigin {
    pub(crate) url: String,
    pub(crate) date: String,
    /// Of the payload, in base 32.
    pub(crate) digest: String,
}

/// How it is known that nothing has changed; the profiles of WARC 1.1, 6.7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevisitProfile {
    /// The server said so: status 304.
    NotModified,
    /// It sent the same payload.
    SamePayload,
}

impl RevisitProfile {
    fn uri(self) -> &'static str {
        match self {
            RevisitProfile::NotModified => {
                "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
            }
            RevisitProfile::SamePayload => {
                "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
            }
        }
    }
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
    /// The head of the record that is being written.
    header: String,
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

/// What says that a payload is not all there was; empty where it is.
fn truncated(capture: &Capture) -> String {
    let reason =
        |reason: &String| -> String { reason.chars().filter(char::is_ascii_graphic).collect() };
    let reason = capture.truncated.as_ref().map(reason);
    reason.map_or_else(String::new, |reason| format!("WARC-Truncated: {reason}\r\n"))
}

/// A record about to be written: the part of its head that is its own, and its block in two parts.
struct Draft<'a> {
    kind: &'a str,
    id: &'a str,
    date: &'a str,
    /// Further header lines in pieces, the last ended by CR LF.
    fields: &'a [&'a str],
    head: &'a [u8],
    payload: &'a [u8],
}

/// A request, the id of its record, and that of its answer's.
#[derive(Clone, Copy)]
struct AskedFor<'a> {
    request: &'a [u8],
    url: &'a str,
    date: &'a str,
    id: &'a str,
    answer: &'a str,
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
        Packer { gzip: Gzip::new(), nonce, made: 0, header: String::new() }
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
        let fields =
            &["Content-Type: application/warc-fields\r\nWARC-Filename: ", name, "\r\n"][..];
        let (id, date) = (&self.record_id(), &date(time));
        let head = block.as_bytes();
        self.append(&Draft { kind: "warcinfo", id, date, fields, head, payload: b"" }, out);
    }

    /// Makes the request record (none is written where it is empty: an imported page may come
    /// without) and the response record of one capture.
    pub fn pack(&mut self, request: &[u8], capture: &Capture) -> Packed {
        self.pack_named(request, capture).0
    }

    /// As [`Packer::pack`], and behind it the same page as it stood after its scripts had run, as a `conversion` record that
    /// refers to the response.
    pub fn pack_rendered(
        &mut self,
        request: &[u8],
        capture: &Capture,
        rendered: &Capture,
    ) -> Packed {
        let (mut packed, source) = self.pack_named(request, capture);
        let sha1 = sha1(&rendered.payload);
        let truncated = truncated(rendered);
        let fields = &[
            "WARC-Target-URI: ",
            capture.url.as_str(),
            "\r\nContent-Type: text/html; charset=utf-8\r\nWARC-Refers-To: <",
            &source,
            ">\r\nWARC-Refers-To-Target-URI: ",
            capture.url.as_str(),
            "\r\nWARC-Payload-Digest: sha1:",
            &base32(&sha1),
            "\r\n",
            &truncated,
        ];
        let (id, date) = (&self.record_id(), &date(rendered.time));
        let payload = &rendered.payload;
        let draft = Draft { kind: CONVERSION, id, date, fields, head: b"", payload };
        self.append(&draft, &mut packed.bytes);
        packed.digest = super::short(&sha1);
        packed
    }

    /// The records of a capture, and the id of the response's.
    fn pack_named(&mut self, request: &[u8], capture: &Capture) -> (Packed, String) {
        let mut bytes = Vec::with_capacity(capture.payload.len() / 4 + 1024);
        let out = &mut bytes;
        let url = capture.url.as_str();
        let sha1 = sha1(&capture.payload);
        let payload_digest = base32(&sha1);
        let (request_id, response_id) = (self.record_id(), self.record_id());

        let (time, date) = (capture.time, &date(capture.time));

        let asked = AskedFor { request, url, date, id: &request_id, answer: &response_id };
        self.append_request(&asked, out);
        let request_length = out.len();

        let truncated = truncated(capture);
        let fields = &[
            "WARC-Target-URI: ",
            url,
            "\r\nContent-Type: application/http;msgtype=response\r\nWARC-Payload-Digest: sha1:",
            &payload_digest,
            "\r\n",
            &truncated,
        ];
        let head = http::head(capture);
        let (id, head, payload) = (&response_id, head.as_bytes(), &capture.payload);
        self.append(&Draft { kind: "response", id, date, fields, head, payload }, out);
        let (digest, entry) = (super::short(&sha1), CdxjEntry::of(capture, payload_digest));
        let (request, response) = (request_length, bytes.len() - request_length);
        (Packed { bytes, request, response, time, digest, entry }, response_id)
    }

    /// Makes the request record and the revisit record of a visit that found nothing new: the answer's head, and which
    /// capture still holds.
    pub fn pack_revisit(
        &mut self,
        request: &[u8],
        capture: &Capture,
        origin: &CaptureOrigin,
        profile: RevisitProfile,
    ) -> Packed {
        let mut bytes = Vec::with_capacity(1024);
        let (url, date) = (capture.url.as_str(), &date(capture.time));
        let (request_id, answer_id) = (self.record_id(), self.record_id());
        let asked = AskedFor { request, url, date, id: &request_id, answer: &answer_id };
        self.append_request(&asked, &mut bytes);
        let request_length = bytes.len();
        let fields = &[
            "WARC-Target-URI: ",
            url,
            "\r\nContent-Type: application/http;msgtype=response\r\nWARC-Profile: ",
            profile.uri(),
            "\r\nWARC-Refers-To-Target-URI: ",
            &origin.url,
            "\r\nWARC-Refers-To-Date: ",
            &origin.date,
            "\r\nWARC-Payload-Digest: sha1:",
            &origin.digest,
            "\r\n",
        ];
        let head = http::head_of_revisit(capture);
        let (kind, id, head) = ("revisit", &answer_id, head.as_bytes());
        self.append(&Draft { kind, id, date, fields, head, payload: b"" }, &mut bytes);
        let entry = CdxjEntry::of_revisit(capture, origin.digest.clone());
        let digest = super::short(&sha1(&capture.payload));
        let (request, response) = (request_length, bytes.len() - request_length);
        Packed { bytes, request, response, time: capture.time, digest, entry }
    }

    /// None is written where it is empty.
    fn append_request(&mut self, asked: &AskedFor<'_>, out: &mut Vec<u8>) {
        let AskedFor { request, url, date, id, answer } = *asked;
        if request.is_empty() {
            return;
        }
        let fields = &[
            "WARC-Target-URI: ",
            url,
            "\r\nContent-Type: application/http;msgtype=request\r\nWARC-Concurrent-To: <",
            answer,
            ">\r\n",
        ];
        self.append(&Draft { kind: "request", id, date, fields, head: request, payload: b"" }, out);
    }

    /// A UUID (version 8: made by a rule of one's own) that no other record has.
    fn record_id(&mut self) -> String {
        self.made += 1;
        let own = [self.nonce.to_le_bytes(), self.made.to_le_bytes()].concat();
        let hash = xxh3_128(&own);
        // Version and variant stand in the upper bits of the third and the fourth group.
        let high = (hash >> 64) as u64 & !0xf000 | 0x8000;
        let low = hash as u64 & !(0xc000 << 48) | 0x8000 << 48;
        let digits = format!("{high:016x}{low:016x}");
        let groups = [0..8, 8..12, 12..16, 16..20, 20..32].map(|group| &digits[group]);
        ["urn:uuid:", &groups.join("-")].concat()
    }

    fn append(&mut self, draft: &Draft<'_>, out: &mut Vec<u8>) {
        let Draft { kind, id, date, fields, head, payload } = draft;
        let (header, length) = (&mut self.header, head.len() + payload.len());
        header.clear();
        let opening = ["WARC/1.1\r\nWARC-Type: ", kind, "\r\nWARC-Record-ID: <", id];
        let dated = [">\r\nWARC-Date: ", date, "\r\n"];
        let parts = opening.iter().chain(&dated).chain(*fields);
        parts.for_each(|part| header.push_str(part));
        let _ = write!(header, "Content-Length: {length}\r\n\r\n");
        self.gzip.member(&[header.as_bytes(), head, payload, b"\r\n\r\n"], out);
    }
}
