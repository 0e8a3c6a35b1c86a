//! Zip archives: read by their directory, or, where it is missing or wrong, from one entry to the
//! next. What is unpacked counts against a budget that all archives inside one input share.

use super::budget::InputBudget;
use flate2::{Decompress, FlushDecompress, Status};
use std::collections::HashMap;

/// Most entries that are looked at.
const MOST_ENTRIES: usize = 10_000;
/// Most bytes of one entry.
const MOST_ENTRY: usize = 48 << 20;
/// From here on an entry that is this many times larger than its packed form is a bomb.
const MOST_RATIO: usize = 200;
const RATIO_FROM: usize = 8 << 20;

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// The end of the directory stands behind at most a comment.
const END_WITHIN: usize = 65_557;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// One file in an archive.
#[derive(Clone, Debug)]
struct ZipEntry {
    name: String,
    method: u16,
    is_encrypted: bool,
    /// Where the local header stands.
    at: usize,
    /// Bytes of the packed form; none when only the stream itself tells.
    packed: Option<usize>,
}

/// An archive.
#[derive(Debug)]
pub(crate) struct Zip<'a> {
    bytes: &'a [u8],
    budget: &'a InputBudget,
    entries: Vec<ZipEntry>,
    /// Places of entries by their names, and by their names in lower case; of two the first counts.
    places: HashMap<String, usize>,
    /// What went wrong, in words; empty when nothing did.
    pub(crate) trouble: String,
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(2)?)?;
    Some(usize::from(u16::from_le_bytes(bytes.try_into().ok()?)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
}

impl<'a> Zip<'a> {
    pub(crate) fn open(bytes: &'a [u8], budget: &'a InputBudget) -> Zip<'a> {
        let mut trouble = String::new();
        let entries = directory(bytes).unwrap_or_else(|| {
            "the archive's directory is missing or damaged".clone_into(&mut trouble);
            walk(bytes)
        });
        let mut places = HashMap::new();
        for (place, entry) in entries.iter().enumerate() {
            places.entry(entry.name.clone()).or_insert(place);
        }
        for (place, entry) in entries.iter().enumerate() {
            places.entry(entry.name.to_ascii_lowercase()).or_insert(place);
        }
        Zip { bytes, budget, entries, places, trouble }
    }

    /// The names of the entries, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// The bytes of an entry; none when there is no such entry. What cannot be read to its end is
    /// cut there, and said in `trouble`.
    pub(crate) fn read(&mut self, name: &str) -> Option<Vec<u8>> {
        let name = name.trim_start_matches('/');
        if !self.budget.open() {
            "more in the archive than is unpacked".clone_into(&mut self.trouble);
            return None;
        }
        let place = self.places.get(name);
        let place = place.or_else(|| self.places.get(&name.to_ascii_lowercase()))?;
        match self.unpack(&self.entries[*place]) {
            Ok((bytes, true)) => Some(bytes),
            Ok((bytes, false)) => {
                self.trouble = format!("{name} in the archive is damaged or too large");
                Some(bytes)
            }
            Err(why) => {
                self.trouble = format!("{name} in the archive {why}");
                None
            }
        }
    }

    /// As [`Zip::read`], as text of XML.
    pub(crate) fn read_xml(&mut self, name: &str) -> Option<String> {
        self.read(name).map(super::xml::decoded)
    }

    fn unpack(&self, entry: &ZipEntry) -> Result<(Vec<u8>, bool), &'static str> {
        let (name, extra) = (u16_at(self.bytes, entry.at + 26), u16_at(self.bytes, entry.at + 28));
        let start = name.zip(extra).map(|(name, extra)| entry.at + 30 + name + extra);
        let rest = start.and_then(|start| self.bytes.get(start..)).ok_or("is not there")?;
        if entry.is_encrypted {
            return Err("is encrypted");
        }
        let is_whole = entry.packed.is_none_or(|packed| packed <= rest.len());
        let packed = &rest[..entry.packed.unwrap_or(rest.len()).min(rest.len())];
        let most = self.budget.left().min(MOST_ENTRY);
        let unpacked = match entry.method {
            STORED => {
                let bytes = packed[..packed.len().min(most)].to_vec();
                Unpacked { read: bytes.len(), bytes, is_whole: packed.len() <= most }
            }
            DEFLATED => inflate(packed, most),
            _ => return Err("is packed in a way that is not known"),
        };
        // Entries may share their packed bytes, which need not give anything.
        self.budget.take(unpacked.bytes.len().max(unpacked.read));
        Ok((unpacked.bytes, unpacked.is_whole && is_whole))
    }
}

