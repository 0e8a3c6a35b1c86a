//! Code pages that the web's standard does not have: EBCDIC 037 and 500 when they are named, and
//! Cyrillic 855. The tables are in `data/codepages.txt`: a name and the character of each octet.

use std::sync::LazyLock;

/// Labels and the code page that each means.
const LABELS: [(&str, &str); 18] = [
    ("037", "IBM037"),
    ("cp037", "IBM037"),
    ("cp-037", "IBM037"),
    ("csibm037", "IBM037"),
    ("ebcdic-cp-ca", "IBM037"),
    ("ebcdic-cp-us", "IBM037"),
    ("ibm-037", "IBM037"),
    ("ibm037", "IBM037"),
    ("500", "IBM500"),
    ("cp500", "IBM500"),
    ("csibm500", "IBM500"),
    ("ebcdic-cp-be", "IBM500"),
    ("ebcdic-cp-ch", "IBM500"),
    ("ibm-500", "IBM500"),
    ("ibm500", "IBM500"),
    ("cp855", "IBM855"),
    ("csibm855", "IBM855"),
    ("ibm855", "IBM855"),
];

/// A code page.
#[derive(Debug)]
pub struct CodePage {
    pub name: &'static str,
    characters: Vec<char>,
}

static PAGES: LazyLock<Vec<CodePage>> = LazyLock::new(|| {
    let lines = include_str!("../../data/codepages.txt").lines();
    lines.filter_map(page).collect()
});

fn page(line: &'static str) -> Option<CodePage> {
    let (name, codes) = line.split_once(' ')?;
    let character = |code: &str| u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
    Some(CodePage { name, characters: codes.split(' ').filter_map(character).collect() })
}

/// The code page that a label means.
#[must_use]
pub fn for_label(label: &str) -> Option<&'static CodePage> {
    let label = label.trim();
    let row = LABELS.iter().find(|row| row.0.eq_ignore_ascii_case(label))?;
    PAGES.iter().find(|page| page.name == row.1)
}

impl CodePage {
    /// Octets as text. The line feed of EBCDIC becomes ours.
    #[must_use]
    pub fn decode(&self, bytes: &[u8]) -> String {
        let of = |&byte: &u8| self.characters.get(usize::from(byte)).copied();
        let read = bytes.iter().map(|byte| of(byte).unwrap_or(char::REPLACEMENT_CHARACTER));
        read.map(|c| if c == '\u{85}' { '\n' } else { c }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_has_a_whole_table() {
        for (label, name) in LABELS {
            let page = for_label(label).unwrap();
            assert_eq!((page.name, page.characters.len()), (name, 256), "{label}");
        }
        assert!(for_label("cp1047").is_none());
    }

    #[test]
    fn the_code_pages_differ_where_they_should() {
        let check = |label: &str, bytes: &[u8], text: &str| {
            assert_eq!(for_label(label).unwrap().decode(bytes), text, "{label}");
        };
        check("CP037", b"\xC8\x85\x93\x93\x96\x5A\x15", "Hello!\n");
        check("ibm500", b"\xC8\x85\x93\x93\x96\x4F", "Hello!");
    }
}
