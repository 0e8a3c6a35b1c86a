//! The words of a link as numbers (002 §2): anchor, text around, heading, title of the page and URL, each in a
//! namespace of its own, since "papers" in an anchor says more than the same word somewhere before it. Beyond
//! the paper: where a link lies, that is its folders, what kinds of files the page links to beside it, and signs
//! of the subject. A word is a hash of 32 bits: no vocabulary need be shared or kept.
//!
//! A live crawl and a replay read links by this and nothing else, so what one learned the other can use.

mod nearby;

pub use nearby::{Near, Nearby};

use crate::eight::hash;
use crate::keywords::KeywordSearch;
use crate::{Hashed, Keywords, each_word, stop};
use fyke_learn::spider::{FOLDER, KEYWORD, LYING, NEARBY, signs};
use std::sync::LazyLock;

/// Most words of a title, and of a path.
const MOST_TITLE: usize = 12;
const MOST_PATH: usize = 16;
/// Most folders of a URL.
const MOST_FOLDERS: usize = 6;
/// Most kinds of files that a page is known by, and that are counted.
const MOST_KINDS: usize = 6;
const MOST_COUNTED: usize = 24;

/// Where a word was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WordPlace {
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

impl WordPlace {
    /// Whether it is about where a link lies, not what is said about it.
    const fn is_lying(self) -> bool {
        matches!(self, WordPlace::Folder | WordPlace::Depth | WordPlace::Beside)
    }

    /// Whether it stands near a link, and not in it.
    const fn is_nearby(self) -> bool {
        matches!(self, WordPlace::Around | WordPlace::Heading | WordPlace::Title)
    }
}

/// Words of anchors that say nothing, by the upper halves of their hashes.
static STOP: LazyLock<Hashed<()>> = LazyLock::new(|| {
    let mut hashes = Hashed::default();
    for word in stop::words("en") {
        each_word(word, |hash, _| {
            hashes.insert(spread((hash >> 32) as u32), ());
        });
    }
    hashes
});

/// A word as a key, which needs bits everywhere.
fn spread(half: u32) -> u64 {
    u64::from(half) << 32 | u64::from(half)
}

/// The number of a word in a place, by the upper half of its hash.
#[inline]
#[must_use]
pub fn number(place: WordPlace, half: u32) -> u32 {
    let found = half ^ (place as u32).wrapping_mul(0x9E37_79B1);
    match place {
        WordPlace::Folder => found | FOLDER,
        _ if place.is_lying() => found & !FOLDER | LYING,
        _ if place.is_nearby() => found & !LYING | NEARBY,
        _ => found & !FOLDER,
    }
}

fn half(text: &str) -> u32 {
    (hash(text.as_bytes(), 0, text.len()) >> 32) as u32
}

/// The page on which links stand.
#[derive(Clone, Copy, Debug)]
pub struct LinkPage<'a> {
    pub url: &'a str,
    pub title: &'a str,
    /// How much it is about the subject, 0 to 1.
    pub relevance: f32,
    /// Those of the subject.
    pub keywords: &'a Keywords,
}

/// What the links of one page have in common.
#[derive(Clone, Debug)]
pub struct PageWords<'a> {
    page: LinkPage<'a>,
    own: UrlParts<'a>,
    words: Vec<u32>,
}

impl<'a> PageWords<'a> {
    /// Of a page with links that lead there.
    #[must_use]
    pub fn new<'l>(page: LinkPage<'a>, links: impl IntoIterator<Item = &'l str>) -> PageWords<'a> {
        let mut words = Vec::with_capacity(MOST_TITLE + MOST_KINDS);
        each_word(page.title, |hash, word| {
            if word.len() > 1 && words.len() < MOST_TITLE {
                words.push(number(WordPlace::Title, (hash >> 32) as u32));
            }
        });
        words.extend(kinds(links));
        PageWords { page, own: UrlParts::of(page.url), words }
    }

    /// Adds the words of one of its links, each once and in their order: those of what is said about it first.
    pub fn link(&self, near: Near<'_>, url: &str, words: &mut Vec<u32>) {
        let start = words.len();
        words.extend_from_slice(&self.words);
        let said = near.anchor.iter().filter(|half| !STOP.contains_key(&spread(**half)));
        words.extend(said.map(|half| number(WordPlace::Anchor, *half)));
        let around = near.before.iter().chain(near.after);
        words.extend(around.map(|half| number(WordPlace::Around, *half)));
        words.extend(near.heading.iter().map(|half| number(WordPlace::Heading, *half)));
        let url = UrlParts::of(url);
        let is_named = self.path(url, words) || near.is_named;
        words.extend(is_named.then_some(KEYWORD));
        words.push(number(WordPlace::Ending, half(ending(url.path))));
        self.lie(url, words);
        let is_same_host = url.host == self.own.host;
        words.extend(signs(is_named, self.page.relevance, is_same_host));
        sort_from(words, start);
    }

