//! Code pages that the web's standard does not have: those of DOS, and EBCDIC. They are read when they are
//! named; Cyrillic 855 is found without a name, too. The tables are in `data/codepages.txt`, made from
//! Python's codecs by `data/codepages.py`: a name, its labels, and the character of each octet.

use std::sync::LazyLock;

/// A code page.
#[derive(Debug)]
pub struct CodePage {
    pub name: &'static str,
    labels: Vec<&'static str>,
    /// Of an octet that the page does not have, the replacement character.
    characters: Vec<char>,
}

static PAGES: LazyLock<Vec<CodePage>> = LazyLock::new(|| {
    let lines = include_str!("../../data/codepages.txt").lines();
    lines.filter_map(page).collect()
});

fn page(line: &'static str) -> Option<CodePage> {
    let mut parts = line.splitn(3, ' ');
    let (name, labels, codes) = (parts.next()?, parts.next()?, parts.next()?);
    let character = |code: &str| u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
    let characters = codes.split(' ').filter_map(character).collect();
    Some(CodePage { name, labels: labels.split(',').collect(), characters })
}

/// The code page that a label means.
#[must_use]
pub fn for_label(label: &str) -> Option<&'static CodePage> {
    let label = label.trim();
    let is_own = |page: &&CodePage| page.labels.iter().any(|own| own.eq_ignore_ascii_case(label));
    PAGES.iter().find(is_own)
}

impl CodePage {
    /// Whether markup that declares the page can have been read so far.
    #[must_use]
    pub fn has_ascii(&self) -> bool {
        self.characters.iter().zip('\0'..'\u{7F}').all(|(own, ascii)| *own == ascii)
    }

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
    use encoding_rs::Encoding;

    #[test]
    fn every_page_is_whole_and_every_label_means_one() {
        for (nth, page) in PAGES.iter().enumerate() {
            assert_eq!(page.characters.len(), 256, "{}", page.name);
            for label in &page.labels {
                assert_eq!(for_label(label).unwrap().name, page.name, "{label}");
                assert!(Encoding::for_label(label.as_bytes()).is_none(), "the web has {label}");
            }
            assert!(PAGES[..nth].iter().all(|other| other.characters != page.characters));
        }
        assert_eq!(PAGES.len(), 23);
        assert!(for_label("cp1047").is_none() && for_label("").is_none());
    }

    /// Words with their octets, as Python writes them.
    #[test]
    fn the_code_pages_differ_where_they_should() {
        let check = |label: &str, bytes: &[u8], text: &str| {
            assert_eq!(for_label(label).unwrap().decode(bytes), text, "{label}");
        };
        check("CP037", b"\xC8\x85\x93\x93\x96\x5A\x15", "Hello!\n");
        check("ibm500", b"\xC8\x85\x93\x93\x96\x4F", "Hello!");
        check("cp437", b"na\x8Bve \xE1 \x9B", "na\u{ef}ve \u{df} \u{a2}");
        check("ibm850", b"\x80\x87\x9B\xB5", "\u{c7}\u{e7}\u{f8}\u{c1}");
        check("cp852", b"\xA6\x9F\xE7 ulov \xA7", "\u{17d}\u{10d}\u{161} ulov \u{17e}");
        check("IBM857", b"\x98\x8D\xA7\x9F", "\u{130}\u{131}\u{11f}\u{15f}");
        check("cp862", b"\x99\x8C\x85\x8D", "\u{5e9}\u{5dc}\u{5d5}\u{5dd}");
        check("cp737", b"\x83\xE5\xAE\xAB", "\u{394}\u{3af}\u{3c7}\u{3c4}");
        check("dos-720", b"\xE3", "\u{639}");
        check("cp857", b"\xE7", "\u{FFFD}");
    }
}
