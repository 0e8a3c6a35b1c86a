//! The ordinary sites: one file per kind, one row per kind. A host's pages are its home, two
//! standing pages, listings by section and numbered content pages; all follow from the number.

mod department;
mod directory;
mod forum;
mod language;
mod listing;
mod live;
mod news;
mod prose;
mod shop;
mod wiki;

pub use live::{Change, changes};

use std::borrow::Cow;

use crate::plan::{self, HostKind, PondHost};
use crate::render::{self, PageSheet, PondPage};
use crate::words::template::number;
use crate::words::{PondDice, SUBS, TemplateGroup, Voice, hash, mix, stock, topics};
use crate::{Answer, AnswerKind, Ask, Body, Pond};

/// The pond opens on 1 January 2026.
pub const OPENING: u64 = 1_767_225_600;

/// A kind of site.
#[derive(Debug)]
pub struct PondSite {
    pub kind: HostKind,
    pub sections: &'static [SiteSection],
    /// Listings go on at `?page=2` rather than at `page/2/`.
    pub query_paging: bool,
    pub path: fn(&ContentItem, &mut Vec<u8>),
    pub main: fn(&mut PageSheet, &ContentItem),
}

/// A part of a site, and how good an answer its pages are when they are about what was asked.
#[derive(Clone, Copy, Debug)]
pub struct SiteSection {
    pub path: &'static str,
    pub label: &'static str,
    pub kind: &'static str,
    pub grade: u8,
    pub title: TemplateGroup,
}

const SITES: [&PondSite; 7] = [
    &directory::SITE,
    &department::SITE,
    &news::SITE,
    &shop::SITE,
    &wiki::SITE,
    &forum::SITE,
    &language::SITE,
];

pub fn site(kind: HostKind) -> &'static PondSite {
    SITES[kind as usize]
}

pub(crate) fn section_count(host: &PondHost) -> usize {
    match host.kind {
        HostKind::Languages => host.languages.len(),
        kind => site(kind).sections.len(),
    }
}

pub fn section(host: &PondHost, at: usize) -> SiteSection {
    match host.kind {
        HostKind::Languages => language::section(host, at),
        kind => site(kind).sections[at],
    }
}

/// A content page by number.
#[derive(Debug)]
pub struct ContentItem<'a> {
    pub pond: &'a Pond,
    pub host: &'a PondHost,
    pub n: usize,
    pub at: usize,
    pub section: SiteSection,
    pub topic: (usize, usize),
    pub second: Option<(usize, usize)>,
    pub voice: Voice,
    pub key: u64,
}

/// Number n is the q-th page of section n mod S; its topic runs through the theme, its sub-topic
/// through the topic, so that pages on a subject can be found by arithmetic.
pub fn item<'a>(pond: &'a Pond, host: &'a PondHost, n: usize) -> ContentItem<'a> {
    let sections = section_count(host).max(1);
    let (q, at) = (n / sections, n % sections);
    let topic = host.theme[q % host.theme.len()];
    let sub = (q / host.theme.len() + host.key as usize % SUBS) % SUBS;
    let key = mix(host.key, n as u64);
    let mut dice = PondDice::new(key);
    let second = match dice.below(100) {
        0..55 => Some((topic, (sub + 1 + dice.below(SUBS - 1)) % SUBS)),
        55..75 => Some((dice.below(topics().len()), dice.below(SUBS))),
        _ => None,
    };
    let variant = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2][dice.below(10)];
    let other = second.unwrap_or((topic, (sub + 1) % SUBS));
    let voice = Voice {
        topic: &topics()[topic],
        sub: &topics()[topic].subs[sub],
        other: &topics()[other.0].subs[other.1],
        variant,
    };
    let section = section(host, at);
    ContentItem { pond, host, n, at, section, topic: (topic, sub), second, voice, key }
}

/// The k-th page of a host about a sub-topic, going round; none when the host is not about it.
pub(crate) fn item_about<'a>(
    pond: &'a Pond,
    host: &'a PondHost,
    topic: (usize, usize),
    k: usize,
) -> Option<ContentItem<'a>> {
    if matches!(host.kind, HostKind::Directory | HostKind::Languages) {
        return None;
    }
    let place = host.theme.iter().position(|t| *t == topic.0)?;
    let (sections, theme) = (section_count(host), host.theme.len());
    let round = (topic.1 + SUBS - host.key as usize % SUBS) % SUBS;
    let rounds = host.items / (sections * theme * SUBS);
    let (at, k) = (k % sections, k / sections % rounds.max(1));
    let n = ((k * SUBS + round) * theme + place) * sections + at;
    (n < host.items).then(|| item(pond, host, n))
}

impl ContentItem<'_> {
    pub fn path(&self, out: &mut Vec<u8>) {
        (site(self.host.kind).path)(self, out);
    }

    pub fn title(&self, out: &mut Vec<u8>) {
        if self.host.kind == HostKind::Languages {
            return language::title(self, out);
        }
        let mut dice = PondDice::new(mix(self.key, 11));
        dice.pick(stock().group(self.section.title)).fill(&self.voice, &mut dice, out);
    }

    pub fn url(&self) -> String {
        let mut path = Vec::new();
        self.path(&mut path);
        format!("http://{}{}", self.host.name, String::from_utf8_lossy(&path))
    }

    pub fn language(&self) -> &'static crate::languages::Language {
        plan::language(self.host, self.at)
    }
}

