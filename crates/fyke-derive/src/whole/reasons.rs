//! The effective reason of a URL: what the ledger says, overlaid by what analysis found out. `why`,
//! `stats` and the web site all read it here, so their sums agree.

use super::WholeRun;
use super::likeness::Twin;
use super::soft404::SOFT404;
use super::spam::{SPAM, SpamVerdict};
use super::subject::{self, RELEVANCE};
use super::twins::TWINS;
use crate::page::print::{PRINTS, Print};
use crate::table::{Derivation, DeriveSettings, Tier};
use fyke_store::{Column, Reason, Row, StoreError, View};
use fyke_web::UrlId;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

pub const ROW: Derivation = Derivation {
    name: "reasons",
    what: "why documents are no part of the corpus: other subjects, error pages, spam, copies, thin ones, other languages",
    code: 5,
    version: 4,
    reads: &["print", "twins", "soft404", "spam", "subject"],
    late: &[],
    writes: &[REASONS.declaration()],
    facts: &[],
    settings: |settings| {
        let threshold = settings.subject.as_ref().map(|subject| subject.threshold);
        format!("{} {:?} {threshold:?}", settings.min_words, settings.languages)
    },
    tier: Tier::Whole { all: run_all, some: Some(run_some), is_exact: true },
};

/// Of documents that are no part of the corpus, why; and [`Reason::Kept`] of those that are about the subject of a
/// focused collection, whatever the crawl took them for.
pub const REASONS: Column<Reason> = Column::new("reason", 1).shown_by(name);

fn name(bytes: &[u8]) -> Option<Value> {
    Some(postcard::from_bytes::<Reason>(bytes).ok()?.name().into())
}

fn run_all(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let twins: HashMap<UrlId, Twin> = run.cells.all(&TWINS).collect::<Result<_, _>>()?;
    let errors: HashSet<UrlId> =
        run.cells.all(&SOFT404).map(|cell| cell.map(|(id, _)| id)).collect::<Result<_, _>>()?;
    let is_spam = |cell: Result<(UrlId, SpamVerdict), StoreError>| {
        cell.map(|(id, verdict)| verdict.is_spam.then_some(id)).transpose()
    };
    let spam: HashSet<UrlId> =
        run.cells.all(&SPAM).filter_map(is_spam).collect::<Result<_, _>>()?;
    let relevance: HashMap<UrlId, f32> = run.cells.all(&RELEVANCE).collect::<Result<_, _>>()?;
    let (settings, view) = (run.settings, run.view);
    let found = run.cells.all(&PRINTS).filter_map(|print| {
        let told = |(id, print): (UrlId, Print)| {
            let is_on = is_on(settings, view, (id, relevance.get(&id).copied()))?;
            let (twin, is_error) = (twins.get(&id).copied(), errors.contains(&id));
            let is_spam = spam.contains(&id);
            let grounds = ReasonGrounds { print: &print, twin, is_error, is_spam, is_on };
            Ok(reason(settings, &grounds).map(|reason| (id, reason)))
        };
        print.and_then(told).transpose()
    });
    run.batch.replace(&REASONS, found)
}

