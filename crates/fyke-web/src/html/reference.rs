//! Character references (`&eacute;`, `&#233;`) and white space folding.

use fyke_text::sixteen::Sixteen;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A named reference: its name, its characters, whether the semicolon may be left out.
struct NamedReference {
    name: &'static str,
    first: char,
    second: Option<char>,
    bare: bool,
}

/// Longest name that counts without semicolon.
const LONGEST_BARE: usize = 6;
/// Says where a word may be broken; no part of the word.
const SOFT_HYPHEN: char = '\u{AD}';
/// Longest name at all.
const LONGEST: usize = 32;

static NAMED: LazyLock<Vec<NamedReference>> = LazyLock::new(|| {
    let file = include_str!("../../data/entities.txt");
    file.lines().filter(|line| !line.starts_with('#')).filter_map(named).collect()
});

fn named(line: &'static str) -> Option<NamedReference> {
    let mut words = line.split(' ');
    let name = words.next()?;
    let bare = line.ends_with('*');
    let mut codes = words.filter_map(|w| char::from_u32(u32::from_str_radix(w, 16).ok()?));
    Some(NamedReference { name, first: codes.next()?, second: codes.next(), bare })
}

fn look_up(name: &str) -> Option<&'static NamedReference> {
    let at = NAMED.binary_search_by(|row| row.name.cmp(name)).ok()?;
    NAMED.get(at)
}

/// What bytes 0x80 to 0x9F mean in windows-1252; authors write them as numbers.
const WINDOWS_1252: [u16; 32] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
    0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC,
    0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
];

/// `text` with its references replaced. In an attribute a bare name before `=` or a letter is none.
pub(super) fn decode(text: &str, in_attribute: bool) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..first]);
    let mut rest = &text[first..];
    loop {
        // `rest` begins with an ampersand.
        let used = reference(rest, in_attribute, &mut out);
        if used == 0 {
            out.push('&');
        }
        rest = &rest[used.max(1)..];
        let next = memchr::memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
        out.push_str(&rest[..next]);
        rest = &rest[next..];
        if rest.is_empty() {
            return Cow::Owned(out);
        }
    }
}

/// Reads the reference at the head of `rest` into `out`; its length, 0 when there is none.
fn reference(rest: &str, in_attribute: bool, out: &mut String) -> usize {
    let body = &rest.as_bytes()[1..];
    if body.first() == Some(&b'#') {
        return number(&body[1..]).map_or(0, |(character, used)| {
            out.push(character);
            used + 2
        });
    }
    let run = body.iter().take(LONGEST).take_while(|b| b.is_ascii_alphanumeric()).count();
    if body.get(run) == Some(&b';')
        && let Some(named) = look_up(&rest[1..=run])
    {
        out.push(named.first);
        out.extend(named.second);
        return run + 2;
    }
    for length in (2..=run.min(LONGEST_BARE)).rev() {
        if let Some(named) = look_up(&rest[1..=length]).filter(|named| named.bare) {
            let next = body.get(length);
            if in_attribute && next.is_some_and(|b| *b == b'=' || b.is_ascii_alphanumeric()) {
                return 0;
            }
            out.push(named.first);
            return length + 1;
        }
    }
    0
}

/// A numeric reference after its `&#`: the character, and the bytes used.
fn number(body: &[u8]) -> Option<(char, usize)> {
    let hex = matches!(body.first(), Some(b'x' | b'X'));
    let (radix, start) = if hex { (16, 1) } else { (10, 0) };
    let mut code: u32 = 0;
    let mut at = start;
    while let Some(digit) = body.get(at).and_then(|&b| char::from(b).to_digit(radix)) {
        code = code.saturating_mul(radix).saturating_add(digit);
        at += 1;
    }
    if at == start {
        return None;
    }
    let code = match code {
        0 => 0xFFFD,
        0x80..=0x9F => WINDOWS_1252[(code - 0x80) as usize].into(),
        _ => code,
    };
    let used = at + usize::from(body.get(at) == Some(&b';'));
    Some((char::from_u32(code).unwrap_or('\u{FFFD}'), used))
}

/// Text with its references decoded.
pub fn text_of(text: &str) -> Cow<'_, str> {
    decode(text, false)
}

