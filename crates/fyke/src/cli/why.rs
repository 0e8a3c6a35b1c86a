//! `fyke why`: the whole life of one URL.

use super::{Exit, Global, Viewed, opened, output};
use fyke_stages::life::{self, Life, LifeOutlook};
use fyke_stages::show;
use fyke_web::Url;
use serde_json::json;

/// Rows of the ledger looked through for a known neighbour of an unknown URL.
const NEIGHBOUR_ROWS: usize = 200_000;

/// Show the history of a URL: where it was found, and why it was kept or refused
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke why https://tides.example/about
  fyke why tides.example/calendar/2031/    why is this page missing?
  fyke why --json https://tides.example/ | jq .reason
  fyke why --json https://tides.example/ | jq .host     why its host waits, and how long

Exit code 1 if the URL was never seen; the answer then says whether the scope would admit it.")]
pub(super) struct Args {
    /// The URL, as you would type it into a browser
    url: String,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let url = opened::url(&args.url)?;
    let opened = opened::show(global)?;
    let per_host_pages = opened.config.budget.per_host_pages;
    let outlook = LifeOutlook { now: show::now(), per_host_pages };
    match life::typed(&opened.collection, &url, &args.url, outlook)? {
        Some(life) if global.json => output::say_json(&life)?,
        Some(life) => output::say(&tell(&life)),
        None => {
            unknown(global, &opened, &url)?;
            return Ok(Exit::Failed);
        }
    }
    Ok(Exit::Done)
}

fn unknown(global: &Global, opened: &Viewed, url: &Url) -> anyhow::Result<()> {
    let verdict = fyke_stages::admits(&opened.config, Some(&opened.collection.ledger), url);
    let verdict = match verdict {
        Ok(Ok(_)) => "the scope would admit it, once a page links to it".to_string(),
        Ok(Err(why)) => format!("the scope would not admit it: {why}"),
        Err(why) => format!("the scope is unknown: {why}"),
    };
    let near = life::nearest_known(&opened.collection, url, NEIGHBOUR_ROWS)?;
    if global.json {
        let near = near.as_deref();
        return output::say_json(&json!({
            "url": url.as_str(), "normal": url.normal(), "reason": null,
            "scope": verdict, "nearest_known": near,
        }));
    }
    let near = match near {
        Some(near) => format!("nearest known URL on this host: {}", output::tame(&near)),
        None => format!("no URL of {} was ever seen", url.authority()),
    };
    output::say(&format!("{} was never seen\n{verdict}\n{near}", url.as_str()));
    Ok(())
}

fn tell(life: &Life) -> String {
    let row = |(name, text): (&str, String)| vec![name.to_string(), output::tame(&text)];
    output::table(&life.facts().into_iter().map(row).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use fyke_store::Reason;

    #[test]
    fn every_reason_stands_on_its_page_with_its_meaning() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reasons.md");
        let page = std::fs::read_to_string(page).unwrap();
        for reason in Reason::ALL {
            let row = format!("| `{}` | {} |", reason.name(), reason.explain());
            assert!(page.contains(&row), "docs/reasons.md: no row {row}");
        }
    }
}
