//! The words of a link's neighbourhood as numbers (002 §2): anchor, text around, heading, title of the
//! page and URL, each in a namespace of its own, since "papers" in an anchor says more than the same
//! word somewhere before it. Beyond the paper: where a link lies, that is its folders, and what kinds of
//! files the page links to beside it. A word is a hash of 32 bits: no vocabulary need be shared or kept.

use crate::{fold, tokens};
use fyke_learn::bayes::Occurrence;
use fyke_learn::spider::LYING;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Most words that are read in one place.
const MOST_WORDS: usize = 24;
/// Most folders of a URL.
const MOST_FOLDERS: usize = 6;
/// Most kinds of files that a page is known by.
const MOST_KINDS: usize = 6;

/// What is said about a link.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkText<'a> {
    pub anchor: &'a str,
    /// The text before and behind it; only what stands in the same line is read.
    pub before: &'a str,
    pub after: &'a str,
    /// The heading above it.
    pub heading: &'a str,
    /// Where it leads.
    pub url: &'a str,
}

/// Where a word was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    Anchor,
    Around,
    Heading,
    Title,
    /// In the path of the URL.
    Path,
    /// What the URL ends in, its kind of file; that of what is packed, if it is.
    Ending,
    /// The host, and each folder that the URL lies in.
    Folder,
    /// How many folders deep it lies, and whether in that of the page.
    Depth,
    /// A kind of file among the links of the page, and about how many of it there are.
    Beside,
}

impl Place {
    /// Whether it is about where a link lies, not what is said about it.
    const fn is_lying(self) -> bool {
        matches!(self, Place::Folder | Place::Depth | Place::Beside)
    }
}

/// What the links of one page have in common.
#[derive(Clone, Debug)]
pub struct PageWords<'a> {
    url: &'a str,
    words: Vec<u32>,
}

impl<'a> PageWords<'a> {
    /// Of a page with this URL and title and links that lead there.
    pub fn new(
        url: &'a str,
        title: &str,
        links: impl IntoIterator<Item = &'a str>,
    ) -> PageWords<'a> {
        let mut words = Vec::with_capacity(MOST_WORDS + MOST_KINDS);
        page_words(title, links, |place, word| words.push(number(place, word)));
        PageWords { url, words }
    }

    /// The words of one of its links as numbers, each once, those of what is said about it first.
    #[must_use]
    pub fn numbers(&self, link: &LinkText<'_>) -> Vec<u32> {
        let mut found = Vec::with_capacity(4 * MOST_WORDS);
        found.extend_from_slice(&self.words);
        link_words(self.url, link, |place, word| found.push(number(place, word)));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The same for a learner.
    #[must_use]
    pub fn occurrences(&self, link: &LinkText<'_>) -> Vec<Occurrence> {
        self.numbers(link).into_iter().map(|word| (word, 1.)).collect()
    }
}

/// Shows every word that the links of a page have in common.
pub fn page_words<'a>(
    title: &str,
    links: impl IntoIterator<Item = &'a str>,
    mut see: impl FnMut(Place, &str),
) {
    each_word(title, |word| see(Place::Title, word));
    let mut endings: Vec<String> = links.into_iter().map(|url| ending(path(url))).collect();
    endings.sort_unstable();
    let mut kinds: Vec<(usize, &str)> =
        endings.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0].as_str())).collect();
    kinds.sort_unstable_by(|a, b| b.cmp(a));
    for (count, ending) in kinds.into_iter().take(MOST_KINDS) {
        see(Place::Beside, &format!("{ending} {}", amount(count)));
    }
}

/// About how many: one, a few, several, many.
fn amount(count: usize) -> usize {
    match count {
        0..=1 => 1,
        2..=4 => 2,
        5..=19 => 5,
        _ => 20,
    }
}

/// Shows every word of a link on a page with its place, in lower case.
pub fn link_words(page: &str, link: &LinkText<'_>, mut see: impl FnMut(Place, &str)) {
    let before = link.before.rsplit('\n').next().unwrap_or_default();
    let after = link.after.split('\n').next().unwrap_or_default();
    let path = path(link.url);
    let texts = [
        (Place::Anchor, link.anchor),
        (Place::Around, before),
        (Place::Around, after),
        (Place::Heading, link.heading),
        (Place::Path, path),
    ];
    for (place, text) in texts {
        each_word(text, |word| see(place, word));
    }
    see(Place::Ending, &ending(path));
    let mut depth = 0;
    for folder in folders(link.url).take(MOST_FOLDERS) {
        see(Place::Folder, folder);
        depth += 1;
    }
    let is_beside = folders(link.url).last() == folders(page).last();
    see(Place::Depth, &format!("{depth} {is_beside}"));
}