/// The value of an attribute, or what was written with as little care, with its references decoded:
/// a bare name before `=` or a letter is none.
pub fn value_of(text: &str) -> Cow<'_, str> {
    decode(text, true)
}

/// Adds `text` to `out` with references decoded and white space folded: each run becomes one space,
/// none at the beginning. `most` bounds the bytes of `out`, give or take one stretch of plain text.
pub(crate) fn fold_into(out: &mut String, text: &str, most: usize) {
    let text = decode(text, false);
    let mut rest: &str = &text;
    while !rest.is_empty() && out.len() < most {
        let (plain, after) = rest.split_at(plain_stretch(rest.as_bytes()));
        out.push_str(plain);
        let Some(c) = after.chars().next() else { return };
        rest = &after[c.len_utf8()..];
        if c == SOFT_HYPHEN {
            continue;
        }
        if !c.is_whitespace() && !c.is_control() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with([' ', '\n']) {
            out.push(' ');
        }
    }
}

/// Length of the text that can be copied as it is: words with single spaces between them.
fn plain_stretch(bytes: &[u8]) -> usize {
    let (mut at, mut after_space) = (0, 1);
    while let Some(sixteen) = Sixteen::at(bytes, at) {
        let spaces = sixteen.equal(b' ');
        let low = !(sixteen.above(b' ') | sixteen.beyond_ascii() | spaces) & 0xFFFF;
        let ends = low | sixteen.equal(0xC2) | spaces & (spaces << 1 | after_space);
        if ends != 0 {
            return at + ends.trailing_zeros() as usize;
        }
        after_space = spaces >> 15;
        at += 16;
    }
    let mut in_word = after_space == 0;
    for (place, &byte) in bytes[at..].iter().enumerate() {
        if byte > b' ' && byte != 0xC2 {
            in_word = true;
        } else if byte == b' ' && in_word {
            in_word = false;
        } else {
            return at + place;
        }
    }
    bytes.len()
}

/// `text` decoded and folded, at most `most` bytes or a little over, trimmed.
pub fn folded(text: &str, most: usize) -> String {
    let mut out = String::new();
    fold_into(&mut out, text, most);
    out.truncate(out.floor_char_boundary(most));
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(decode(text, false), expected, "{text}");
    }

    #[test]
    fn references_become_their_characters() {
        check("a &amp; b", "a & b");
        check("&eacute;&Eacute;&#233;&#xE9;&#Xe9;", "éÉééé");
        check("&copy 2002 &notit; &notin;", "© 2002 ¬it; ∉");
        check("&#150;&#x80;&#0;&#xD800;&#99999999999;", "–€\u{FFFD}\u{FFFD}\u{FFFD}");
        check("&NotEqualTilde;", "≂\u{338}");
        check("& &; &#; &#x; &unknown; &ampx AT&T", "& &; &#; &#x; &unknown; &x AT&T");
        check("&&&amp", "&&&");
        check("&č;", "&č;");
    }

    #[test]
    fn in_attributes_a_bare_name_before_a_letter_stays() {
        assert_eq!(decode("?a=1&copy=2&lt=3&amp;x", true), "?a=1&copy=2&lt=3&x");
        assert_eq!(decode("a&lt", true), "a<");
    }

    #[test]
    fn the_table_is_sorted_and_whole() {
        assert!(NAMED.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert_eq!(NAMED.len(), 2_125);
        assert!(NAMED.iter().filter(|n| n.bare).all(|n| n.name.len() <= LONGEST_BARE));
    }

    proptest! {
        #[test]
        fn a_plain_stretch_ends_where_the_rule_says(text in "([a-z]{0,20}|[ \n\u{A0}\u{AD}é\u{7F}]| {1,3}){0,12}") {
            let bytes = text.as_bytes();
            let is_word = |at: usize| bytes[at] > b' ' && bytes[at] != 0xC2;
            let is_plain = |&at: &usize| is_word(at) || bytes[at] == b' ' && at > 0 && is_word(at - 1);
            prop_assert_eq!(plain_stretch(bytes), (0..bytes.len()).take_while(is_plain).count());
        }
    }

    #[test]
    fn white_space_is_folded() {
        assert_eq!(folded("  a \n\t b&nbsp;&nbsp;c ", 100), "a b c");
        assert_eq!(folded("čččč", 3), "č");
    }
}