fn run_some(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    for &id in run.pages {
        let print = run.cells.get(&PRINTS, id)?;
        let twin = run.cells.get(&TWINS, id)?;
        let is_error = run.cells.get(&SOFT404, id)?.is_some();
        let is_spam = run.cells.get(&SPAM, id)?.is_some_and(|verdict| verdict.is_spam);
        let is_on = is_on(run.settings, run.view, (id, run.cells.get(&RELEVANCE, id)?))?;
        let reason = print.and_then(|print| {
            reason(run.settings, &ReasonGrounds { print: &print, twin, is_error, is_spam, is_on })
        });
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

/// Whether a document is about the subject, where there is one; until all documents were looked at, what the crawl
/// took it for holds.
fn is_on(
    settings: &DeriveSettings,
    view: &View,
    (id, relevance): (UrlId, Option<f32>),
) -> Result<Option<bool>, StoreError> {
    if settings.subject.is_none() || relevance.is_some() {
        return Ok(subject::is_on(settings, relevance));
    }
    let is_off = view.ledger.get(id)?.is_some_and(|row| row.reason == Reason::Offtopic);
    Ok(is_off.then_some(false))
}

/// What decides on a document.
struct ReasonGrounds<'a> {
    print: &'a Print,
    twin: Option<Twin>,
    is_error: bool,
    is_spam: bool,
    is_on: Option<bool>,
}

/// Off the subject is off the subject, then an error page is one, then spam is spam, then a copy is a copy, thin or not.
fn reason(settings: &DeriveSettings, grounds: &ReasonGrounds<'_>) -> Option<Reason> {
    let ReasonGrounds { print, twin, is_error, is_spam, is_on } = *grounds;
    if is_on == Some(false) {
        return Some(Reason::Offtopic);
    }
    if is_error {
        return Some(Reason::Soft404);
    }
    if is_spam {
        return Some(Reason::Spam);
    }
    let kind = twin.map(|twin| if twin.exact { Reason::DupExact } else { Reason::DupNear });
    let kind = kind.or_else(|| alone(settings, &print.language, print.words));
    kind.or(is_on.map(|_| Reason::Kept))
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

/// The rule: what the ledger says, and of what it keeps, what analysis found out. What a crawl took to be off its
/// subject is kept where all documents together say that it is not.
#[must_use]
pub fn effective(ledger: Reason, found_out: Option<Reason>) -> Reason {
    match (ledger, found_out) {
        (Reason::Kept, Some(found_out)) => found_out,
        (Reason::Offtopic, Some(Reason::Kept)) => Reason::Kept,
        (ledger, _) => ledger,
    }
}

/// The effective reason of one URL.
///
/// # Errors
/// When the column cannot be read.
pub fn of_row(collection: &View, id: UrlId, row: &Row) -> Result<Reason, StoreError> {
    match row.reason {
        Reason::Kept | Reason::Offtopic => {
            Ok(effective(row.reason, collection.cells().get(&REASONS, id)?))
        }
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

/// How many pages stand under another reason than the ledger's: by that and by the other.
pub type ReasonMoves = BTreeMap<(Reason, Reason), u64>;

/// What analysis found out of pages that the ledger keeps, or takes to be off the subject. A crawl does not change
/// it.
///
/// # Errors
/// When ledger or column cannot be read.
pub fn found_out(collection: &View) -> Result<ReasonMoves, StoreError> {
    let mut found = BTreeMap::new();
    for reason in of_documents(collection) {
        let (id, reason) = reason?;
        let Some(ledger) = collection.ledger.get(id)?.map(|row| row.reason) else { continue };
        let effective = effective(ledger, Some(reason));
        if effective != ledger {
            *found.entry((ledger, effective)).or_default() += 1;
        }
    }
    Ok(found)
}

/// What analysis found out of documents, by id; those not here are what the ledger says.
pub(crate) fn of_documents(
    collection: &View,
) -> impl Iterator<Item = Result<(UrlId, Reason), StoreError>> + use<> {
    collection.cells().all(&REASONS)
}

/// The ledger's counts, overlaid by what analysis found out. The sum stays the same.
#[must_use]
pub fn overlaid(
    mut counts: BTreeMap<Reason, u64>,
    found_out: &ReasonMoves,
) -> BTreeMap<Reason, u64> {
    for ((from, to), &found) in found_out {
        let before = counts.entry(*from).or_default();
        let moved = found.min(*before);
        *before -= moved;
        *counts.entry(*to).or_default() += moved;
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
        check(Reason::Kept, Some(Reason::Soft404), Reason::Soft404, false);
        check(Reason::Kept, Some(Reason::Offtopic), Reason::Offtopic, false);
        check(Reason::Offtopic, Some(Reason::Thin), Reason::Offtopic, false);
        check(Reason::Offtopic, Some(Reason::Kept), Reason::Kept, true);
        check(Reason::Offtopic, None, Reason::Offtopic, false);
        check(Reason::Redirect, None, Reason::Redirect, false);
    }
}
