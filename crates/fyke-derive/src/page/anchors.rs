//! Anchor texts brought to their targets: the column group `anchor:<source>` of the BigTable example
//! (003 §3.6.4). A page writes the cells of its targets; those of targets that it no longer links to are
//! deleted. Links that say nofollow or stand in comments do not count, and of several links to one target the first
//! does. What private pages call others stays with them.

use super::PageRun;
use crate::table::{Derivation, Tier};
use fyke_store::{CellBatch, Cells, ColumnGroup, StoreError, StoredLink};
use fyke_web::UrlId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub const ROW: Derivation = Derivation {
    name: "anchors",
    what: "what pages call each other, with the page that is called",
    code: 3,
    version: 2,
    reads: &[],
    late: &[],
    writes: &[ANCHORS.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Page(run),
};

/// By target; the qualifier is the id of the source.
pub const ANCHORS: ColumnGroup<AnchorText> = ColumnGroup::new("anchor", 1);

/// Anchors of one target that are read: those of the smallest source ids.
const MOST: usize = 1 << 16;

/// What a page calls another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnchorText {
    pub text: String,
    /// Hash of the registrable domain of the page that says so.
    pub site: u64,
}

fn run(run: &PageRun<'_>, batch: &mut CellBatch) {
    let site = run.capture.url.domain_hash();
    let links = if run.is_private { &[] } else { run.links };
    let (now, before) = (counted(links), counted(run.former_links));
    for (&target, &text) in &now {
        if before.get(&target) != Some(&text) {
            let cell = AnchorText { text: text.to_owned(), site };
            batch.put_in(&ANCHORS, target, run.id.0, &cell);
        }
    }
    for target in before.keys().filter(|target| !now.contains_key(target)) {
        batch.delete_in(&ANCHORS, *target, run.id.0);
    }
}

/// The targets whose anchors change when these links take the place of those.
pub(crate) fn changed<'a>(
    links: &'a [StoredLink],
    former: &'a [StoredLink],
) -> impl Iterator<Item = UrlId> + use<> {
    let (now, before) = (counted(links), counted(former));
    let new = now.iter().filter(|(target, text)| before.get(target) != Some(text));
    let gone = before.keys().filter(|target| !now.contains_key(target));
    new.map(|(target, _)| *target).chain(gone.copied()).collect::<Vec<_>>().into_iter()
}

fn counted(links: &[StoredLink]) -> BTreeMap<UrlId, &str> {
    let mut counted = BTreeMap::new();
    for link in links.iter().filter(|link| link.vouches()) {
        counted.entry(link.target).or_insert(link.anchor.as_str());
    }
    counted
}

/// What others call this URL, by source.
///
/// # Errors
/// When the cells cannot be read.
pub fn anchors(cells: &Cells, id: UrlId) -> Result<Vec<(UrlId, AnchorText)>, StoreError> {
    let found = cells.first_in(&ANCHORS, id, MOST)?;
    Ok(found.into_iter().map(|(source, anchor)| (UrlId(source), anchor)).collect())
}
