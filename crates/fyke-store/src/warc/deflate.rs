//! A gzip compressor (RFC 1951, RFC 1952) made for pages. Compressing was the dearest step between
//! a fetched page and its record: so matches are taken at the first look, and the Huffman codes
//! were made beforehand (`codes.rs`), so that what is found is written at once.

use super::codes::{CODES, CodeLengths};
use crc32fast::Hasher;

/// Input is cut into segments, each a block of its own that knows nothing of those before it; no place
/// in one takes more than two bytes to write down.
const SEGMENT: usize = 1 << 16;
/// Bytes behind the segment that a look ahead may read: no match reaches farther.
const MARGIN: usize = 288;
/// A match reaches back this far at most (RFC 1951, 2).
const WINDOW: usize = 1 << 15;
/// Shorter matches save little, and looking for them costs most.
const SHORTEST: usize = 5;
const LONGEST: usize = 258;
const HASH_BITS: u32 = 13;
/// A stored block is no longer (RFC 1951, 3.2.4).
const STORED: usize = 65_535;
/// So many bytes of a segment tell what it is.
const SAMPLE: usize = 512;
/// Deflate, no flags, no time, quickest method, unknown system (RFC 1952, 2.3).
const MEMBER_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255];

/// Makes gzip members. It keeps its tables from one member to the next.
pub(crate) struct Gzip {
    tables: Vec<CodeTable>,
    work: Box<Work>,
    /// Bytes of the segment that wait to be coded.
    filled: usize,
}

/// All that a block is made with, in one piece, so that one address leads to everything. Lengths are such
/// that every place in a segment lies within, with what is read or written there: that is known when this
/// is compiled, and nothing is left to check.
struct Work {
    symbols: Symbols,
    /// Where bytes of each hash were seen last: half of what a core keeps nearest to it.
    heads: [u16; 1 << HASH_BITS],
    segment: DeflateSegment,
    /// What a block is written into, and what the last word may write behind it.
    room: [u8; SEGMENT + 8],
}

type DeflateSegment = [u8; SEGMENT + MARGIN];

impl std::fmt::Debug for Gzip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Gzip")
    }
}

impl Gzip {
    pub(crate) fn new() -> Gzip {
        let work = Work {
            symbols: Symbols::default(),
            heads: [0; 1 << HASH_BITS],
            segment: [0; SEGMENT + MARGIN],
            room: [0; SEGMENT + 8],
        };
        let tables = CODES.iter().map(CodeTable::of).collect();
        Gzip { tables, work: Box::new(work), filled: 0 }
    }

    /// Appends to `out` one member that holds the concatenation of `parts`.
    pub(crate) fn member(&mut self, parts: &[&[u8]], out: &mut Vec<u8>) {
        out.extend_from_slice(&MEMBER_HEADER);
        let (mut crc, mut length, mut bits) = (Hasher::new(), 0, Bits::default());
        self.filled = 0;
        for part in parts {
            crc.update(part);
            length += part.len();
            let mut rest = *part;
            while self.filled + rest.len() > SEGMENT {
                rest = self.fill(rest);
                bits = self.block(false, bits, out);
                self.filled = 0;
            }
            self.fill(rest);
        }
        self.block(true, bits, out).align(out);
        out.extend_from_slice(&crc.finalize().to_le_bytes());
        out.extend_from_slice(&(length as u32).to_le_bytes());
    }

    /// Takes as much into the segment as there is room for; the rest comes back.
    fn fill<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let (now, later) = bytes.split_at(bytes.len().min(SEGMENT - self.filled));
        self.work.segment[self.filled..self.filled + now.len()].copy_from_slice(now);
        self.filled += now.len();
        later
    }

    /// Writes the segment as one block, or as stored ones where coding gains nothing.
    fn block(&mut self, is_last: bool, bits: Bits, out: &mut Vec<u8>) -> Bits {
        let bytes = &self.work.segment[..self.filled];
        if let Some(table) = choose(bytes, &self.tables) {
            self.work.symbols = table.symbols;
            let block =
                DeflateBlock { work: &mut self.work, length: self.filled, written: 0, bits };
            if let Some((length, bits)) = block.open(is_last, &table.header).code() {
                out.extend_from_slice(&self.work.room[..length]);
                return bits;
            }
        }
        store(&self.work.segment[..self.filled], is_last, bits, out);
        Bits::default()
    }
}

