//! Captures as WARC 1.1 files with a CDXJ index: the truth of the collection (D4).
//!
//! `captures/00000.warc.gz`, `00001.warc.gz`, …: append-only, a new file after 1 GiB. How much of
//! them counts is said by the ledger: see [`crate::collection`].

use crate::cdxj::{self, Unlisted};
use crate::disk;
use crate::tail::{self, Rest, Spot, Tail, TailStyle, locked};
use crate::warc::reader::{WarcPart, read_head, read_member};
use crate::warc::writer::{CaptureOrigin, Packed, Packer};
use crate::{StoreError, WarcRecord, WarcRecords};
use fyke_web::Capture;
use serde::{Deserialize, Serialize};
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

const STYLE: TailStyle = TailStyle { extension: "warc.gz", file_size: 1 << 30 };

/// Captures that may wait for their lines in the CDXJ index, some 250 bytes each.
const UNLISTED: usize = 1 << 16;
/// Bytes that wait in memory before they are handed to the file system.
const WAITING: u64 = 256 << 10;

/// Bytes of a member, as it stands in its file, in which its record's head ends as a rule.
const RECORD_HEAD: usize = 1024;

/// Where a response record stands: file number, byte offset and compressed length, that of its rendered copy included,
/// which stands right behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    pub file: u32,
    pub offset: u64,
    pub length: u32,
}

impl Place {
    /// Where it begins.
    #[must_use]
    pub fn start(self) -> Spot {
        Spot::new(self.file, self.offset)
    }

    /// The position right after this record: where the next ones start.
    #[must_use]
    pub fn after(self) -> Spot {
        self.start().skip(self.length.into())
    }
}

/// The captures as they are read: up to what the ledger has acknowledged.
#[derive(Debug)]
pub struct CapturesView {
    tail: Tail,
    /// What the ledger has acknowledged.
    end: Mutex<Spot>,
    /// Damaged places passed over by [`CapturesView::from`].
    passed: AtomicU64,
}

/// The captures folder, as its one writer has it.
#[derive(Debug)]
pub struct Captures {
    view: Arc<CapturesView>,
    operator: Mutex<String>,
    unlisted: Mutex<Unlisted>,
}

impl Deref for Captures {
    type Target = CapturesView;

    fn deref(&self) -> &CapturesView {
        &self.view
    }
}

impl Captures {
    /// Opens the folder for reading and appending; what becomes of bytes after `end` is said by
    /// `rest`. Where acknowledged bytes are missing, a new file is begun: each capture that is
    /// gone is named when it is read.
    ///
    /// # Errors
    /// When the folder cannot be read or written.
    pub fn open(dir: &Path, end: Spot, rest: Rest) -> Result<Captures, StoreError> {
        disk::create_dir(dir).map_err(|e| StoreError::io(dir, e))?;
        let path = dir.join(name(end.file));
        let length = fs::metadata(&path).map_or(0, |file| file.len());
        let mut end = end;
        if length < end.offset {
            let (path, acknowledged) = (path.display(), end.offset);
            tracing::warn!(%path, length, acknowledged, "captures are missing; a new file is begun");
            end = Spot::new(end.file + 1, 0);
        }
        let tail = Tail::new(dir, STYLE, end);
        tail::cut(dir, STYLE, end, rest)?;
        let view = Arc::new(CapturesView { tail, end: Mutex::new(end), passed: AtomicU64::new(0) });
        let unlisted = Mutex::new(Unlisted::new(end));
        Ok(Captures { view, operator: Mutex::default(), unlisted })
    }

    /// Writes again what may never have been synced: all after `sure`.
    pub(crate) fn renew(&self, sure: Option<Spot>) -> Result<(), StoreError> {
        let end = self.end();
        match sure.filter(|sure| *sure < end) {
            Some(sure) => tail::renew(self.tail.dir(), STYLE, sure, end),
            None => Ok(()),
        }
    }

    /// What can be read of it.
    pub(crate) fn view(&self) -> Arc<CapturesView> {
        Arc::clone(&self.view)
    }
}

impl CapturesView {
    /// Opens the folder for reading alone, up to `end`.
    pub(crate) fn open_to_read(dir: &Path, end: Spot) -> CapturesView {
        let (tail, passed) = (Tail::new(dir, STYLE, end), AtomicU64::new(0));
        CapturesView { tail, end: Mutex::new(end), passed }
    }

    /// Up to where captures are acknowledged.
    #[must_use]
    pub fn end(&self) -> Spot {
        *locked(&self.end)
    }
}

impl Captures {
    /// Names who runs the crawl (contact, address) in the `warcinfo` of files begun from now on.
    pub fn set_operator(&self, operator: &str) {
        operator.clone_into(&mut locked(&self.operator));
    }
}

