//! The bytes of an archive with their packing taken off: plain, gzip (a member a record, or one for
//! the whole file) or zstd, found by their first bytes. Readers look through a window that grows only
//! as bytes come, so a length that a file claims takes no memory. After a damaged gzip member the
//! reading goes on with the next; a barrier keeps their bytes apart.

use super::RecordSpot;
use flate2::bufread::GzDecoder;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// Bytes asked for at a time.
const STEP: usize = 64 * 1024;
/// Damaged members after which a file is given up: each costs a search.
const MOST_DAMAGE: usize = 10_000;
/// Bytes in which a gzip member shows that it is one.
const PROBE: usize = 4096;
/// Largest dictionary in front of a zstd file.
const MOST_DICTIONARY: u32 = 16 * 1024 * 1024;
const GZIP: &[u8] = &[0x1f, 0x8b, 0x08];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// A skippable frame that holds the dictionary of all frames after it, as .warc.zst files have.
const ZSTD_DICTIONARY: &[u8] = &[0x5d, 0x2a, 0x4d, 0x18];

type ArchiveInput = BufReader<File>;

enum Unpacker {
    Plain(ArchiveInput),
    Gzip(Box<GzDecoder<ArchiveInput>>),
    Zstd(Box<zstd::stream::read::Decoder<'static, ArchiveInput>>),
    /// Nothing more comes.
    Done,
}

/// A window over the unpacked bytes of a file.
pub(super) struct ArchiveWindow {
    unpacker: Unpacker,
    window: Vec<u8>,
    /// Where the unread part of the window starts.
    start: usize,
    /// How many unpacked bytes lie before the unread part.
    read: u64,
    /// Members begun: unpacked bytes before it, and its offset in the file.
    members: VecDeque<(u64, u64)>,
    damaged: usize,
    /// The damage behind the bytes in the window: nothing joins them before they are taken.
    barrier: Option<Barrier>,
}

struct Barrier {
    what: String,
    /// A reader knows of it.
    is_told: bool,
}

impl std::fmt::Debug for ArchiveWindow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("read", &self.read).finish_non_exhaustive()
    }
}

impl ArchiveWindow {
    pub(super) fn open(file: File) -> io::Result<ArchiveWindow> {
        let mut input = BufReader::with_capacity(STEP, file);
        let magic = input.fill_buf()?;
        let unpacker = if magic.starts_with(GZIP) {
            Unpacker::Gzip(Box::new(GzDecoder::new(input)))
        } else if magic.starts_with(ZSTD) || magic.starts_with(ZSTD_DICTIONARY) {
            Unpacker::Zstd(Box::new(zstd_decoder(input)?))
        } else {
            Unpacker::Plain(input)
        };
        Ok(ArchiveWindow::new(unpacker))
    }

    /// A file that is packed with gzip, whatever its damaged start looks like.
    pub(super) fn packed(file: File) -> ArchiveWindow {
        let input = BufReader::with_capacity(STEP, file);
        ArchiveWindow::new(Unpacker::Gzip(Box::new(GzDecoder::new(input))))
    }

    fn new(unpacker: Unpacker) -> ArchiveWindow {
        let members = VecDeque::from([(0, 0)]);
        let window = Vec::new();
        ArchiveWindow { unpacker, window, start: 0, read: 0, members, damaged: 0, barrier: None }
    }

    /// Whether a gzip member begins with this byte of the window.
    pub(super) fn begins_member(&self, at: usize) -> bool {
        let unpacked = self.read + at as u64;
        self.members.binary_search_by_key(&unpacked, |(before, _)| *before).is_ok()
    }