/// Finds the code that suits a sample of the bytes best; none if there are no bytes, or if they
/// look random, as bytes do that are compressed already.
fn choose<'a>(bytes: &[u8], tables: &'a [CodeTable]) -> Option<&'a CodeTable> {
    let mut counts = [0u32; 256];
    for &byte in bytes.iter().step_by((bytes.len() / SAMPLE).max(1)).take(SAMPLE) {
        counts[usize::from(byte)] += 1;
    }
    let squares: u32 = counts.iter().map(|count| count * count).sum();
    // Of n even bytes the squares sum to n + n²/256 or so, of text to more than n²/30.
    let is_random = bytes.len() >= SAMPLE && squares < (SAMPLE + SAMPLE * SAMPLE / 128) as u32;
    let price = |table: &&CodeTable| -> u32 {
        counts.iter().zip(&table.symbols.literals).map(|(count, code)| count * (code & 15)).sum()
    };
    tables.iter().min_by_key(price).filter(|_| !bytes.is_empty() && !is_random)
}

/// Writes stored blocks (RFC 1951, 3.2.4).
fn store(bytes: &[u8], is_last: bool, mut bits: Bits, out: &mut Vec<u8>) {
    let mut rest = bytes;
    loop {
        let (now, later) = rest.split_at(rest.len().min(STORED));
        bits.buffer |= u64::from(is_last && later.is_empty()) << bits.count;
        bits.count += 3;
        bits.align(out);
        let length = now.len() as u16;
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&(!length).to_le_bytes());
        out.extend_from_slice(now);
        (rest, bits) = (later, Bits::default());
        if rest.is_empty() {
            return;
        }
    }
}

/// Bits that do not fill a byte yet, the first of them lowest (RFC 1951, 3.1.1).
#[derive(Clone, Copy, Default)]
struct Bits {
    buffer: u64,
    count: u64,
}

impl Bits {
    fn align(self, out: &mut Vec<u8>) {
        let bytes = self.count.div_ceil(8) as usize;
        out.extend_from_slice(&self.buffer.to_le_bytes()[..bytes]);
    }
}

/// A block being written into what room it has: as many bytes as it codes. When they are used up
/// it is given up.
struct DeflateBlock<'a> {
    work: &'a mut Work,
    /// Bytes to be coded.
    length: usize,
    written: usize,
    bits: Bits,
}

impl DeflateBlock<'_> {
    #[inline(always)]
    fn push(&mut self, word: BitWord) {
        let buffer = self.bits.buffer | word.bits << self.bits.count;
        let count = self.bits.count + (word.count & 63);
        let at = usize::from(self.written as u16);
        self.work.room[at..at + 8].copy_from_slice(&buffer.to_le_bytes());
        self.written += (count >> 3) as usize;
        self.bits = Bits { buffer: buffer >> (count & 56), count: count & 7 };
    }

    /// Writes what comes before the first symbol (RFC 1951, 3.2.3 and 3.2.7).
    fn open(mut self, is_last: bool, header: &[BitWord]) -> Self {
        self.push(BitWord { bits: u64::from(is_last) | 2 << 1, count: 3 });
        for &word in header {
            self.push(word);
        }
        self
    }

    /// Codes the segment: at each step two literals, or a match with or without a literal before it.
    /// Returns how many bytes were written, and the last bits.
    fn code(mut self) -> Option<(usize, Bits)> {
        let length = self.length;
        self.work.heads.fill(0);
        self.push(word(self.work.literal(self.work.segment[0])));
        let mut at = 1;
        while at + SHORTEST < length {
            let here = load(&self.work.segment, at);
            let next = here >> 8;
            let before = swap(&mut self.work.heads[hash(here)], at);
            let before_next = swap(&mut self.work.heads[hash(next)], at + 1);
            let difference = here ^ load(&self.work.segment, before);
            let difference_next = next ^ load(&self.work.segment, before_next);
            let literal = self.work.literal(here as u8);
            if self.written >= length {
                return None;
            }
            let (start, before, literal) = if shortest(difference) == 0 && at - before <= WINDOW {
                (at, before, 0)
            } else if shortest(difference_next) == 0 && at + 1 - before_next <= WINDOW {
                (at + 1, before_next, literal)
            } else {
                let second = self.work.literal(next as u8);
                self.push(word(literal).then(word(second)));
                at += 2;
                continue;
            };
            let run = match_length(&self.work.segment, before, start).min(length - start);
            let symbols = &self.work.symbols;
            let distance = symbols.distance((start - before - 1) as u32);
            self.push(word(literal).then(word(symbols.lengths[run & 511])).then(distance));
            at = start + run;
            self.work.heads[hash(load(&self.work.segment, at - 1))] = (at - 1) as u16;
        }
        for place in at..length {
            self.push(word(self.work.literal(self.work.segment[place])));
        }
        self.push(word(self.work.symbols.end));
        (self.written < length).then_some((self.written, self.bits))
    }
}

