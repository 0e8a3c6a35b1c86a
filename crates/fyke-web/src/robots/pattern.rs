//! Path patterns of robots.txt (RFC 9309 §2.2.2, §2.2.3): prefix match by octets, `*` for any run,
//! `$` for the end. Pieces between stars are found leftmost first, so time is linear in the path.

use crate::url::{hex_digit, push_octet};

/// A pattern in the form in which octets can be compared.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pattern {
    /// Literal pieces; between two of them stands a star.
    pieces: Vec<String>,
    /// `$` stands at the end.
    to_the_end: bool,
    octets: usize,
}

impl Pattern {
    pub(super) fn new(written: &[u8]) -> Pattern {
        let body = written.strip_suffix(b"$").unwrap_or(written);
        let to_the_end = body.len() < written.len();
        let mut pieces: Vec<String> = body.split(|&b| b == b'*').map(canonical).collect();
        let stars = pieces.len() - 1;
        // Stars in a row say no more than one: only the first and the last piece may be empty.
        let mut at = 0;
        pieces.retain(|piece| {
            at += 1;
            !piece.is_empty() || at == 1 || at == stars + 1
        });
        let literal: usize = pieces.iter().map(|p| p.len() - 2 * escaped_marks(p)).sum();
        let octets = literal + stars + usize::from(to_the_end);
        Pattern { pieces, to_the_end, octets }
    }

    /// About how many bytes it has on the heap.
    pub(super) fn size(&self) -> usize {
        // A short piece of text takes as much as the allocator gives at least.
        self.pieces.iter().map(|piece| size_of::<String>() + piece.capacity().max(24)).sum()
    }

    /// How specific the pattern is: its length in octets.
    pub(super) fn octets(&self) -> usize {
        self.octets
    }

    /// Whether a path in canonical form matches.
    pub(super) fn matches(&self, path: &str) -> bool {
        let Some((first, others)) = self.pieces.split_first() else { return true };
        let Some(mut rest) = path.strip_prefix(first.as_str()) else { return false };
        let Some((last, middle)) = others.split_last() else {
            return !self.to_the_end || rest.is_empty();
        };
        for piece in middle {
            let Some(at) = find(rest, piece) else { return false };
            rest = &rest[at + piece.len()..];
        }
        if self.to_the_end { rest.ends_with(last.as_str()) } else { find(rest, last).is_some() }
    }
}

fn find(text: &str, piece: &str) -> Option<usize> {
    memchr::memmem::find(text.as_bytes(), piece.as_bytes())
}

/// A path as patterns are compared with it.
pub(super) fn canonical_path(path: &str) -> String {
    let path = &path[..path.find('#').unwrap_or(path.len())];
    if path.is_empty() { "/".to_owned() } else { canonical(path.as_bytes()) }
}

/// Characters that stand for something in a pattern, or that a URL never carries unescaped.
const MARKS: &[u8] = b"*$\"<>{}^|`";

/// Escapes in upper case, none on unreserved characters, octets outside ASCII escaped. Marks are
/// escaped too, so that a literal star equals its escape and never the sign.
fn canonical(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        let escape = if byte == b'%' { bytes.get(at..at + 2) } else { None };
        match escape.and_then(|hex| Some(hex_digit(hex[0])? << 4 | hex_digit(hex[1])?)) {
            Some(octet) => {
                push_octet(&mut out, octet);
                at += 2;
            }
            None if MARKS.contains(&byte) || !byte.is_ascii_graphic() => {
                push_octet(&mut out, byte);
            }
            None => out.push(char::from(byte)),
        }
    }
    out
}

/// Marks that canonical form made three octets of.
fn escaped_marks(piece: &str) -> usize {
    let is_mark = |escape: &str| {
        let octet = escape.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        octet.is_some_and(|octet| MARKS.contains(&octet))
    };
    piece.split('%').skip(1).filter(|escape| is_mark(escape)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, path: &str, expected: bool) {
        let matches = Pattern::new(pattern.as_bytes()).matches(&canonical_path(path));
        assert_eq!(matches, expected, "{pattern} on {path}");
    }

    #[test]
    fn patterns_match_by_prefix_star_and_dollar() {
        check("/", "/anything", true);
        check("/fish", "/fish.html", true);
        check("/fish", "/Fish.asp", false);
        check("/fish*", "/fish/salmon", true);
        check("/fish/", "/fish", false);
        check("/*.php", "/index.php?x=1", true);
        check("/*.php$", "/index.php?x=1", false);
        check("/*.php$", "/a/b.php", true);
        check("/fish*.php", "/fishheads/a.php", true);
        check("/*.php*$", "/a.phpx", true);
        check("*", "/x", true);
        check("*$", "/x", true);
        check("**//**b", "/a//cb", true);
        check("/a$", "/a", true);
        check("/a$", "/ab", false);
        check("/a*a$", "/a", false);
        check("/a*ab*b$", "/aab", false);
        check("/a*ab*b$", "/aabb", true);
        check("fish", "/fish", false);
        check("", "/x", true);
    }

    #[test]
    fn escapes_and_their_characters_are_equal() {
        check("/foo/bar/ツ", "/foo/bar/%E3%83%84", true);
        check("/foo/bar/%E3%83%84", "/foo/bar/ツ", true);
        check("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", true);
        check("/foo/bar/%62%61%7A", "/foo/bar/baz", true);
        check("/a%3cd.html", "/a%3Cd.html", true);
        check("/a%2fb", "/a/b", false);
        check("/file-with-a-%2A.html", "/file-with-a-*.html", true);
        check("/file-%24", "/file-$", true);
        check("/a$b", "/a$b", true);
        check("/x/{id}", "/x/%7Bid%7D", true);
        check("/x/{id}", "/x/{id}", true);
        check("/\"q\"", "/%22q%22", true);
        check("/a|b^c`<d>", "/a%7cb%5Ec%60%3Cd%3E", true);
    }

    #[test]
    fn a_pattern_of_many_stars_takes_linear_time() {
        let pattern = "/".to_owned() + &"*a".repeat(20_000) + "b";
        check(&pattern, &("/".to_owned() + &"a".repeat(40_000)), false);
    }
}
