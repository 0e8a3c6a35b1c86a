//! What the budgets of a crawl left out, with the numbers and the setting that would let it in.

use fyke_crawl::{Stopped, Summary};
use fyke_stages::config::{Config, show_bytes, show_duration};
use fyke_stages::show;
use fyke_store::Reason;
use serde_json::{Value, json};
use std::time::Duration;

/// One budget that cut a run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BudgetCut {
    /// The setting to change, or the option of the command.
    setting: &'static str,
    value: String,
    /// URLs that it left out.
    urls: u64,
    /// Under which they stand.
    reason: Reason,
}

/// What the command itself limits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunLimits {
    pub pages: Option<u64>,
    pub time: Option<Duration>,
}

impl BudgetCut {
    pub(super) fn json(&self) -> Value {
        let BudgetCut { setting, value, urls, reason } = self;
        json!({ "setting": setting, "value": value, "urls": urls, "reason": reason.name() })
    }

    /// In words.
    pub(super) fn tell(&self) -> String {
        let BudgetCut { setting, value, reason, .. } = self;
        let (urls, name) = (show::count(self.urls), reason.name());
        let waits = if *reason == Reason::Queued { "are still queued" } else { "were left out" };
        format!(
            "{setting} = {value} was reached: {urls} URLs {waits}; raise it and run again to fetch \
             them (`fyke urls --reason {name}` lists them)"
        )
    }
}

/// The budgets that cut this run.
pub(super) fn cuts(config: &Config, limits: RunLimits, done: &Summary) -> Vec<BudgetCut> {
    let budget = &config.budget;
    let mut cuts = Vec::new();
    let mut cut = |setting, value: String, reason| {
        let urls = done.reasons.get(&reason).copied().unwrap_or(0);
        if urls > 0 {
            cuts.push(BudgetCut { setting, value, urls, reason });
        }
    };
    match done.stopped {
        Stopped::Budget => match limits.pages {
            Some(pages) if done.pages_fetched >= pages => {
                cut("--pages", show::count(pages), Reason::Queued);
            }
            _ if done.budget_pages_used >= budget.pages => {
                cut("budget.pages", show::count(budget.pages), Reason::Queued);
            }
            _ => cut("budget.bytes", show_bytes(budget.bytes), Reason::Queued),
        },
        Stopped::Time => match limits.time.filter(|time| *time < budget.time) {
            Some(time) => cut("--time", show_duration(time), Reason::Queued),
            None => cut("budget.time", show_duration(budget.time), Reason::Queued),
        },
        Stopped::Finished | Stopped::Stopped => {}
    }
    cut("budget.per_host_pages", show::count(budget.per_host_pages), Reason::BudgetHost);
    cut("budget.per_domain_pages", show::count(budget.per_domain_pages), Reason::BudgetDomain);
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn each_budget_that_cut_a_run_is_named_with_its_number() {
        let check = |stopped, limits: RunLimits, reasons: &[(Reason, u64)], expected: &[&str]| {
            let done = Summary {
                stopped,
                pages_fetched: 10,
                budget_pages_used: 10,
                again: 0,
                changed: 0,
                gone: 0,
                next_due: None,
                bytes: 0,
                errors: 0,
                queued: 0,
                given_up: 0,
                rest: 0,
                goes_on: None,
                known: 0,
                reasons: reasons.iter().copied().collect::<BTreeMap<_, _>>(),
                seed_redirects: Vec::new(),
                unmatched: Vec::new(),
                elapsed: Duration::ZERO,
            };
            let mut config = Config::default();
            (config.budget.pages, config.budget.per_host_pages) = (10, 5);
            let told: Vec<String> =
                cuts(&config, limits, &done).iter().map(BudgetCut::tell).collect();
            assert_eq!(told.len(), expected.len(), "{told:?}");
            for (told, expected) in told.iter().zip(expected) {
                assert!(told.starts_with(expected), "{told}");
            }
        };
        let none = RunLimits::default();
        let queued = [(Reason::Queued, 7), (Reason::BudgetHost, 3)];
        let host = "budget.per_host_pages = 5 was reached: 3 URLs were left out";
        check(Stopped::Finished, none, &[(Reason::Kept, 3)], &[]);
        check(Stopped::Finished, none, &queued[1..], &[host]);
        let pages = "budget.pages = 10 was reached: 7 URLs are still queued";
        check(Stopped::Budget, none, &queued, &[pages, host]);
        let flag = RunLimits { pages: Some(10), time: None };
        check(Stopped::Budget, flag, &queued[..1], &["--pages = 10 was reached: 7 URLs"]);
        let flag = RunLimits { pages: None, time: Some(Duration::from_secs(90)) };
        check(Stopped::Time, flag, &queued[..1], &["--time = 90s was reached: 7 URLs"]);
        check(Stopped::Time, none, &queued[..1], &["budget.time = 6h was reached: 7 URLs"]);
    }
}
