//! Reads WARC files record by record, leniently: a damaged member is reported and skipped, a tail
//! cut short is no reason to lose what stands before it, and no length in the file is believed.

use super::http::{self, HeadLines};
use super::member::MemberReader;
use super::milliseconds;
use fyke_web::{Capture, Url};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Longest head of a record.
const MAX_HEAD: usize = 256 * 1024;
/// Largest block that is read; a record that claims more counts as damaged.
const MAX_BLOCK: u64 = 256 * 1024 * 1024;
/// How far after a damaged member the next one is looked for.
const MAX_SEARCH: u64 = 64 * 1024 * 1024;
/// How many places that look like a member are tried there.
const MAX_CANDIDATES: usize = 4096;
const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b, 0x08];
/// The type of a record that holds a rendered copy.
pub(crate) const CONVERSION: &str = "conversion";

/// One record, unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarcRecord {
    pub headers: Vec<(String, String)>,
    pub block: Vec<u8>,
}

impl WarcRecord {
    /// A header of the record (not of the HTTP message inside), ASCII case ignored.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    /// Whether this is a response to an HTTP request, the kind that holds a capture.
    #[must_use]
    pub fn is_response(&self) -> bool {
        self.header("WARC-Type") == Some("response")
            && self.header("Content-Type").is_none_or(|kind| kind.starts_with("application/http"))
    }

    /// Whether this tells of a visit that brought nothing new, and names the capture that still holds.
    #[must_use]
    pub fn is_revisit(&self) -> bool {
        self.header("WARC-Type") == Some("revisit")
    }

    /// Whether this holds what a response's scripts made of it.
    #[must_use]
    pub fn is_rendering_of(&self, response: &WarcRecord) -> bool {
        let of = response.header("WARC-Record-ID");
        self.header("WARC-Type") == Some(CONVERSION)
            && self.header("Content-Type").is_some_and(|kind| kind.starts_with("text/html"))
            && of.is_some_and(|of| self.header("WARC-Refers-To") == Some(of))
    }

    /// The capture in a response record with what its scripts made of it, where that is known.
    ///
    /// # Errors
    /// As [`WarcRecord::into_capture`].
    pub fn into_rendered(self, rendering: Option<WarcRecord>) -> Result<Capture, String> {
        let capture = self.into_capture()?;
        Ok(match rendering {
            Some(rendering) => {
                let cut = rendering.header("WARC-Truncated").map(str::to_owned);
                capture.rendered(rendering.block, cut)
            }
            None => capture,
        })
    }

    /// The capture in a response record, or what is wrong with it.
    ///
    /// # Errors
    /// In words, when URL, date or HTTP head cannot be read.
    pub fn into_capture(mut self) -> Result<Capture, String> {
        let url = self.header("WARC-Target-URI").ok_or("no WARC-Target-URI")?;
        let url = url.trim_start_matches('<').trim_end_matches('>');
        let url = Url::stored(url).map_err(|why| format!("{url}: {why}"))?;
        let time = self.header("WARC-Date").and_then(milliseconds).ok_or("no valid WARC-Date")?;
        let truncated = self.header("WARC-Truncated").map(str::to_owned);
        let http::StoredHead { status, headers, length } =
            http::parse(&self.block).ok_or("no HTTP head")?;
        self.block.drain(..length);
        Ok(Capture { url, time, status, headers, payload: self.block, truncated })
    }
}

/// Reads the one record of a gzip member.
///
/// # Errors
/// In words, when it is no gzip or no WARC record.
pub fn read_member(mut input: impl BufRead) -> Result<WarcRecord, String> {
    read_record(&mut MemberReader::default(), &mut input)
}

/// The header lines of the record at the start of a gzip member, of which no more is unpacked than that takes.
pub(crate) fn read_head(mut input: impl BufRead) -> Result<Vec<(String, String)>, String> {
    let mut outline = RecordOutline::default();
    let mut member = MemberReader::default();
    let read = member.read(&mut input, |plain| {
        outline.judge(plain)?;
        if outline.head.is_some() { Err(String::new()) } else { Ok(()) }
    });
    match (outline.head, read) {
        (Some(_), _) => Ok(outline.headers),
        (None, Err(what)) => Err(what),
        (None, Ok(_)) => Err("the record's head does not end".into()),
    }
}

fn read_record(member: &mut MemberReader, input: &mut impl BufRead) -> Result<WarcRecord, String> {
    let mut outline = RecordOutline::default();
    let plain = member.read(input, |plain| outline.judge(plain))?;
    let head = outline.head.ok_or("the record's head does not end")?;
    let block = plain[head..].get(..outline.length as usize);
    let block = block.ok_or("the block is shorter than its Content-Length")?.to_vec();
    Ok(WarcRecord { headers: outline.headers, block })
}

/// What is known of a record while it is unpacked.
#[derive(Default)]
struct RecordOutline {
    /// Up to where no end of the head was found.
    searched: usize,
    /// Bytes of the head.
    head: Option<usize>,
    headers: Vec<(String, String)>,
    /// Bytes of the block, as the head claims.
    length: u64,
}

