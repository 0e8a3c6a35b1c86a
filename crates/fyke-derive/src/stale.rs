//! The one rule of staleness. A derivation's mark stands in the manifest of the cells (of the index, in its
//! commit) and is published with what it made. It holds the version, a hash of the settings that were
//! read, when each input had been made anew, and up to where the log of changes was seen.
//!
//! - Without a mark, with another version, other settings or inputs made anew, it runs for all pages.
//! - Changes by derivations in `reads` it takes up at once, if it can run for some pages.
//! - Changes by derivations in `late` (and all, if it cannot run for some pages) it puts off while they
//!   are few: fewer than one page in [`FEW`] of a collection of [`SMALL`] documents and more.
//! - An exact run puts nothing off and makes what parts cannot give from the start: the result is the
//!   same as if all pages had come at once.

use crate::changes::{LogStart, Totals};
use crate::page::print::PRINTS;
use crate::table::{Derivation, DeriveSettings, Tier};
use fyke_store::{Cells, Spot, StoreError};
use fyke_web::UrlId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What changes fewer than one page in so many is put off …
const FEW: u64 = 20;
/// … unless there are fewer documents than this.
const SMALL: u64 = 2_000;

/// Up to where a derivation has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DerivedMark {
    pub version: u32,
    pub settings: u64,
    /// Which log of changes, and up to which number it was seen: of what is taken up at once, and of
    /// what may be put off.
    pub began: LogStart,
    pub seen: u64,
    pub seen_late: u64,
    /// The state after which it was made anew, and that of each of its inputs.
    pub made: u64,
    pub inputs: Vec<(String, u64)>,
    /// Parts of it were made since.
    pub has_parts: bool,
    /// Of those per page: the captures up to here.
    pub spot: Spot,
    /// CPU time of its last run in microseconds, and when that was.
    pub cpu: u64,
    pub time: i64,
}

/// How eager a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eagerness {
    /// While a crawl runs: only what is taken up at once.
    Fresh,
    Usual,
    /// Nothing is put off.
    Exact,
}

/// What a derivation has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    Nothing,
    /// So many pages of so many changed, which can wait.
    PutOff {
        changed: u64,
        of: u64,
    },
    /// These pages, by id; whether those that could have waited are among them.
    Some {
        pages: Vec<UrlId>,
        late: bool,
    },
    /// All pages, and why.
    All(&'static str),
}

/// The mark of a derivation in a state; none where it cannot be read.
#[must_use]
pub fn mark_of(cells: &Cells, derivation: &Derivation) -> Option<DerivedMark> {
    postcard::from_bytes(cells.mark(derivation.name)?).ok()
}

/// What a derivation with this mark has to do.
///
/// # Errors
/// When the cells cannot be read.
pub fn due(
    derivation: &Derivation,
    mark: Option<&DerivedMark>,
    cells: &Cells,
    settings: &DeriveSettings,
    pace: Eagerness,
) -> Result<Due, StoreError> {
    let totals = crate::totals(cells)?;
    let Some(mark) = mark else { return Ok(Due::All("it was never made")) };
    if let Some(why) = stale(derivation, mark, &totals, cells, settings) {
        return Ok(Due::All(why));
    }
    let (some, is_exact) = match derivation.tier {
        Tier::Whole { some, is_exact, .. } => (some.is_some(), is_exact),
        Tier::Page(_) | Tier::Index => (true, true),
    };
    let now = totals.since(cells, mark.seen, derivation.bits_read())?;
    let late = totals.since(cells, mark.seen_late, derivation.bits_late())?;
    if pace == Eagerness::Exact
        && !is_exact
        && (mark.has_parts || !now.is_empty() || !late.is_empty())
    {
        return Ok(Due::All("parts of it were made apart"));
    }
    let (now, waiting) = if some { (now, late) } else { (BTreeSet::new(), &now | &late) };
    let (changed, of) = (waiting.len() as u64, totals.documents);
    let is_due = match pace {
        Eagerness::Fresh => false,
        Eagerness::Usual => changed > 0 && (of < SMALL || changed * FEW > of),
        Eagerness::Exact => changed > 0,
    };
    Ok(match (some, is_due) {
        (false, true) => Due::All("many pages changed"),
        (true, true) => {
            let pages = now.union(&waiting).copied().collect();
            Due::Some { pages, late: true }
        }
        _ if !now.is_empty() => {
            let pages = now.into_iter().collect();
            Due::Some { pages, late: waiting.is_empty() }
        }
        _ if changed > 0 => Due::PutOff { changed, of },
        _ => Due::Nothing,
    })
}

/// Pages that have changed since a derivation has seen them; all where it has seen none.
pub(crate) fn changed_since(
    cells: &Cells,
    derivation: &Derivation,
) -> Result<BTreeSet<UrlId>, StoreError> {
    let (totals, mark) = (crate::totals(cells)?, mark_of(cells, derivation));
    match mark.filter(|mark| mark.began == totals.began) {
        Some(mark) => totals.since(cells, mark.seen_late, derivation.bits_late()),
        None => cells.all(&PRINTS).map(|print| print.map(|(id, _)| id)).collect(),
    }
}

/// Why what was made is of no use any more.
fn stale(
    derivation: &Derivation,
    mark: &DerivedMark,
    totals: &Totals,
    cells: &Cells,
    settings: &DeriveSettings,
) -> Option<&'static str> {
    let is_of_log = mark.began == totals.began || derivation.is_of_pages();
    let is_seen = mark.seen.min(mark.seen_late) >= totals.dropped && mark.seen <= totals.change;
    match () {
        () if mark.version != derivation.version => Some("another version made it"),
        () if mark.settings != derivation.settings_hash(settings) => Some("settings changed"),
        () if mark.inputs != inputs(derivation, cells) => Some("what it reads was made anew"),
        () if !(is_of_log && (is_seen || derivation.is_of_pages())) => {
            Some("what changed is not known")
        }
        () => None,
    }
}

fn inputs(derivation: &Derivation, cells: &Cells) -> Vec<(String, u64)> {
    let made = |input: &Derivation| mark_of(cells, input).map_or(0, |mark| mark.made);
    derivation.inputs().map(|input| (input.name.to_owned(), made(input))).collect()
}

impl DerivedMark {
    /// The mark after a run that did what was due, over a state.
    pub(crate) fn after(
        derivation: &Derivation,
        before: Option<&DerivedMark>,
        due: &Due,
        cells: &Cells,
        settings: &DeriveSettings,
    ) -> Result<DerivedMark, StoreError> {
        let totals = crate::totals(cells)?;
        let before = before.cloned().unwrap_or_default();
        let is_all = matches!(due, Due::All(_));
        let took_late = is_all || matches!(due, Due::Some { late: true, .. });
        Ok(DerivedMark {
            version: derivation.version,
            settings: derivation.settings_hash(settings),
            began: totals.began,
            seen: totals.change,
            seen_late: if took_late { totals.change } else { before.seen_late },
            made: if is_all { cells.number() + 1 } else { before.made },
            inputs: inputs(derivation, cells),
            has_parts: !is_all,
            ..before
        })
    }

    /// As it stands in a manifest …
    pub(crate) fn bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain values always encode")
    }

    /// … and in the commit of an index.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain values always encode")
    }
}
