//! Content seen (000 "Content seen?", "Duplicate documents"): whether a page's text was fetched before
//! under another URL, word for word or nearly. Links of such a page wait behind others, since
//! traps lead from copy to copy; and a host that has page for page what another has is a mirror,
//! of which one is enough. Which documents count as copies is decided later, from all of them.
//!
//! A cell knows the texts of its own pages: what two cells have in common is found later, too.
//!
//! What is seen is kept on disk, but not synced: a crash forgets a part, and the copies of that part
//! are found later.

use super::cell::CrawlCell;
use crate::control::lock;
use fyke_store::{Sieve, SieveOptions, StoreError};
use fyke_web::{Fingerprint, Url, UrlId};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use xxhash_rust::xxh3::xxh3_64;

/// So many keys of the eight must lead to one page for it to be nearly the same.
const NEAR: usize = 2;
/// Pages that two hosts have in common before one of them is a mirror …
const MIRRORED: u32 = 10;
/// … and the part of the pages of the smaller that they must be, in percent.
const MOSTLY: u32 = 80;
/// Pairs of hosts that are compared at a time; then all begin anew.
const MOST_PAIRS: usize = 1 << 16;

/// The texts seen: checksums and super-shingles, each with the URL it was first seen under.
#[derive(Debug)]
pub(super) struct Contents {
    exact: Sieve,
    near: Sieve,
    likeness: Mutex<HostLikeness>,
}

/// A page whose text was seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Copy {
    pub(super) of: UrlId,
    pub(super) exact: bool,
}

/// What a text shows that was seen before.
#[derive(Debug)]
pub(super) struct SeenText {
    pub(super) copy: Copy,
    pub(super) mirror: Option<Mirror>,
}

/// A URL whose host has the same pages as that of another.
#[derive(Debug)]
pub(super) struct Mirror {
    pub(super) url: Url,
    pub(super) of: Url,
}

impl Contents {
    pub(super) fn open(dir: &Path) -> Result<Contents, StoreError> {
        // What was seen is forgotten with a damaged sieve: copies are found later all the same.
        let open = |name: &str| Sieve::open_or_discard(&dir.join(name), SieveOptions::default());
        let likeness = Mutex::default();
        Ok(Contents { exact: open("exact")?, near: open("near")?, likeness })
    }

    /// Whether this text was seen under another URL; from now on it is.
    fn see(&self, id: UrlId, text: &Fingerprint) -> Result<Option<Copy>, StoreError> {
        if text.words == 0 {
            return Ok(None);
        }
        if let Some(of) = self.exact.get(text.checksum)? {
            return Ok(Some(Copy { of: UrlId(of), exact: true }).filter(|copy| copy.of != id));
        }
        self.exact.insert(text.checksum, id.0)?;
        let mut seen = Vec::new();
        for key in text.super_shingles() {
            match self.near.get(key)? {
                Some(of) => seen.push(of),
                None => drop(self.near.insert(key, id.0)?),
            }
        }
        seen.sort_unstable();
        let most = seen.chunk_by(|a, b| a == b).max_by_key(|same| same.len());
        let of = most.filter(|same| same.len() >= NEAR).map(|same| UrlId(same[0]));
        Ok(of.filter(|of| *of != id).map(|of| Copy { of, exact: false }))
    }

    /// Takes in a page with this text; what it shows, if its text was seen before under another URL.
    pub(super) fn look(
        &self,
        (id, url): (UrlId, &Url),
        text: &Fingerprint,
        cell: &CrawlCell<'_>,
    ) -> Result<Option<SeenText>, StoreError> {
        if text.words > 0 {
            self.count_page(url);
        }
        let Some(copy) = self.see(id, text)? else { return Ok(None) };
        let row = cell.ledger_of(copy.of).get(copy.of)?;
        let other = row.and_then(|row| Url::parse(&row.url).ok()).filter(|other| {
            other.path_and_query() == url.path_and_query() && other.authority() != url.authority()
        });
        let Some(other) = other.filter(|other| self.are_mirrors(url, other)) else {
            return Ok(Some(SeenText { copy, mirror: None }));
        };
        // Two hosts have the same pages: one of them is not asked any more.
        let pages = |url: &Url| -> Result<u64, StoreError> {
            Ok(cell.ledger().host_without_robots(url.authority())?.map_or(0, |row| row.pages))
        };
        let named = [(url.authority(), pages(url)?), (other.authority(), pages(&other)?)];
        let is_this = left_out(named[0], named[1]) == url.authority();
        let (url, of) = if is_this { (url.clone(), other) } else { (other, url.clone()) };
        Ok(Some(SeenText { copy, mirror: Some(Mirror { url, of }) }))
    }

    /// Counts a page with a text of this host.
    fn count_page(&self, url: &Url) {
        lock(&self.likeness).count_page(hash_of(url));
    }

