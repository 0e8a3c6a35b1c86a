//! Hosts that refuse in mid-crawl (403) what they gave before: they may have had enough of us. A folder that is closed to
//! everybody says nothing of the others: what counts are refusals in folders that have given pages.

use super::Hosts;
use crate::fetch::Outcome;
use crate::frontier::HostId;
use crate::verdict::{HostStanding, TRIES, UrlVerdict};
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

/// The first part of a path, by hash; that of a file in the root is the root.
fn folder(url: &Url) -> u64 {
    let path = url.path();
    let end = path[1..].find('/').map_or(1, |end| end + 1);
    xxh3_64(&path.as_bytes()[..end])
}

impl Hosts<'_> {
    /// Takes in what came of a URL; where its host refuses what it gave before, the URL is tried again later, and the
    /// host stands otherwise. One that was backed off from when the last run ended is taken to refuse still.
    pub(in crate::crawl) fn mind_refusal(
        &mut self,
        (host, url, kind): (HostId, &Url, RowKind),
        (outcome, tries): (&Outcome, u16),
        (verdict, standing): (UrlVerdict, HostStanding),
    ) -> (UrlVerdict, HostStanding) {
        let Outcome::Captured(answer) = outcome else { return (verdict, standing) };
        let (side, folder) = (self.of_mut(host), folder(url));
        let refusals = &mut side.refusals;
        if answer.capture.has_content() && refusals.folders.len() < MOST_FOLDERS {
            refusals.folders.insert(folder);
        }
        let was_in_trouble = side.trouble.failures > 0 && refusals.folders.is_empty();
        let gave_before = refusals.folders.contains(&folder) || was_in_trouble;
        match verdict {
            UrlVerdict::Final(Reason::Http4xx, detail)
                if answer.capture.status == 403 && kind == RowKind::Page && gave_before =>
            {
                let standing =
                    HostStanding::Refusing(format!("{detail} in a folder that gave pages"));
                match tries < TRIES {
                    true => (UrlVerdict::Later, standing),
                    false => (UrlVerdict::Final(Reason::Http4xx, detail), standing),
                }
            }
            verdict => (verdict, standing),
        }
    }
}
