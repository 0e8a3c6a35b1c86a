//! Web spam (001 "Search engine optimization"): a web of pages that are made to be found and not to be read, a file
//! for each sort of trick, with what looks like spam and is none. Pages aim at the queries of the pond, so that what
//! they do to a ranking can be measured. They stand on hosts of their own, which no ordinary page links to: whoever
//! wants them asks for [`web`].

mod content;
mod doors;
mod fair;
mod hidden;
mod links;
mod made;

use super::prose;
use crate::Pond;
use crate::words::{PondDice, hash};
use serde::Serialize;
use std::sync::LazyLock;

/// A page of the web of spam, with the truth about it.
#[derive(Clone, Debug, Serialize)]
pub struct SpamPage {
    pub url: String,
    #[serde(skip)]
    pub html: String,
    /// The technique or, of a fair page, what it is.
    pub sort: &'static str,
    pub is_spam: bool,
}

/// How pages of a sort are made: so many of them, in some web.
#[derive(Clone, Copy, Debug)]
pub struct SpamSort {
    pub name: &'static str,
    pub what: &'static str,
    pub is_spam: bool,
    make: fn(&mut SpamMaker<'_>),
}

/// Every technique, and every sort of fair page that looks like one.
pub const SORTS: &[SpamSort] = &[
    content::STUFFING,
    content::META,
    content::ANCHORS,
    hidden::COLOUR_ATTRIBUTE,
    hidden::COLOUR_CLASS,
    hidden::COLOUR_SHEET,
    hidden::SIZE,
    hidden::OFF_SCREEN,
    hidden::NOT_SHOWN,
    hidden::BEHIND,
    doors::DOORWAY,
    doors::CLOAKING,
    doors::FLOODING,
    links::FARM,
    links::ADMIRATION,
    links::COMMENTS,
    made::SCRAPED,
    made::GIBBERISH,
    fair::GLOSSARY,
    fair::TAGS,
    fair::ACCORDION,
    fair::TABS,
    fair::READ_ALOUD,
    fair::LINK_LIST,
    fair::PRICES,
    fair::POEM,
    fair::BLOG,
    fair::FRIENDS,
    fair::QUOTING,
];

/// Pages of each sort.
const EACH: usize = 12;

static LISTS: LazyLock<[Vec<&str>; 3]> = LazyLock::new(|| {
    let lines = include_str!("../../../data/spam.txt").lines();
    let mut lists = lines.filter_map(|line| line.split_once(": ")).map(|(_, list)| list);
    [(); 3].map(|()| lists.next().unwrap_or_default().split(", ").collect())
});

/// The web of spam of a pond: a function of its seed. `read` are texts of ordinary pages, for what is copied.
#[must_use]
pub fn web(pond: &Pond, read: &[String]) -> Vec<SpamPage> {
    let mut pages = Vec::new();
    for sort in SORTS {
        let dice = PondDice::new(hash(pond.seed, sort.name));
        let mut maker = SpamMaker { pond, read, sort, dice, pages: Vec::new() };
        (sort.make)(&mut maker);
        pages.append(&mut maker.pages);
    }
    pages
}

/// Makes the pages of one sort.
struct SpamMaker<'a> {
    pond: &'a Pond,
    read: &'a [String],
    sort: &'static SpamSort,
    dice: PondDice,
    pages: Vec<SpamPage>,
}

impl SpamMaker<'_> {
    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.dice.below(list.len())]
    }

    /// A query of the pond, at which a page aims.
    fn aim(&mut self) -> &'static str {
        let queries = crate::truth::query_texts();
        self.pick(&queries)
    }

    fn good(&mut self) -> &'static str {
        self.pick(&LISTS[0])
    }

    fn praise(&mut self) -> &'static str {
        self.pick(&LISTS[1])
    }

    fn place(&mut self) -> &'static str {
        self.pick(&LISTS[2])
    }

    /// A host of this sort.
    fn host(&self, number: usize) -> String {
        let word = self.sort.name.split('-').next_back().unwrap_or_default();
        let tag = hash(self.pond.seed, self.sort.name) % 9_000 + 1_000;
        format!("{word}{tag}x{number}.test")
    }

    /// Honest sentences.
    fn prose(&mut self, sentences: usize) -> String {
        if self.dice.below(2) == 0 && !self.read.is_empty() {
            let at = self.dice.below(self.read.len());
            let text = self.read[at].clone();
            // As somebody else would say it: one in three words of a page with others from the office.
            let own = prose::text(self.pond, &format!("{} {at}", self.sort.name), sentences as u64);
            let told: Vec<&str> = text.split_inclusive(". ").take(sentences / 3).collect();
            return format!("{own} {}", told.concat());
        }
        let key = format!("{} {}", self.sort.name, self.dice.below(1 << 30));
        prose::text(self.pond, &key, sentences as u64)
    }

    /// Words that stuff a page for a query.
    fn stuffing(&mut self, words: usize) -> String {
        let aim = self.aim();
        let mut list: Vec<String> = Vec::new();
        while list.len() < words {
            match self.dice.below(4) {
                0 => list.push(self.praise().to_owned()),
                1 => list.push(self.good().to_owned()),
                _ => list.extend(aim.split(' ').map(str::to_owned)),
            }
        }
        list.join(" ")
    }

    fn put(&mut self, url: String, html: String) {
        let SpamSort { name, is_spam, .. } = *self.sort;
        self.pages.push(SpamPage { url, html, sort: name, is_spam });
    }

    /// A page that is no subject of the truth: what a trick needs beside it.
    fn put_as(&mut self, (url, html): (String, String), (sort, is_spam): (&'static str, bool)) {
        self.pages.push(SpamPage { url, html, sort, is_spam });
    }
}

/// A page from its parts.
fn page(title: &str, head: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>{head}</head>\n\
         <body>{body}</body></html>\n"
    )
}

/// A page with a heading and a text.
fn text_page(title: &str, head: &str, text: &str) -> String {
    page(title, head, &format!("<h1>{title}</h1>\n<p>{text}</p>\n"))
}
