//! Anchor texts by which a document is found (003 §4.5.1): what other sites call it, and apart from that
//! what its own site does. A site speaks with one voice, however many of its pages repeat a link.

use crate::page;
use fyke_store::{Cells, StoreError};
use fyke_web::UrlId;
use std::collections::{BTreeMap, BTreeSet};

/// Distinct texts of either kind that one document is found by.
const MOST: usize = 64;

/// The texts of links to a document, a line each, the most used first.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Anchors {
    /// Of other registrable domains; a text that several use stands there several times, once more
    /// with each doubling.
    pub others: String,
    /// Of its own.
    pub own: String,
}

/// The anchor texts of links to a document or to one of its copies.
///
/// # Errors
/// When they cannot be read.
pub fn anchors(
    cells: &Cells,
    copies: &[UrlId],
    id: UrlId,
    site: u64,
) -> Result<Anchors, StoreError> {
    let mut links = Vec::new();
    for target in std::iter::once(&id).chain(copies) {
        links.extend(page::anchors::anchors(cells, *target)?);
    }
    links.retain(|(source, anchor)| *source != id && !anchor.text.is_empty());
    let links = links.into_iter().map(|(source, anchor)| NamingLink {
        domain: anchor.site,
        source,
        text: anchor.text,
    });
    Ok(gather(site, links))
}

/// A link by which a document is found.
struct NamingLink {
    domain: u64,
    source: UrlId,
    text: String,
}

fn gather(own: u64, links: impl Iterator<Item = NamingLink>) -> Anchors {
    let mut others: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    let mut inside: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for NamingLink { domain, source, text } in links {
        match domain == own {
            true => inside.entry(text).or_default().insert(source.0),
            false => others.entry(text).or_default().insert(domain),
        };
    }
    Anchors { others: lines(others, |voices| 1 + voices.ilog2()), own: lines(inside, |_| 1) }
}

/// The texts with the most voices, each as often as its voices are worth.
fn lines(texts: BTreeMap<String, BTreeSet<u64>>, worth: fn(usize) -> u32) -> String {
    let mut texts: Vec<(String, usize)> =
        texts.into_iter().map(|(text, voices)| (text, voices.len().max(1))).collect();
    texts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let times = |(text, voices): &(String, usize)| vec![text.clone(); worth(*voices) as usize];
    texts.iter().take(MOST).flat_map(times).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(links: &[(u64, u64, &str)], others: &str, own: &str) {
        let links = links.iter().map(|&(domain, page, text)| NamingLink {
            domain,
            source: UrlId(page),
            text: text.to_owned(),
        });
        let expected = Anchors { others: others.to_owned(), own: own.to_owned() };
        assert_eq!(gather(7, links), expected);
    }

    #[test]
    fn a_site_has_one_voice_and_the_own_site_speaks_apart() {
        check(&[], "", "");
        check(
            &[(1, 1, "eels"), (7, 2, "home"), (7, 3, "home"), (7, 4, "eels")],
            "eels",
            "home\neels",
        );
        let farm: Vec<_> = (0..900).map(|page| (1, page, "buy")).collect();
        let two = [(2, 901, "the eel"), (3, 902, "the eel")];
        check(&[&farm[..], &two].concat(), "the eel\nthe eel\nbuy", "");
    }

    #[test]
    fn the_texts_are_so_many_at_the_most() {
        let texts: Vec<String> = (0..200).map(|n| format!("text {n:03}")).collect();
        let links: Vec<_> = (0..).zip(&texts).map(|(n, text)| (7, n, text.as_str())).collect();
        check(&links, "", &texts[..MOST].join("\n"));
    }
}
