//! What a guide reads of a page while it is parsed: its words, how often it holds the subject's keywords,
//! and the words of each link. Words are hashes; a page costs one pass over what the parser sees anyway.

use fyke_text::keywords::{Keywords, Search};
use fyke_text::{Hashed, each_word, stop};
use fyke_web::{Link, Url};
use std::sync::LazyLock;

/// Different words of a page that are read.
const MOST_WORDS: usize = 600;
/// Words that are told apart: as many as the subject's model has places for.
const PLACES: usize = fyke_learn::online::PLACES;
/// Words of one link, of its anchor and of its URL each.
const MOST_LINK: usize = 16;
/// Sets the words of URLs apart from those of anchors.
const IN_URL: u32 = 0x5bd1_e995;
/// A word that stands for any of the keywords.
pub(super) const KEYWORD: u32 = 15;

/// Words of anchors that say nothing, by their hashes.
static STOP: LazyLock<Hashed<()>> = LazyLock::new(|| {
    let mut hashes = Hashed::default();
    for word in stop::words("en") {
        each_word(word, |hash, _| {
            hashes.insert(hash, ());
        });
    }
    hashes
});

/// What was read of one page.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Its different words.
    pub words: Vec<u32>,
    /// How often each keyword stands in the text …
    pub found: Vec<u32>,
    /// … and in the title.
    pub in_title: Vec<u32>,
    /// Words of the text in all.
    pub length: u32,
    /// How the words of one of its links are written.
    pub names: Vec<(u32, String)>,
    links: Vec<u32>,
    /// Where the words of each link end.
    ends: Vec<u32>,
}

impl Reading {
    /// The words of a link by its place on the page; none for what is no link.
    #[must_use]
    pub fn link(&self, at: usize) -> &[u32] {
        let Some(&end) = self.ends.get(at) else { return &[] };
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.links[start as usize..end as usize]
    }
}

/// Reads a page.
#[derive(Debug)]
pub struct Reader<'a> {
    keywords: &'a Keywords,
    search: Search,
    words: Vec<u32>,
    /// Words read already, a bit each.
    is_read: Box<[u64; PLACES / 64]>,
}

/// A word as a guide knows it.
#[inline]
fn number(hash: u64) -> u32 {
    (hash >> 32) as u32
}

impl<'a> Reader<'a> {
    #[must_use]
    pub fn new(keywords: &'a Keywords) -> Reader<'a> {
        let (search, is_read) = (keywords.search(), Box::new([0; PLACES / 64]));
        Reader { keywords, search, words: Vec::with_capacity(512), is_read }
    }

    /// A word of the text.
    #[inline]
    pub fn see(&mut self, hash: u64, word: &str) {
        self.keywords.see(&mut self.search, word);
        let number = number(hash);
        let place = number as usize % PLACES;
        let read = &mut self.is_read[place / 64];
        if *read >> (place % 64) & 1 == 0 && word.len() > 2 && self.words.len() < MOST_WORDS {
            *read |= 1 << (place % 64);
            self.words.push(number);
        }
    }

    /// A whole text without links.
    #[must_use]
    pub fn read(mut self, title: &str, text: &str) -> Reading {
        each_word(text, |hash, word| self.see(hash, word));
        self.finish(title, &[])
    }

    /// The end of the page: its title and links.
    #[must_use]
    pub fn finish(self, title: &str, links: &[Link]) -> Reading {
        let mut reading = Reading {
            words: self.words,
            found: self.search.found().to_vec(),
            in_title: self.keywords.count(title),
            length: self.search.words(),
            names: Vec::new(),
            links: Vec::with_capacity(links.len() * 12),
            ends: Vec::with_capacity(links.len()),
        };
        let mut search = self.keywords.search();
        for link in links {
            link_words(link, (self.keywords, &mut search), &mut reading.links);
            reading.ends.push(reading.links.len() as u32);
        }
        // Any of its links will do, and not the first, which stands on every page of a host.
        if let Some(link) = links.get(reading.length as usize % links.len().max(1)) {
            each_word(&link.anchor, |hash, word| {
                reading.names.push((number(hash), word.to_lowercase()));
            });
        }
        reading
    }
}

/// The words of a link: those of its anchor and of the path it leads to.
fn link_words(link: &Link, (keywords, search): (&Keywords, &mut Search), words: &mut Vec<u32>) {
    let (start, before) = (words.len(), search.sum());
    search.part();
    each_word(&link.anchor, |hash, word| {
        keywords.see(search, word);
        if words.len() < start + MOST_LINK && word.len() > 1 && !STOP.contains_key(&hash) {
            words.push(number(hash));
        }
    });
    if search.sum() > before {
        words.push(KEYWORD);
    }
    path_words(&link.url, (keywords, search), words);
}

/// The words of a URL's path, without numbers: also what a sitemap's URL is judged by.
pub(super) fn url_words(url: &Url, keywords: &Keywords, words: &mut Vec<u32>) {
    path_words(url, (keywords, &mut keywords.search()), words);
}

fn path_words(url: &Url, (keywords, search): (&Keywords, &mut Search), words: &mut Vec<u32>) {
    let (start, before) = (words.len(), search.sum());
    search.part();
    each_word(url.path_and_query(), |hash, word| {
        keywords.see(search, word);
        let is_name = word.len() > 1 && !word.as_bytes()[0].is_ascii_digit();
        if is_name && words.len() < start + 2 * MOST_LINK {
            words.extend([number(hash), number(hash) ^ IN_URL]);
        }
    });
    if search.sum() > before {
        words.push(KEYWORD);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_with_its_links_apart() {
        let keywords = Keywords::new(&["bees"], "en");
        let link = |url: &str, anchor: &str| Link {
            url: Url::parse(url).expect("a URL"),
            anchor: anchor.to_owned(),
            nofollow: false,
        };
        let links = [link("http://a.test/1", "The bee"), link("http://a.test/x/bees-7", "")];
        let mut reader = Reader::new(&keywords);
        each_word("A bee is no wasp, and bees hum", |hash, word| reader.see(hash, word));
        let reading = reader.finish("Of bees", &links);
        assert_eq!((&reading.found[..], &reading.in_title[..]), (&[2][..], &[1][..]));
        assert_eq!((reading.length, reading.words.len()), (8, 5));
        let [first, second] = [reading.link(0), reading.link(1)];
        assert_eq!(first.len(), 2, "bee, and that it is a keyword");
        assert_eq!(
            second.len(),
            3,
            "bees as a word and as one of the URL, and that it is a keyword"
        );
        assert!(first.contains(&KEYWORD) && second.contains(&KEYWORD));
        assert!(reading.link(2).is_empty());
    }
}