/// `/section/what-it-is-about-17`
fn slug_path(item: &ContentItem, out: &mut Vec<u8>) {
    out.push(b'/');
    out.extend_from_slice(item.section.path.as_bytes());
    out.push(b'/');
    out.extend_from_slice(item.voice.sub.slug.as_bytes());
    out.push(b'-');
    number(item.n, out);
}

/// The page at a path, as it is at a time; none when there is no such page.
pub fn page(pond: &Pond, host: &PondHost, path: &str, now_ms: u64) -> Option<PondPage> {
    let mut page = listing::page(pond, host, path)
        .or_else(|| directory::page(pond, host, path))
        .or_else(|| live::page(pond, host, path, now_ms))
        .or_else(|| item_page(pond, host, path))?;
    if page.modified == 0 {
        page.modified = usual_change(host, path);
    }
    Some(page)
}

fn item_page(pond: &Pond, host: &PondHost, path: &str) -> Option<PondPage> {
    let stem = path.strip_suffix(".html").unwrap_or(path);
    let digits = stem.len() - stem.bytes().rev().take_while(u8::is_ascii_digit).count();
    let n = stem[digits..].parse().ok().filter(|n| *n < host.items)?;
    let item = item(pond, host, n);
    let mut exact = Vec::with_capacity(64);
    item.path(&mut exact);
    (exact == path.as_bytes()).then(|| content_page(&item))
}

fn content_page(item: &ContentItem) -> PondPage {
    let mut title = Vec::with_capacity(96);
    item.title(&mut title);
    let mut sheet = PageSheet::open(item.host, item.language(), &title);
    sheet.raw("<h1>").bytes(&title).raw("</h1>\n");
    (site(item.host.kind).main)(&mut sheet, item);
    sheet.end_main();
    match item.host.kind {
        HostKind::Languages => language::around(&mut sheet, item),
        _ => prose::around(&mut sheet, item),
    }
    sheet.close();
    let mut page = sheet.into_page(&title, item.section.kind);
    match item.host.kind {
        HostKind::Languages => page.topic = Some((language::chapter(item).topic, SUBS)),
        _ => (page.topic, page.second) = (Some(item.topic), item.second),
    }
    if item.host.kind == HostKind::News {
        page.modified = news::day(item) * 86_400 + item.key % 86_400;
    }
    page
}

/// All paths of an ordinary host, each once: home, standing pages, listings, content pages.
pub fn paths<'a>(pond: &'a Pond, host: &'a PondHost) -> impl Iterator<Item = String> + 'a {
    let items = (0..host.items).map(|n| {
        let mut path = Vec::new();
        item(pond, host, n).path(&mut path);
        String::from_utf8_lossy(&path).into_owned()
    });
    let special = directory::paths(pond, host).chain(live::paths(host));
    listing::paths(host).chain(special).chain(items)
}

/// The answer to a request for an ordinary page, conditional requests included.
pub fn answer(pond: &Pond, host: &PondHost, ask: &Ask) -> Answer {
    let Some(page) = page(pond, host, ask.path, ask.now_ms) else { return Answer::missing() };
    let tag = mix(mix(host.key, page.version), hash(pond.seed, ask.path));
    let etag = format!("\"{tag:016x}\"");
    let modified = modified(host, &page, ask);
    let since = || ask.header("if-modified-since").and_then(render::read_http_date);
    let unchanged = match ask.header("if-none-match") {
        Some(tags) => tags.split(',').any(|t| t.trim().trim_start_matches("W/") == etag),
        None => since().is_some_and(|since| modified <= since),
    };
    let mut headers = vec![("etag", etag), ("last-modified", render::http_date(modified))];
    if unchanged {
        return Answer {
            status: 304,
            headers,
            body: Body::Bytes(Vec::new()),
            kind: AnswerKind::Page,
        };
    }
    headers.push(("content-type", content_type(&page).into_owned()));
    Answer { status: 200, headers, body: Body::Bytes(page.html), kind: AnswerKind::Page }
}

/// When a page was changed last, in seconds since 1970.
fn modified(host: &PondHost, page: &PondPage, ask: &Ask) -> u64 {
    match live::is_reading(host, ask.path) {
        true => live::modified(page, ask.epoch_ms),
        false => page.modified,
    }
}

/// The same for a sitemap. A shop's sitemap says of all pages that they have just changed.
pub fn listed_change(pond: &Pond, host: &PondHost, ask: &Ask) -> Option<u64> {
    if host.kind == HostKind::Shop {
        return Some((ask.epoch_ms + ask.now_ms) / 1_000);
    }
    // Of most pages the path says it, and nobody needs to write the page.
    if host.kind != HostKind::News {
        return Some(usual_change(host, ask.path));
    }
    let page = page(pond, host, ask.path, ask.now_ms)?;
    Some(modified(host, &page, ask))
}

fn usual_change(host: &PondHost, path: &str) -> u64 {
    OPENING - hash(host.key, path) % (900 * 86_400)
}

fn content_type(page: &PondPage) -> Cow<'static, str> {
    match page.charset_in_header {
        true => format!("text/html; charset={}", page.encoding.name()).into(),
        false => "text/html".into(),
    }
}
