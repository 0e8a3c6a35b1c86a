//! `[extract]`: rules by host or path of what to keep of pages, each a table under its pattern. A selector that cannot be
//! read is refused with its line and column.

use super::layers::LoadedSettings;
use super::{Config, ConfigError, ExtractKeys, ValueOrigin};
use fyke_web::extract::{ExtractError, ExtractSelectors};
use fyke_web::{ExtractRule, ExtractRules};

/// The section whose keys are patterns.
pub(super) const SECTION: &str = "extract";

fn rule(pattern: &str, keys: &ExtractKeys) -> Result<ExtractRule, ExtractError> {
    let ExtractKeys { keep, drop, title, date } = keys;
    ExtractRule::new(pattern, &ExtractSelectors { keep, drop, title, date })
}

impl Config {
    /// The rules of `[extract]`, which were checked when the settings were read.
    #[must_use]
    pub fn extract_rules(&self) -> ExtractRules {
        self.extract.iter().filter_map(|(pattern, keys)| rule(pattern, keys).ok()).collect()
    }
}

/// Refuses patterns and selectors that cannot be read.
pub(super) fn check(loaded: &LoadedSettings) -> Result<(), ConfigError> {
    for (pattern, keys) in &loaded.config.extract {
        let path = format!("{SECTION}.{pattern}");
        let origin = |path: &str| loaded.origins.get(path).cloned().unwrap_or(ValueOrigin::Default);
        match rule(pattern, keys) {
            Ok(_) => {}
            Err(ExtractError::Pattern(what)) => {
                let place = origin(&path).place();
                return Err(ConfigError(format!("{place}: [{SECTION}.{pattern:?}]: {what}")));
            }
            Err(ExtractError::Selector(key, error)) => {
                let known = loaded.origins.get(&format!("{path}.{key}")).cloned();
                // The place is that of the quote before the selector.
                let place = match known {
                    Some(ValueOrigin::File { name, line, column }) => {
                        ValueOrigin::File { name, line, column: column + 1 + error.at }
                    }
                    _ => origin(&path),
                };
                let (place, what) = (place.place(), error.what);
                return Err(ConfigError(format!(
                    "{place}: {key} of [{SECTION}.{pattern:?}]: {what}"
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::config::parse;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = parse(text).map(|_| ()).map_err(|error| error.0);
        assert_eq!(
            found,
            if expected.is_empty() { Ok(()) } else { Err(expected.to_owned()) },
            "{text}"
        );
    }

    #[test]
    fn rules_are_read_and_written_again() {
        let text = "[extract.\"a.test/**\"]\nkeep = \"main, article\"\ndrop = \".ad\"\n[extract.'b.test']\ntitle = \"h1\"\n";
        let config = parse(text).unwrap().config;
        assert_eq!(config.extract.len(), 2);
        assert_eq!(config.extract["a.test/**"].keep, "main, article");
        let again = parse(&toml::to_string(&config).unwrap()).unwrap().config;
        assert_eq!(again, config);
        let rules = config.extract_rules();
        let rule = |url: &str| rules.of(&fyke_web::Url::parse(url).unwrap()).is_some();
        assert!(rule("http://a.test/x/y") && rule("http://b.test/") && !rule("http://c.test/"));
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_its_line_and_column() {
        check(
            "[extract.\"a.test\"]\nkeep = \"main\"\ndrop = \".ad, p:hover\"\n",
            "fyke.toml:3:15: drop of [extract.\"a.test\"]: pseudo-classes (\":\") cannot be asked for",
        );
        check(
            "[extract]\n\"a.test\" = { keep = \"main..x\" }\n",
            "fyke.toml:2:27: keep of [extract.\"a.test\"]: expected a name",
        );
        check(
            "[extract.\"https://a.test\"]\nkeep = \"main\"\n",
            "fyke.toml:1:10: [extract.\"https://a.test\"]: a pattern begins with the host, without https://",
        );
        check(
            "[extract.\"a.test\"]\nkept = \"main\"\n",
            "fyke.toml:2:1: unknown key \"kept\" in [extract.\"a.test\"]; did you mean \"keep\"?",
        );
        check(
            "[extract]\nkeep = \"main\"\n",
            "fyke.toml:2:1: \"keep\" is no pattern: write [extract.\"example.org/**\"] and the selectors below it",
        );
        check("[extract.\"a.test\"]\nkeep = \"main\"\n", "");
    }
}
