//! When a URL is asked for again (003 §3.2.3, §3.2.6): from what its row says, by a row of [`KINDS`] for each kind of
//! URL. Pure: the ledger is read, and what is due queued, in `crawl/due.rs`.
//!
//! Another kind of row sets its own visits in one of two ways. Its `next` here computes them from the row, as that of
//! pages does. Or whoever writes the row sets [`Row::due`], which goes before everything else: at that time it is asked
//! for again, with the validators that the row holds, and an answer that gives content or says 304 clears it.

use crate::feed_visits::next_feed_visit;
use crate::frontier::PRIORITIES;
use crate::politeness::http_date;
use fyke_learn::revisit::{
    POLICIES, PRIOR_CHANGES, RatePrior, RevisitBounds, RevisitOutlook, RevisitPolicy, RevisitTally,
    VisitGap, estimate_rate,
};
use fyke_store::{Reason, Row, RowKind};
use fyke_web::authority_of;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use std::collections::HashMap;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// Milliseconds of a day, the unit of rates.
const DAY: f64 = 86_400_000.0;
/// Days between two changes of a page of which nothing is known; of a home page or a sitemap.
const USUAL_DAYS: f64 = 30.0;
const FAST_DAYS: f64 = 2.0;
/// Changes that what a sitemap says of a page counts for.
const HINT: f64 = 0.125;
/// Visits that a sitemap announced before its host is judged by them.
const ANNOUNCED: u32 = 4;
/// Rows by which the spread of all is judged.
const SAMPLE: usize = 4096;

/// What is revisited, and how often (settings `[revisit]`).
#[derive(Clone, Copy, Debug)]
pub struct RevisitOptions {
    /// None: nothing is asked for again.
    pub policy: Option<&'static RevisitPolicy>,
    /// The mean time between two visits to a page, which says how many requests there are.
    pub every: Duration,
    /// No more requests a day than these.
    pub per_day: Option<u64>,
    /// Bounds of the time between two visits to a page.
    pub soonest: Duration,
    pub latest: Duration,
}

impl Default for RevisitOptions {
    fn default() -> RevisitOptions {
        let days = |days: u64| Duration::from_hours(24 * days);
        RevisitOptions {
            policy: None,
            every: days(7),
            per_day: None,
            soonest: Duration::from_hours(1),
            latest: days(60),
        }
    }
}

impl RevisitOptions {
    /// The default policy, with everything else as it is.
    #[must_use]
    pub fn by_age() -> RevisitOptions {
        RevisitOptions { policy: Some(&POLICIES[0]), ..RevisitOptions::default() }
    }

    /// In days.
    #[must_use]
    pub fn bounds(&self) -> RevisitBounds {
        let days = |time: Duration| (time.as_secs_f64() / 86_400.0).max(1e-6);
        RevisitBounds { soonest: days(self.soonest), latest: days(self.latest.max(self.soonest)) }
    }

    /// Requests a day for so many pages.
    #[must_use]
    pub fn requests(&self, pages: f64) -> f64 {
        let usual = pages / (self.every.as_secs_f64() / 86_400.0).max(1e-6);
        self.per_day.map_or(usual, |most| usual.min(most as f64))
    }
}

/// What is known of the changes of one host's pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HostChanges {
    /// Visits that saw a change, and the days between visits.
    pub changes: f64,
    pub days: f64,
    /// Visits after a sitemap said that a page had changed, and those of them that saw a change.
    announced: u32,
    confirmed: u32,
}

impl HostChanges {
    /// Whether its sitemaps say when pages change: most of what they announced was true, as far as is known.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.announced < ANNOUNCED || 2 * self.confirmed >= self.announced
    }
}

/// Goes over all rows once, for the plan.
#[derive(Debug, Default)]
pub struct RevisitCensus {
    hosts: HashMap<u64, HostChanges>,
    /// Those whose URLs have the smallest hashes, so that it makes no difference in which order they come.
    sample: Vec<(u64, Row)>,
    pages: u64,
}

impl RevisitCensus {
    /// Takes in a row.
    pub fn add(&mut self, row: &Row) {
        if !is_visited(row) {
            return;
        }
        self.pages += 1;
        let host = self.hosts.entry(host_of(row)).or_default();
        for pair in row.visits.windows(2) {
            host.changes += f64::from(u8::from(pair[0].changed));
            host.days += days(pair[0].time - pair[1].time);
        }
        if let [new, old, ..] = row.visits[..]
            && listed_change(row).is_some_and(|time| time > old.time && time <= new.time)
        {
            host.announced += 1;
            host.confirmed += u32::from(new.changed);
        }
        let hash = xxh3_64(row.url.as_bytes());
        if self.sample.len() < 2 * SAMPLE {
            self.sample.push((hash, row.clone()));
        }
        if self.sample.len() == 2 * SAMPLE {
            self.sample.sort_unstable_by_key(|(hash, _)| *hash);
            self.sample.truncate(SAMPLE);
        }
    }

