//! The tokens of RTF.

use fyke_web::url::hex_digit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RtfToken<'a> {
    Open,
    Close,
    /// `\*`: what follows may be passed over by those who do not know it.
    Star,
    /// A control word with its number.
    Word(&'a str, Option<i32>),
    /// A byte of text.
    Byte(u8),
}

pub(super) struct RtfTokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> RtfTokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> RtfTokens<'a> {
        RtfTokens { bytes, at: 0 }
    }

    /// Length of the run at the place that satisfies `is`.
    fn run(&self, is: impl Fn(&u8) -> bool) -> usize {
        self.bytes[self.at..].iter().take_while(|b| is(b)).count()
    }

    /// What stands behind a backslash.
    fn control(&mut self) -> Option<RtfToken<'a>> {
        let byte = *self.bytes.get(self.at)?;
        if byte.is_ascii_alphabetic() {
            return Some(self.word());
        }
        self.at += 1;
        Some(match byte {
            b'*' => RtfToken::Star,
            b'\'' => {
                let digit = |at: usize| self.bytes.get(at).copied().and_then(hex_digit);
                let (high, low) = (digit(self.at), digit(self.at + 1));
                match high.zip(low) {
                    Some((high, low)) => {
                        self.at += 2;
                        RtfToken::Byte(high << 4 | low)
                    }
                    None => RtfToken::Byte(b'\''),
                }
            }
            b'~' => RtfToken::Word("~", None),
            b'-' => RtfToken::Word("-", None),
            b'_' => RtfToken::Word("_", None),
            b'\n' | b'\r' => RtfToken::Word("par", None),
            b'\t' => RtfToken::Word("tab", None),
            other => RtfToken::Byte(other),
        })
    }

    fn word(&mut self) -> RtfToken<'a> {
        let from = self.at;
        self.at += self.run(u8::is_ascii_alphabetic);
        let word = std::str::from_utf8(&self.bytes[from..self.at]).unwrap_or_default();
        let from = self.at;
        let is_signed = self.bytes.get(self.at) == Some(&b'-');
        self.at += usize::from(is_signed);
        let digits = self.run(u8::is_ascii_digit);
        self.at = if digits == 0 { from } else { self.at + digits };
        let number = std::str::from_utf8(&self.bytes[from..self.at]).unwrap_or_default();
        let number = (digits > 0).then(|| number.parse().unwrap_or(0));
        // One space belongs to the word.
        self.at += usize::from(self.bytes.get(self.at) == Some(&b' '));
        if word == "bin" {
            let length = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
            self.at = self.at.saturating_add(length).min(self.bytes.len());
        }
        RtfToken::Word(word, number)
    }
}

impl<'a> Iterator for RtfTokens<'a> {
    type Item = RtfToken<'a>;

    fn next(&mut self) -> Option<RtfToken<'a>> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            return match byte {
                b'{' => Some(RtfToken::Open),
                b'}' => Some(RtfToken::Close),
                b'\\' => self.control(),
                b'\r' | b'\n' | 0 => continue,
                other => Some(RtfToken::Byte(other)),
            };
        }
    }
}
