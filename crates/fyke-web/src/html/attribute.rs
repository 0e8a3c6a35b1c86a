//! Attributes of a start tag by the WHATWG tokenizer's rules: quoted, unquoted, without value.

use super::near;
use fyke_text::sixteen::Sixteen;

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

/// Whether the name of a tag ends where this byte stands.
#[inline]
pub(super) fn ends_name(byte: u8) -> bool {
    KINDS[usize::from(byte)] & (SPACE | SLASH | BRACKET) != 0
}

/// One attribute at `at`: where its name and value lie, and where the next begins.
struct AttributeSpan {
    name: (usize, usize),
    value: (usize, usize),
    next: usize,
}

/// Reads the attribute at `at`. None at the closing bracket or the end; the place of the bracket
/// comes back in `Err` (the end of the bytes when there is none).
#[inline]
fn attribute(bytes: &[u8], at: usize) -> Result<AttributeSpan, usize> {
    let start = pass(bytes, at, SPACE | SLASH, false);
    if matches!(bytes.get(start), None | Some(b'>')) {
        return Err(start);
    }
    // A leading "=" belongs to the name.
    let end = pass(bytes, start + 1, SPACE | SLASH | BRACKET | EQUALS, true);
    let name = (start, end);
    let equals = pass(bytes, end, SPACE, false);
    if bytes.get(equals) != Some(&b'=') {
        return Ok(AttributeSpan { name, value: (end, end), next: equals });
    }
    let at = pass(bytes, equals + 1, SPACE, false);
    Ok(match bytes.get(at) {
        Some(&quote @ (b'"' | b'\'')) => {
            let start = at + 1;
            let end = near::find(bytes, quote, start).unwrap_or(bytes.len());
            AttributeSpan { name, value: (start, end), next: (end + 1).min(bytes.len()) }
        }
        _ => {
            let end = pass(bytes, at, SPACE | BRACKET, true);
            AttributeSpan { name, value: (at, end), next: end }
        }
    })
}

/// Where the bracket stands that closes the tag whose attributes begin at `at`.
#[inline]
pub(super) fn end_of_tag(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'>' => Some(at),
        _ => plain_end(bytes, at).or_else(|| careful_end(bytes, at)),
    }
}

/// As [`end_of_tag`], attribute by attribute.
fn careful_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match attribute(bytes, at) {
            Ok(span) => at = span.next,
            Err(end) => return (end < bytes.len()).then_some(end),
        }
    }
}

/// As [`end_of_tag`] for a tag whose values are all in double quotes, right behind a name and an equals
/// sign; none for others, as soon as that is seen, and near the end of the page. 64 bytes at a time.
#[inline]
fn plain_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    // What is known of the byte before: in a value, of a name, an equals sign.
    let [mut in_value, mut of_name, mut is_equals] = [0; 3];
    while let Some(block) = bytes.get(at..)?.first_chunk() {
        let ByteMarks { brackets, quotes, equals, names } = ByteMarks::of(block);
        let quoted = running(quotes) ^ in_value;
        let end = (brackets & !quoted).trailing_zeros();
        let before = 1_u64.checked_shl(end).map_or(u64::MAX, |bit| bit - 1);
        let equals = equals & !quoted & before;
        let opens = quotes & quoted & before;
        if opens != (equals << 1 | is_equals) & before || equals & !(names << 1 | of_name) != 0 {
            return None;
        }
        if end < u64::BITS {
            return Some(at + end as usize);
        }
        (in_value, of_name, is_equals) =
            (0_u64.wrapping_sub(quoted >> 63), names >> 63, equals >> 63);
        at += 64;
    }
    None
}

/// Which of 64 bytes are what, the first in the lowest bit.
struct ByteMarks {
    brackets: u64,
    quotes: u64,
    equals: u64,
    /// What can end a name.
    names: u64,
}

impl ByteMarks {
    #[inline(always)]
    fn of(block: &[u8; 64]) -> ByteMarks {
        let mut marks = ByteMarks { brackets: 0, quotes: 0, equals: 0, names: 0 };
        for (&sixteen, place) in block.as_chunks().0.iter().zip((0..64).step_by(16)) {
            let sixteen = Sixteen::of(sixteen);
            marks.brackets |= u64::from(sixteen.equal(b'>')) << place;
            marks.quotes |= u64::from(sixteen.equal(b'"')) << place;
            marks.equals |= u64::from(sixteen.equal(b'=')) << place;
            marks.names |= u64::from(sixteen.above(b' ') & !sixteen.equal(b'/')) << place;
        }
        marks.names &= !marks.quotes;
        marks
    }
}

/// Ones from each odd one to the place before the next.
#[inline(always)]
fn running(mut ones: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        ones ^= ones << shift;
    }
    ones
}

/// The attributes of a tag, names and values as written.
#[derive(Clone, Debug)]
pub struct Attributes<'a> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_plain_end_is_the_end(
            tag in "( (a|data-b|é|=|/|'|\"|<|>|\t|\n)*(=|==| = )?(\"[a >='/]{0,80}\"|'[a >=\"]{0,9}'|[a\"'=]{0,5})){0,9}/?>?",
            rest in "[a-z<>\"'= ]{0,200}",
        ) {
            let page = tag.clone() + &rest;
            if let Some(end) = plain_end(page.as_bytes(), 0) {
                prop_assert_eq!(Some(end), careful_end(page.as_bytes(), 0));
            }
        }
    }

    #[test]
    fn common_tags_are_plain() {
        let check = |tag: &str, is_plain: bool| {
            let page = format!("{tag}>{}", "<p class=\"x\">text</p>".repeat(9));
            let expected = careful_end(page.as_bytes(), 0);
            assert_eq!(plain_end(page.as_bytes(), 0), expected.filter(|_| is_plain), "{tag}");
        };
        check(" href=\"/a?b=c&d=e\"", true);
        check(" class=\"a\"  id=\"b\" hidden /", true);
        check(&format!(" title=\"a > b\" data-text=\"{}\"", "word = ".repeat(40)), true);
        for length in 40..70 {
            check(&format!(" {}=\"a>\" b=\"c\"", "n".repeat(length)), true);
            check(&format!(" {}=a\"> b=\"c\"", "n".repeat(length)), false);
            check(&format!(" {} =\"a>\"", "n".repeat(length)), false);
        }
        for tag in [
            " a=b",
            " a='b>'",
            " =\"b>\"",
            " a =\"b>\"",
            " a= \"b>\"",
            "/=\"b>\"",
            " a=\"b\"=\"c>\"",
        ] {
            check(tag, false);
        }
    }
}
