//! Defaults < `fyke.toml` < environment < `--set`: each value is checked alone, so that an error can
//! say where it stands.

use super::origin::{line_and_column, nearest};
use super::{Config, ConfigError, CredentialKeys, ExtractKeys, ValueOrigin};
use super::{credentials, extract, rules, words};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// Settings with where each came from.
#[derive(Clone, Debug)]
pub struct LoadedSettings {
    pub config: Config,
    /// "budget.pages" → origin; what is not here is a default.
    pub origins: BTreeMap<String, ValueOrigin>,
}

/// One value that somebody wrote. `spare` is tried when `value` has the wrong type: a value that
/// comes as text may be meant as text even if it looks like a number.
struct Setting {
    section: String,
    key: String,
    value: Value,
    spare: Option<Value>,
    origin: ValueOrigin,
    /// Of a table under a pattern the places of its values.
    inner: Vec<(String, ValueOrigin)>,
}

/// Reads the settings of the collection at `root` (defaults alone where there is none).
///
/// # Errors
/// The first thing wrong, with its place.
pub fn load(
    root: Option<&Path>,
    environment: impl Iterator<Item = (String, String)>,
    sets: &[String],
) -> Result<LoadedSettings, ConfigError> {
    let mut settings = Vec::new();
    if let Some(root) = root {
        let path = root.join("fyke.toml");
        let text = std::fs::read_to_string(&path)
            .map_err(|e| ConfigError(format!("{} cannot be read: {e}", path.display())))?;
        settings = from_file(&text, "fyke.toml")?;
    }
    settings.extend(from_environment(environment));
    for set in sets {
        settings.push(from_set(set)?);
    }
    let loaded = merge(settings)?;
    rules::check(&loaded)?;
    if let Some(root) = root {
        words::word_rules(root, &loaded.config)?;
    }
    Ok(loaded)
}

/// Reads settings that stand in the text of a `fyke.toml`, and nowhere else.
///
/// # Errors
/// The first thing wrong, with its place.
pub fn parse(text: &str) -> Result<LoadedSettings, ConfigError> {
    let loaded = merge(from_file(text, "fyke.toml")?)?;
    rules::check(&loaded)?;
    Ok(loaded)
}

/// The defaults as a table: the list of known keys.
fn defaults() -> Table {
    Table::try_from(Config::default()).expect("the defaults are plain TOML")
}

fn merge(settings: Vec<Setting>) -> Result<LoadedSettings, ConfigError> {
    let defaults = defaults();
    let mut whole = defaults.clone();
    let mut origins = BTreeMap::new();
    for setting in settings {
        known(&defaults, &setting)?;
        let value = typed(&defaults, &setting)?;
        put(&mut whole, &setting, value);
        let name = format!("{}.{}", setting.section, setting.key);
        let inner = setting.inner.into_iter();
        origins.extend(inner.map(|(key, origin)| (format!("{name}.{key}"), origin)));
        origins.insert(name, setting.origin);
    }
    let config = Config::deserialize(whole).map_err(|e| ConfigError(e.message().to_string()))?;
    Ok(LoadedSettings { config, origins })
}

fn put(table: &mut Table, setting: &Setting, value: Value) {
    if let Some(Value::Table(section)) = table.get_mut(&setting.section) {
        section.insert(setting.key.clone(), value);
    }
}

/// Refuses names that do not exist, and names the nearest that does.
fn known(defaults: &Table, setting: &Setting) -> Result<(), ConfigError> {
    let place = setting.origin.place();
    let Some(section) = defaults.get(&setting.section).and_then(Value::as_table) else {
        return Err(unknown_section(defaults, &setting.section, &setting.origin));
    };
    if section.contains_key(&setting.key) || tables_of(&setting.section).is_some() {
        return Ok(());
    }
    let elsewhere = || {
        let holds = |t: &Value| t.as_table().is_some_and(|t| t.contains_key(&setting.key));
        let home = defaults.iter().find(|(_, table)| holds(table))?.0;
        Some(format!("; {:?} belongs to [{home}]", setting.key))
    };
    let near = nearest(&setting.key, section.keys().map(String::as_str));
    let advice = elsewhere()
        .or_else(|| near.map(|key| format!("; did you mean {key:?}?")))
        .unwrap_or_else(|| format!("; known keys: {}", names(section)));
    let (key, name) = (&setting.key, &setting.section);
    Err(ConfigError(format!("{place}: unknown key {key:?} in [{name}]{advice}")))
}

