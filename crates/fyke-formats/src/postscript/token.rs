//! The tokens of PostScript. What stands between braces is a procedure and is skipped.

use fyke_web::url::hex_digit;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum PostscriptToken<'a> {
    Number(f64),
    String(Vec<u8>),
    /// `/name`.
    Name,
    /// One that opens or closes an array.
    Bracket,
    Operator(&'a str),
    /// A comment without its first percent sign.
    Comment(&'a str),
}

pub(super) struct PostscriptTokens<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Encoded data was begun whose end does not come.
    has_no_end: bool,
}

impl<'a> PostscriptTokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> PostscriptTokens<'a> {
        PostscriptTokens { bytes, at: 0, has_no_end: false }
    }

    fn run(&mut self, is: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|b| !is(*b)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// A string between parentheses, which may stand in each other.
    fn string(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut depth = 1_u32;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\\' => {
                    self.escape(&mut out);
                    continue;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
            out.push(byte);
        }
        out
    }

    fn escape(&mut self, out: &mut Vec<u8>) {
        let Some(&byte) = self.bytes.get(self.at) else { return };
        self.at += 1;
        match byte {
            b'n' | b'r' | b't' | b'b' | b'f' => out.push(b' '),
            b'\n' => {}
            b'\r' => self.at += usize::from(self.bytes.get(self.at) == Some(&b'\n')),
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    match self.bytes.get(self.at) {
                        Some(&digit @ b'0'..=b'7') => {
                            code = code * 8 + u32::from(digit - b'0');
                            self.at += 1;
                        }
                        _ => break,
                    }
                }
                out.push((code & 0xFF) as u8);
            }
            other => out.push(other),
        }
    }

    fn hex_string(&mut self) -> Vec<u8> {
        let digits: Vec<u8> =
            self.run(|b| b != b'>').iter().filter_map(|b| hex_digit(*b)).collect();
        self.at += 1;
        digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
    }

    /// Passes over encoded data up to its end, if it has one.
    pub(super) fn skip_encoded(&mut self) {
        if self.has_no_end {
            return;
        }
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match memchr::memmem::find(rest, b"~>") {
            Some(end) => self.at += end + 2,
            None => self.has_no_end = true,
        }
    }

    /// Passes over a procedure.
    fn procedure(&mut self) {
        let mut depth = 1_u32;
        while let Some(&byte) = self.bytes.get(self.at).filter(|_| depth > 0) {
            self.at += 1;
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b'(' => drop(self.string()),
                b'%' => drop(self.run(|b| b != b'\n' && b != b'\r')),
                _ => {}
            }
        }
    }
}

fn is_regular(byte: u8) -> bool {
    !byte.is_ascii_whitespace()
        && !matches!(byte, 0 | b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

impl<'a> Iterator for PostscriptTokens<'a> {
    type Item = PostscriptToken<'a>;

    fn next(&mut self) -> Option<PostscriptToken<'a>> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            return Some(match byte {
                b'%' => {
                    let comment = self.run(|b| b != b'\n' && b != b'\r');
                    PostscriptToken::Comment(std::str::from_utf8(comment).unwrap_or_default())
                }
                b'(' => PostscriptToken::String(self.string()),
                b'<' if self.bytes.get(self.at) == Some(&b'<') => {
                    self.at += 1;
                    PostscriptToken::Bracket
                }
                b'<' => PostscriptToken::String(self.hex_string()),
                b'{' => {
                    self.procedure();
                    PostscriptToken::Name
                }
                b'[' | b']' => PostscriptToken::Bracket,
                b'/' => {
                    self.run(is_regular);
                    PostscriptToken::Name
                }
                _ if is_regular(byte) => {
                    self.at -= 1;
                    let word = std::str::from_utf8(self.run(is_regular)).unwrap_or("?");
                    word.parse().map_or(PostscriptToken::Operator(word), PostscriptToken::Number)
                }
                _ => continue,
            });
        }
    }
}
