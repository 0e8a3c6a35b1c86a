//! `fyke config`: every setting with where it came from, as a file that can be used as it is.

use super::{Exit, Global, opened, output};
use fyke_stages::config::{Config, LoadedSettings, ValueOrigin};
use serde_json::json;

/// Print every setting with its value and where it came from
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke config                             all settings, as a valid fyke.toml
  fyke config --set budget.pages=100      with an override
  FYKE_POLITENESS_FLOOR=2s fyke config    the environment overrides fyke.toml
  fyke config --json | jq '.\"budget.pages\"'

A value comes from --set, the environment, fyke.toml or the default, in this order. In [politeness],
floor = \"0s\" (no gap), factor = 0 (no gap by response time) and per_address = 0 (no limit of
requests in flight) are refused unless every seed and every host of fetch.hosts is on loopback.")]
pub(super) struct Args {}

pub(super) fn run(global: &Global, _: &Args) -> anyhow::Result<Exit> {
    let root = opened::find_if_any(global)?;
    let loaded = opened::settings(global, root.as_deref())?;
    if global.json {
        output::say_json(&as_json(&loaded)?)?;
    } else {
        output::say(&annotated(&loaded)?);
    }
    Ok(Exit::Done)
}

fn origin(loaded: &LoadedSettings, key: &str) -> ValueOrigin {
    loaded.origins.get(key).cloned().unwrap_or(ValueOrigin::Default)
}

fn as_json(loaded: &LoadedSettings) -> anyhow::Result<serde_json::Value> {
    let mut all = serde_json::Map::new();
    let sections = toml::Table::try_from(&loaded.config)?;
    for (section, table) in sections {
        for (key, value) in table.as_table().into_iter().flatten() {
            let name = format!("{section}.{key}");
            let from = origin(loaded, &name).to_string();
            all.insert(name, json!({ "value": value, "from": from }));
        }
    }
    Ok(all.into())
}

/// The settings as TOML, each line with its origin as a comment.
fn annotated(loaded: &LoadedSettings) -> anyhow::Result<String> {
    let text = toml::to_string::<Config>(&loaded.config)?;
    let mut section = String::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.to_string();
            lines.push(line.to_string());
        } else if let Some((key, _)) = line.split_once(" = ") {
            // Inside [fetch.hosts] the keys are hosts: the setting is the table.
            let own = format!("{section}.{key}");
            let name = if section.contains('.') { section.replace(['"', '\''], "") } else { own };
            lines.push(format!("{line:<40}  # {}", origin(loaded, &name)));
        } else {
            lines.push(line.to_string());
        }
    }
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_stages::config::load;

    #[test]
    fn every_setting_stands_on_its_page_with_its_default() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md");
        let page = std::fs::read_to_string(page).unwrap();
        for (section, table) in toml::Table::try_from(Config::default()).unwrap() {
            let rows = page.split(&format!("## [{section}]\n")).nth(1);
            let rows = rows.unwrap_or_else(|| panic!("docs/settings.md has no [{section}]"));
            let rows = rows.split("\n## ").next().unwrap();
            for (key, value) in table.as_table().unwrap() {
                let row = format!("| `{key}` | `{value}` | ");
                assert!(rows.contains(&row), "docs/settings.md, [{section}]: no row {row}");
            }
        }
    }

    #[test]
    fn what_is_printed_is_a_settings_file_that_means_the_same() {
        let sets = ["fetch.hosts={\"a.test\" = \"127.0.0.1:1\"}", "budget.pages=7"];
        let loaded = load(None, std::iter::empty(), &sets.map(String::from)).unwrap();
        let text = annotated(&loaded).unwrap();
        assert!(text.contains("pages = 7") && text.contains("# --set"), "{text}");
        assert_eq!(toml::from_str::<Config>(&text).unwrap(), loaded.config);
    }
}
