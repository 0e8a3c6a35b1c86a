//! What matching sees of a reference: sets of hashes, and a few numbers.

use super::citation::{Citation, cut};
use super::grams::{each_bare, grams, hash, set};
use super::names::names;

/// What kind of thing a reference says that it names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VenueKind {
    #[default]
    Unknown,
    Journal,
    Proceedings,
    Report,
    Thesis,
    Book,
}

/// A reference as matching sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CitedForm {
    /// Words of the title, without those of every title; in order.
    pub(super) title: Box<[u32]>,
    pub(super) title_grams: Box<[u16]>,
    /// Numbers of the title: `part 2`.
    pub(super) title_numbers: Box<[u32]>,
    /// Words of all fields.
    pub(super) words: Box<[u32]>,
    pub(super) surnames: Box<[u32]>,
    /// Of each author, as many as there are surnames.
    pub(super) initials: Box<[u8]>,
    pub(super) author_grams: Box<[u16]>,
    pub(super) venue: Box<[u32]>,
    pub(super) kind: VenueKind,
    /// 0 where there is none, as in what follows.
    pub(super) year: u16,
    pub(super) volume: u32,
    pub(super) pages: [u32; 2],
}

/// Words that venues of all kinds have.
const VENUE_STOPS: &[&str] = &[
    "the",
    "of",
    "in",
    "on",
    "and",
    "for",
    "proc",
    "proceedings",
    "conference",
    "conf",
    "international",
    "int",
    "intl",
    "journal",
    "j",
    "annual",
    "ieee",
    "acm",
    "pages",
    "pp",
    "vol",
    "no",
    "press",
    "technical",
    "report",
    "tech",
    "rep",
    "university",
    "dept",
    "department",
    "workshop",
    "symposium",
    "trans",
    "transactions",
];
/// Words that say of what kind a venue is; the first that is met decides.
const KINDS: &[(&str, VenueKind)] = &[
    ("phd", VenueKind::Thesis),
    ("thesis", VenueKind::Thesis),
    ("dissertation", VenueKind::Thesis),
    ("proc", VenueKind::Proceedings),
    ("proceedings", VenueKind::Proceedings),
    ("conference", VenueKind::Proceedings),
    ("workshop", VenueKind::Proceedings),
    ("symposium", VenueKind::Proceedings),
    ("technical", VenueKind::Report),
    ("report", VenueKind::Report),
    ("tech", VenueKind::Report),
    ("rep", VenueKind::Report),
    ("journal", VenueKind::Journal),
    ("j", VenueKind::Journal),
    ("transactions", VenueKind::Journal),
    ("trans", VenueKind::Journal),
    ("press", VenueKind::Book),
    ("publishers", VenueKind::Book),
    ("kaufmann", VenueKind::Book),
    ("verlag", VenueKind::Book),
];
/// Words that titles of all kinds have.
const TITLE_STOPS: &[&str] =
    &["the", "a", "an", "of", "in", "on", "and", "for", "to", "with", "by", "from", "using"];

impl CitedForm {
    /// What matching sees of a citation.
    #[must_use]
    pub fn of(citation: &Citation) -> CitedForm {
        let mut form = CitedForm { year: citation.year().unwrap_or(0), ..CitedForm::default() };
        let mut words = Vec::new();
        form.see_title(&citation.title, &mut words);
        form.see_authors(&citation.authors, &mut words);
        form.see_venue(&citation.venue, &mut words);
        for field in [&citation.volume, &citation.pages, &citation.date] {
            each_bare(cut(field), |word| words.push(hash(word.as_bytes())));
        }
        form.words = set(words);
        form.volume = numbers(&citation.volume).next().unwrap_or(0);
        let mut pages = numbers(&citation.pages);
        form.pages = [pages.next().unwrap_or(0), pages.next().unwrap_or(0)];
        form
    }

    fn see_title(&mut self, title: &str, words: &mut Vec<u32>) {
        let (mut own, mut numbers, mut letters) = (Vec::new(), Vec::new(), String::new());
        each_bare(cut(title), |word| {
            let hashed = hash(word.as_bytes());
            words.push(hashed);
            letters.push_str(word);
            if !TITLE_STOPS.contains(&word) {
                own.push(hashed);
            }
            if word.bytes().all(|byte| byte.is_ascii_digit()) || matches!(word, "ii" | "iii" | "iv")
            {
                numbers.push(hashed);
            }
        });
        self.title = own.into_boxed_slice();
        self.title_grams = grams(&letters);
        self.title_numbers = set(numbers);
    }

    fn see_authors(&mut self, authors: &str, words: &mut Vec<u32>) {
        let names = names(cut(authors));
        self.surnames = names.iter().map(|name| hash(name.surname.as_bytes())).collect();
        let first = |name: &super::names::AuthorName| name.initials.first().map_or(0, |&c| c as u8);
        self.initials = names.iter().map(first).collect();
        let letters: String = names.iter().map(|name| name.surname.as_str()).collect();
        self.author_grams = grams(&letters);
        each_bare(cut(authors), |word| words.push(hash(word.as_bytes())));
    }

    fn see_venue(&mut self, venue: &str, words: &mut Vec<u32>) {
        let (mut own, mut acronym) = (Vec::new(), Vec::new());
        each_bare(cut(venue), |word| {
            let hashed = hash(word.as_bytes());
            words.push(hashed);
            if self.kind == VenueKind::Unknown
                && let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == word)
            {
                self.kind = *kind;
            }
            let is_word = !word.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
            if is_word && !matches!(word, "the" | "of" | "in" | "on" | "and" | "for") {
                acronym.extend(word.bytes().next());
            }
            if is_word && !VENUE_STOPS.contains(&word) {
                own.push(hashed);
            }
        });
        // `IJCAI` stands for its words' first letters, those of every venue among them.
        if (3..=8).contains(&acronym.len()) {
            own.push(hash(&acronym));
        }
        self.venue = set(own);
    }

    /// By what others like it are found: rare words of the title, two that follow each other, surnames with years
    /// and words.
    #[must_use]
    pub fn keys(&self) -> Vec<u32> {
        let pair = |a: u32, b: u32| hash(&[a.to_le_bytes(), b.to_le_bytes()].concat());
        let mut keys: Vec<u32> = self.title.iter().take(MOST_KEYS).copied().collect();
        keys.extend(self.title.windows(2).take(MOST_KEYS).map(|two| pair(two[0], two[1])));
        keys.extend(self.surnames.iter().take(4).map(|name| pair(*name, u32::from(self.year))));
        if let Some(first) = self.surnames.first() {
            keys.extend(self.title.iter().take(6).map(|word| pair(*first, *word)));
        }
        if self.pages[0] > 0 {
            keys.push(pair(self.pages[0], self.pages[1] ^ (u32::from(self.year) << 16)));
        }
        // A title in the wrong field is found by its words still.
        if self.title.len() < 2 {
            keys.extend(self.words.iter().take(MOST_KEYS));
        }
        set(keys).into_vec()
    }
}

/// Words of a title that are keys.
const MOST_KEYS: usize = 12;

/// The numbers of a text, in order; those that are too great for 32 bits are left out.
fn numbers(text: &str) -> impl Iterator<Item = u32> {
    let parts = cut(text).split(|c: char| !c.is_ascii_digit());
    parts.filter_map(|part| part.parse().ok()).filter(|&number| number > 0)
}