impl CapturesView {
    /// Path of a WARC file.
    #[must_use]
    pub fn path(&self, file: u32) -> PathBuf {
        self.tail.path(file)
    }
}

impl Captures {
    /// Appends a packed capture. It can be read at once and is durable after the next
    /// [`crate::Collection::sync`].
    ///
    /// # Errors
    /// When it is larger than 4 GiB, or the disk is (nearly) full.
    pub fn append(&self, packed: &Packed) -> Result<Place, StoreError> {
        let too_large =
            |_| StoreError::damaged(&self.path(self.end().file), "a capture over 4 GiB");
        let length = u32::try_from(packed.bytes.len() - packed.request).map_err(too_large)?;
        let response = u32::try_from(packed.response).map_err(too_large)?;
        let opening = |file, out: &mut Vec<u8>| {
            Packer::new().info(&name(file), packed.time, &locked(&self.operator), out);
        };
        let place = self.tail.append(opening, |Spot { file, offset }, out| {
            out.extend_from_slice(&packed.bytes);
            Place { file, offset: offset + packed.request as u64, length }
        });
        self.tail.write_from(WAITING)?;
        if packed.entry.is_listed() {
            // Archive tools are led to the response alone.
            let listed = Place { length: response, ..place };
            locked(&self.unlisted).push(listed, packed.entry.clone());
        }
        Ok(place)
    }

    /// Brings the CDXJ indexes up to date.
    pub(crate) fn list(&self) -> Result<(), StoreError> {
        cdxj::write(self, &mut locked(&self.unlisted))
    }

    /// Whether so many captures stand in no index that they take much memory.
    pub(crate) fn are_many_unlisted(&self) -> bool {
        locked(&self.unlisted).len() >= UNLISTED
    }
}

impl CapturesView {
    /// Reads one capture; of a page that was rendered, as its scripts made it.
    ///
    /// # Errors
    /// When the record is missing or damaged.
    pub fn read(&self, place: Place) -> Result<Capture, StoreError> {
        self.read_with_member(place).map(|(capture, _)| capture)
    }

    /// Reads one capture as its server sent it, rendered or not.
    ///
    /// # Errors
    /// When the record is missing or damaged.
    pub fn source(&self, place: Place) -> Result<Capture, StoreError> {
        let member = self.bytes(place)?;
        let capture = read_member(&member[..]).and_then(WarcRecord::into_capture);
        capture.map_err(|what| damaged_at(&self.path(place.file), place.offset, &what))
    }

    /// One capture's record as it stands in its file, a gzip member, for another archive; with that of its rendered copy,
    /// if there is one.
    ///
    /// # Errors
    /// When the record is missing or damaged.
    pub fn member(&self, place: Place) -> Result<Vec<u8>, StoreError> {
        self.read_with_member(place).map(|(_, member)| member)
    }

    fn read_with_member(&self, place: Place) -> Result<(Capture, Vec<u8>), StoreError> {
        let member = self.bytes(place)?;
        let read = || {
            let mut rest = &member[..];
            let response = read_member(&mut rest)?;
            // What stands behind it belongs to it, or the place would end before.
            let rendering = if rest.is_empty() { None } else { Some(read_member(rest)?) };
            let rendering = rendering.filter(|found| found.is_rendering_of(&response));
            response.into_rendered(rendering)
        };
        let capture =
            read().map_err(|what| damaged_at(&self.path(place.file), place.offset, &what))?;
        Ok((capture, member))
    }

    /// What stands at a place.
    fn bytes(&self, place: Place) -> Result<Vec<u8>, StoreError> {
        let path = self.path(place.file);
        let mut member = vec![0; place.length as usize];
        let read = self.tail.read_exact(place.start(), &mut member);
        let is_whole = read.map_err(|error| match error {
            StoreError::Io { path, source } => StoreError::promised(&path, source),
            error => error,
        })?;
        if !is_whole {
            return Err(damaged_at(&path, place.offset, "cut short"));
        }
        Ok(member)
    }

