//! Attributes of a start tag by the WHATWG tokenizer's rules: quoted, unquoted, without value.

use super::near;

/// What ends the name of a tag or an attribute; nothing else does.
const SPACE: u8 = 1;
const SLASH: u8 = 2;
const BRACKET: u8 = 4;
const EQUALS: u8 = 8;
/// For every byte which of these it is.
static KINDS: [u8; 256] = kinds();

const fn kinds() -> [u8; 256] {
    let mut kinds = [0; 256];
    let spaces = b" \t\n\r\x0C";
    let mut at = 0;
    while at < spaces.len() {
        kinds[spaces[at] as usize] = SPACE;
        at += 1;
    }
    kinds[b'/' as usize] = SLASH;
    kinds[b'>' as usize] = BRACKET;
    kinds[b'=' as usize] = EQUALS;
    kinds
}

/// Where the first byte at or after `at` stands that is of these kinds, or of none of them where
/// `is` is false; the end where there is none.
#[inline]
fn pass(bytes: &[u8], mut at: usize, kinds: u8, is: bool) -> usize {
    while at < bytes.len() && (KINDS[usize::from(bytes[at])] & kinds != 0) != is {
        at += 1;
    }
    at
}

/// Where the name of a tag ends that begins at `at`.
#[inline]
pub(super) fn end_of_name(bytes: &[u8], at: usize) -> usize {
    pass(bytes, at, SPACE | SLASH | BRACKET, true)
}

/// One attribute at `at`: where its name and value lie, and where the next begins.
struct Span {
    name: (usize, usize),
    value: (usize, usize),
    next: usize,
}

/// Reads the attribute at `at`. None at the closing bracket or the end; the place of the bracket
/// comes back in `Err` (the end of the bytes when there is none).
#[inline]
fn attribute(bytes: &[u8], at: usize) -> Result<Span, usize> {
    let start = pass(bytes, at, SPACE | SLASH, false);
    if matches!(bytes.get(start), None | Some(b'>')) {
        return Err(start);
    }
    // A leading "=" belongs to the name.
    let end = pass(bytes, start + 1, SPACE | SLASH | BRACKET | EQUALS, true);
    let name = (start, end);
    let equals = pass(bytes, end, SPACE, false);
    if bytes.get(equals) != Some(&b'=') {
        return Ok(Span { name, value: (end, end), next: equals });
    }
    let at = pass(bytes, equals + 1, SPACE, false);
    Ok(match bytes.get(at) {
        Some(&quote @ (b'"' | b'\'')) => {
            let start = at + 1;
            let end = near::find(bytes, quote, start).unwrap_or(bytes.len());
            Span { name, value: (start, end), next: (end + 1).min(bytes.len()) }
        }
        _ => {
            let end = pass(bytes, at, SPACE | BRACKET, true);
            Span { name, value: (at, end), next: end }
        }
    })
}

/// Where the bracket stands that closes the tag whose attributes begin at `at`.
#[inline]
pub(super) fn end_of_tag(bytes: &[u8], mut at: usize) -> Option<usize> {
    if bytes.get(at) == Some(&b'>') {
        return Some(at);
    }
    loop {
        match attribute(bytes, at) {
            Ok(span) => at = span.next,
            Err(end) => return (end < bytes.len()).then_some(end),
        }
    }
}

/// The attributes of a tag, names and values as written.
#[derive(Clone, Debug)]
pub(crate) struct Attributes<'a> {
    inside: &'a str,
    at: usize,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(inside: &'a str) -> Attributes<'a> {
        Attributes { inside, at: 0 }
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        let span = attribute(self.inside.as_bytes(), self.at).ok()?;
        self.at = span.next;
        Some((
            self.inside.get(span.name.0..span.name.1)?,
            self.inside.get(span.value.0..span.value.1)?,
        ))
    }
}