impl Work {
    #[inline(always)]
    fn literal(&self, byte: u8) -> u32 {
        self.symbols.literals[usize::from(byte)]
    }
}

/// The eight bytes at a place of the segment.
#[inline(always)]
fn load(bytes: &DeflateSegment, at: usize) -> u64 {
    let at = usize::from(at as u16);
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[inline(always)]
fn swap(head: &mut u16, at: usize) -> usize {
    std::mem::replace(head, at as u16) as usize
}

/// As many bytes of `eight` as the shortest match has.
#[inline(always)]
fn shortest(eight: u64) -> u64 {
    eight << (64 - 8 * SHORTEST)
}

#[inline(always)]
fn hash(eight: u64) -> usize {
    (shortest(eight).wrapping_mul(0x9e37_79b1_85eb_ca87) >> (64 - HASH_BITS)) as usize
}

/// The length of the match. It may run into the margin. Sixteen bytes are looked at without a branch, as
/// most matches end among them.
#[inline(always)]
fn match_length(bytes: &DeflateSegment, before: usize, at: usize) -> usize {
    let (at, before) = (usize::from(at as u16), usize::from(before as u16));
    let sixteen =
        |at: usize| u128::from_le_bytes(bytes[at..at + 16].try_into().expect("sixteen bytes"));
    let length = (sixteen(at) ^ sixteen(before)).trailing_zeros() as usize / 8;
    if length == 16 { long_match(bytes, before, at) } else { length }
}

/// The length of a match of sixteen bytes or more.
#[inline(always)]
fn long_match(bytes: &DeflateSegment, before: usize, at: usize) -> usize {
    let mut length = 16;
    while length < LONGEST {
        let eight = |at: usize| {
            u64::from_le_bytes(bytes[at + length..at + length + 8].try_into().expect("eight bytes"))
        };
        let difference = eight(at) ^ eight(before);
        if difference != 0 {
            length += (difference.trailing_zeros() / 8) as usize;
            break;
        }
        length += 8;
    }
    length.min(LONGEST)
}

/// Bits to be written, 56 at most; the lowest six bits of `count` say how many.
#[derive(Clone, Copy)]
struct BitWord {
    bits: u64,
    count: u64,
}

impl BitWord {
    #[inline(always)]
    fn then(self, next: BitWord) -> BitWord {
        let bits = self.bits | next.bits << (self.count & 63);
        BitWord { bits, count: self.count + next.count }
    }
}

/// The word of a table's entry: bits above, their number in the lowest byte.
#[inline(always)]
fn word(entry: u32) -> BitWord {
    BitWord { bits: u64::from(entry >> 8), count: u64::from(entry) }
}

/// A code made ready for writing, and what a block says of it first.
struct CodeTable {
    header: Vec<BitWord>,
    symbols: Symbols,
}

#[derive(Clone, Copy)]
struct Symbols {
    literals: [u32; 256],
    /// By length, its extra bits included.
    lengths: [u32; 512],
    /// By symbol, without the extra bits.
    distances: [u32; 32],
    end: u32,
}

impl CodeTable {
    fn of(code: &CodeLengths) -> CodeTable {
        let first = canonical(code.first);
        let mut literals = [0; 256];
        literals.copy_from_slice(&first[..256]);
        let mut lengths = [0; 512];
        for (less_three, entry) in (0u32..256).zip(&mut lengths[3..]) {
            let (symbol, extra_bits) = length_symbol(less_three);
            let (bits, count) = (first[257 + symbol] >> 8, first[257 + symbol] & 255);
            let extra = less_three & ((1 << extra_bits) - 1);
            *entry = (bits | extra << count) << 8 | (count + extra_bits);
        }
        let mut distances = [0; 32];
        distances[..30].copy_from_slice(&canonical(code.distance));
        let symbols = Symbols { literals, lengths, distances, end: first[256] };
        CodeTable { header: header(code), symbols }
    }
}

impl Default for Symbols {
    fn default() -> Symbols {
        Symbols { literals: [0; 256], lengths: [0; 512], distances: [0; 32], end: 0 }
    }
}

impl Symbols {
    /// The word of a distance less one (RFC 1951, 3.2.5).
    #[inline(always)]
    fn distance(&self, less_one: u32) -> BitWord {
        let extra_bits = (less_one | 2).ilog2() - 1;
        let symbol = 2 * extra_bits + (less_one >> extra_bits);
        let extra = u64::from(less_one & ((1 << extra_bits) - 1));
        let extra = BitWord { bits: extra, count: u64::from(extra_bits) };
        word(self.distances[symbol as usize & 31]).then(extra)
    }
}

/// The symbol less 257, and the number of extra bits, of a length less three (RFC 1951, 3.2.5).
fn length_symbol(less_three: u32) -> (usize, u32) {
    match less_three {
        255 => (28, 0),
        0..8 => (less_three as usize, 0),
        _ => {
            let extra_bits = less_three.ilog2() - 2;
            ((4 * extra_bits + (less_three >> extra_bits)) as usize, extra_bits)
        }
    }
}

/// The codes that follow from their lengths (RFC 1951, 3.2.2), as entries of a table.
fn canonical(lengths: &[u8]) -> Vec<u32> {
    let mut entries = vec![0; lengths.len()];
    let mut next = 0u32;
    for length in 1..16 {
        next <<= 1;
        for (entry, _) in entries.iter_mut().zip(lengths).filter(|(_, l)| digit(**l) == length) {
            *entry = next.reverse_bits() >> (32 - length) << 8 | length;
            next += 1;
        }
    }
    entries
}

fn digit(digit: u8) -> u32 {
    char::from(digit).to_digit(16).unwrap_or(0)
}

/// What a block says of its code (RFC 1951, 3.2.7).
fn header(code: &CodeLengths) -> Vec<BitWord> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let mut words = vec![BitWord { bits: (286 - 257) | (30 - 1) << 5 | (19 - 4) << 10, count: 14 }];
    words.extend(ORDER.map(|s| BitWord { bits: u64::from(digit(code.lengths[s])), count: 3 }));
    let entries = canonical(code.lengths);
    let all = [&code.first[..], code.distance].concat();
    for same in all.chunk_by(|a, b| a == b) {
        words.push(word(entries[digit(same[0]) as usize]));
        let mut left = same.len() - 1;
        while left >= 3 {
            let now = left.min(6);
            let repeats = BitWord { bits: now as u64 - 3, count: 2 };
            words.push(word(entries[16]).then(repeats));
            left -= now;
        }
        words.extend((0..left).map(|_| word(entries[digit(same[0]) as usize])));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use proptest::{collection::vec, prelude::*, sample::Index, sample::select};
    use std::io::Read;

    /// The member of these parts gives them back, is no longer than they are but for what stored
    /// blocks need, and is the same whatever was compressed before.
    fn check(gzip: &mut Gzip, parts: &[&[u8]]) {
        let (content, mut member, mut again) = (parts.concat(), Vec::new(), Vec::new());
        gzip.member(parts, &mut member);
        gzip.member(&[&content], &mut again);
        assert!(member == again, "{} bytes in parts and in one differ", content.len());
        let mut decoder = GzDecoder::new(&member[..]);
        let mut back = Vec::new();
        decoder.read_to_end(&mut back).expect("a member that can be read");
        assert!(back == content, "{} bytes came back as {}", content.len(), back.len());
        assert!(decoder.into_inner().is_empty(), "something is behind the member");
        assert!(member.len() <= content.len() + 18 + 6 * (2 + content.len() / STORED * 2));
    }

    const WORDS: [&str; 8] = ["<p>", "</p>", "class=", "fyke ", "\r\n", "жук ", "魚", "\0"];

    /// Bytes from `alphabet`, by a linear congruential generator.
    fn noise(alphabet: &[u8], length: usize) -> Vec<u8> {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            alphabet[(state >> 33) as usize % alphabet.len()]
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn every_length_of_input_comes_back() {
        let every: Vec<u8> = (0..=255).collect();
        let mut gzip = Gzip::new();
        let edges = [258, 1 << 15, STORED, SEGMENT, 2 * SEGMENT, SEGMENT + STORED];
        for length in (0..40).chain(edges.iter().flat_map(|edge| edge - 1..edge + 2)) {
            for alphabet in [&b"x"[..], b"<p>the words of a page</p>\n", &every] {
                check(&mut gzip, &[&noise(alphabet, length)]);
            }
        }
    }

    #[test]
    fn every_code_writes_every_literal_length_and_distance() {
        let letters = noise(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", WINDOW + 1);
        let mut content: Vec<u8> = (0..=255).chain(letters).collect();
        let distances = (0..15).flat_map(|power| [1 << power, (1 << power) + 1, 3 << power >> 1]);
        let distances: Vec<usize> = distances.chain([WINDOW - 1, WINDOW]).collect();
        for (length, distance) in (4..=270).zip(distances.iter().cycle()) {
            for _ in 0..length {
                content.push(content[content.len() - distance]);
            }
            content.push(length as u8);
        }
        for code in CODES {
            let mut gzip = Gzip { tables: vec![CodeTable::of(code)], ..Gzip::new() };
            check(&mut gzip, &[&content]);
            for &distance in &distances {
                let apart = noise(b"0123456789", distance - 1);
                check(&mut gzip, &[b"A WORD", &apart, b"A WORD", &apart, b"A WORD", &apart]);
            }
        }
    }

    #[test]
    fn a_page_shrinks_and_what_looks_random_is_stored() {
        let check = |content: &[u8], expected: std::ops::Range<usize>| {
            let mut member = Vec::new();
            Gzip::new().member(&[content], &mut member);
            assert!(expected.contains(&member.len()), "{} bytes", member.len());
        };
        check(b"", 23..24);
        check(&noise(&(0..=255).collect::<Vec<u8>>(), 10_000), 10_023..10_024);
        check("<li class=\"entry\"><a href=\"/\">home</a></li>\n".repeat(700).as_bytes(), 18..600);
        check(&noise(b"the plain letters of a text", 30_000), 10_000..20_000);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_parts_come_back_as_their_concatenation(
            bytes in vec(any::<u8>(), 0..3000),
            words in vec(select(&WORDS), 0..4000),
            (repeats, cuts) in (0usize..9, vec(any::<Index>(), 0..5)),
        ) {
            let words = words.concat().into_bytes();
            let content = [bytes.clone(), words, bytes.repeat(repeats)].concat();
            let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(content.len() + 1)).collect();
            cuts.extend([0, content.len()]);
            cuts.sort_unstable();
            let parts: Vec<&[u8]> = cuts.windows(2).map(|w| &content[w[0]..w[1]]).collect();
            check(&mut Gzip::new(), &parts);
        }
    }
}
