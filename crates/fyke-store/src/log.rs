//! The log: records in the order they were made, never changed. It is the truth of the ledger and
//! of the documents; everything else about them is an index that can be made again from it.
//!
//! `NNNNN.log` begins with eight bytes that name the format; a record is its payload's length and
//! checksum (four bytes each, little-endian; xxh3 seeded with the record's position, so that a
//! record read at a wrong place is noticed) and the payload.

mod damage;

pub(crate) use damage::Damage;

use crate::StoreError;
use crate::disk::{self, DiskFile, FileOpening};
use crate::tail::{self, Rest, Spot, Tail, TailStyle};
use damage::NamedDamage;
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64_with_seed;

const STYLE: TailStyle = TailStyle { extension: "log", file_size: 256 << 20 };
const MAGIC: &[u8; 8] = b"fykelog1";
/// Bytes before a payload.
const HEAD: usize = 8;
/// Largest payload.
const MOST: usize = 64 << 20;
/// An offset leaves the three highest of its 32 bits to the ledger's marks.
const _: () = assert!(STYLE.file_size + MOST as u64 + HEAD as u64 <= 1 << 29);
/// Scans read in steps of this size.
const STEP: usize = 1 << 20;
/// In the search for the next good record after damage, whatever claims to be a record of this size is
/// looked at; larger claims only until so many bytes of them were hashed. So the search reaches the end
/// of the file, whatever stands there, in a time that grows with its length.
const SMALL: usize = 4 << 10;
const MOST_HASHED: usize = 1 << 30;

/// Where a record stands in its log: file number and offset in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position(pub u64);

impl Position {
    pub(crate) fn new(spot: Spot) -> Position {
        Position(u64::from(spot.file) << 32 | spot.offset)
    }

    pub(crate) fn spot(self) -> Spot {
        Spot::new((self.0 >> 32) as u32, self.0 & 0xffff_ffff)
    }
}

/// An open log.
#[derive(Debug)]
pub(crate) struct Log {
    tail: Tail,
    named: NamedDamage,
}

/// Bytes of log after which its indexes are written out, so that opening replays no more than about
/// that.
const MOST_REPLAYED: u64 = 16 << 20;

/// What replaying a log found.
#[derive(Debug, Default)]
pub(crate) struct Replayed {
    /// The log's end after the last commit, when there is one.
    pub(crate) end: Option<Position>,
    /// Damage before that end: named, passed over.
    pub(crate) damage: Vec<Damage>,
    /// There is damage after that end with good records behind it: it may have been a commit, and what
    /// stands there acknowledged.
    pub(crate) is_holed: bool,
}

impl Log {
    /// Opens the log in `dir` as it stands on disk; [`Log::cut`] says what of it counts.
    pub(crate) fn open(dir: &Path) -> Result<Log, StoreError> {
        disk::create_dir(dir).map_err(|e| StoreError::io(dir, e))?;
        let mut end = tail::last(dir, STYLE)?.unwrap_or(Spot::START);
        if end < Log::start().spot() {
            // The first file is there from the start: captures without it have lost their ledger.
            let path = dir.join(format!("00000.{}", STYLE.extension));
            let made = DiskFile::open(&path, FileOpening::Emptied)
                .and_then(|mut file| file.write_all(MAGIC));
            made.map_err(|e| StoreError::io(&path, e))?;
            tail::sync_files(dir, STYLE, 0)?;
            end = Log::start().spot();
        }
        Ok(Log { tail: Tail::new(dir, STYLE, end), named: NamedDamage::default() })
    }

    /// Opens the log in `dir` up to `end`, or up to where it stands on disk now, to be read beside a
    /// writer: nothing is made, cut or written, and files that are removed later stay readable.
    pub(crate) fn open_to_read(dir: &Path, end: Option<Position>) -> Result<Log, StoreError> {
        let end = match end {
            Some(end) => end.spot(),
            None => Log::on_disk(dir)?,
        };
        let end = end.max(Log::start().spot());
        let tail = Tail::new(dir, STYLE, end);
        tail.hold_open()?;
        Ok(Log { tail, named: NamedDamage::default() })
    }

    /// Where the log in `dir` ends on disk.
    pub(crate) fn on_disk(dir: &Path) -> Result<Spot, StoreError> {
        Ok(tail::last(dir, STYLE)?.unwrap_or(Spot::START))
    }

    /// The same log as it was up to a position.
    pub(crate) fn up_to(&self, end: Position) -> Log {
        Log { tail: self.tail.up_to(end.spot()), named: NamedDamage::default() }
    }

