//! Fields between blanks, line by line, in one pass over the text. Blank is every byte up to the
//! space; lines that are empty or begin with `#` are skipped, as trec_eval does.

use super::{ParseError, error};

/// Where a text is being read.
#[derive(Debug)]
pub(crate) struct TextScan<'a> {
    text: &'a str,
    place: usize,
    /// Number of the line, from 1.
    pub(crate) line: usize,
}

impl<'a> TextScan<'a> {
    pub(crate) fn new(text: &'a str) -> TextScan<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        TextScan { text, place: 0, line: 0 }
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
    #[inline]
    pub(crate) fn columns<const N: usize>(
        &mut self,
        expected: &str,
    ) -> Result<[&'a str; N], ParseError> {
        let start = self.place;
        let found = std::array::from_fn(|_| self.field());
        match found[N - 1][0] < found[N - 1][1] {
            true => Ok(found.map(|place| self.at(place))),
            false => Err(self.too_few(start, expected)),
        }
    }

    /// Trouble with the line that begins at a place.
    #[cold]
    pub(crate) fn too_few(&self, start: usize, expected: &str) -> ParseError {
        let line = self.text[start..].lines().next().unwrap_or_default();
        let count = line.split(|letter| letter <= ' ').filter(|field| !field.is_empty()).count();
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

    /// How far the text was read.
    #[inline]
    pub(crate) fn place(&self) -> usize {
        self.place
    }

    /// Passes over these bytes if they are the next.
    #[inline]
    pub(crate) fn skip(&mut self, known: &str) -> bool {
        let is_next = self.text.as_bytes()[self.place..].starts_with(known.as_bytes());
        self.place += if is_next { known.len() } else { 0 };
        is_next
    }

    /// Beginning and end of the next field, eight bytes at a time; both are the same at the end of
    /// the line.
    #[inline]
    pub(crate) fn field(&mut self) -> [usize; 2] {
        let bytes = self.text.as_bytes();
        let mut start = self.place;
        while bytes.get(start).is_some_and(|&byte| byte <= b' ' && byte != b'\n') {
            start += 1;
        }
        let mut end = start;
        loop {
            let blanks = blanks(eight(bytes, end));
            if blanks != 0 {
                end += blanks.trailing_zeros() as usize / 8;
                self.place = end;
                return [start, end];
            }
            end += 8;
        }
    }
}

/// A one in each of eight bytes.
const ONES: u64 = u64::MAX / 255;

/// Eight bytes from a place on; behind the end are ends of lines.
#[inline]
fn eight(bytes: &[u8], at: usize) -> u64 {
    if let Some(eight) = bytes.get(at..at + 8).and_then(|eight| eight.first_chunk()) {
        return u64::from_le_bytes(*eight);
    }
    let rest = &bytes[at.min(bytes.len())..];
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
