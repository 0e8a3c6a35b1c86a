//! `fyke stats freshness`: how old the copies are, and what more requests would make of that.

use crate::cli::{Global, Viewed, output};
use fyke_stages::freshness::{HostFreshness, days, freshness, percent};
use fyke_stages::show;

pub(super) fn run(global: &Global, opened: &Viewed) -> anyhow::Result<()> {
    let options = fyke_stages::revisit(&opened.config)?;
    let found = freshness(&opened.collection, &options, show::now())?;
    if global.json {
        return output::say_json(&found);
    }
    let rows: Vec<_> = found.facts().into_iter().map(|(name, value)| vec![name, value]).collect();
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
        rows.extend(found.budget.iter().map(|point| point.cells().to_vec()));
        output::say(&format!(
            "\nwhat so many requests a day would keep up:\n{}",
            output::table_with_head(&rows)
        ));
    }
    Ok(())
}