    /// The plan for these rows, at a time in milliseconds since 1970.
    #[must_use]
    pub fn plan(self, options: &RevisitOptions, now: i64) -> RevisitPlan {
        let mut plan = RevisitPlan {
            options: *options,
            now,
            threshold: f64::INFINITY,
            pages: self.pages,
            tally: RevisitTally::default(),
            hosts: self.hosts,
        };
        for (_, row) in &self.sample {
            plan.tally.add(plan.rate(row), weight(row));
        }
        if let Some(policy) = options.policy {
            let part = self.sample.len() as f64 / (self.pages as f64).max(1.0);
            let requests = options.requests(self.pages as f64) * part;
            plan.threshold = plan.tally.threshold(policy, requests, options.bounds());
        }
        plan
    }
}

/// By what the next visits of a collection's URLs are set.
#[derive(Clone, Debug)]
pub struct RevisitPlan {
    options: RevisitOptions,
    /// When it was made.
    now: i64,
    /// The index at which a page is visited.
    threshold: f64,
    pages: u64,
    tally: RevisitTally,
    hosts: HashMap<u64, HostChanges>,
}

/// How the next visit of one kind of URL is set.
struct RevisitKind {
    kind: RowKind,
    /// Milliseconds since 1970; none: it is not asked for again.
    next: fn(&Row, &RevisitPlan) -> Option<i64>,
}

/// Every kind.
const KINDS: [RevisitKind; 8] = [
    RevisitKind { kind: RowKind::Page, next: page },
    RevisitKind { kind: RowKind::Sitemap, next: sitemap },
    RevisitKind { kind: RowKind::Feed, next: |row, _| next_feed_visit(row) },
    RevisitKind { kind: RowKind::File, next: |_, _| None },
    RevisitKind { kind: RowKind::Message, next: |_, _| None },
    RevisitKind { kind: RowKind::Query, next: |_, _| None },
    RevisitKind { kind: RowKind::Missing, next: |_, _| None },
    // When it confirms, or fails, it is said when it is to be asked again.
    RevisitKind { kind: RowKind::Hub, next: |_, _| None },
];

/// When a URL is to be asked for again, in milliseconds since 1970.
#[must_use]
pub fn next_visit(row: &Row, plan: &RevisitPlan) -> Option<i64> {
    // A hub that could not be asked the first time is asked all the same when it is due.
    let is_unseen = row.fetched.is_none() && row.kind != RowKind::Hub;
    if plan.options.policy.is_none() || row.reason == Reason::Queued || is_unseen {
        return None;
    }
    let kind = KINDS.iter().find(|of| of.kind == row.kind)?;
    row.due.or_else(|| (kind.next)(row, plan))
}

impl RevisitPlan {
    /// Pages that are looked at again by the rates at which they change.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Mean age in days, and freshness, that so many requests a day keep up.
    #[must_use]
    pub fn outlook(&self, requests: f64) -> Option<RevisitOutlook> {
        let (policy, bounds) = (self.options.policy?, self.options.bounds());
        let part = self.tally.pages() / (self.pages as f64).max(1.0);
        let threshold = self.tally.threshold(policy, requests * part, bounds);
        Some(self.tally.outlook(policy, threshold, bounds))
    }

    /// Requests a day that the plan makes.
    #[must_use]
    pub fn requests(&self) -> f64 {
        self.options.requests(self.pages as f64)
    }

    /// How often a page changes, in changes a day.
    #[must_use]
    pub fn rate(&self, row: &Row) -> f64 {
        let mut gaps: Vec<VisitGap> = Vec::with_capacity(row.visits.len());
        let told = row.last_modified.as_deref().and_then(http_date);
        let told = told.and_then(|time| i64::try_from(time).ok());
        for (n, visit) in row.visits.iter().enumerate() {
            let since = told.filter(|_| n == 0).map(|time| visit.time - time);
            let length = row.visits.get(n + 1).map(|before| visit.time - before.time);
            match (length, since.filter(|since| *since >= 0)) {
                (Some(length), since) => {
                    let since_change = since.filter(|since| *since <= length).map(days);
                    gaps.push(VisitGap {
                        length: days(length),
                        changed: visit.changed,
                        since_change,
                    });
                }
                // The first visit: what is known is how long ago the last change was.
                (None, Some(since)) if row.visited == 1 => {
                    let length = days(since);
                    gaps.push(VisitGap { length, changed: true, since_change: Some(length) });
                }
                (None, _) => {}
            }
        }
        estimate_rate(&gaps, self.prior(row))
    }

    /// What is believed of a page before it is known: by its kind, its host, and what a sitemap says.
    fn prior(&self, row: &Row) -> RatePrior {
        let is_fast = row.depth == 0 || row.kind == RowKind::Sitemap;
        let usual = if is_fast { FAST_DAYS } else { USUAL_DAYS };
        let host = self.hosts.get(&host_of(row)).copied().unwrap_or_default();
        let by_host = (usual + host.days) / (1.0 + host.changes);
        let mut prior = RatePrior { changes: PRIOR_CHANGES, time: PRIOR_CHANGES * by_host };
        let said = row.listed.as_ref().and_then(|listed| listed.change.as_deref());
        if let Some(said) = said.and_then(days_of_word) {
            prior.changes += HINT;
            prior.time += HINT * said;
        }
        prior
    }

