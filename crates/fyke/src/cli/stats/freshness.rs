//! `fyke stats freshness`: how old the copies are, and what more requests would make of that.

use crate::cli::{Global, Viewed, output};
use fyke_stages::freshness::{BudgetPoint, Freshness, HostFreshness, freshness};
use fyke_stages::show;

const DAY: f64 = 86_400_000.0;

pub(super) fn run(global: &Global, opened: &Viewed) -> anyhow::Result<()> {
    let options = fyke_stages::revisit(&opened.config)?;
    let found = freshness(&opened.collection, &options, show::now())?;
    if global.json {
        return output::say_json(&found);
    }
    let row = |name: &str, value: String| vec![name.to_string(), value];
    let Freshness { pages, visits, changes, fresh, mean_age, requests, .. } = found;
    let mut rows = vec![
        row("policy", found.policy.unwrap_or("off: nothing is fetched again").to_owned()),
        row("pages", show::count(pages)),
        row(
            "looked at again",
            format!("{} times, {} changes", show::count(visits), show::count(changes)),
        ),
        row("fresh now", percent(fresh)),
        row("mean age of a copy now", days(mean_age)),
        row("requests a day", format!("{requests:.1}")),
    ];
    rows.extend(
        found.due.iter().map(|due| row(&format!("due {}", due.when), show::count(due.urls))),
    );
    output::say(&output::table(&rows));
    if !found.hosts.is_empty() {
        let head = ["host", "pages", "a page changes every", "fresh", "mean age"];
        let mut rows = vec![head.map(String::from).to_vec()];
        rows.extend(found.hosts.iter().map(|host| {
            let HostFreshness { host, pages, rate, fresh, mean_age } = host;
            let gap = days(1.0 / rate.max(1e-9));
            vec![output::tame(host), show::count(*pages), gap, percent(*fresh), days(*mean_age)]
        }));
        output::say(&format!("\n{}", output::table_with_head(&rows)));
    }
    if !found.budget.is_empty() {
        let head = ["requests a day", "mean age", "fresh"];
        let mut rows = vec![head.map(String::from).to_vec()];
        rows.extend(found.budget.iter().map(|BudgetPoint { requests, mean_age, fresh }| {
            vec![format!("{requests:.0}"), days(*mean_age), percent(*fresh)]
        }));
        output::say(&format!(
            "\nwhat so many requests a day would keep up:\n{}",
            output::table_with_head(&rows)
        ));
    }
    Ok(())
}

fn days(days: f64) -> String {
    show::span((days * DAY) as i64)
}

fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}
