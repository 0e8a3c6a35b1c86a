//! Changed copies of seeds, the same in every run: bits flipped, bytes set, pieces cut out, doubled, moved or taken
//! from another seed.

/// Longest copy.
const MOST_BYTES: usize = 8 << 10;
/// Bytes that mean something to some reader.
const TELLING: &[u8] = b"\0\xff\x7f\x80 \t\r\n<>&;:\"'%/?#[](){}=+-*.,0919azAZ\x1f\x8b";

/// A source of changes.
pub struct Mutation(u64);

impl Mutation {
    pub fn new(seed: u64) -> Mutation {
        Mutation(seed)
    }

    /// A number below `bound`, or 0 (splitmix64).
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ word >> 31) as usize % bound.max(1)
    }

    /// A changed copy of one of the seeds.
    pub fn of(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(6) {
            self.change(&mut bytes, seeds);
        }
        bytes.truncate(MOST_BYTES);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let at = self.below(bytes.len());
        let end = at + self.below((bytes.len() - at).min(64));
        match self.below(7) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
            1 if !bytes.is_empty() => bytes[at] = TELLING[self.below(TELLING.len())],
            2 => bytes.insert(at, TELLING[self.below(TELLING.len())]),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                let to = self.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            5 => {
                let other = &seeds[self.below(seeds.len())];
                let from = self.below(other.len());
                let piece = &other[from..from + self.below((other.len() - from).min(64))];
                bytes.splice(at..at, piece.iter().copied());
            }
            _ => bytes.truncate(at),
        }
    }
}
