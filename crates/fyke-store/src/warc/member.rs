//! A gzip member of a WARC file, unpacked whole and checked. Nothing that it claims takes memory: room grows
//! as bytes come, and who reads it says when they are too many.

use super::reader::words;
use flate2::{Decompress, FlushDecompress, Status};
use std::io::{BufRead, Read};

/// Room at the start, and the most that is kept for the next member.
const ROOM: usize = 64 * 1024;
const MOST_KEPT: usize = 4 * 1024 * 1024;
/// Longest field of a gzip header.
const MAX_FIELD: u64 = 64 * 1024;

/// Flags of a gzip header (RFC 1952).
const HEADER_CHECKSUM: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;

/// Unpacks members one after the other, in the same memory.
#[derive(Debug)]
pub(super) struct MemberReader {
    state: Decompress,
    plain: Vec<u8>,
}

impl Default for MemberReader {
    fn default() -> MemberReader {
        MemberReader { state: Decompress::new(false), plain: Vec::new() }
    }
}

impl MemberReader {
    /// The content of the member at the start of `input`. `judge` sees what there is of it, as it grows, and
    /// ends the reading with an error.
    ///
    /// # Errors
    /// In words: those of `judge`, and what is wrong with the member.
    pub(super) fn read(
        &mut self,
        input: &mut impl BufRead,
        mut judge: impl FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<&[u8], String> {
        self.state.reset(false);
        if self.plain.len() > MOST_KEPT {
            self.plain = Vec::new();
        }
        skip_header(input)?;
        let mut filled = 0;
        loop {
            if filled == self.plain.len() {
                self.plain.resize((2 * filled).max(ROOM), 0);
            }
            let packed = input.fill_buf().map_err(|e| words(&e))?;
            let is_end = packed.is_empty();
            let (before, room) = (self.state.total_in(), &mut self.plain[filled..]);
            let status = self.state.decompress(packed, room, FlushDecompress::None);
            let status = status.map_err(|_| "corrupt deflate stream")?;
            input.consume((self.state.total_in() - before) as usize);
            let grown = self.state.total_out() as usize > filled;
            filled = self.state.total_out() as usize;
            judge(&self.plain[..filled])?;
            match status {
                Status::StreamEnd => break,
                _ if is_end && !grown => return Err("the record is cut short".into()),
                _ => {}
            }
        }
        let plain = &self.plain[..filled];
        let mut trailer = [0; 8];
        input.read_exact(&mut trailer).map_err(|e| words(&e))?;
        let checksum = u64::from(crc32fast::hash(plain));
        if u64::from_le_bytes(trailer) != (filled as u64 & 0xffff_ffff) << 32 | checksum {
            return Err("corrupt gzip stream does not have a matching checksum".into());
        }
        Ok(plain)
    }
}

/// Passes over a member's header.
fn skip_header(input: &mut impl BufRead) -> Result<(), String> {
    let mut head = [0; 10];
    input.read_exact(&mut head).map_err(|e| words(&e))?;
    if head[..3] != [0x1f, 0x8b, 8] {
        return Err("invalid gzip header".into());
    }
    let flags = head[3];
    let mut two = [0; 2];
    if flags & EXTRA != 0 {
        input.read_exact(&mut two).map_err(|e| words(&e))?;
        let mut extra = vec![0; usize::from(u16::from_le_bytes(two))];
        input.read_exact(&mut extra).map_err(|e| words(&e))?;
    }
    for _ in 0..(flags & (NAME | COMMENT)).count_ones() {
        let mut field = Vec::new();
        let read = input.by_ref().take(MAX_FIELD).read_until(0, &mut field);
        read.map_err(|e| words(&e))?;
        if field.last() != Some(&0) {
            return Err("invalid gzip header".into());
        }
    }
    if flags & HEADER_CHECKSUM != 0 {
        input.read_exact(&mut two).map_err(|e| words(&e))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use std::io::Write;

    fn packed(builder: GzBuilder, plain: &[u8]) -> Vec<u8> {
        let mut encoder = builder.write(Vec::new(), Compression::fast());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    /// Reads the members one after the other through a buffer of `size` bytes.
    fn read_all(bytes: &[u8], size: usize, count: usize) -> Vec<Result<Vec<u8>, String>> {
        let mut input = std::io::BufReader::with_capacity(size, bytes);
        let mut reader = MemberReader::default();
        let mut read = || reader.read(&mut input, |_| Ok(())).map(<[u8]>::to_vec);
        (0..count).map(|_| read()).collect()
    }

    #[test]
    fn members_of_any_size_and_header_are_read_one_after_the_other() {
        let plain: Vec<u8> = (0..300_000_u32).map(|n| (n * n >> 7) as u8).collect();
        let named = GzBuilder::new().filename("a.warc").comment("of a test").extra(vec![7; 9]);
        let members = [
            packed(GzBuilder::new(), b""),
            packed(named, &plain),
            packed(GzBuilder::new(), b"WARC/1.0"),
        ];
        for size in [1, 100, 1 << 16] {
            let found = read_all(&members.concat(), size, 4);
            assert_eq!(found[..2], [Ok(Vec::new()), Ok(plain.clone())]);
            assert_eq!(found[2], Ok(b"WARC/1.0".to_vec()));
            assert!(found[3].is_err(), "there is no fourth");
        }
    }

    #[test]
    fn damage_and_a_missing_end_are_told() {
        let member = packed(GzBuilder::new(), &b"the net is set in the evening ".repeat(20));
        for cut in 0..member.len() {
            let found = read_all(&member[..cut], 64, 1);
            assert_eq!(found, [Err("the record is cut short".to_owned())], "{cut}");
        }
        for at in (0..3).chain(10..member.len()) {
            let mut damaged = member.clone();
            damaged[at] ^= 1;
            assert!(read_all(&damaged, 64, 1)[0].is_err(), "{at}");
        }
    }

    #[test]
    fn reading_ends_when_it_is_told_to() {
        let member = packed(GzBuilder::new(), &vec![0; 10_000_000]);
        let mut most = 0;
        let mut reader = MemberReader::default();
        let found = reader.read(&mut &member[..], |plain| {
            most = plain.len();
            if plain.len() > 1000 { Err("enough".to_owned()) } else { Ok(()) }
        });
        assert_eq!(found, Err("enough".to_owned()));
        assert!(most <= ROOM);
    }
}
