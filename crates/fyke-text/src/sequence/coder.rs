//! An arithmetic coder of yes and no, each with a probability that follows what was coded before: the
//! model's weights, most of which are near zero, take two bits each.

/// Probabilities have this many bits.
const BITS: u32 = 12;
/// How quickly a probability follows.
const RATE: u32 = 5;
/// Below this the range is widened.
const LEAST: u32 = 1 << 24;

/// How likely a no is, of 4,096.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitProbability(u16);

impl Default for BitProbability {
    fn default() -> BitProbability {
        BitProbability(1 << (BITS - 1))
    }
}

impl BitProbability {
    fn bound(self, range: u32) -> u32 {
        (range >> BITS) * u32::from(self.0)
    }

    fn learn(&mut self, bit: bool) {
        let step = if bit { self.0 >> RATE } else { ((1 << BITS) - self.0) >> RATE };
        self.0 = if bit { self.0 - step } else { self.0 + step };
    }
}

/// Writes bits.
#[derive(Debug)]
pub(super) struct Encoder {
    low: u64,
    range: u32,
    out: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder { low: 0, range: u32::MAX, out: Vec::new() }
    }
}

impl Encoder {
    pub fn bit(&mut self, chance: &mut BitProbability, bit: bool) {
        let bound = chance.bound(self.range);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(bit);
        while self.range < LEAST {
            self.range <<= 8;
            self.shift();
        }
    }

    /// Moves the top byte out; a carry goes into those that are out already.
    fn shift(&mut self) {
        if self.low >> 32 > 0 {
            for byte in self.out.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
        self.out.push((self.low >> 24) as u8);
        self.low = (self.low << 8) & 0xFFFF_FFFF;
    }

    pub fn finish(mut self) -> Vec<u8> {
        (0..4).for_each(|_| self.shift());
        self.out
    }
}

/// Reads what an [`Encoder`] wrote, asked with the same chances; behind the end there are zeros.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    code: u32,
    range: u32,
    rest: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { code: 0, range: u32::MAX, rest: bytes.iter() };
        (0..4).for_each(|_| decoder.shift());
        decoder
    }

    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.rest.next().copied().unwrap_or(0));
    }

    pub fn bit(&mut self, chance: &mut BitProbability) -> bool {
        let bound = chance.bound(self.range);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(bit);
        while self.range < LEAST {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_come_back(bits in prop::collection::vec((0..3_usize, any::<bool>()), 0..3000)) {
            let (mut encoder, mut chances) = (Encoder::default(), [BitProbability::default(); 3]);
            bits.iter().for_each(|&(at, bit)| encoder.bit(&mut chances[at], bit));
            let bytes = encoder.finish();
            let (mut decoder, mut chances) = (Decoder::new(&bytes), [BitProbability::default(); 3]);
            for (at, bit) in bits {
                prop_assert_eq!(decoder.bit(&mut chances[at]), bit);
            }
        }

        #[test]
        fn what_is_likely_takes_little(few in prop::collection::btree_set(0..10_000_u32, 0..20)) {
            let (mut encoder, mut chance) = (Encoder::default(), BitProbability::default());
            (0..10_000).for_each(|at| encoder.bit(&mut chance, few.contains(&at)));
            prop_assert!(encoder.finish().len() < 200);
        }
    }
}