    /// Adds the words of the path, without numbers; says whether a keyword is among them.
    fn path(&self, url: UrlParts<'_>, words: &mut Vec<u32>) -> bool {
        let (start, keywords, mut search) =
            (words.len(), self.page.keywords, None::<KeywordSearch>);
        each_word(url.path_and_query, |hash, word| {
            match (keywords.stem_of(word), &mut search) {
                (Some(stem), search) => {
                    keywords.take(search.get_or_insert_with(|| keywords.search()), stem);
                }
                (None, Some(search)) => search.pass(),
                (None, None) => {}
            }
            let is_name = word.len() > 1 && !word.as_bytes()[0].is_ascii_digit();
            if is_name && words.len() < start + 2 * MOST_PATH {
                let half = (hash >> 32) as u32;
                // By itself it is the word of other links' anchors.
                words.extend([number(WordPlace::Anchor, half), number(WordPlace::Path, half)]);
            }
        });
        search.is_some_and(|search| search.sum() > 0)
    }

    /// Adds the folders that a URL lies in.
    fn lie(&self, url: UrlParts<'_>, words: &mut Vec<u32>) {
        let mut depth = 0;
        for folder in url.folders().take(MOST_FOLDERS) {
            words.push(number(WordPlace::Folder, half(folder)));
            depth += 1;
        }
        let is_beside = url.folder() == self.own.folder();
        words.push(number(WordPlace::Depth, 2 * depth + u32::from(is_beside)));
    }
}

/// Sorts a list from this place on, and keeps each number once.
fn sort_from(words: &mut Vec<u32>, start: usize) {
    words[start..].sort_unstable();
    let mut end = start;
    for at in start..words.len() {
        if at == start || words[at] != words[end - 1] {
            words[end] = words[at];
            end += 1;
        }
    }
    words.truncate(end);
}

/// The kinds of files among links, most frequent first, and about how many of each there are.
fn kinds<'a>(links: impl IntoIterator<Item = &'a str>) -> impl Iterator<Item = u32> {
    let mut kinds: Vec<(u32, u32)> = Vec::with_capacity(MOST_KINDS);
    for url in links {
        let ending = half(ending(UrlParts::of(url).path));
        match kinds.iter().position(|(_, known)| *known == ending) {
            Some(at) => kinds[at].0 += 1,
            None if kinds.len() < MOST_COUNTED => kinds.push((1, ending)),
            None => {}
        }
    }
    kinds.sort_unstable_by(|a, b| b.cmp(a));
    let kinds = kinds.into_iter().take(MOST_KINDS);
    kinds.map(|(count, ending)| number(WordPlace::Beside, ending.rotate_left(amount(count))))
}

/// About how many: one, a few, several, many.
fn amount(count: u32) -> u32 {
    match count {
        0..=1 => 1,
        2..=4 => 2,
        5..=19 => 5,
        _ => 20,
    }
}

/// The parts of a URL that links are known by, cut once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct UrlParts<'a> {
    host: &'a str,
    path_and_query: &'a str,
    path: &'a str,
    /// Host and path.
    place: &'a str,
}

impl<'a> UrlParts<'a> {
    fn of(url: &'a str) -> UrlParts<'a> {
        let bare = bare(url);
        let bytes = bare.as_bytes();
        let end = bytes.iter().position(|byte| matches!(byte, b'?' | b'#')).unwrap_or(bytes.len());
        let place = &bare[..end];
        let slash = bytes.iter().position(|byte| *byte == b'/');
        let from = slash.map_or(bytes.len(), |slash| slash + 1);
        UrlParts {
            host: &bare[..slash.unwrap_or(bytes.len())],
            path_and_query: &bare[from..],
            path: place.get(from..).unwrap_or_default(),
            place,
        }
    }

    /// The host, the host with its first folder, and so on.
    fn folders(self) -> impl Iterator<Item = &'a str> {
        let slashes = self.place.bytes().enumerate().filter(|(_, byte)| *byte == b'/');
        slashes.map(move |(at, _)| &self.place[..at])
    }

    /// The folder it lies in.
    fn folder(self) -> Option<&'a str> {
        self.place.bytes().rposition(|byte| byte == b'/').map(|at| &self.place[..at])
    }
}

/// A URL without its scheme.
fn bare(url: &str) -> &str {
    let web = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
    web.unwrap_or_else(|| url.find("://").map_or(url, |at| &url[at + 3..]))
}

/// `pdf` of `a/b.pdf`, `ps` of `b.ps.gz`; nothing of a folder.
fn ending(path: &str) -> &str {
    let Some((rest, ending)) = split_ending(path) else { return "" };
    let is_packed = ["gz", "z"].iter().any(|packed| ending.eq_ignore_ascii_case(packed));
    if is_packed { split_ending(rest).map_or("", |(_, ending)| ending) } else { ending }
}

