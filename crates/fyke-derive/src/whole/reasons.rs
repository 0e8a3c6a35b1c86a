//! The effective reason of a URL: what the ledger says, overlaid by what analysis found out. `why`,
//! `stats` and the web site all read it here, so their sums agree.

use super::WholeRun;
use super::likeness::Twin;
use super::twins::TWINS;
use crate::page::print::{PRINTS, Print};
use crate::table::{Derivation, DeriveSettings, Tier};
use fyke_store::{Column, Reason, Row, StoreError, View};
use fyke_web::UrlId;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

pub const ROW: Derivation = Derivation {
    name: "reasons",
    what: "why documents are no part of the corpus: copies, thin ones, other languages",
    code: 5,
    version: 1,
    reads: &["print", "twins"],
    late: &[],
    writes: &[REASONS.declaration()],
    facts: &[],
    settings: |settings| format!("{} {:?}", settings.min_words, settings.languages),
    tier: Tier::Whole { all: run_all, some: Some(run_some), is_exact: true },
};

/// Of documents that are no part of the corpus, why.
pub const REASONS: Column<Reason> = Column::new("reason", 1).shown_by(name);

fn name(bytes: &[u8]) -> Option<Value> {
    Some(postcard::from_bytes::<Reason>(bytes).ok()?.name().into())
}

fn run_all(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let twins: HashMap<UrlId, Twin> = run.cells.all(&TWINS).collect::<Result<_, _>>()?;
    let settings = run.settings;
    let found = run.cells.all(&PRINTS).filter_map(|print| {
        let told = |(id, print): (UrlId, Print)| {
            Some((id, reason(settings, &print, twins.get(&id).copied())?))
        };
        print.map(told).transpose()
    });
    run.batch.replace(&REASONS, found)
}

fn run_some(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    for &id in run.pages {
        let print = run.cells.get(&PRINTS, id)?;
        let twin = run.cells.get(&TWINS, id)?;
        let reason = print.and_then(|print| reason(run.settings, &print, twin));
        if reason == run.cells.get(&REASONS, id)? {
            continue;
        }
        match reason {
            Some(reason) => run.batch.put(&REASONS, id, &reason),
            None => run.batch.delete(&REASONS, id),
        }
        run.touched.insert(id);
    }
    Ok(())
}

/// A copy is a copy first, thin or not.
fn reason(settings: &DeriveSettings, print: &Print, twin: Option<Twin>) -> Option<Reason> {
    let kind = twin.map(|twin| if twin.exact { Reason::DupExact } else { Reason::DupNear });
    kind.or_else(|| alone(settings, &print.language, print.words))
}

/// Why a document is no part of the corpus, as far as it can be told from it alone.
#[must_use]
pub fn alone(settings: &DeriveSettings, language: &str, words: u32) -> Option<Reason> {
    let wanted = &settings.languages;
    if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == language) {
        return Some(Reason::Lang);
    }
    (words < settings.min_words).then_some(Reason::Thin)
}

/// The rule: what the ledger says, and of what it keeps, what analysis found out.
#[must_use]
pub fn effective(ledger: Reason, found_out: Option<Reason>) -> Reason {
    match ledger {
        Reason::Kept => found_out.unwrap_or(Reason::Kept),
        other => other,
    }
}

/// The effective reason of one URL.
///
/// # Errors
/// When the column cannot be read.
pub fn of_row(collection: &View, id: UrlId, row: &Row) -> Result<Reason, StoreError> {
    match row.reason {
        Reason::Kept => Ok(effective(Reason::Kept, collection.cells().get(&REASONS, id)?)),
        other => Ok(other),
    }
}

/// Whether documents under this effective reason are searched: copies and other languages are not.
#[must_use]
pub fn is_searched(effective: Reason) -> bool {
    matches!(effective, Reason::Kept | Reason::Thin)
}

/// How many URLs stand under each reason, in the order of the list.
///
/// # Errors
/// When ledger or column cannot be read.
pub fn counts(collection: &View) -> Result<BTreeMap<Reason, u64>, StoreError> {
    Ok(overlaid(collection.ledger.counts()?, &found_out(collection)?))
}

/// What analysis found out of pages that the ledger keeps: how many stand under another reason.
/// A crawl does not change it.
///
/// # Errors
/// When ledger or column cannot be read.
pub fn found_out(collection: &View) -> Result<BTreeMap<Reason, u64>, StoreError> {
    let mut found = BTreeMap::new();
    for reason in of_documents(collection) {
        let (id, reason) = reason?;
        if collection.ledger.get(id)?.is_some_and(|row| row.reason == Reason::Kept) {
            *found.entry(reason).or_default() += 1;
        }
    }
    Ok(found)
}

/// What analysis found out of documents, by id; those not here are kept.
pub fn of_documents(
    collection: &View,
) -> impl Iterator<Item = Result<(UrlId, Reason), StoreError>> + use<> {
    collection.cells().all(&REASONS)
}

/// The ledger's counts, overlaid by what analysis found out. The sum stays the same.
#[must_use]
pub fn overlaid(
    mut counts: BTreeMap<Reason, u64>,
    found_out: &BTreeMap<Reason, u64>,
) -> BTreeMap<Reason, u64> {
    for (reason, &found) in found_out {
        let kept = counts.entry(Reason::Kept).or_default();
        let moved = found.min(*kept);
        *kept -= moved;
        *counts.entry(*reason).or_default() += moved;
    }
    counts.retain(|_, count| *count > 0);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ledger_decides_first_and_of_what_it_keeps_analysis_decides() {
        let check = |ledger, found_out, expected, searched| {
            let reason = effective(ledger, found_out);
            assert_eq!((reason, is_searched(reason)), (expected, searched), "{ledger:?}");
        };
        check(Reason::Kept, None, Reason::Kept, true);
        check(Reason::Kept, Some(Reason::Thin), Reason::Thin, true);
        check(Reason::Kept, Some(Reason::DupNear), Reason::DupNear, false);
        check(Reason::Kept, Some(Reason::Lang), Reason::Lang, false);
        check(Reason::Offtopic, Some(Reason::Thin), Reason::Offtopic, false);
        check(Reason::Redirect, None, Reason::Redirect, false);
    }
}