    /// The bytes in the window that were not taken yet.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.window[self.start..]
    }

    /// Takes bytes off the window.
    pub(super) fn take(&mut self, count: usize) {
        let count = count.min(self.bytes().len());
        self.start += count;
        self.read += count as u64;
        while self.members.get(1).is_some_and(|(before, _)| *before <= self.read) {
            self.members.pop_front();
        }
        if self.start == self.window.len() {
            self.window.clear();
            self.window.shrink_to(16 * STEP);
            self.start = 0;
        }
    }

    /// Where the next byte stands.
    pub(super) fn spot(&self) -> RecordSpot {
        let (before, offset) = self.members.front().copied().unwrap_or_default();
        let inside = self.read - before;
        match self.unpacker {
            Unpacker::Plain(_) => RecordSpot { offset: inside, inside: 0 },
            _ => RecordSpot { offset, inside },
        }
    }

    /// Bytes of the file read so far, as packed.
    pub(super) fn position(&mut self) -> u64 {
        let position = match &mut self.unpacker {
            Unpacker::Plain(input) => input.stream_position(),
            Unpacker::Gzip(gzip) => gzip.get_mut().stream_position(),
            Unpacker::Zstd(zstd) => zstd.get_mut().stream_position(),
            Unpacker::Done => return u64::MAX,
        };
        position.unwrap_or(0)
    }

    /// Fills the window up to `count` bytes; fewer come only at the file's end or in front of damage.
    /// An error names damage that no reader has met.
    pub(super) fn fill(&mut self, count: usize) -> Result<(), String> {
        while self.bytes().len() < count {
            match self.barrier.take_if(|_| self.start == self.window.len()) {
                Some(barrier) if !barrier.is_told => return Err(barrier.what),
                _ if self.barrier.is_some() => break,
                _ => {}
            }
            match self.more() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => self.pass_over(&error),
            }
        }
        Ok(())
    }

    /// The damage that ends the window, if that is what ends it; from now on it counts as told.
    pub(super) fn damage(&mut self) -> Option<String> {
        let barrier = self.barrier.as_mut()?;
        barrier.is_told = true;
        Some(barrier.what.clone())
    }

    /// Why the window ends where it does, in words.
    pub(super) fn ending(&mut self) -> String {
        self.damage().unwrap_or_else(|| "the file ends".to_owned())
    }

    /// One step more of the current member, or the next one; false at the end.
    fn more(&mut self) -> io::Result<bool> {
        if self.start > STEP && self.start > self.window.len() / 2 {
            self.window.drain(..self.start);
            self.start = 0;
        }
        let old = self.window.len();
        let step = STEP as u64;
        loop {
            let count = match &mut self.unpacker {
                Unpacker::Plain(input) => input.take(step).read_to_end(&mut self.window)?,
                Unpacker::Gzip(gzip) => gzip.take(step).read_to_end(&mut self.window)?,
                Unpacker::Zstd(zstd) => zstd.take(step).read_to_end(&mut self.window)?,
                Unpacker::Done => return Ok(false),
            };
            if count > 0 || !self.next_member()? {
                return Ok(self.window.len() > old);
            }
        }
    }

    /// Begins the next gzip member where one ended; false when there is none.
    fn next_member(&mut self) -> io::Result<bool> {
        if !matches!(self.unpacker, Unpacker::Gzip(_)) {
            return Ok(false);
        }
        let ended = std::mem::replace(&mut self.unpacker, Unpacker::Done);
        let Unpacker::Gzip(gzip) = ended else { return Ok(false) };
        let mut input = gzip.into_inner();
        if input.fill_buf()?.is_empty() {
            return Ok(false);
        }
        self.begin(input)?;
        Ok(true)
    }

    fn begin(&mut self, mut input: ArchiveInput) -> io::Result<()> {
        let unpacked = self.read + self.bytes().len() as u64;
        self.members.push_back((unpacked, input.stream_position()?));
        self.unpacker = Unpacker::Gzip(Box::new(GzDecoder::new(input)));
        Ok(())
    }

    /// Puts a barrier behind what came, and goes to the next member.
    fn pass_over(&mut self, error: &io::Error) {
        self.damaged += 1;
        let member = self.members.back().map_or(0, |(_, offset)| *offset);
        let what = match error.kind() {
            io::ErrorKind::UnexpectedEof => "cut short".to_owned(),
            _ => error.to_string(),
        };
        let what = format!("packed bytes from {member} on: {what}");
        self.barrier = Some(Barrier { what, is_told: false });
        let unpacker = std::mem::replace(&mut self.unpacker, Unpacker::Done);
        if let Unpacker::Gzip(gzip) = unpacker
            && self.damaged < MOST_DAMAGE
            && let Ok(Some(input)) = seek_member(gzip.into_inner(), member + 1)
        {
            // A failure here shows at the next reading.
            let _ = self.begin(input);
        }
    }
}

/// The input at the next place from `from` on that looks like the start of a gzip member.
fn seek_member(mut input: ArchiveInput, from: u64) -> io::Result<Option<ArchiveInput>> {
    let mut at = from;
    let mut window = Vec::with_capacity(STEP);
    loop {
        window.clear();
        input.seek(SeekFrom::Start(at))?;
        (&mut input).take(STEP as u64).read_to_end(&mut window)?;
        if let Some(hit) = find_member(&window) {
            input.seek(SeekFrom::Start(at + hit as u64))?;
            return Ok(Some(input));
        }
        if window.len() < STEP {
            return Ok(None);
        }
        // A member's head may stand across two windows.
        at += (STEP - PROBE) as u64;
    }
}

/// The first place in a window from which a gzip member can be unpacked a little.
fn find_member(window: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(window, GZIP).find(|&hit| {
        let head = &window[hit..];
        // Three bits of the flags are none.
        let is_head = head.get(GZIP.len()).is_some_and(|flags| flags & 0xe0 == 0);
        is_head && GzDecoder::new(head).read(&mut [0; 64]).is_ok_and(|count| count > 0)
    })
}

/// A decoder for all frames, with the dictionary that the file may begin with.
fn zstd_decoder(
    mut input: ArchiveInput,
) -> io::Result<zstd::stream::read::Decoder<'static, ArchiveInput>> {
    if !input.fill_buf()?.starts_with(ZSTD_DICTIONARY) {
        return zstd::stream::read::Decoder::with_buffer(input);
    }
    let mut head = [0; 8];
    input.read_exact(&mut head)?;
    let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
    if length > MOST_DICTIONARY {
        return Err(io::Error::other(format!("a zstd dictionary of {length} bytes")));
    }
    let mut dictionary = Vec::new();
    (&mut input).take(length.into()).read_to_end(&mut dictionary)?;
    if dictionary.starts_with(ZSTD) {
        let packed = std::mem::take(&mut dictionary);
        let unpacked = zstd::stream::read::Decoder::with_buffer(&packed[..])?;
        unpacked.take(MOST_DICTIONARY.into()).read_to_end(&mut dictionary)?;
    }
    zstd::stream::read::Decoder::with_dictionary(input, &dictionary)
}
