//! CDXJ: the sorted index beside a WARC file by which pywb and other archive tools find a capture. It can be
//! thrown away and made again by reading the WARC; what was appended since the index was written is
//! remembered, so that its lines are added without reading anything.

use crate::StoreError;
use crate::captures::{CapturesView, Place};
use crate::disk::{self, DiskFile, FileOpening};
use crate::surt::surt;
use crate::tail::{Spot, sync_dir};
use crate::warc::reader::WarcPart;
use crate::warc::{date, digest, http};
use fyke_web::{Capture, Url};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The media type by which archive tools know a visit that found nothing new.
const REVISIT: &str = "warc/revisit";

/// What a line of the index says of a capture, but for its place.
#[derive(Clone, Debug)]
pub(crate) struct CdxjEntry {
    url: Url,
    time: i64,
    status: u16,
    mime: String,
    /// SHA-1 of the payload in base 32.
    digest: String,
}

/// Captures that were appended and stand in no index yet.
#[derive(Debug)]
pub(crate) struct Unlisted {
    /// All captures from here on are among them.
    since: Spot,
    entries: Vec<(Place, CdxjEntry)>,
}

impl Unlisted {
    pub(crate) fn new(since: Spot) -> Unlisted {
        Unlisted { since, entries: Vec::new() }
    }

    pub(crate) fn push(&mut self, place: Place, entry: CdxjEntry) {
        self.entries.push((place, entry));
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    fn has(&self, file: u32) -> bool {
        self.entries.iter().any(|(place, _)| place.file == file)
    }

    /// The lines of a file's captures up to `end`, if all after its byte `covered` are known.
    fn lines(&self, file: u32, covered: u64, end: Spot) -> Option<Vec<String>> {
        let is_new = |place: &Place| place.file == file && place.offset >= covered;
        let listed = self.entries.iter().filter(|(place, _)| is_new(place) && place.after() <= end);
        let name = name(file);
        let lines =
            listed.map(|(place, entry)| entry.line(place.offset, place.length.into(), &name));
        (Spot::new(file, covered) >= self.since).then(|| lines.collect())
    }

    /// Forgets what is acknowledged, and by now in an index.
    fn forget(&mut self, end: Spot) {
        self.entries.retain(|(place, _)| place.after() > end);
        self.since = end;
    }
}

impl CdxjEntry {
    pub(crate) fn of(capture: &Capture, digest: String) -> CdxjEntry {
        let Capture { url, time, status, headers, .. } = capture;
        CdxjEntry { url: url.clone(), time: *time, status: *status, mime: mime(headers), digest }
    }

    /// Of a visit that found nothing new, with the digest of the capture that still holds.
    pub(crate) fn of_revisit(capture: &Capture, digest: String) -> CdxjEntry {
        CdxjEntry { mime: REVISIT.to_owned(), ..CdxjEntry::of(capture, digest) }
    }

    /// That of a response or a revisit record.
    fn of_record(record: &crate::WarcRecord) -> Option<CdxjEntry> {
        let url = Url::stored(record.header("WARC-Target-URI")?).ok()?;
        let time = crate::warc::milliseconds(record.header("WARC-Date")?)?;
        let http::StoredHead { status, headers, length } = http::parse(&record.block)?;
        let digest = match record.header("WARC-Payload-Digest") {
            Some(digest) => digest.to_owned(),
            None => digest(&record.block[length..]),
        };
        let digest = digest.trim_start_matches("sha1:").to_owned();
        let mime = if record.is_revisit() { REVISIT.to_owned() } else { mime(&headers) };
        Some(CdxjEntry { url, time, status, mime, digest })
    }

    /// Whether it stands in the index. A 304 does not: who replays an archive would answer with it, and not with the
    /// capture that it says still holds.
    pub(crate) fn is_listed(&self) -> bool {
        self.mime != REVISIT || self.status != 304
    }

