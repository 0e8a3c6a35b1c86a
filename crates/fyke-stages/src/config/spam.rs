//! `spam.toml`: what people said of pages and hosts, that they are spam or that they are not. `fyke spam mark`,
//! `allow` and `unmark` write it; it may be written by hand as well. It is a list of judgements: a rebuild reads it.

use super::ConfigError;
use fyke_derive::page::print::host;
use fyke_derive::whole::spam::KnownSpam;
use fyke_web::{Url, UrlId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// The file's name in the collection's folder.
pub const SPAM_FILE: &str = "spam.toml";

/// Pages by their URLs and whole hosts by their names, by what was said of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToldSpam {
    pub spam: BTreeSet<String>,
    pub fair: BTreeSet<String>,
    /// From which probability on a document is no part of the corpus, 0 to 1; none: only what stands in `spam`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f32>,
}

/// A page, or a whole host: what has no scheme and no path is a host.
fn read(name: &str) -> Result<(UrlId, bool), ConfigError> {
    let wrong =
        |error: &dyn std::fmt::Display| ConfigError(format!("{SPAM_FILE}: {name:?}: {error}"));
    if name.contains("://") {
        return Url::parse(name).map(|url| (url.id(), false)).map_err(|error| wrong(&error));
    }
    if name.is_empty() || name.contains(['/', ' ', '?', '#']) {
        return Err(wrong(&"neither a host's name nor a URL with http:// or https://"));
    }
    let home = Url::parse(&format!("http://{name}/")).map_err(|error| wrong(&error))?;
    Ok((host(home.as_str()), true))
}

impl ToldSpam {
    /// What was said in the collection at `root`; nothing where there is no file.
    ///
    /// # Errors
    /// When it cannot be read, or something is wrong in it.
    pub fn load(root: &Path) -> Result<ToldSpam, ConfigError> {
        let wrong = |what: &dyn std::fmt::Display| ConfigError(format!("{SPAM_FILE}: {what}"));
        let text = match std::fs::read_to_string(root.join(SPAM_FILE)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            read => read.map_err(|error| wrong(&error))?,
        };
        let told: ToldSpam = toml::from_str(&text).map_err(|error| wrong(&error))?;
        told.known().map(|_| told)
    }

    /// The same by ids.
    ///
    /// # Errors
    /// When a name is neither a host nor a URL, or the threshold is none.
    pub fn known(&self) -> Result<KnownSpam, ConfigError> {
        let threshold = self.threshold.map(|threshold| match threshold {
            0.5..=1.0 => Ok((threshold * 100.0).round() as u8),
            other => Err(ConfigError(format!(
                "{SPAM_FILE}: threshold = {other}: it must be from 0.5 to 1"
            ))),
        });
        let mut known = KnownSpam { threshold: threshold.transpose()?, ..KnownSpam::default() };
        for (names, pages, hosts) in [
            (&self.spam, &mut known.spam, &mut known.spam_hosts),
            (&self.fair, &mut known.fair, &mut known.fair_hosts),
        ] {
            for name in names {
                let (id, is_host) = read(name)?;
                if is_host {
                    hosts.insert(id)
                } else {
                    pages.insert(id)
                };
            }
        }
        Ok(known)
    }

    /// Notes that a page or host is spam, that it is not, or (none) that nobody says anything.
    ///
    /// # Errors
    /// When the name is neither a host nor a URL.
    pub fn tell(&mut self, name: &str, is_spam: Option<bool>) -> Result<(), ConfigError> {
        let own = read(name)?;
        let is_other = |other: &String| !read(other).is_ok_and(|other| other == own);
        self.spam.retain(is_other);
        self.fair.retain(is_other);
        match is_spam {
            Some(true) => _ = self.spam.insert(name.to_owned()),
            Some(false) => _ = self.fair.insert(name.to_owned()),
            None => {}
        }
        Ok(())
    }

    /// Writes the file, which takes the place of the one before in one step.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, root: &Path) -> Result<(), ConfigError> {
        let wrong = |what: &dyn std::fmt::Display| ConfigError(format!("{SPAM_FILE}: {what}"));
        let text = toml::to_string(self).map_err(|error| wrong(&error))?;
        let new = root.join(format!("{SPAM_FILE}.new"));
        let written = std::fs::write(&new, text);
        written
            .and_then(|()| std::fs::rename(&new, root.join(SPAM_FILE)))
            .map_err(|error| wrong(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_hosts_are_told_apart_and_the_last_word_counts() {
        let dir = tempfile::tempdir().unwrap();
        let mut told = ToldSpam::load(dir.path()).unwrap();
        told.tell("casino.test", Some(true)).unwrap();
        told.tell("http://a.test/x", Some(true)).unwrap();
        told.tell("http://a.test:80/x", Some(false)).unwrap();
        told.tell("b.test:8080", Some(false)).unwrap();
        told.write(dir.path()).unwrap();
        let read = ToldSpam::load(dir.path()).unwrap();
        assert_eq!(read, told);
        let known = read.known().unwrap();
        assert_eq!((known.spam.len(), known.spam_hosts.len()), (0, 1));
        assert_eq!((known.fair.len(), known.fair_hosts.len()), (1, 1));
        assert!(known.spam_hosts.contains(&host("https://casino.test/any")));
        told.tell("casino.test", None).unwrap();
        assert!(told.spam.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for wrong in ["", "a b", "a.test/page", "http://"] {
            let error = ToldSpam::default().tell(wrong, Some(true)).unwrap_err().to_string();
            assert!(error.starts_with("spam.toml: "), "{error}");
        }
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(SPAM_FILE), "spma = []").unwrap();
        assert!(ToldSpam::load(dir.path()).unwrap_err().to_string().contains("spma"));
    }
}
