//! Hosts that refuse in mid-crawl (403) what they gave before: they may have had enough of us. A folder that is closed to
//! everybody says nothing of the others: what counts are refusals in folders that have given pages.

use crate::fetch::Outcome;
use crate::verdict::{HostStanding, TRIES, UrlVerdict, Verdict};
use fyke_store::{Reason, RowKind};
use fyke_web::Url;
use std::collections::HashSet;
use xxhash_rust::xxh3::xxh3_64;

/// Folders of one host that are remembered.
const MOST_FOLDERS: usize = 1024;

/// What a side of a host gave and refused in this run.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    /// Refusals in a row.
    pub(super) count: u32,
    /// Folders that gave pages, by hash.
    folders: HashSet<u64>,
}

/// What came of asking for a URL.
#[derive(Clone, Copy, Debug)]
pub(in crate::crawl) struct TriedUrl<'a> {
    pub(in crate::crawl) url: &'a Url,
    pub(in crate::crawl) kind: RowKind,
    pub(in crate::crawl) tries: u16,
    pub(in crate::crawl) outcome: &'a Outcome,
}

/// The first part of a path, by hash; that of a file in the root is the root.
fn folder(url: &Url) -> u64 {
    let path = url.path();
    let end = path[1..].find('/').map_or(1, |end| end + 1);
    xxh3_64(&path.as_bytes()[..end])
}

impl Refusals {
    /// Takes in what came of a URL; where its host refuses what it gave before, the URL is tried again later, and the
    /// host stands otherwise. One that was backed off from when the last run ended is taken to refuse still.
    pub(super) fn mind(
        &mut self,
        tried: TriedUrl<'_>,
        had_trouble: bool,
        judged: Verdict,
    ) -> Verdict {
        let Outcome::Captured(answer) = tried.outcome else { return judged };
        let folder = folder(tried.url);
        if answer.capture.has_content() && self.folders.len() < MOST_FOLDERS {
            self.folders.insert(folder);
        }
        let was_in_trouble = had_trouble && self.folders.is_empty();
        let gave_before = self.folders.contains(&folder) || was_in_trouble;
        let is_refused = answer.capture.status == 403 && tried.kind == RowKind::Page && gave_before;
        let Verdict { url: UrlVerdict::Final(Reason::Http4xx, detail), .. } = &judged else {
            return judged;
        };
        if !is_refused {
            return judged;
        }
        let host = HostStanding::Refusing(format!("{detail} in a folder that gave pages"));
        match tried.tries < TRIES {
            true => Verdict { url: UrlVerdict::Later, host },
            false => Verdict { host, ..judged },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::Captured;
    use fyke_web::Capture;
    use std::time::Duration;

    /// Whether a status is taken for a refusal, after what came before.
    fn is_refused(refusals: &mut Refusals, path: &str, status: u16, had_trouble: bool) -> bool {
        let url = Url::parse(&format!("http://a.test{path}")).expect("a URL");
        let capture = Capture {
            url: url.clone(),
            time: 0,
            status,
            headers: Vec::new(),
            payload: b"<p>page".to_vec(),
            truncated: None,
        };
        let answer = Captured { capture, request: Vec::new(), elapsed: Duration::ZERO };
        let outcome = Outcome::Captured(answer);
        let tried = TriedUrl { url: &url, kind: RowKind::Page, tries: 1, outcome: &outcome };
        let reason = if status == 403 { Reason::Http4xx } else { Reason::Kept };
        let last = UrlVerdict::Final(reason, format!("status {status}"));
        let judged = Verdict { url: last, host: HostStanding::Well };
        let verdict = refusals.mind(tried, had_trouble, judged);
        let is_refusing = matches!(verdict.host, HostStanding::Refusing(_));
        assert_eq!(verdict.url == UrlVerdict::Later, is_refusing);
        is_refusing
    }

    #[test]
    fn only_a_folder_that_gave_pages_can_refuse() {
        let mut refusals = Refusals::default();
        assert!(!is_refused(&mut refusals, "/shut/1", 403, false));
        assert!(!is_refused(&mut refusals, "/open/1", 200, false));
        assert!(is_refused(&mut refusals, "/open/2", 403, false));
        assert!(!is_refused(&mut refusals, "/shut/2", 403, false), "it never gave any");
        assert!(!is_refused(&mut refusals, "/shut/2", 403, true), "something came in this run");
    }

    #[test]
    fn a_side_that_was_backed_off_from_is_taken_to_refuse_still() {
        assert!(is_refused(&mut Refusals::default(), "/any/1", 403, true));
    }
}