    /// `surt timestamp {json}`. Of a revisit the status is left out, as archive tools have it.
    fn line(&self, offset: u64, length: u64, file: &str) -> String {
        let status = if self.mime == REVISIT { "-".to_owned() } else { self.status.to_string() };
        let json = serde_json::json!({
            "url": self.url.as_str(),
            "mime": self.mime,
            "status": status,
            "digest": self.digest,
            "length": length.to_string(),
            "offset": offset.to_string(),
            "filename": file,
        });
        let timestamp = date(self.time);
        let timestamp: String = timestamp.chars().filter(char::is_ascii_digit).take(14).collect();
        format!("{} {timestamp} {json}\n", surt(&self.url))
    }
}

fn mime(headers: &[(String, String)]) -> String {
    let named = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let mime = named.and_then(|(_, value)| value.split([';', ',', ' ']).next()).unwrap_or("");
    if mime.is_empty() { "unk" } else { mime }.to_owned()
}

fn name(file: u32) -> String {
    format!("{file:05}.warc.gz")
}

/// Brings the index of every file up to date that is missing or older than it.
pub(crate) fn write(captures: &CapturesView, unlisted: &mut Unlisted) -> Result<(), StoreError> {
    let end = captures.end();
    for file in 0..=end.file {
        let warc = captures.path(file);
        let index = warc.with_extension("").with_extension("cdxj");
        if warc.exists() && (unlisted.has(file) || !is_newer(&index, &warc)) {
            let lines = lines(captures, file, &index, unlisted)?;
            write_atomically(&index, &lines).map_err(|e| StoreError::io(&index, e))?;
        }
    }
    unlisted.forget(end);
    Ok(())
}

fn is_newer(index: &Path, warc: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|m| m.modified());
    matches!((modified(index), modified(warc)), (Ok(index), Ok(warc)) if index > warc)
}

/// The index's lines in byte order, as tools that search them by halving expect: those that stand there, and
/// those of captures after them.
fn lines(
    captures: &CapturesView,
    file: u32,
    index: &Path,
    unlisted: &Unlisted,
) -> Result<Vec<String>, StoreError> {
    let end = captures.end();
    let most = if file == end.file { end.offset } else { u64::MAX };
    let (mut lines, covered) = listed(index, most);
    match unlisted.lines(file, covered, end) {
        Some(new) => lines.extend(new),
        None => {
            let name = name(file);
            let read = captures.records(file, covered)?;
            lines.extend(read.filter_map(|found| line(&found, &name)));
        }
    }
    lines.sort_unstable();
    Ok(lines)
}

/// The lines of an index as it stands, and up to which byte of its file they go. One that is damaged, or goes
/// beyond the file's end, is of no use.
fn listed(index: &Path, most: u64) -> (Vec<String>, u64) {
    let text = fs::read_to_string(index).unwrap_or_default();
    let mut covered = 0;
    for line in text.lines() {
        let number = |name: &str| line.split_once(name)?.1.split('"').next()?.parse::<u64>().ok();
        let end = number("\"offset\":\"").zip(number("\"length\":\""));
        match end.and_then(|(offset, length)| offset.checked_add(length)) {
            Some(end) if end <= most => covered = covered.max(end),
            _ => return (Vec::new(), 0),
        }
    }
    (text.lines().map(|line| format!("{line}\n")).collect(), covered)
}

/// The line of a response or a revisit record.
fn line(found: &WarcPart, file: &str) -> Option<String> {
    let record =
        found.record.as_ref().ok().filter(|record| record.is_response() || record.is_revisit())?;
    let entry = CdxjEntry::of_record(record).filter(CdxjEntry::is_listed)?;
    Some(entry.line(found.offset, found.length, file))
}

/// A reader sees the old index or the new one, never half of one.
fn write_atomically(path: &Path, lines: &[String]) -> io::Result<()> {
    let new = path.with_extension("cdxj.new");
    let write = || {
        let mut file = io::BufWriter::new(DiskFile::open(&new, FileOpening::Emptied)?);
        for line in lines {
            file.write_all(line.as_bytes())?;
        }
        file.into_inner()?.sync_all()?;
        disk::rename(&new, path)
    };
    let result = write();
    if result.is_err() {
        let _ = disk::remove_file(&new);
    }
    result?;
    path.parent().map_or(Ok(()), |dir| sync_dir(dir).map_err(io::Error::other))
}