    /// Counts a page that the hosts of two URLs have in common; true when one of them is enough.
    fn are_mirrors(&self, one: &Url, other: &Url) -> bool {
        lock(&self.likeness).count_common([hash_of(one), hash_of(other)])
    }

    pub(super) fn flush(&self) -> Result<(), StoreError> {
        self.exact.flush()?;
        self.near.flush()
    }
}

fn hash_of(url: &Url) -> u64 {
    xxh3_64(url.authority().as_bytes())
}

/// What hosts have in common, by the hashes of their names. Of two hosts that are asked in turn now the
/// one is first with a page and now the other, so they are counted together.
#[derive(Debug, Default)]
struct HostLikeness {
    /// Pages with a text in this run, by host.
    pages: HashMap<u64, u32>,
    /// Pages with the same text under the same path, by pair; none when it is known what they are.
    common: HashMap<[u64; 2], Option<u32>>,
}

impl HostLikeness {
    fn count_page(&mut self, host: u64) {
        *self.pages.entry(host).or_default() += 1;
    }

    /// Counts a page that two hosts have in common; true when that shows them to be mirrors.
    fn count_common(&mut self, mut pair: [u64; 2]) -> bool {
        pair.sort_unstable();
        if self.common.len() >= MOST_PAIRS {
            self.common.clear();
        }
        let place = self.common.entry(pair).or_insert(Some(0));
        let Some(common) = place else { return false };
        *common += 1;
        // A host of an earlier run has none yet.
        let pages = pair.iter().filter_map(|host| self.pages.get(host)).min();
        let are_mirrors = *common >= MIRRORED && *common * 100 >= pages.unwrap_or(&0) * MOSTLY;
        if are_mirrors {
            *place = None;
        }
        are_mirrors
    }
}

/// Of two hosts with the same pages, the one that is left out: the one with fewer of them so far, or
/// with about as many the longer name, or the later. Given are name and pages.
fn left_out<'a>(a: (&'a str, u64), b: (&'a str, u64)) -> &'a str {
    let has_fewer = |a: u64, b: u64| a * 100 < b * u64::from(MOSTLY);
    let is_longer = (a.0.len(), a.0) > (b.0.len(), b.0);
    let is_a = has_fewer(a.1, b.1) || is_longer && !has_fewer(b.1, a.1);
    if is_a { a.0 } else { b.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_and_near_copies_are_known_again_and_others_are_not() {
        let dir = tempfile::tempdir().expect("a folder");
        let contents = Contents::open(dir.path()).expect("a disk");
        let words = |changed: usize| -> String {
            let word =
                |n: usize| if n < changed { format!("new{n} ") } else { format!("word{n} ") };
            (0..800).map(word).collect()
        };
        let check = |id: u64, text: &str, expected: Option<(u64, bool)>| {
            let capture = fyke_web::Capture {
                url: Url::parse("http://a.test/").expect("a URL"),
                time: 0,
                status: 200,
                headers: vec![("content-type".to_owned(), "text/plain".to_owned())],
                payload: text.as_bytes().to_vec(),
                truncated: None,
            };
            let text = fyke_formats::skim_with_fingerprint(&capture).1;
            let copy = contents.see(UrlId(id), &text).expect("a disk");
            assert_eq!(copy.map(|copy| (copy.of.0, copy.exact)), expected, "page {id}");
        };
        check(1, &words(0), None);
        check(2, &words(0), Some((1, true)));
        check(1, &words(0), None);
        check(3, &words(8), Some((1, false)));
        check(4, &words(790), None);
        check(5, "", None);
        check(6, "", None);
    }

    #[test]
    fn damaged_contents_are_forgotten_and_stop_nothing() {
        let dir = tempfile::tempdir().expect("a folder");
        let contents = Contents::open(dir.path()).expect("a disk");
        contents.exact.insert(1, 2).expect("a disk");
        contents.flush().expect("a disk");
        drop(contents);
        std::fs::write(dir.path().join("exact/000000.run"), "cut").expect("a disk");
        std::fs::write(dir.path().join("near/manifest"), "none").expect("a disk");
        let contents = Contents::open(dir.path()).expect("made again");
        assert_eq!(contents.exact.get(1).expect("a disk"), None);
    }

    #[test]
    fn the_mirror_is_the_same_whichever_is_met_first() {
        let check = |a: (&str, u64), b: (&str, u64), out: &str| {
            assert_eq!((left_out(a, b), left_out(b, a)), (out, out));
        };
        check(("b.test", 10), ("a.test", 12), "b.test");
        check(("www.a.test", 12), ("z.test", 10), "www.a.test");
        check(("www.a.test", 900), ("z.test", 10), "z.test");
    }
}
