//! What a guide reads of a page while it is parsed: its words, how often it holds the subject's keywords,
//! and the words of its links. Words are hashes; a page costs one look at each word that the parser sees
//! anyway, and more for words that were not met on it before.

use fyke_text::keywords::{Keywords, Search};
use fyke_text::{Hashed, each_word, stop};
use fyke_web::{Seen, Url};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Different words of a page from which the subject is learned.
const MOST_WORDS: usize = 256;
/// Words that are known again as those to be passed over, a power of two.
const PASSED: usize = 1 << 13;
/// Ways to write the keywords that are remembered.
const MOST_FORMS: usize = 1_000;
/// Readings that are kept to be used again, and the words of links that one of them has room for.
const MOST_SPARE: usize = 64;
const MOST_ROOM: usize = 4_096;
/// Words of one link, of its anchor and of its URL each.
const MOST_LINK: usize = 16;
/// Of this many words of anchors, how one is written is told, another one with every page.
const NAMED: u32 = 64;
/// Sets the words of URLs apart from those of anchors.
const IN_URL: u32 = 0x5bd1_e995;
/// A word that stands for any of the keywords.
pub(super) const KEYWORD: u32 = 15;

/// Words of anchors that say nothing.
static STOP: LazyLock<Hashed<()>> = LazyLock::new(|| {
    let mut hashes = Hashed::default();
    for word in stop::words("en") {
        each_word(word, |hash, _| {
            hashes.insert(spread(number(hash)), ());
        });
    }
    hashes
});

/// A word as a guide knows it.
#[inline]
fn number(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// A word as a key, which needs bits everywhere.
fn spread(number: u32) -> u64 {
    u64::from(number) << 32 | u64::from(number)
}

/// What was read of one page.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Its different words; one or the other may be there twice.
    pub words: Vec<u32>,
    /// How often each keyword stands in the text …
    pub found: Vec<u32>,
    /// … and in the title.
    pub in_title: Vec<u32>,
    /// Words of the text in all.
    pub length: u32,
    /// How some words of its links are written.
    pub names: Vec<(u32, String)>,
    /// The words of all links …
    anchors: Vec<u32>,
    /// … where those of each begin …
    starts: Vec<u32>,
    /// … and which of them each link of the page is.
    order: Vec<u32>,
}

impl Reading {
    /// The words of the anchor of a link by its place on the page; none for what is no link.
    #[must_use]
    pub fn anchor(&self, at: usize) -> &[u32] {
        let Some(&nth) = self.order.get(at) else { return &[] };
        let place = |nth: usize| self.starts.get(nth).map_or(self.anchors.len(), |at| *at as usize);
        &self.anchors[place(nth as usize)..place(nth as usize + 1)]
    }
}

/// Words of a page that need no second look, by their hashes: those in no keyword. It serves one page after
/// the other.
#[derive(Debug)]
struct Passed {
    /// The page it serves.
    page: u16,
    /// The last word of each place, by some bits of its hash laid over the page.
    words: Box<[u16; PASSED]>,
    /// Which stem of the keywords words have that were met.
    forms: Hashed<usize>,
}

impl Passed {
    fn new() -> Passed {
        Passed { page: 0, words: Box::new([0; PASSED]), forms: Hashed::default() }
    }

    /// Where a word would stand, and as what.
    #[inline]
    fn mark(&self, hash: u64) -> (usize, u16) {
        (hash as usize % PASSED, (hash >> 16) as u16 ^ self.page)
    }

    /// Which of the keywords' stems a word has.
    fn stem_of(&mut self, keywords: &Keywords, hash: u64, word: &str) -> Option<usize> {
        if !keywords.may_hold(word) {
            return None;
        }
        if let Some(stem) = self.forms.get(&hash) {
            return Some(*stem);
        }
        let stem = keywords.stem_of(word)?;
        if self.forms.len() < MOST_FORMS {
            self.forms.insert(hash, stem);
        }
        Some(stem)
    }
}

/// The keywords, and what readers of earlier pages leave to those of later ones.
#[derive(Debug)]
pub(super) struct Readers {
    pub(super) keywords: Keywords,
    passed: Mutex<Vec<Passed>>,
    readings: Mutex<Vec<Reading>>,
}

fn lock<T>(spare: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
    spare.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Readers {
    pub(super) fn new(keywords: Keywords) -> Readers {
        Readers { keywords, passed: Mutex::default(), readings: Mutex::default() }
    }

    /// Reads a page.
    pub(super) fn reader(&self) -> Reader<'_> {
        let mut passed = lock(&self.passed).pop().unwrap_or_else(Passed::new);
        passed.page = passed.page.wrapping_add(1);
        let (search, reading) = (self.keywords.search(), lock(&self.readings).pop());
        Reader { readers: self, passed, search, reading: reading.unwrap_or_default() }
    }

    /// Takes back what is needed no longer: its room serves another page.
    pub(super) fn take_back(&self, mut reading: Reading) {
        let Reading { words, anchors, starts, names, .. } = &mut reading;
        [words, anchors, starts].into_iter().for_each(Vec::clear);
        names.clear();
        let is_small = reading.anchors.capacity().max(reading.starts.capacity()) <= MOST_ROOM;
        let mut readings = lock(&self.readings);
        if is_small && readings.len() < MOST_SPARE {
            readings.push(reading);
        }
    }
}

/// Reads a page.
#[derive(Debug)]
pub struct Reader<'a> {
    readers: &'a Readers,
    passed: Passed,
    search: Search,
    reading: Reading,
}