impl RecordOutline {
    fn judge(&mut self, plain: &[u8]) -> Result<(), String> {
        const MAGIC: &[u8] = b"WARC/1.";
        if self.head.is_none() {
            if !plain.starts_with(&MAGIC[..plain.len().min(MAGIC.len())]) {
                return Err("not a WARC record".into());
            }
            self.find_head(&plain[..plain.len().min(MAX_HEAD)])?;
        }
        match self.head {
            None if plain.len() >= MAX_HEAD => Err("the record's head does not end".into()),
            // The closing blank lines stand behind the block.
            Some(head) if plain.len() as u64 >= head as u64 + self.length + 1024 => {
                Err("more than one record in a member".into())
            }
            _ => Ok(()),
        }
    }

    /// The head ends with its first blank line.
    fn find_head(&mut self, plain: &[u8]) -> Result<(), String> {
        for end in memchr::memchr_iter(b'\n', &plain[self.searched..]) {
            let head = &plain[..=self.searched + end];
            if head.ends_with(b"\r\n\r\n") || head.ends_with(b"\n\n") {
                self.head = Some(head.len());
                return self.read_head(head);
            }
        }
        self.searched = plain.len();
        Ok(())
    }

    fn read_head(&mut self, head: &[u8]) -> Result<(), String> {
        let HeadLines { lines, .. } =
            http::split_head(head).ok_or("the record's head does not end")?;
        let fields = lines.iter().filter_map(|line| http::field(line));
        self.headers = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let is_length = |name: &str| name.eq_ignore_ascii_case("Content-Length");
        let length = self.headers.iter().find(|(name, _)| is_length(name));
        let length = length.and_then(|(_, value)| value.parse().ok());
        self.length = length.ok_or("no Content-Length")?;
        match self.length > MAX_BLOCK {
            true => Err(format!("it claims {} bytes", self.length)),
            false => Ok(()),
        }
    }
}

pub(super) fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the record is cut short".into(),
        _ => error.to_string(),
    }
}

/// A record and where its member stands, or what was passed over.
#[derive(Debug)]
pub struct WarcPart {
    pub offset: u64,
    /// Bytes of the member, or the bytes that were passed over.
    pub length: u64,
    pub record: Result<WarcRecord, String>,
}

/// The records of one WARC file from an offset on.
#[derive(Debug)]
pub struct WarcRecords {
    file: BufReader<File>,
    member: MemberReader,
    offset: u64,
    end: u64,
}

impl WarcRecords {
    /// Opens a file; `end` bounds it (its length does too).
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(path: &Path, start: u64, end: u64) -> io::Result<WarcRecords> {
        let file = File::open(path)?;
        let end = end.min(file.metadata()?.len());
        let mut file = BufReader::with_capacity(64 * 1024, file);
        file.seek(SeekFrom::Start(start))?;
        Ok(WarcRecords { file, member: MemberReader::default(), offset: start, end })
    }

    /// Tries the member at an offset: the record and the member's length.
    fn member_at(&mut self, offset: u64) -> Result<(WarcRecord, u64), String> {
        let here = self.file.stream_position().map_err(|e| words(&e))?;
        // A relative seek keeps the buffer.
        self.file.seek_relative(offset as i64 - here as i64).map_err(|e| words(&e))?;
        let mut bounded = self.file.by_ref().take(self.end.saturating_sub(offset));
        let record = read_record(&mut self.member, &mut bounded)?;
        let length = self.file.stream_position().map_err(|e| words(&e))? - offset;
        Ok((record, length))
    }

    /// Offset of the next gzip magic between two offsets.
    fn magic_after(&mut self, from: u64, until: u64) -> io::Result<Option<u64>> {
        let mut at = from;
        let mut window = vec![0; 64 * 1024];
        while at + (GZIP_MAGIC.len() as u64) <= until {
            let want = window.len().min((until - at) as usize);
            self.file.seek(SeekFrom::Start(at))?;
            self.file.read_exact(&mut window[..want])?;
            if let Some(hit) = memchr::memmem::find(&window[..want], GZIP_MAGIC) {
                return Ok(Some(at + hit as u64));
            }
            // The magic may stand across two windows.
            at += (want - (GZIP_MAGIC.len() - 1)) as u64;
        }
        Ok(None)
    }

    /// Where the next good record stands after damage at `offset`; the file's end when there is
    /// none.
    fn recover(&mut self, offset: u64) -> u64 {
        let until = self.end.min(offset.saturating_add(MAX_SEARCH));
        let mut from = offset + 1;
        for _ in 0..MAX_CANDIDATES {
            match self.magic_after(from, until) {
                Ok(Some(candidate)) if self.member_at(candidate).is_ok() => return candidate,
                Ok(Some(candidate)) => from = candidate + 1,
                _ => break,
            }
        }
        self.end
    }
}

impl Iterator for WarcRecords {
    type Item = WarcPart;

    fn next(&mut self) -> Option<WarcPart> {
        let offset = self.offset;
        if offset >= self.end {
            return None;
        }
        let (length, record) = match self.member_at(offset) {
            Ok((record, length)) => (length, Ok(record)),
            Err(what) => (self.recover(offset) - offset, Err(what)),
        };
        self.offset = offset + length;
        Some(WarcPart { offset, length, record })
    }
}
