//! A URL that was asked for again: what its answer means, and what is written of it. Nothing that a server fails to give
//! takes a page away: only two looks in a row that find it gone do.

use super::answers::{Answers, FollowUp, UrlAnswer};
use super::fetches::Wanted;
use crate::control::lock;
use crate::fetch::{Captured, Outcome};
use crate::revisit::RevisitPlan;
use crate::verdict::{AnswerContent, UrlVerdict};
use fyke_derive::derive_ruled;
use fyke_formats::may_take_long;
use fyke_store::{Place, Reason, RevisitProfile, StoreError};
use fyke_web::Capture;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// What visits to pages found.
#[derive(Debug, Default)]
pub(super) struct AgainCounters {
    pub(super) visits: AtomicU64,
    pub(super) changed: AtomicU64,
    pub(super) gone: AtomicU64,
}

/// What a visit found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AgainFound {
    /// What was there before.
    Same(RevisitProfile),
    /// Nothing that was not known: it is still gone, or still redirects there.
    Still,
    /// Something else: it is taken in as any answer is.
    News,
    /// Nothing, for the first time.
    Missing,
    /// Nothing, once more.
    Gone,
    /// Nothing but a cookie, with which it is asked for at once.
    Respelled,
    /// No answer that says anything.
    Failure,
}

/// What an answer to a URL means that was fetched before.
pub(super) fn judge_again(
    wanted: &Wanted,
    outcome: &Outcome,
    content: &AnswerContent,
    url: &UrlVerdict,
) -> AgainFound {
    let Outcome::Captured(Captured { capture, .. }) = outcome else { return AgainFound::Failure };
    let row = &wanted.row;
    let was_gone = matches!(row.reason, Reason::Gone | Reason::Redirect);
    let missing = if row.missed == 0 { AgainFound::Missing } else { AgainFound::Gone };
    let is_spoilt = row.reason == Reason::Kept && is_spoilt(url);
    match (capture.status, url) {
        (300..400, UrlVerdict::Again) => AgainFound::Respelled,
        // It leads to itself, as where cookies are wanted: that says nothing of the page.
        (_, UrlVerdict::Redirect(target)) if target.id() == wanted.id => AgainFound::Failure,
        (304, _) if wanted.validators().is_some() => AgainFound::Same(RevisitProfile::NotModified),
        _ if capture.has_content() => match content {
            _ if outcome.is_half() => AgainFound::Failure,
            AnswerContent::Same => AgainFound::Same(RevisitProfile::SamePayload),
            _ if is_spoilt && row.missed == 0 => AgainFound::Missing,
            _ => AgainFound::News,
        },
        (404 | 410, _) if row.reason == Reason::Gone => AgainFound::Still,
        (404 | 410, _) => missing,
        (_, UrlVerdict::Redirect(target))
            if row.redirect.as_deref() == Some(target.as_str()) && was_gone =>
        {
            AgainFound::Still
        }
        (_, UrlVerdict::Redirect(_)) if was_gone || missing == AgainFound::Gone => AgainFound::News,
        (_, UrlVerdict::Redirect(_)) => AgainFound::Missing,
        _ => AgainFound::Failure,
    }
}

/// Whether an answer of a page that could be read cannot: it counts when the next one cannot either.
fn is_spoilt(verdict: &UrlVerdict) -> bool {
    use Reason::{Protocol, TooBig, Type, Unfinished};
    matches!(verdict, UrlVerdict::Final(Protocol | TooBig | Type | Unfinished, _))
}

/// Whether an answer holds, byte for byte, what the row says was there before, and nothing else speaks of it.
pub(super) fn is_same_payload(wanted: &Wanted, capture: &Capture) -> bool {
    wanted.is_again
        && wanted.row.capture.is_some()
        && capture.has_content()
        && capture.truncated.is_none()
        && capture.header("x-robots-tag").is_none()
        && wanted.row.digest == Some(fyke_store::payload_digest(&capture.payload))
}

