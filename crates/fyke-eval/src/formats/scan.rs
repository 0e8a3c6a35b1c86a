//! Fields between blanks, line by line, in one pass over the text. Blank is every byte up to the
//! space; lines that are empty or begin with `#` are passed over, as trec_eval does.

use super::{ParseError, error};

/// Where a text is being read.
#[derive(Debug)]
pub(crate) struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// Number of the line, from 1.
    pub(crate) line: usize,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a str) -> Scan<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Scan { text, at: 0, line: 0 }
    }

    /// Goes to the next line that holds something.
    pub(crate) fn next_line(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        if self.line == 0 {
            self.line = 1;
        } else {
            self.skip_line();
        }
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                b'#' => self.skip_line(),
                0..=b' ' => self.at += 1,
                _ => return true,
            }
        }
        false
    }

    fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        // Mostly the end of the line is just here.
        let end = match rest {
            [b'\n', ..] => Some(0),
            _ => memchr::memchr(b'\n', rest),
        };
        self.line += 1;
        self.at += end.map_or(rest.len(), |end| end + 1);
    }

    /// The first fields of this line; what follows them is not looked at.
    #[inline]
    pub(crate) fn columns<const N: usize>(
        &mut self,
        expected: &str,
    ) -> Result<[&'a str; N], ParseError> {
        let found = std::array::from_fn(|_| self.field());
        match found.iter().position(|field: &&str| field.is_empty()) {
            None => Ok(found),
            Some(count) => Err(error(self.line, format!("{count} fields, expected: {expected}"))),
        }
    }

    /// The next field; empty at the end of the line.
    #[inline]
    fn field(&mut self) -> &'a str {
        let bytes = self.text.as_bytes();
        let mut start = self.at;
        while start < bytes.len() && bytes[start] <= b' ' && bytes[start] != b'\n' {
            start += 1;
        }
        self.at = blank(bytes, start);
        &self.text[start..self.at]
    }
}

/// The place of the next blank, eight bytes at a time.
#[inline]
fn blank(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::MAX / 255;
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let word = u64::from_le_bytes(*eight);
        // The high bit of each byte below 0x21; above the first of them it may err.
        let blanks = word.wrapping_sub(ONES * 0x21) & !word & (ONES * 0x80);
        if blanks != 0 {
            return at + blanks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes[at..].iter().position(|&byte| byte <= b' ');
    rest.map_or(bytes.len(), |rest| at + rest)
}

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// A number as a double. Most scores are a few digits with a point: both whole numbers are exact
/// then, and so is the rounding of one division.
pub(crate) fn double(text: &str) -> Option<f64> {
    let (sign, digits) = match text.as_bytes() {
        [b'-', rest @ ..] => (-1.0, rest),
        all => (1.0, all),
    };
    let (mut whole, mut point) = (0u64, None);
    for (at, &byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => whole = whole * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(at + 1),
            _ => return text.parse().ok(),
        }
        if at >= POWERS.len() {
            return text.parse().ok();
        }
    }
    let behind = point.map_or(0, |point| digits.len() - point);
    if digits.len() == usize::from(point.is_some()) {
        return None;
    }
    Some(sign * (whole as f64 / POWERS[behind]))
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
