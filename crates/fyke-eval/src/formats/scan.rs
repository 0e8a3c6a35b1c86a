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
    const ONES: u64 = u64::MAX / 255;
    // 0x5f carries everything above the space into the high bit, without a carry to the next byte.
    !(((word & (ONES * 0x7f)) + ONES * 0x5f) | word) & (ONES * 0x80)
}

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// A number as a double. Most scores are a few digits with a point: both whole numbers are exact
/// then, and so is the rounding of one division.
#[inline]
pub(crate) fn double(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
    if digits.len() >= POWERS.len() {
        return text.parse().ok();
    }
    let (before, behind) = digits
        .iter()
        .position(|&byte| byte == b'.')
        .map_or((digits, &digits[..0]), |point| (&digits[..point], &digits[point + 1..]));
    let (Some(whole), Some(part)) = (number_of(before), number_of(behind)) else {
        return text.parse().ok();
    };
    if before.len() + behind.len() == 0 {
        return None;
    }
    let power = POWERS[behind.len()];
    // Fewer than 16 digits: exact.
    let size = (whole as f64 * power + part as f64) / power;
    Some(if digits.len() < bytes.len() { -size } else { size })
}

/// Digits as a number; None if there is something else.
#[inline]
fn number_of(digits: &[u8]) -> Option<u64> {
    let mut number = 0;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number * 10 + u64::from(digit);
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_number_is_what_the_library_makes_of_it(
            text in "-?[0-9]{0,9}[.]?[0-9]{0,12}(e-?[0-9]{1,2})?|inf|nan|-|[.]|[+]1",
        ) {
            let expected = text.parse::<f64>().ok();
            prop_assert_eq!(double(&text).map(f64::to_bits), expected.map(f64::to_bits), "{}", text);
        }
    }
}