impl Answers<'_> {
    /// Writes what a visit found.
    pub(super) fn write_again(
        self,
        mut answer: UrlAnswer,
        found: AgainFound,
        verdict: UrlVerdict,
        now: u64,
    ) -> Result<FollowUp, StoreError> {
        let again = &self.counters.again;
        again.visits.fetch_add(1, Relaxed);
        let time = i64::try_from(now).unwrap_or(i64::MAX);
        let row = &mut answer.wanted.row;
        match found {
            AgainFound::News => return self.write_news(answer, verdict, now),
            AgainFound::Same(profile) => self.write_same(&mut answer, profile)?,
            AgainFound::Still => (row.due, row.failed) = (None, 0),
            AgainFound::Missing => {
                row.missed = row.missed.saturating_add(1);
                row.due = self.plan().map(|plan| time.saturating_add(plan.soonest()));
            }
            AgainFound::Gone => {
                let what = format!("status {}", captured(&answer).map_or(0, |c| c.capture.status));
                (answer.wanted.row.due, answer.wanted.row.missed) = (None, 0);
                again.gone.fetch_add(1, Relaxed);
                return self.write(answer, UrlVerdict::Final(Reason::Gone, what), now);
            }
            AgainFound::Respelled | AgainFound::Failure => {
                self.counters.count_error();
                row.failed = row.failed.saturating_add(1);
                row.due = self.plan().map(|plan| plan.after_failures(row.failed, time));
            }
        }
        self.put(&answer.wanted, now).map(|_| FollowUp::Nothing)
    }

    /// A URL that was due could not be asked for: it is later, each time by more.
    pub(super) fn put_off(self, mut wanted: Wanted, now: u64) -> Result<(), StoreError> {
        let time = i64::try_from(now).unwrap_or(i64::MAX);
        wanted.row.failed = wanted.row.failed.saturating_add(1);
        wanted.row.due = self.plan().map(|plan| plan.after_failures(wanted.row.failed, time));
        self.put(&wanted, now).map(drop)
    }

    fn plan(self) -> Option<Arc<RevisitPlan>> {
        self.due.plan()
    }

    /// Keeps what came instead. What counts as a change is the main text.
    fn write_news(
        self,
        mut answer: UrlAnswer,
        verdict: UrlVerdict,
        now: u64,
    ) -> Result<FollowUp, StoreError> {
        let former = answer.wanted.row.capture.filter(|_| answer.wanted.row.reason == Reason::Kept);
        let is_kept = matches!(&verdict, UrlVerdict::Final(Reason::Kept, _));
        let new = captured(&answer).map(|captured| &captured.capture);
        let is_same = match (former, new) {
            (Some(place), Some(new)) if is_kept => self.has_same_text(place, new),
            _ => false,
        };
        if !is_same {
            self.counters.again.changed.fetch_add(1, Relaxed);
        }
        let is_found_out = !is_same && answer.wanted.tests_word();
        let row = &mut answer.wanted.row;
        // What changes just when it is not asked for the change alone is asked for whole from now on.
        row.lies |= is_found_out && (row.etag.is_some() || row.last_modified.is_some());
        (row.due, row.missed, row.failed) = (None, 0, 0);
        answer.wanted.is_same_text = is_same;
        self.write(answer, verdict, now)
    }

    /// Whether the main text is that of the capture before. What cannot be read says nothing of that, nor does what may
    /// take long.
    fn has_same_text(self, place: Place, new: &Capture) -> bool {
        let Ok(old) = self.cell.collection.captures.read(place) else { return false };
        if may_take_long(&old) || may_take_long(new) {
            return false;
        }
        let rules = self.cell.collection.extract_rules();
        let text = |capture: &Capture| {
            let document = derive_ruled(capture, Arc::clone(&rules)).document;
            document.map(|document| document.text)
        };
        let (old, new) = (text(&old), text(new));
        new.is_some() && old == new
    }

    /// Keeps that nothing was new, with the capture that still holds.
    fn write_same(self, answer: &mut UrlAnswer, profile: RevisitProfile) -> Result<(), StoreError> {
        let Outcome::Captured(Captured { capture, request, .. }) = &answer.outcome else {
            return Ok(());
        };
        let row = &mut answer.wanted.row;
        row.take_same(capture);
        let Some(place) = row.capture else { return Ok(()) };
        let Ok(origin) = self.cell.collection.captures.origin(place) else {
            // Its capture is lost: soon the whole page is asked for.
            (row.etag, row.last_modified, row.digest) = (None, None, None);
            let soon = |plan: Arc<RevisitPlan>| Some(row.fetched?.saturating_add(plan.soonest()));
            row.due = self.plan().and_then(soon);
            return Ok(());
        };
        let packed = lock(&self.cell.packer)
            .get_or_insert_default()
            .pack_revisit(request, capture, &origin, profile);
        self.cell.collection.captures.append(&packed)?;
        self.cell.count_capture(packed.size(), false);
        Ok(())
    }
}

fn captured(answer: &UrlAnswer) -> Option<&Captured> {
    match &answer.outcome {
        Outcome::Captured(captured) => Some(captured),
        Outcome::Failed(_) => None,
    }
}