fn unknown_section(defaults: &Table, name: &str, origin: &ValueOrigin) -> ConfigError {
    let place = origin.place();
    let home = |key: &str| {
        let holds = |t: &Value| t.as_table().is_some_and(|t| t.contains_key(key));
        defaults.iter().find(|(_, table)| holds(table)).map(|(home, _)| home.as_str())
    };
    let advice = match (home(name), nearest(name, defaults.keys().map(String::as_str))) {
        (Some(home), _) => format!("; {name:?} belongs to [{home}]"),
        (None, Some(near)) => format!("; did you mean {near:?}?"),
        (None, None) => format!("; known sections: {}", names(defaults)),
    };
    ConfigError(format!("{place}: unknown key {name:?}{advice}"))
}

fn names(table: &Table) -> String {
    table.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// The value, once the whole config takes it; else the error with its place.
fn typed(defaults: &Table, setting: &Setting) -> Result<Value, ConfigError> {
    let attempt = |value: &Value| {
        let mut table = defaults.clone();
        put(&mut table, setting, value.clone());
        Config::deserialize(table).map(|_| value.clone())
    };
    let first = attempt(&setting.value);
    let spare = || setting.spare.as_ref().and_then(|value| attempt(value).ok());
    match first {
        Ok(value) => Ok(value),
        Err(error) => spare().ok_or_else(|| {
            let place = setting.origin.place();
            let name = format!("{}.{}", setting.section, setting.key);
            let what = match setting.section == credentials::SECTION {
                true => without_value(error.message()),
                false => error.message(),
            };
            ConfigError(format!("{place}: {name}: {}", in_words(what)))
        }),
    }
}

/// What was expected, without what stands there: it may be a secret.
fn without_value(message: &str) -> &str {
    message.rfind("expected ").map_or("it is not valid", |at| &message[at..])
}

/// Names of types as the reader of a settings file calls them.
const WORDS: &[(&str, &str)] = &[
    ("expected u16", "expected a whole number up to 65535"),
    ("expected u32", "expected a whole number up to 4294967295"),
    ("expected u64", "expected a whole number from 0 on"),
    ("expected f64", "expected a number"),
    ("expected a string", "expected text in quotes"),
    ("expected a sequence", "expected a list in [ ]"),
    ("expected a boolean", "expected true or false"),
    ("expected struct CredentialKeys", "expected a table with the keys of a host"),
];

fn in_words(message: &str) -> String {
    let found = WORDS.iter().find_map(|(from, to)| Some((message.strip_suffix(from)?, to)));
    found.map_or_else(|| message.to_string(), |(start, words)| format!("{start}{words}"))
}

fn from_file(text: &str, name: &str) -> Result<Vec<Setting>, ConfigError> {
    let origin = |offset: usize| {
        let (line, column) = line_and_column(text, offset);
        ValueOrigin::File { name: name.to_string(), line, column }
    };
    let broken = |error: toml::de::Error| {
        let place = origin(error.span().map_or(0, |span| span.start)).place();
        ConfigError(format!("{place}: not valid TOML: {}", error.message()))
    };
    let spans = DeTable::parse(text).map_err(broken)?;
    let values: Table = toml::from_str(text).map_err(broken)?;
    let mut settings = Vec::new();
    for (section, inner) in in_order(spans.get_ref()) {
        let at = origin(section.span().start);
        let name = section.get_ref().to_string();
        let (DeValue::Table(keys), Some(Value::Table(found))) =
            (inner.get_ref(), values.get(&name))
        else {
            return Err(match defaults().get(&name) {
                None => unknown_section(&defaults(), &name, &at),
                Some(_) => ConfigError(format!("{}: {name:?} is a section: [{name}]", at.place())),
            });
        };
        if !defaults().contains_key(&name) {
            return Err(unknown_section(&defaults(), &name, &at));
        }
        for (key, inner) in in_order(keys) {
            let inner = match tables_of(&name) {
                Some(tables) => tables.places(key, inner.get_ref(), &origin)?,
                None => Vec::new(),
            };
            let value = found.get(key.get_ref().as_ref()).cloned();
            settings.push(Setting {
                section: name.clone(),
                key: key.get_ref().to_string(),
                value: value.expect("both readings of one text have the same keys"),
                spare: None,
                inner,
                origin: origin(key.span().start),
            });
        }
    }
    Ok(settings)
}

/// A section whose keys are tables.
struct TableSection {
    name: &'static str,
    /// What its keys are, and how one is written.
    what: &'static str,
    example: &'static str,
    /// The keys of each table.
    keys: &'static [&'static str],
}

