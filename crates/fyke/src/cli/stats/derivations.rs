//! `fyke stats derivations`: what is derived, how it stands, what it takes.

use crate::cli::{Global, Viewed, output};
use fyke_stages::show;

pub(super) fn run(global: &Global, opened: &Viewed) -> anyhow::Result<()> {
    let Viewed { collection, config, .. } = opened;
    let settings = fyke_stages::settings(collection.root(), config)?;
    let states = fyke_derive::states(collection, &settings)?;
    if global.json {
        return output::say_json(&states);
    }
    let head = ["derivation", "tier", "rows", "bytes", "CPU ms", "last run", "state"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(states.into_iter().map(|row| {
        let time = row.time.map_or_else(String::new, show::moment);
        let (rows, bytes) = (show::count(row.rows), show::size(row.bytes));
        let cpu = format!("{:.1}", row.cpu_ms);
        vec![row.name.to_owned(), row.tier.to_owned(), rows, bytes, cpu, time, row.state]
    }));
    output::say(&output::table_with_head(&rows));
    Ok(())
}
