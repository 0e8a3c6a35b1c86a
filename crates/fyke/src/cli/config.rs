//! `fyke config`: every setting with where it came from, as a file that can be used as it is; what one
//! of them means.

use super::{Exit, Failure, Global, opened, output};
use fyke_stages::config::{Config, LoadedSettings, ValueOrigin, nearest};
use serde_json::json;

/// What every setting means: a table of key, default and meaning for each section.
const PAGE: &str = include_str!("../../../../docs/settings.md");

/// Print every setting with its value and where it came from
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke config                             all settings, as a valid fyke.toml
  fyke config --set budget.pages=100      with an override
  FYKE_POLITENESS_FLOOR=2s fyke config    the environment overrides fyke.toml
  fyke config --json | jq '.\"budget.pages\"'
  fyke config --explain budget.pages      what a setting means, its default and its value
  fyke config --explain scope             the same for all settings of a section

A value comes from --set, the environment, fyke.toml or the default, in this order. In [politeness],
floor = \"0s\" (no gap), factor = 0 (no gap by response time) and per_address = 0 (no limit of
requests in flight) are refused unless every seed and every host of fetch.hosts is on loopback.")]
pub(super) struct Args {
    /// Explain a setting, or all of a section
    #[arg(long, value_name = "KEY")]
    explain: Option<String>,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let root = opened::find_if_any(global)?;
    let loaded = opened::settings(global, root.as_deref())?;
    if let Some(key) = &args.explain {
        let told = explained(key)?;
        match global.json {
            true => output::say_json(&told.iter().map(|it| it.json(&loaded)).collect::<Vec<_>>())?,
            false => told.iter().for_each(|it| output::say(&it.text(&loaded))),
        }
    } else if global.json {
        output::say_json(&as_json(&loaded)?)?;
    } else {
        output::say(&annotated(&loaded)?);
    }
    Ok(Exit::Done)
}

/// A setting as its page has it.
#[derive(Debug)]
struct SettingRow {
    /// `section.key`
    name: String,
    /// None for the keys of a host's or pattern's own table: there are as many values as tables.
    default: Option<&'static str>,
    meaning: String,
}

impl SettingRow {
    fn value(&self, loaded: &LoadedSettings) -> Option<toml::Value> {
        let (section, key) = self.name.split_once('.').filter(|_| self.default.is_some())?;
        toml::Table::try_from(&loaded.config).ok()?.get(section)?.get(key).cloned()
    }

    fn json(&self, loaded: &LoadedSettings) -> serde_json::Value {
        let from = origin(loaded, &self.name).to_string();
        json!({
            "key": self.name, "default": self.default, "meaning": self.meaning,
            "value": self.value(loaded), "from": from,
        })
    }

    fn text(&self, loaded: &LoadedSettings) -> String {
        let Some(default) = self.default else {
            return format!("{}\n  {}", self.name, self.meaning);
        };
        let value = match self.value(loaded) {
            Some(value) => format!("now {value} ({})", origin(loaded, &self.name)),
            None => "not set".to_owned(),
        };
        format!("{}: default {default}, {value}\n  {}", self.name, self.meaning)
    }
}

/// The rows of all tables of the page whose keys can be set; those of two columns have no default.
fn setting_rows() -> impl Iterator<Item = SettingRow> {
    let (mut section, mut is_of_keys) = ("", false);
    PAGE.lines().flat_map(move |line| {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or("");
        }
        // Other tables explain patterns and the like.
        is_of_keys = line.starts_with("| key |") || is_of_keys && line.starts_with('|');
        if is_of_keys && !section.is_empty() { rows_of(section, line) } else { Vec::new() }
    })
}

/// The rows of one line of a table: several keys may have one meaning.
fn rows_of(section: &str, line: &'static str) -> Vec<SettingRow> {
    let cells = line.strip_prefix("| `").and_then(|line| line.strip_suffix(" |"));
    let Some((keys, rest)) = cells.and_then(|cells| cells.split_once("` | ")) else {
        return Vec::new();
    };
    let with_default = rest.strip_prefix('`').and_then(|rest| rest.split_once("` | "));
    let (default, meaning) =
        with_default.map_or((None, rest), |(default, meaning)| (Some(default), meaning));
    let row = |key: &str| {
        let name = format!("{section}.{key}");
        SettingRow { name, default, meaning: without_links(meaning) }
    };
    keys.split("`, `").map(row).collect()
}

