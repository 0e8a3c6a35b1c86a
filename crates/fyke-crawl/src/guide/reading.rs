//! What a guide reads of a page while it is parsed: its words, how often it holds the subject's keywords,
//! and what stands near its links (`fyke_text::link`). Words are hashes; a page costs one look at each word that
//! the parser sees anyway, and more for words that were not met on it before.

use super::targets::Targets;
use fyke_formats::skim_seen;
use fyke_text::keywords::{KeywordSearch, Keywords};
use fyke_text::link::{self, LinkPage, Near, Nearby, PageWords, WordPlace};
use fyke_text::{Hashed, each_word};
use fyke_web::{Capture, Fingerprint, SeenSkim, Skim, SkimEvent, SkimSeer};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Different words of a page from which the subject is learned.
const MOST_WORDS: usize = 256;
/// Words that are known again as those to be passed over, a power of two.
const PASSED: usize = 1 << 13;
/// Ways to write the keywords that are remembered.
const MOST_FORMS: usize = 1_000;
/// Readings that are kept to be used again, and the words near links that one of them has room for.
const MOST_SPARE: usize = 64;
const MOST_ROOM: usize = 8_192;
/// Of this many words of anchors, how one is written is told, another one with every page.
const NAMED: u32 = 64;

/// A word as a guide knows it.
#[inline]
fn number(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// What was read of one page.
#[derive(Clone, Debug, Default)]
pub struct GuideReading {
    /// Its different words; one or the other may be there twice.
    pub words: Vec<u32>,
    /// How often each keyword stands in the text …
    pub found: Vec<u32>,
    /// … and in the title.
    pub in_title: Vec<u32>,
    /// Words of the text in all.
    pub length: u32,
    /// Whether it is what the crawl looks for.
    pub is_target: bool,
    /// How some words of its links are written.
    pub names: Vec<(u32, String)>,
    title: String,
    /// What stands near all links that were met …
    nearby: Nearby,
    /// … and which of them each link of the page is.
    order: Vec<u32>,
}

impl GuideReading {
    /// What stands near a link, by its place on the page; nothing for what is no link.
    fn near(&self, at: usize) -> Near<'_> {
        self.order.get(at).map_or(Near::default(), |nth| self.nearby.of(*nth as usize))
    }
}

/// The words of the links of a page that was judged.
#[derive(Debug)]
pub struct LinkWords<'a> {
    reading: &'a GuideReading,
    page: PageWords<'a>,
    /// What the crawl looks for.
    targets: Option<&'a Targets>,
}

impl<'a> LinkWords<'a> {
    /// Tells links by whose URL they might lead to what is looked for.
    pub(super) fn looking_for(self, targets: Option<&'a Targets>) -> LinkWords<'a> {
        LinkWords { targets, ..self }
    }

    /// Adds the words of the link at this place of the page, which leads there.
    pub fn add(&self, at: usize, url: &str, words: &mut Vec<u32>) {
        self.page.link(self.reading.near(at), url, words);
        if let Some(targets) = self.targets {
            targets.add_word(url, words);
        }
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
pub struct Readers {
    keywords: Keywords,
    passed: Mutex<Vec<Passed>>,
    readings: Mutex<Vec<GuideReading>>,
}

fn lock<T>(spare: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
    spare.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A page as a guide reads it.
#[derive(Debug)]
pub struct GuidePage {
    pub skim: Skim,
    pub fingerprint: Fingerprint,
    pub reading: GuideReading,
}

impl Readers {
    /// Of pages that are judged by these keywords.
    #[must_use]
    pub fn new(keywords: Keywords) -> Readers {
        Readers { keywords, passed: Mutex::default(), readings: Mutex::default() }
    }

    /// Reads a page.
    pub(super) fn reader(&self) -> GuideReader<'_> {
        let mut passed = lock(&self.passed).pop().unwrap_or_else(Passed::new);
        passed.page = passed.page.wrapping_add(1);
        let (search, reading) = (self.keywords.search(), lock(&self.readings).pop());
        GuideReader { readers: self, passed, search, reading: reading.unwrap_or_default() }
    }

    /// Skims a page and reads it.
    #[must_use]
    pub fn read(&self, capture: &Capture) -> GuidePage {
        let mut reader = self.reader();
        let SeenSkim { skim, fingerprint, order } = skim_seen(capture, &mut reader);
        let reading = reader.finish(&skim.title, order);
        GuidePage { skim, fingerprint, reading }
    }

    /// The words of the links of a page with this URL, of this relevance, that lead there.
    #[must_use]
    pub fn links<'a, 'l>(
        &'a self,
        reading: &'a GuideReading,
        (url, relevance): (&'a str, f32),
        links: impl IntoIterator<Item = &'l str>,
    ) -> LinkWords<'a> {
        let page = LinkPage { url, title: &reading.title, relevance, keywords: &self.keywords };
        LinkWords { reading, page: PageWords::new(page, links), targets: None }
    }

    /// Takes back what is needed no longer: its room serves another page.
    pub fn take_back(&self, mut reading: GuideReading) {
        reading.words.clear();
        reading.names.clear();
        reading.nearby.clear();
        let is_small = reading.nearby.room() <= MOST_ROOM;
        let mut readings = lock(&self.readings);
        if is_small && readings.len() < MOST_SPARE {
            readings.push(reading);
        }
    }
}

/// Reads a page.
#[derive(Debug)]
pub struct GuideReader<'a> {
    readers: &'a Readers,
    passed: Passed,
    search: KeywordSearch,
    reading: GuideReading,
}

impl SkimSeer for GuideReader<'_> {
    #[inline(always)]
    fn see(&mut self, seen: SkimEvent<'_>) {
        match seen {
            SkimEvent::Word(hash, word) => {
                self.word(hash, word);
            }
            SkimEvent::Anchor(hash, word) => {
                let is_keyword = self.word(hash, word);
                self.anchor(hash, word, is_keyword);
            }
            SkimEvent::Passed(hash) => self.reading.nearby.word(hash),
            SkimEvent::Link => self.reading.nearby.open(),
            SkimEvent::LinkEnd => self.reading.nearby.close(),
            SkimEvent::Block => self.reading.nearby.block(),
            SkimEvent::Heading => self.reading.nearby.heading(),
            SkimEvent::HeadingEnd => self.reading.nearby.heading_end(),
        }
    }
}

impl GuideReader<'_> {
    /// A word of the text; says whether a keyword ends with it.
    #[inline(always)]
    fn word(&mut self, hash: u64, word: &str) -> bool {
        if word.len() > 1 {
            self.reading.nearby.word(hash);
        }
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
        if is_keyword {
            self.reading.nearby.name();
        }
        let half = number(hash);
        if half % NAMED == u32::from(self.passed.page) % NAMED {
            self.reading.names.push((link::number(WordPlace::Anchor, half), word.to_lowercase()));
        }
    }

