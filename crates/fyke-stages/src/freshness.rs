//! How fresh a collection's copies are, and what more requests would make of that (003 §3.2.3): estimates by the rates at
//! which pages were seen to change.

use crate::show;
use fyke_crawl::revisit::{
    RevisitCensus, RevisitOptions, RevisitPlan, is_visited, last_visit, next_visit,
};
use fyke_learn::revisit::age;
use fyke_store::{Row, RowKind, StoreError, View};
use fyke_web::authority_of;
use serde::Serialize;
use std::collections::BTreeMap;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// Hosts that are named.
const HOSTS: usize = 20;
/// When things are due, by how long from now.
const TIMES: [(&str, i64); 6] = [
    ("now", 0),
    ("within an hour", HOUR),
    ("within a day", DAY),
    ("within a week", 7 * DAY),
    ("within a month", 30 * DAY),
    ("later", i64::MAX),
];
/// Parts of the requests there are, of which the curve is drawn.
const BUDGETS: [f64; 7] = [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

/// How fresh copies are.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Freshness {
    pub policy: Option<&'static str>,
    /// Pages that are looked at again.
    pub pages: u64,
    /// Visits so far, and those of them that saw another text; the first of a page is none.
    pub visits: u64,
    pub changes: u64,
    /// Of their copies, as expected by their rates: the share that is what the page is, and the mean age in days.
    pub fresh: f64,
    pub mean_age: f64,
    /// Requests a day that the settings allow.
    pub requests: f64,
    pub due: Vec<DueCount>,
    /// Those with most pages.
    pub hosts: Vec<HostFreshness>,
    /// What requests a day keep up.
    pub budget: Vec<BudgetPoint>,
}

/// URLs that are due at a time.
#[derive(Clone, Debug, Serialize)]
pub struct DueCount {
    pub when: &'static str,
    pub urls: u64,
}

/// The pages of one host.
#[derive(Clone, Debug, Default, Serialize)]
pub struct HostFreshness {
    pub host: String,
    pub pages: u64,
    /// Changes a day of a page, in the mean.
    pub rate: f64,
    pub fresh: f64,
    pub mean_age: f64,
}

/// A point of the freshness budget curve.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BudgetPoint {
    pub requests: f64,
    pub mean_age: f64,
    pub fresh: f64,
}

impl Freshness {
    /// It in words, the same in the terminal and on the page of the crawl.
    #[must_use]
    pub fn facts(&self) -> Vec<(String, String)> {
        let row = |name: &str, value: String| (name.to_owned(), value);
        let (visits, changes) = (show::count(self.visits), show::count(self.changes));
        let mut rows = vec![
            row("policy", self.policy.unwrap_or("off: nothing is fetched again").to_owned()),
            row("pages", show::count(self.pages)),
            row("looked at again", format!("{visits} times, {changes} changes")),
            row("fresh now", percent(self.fresh)),
            row("mean age of a copy now", days(self.mean_age)),
            row("requests a day", format!("{:.1}", self.requests)),
        ];
        let due = self.due.iter().filter(|due| due.urls > 0);
        rows.extend(due.map(|due| row(&format!("due {}", due.when), show::count(due.urls))));
        rows
    }
}

impl BudgetPoint {
    /// "500", "9 h", "80.1 %".
    #[must_use]
    pub fn cells(&self) -> [String; 3] {
        [format!("{:.0}", self.requests), days(self.mean_age), percent(self.fresh)]
    }
}

/// A time given in days.
#[must_use]
pub fn days(days: f64) -> String {
    show::span((days * DAY as f64) as i64)
}

/// A part of 1.
#[must_use]
pub fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}

/// Estimates it for a time, in milliseconds since 1970. Goes over all rows twice.
///
/// # Errors
/// When the ledger cannot be read.
pub fn freshness(view: &View, options: &RevisitOptions, now: i64) -> Result<Freshness, StoreError> {
    let mut census = RevisitCensus::default();
    for row in view.ledger.rows() {
        census.add(&row?.1);
    }
    let plan = census.plan(options, now);
    let mut counted = Counted::new(&plan, now);
    for row in view.ledger.rows() {
        counted.add(&row?.1);
    }
    Ok(counted.finish(options))
}

struct Counted<'a> {
    plan: &'a RevisitPlan,
    now: i64,
    whole: Freshness,
    due: [u64; TIMES.len()],
    hosts: BTreeMap<String, HostFreshness>,
}

impl<'a> Counted<'a> {
    fn new(plan: &'a RevisitPlan, now: i64) -> Counted<'a> {
        Counted { plan, now, whole: Freshness::default(), due: [0; 6], hosts: BTreeMap::new() }
    }

    fn add(&mut self, row: &Row) {
        if let Some(time) = next_visit(row, self.plan) {
            let wait = time.saturating_sub(self.now);
            let place = TIMES.iter().position(|(_, most)| wait <= *most);
            self.due[place.unwrap_or(TIMES.len() - 1)] += 1;
        }
        let Some(last) = last_visit(row).filter(|_| is_visited(row)) else { return };
        if row.kind != RowKind::Page {
            return;
        }
        let rate = self.plan.rate(row);
        let days = self.now.saturating_sub(last).max(0) as f64 / DAY as f64;
        let (fresh, age) = ((-rate * days).exp(), age(rate, days));
        let name = authority_of(&row.url);
        if !self.hosts.contains_key(name) {
            let host = HostFreshness { host: name.to_owned(), ..HostFreshness::default() };
            self.hosts.insert(name.to_owned(), host);
        }
        let Some(host) = self.hosts.get_mut(name) else { return };
        host.pages += 1;
        host.rate += rate;
        host.fresh += fresh;
        host.mean_age += age;
        self.whole.pages += 1;
        self.whole.visits += u64::from(row.visited.saturating_sub(1));
        self.whole.changes += u64::from(row.changed.saturating_sub(1));
        self.whole.fresh += fresh;
        self.whole.mean_age += age;
    }

    fn finish(self, options: &RevisitOptions) -> Freshness {
        let Counted { plan, mut whole, due, hosts, .. } = self;
        let mean = |sum: f64, pages: u64| sum / (pages as f64).max(1.0);
        whole.fresh = mean(whole.fresh, whole.pages);
        whole.mean_age = mean(whole.mean_age, whole.pages);
        whole.policy = options.policy.map(|policy| policy.name);
        whole.requests = plan.requests();
        let counts = TIMES.iter().zip(due);
        whole.due = counts.map(|(&(when, _), urls)| DueCount { when, urls }).collect();
        whole.hosts = hosts.into_values().collect();
        whole.hosts.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.host.cmp(&b.host)));
        whole.hosts.truncate(HOSTS);
        for host in &mut whole.hosts {
            host.rate = mean(host.rate, host.pages);
            host.fresh = mean(host.fresh, host.pages);
            host.mean_age = mean(host.mean_age, host.pages);
        }
        let points = BUDGETS.iter().filter_map(|part| {
            let requests = (part * whole.requests).ceil().max(1.0);
            let outlook = plan.outlook(requests)?;
            Some(BudgetPoint { requests, mean_age: outlook.age, fresh: outlook.freshness })
        });
        whole.budget = if whole.pages > 0 { points.collect() } else { Vec::new() };
        whole.budget.dedup_by(|a, b| a.requests == b.requests);
        whole
    }
}
