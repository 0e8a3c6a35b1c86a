//! Content seen (000 "Content seen?", "Duplicate documents"): whether a page's text was fetched before
//! under another URL, word for word or nearly. Links of such a page wait behind others, since
//! traps lead from copy to copy; and a host that has page for page what another has is a mirror,
//! of which one is enough. Which documents count as copies is decided later, from all of them.
//!
//! What is seen is kept on disk, but not synced: a crash forgets a part, and the copies of that part
//! are found later.

use super::post::Letter;
use super::shard::Shard;
use crate::fetch::Fetch;
use crate::frontier::HostId;
use fyke_store::{Reason, Sieve, SieveOptions, StoreError};
use fyke_web::{Fingerprint, Url, UrlId};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

/// So many keys of the eight must lead to one page for it to be nearly the same.
const NEAR: usize = 2;
/// Pages in a row that two hosts have in common before one of them is a mirror …
const MIRRORED: u32 = 10;
/// … and the part of all its pages that they must be, in percent.
const MOSTLY: u32 = 80;

/// The texts seen: checksums and super-shingles, each with the URL it was first seen under.
#[derive(Debug)]
pub(super) struct Contents {
    exact: Sieve,
    near: Sieve,
}

/// A page whose text was seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Copy {
    pub(super) of: UrlId,
    pub(super) exact: bool,
}

impl Contents {
    pub(super) fn open(dir: &Path) -> Result<Contents, StoreError> {
        // What was seen is forgotten with a damaged sieve: copies are found later all the same.
        let open = |name: &str| Sieve::open_or_discard(&dir.join(name), SieveOptions::default());
        Ok(Contents { exact: open("exact")?, near: open("near")? })
    }

    /// Whether this text was seen under another URL; from now on it is.
    pub(super) fn see(&self, id: UrlId, text: &Fingerprint) -> Result<Option<Copy>, StoreError> {
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

    pub(super) fn flush(&self) -> Result<(), StoreError> {
        self.exact.flush()?;
        self.near.flush()
    }
}

/// What one host has in common with another.
#[derive(Debug, Default)]
pub(super) struct Likeness {
    with: String,
    pages: u32,
    /// Pages with a text, in all.
    of: u32,
}

impl Likeness {
    /// Counts a page with the same text under the same path of another host.
    fn count(&mut self, with: &str) -> bool {
        if self.with != with {
            with.clone_into(&mut self.with);
            self.pages = 0;
        }
        self.pages += 1;
        self.pages >= MIRRORED && self.pages * 100 >= self.of * MOSTLY
    }
}

/// Of two hosts with the same pages, the one that is left out: the longer name, or the later.
fn left_out<'a>(a: &'a str, b: &'a str) -> &'a str {
    if (a.len(), a) > (b.len(), b) { a } else { b }
}

impl<F: Fetch> Shard<'_, F> {
    /// Looks whether a page's text was seen before; true when it was.
    pub(super) fn see(
        &mut self,
        host: HostId,
        (id, url): (UrlId, &Url),
        text: &Fingerprint,
    ) -> Result<bool, StoreError> {
        self.hosts[host.index()].likeness.of += u32::from(text.words > 0);
        let Some(copy) = self.shared.contents.see(id, text)? else { return Ok(false) };
        self.shared.copies.fetch_add(1, Relaxed);
        let row = if copy.exact { self.ledger().get(copy.of)? } else { None };
        let Some(other) = row.and_then(|row| Url::parse(&row.url).ok()) else { return Ok(true) };
        let is_same_path = other.path_and_query() == url.path_and_query();
        if is_same_path && other.authority() != url.authority() {
            let likeness = &mut self.hosts[host.index()].likeness;
            if likeness.count(other.authority()) {
                self.leave_out(url, &other)?;
            }
        }
        Ok(true)
    }

    /// Two hosts have the same pages: one of them is not asked any more.
    fn leave_out(&mut self, one: &Url, other: &Url) -> Result<(), StoreError> {
        let is_one = left_out(one.authority(), other.authority()) == one.authority();
        let (out, of) = if is_one { (one, other) } else { (other, one) };
        let (authority, of) = (out.authority().to_owned(), of.authority().to_owned());
        if self.is_mine(out.partition()) {
            return self.is_mirror(&authority, of);
        }
        self.write(out.partition(), Letter::Mirror { authority, of });
        Ok(())
    }

    /// A host of this thread is a mirror: nothing more is asked of it, in later runs neither.
    pub(super) fn is_mirror(&mut self, authority: &str, of: String) -> Result<(), StoreError> {
        let host = self.host(authority)?;
        let known = &mut self.hosts[host.index()];
        if known.closed.is_some() {
            return Ok(());
        }
        let detail = format!("the same pages as {of}");
        known.row.mirror_of = of;
        self.close(host, Some(Reason::Mirror), &detail)
    }
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
            let text = fyke_web::parse_with_fingerprint(&capture).1;
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
        for (a, b, out) in [("b.test", "a.test", "b.test"), ("www.a.test", "z.test", "www.a.test")]
        {
            assert_eq!((left_out(a, b), left_out(b, a)), (out, out));
        }
    }
}
