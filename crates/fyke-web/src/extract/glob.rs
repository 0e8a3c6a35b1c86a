//! Which URLs a rule is for: a host alone, or a pattern over host, path and query, without the scheme. `*` stands for
//! anything within a segment of the path, `**` for anything. A host without a port is that host at any port.

use crate::Url;

/// Longest pattern, and most of a URL that is looked at, in bytes.
const MOST_PATTERN: usize = 500;
const MOST_URL: usize = 4_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GlobPiece {
    Byte(u8),
    Segment,
    Any,
}

/// A pattern as it was written, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UrlGlob {
    pieces: Vec<GlobPiece>,
    /// It names hosts alone.
    is_host: bool,
}

impl UrlGlob {
    /// Reads a pattern.
    pub(super) fn new(pattern: &str) -> Result<UrlGlob, &'static str> {
        match () {
            () if pattern.trim().is_empty() => return Err("the pattern is empty"),
            () if pattern.len() > MOST_PATTERN => return Err("the pattern is too long"),
            () if pattern.contains("://") => {
                return Err("a pattern begins with the host, without https://");
            }
            () => {}
        }
        let mut pieces = Vec::new();
        let bytes = pattern.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let is_any = bytes[at..].starts_with(b"**");
            pieces.push(match bytes[at] {
                b'*' if is_any => GlobPiece::Any,
                b'*' => GlobPiece::Segment,
                byte => GlobPiece::Byte(byte),
            });
            at += 1 + usize::from(is_any);
        }
        Ok(UrlGlob { pieces, is_host: !pattern.contains('/') })
    }

    pub(super) fn fits(&self, url: &Url) -> bool {
        let rest = if self.is_host { "" } else { url.path_and_query() };
        let mut hosts = [url.authority(), url.host()].into_iter();
        hosts.any(|host| self.fits_text(&format!("{host}{rest}")))
    }

    /// All ways at once: bit for bit which pieces may come next.
    fn fits_text(&self, text: &str) -> bool {
        let text = &text.as_bytes()[..text.len().min(MOST_URL)];
        let mut next = vec![false; self.pieces.len() + 1];
        next[0] = true;
        self.pass_stars(&mut next);
        for &byte in text {
            let mut then = vec![false; next.len()];
            for (at, piece) in self.pieces.iter().enumerate().filter(|(at, _)| next[*at]) {
                match piece {
                    GlobPiece::Byte(own) => then[at + 1] |= *own == byte,
                    GlobPiece::Segment => then[at] |= byte != b'/',
                    GlobPiece::Any => then[at] = true,
                }
            }
            next = then;
            self.pass_stars(&mut next);
        }
        next[self.pieces.len()]
    }

    /// Stars may stand for nothing.
    fn pass_stars(&self, next: &mut [bool]) {
        for (at, piece) in self.pieces.iter().enumerate() {
            next[at + 1] |= next[at] && !matches!(piece, GlobPiece::Byte(_));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_hosts_and_paths() {
        let check = |pattern: &str, url: &str, expected: bool| {
            let found = UrlGlob::new(pattern).unwrap().fits(&Url::parse(url).unwrap());
            assert_eq!(found, expected, "{pattern} {url}");
        };
        check("a.test", "https://a.test/x", true);
        check("a.test", "https://www.a.test/x", false);
        check("*.a.test", "https://www.a.test/x/y?z", true);
        check("a.test/**", "http://a.test/", true);
        check("a.test/**", "http://a.test/x/y?z=1", true);
        check("a.test/*/y", "http://a.test/x/y", true);
        check("a.test/*/y", "http://a.test/x/x/y", false);
        check("a.test/**/y", "http://a.test/x/x/y", true);
        check("**/*.html", "http://a.test/x/eel.html", true);
        check("127.0.0.1:80/x", "http://127.0.0.1:81/x", false);
        check("127.0.0.1:81/*", "http://127.0.0.1:81/x", true);
        check("127.0.0.1/**", "http://127.0.0.1:81/x", true);
        check("127.0.0.1/y", "http://127.0.0.1:81/x", false);
        check("a.test", "http://a.test:8080/x", true);
    }

    #[test]
    fn many_stars_cost_little() {
        let pattern = "a.test/".to_owned() + &"*a".repeat(200);
        let url = Url::parse(&format!("http://a.test/{}b", "a".repeat(1_500))).unwrap();
        assert!(!UrlGlob::new(&pattern).unwrap().fits(&url));
        assert!(UrlGlob::new("https://a.test").is_err() && UrlGlob::new("").is_err());
    }
}