    /// Makes durable what stands on disk from a position on. What is past `sure` was perhaps never synced, and is written
    /// again.
    pub(crate) fn renew(&self, from: Position, sure: Position) -> Result<(), StoreError> {
        let (dir, end) = (self.tail.dir(), self.tail.end());
        if sure.spot() < end {
            tail::renew(dir, STYLE, sure.spot(), end)?;
        }
        tail::sync_files(dir, STYLE, from.spot().file)
    }

    /// Cuts off everything from `end` on.
    pub(crate) fn cut(self, dir: &Path, end: Position, rest: Rest) -> Result<Log, StoreError> {
        tail::cut(dir, STYLE, end.spot(), rest)?;
        Ok(Log { tail: Tail::new(dir, STYLE, end.spot()), named: self.named })
    }

    /// Where the first record stands.
    pub(crate) fn start() -> Position {
        Position(MAGIC.len() as u64)
    }

    /// Where the next record goes, or after it where that begins a new file.
    pub(crate) fn end(&self) -> Position {
        Position::new(self.tail.end())
    }

    pub(crate) fn pending(&self) -> u64 {
        self.tail.pending()
    }

    /// Whether so much was appended after `covered` that replaying it would take long.
    pub(crate) fn is_far_from(&self, covered: Position) -> bool {
        self.end().0.abs_diff(covered.0) > MOST_REPLAYED
    }

    pub(crate) fn write(&self) -> Result<(), StoreError> {
        self.tail.write()
    }

    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        self.tail.sync()
    }

    /// Appends a record; it is readable at once and on disk after the next write.
    pub(crate) fn append(&self, payload: &[u8]) -> Result<Position, StoreError> {
        if payload.is_empty() || payload.len() > MOST {
            let path = self.tail.path(self.tail.end().file);
            let what = format!("a record of {} bytes does not fit in", payload.len());
            return Err(StoreError::damaged(&path, what));
        }
        let opening = |_, out: &mut Vec<u8>| out.extend_from_slice(MAGIC);
        Ok(self.tail.append(opening, |spot, out| {
            let position = Position::new(spot);
            out.extend_from_slice(&(payload.len() as u32).to_le_bytes());
            out.extend_from_slice(&checksum(payload, position).to_le_bytes());
            out.extend_from_slice(payload);
            position
        }))
    }

    /// The payload of the record at a position.
    pub(crate) fn read(&self, position: Position) -> Result<Vec<u8>, StoreError> {
        let spot = position.spot();
        let mut first = [0; 512];
        let got =
            self.tail.read(spot, &mut first).map_err(|error| match position < self.end() {
                true => error,
                // A record may name any place as that of another.
                false => self.damaged(position, "it lies behind the log's end"),
            })?;
        let Some(length) = length(&first[..got]) else {
            return Err(self.damaged(position, "no record stands there"));
        };
        let mut payload = vec![0; length];
        let known = (got - HEAD).min(length);
        payload[..known].copy_from_slice(&first[HEAD..HEAD + known]);
        let rest = spot.skip((HEAD + known) as u64);
        if !self.tail.read_exact(rest, &mut payload[known..])? {
            return Err(self.damaged(position, "the record is cut short"));
        }
        if sum(&first) != checksum(&payload, position) {
            return Err(self.damaged(position, "its checksum is wrong"));
        }
        Ok(payload)
    }

    /// The payload of the record at a position; none when it is damaged, which is named once.
    pub(crate) fn read_good(&self, position: Position) -> Result<Option<Vec<u8>>, StoreError> {
        match self.read(position) {
            Err(error @ StoreError::Damaged { .. }) => {
                if !self.named.has(position.0) {
                    // A scan tells how far the damage goes.
                    let mut scan = self.scan(position, self.end());
                    scan.next();
                    let end = scan.position().0.max(position.0.saturating_add(1));
                    self.name(&Damage { bytes: position.0..end, error });
                }
                Ok(None)
            }
            read => read.map(Some),
        }
    }

    /// Warns of damage, once.
    pub(crate) fn name(&self, damage: &Damage) {
        self.named.name(damage);
    }

    /// What was found damaged since the log was opened, in words.
    pub(crate) fn damage(&self) -> Vec<String> {
        self.named.all()
    }

    /// All records between two positions.
    pub(crate) fn scan(&self, from: Position, until: Position) -> LogScan<'_> {
        LogScan {
            log: self,
            at: from.spot(),
            until: until.spot(),
            buffer: Vec::new(),
            start: 0,
            has_passed: false,
        }
    }

    /// Replays the log from a commit (or its start) on: each record goes to `note`, which says
    /// whether it is a commit; `apply` is called with each commit that counts, and so do the records
    /// noted before it. A batch with damage inside counts only when it was acknowledged: because
    /// `acknowledged` lies behind it, or because another commit follows it, which is written only
    /// after the one before is durable.
    pub(crate) fn replay(
        &self,
        from: Position,
        acknowledged: Position,
        mut note: impl FnMut(Position, &[u8]) -> bool,
        mut apply: impl FnMut(Position) -> Result<(), StoreError>,
    ) -> Result<Replayed, StoreError> {
        let mut replayed = Replayed::default();
        let mut torn: Vec<Damage> = Vec::new();
        // A damaged batch waits for the next commit to vouch for it.
        let mut suspect: Option<(Position, Position, Vec<Damage>)> = None;
        let mut scan = self.scan(from, self.end());
        loop {
            let start = scan.position().0;
            let Some(found) = scan.next() else { break };
            let position = match found {
                Err(error @ StoreError::Damaged { .. }) => {
                    torn.push(Damage { bytes: start..scan.position().0, error });
                    continue;
                }
                Err(error) => return Err(error),
                Ok((position, payload)) if note(position, payload) => position,
                Ok(_) => {
                    replayed.is_holed |= !torn.is_empty();
                    continue;
                }
            };
            replayed.is_holed = false;
            let batch = (position, scan.position(), std::mem::take(&mut torn));
            let vouched = suspect.take();
            let is_whole = batch.2.is_empty() || batch.1 <= acknowledged;
            let own = if is_whole {
                Some(batch)
            } else {
                suspect = Some(batch);
                None
            };
            for (commit, end, mut damage) in vouched.into_iter().chain(own) {
                replayed.damage.append(&mut damage);
                replayed.end = Some(end);
                apply(commit)?;
            }
        }
        replayed.is_holed |= suspect.is_some();
        Ok(replayed)
    }

    pub(crate) fn damaged(&self, position: Position, what: &str) -> StoreError {
        let Spot { file, offset } = position.spot();
        StoreError::damaged(&self.tail.path(file), format!("record at byte {offset}: {what}"))
    }
}