/// What stands before and behind the last dot of a file's name.
fn split_ending(path: &str) -> Option<(&str, &str)> {
    let sign = path.bytes().rposition(|byte| matches!(byte, b'/' | b'.'))?;
    path[sign..].strip_prefix('.').map(|ending| (&path[..sign], ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "http://a.test/pub/eel-7.ps.Z?x=tench";

    fn said(place: WordPlace, word: &str) -> u32 {
        number(place, half(&word.to_lowercase()))
    }

    /// The words of a link to [`LINK`] on a page of this relevance, with these words in its anchor, before
    /// and behind it and above.
    fn words(relevance: f32, [anchor, before, after, heading]: [&str; 4]) -> Vec<u32> {
        let halves = |text: &str| text.split_whitespace().map(half).collect::<Vec<_>>();
        let [anchor, before, after, heading] = [anchor, before, after, heading].map(halves);
        let (anchor, before, after, heading) = (&anchor[..], &before[..], &after[..], &heading[..]);
        let near = Near { anchor, before, after, heading, is_named: false };
        let keywords = Keywords::new(&["tench"], "en");
        let (url, title) = ("http://a.test/pub/", "On Eels");
        let page = LinkPage { url, title, relevance, keywords: &keywords };
        let links = ["http://a.test/x.ps", "http://a.test/y.PS.gz", "http://a.test/"];
        let mut words = vec![7];
        PageWords::new(page, links).link(near, LINK, &mut words);
        assert_eq!(words[0], 7, "what stands before is left alone");
        words.split_off(1)
    }

    #[test]
    fn a_url_is_cut_into_its_parts() {
        let check = |url: &str, parts: [&str; 4], folders: &[&str]| {
            let [host, path_and_query, path, place] = parts;
            let found = UrlParts::of(url);
            assert_eq!(found, UrlParts { host, path_and_query, path, place }, "{url}");
            assert_eq!(found.folders().collect::<Vec<_>>(), folders, "{url}");
            assert_eq!(found.folder(), folders.last().copied(), "{url}");
        };
        check("http://a.test/", ["a.test", "", "", "a.test/"], &["a.test"]);
        check(
            "https://a.test/b/c?d/e#f",
            ["a.test", "b/c?d/e#f", "b/c", "a.test/b/c"],
            &["a.test", "a.test/b"],
        );
        check("ftp://a.test?b/c", ["a.test?b", "c", "", "a.test"], &[]);
        check("", [""; 4], &[]);
        let endings = ["a/b.pdf", "b.ps.gz", "b.c/x.gz", "b.c/", "x", ".Z", "a.b.c"].map(ending);
        assert_eq!(endings, ["pdf", "ps", "", "", "", "", "c"]);
    }

    #[test]
    fn a_link_has_the_words_of_its_places() {
        let found = words(1., ["the eel eel", "see", "in postscript", "papers"]);
        let mut expected = vec![
            said(WordPlace::Title, "on"),
            said(WordPlace::Title, "eels"),
            said(WordPlace::Anchor, "eel"),
            said(WordPlace::Around, "see"),
            said(WordPlace::Around, "in"),
            said(WordPlace::Around, "postscript"),
            said(WordPlace::Heading, "papers"),
            said(WordPlace::Ending, "ps"),
            said(WordPlace::Folder, "a.test"),
            said(WordPlace::Folder, "a.test/pub"),
            number(WordPlace::Depth, 2 * 2 + 1),
            number(WordPlace::Beside, half("ps").rotate_left(2)),
            number(WordPlace::Beside, half("").rotate_left(1)),
            KEYWORD,
        ];
        for word in ["pub", "eel", "ps", "tench"] {
            expected.extend([said(WordPlace::Anchor, word), said(WordPlace::Path, word)]);
        }
        expected.extend(signs(true, 1., true));
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(found, expected);
    }

    #[test]
    fn numbers_tell_places_apart_and_what_is_said_comes_first() {
        let numbers = words(0., ["eel", "eel", "", "eel"]);
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
        for place in [WordPlace::Anchor, WordPlace::Around, WordPlace::Heading] {
            assert!(numbers.contains(&said(place, "eel")), "{place:?}");
        }
        let lying = [said(WordPlace::Folder, "a.test"), number(WordPlace::Depth, 5), KEYWORD];
        assert!(lying.iter().all(|word| *word >= LYING && numbers.contains(word)));
        assert!(said(WordPlace::Ending, "ps") < NEARBY && said(WordPlace::Anchor, "eel") < NEARBY);
        let near = [WordPlace::Around, WordPlace::Heading, WordPlace::Title];
        assert!(near.iter().all(|place| (NEARBY..LYING).contains(&said(*place, "eel"))));
        let of_folders = numbers.iter().filter(|word| **word & FOLDER == FOLDER);
        assert_eq!(of_folders.count(), 2, "the host and its folder");
    }

    #[test]
    fn the_ending_is_the_kind_of_file() {
        let check = |path: &str, expected| assert_eq!(ending(path), expected, "{path}");
        check("a/b.pdf", "pdf");
        check("a/b.PS.gz", "PS");
        check("a.b/", "");
        check("a.b/c", "");
        check("", "");
        check(".gz", "");
        assert_eq!(half("PS"), half("ps"));
    }
}
