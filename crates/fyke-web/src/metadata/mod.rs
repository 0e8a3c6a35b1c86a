//! What a page says of itself: title, author, date, name of the site, a description, and what it is for (003 §3.8
//! leaves it among the noise; a search engine shows it). Found in the same pass over the markup that
//! finds the blocks. What is written for machines counts more than what is written for people:
//! linked data, then meta elements, then marked elements, then words near the title.

mod byline;
mod date;
mod host;
mod keyword;
mod linked;
mod title;

use crate::html::{Tag, TagName, folded, name};
use crate::refine::{Blocks, Genre};
use keyword::MetaKeywords;
use linked::Linked;

pub(crate) use date::{month as month_by_name, read as read_date};
pub use host::{
    CountedTitle, HostSample, HostTitles, OtherName, TitleCounts, are_named_apart, is_spelled,
};
pub use title::PageNames;
pub(crate) use title::{SiteName, title};

/// Longest value, in bytes.
const MOST: usize = 300;
const MOST_DESCRIPTION: usize = 1_000;
/// Longest script of linked data that is read, and most of them.
const MOST_SCRIPT: usize = 100_000;
const MOST_SCRIPTS: u32 = 8;

const META: TagName = name("meta");
const SCRIPT: TagName = name("script");
const TIME: TagName = name("time");

/// Meta elements by what they tell, best first.
const TITLES: &[&str] =
    &["dc.title", "dcterms.title", "og:title", "twitter:title", "parsely-title"];
const AUTHORS: &[&str] = &[
    "dc.creator",
    "dcterms.creator",
    "author",
    "article:author",
    "parsely-author",
    "sailthru.author",
    "byl",
];
const DATES: &[&str] = &[
    "article:published_time",
    "datepublished",
    "og:published_time",
    "parsely-pub-date",
    "sailthru.date",
    "pubdate",
    "publishdate",
    "dc.date.issued",
    "dcterms.created",
    "dcterms.date",
    "dc.date",
    "date",
];
const SITES: &[&str] = &["og:site_name"];
const DESCRIPTIONS: &[&str] =
    &["description", "og:description", "dc.description", "twitter:description"];
const TYPES: &[&str] = &["og:type"];

/// A value and how good its source is: less is better.
type RankedValue = Option<(usize, String)>;

/// Collects what the markup says while it is read.
#[derive(Debug, Default)]
pub(crate) struct Gatherer {
    title: RankedValue,
    author: RankedValue,
    date: RankedValue,
    site: RankedValue,
    description: RankedValue,
    keywords: MetaKeywords,
    kind: RankedValue,
    linked: Linked,
    scripts: u32,
    /// The next raw text is linked data.
    is_linked: bool,
    /// The first time element.
    time: String,
    byline: byline::BylineReader,
}

/// What a page says of itself; what it does not say is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    /// A title for machines, which may end with the site's name.
    pub(crate) title: String,
    pub(crate) author: String,
    /// ISO 8601, the day.
    pub(crate) date: String,
    pub(crate) site: String,
    pub(crate) description: String,
    /// What it names as its keywords, one a line.
    pub(crate) keywords: String,
}

impl Gatherer {
    /// Of a page.
    pub(crate) fn of(content: &str) -> Gatherer {
        Gatherer { byline: byline::BylineReader::of(content), ..Gatherer::default() }
    }

    pub(crate) fn start(&mut self, tag: &Tag<'_>) {
        match tag.name {
            META => self.meta(tag),
            SCRIPT => {
                let is_json =
                    |value: &str| value.trim().eq_ignore_ascii_case("application/ld+json");
                self.is_linked = tag.attribute("type").is_some_and(|value| is_json(&value));
            }
            TIME if self.time.is_empty() => {
                let moment = tag.attribute("datetime").or_else(|| tag.attribute("content"));
                self.time = moment.and_then(|text| date::read(&text)).unwrap_or_default();
            }
            _ => self.byline.start(tag),
        }
    }

    pub(crate) fn end(&mut self, name: TagName) {
        self.byline.end(name);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.byline.text(text);
    }

    pub(crate) fn raw(&mut self, name: TagName, text: &str) {
        let is_linked = std::mem::take(&mut self.is_linked) && name == SCRIPT;
        if is_linked && text.len() <= MOST_SCRIPT && self.scripts < MOST_SCRIPTS {
            self.scripts += 1;
            self.linked.read(text);
        }
    }

    fn meta(&mut self, tag: &Tag<'_>) {
        let names = ["property", "name", "itemprop"].into_iter().find_map(|key| tag.attribute(key));
        let (Some(names), Some(content)) = (names, tag.attribute("content")) else { return };
        for name in names.split_ascii_whitespace() {
            let name = name.to_ascii_lowercase().replacen("dc:", "dc.", 1);
            self.keywords.read(&name, &content);
            for (known, into) in [
                (TITLES, &mut self.title),
                (AUTHORS, &mut self.author),
                (DATES, &mut self.date),
                (SITES, &mut self.site),
                (DESCRIPTIONS, &mut self.description),
                (TYPES, &mut self.kind),
            ] {
                let Some(rank) = known.iter().position(|known| *known == name) else { continue };
                if into.as_ref().is_none_or(|(best, _)| rank < *best) {
                    let most = if known == DESCRIPTIONS { MOST_DESCRIPTION } else { MOST };
                    let value = folded(&content, most);
                    if !value.is_empty() && (known != AUTHORS || byline::is_name(&value)) {
                        *into = Some((rank, value));
                    }
                }
            }
        }
    }

    /// What the page says it is for.
    pub(crate) fn declared(&self) -> Option<Genre> {
        self.linked.genre.or_else(|| match self.kind.as_ref()?.1.to_ascii_lowercase().as_str() {
            "article" | "blog" => Some(Genre::Article),
            kind if kind.starts_with("product") => Some(Genre::Product),
            _ => None,
        })
    }

    /// Whether the markup says when the page was published.
    pub(crate) fn tells_date(&self) -> bool {
        self.date.is_some() || !self.linked.date.is_empty() || !self.time.is_empty()
    }

    /// Whether the markup says who wrote it.
    pub(crate) fn tells_author(&self) -> bool {
        self.author.is_some() || !self.linked.author.is_empty()
    }

    /// All that was found; `blocks` are asked where the markup is silent. The title element tells
    /// which of two names in linked data is the title.
    pub(crate) fn finish(self, blocks: &Blocks, element: &str) -> Metadata {
        let (headline, name) = (self.linked.headline, self.linked.name);
        let is_name = !name.is_empty() && element.contains(&name) && !element.contains(&headline);
        let linked = if is_name || headline.is_empty() { name } else { headline };
        let value = |ranked: RankedValue| ranked.map(|(_, value)| value).unwrap_or_default();
        let date = date::read(&self.linked.date)
            .or_else(|| date::read(&value(self.date)))
            .or(Some(self.time).filter(|time| !time.is_empty()))
            .or_else(|| date::near_title(blocks));
        let author = [self.linked.author, value(self.author), self.byline.finish()]
            .into_iter()
            .map(|author| byline::clean(&author))
            .find(|author| !author.is_empty());
        Metadata {
            title: first([linked, value(self.title)]),
            author: author.unwrap_or_default(),
            date: date.unwrap_or_default(),
            site: first([self.linked.site, value(self.site)]),
            description: value(self.description),
            keywords: self.keywords.finish(),
        }
    }
}

fn first<const N: usize>(values: [String; N]) -> String {
    values.into_iter().find(|value| !value.is_empty()).unwrap_or_default()
}