/// A text of Markdown with links as their texts.
fn without_links(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](").filter(|(text, _)| !text.contains(['[', ']']));
        let link = link.and_then(|(text, after)| Some((text, after.split_once(')')?.1)));
        plain.push_str(before);
        plain.push_str(link.map_or("[", |(text, _)| text));
        rest = link.map_or(after, |(_, after)| after);
    }
    plain + rest
}

/// The setting of this name, or all of a section.
fn explained(key: &str) -> anyhow::Result<Vec<SettingRow>> {
    let section = format!("{key}.");
    let is_meant = |row: &SettingRow| row.name == key || row.name.starts_with(&section);
    let rows: Vec<SettingRow> = setting_rows().filter(is_meant).collect();
    if !rows.is_empty() {
        return Ok(rows);
    }
    let rows: Vec<SettingRow> = setting_rows().collect();
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    // Keys of tables have names such as "page" and "title": others are meant sooner.
    let alike = |has_default: bool| {
        let is_alike = |row: &&SettingRow| last(&row.name) == last(key);
        let found = rows.iter().filter(|row| row.default.is_some() == has_default).find(is_alike);
        found.map(|row| row.name.as_str())
    };
    let near = alike(true)
        .or_else(|| nearest(key, rows.iter().map(|row| row.name.as_str())))
        .or_else(|| alike(false));
    let advice = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    Err(Failure::usage(format!("there is no setting {key}{advice}")).into())
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
        for (section, table) in toml::Table::try_from(Config::default()).unwrap() {
            let rows = PAGE.split(&format!("## [{section}]\n")).nth(1);
            let rows = rows.unwrap_or_else(|| panic!("docs/settings.md has no [{section}]"));
            let rows = rows.split("\n## ").next().unwrap();
            for (key, value) in table.as_table().unwrap() {
                let row = format!("| `{key}` | `{value}` | ");
                assert!(rows.contains(&row), "docs/settings.md, [{section}]: no row {row}");
            }
        }
    }

    #[test]
    fn every_setting_is_explained_with_its_default_and_its_value() {
        let loaded = load(None, std::iter::empty(), &["budget.pages=7".to_owned()]).unwrap();
        for (section, table) in toml::Table::try_from(Config::default()).unwrap() {
            for key in table.as_table().unwrap().keys() {
                assert_eq!(explained(&format!("{section}.{key}")).unwrap().len(), 1, "{key}");
            }
        }
        let text = explained("budget.pages").unwrap()[0].text(&loaded);
        assert!(text.starts_with("budget.pages: default "), "{text}");
        assert!(text.contains("now 7 (--set)"), "{text}");
        assert!(explained("scope").unwrap().len() > 3);
        assert!(explained("scope").unwrap().iter().all(|row| row.default.is_some()));
        for (section, keys) in [("credentials", 7), ("extract", 4)] {
            let rows = explained(section).unwrap();
            assert_eq!(rows.len(), keys, "{rows:?}");
            let has_value =
                |row: &SettingRow| row.default.is_some() || row.value(&loaded).is_some();
            assert!(!rows.iter().any(has_value), "{rows:?}");
        }
        let text = explained("credentials.bearer").unwrap()[0].text(&loaded);
        assert_eq!(text, "credentials.bearer\n  A token that goes with each request.");
        let feeds = explained("seeds.feeds").unwrap()[0].text(&loaded);
        assert!(feeds.contains("See Feeds.") && !feeds.contains("]("), "{feeds}");
        assert_eq!(without_links("`[]` or [a](b.md), [c]"), "`[]` or a, [c]");
    }

    #[test]
    fn a_setting_that_is_unknown_is_refused_with_the_nearest() {
        let check = |key: &str, advice: &str| {
            let error = explained(key).unwrap_err().to_string();
            assert_eq!(error, format!("there is no setting {key}{advice}"));
        };
        check("budget.page", "; did you mean budget.pages?");
        check("pages", "; did you mean budget.pages?");
        check("qqqqqqqqqqqqqqqqqqqqqqqqqq", "");
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
