//! Quicklinks: a host's front page that is searched for by name is shown with the best of its inner
//! pages (000 "navigational queries").

use crate::whole::graph::rank;
use crate::whole::twins::twin;
use fyke_store::{StoreError, StoredLink, View};
use fyke_web::{Document, Url, UrlId, authority_of};
use std::collections::HashSet;

/// Links shown at the most.
const MOST: usize = 6;
/// Links of the front page that are looked at.
const LOOKED_AT: usize = 200;
/// Documents that are read to find those to show.
const READ: usize = 24;
/// Characters of the longest anchor text that names a page; longer ones tell a story.
const LONGEST_NAME: usize = 40;

/// An inner page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quicklink {
    pub url: String,
    pub name: String,
}

/// Whether somebody who searches these words wants this very page: it is the front page of a host, and
/// the words are the host's name or most of the title.
#[must_use]
pub fn is_navigational(words: &[&str], url: &str, title: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let is_front = matches!(url.as_str().split_once("://"), Some((_, rest))
        if rest.split_once('/').is_none_or(|(_, path)| path.is_empty()));
    is_front && !words.is_empty() && (names_host(words, url.host()) || names_title(words, title))
}

/// The words, written together, are a part of the host's name; of more than two letters, and without
/// what hosts have in common.
fn names_host(words: &[&str], host: &str) -> bool {
    let host = host.strip_prefix("www.").unwrap_or(host);
    let own = host.rsplit_once('.').map_or(host, |(own, _)| own);
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let (own, words) = (plain(own), plain(&words.concat()));
    words.chars().count() > 2 && own.contains(&words)
}

fn names_title(words: &[&str], title: &str) -> bool {
    let title = title.to_lowercase();
    let own: HashSet<&str> =
        title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.iter().all(|word| own.contains(word)) && 2 * words.len() >= own.len()
}

/// The best pages of the same host that a front page links to.
///
/// # Errors
/// When documents cannot be read.
pub fn quicklinks(collection: &View, front: UrlId) -> Result<Vec<Quicklink>, StoreError> {
    let Some(page) = crate::document(collection, front)? else { return Ok(Vec::new()) };
    let mut seen = HashSet::from([front]);
    let mut targets = Vec::new();
    let links = collection.documents.links(front)?;
    for link in links.into_iter().filter(StoredLink::vouches).take(LOOKED_AT) {
        let target = twin(collection, link.target)?.map_or(link.target, |twin| twin.of);
        if seen.insert(target) {
            targets.push((rank(collection, target)?.unwrap_or(0.0), target, link.anchor));
        }
    }
    // The order of the page stays among equals.
    targets.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut found = Vec::new();
    for (_, target, anchor) in targets.into_iter().take(READ) {
        let Some(document) = crate::document(collection, target)? else { continue };
        if authority_of(&document.url) == authority_of(&page.url) && found.len() < MOST {
            found.extend(named(document, anchor.trim()));
        }
    }
    Ok(found)
}

/// A link under the name that the front page gives it, or its title.
fn named(document: Document, anchor: &str) -> Option<Quicklink> {
    let length = anchor.chars().count();
    let is_name = (2..=LONGEST_NAME).contains(&length);
    let name = if is_name { anchor.to_owned() } else { document.title };
    (!name.is_empty()).then_some(Quicklink { url: document.url, name })
}

#[cfg(test)]
mod tests {
    use super::is_navigational;

    #[test]
    fn a_front_page_is_wanted_by_the_name_of_its_host_or_its_title() {
        let check = |query: &str, url: &str, title: &str, expected: bool| {
            let words: Vec<&str> = query.split(' ').filter(|word| !word.is_empty()).collect();
            assert_eq!(is_navigational(&words, url, title), expected, "{query} {url} {title}");
        };
        check("tides", "http://tides.test/", "", true);
        check("tidal energy", "http://www.tidal-energy.test/", "", true);
        check("tides", "http://tides.test/about", "", false);
        check("tides", "http://tides.test/?q=1", "", false);
        check("test", "http://tides.test/", "", false);
        check("www", "http://www.tides.test/", "", false);
        check("ti", "http://tides.test/", "", false);
        check("marine institute", "http://a.test/", "The Marine Institute", true);
        check("marine", "http://a.test/", "The Marine Institute of Fish", false);
        check("", "http://a.test/", "", false);
        check("tides", "not a url", "tides", false);
    }
}
