//! Fields between blanks, line by line, in one pass over the text. Blank is every byte up to the
//! space; lines that are empty or begin with `#` are passed over, as trec_eval does.

use super::{ParseError, error};

/// Where a text is being read.
#[derive(Debug)]
pub(crate) struct Scan<'a> {
    text: &'a str,
    place: usize,
    /// Number of the line, from 1.
    pub(crate) line: usize,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a str) -> Scan<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Scan { text, place: 0, line: 0 }
    }

    /// Goes to the next line that holds something.
    pub(crate) fn next_line(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        if self.line == 0 {
            self.line = 1;
        } else {
            self.skip_line();
        }
        while let Some(&byte) = bytes.get(self.place) {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.place += 1;
                }
                b'#' => self.skip_line(),
                0..=b' ' => self.place += 1,
                _ => return true,
            }
        }
        false
    }

    fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.place..];
        // Mostly the end of the line is just here.
        let end = match rest {
            [b'\n', ..] => Some(0),
            _ => memchr::memchr(b'\n', rest),
        };
        self.line += 1;
        self.place += end.map_or(rest.len(), |end| end + 1);
    }

    /// The first fields of this line; what follows them is not looked at.
    pub(crate) fn columns<const N: usize>(
        &mut self,
        expected: &str,
    ) -> Result<[&'a str; N], ParseError> {
        let mut places = [[0; 2]; N];
        match self.places(&mut places) {
            count if count < N => Err(self.too_few(count, expected)),
            _ => Ok(places.map(|place| self.at(place))),
        }
    }

    /// A line that has only so many fields.
    #[cold]
    pub(crate) fn too_few(&self, count: usize, expected: &str) -> ParseError {
        error(self.line, format!("{count} fields, expected: {expected}"))
    }

    /// The field at a place.
    #[inline]
    pub(crate) fn at(&self, [start, end]: [usize; 2]) -> &'a str {
        &self.text[start..end]
    }

    /// The number in the field at a place.
    #[inline]
    pub(crate) fn double_at(&self, place: [usize; 2]) -> Option<f64> {
        double(self.text, place)
    }

    /// Finds beginnings and ends of the first fields of this line, eight bytes at a time; says how
    /// many there are.
    #[inline]
    pub(crate) fn places<const N: usize>(&mut self, found: &mut [[usize; 2]; N]) -> usize {
        let bytes = self.text.as_bytes();
        let (mut start, mut at, mut count) = (self.place, self.place, 0);
        loop {
            let mut blanks = blanks(eight(bytes, at));
            while blanks != 0 {
                let blank = at + blanks.trailing_zeros() as usize / 8;
                blanks &= blanks - 1;
                if blank > start {
                    found[count] = [start, blank];
                    count += 1;
                }
                start = blank + 1;
                if count == N || bytes.get(blank).is_none_or(|&byte| byte == b'\n') {
                    self.place = blank.min(bytes.len());
                    return count;
                }
            }
            at += 8;
        }
    }
}

/// A one in each of eight bytes.
const ONES: u64 = u64::MAX / 255;

/// Eight bytes from a place on; behind the end are ends of lines.
#[inline]
fn eight(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at.min(bytes.len())..];
    if let Some(eight) = rest.first_chunk::<8>() {
        return u64::from_le_bytes(*eight);
    }
    let mut eight = [b'\n'; 8];
    eight[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(eight)
}

/// The high bit of each byte up to the space.
#[inline]
fn blanks(word: u64) -> u64 {
    // 0x5f carries everything above the space into the high bit, without a carry to the next byte.
    !(((word & (ONES * 0x7f)) + ONES * 0x5f) | word) & (ONES * 0x80)
}

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 9] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

/// The number at a place as a double. Most scores are a few digits, a point and a few digits: read
/// eight at a time, both whole numbers are exact, and so is the rounding of one division.
#[inline]
pub(crate) fn double(text: &str, [start, end]: [usize; 2]) -> Option<f64> {
    let bytes = text.as_bytes();
    let from = start + usize::from(bytes[start..end].first() == Some(&b'-'));
    let first = eight(bytes, from);
    let point = zeros(first ^ (ONES * u64::from(b'.'))).trailing_zeros() as usize / 8;
    let behind = (end - from).wrapping_sub(point + 1);
    if point == 0 || point == 8 || !(1..=8).contains(&behind) {
        return text[start..end].parse().ok();
    }
    let (Some(whole), Some(part)) =
        (digits(first, point), digits(eight(bytes, from + point + 1), behind))
    else {
        return text[start..end].parse().ok();
    };
    let power = POWERS[behind];
    let size = (whole as f64 * power + part as f64) / power;
    Some(if from > start { -size } else { size })
}

/// The number of the first `count` bytes, from 1 to 8; None if they are not all digits.
#[inline]
fn digits(word: u64, count: usize) -> Option<u64> {
    let missing = 64 - 8 * count as u32;
    // Zeros in front instead of what follows.
    let word = (word << missing) | ((ONES * 0x30) & !(u64::MAX << missing));
    let is_other =
        (word.wrapping_add(ONES * 0x46) | word.wrapping_sub(ONES * 0x30)) & (ONES * 0x80);
    // Neighbours together: pairs, fours, eight.
    let pairs = (word & (ONES * 0x0f)).wrapping_mul(2561) >> 8;
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul(6_553_601) >> 16;
    let number = (fours & 0x0000_ffff_0000_ffff).wrapping_mul(42_949_672_960_001) >> 32;
    (is_other == 0).then_some(number)
}

/// The high bit of the first byte that is 0, and perhaps of some behind it.
#[inline]
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & (ONES * 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_number_is_what_the_library_makes_of_it(
            text in "-?[0-9]{0,9}[.]?[0-9]{0,12}(e-?[0-9]{1,2})?|[0-9x/:]{1,4}[.][0-9x/:]{1,4}|inf|-|[+]1",
        ) {
            let expected = text.parse::<f64>().ok();
            let found = double(&format!("{text} 3.5"), [0, text.len()]);
            prop_assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "{}", text);
            let alone = double(&text, [0, text.len()]);
            prop_assert_eq!(alone.map(f64::to_bits), expected.map(f64::to_bits), "{}", text);
        }
    }
}