    /// Where and when a capture was taken, and what its payload's digest is, from the head of its record alone.
    ///
    /// # Errors
    /// When the record is missing or damaged.
    pub fn origin(&self, place: Place) -> Result<CaptureOrigin, StoreError> {
        let path = self.path(place.file);
        let mut start = vec![0; (place.length as usize).min(RECORD_HEAD)];
        if !self.tail.read_exact(place.start(), &mut start)? {
            return Err(damaged_at(&path, place.offset, "cut short"));
        }
        let mut headers = read_head(&start[..]).or_else(|_| {
            self.member(place)
                .map_err(|error| error.to_string())
                .and_then(|all| read_head(&all[..]))
        });
        let headers = headers.as_mut().map_err(|what| damaged_at(&path, place.offset, what))?;
        let mut take = |name: &str| {
            let found = headers.iter_mut().find(|(found, _)| found.eq_ignore_ascii_case(name));
            found.map(|(_, value)| std::mem::take(value))
        };
        let (url, date) = (take("WARC-Target-URI"), take("WARC-Date"));
        let digest = take("WARC-Payload-Digest");
        let digest = digest.and_then(|digest| digest.strip_prefix("sha1:").map(str::to_owned));
        match (url, date, digest) {
            (Some(url), Some(date), Some(digest)) => Ok(CaptureOrigin { url, date, digest }),
            _ => Err(damaged_at(&path, place.offset, "it does not say what it holds")),
        }
    }

    /// All captures from `start` on, in the order they were taken. An error names
    /// what was damaged and passed over; the captures after it still come.
    pub fn from(&self, start: Spot) -> impl Iterator<Item = Result<(Place, Capture), StoreError>> {
        (start.file..=self.end().file).flat_map(move |file| {
            let offset = if file == start.file { start.offset } else { 0 };
            self.in_file(file, offset).inspect(|found| {
                if found.is_err() {
                    self.passed.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
    }

    /// How many damaged places were passed over since it was opened.
    #[must_use]
    pub fn passed_over(&self) -> u64 {
        self.passed.load(Ordering::Relaxed)
    }

    pub(crate) fn in_file(
        &self,
        file: u32,
        offset: u64,
    ) -> Box<dyn Iterator<Item = Result<(Place, Capture), StoreError>> + '_> {
        let path = self.path(file);
        match self.records(file, offset) {
            Ok(records) => {
                let mut records = records.peekable();
                Box::new(std::iter::from_fn(move || {
                    loop {
                        let found = records.next()?;
                        let rendering = records.next_if(|next| is_rendering(&found, next));
                        let found = capture((found, rendering), file, &path);
                        if found.is_some() {
                            return found;
                        }
                    }
                }))
            }
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    }

    /// The acknowledged records of one file; none when nothing was written yet.
    pub(crate) fn records(
        &self,
        file: u32,
        offset: u64,
    ) -> Result<impl Iterator<Item = WarcPart>, StoreError> {
        let Spot { file: last, offset: length } = self.end();
        let end = if file == last { length } else { u64::MAX };
        if end == 0 {
            return Ok(None.into_iter().flatten());
        }
        let path = self.path(file);
        let records =
            WarcRecords::open(&path, offset, end).map_err(|e| StoreError::promised(&path, e))?;
        Ok(Some(records).into_iter().flatten())
    }
}

impl Captures {
    /// Bytes appended and not yet on their way to disk.
    pub(crate) fn pending(&self) -> u64 {
        self.tail.pending()
    }

    /// Where the captures end once all that was appended is acknowledged.
    pub(crate) fn tail(&self) -> Spot {
        self.tail.end()
    }

    /// Makes durable what was appended; it counts once it is acknowledged.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        self.tail.sync()
    }

    pub(crate) fn acknowledge(&self, end: Spot) {
        *locked(&self.end) = end;
    }
}

/// How a file is called.
fn name(file: u32) -> String {
    format!("{file:05}.{}", STYLE.extension)
}

/// Whether a record holds what the scripts of the one before it made of it.
fn is_rendering(found: &WarcPart, next: &WarcPart) -> bool {
    let (Ok(found), Ok(next)) = (&found.record, &next.record) else { return false };
    found.is_response() && next.is_rendering_of(found)
}

/// The capture in a record with its rendered copy, nothing for records of other kinds.
fn capture(
    (found, rendering): (WarcPart, Option<WarcPart>),
    file: u32,
    path: &Path,
) -> Option<Result<(Place, Capture), StoreError>> {
    let offset = found.offset;
    let damaged = |what: &str| Some(Err(damaged_at(path, offset, what)));
    let record = match found.record {
        Ok(record) if record.is_response() => record,
        Ok(_) => return None,
        Err(what) => return damaged(&format!("{what}; {} bytes skipped", found.length)),
    };
    let length = found.length + rendering.as_ref().map_or(0, |rendering| rendering.length);
    let Ok(length) = u32::try_from(length) else { return damaged("larger than 4 GiB") };
    match record.into_rendered(rendering.and_then(|rendering| rendering.record.ok())) {
        Ok(capture) => Some(Ok((Place { file, offset, length }, capture))),
        Err(what) => damaged(&what),
    }
}

fn damaged_at(path: &Path, offset: u64, what: &str) -> StoreError {
    StoreError::damaged(path, format!("record at byte {offset}: {what}"))
}