const TABLE_SECTIONS: [TableSection; 2] = [
    TableSection {
        name: extract::SECTION,
        what: "pattern",
        example: "[extract.\"example.org/**\"] and the selectors below it",
        keys: &ExtractKeys::NAMES,
    },
    TableSection {
        name: credentials::SECTION,
        what: "host",
        example: "[credentials.\"docs.example.org\"] and its keys below it",
        keys: &CredentialKeys::NAMES,
    },
];

fn tables_of(section: &str) -> Option<&'static TableSection> {
    TABLE_SECTIONS.iter().find(|tables| tables.name == section)
}

impl TableSection {
    /// Where the values of a table stand; refuses names that do not exist.
    fn places(
        &self,
        table: &Spanned<toml::de::DeString<'_>>,
        value: &DeValue<'_>,
        origin: &impl Fn(usize) -> ValueOrigin,
    ) -> Result<Vec<(String, ValueOrigin)>, ConfigError> {
        let (name, section) = (table.get_ref(), self.name);
        let DeValue::Table(keys) = value else {
            let place = origin(table.span().start).place();
            let (what, example) = (self.what, self.example);
            return Err(ConfigError(format!("{place}: {name:?} is no {what}: write {example}")));
        };
        let mut places = Vec::new();
        for (key, value) in in_order(keys) {
            let key_name = key.get_ref().to_string();
            if !self.keys.contains(&&*key_name) {
                let place = origin(key.span().start).place();
                let near = nearest(&key_name, self.keys.iter().copied());
                let advice = near.map_or_else(
                    || format!("; known keys: {}", self.keys.join(", ")),
                    |near| format!("; did you mean {near:?}?"),
                );
                return Err(ConfigError(format!(
                    "{place}: unknown key {key_name:?} in [{section}.{name:?}]{advice}"
                )));
            }
            places.push((key_name, origin(value.span().start)));
        }
        Ok(places)
    }
}

type SettingEntry<'a> = (&'a Spanned<toml::de::DeString<'a>>, &'a Spanned<DeValue<'a>>);