    /// The time between two visits to a page, in milliseconds.
    fn interval(&self, row: &Row) -> i64 {
        let RevisitBounds { soonest, latest } = self.options.bounds();
        let days = self.options.policy.map_or(latest, |policy| {
            policy.interval(self.rate(row), weight(row), self.threshold, [soonest, latest])
        });
        (days * DAY) as i64
    }

    /// How much a visit to a URL that is due is worth; what is due for another cause comes first.
    #[must_use]
    pub fn worth(&self, row: &Row, now: i64) -> f64 {
        let Some(last) = last_visit(row).filter(|_| row.due.is_none()) else { return f64::MAX };
        self.options
            .policy
            .map_or(0.0, |policy| policy.index(self.rate(row), weight(row), days(now - last)))
    }

    /// The soonest that anything is visited twice, in milliseconds.
    #[must_use]
    pub fn soonest(&self) -> i64 {
        i64::try_from(self.options.soonest.as_millis()).unwrap_or(i64::MAX).max(1)
    }

    fn latest(&self) -> i64 {
        i64::try_from(self.options.latest.as_millis()).unwrap_or(i64::MAX).max(self.soonest())
    }

    /// When a URL is asked for again that failed so many times in a row: later each time.
    #[must_use]
    pub fn after_failures(&self, failed: u16, now: i64) -> i64 {
        let wait = self.soonest().saturating_mul(1 << failed.clamp(1, 16).saturating_sub(1));
        now.saturating_add(wait.min(self.latest()))
    }
}

/// Whether what stands there is looked at again by the rate at which it changes.
#[must_use]
pub fn is_visited(row: &Row) -> bool {
    let stands = match row.kind {
        RowKind::Page => matches!(row.reason, Reason::Kept | Reason::Noindex),
        RowKind::Sitemap => row.reason == Reason::Type,
        _ => false,
    };
    stands && last_visit(row).is_some()
}

/// When content was last seen, in milliseconds since 1970. Rows of earlier versions know of no visits.
#[must_use]
pub fn last_visit(row: &Row) -> Option<i64> {
    let visit = row.visits.first().map(|visit| visit.time);
    visit.or(row.fetched.filter(|_| row.capture.is_some()))
}

fn page(row: &Row, plan: &RevisitPlan) -> Option<i64> {
    match row.reason {
        // It may come back, or lead elsewhere one day.
        Reason::Gone | Reason::Redirect if row.status > 0 => {
            Some(row.fetched?.saturating_add(plan.latest()))
        }
        // It could be read before, and may be again.
        Reason::Protocol
        | Reason::RedirectLoop
        | Reason::TooBig
        | Reason::Type
        | Reason::Unfinished
            if row.visited > 0 =>
        {
            Some(row.fetched?.saturating_add(plan.latest()))
        }
        _ => by_rate(row, plan),
    }
}

fn sitemap(row: &Row, plan: &RevisitPlan) -> Option<i64> {
    by_rate(row, plan)
}

/// By the rate at which it changes, or at once when a sitemap that tells the truth calls it newer than its copy.
fn by_rate(row: &Row, plan: &RevisitPlan) -> Option<i64> {
    let last = last_visit(row).filter(|_| is_visited(row))?;
    let is_true = || plan.hosts.get(&host_of(row)).is_none_or(HostChanges::is_true);
    // Of a time to come nothing can be known.
    match listed_change(row).filter(|time| *time > last && *time <= plan.now && is_true()) {
        Some(_) => Some(last + plan.soonest().min(1000)),
        None => Some(last + plan.interval(row)),
    }
}

/// How much a page counts: what seemed to be worth more when it was found is in a better queue.
fn weight(row: &Row) -> f64 {
    let queue = f64::from(row.priority.clamp(1, PRIORITIES as u8) - 1);
    (-queue / 2.0).exp2()
}

fn days(millis: i64) -> f64 {
    millis as f64 / DAY
}

fn host_of(row: &Row) -> u64 {
    xxh3_64(authority_of(&row.url).as_bytes())
}

/// When a sitemap says that a page changed, in milliseconds since 1970.
fn listed_change(row: &Row) -> Option<i64> {
    w3c_time(row.listed.as_ref()?.modified.as_deref()?)
}

/// A W3C date or time, in milliseconds since 1970; one without a zone is taken for UTC.
#[must_use]
pub fn w3c_time(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time.as_millisecond());
    }
    let time =
        text.parse::<DateTime>().or_else(|_| text.parse::<Date>().map(DateTime::from)).ok()?;
    let zoned = time.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(zoned.timestamp().as_millisecond())
}

/// Days between two changes, by a sitemap's `changefreq`.
fn days_of_word(word: &str) -> Option<f64> {
    Some(match word {
        "always" | "hourly" => 1.0 / 24.0,
        "daily" => 1.0,
        "weekly" => 7.0,
        "monthly" => 30.0,
        "yearly" | "never" => 365.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
