//! Tokens and objects out of bytes (ISO 32000-1 §7.2, §7.3). Also reads content streams and CMaps,
//! which share the syntax. Never fails: what makes no sense is skipped.

use super::fuel::Fuel;
use super::object::{Dict, Object, ObjectId};
use std::rc::Rc;

/// Arrays and dictionaries inside each other; deeper ones are read as null.
const DEEPEST: usize = 40;
/// Bytes of one string or name that are kept.
const LONGEST: usize = 1 << 20;

/// A piece of syntax.
#[derive(Clone, Debug, PartialEq)]
enum PdfToken<'a> {
    Value(Object),
    ArrayOpen,
    ArrayClose,
    DictOpen,
    DictClose,
    Word(&'a [u8]),
}

/// An object, or a word that is none: an operator or a keyword.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PdfItem<'a> {
    Object(Object),
    Word(&'a [u8]),
}

/// Reads `bytes` from `at` on.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    fuel: &'a Fuel,
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\0' | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !is_delimiter(byte)
}

pub(super) fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize, fuel: &'a Fuel) -> Self {
        Self { bytes, at, fuel }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// What is left to read.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Takes bytes as long as `wanted`.
    fn run(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// White space and comments, which mean nothing.
    pub(super) fn skip(&mut self) {
        let begin = self.at;
        loop {
            self.run(is_space);
            if self.peek() != Some(b'%') {
                break;
            }
            self.run(|byte| byte != b'\n' && byte != b'\r');
        }
        self.fuel.passed(self.at - begin);
    }

    fn token(&mut self) -> Option<PdfToken<'a>> {
        if !self.fuel.spend(1) {
            return None;
        }
        self.skip();
        let begin = self.at;
        let token = self.bare_token();
        self.fuel.passed(self.at - begin);
        token
    }

    fn bare_token(&mut self) -> Option<PdfToken<'a>> {
        let byte = self.peek()?;
        let second = self.bytes.get(self.at + 1).copied();
        let start = self.at;
        self.at += 1;
        Some(match (byte, second) {
            (b'/', _) => PdfToken::Value(Object::Name(self.name())),
            (b'(', _) => PdfToken::Value(Object::Text(self.literal())),
            (b'<', Some(b'<')) => self.pair(PdfToken::DictOpen),
            (b'>', Some(b'>')) => self.pair(PdfToken::DictClose),
            (b'<', _) => PdfToken::Value(Object::Text(self.hexadecimal())),
            (b'[', _) => PdfToken::ArrayOpen,
            (b']', _) => PdfToken::ArrayClose,
            (b'0'..=b'9' | b'+' | b'-' | b'.', _) => {
                self.at = start;
                self.number()
            }
            _ if is_delimiter(byte) => PdfToken::Word(&self.bytes[start..self.at]),
            _ => {
                self.run(is_regular);
                word(&self.bytes[start..self.at])
            }
        })
    }

    fn pair(&mut self, token: PdfToken<'a>) -> PdfToken<'a> {
        self.at += 1;
        token
    }

    /// A number; signs and points too many are taken as others take them.
    fn number(&mut self) -> PdfToken<'a> {
        let text = self.run(is_regular);
        let digits = text.iter().position(|b| !matches!(b, b'+' | b'-')).unwrap_or(text.len());
        let negative = text[..digits].contains(&b'-');
        let (mut value, mut scale, mut point, mut seen) = (0f64, 1f64, false, false);
        for &byte in &text[digits..] {
            match byte {
                b'0'..=b'9' => {
                    seen = true;
                    value = value * 10.0 + f64::from(byte - b'0');
                    scale *= if point { 10.0 } else { 1.0 };
                }
                b'.' if !point => point = true,
                b'.' | b'-' => break,
                _ if seen => break,
                _ => return PdfToken::Word(text),
            }
        }
        let value = if negative { -value / scale } else { value / scale };
        let whole = !point && value.abs() < 9e15;
        PdfToken::Value(if whole { Object::Integer(value as i64) } else { finite(value) })
    }

    fn name(&mut self) -> Rc<[u8]> {
        let raw = self.run(is_regular);
        let raw = &raw[..raw.len().min(LONGEST)];
        if !raw.contains(&b'#') {
            return raw.into();
        }
        let mut name = Vec::with_capacity(raw.len());
        let mut at = 0;
        while let Some(&byte) = raw.get(at) {
            let digit = |offset: usize| raw.get(at + offset).copied().and_then(hex_digit);
            match (byte, digit(1), digit(2)) {
                (b'#', Some(high), Some(low)) => {
                    name.push(high << 4 | low);
                    at += 3;
                }
                _ => {
                    name.push(byte);
                    at += 1;
                }
            }
        }
        name.into()
    }

    /// A string in brackets, up to the one that closes it.
    fn literal(&mut self) -> Rc<[u8]> {
        let mut text = Vec::new();
        let mut depth = 1;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\\' => {
                    self.escape(&mut text);
                    continue;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
            if text.len() < LONGEST {
                text.push(byte);
            }
        }
        text.into()
    }

    /// What a backslash stands for; one at a line's end joins the lines.
    fn escape(&mut self, text: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.at += 1;
        text.push(match byte {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'b' => 8,
            b'f' => 12,
            b'0'..=b'7' => self.octal(byte),
            b'\n' => return,
            b'\r' => {
                self.at += usize::from(self.peek() == Some(b'\n'));
                return;
            }
            other => other,
        });
    }

    fn octal(&mut self, first: u8) -> u8 {
        let mut value = u32::from(first - b'0');
        for _ in 0..2 {
            let Some(digit @ b'0'..=b'7') = self.peek() else { break };
            value = value * 8 + u32::from(digit - b'0');
            self.at += 1;
        }
        value as u8
    }

    fn hexadecimal(&mut self) -> Rc<[u8]> {
        let raw = self.run(|byte| byte != b'>');
        self.at += 1;
        let digits: Vec<u8> = raw.iter().take(2 * LONGEST).copied().filter_map(hex_digit).collect();
        digits.chunks(2).map(|two| two[0] << 4 | two.get(1).copied().unwrap_or(0)).collect()
    }

    /// The next object or word; `None` at the end.
    pub(super) fn item(&mut self) -> Option<PdfItem<'a>> {
        let token = self.token()?;
        Some(self.build(token, 0))
    }

    /// The next object, references included; a word is none.
    pub(super) fn object(&mut self) -> Option<Object> {
        match self.item()? {
            PdfItem::Object(Object::Integer(number)) => Some(self.reference(number)),
            PdfItem::Object(object) => Some(object),
            PdfItem::Word(_) => None,
        }
    }

    fn build(&mut self, token: PdfToken<'a>, depth: usize) -> PdfItem<'a> {
        PdfItem::Object(match token {
            PdfToken::Value(object) => object,
            PdfToken::ArrayOpen | PdfToken::DictOpen if depth >= DEEPEST => Object::Null,
            PdfToken::ArrayOpen => Object::Array(Rc::new(self.members(depth))),
            PdfToken::DictOpen => Object::Dict(Rc::new(self.entries(depth))),
            PdfToken::Word(word) => return PdfItem::Word(word),
            PdfToken::ArrayClose => return PdfItem::Word(b"]"),
            PdfToken::DictClose => return PdfItem::Word(b">>"),
        })
    }

    fn members(&mut self, depth: usize) -> Vec<Object> {
        let mut members = Vec::new();
        while let Some(token) = self.token() {
            if token == PdfToken::ArrayClose {
                break;
            }
            match self.build(token, depth + 1) {
                PdfItem::Object(Object::Integer(number)) => members.push(self.reference(number)),
                PdfItem::Object(object) => members.push(object),
                PdfItem::Word(b"endobj" | b"stream" | b"endstream") => break,
                PdfItem::Word(_) => {}
            }
            // An object takes many times the memory of its two bytes.
            self.fuel.spend(8);
        }
        members
    }

    fn entries(&mut self, depth: usize) -> Dict {
        let mut dict = Dict::default();
        while let Some(token) = self.token() {
            let key = match token {
                PdfToken::Value(Object::Name(key)) => key,
                PdfToken::DictClose | PdfToken::Word(b"endobj" | b"stream" | b"endstream") => break,
                _ => continue,
            };
            let before = self.at;
            let Some(token) = self.token() else { break };
            if token == PdfToken::DictClose {
                self.at = before;
                continue;
            }
            self.fuel.spend(8);
            match self.build(token, depth + 1) {
                PdfItem::Object(Object::Integer(number)) => {
                    dict.insert(key, self.reference(number));
                }
                PdfItem::Object(object) => dict.insert(key, object),
                PdfItem::Word(_) => {}
            }
        }
        dict
    }

    /// `12 0 R` after its first number has been read.
    fn reference(&mut self, number: i64) -> Object {
        let before = self.at;
        let number32 = u32::try_from(number).ok().filter(|_| is_digit(self.ahead()));
        if let Some(number) = number32
            && matches!(self.token(), Some(PdfToken::Value(Object::Integer(_))))
            && self.ahead() == Some(b'R')
            && self.token() == Some(PdfToken::Word(b"R"))
        {
            return Object::Reference(number);
        }
        self.at = before;
        Object::Integer(number)
    }

    /// The next byte that is not white space.
    fn ahead(&mut self) -> Option<u8> {
        self.run(is_space);
        self.peek()
    }

    /// `12 0 obj`: the object that begins here.
    pub(super) fn header(&mut self) -> Option<ObjectId> {
        let number = self.whole()?;
        let generation = self.whole()?;
        let word = self.token()?;
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let id = ObjectId { number, generation: generation as u16 };
        (word == PdfToken::Word(b"obj")).then_some(id)
    }

    /// A whole number that is not negative.
    pub(super) fn whole(&mut self) -> Option<usize> {
        match self.token()? {
            PdfToken::Value(value @ Object::Integer(_)) => value.count(),
            _ => None,
        }
    }
}

fn is_digit(byte: Option<u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_digit())
}

fn word(text: &[u8]) -> PdfToken<'_> {
    match text {
        b"true" => PdfToken::Value(Object::Bool(true)),
        b"false" => PdfToken::Value(Object::Bool(false)),
        b"null" => PdfToken::Value(Object::Null),
        _ => PdfToken::Word(text),
    }
}

fn finite(value: f64) -> Object {
    Object::Real(if value.is_finite() { value } else { 0.0 })
}