impl Reader<'_> {
    /// What comes next on the page.
    #[inline(always)]
    pub fn see(&mut self, seen: Seen<'_>) {
        match seen {
            Seen::Word(hash, word) => {
                self.word(hash, word);
            }
            Seen::Anchor(hash, word) => {
                let is_keyword = self.word(hash, word);
                self.anchor(hash, word, is_keyword);
            }
            Seen::Link => self.reading.starts.push(self.reading.anchors.len() as u32),
        }
    }

    /// A word of the text; says whether a keyword ends with it.
    #[inline(always)]
    fn word(&mut self, hash: u64, word: &str) -> bool {
        let (place, mark) = self.passed.mark(hash);
        if self.passed.words[place] != mark {
            return self.look(hash, word);
        }
        self.search.pass();
        false
    }

    /// A word that is not passed over.
    #[inline(never)]
    fn look(&mut self, hash: u64, word: &str) -> bool {
        let (keywords, number) = (&self.readers.keywords, number(hash));
        let stem = self.passed.stem_of(keywords, hash, word);
        let read = &mut self.reading.words;
        let is_new = stem.is_none() || !read.contains(&number);
        if is_new && word.len() > 2 && read.len() < MOST_WORDS {
            read.push(number);
        }
        if let Some(stem) = stem {
            return keywords.take(&mut self.search, stem);
        }
        let (place, mark) = self.passed.mark(hash);
        self.passed.words[place] = mark;
        self.search.pass();
        false
    }

    /// A word of the last link.
    #[inline]
    fn anchor(&mut self, hash: u64, word: &str, is_keyword: bool) {
        let Reading { anchors, starts, names, .. } = &mut self.reading;
        let (start, number) = (starts.last().copied().unwrap_or(0), number(hash));
        if anchors.len() < start as usize + MOST_LINK {
            anchors.extend((word.len() > 1).then_some(number));
            anchors.extend(is_keyword.then_some(KEYWORD));
        }
        if number % NAMED == u32::from(self.passed.page) % NAMED {
            names.push((number, word.to_lowercase()));
        }
    }

    /// A whole text without links.
    #[must_use]
    pub(super) fn read(mut self, title: &str, text: &str) -> Reading {
        each_word(text, |hash, word| self.see(Seen::Word(hash, word)));
        self.finish(title, Vec::new())
    }

    /// The end of the page: its title, and which of the links met its links are.
    #[must_use]
    pub fn finish(self, title: &str, order: Vec<u32>) -> Reading {
        lock(&self.readers.passed).push(self.passed);
        Reading {
            found: self.search.found().to_vec(),
            in_title: self.readers.keywords.count(title),
            length: self.search.words(),
            order,
            ..self.reading
        }
    }
}

/// The words of a link: those of its anchor and of the path it leads to, without numbers.
pub(super) fn link_words(anchor: &[u32], url: &Url, keywords: &Keywords, words: &mut Vec<u32>) {
    words.extend(anchor.iter().filter(|word| !STOP.contains_key(&spread(**word))));
    let (start, mut search) = (words.len(), None::<Search>);
    each_word(url.path_and_query(), |hash, word| {
        match (keywords.stem_of(word), &mut search) {
            (Some(stem), search) => {
                keywords.take(search.get_or_insert_with(|| keywords.search()), stem);
            }
            (None, Some(search)) => search.pass(),
            (None, None) => {}
        }
        let is_name = word.len() > 1 && !word.as_bytes()[0].is_ascii_digit();
        if is_name && words.len() < start + 2 * MOST_LINK {
            // By itself it is the word of other links' anchors.
            words.extend([number(hash), number(hash) ^ IN_URL]);
        }
    });
    if search.is_some_and(|search| search.sum() > 0) {
        words.push(KEYWORD);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    #[test]
    fn a_page_is_read_with_its_links_apart() {
        let readers = Readers::new(Keywords::new(&["bees"], "en"));
        for _ in 0..3 {
            let mut reader = readers.reader();
            each_word("A bee is no wasp", |hash, word| reader.see(Seen::Word(hash, word)));
            for anchor in ["never kept", "", "The bee hums"] {
                reader.see(Seen::Link);
                each_word(anchor, |hash, word| reader.see(Seen::Anchor(hash, word)));
            }
            let reading = reader.finish("Of bees", vec![1, 2]);
            assert_eq!((&reading.found[..], &reading.in_title[..]), (&[2][..], &[1][..]));
            assert_eq!(reading.length, 10);
            let words = |at: usize, path: &str| {
                let mut words = Vec::new();
                link_words(reading.anchor(at), &url(path), &readers.keywords, &mut words);
                words
            };
            assert!(words(0, "http://a.test/1").is_empty());
            let [first, second] = [words(1, "http://a.test/1"), words(0, "http://a.test/x/bees-7")];
            assert_eq!(first.len(), 3, "bee, that it is a keyword, and hums");
            assert_eq!(second.len(), 3, "bees as a word and as one of the URL, and the keyword");
            assert!(first.contains(&KEYWORD) && second.contains(&KEYWORD));
            assert!(reading.anchor(2).is_empty());
        }
    }

    proptest! {
        /// Whatever other pages left behind, words and keywords are those of the page.
        #[test]
        fn a_page_is_read_alike_whatever_was_read_before(
            pages in prop::collection::vec("([a-d]{3,4} |bees? |tidal |turbines? ){0,40}", 1..8),
        ) {
            let keywords = Keywords::new(&["bee", "tidal turbine"], "en");
            let readers = Readers::new(keywords.clone());
            for page in &pages {
                let (found, alone) = (readers.reader().read("", page), Readers::new(keywords.clone()));
                prop_assert_eq!(&found.found, &keywords.count(page));
                prop_assert_eq!(found.words, alone.reader().read("", page).words);
            }
        }
    }
}