/// Whether bytes are an archive whose names are as wanted.
pub(crate) fn holds(bytes: &[u8], wanted: impl Fn(&[String]) -> bool) -> bool {
    if !bytes.starts_with(LOCAL) {
        return false;
    }
    let entries = directory(bytes).unwrap_or_else(|| walk(bytes));
    wanted(&entries.into_iter().map(|entry| entry.name).collect::<Vec<_>>())
}

/// The entries by the directory at the end; none when it cannot be followed.
fn directory(bytes: &[u8]) -> Option<Vec<ZipEntry>> {
    let from = bytes.len().saturating_sub(END_WITHIN);
    let end = from + memchr::memmem::rfind(&bytes[from..], END)?;
    let count = u16_at(bytes, end + 10)?;
    let (size, offset) = (u32_at(bytes, end + 12)?, u32_at(bytes, end + 16)?);
    // Something may stand before the archive, such as a program that unpacks it.
    let before = end.checked_sub(size)?.checked_sub(offset)?;
    let mut at = offset + before;
    let mut entries = Vec::new();
    for _ in 0..count.min(MOST_ENTRIES) {
        if !bytes.get(at..)?.starts_with(CENTRAL) {
            return None;
        }
        let (name, extra) = (u16_at(bytes, at + 28)?, u16_at(bytes, at + 30)?);
        let comment = u16_at(bytes, at + 32)?;
        let local = u32_at(bytes, at + 42)? + before;
        if !bytes.get(local..)?.starts_with(LOCAL) {
            return None;
        }
        entries.push(ZipEntry {
            name: named(bytes.get(at + 46..at + 46 + name)?),
            method: u16::try_from(u16_at(bytes, at + 10)?).ok()?,
            is_encrypted: u16_at(bytes, at + 8)? & 1 != 0,
            at: local,
            packed: u32_at(bytes, at + 20),
        });
        at += 46 + name + extra + comment;
    }
    Some(entries)
}

/// The entries from one local header to the next.
fn walk(bytes: &[u8]) -> Vec<ZipEntry> {
    let mut entries = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memmem::find(rest, LOCAL)) {
        at += found;
        let Some(entry) = local(bytes, at).filter(|_| entries.len() < MOST_ENTRIES) else { break };
        at += 30 + entry.packed.unwrap_or(0).min(bytes.len());
        entries.push(entry);
    }
    entries
}

fn local(bytes: &[u8], at: usize) -> Option<ZipEntry> {
    let flags = u16_at(bytes, at + 6)?;
    let name = u16_at(bytes, at + 26)?;
    let packed = u32_at(bytes, at + 18)?;
    Some(ZipEntry {
        name: named(bytes.get(at + 30..at + 30 + name)?),
        method: u16::try_from(u16_at(bytes, at + 8)?).ok()?,
        is_encrypted: flags & 1 != 0,
        at,
        // With this flag the size stands behind the bytes.
        packed: (flags & 8 == 0).then_some(packed),
    })
}

fn named(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\\', "/")
}

/// What an entry gave.
struct Unpacked {
    bytes: Vec<u8>,
    /// Packed bytes that were read for it.
    read: usize,
    is_whole: bool,
}

/// Inflates at most `most` bytes.
fn inflate(packed: &[u8], most: usize) -> Unpacked {
    let mut stream = Decompress::new(false);
    let mut out = Vec::new();
    let mut piece = [0; 16_384];
    loop {
        let (read, made) = (usize_of(stream.total_in()), out.len());
        if made > RATIO_FROM && made / MOST_RATIO > read {
            return Unpacked { bytes: out, read, is_whole: false };
        }
        let rest = packed.get(read..).unwrap_or_default();
        let status = stream.decompress(rest, &mut piece, FlushDecompress::None);
        let new = usize_of(stream.total_out()) - made;
        let room = most - made;
        out.extend_from_slice(&piece[..new.min(room)]);
        let is_stuck = new == 0 && usize_of(stream.total_in()) == read;
        let read = usize_of(stream.total_in());
        match status {
            Ok(Status::StreamEnd) => return Unpacked { bytes: out, read, is_whole: new <= room },
            Ok(_) if new <= room && !is_stuck => {}
            _ => return Unpacked { bytes: out, read, is_whole: false },
        }
    }
}

fn usize_of(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