/// Entries as they stand in the file, so that the first error met is the first in the file.
fn in_order<'a>(table: &'a DeTable<'a>) -> Vec<SettingEntry<'a>> {
    let mut entries: Vec<SettingEntry<'a>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// `FYKE_BUDGET_PAGES=100`: section names have no underscore, so the first one ends the section.
/// A name that is not even nearly a section belongs to somebody else and is passed over; so is one of credentials: it names
/// no host, and may hold a secret.
fn from_environment(variables: impl Iterator<Item = (String, String)>) -> Vec<Setting> {
    let (sections, mut settings) = (defaults(), Vec::new());
    for (name, text) in variables {
        let Some(path) = name.strip_prefix("FYKE_") else { continue };
        let path = path.to_ascii_lowercase();
        let (section, key) = path.split_once('_').unwrap_or((&path, ""));
        match nearest(section, sections.keys().map(String::as_str)) {
            None | Some(credentials::SECTION) => continue,
            Some(_) => {}
        }
        settings.push(setting(section, key, &text, ValueOrigin::Environment(name.clone())));
    }
    settings.sort_by(|a, b| (&a.section, &a.key).cmp(&(&b.section, &b.key)));
    settings
}

fn from_set(text: &str) -> Result<Setting, ConfigError> {
    let parts = text.split_once('=').and_then(|(path, value)| Some((path.split_once('.')?, value)));
    let Some(((section, key), value)) = parts else {
        // Whatever follows may be a secret.
        let is_secret = text.trim_start().starts_with(credentials::SECTION);
        let shown = if is_secret { credentials::SECTION } else { text };
        return Err(ConfigError(format!("--set {shown}: expected section.key=value")));
    };
    Ok(setting(section.trim(), key.trim(), value.trim(), ValueOrigin::Set))
}

/// A value given as text: TOML where it is TOML, else a string.
fn setting(section: &str, key: &str, text: &str, origin: ValueOrigin) -> Setting {
    let string = Value::String(text.to_string());
    let parsed = toml::from_str::<Table>(&format!("value = {text}"));
    let value = parsed.ok().and_then(|mut table| table.remove("value"));
    let (section, key) = (section.to_string(), key.to_string());
    match value {
        Some(value) => {
            Setting { section, key, value, spare: Some(string), origin, inner: Vec::new() }
        }
        None => Setting { section, key, value: string, spare: None, origin, inner: Vec::new() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let error = from_file(text, "fyke.toml").and_then(merge).map(|_| ()).unwrap_err();
        assert_eq!(error.0, expected);
    }

    #[test]
    fn a_bad_key_is_named_with_its_place_and_the_nearest_one() {
        check(
            "[budget]\npagse = 3\n",
            "fyke.toml:2:1: unknown key \"pagse\" in [budget]; did you mean \"pages\"?",
        );
        check(
            "\n  [bugdet]\npages = 3\n",
            "fyke.toml:2:4: unknown key \"bugdet\"; did you mean \"budget\"?",
        );
        check(
            "floor = \"1s\"\n",
            "fyke.toml:1:1: unknown key \"floor\"; \"floor\" belongs to [politeness]",
        );
        check("scope = 3\n", "fyke.toml:1:1: \"scope\" is a section: [scope]");
        check(
            "[fetch]\nfloor = \"1s\"\n",
            "fyke.toml:2:1: unknown key \"floor\" in [fetch]; \"floor\" belongs to [politeness]",
        );
    }

    #[test]
    fn a_value_of_the_wrong_type_is_named_with_its_place() {
        check(
            "[budget]\n\npages = \"many\"\n",
            "fyke.toml:3:1: budget.pages: invalid type: string \"many\", expected a whole \
             number from 0 on",
        );
        check(
            "[politeness]\nfloor = \"soon\"\n",
            "fyke.toml:2:1: politeness.floor: \"soon\" is not valid: expected a number and \
             ms, s, m, h or d, such as \"250ms\" or \"6h\"",
        );
    }

    #[test]
    fn later_sources_win_and_say_so() {
        let mut settings = from_file("[budget]\npages = 3\ntime = \"1m\"\n", "fyke.toml").unwrap();
        let variables = [("FYKE_BUDGET_PAGES", "4"), ("PATH", "x"), ("FYKE_X_Y", "z")];
        let variables = variables.map(|(a, b)| (a.to_string(), b.to_string()));
        settings.extend(from_environment(variables.into_iter()));
        settings.push(from_set("collection.name=2026").unwrap());
        let loaded = merge(settings).unwrap();
        assert_eq!(loaded.config.budget.pages, 4);
        assert_eq!(loaded.config.collection.name, "2026");
        assert_eq!(loaded.origins["budget.pages"].to_string(), "FYKE_BUDGET_PAGES");
        assert_eq!(loaded.origins["budget.time"].to_string(), "fyke.toml:3");
        assert_eq!(loaded.origins["collection.name"].to_string(), "--set");
    }

    #[test]
    fn the_whole_of_the_defaults_reads_back_the_same() {
        let text = toml::to_string(&Config::default()).unwrap();
        let loaded = merge(from_file(&text, "fyke.toml").unwrap()).unwrap();
        assert_eq!(loaded.config, Config::default());
    }
}
