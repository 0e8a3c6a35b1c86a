//! The chunked transfer coding (RFC 9112, 7.1), taken off as the bytes come, however they are cut. Pure.

/// Bytes of extensions and trailers that one body may have.
const MOST_EXTRA: usize = 16 * 1024;
/// Digits of a chunk's size.
const MOST_DIGITS: u8 = 16;

/// How far a chunked body has come.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    state: ChunkState,
    /// Bytes of the chunk that are still to come, or its size so far.
    left: u64,
    digits: u8,
    extra: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ChunkState {
    #[default]
    Size,
    /// Behind the size, up to the end of its line.
    Extension,
    Data,
    /// Behind the data, up to the end of its line.
    DataEnd,
    /// A line of the trailer; whether something stands in it.
    Trailer(bool),
    Done,
}

impl Chunks {
    /// Whether the last byte has come.
    pub(super) fn is_done(&self) -> bool {
        self.state == ChunkState::Done
    }

    /// Adds to `out` what `input` holds of the body, until the body ends or `out` has `most` bytes; says how
    /// many bytes of the input that took.
    pub(super) fn feed(
        &mut self,
        input: &[u8],
        out: &mut Vec<u8>,
        most: usize,
    ) -> Result<usize, &'static str> {
        let mut at = 0;
        while at < input.len() && out.len() < most && !self.is_done() {
            if self.state == ChunkState::Data {
                let room = (most - out.len()).min(input.len() - at);
                let now = usize::try_from(self.left).map_or(room, |left| left.min(room));
                out.extend_from_slice(&input[at..at + now]);
                at += now;
                self.left -= now as u64;
                if self.left == 0 {
                    self.state = ChunkState::DataEnd;
                }
                continue;
            }
            self.state = self.step(input[at])?;
            at += 1;
        }
        Ok(at)
    }

    /// What a byte outside the data leads to.
    fn step(&mut self, byte: u8) -> Result<ChunkState, &'static str> {
        match (self.state, byte) {
            (ChunkState::Size, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {
                if self.digits == MOST_DIGITS {
                    return Err("a chunk beyond all numbers");
                }
                let digit = char::from(byte).to_digit(16).unwrap_or(0);
                (self.left, self.digits) = (self.left << 4 | u64::from(digit), self.digits + 1);
                Ok(ChunkState::Size)
            }
            (ChunkState::Size, _) if self.digits == 0 => Err("a chunk without a size"),
            (ChunkState::Size, b'\r' | b' ' | b'\t' | b';') => Ok(ChunkState::Extension),
            (ChunkState::Size | ChunkState::Extension, b'\n') => Ok(self.begin()),
            (ChunkState::Size, _) => Err("a chunk's size is no number"),
            (ChunkState::Extension, _) => self.count(ChunkState::Extension),
            (ChunkState::DataEnd, b'\r') => self.count(ChunkState::DataEnd),
            (ChunkState::DataEnd, b'\n') => Ok(ChunkState::Size),
            (ChunkState::DataEnd, _) => Err("a chunk is longer than its size"),
            (ChunkState::Trailer(false), b'\n') => Ok(ChunkState::Done),
            (ChunkState::Trailer(true), b'\n') => self.count(ChunkState::Trailer(false)),
            (ChunkState::Trailer(has_text), b'\r') => self.count(ChunkState::Trailer(has_text)),
            (ChunkState::Trailer(_), _) => self.count(ChunkState::Trailer(true)),
            (state @ (ChunkState::Data | ChunkState::Done), _) => Ok(state),
        }
    }

    /// The size of a chunk is known.
    fn begin(&mut self) -> ChunkState {
        self.digits = 0;
        if self.left == 0 { ChunkState::Trailer(false) } else { ChunkState::Data }
    }

    fn count(&mut self, next: ChunkState) -> Result<ChunkState, &'static str> {
        self.extra += 1;
        if self.extra > MOST_EXTRA { Err("extensions or trailers without end") } else { Ok(next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*};

    /// The body in the pieces of the input, and how many bytes are left over behind it; none while it
    /// has no end.
    fn decode<'a>(
        pieces: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Option<(Vec<u8>, usize)>, &'static str> {
        let (mut chunks, mut out, mut left) = (Chunks::default(), Vec::new(), 0);
        for piece in pieces {
            left += piece.len() - chunks.feed(piece, &mut out, usize::MAX)?;
        }
        Ok(chunks.is_done().then_some((out, left)))
    }

    #[test]
    fn chunks_are_put_together_and_what_is_no_chunk_is_an_error() {
        let check = |text: &str, expected: Result<Option<(&str, usize)>, ()>| {
            let found = decode([text.as_bytes()]).map_err(|_| ());
            let expected = expected.map(|body| body.map(|(body, n)| (body.as_bytes().to_vec(), n)));
            assert_eq!(found, expected, "{text}");
        };
        check("3\r\nabc\r\n0\r\n\r\n", Ok(Some(("abc", 0))));
        check("3;a=b\r\nabc\r\nA \r\n0123456789\r\n000\r\nX: 1\r\nY: 2\r\n\r\nmore", {
            Ok(Some(("abc0123456789", 4)))
        });
        check("3\nabc\n0\n\n", Ok(Some(("abc", 0))));
        check("0\r\n\r\n", Ok(Some(("", 0))));
        check("3\r\nabc\r\n0\r\n", Ok(None));
        check("3\r\nab", Ok(None));
        check("3\r\nabcd\r\n", Err(()));
        check("\r\n", Err(()));
        check("-1\r\n", Err(()));
        check("3g\r\nabc", Err(()));
        check("ffffffffffffffff\r\nabc", Ok(None));
        check("00000000000000003\r\nabc", Err(()));
    }

    #[test]
    fn no_more_is_taken_than_is_wanted() {
        let (mut chunks, mut out) = (Chunks::default(), Vec::new());
        assert_eq!(chunks.feed(b"5\r\nabcde\r\n5\r\nfghij\r\n", &mut out, 7), Ok(15));
        assert_eq!(out, b"abcdefg");
    }

    proptest! {
        #[test]
        fn however_they_are_cut_the_body_is_the_same(
            parts in vec(vec(any::<u8>(), 1..40), 0..6),
            size in 1usize..9,
        ) {
            let mut coded = Vec::new();
            for part in &parts {
                coded.extend_from_slice(format!("{:x}\r\n", part.len()).as_bytes());
                coded.extend_from_slice(part);
                coded.extend_from_slice(b"\r\n");
            }
            coded.extend_from_slice(b"0\r\n\r\n");
            let expected = Ok(Some((parts.concat(), 0)));
            prop_assert_eq!(decode(coded.chunks(size)), expected);
        }

        #[test]
        fn any_bytes_are_read_alike_in_one_piece_and_in_many(
            bytes in "[0-9a-f;\r\n xyz]{0,60}",
            size in 1usize..9,
        ) {
            let bytes = bytes.as_bytes();
            prop_assert_eq!(decode(bytes.chunks(size)), decode([bytes]));
        }
    }
}
