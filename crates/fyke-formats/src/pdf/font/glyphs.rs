//! Characters from the names of glyphs: the Adobe Glyph List as far as it matters, its rules for
//! names made of numbers, and the names that writers of fonts invent.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Bytes of a name; a longer one names nothing.
const LONGEST: usize = 128;

static NAMES: LazyLock<HashMap<&'static str, String>> = LazyLock::new(|| {
    let file = include_str!("../../../data/pdf-glyphs.txt");
    file.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
});

fn row(line: &'static str) -> Option<(&'static str, String)> {
    let (name, codes) = line.split_once(' ')?;
    let codes = codes.split(' ').filter_map(|code| u32::from_str_radix(code, 16).ok());
    Some((name, codes.filter_map(char::from_u32).collect()))
}

/// The text a glyph of this name stands for.
pub(super) fn text(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok().filter(|name| name.len() <= LONGEST)?;
    // A variant (`a.sc`, `one.oldstyle`) reads as what it is a variant of.
    let stem = name.split('.').next().filter(|stem| !stem.is_empty())?;
    if let Some(text) = part(stem) {
        return Some(text);
    }
    // A ligature names its parts.
    if stem.contains('_') {
        return stem.split('_').map(part).collect();
    }
    numbered(stem)
}

fn part(name: &str) -> Option<String> {
    let mut characters = name.chars();
    if let (Some(single), None) = (characters.next(), characters.next()) {
        return Some(single.to_string());
    }
    NAMES.get(name).cloned().or_else(|| unicode(name))
}

/// `uni20AC`, `uni00410042`, `u1F600`.
fn unicode(name: &str) -> Option<String> {
    let hexadecimal = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    if let Some(digits) = name.strip_prefix("uni").filter(|d| d.len() >= 4 && d.is_ascii()) {
        let units =
            digits.as_bytes().chunks_exact(4).filter_map(|unit| std::str::from_utf8(unit).ok());
        return units.map(hexadecimal).collect();
    }
    let digits = name.strip_prefix('u').filter(|digits| (4..=6).contains(&digits.len()))?;
    hexadecimal(digits).map(String::from)
}

/// `g65`, `c65`, `cid65`, `a65`: a letter or few and the code, which is ASCII where it is
/// printable.
fn numbered(name: &str) -> Option<String> {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    if name.len() - digits.len() > 3 || digits.len() > 3 {
        return None;
    }
    let code = digits.parse().ok().filter(|code| (32..127u8).contains(code))?;
    Some(char::from(code).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: Option<&str>) {
        assert_eq!(text(name.as_bytes()).as_deref(), expected, "{name}");
    }

    #[test]
    fn names_become_characters() {
        check("A", Some("A"));
        check("ccaron", Some("č"));
        check("afii10017", Some("А"));
        check("uni20AC", Some("€"));
        check("uni00660069", Some("fi"));
        check("u1F600", Some("😀"));
        check("f_f_i", Some("ffi"));
        check("a.sc", Some("a"));
        check("g65", Some("A"));
        check("cid72", Some("H"));
        check("dotlessi", Some("ı"));
        check("hyphen", Some("-"));
        check(".notdef", None);
        check("uniD800", None);
        check("g7", None);
        check("nonsense", None);
        check("", None);
    }
}