/// The number of a folded word in a place.
#[must_use]
pub fn number(place: Place, word: &str) -> u32 {
    let hash = (xxh3_64_with_seed(word.as_bytes(), place as u64) >> 32) as u32;
    if place.is_lying() { hash | LYING } else { hash & !LYING }
}

fn each_word(text: &str, mut see: impl FnMut(&str)) {
    for token in tokens(text).filter(|token| token.text.len() > 1).take(MOST_WORDS) {
        see(&fold(token.text));
    }
}

/// A URL without its scheme.
fn bare(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

fn path(url: &str) -> &str {
    let path = bare(url).split_once('/').map_or("", |(_, path)| path);
    path.split(['?', '#']).next().unwrap_or_default()
}

/// The host, the host with its first folder, and so on.
fn folders(url: &str) -> impl Iterator<Item = &str> {
    let url = bare(url);
    let url = url.split(['?', '#']).next().unwrap_or_default();
    url.match_indices('/').map(|(at, _)| &url[..at])
}

/// `pdf` of `a/b.pdf`, `ps` of `b.ps.gz`; nothing of a folder.
fn ending(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let packed = [".gz", ".z"].iter().find_map(|packed| file.strip_suffix(packed));
    packed.unwrap_or(&file).rsplit_once('.').map_or("", |(_, ending)| ending).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, link: &LinkText<'_>, expected: &[(Place, &str)]) {
        let mut found = Vec::new();
        link_words(page, link, |place, word| found.push((place, word.to_owned())));
        let expected: Vec<_> = expected.iter().map(|(p, word)| (*p, (*word).to_owned())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_link_has_the_words_of_its_places() {
        let link = LinkText {
            anchor: "The Eel",
            before: "elsewhere\nSee",
            after: "in PostScript\nmore",
            heading: "Papers",
            url: "http://a.test/pub/eel.ps.Z?x=/y/",
        };
        let expected = [
            (Place::Anchor, "the"),
            (Place::Anchor, "eel"),
            (Place::Around, "see"),
            (Place::Around, "in"),
            (Place::Around, "postscript"),
            (Place::Heading, "papers"),
            (Place::Path, "pub"),
            (Place::Path, "eel"),
            (Place::Path, "ps"),
            (Place::Ending, "ps"),
            (Place::Folder, "a.test"),
            (Place::Folder, "a.test/pub"),
            (Place::Depth, "2 true"),
        ];
        check("http://a.test/pub/", &link, &expected);
    }

    #[test]
    fn links_of_a_page_share_its_title_and_the_kinds_of_its_links() {
        let mut found = Vec::new();
        let links = ["http://a.test/x.ps", "http://a.test/y.PS", "http://a.test/"];
        page_words("On Eels", links, |place, word| found.push((place, word.to_owned())));
        let expected = [
            (Place::Title, "on"),
            (Place::Title, "eels"),
            (Place::Beside, "ps 2"),
            (Place::Beside, " 1"),
        ];
        assert_eq!(found, expected.map(|(place, word)| (place, word.to_owned())));
    }

    #[test]
    fn numbers_tell_places_apart_and_what_is_said_comes_first() {
        assert_ne!(number(Place::Anchor, "papers"), number(Place::Heading, "papers"));
        let page = PageWords::new("http://a.test/", "Eels", ["http://a.test/x.ps"]);
        let link =
            LinkText { anchor: "eels eels", url: "http://a.test/x.ps", ..LinkText::default() };
        let numbers = page.numbers(&link);
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
        let lying = [
            number(Place::Folder, "a.test"),
            number(Place::Depth, "1 true"),
            number(Place::Beside, "ps 1"),
        ];
        assert!(lying.iter().all(|word| *word >= LYING && numbers.contains(word)));
        assert_eq!(numbers.iter().filter(|word| **word < LYING).count(), 4);
    }

    #[test]
    fn the_ending_is_the_kind_of_file() {
        let check = |path: &str, expected| assert_eq!(ending(path), expected, "{path}");
        check("a/b.pdf", "pdf");
        check("a/b.PS.gz", "ps");
        check("a.b/", "");
        check("a.b/c", "");
        check("", "");
        check(".gz", "");
    }
}