/// Checks a record's bytes: its payload's length when they are whole and right.
fn valid(bytes: &[u8], position: Position) -> Option<usize> {
    let length = length(bytes)?;
    let payload = bytes.get(HEAD..HEAD + length)?;
    (checksum(payload, position) == sum(bytes)).then_some(length)
}

/// The length a record's head claims, when it is possible at all.
fn length(head: &[u8]) -> Option<usize> {
    let length = u32::from_le_bytes(head.get(..4)?.try_into().ok()?) as usize;
    (head.len() >= HEAD && (1..=MOST).contains(&length)).then_some(length)
}

fn sum(head: &[u8]) -> u32 {
    head.get(4..HEAD).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn checksum(payload: &[u8], position: Position) -> u32 {
    xxh3_64_with_seed(payload, position.0) as u32
}

/// Reads records one after the other. Damage is named once and passed over.
#[derive(Debug)]
pub(crate) struct LogScan<'a> {
    log: &'a Log,
    /// Where the next record is looked for.
    at: Spot,
    until: Spot,
    /// Bytes of the file of `at` from byte `start` on.
    buffer: Vec<u8>,
    start: u64,
    /// Something was damaged.
    pub(crate) has_passed: bool,
}

impl LogScan<'_> {
    /// Where the next record stands.
    pub(crate) fn position(&self) -> Position {
        Position::new(self.at)
    }

    pub(crate) fn next(&mut self) -> Option<Result<(Position, &[u8]), StoreError>> {
        match self.advance() {
            Ok(None) => None,
            Ok(Some((position, range))) => Some(Ok((position, &self.buffer[range]))),
            Err(error) => {
                // What cannot be read would be met again and again.
                if !matches!(error, StoreError::Damaged { .. }) {
                    self.at = self.until;
                }
                Some(Err(error))
            }
        }
    }

    /// The next record that is good. What is passed over on the way is named once.
    pub(crate) fn next_good(&mut self) -> Result<Option<(Position, &[u8])>, StoreError> {
        loop {
            let start = self.position().0;
            match self.advance() {
                Ok(None) => return Ok(None),
                Ok(Some((position, range))) => return Ok(Some((position, &self.buffer[range]))),
                Err(error @ StoreError::Damaged { .. }) => {
                    self.has_passed = true;
                    self.log.name(&Damage { bytes: start..self.position().0, error });
                }
                Err(error) => {
                    self.at = self.until;
                    return Err(error);
                }
            }
        }
    }

    fn advance(&mut self) -> Result<Option<(Position, Range<usize>)>, StoreError> {
        while self.at < self.until {
            if self.at.offset == 0 {
                self.begin_file()?;
                continue;
            }
            let got = self.fill(HEAD)?;
            if got == 0 {
                self.next_file();
                continue;
            }
            let position = self.position();
            if let Some(length) = self.valid_here()? {
                let start = self.here() + HEAD;
                self.at.offset += (HEAD + length) as u64;
                return Ok(Some((position, start..start + length)));
            }
            return Err(self.pass_over(position)?);
        }
        Ok(None)
    }

    fn next_file(&mut self) {
        self.at = Spot::new(self.at.file + 1, 0);
        self.buffer.clear();
        self.start = 0;
    }

    fn begin_file(&mut self) -> Result<(), StoreError> {
        let got = self.fill(MAGIC.len())?;
        let is_ours = self.buffer.get(..MAGIC.len()) == Some(MAGIC);
        self.at.offset = MAGIC.len() as u64;
        if is_ours || got == 0 {
            return Ok(());
        }
        Err(self
            .log
            .damaged(Position::new(Spot::new(self.at.file, 0)), "the file does not begin as a log"))
    }

    /// Index in the buffer of the byte at `at`.
    fn here(&self) -> usize {
        (self.at.offset - self.start) as usize
    }

    /// Payload length of the record at `at`, if a good one stands there.
    fn valid_here(&mut self) -> Result<Option<usize>, StoreError> {
        let got = self.fill(HEAD)?;
        let head = &self.buffer[self.here()..self.here() + got];
        let Some(length) = length(head) else { return Ok(None) };
        let got = self.fill(HEAD + length)?;
        let bytes = &self.buffer[self.here()..self.here() + got];
        Ok(valid(bytes, self.position()))
    }

    /// Finds the next good record after damage and says what was passed over.
    fn pass_over(&mut self, damaged: Position) -> Result<StoreError, StoreError> {
        let Spot { file, offset } = damaged.spot();
        let end = self.file_end()?;
        let mut hashed = 0;
        loop {
            self.at.offset += 1;
            let got = self.fill(HEAD)?;
            if got < HEAD || self.at >= self.until {
                let passed = self.at.offset + got as u64 - offset;
                self.next_file();
                return Ok(self.passed(damaged, passed));
            }
            let head = &self.buffer[self.here()..self.here() + HEAD];
            let is_inside = |length: &usize| self.at.offset + (HEAD + length) as u64 <= end;
            let Some(length) = length(head).filter(is_inside) else { continue };
            if length > SMALL {
                if hashed + length > MOST_HASHED {
                    continue;
                }
                hashed += length;
            }
            if self.valid_here()?.is_some() {
                debug_assert_eq!(self.at.file, file);
                return Ok(self.passed(damaged, self.at.offset - offset));
            }
        }
    }

    /// Where the file that is being read ends, as far as it is wanted.
    fn file_end(&self) -> Result<u64, StoreError> {
        let end = self.log.tail.length(self.at.file)?;
        Ok(if self.at.file == self.until.file { end.min(self.until.offset) } else { end })
    }

    fn passed(&self, damaged: Position, bytes: u64) -> StoreError {
        self.log.damaged(damaged, &format!("not a valid record; {bytes} bytes skipped"))
    }

    /// Makes the buffer hold `need` bytes from `at` on; says how many there are if fewer.
    fn fill(&mut self, need: usize) -> Result<usize, StoreError> {
        if self.here() > self.buffer.len() {
            self.start = self.at.offset;
            self.buffer.clear();
        }
        let bound = if self.at.file == self.until.file { self.until.offset } else { u64::MAX };
        while self.buffer.len() - self.here() < need {
            let here = self.here();
            self.buffer.drain(..here);
            self.start = self.at.offset;
            let filled = self.buffer.len();
            let from = self.start + filled as u64;
            let want = (need.max(STEP) - filled).min(bound.saturating_sub(from) as usize);
            self.buffer.resize(filled + want, 0);
            let got =
                match self.log.tail.read(Spot::new(self.at.file, from), &mut self.buffer[filled..])
                {
                    Ok(got) => got,
                    Err(error) => {
                        self.buffer.truncate(filled);
                        return Err(error);
                    }
                };
            self.buffer.truncate(filled + got);
            if got == 0 {
                break;
            }
        }
        Ok((self.buffer.len() - self.here()).min(need))
    }
}
