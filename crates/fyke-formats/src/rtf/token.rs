//! The tokens of RTF.

use fyke_web::url::hex_digit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// `\*`: what follows may be passed over by those who do not know it.
    Star,
    /// A control word with its number.
    Word(&'a str, Option<i32>),
    /// A byte of text.
    Byte(u8),
}

pub(super) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Tokens<'a> {
        Tokens { bytes, at: 0 }
    }

    /// Length of the run at the place that satisfies `is`.
    fn run(&self, is: impl Fn(&u8) -> bool) -> usize {
        self.bytes[self.at..].iter().take_while(|b| is(b)).count()
    }

    /// What stands behind a backslash.
    fn control(&mut self) -> Option<Token<'a>> {
        let byte = *self.bytes.get(self.at)?;
        if byte.is_ascii_alphabetic() {
            return Some(self.word());
        }
        self.at += 1;
        Some(match byte {
            b'*' => Token::Star,
            b'\'' => {
                let digit = |at: usize| self.bytes.get(at).copied().and_then(hex_digit);
                let (high, low) = (digit(self.at), digit(self.at + 1));
                match high.zip(low) {
                    Some((high, low)) => {
                        self.at += 2;
                        Token::Byte(high << 4 | low)
                    }
                    None => Token::Byte(b'\''),
                }
            }
            b'~' => Token::Word("~", None),
            b'-' => Token::Word("-", None),
            b'_' => Token::Word("_", None),
            b'\n' | b'\r' => Token::Word("par", None),
            b'\t' => Token::Word("tab", None),
            other => Token::Byte(other),
        })
    }

    fn word(&mut self) -> Token<'a> {
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
        Token::Word(word, number)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            return match byte {
                b'{' => Some(Token::Open),
                b'}' => Some(Token::Close),
                b'\\' => self.control(),
                b'\r' | b'\n' | 0 => continue,
                other => Some(Token::Byte(other)),
            };
        }
    }
}
