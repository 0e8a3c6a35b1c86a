//! Sites as common software makes them, each with many more URLs than documents: archives, facets, sessions, versions,
//! calendars. A crawler that takes them for traps loses documents; one that follows every URL asks for the same
//! again and again. They are a stock of their own, beside the hosts of [`crate::Pond`]: what a crawler needs for
//! each kind is counted kind by kind.

mod archive;
mod blog;
mod board;
mod dictionary;
mod endless;
mod facets;
mod folders;
mod gallery;
mod manual;
mod measured;
mod paper;
mod repository;
mod sessions;
mod topics;
mod tracker;
mod wiki;

use crate::hazards::prose;
use crate::{Hazards, Pond, Size};
use std::sync::LazyLock;

/// One kind of site, on a host of its own.
#[derive(Clone, Copy, Debug)]
pub struct SiteKind {
    pub name: &'static str,
    pub host: &'static str,
    /// What it is made of, and which of its URLs are many.
    pub what: &'static str,
    /// Documents, numbered from 0.
    pub documents: usize,
    /// Requests that a good crawler needs at the most, with all documents.
    pub most_requests: usize,
    /// The page under a path and query; none is missing.
    pub page: fn(&str) -> Option<KindPage>,
}

/// A page of such a site.
#[derive(Clone, Debug)]
pub struct KindPage {
    pub html: String,
    /// Which document it is, or a copy of; none for lists and forms.
    pub document: Option<usize>,
}

/// Kinds on which the crawler's rules were tried while they were made: their figures say that the rules do what they
/// were made for.
pub const SITE_KINDS: &[SiteKind] = &[
    blog::ROW,
    wiki::ROW,
    board::ROW,
    topics::ROW,
    facets::ROW,
    archive::DIARY,
    archive::LAW,
    archive::VERSES,
    manual::VERSIONS,
    manual::SCHEMES,
    endless::CALENDAR,
    endless::MONTHS,
    endless::COPIES,
    measured::WEATHER,
];

/// Kinds that were made when the rules stood: no number of the crawler was chosen by them, and none may be.
pub const HELD_OUT_KINDS: &[SiteKind] = &[
    gallery::ROW,
    dictionary::ROW,
    measured::PARTS_ROW,
    measured::TIMETABLE,
    folders::FOLDERS_ROW,
    folders::STAFF,
    tracker::ROW,
    repository::ROW,
    paper::ROW,
    sessions::BOOKS_ROW,
    sessions::SEARCHES,
];

/// All of them.
pub fn all() -> impl Iterator<Item = &'static SiteKind> {
    SITE_KINDS.iter().chain(HELD_OUT_KINDS)
}

impl SiteKind {
    /// Where a crawl begins.
    pub fn seed(&self) -> String {
        format!("http://{}/", self.host)
    }

    /// The document of a URL of this site.
    pub fn document(&self, url: &str) -> Option<usize> {
        (self.page)(path_of(url)).and_then(|page| page.document)
    }
}

/// The page of a URL, of whichever site.
pub fn page(url: &str) -> Option<KindPage> {
    let (_, rest) = url.split_once("://")?;
    let host = &rest[..rest.find('/')?];
    let kind = all().find(|kind| kind.host == host)?;
    (kind.page)(path_of(url))
}

fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |at| &rest[at..])
}

static POND: LazyLock<Pond> = LazyLock::new(|| Pond::new(7, Size::default(), Hazards::none()));

/// Text of its own for a document.
fn text(site: &str, document: usize, sentences: u64) -> String {
    prose::text(&POND, &format!("{site}/{document}"), sentences)
}

/// A title of its own for a document.
fn title(site: &str, document: usize) -> String {
    let sentence = prose::sentence(&POND, &format!("{site}/{document}"), 99);
    let words: Vec<&str> = sentence.split(' ').skip(1).take(4).collect();
    format!("{} {document}", words.join(" "))
}

/// A page with the navigation of its site.
fn html(site: &str, title: &str, main: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body><nav><a href=\"/\">{site}</a> <span>All that we have, in good order</span></nav>\n\
         <main><h1>{title}</h1>\n{main}</main>\n<footer>Made with care and kept for everybody</footer>\
         </body></html>\n"
    )
}

/// A link in a list.
fn item(href: &str, anchor: &str) -> String {
    format!("<li><a href=\"{}\">{anchor}</a></li>\n", href.replace('&', "&amp;"))
}

/// The value of a parameter of a query.
fn value<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
}

fn number(query: &str, name: &str) -> Option<usize> {
    value(query, name)?.parse().ok()
}

/// Path and query apart.
fn split(path: &str) -> (&str, &str) {
    path.split_once('?').unwrap_or((path, ""))
}

fn list(html: String) -> Option<KindPage> {
    Some(KindPage { html, document: None })
}

fn document(number: usize, html: String) -> Option<KindPage> {
    Some(KindPage { html, document: Some(number) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeSet, VecDeque};

    /// The targets of the links of a page, of this site alone.
    fn links(kind: &SiteKind, from: &str, html: &str) -> Vec<String> {
        let hrefs = html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let hrefs = hrefs.map(|href| href.replace("&amp;", "&"));
        let folder = &from[..=from.rfind('/').unwrap_or(0)];
        let path = |href: String| match href.split_once("://") {
            Some((_, rest)) => rest.strip_prefix(kind.host).map(str::to_owned),
            None if href.starts_with('/') => Some(href),
            None => Some(format!("{folder}{href}")),
        };
        hrefs.filter_map(path).collect()
    }

    #[test]
    fn every_document_of_every_kind_can_be_reached_and_has_a_text_of_its_own() {
        for kind in all() {
            let (mut known, mut found) = (BTreeSet::from(["/".to_owned()]), BTreeSet::new());
            let (mut queue, mut texts) = (VecDeque::from(["/".to_owned()]), BTreeSet::new());
            for _ in 0..30_000 {
                let Some(path) = queue.pop_front() else { break };
                let Some(page) = (kind.page)(&path) else { continue };
                if page.document.is_some_and(|document| found.insert(document)) {
                    texts.insert(page.html.clone());
                }
                for link in links(kind, &path, &page.html) {
                    if known.insert(link.clone()) {
                        queue.push_back(link);
                    }
                }
                if found.len() == kind.documents {
                    break;
                }
            }
            let all: BTreeSet<usize> = (0..kind.documents).collect();
            assert_eq!(found, all, "{}", kind.name);
            assert_eq!(texts.len(), kind.documents, "{}", kind.name);
            assert!(kind.most_requests >= kind.documents && kind.what.len() > 40, "{}", kind.name);
        }
        let hosts: BTreeSet<&str> = all().map(|kind| kind.host).collect();
        assert_eq!(hosts.len(), all().count());
    }

    #[test]
    fn whatever_is_asked_for_is_there_or_missing() {
        for path in
            ["", "/?", "/?page=x", "/%ff", "/diary/2010-99-99", "/law/0/0", "/?date=1&view="]
        {
            for kind in all() {
                let _ = (kind.page)(path);
            }
        }
        assert!(page("http://nowhere.test/").is_none() && page("nothing").is_none());
        assert!(page("http://blog.kinds.test/").is_some());
    }
}
