//! What changed between two versions of a page, as `fyke diff` shows it, on the page of its document.

use super::Site;
use super::answer::RequestTrouble;
use fyke_derive::asked::similar::{self, DifferentPart};
use fyke_stages::show::moment;
use fyke_stages::versions::{PageVersion, version_document, versions};
use fyke_text::difference::Side;
use fyke_web::Document;
use std::sync::Arc;

/// Older versions that can be chosen.
const OLDER: usize = 20;

/// The changes since an older version.
pub(crate) struct PageChanges {
    /// Older versions, the newest first: when each was fetched, and whether it is the one that is shown.
    pub(crate) older: Vec<(String, bool)>,
    pub(crate) since: String,
    /// None where the older version was no document, or cannot be read.
    pub(crate) differences: Option<Vec<DifferentPart>>,
    /// Somebody chose the version.
    pub(crate) is_chosen: bool,
}

impl PageChanges {
    /// Whether nothing of the main text differs.
    pub(crate) fn is_same(&self) -> bool {
        let parts = self.differences.iter().flatten();
        parts.into_iter().all(|part| part.side == Side::Both)
    }
}

/// What changed since the older version of that number, 1 being the one before the newest; none where there is one version
/// alone. One that was fetched with credentials is not told of to others.
pub(crate) fn changes(
    site: &Site,
    document: &Document,
    chosen: Option<usize>,
) -> Result<Option<PageChanges>, RequestTrouble> {
    let hides = site.hides_private();
    let all = versions(site.view(), document.id)?;
    // The newest is what the document was made of.
    let older: Vec<PageVersion> = all
        .into_iter()
        .filter(|version| version.fetched < document.time && !(hides && version.private))
        .take(OLDER)
        .collect();
    let is_chosen = chosen.is_some();
    let number = chosen.unwrap_or(1).clamp(1, older.len().max(1));
    let Some(since) = older.get(number - 1) else { return Ok(None) };
    let rules = Arc::new(site.config.extract_rules());
    let before = version_document(site.view(), since, &rules).ok().flatten();
    let differences = before.map(|before| similar::differences(&before.text, &document.text));
    let told = |(at, version): (usize, &PageVersion)| (moment(version.fetched), at + 1 == number);
    let since = moment(since.fetched);
    let older = older.iter().enumerate().map(told).collect();
    Ok(Some(PageChanges { older, since, differences, is_chosen }))
}