    /// A whole text without links.
    #[must_use]
    pub(super) fn read_text(mut self, title: &str, text: &str) -> GuideReading {
        each_word(text, |hash, word| self.see(SkimEvent::Word(hash, word)));
        self.finish(title, Vec::new())
    }

    /// The end of the page: its title, and which of the links met its links are.
    #[must_use]
    pub fn finish(self, title: &str, order: Vec<u32>) -> GuideReading {
        lock(&self.readers.passed).push(self.passed);
        GuideReading {
            found: self.search.found().to_vec(),
            in_title: self.readers.keywords.count(title),
            length: self.search.words(),
            title: title.to_owned(),
            order,
            ..self.reading
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_learn::spider::KEYWORD;
    use proptest::prelude::*;

    #[test]
    fn a_page_is_read_with_its_links_apart() {
        let readers = Readers::new(Keywords::new(&["bees"], "en"));
        for _ in 0..3 {
            let mut reader = readers.reader();
            each_word("A bee is no wasp", |hash, word| reader.see(SkimEvent::Word(hash, word)));
            reader.see(SkimEvent::Block);
            for anchor in ["never kept", "", "The bee hums"] {
                reader.see(SkimEvent::Link);
                each_word(anchor, |hash, word| reader.see(SkimEvent::Anchor(hash, word)));
                reader.see(SkimEvent::LinkEnd);
                reader.see(SkimEvent::Block);
            }
            let reading = reader.finish("Of bees", vec![1, 2]);
            assert_eq!((&reading.found[..], &reading.in_title[..]), (&[2][..], &[1][..]));
            assert_eq!(reading.length, 10);
            let links = readers.links(&reading, ("http://a.test/", 0.), []);
            let words = |at: usize, url: &str| {
                let mut words = Vec::new();
                links.add(at, url, &mut words);
                words
            };
            let none = words(2, "http://a.test/1");
            assert_eq!(words(0, "http://a.test/1"), none, "nothing stands in its block");
            let more = |words: Vec<u32>| words.iter().filter(|word| !none.contains(word)).count();
            assert_eq!(
                more(words(1, "http://a.test/1")),
                4,
                "bee, hums, that it is a keyword twice"
            );
            let of_url = words(2, "http://a.test/bees-7");
            assert_eq!(more(of_url.clone()), 4, "bees as a word and as one of the URL");
            assert!(of_url.contains(&KEYWORD) && words(1, "http://a.test/1").contains(&KEYWORD));
            assert!(!none.contains(&KEYWORD));
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
                let (found, alone) = (readers.reader().read_text("", page), Readers::new(keywords.clone()));
                prop_assert_eq!(&found.found, &keywords.count(page));
                prop_assert_eq!(found.words, alone.reader().read_text("", page).words);
            }
        }
    }
}
